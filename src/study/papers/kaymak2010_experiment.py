"""Kaymak, Ben-David & Potharst (2010), section 8: what does not add up in their experiment."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from kappacurve import auk_bounds, auk_trapezoid_range, kappa_from_rates, optimal_slope
from kappacurve.bounds.published_values import Interval, intervals_in_words, printed_interval
from study.analysis.auk_given_auc import AUC_WINDOW, ORDINARY
from study.papers.checks import Evidence, Finding, Source, judge
from study.papers.forensics import (
    IMPLIED_PREVALENCE,
    STATED_PREVALENCE,
    STATED_SAMPLES,
    TRAINING_ROWS,
    Pair,
    contains,
    counts_table,
    intersection,
    pair_intervals,
    point_intervals,
    published_pair,
    published_pairs,
    published_point,
    runs_in_words,
    table4_intervals,
)
from study.published import AUC_AND_AUK, GERMAN_CREDIT, MODEL_LABELS, Printed
from study.replicates.sampling import class_counts

SOURCE = Source("Kaymak, Ben-David & Potharst 2010")
# Pima Indians Diabetes (UCI): rows, negatives, positives.
PIMA = (768, 500, 268)


@SOURCE.says("Section 8, operating point", "kappa 0.328 at f = 0.60, t = 0.928, p = 0.11")
def kappa_at_the_published_point(_: Evidence) -> Finding:
    """Equation 19 at the stated prevalence and at that of the other class."""
    point = published_point()
    at = [STATED_PREVALENCE, IMPLIED_PREVALENCE]
    stated, implied = kappa_from_rates(point.fpr.value, point.tpr.value, at)
    intervals = point_intervals(point)
    return Finding(
        f"{stated:.3f} at p = {at[0]:.2f}, {implied:.3f} at p = {at[1]:.2f}",
        judge(contains(intervals, STATED_PREVALENCE)),
        f"The printed digits need p in {intervals_in_words(intervals, 3)}. {at[1]:g} is the "
        "majority class (good) as the positive one, against the text; this row alone leaves all of "
        "these open.",
    )


@SOURCE.says("Section 8 with Table 4", "kappa's maximum at f = 0.60 on a hull of AUC 0.7186")
def auc_of_a_hull_with_that_optimum(_: Evidence) -> Finding:
    """Largest AUC of a hull on which equation 26 holds at the published point.

    The line of equal kappa through the point supports the hull, so the hull lies below it.
    """
    auc = published_pair("Table 4", "neural_net").auc
    stated, implied = (_largest_auc(p) for p in (STATED_PREVALENCE, IMPLIED_PREVALENCE))
    needed = _rounded(auc).low
    least = float(brentq(lambda p: _largest_auc(p) - needed, 0.01, 0.99))
    left = intersection(table4_intervals(published_pairs()), [Interval(least, 1.0)])
    return Finding(
        f"at most {stated:.4f} at p = {STATED_PREVALENCE:g}, {implied:.4f} at "
        f"p = {IMPLIED_PREVALENCE:g}",
        judge(needed <= stated),
        f"An AUC of {auc.value} with the optimum there needs p above {least:.4f}, whatever kappa "
        f"and AUK are; with the pairs of Table 4 that leaves {intervals_in_words(left)}.",
    )


def _rounded(number: Printed) -> Interval:
    """The numbers that are printed as this one."""
    return printed_interval(number.value, number.decimals)


def _largest_auc(p: float) -> float:
    """Largest area below a line of equal kappa, over all points printed as the published one."""
    point, fpr = published_point(), np.linspace(0, 1, 10001)
    lines = (
        t + float(optimal_slope(f, t, p)) * (fpr - f)
        for f in _rounded(point.fpr)
        for t in _rounded(point.tpr)
    )
    return max(float(np.trapezoid(np.clip(line, 0, 1), fpr)) for line in lines)


def _table4(model: str) -> Finding:
    """Range of the exact AUK of a hull with the printed AUC."""
    pair = published_pair("Table 4", model)
    rule = auk_trapezoid_range(pair.auc.value, STATED_PREVALENCE)
    intervals = pair_intervals(pair, "concave")
    return Finding(
        _exact_range(pair, "concave"),
        judge(contains(intervals, STATED_PREVALENCE)),
        f"An exact AUK of {pair.auk.value} with this AUC needs p in "
        f"{intervals_in_words(intervals)}; a trapezoid over one hull corner could reach "
        f"{float(rule.upper):.3f} at p = {STATED_PREVALENCE:g}.",
    )


def _exact_range(pair: Pair, curve: Literal["concave", "monotone"]) -> str:
    exact = auk_bounds(pair.auc.value, STATED_PREVALENCE, curve=curve)
    return f"{float(exact.lower):.4f} to {float(exact.upper):.4f} at p = {STATED_PREVALENCE:g}"


@SOURCE.says("Table 4, neural net", "AUK 0.1753 with AUC 0.7186")
def table4_neural_net(_: Evidence) -> Finding:
    """As :func:`_table4` has it."""
    return _table4("neural_net")


@SOURCE.says("Table 4, linear", "AUK 0.1672 with AUC 0.7493")
def table4_linear(_: Evidence) -> Finding:
    """As :func:`_table4` has it."""
    return _table4("linear")


@SOURCE.says("Table 4 and the operating point", "all at p = 0.11")
def table4_with_the_operating_point(_: Evidence) -> Finding:
    """Prevalences that both hull pairs allow, and what the operating point leaves of them."""
    both, point = table4_intervals(published_pairs()), point_intervals(published_point())
    left = intersection(both, point)
    return Finding(
        f"Table 4: {intervals_in_words(both)}; with the operating point: "
        f"{intervals_in_words(left)}",
        judge(contains(left, STATED_PREVALENCE)),
        "Read as exact integrals, the two pairs alone leave a minority positive class possible "
        f"(but not at {STATED_PREVALENCE:g}); the operating point alone, which needs no integral, "
        f"leaves {intervals_in_words(point, 3)}. {_joint(left)}",
    )


def _joint(left: list[Interval]) -> str:
    if left and all(low > 0.5 for low, _ in left):
        return "Together they leave the majority class (good) as the positive one."
    return "Together they do not settle which class was positive."


@SOURCE.says("Table 5, neural net", "AUK 0.1449 with AUC 0.6781")
def table5_neural_net(_: Evidence) -> Finding:
    """Range of the exact AUK of any curve with the printed AUC."""
    pair = published_pair("Table 5", "neural_net")
    intervals = pair_intervals(pair, "monotone")
    return Finding(
        _exact_range(pair, "monotone"),
        judge(contains(intervals, STATED_PREVALENCE)),
        f"Even a raw curve can't give it at {STATED_PREVALENCE:g}, but a test set with a share of "
        f"{intervals[0].low:.4f} could: {intervals_in_words(intervals)}.",
    )


@SOURCE.says("Section 8", "768 samples after deletion of minority rows to 11 %")
def number_of_samples(_: Evidence) -> Finding:
    """Rows that are left when all good ones are kept."""
    good, bad = GERMAN_CREDIT.values()
    kept = class_counts(good, bad, skew=STATED_PREVALENCE)
    rows = kept.good + kept.bad
    total = class_counts(good, bad, skew=STATED_PREVALENCE, scheme="total", total=STATED_SAMPLES)
    swapped = sorted(str(STATED_SAMPLES)) == sorted(str(rows))
    return Finding(
        f"{rows} or {rows + 1}",
        judge(STATED_SAMPLES in (rows, rows + 1)),
        f"{good} good rows at 11 % bad make {rows} ({kept.bad} bad) or {rows + 1}. "
        f"{STATED_SAMPLES} "
        + ("has the digits of the former transposed, " if swapped else "")
        + f"needs {total.bad} bad and only {total.good} good rows, or is Pima Indians Diabetes "
        f"with its {PIMA[0]} rows, {PIMA[1]} negatives and {PIMA[2]} positives.",
    )


@SOURCE.says("Section 8, operating point", "f = 0.60, t = 0.928 is typical of the neural network")
def typical_operating_point(evidence: Evidence) -> Finding:
    """Our network's optimum for either class, over replicates or in one split."""
    optima = _optima(evidence)
    if not optima:
        return Finding(
            "", "needs replicates", "Run the experiment to compare its operating points."
        )
    text = "; ".join(f"{name} positive: {_in_words(rows)}" for name, rows in optima.items())
    if evidence.replicate_summary is None:
        return Finding(text, "needs replicates", "One split; how unusual it is needs replicates.")
    point = published_point()
    printed = np.array([point.fpr.value, point.tpr.value])
    distance = {
        name: np.abs((printed - rows["mean"]) / rows["sd"]).to_numpy()
        for name, rows in optima.items()
    }
    nearer = min(distance, key=lambda name: distance[name].max())
    shown = "; ".join(f"{name} positive: f {f:.1f}, t {t:.1f}" for name, (f, t) in distance.items())
    return Finding(
        text,
        judge(nearer == "bad"),
        f"Standard deviations between the published point and ours: {shown}. It is an ordinary "
        f"one with {nearer} as the positive class.",
    )


def _in_words(rows: pd.DataFrame) -> str:
    spread = "" if rows["sd"].isna().all() else " (sd {:.2f} and {:.2f})".format(*rows["sd"])
    return "f {:.2f}, t {:.2f}".format(*rows["mean"]) + spread


def _optima(evidence: Evidence) -> dict[str, pd.DataFrame]:
    """Mean and sd of f and t at the network's optimum on the hull, by positive class."""
    table = evidence.replicate_summary
    if table is None and evidence.measures is not None:
        place = ["model", "positive_class", "curve"]
        table = evidence.measures.melt(place, ["fpr", "tpr"], "measure", "mean").assign(sd=np.nan)
    if table is None:
        return {}
    chosen = table[(table["model"] == "neural_net") & (table["curve"] == "hull")]
    rates = chosen[chosen["measure"].isin(["fpr", "tpr"])].set_index("measure")
    return {
        name: rates.loc[rates["positive_class"] == name].loc[["fpr", "tpr"]]
        for name in ("good", "bad")
        if not rates.empty
    }


@SOURCE.says("Table 4, over random splits", "AUKs 0.1672 and 0.1753 with AUCs 0.7493 and 0.7186")
def auk_at_the_published_auc(evidence: Evidence) -> Finding:
    """Standard deviations between each AUK and what replicates have at its AUC."""
    table = evidence.auk_given_auc
    if table is not None:
        table = table[(table["curve"] == "hull") & (table["integration"] == "exact")]
    if table is None or table.empty:
        return Finding("", "needs replicates", "What AUK a given AUC comes with needs replicates.")
    texts, farthest = [], {}
    for name, rows in table.groupby("positive_class", sort=False):
        shown = ", ".join(
            f"{MODEL_LABELS[row['model']]} {row['z']:.1f} ({row['reaching']} of {row['near']})"
            for row in rows.to_dict("records")
        )
        texts.append(f"{name} positive: {shown}")
        farthest[name] = float(rows["z"].abs().max())
    distance = " and ".join(f"{far:.1f} with {name} positive" for name, far in farthest.items())
    return Finding(
        "; ".join(texts),
        judge(farthest.get("bad", 0.0) <= ORDINARY),
        "Standard deviations above our replicates' regression line of AUK on AUC; in brackets, how "
        f"many of those with an AUC within {AUC_WINDOW:g} have such an AUK. The farthest: "
        f"{distance}.",
    )


@SOURCE.says("Tables 4 and 5", "AUC ranks the linear model first, AUK the neural network")
def rank_reversal(evidence: Evidence) -> Finding:
    """How often random splits show the published pattern."""
    table = evidence.rank_reversal
    if table is None:
        return Finding("", "needs replicates", "How often it happens needs replicates.")
    rows = table[(table["pattern"] == "published") & table["pair"].isin(AUC_AND_AUK)]
    shares = [
        f"{name} positive: {100 * group['share'].min():.1f} to {100 * group['share'].max():.1f} %"
        for name, group in rows.groupby("positive_class", sort=False)
    ]
    common = bool(rows["share"].max() > 0.2)
    return Finding(
        f"of {int(rows['replicates'].max())} splits, by curve and integration: {'; '.join(shares)}",
        judge(common, "unusual"),
        f"At most {rows['share'].max():.1%} of the random splits of this one setting show it: "
        + ("nothing unusual." if common else "possible, not typical."),
    )


@SOURCE.says("Section 8, operating point", "0.60, 0.928 and 0.328 from 268 (or 286) test rows")
def counts_of_the_operating_point(_: Evidence) -> Finding:
    """Test-set sizes whose counts give the three printed values."""
    left = class_counts(*GERMAN_CREDIT.values(), skew=STATED_PREVALENCE)
    stated = (STATED_SAMPLES - TRAINING_ROWS, left.good + left.bad - TRAINING_ROWS)
    table = counts_table((150, 320), (0.09, 0.13), stated)
    fits = table[table["compositions"] > 0]
    nearest = (fits["kappa"] - published_point().kappa.value).abs().argmin()
    n_test, n_bad, kappa = fits.iloc[nearest][["n_test", "n_bad", "kappa"]]
    return Finding(
        f"good positive: {_sizes(fits, 'good')}; bad positive: {_sizes(fits, 'bad')}",
        judge(bool(fits["n_test"].isin(stated).any())),
        f"With 9 to 13 % bad, only these sizes of 150 to 320 fit. {n_test} rows with {n_bad} bad "
        f"fit best: kappa {kappa:.4f}.",
    )


def _sizes(fits: pd.DataFrame, positive_class: str) -> str:
    by_digits = fits[fits["positive_class"] == positive_class].groupby("digits")["n_test"]
    return ", ".join(f"{digits}: {runs_in_words(n)}" for digits, n in by_digits) or "none"
