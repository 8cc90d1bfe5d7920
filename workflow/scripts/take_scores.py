"""Scores that the user brings, without training: in the workflow's form, and their measures."""

import hashlib
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from _job import job
from kappacurve.io import ScoreFileError, ScoreTable, read_scores
from study.data.classes import OWN_COLUMN, Classes, provenance_text, read_named, spellings
from study.errors import ExperimentError
from study.replicates.evaluation import evaluate_curves, evaluate_measures

log = logging.getLogger(__name__)


def _read(own: Path, name: str, declaration: dict[str, Any]) -> ScoreTable:
    """The file, with the positive class in the first spelling that it knows."""
    positive, reasons = declaration["positive"], []
    spelt: list[str | None] = [None] if positive is None else [*spellings(positive)]
    if isinstance(positive, bool):  # capitals do not count in a truth value
        ways = (str, str.capitalize, str.upper)
        spelt = [way(one) for one in spellings(positive) for way in ways]
    for one in spelt:
        try:
            return read_scores(
                own, label=declaration["label"], scores=declaration["models"], positive=one
            )
        except ScoreFileError as error:
            reasons.append(str(error))
    # The reader speaks of the command's options; in a config they are keys.
    reason = reasons[0].replace(" --positive ", " positive: ")
    raise ExperimentError(f"config key scores.{name}: {reason}")


@job
def take_scores(
    *,
    own: Path,
    scores: Path,
    curves: Path,
    measures: Path,
    provenance: Path,
    name: str,
    declaration: dict[str, Any],
) -> None:
    """Write row, positive, model, score; curves; measures; and where the scores came from."""
    found = _read(own, name, declaration)
    labels = found.positive.astype(int)
    table = pd.DataFrame({"row": np.arange(len(labels)) + 1, OWN_COLUMN: labels})
    tables = [table.assign(model=model, score=score) for model, score in found.scores.items()]
    pd.concat(tables).to_csv(scores, index=False)
    classes = Classes(OWN_COLUMN, found.negative_label, found.positive_label)
    chosen: Any = {key: declaration[key] for key in ("prevalence", "cost_ratio")}
    chosen["classes"] = classes
    rows = read_named(scores)
    evaluate_curves(rows, **chosen).to_csv(curves, index=False)
    evaluate_measures(rows, **chosen).to_csv(measures, index=False)
    sha256 = hashlib.sha256(own.read_bytes()).hexdigest()
    notes = {"columns_left_out": list(found.left_out)}
    text = provenance_text(name, own.name, sha256, len(table), classes, table[OWN_COLUMN], notes)
    provenance.write_text(text, encoding="utf-8")
    log.info("%s: %d rows, models %s", own.name, len(table), ", ".join(found.scores))
    if found.left_out:
        log.info("left out, as they hold no numbers or few: %s", ", ".join(found.left_out))
