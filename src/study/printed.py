"""The printed numbers, and what the study calls the models."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

# The paper's network has two counterparts here, trained by different algorithms.
PRINTED_MODEL = {"linear": "linear", "neural_net": "neural_net", "neural_net_lm": "neural_net"}
STATED = 0.11  # share of bad customers, the positive class, in the text of section 8
# Rows of each class in German Credit.
CLASS_COUNTS = {"majority": 700, "minority": 300}
# Whose order by two measures the paper compares.
PAPER_PAIR = ("linear", "neural_net")


class ModelLabels(dict[str, str]):
    """What people call the models; a user's model has its own name."""

    def __missing__(self, model: str) -> str:
        """The name itself."""
        return model


# The paper's pair first: figures give models their colours in this order.
MODEL_LABELS = ModelLabels(
    linear="linear",
    neural_net="network",
    logistic="logistic",
    neural_net_lm="network (LM)",
    neural_net_stopped="network (stopped early)",
)
# Events in fewer than 5 % of splits count as rare.
RARE_SHARE = 0.05
# Printed values by curve, model and measure.
Lookup = Mapping[tuple[str, str, str], float]


class Printed(NamedTuple):
    """A number as it is printed."""

    text: str

    @property
    def value(self) -> float:
        """The number."""
        return float(self.text)

    @property
    def decimals(self) -> int:
        """Digits after the point: 0.60 has two."""
        return len(self.text.partition(".")[2])

    @property
    def half_unit(self) -> float:
        """Half of one in the last digit: a number this far off may round to it."""
        return float(0.5 * 10**-self.decimals)

    def is_of(self, found: float) -> bool:
        """Whether a value found rounds to it (either way at a tie)."""
        return abs(found - self.value) <= self.half_unit + 1e-12


# Printed numbers by their places.
Numbers = dict[Any, Printed]


class Pair(NamedTuple):
    """A printed AUC with its AUK: of a table, of ROC curves or hulls, of a model."""

    place: str
    curve: Literal["hull", "raw"]
    model: str
    auc: Printed
    auk: Printed


class Point(NamedTuple):
    """The printed operating point of the network."""

    fpr: Printed
    tpr: Printed
    kappa: Printed


@cache
def read_printed() -> list[dict[str, str]]:
    """Every row: source, place, curve, model, measure, value."""
    text = Path(__file__).with_suffix(".csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


@cache
def printed_numbers() -> Numbers:
    """The eleven printed numbers by place, curve, model and measure.

    Kaymak, Ben-David & Potharst (2010), Tables 4 and 5 and the end of section 8.
    """
    return {
        (row["place"], row["curve"], row["model"], row["measure"]): Printed(row["value"])
        for row in read_printed()
        if row["curve"]
    }


def printed_pairs() -> list[Pair]:
    """The four pairs of AUC and AUK in Tables 4 and 5."""
    numbers = printed_numbers()
    return [
        Pair(place, curve, model, auc, numbers[place, curve, model, "auk"])
        for (place, curve, model, measure), auc in numbers.items()
        if measure == "auc"
    ]


def printed_point() -> Point:
    """The network's optimum at the end of section 8."""
    place = "Section 8", "hull", "neural_net"
    return Point(*(printed_numbers()[(*place, name)] for name in ("fpr", "tpr", "kappa_max")))


def printed_by(source: str) -> dict[str, Numbers]:
    """What a source prints apart from these: its numbers by place and measure."""
    numbers: dict[str, Numbers] = {}
    for row in read_printed():
        if row["source"] == source and not row["curve"]:
            numbers.setdefault(row["place"], {})[row["measure"]] = Printed(row["value"])
    return numbers


def printed_lookup(cost_ratio: float | None = None) -> dict[tuple[str, str, str], float]:
    """The printed value of a curve, one of our models and a measure, where there is one.

    Only the AUCs can be compared with ours at a cost ratio: the paper's kappas have none.
    """
    return {
        (curve, name, measure): printed.value
        for (_, curve, model, measure), printed in printed_numbers().items()
        for name, counterpart in PRINTED_MODEL.items()
        if counterpart == model and (cost_ratio is None or measure == "auc")
    }
