"""Which model leads by each measure, in what share of the splits, and by how much.

Splits share rows, so means over them are compared by the corrected resampled t test of Nadeau and
Bengio (2003), which takes the variance of a mean over J splits as (1/J + n_test/n_train) s^2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from study.experiment.decisions import REFERENCES
from study.tables.reversals import ROUNDING, share_with_interval

MEASURES = ("auc", "auk", "h")
# Of decisions; they are to be near 1, so no model leads.
NEAR_ONE = ("observed_over_expected", "calibration_slope")
# Of fewer splits, or fewer test rows of the rarer class in half of them, nothing is claimed.
MIN_SPLITS = MIN_TEST_ROWS = 5
LEVEL = 0.05
# Its training rests on the last digits of a CPU's linear algebra, as no answer may.
CPU_DEPENDENT = "neural_net_lm"
LEAST_LOSS = "Threshold: that of the least loss on the training rows."
TOO_FEW = "Nothing can be said"
NOT_COMPARED = "Not compared:"
MISSED_LIMIT = f"{NOT_COMPARED} on the test rows it has"
COLUMNS = ["positive_class", "measure", "model", "splits", "mean", "leads", "share", "low", "high"]
COLUMNS += ["difference", "lower", "upper", "p_value", "note"]


def distinct_splits(measures: pd.DataFrame) -> pd.Series[Any]:
    """Test rows of the rarer class, by the first replicate of each set of test rows.

    Groups may be drawn alike more than once.
    """
    splits = measures.drop_duplicates("replicate").drop_duplicates("test_set")
    return splits.set_index("replicate")["rarer"]


def ratio_of_rows(drawn: Mapping[Any, Any]) -> float:
    """Test rows for each training row, from the attrs of drawn replicates."""
    n_train = drawn["n_train"]
    return float((drawn["majority"] + drawn["minority"] - n_train) / n_train)


def leads_table(
    measures: pd.DataFrame, splits: pd.Series[Any], test_to_train: float, at_tolerance: float
) -> pd.DataFrame:
    """A row for each positive class, measure (of the raw curve) and model, the best mean first.

    The measures of decisions (:mod:`study.experiment.decisions`) stand above those of ranking, if
    there are any. Losses are compared with what needs no model, too: "(nobody)" or "(everybody)",
    of which the one that loses less, or "(share alone)".

    `share` is that of the distinct splits in which the model is ahead of all others, with a Wilson
    interval; `difference` is the leader's mean less the model's, with lower and upper ends and p
    value corrected for all pairs of models (Bonferroni). `splits` are those of
    :func:`distinct_splits`; `note` says why nothing is claimed of too few splits or test rows.

    Models are compared over the splits in which all have scores. One that has none in half of the
    splits, or misses the measure's limit by more than `at_tolerance`, a share of it, on the test
    rows, is not compared: its row, the last, has its own mean.
    """
    chosen = measures["curve"].eq("raw") & measures["model"].ne(CPU_DEPENDENT)
    chosen &= measures["replicate"].isin(splits.index)
    rows: list[dict[str, Any]] = []
    for side, table in measures[chosen].groupby("positive_class"):
        by_split = table.set_index(["replicate", "model"])
        by_training: set[Any] = set()
        if "by_probability" in table:
            by_training = set(table.loc[table["by_probability"] == 0, "model"])
        for measure in [*_decision_measures(table), *MEASURES]:
            every = by_split[measure].unstack()  # noqa: PD010
            every = every.dropna(how="all")  # of splits in which a side lacks a class
            if measure == "brier":  # models without probabilities have none
                every = every.dropna(axis=1, how="all")
            every = every.assign(**_best_reference(by_split, measure))
            count = every.notna().sum()
            left_out = {
                model: f"{NOT_COMPARED} it has values in {count[model]} of {len(every)} splits."
                for model in every.columns[count <= len(every) / 2]
            }
            left_out |= _missed_limits(by_split, measure, at_tolerance)
            wide = every.drop(columns=list(left_out)).dropna()
            sign = -1 if is_better_small(measure) else 1
            means = wide.mean().sort_values(ascending=sign < 0, kind="stable")
            note, fewest = None, splits.loc[wide.index].median()
            if len(wide) < MIN_SPLITS or fewest < MIN_TEST_ROWS:
                note = (
                    f"{TOO_FEW} by {len(wide)} distinct splits with {fewest:g} test rows "
                    f"of the rarer class in the median: {MIN_SPLITS} of each are needed."
                )
            claimed = wide.shape[1] > 1 and not note
            pairs = len(means) * (len(means) - 1) / 2
            for model, mean in means.items():
                others = (sign * wide.drop(columns=model)).max(axis=1)
                ahead = int((sign * wide[model] > others + ROUNDING).sum())
                row = {"positive_class": side, "measure": measure, "model": model}
                row |= {"splits": len(wide), "mean": mean, "leads": ahead, "note": note}
                if measure == "expected_loss" and model in by_training:
                    row["note"] = note or LEAST_LOSS
                if claimed:
                    row |= share_with_interval(ahead, len(wide))
                if claimed and model != means.index[0]:
                    lead = wide[means.index[0]] - wide[model]
                    row |= corrected_test(lead.to_numpy(), test_to_train, pairs)
                rows.append(row)
            for model, reason in left_out.items():
                row = {"positive_class": side, "measure": measure, "model": model}
                row |= {"splits": int(count[model]), "mean": every[model].mean()}
                rows.append(row | {"note": reason})
        for measure in NEAR_ONE:
            if measure not in table:
                continue
            by_model = table.dropna(subset=measure).groupby("model", sort=False)[measure]
            for model, values in by_model:
                row = {"positive_class": side, "measure": measure, "model": model}
                rows.append(row | {"splits": len(values), "mean": values.mean()})
    return pd.DataFrame(rows, columns=COLUMNS).astype({"leads": "Int64"})


def is_better_small(measure: str) -> bool:
    """Whether the smallest value is the best: a loss, or the share of rows that are flagged."""
    return measure in REFERENCES or measure.startswith("flagged")


def _decision_measures(table: pd.DataFrame) -> list[str]:
    """The measures of decisions that the experiment has, with this class positive."""
    names = [*REFERENCES, "recall", "flagged"]
    names += [str(name) for name in table if str(name).startswith(("recall at ", "flagged at "))]
    return [name for name in names if name in table and table[name].notna().any()]


def _missed_limits(by_split: pd.DataFrame, measure: str, at_tolerance: float) -> dict[str, str]:
    """The models whose test rows miss a limit on recall or flagged rows, and the reason."""
    limit = measure.partition(" at ")[2]
    quantity = re.split("[<>]", limit)[0]
    if f"{quantity} at {limit}" not in by_split:
        return {}
    bound = limit.partition("=")[2]
    means = by_split[f"{quantity} at {limit}"].groupby(level="model").mean()
    distance = (means / float(bound) - 1) * (1 if "<=" in limit else -1)
    return {
        str(model): f"{MISSED_LIMIT} {quantity} {mean:.3g}."
        for model, mean in means[distance > at_tolerance].items()
    }


def _best_reference(by_split: pd.DataFrame, measure: str) -> dict[str, pd.Series[Any]]:
    """The least loss without a model in each split, by its name; none of other measures."""
    columns = REFERENCES.get(measure, {})
    first = by_split.groupby(level="replicate").first()
    losses = {name: first[column] for name, column in columns.items()}
    best = min(losses, key=lambda name: losses[name].mean(), default=None)
    return {} if best is None else {best: losses[best]}


def corrected_test(lead: Any, test_to_train: float, tests: float = 1) -> dict[str, float]:
    """Mean difference over splits, its interval and its p value, as one of several tests."""
    from scipy.special import stdtr, stdtrit

    n, mean = len(lead), float(np.mean(lead))
    if not np.ptp(lead):
        return {"difference": mean}
    error = float(np.sqrt((1 / n + test_to_train) * np.var(lead, ddof=1)))
    reach = -float(stdtrit(n - 1, LEVEL / 2 / tests)) * error
    p_value = min(1.0, 2 * tests * float(stdtr(n - 1, -abs(mean) / error)))
    return {"difference": mean, "lower": mean - reach, "upper": mean + reach, "p_value": p_value}
