"""From the options of ``kappacurve measure`` to what is found in a file."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from kappacurve._labels import ScoreFileError, did_you_mean, listed, quoted
from kappacurve._validation import FloatArray
from kappacurve.cli._report_text import Report
from kappacurve.comparison import compare
from kappacurve.io import DELIMITERS, ScoreTable, read_scores

# Columns by which rows are numbered.
IDS = ("row", "id", "index")
MOST_MODELS = 36  # which a figure can tell apart


def two_classes(file: str, label: str, call: str, options: dict[str, Any]) -> Report:
    """Read the columns of scores and compare the models."""
    extra = {name: options[name] for name in ("weight", "cv") if options[name] is not None}
    table, scores, notes = models_of(file, label, list(extra.values()), options)
    taken = {name: table.scores[column] for name, column in extra.items()}
    result = compare(
        table.positive,
        scores,
        sample_weight=taken.get("weight"),
        cv=taken.get("cv"),
        lower=options["lower"],
        prevalence=options["prevalence"],
        cost_ratio=options["cost_ratio"],
        sampling=options["sampling"],
        **_drawing(options),
    )
    names = table.source, label, table.positive_label, table.negative_label
    return Report(*names, options["cost_ratio"], call, [*notes, *result.notes], result)


def models_of(
    file: str, label: str, extra: list[str], options: dict[str, Any]
) -> tuple[ScoreTable, dict[str, FloatArray], list[str]]:
    """Read a file; its scores but those of the extra columns, and what to tell the user."""
    table = _read(file, label, extra, options)
    scores = {name: one for name, one in table.scores.items() if name not in extra}
    notes = _notes(table)
    if not options["scores"]:
        scores = _without_ids(scores, notes)
        if len(scores) > MOST_MODELS:
            raise ScoreFileError(
                f"{file} has {len(scores)} columns of numbers: name those that hold scores by "
                "--score (every pair of them is compared)."
            )
        notes.append(f"--score was not given: all columns of numbers, {listed(scores)}.")
    for name in options["lower"]:
        if name not in scores:
            hint = did_you_mean(name, scores)
            raise ValueError(f"--lower {name}: there is no such column of scores.{hint}")
    return table, scores, notes


def _drawing(options: dict[str, Any]) -> dict[str, Any]:
    taken = {name: options[name] for name in ("seed", "confidence")}
    return taken | {"n_resamples": options["bootstrap"], "n_jobs": -1, "progress": sys.stderr}


def _read(file: str, label: str, extra: list[str], options: dict[str, Any]) -> ScoreTable:
    given: dict[str, Any] = {name: options[name] for name in ("positive", "decimal", "exclude")}
    if options["scores"]:
        given["scores"] = [*dict.fromkeys([*options["scores"], *extra])]
    if (delimiter := options["delimiter"]) is not None:
        named = {name: character for character, name in DELIMITERS.items()} | {"\\t": "\t"}
        given["delimiter"] = named.get(delimiter, delimiter)
    table = read_scores(file, label=label, **given)
    for column in extra:
        if column not in table.scores:
            hint = did_you_mean(column, table.scores)
            raise ScoreFileError(f"{file} has no column of numbers {quoted(column)}.{hint}")
    return table


def _notes(table: ScoreTable) -> list[str]:
    notes = []
    if table.latin1:
        notes.append("The file is not UTF-8 and was read as Latin-1: are its names spelt right?")
    if table.left_out:
        notes.append(f"Columns left out, as they hold no numbers or few: {listed(table.left_out)}.")
    return notes


def _without_ids(scores: dict[str, FloatArray], notes: list[str]) -> dict[str, FloatArray]:
    """Leave out the columns that number the rows, unless no other is left."""
    named = {name for name in scores if name.lower() in IDS}
    numbers = {name for name, one in scores.items() if _all_different_integers(one)}
    ids = named | numbers if len(named | numbers) < len(scores) else named
    if not ids or len(ids) == len(scores):
        return scores
    notes.append(
        f"Left out, as they seem to number the rows: {listed(sorted(ids))}. --score COLUMN takes "
        "such a column as scores."
    )
    return {name: one for name, one in scores.items() if name not in ids}


def _all_different_integers(values: FloatArray) -> bool:
    if not (values == np.floor(values)).all():
        return False
    return bool((np.diff(np.sort(values)) > 0).all())
