"""The doubtful statements of the sources: words in errata.yaml, numbers from functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import yaml

from study.published import MissingNumberError

ERRATA = Path(__file__).with_suffix(".yaml")
NEEDS_REPLICATES = "It needs replicates, which this run does not have."


class RunTables(NamedTuple):
    """Tables of our own experiment, as far as it was run, by the names of their files."""

    replicate_summary: pd.DataFrame | None = None
    rank_reversal: pd.DataFrame | None = None
    auk_given_auc: pd.DataFrame | None = None
    silipo_grid: pd.DataFrame | None = None


class Finding(NamedTuple):
    """A statement, its kind, what comes out, its status, a sentence on it, and who recomputes it.

    The status is "agrees", "contradicted" (what is printed), "inconsistent" (what follows from it),
    "imprecise" (true only in part), "unusual", "needs replicates" or "not compared".
    """

    source: str
    where: str
    printed: str
    kind: str
    recomputed: str
    status: str
    verdict: str
    function: str


# What a statement is called that does not agree.
OTHERWISE = {"printed": "contradicted", "derived": "inconsistent", "ours": "unusual"}
# Whether the statement agrees, and the values that its words need; None where the run has not got
# what it takes.
Recomputed = tuple[bool, dict[str, Any]] | None


RECOMPUTED: dict[str, Callable[[RunTables], Finding]] = {}  # every such function, by its name


def recomputes(function: Callable[[RunTables], Recomputed]) -> Callable[[RunTables], Finding]:
    """Make a function that recomputes a statement give the whole finding, in words."""

    def found(evidence: RunTables) -> Finding:
        source, words = words_by_function()[function.__name__]
        kind = words.get("kind", "printed")
        status, texts = "needs replicates", ("", NEEDS_REPLICATES)
        try:
            outcome = function(evidence)
        except MissingNumberError as error:
            status, texts, outcome = "not compared", ("", str(error)), None
        if outcome is not None:
            agrees, values = outcome
            status = "agrees" if agrees else words.get("otherwise", OTHERWISE[kind])
            texts = words["recomputed"].format(**values), words["verdict"].format(**values)
        name = f"{function.__module__}.{function.__name__}"
        place = source, words["where"], words["printed"], kind
        return Finding(*place, texts[0], status, texts[1], name)

    RECOMPUTED[function.__name__] = found
    return found


@cache
def words_by_function() -> dict[str, tuple[str, dict[str, str]]]:
    """The words on each function's statement, with the source."""
    return {
        function: (source, words)
        for source, statements in yaml.safe_load(ERRATA.read_text(encoding="utf-8")).items()
        for function, words in statements.items()
    }
