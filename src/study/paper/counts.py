"""Which counts of test rows print the network's rates, and what kappa is there: counts.csv.

A rate is a fraction of counts, so not every number of rows can print its digits (Brown and Heathers
2017). The point is taken as a corner of the curve of one test set, and its rates as no averages.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count, product
from typing import Literal

import pandas as pd

from kappacurve import kappa_from_rates, possible_counts
from study.experiment.sampling import ClassCounts, class_counts
from study.paper.printed import (
    INTERCHANGED,
    STATED_ROWS,
    TRAINING_ROWS,
    chances_of_bad_rows,
    count_test_rows,
    stated_sample,
)
from study.printed import CLASS_COUNTS, STATED, Printed, printed_point

Digits = Literal["rounded", "cut"]
DIGITS: tuple[Digits, ...] = ("rounded", "cut")
# Shares of bad test rows that random splits of a sample with 11 % of them usually have.
USUAL_SHARES = 0.09, 0.13
KAPPA_ROWS = 280  # about as many test rows have a kappa that prints as 0.328


def list_test_sets() -> list[tuple[ClassCounts, int]]:
    """A sample and its test rows: of the 768 rows that the text states, and of those it leaves."""
    majority, minority = CLASS_COUNTS.values()
    stated = class_counts(majority, minority, skew=STATED, scheme="total", total=STATED_ROWS)
    left = stated_sample()
    return [(stated, STATED_ROWS - TRAINING_ROWS), (left, KAPPA_ROWS), (left, count_test_rows())]


def counts_table() -> pd.DataFrame:
    """One row per confusion matrix whose rates print as the network's.

    For each number of test rows, positive class and reading of the digits (rounded, or cut off):
    the matrices with 9 to 13 % bad rows, or where there are none those with the likeliest number of
    bad rows. `chance` is that of so many bad rows in a random split. Kappa is at the share of the
    matrix itself, and with 11 and 89 % positives; `difference` is tpr - fpr.
    """
    tables = [
        choose_matrices(sample, test_rows, positive_class, digits)
        for sample, test_rows in list_test_sets()
        for positive_class in ("majority", "minority")
        for digits in DIGITS
    ]
    table = pd.concat(tables, ignore_index=True)
    share = table["positives"] / table["test_rows"]
    for name, prevalence in (
        ("kappa", share),
        ("kappa_at_11", STATED),
        ("kappa_at_89", INTERCHANGED),
    ):
        table[name] = kappa_from_rates(table["fpr"], table["tpr"], prevalence)
    table["difference"] = table["tpr"] - table["fpr"]
    return table


def choose_matrices(
    sample: ClassCounts, test_rows: int, positive_class: str, digits: Digits
) -> pd.DataFrame:
    """The matrices with 9 to 13 % bad rows, or with the likeliest number of them."""
    rows = sorted(list_matrices(test_rows, sample.minority, positive_class, digits))
    table = pd.DataFrame(rows, columns=["bad_rows", "positives", "tp", "fp", "tpr", "fpr"])
    chance = table["bad_rows"].map(chances_of_bad_rows(sample, test_rows))
    table.insert(1, "chance", chance)
    is_usual = (table["bad_rows"] / test_rows).between(*USUAL_SHARES)
    table = table[is_usual if is_usual.any() else chance == chance.max()]
    kind = {"positive_class": positive_class, "test_rows": test_rows, "digits": digits}
    return pd.DataFrame(kind, table.index).join(table)


def list_matrices(
    test_rows: int, most_bad_rows: int, positive_class: str, digits: Digits
) -> Iterator[tuple[float, ...]]:
    """Bad rows, positives, true and false positives, and both rates, if these print as printed."""
    point = printed_point()
    tpr, fpr = point.tpr.text, point.fpr.text
    for size in possible_counts(test_rows, tpr=tpr, fpr=fpr, digits=digits):
        positives, negatives = size.positives, test_rows - size.positives
        bad_rows = positives if positive_class == "minority" else negatives
        if size.true_positives and size.false_positives and bad_rows <= most_bad_rows:
            (least_tp, most_tp), (least_fp, most_fp) = size.true_positives, size.false_positives
            for tp, fp in product(range(least_tp, most_tp + 1), range(least_fp, most_fp + 1)):
                yield bad_rows, positives, tp, fp, tp / positives, fp / negatives


def select_matrices(
    counts: pd.DataFrame,
    positive_class: str,
    test_rows: int | None = None,
    digits: Digits = "rounded",
) -> pd.DataFrame:
    """The matrices with 9 to 13 % bad rows, of the test rows that the text leaves by default."""
    if test_rows is None:
        test_rows = count_test_rows()
    kind = counts["positive_class"].eq(positive_class) & counts["digits"].eq(digits)
    shares = counts["bad_rows"] / counts["test_rows"]
    return counts[kind & counts["test_rows"].eq(test_rows) & shares.between(*USUAL_SHARES)]


@cache
def smallest_class(tpr: Printed) -> int:
    """The fewest positive rows of which some share rounds to a printed true positive rate."""
    sizes = ((rows, possible_counts(rows + 1, positives=rows, tpr=tpr.text)) for rows in count(1))
    return next(rows for rows, (size,) in sizes if size.n_tables)
