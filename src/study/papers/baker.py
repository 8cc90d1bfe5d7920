"""Baker, "Understanding diagnostic metrics for classifiers": one matrix, and our models by it.

"Bad" is the positive class of the German Credit data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kappacurve import (
    Comparison,
    Estimate,
    interval,
    roc_vertices,
)
from kappacurve.algebra import area_under_curve, area_under_kappa, h_of_hull, kappa_from_rates
from kappacurve.bounds import h_bounds
from kappacurve.inference import covariance, hanley_mcneil_standard_error
from kappacurve.plots.style import LINE_STYLES, REFERENCE, TWO_COLUMNS
from study.arrays import BoolArray, FloatArray
from study.errors import ExperimentError
from study.papers.checks import Check, Kind, Study, check_table, share_checks
from study.papers.confusion import (
    Confusion,
    count,
    matrices_table,
    matrix_statistics,
    printed_matrices,
    shares,
    statistics,
)
from study.papers.curves import ModelCurve, curves_of, panel
from study.papers.errata import Recomputed, RunTables, recomputes
from study.published import MODEL_LABELS, printed_by

Rule = Literal["kappa_max", "share"]

# Section 2: off-task is the positive class. Precision, recall and F1 are defined, not printed.
EXAMPLE = "Worked example"
OF_MATRICES = matrix_statistics("baker")
MATRIX, OF_MATRIX = printed_matrices("baker")[EXAMPLE], OF_MATRICES[EXAMPLE]
ON_TASK, OFF_TASK = "expected on-task agreement", "expected off-task agreement"
# Simulated samples, and rows of each class in small and large ones.
SAMPLES, FEW, MANY, LEVEL = 1000, 5, 100, 0.05
# What the tests of the AUC assume.
ONE_MODEL = "the test rows are independent; the fitted model is held fixed"
SAME_FEATURES = f"{ONE_MODEL}; both models saw the same training rows and features"
APART = f"{ONE_MODEL}; the two groups share no row"
UNDER_CHANCE = f"{ONE_MODEL}; the error of the test is that of a true AUC of 0.5"
CHANCE = Estimate(0.5, 0.0, 0.5, 0.5)
OF_COUNTS = ("accuracy", "kappa", "precision", "recall", "f1")

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
    return Study(
        {
            "matrix": matrices_table("baker"),
            "measures": by_model,
            "auc_tests": auc_tests(original, models, credit.set_index("row")[group]),
            "sees_and_misses": sees_and_misses(first, prevalences, threshold),
            "checks": checks(by_model),
        },
        {"precision_recall": figure_precision_recall(cohorts, models)},
    )


def operating_point(curve: ModelCurve, rule: Rule) -> tuple[float, float, float]:
    """Threshold, fpr and tpr at the largest kappa, or where as many are called bad as are bad."""
    share = curve.prevalence
    fpr, tpr, thresholds = roc_vertices(curve.bad, curve.score)
    if rule == "kappa_max":
        i = int(np.argmax(kappa_from_rates(fpr, tpr, share)))
    else:
        i = int(np.argmin(np.abs(share * tpr + (1 - share) * fpr - share)))
    return float(thresholds[i]), float(fpr[i]), float(tpr[i])


def precision_recall(fpr: FloatArray, tpr: FloatArray, prevalence: float) -> FloatArray:
    """Precision at every vertex of a ROC curve but the first, where nothing is predicted."""
    true, false = prevalence * tpr[1:], (1 - prevalence) * fpr[1:]
    return np.asarray(true / (true + false))


def average_precision(fpr: FloatArray, tpr: FloatArray, prevalence: float) -> float:
    """Precision at each vertex, weighted by the recall it adds; no line is drawn between them."""
    return float(precision_recall(fpr, tpr, prevalence) @ np.diff(tpr))


def models_table(cohorts: Mapping[str, pd.DataFrame], rule: Rule) -> pd.DataFrame:
    """Counts at one threshold and what follows from them, for each cohort and model."""
    rows = []
    for cohort, scores in cohorts.items():
        for curve in curves_of(scores):
            threshold = operating_point(curve, rule)[0]
            confusion = count(curve.bad, curve.score >= threshold)
            values, p = statistics(confusion), curve.prevalence
            row = {"cohort": cohort, "model": curve.model, "threshold": threshold}
            row |= confusion._asdict() | {name: values[name] for name in OF_COUNTS}
            own = {"auc": area_under_curve(*curve.raw)}
            own |= {"average_precision": average_precision(*curve.raw, p), "share_bad": p}
            rows.append(row | own)
    return pd.DataFrame(rows)


def sees_and_misses(curve: ModelCurve, prevalences: Sequence[float], rule: Rule) -> pd.DataFrame:
    """Every measure of one model as only the class sizes change, and what it sees and misses."""
    _, fpr, tpr = operating_point(curve, rule)
    columns: dict[str, list[float]] = {}
    for p in prevalences:
        values = statistics(shares(fpr, tpr, p))
        columns[f"p_{p:g}"] = [
            *(values[name] for name in OF_COUNTS),
            average_precision(*curve.raw, p),
            area_under_curve(*curve.raw),
            area_under_kappa(*curve.raw, p),
            h_of_hull(*curve.hull, p),
        ]
    table = pd.DataFrame(columns)
    table["changes_by"] = table.max(axis=1) - table.min(axis=1)
    words = pd.read_csv(SEES_AND_MISSES)
    return pd.concat([words[["measure"]], table, words.drop(columns="measure")], axis="columns")


def checks(models: pd.DataFrame) -> pd.DataFrame:
    """The printed example, and kappa of our models by equation 19."""
    (_, product), (_, expected) = _on_task()
    printed = printed_by("baker")[EXAMPLE][ON_TASK].value
    inverted = "kappa of inverted predictions is -1 at prevalence"
    statements = [
        Check("printed", f"{ON_TASK} from its printed factors", printed, product, 5e-5),
        Check("printed", f"{inverted} 0.5", -1, float(kappa_from_rates(1, 0, 0.5))),
        Check("printed", f"{inverted} 0.25", -1, float(kappa_from_rates(1, 0, 0.25))),
    ]
    for row in models.to_dict("records"):
        values = statistics(Confusion(*(row[name] for name in Confusion._fields)))
        rates = values["fpr"], values["recall"], values["prevalence"]
        name = f"{row['model']}, {row['cohort']} data: kappa by equation 19"
        statements.append(Check("derived", name, row["kappa"], float(kappa_from_rates(*rates))))
    # Naming the larger class alone: high accuracy, and no agreement beyond chance.
    for place, of in OF_MATRICES.items():
        name = f"{place}: kappa (accuracy {of['accuracy']:.2f})"
        if place != EXAMPLE:
            statements.append(Check("derived", name, 0, of["kappa"]))
    off_task = OF_MATRIX["prevalence"] * OF_MATRIX["predicted_share"]
    found = {**OF_MATRICES, EXAMPLE: {**OF_MATRIX, ON_TASK: expected, OFF_TASK: off_task}}
    higher = "AUC tends to be higher than kappa: share of our models, both cohorts"
    statements += share_checks("printed", higher, models["auc"] > models["kappa"], least=0.5)
    return check_table("baker", found, [*statements, *_claims_on_auc()])


def _claims_on_auc() -> list[Check]:
    """That a larger AUC is always better, and how often DeLong's test rejects what is true."""
    low, high = _h_of_two_aucs()
    better = "AUC 0.6 better than 0.55: largest H at 0.55 less smallest at 0.6"
    statements = [Check("printed", better, 0, high - low, 0, "<=")]
    rejections: list[tuple[str, BoolArray, Kind, float | None]] = [
        (f"any size: {FEW} + {FEW} rows", null_rejections(FEW), "printed", LEVEL),
        (f"{MANY} + {MANY} rows", null_rejections(MANY), "ours", None),
        (f"every row twice, {MANY} + {MANY}", null_rejections(MANY, 2), "ours", None),
    ]
    for name, flags, kind, expected in rejections:
        name = f"DeLong's 5 % test of a true AUC of 0.5, {name}: share rejected"
        (found,) = share_checks(kind, name, flags)
        statements.append(found._replace(relation="<=", expected=expected))
    return statements


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
        interval = _delong(truth, np.tile(score, copies))
        rejected.append(not interval.low <= 0.5 <= interval.high)
    return np.array(rejected)


@recomputes
def larger_auc_always_better(_: RunTables) -> Recomputed:
    """Whether some hull with the smaller AUC has the larger H."""
    lower, upper = _h_of_two_aucs()
    return upper <= lower, {"lower": lower, "upper": upper}


@recomputes
def delong_in_small_samples(_: RunTables) -> Recomputed:
    """How often the test rejects a true AUC of 0.5 with few rows."""
    (found,) = share_checks("printed", "", null_rejections(FEW))
    words = {"n": FEW, "of": SAMPLES, "share": found.found, "low": found.low, "high": found.high}
    return found.low <= LEVEL, words


def _on_task() -> tuple[tuple[list[str], float], tuple[list[float], float]]:
    """Factors and product of the expected on-task agreement: as printed, and of the matrix."""
    of = printed_by("baker")[EXAMPLE]
    printed = [of[f"{place} on-task factor"] for place in ("first", "second")]
    right = [1 - OF_MATRIX["prevalence"], 1 - OF_MATRIX["predicted_share"]]
    product = printed[0].value * printed[1].value
    return ([one.text for one in printed], product), (right, right[0] * right[1])


@recomputes
def expected_on_task_agreement(_: RunTables) -> Recomputed:
    """The printed product, and that of the shares in the matrix."""
    (printed, product), (right, expected) = _on_task()
    values = {"printed": printed, "product": product, "right": right, "expected": expected}
    agrees = abs(product - printed_by("baker")[EXAMPLE][ON_TASK].value) < 5e-5
    return agrees, values | {"kappa": OF_MATRIX["kappa"]}


@recomputes
def denominators_of_the_rates(_: RunTables) -> Recomputed:
    """Both rates of Baker's own matrix, by the printed and by the usual denominators."""
    tp, fn, fp, tn = MATRIX
    return tp / fn <= 1, {"odds": (fp / tn, tp / fn), **OF_MATRIX}


@recomputes
def kappa_of_inverted_predictions(_: RunTables) -> Recomputed:
    """Kappa of f = 1, t = 0 at three prevalences: -1 for balanced classes only."""
    kappa = kappa_from_rates(1, 0, [0.5, 0.25, 0.1])
    return abs(kappa[1] + 1) < 1e-9, {"kappa": kappa}


def _delong(bad: Any, score: Any) -> Estimate:
    """AUC with DeLong's error and the interval of his time."""
    found: Estimate = interval(bad, score, measure="auc", scale="plain")
    return found


def _hanley_mcneil(bad: FloatArray, score: FloatArray, at: float | None = None) -> Estimate:
    """AUC with Hanley and McNeil's error, or the one it has if the true AUC were `at`; no ends."""
    auc = _delong(bad, score).estimate
    n_bad = int(bad.sum())
    error = hanley_mcneil_standard_error(auc if at is None else at, n_bad, len(bad) - n_bad)
    return Estimate(auc, error, 0.0, 1.0)


def auc_tests(scores: pd.DataFrame, models: Sequence[str], group: pd.Series) -> pd.DataFrame:
    """One AUC against chance, two of the same rows, and two of different rows.

    Every model (row, bad, model, score) is tested against 0.5, and all are compared with the first.
    `group` is indexed by row number; its first two values (sorted) are the independent groups.

    The interval of the difference has the error at the AUC found. The test has the error if the
    hypothesis holds, where the method gives one (Hanley and McNeil's against 0.5).

    Hanley & McNeil (1982), Radiology 143, 29-36, doi:10.1148/radiology.143.1.7063747. DeLong,
    DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, doi:10.2307/2531595.
    """
    of_model = {model: scores[scores["model"] == model].set_index("row") for model in models}
    rows = [row for model, table in of_model.items() for row in _against_chance(model, table)]
    first = of_model[models[0]]
    for model in models[1:]:
        # Both models scored the same rows; the index puts them side by side.
        second = of_model[model].loc[first.index]
        both = {models[0]: first["score"].to_numpy(), model: second["score"].to_numpy()}
        values, spread = covariance(first["bad"].to_numpy(), both, measure="auc")
        error = float(np.sqrt(spread[0, 0] + spread[1, 1] - 2 * spread[0, 1]))
        # DeLong's own test is against the normal distribution.
        lead = Estimate(float(values[0] - values[1]), error, np.nan, np.nan)
        paired = lead.unpaired_test(Estimate(0.0, 0.0, 0.0, 0.0))
        auc = _delong(first["bad"], first["score"]).estimate
        what = f"{models[0]} and {model}, same rows"
        rows.append(_row("paired", what, "DeLong", auc, paired, SAME_FEATURES))
    rows += [row for model, table in of_model.items() for row in _independent(model, table, group)]
    return pd.DataFrame(rows)


def _row(
    test: str,
    what: str,
    method: str,
    auc: float,
    compared: Comparison,
    assumes: str,
    under: Comparison | None = None,
) -> dict[str, Any]:
    """A row of the tests; `under` is the comparison with the error that the hypothesis gives."""
    tested = compared if under is None else under
    return {
        **{"test": test, "what": what, "method": method, "auc": auc},
        **{"other": auc - compared.difference, "difference": compared.difference},
        **{"standard_error": compared.standard_error, "low": compared.low, "high": compared.high},
        **{"test_error": tested.standard_error, "statistic": tested.statistic},
        **{"p_value": tested.p_value, "assumes": assumes},
    }


def _against_chance(model: str, table: pd.DataFrame) -> list[dict[str, Any]]:
    bad, score = table["bad"].to_numpy(dtype=float), table["score"].to_numpy()
    delong, found = _delong(bad, score), _hanley_mcneil(bad, score)
    # The error of an AUC of 0.5 belongs to the test of that hypothesis; the interval needs the
    # error at the AUC found. DeLong's has only the latter.
    under = _hanley_mcneil(bad, score, at=0.5).unpaired_test(CHANCE)
    what, auc = ("one AUC against 0.5", model), found.estimate
    return [
        _row(*what, "DeLong", auc, delong.unpaired_test(CHANCE), ONE_MODEL),
        _row(*what, "Hanley-McNeil", auc, found.unpaired_test(CHANCE), UNDER_CHANCE, under),
    ]


def _independent(model: str, table: pd.DataFrame, group: pd.Series) -> list[dict[str, Any]]:
    values = sorted(set(group))[:2]
    parts = [table[group.loc[table.index].to_numpy() == value] for value in values]
    if min((part["bad"] == label).sum() for part in parts for label in (0, 1)) < 2:
        raise ExperimentError(
            f"{group.name} {values[0]} and {values[1]} do not both have two good and two bad test "
            "rows: set companions.baker.group to another attribute."
        )
    what = f"{model}, {group.name} {values[0]} and {values[1]}"
    rows = []
    for method, estimate in (("DeLong", _delong), ("Hanley-McNeil", _hanley_mcneil)):
        first, second = (
            estimate(part["bad"].to_numpy(dtype=float), part["score"].to_numpy()) for part in parts
        )
        compared = first.unpaired_test(second)
        rows.append(_row("two independent AUCs", what, method, first.estimate, compared, APART))
    return rows


def figure_precision_recall(cohorts: Mapping[str, pd.DataFrame], models: Sequence[str]) -> Figure:
    """Precision against recall of the models, one panel per cohort, with the average precision."""
    figure, panels = plt.subplots(1, len(cohorts), figsize=(TWO_COLUMNS, 3.0), sharey=True)
    for axes, (cohort, scores), name in zip(panels, cohorts.items(), "ab", strict=True):
        share = float(scores["bad"].mean())
        raw = {curve.model: curve.raw for curve in curves_of(scores)}
        for model, style in zip(models, LINE_STYLES, strict=False):
            fpr, tpr = raw[model]
            area = average_precision(fpr, tpr, share)
            precision = precision_recall(fpr, tpr, share)
            # Each stretch of recall has the precision of the vertex at its right end.
            recalled = tpr[1:] > 0
            axes.step(
                np.concatenate(([0.0], tpr[1:][recalled])),
                np.concatenate((precision[recalled][:1], precision[recalled])),
                where="pre",
                color=style.color,
                label=f"{MODEL_LABELS.get(model, model)}, AP {area:.3f}",
            )
        axes.axhline(share, **REFERENCE)
        title, limits = f"{cohort} data, {100 * share:.1f} % bad", {"xlim": (-0.02, 1.02)}
        panel(axes, name, title, xlabel="recall $t$", ylim=(0, 1.04), **limits)
        axes.legend(loc="upper right")
    panels[0].set_ylabel("precision")
    return figure
