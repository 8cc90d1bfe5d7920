"""What the study's figures promise: one colour for each model, and a sentence that is true."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from kappacurve import auk_score
from kappacurve.plots.style import headline, house_style
from study.figures import headlines
from study.figures.paper_figures import figure_auk_by_prevalence
from study.figures.replicate_figures import FIGURES, Words
from study.replicates.evaluation import evaluate_curves
from study.tables.rarity import DESIGNS

NAMES = {"majority": "good", "minority": "bad"}


def test_a_model_has_one_colour_whoever_is_drawn_beside_it():
    models = ["linear", "logistic", "neural_net"]
    kinds = [("model", models), ("positive_class", ["majority", "minority"])]
    corners = {"fpr": [0.0, 0.2, 1.0], "tpr": [0.0, 0.7, 1.0], "curve": "raw"}
    curves = pd.DataFrame(corners).merge(every(kinds), how="cross")
    kinds += [("measure", ["auc", "auk", "h"]), ("skew", [0.1, 0.3])]
    cell = {"encoding": "a", "sampling": "b", "trainer": "c", "n_train": 1, "curve": "raw"}
    shown = {"replicates": 9, "mean": 0.5, "low": 0.4, "high": 0.6}
    summary = every(kinds).assign(**cell, **shown)
    pair = figure_auk_by_prevalence(curves, ["linear", "neural_net"], "bad")
    three = figure_auk_by_prevalence(curves, models, "bad")
    sweep = FIGURES["sweep"](summary, Words(NAMES, models[:2]))
    found = [_colors(figure.axes[0]) for figure in (pair, three, sweep)]
    assert found[0].items() <= found[1].items() == found[2].items()
    assert len(set(found[1].values())) == len(models)
    own = [summary.assign(model=name) for name in ("mine", "yours")]
    with_own = FIGURES["sweep"](pd.concat([summary, *own]), Words(NAMES, models[:2]))
    points = [bars.lines[0] for bars in with_own.axes[0].containers]
    assert len({(one.get_color(), one.get_marker()) for one in points}) == len(models) + 2
    plt.close("all")


def every(kinds):
    names, levels = zip(*kinds, strict=True)
    return pd.DataFrame(product(*levels), columns=names)


def _colors(axes):
    handles, labels = axes.get_legend_handles_labels()
    lines = [getattr(handle, "lines", [handle])[0] for handle in handles]
    # At the shares of the sweep, which differ in the number of test rows, no line joins points.
    assert all(line.get_linestyle() == "None" for line in lines if len(line.get_xdata()) == 2)
    return dict(zip(labels, (line.get_color() for line in lines), strict=True))


def test_sentences_say_what_the_tables_say():
    shares = {"skew": [0.5, 0.02, 0.02, 0.1], "share": [0.002, 0.1, 0.124, 0.9]}
    skews = pd.DataFrame(shares | {"pair": "auc-auk"})
    told = headlines.of_reversal_by_skew(
        pd.concat([skews, skews.assign(pair="auc-h", share=1)]), NAMES
    )
    assert told.endswith(
        "10.0 to 12.4 % of the splits at 2 % bad rows, 0.2 % of the splits at 50 %"
    )
    assert headlines.of_reversal_by_skew(skews.assign(share=float("nan")), NAMES) == ""
    sides = ["majority", "minority", "majority"]
    choices = pd.DataFrame({"positive_class": sides, "distance": [1.0, 2.0, 2.0]})
    assert "With good positive, 1 of 2" in headlines.of_specification(choices, NAMES)
    assert "With good positive, all 1" in headlines.of_specification(choices[:2], NAMES)
    assert headlines.of_specification(choices[::2], NAMES) == ""
    assert headlines.of_specification(choices.assign(distance=float("nan")), NAMES) == ""
    by_prevalence = pd.DataFrame({"a": [0.2, 0.1], "b": [0.1, 0.2]}, index=[0.1, 0.3])
    assert headlines.of_prevalences(by_prevalence).endswith("changes at a prevalence of 0.3")
    assert headlines.of_prevalences(by_prevalence[["a"]]).endswith("the same at every prevalence")


def test_sentences_of_replicates_name_ranges_over_what_is_drawn():
    """Of tables in which every number is different; what is not drawn is the largest."""
    places = [("auc-auk", "raw", "any"), ("auc-auk", "hull", "any"), ("auc-h", "raw", "any")]
    places += [("auc-auk", "both", "any"), ("auc-h", "raw", "published"), ("auk-h", "raw", "any")]
    reversals = pd.DataFrame(places, columns=["pair", "curve", "pattern"])
    reversals["share"] = [0.031, 0.042, 0.153, 0.9, 0.8, 0.7]
    assert headlines.of_rank_reversal(reversals) == (
        "AUC and AUK order the two models differently in 3.1 to 4.2 % of random splits, AUC and H "
        "in 15.3 %"
    )
    assert headlines.of_rank_reversal(reversals.drop(2)) == ""
    rows = product(["linear", "tree"], ["majority", "minority"], ["auc", "auk"], [0.02, 0.1, 0.5])
    sweep = pd.DataFrame(rows, columns=["model", "positive_class", "measure", "skew"])
    sweep["mean"] = [0.61, 0.66, 0.72, 0.05, 0.11, 0.23, *[0.9] * 18]
    lower = sweep.assign(mean=sweep["mean"] - 0.01)
    assert headlines.of_sweep(pd.concat([sweep, lower]), NAMES) == (
        "Linear model: mean AUC 0.600 to 0.610 at 2 % bad rows, 0.710 to 0.720 at 50 %; mean AUK "
        "(good positive) 0.040 to 0.050 at 2 % bad rows, 0.220 to 0.230 at 50 %"
    )
    assert headlines.of_sweep(sweep.assign(mean=float("nan")), NAMES) == ""
    profile = pd.DataFrame({"model": ["linear", "tree"] * 2, "ahead": [0.871, 0.1, 0.951, 0.2]})
    assert headlines.of_cost_profile(profile, NAMES).endswith(
        "a missed bad row costs, linear has the larger area in 87.1 to 95.1 % of the splits"
    )
    taus = pd.DataFrame({"measure_b": ["auk, bad", "h", "auk, good", "auk, bad"]})
    taus = taus.assign(measure_a="auc", skew=[0.02, 0.02, 0.02, 0.5], tau=[0.66, 0.1, 0.78, 0.98])
    taus = pd.concat([taus, taus.assign(measure_a="h", tau=0.0)])
    assert headlines.of_agreement(taus, NAMES) == (
        "AUC and AUK rank the models with a Kendall's tau of 0.66 to 0.78 at 2 % bad rows, 0.98 at "
        "50 %"
    )


def test_sentences_of_the_paper_count_what_fits():
    columns = ["positive_class", "measure", "published", "mean", "sd"]
    rows = [("minority", "auk", 0.4, 0.1, 0.1), ("minority", "auc", 0.9, 0.1, 0.01)]
    rows += [("majority", "auk", 0.2, 0.1, 0.05), ("majority", "auk", 0.1, 0.25, 0.06)]
    shown = pd.DataFrame(rows, columns=columns)
    told = headlines.of_published(shown, NAMES)
    assert told.endswith("mean of our splits: 3.0 with bad positive, 2.5 with good positive")
    assert headlines.of_published(shown.assign(published=float("nan")), NAMES) == ""
    turning = pd.DataFrame({"a": [1, 3] * 4, "b": 2}, index=[n / 10 for n in range(1, 9)])
    told = "On these rows the order of the models by AUK changes"
    assert headlines.of_prevalences(turning[:3]) == f"{told} at a prevalence of 0.2 and 0.3"
    assert headlines.of_prevalences(turning[:4]) == f"{told} with the prevalence"


def test_the_rarest_level_is_told_by_what_makes_it_rare():
    rows = [
        {"skew": skew, "design": design, "positive_class": side, "share": share + shift}
        for skew, shares in ((0.3, [0.01] * 4), (0.02, [0.12, 0.004, 0.107, 0.066]))
        for design, share in zip(DESIGNS, shares, strict=True)
        for side, shift in (("minority", 0.0), ("majority", 0.03))
    ]
    table = pd.DataFrame(rows).assign(base=0.3, curve="raw", low=0.0, high=1.0, encoding="a")
    assert headlines.of_rarity(table, NAMES) == (
        "AUC and AUK disagree at 2 % bad rows in 12.0 to 15.0 % of splits: by prevalence 0.4 to "
        "3.4 %, by test rows 10.7 to 13.7 %, by training rows 6.6 to 9.6 %"
    )
    assert headlines.of_rarity(table[table["skew"] == 0.3], NAMES) == ""


def test_a_sentence_over_curves_names_no_winner_that_the_test_does_not():
    """A large difference without, and a small one with, a small p value."""
    tests = pd.DataFrame(
        {
            "measure": ["auc", "auc", "auk"],
            "model_a": ["linear", "linear", "linear"],
            "model_b": ["neural_net", "svm", "svm"],
            "difference": [0.3, -0.01, -0.2],
            "p_value": [0.06, 0.001, 0.04],
            "p_adjusted": [0.08, 0.01, 0.051],
        }
    )
    told = headlines.of_curves(tests)
    assert told == "Statistically significant on these rows: AUC: svm above linear"
    unclear = "No difference in AUC or AUK is statistically significant on these rows"
    assert headlines.of_curves(tests.drop(1)) == unclear
    # Two models alone have nothing to adjust for.
    pair = tests.assign(p_adjusted=float("nan")).drop(1)
    assert headlines.of_curves(pair).endswith("AUK: svm above linear")
    assert headlines.of_curves(tests[:0]) == ""
    assert "No difference in AUK is" in headlines.of_curves(tests[2:])
    every_one = "AUC: linear above neural net, svm above linear; AUK: svm above linear"
    assert headlines.of_curves(tests.assign(p_adjusted=0.049)).endswith(f"rows: {every_one}")
    assert headlines.of_curves(tests.assign(p_adjusted=0.05)) == unclear


def test_a_sentence_stands_above_the_panels():
    with house_style():
        figure, axes = plt.subplots(figsize=(3.4, 2))
        axes.set_title("panel")
        headline(figure, "A < B, " * 20, "5 % of " * 30)
        figure.draw_without_rendering()
    sentence, about = (text.get_window_extent() for text in figure.texts)
    assert axes.get_tightbbox().y1 <= about.y0 < about.y1 < sentence.y0 < sentence.y1
    assert sentence.y1 <= figure.bbox.y1 and max(sentence.x1, about.x1) <= figure.bbox.x1


def test_areas_without_a_published_value_are_drawn_without_a_star():
    """As the AUKs at a cost ratio: rows of two tables, whose numbers repeat."""
    kinds = product(("majority", "minority"), ("linear", "neural_net"), ("auc", "auk"))
    rows = pd.DataFrame(kinds, columns=["positive_class", "model", "measure"])
    spread = {"mean": 0.7, "sd": 0.1, "low": 0.5, "high": 0.8}
    rows = rows.assign(published=[0.75, float("nan")] * 4, **spread)
    tables = pd.concat([rows.assign(table=name) for name in ("table4", "table5")])
    figure = FIGURES["published"](tables, Words(NAMES, ("linear", "neural_net")))
    auc, auk = (axes.lines for axes in figure.axes)
    of_auc, of_auk = (
        [[*line.get_xdata()] for line in lines if line.get_marker() == "*"] for lines in (auc, auk)
    )
    assert of_auc == [[0.75] * 4] and pd.isna(of_auk).all()
    means = [line.get_xdata() for line in auk if line.get_marker() != "*"]
    assert [list(values) for values in means] == [[0.7] * 4] * 2
    plt.close(figure)


def test_auk_by_prevalence_is_that_of_the_library_whatever_the_names(rng):
    minority = np.repeat([1, 0], [30, 90])
    scores = [rng.normal(size=120) + by * minority for by in (1.5, 0.5)]
    own = [("a$^b$", scores[0]), ("other", scores[1])]
    tables = [pd.DataFrame({"minority": minority, "model": m, "score": one}) for m, one in own]
    curves = evaluate_curves(pd.concat(tables))
    figure = figure_auk_by_prevalence(curves, ["other", "a$^b$"], "$\\frac$", 4)
    figure.canvas.draw()  # matplotlib reads formulas when it draws
    drawn = [line for line in figure.axes[0].get_lines() if len(line.get_xdata()) > 2]
    for (p, auk), score in zip([line.get_data() for line in drawn], scores[::-1], strict=True):
        at = len(p) // 3
        expected = auk_score(minority, score, prevalence=p[at], cost_ratio=4)
        assert auk[at] == pytest.approx(expected, abs=1e-12)


def test_shares_are_drawn_in_per_cent_beside_each_other():
    kinds = [("positive_class", ["majority", "minority"]), ("pair", ["auc-auk", "auc-h", "auk-h"])]
    table = every([*kinds, ("skew", [0.3, 0.1]), ("curve", ["raw", "hull"])])
    table["share"] = 0.01 * np.arange(1, len(table) + 1)
    cell = {"encoding": "a", "sampling": "b", "trainer": "c", "n_train": 1, "pattern": "any"}
    ends = {"low": table["share"] - 0.01, "high": table["share"] + 0.02}
    figure = FIGURES["reversal_by_skew"](
        table.assign(**cell, **ends, replicates=9), Words(NAMES, ())
    )
    for axes, side in zip(figure.axes, ("majority", "minority"), strict=True):
        rows = table[(table["positive_class"] == side) & (table["curve"] == "raw")]
        assert [one.get_text() for one in axes.get_xticklabels()] == ["10 %", "30 %"]
        for number, (bars, (_, own)) in enumerate(
            zip(axes.containers, rows.groupby("pair"), strict=True)
        ):
            points, _, (intervals,) = bars.lines
            assert points.get_ydata() == pytest.approx(100 * own["share"])
            assert points.get_xdata() == pytest.approx(np.array([1, 0]) + (number - 1) * 0.7 / 3)
            drawn = np.array([segment[:, 1] for segment in intervals.get_segments()])
            off = drawn - 100 * own["share"].to_numpy()[:, None]
            assert off == pytest.approx(np.array([[-1, 2]] * 2))
