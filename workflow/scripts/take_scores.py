"""Scores that the user brings, without training: from their file to the workflow's form."""

import hashlib
import json
import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from _job import run
from kappacurve.io import ScoreFileError, ScoreTable, read_scores
from study.data.classes import OWN_COLUMN, spellings
from study.errors import ExperimentError

log = logging.getLogger(__name__)


def take_scores(
    *,
    own: Path,
    scores: Path,
    provenance: Path,
    name: str,
    label: str,
    models: list[str] | None,
    positive: str | float | bool | None,
) -> None:
    """Write row, positive, model, score; and where they came from, with the classes' names."""
    found = _read(own, name, label, models, _spellings(positive))
    row = np.arange(1, len(found.positive) + 1)
    tables = [
        pd.DataFrame(
            {"row": row, OWN_COLUMN: found.positive.astype(int), "model": model, "score": score}
        )
        for model, score in found.scores.items()
    ]
    pd.concat(tables, ignore_index=True).to_csv(scores, index=False)
    n_positive = int(found.positive.sum())
    record = {
        "data_set": name,
        "place": own.name,
        "sha256_of_canonical_table": hashlib.sha256(own.read_bytes()).hexdigest(),
        "rows": len(row),
        "classes": [found.negative_label, found.positive_label],
        "class_counts": {
            found.negative_label: len(row) - n_positive,
            found.positive_label: n_positive,
        },
        "columns_left_out": list(found.left_out),
    }
    provenance.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    log.info("%s: %d rows, models %s", own.name, len(row), ", ".join(found.scores))
    if found.left_out:
        log.info("left out, as they hold no numbers or few: %s", ", ".join(found.left_out))


def _spellings(positive: str | float | bool | None) -> Sequence[str | None]:
    """How the positive class may be spelt in the file; capitals do not count in a truth value."""
    if positive is None:
        return [None]
    if isinstance(positive, bool):
        return [way(one) for one in spellings(positive) for way in (str, str.capitalize, str.upper)]
    return spellings(positive)


def _read(
    own: Path, name: str, label: str, models: list[str] | None, spelt: Sequence[str | None]
) -> ScoreTable:
    """The file, with the positive class in the first spelling that it knows."""
    reasons = []
    for positive in spelt:
        try:
            return read_scores(own, label=label, scores=models, positive=positive)
        except ScoreFileError as error:
            reasons.append(str(error))
    # The reader speaks of the command's options; in a config they are keys.
    reason = reasons[0].replace(" --positive ", " positive: ")
    raise ExperimentError(f"config key scores.{name}: {reason}")


if __name__ == "__main__":
    run(take_scores)
