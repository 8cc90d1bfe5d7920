"""Counts that print the network's rates: by plain loops, and the facts that the texts state."""

from math import comb, floor

import numpy as np
import pytest
from pytest import approx

from study.paper.counts import select_matrices, smallest_class
from study.printed import Printed


def is_printed(value, number, decimals, digits):
    units = value * 10**decimals
    whole = floor(units + 1e-9) if digits == "cut" else round(units)
    return whole == round(number * 10**decimals)


def kappa(f, t, p):
    q = 1 - p
    flagged = p * t + q * f
    return 2 * p * q * (t - f) / (p * (1 - flagged) + q * flagged)


@pytest.mark.parametrize(("test_rows", "n_rows", "bad"), [(268, 768, 84), (286, 786, 86)])
@pytest.mark.parametrize("positive_class", ["majority", "minority"])
@pytest.mark.parametrize("digits", ["rounded", "cut"])
def test_matrices_are_those_of_plain_loops(counts, test_rows, n_rows, bad, positive_class, digits):
    found = {}
    for bad_rows in range(1, bad + 1):
        positives = bad_rows if positive_class == "minority" else test_rows - bad_rows
        negatives = test_rows - positives
        for tp in range(positives + 1):
            for fp in range(negatives + 1):
                f, t = fp / negatives, tp / positives
                if is_printed(f, 0.60, 2, digits) and is_printed(t, 0.928, 3, digits):
                    found[bad_rows, tp, fp] = (kappa(f, t, positives / test_rows), t - f)
    usual = {key: values for key, values in found.items() if 0.09 <= key[0] / test_rows <= 0.13}
    table = select_matrices(counts, positive_class, test_rows, digits)
    assert {*zip(table["bad_rows"], table["tp"], table["fp"], strict=True)} == {*usual}
    expected = np.array(list(usual.values())).reshape(-1, 2)
    assert table[["kappa", "difference"]].to_numpy() == approx(expected)
    kind = counts["positive_class"].eq(positive_class) & counts["digits"].eq(digits)
    rows = counts[kind & counts["test_rows"].eq(test_rows)]
    assert len(rows)
    assert {*zip(rows["bad_rows"], rows["tp"], rows["fp"], strict=True)} <= {*found}
    for row in rows.itertuples():
        ways = comb(bad, row.bad_rows) * comb(n_rows - bad, test_rows - row.bad_rows)
        assert row.chance == approx(ways / comb(n_rows, test_rows))


def test_what_the_texts_say_of_the_counts(counts):
    assert smallest_class(Printed("0.928")) == 69
    # Of 286 test rows only 35 bad ones print both rates, and 0.328 is their difference.
    (row,) = select_matrices(counts, "majority").to_dict("records")
    assert (row["bad_rows"], row["tp"], row["fp"]) == (35, 233, 21)
    values = [row[name] for name in ("kappa", "kappa_at_89", "difference", "chance")]
    assert values == approx([0.3409, 0.3312, 0.3283, 0.0633], abs=5e-5)
    # Of 280 rows with 30 bad ones kappa prints, too; of 268 none is left.
    (row,) = select_matrices(counts, "majority", 280).to_dict("records")
    assert (row["bad_rows"], row["kappa"]) == (30, approx(0.328, abs=5e-5))
    assert select_matrices(counts, "majority", 268).empty
    for test_rows in (268, 280, 286):
        assert select_matrices(counts, "minority", test_rows).empty
