"""What sources print that does not come out."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import pandas as pd
import yaml

from study.published import MissingNumberError

# The doubtful statements: words in this file, numbers from the functions that it names.
ERRATA = Path(__file__).with_suffix(".yaml")
NEEDS_REPLICATES = "It needs replicates of its own setting, which this run does not have."
# What a statement is called that does not agree.
OTHERWISE = {"printed": "contradicted", "derived": "inconsistent", "ours": "unusual"}


def all_errata(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """What the sources print beside what comes out, recomputed now.

    Columns: source, where, printed, kind, recomputed, status, verdict (a sentence on it), function
    (who recomputes it). The status is "agrees", "contradicted" (what is printed), "inconsistent"
    (what follows from it), "imprecise" (true only in part), "unusual", "needs replicates" or "not
    compared". A statement on our own experiment needs one of its tables; those that the run has are
    given by the names of their files.
    """
    sources = yaml.safe_load(ERRATA.read_text(encoding="utf-8"))
    return pd.DataFrame(
        {"source": source, **_finding(name, words, tables)}
        for source, statements in sources.items()
        for name, words in statements.items()
    )


def _finding(
    name: str, words: dict[str, str], tables: Mapping[str, pd.DataFrame]
) -> dict[str, str]:
    module, _, function_name = f"study.companions.{name}".rpartition(".")
    function = getattr(import_module(module), function_name)
    kind = words.get("kind", "printed")
    table = words.get("table")
    status = "needs replicates"
    texts = ["", NEEDS_REPLICATES]
    outcome = None
    try:
        if table is None:
            outcome = function()
        elif table in tables:
            outcome = function(tables[table])
    except MissingNumberError as error:
        status = "not compared"
        texts = ["", str(error)]
    if outcome is not None:
        agrees, values = outcome
        status = "agrees" if agrees else words.get("otherwise", OTHERWISE[kind])
        texts = [words[part].format(**values) for part in ("recomputed", "verdict")]
    return {
        "where": words["where"],
        "printed": words["printed"],
        "kind": kind,
        "recomputed": texts[0],
        "status": status,
        "verdict": texts[1],
        "function": f"study.companions.{name}",
    }
