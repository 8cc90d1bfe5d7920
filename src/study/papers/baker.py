"""Baker, "Understanding diagnostic metrics for classifiers": one matrix, and our models by it.

"Bad" is the positive class of the German Credit data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve.inference import (
    Comparison,
    Estimate,
    delong_interval,
    delong_test,
    hanley_mcneil_standard_error,
    unpaired_test,
)
from kappacurve.measures import area_under_curve, area_under_kappa, h_of_hull
from kappacurve.plots.style import LINE_STYLES, REFERENCE, TWO_COLUMNS, letter
from kappacurve.roc import kappa_from_rates, roc_hull, roc_vertices
from study.errors import ExperimentError
from study.papers.agreement import Matrix, matrix_at
from study.papers.checks import Check, as_printed
from study.published import MODEL_LABELS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FloatArray = npt.NDArray[np.float64]
Rule = Literal["kappa_max", "share"]

# Section 2: off-task is the positive class. Precision, recall and F1 are defined, not printed.
MATRIX = Matrix(tp=20, fn=5, fp=15, tn=60)
PRINTED = {"accuracy": "0.80", "expected_agreement": "0.575", "kappa": "0.529"}
ONE_MODEL = "the test rows are independent; the fitted model is held fixed"
SAME_FEATURES = f"{ONE_MODEL}; both models saw the same training rows and features"
APART = f"{ONE_MODEL}; the two groups share no row"
UNDER_CHANCE = f"{ONE_MODEL}; the error of the test is that of a true AUC of 0.5"
TEST_COLUMNS = (
    *("test", "what", "method", "auc", "other", "difference", "standard_error", "low", "high"),
    *("test_error", "statistic", "p_value", "assumes"),
)

# In words; the numbers stand beside them: what a measure looks at, what it can't tell, and what
# becomes of it when the class of interest grows and nothing else changes.
SEES_AND_MISSES = {
    "accuracy": (
        "all four cells",
        "that naming the larger class alone can make it high",
        "goes from 1 - f to t",
    ),
    "kappa": (
        "all four cells, less the agreement of chance",
        "which of the two errors was made",
        "0 at both ends, largest where p / (1 - p) = sqrt(f / (1 - t))",
    ),
    "precision": ("how many alarms are true", "cases that were not found", "rises to 1"),
    "recall": ("how many cases are found", "false alarms", "stays"),
    "F1": ("true alarms, false alarms, missed cases", "true negatives", "rises"),
    "average precision": (
        "the ranking, mostly its top",
        "the order of low scores; its own baseline, which is p",
        "rises to 1",
    ),
    "AUC": ("the whole ranking", "class sizes, costs and thresholds", "stays"),
    "AUK": (
        "the whole ranking, less the agreement of chance",
        "costs; it differs when the classes swap roles",
        "0 at both ends",
    ),
    "H": (
        "the hull, under one weight on costs",
        "how far the curve is below its hull",
        "0 at both ends",
    ),
}


class Point(NamedTuple):
    """A vertex of a ROC curve: its threshold and rates."""

    threshold: float
    fpr: float
    tpr: float


def matrix_table() -> pd.DataFrame:
    """The worked example: measure, printed, recomputed."""
    names = ("accuracy", "expected_agreement", "kappa", "precision", "recall", "f1", "fpr")
    rows = [(name, PRINTED.get(name), getattr(MATRIX, name)) for name in names]
    return pd.DataFrame(rows, columns=["measure", "printed", "recomputed"])


def operating_point(bad: npt.ArrayLike, score: npt.ArrayLike, rule: Rule) -> Point:
    """The threshold at which the counts are taken.

    Parameters
    ----------
    bad : array-like of bool of shape (n_rows,)
    score : array-like of float of shape (n_rows,)
    rule : {"kappa_max", "share"}
        "kappa_max" takes the vertex with the largest kappa; "share" the one at which the share of
        rows predicted bad is nearest to the share of bad ones.

    Examples
    --------
    >>> operating_point([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8], "share")
    Point(threshold=0.4, fpr=0.5, tpr=0.5)
    """
    share = float(np.mean(np.asarray(bad)))
    fpr, tpr, thresholds = roc_vertices(bad, score)
    if rule == "kappa_max":
        i = int(np.argmax(kappa_from_rates(fpr, tpr, share)))
    else:
        predicted = share * tpr + (1 - share) * fpr
        i = int(np.argmin(np.abs(predicted - share)))
    return Point(float(thresholds[i]), float(fpr[i]), float(tpr[i]))


def precision_recall(fpr: FloatArray, tpr: FloatArray, prevalence: float) -> FloatArray:
    """Precision at every vertex of a ROC curve but the first, where nothing is predicted.

    >>> precision_recall(np.array([0.0, 0.0, 0.5, 1.0]), np.array([0.0, 0.5, 1.0, 1.0]), 0.5)
    array([1.        , 0.66666667, 0.5       ])
    """
    true, false = prevalence * tpr[1:], (1 - prevalence) * fpr[1:]
    return np.asarray(true / (true + false))


def average_precision(fpr: FloatArray, tpr: FloatArray, prevalence: float) -> float:
    """Precision at each vertex, weighted by the recall it adds; no line is drawn between them.

    The same sum as scikit-learn's ``average_precision_score``, at any prevalence.

    >>> average_precision(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0]), 0.5)
    0.6666666666666666
    """
    return float(precision_recall(fpr, tpr, prevalence) @ np.diff(tpr))


def _models(scores: pd.DataFrame) -> Iterator[tuple[str, FloatArray, FloatArray]]:
    for model, table in scores.groupby("model", sort=False):
        yield str(model), table["bad"].to_numpy(dtype=float), table["score"].to_numpy()


def models_table(cohorts: Mapping[str, pd.DataFrame], rule: Rule) -> pd.DataFrame:
    """Counts at one threshold and what follows from them, for each cohort and model.

    Returns
    -------
    DataFrame
        cohort, model, threshold, tp, fn, fp, tn, accuracy, kappa, precision, recall, f1 and
        average_precision (which needs no threshold), share_bad.
    """
    rows = []
    for cohort, scores in cohorts.items():
        for model, bad, score in _models(scores):
            point = operating_point(bad, score, rule)
            predicted = score >= point.threshold
            matrix = Matrix(
                int((predicted & (bad == 1)).sum()),
                int((~predicted & (bad == 1)).sum()),
                int((predicted & (bad == 0)).sum()),
                int((~predicted & (bad == 0)).sum()),
            )
            fpr, tpr, _ = roc_vertices(bad, score)
            found = {
                name: getattr(matrix, name)
                for name in ("accuracy", "kappa", "precision", "recall", "f1")
            }
            rows.append(
                {
                    "cohort": cohort,
                    "model": model,
                    "threshold": point.threshold,
                    **matrix._asdict(),
                    **found,
                    "average_precision": average_precision(fpr, tpr, matrix.prevalence),
                    "share_bad": matrix.prevalence,
                }
            )
    return pd.DataFrame(rows)


def _hanley_mcneil(bad: FloatArray, score: FloatArray, at: float | None = None) -> Estimate:
    """AUC with Hanley and McNeil's error; at 0.5, the error it has if that were the true AUC.

    The ends are not known: a comparison takes the estimate and its error alone.
    """
    found = delong_interval(bad, score)
    n_bad = int(bad.sum())
    auc = found.estimate if at is None else at
    error = hanley_mcneil_standard_error(auc, n_bad, len(bad) - n_bad)
    return Estimate(found.estimate, error, 0.0, 1.0)


def auc_tests(scores: pd.DataFrame, models: Sequence[str], group: pd.Series) -> pd.DataFrame:
    """One AUC against chance, two of the same rows, and two of different rows.

    Parameters
    ----------
    scores : DataFrame
        Columns row, bad, model, score.
    models : sequence of str
        Every one is tested against 0.5, and all are compared with the first.
    group : Series of str
        Indexed by row number; the first two values (sorted) are the independent groups.

    Returns
    -------
    DataFrame
        test, what, method, auc, other, difference, standard_error (at the AUC found), low, high
        (95 % interval of the difference, from that error), test_error, statistic (the difference
        by test_error), p_value, assumes. test_error is the error if the hypothesis holds where
        the method gives one (Hanley and McNeil's against 0.5), otherwise standard_error.

    References
    ----------
    Hanley & McNeil (1982), Radiology 143, 29-36, doi:10.1148/radiology.143.1.7063747. DeLong,
    DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, doi:10.2307/2531595.
    """
    of_model = {model: scores[scores["model"] == model] for model in models}
    rows: list[tuple[Any, ...]] = []
    for model, table in of_model.items():
        rows += _against_chance(model, table)
    first = of_model[models[0]].set_index("row")
    for model in models[1:]:
        # Both models scored the same rows; the index puts them side by side.
        second = of_model[model].set_index("row").loc[first.index]
        found = delong_test(first["bad"], first["score"], second["score"])
        auc = delong_interval(first["bad"], first["score"]).estimate
        what = f"{models[0]} and {model}, same rows"
        rows.append(_line("paired", what, "DeLong", auc, found, SAME_FEATURES))
    for model, table in of_model.items():
        rows += _independent(model, table, group)
    return pd.DataFrame(rows, columns=TEST_COLUMNS)


def _line(
    test: str,
    what: str,
    method: str,
    auc: float,
    found: Comparison,
    assumes: str,
    under: Comparison | None = None,
) -> tuple[Any, ...]:
    """A row of the tests; `under` is the comparison with the error that the hypothesis gives."""
    tested = found if under is None else under
    return (
        *(test, what, method, auc, auc - found.difference),
        *(found.difference, found.standard_error, found.low, found.high),
        *(tested.standard_error, tested.statistic, tested.p_value, assumes),
    )


def _against_chance(model: str, table: pd.DataFrame) -> list[tuple[Any, ...]]:
    bad, score = table["bad"].to_numpy(dtype=float), table["score"].to_numpy()
    chance = Estimate(0.5, 0.0, 0.5, 0.5)
    delong = unpaired_test(delong_interval(bad, score), chance)
    # The error of an AUC of 0.5 belongs to the test of that hypothesis; the interval needs the
    # error at the AUC found. DeLong's has only the latter.
    found = unpaired_test(_hanley_mcneil(bad, score), chance)
    under = unpaired_test(_hanley_mcneil(bad, score, at=0.5), chance)
    what = "one AUC against 0.5", model
    auc = 0.5 + found.difference
    return [
        _line(*what, "DeLong", auc, delong, ONE_MODEL),
        _line(*what, "Hanley-McNeil", auc, found, UNDER_CHANCE, under),
    ]


def _independent(model: str, table: pd.DataFrame, group: pd.Series) -> list[tuple[Any, ...]]:
    own = group.loc[table["row"]].to_numpy()
    values = sorted(set(group))[:2]
    parts = [table[own == value] for value in values]
    if min(one["bad"].value_counts().reindex([0, 1]).fillna(0).min() for one in parts) < 2:
        raise ExperimentError(
            f"{group.name} {values[0]} and {values[1]} do not both have two good and two bad test "
            "rows: set companions.baker.group to another attribute."
        )
    arrays = [(one["bad"].to_numpy(dtype=float), one["score"].to_numpy()) for one in parts]
    what = f"{model}, {group.name} {values[0]} and {values[1]}"
    lines = []
    for method, estimate in (("DeLong", delong_interval), ("Hanley-McNeil", _hanley_mcneil)):
        one, other = (estimate(*array) for array in arrays)
        found = unpaired_test(one, other)
        lines.append(_line("two independent AUCs", what, method, one.estimate, found, APART))
    return lines


def sees_and_misses(
    bad: FloatArray, score: FloatArray, prevalences: Sequence[float], rule: Rule
) -> pd.DataFrame:
    """Every measure of one model as only the class sizes change, and what it sees and misses.

    The score distributions of both classes stay as they are, and so do the threshold and the
    rates (f, t) at it.

    Returns
    -------
    DataFrame
        measure, one column a prevalence, changes_by (largest less smallest), sees, misses,
        as_prevalence_grows.
    """
    point = operating_point(bad, score, rule)
    fpr, tpr, _ = roc_vertices(bad, score)
    hull = roc_hull(fpr, tpr)
    columns: dict[str, list[float]] = {}
    for p in prevalences:
        matrix = matrix_at(point.fpr, point.tpr, p)
        columns[f"p_{p:g}"] = [
            matrix.accuracy,
            matrix.kappa,
            matrix.precision,
            matrix.recall,
            matrix.f1,
            average_precision(fpr, tpr, p),
            area_under_curve(fpr, tpr),
            area_under_kappa(fpr, tpr, p),
            h_of_hull(hull.fpr, hull.tpr, p),
        ]
    table = pd.DataFrame(columns)
    table["changes_by"] = table.max(axis=1) - table.min(axis=1)
    table.insert(0, "measure", list(SEES_AND_MISSES))
    words = pd.DataFrame(
        list(SEES_AND_MISSES.values()), columns=["sees", "misses", "as_prevalence_grows"]
    )
    return table.join(words)


def checks(models: pd.DataFrame) -> list[Check]:
    """The printed example, and kappa of our models by equation 19."""
    found = [
        as_printed(name.replace("_", " "), printed, float(getattr(MATRIX, name)))
        for name, printed in PRINTED.items()
    ]
    on_task = (1 - MATRIX.prevalence) * (1 - MATRIX.predicted_share)
    found += [
        as_printed("expected on-task agreement", "0.4875", on_task),
        Check(
            "printed",
            "expected on-task agreement from its printed factors",
            0.4875,
            0.275 * 0.365,
            5e-5,
        ),
    ]
    # "-1 for inverted predictions" holds for balanced classes only.
    for p in (0.5, 0.25):
        inverted = matrix_at(1.0, 0.0, p).kappa
        found.append(
            Check(
                "printed", f"kappa of inverted predictions is -1 at prevalence {p:g}", -1, inverted
            )
        )
    for row in models.to_dict("records"):
        matrix = Matrix(*(row[name] for name in Matrix._fields))
        by_rates = float(kappa_from_rates(matrix.fpr, matrix.recall, matrix.prevalence))
        name = f"{row['model']}, {row['cohort']} data: kappa by equation 19"
        found.append(Check("identity", name, row["kappa"], by_rates))
    return found


def figure_precision_recall(cohorts: Mapping[str, pd.DataFrame], models: Sequence[str]) -> Figure:
    """Precision against recall of the models, one panel a cohort, with the average precision."""
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, len(cohorts), figsize=(TWO_COLUMNS, 3.0), sharey=True)
    for axes, (cohort, scores), name in zip(panels, cohorts.items(), "ab", strict=True):
        share = float(scores["bad"].mean())
        of_model = {model: (bad, score) for model, bad, score in _models(scores)}
        for model, style in zip(models, LINE_STYLES, strict=False):
            fpr, tpr, _ = roc_vertices(*of_model[model])
            area = average_precision(fpr, tpr, share)
            precision = precision_recall(fpr, tpr, share)
            # Each stretch of recall has the precision of the vertex at its right end.
            found = tpr[1:] > 0
            axes.step(
                np.concatenate(([0.0], tpr[1:][found])),
                np.concatenate((precision[found][:1], precision[found])),
                where="pre",
                color=style.color,
                linestyle=style.linestyle,
                label=f"{MODEL_LABELS.get(model, model)}, AP {area:.3f}",
            )
        axes.axhline(share, **REFERENCE)
        axes.set(xlabel="recall $t$", xlim=(-0.02, 1.02), ylim=(0, 1.04))
        axes.set_title(f"{cohort} data, {100 * share:.1f} % bad", loc="right", color="0.35")
        axes.legend(loc="upper right")
        letter(axes, name)
    panels[0].set_ylabel("precision")
    return figure
