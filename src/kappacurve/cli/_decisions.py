"""Net benefit at threshold probabilities, for ``kappacurve measure``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import nan
from typing import Any, NamedTuple

import numpy as np

from kappacurve._validation import BoolArray, FloatArray
from kappacurve.decision_curve import net_benefit
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
    n, found = len(positive), []
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
        found.append(Decisions(tau, at, flag_all, models, gains, pairs))
    return found


def title(found: Decisions) -> str:
    """What the table holds."""
    chosen = "" if found.at == "score" else ", each model at the score that is best for it"
    return f"Net benefit at the threshold probability {found.threshold:g}{chosen}"


def table_rows(found: Decisions) -> list[list[str]]:
    """Cells: the models, the defaults, then the differences of models."""
    holm_said = ", Holm for pairs" * (len(found.pairs) > 1)
    rows = [["", "net benefit", f"more than {found.default}", f"p{holm_said}"]]
    for name, worth in found.models.items():
        gain = found.gains[name]
        rows.append([name, _value(worth), _value(gain), _p_value(gain.p_value)])
    rows += [["flagging all rows", f"{found.flag_all:.4f}", "", ""]]
    rows += [["flagging nobody", "0", "", ""]]
    adjusted = holm([test.p_value for test in found.pairs.values()])
    for (names, test), p_value in zip(found.pairs.items(), adjusted.tolist(), strict=True):
        rows.append([" - ".join(names), _value(test), "", _p_value(p_value)])
    return rows


def conclusion(found: Decisions) -> str:
    """One sentence: is any model better than none?"""
    best = max(found.gains, key=lambda name: found.gains[name].difference)
    gain = found.gains[best]
    if gain.difference <= 0:
        return f"At {found.threshold:g} no model is better than {found.default}."
    sure = ""
    if not np.isnan(gain.low):
        sure = ", which is more than chance" if gain.low > 0 else ", which may be chance"
    return (
        f"At {found.threshold:g} {best} gains {gain.difference:.4f} per row over "
        f"{found.default}{sure}."
    )


def as_records(found: Decisions) -> dict[str, Any]:
    """All of it, with full precision."""
    return {
        "threshold": found.threshold,
        "at": found.at,
        "flag_all": found.flag_all,
        "models": {
            name: worth._asdict() | {"gain": found.gains[name]._asdict()}
            for name, worth in found.models.items()
        },
        "tests": [
            {"first": first, "second": second, **test._asdict()}
            for (first, second), test in found.pairs.items()
        ],
    }


def _value(found: Estimate | Comparison) -> str:
    value = found.estimate if isinstance(found, Estimate) else found.difference
    ends = "" if np.isnan(found.low) else f" ({found.low:.4f} to {found.high:.4f})"
    return f"{value:.4f}{ends}"


def _p_value(p_value: float) -> str:
    return "" if np.isnan(p_value) else f"{p_value:.2g}"
