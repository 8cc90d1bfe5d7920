"""Which columns of a file are the label and the scores, and the columns once they are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._labels import Classes
from kappacurve._score_error import ScoreFileError, did_you_mean, listed, quoted, shown


class Columns(NamedTuple):
    """Labels and scores as read: the number of each row's class, and its scores by column."""

    classes: Classes
    codes: npt.NDArray[np.int8]
    scores: list[npt.NDArray[np.float64]]


class Chosen(NamedTuple):
    """Positions of the columns that are needed, and names of those that were passed over."""

    label: int
    scores: list[int]
    left_out: list[str]


def choose_by_name(where: str, names: Sequence[str], label: str, scores: Sequence[str]) -> Chosen:
    """Find the label and the named scores."""
    at = position(where, names, label)
    if label in scores:
        raise ScoreFileError(f"column {label} is the label and can't be a score as well.")
    return Chosen(at, [position(where, names, score) for score in dict.fromkeys(scores)], [])


def choose_numeric(where: str, names: Sequence[str], label: str, numeric: Sequence[bool]) -> Chosen:
    """Find the label, and take all columns of numbers but it as scores."""
    at = position(where, names, label)
    others = [i for i in range(len(names)) if i != at]
    scores = [i for i in others if numeric[i] and names[i]]
    if not scores:
        raise ScoreFileError(f"{where} has no column of numbers but the label {label}.")
    for i in scores:
        position(where, names, names[i])
    left_out = [names[i] or f"column {i + 1} (no name)" for i in others if i not in scores]
    return Chosen(at, scores, left_out)


def position(where: str, names: Sequence[str], name: str) -> int:
    """Position of the one column of this name."""
    places = [i for i, each in enumerate(names) if each == name]
    if len(places) == 1:
        return places[0]
    if places:
        numbers = " and ".join(str(i + 1) for i in places)
        raise ScoreFileError(
            f"{where}: column {shown(name)} stands more than once in the header (fields "
            f"{numbers}): rename one."
        )
    hint = f"{did_you_mean(name, names)} Its columns: {listed(names)}."
    if len(names) == 1:
        hint = f" Its only column is {quoted(names[0])}: is it delimited by commas, semicolons, "
        hint += "tabs or bars, or does it need --delimiter?"
    raise ScoreFileError(f"{where} has no column {name}.{hint}")
