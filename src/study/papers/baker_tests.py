"""Tests of the AUC after Baker: against chance, of the same rows, and of different rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from kappacurve import (
    Comparison,
    Estimate,
    delong_interval,
    delong_test,
    hanley_mcneil_standard_error,
    unpaired_test,
)
from study.arrays import FloatArray
from study.errors import ExperimentError

ONE_MODEL = "the test rows are independent; the fitted model is held fixed"
SAME_FEATURES = f"{ONE_MODEL}; both models saw the same training rows and features"
APART = f"{ONE_MODEL}; the two groups share no row"
UNDER_CHANCE = f"{ONE_MODEL}; the error of the test is that of a true AUC of 0.5"
CHANCE = Estimate(0.5, 0.0, 0.5, 0.5)


def _hanley_mcneil(bad: FloatArray, score: FloatArray, at: float | None = None) -> Estimate:
    """AUC with Hanley and McNeil's error; at 0.5, the error it has if that were the true AUC.

    The ends are not known: a comparison takes the estimate and its error alone.
    """
    auc = delong_interval(bad, score).estimate
    n_bad = int(bad.sum())
    error = hanley_mcneil_standard_error(auc if at is None else at, n_bad, len(bad) - n_bad)
    return Estimate(auc, error, 0.0, 1.0)


def auc_tests(scores: pd.DataFrame, models: Sequence[str], group: pd.Series) -> pd.DataFrame:
    """One AUC against chance, two of the same rows, and two of different rows.

    Every model (row, bad, model, score) is tested against 0.5, and all are compared with the first.
    `group` is indexed by row number; its first two values (sorted) are the independent groups.

    Columns: test, what, method, auc, other, difference, standard_error (at the AUC found), low,
    high (95 % interval of the difference, from that error), test_error, statistic (the difference
    by test_error), p_value, assumes. test_error is the error if the hypothesis holds where the
    method gives one (Hanley and McNeil's against 0.5), otherwise standard_error.

    Hanley & McNeil (1982), Radiology 143, 29-36, doi:10.1148/radiology.143.1.7063747. DeLong,
    DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, doi:10.2307/2531595.
    """
    of_model = {model: scores[scores["model"] == model].set_index("row") for model in models}
    rows = [row for model, table in of_model.items() for row in _against_chance(model, table)]
    first = of_model[models[0]]
    for model in models[1:]:
        # Both models scored the same rows; the index puts them side by side.
        second = of_model[model].loc[first.index]
        paired = delong_test(first["bad"], first["score"], second["score"])
        auc = delong_interval(first["bad"], first["score"]).estimate
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
    delong, found = delong_interval(bad, score), _hanley_mcneil(bad, score)
    # The error of an AUC of 0.5 belongs to the test of that hypothesis; the interval needs the
    # error at the AUC found. DeLong's has only the latter.
    under = unpaired_test(_hanley_mcneil(bad, score, at=0.5), CHANCE)
    what, auc = ("one AUC against 0.5", model), found.estimate
    return [
        _row(*what, "DeLong", auc, unpaired_test(delong, CHANCE), ONE_MODEL),
        _row(*what, "Hanley-McNeil", auc, unpaired_test(found, CHANCE), UNDER_CHANCE, under),
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
    for method, estimate in (("DeLong", delong_interval), ("Hanley-McNeil", _hanley_mcneil)):
        first, second = (
            estimate(part["bad"].to_numpy(dtype=float), part["score"].to_numpy()) for part in parts
        )
        compared = unpaired_test(first, second)
        rows.append(_row("two independent AUCs", what, method, first.estimate, compared, APART))
    return rows
