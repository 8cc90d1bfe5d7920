"""Kaymak, Ben-David & Potharst (2010): what does not add up, each recomputed here."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from kappacurve.bounds.auk_bounds import auk_bounds, auk_trapezoid_range
from kappacurve.bounds.published_values import (
    Interval,
    intervals_in_words,
    kappa_of_counts,
    printed_interval,
)
from kappacurve.measures import area_under_kappa
from kappacurve.roc import kappa_from_rates
from study.analysis.auk_given_auc import AUC_WINDOW, ORDINARY
from study.analysis.forensics import (
    IMPLIED_PREVALENCE,
    STATED_PREVALENCE,
    STATED_SAMPLES,
    TRAINING_ROWS,
    Pair,
    counts_table,
    intersection,
    pair_intervals,
    point_intervals,
    published_pairs,
    published_point,
    runs_in_words,
    table4_intervals,
)
from study.data.german_credit import BUNDLED_FILE, read_german_data
from study.papers.erratum import Evidence, Finding, Source, judge
from study.published import AUC_AND_AUK, MODEL_LABELS
from study.replicates.sampling import class_counts

KAYMAK = Source("Kaymak, Ben-David & Potharst 2010")
# Pima Indians Diabetes (UCI): rows, negatives, positives.
PIMA = (768, 500, 268)
# Classifiers A, B, C of Tables 1-3: p, TP, FP as shares of all examples.
CLASSIFIERS = {"A": (0.07, 0.05, 0.03), "B": (0.06, 0.04, 0.03), "C": (0.08, 0.06, 0.03)}


@KAYMAK.says("Section 8, operating point", "kappa 0.328 at f = 0.60, t = 0.928, p = 0.11")
def kappa_at_the_published_point(_: Evidence) -> Finding:
    """Equation 19 at the stated prevalence and at that of the other class."""
    point = published_point()
    at = [STATED_PREVALENCE, IMPLIED_PREVALENCE]
    stated, implied = kappa_from_rates(point.fpr.value, point.tpr.value, at)
    intervals = point_intervals(point)
    fits = any(low <= STATED_PREVALENCE <= high for low, high in intervals)
    return Finding(
        f"{stated:.3f} at p = {at[0]:.2f}, {implied:.3f} at p = {at[1]:.2f}",
        judge(fits),
        f"The printed digits need p in {intervals_in_words(intervals, 3)}. {at[1]:g} is the "
        "majority class (good) as the positive one, against the text; this row alone leaves all of "
        "these open.",
    )


@KAYMAK.says("Section 8 with Table 4", "kappa's maximum at f = 0.60 on a hull of AUC 0.7186")
def auc_of_a_hull_with_that_optimum(_: Evidence) -> Finding:
    """Largest AUC of a hull on which equation 26 holds at the published point.

    The line of equal kappa through the point supports the hull, so the hull lies below it.
    """
    auc = _pair("Table 4", "neural_net").auc
    stated, implied = (_largest_auc(p) for p in (STATED_PREVALENCE, IMPLIED_PREVALENCE))
    needed = printed_interval(auc.value, auc.decimals).low
    least = float(brentq(lambda p: _largest_auc(p) - needed, 0.01, 0.99))
    left = intersection(table4_intervals(published_pairs()), [Interval(least, 1.0)])
    return Finding(
        f"at most {stated:.4f} at p = {STATED_PREVALENCE:g}, {implied:.4f} at "
        f"p = {IMPLIED_PREVALENCE:g}",
        judge(needed <= stated),
        f"An AUC of {auc.value} with the optimum there needs p above {least:.4f}, whatever kappa "
        f"and AUK are; with the pairs of Table 4 that leaves {intervals_in_words(left)}.",
    )


def _largest_auc(p: float) -> float:
    """Largest area over all points that are printed as the published one."""
    point = published_point()
    f_printed = printed_interval(point.fpr.value, point.fpr.decimals)
    t_printed = printed_interval(point.tpr.value, point.tpr.decimals)
    return max(_area_below_support(f, t, p) for f in f_printed for t in t_printed)


def _area_below_support(f: float, t: float, p: float) -> float:
    """Area below the line of equal kappa through (f, t), within the unit square."""
    slope = 1 + (1 - 2 * p) * (t - f) / (p + (1 - 2 * p) * f)
    fpr = np.linspace(0, 1, 10001)
    return float(np.trapezoid(np.clip(t + slope * (fpr - f), 0, 1), fpr))


def _pair(place: str, model: str) -> Pair:
    return next(one for one in published_pairs() if (one.place, one.model) == (place, model))


def _table4(model: str) -> Finding:
    pair = _pair("Table 4", model)
    exact = auk_bounds(pair.auc.value, STATED_PREVALENCE)
    rule = auk_trapezoid_range(pair.auc.value, STATED_PREVALENCE)
    intervals = pair_intervals(pair, "concave")
    possible = any(low <= STATED_PREVALENCE <= high for low, high in intervals)
    return Finding(
        f"{float(exact.lower):.4f} to {float(exact.upper):.4f} at p = {STATED_PREVALENCE:g}",
        judge(possible),
        f"An exact AUK of {pair.auk.value} with this AUC needs p in "
        f"{intervals_in_words(intervals)}; a trapezoid over one hull corner could reach "
        f"{float(rule.upper):.3f} at p = {STATED_PREVALENCE:g}.",
    )


@KAYMAK.says("Table 4, neural net", "AUK 0.1753 with AUC 0.7186")
def table4_neural_net(_: Evidence) -> Finding:
    """Range of the exact AUK of a hull with the printed AUC."""
    return _table4("neural_net")


@KAYMAK.says("Table 4, linear", "AUK 0.1672 with AUC 0.7493")
def table4_linear(_: Evidence) -> Finding:
    """Range of the exact AUK of a hull with the printed AUC."""
    return _table4("linear")


@KAYMAK.says("Table 4 and the operating point", "all at p = 0.11")
def table4_with_the_operating_point(_: Evidence) -> Finding:
    """Prevalences that both hull pairs allow, and what the operating point leaves of them."""
    both, point = table4_intervals(published_pairs()), point_intervals(published_point())
    left = intersection(both, point)
    return Finding(
        f"Table 4: {intervals_in_words(both)}; with the operating point: "
        f"{intervals_in_words(left)}",
        judge(any(low <= STATED_PREVALENCE <= high for low, high in left)),
        "Read as exact integrals, the two pairs alone leave a minority positive class possible "
        f"(but not at {STATED_PREVALENCE:g}); the operating point alone, which needs no integral, "
        f"leaves {intervals_in_words(point, 3)}. {_joint(left)}",
    )


def _joint(left: list[Interval]) -> str:
    if left and all(low > 0.5 for low, _ in left):
        return "Together they leave the majority class (good) as the positive one."
    return "Together they do not settle which class was positive."


@KAYMAK.says("Table 5, neural net", "AUK 0.1449 with AUC 0.6781")
def table5_neural_net(_: Evidence) -> Finding:
    """Range of the exact AUK of any curve with the printed AUC."""
    pair = _pair("Table 5", "neural_net")
    exact = auk_bounds(pair.auc.value, STATED_PREVALENCE, curve="monotone")
    intervals = pair_intervals(pair, "monotone")
    possible = any(low <= STATED_PREVALENCE <= high for low, high in intervals)
    return Finding(
        f"{float(exact.lower):.4f} to {float(exact.upper):.4f} at p = {STATED_PREVALENCE:g}",
        judge(possible),
        f"Even a raw curve can't give it at {STATED_PREVALENCE:g}, but a test set with a share of "
        f"{intervals[0].low:.4f} could: {intervals_in_words(intervals)}.",
    )


@KAYMAK.says("Section 8", "768 samples after deletion of minority rows to 11 %")
def number_of_samples(_: Evidence) -> Finding:
    """Rows that are left when all good ones are kept."""
    classes = read_german_data(BUNDLED_FILE)["class"].value_counts()
    good, bad = int(classes["good"]), int(classes["bad"])
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


@KAYMAK.says("Section 8, operating point", "f = 0.60, t = 0.928 is typical of the neural network")
def typical_operating_point(evidence: Evidence) -> Finding:
    """Our network's optimum for either class, over replicates or in one split."""
    f, t, _kappa = published_point().numbers
    found = _optimum(evidence)
    if found is None:
        return Finding(
            "", "needs replicates", "Run the experiment to compare its operating points."
        )
    text = "; ".join(f"{name} positive: {one.words}" for name, one in found.items())
    if evidence.replicate_summary is None:
        return Finding(text, "needs replicates", "One split; how unusual it is needs replicates.")
    distance = {name: one.deviations(f, t) for name, one in found.items()}
    nearer = min(distance, key=lambda name: max(distance[name]))
    shown = "; ".join(
        f"{name} positive: f {one[0]:.1f}, t {one[1]:.1f}" for name, one in distance.items()
    )
    return Finding(
        text,
        judge(nearer == "bad"),
        f"Standard deviations between the published point and ours: {shown}. It is an ordinary "
        f"one with {nearer} as the positive class.",
    )


class _Optimum:
    def __init__(self, rows: pd.DataFrame) -> None:
        self.mean = rows["mean"]
        self.sd = rows["sd"]
        spread = "" if self.sd.isna().all() else " (sd {:.2f} and {:.2f})".format(*self.sd)
        self.words = "f {:.2f}, t {:.2f}".format(*self.mean) + spread

    def deviations(self, f: float, t: float) -> tuple[float, float]:
        away = (np.array([f, t]) - self.mean.to_numpy()) / self.sd.to_numpy()
        return abs(float(away[0])), abs(float(away[1]))


def _optimum(evidence: Evidence) -> dict[str, _Optimum] | None:
    """Mean and sd of f and t at the network's optimum on the hull, by positive class."""
    table = evidence.replicate_summary
    if table is None and evidence.measures is not None:
        measured = evidence.measures.melt(
            ["model", "positive_class", "curve"], ["fpr", "tpr"], "measure", "mean"
        )
        table = measured.assign(sd=np.nan)
    if table is None:
        return None
    chosen = table[(table["model"] == "neural_net") & (table["curve"] == "hull")]
    found = {}
    for name in ("good", "bad"):
        rows = chosen[chosen["positive_class"] == name].set_index("measure")
        if not {"fpr", "tpr"} <= set(rows.index):
            return None
        found[name] = _Optimum(rows.loc[["fpr", "tpr"]])
    return found


@KAYMAK.says("Table 4, over random splits", "AUKs 0.1672 and 0.1753 with AUCs 0.7493 and 0.7186")
def auk_at_the_published_auc(evidence: Evidence) -> Finding:
    """Standard deviations between each AUK and what replicates have at its AUC."""
    table = evidence.auk_given_auc
    if table is not None:
        table = table[(table["curve"] == "hull") & (table["integration"] == "exact")]
    if table is None or table.empty:
        return Finding("", "needs replicates", "What AUK a given AUC comes with needs replicates.")
    texts, farthest = [], {}
    for name, own in table.groupby("positive_class", sort=False):
        shown = ", ".join(
            f"{MODEL_LABELS[row['model']]} {row['z']:.1f} ({row['reaching']} of {row['near']})"
            for row in own.to_dict("records")
        )
        texts.append(f"{name} positive: {shown}")
        farthest[name] = float(own["z"].abs().max())
    distance = " and ".join(f"{far:.1f} with {name} positive" for name, far in farthest.items())
    return Finding(
        "; ".join(texts),
        judge(farthest.get("bad", 0.0) <= ORDINARY),
        "Standard deviations above our replicates' regression line of AUK on AUC; in brackets, how "
        f"many of those with an AUC within {AUC_WINDOW:g} have such an AUK. The farthest: "
        f"{distance}.",
    )


@KAYMAK.says("Tables 4 and 5", "AUC ranks the linear model first, AUK the neural network")
def rank_reversal(evidence: Evidence) -> Finding:
    """How often random splits show the published pattern."""
    table = evidence.rank_reversal
    if table is None:
        return Finding("", "needs replicates", "How often it happens needs replicates.")
    rows = table[(table["pattern"] == "published") & table["pair"].isin(AUC_AND_AUK)]
    shares = [
        f"{one} positive: {100 * group['share'].min():.1f} to {100 * group['share'].max():.1f} %"
        for one, group in rows.groupby("positive_class", sort=False)
    ]
    common = bool(rows["share"].max() > 0.2)
    return Finding(
        f"of {int(rows['replicates'].max())} splits, by curve and integration: {'; '.join(shares)}",
        judge(common, "unusual"),
        f"At most {rows['share'].max():.1%} of the random splits of this one setting show it: "
        + ("nothing unusual." if common else "possible, not typical."),
    )


@KAYMAK.says("Section 8, operating point", "0.60, 0.928 and 0.328 from 268 (or 286) test rows")
def counts_of_the_operating_point(_: Evidence) -> Finding:
    """Test-set sizes whose whole counts give the three printed values."""
    left = class_counts(700, 300, skew=STATED_PREVALENCE)
    stated = (STATED_SAMPLES - TRAINING_ROWS, left.good + left.bad - TRAINING_ROWS)
    table = counts_table((150, 320), (0.09, 0.13), stated)
    fits = table[table["compositions"] > 0]
    sizes = {
        (one, digits): runs_in_words(group["n_test"].tolist())
        for (one, digits), group in fits.groupby(["positive_class", "digits"])
    }
    good = ", ".join(f"{digits}: {text}" for (one, digits), text in sizes.items() if one == "good")
    bad = ", ".join(f"{digits}: {text}" for (one, digits), text in sizes.items() if one == "bad")
    best = fits.iloc[(fits["kappa"] - published_point().kappa.value).abs().argmin()]
    kappa = kappa_of_counts(
        int(best["true_positives"]),
        int(best["false_positives"]),
        int(best["n_test"] - best["n_bad"]),
        int(best["n_bad"]),
    )
    return Finding(
        f"good positive: {good or 'none'}; bad positive: {bad or 'none'}",
        judge(bool(fits["n_test"].isin(stated).any())),
        f"With 9 to 13 % bad, only these sizes of 150 to 320 fit. {best['n_test']} rows with "
        f"{best['n_bad']} bad fit best: kappa {kappa:.4f}.",
    )


@KAYMAK.says("Section 2", "a specific model has a small number of false negatives")
def specificity_and_false_negatives(_: Evidence) -> Finding:
    """Specificity of Table 1 when its false negatives or its false positives double."""
    negatives, false_positives = 0.93, 0.03
    specificity = 1 - false_positives / negatives
    doubled = 1 - 2 * false_positives / negatives
    return Finding(
        f"{specificity:.3f} in Table 1 and with twice the false negatives; {doubled:.3f} with "
        "twice the false positives",
        judge(doubled == specificity),
        "Specificity is one minus the paper's own f (equation 7): it counts false positives.",
    )


@KAYMAK.says(
    "Section 2, below Table 1", "a random or a majority classifier has an accuracy of 93 %"
)
def accuracy_of_a_random_classifier(_: Evidence) -> Finding:
    """Expected accuracy of guessing with the class shares, and of the majority class."""
    p = CLASSIFIERS["A"][0]
    random, majority = p**2 + (1 - p) ** 2, 1 - p
    return Finding(
        f"random {random:.3f}, majority {majority:.2f}",
        judge(abs(random - majority) < 0.005),
        "Only the majority classifier reaches it.",
    )


@KAYMAK.says("Tables 1-3", "kappa 0.640, 0.589 and 0.679 compare classifiers A, B and C")
def classifiers_at_one_prevalence(_: Evidence) -> Finding:
    """Kappa of the three classifiers' rates at their own prevalence and at that of A."""
    own, same = [], []
    for p, tp, fp in CLASSIFIERS.values():
        f, t = fp / (1 - p), tp / p
        own.append(float(kappa_from_rates(f, t, p)))
        same.append(float(kappa_from_rates(f, t, CLASSIFIERS["A"][0])))
    shares = [one[0] for one in CLASSIFIERS.values()]
    return Finding(
        "own p: {:.3f}, {:.3f}, {:.3f}; all at p = 0.07: {:.3f}, {:.3f}, {:.3f}".format(
            *own, *same
        ),
        judge(len(set(shares)) == 1, "imprecise"),
        f"The kappas are right, but belong to three data sets (p = {shares[0]}, {shares[1]}, "
        f"{shares[2]}); part of the difference is the prevalence's.",
    )


@KAYMAK.says("Section 3 (and 1, 5)", "unlike the H-measure, kappa (AUK) needs no normalisation")
def auk_of_a_perfect_classifier(_: Evidence) -> Finding:
    """AUK of a perfect classifier at three prevalences."""
    perfect = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])
    low, half, high = (area_under_kappa(*perfect, p) for p in (0.1, 0.5, 0.9))
    return Finding(
        f"{low:.3f} at p = 0.1, {half:.3f} at 0.5, {high:.3f} at 0.9",
        judge(max(low, half, high) - min(low, half, high) < 1e-6),
        "Kappa's maximum is 1, but the largest AUK depends on the prevalence, so AUKs of different "
        "data sets can't be compared without a normalisation.",
    )
