"""Baker, "Understanding diagnostic metrics for classifiers": one matrix, and our models by it.

"Bad" is the positive class of the German Credit data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from kappacurve import Comparison, Estimate, interval, measures, paired_test, roc_vertices
from kappacurve.algebra import kappa_from_rates
from kappacurve.bounds import h_bounds
from kappacurve.inference import hanley_mcneil_standard_error
from kappacurve.plots.style import LINE_STYLES, REFERENCE
from study.arrays import BoolArray
from study.companions.checks import (
    CELLS,
    Check,
    Kind,
    Recomputed,
    Source,
    Study,
    as_printed,
    at_rates,
    by_equation_19,
    of_predictions,
    share_check,
    statistics,
)
from study.companions.curves import ModelCurve, curves_of, panels
from study.errors import ExperimentError
from study.published import MODEL_LABELS
from study.tables.shares import mean_interval, share_with_interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Rule = Literal["kappa_max", "share"]

# Section 2: off-task is the positive class. Precision, recall and F1 are defined, not printed.
EXAMPLE = "Worked example"
SOURCE = Source("baker")
PRINTED = SOURCE.printed[EXAMPLE]
MATRIX = SOURCE.matrices[EXAMPLE]
ON_TASK = "expected on-task agreement"
OFF_TASK = "expected off-task agreement"
# Simulated samples, and rows of each class in small and large ones.
SAMPLES = 1000
FEW = 5
MANY = 100
LEVEL = 0.05
# Over which accuracy and kappa of fixed rates are compared.
PREVALENCES = np.array([0.05, 0.11, 0.3, 0.5, 0.7, 0.89])
# What the tests of the AUC assume.
ONE_MODEL = "the test rows are independent; the fitted model is held fixed"
SAME_FEATURES = f"{ONE_MODEL}; both models saw the same training rows and features"
APART = f"{ONE_MODEL}; the two groups share no row"
UNDER_CHANCE = f"{ONE_MODEL}; the error of the test is that of a true AUC of 0.5"
AGAINST_CHANCE = {"DeLong": ONE_MODEL, "Hanley-McNeil": UNDER_CHANCE}
CHANCE = Estimate(0.5, 0.0, 0.5, 0.5)
OF_COUNTS = ["accuracy", "kappa", "precision", "recall", "f1"]

# In words, beside the numbers: what a measure looks at, what it can't tell, and what becomes of it
# when the class of interest grows and nothing else changes.
SEES_AND_MISSES = Path(__file__).with_suffix(".csv")


def study(
    original: pd.DataFrame,
    paper: pd.DataFrame,
    credit: pd.DataFrame,
    *,
    models: Sequence[str],
    threshold: Rule,
    group: str,
    prevalences: Sequence[float],
) -> Study:
    """The worked example, our models by every measure, and tests of their AUCs."""
    cohorts = {"original": original, "paper": paper}
    by_model = models_table(cohorts, threshold)
    first = next(curves_of(original[original["model"] == models[0]]))
    tables = {
        "matrix": SOURCE.matrices_table(),
        "measures": by_model,
        "auc_tests": auc_tests(original, models, credit.set_index("row")[group]),
        "sees_and_misses": sees_and_misses(first, prevalences, threshold),
        "checks": checks(by_model),
    }
    return tables, {"precision_recall": figure_precision_recall(cohorts, models)}


def operating_point(curve: ModelCurve, rule: Rule) -> tuple[float, float, float]:
    """Threshold, fpr and tpr at the largest kappa, or where as many are called bad as are bad."""
    share = curve.prevalence
    fpr, tpr, thresholds = roc_vertices(curve.minority, curve.score)
    if rule == "kappa_max":
        i = int(np.argmax(kappa_from_rates(fpr, tpr, share)))
    else:
        i = int(np.argmin(np.abs(share * tpr + (1 - share) * fpr - share)))
    return float(thresholds[i]), float(fpr[i]), float(tpr[i])


def models_table(cohorts: Mapping[str, pd.DataFrame], rule: Rule) -> pd.DataFrame:
    """Counts at one threshold and what follows from them, for each cohort and model."""
    rows = []
    for cohort, scores in cohorts.items():
        for curve in curves_of(scores):
            threshold = operating_point(curve, rule)[0]
            measured = measures(curve.minority, curve.score)
            measured |= of_predictions(curve.minority, curve.score >= threshold)
            key = {"cohort": cohort, "model": curve.model, "threshold": threshold}
            rows.append(measured | key | {"share_minority": curve.prevalence})
    columns = ["cohort", "model", "threshold", *CELLS, *OF_COUNTS, "auc", "average_precision"]
    return pd.DataFrame(rows)[[*columns, "share_minority"]]


def sees_and_misses(curve: ModelCurve, prevalences: Sequence[float], rule: Rule) -> pd.DataFrame:
    """Every measure of one model as only the class sizes change, and what it sees and misses."""
    _, fpr, tpr = operating_point(curve, rule)
    columns = {
        f"p_{p:g}": measures(curve.minority, curve.score, prevalence=p) | at_rates(fpr, tpr, p)
        for p in prevalences
    }
    table = pd.DataFrame(columns).loc[[*OF_COUNTS, "average_precision", "auc", "auk", "h"]]
    table["changes_by"] = table.max(axis=1) - table.min(axis=1)
    words = pd.read_csv(SEES_AND_MISSES)
    return pd.concat([words.pop("measure"), table.reset_index(drop=True), words], axis="columns")


def checks(models: pd.DataFrame) -> pd.DataFrame:
    """The printed example, kappa of our models by equation 19, and the claims on the AUC."""
    on_task = _on_task()
    by_factors = f"{ON_TASK} from its printed factors"
    inverted = "kappa of inverted predictions is -1 at prevalence"
    statements: list[Check | None] = [
        as_printed(by_factors, PRINTED[ON_TASK], on_task["product"], key="baker_factors"),
        *(
            Check("printed", f"{inverted} {p}", -1, float(kappa_from_rates(1, 0, p)), key=key, n=1)
            for p, key in ((0.5, "baker_inverse_at_half"), (0.25, "baker_inverse"))
        ),
    ]
    for row in models.to_dict("records"):
        name = f"{row['model']}, {row['cohort']} data: kappa by equation 19"
        statements.append(by_equation_19(name, statistics(*(row[cell] for cell in CELLS))))
    # Naming the larger class alone: high accuracy, and no agreement beyond chance.
    for place, of in SOURCE.matrices.items():
        name = f"{place}: kappa (accuracy {of['accuracy']:.2f})"
        if place != EXAMPLE:
            statements.append(Check("derived", name, 0, of["kappa"]))
    higher = "AUC tends to be higher than kappa: share of our models, both cohorts"
    better = "AUC 0.6 better than 0.55: largest H at 0.55 less smallest at 0.6"
    low, high = _h_of_two_aucs()
    statements += [
        share_check(
            "printed", higher, models["auc"] > models["kappa"], 0.5, key="baker_auc_higher"
        ),
        Check("printed", better, 0, high - low, 0, "<=", key="baker_auc_better", n=1),
        _bias(models),
    ]
    rejections: list[tuple[Kind, str, BoolArray, float | None, str]] = [
        ("printed", f"any size: {FEW} + {FEW} rows", null_rejections(FEW), LEVEL, "baker_any_size"),
        ("ours", f"{MANY} + {MANY} rows", null_rejections(MANY), None, ""),
        ("ours", f"every row twice, {MANY} + {MANY}", null_rejections(MANY, 2), None, "rows_twice"),
    ]
    for kind, rows, flags, limit, key in rejections:
        name = f"DeLong's 5 % test of a true AUC of 0.5, {rows}: share rejected"
        statements.append(share_check(kind, name, flags, limit, "<=", key))
    off_task = MATRIX["prevalence"] * MATRIX["predicted_share"]
    shares = {ON_TASK: on_task["expected"], OFF_TASK: off_task}
    computed = {**SOURCE.matrices, EXAMPLE: {**MATRIX, **shares}}
    return SOURCE.check_table(computed, statements)


def _bias(models: pd.DataFrame) -> Check:
    """How much more accuracy than kappa changes as only the prevalence does, over our models.

    A change is the largest less the smallest value over PREVALENCES at a model's rates; the
    interval over the models is Student's t.
    """
    fpr = models["fp"] / (models["fp"] + models["tn"])
    tpr = models["tp"] / (models["tp"] + models["fn"])
    at = PREVALENCES[:, None]
    accuracy = at * tpr.to_numpy() + (1 - at) * (1 - fpr.to_numpy())
    kappa = kappa_from_rates(fpr.to_numpy(), tpr.to_numpy(), at)
    gaps = np.ptp(accuracy, axis=0) - np.ptp(kappa, axis=0)
    name = "change over prevalences .05 to .89, accuracy less kappa: mean of our models"
    ends: Any = dict(zip(("low", "high"), mean_interval(gaps), strict=True))
    return Check("ours", name, None, float(gaps.mean()), key="baker_bias", n=len(gaps), **ends)


def _h_of_two_aucs() -> tuple[float, float]:
    """Smallest H of a hull of AUC 0.6, and largest of AUC 0.55, at 30 % positive."""
    return float(h_bounds(0.6, 0.3).lower), float(h_bounds(0.55, 0.3).upper)


@cache
def null_rejections(n: int, copies: int = 1) -> BoolArray:
    """Whether DeLong's interval misses 0.5 in samples without order, of n rows a class."""
    rng = np.random.default_rng(np.random.SeedSequence(1988, spawn_key=(n, copies)))
    truth = np.tile(np.repeat([1.0, 0.0], n), copies)  # copies are not independent
    rejected = []
    for score in rng.normal(size=(SAMPLES, 2 * n)):
        estimate = interval(truth, np.tile(score, copies), measure="auc", scale="plain")
        rejected.append(not estimate.low <= 0.5 <= estimate.high)
    return np.array(rejected)


def _on_task() -> dict[str, Any]:
    """Factors and product of the expected on-task agreement: as printed, and of the matrix."""
    printed = [PRINTED[f"{place} on-task factor"] for place in ("first", "second")]
    right = [1 - MATRIX["prevalence"], 1 - MATRIX["predicted_share"]]
    return {
        "printed": [number.text for number in printed],
        "right": right,
        "kappa": MATRIX["kappa"],
        "product": printed[0].value * printed[1].value,
        "expected": right[0] * right[1],
    }


def larger_auc_always_better() -> Recomputed:
    """Whether some hull with the smaller AUC has the larger H."""
    lower, upper = _h_of_two_aucs()
    return upper <= lower, {"lower": lower, "upper": upper}


def delong_in_small_samples() -> Recomputed:
    """How often the test rejects a true AUC of 0.5 with few rows."""
    flags = null_rejections(FEW)
    share = share_with_interval(int(flags.sum()), SAMPLES)
    return share["low"] <= LEVEL, {"n": FEW, "of": SAMPLES, **share}


def expected_on_task_agreement() -> Recomputed:
    """The printed product, and that of the shares in the matrix."""
    agreement = _on_task()
    return PRINTED[ON_TASK].is_of(agreement["product"]), agreement


def denominators_of_the_rates() -> Recomputed:
    """Both rates of Baker's own matrix, by the printed and by the usual denominators."""
    odds = MATRIX["fp"] / MATRIX["tn"], MATRIX["tp"] / MATRIX["fn"]
    return odds[1] <= 1, {"odds": odds, **MATRIX}


def kappa_of_inverted_predictions() -> Recomputed:
    """Kappa of f = 1, t = 0 at three prevalences: -1 for balanced classes only."""
    kappa = kappa_from_rates(1, 0, [0.5, 0.25, 0.1])
    return abs(kappa[1] + 1) < 1e-9, {"kappa": kappa}


def _auc(table: pd.DataFrame, method: str, at: float | None = None) -> Estimate:
    """AUC with DeLong's error and the interval of his time, or with Hanley and McNeil's error.

    Theirs may be that of a true AUC of `at`; DeLong's is only known at the AUC found.
    """
    estimate: Estimate = interval(table["minority"], table["score"], measure="auc", scale="plain")
    if method == "DeLong":  # whose own test is against the normal distribution
        return estimate._replace(df=np.inf)
    n_minority = int(table["minority"].sum())
    auc = estimate.estimate if at is None else at
    error = hanley_mcneil_standard_error(auc, n_minority, len(table) - n_minority)
    return Estimate(estimate.estimate, error, 0.0, 1.0)


def auc_tests(scores: pd.DataFrame, models: Sequence[str], group: pd.Series) -> pd.DataFrame:
    """One AUC against chance, two of the same rows, and two of different rows.

    Every model (row, minority, model, score) is tested against 0.5, and all are compared with the
    first.
    `group` is indexed by row number; its first two values (sorted) are the independent groups.

    The interval of the difference has the error at the AUC found. The test has the error if the
    hypothesis holds, where the method gives one (Hanley and McNeil's against 0.5).

    Hanley & McNeil (1982), Radiology 143, 29-36, doi:10.1148/radiology.143.1.7063747. DeLong,
    DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, doi:10.2307/2531595.
    """
    of_model = {model: scores[scores["model"] == model].set_index("row") for model in models}
    # Each with the comparison of the interval and that of the test, which may have another error.
    rows: list[tuple[str, str, str, float, Comparison, Comparison, str]] = []
    for (model, table), (method, assumes) in product(of_model.items(), AGAINST_CHANCE.items()):
        estimate = _auc(table, method)
        of_interval = estimate.unpaired_test(CHANCE)
        of_test = _auc(table, method, at=0.5).unpaired_test(CHANCE)
        what = "one AUC against 0.5"
        rows.append((what, model, method, estimate.estimate, of_interval, of_test, assumes))
    first = of_model[models[0]]
    for model in models[1:]:
        # Both models scored the same rows; the index puts them side by side.
        pair = first["score"], of_model[model].loc[first.index, "score"]
        lead = paired_test(first["minority"], *pair, measure="auc", method="analytic")
        # DeLong's own test is against the normal distribution.
        plain = Estimate(lead.difference, lead.standard_error, np.nan, np.nan)
        normal = plain.unpaired_test(Estimate(0.0, 0.0, 0.0, 0.0))
        what = f"{models[0]} and {model}, same rows"
        auc = _auc(first, "DeLong").estimate
        rows.append(("paired", what, "DeLong", auc, normal, normal, SAME_FEATURES))
    values = sorted(set(group))[:2]
    for (model, table), method in product(of_model.items(), AGAINST_CHANCE):
        parts = [table[group.loc[table.index].to_numpy() == value] for value in values]
        if min((part["minority"] == label).sum() for part in parts for label in (0, 1)) < 2:
            raise ExperimentError(
                f"{group.name} {values[0]} and {values[1]} do not both have two good and two bad "
                "test rows: set companions.baker.group to another attribute."
            )
        first_estimate, second_estimate = (_auc(part, method) for part in parts)
        apart = first_estimate.unpaired_test(second_estimate)
        what = f"{model}, {group.name} {values[0]} and {values[1]}"
        rows.append(
            ("two independent AUCs", what, method, first_estimate.estimate, apart, apart, APART)
        )
    columns = ["test", "what", "method", "auc", "other", "difference", "standard_error"]
    columns += ["low", "high", "test_error", "statistic", "p_value", "assumes"]
    return pd.DataFrame(
        (
            *(*names, auc, auc - found.difference, found.difference, found.standard_error),
            *(found.low, found.high, tested.standard_error, tested.statistic, tested.p_value),
            assumes,
        )
        for *names, auc, found, tested, assumes in rows
    ).set_axis(columns, axis=1)


def figure_precision_recall(cohorts: Mapping[str, pd.DataFrame], models: Sequence[str]) -> Figure:
    """Precision against recall of the models, one panel per cohort, with the average precision."""
    shares = [float(scores["minority"].mean()) for scores in cohorts.values()]
    titles = [
        f"{cohort} data, {100 * share:.1f} % bad"
        for cohort, share in zip(cohorts, shares, strict=True)
    ]
    figure, row = panels(titles, 3.0, xlabel="recall $t$", xlim=(-0.02, 1.02), ylim=(0, 1.04))
    for axes, scores, share in zip(row, cohorts.values(), shares, strict=True):
        curves = {curve.model: curve for curve in curves_of(scores)}
        for model, style in zip(models, LINE_STYLES, strict=False):
            fpr, tpr = (rates[1:] for rates in curves[model].raw)  # at the first nothing is flagged
            precision = share * tpr / (share * tpr + (1 - share) * fpr)
            area = measures(curves[model].minority, curves[model].score)["average_precision"]
            # Each stretch of recall has the precision of the vertex at its right end.
            recalled = tpr > 0
            axes.step(
                np.concatenate(([0.0], tpr[recalled])),
                np.concatenate((precision[recalled][:1], precision[recalled])),
                where="pre",
                color=style.color,
                label=f"{MODEL_LABELS[model]}, AP {area:.3f}",
            )
        axes.axhline(share, **REFERENCE)
        axes.legend(loc="upper right")
    row[0].set_ylabel("precision")
    return figure
