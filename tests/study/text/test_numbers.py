"""One form of each number."""

import pytest

from study.text.numbers import Fact, units_of, write_number


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.8812, "share", "88.1 %"),
        (0.11, "stated share", "11 %"),
        (0.4288499025, "measure", "0.429"),
        (-1e-9, "measure", "0.000"),
        (1.85, "points", "1.9"),
        (3e-10, "difference", "0"),
        (0.000337, "difference", "0.00034"),
        (99.97, "percentile", "> 99.5"),
        (0.04, "percentile", "< 0.5"),
        (0.6, "published", "0.60"),
        (0.1, "threshold", "0.1"),
        (44850, "count", "44,850"),
        (1000, "count", "1000"),
        (float("nan"), "measure", ""),
    ],
)
def test_forms(value, unit, text):
    assert write_number(value, unit) == text


def test_an_interval_has_the_form_of_its_number():
    fact = Fact(0.153, "share", 0.1239, 0.18721)
    assert str(fact) == "15.3 % [12.4, 18.7]"
    assert fact.ends == "12.4 % to 18.7 %"
    units = units_of(["share", "low", "high", "mean", "rising", "low", "kappa"])
    assert units["rising"] == "share"
    assert units["low"] == "measure"
