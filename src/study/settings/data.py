"""Which data set a run is about, and how its rows are divided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from study.settings.values import (
    Constraint,
    CostRatio,
    Distinct,
    Encoding,
    FileThere,
    Prevalence,
    Rows,
    RowsOrShare,
    Scaling,
    Scheme,
    Section,
    Share,
    Single,
    Text,
)

NEEDED = {"file": "path", "scikit-learn": "name"}


def _is_random(by: Any) -> Any:
    if by == "time":
        raise ValueError(
            "rows are split at random: train on the earlier ones yourself, and give the scores of "
            "the later ones to kappacurve measure"
        )
    return by


class ClassNames(Section):
    """What tables and figures call the classes."""

    minority: Text
    """The class that is positive."""
    majority: Text
    """The other one."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        if self.minority == self.majority:
            yield "", "the two classes need different names"


class Data(Section):
    """The data set: German Credit, or with a target any other."""

    source: Literal["auto", "uci", "bundled", "file", "scikit-learn"]
    """file reads path; scikit-learn takes the data set called name that it ships. Without a target,
    of German Credit: auto asks UCI and falls back to the copy in the repository; uci and bundled
    take one of the two; file reads a file like UCI's german.data."""
    path: FileThere | None = None
    """A CSV (also compressed), Parquet or Excel file, for source file."""
    header: Literal["first_row", "none"] = "first_row"
    """none is for a CSV that begins with its first row: its columns are called column_1, column_2
    and so on."""
    name: Literal["breast_cancer"] | None = None
    """The data set's name in scikit-learn."""
    target: Text | Annotated[int, Field(ge=1)] | None = None
    """Column that holds the class; exactly two different values. With header none also its number.
    A config that names it stands alone: what it leaves out has the defaults below, and not the
    values of config/config.yaml."""
    positive: Single | None = None
    """The value of the target that counts as positive: the rare or costly class. It is called the
    minority whatever its share, and the other one the majority."""
    names: ClassNames | None = None
    """What tables and figures call the two classes; null takes the values in the data."""
    drop: Distinct[str] = Field(default=[])
    """Columns to leave out, such as numbers of customers."""
    categorical: Distinct[str] = Field(default=[])
    """Columns of numbers that are codes. Text always is one; every level becomes a 0/1 column.
    Text of which most are numbers, or with more than 50 levels, is refused unless it is named here:
    it may hold typing errors, or names."""
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
    uci_url: Annotated[str, Field(pattern="^https?://")] = "https://archive.ics.uci.edu"
    """Where UCI's API is served; another address only for a mirror."""
    timeout_seconds: Annotated[float, Field(gt=0, le=600)] = 60
    """Deadline of the whole fetch from UCI."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        needed = NEEDED.get(self.source)
        if self.target is None:
            if self.source == "scikit-learn":
                yield "target", "source scikit-learn needs it"
            for key in ("positive", "header", "drop", "categorical", "numeric", "missing"):
                if getattr(self, key) != type(self).model_fields[key].default:
                    yield key, "it is of a data set with a target: name the target too"
        elif needed is None:
            reason = f"{self.source} is of German Credit, which has no target key; of other data "
            yield "source", f"{reason}download the table, and give its path with source: file"
        elif self.positive is None:
            yield "positive", "a target needs it"
        if needed and getattr(self, needed) is None:
            yield needed, f"source {self.source} needs it"
        for key in NEEDED.values():
            if key != needed and getattr(self, key) is not None:
                yield key, f"source {self.source} does not read it: remove it"
        if isinstance(self.target, int) and self.header != "none":
            yield "target", "a number stands for a column with header: none only; give its name"
        for key in ("drop", "categorical", "numeric"):
            if self.target_column in getattr(self, key):
                yield key, f"{self.target_column} is the target, not a feature"

    @property
    def target_column(self) -> str | None:
        """The target's name, where a number stands for it."""
        return f"column_{self.target}" if isinstance(self.target, int) else self.target


class HowSplit(Section):
    """Which rows train and which test."""

    by: Annotated[Literal["random", "group"], BeforeValidator(_is_random)] = "random"
    """random draws rows; group draws groups of rows, and no group is on both sides."""
    column: Text | None = None
    """The column of the group, such as the customer. It is no feature."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        if (self.by == "random") != (self.column is None):
            yield "column", "by group needs it, by random has none"


class Experiment(Section):
    """How rows are divided and measured; of German Credit as in Kaymak et al. 2010, section 8."""

    skew: Share | None = None
    """Share of minority rows after undersampling; null keeps the rows as they are."""
    sampling: Scheme = "keep_majority"
    """keep_majority deletes rows of the too frequent class only and rounds what is left of them
    down, keep_majority_up rounds up; total keeps as many rows as the key total says."""
    total: Annotated[int, Field(ge=4)] | None = None
    """Rows kept by sampling total."""
    n_minority: Rows | None = None
    """Number of minority rows; null derives it from skew."""
    n_train: RowsOrShare = 0.6
    """Training rows; below one, their share. All others are test rows."""
    split: HowSplit = HowSplit()
    stratify: bool = True
    """Whether a random split keeps the class ratio."""
    encoding: Encoding = "onehot"
    """onehot, numeric columns and a 0/1 column for each level of the others. German Credit also has
    strathclyde, the 24 numeric columns of UCI's german.data-numeric."""
    scaling: Scaling = "standard"
    """standard, mean 0 and variance 1 on the training rows; minmax, -1 to 1 on them."""
    prevalence: Prevalence = "test"
    """Share of the minority at which kappa, AUK and H are evaluated: the test rows' own (test), the
    skew (nominal), or a number."""
    cost_ratio: CostRatio | None = None
    """What missing a minority row costs over a false alarm, in kappa, AUK, H and the expected loss;
    null is Cohen's kappa, and no expected loss. With a ratio only the AUCs of German Credit are
    compared with published values."""
    # ASSUME: none by default, because no budget or goal suits every data set.
    at: Distinct[Constraint] = Field(default=[])
    """Constraints under which the models are compared, the minority flagged: fpr<=0.05,
    flagged<=0.1 (an alert budget, as a share of all rows), specificity>=0.95, recall>=0.9 or
    precision>=0.5, with any bound from 0 to 1."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        if self.sampling == "total" and self.total is None:
            yield "total", "sampling total needs it"
        if self.n_minority is not None and self.skew is None:
            yield "n_minority", "without a skew all rows are kept: give a skew, or remove it"
        if self.prevalence == "nominal" and self.skew is None:
            yield "prevalence", "nominal is the skew, and there is none"
        if self.split.by == "group" and not self.stratify:
            yield "stratify", "a split by group leaves nothing to it: take it out"
