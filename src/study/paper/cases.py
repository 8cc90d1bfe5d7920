"""What the claims need of constructed curves, and of the curves of our splits: cases.csv."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from typing import NamedTuple

import numpy as np
import pandas as pd

from kappacurve import (
    area_under_kappa,
    auk_bounds,
    implied_cost_ratio,
    kappa_from_rates,
    roc_hull,
)
from study.arrays import FloatArray
from study.experiment.measures import roc_points
from study.printed import MODEL_LABELS, PAPER_PAIR, STATED, printed_lookup, printed_point
from study.tables.leads import corrected_test
from study.tables.reversals import share_with_interval

SEED = 2010
N_HULLS = 500
ROUNDING = 1e-9
UCI_COST = 5  # of accepting a bad customer, in refused good ones: UCI's german.doc
Curve = tuple[FloatArray, FloatArray]


class Case(NamedTuple):
    """A value, of how many cases, what it means, and its interval if it has one."""

    key: str
    value: float
    cases: int
    meaning: str
    low: float = nan
    high: float = nan


def cases_table(measures: pd.DataFrame, test_to_train: float) -> pd.DataFrame:
    """One row per case: key, value, low, high, cases, meaning.

    Parameters
    ----------
    measures : DataFrame
        Of the replicates: replicate, model, positive_class, curve, kappa_max, unique_maximum,
        least_loss, loss_without_model.
    test_to_train : float
        Test rows for each training row.
    """
    hulls = random_hulls()
    rows = [
        *misses(measures),
        *cheaper_models(measures, test_to_train),
        skew_moves_auk(hulls),
        *auk_of_both_classes(hulls),
        auk_range_at_one_auc(),
        unique_maxima(measures),
    ]
    return pd.DataFrame(rows)[["key", "value", "low", "high", "cases", "meaning"]]


def random_hulls() -> list[Curve]:
    """Random ROC hulls of two to eight corners, which beat chance."""
    rng = np.random.default_rng([SEED, 24])
    hulls: list[Curve] = []
    while len(hulls) < N_HULLS:
        f, t = np.sort(rng.uniform(size=(2, rng.integers(2, 9))))
        fpr, tpr = roc_hull(np.r_[0, f, 1], np.r_[0, t, 1])[:2]
        if np.trapezoid(tpr, fpr) > 0.51:
            hulls.append((fpr, tpr))
    return hulls


def misses(measures: pd.DataFrame) -> Iterator[Case]:
    """As how many false alarms a miss counts at 11 % positives: by AUC, by kappa at its value.

    Kappa at the printed value, and at the mean largest kappa of either model (bad positive), with
    the central 95 % of the splits. AUC counts it as kappa does at 0.
    """
    text = "false alarms that a miss counts as, at 11 % positives, "
    printed = printed_point().kappa.value
    of_auc, of_printed = implied_cost_ratio([0, printed], STATED)
    yield Case("miss_by_auc", of_auc, 1, f"{text}by AUC")
    yield Case("miss_by_kappa", of_printed, 1, f"{text}by a kappa of {printed}")
    is_used = (measures["curve"] == "raw") & (measures["positive_class"] == "minority")
    for model in PAPER_PAIR:
        kappas = measures.loc[is_used & (measures["model"] == model), "kappa_max"].dropna()
        if len(kappas):
            values = [kappas.mean(), *kappas.quantile([0.975, 0.025])]
            mean, low, high = implied_cost_ratio(values, STATED)
            of_model = f"{text}by the mean largest kappa, {MODEL_LABELS[model]}"
            yield Case(f"miss_by_{model}", mean, len(kappas), of_model, low, high)


def cheaper_models(measures: pd.DataFrame, test_to_train: float) -> Iterator[Case]:
    """The share of splits in which each model loses less where a missed bad customer costs 5.

    Then each model's mean loss, with the central 95 % of the splits, and that of using no model.
    A model has its best threshold on the test rows, so its loss is optimistic. Last how much more
    the second model loses, with the interval of :func:`study.tables.leads.corrected_test`.
    """
    found = measures[measures["curve"] == "raw"].dropna(subset="least_loss")
    losses = found.pivot_table(index="replicate", columns="model", values="least_loss")
    losses = losses.reindex(columns=[*PAPER_PAIR]).dropna()
    first, second = PAPER_PAIR
    lead = (losses[second] - losses[first]).to_numpy()
    for model, wins in ((first, lead > ROUNDING), (second, lead < -ROUNDING)):
        share, low, high = share_with_interval(int(wins.sum()), len(wins)).values()
        text = f"share of splits in which {MODEL_LABELS[model]} costs less, where a miss costs 5"
        yield Case(f"cheaper_{model}", share, len(wins), text, low, high)
    losses["without_model"] = found.groupby("replicate")["loss_without_model"].first()
    names = MODEL_LABELS | {"without_model": "flagging nobody or everybody, the cheaper"}
    for key, loss in (1000 * losses).items():
        text = (
            f"false alarms that errors cost per 1,000 rows, where a miss costs 5, {names[str(key)]}"
        )
        low, high = loss.quantile([0.025, 0.975])
        yield Case(f"loss_{key}", loss.mean(), len(loss), text, low, high)
    test = corrected_test(1000 * lead, test_to_train) if len(lead) else {"difference": nan}
    text = f"difference of these losses, {MODEL_LABELS[second]} less {MODEL_LABELS[first]}, with a "
    text += "95 % interval corrected for splits that share rows"
    ends = test.get("lower", nan), test.get("upper", nan)
    yield Case("loss_difference", test["difference"], len(lead), text, *ends)


def skew_moves_auk(hulls: list[Curve]) -> Case:
    """Hulls whose AUK is the same at two prevalences below one half, as their AUC is."""
    shares = np.random.default_rng([SEED, 12]).uniform(0.01, 0.5, (2, N_HULLS))
    areas = [
        [area_under_kappa(*hull, p) for hull, p in zip(hulls, row, strict=True)] for row in shares
    ]
    exceptions = int((np.abs(np.diff(areas, axis=0)) <= ROUNDING).sum())
    text = "hulls whose AUK does not change with the class shares"
    return Case("skew_moves_auk", exceptions, N_HULLS, text)


def auk_of_both_classes(hulls: list[Curve]) -> Iterator[Case]:
    """The AUK of a hull, and of the same model with the other class as the positive one."""
    shares = np.random.default_rng([SEED, 25]).uniform(0.01, 0.99, N_HULLS)
    areas = np.array(
        [
            (area_under_kappa(f, t, p), area_under_kappa(1 - t[::-1], 1 - f[::-1], 1 - p))
            for (f, t), p in zip(hulls, shares, strict=True)
        ]
    )
    differ = np.abs(np.diff(areas)[:, 0]) > ROUNDING
    first = areas[int(differ.argmax())]
    text = "hulls whose AUK depends on which class is called positive"
    yield Case("class_moves_auk", int(differ.sum()), N_HULLS, text)
    yield Case("auk_of_one_class", first[0], 1, "AUK of such a hull")
    yield Case("auk_of_other_class", first[1], 1, "its AUK with the other class positive")


def auk_range_at_one_auc() -> Case:
    """How far the AUKs of two hulls can be apart that have the network's AUC of Table 4."""
    auc = printed_lookup()["hull", "neural_net", "auc"]
    lower, upper = auk_bounds(auc, STATED)[:2]
    text = f"largest difference of AUK between hulls of AUC {auc}, {STATED:.0%} positives"
    return Case("auk_range", float(upper - lower), 1, text)


def unique_maxima(measures: pd.DataFrame) -> Case:
    """Share of curves whose largest kappa is reached at one threshold."""
    unique = measures.loc[
        (measures["positive_class"] == "minority") & (measures["curve"] == "raw"), "unique_maximum"
    ].dropna()
    share, low, high = share_with_interval(int(unique.sum()), len(unique)).values()
    text = "share of curves whose largest kappa is reached at one threshold"
    return Case("unique_maximum", share, len(unique), text, low, high)


def measure_thresholds(scores: pd.DataFrame) -> pd.DataFrame:
    """What the points of each curve give, with the minority positive: a row per split and curve.

    AUK by the trapezoid rule over the points, as a script of 2010 may have summed it: on a hull of
    few corners far above the area. Whether one threshold alone has the largest kappa (1 or 0). The
    least loss per row, in false alarms, where a miss costs UCI_COST, and that of flagging nobody or
    everybody, whichever costs less.
    """
    rows = []
    for (replicate, model), table in scores.dropna(subset="score").groupby(["replicate", "model"]):
        positive = table["minority"].to_numpy() == 1
        p = positive.mean()
        if not 0 < p < 1:
            continue
        without_model = min(UCI_COST * p, 1 - p)
        for curve, (_, fpr, tpr) in roc_points(positive, table["score"].to_numpy()).items():
            kappa = kappa_from_rates(fpr, tpr, p)
            is_unique = float((kappa > kappa.max() - ROUNDING).sum() == 1)
            losses = UCI_COST * p * (1 - tpr) + (1 - p) * fpr
            found = np.trapezoid(kappa, fpr), is_unique, losses.min(), without_model
            rows.append((replicate, model, "minority", curve, *found))
    columns = ["replicate", "model", "positive_class", "curve"]
    columns += ["auk_trapezoid", "unique_maximum", "least_loss", "loss_without_model"]
    return pd.DataFrame(rows, columns=columns)
