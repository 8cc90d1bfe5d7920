"""Kaymak, Ben-David & Potharst (2010), section 8: what does not add up in their experiment."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy.optimize import brentq

from kappacurve.algebra import kappa_from_rates
from kappacurve.bounds import (
    Interval,
    auk_bounds,
    auk_trapezoid_range,
    intervals_in_words,
    printed_interval,
)
from study.papers.errata import Recomputed, RunTables, recomputes
from study.papers.forensics import (
    IMPLIED_PREVALENCE,
    STATED_PREVALENCE,
    STATED_SAMPLES,
    TRAINING_ROWS,
    contains,
    counts_table,
    intersection,
    largest_auc,
    pair_intervals,
    point_intervals,
    published_pair,
    published_pairs,
    published_point,
    runs_in_words,
    stated_sample,
    table4_intervals,
)
from study.published import AUC_AND_AUK, AUC_WINDOW, CLASS_COUNTS, MODEL_LABELS, ORDINARY
from study.replicates.sampling import class_counts

PREVALENCES = (STATED_PREVALENCE, IMPLIED_PREVALENCE)
# Pima Indians Diabetes (UCI): rows, negatives, positives.
PIMA = (768, 500, 268)


@recomputes
def kappa_at_the_published_point(_: RunTables) -> Recomputed:
    """Equation 19 at the stated prevalence and at that of the other class."""
    point = published_point()
    kappa = kappa_from_rates(point.fpr.value, point.tpr.value, PREVALENCES)
    intervals = point_intervals(point)
    values = {"kappa": kappa, "at": PREVALENCES, "needed": intervals_in_words(intervals, 3)}
    return contains(intervals, STATED_PREVALENCE), values


@recomputes
def auc_of_a_hull_with_that_optimum(_: RunTables) -> Recomputed:
    """Largest AUC of a hull on which equation 26 holds at the published point."""
    printed = published_pair("Table 4", "neural_net").auc
    point = published_point()
    auc = [largest_auc(point, p) for p in PREVALENCES]
    needed = printed_interval(printed.value, printed.decimals).low
    least = float(brentq(lambda p: largest_auc(point, p) - needed, 0.01, 0.99))
    left = intersection(table4_intervals(published_pairs()), [Interval(least, 1.0)])
    words = {"printed": printed.value, "left": intervals_in_words(left)}
    return needed <= auc[0], {"auc": auc, "at": PREVALENCES, "least": least, **words}


def _exact_range(place: str, model: str, curve: Literal["hull", "raw"]) -> Recomputed:
    """Range of the exact AUK of any such curve with the printed AUC."""
    pair, at = published_pair(place, model), STATED_PREVALENCE
    intervals = pair_intervals(pair, curve)
    low, high = map(float, auk_bounds(pair.auc.value, at, curve=curve)[:2])
    return contains(intervals, at), {
        **{"low": low, "high": high, "at": at, "auk": pair.auk.value},
        **{"needed": intervals_in_words(intervals), "least": intervals[0].low},
        "trapezoid": float(auk_trapezoid_range(pair.auc.value, at).upper),
    }


@recomputes
def table4_neural_net(_: RunTables) -> Recomputed:
    """Range of the exact AUK of a hull with the printed AUC."""
    return _exact_range("Table 4", "neural_net", "hull")


@recomputes
def table4_linear(_: RunTables) -> Recomputed:
    """The same of the linear model."""
    return _exact_range("Table 4", "linear", "hull")


@recomputes
def table5_neural_net(_: RunTables) -> Recomputed:
    """Range of the exact AUK of any curve with the printed AUC."""
    return _exact_range("Table 5", "neural_net", "raw")


@recomputes
def table4_with_the_operating_point(_: RunTables) -> Recomputed:
    """Prevalences that both hull pairs allow, and what the operating point leaves of them."""
    both, point = table4_intervals(published_pairs()), point_intervals(published_point())
    left = intersection(both, point)
    majority = bool(left) and all(low > 0.5 for low, _ in left)
    leave = "leave p near the share of good rows: good positive, or p and 1 - p interchanged"
    return contains(left, STATED_PREVALENCE), {
        **{"both": intervals_in_words(both), "left": intervals_in_words(left)},
        **{"at": STATED_PREVALENCE, "point": intervals_in_words(point, 3)},
        "joint": leave if majority else "do not settle which share p is",
    }


@recomputes
def number_of_samples(_: RunTables) -> Recomputed:
    """Rows that are left when all good ones are kept."""
    good, bad = CLASS_COUNTS.values()
    kept = class_counts(good, bad, skew=STATED_PREVALENCE)
    rows = kept.good + kept.bad
    total = class_counts(good, bad, skew=STATED_PREVALENCE, scheme="total", total=STATED_SAMPLES)
    swapped = sorted(str(STATED_SAMPLES)) == sorted(str(rows))
    return STATED_SAMPLES in (rows, rows + 1), {
        **{"rows": rows, "next": rows + 1, "good": good, "bad": kept.bad, "total": total},
        **{"stated": STATED_SAMPLES, "pima": PIMA},
        "digits": "has the digits of the former transposed, " if swapped else "",
    }


@recomputes
def typical_operating_point(evidence: RunTables) -> Recomputed:
    """Our network's optimum for either class over the replicates."""
    table = evidence.replicate_summary
    if table is None or table.query("model == 'neural_net' and curve == 'hull'").empty:
        return None
    rates = table.query("model == 'neural_net' and curve == 'hull'")
    rates = rates.set_index(["positive_class", "measure"])[["mean", "sd"]].astype(float)
    point = published_point()
    printed = np.array([point.fpr.value, point.tpr.value])
    optima, far = {}, {}
    for name in ("good", "bad"):
        mean, sd = rates.loc[name].loc[["fpr", "tpr"]].to_numpy().T
        optima[name] = "f {:.2f}, t {:.2f} (sd {:.2f} and {:.2f})".format(*mean, *sd)
        far[name] = np.abs((printed - mean) / sd)
    nearer = min(far, key=lambda name: far[name].max())
    distances = {name: "f {:.1f}, t {:.1f}".format(*both) for name, both in far.items()}
    values = {"optima": _by_class(optima), "distances": _by_class(distances), "nearer": nearer}
    return nearer == "bad", values


def _by_class(texts: dict[Any, str]) -> str:
    return "; ".join(f"{name} positive: {text}" for name, text in texts.items())


@recomputes
def auk_at_the_published_auc(evidence: RunTables) -> Recomputed:
    """Standard deviations between each AUK and what replicates have at its AUC."""
    table = evidence.auk_given_auc
    if table is not None:
        table = table[(table["curve"] == "hull") & (table["integration"] == "exact")]
    if table is None or table.empty:
        return None
    shown = table.assign(
        text=[
            f"{MODEL_LABELS[row['model']]} {row['z']:.1f} ({row['reaching']} of {row['near']})"
            for row in table.to_dict("records")
        ],
        far=table["z"].abs(),
    ).groupby("positive_class", sort=False)
    far = shown["far"].max()
    farthest = " and ".join(f"{z:.1f} with {name} positive" for name, z in far.items())
    texts = _by_class(shown["text"].agg(", ".join).to_dict())
    values = {"texts": texts, "window": AUC_WINDOW, "farthest": farthest}
    return far.get("bad", 0.0) <= ORDINARY, values


@recomputes
def rank_reversal(evidence: RunTables) -> Recomputed:
    """How often random splits show the published pattern."""
    table = evidence.rank_reversal
    if table is None:
        return None
    rows = table[(table["pattern"] == "published") & table["pair"].isin(AUC_AND_AUK)]
    percent = 100 * rows.groupby("positive_class", sort=False)["share"].agg(["min", "max"])
    shares = {name: f"{low:.1f} to {high:.1f} %" for name, low, high in percent.itertuples()}
    most = rows["share"].max()
    common = bool(most > 0.2)
    how = "nothing unusual" if common else "possible, not typical"
    n = int(rows["replicates"].max())
    return common, {"n": n, "shares": _by_class(shares), "most": most, "how": how}


@recomputes
def counts_of_the_operating_point(_: RunTables) -> Recomputed:
    """Test-set sizes whose counts give the three printed values."""
    stated = (STATED_SAMPLES - TRAINING_ROWS, stated_sample().test)
    table = counts_table((150, 320), (0.09, 0.13), stated)
    fits = table[table["compositions"] > 0]
    nearest = (fits["kappa"] - published_point().kappa.value).abs().argmin()
    sizes = {
        name: ", ".join(
            f"{digits}: {runs_in_words(n)}" for digits, n in of_class.groupby("digits")["n_test"]
        )
        or "none"
        for name in ("good", "bad")
        for of_class in [fits[fits["positive_class"] == name]]
    }
    return bool(fits["n_test"].isin(stated).any()), {**sizes, "best": fits.iloc[nearest]}
