"""The paper's tables beside our numbers."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from kappacurve.measures import MEASURES

PUBLISHED_FILE = Path(__file__).with_name("published.csv")
# The paper's network has two counterparts here, trained by different algorithms.
PUBLISHED_MODEL = {"linear": "linear", "neural_net": "neural_net", "neural_net_lm": "neural_net"}
# The paper does not name its integration rule, so both rules stand beside its AUK.
ALSO_BESIDE = {"auk": ("auk_trapezoid",)}
AREAS = ("auc", "auk", "auk_trapezoid", "h")
OPERATING_POINT = ("kappa_max", "fpr", "tpr", "threshold")
SPREAD = ("mean", "sd", "low", "high", "percentile")

# Rows of the data set by class.
GERMAN_CREDIT = {"good": 700, "bad": 300}
MEASURE_LABELS = {name: measure.label for name, measure in MEASURES.items()}
# Whose order by two measures the paper compares.
PAPER_PAIR = ("linear", "neural_net")
# The published reversal, by either integration rule.
AUC_AND_AUK = {"auc-auk": "exact AUK", "auc-auk_trapezoid": "trapezoid AUK"}
MODEL_LABELS = {
    "linear": "linear",
    "logistic": "logistic",
    "neural_net": "neural net",
    "neural_net_lm": "neural net (LM)",
}
# What sampling keeps of German Credit at the paper's share of bad rows.
SAMPLING_LABELS = {"keep_majority": "786", "keep_majority_up": "787", "total": "768"}


class Printed(NamedTuple):
    """A published number, as it is printed."""

    text: str

    @property
    def value(self) -> float:
        """The number."""
        return float(self.text)

    @property
    def decimals(self) -> int:
        """Digits after the point: 0.60 has two."""
        return len(self.text.partition(".")[2])


@cache
def published_numbers() -> dict[tuple[str, str, str, str], Printed]:
    """The eleven published numbers by place, curve, model and measure.

    Kaymak, Ben-David & Potharst (2010), Tables 4 and 5 and the end of section 8.
    """
    with PUBLISHED_FILE.open(encoding="utf-8", newline="") as file:
        return {
            (row["place"], row["curve"], row["model"], row["measure"]): Printed(row["value"])
            for row in csv.DictReader(file)
        }


def read_published() -> pd.DataFrame:
    """The published numbers as a table: place, curve, model, measure, value."""
    rows = [(*place, printed.value) for place, printed in published_numbers().items()]
    return pd.DataFrame(rows, columns=["place", "curve", "model", "measure", "value"])


@cache  # asked for by each of many summaries
def published_lookup(cost_ratio: float | None = None) -> dict[tuple[str, str, str], float]:
    """The published value of a curve, one of our models and a measure, where there is one.

    Only the AUCs can be compared with ours at a cost ratio: the paper's kappas have none.
    """
    return {
        (curve, ours, name): printed.value
        for (_, curve, theirs, measure), printed in published_numbers().items()
        for ours, counterpart in PUBLISHED_MODEL.items()
        if counterpart == theirs
        for name in (measure, *ALSO_BESIDE.get(measure, ()))
        if cost_ratio is None or name == "auc"
    }


def published_text(value: float) -> str:
    """A published number with the digits that the paper prints.

    >>> published_text(0.6), published_text(0.7493)
    ('0.60', '0.7493')
    """
    texts = {printed.value: printed.text for printed in published_numbers().values()}
    return texts.get(value, f"{value:.4g}")


def comparison(
    measures: pd.DataFrame,
    curve: str,
    names: tuple[str, ...],
    summary: pd.DataFrame | None = None,
    cost_ratio: float | None = None,
) -> pd.DataFrame:
    """Published beside reproduced, one row per positive class, model and measure.

    Parameters
    ----------
    measures, summary : DataFrame
        As from :func:`study.replicates.evaluation.evaluate_measures` and
        :func:`study.analysis.summaries.summarise`.
    curve : {"raw", "hull"}
        "hull" for Table 4 and the operating point, "raw" for Table 5.
    names : tuple of str
        Measures to show.
    cost_ratio : float, optional
        Of our kappas.

    Columns: positive_class, model, measure, published, reproduced, mean, sd, low, high,
    percentile. The last five come from the summary and stay empty without it.
    """
    lookup = published_lookup(cost_ratio)
    place = ["positive_class", "curve", "model", "measure"]
    summarised = [] if summary is None else summary.to_dict("records")
    spread = {tuple(row[name] for name in place): row for row in summarised}
    rows = []
    for measured in measures[measures["curve"] == curve].to_dict("records"):
        for name in names:
            key = (measured["positive_class"], curve, measured["model"], name)
            found = spread.get(key, {})
            rows.append(
                {
                    "positive_class": measured["positive_class"],
                    "model": measured["model"],
                    "measure": name,
                    "published": lookup.get(key[1:]),
                    "reproduced": measured[name],
                    **{column: found.get(column) for column in SPREAD},
                }
            )
    table = pd.DataFrame(rows).astype(dict.fromkeys(["published", *SPREAD], "float64"))
    order = table["positive_class"].map({"good": 0, "bad": 1})
    return table.iloc[order.argsort(kind="stable")].reset_index(drop=True)


def rankings(measures: pd.DataFrame, names: tuple[str, ...] = ("auc", "auk", "h")) -> pd.DataFrame:
    """Every model's measures and its rank by each of them (1 is best).

    Columns: curve, positive_class, model, each measure, rank_<measure>.
    """
    table = measures[["curve", "positive_class", "model", *names]].copy()
    groups = table.groupby(["curve", "positive_class"], sort=False)
    for name in names:
        table[f"rank_{name}"] = groups[name].rank(ascending=False, method="min").astype(int)
    return table.sort_values(["curve", "positive_class"], ascending=False, kind="stable")
