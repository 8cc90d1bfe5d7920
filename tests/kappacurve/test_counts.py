"""Counts of confusion matrices: held to plain loops, printed examples and another package."""

import csv
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from kappacurve import possible_counts
from kappacurve.comparison.audit import check_printed
from kappacurve.curves.counts import (
    MEASURES,
    Printed,
    find_tables,
    read_number,
    read_numbers,
    smallest_share,
)

PATH = Path(__file__).with_name("printed_numbers.csv")
EXAMPLES = list(csv.DictReader(PATH.read_text().splitlines()))


def exact_measures(p, q, tp, fp):
    fn, tn, n = p - tp, q - fp, p + q
    chance = (tp + fp) * p + (fn + tn) * q
    found = {
        "tpr": Fraction(tp, p),
        "fpr": Fraction(fp, q),
        "specificity": Fraction(tn, q),
        "accuracy": Fraction(tp + tn, n),
        "f1": Fraction(2 * tp, 2 * tp + fp + fn),
        "kappa": Fraction(n * (tp + tn) - chance, n * n - chance),
    }
    return found if tp + fp == 0 else found | {"precision": Fraction(tp, tp + fp)}


def miss(value, text, digits):
    """How far a value lies from the middle of those that print a number, in halves of a unit."""
    unit = Fraction(1, 10 ** -Decimal(text).as_tuple().exponent)
    middle = Fraction(text)
    if digits == "cut":
        middle += -unit / 2 if text.startswith("-") else unit / 2
    return (value - middle) / (unit / 2)


def prints(value, text, digits):
    off = miss(value, text, digits)
    if digits == "rounded":
        return -1 <= off <= 1
    return -1 < off <= 1 if text.startswith("-") else -1 <= off < 1


def misses(p, q, pair, printed, digits):
    """The misses of all measures, the worst first."""
    values = exact_measures(p, q, *pair)
    found = [abs(miss(values[name], text, digits)) for name, text in printed.items()]
    return sorted(found, reverse=True)


def random_question(rng):
    """A small test set and some of its numbers, true or a little off."""
    rows = int(rng.integers(2, 17))
    p = int(rng.integers(1, rows))
    values = exact_measures(
        p, rows - p, rng.integers(p + 1).item(), rng.integers(rows - p + 1).item()
    )
    printed = {}
    for name in rng.permutation(sorted(values))[: rng.integers(1, 5)].tolist():
        value = float(values[name]) + rng.choice([0, 0, 0, 0.01, -0.03])
        value = min(max(value, -1 if name == "kappa" else 0), 1)
        printed[name] = f"{value:.{rng.choice([1, 2, 3, 4, 17])}f}"
    return rows, p if rng.random() < 0.3 else None, printed


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("digits", ["rounded", "cut"])
def test_every_count_against_plain_loops(seed, digits):
    rows, positives, printed = random_question(np.random.default_rng(seed))
    found = possible_counts(rows, positives=positives, digits=digits, **printed)
    sizes = range(1, rows) if positives is None else [positives]
    assert [size.positives for size in found] == list(sizes)
    for p, negatives, true_positives, false_positives, n_tables, nearest in found:
        q = rows - p
        assert negatives == q
        pairs = [(tp, fp) for tp in range(p + 1) for fp in range(q + 1)]
        if "precision" in printed:
            pairs.remove((0, 0))
        values = {pair: exact_measures(p, q, *pair) for pair in pairs}
        assert n_tables == sum(
            all(prints(values[pair][name], text, digits) for name, text in printed.items())
            for pair in pairs
        )
        least = min(misses(p, q, pair, printed, digits) for pair in pairs)
        off = [float(x) for x in misses(p, q, nearest, printed, digits)]
        assert off == pytest.approx([float(x) for x in least], 1e-9, 1e-12)
        for place, names, counts in (
            (0, {"tpr"}, true_positives),
            (1, {"fpr", "specificity"}, false_positives),
        ):
            own = {name: printed[name] for name in names & printed.keys()}
            fit = sorted(
                pair[place]
                for pair in [(k, 0) if place == 0 else (0, k) for k in range((p, q)[place] + 1)]
                if all(
                    prints(exact_measures(p, q, *pair)[name], text, digits)
                    for name, text in own.items()
                )
            )
            assert counts == ((fit[0], fit[-1]) if fit else None)


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_printed_examples(example):
    """Numbers in texts and in software's output, counted by loops over all tables elsewhere."""
    printed = {name: example[name] for name in MEASURES if example[name]}
    positives = int(example["positives"]) if example["positives"] else None
    found = check_printed(printed, rows=int(example["rows"]), positives=positives)["counts"]
    for digits in ("rounded", "cut"):
        assert (found[digits]["n_tables"] > 0) == (example[digits] == "possible")
        assert bool(found[digits]["contradictions"]) == (example[digits] == "impossible")
    least = example["n_tables"].removeprefix(">=")
    assert found["rounded"]["n_tables"] >= int(least)
    assert found["rounded"]["n_tables"] == int(least) or least != example["n_tables"]


def test_the_published_operating_point():
    """Kaymak et al. (2010), section 8.2: which test sets print 0.60, 0.928 and 0.328."""
    assert smallest_share(read_number("tpr", "0.928")) == Fraction(64, 69)
    assert smallest_share(read_number("tpr", "0.4", "cut")) == Fraction(2, 5)  # 1/2 prints as 0.5
    sizes = [
        n for n in range(1, 100) if possible_counts(n + 1, positives=n, tpr="0.928")[0].n_tables
    ]
    assert sizes == [69, 83, 97]
    rates = {"fpr": "0.60", "tpr": "0.928"}
    # Good customers positive, 9 to 13 % bad: one size of 286 rows, none of 268.
    fits = [
        (rows, size.positives, size.nearest)
        for rows in (286, 268)
        for size in possible_counts(rows, **rates)
        if size.n_tables and 0.09 <= size.negatives / rows <= 0.13
    ]
    assert fits == [(286, 251, (233, 21))]
    printed = read_numbers(rates | {"kappa": "0.328"})
    with_kappa = [
        rows
        for rows in range(150, 331)
        if any(find_tables(rows, np.arange(int(0.87 * rows) + 1, int(0.91 * rows) + 1), printed))
    ]
    assert with_kappa == [186, 187, 232, 233, 234, 279, 280, 281, 325, 326, 327, 328]


@pytest.mark.parametrize(
    ("text", "digits", "expected"),
    [
        ("0.12", "rounded", (23, 25, 200)),
        ("12 %", "cut", (12, 13, 100, False, True)),
        ("-.12", "cut", (-13, -12, 100, True, False)),
        ("-0.0", "cut", (-1, 0, 10, True, False)),
    ],
)
def test_values_that_print_a_number(text, digits, expected):
    """Low and high end over their scale, and which of them print something else."""
    assert read_number("kappa", text, digits) == Printed(*expected)


def test_no_size_has_the_printed_prevalence():
    assert possible_counts(5, prevalence="0.11", tpr="0.5") == []


def test_many_digits_and_many_rows_are_counted_exactly():
    """232 of 250 and 18 of 30: kappa has 20 digits, or every count is 1000 times as large."""
    kappa = exact_measures(250, 30, 232, 18)["kappa"]
    text = f"{Decimal(kappa.numerator) / kappa.denominator:.20f}"
    (size,) = possible_counts(280, positives=250, kappa=text)
    assert (size.n_tables, size.nearest) == (1, (232, 18))
    (size,) = possible_counts(280_000, positives=250_000, tpr="0.928000", fpr="0.600000")
    assert (size.n_tables, size.nearest) == (1, (232_000, 18_000))
    # Of 31 positives 29 are nearest to 0.928; then thousands of counts have a nearer rate.
    (size,) = possible_counts(20_031, positives=31, tpr="0.928", fpr="0.60")
    assert (size.n_tables, size.nearest) == (0, (29, 12_000))
    found = possible_counts(100_000, prevalence="0.8929", fpr="0.600", tpr="0.9280", kappa="0.328")
    assert [found[0].positives, found[-1].positives] == [89_285, 89_295]
    size = found[5]
    pairs = [(tp, fp) for tp in range(82_840, 82_880) for fp in range(6_400, 6_450)]
    printed = {"fpr": "0.600", "tpr": "0.9280", "kappa": "0.328"}
    values = [exact_measures(size.positives, size.negatives, *pair) for pair in pairs]
    assert size.n_tables == sum(
        all(prints(value[name], text, "rounded") for name, text in printed.items())
        for value in values
    )


REFUSED = [
    ({"rows": 1}, "rows must be an integer of at least 2, got 1"),
    ({"rows": 2.5}, "rows must be an integer"),
    ({"positives": 20}, "positives must be less than rows, 20, got 20"),
    ({"positives": 0}, "positives must be an integer of at least 1, got 0"),
    ({"tpr": 0.6}, "tpr must be text with all printed digits, as '0.60', got 0.6"),
    ({"tpr": "6e-1"}, "tpr: '6e-1' is not a decimal number"),
    ({"tpr": "60"}, r"tpr must lie between 0 and 1, got 60: did you mean 0.6\?"),
    ({"f1": "-0.1"}, "f1 must lie between 0 and 1"),
    ({"kappa": "-1.1"}, "kappa must lie between -1 and 1"),
    ({"tpr": "0.6", "digits": "up"}, 'digits must be "rounded" or "cut"'),
    ({"rows": 100_000, "kappa": "0.3"}, "too coarse to count: .* Give the positives"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_what_is_refused_is_said_in_a_sentence(arguments, message):
    with pytest.raises(ValueError, match=message):
        possible_counts(**({"rows": 20} | arguments))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_counts_of_another_package(seed):
    """mlscorecheck 1.0.3 tries the tables of a known split, and accepts some that do not print."""
    check = pytest.importorskip("mlscorecheck.check.binary").check_1_testset_no_kfold
    rng = np.random.default_rng(seed)
    p, q = rng.integers(5, 150, size=2).tolist()
    pair = int(rng.integers(1, p + 1)), int(rng.integers(0, q + 1))
    values = exact_measures(p, q, *pair)
    names = rng.choice(sorted(values), size=rng.integers(1, 5), replace=False).tolist()
    moved = rng.choice([0, 0, 0.001, -0.001], size=len(names))
    printed = {
        name: f"{min(max(float(values[name]) + change, 0), 1):.3f}"
        for name, change in zip(names, moved, strict=True)
    }
    renamed = {"fpr": "fpr", "tpr": "sens", "specificity": "spec", "accuracy": "acc"}
    renamed |= {"precision": "ppv", "f1": "f1", "kappa": "kappa"}
    scores = {renamed[name]: float(text) for name, text in printed.items()}
    result = check(testset={"p": p, "n": q}, scores=scores, eps=0.0005)
    (size,) = possible_counts(p + q, positives=p, **printed)
    if result["inconsistency"]:
        assert size.n_tables == 0
    else:
        found = exact_measures(p, q, result["evidence"]["tp"], q - result["evidence"]["tn"])
        real = all(
            name in found and prints(found[name], text, "rounded") for name, text in printed.items()
        )
        assert size.n_tables >= real
        assert size.n_tables <= result["n_valid_tptn_pairs"]
