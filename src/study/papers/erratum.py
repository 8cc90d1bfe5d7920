"""How a contradiction in a source is recorded: a function that recomputes the printed value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import pandas as pd

Status = Literal["contradicted", "imprecise", "unusual", "agrees", "needs replicates"]


class Evidence(NamedTuple):
    """Our own experiment, as far as it was run.

    measures: of one split, as from :func:`study.replicates.evaluation.evaluate_measures`.
    replicate_summary: model, positive_class, curve, measure, mean, sd, low, high, published,
    percentile. rank_reversal: pair, curve, positive_class, pattern, replicates, reversals, share,
    low, high. auk_given_auc: as from
    :func:`study.analysis.auk_given_auc.auk_given_auc_table`.
    """

    measures: pd.DataFrame | None = None
    replicate_summary: pd.DataFrame | None = None
    rank_reversal: pd.DataFrame | None = None
    auk_given_auc: pd.DataFrame | None = None


class Finding(NamedTuple):
    """What a recomputation found."""

    recomputed: str
    status: Status
    verdict: str


class Erratum(NamedTuple):
    """One statement of a source and the function that recomputes it."""

    source: str
    where: str
    printed: str
    recompute: Callable[[Evidence], Finding]


class Source:
    """The statements of one source, in the order in which they are defined."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.errata: list[Erratum] = []

    def says(
        self, where: str, printed: str
    ) -> Callable[[Callable[[Evidence], Finding]], Callable[[Evidence], Finding]]:
        """Record the decorated function as the one that recomputes a printed statement."""

        def record(function: Callable[[Evidence], Finding]) -> Callable[[Evidence], Finding]:
            self.errata.append(Erratum(self.name, where, printed, function))
            return function

        return record


def judge(agrees: bool, status: Status = "contradicted") -> Status:
    """The status of a comparison: "agrees", or what it is called otherwise."""
    return "agrees" if agrees else status
