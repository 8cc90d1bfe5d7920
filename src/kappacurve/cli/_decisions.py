"""Net benefit at threshold probabilities, for ``kappacurve measure``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import nan
from typing import Any, NamedTuple

import numpy as np

from kappacurve._validation import BoolArray, FloatArray
from kappacurve.cost import net_benefit
from kappacurve.inference.doors import interval, paired_test
from kappacurve.inference.results import Comparison, Estimate, holm


class Decisions(NamedTuple):
    """Models at one threshold probability: their worth, their gain over the better default."""

    threshold: float
    at: str
    flag_all: float
    models: dict[str, Estimate]
    gains: dict[str, Comparison]
    pairs: dict[tuple[str, str], Comparison]

    @property
    def default(self) -> str:
        """What to do without a model."""
        return "flagging all rows" if self.flag_all > 0 else "flagging nobody"


def are_probabilities(scores: Mapping[str, FloatArray]) -> bool:
    """Whether the scores of all models lie between 0 and 1."""
    return all(score.min() >= 0 and score.max() <= 1 for score in scores.values())


def decisions(
    positive: BoolArray,
    scores: Mapping[str, FloatArray],
    thresholds: Sequence[float],
    level: float | None,
    prevalence: float | None,
    sampling: Any,
    **rows: Any,
) -> list[Decisions]:
    """The net benefit of each model at each threshold, with tests if its scores take them."""
    at: Any = "score" if are_probabilities(scores) else "best"
    inferred = at == "score" and level is not None and 1 < positive.sum() < len(positive) - 1
    n, made = len(positive), []
    weights = {"sample_weight": rows.get("sample_weight"), "prevalence": prevalence}
    for tau in thresholds:
        given: Any = {"thresholds": tau, **weights}
        flag_all = float(net_benefit(positive, np.ones(n), **given))
        default = np.full(n, float(flag_all > 0))
        models, gains, pairs = {}, {}, {}
        options: Any = {"measure": "net_benefit", "threshold": tau, "level": level}
        options |= {"prevalence": prevalence, "sampling": sampling, **rows}
        for name, score in scores.items():
            worth = float(net_benefit(positive, score, at=at, **given))
            models[name] = Estimate(worth, nan, nan, nan)
            gain = worth - max(flag_all, 0.0)
            gains[name] = Comparison(gain, nan, nan, nan, nan, nan)
            if inferred:
                models[name] = interval(positive, score, **options)
                gains[name] = paired_test(positive, score, default, **options)
        for first, second in combinations(scores, 2) if inferred else ():
            pairs[first, second] = paired_test(positive, scores[first], scores[second], **options)
        made.append(Decisions(tau, at, flag_all, models, gains, pairs))
    return made


def title(decided: Decisions) -> str:
    """What the table holds."""
    chosen = "" if decided.at == "score" else ", each model at the score that is best for it"
    return f"Net benefit at the threshold probability {decided.threshold:g}{chosen}"


def table_rows(decided: Decisions) -> list[list[str]]:
    """Cells: the models, the defaults, then the differences of models."""
    holm_said = ", Holm for pairs" * (len(decided.pairs) > 1)
    rows = [["", "net benefit", f"more than {decided.default}", f"p{holm_said}"]]
    for name, worth in decided.models.items():
        gain = decided.gains[name]
        rows.append([name, _value(worth), _value(gain), _p_value(gain.p_value)])
    rows += [["flagging all rows", f"{decided.flag_all:.4f}", "", ""]]
    rows += [["flagging nobody", "0", "", ""]]
    adjusted = holm([test.p_value for test in decided.pairs.values()])
    for (names, test), p_value in zip(decided.pairs.items(), adjusted.tolist(), strict=True):
        rows.append([" - ".join(names), _value(test), "", _p_value(p_value)])
    return rows


def conclusion(decided: Decisions) -> str:
    """One sentence: is any model better than none?"""
    best = max(decided.gains, key=lambda name: decided.gains[name].difference)
    gain = decided.gains[best]
    if gain.difference <= 0:
        return f"At {decided.threshold:g} no model is better than {decided.default}."
    sure = ""
    if not np.isnan(gain.low):
        sure = ", which is more than chance" if gain.low > 0 else ", which may be chance"
    return (
        f"At {decided.threshold:g} {best} gains {gain.difference:.4f} per row over "
        f"{decided.default}{sure}."
    )


def as_records(decided: Decisions) -> dict[str, Any]:
    """All of it, with full precision."""
    return {
        "threshold": decided.threshold,
        "at": decided.at,
        "flag_all": decided.flag_all,
        "models": {
            name: worth._asdict() | {"gain": decided.gains[name]._asdict()}
            for name, worth in decided.models.items()
        },
        "tests": [
            {"first": first, "second": second, **test._asdict()}
            for (first, second), test in decided.pairs.items()
        ],
    }


def _value(result: Estimate | Comparison) -> str:
    value = result.estimate if isinstance(result, Estimate) else result.difference
    ends = "" if np.isnan(result.low) else f" ({result.low:.4f} to {result.high:.4f})"
    return f"{value:.4f}{ends}"


def _p_value(p_value: float) -> str:
    return "" if np.isnan(p_value) else f"{p_value:.2g}"
