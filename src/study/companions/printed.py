"""The table of a source: what it prints, what is computed here, and whether they agree."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from study.printed import RARE_SHARE, Printed
from study.tables.reversals import share_with_interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What each source prints, with its digits; percentages are shares. Where it prints an equation or a
# statement, the number is the one that this gives, or contradicts, in the source's own example.
PRINTED_FILE = Path(__file__).with_name("printed.csv")
COLUMNS = ["source", "place", "quantity", "printed", "computed", "agrees", "note"]
# Values by place and quantity.
Numbers = dict[tuple[str, str], float]
# How many of our runs reach a number printed of one run, and how many there are.
Runs = dict[tuple[str, str], tuple[int, int]]
# Values that a note names in braces, by place and quantity.
Named = dict[tuple[str, str], dict[str, float]]


class Inputs(NamedTuple):
    """What companions are given.

    Scores (minority, model, score) of one split of the paper's sample and of the original data, the
    features (row, minority and one column each) of all 1,000 customers, the compared models, a
    seed, the width of a column in inches, and the loan data of Hand's Example 3 if there are any.
    """

    paper: pd.DataFrame
    original: pd.DataFrame
    features: pd.DataFrame
    models: Sequence[str]
    seed: int
    width: float
    loans: pd.DataFrame | None = None


class Companion(NamedTuple):
    """What a companion writes: its table and its figures by the name of their files."""

    table: pd.DataFrame
    figures: dict[str, Figure]


def compare_numbers(
    source: str,
    computed: Numbers,
    named: Named | None = None,
    runs: Runs | None = None,
) -> pd.DataFrame:
    """One row (COLUMNS) per number that a source prints, if it is among those computed.

    A number agrees ("yes") if the computed value rounds to the printed digits, either way at a
    tie; otherwise ("no") the note says why. A number of a single run is not refuted by the mean of
    others: it is "rare" if clearly fewer than 5 % of ours, counted in `runs`, show as much, else
    "yes". A note such as "Our AUK is {auk:.3f}." takes its values from those named.
    """
    rows = []
    with PRINTED_FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            place = row["place"], row["quantity"]
            if row["source"] == source and place in computed:
                agrees = Printed(row["printed"]).is_of(computed[place])
                row["agrees"] = "yes" if agrees else "no"
                if runs and place in runs:
                    is_rare = share_with_interval(*runs[place])["high"] < RARE_SHARE
                    row["agrees"] = "rare" if is_rare else "yes"
                row["note"] = row["note"].format(**(named or {}).get(place, {}))
                # Without the last bits of a zero, and without its sign.
                rows.append({**row, "computed": round(computed[place], 12) + 0.0})
    return pd.DataFrame(rows, columns=COLUMNS)


def list_numbers(place: str, values: Mapping[str, float]) -> Numbers:
    """The values of a place."""
    return {(place, quantity): value for quantity, value in values.items()}


def measure_matrix(tp: float, fn: float, fp: float, tn: float) -> dict[str, float]:
    """Statistics of a confusion matrix in counts or in shares of all cases.

    Kappa is (accuracy - chance agreement) / (1 - chance agreement). The largest kappa is that of
    the matrix with the same totals and the largest accuracy they allow.
    """
    n = tp + fn + fp + tn
    actual = (tp + fn) / n
    predicted = (tp + fp) / n
    chance = actual * predicted + (1 - actual) * (1 - predicted)
    accuracy = (tp + tn) / n
    largest_accuracy = min(actual, predicted) + min(1 - actual, 1 - predicted)
    return {
        "accuracy": accuracy,
        "share of positives": actual,
        "share predicted positive": predicted,
        "chance agreement": chance,
        "kappa": (accuracy - chance) / (1 - chance),
        "largest kappa": (largest_accuracy - chance) / (1 - chance),
        "true positive rate": tp / (tp + fn),
        "false positive rate": fp / (fp + tn),
    }
