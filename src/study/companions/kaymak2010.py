"""Kaymak, Ben-David & Potharst (2010): their tables, equations and claims, on our curves.

What does not add up in the experiment of section 8 is in
:mod:`study.companions.kaymak2010_experiment`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from kappacurve import kappa_of_confusion
from kappacurve.algebra import (
    along_segments,
    area_under_curve,
    area_under_kappa,
    kappa_from_rates,
    perfect_auk,
    swapped_classes,
)
from kappacurve.bounds import Interval, auk_bounds, intervals_in_words
from kappacurve.plots import plot_auk_by_prevalence
from kappacurve.plots.style import REFERENCE, TWO_COLUMNS, letter
from study.arrays import FloatArray
from study.companions import kaymak2010_experiment as section8
from study.companions.checks import Check, Recomputed, Source, Study, by_equation_19, share_check
from study.companions.curves import (
    LINES,
    Replicated,
    crossings,
    curve_table,
    curves_of,
    leads,
    local_maxima,
    panels,
    replicated,
    slopes_enclose,
)
from study.labels import MEASURE_LABELS
from study.published import (
    CLASS_NAMES,
    MODEL_LABELS,
    ORDINARY,
    PAPER_PAIR,
    UNUSUAL,
    published_numbers,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Of classifiers A, B and C.
SOURCE = Source("kaymak")
TABLES_1_TO_3 = SOURCE.matrices
TABLE_1 = TABLES_1_TO_3["Table 1 (A)"]
GRID = np.linspace(0, 1, 201)
KINDS_OF_CURVES: dict[str, Literal["raw", "hull"]] = {"raw curves": "raw", "hulls": "hull"}
# Average kappa of the hulls at GRID, by positive class and model.
Averages = dict[tuple[str, str], FloatArray]


def study(
    original: pd.DataFrame,
    paper: pd.DataFrame,
    replicates: pd.DataFrame,
    summary: pd.DataFrame,
    *,
    models: Sequence[str],
    experiment: Mapping[str, Any],
) -> Study:
    """Tables 1-3, AUK = Gini/2 at p = 1/2 on both cohorts, and claims on the replicates' scores.

    Splits at another setting than the paper's, that of the experiment, say nothing of section 8.
    """
    drawn = replicated(replicates)
    curves = curve_table(drawn)
    averages = average_kappas(drawn)
    gini = gini_table({"original": original, "paper": paper})
    ours = bool(section8.difference_of_settings(experiment, (*section8.OF_SPLITS, "prevalence")))
    more = [*equations(original), *claims(drawn, curves, averages, ours=ours)]
    more += [] if ours else eleven(summary)
    tables = {"tables1_to_3": SOURCE.matrices_table(), "gini": gini, "checks": checks(gini, more)}
    return tables, {
        "auk_by_prevalence": figure_by_prevalence(original, models, "original data"),
        "reversing_split": figure_reversal(replicates, curves),
        "average_kappa": figure_average(averages),
    }


def checks(gini: pd.DataFrame, more: Sequence[Check | None] = ()) -> pd.DataFrame:
    """Tables 1-3, section 2, equation 24 on a table of :func:`gini_table`, and more."""
    random, majority = _accuracies_without_skill()
    section2 = {
        "share of false alarms of A": 1 - TABLE_1["precision"],
        "accuracy of a random classifier": random,
        "accuracy of a majority classifier": majority,
    }
    statements: list[Check | None] = []
    for place, of in TABLES_1_TO_3.items():
        name = f"{place}: equation 19 gives the same kappa"
        statements.append(by_equation_19(name, of, "kappa_from_rates"))
    for p in (0.1, 0.5, 0.9):
        # Equation 19 at t = 1, integrated over f by hand: it needs no curve.
        q = 1 - 2 * p
        by_hand = 0.5 if q == 0 else 2 * p / q * (-np.log(2 * p) / q - 1)
        name = f"Perfect AUK at p = {p:g}, by its formula"
        statements.append(Check("ours", name, by_hand, perfect_auk(p)))
    statements += more
    for rule, column in (("exact", "auk_at_one_half"), ("trapezoid", "trapezoid_at_one_half")):
        gap = float((gini[column] - gini["half_gini"]).abs().max())
        name = f"Equation 24, AUK = Gini/2 at p = 0.5, {rule}: largest difference"
        name = f"{name}, {len(gini)} curves"
        statements.append(Check("derived", name, 0, gap, key="half_gini"))
    return SOURCE.check_table({**TABLES_1_TO_3, "Section 2": section2}, statements)


def _accuracies_without_skill() -> tuple[float, float]:
    """Accuracy of guesses with the class shares of Table 1, and of its majority class."""
    p = TABLE_1["prevalence"]
    return p**2 + (1 - p) ** 2, 1 - p


def gini_table(cohorts: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Half the Gini coefficient beside the AUK at p = 1/2 and at the prevalence of the data.

    Kaymak, Ben-David & Potharst (2010), equations 10, 23 and 24.
    """
    return pd.DataFrame(
        [
            {
                "cohort": cohort,
                "model": of.model,
                "curve": curve,
                "half_gini": (2 * area_under_curve(*points) - 1) / 2,
                "auk_at_one_half": area_under_kappa(*points, 0.5),
                "trapezoid_at_one_half": area_under_kappa(*points, 0.5, integration="trapezoid"),
                "share_minority": p,
                "auk_minority_positive": area_under_kappa(*points, p),
                "auk_majority_positive": area_under_kappa(*swapped_classes(*points), 1 - p),
            }
            for cohort, scores in cohorts.items()
            for of in curves_of(scores)
            for p in [of.prevalence]
            for curve, points in (("raw", of.raw), ("hull", of.hull))
        ]
    )


def equations(original: pd.DataFrame) -> list[Check]:
    """Equations 15, 16 and 20 at random points, 23 and 25 on our models' curves."""
    f, t, p = np.random.default_rng(2010).uniform(0.01, 0.99, (3, 1000))
    predicted = p * t + (1 - p) * f
    kappa = kappa_from_rates(f, t, p)
    by_15 = (p * t - (1 - p) * f - (2 * p - 1) * predicted) / (p - (2 * p - 1) * predicted)
    by_16 = (1 - p) / p * f + (1 - kappa) * (2 * p - 1) / p * predicted + kappa
    curves = list(curves_of(original))
    gaps = [
        area_under_kappa(*curve.raw, 0.5) - (area_under_curve(*curve.raw) - 0.5) for curve in curves
    ]
    hulls = [curve.hull for curve in curves]
    enclosed = [slopes_enclose(f, t, 0.5, int((t - f).argmax())) for f, t in hulls]
    largest = {
        "Equation 15 gives kappa": by_15 - kappa,
        "Equation 16 gives t": by_16 - t,
        "Equation 20, kappa = t - f at p = 0.5": kappa_from_rates(f, t, 0.5) - (t - f),
        "Equation 23, AUK = AUC - 0.5 at p = 0.5": np.array(gaps),
    }
    slope = "Equation 25, slope 1 at kappa's maximum at p = 0.5: share of our hulls"
    statements = [Check("derived", slope, 1, float(np.mean(enclosed)), key="slope_at_optimum")]
    for name, gap in largest.items():
        key = "half_gini" if "AUK" in name else "kappa_from_rates"
        name = f"{name}: largest difference"
        statements.append(Check("derived", name, 0, float(np.abs(gap).max()), key=key))
    return statements


def average_kappas(curves: Replicated) -> Averages:
    """The average kappa curves of the hulls, for either class as the positive one."""
    kappas = defaultdict(list)
    for (_, model), curve in curves.items():
        hull = curve.hull
        p = curve.prevalence
        for positive, points, share in (
            ("majority", swapped_classes(*hull), 1 - p),
            ("minority", hull, p),
        ):
            kappa = kappa_from_rates(GRID, np.interp(GRID, *points), share)
            kappas[positive, model].append(kappa)
    return {place: np.mean(of_all, axis=0) for place, of_all in kappas.items()}


def claims(
    drawn: Replicated, curves: pd.DataFrame, averages: Averages, *, ours: bool
) -> list[Check | None]:
    """Sections 3 to 8, on the replicates and by the bounds; ours: of another setting."""
    three_classes = [[20, 5, 5], [10, 30, 5], [5, 5, 15]]  # accuracy .65, by chance .3475
    worked = "Section 3: kappa of three classes without splitting, a worked case"
    differ = "Section 6: AUKs of hulls of the network's AUC differ by, p ="
    kappa = kappa_of_confusion(three_classes)
    at = section8.STATED_PREVALENCE
    key = "multiclass_without_splitting"
    statements: list[Check | None] = [Check("derived", worked, 0.3025 / 0.6525, kappa, key=key)]
    for p, key in ((0.5, "width_at_half"), (at, "width_as_stated")):
        statements.append(Check("printed", f"{differ} {p:g}", 0, _width(p), key=key))
    if curves.empty:
        return statements
    rare = curves[curves["prevalence"] < 0.5]  # of which section 7 speaks
    f = rare["fpr"]
    youden = rare["fpr_youden"]
    printed = section8.published_point().fpr.value
    unique = "Section 7: kappa has one local maximum: share of"
    once = "Section 7: largest kappa reached once, raw curves"
    mean = "Section 7: local maxima on average, raw curves"
    optimal = "Equation 26, slope at kappa's maximum: share of our hulls"
    left = "Section 7: bad positive, optimum left of the largest t - f"
    far = f"positive, the network's optimum at f = {printed:g} or right of it: share of hulls"
    network = curves[curves["model"] == PAPER_PAIR[1]]
    clear = "clear maxima of the average kappa curve (hulls)"
    intersect = "Section 8: curves of the two models intersect"
    moved = "optimum_moves_left"
    place = "place_of_optimum"
    return [
        *statements,
        # The paper speaks of the threshold that maximises kappa: other peaks do not matter to it.
        share_check("printed", once, curves["unique"], 0.5, key="unique_maximum"),
        share_check("ours", f"{unique} hulls", curves["maxima_hull"] == 1),
        share_check("ours", f"{unique} raw curves", curves["maxima_raw"] == 1, key="one_peak"),
        Check("ours", mean, None, float(curves["maxima_raw"].mean())),
        share_check("derived", optimal, curves["optimal"], 1, key="slope_at_optimum"),
        share_check("derived", f"{left} or there: share of hulls", f <= youden, 1, key=moved),
        share_check("printed", f"{left}: share of hulls", f < youden, 0.5, key=f"{moved}_strictly"),
        share_check("ours", f"Section 8: bad {far}", network["fpr"] >= printed, key=place),
        # Of the other class the same threshold has the rates 1 - t and 1 - f.
        share_check(
            "ours", f"Section 8: good {far}", 1 - network["tpr"] >= printed, key=f"{place}_good"
        ),
        *correlations(curves),
        *(
            Check(
                "ours",
                f"Section 7: {text} of {model}, {CLASS_NAMES[positive]} positive",
                None,
                value,
            )
            for (positive, model), kappa in averages.items()
            for text, value in (
                # Smaller ones are steps of few rows.
                (clear, local_maxima(kappa, prominence=0.01 * kappa.max())),
                ("f at the largest average kappa", float(GRID[kappa.argmax()])),
            )
        ),
        *(
            share_check(
                "ours" if ours else "printed",
                f"{intersect}, {name}: share of splits",
                crossings(drawn, kind),
                None if ours else 0.5,
                key=f"curves_intersect_{kind}",
            )
            for name, kind in KINDS_OF_CURVES.items()
        ),
    ]


def correlations(curves: pd.DataFrame) -> list[Check]:
    """How AUC and AUK (bad positive) of a model's hull go together over the splits.

    With Fisher's 95 % interval, which takes four splits.
    """
    statements = []
    for model, rows in curves.groupby("model", sort=False):
        if len(rows) > 3:
            name = f"Section 8: correlation of AUC and AUK over splits, {MODEL_LABELS[str(model)]}"
            r = float(rows["auc"].corr(rows["auk_minority"]))
            reach = np.array([-1, 1]) * ORDINARY / np.sqrt(len(rows) - 3)
            low, high = np.tanh(np.arctanh(r) + reach).tolist()
            found = Check("ours", name, None, r, key="correlated", n=len(rows))
            statements.append(found._replace(low=low, high=high))
    return statements


def _width(prevalence: float) -> float:
    """How far the AUKs of two hulls of the published AUC can be apart."""
    auc = section8.published_pair("Table 4", "neural_net").auc.value
    low, high = auk_bounds(auc, prevalence)[:2]
    return float(high - low)


def reversing(curves: pd.DataFrame) -> pd.DataFrame:
    """Replicates in which AUC prefers the linear model and AUK the network: hulls, good positive.

    Columns auc and auk hold the lead of the model that each prefers, by replicate, the most
    decisive first: that with the largest of the smaller leads, each in standard deviations.
    """
    lead = leads(curves, ["auc", "auk"]) * [1, -1]
    reversed_ = lead[(lead > 0).all(axis=1)]
    decisive = (reversed_ / lead.std()).min(axis=1).sort_values(ascending=False, kind="stable")
    return reversed_.loc[decisive.index]


def eleven(summary: pd.DataFrame) -> list[Check]:
    """Tables 4 and 5 and the point of section 8 in our splits, bad positive as in the text.

    One that cannot be is contradicted: the others rule it out in all but a few of the text's test
    sets. One outside our central 95 % is open, and few splits have none.
    """
    allowed = {
        (pair.place, pair.model, "auk"): section8.pair_intervals(pair, pair.curve)
        for pair in section8.published_pairs()
    }
    if point := section8.point_if_published():
        allowed[section8.SECTION_8, "neural_net", "kappa_max"] = section8.point_intervals(point)
    is_minority = summary["positive_class"] == "minority"
    rows = summary[is_minority & (summary["replicates"] >= section8.LEAST)]
    rows = rows.dropna(subset=["published", "mean"])
    estimates: Any = rows.set_index(["curve", "model", "measure"])[["mean", "low", "high"]]
    statements = []
    for (place, curve, model, measure), printed in published_numbers().items():
        if (curve, model, measure) in estimates.index:
            name = f"{place}, {MODEL_LABELS[model]}: {MEASURE_LABELS[measure]} (bad positive)"
            mean, low, high = map(float, estimates.loc[(curve, model, measure)])
            prevalences = allowed.get((place, model, measure), [Interval(0, 1)])
            impossible = ""
            if section8.chance_of_test_set(prevalences) < UNUSUAL:
                impossible = f"needs p in {intervals_in_words(prevalences)}"
            interval: Any = (mean, 0, "within", low, high, impossible)
            statements.append(Check("printed", name, printed.value, *interval))
    return statements


def auk_as_a_function_of_the_auc() -> Recomputed:
    """Width of the range that one AUC leaves for the AUK."""
    at = section8.STATED_PREVALENCE
    auc = section8.published_pair("Table 4", "neural_net").auc.value
    return _width(at) < 1e-6, {"half": _width(0.5), "width": _width(at), "auc": auc, "at": at}


def specificity_and_false_negatives() -> Recomputed:
    """Specificity of Table 1 when its false negatives or its false positives double."""
    specificity = 1 - TABLE_1["fpr"]
    doubled = 1 - 2 * TABLE_1["fpr"]
    return doubled == specificity, {"specificity": specificity, "doubled": doubled}


def accuracy_of_a_random_classifier() -> Recomputed:
    """Expected accuracy of guessing with the class shares, and of the majority class."""
    random, majority = _accuracies_without_skill()
    return abs(random - majority) < 0.005, {"random": random, "majority": majority}


def classifiers_at_one_prevalence() -> Recomputed:
    """Kappa of the three classifiers' rates at their own prevalence and at that of A."""
    values = pd.DataFrame(TABLES_1_TO_3.values())
    prevalences = values["prevalence"].round(12)
    same = kappa_from_rates(values["fpr"], values["recall"], prevalences[0])
    return len(set(prevalences)) == 1, {
        "own": ", ".join(f"{kappa:.3f}" for kappa in values["kappa"]),
        "same": ", ".join(f"{kappa:.3f}" for kappa in same),
        "prevalences": ", ".join(f"{p:g}" for p in prevalences),
    }


def figure_by_prevalence(scores: pd.DataFrame, models: Sequence[str], cohort: str) -> Figure:
    """AUK of the same ROC curves as the prevalence changes, for either positive class."""
    prevalence = np.linspace(0.02, 0.98, 97)
    raw = {curve.model: curve.raw for curve in curves_of(scores)}
    curves = {MODEL_LABELS[model]: raw[model] for model in models}
    swapped = {model: swapped_classes(*curve) for model, curve in curves.items()}
    titles = [f"{cohort}, positive class: {side}" for side in ("bad", "good")]
    figure, row = panels(titles, 2.5)
    for axes, side, by_model in zip(row, ("bad", "good"), (curves, swapped), strict=True):
        plot_auk_by_prevalence(by_model, prevalence=prevalence, ax=axes)
        axes.get_legend().remove()
        largest = [perfect_auk(p) for p in prevalence]
        axes.plot(prevalence, largest, color="0.2", linestyle=(0, (1, 1)), label="perfect")
        axes.plot(0.5, 0.5, marker="v", color="0.2", mec="white", ls="none")
        axes.set(xlabel=f"prevalence $p$ of the positive class ({side})", xlim=(0, 1))
        axes.label_outer()
    row[0].plot([], [], marker="o", color="0.4", ls="none", label="Gini/2")
    row[0].legend(loc="upper left")
    row[0].set(ylabel="AUK", ylim=(0, None))
    return figure


def figure_reversal(scores: pd.DataFrame, curves: pd.DataFrame) -> Figure:
    """ROC and kappa curves of split 0 and of the split whose hulls reverse most decisively."""
    from matplotlib import pyplot as plt

    reversed_splits = reversing(curves)
    n = curves["replicate"].nunique() if len(curves) else 0
    figure, grid = plt.subplots(2, 2, figsize=(TWO_COLUMNS, 5.8), sharex=True, sharey="row")
    of = f"{len(reversed_splits)} of {n} reverse"
    splits = {"split 0": 0}
    if len(reversed_splits):
        chosen = int(reversed_splits.index[0])
        splits[f"split {chosen} ({of})"] = chosen
    else:
        grid[0, 1].set_title(of, loc="right", color="0.35")
    for column, (title, replicate) in zip(grid.T, splits.items(), strict=False):
        _plot_split(column, scores[scores["replicate"] == replicate])
        column[0].set_title(title, loc="right", color="0.35")
    for axes, name in zip(grid.flat, "abcd", strict=True):
        letter(axes, name)
    grid[0, 0].set_ylabel("true positive rate $t$ (good)")
    grid[1, 0].set_ylabel(r"Cohen's kappa $\kappa$")
    return figure


def _plot_split(column: Any, scores: pd.DataFrame) -> None:
    roc, kappas = column
    of_pair = scores[scores["model"].isin(PAPER_PAIR) & (scores["minority"].nunique() == 2)]
    by_model = {curve.model: curve for curve in curves_of(of_pair)}
    for (model, curve), line in zip(by_model.items(), LINES, strict=False):
        p = 1 - curve.prevalence
        hull = swapped_classes(*curve.hull)
        roc.plot(*hull, label=f"{MODEL_LABELS[model]}, AUC {area_under_curve(*hull):.3f}", **line)
        raw = swapped_classes(*curve.raw)
        roc.plot(*raw, color=line["color"], linewidth=0.6)
        kappas.plot(raw[0], kappa_from_rates(*raw, p), color=line["color"], linewidth=0.6)
        f, t = along_segments(*hull)
        text = f"{MODEL_LABELS[model]}, AUK {area_under_kappa(*hull, p):.3f}"
        kappas.plot(f, kappa_from_rates(f, t, p), label=text, **line)
    roc.plot([0, 1], [0, 1], **REFERENCE)
    roc.set_box_aspect(1)
    for axes, corner in ((roc, "lower right"), (kappas, "lower center")):
        if by_model:
            axes.legend(loc=corner)
    kappas.set_xlabel("false positive rate $f$ (good positive)")


def figure_average(averages: Averages) -> Figure:
    """The average kappa curve of each model's hulls over the replicates, for either class."""
    titles = ["good positive", "bad positive"]
    figure, row = panels(titles, 2.6, xlabel="false positive rate $f$", xlim=(0, 1))
    for (positive, model), kappa in averages.items():
        axes = row[int(positive == "minority")]
        line = LINES[PAPER_PAIR.index(model)]
        axes.plot(GRID, kappa, label=MODEL_LABELS[model], **line)
        best = kappa.argmax()
        axes.plot(GRID[best], kappa[best], "*", color=line["color"], markersize=8)
    if averages:
        row[0].legend(loc="lower center")
    row[0].set(ylabel=r"average Cohen's kappa $\kappa$", ylim=(0, None))
    return figure
