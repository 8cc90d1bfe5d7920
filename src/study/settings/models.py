"""The models, by the names of study.models.registry, and the data sets that a user brings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

from study.errors import ExperimentError
from study.models.registry import RESAMPLING, check_estimator
from study.settings.values import (
    LEFT_OUT,
    CostRatio,
    Distinct,
    FileThere,
    ModelName,
    ModelNames,
    Plain,
    Scaling,
    Section,
    Share,
    Single,
    Switched,
    Text,
    Trainer,
    one_of,
)

HiddenUnits = Annotated[int, Field(ge=1, le=1000)]
MOST_MODELS = 36
Iterations = Annotated[int, Field(ge=1, le=1_000_000)]


class Linear(Section):
    """Least squares on the 0/1 label; it has no settings."""


class Logistic(Section):
    """Logistic regression with a ridge penalty."""

    C: Annotated[float, Field(gt=0)] = LEFT_OUT
    """Inverse of the penalty's weight."""


class NeuralNet(Section):
    """One hidden layer of logistic units, trained on the log-loss by L-BFGS."""

    hidden_units: HiddenUnits = LEFT_OUT
    """Units of the hidden layer."""
    trainer: Trainer = LEFT_OUT
    """Both minimise the same function; compiled is several times faster."""
    alpha: Annotated[float, Field(ge=0)] = LEFT_OUT
    """Weight of the ridge penalty."""
    max_iter: Iterations = LEFT_OUT
    """Most steps of L-BFGS."""


class NeuralNetLM(Section):
    """The same network, trained on squared error by Levenberg-Marquardt as in MATLAB 2010."""

    hidden_units: HiddenUnits = LEFT_OUT
    """Units of the hidden layer."""
    early_stopping: bool = LEFT_OUT
    """Whether validation rows end the training; false fits all training rows."""
    patience: Iterations = LEFT_OUT
    """Steps without a better fit of the validation rows after which training stops."""
    validation_fraction: Annotated[float, Field(gt=0, lt=1)] = LEFT_OUT
    """Share of the training rows that validates."""
    unused_fraction: Annotated[float, Field(ge=0, lt=1)] = LEFT_OUT
    """Share of the training rows that MATLAB set aside as a test set of its own."""
    initialization: Literal["nguyen_widrow", "uniform"] = LEFT_OUT
    """How initial weights are drawn."""
    max_iter: Iterations = LEFT_OUT
    """Most steps."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        if (self.validation_fraction or 0) + (self.unused_fraction or 0) >= 1:
            yield "unused_fraction", "with validation_fraction it leaves no rows to train on"


class OwnModel(Section):
    """A scikit-learn classifier under a name of your own."""

    estimator: str
    """Import path of its class, such as sklearn.svm.SVC."""
    parameters: dict[str, Plain] = Field(default={})
    """Arguments of the class."""
    resampling: Annotated[str, one_of(RESAMPLING)] | None = None
    """How imbalanced-learn balances the training rows; null leaves them as they are."""

    @model_validator(mode="before")
    @classmethod
    def _names_an_estimator(cls, settings: Any) -> Any:
        if isinstance(settings, dict) and "estimator" not in settings:
            raise PydanticCustomError("not_a_model", "it names no estimator")
        return settings

    @model_validator(mode="after")
    def _can_be_built(self, info: ValidationInfo[Any]) -> Self:
        try:
            check_estimator(self.model_dump(), info.context["packages"])
        except ExperimentError as error:
            raise ValueError(str(error)) from None
        return self


class Models(Section):
    """Models to fit, each with its settings ({} for the defaults).

    false leaves out a model that another config file brings in. Under any other name: a model of
    your own.
    """

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[
        Annotated[str, Field(pattern="^[a-z][a-z0-9_]*$", max_length=60)], Switched[OwnModel]
    ]

    linear: Linear
    """Least squares. The paper compares it with neural_net, so neither can be left out."""
    logistic: Switched[Logistic] = LEFT_OUT
    """Logistic regression, the linear baseline of today."""
    neural_net: NeuralNet
    """The paper's network, trained as scikit-learn does."""
    neural_net_lm: Switched[NeuralNetLM] = LEFT_OUT
    """The paper's network, trained as MATLAB did by default."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        on = [settings for _, settings in self if settings is not False]
        if len(on) > MOST_MODELS:
            yield "", f"figures tell {MOST_MODELS} models apart, not {len(on)}: set some to false"


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
    path: FileThere | None = None
    """A CSV (also compressed), Parquet or Excel file, for source file."""
    test_path: FileThere | None = None
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
        read = {needed, "test_path"} if self.source == "file" else {needed}
        for key in [*NEEDED.values(), "test_path"]:
            if key not in read and getattr(self, key) is not None:
                yield key, f"source {self.source} does not read it: remove it"
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
