"""The table of a source: what it prints, what is computed here, and whether they agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from study.published import Printed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = ["source", "place", "quantity", "printed", "computed", "agrees", "note"]


class Row(NamedTuple):
    """A printed number, with the digits of the source, and the value computed for it.

    Percentages are written as shares. Where the source prints an equation or a statement, the
    printed number is the value that it gives, or contradicts, in the source's own example.
    """

    place: str
    quantity: str
    printed: str
    computed: float
    note: str = ""


class Companion(NamedTuple):
    """What a companion writes: its table and its figures by the name of their files."""

    table: pd.DataFrame
    figures: dict[str, Figure]


def compare_rows(source: str, rows: Iterable[Row]) -> pd.DataFrame:
    """The table of a source, with the columns COLUMNS.

    A number agrees ("yes") if the computed value rounds to the printed digits, either way at a
    tie; otherwise ("no") the note says why.
    """
    table = pd.DataFrame(rows, columns=list(Row._fields)).assign(source=source)
    pairs = zip(table["printed"], table["computed"], strict=True)
    agrees = [Printed(printed).is_of(computed) for printed, computed in pairs]
    table["agrees"] = ["yes" if agreement else "no" for agreement in agrees]
    # Rounded, so that the last bits of a zero are not printed; adding 0 turns -0 into 0.
    table["computed"] = table["computed"].round(12) + 0.0
    return table[COLUMNS]


def list_rows(
    place: str, printed: Mapping[str, str], computed: Mapping[str, float], note: str = ""
) -> list[Row]:
    """One row per printed number of a place, with the value computed under the same name."""
    return [
        Row(place, quantity, text, computed[quantity], note) for quantity, text in printed.items()
    ]


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
