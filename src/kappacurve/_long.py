"""Scores in a long table, with a line for each row and model, as a wide one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from kappacurve._labels import Classes, Columns, ScoreFileError, quoted, shown


def long_places(names: Sequence[str]) -> Mapping[str, int]:
    """Places of the columns row (or id, index), model and score, or nothing if one is missing."""
    lower = [name.lower() for name in names]
    row = next((name for name in ("row", "id", "index") if name in lower), None)
    wanted = {"row": row, "model": "model", "score": "score"}
    if row is None or not {"model", "score"} <= {*lower}:
        return {}
    return {key: lower.index(str(name)) for key, name in wanted.items()}


class LongTable:
    """The rows of a long table side by side, with the same methods as a text."""

    def __init__(self, table: Any, label: int, places: Mapping[str, int]) -> None:
        self.name, self.latin1 = table.name, table.latin1
        frame: pd.DataFrame = table.table()
        frame = frame.set_axis(range(frame.shape[1]), axis="columns")
        row, model, score = (places[key] for key in ("row", "model", "score"))
        if not pd.api.types.is_numeric_dtype(frame[score]):
            raise ScoreFileError(f"{self.name}, column score: not all values are numbers.")
        for one, of in frame.loc[frame.duplicated([row, model]), [row, model]].to_numpy()[:1]:
            self._refuse(one, of, "stands twice")
        wide = frame.set_index([row, model])[score].unstack()  # noqa: PD010
        for at, of in np.argwhere(wide.isna().to_numpy())[:1]:
            self._refuse(wide.index[at], wide.columns[of], "has no score")
        labels = frame.groupby(row)[label]
        for one in labels.nunique(dropna=False).loc[lambda count: count > 1].index:
            raise ScoreFileError(f"{self.name}: row {one} has more than one label.")
        order = frame[model].unique()
        self._scores = wide[order]
        self._labels = labels.first()
        self.names = [table.names[label], *(str(name) for name in order)]

    def _refuse(self, row: Any, model: Any, what: str) -> None:
        raise ScoreFileError(f"{self.name}: row {row} of model {quoted(str(model))} {what}.")

    def numeric(self, _label: int) -> list[bool]:
        """Tell that all but the label are scores."""
        return [False, *[True] * (len(self.names) - 1)]

    def columns(self, label: int, scores: Sequence[int]) -> Columns:
        """Return the labels and the scores."""
        found = Columns(Classes(self.names[label]), [], [[] for _ in scores])
        try:
            found.add(self._labels.astype(str), [self._scores.iloc[:, i - 1] for i in scores])
        except ScoreFileError as error:
            raise ScoreFileError(
                f"{self.name}, column {shown(self.names[label])}: {error}."
            ) from None
        return found
