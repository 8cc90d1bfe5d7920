"""What a comparison found: its tables, and how they are printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from math import isfinite
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd

from .validation import Sample

LABELS = {
    "auc": "AUC",
    "auk": "AUK",
    "average_precision": "average precision",
    "h": "H",
    "brier_score": "Brier score",
    "log_loss": "log loss",
    "expected_loss": "loss per 1,000 rows",
}
QUANTITIES = {  # what decisions bring
    "flagged": "share flagged",
    "recall": "recall",
    "precision": "precision",
    "kappa": "kappa",
}
COST_ROWS = (  # how the costs are printed
    ("by the model", ["loss", "low", "high"], ".1f"),
    ("flagging nobody", ["flag_nobody"], ".1f"),
    ("flagging everybody", ["flag_everybody"], ".1f"),
    ("saving over the better of the two", ["saving", "saving_low", "saving_high"], ".1f"),
    ("share flagged", ["flagged"], ".4f"),
    ("recall", ["recall"], ".4f"),
    ("precision", ["precision"], ".4f"),
)
TERMS = {
    "auc": "AUC: the chance that a positive row scores above a negative one.",
    "auk": "AUK: the area under the curve of Cohen's kappa (agreement of decisions and classes "
    "beyond chance) over all thresholds. Unlike AUC it depends on the share of positives and on "
    "what a miss costs; 0 is a random ranking, a perfect one has the value in brackets.",
    "average_precision": "Average precision: the mean precision over the positives found, from the "
    "highest score down.",
    "h": "H: the share of the loss without a model that the model avoids, averaged over costs.",
    "brier_score": "Brier score: the mean squared error of the probabilities; log loss: their mean "
    "negative log likelihood. Less is better.",
    "cost": "A miss is a positive that is not flagged, a false alarm a negative that is flagged.",
    "fold": "Costs are measured on rows that did not choose the threshold: each fifth of the rows "
    "(fold) is judged at the best threshold of the others.",
    "decision": "Recall: the share of the positives that are flagged. Precision: the share of the "
    "flagged that are positive.",
    "test": "p: the chance of so large a difference, or a larger one, between equal models.",
}


@dataclass(frozen=True)
class ComparisonResult:
    """What :func:`compare` found; ``print`` it, or take its data frames.

    Attributes
    ----------
    measures : DataFrame
        A row for each measure and model: measure, model, estimate, standard_error, low, high,
        method, note, and perfect, the value of a perfect model at this prevalence and cost.
    tests : DataFrame
        A row for each measure and two models: measure, first, second, difference (first - second),
        standard_error, statistic, p_value, p_adjusted (Holm, over the pairs of a measure), low,
        high, method, note. With `cost_ratio` there is the measure "expected_loss" (in false alarms
        per 1,000 rows), with `at` one such as "recall at flagged<=0.1".
    costs : DataFrame
        With `cost_ratio`, a row for each model, in false alarms per 1,000 rows: model, loss, low,
        high, flag_nobody, flag_everybody, saving (over the better of these two), saving_low,
        saving_high; flagged, recall and precision; the thresholds least_threshold and
        largest_threshold. Each row is judged at a threshold that was chosen without its fold.
    decisions : DataFrame
        With `at`, a row for each point, model and quantity: at, model, threshold, flagged_rows and
        flagged_positive_rows (counts, also of weighted rows), quantity ("flagged", "recall",
        "precision", "kappa"), estimate, standard_error, low, high, method, note.
    ties : list of dict
        Costs (cost_ratio) at which the two models `first` and `second` have the same AUK.
    sentences, notes : list of str
        The answer, one sentence a measure; and what was left out, or limits it.
    n_rows, n_positive : int
    prevalence, cost_ratio, confidence_level : float
    sample : Sample
        The checked rows.
    """

    measures: pd.DataFrame
    tests: pd.DataFrame
    costs: pd.DataFrame
    decisions: pd.DataFrame
    ties: list[dict[str, Any]]
    sentences: list[str]
    notes: list[str]
    n_rows: int
    n_positive: int
    prevalence: float
    cost_ratio: float
    confidence_level: float
    sample: Sample = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """All numbers, under the names above, as lists of records; None for NaN and infinity."""
        tables = {"measures", "tests", "costs", "decisions"}
        named = {name: value for name, value in vars(self).items() if name != "sample"}
        found: dict[str, Any] = {
            name: value.to_dict("records") if name in tables else value
            for name, value in named.items()
        }
        plain: dict[str, Any] = _without_nan(found)
        return plain

    def terms(self) -> list[str]:
        """What the printed words mean."""
        names = [*self.measures["measure"].unique()]
        names += ["cost"] if len(self.costs) or len(self.sample.scores) > 1 else []
        names += ["fold"] if len(self.costs) else []
        names += ["decision"] if len(self.costs) or len(self.decisions) else []
        names += ["test"] if len(self.tests) else []
        return [TERMS[name] for name in names if name in TERMS]

    def __str__(self) -> str:
        parts = []
        for heading, table in _blocks(self):
            # A row of a test stays whole.
            width = None if "difference" in table else 96
            lines = table.to_string(line_width=width).splitlines()
            # Without the backslashes by which pandas marks that columns follow below.
            parts.append("\n".join([heading, *(line.rstrip(" \\") for line in lines)]))
        if self.sentences:
            parts.append("\n".join(map(_wrapped, self.sentences)))
        if self.notes:
            parts.append("\n".join(_wrapped(f"Note: {note}") for note in self.notes))
        parts.append("\n".join(map(_wrapped, self.terms())))
        return "\n\n".join(parts) + "\n"

    def _repr_html_(self) -> str:
        parts = [f"<p>{escape(sentence)}</p>" for sentence in self.sentences]
        for heading, table in _blocks(self):
            parts.append(
                f"<h2>{escape(heading)}</h2><div class=wide>{table.to_html(border=0)}</div>"
            )
        parts += [f"<p class=note>{escape(line)}</p>" for line in [*self.notes, *self.terms()]]
        return "\n".join(parts)

    def to_html(self, title: str) -> str:
        """One offline page: sentences, tables, and the curves of :func:`explorer_page`."""
        from .explorer import make_page

        return make_page(self.sample, self.prevalence, self.cost_ratio, title, self._repr_html_())


def label_of(measure: str, ratio: float) -> str:
    """What a measure is called where it is printed."""
    at = f" at cost ratio {ratio:g}" if measure in ("auk", "h") and ratio != 1 else ""
    return LABELS.get(measure, measure) + at


def _blocks(result: ComparisonResult) -> list[tuple[str, pd.DataFrame]]:
    """The tables as they are printed, each with its heading."""
    level = f"{100 * result.confidence_level:g} %"
    measures = result.measures.assign(text=_cells(result.measures))
    labels: dict[Any, str] = {
        row["measure"]: label_of(row["measure"], result.cost_ratio)
        + (f" (at most {row['perfect']:.4f})" if row["measure"] == "auk" else "")
        for row in result.measures.to_dict("records")
    }
    heading = f"Measures at {100 * result.prevalence:.4g} % positives, with {level} intervals"
    blocks = [(heading, _wide(measures, "measure", labels))]
    if len(result.costs):
        costs = result.costs.set_index("model")
        rows = {
            label: [_interval(row, digits) for row in costs[columns].to_numpy()]
            for label, columns, digits in COST_ROWS
        }
        rows["threshold"] = [
            _threshold(low)
            if low == high
            else f"{low:.4g} {f'to {high:.4g}' if isfinite(high) else 'or flags nobody'}, by fold"
            for low, high in costs[["least_threshold", "largest_threshold"]].to_numpy()
        ]
        heading = (
            f"Flagging by a model where a miss costs {result.cost_ratio:g} false alarms: cost in "
            "false alarms per 1,000 rows"
        )
        blocks.append((heading, pd.DataFrame(rows, index=list(costs.index)).T))
    for at, decisions in (
        result.decisions.groupby("at", sort=False) if len(result.decisions) else ()
    ):
        of_model = decisions.drop_duplicates("model").set_index("model")
        head = {
            "threshold": [_threshold(value) for value in of_model["threshold"]],
            "rows flagged": [str(value) for value in of_model["flagged_rows"]],
            "positives among them": [str(value) for value in of_model["flagged_positive_rows"]],
        }
        table = _wide(decisions.assign(text=_cells(decisions)), "quantity", QUANTITIES)
        table = pd.concat([pd.DataFrame(head, index=list(of_model.index)).T, table])
        heading = f"At {at}" + (", each model at its own threshold" if "=" in str(at) else "")
        blocks.append((heading, table))
    if len(result.tests):
        blocks.append(_tests_block(result))
    return blocks


def _tests_block(result: ComparisonResult) -> tuple[str, pd.DataFrame]:
    several = len(result.tests) > result.tests["measure"].nunique()
    word = "adjusted p" if several else "p"
    rows = []
    for test in result.tests.to_dict("records"):
        digits = ".1f" if test["measure"] == "expected_loss" else ".4f"
        name = label_of(test["measure"], result.cost_ratio)
        p_value = p_value_text(test["p_adjusted"]).removeprefix("= ")
        if np.isnan(test["p_adjusted"]):
            p_value = "not tested"
        values = _interval([test[key] for key in ("difference", "low", "high")], "+" + digits)
        pair = f"{test['first']} - {test['second']}"
        rows.append([name, pair, values, p_value])
    table = pd.DataFrame(rows, columns=["", "models", "difference", word]).set_index("")
    table.index.name = None
    heading = "Differences on the same rows, two-sided tests"
    if several:
        heading += " (p adjusted for the number of pairs by Holm's method)"
    return heading, table


def _cells(table: pd.DataFrame) -> list[str]:
    """Estimates with their intervals."""
    return [_interval(row, ".4f") for row in table[["estimate", "low", "high"]].to_numpy()]


def _interval(row: Any, digits: str) -> str:
    """A value and the ends of its interval, if it has one."""
    if np.isnan(row[0]):
        return "-"
    value, *ends = (f"{number:{digits}}" for number in row)
    return value if not ends or np.isnan(row[-1]) else f"{value} ({' to '.join(ends)})"


def _threshold(value: float) -> str:
    return f"{value:.6g}" if isfinite(value) else "flags nobody"


def p_value_text(p: float) -> str:
    return f"= {p:.2g}" if p >= 1e-4 else "< 0.0001"


def _wide(table: pd.DataFrame, rows: str, labels: dict[Any, str]) -> pd.DataFrame:
    """A row for each measure or quantity, a column for each model."""
    text = table.pivot_table("text", rows, "model", aggfunc="first", sort=False).fillna("-")
    return text.rename(index=labels).rename_axis(index=None, columns=None)


def join_names(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _wrapped(text: str) -> str:
    return "\n  ".join(wrap(text, 98, break_long_words=False, break_on_hyphens=False))


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nan(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not isfinite(value) else value
