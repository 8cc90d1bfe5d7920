"""The data sets and scores that a user brings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from study.settings.values import (
    CostRatio,
    Distinct,
    FilePath,
    Levels,
    ModelName,
    ModelNames,
    Scaling,
    Section,
    Share,
    Single,
    Text,
    is_file,
)

NEEDED = {"file": "path", "uci": "uci_id", "scikit-learn": "name"}
# What says nothing of a data set's one split, or of its groups.
DRAWING = ("skew", "stratify", "replicates", "fewer")


class OwnSplit(Section):
    """Which rows train and which test."""

    by: Literal["random", "group", "time"] = "random"
    """random draws rows; group draws groups of rows, and no group is on both sides; time trains on
    the earlier rows and tests on the latest, in one split."""
    column: Text | None = None
    """The column of the group (such as the customer), or of the time: numbers, or dates such as
    2024-03-31. It is no feature."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        if (self.by == "random") != (self.column is None):
            yield "column", "by group or time needs it, by random has none"


class Dataset(Section):
    """A data set of the user's own."""

    source: Literal["file", "uci", "scikit-learn"]
    """file reads path; uci fetches uci_id; scikit-learn takes the data set called name that it
    ships."""
    path: FilePath | None = None
    """A CSV (also compressed), Parquet or ARFF file, for source file."""
    test_path: FilePath | None = None
    """A file of test rows with the same columns: the models are trained on path and measured on
    test_path, once."""
    header: Literal["first_row", "none"] = "first_row"
    """none is for a CSV that begins with its first row: its columns are called column_1, column_2
    and so on."""
    uci_id: Annotated[int, Field(ge=1)] | None = None
    """UCI's number of the data set, for source uci."""
    name: Literal["breast_cancer"] | None = None
    """The data set's name in scikit-learn."""
    target: Text | Annotated[int, Field(ge=1)]
    """Column that holds the class; exactly two different values. With header none also its
    number."""
    positive: Single
    """The value of the target that counts as positive."""
    drop: Distinct[str] = Field(default=[])
    """Columns to leave out, such as numbers of customers."""
    categorical: Distinct[str] = Field(default=[])
    """Columns of numbers that are codes. Text always is one; every level becomes a 0/1 column.
    Text of which most are numbers is refused unless it is named here: the rest may be typing
    errors."""
    numeric: Distinct[str] = Field(default=[])
    """Columns of different integers that are features all the same; any other such column is
    refused, because it may number the rows."""
    missing: Literal["refuse", "drop", "impute"] = "refuse"
    """What to do about missing values: refuse the table with a count for each column, drop such
    rows, or impute (numbers by the median of the training rows, categories by a level of their
    own)."""
    decimal: Literal[".", ","] = "."
    """The sign before the fraction of a number in a CSV. Columns of numbers written with the other
    sign are refused, unless categorical names them."""
    skew: Share | None = None
    """Share of positive rows after undersampling; null keeps the rows as they are."""
    n_train: Annotated[float, Field(gt=0)] = 0.6
    """Training rows; below one, their share."""
    split: OwnSplit = OwnSplit()
    stratify: bool = True
    """Whether the split keeps the class ratio."""
    scaling: Scaling = "standard"
    """As under experiment."""
    prevalence: Share | None = None
    """Share of positives at which kappa, AUK and H are evaluated, of the tables and over random
    splits; null takes the test rows'."""
    cost_ratio: CostRatio | None = None
    """What a missed positive row costs over a false alarm, in kappa, AUK, H and the expected loss;
    null is Cohen's kappa, and no expected loss."""
    replicates: Annotated[int, Field(ge=1, le=1_000_000)] = 200
    """Number of random splits."""
    fewer: dict[ModelName, Annotated[int, Field(ge=1)]] = Field(default={})
    """Models that are too slow for so many, with their number of splits."""
    models: ModelNames | None = None
    """Which of the models to fit; null takes all."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        needed = NEEDED[self.source]
        if getattr(self, needed) is None:
            yield needed, f"source {self.source} needs it"
        elif self.source == "file" and not is_file(self.path):
            yield "path", f"there is no file {self.path}"
        if self.test_path is not None and not (self.source == "file" and is_file(self.test_path)):
            yield "test_path", f"there is no file {self.test_path}, or source is not file"
        if isinstance(self.target, int) and self.header != "none":
            yield "target", "a number stands for a column with header: none only; give its name"
        column = f"column_{self.target}" if isinstance(self.target, int) else self.target
        roles = {column: "the target", self.split.column: "the column of the split"}
        for key in ("drop", "categorical", "numeric"):
            for name in [name for name in getattr(self, key) if name in roles]:
                yield key, f"{name} is {roles[name]}, not a feature"
        for key, why in self._settled().items():
            if getattr(self, key) != type(self).model_fields[key].default:
                yield key, f"{why} leaves nothing to it: take it out"
        if self.n_train >= 1 and self.n_train != int(self.n_train):
            yield "n_train", f"{self.n_train} is neither a number of rows nor a share below one"

    def _settled(self) -> dict[str, str]:
        """Keys that say nothing here, and what makes them so."""
        if self.test_path is not None:
            return dict.fromkeys([*DRAWING, "n_train", "split"], "test_path")
        settled = {"random": [], "group": ["stratify"], "time": DRAWING}[self.split.by]
        return dict.fromkeys(settled, f"split by {self.split.by}")


class Scores(Section):
    """Scores of the user's own models."""

    path: FilePath
    """A CSV (also compressed), Parquet or ARFF file, one row per case."""
    label: Text
    """Column that holds the class; exactly two different values."""
    models: Levels[str] | None = None
    """Columns that hold scores (higher, more likely positive); null takes all numeric ones."""
    positive: Single | None = None
    """The label that counts as positive; null where the labels leave no doubt (0 and 1)."""
    prevalence: Share | None = None
    """As for data sets."""
    cost_ratio: CostRatio | None = None
    """As for data sets."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        if not is_file(self.path):
            yield "path", f"there is no file {self.path}"
