import pandas as pd
import pytest

from study.published import (
    AREAS,
    OPERATING_POINT,
    comparison,
    published_text,
    rankings,
    read_published,
)


@pytest.fixture
def measures():
    rows = []
    for model, auc, auk in (("linear", 0.8, 0.1), ("neural_net", 0.7, 0.2), ("logistic", 0.75, 0)):
        for positive_class in ("good", "bad"):
            for curve in ("raw", "hull"):
                row = {"model": model, "positive_class": positive_class, "curve": curve}
                row |= {"auc": auc, "auk": auk, "auk_trapezoid": auk, "h": 0.05}
                row |= {"kappa_max": 0.3, "fpr": 0.6, "tpr": 0.9, "threshold": 0.5}
                rows.append(row)
    return pd.DataFrame(rows)


def test_published_numbers_are_those_of_the_paper():
    published = read_published().groupby("place")["value"].apply(list).to_dict()
    assert published == {
        "Table 4": [0.7493, 0.1672, 0.7186, 0.1753],
        "Table 5": [0.7227, 0.1404, 0.6781, 0.1449],
        "Section 8": [0.328, 0.60, 0.928],
    }
    assert published_text(0.6) == "0.60"  # with its digits


@pytest.mark.parametrize(
    ("curve", "auk_linear", "auk_network"), [("hull", 0.1672, 0.1753), ("raw", 0.1404, 0.1449)]
)
def test_published_stand_beside_their_counterpart(measures, curve, auk_linear, auk_network):
    table = comparison(measures, curve, AREAS)
    assert ",".join(table) == (
        "positive_class,model,measure,published,reproduced,mean,sd,low,high,percentile"
    )
    assert table["positive_class"].tolist() == ["good"] * 12 + ["bad"] * 12
    for measure in ("auk", "auk_trapezoid"):
        both = table[table["measure"] == measure].groupby("model")["published"].unique()
        assert both["linear"].tolist() == [auk_linear]
        assert both["neural_net"].tolist() == [auk_network]
        assert both["logistic"].size == 1
        assert pd.isna(both["logistic"][0])
    assert table.query("model == 'linear' and measure == 'auc'")["reproduced"].tolist() == [0.8] * 2


def test_operating_point_belongs_to_the_network(measures):
    table = comparison(measures, "hull", OPERATING_POINT)
    published = table.dropna(subset="published").query("positive_class == 'good'")
    assert published[["model", "measure", "published"]].to_numpy().tolist() == [
        ["neural_net", "kappa_max", 0.328],
        ["neural_net", "fpr", 0.6],
        ["neural_net", "tpr", 0.928],
    ]


def test_rankings_show_a_reversal(measures):
    table = rankings(measures, ("auc", "auk")).query("curve == 'raw' and positive_class == 'bad'")
    assert table["model"].tolist() == ["linear", "neural_net", "logistic"]
    assert table["rank_auc"].tolist() == [1, 3, 2]
    assert table["rank_auk"].tolist() == [2, 1, 3]
