"""One form of each number."""

import pytest

from study.text.numbers import Fact, fact_of, units_of, write_number


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
        (-0.25, "difference", "-0.25"),
        (99.97, "percentile", "> 99.5"),
        (0.04, "percentile", "< 0.5"),
        (0.6, "published", "0.60"),
        (0.1, "threshold", "0.1"),
        (10_000, "count", "10,000"),
        (9_999, "count", "9999"),
        (2.0, "number", "2"),
        (-3.0, "number", "-3"),
        (1.0, "number", "1.0000"),
        (-0.25, "number", "-0.2500"),
        (0.06, "percentile", "0.1"),
        (99.94, "percentile", "99.9"),
        (3.1e-12, "p value", "3.1e-12"),
        (-1e-7, "threshold", "-1e-07"),
        (float("nan"), "measure", ""),
    ],
)
def test_forms(value, unit, text):
    assert write_number(value, unit) == text


def test_an_interval_has_the_form_of_its_number():
    fact = Fact(0.153, "share", 0.1239, 0.18721)
    assert str(fact) == "15.3 % [12.4, 18.7]"
    assert fact.ends == "12.4 % to 18.7 %"
    assert [fact_of(value, "share") for value in (None, float("nan"))] == [None, None]
    assert fact_of(1, "share", 0, float("nan")) == Fact(1.0, "share", 0.0)
    units = units_of(["share", "low", "high", "mean", "rising", "low", "kappa"])
    assert units["rising"] == "share"
    assert units["low"] == "measure"
