"""One form of each number, wherever it stands: in a sentence, a table or a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import nan
from typing import Any

from study.published import published_text

DECIMALS = 6  # of a csv: more than anyone compares, fewer than the last bits of the arithmetic
P_VALUES = ("p_value", "p_adjusted")


# How a number of each unit is written.
FORMS: dict[str, Callable[[float], str]] = {
    "number": lambda value: f"{value:.{0 if value.is_integer() and abs(value) > 1 else 4}f}",
    "share": lambda value: f"{100 * value:.1f} %",
    # A share that a setting or a paper states, with the digits that it has there.
    "stated share": lambda value: f"{100 * value:.6g} %",
    "measure": "{:.3f}".format,
    "points": "{:.1f}".format,  # percentage points of the attainable gain
    "distance": "{:.1f}".format,
    "cost": "{:.3f}".format,
    "difference": lambda value: "0" if abs(value) < 1e-9 else f"{value:.2g}",
    # Of so many replicates that 0 and 100 claim too much.
    "percentile": lambda value: {"0.0": "< 0.5", "100.0": "> 99.5"}.get(
        text := f"{value:.1f}", text
    ),
    "published": published_text,
    "p value": "{:.2g}".format,
    "plain": "{:g}".format,
    # A threshold with fewer digits would give other counts.
    "threshold": lambda value: repr(value).removesuffix(".0"),
    # Thousands are set apart from five digits on.
    "count": lambda value: f"{value:{',' if abs(value) >= 10_000 else ''}.0f}",
}
# The units of columns by their names; the ends of an interval have that of the column before them.
ENDS = ("low", "median", "high")
UNITS = {
    **dict.fromkeys(("share", "ahead", "rising", "share_farther", "share_bad"), "share"),
    **dict.fromkeys(("ahead_low", "ahead_high", "share_low", "share_high"), "share"),
    **{f"reversal_share_{curve}": "share" for curve in ("raw", "hull", "both")},
    **dict.fromkeys(("auc", "auk", "h", "kappa", "reproduced", "mean", "sd"), "measure"),
    **dict.fromkeys(("of_matrices", "one_split", "expected_agreement"), "measure"),
    **dict.fromkeys(("distance", "typical", "near", "far", "z"), "distance"),
    **{name: name.replace("_", " ") for name in ("cost", "percentile", "published", "threshold")},
    **dict.fromkeys(P_VALUES, "p value"),
    **dict.fromkeys(("skew", "base"), "stated share"),
}


def units_of(columns: Iterable[str]) -> dict[str, str]:
    """The unit of the numbers in each column of a table."""
    units: dict[str, str] = {}
    of_ends = "number"
    for name in columns:
        units[name] = of_ends if name in ENDS else UNITS.get(name, "number")
        of_ends = of_ends if name == "rising" else units[name]  # a share between mean and ends
    return units


def write_number(value: float, unit: str) -> str:
    """A number in its unit's form; missing ones are nothing."""
    if value != value:
        return ""
    if unit not in ("p value", "threshold"):
        # From the decimals of the csv: what is read here and what the csv gives are then the same;
        # adding zero turns -0 into 0.
        value = round(value, DECIMALS) + 0.0
    return FORMS[unit](value)


@dataclass(frozen=True)
class Fact:
    """A number that documents say, with its unit (of FORMS) and, where it has one, its interval."""

    value: float
    unit: str = "number"
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        """As every document prints it."""
        if self.low is None:
            return self.point
        ends = self.ends.replace(" %", "").replace(" to ", ", ")
        return f"{self.point} [{ends}]"

    @property
    def point(self) -> str:
        """Without the interval."""
        return write_number(self.value, self.unit)

    @property
    def ends(self) -> str:
        """The interval alone, from one end to the other."""
        low, high = (nan if end is None else end for end in (self.low, self.high))
        return f"{write_number(low, self.unit)} to {write_number(high, self.unit)}"


def fact_of(value: Any, unit: str, *ends: Any) -> Fact | None:
    """A fact of numbers of any kind; None of a missing one."""
    if value is None or value != value:
        return None
    return Fact(float(value), unit, *(float(end) for end in ends if end == end))
