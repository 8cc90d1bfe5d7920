"""Tables of several models on one test set, against the package's own inference."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import kappacurve as kc
from study.analysis import comparison as model_comparison
from study.analysis.comparison import bounds_table, interval_table, paired_tests
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
    table = interval_table(scores, CLASSES, seed=5, prevalence=0.2, n_resamples=2)
    mirrored = scores.assign(positive=1 - scores["positive"], score=-scores["score"])
    other = interval_table(mirrored, SWAPPED, seed=5, prevalence=0.8, n_resamples=2)
    assert other["positive_class"].tolist() == ["well"] * 21 + ["ill"] * 21
    keys = ["positive_class", "model", "measure"]
    pd.testing.assert_frame_equal(
        table.sort_values(keys, ignore_index=True), other.sort_values(keys, ignore_index=True)
    )
    # AUC, KS and the largest kappa are the same for both classes, the AUK is not.
    wide = table.pivot_table("value", index=["model", "measure"], columns="positive_class")
    same = np.isclose(wide["ill"], wide["well"], atol=1e-12)
    by_measure = pd.Series(same, index=wide.index).groupby("measure").all()
    assert by_measure[["auc", "auch", "ks", "h", "kappa_max"]].all()
    assert not by_measure[["auk", "auk_hull"]].any()
    # So are their intervals: the same rows are drawn for both.
    symmetric = table[table["measure"].isin(["auc", "auch", "ks", "h", "kappa_max"])]
    for end in ("low", "high"):
        wide = symmetric.pivot_table(end, index=["model", "measure"], columns="positive_class")
        np.testing.assert_allclose(wide["ill"], wide["well"], atol=1e-9)


def test_perfect_and_constant_scores_have_no_interval_and_no_test(scores):
    rows = scores.query("model == 'fine'")
    perfect = rows.assign(model="perfect", score=rows["positive"] + rows["row"] / 1000)
    whole = pd.concat([rows, perfect, rows.assign(model="constant", score=1.0)])
    table = interval_table(whole, CLASSES, seed=5, n_resamples=20)
    without = table["model"] != "fine"
    assert (table["interval"] == "none").equals(without)
    assert table["low"].isna().equals(without)
    assert table["high"].isna().equals(without)
    tests = paired_tests(whole, CLASSES)
    untested = (tests["model_a"] == "perfect") & (tests["model_b"] == "constant")
    assert untested.sum() == 3
    for name in ("low", "high", "p_value", "p_holm"):
        assert tests[name].isna().equals(untested), name


def test_large_test_sets_are_not_resampled(scores, monkeypatch):
    monkeypatch.setattr(model_comparison, "MOST_ROWS_TO_RESAMPLE", 119)
    table = interval_table(scores, CLASSES, seed=0, n_resamples=2)
    assert set(table["measure"]) == {"auc", "auk"}
    monkeypatch.setattr(model_comparison, "MOST_ROWS_TO_RESAMPLE", 120)
    assert len(interval_table(scores, CLASSES, seed=0, n_resamples=2)) == 42


def test_paired_tests_against_the_package_and_the_other_order(scores):
    table = paired_tests(scores, CLASSES, prevalence=0.1)
    assert list(table) == [
        *("measure", "positive_class", "model_a", "model_b"),
        *("difference", "standard_error", "low", "high", "p_value", "p_holm"),
    ]
    assert len(table) == 3 * 3  # AUC once, AUK for either class
    # Holm by hand: three times the smallest p value of a family, then no less.
    for _, family in table.groupby(["measure", "positive_class"]):
        p = family.sort_values("p_value")
        first, second, third = p["p_value"]
        expected = np.maximum.accumulate([min(1, 3 * first), min(1, 2 * second), third])
        assert p["p_holm"].tolist() == pytest.approx(expected)
    y, fine = one_of(scores, "fine")
    _, worse = one_of(scores, "worse")
    pair = table.query("model_a == 'fine' and model_b == 'worse'").set_index(
        ["measure", "positive_class"]
    )
    difference = roc_auc_score(y, fine) - roc_auc_score(y, worse)
    assert pair.loc[("auc", ""), "difference"] == pytest.approx(difference)
    assert pair.loc[("auc", ""), "p_value"] == kc.delong_test(y, fine, worse).p_value
    for name, labels, sign, p in (("ill", y, 1, 0.1), ("well", 1 - y, -1, 0.9)):
        expected = kc.auk_test(labels, sign * fine, sign * worse, prevalence=p)
        assert pair.loc[("auk", name), "standard_error"] == expected.standard_error
        assert pair.loc[("auk", name), "p_value"] == expected.p_value
    # Models the other way round, rows in any order.
    shuffled = scores.iloc[::-1].reset_index(drop=True)
    back = paired_tests(shuffled, CLASSES, prevalence=0.1)
    keys = ["measure", "positive_class"]
    ahead = table.set_index([*keys, "model_a", "model_b"]).sort_index()
    behind = back.set_index([*keys, "model_b", "model_a"]).sort_index()
    behind.index.names = ahead.index.names
    np.testing.assert_allclose(behind["difference"], -ahead["difference"], atol=1e-14)
    np.testing.assert_allclose(behind["low"], -ahead["high"], atol=1e-14)
    np.testing.assert_allclose(behind["p_value"], ahead["p_value"], atol=1e-12)


@pytest.mark.parametrize("skew", [None, 0.01, 0.6])
def test_every_auk_lies_between_its_bounds(scores, skew):
    measures = evaluate_measures(scores, prevalence=skew, classes=CLASSES)
    table = bounds_table(measures)
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


def test_auk_by_prevalence_has_a_panel_for_each_class(scores):
    curves = evaluate_curves(scores, classes=CLASSES)
    figure = figure_auk_by_prevalence(curves, ["fine", "tied"], ("ill", "well"))
    left, right = figure.axes
    y, score = one_of(scores, "fine")
    for axes, labels, sign in ((left, y, 1), (right, 1 - y, -1)):
        line = next(one for one in axes.get_lines() if len(one.get_xdata()) > 2)
        p, auk = line.get_data()
        at = len(p) // 3
        expected = kc.auk_score(labels, sign * score, prevalence=p[at])
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
