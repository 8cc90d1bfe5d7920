"""Tables of several models on one test set, against the package's own inference."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import kappacurve as kc
from study.analysis import comparison
from study.analysis.comparison import (
    answer,
    bounds_table,
    compare_sides,
    interval_table,
    threshold_table,
)
from study.data.classes import GERMAN_CREDIT, Classes, read_classes, spellings
from study.pages.paper_figures import figure_auk_by_prevalence, figure_curves
from study.replicates.evaluation import evaluate_curves, evaluate_measures

CLASSES = Classes("positive", "well", "ill")
SWAPPED = Classes("positive", "ill", "well")


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(4)
    positive = rng.random(120) < 0.25
    models = {
        "fine": rng.normal(size=120) + 1.5 * positive,
        "tied": (rng.normal(size=120) + positive).round(),
        "worse": rng.normal(size=120) - 0.5 * positive,
    }
    tables = [
        pd.DataFrame(
            {"row": range(1, 121), "positive": positive.astype(int), "model": name, "score": score}
        )
        for name, score in models.items()
    ]
    return pd.concat(tables, ignore_index=True)


def one_of(scores, model):
    one = scores[scores["model"] == model]
    return one["positive"].to_numpy(), one["score"].to_numpy()


def test_the_other_class_is_the_same_table_from_the_other_side(scores):
    own = {"seed": 5, "n_resamples": 20}
    sides = compare_sides(scores, CLASSES, prevalence=0.2, cost_ratio=4, **own)
    mirrored = scores.assign(positive=1 - scores["positive"], score=-scores["score"])
    other = compare_sides(mirrored, SWAPPED, prevalence=0.8, cost_ratio=0.25, **own)
    table = interval_table(sides)
    assert table["positive_class"].tolist() == ["ill"] * 24 + ["well"] * 6
    keys = ["positive_class", "model", "measure"]
    # What a swap leaves alone stands for the class 1 only: the values are those of the other side.
    both = table.merge(interval_table(other), on=keys[1:], suffixes=("", "_other"))
    same = both[
        ~both["measure"].isin(["auk", "auk_hull"]) | (both[keys[0]] == both[f"{keys[0]}_other"])
    ]
    assert len(same) == 30
    for name in ("value", "low", "high"):
        np.testing.assert_allclose(same[name], same[f"{name}_other"], atol=1e-9)
    tests = comparison.test_table(sides)
    assert len(tests) == 3 * 10
    back = comparison.test_table(other).set_index(
        ["measure", "positive_class", "model_a", "model_b"]
    )
    for row in tests.query("measure in ('auk', 'auk_hull')").to_dict("records"):
        found = back.loc[tuple(row[name] for name in back.index.names)]
        assert row["difference"] == pytest.approx(found["difference"])
        assert row["p_holm"] == pytest.approx(found["p_holm"])


def test_perfect_and_constant_scores_have_no_interval_and_no_test(scores):
    rows = scores.query("model == 'fine'")
    perfect = rows.assign(model="perfect", score=rows["positive"] + rows["row"] / 1000)
    whole = pd.concat([rows, perfect, rows.assign(model="constant", score=1.0)])
    sides = compare_sides(whole, CLASSES, seed=5, n_resamples=20)
    table = interval_table(sides)
    without = table["model"] != "fine"
    assert (table["interval"] == "none").equals(without)
    assert table["low"].isna().equals(without)
    tests = comparison.test_table(sides)
    untested = (tests["model_a"] == "perfect") & (tests["model_b"] == "constant")
    assert untested.any()
    for name in ("low", "high", "p_value", "p_holm"):
        assert tests[name].isna().equals(untested), name


def test_numbers_are_those_of_the_package_in_any_order_of_rows(scores):
    sides = compare_sides(scores.iloc[::-1], CLASSES, seed=1, prevalence=0.1, n_resamples=50)
    y, fine = one_of(scores, "fine")
    table = interval_table(sides).set_index(["positive_class", "model", "measure"])["value"]
    assert table["ill", "fine", "auc"] == pytest.approx(roc_auc_score(y, fine))
    assert table["ill", "fine", "auk"] == pytest.approx(kc.auk_score(y, fine, prevalence=0.1))
    assert table["well", "fine", "auk"] == pytest.approx(kc.auk_score(1 - y, -fine, prevalence=0.9))
    _, worse = one_of(scores, "worse")
    pair = comparison.test_table(sides).set_index(["measure", "model_a", "model_b"])["difference"]
    lead = roc_auc_score(y, fine) - roc_auc_score(y, worse)
    assert pair["auc", "worse", "fine"] == pytest.approx(-lead)


def test_the_answer_counts_what_the_threshold_does(scores):
    sides = compare_sides(scores, CLASSES, seed=1, cost_ratio=10, n_resamples=50)
    table = threshold_table(sides, {"fine": "probability"})
    y, fine = one_of(scores, "fine")
    row = table.set_index(["model", "measure"]).loc[("fine", "expected_loss")]
    predicted = fine >= row["threshold"]
    assert row["missed"] == (y[~predicted] == 1).sum()
    assert row["false_alarms"] == (y[predicted] == 0).sum()
    assert (row["scale"], table["scale"].iloc[-1]) == ("probability", "as given")
    losses = table.query("measure == 'expected_loss'")["value"]
    said = answer(sides, table, 300, 40)
    sizes = (
        f"The models were trained on 300 rows, 40 of them ill, and measured on 120 rows, {y.sum()}"
    )
    assert said[0] == f"{sizes} of them ill."
    assert said[1].startswith("Best in this sample: fine by ")
    assert "be told from chance" in said[2]
    assert said[3].startswith(f"Lowest expected loss, {losses.min():.3f}: fine with ill predicted")
    assert f"misses {row['missed']} of {y.sum()} and raises {row['false_alarms']} false" in said[3]
    alone = compare_sides(scores.query("model == 'tied'"), CLASSES, seed=1, n_resamples=2)
    assert len(answer(alone, threshold_table(alone, {}), 0, 0)) == 2
    assert comparison.test_table(alone).empty


@pytest.mark.parametrize("skew", [None, 0.01, 0.6])
def test_every_auk_lies_between_its_bounds(scores, skew):
    measures = evaluate_measures(scores, prevalence=skew, classes=CLASSES)
    table = bounds_table(measures, "ill")
    assert len(table) == 6
    assert (table["lowest"] <= table["auk"] + 1e-12).all()
    assert (table["auk"] <= table["highest"] + 1e-12).all()
    known = table.dropna()
    assert known["place"].between(0, 1).all()
    expected = (known["auk"] - known["lowest"]) / (known["highest"] - known["lowest"])
    np.testing.assert_allclose(known["place"], expected, atol=1e-9)
    for row in table.to_dict("records"):
        bounds = kc.auk_bounds(row["auc"], row["prevalence"])
        assert (row["lowest"], row["highest"]) == (bounds.lower, bounds.upper)
        y, score = one_of(scores, row["model"])
        sign = 1 if row["positive_class"] == "ill" else -1
        hull = kc.auch_score(y == (sign > 0), sign * score)
        assert row["auc"] == pytest.approx(hull)


def test_names_of_the_classes(tmp_path):
    assert read_classes(None) == GERMAN_CREDIT == ("bad", "good", "bad")
    file = tmp_path / "provenance.json"
    file.write_text('{"classes": ["gesund", "krank \\u00e4"]}', encoding="utf-8")
    assert read_classes(file) == ("positive", "gesund", "krank \u00e4")
    assert spellings(False) == ["false", "no", "off"]
    assert spellings(" 2.50 ") == ["2.50"]
    assert spellings(2.5) == ["2.5"]


@pytest.mark.parametrize("ratio", [None, 4])
def test_auk_by_prevalence_has_a_panel_for_each_class(scores, ratio):
    curves = evaluate_curves(scores, classes=CLASSES)
    figure = figure_auk_by_prevalence(curves, ["fine", "tied"], ("ill", "well"), ratio)
    left, right = figure.axes
    y, score = one_of(scores, "fine")
    for axes, labels, sign, own in ((left, y, 1, ratio), (right, 1 - y, -1, ratio and 1 / ratio)):
        line = next(one for one in axes.get_lines() if len(one.get_xdata()) > 2)
        p, auk = line.get_data()
        at = len(p) // 3
        expected = kc.auk_score(labels, sign * score, prevalence=p[at], cost_ratio=own)
        assert auk[at] == pytest.approx(expected, abs=1e-12)
    assert [text.get_text() for text in left.get_legend().get_texts()][:2] == ["fine", "tied"]
    assert right.get_legend() is None
    assert left.get_title(loc="right") == "positive class: ill"
    assert right.get_title(loc="right") == "positive class: well"


def test_dollars_in_the_names_of_users_are_no_formula(scores):
    rich = Classes("positive", "<=$50K", "$\\frac$")
    table = scores.replace({"model": {"fine": "a$^b$"}})
    curves = evaluate_curves(table, classes=rich)
    measures = evaluate_measures(table, classes=rich)
    for figure in (
        figure_curves(
            *(curves, measures),
            models=["a$^b$"],
            positive_class="$\\frac$",
            curve="raw",
            of_the_paper=False,
        ),
        figure_auk_by_prevalence(curves, ["a$^b$"], ("$\\frac$", "<=$50K")),
    ):
        figure.canvas.draw()  # matplotlib reads formulas when it draws
