from collections import defaultdict

import pandas as pd
import pytest

from study.published import (
    AREAS,
    POINT_MEASURES,
    published_lookup,
    published_numbers,
    published_text,
)
from study.tables.areas import split_and_replicates


def test_published_numbers_are_those_of_the_paper():
    published = defaultdict(list)
    for (place, *_), printed in published_numbers().items():
        published[place].append(printed.value)
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
    logistic = measures[measures["model"] == "linear"].assign(model="logistic")
    published = published_lookup()
    both = pd.concat([measures, logistic])
    table = split_and_replicates(both, curve, AREAS, published=published)
    assert table["positive_class"].tolist() == ["majority"] * 12 + ["minority"] * 12
    for measure in ("auk", "auk_trapezoid"):
        of_measure = table[table["measure"] == measure].set_index("model")["published"]
        assert set(of_measure["linear"]) == {auk_linear}
        assert set(of_measure["neural_net"]) == {auk_network}
        assert of_measure["logistic"].isna().all()
    point = split_and_replicates(measures, "hull", POINT_MEASURES, published=published)
    point = point.dropna(subset="published")
    assert set(point["model"]) == {"neural_net"}
    assert point["published"].tolist() == 2 * [0.328, 0.6, 0.928]


def test_at_a_cost_only_the_aucs_are_compared():
    whole, at_cost = published_lookup(), published_lookup(5.0)
    assert at_cost == {key: value for key, value in whole.items() if key[2] == "auc"}
    assert at_cost
