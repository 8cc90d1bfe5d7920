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


class Dataset(Section):
    """A data set of the user's own."""

    source: Literal["file", "uci", "scikit-learn"]
    """file reads path; uci fetches uci_id; scikit-learn takes the data set called name that it
    ships."""
    path: FilePath | None = None
    """A CSV (also compressed), Parquet or ARFF file, for source file."""
    uci_id: Annotated[int, Field(ge=1)] | None = None
    """UCI's number of the data set, for source uci."""
    name: Literal["breast_cancer"] | None = None
    """The data set's name in scikit-learn."""
    target: Text
    """Column that holds the class; exactly two different values."""
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
        for key in ("drop", "categorical"):
            if self.target in getattr(self, key):
                yield key, f"{self.target} is the target, not a feature"
        if self.n_train >= 1 and self.n_train != int(self.n_train):
            yield "n_train", f"{self.n_train} is neither a number of rows nor a share below one"


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
