"""What each key of a config means, may hold, and holds if it is left out.

The defaults of German Credit are those of config/config.yaml; a config that names ``data.target``
is of another data set and stands alone (`OWN_DATA`). ``read_config`` is what the workflow calls;
``schema_text`` makes the schema by which editors complete and explain keys.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from difflib import get_close_matches
from pathlib import Path
from textwrap import shorten
from typing import Annotated, Any, Literal, Self, TypeVar

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ErrorDetails, PydanticCustomError

from study.errors import ExperimentError, nearest
from study.experiment.models import MODELS, RESAMPLING, check_estimator
from study.experiment.scenarios import base_name, sweep_names

PAPER_MODELS = ["linear", "neural_net"]  # whose order the paper compares
CLASS_NAMES = {"minority": "bad", "majority": "good"}  # of German Credit
COMPANIONS = ["ben_david2008", "hand2009", "baker", "silipo_widmann"]
LOAN_FILE_SHA256 = "b7844f23190acec0d9f9607c613bc046fdcbfa3e8c0780df1376f814d380f046"
MIN_SHARE = 1e-6  # the tests hold the measures to exact fractions down to this prevalence
MAX_SHARE = 1 - MIN_SHARE
MAX_SENTENCES = 20
MAX_LENGTH = 600  # characters of a sentence
MAX_ALIASES = 20  # a YAML alias may stand for several others: more could be written without end
# With this key Snakemake's reader runs expressions in the file (YTE); none of them is used.
PROGRAM = "__use_yte__"
# Texts of a form, and what a sentence says of them. Snakemake takes no path with braces.
NAME = "^[a-z0-9][a-z0-9_.]*$"
MODEL_NAME = "^[a-z][a-z0-9_]*$"
PACKAGE = "^[A-Za-z_][A-Za-z0-9_]*$"
PATH = r"^[^{}\n]+$"
URL = "^https?://"
LENGTH = r"^\d+(\.\d+)?(pt|mm|cm|in)$"
FORMS = {
    NAME: "a name of small letters, digits, _ and .",
    MODEL_NAME: "a name of small letters, digits and _, with a letter first",
    PACKAGE: "the name of a package",
    PATH: "a path without braces and line ends",
    URL: "an address that begins with https:// or http://",
    LENGTH: "a length such as 240pt, 85mm or 3.5in",
}
# Paths that a config may give; in a file they are taken from its folder.
PATHS: tuple[tuple[str, ...], ...] = (("data", "path"), ("loan_file",))
# What a config of another data set has where it says nothing.
OWN_DATA: dict[str, dict[str, Any]] = {
    "experiment": {
        "skew": None,
        "n_train": 0.6,
        "stratify": True,
        "encoding": "onehot",
        "replicates": 200,
        "per_job": 50,
    },
    "sweep": {"skew": [], "replicates": 100},
    "sensitivity": {"changes": {}, "replicates": 100},
}
OF_GERMAN_CREDIT = "strathclyde is of German Credit alone: choose onehot"
# Keys of older versions, and what to do instead.
GONE = {
    "data.uci_id": "download the table, and give its path with source: file",
    "experiment.test_path": "score these rows yourself, and give the scores to kappacurve measure",
    "models.neural_net.trainer": "the compiled trainer is the only one: remove it",
    "replicates": "write count as experiment.replicates, per_job as experiment.per_job, and give a "
    "slow model a scenario of its own under sensitivity.changes",
    "sweep.count": "it is called sweep.replicates now",
    "sweep.per_job": "experiment.per_job holds for the sweep, too: remove it",
    "sweep.models": "the sweep fits experiment.models: remove it",
    "sweep.encoding": "name a change of encoding under sensitivity.changes",
    "sweep.sampling": "name a change of sampling under sensitivity.changes",
    "sweep.n_train": "name a change of n_train under sensitivity.changes",
    "companions": "it is a list of names now, such as [hand2009], and the loan data are loan_file",
    "compare": "it is called compared_models now",
    "specification": "name changes of experiment under sensitivity.changes",
    "forensics": "the explanations of the printed numbers have no settings: remove it",
    "document.kit": "the folder of the appendix is the kit: remove it, and give document.width",
    "datasets": "a run is of one data set: give each a config of its own",
}

T = TypeVar("T")


class ConfigError(ValueError):
    """Values in the config that can't be used; a line for each names its key."""


# ---- kinds of values ----


def _check_distinct(values: list[T]) -> list[T]:
    if len(set(values)) < len(values):
        raise ValueError("it should hold nothing twice")
    return values


def _check_file(path: str) -> str:
    with suppress(OSError):  # the system refuses some paths
        if Path(path).is_file():
            return path
    raise ValueError("there is no such file")


def _check_loan_file(path: str) -> str:
    if hashlib.sha256(Path(path).read_bytes()).hexdigest() == LOAN_FILE_SHA256:
        return path
    raise ValueError(
        f"it is not TEC-2002-LOAN-DATA.csv (its SHA-256 is not {LOAN_FILE_SHA256}): give that "
        "file, or null"
    )


def _check_rows_or_share(number: float) -> float:
    if number < 1:
        return number
    if number != int(number) or number < 2:
        raise ValueError("it should be a number of rows from 2, or a share below one")
    return int(number)


def _check_constraint(text: str) -> str:
    """As kappacurve.operating reads it, whose NumPy a plan must do without."""
    for sign, names in (("<=", ("fpr", "flagged")), (">=", ("recall", "precision", "specificity"))):
        name, found, bound = text.partition(sign)
        with suppress(ValueError):
            is_share = found and 0 <= float(bound) <= 1 and (sign == "<=" or float(bound) > 0)
            if is_share and name.strip() in names:
                return f"{name.strip()}{sign}{bound.strip()}"
    raise ValueError(
        "it should be fpr<= or flagged<=, or recall>=, precision>= or specificity>=, with a number "
        "from 0 to 1 (above 0 after >=)"
    )


def _check_plain(value: Any) -> Any:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        raise ValueError("it should be text, finite numbers, true, false and null") from None
    return value


def _check_single(value: Any) -> Any:
    if not isinstance(value, str | int | float):
        raise ValueError("it should be text, a number, true or false")
    return _check_plain(value)


def _check_false(value: Any) -> Any:
    if value is not False:  # 0 is equal to it
        raise ValueError("it should be false")
    return value


Distinct = Annotated[
    list[T], AfterValidator(_check_distinct), Field(json_schema_extra={"uniqueItems": True})
]
Text = Annotated[str, Field(min_length=1)]
FilePath = Annotated[str, Field(pattern=PATH), AfterValidator(_check_file)]
LoanFile = Annotated[FilePath, AfterValidator(_check_loan_file)]
Name = Annotated[str, Field(pattern=NAME, max_length=60)]
ModelName = Annotated[str, Field(pattern=MODEL_NAME, max_length=60)]
Plain = Annotated[Any, AfterValidator(_check_plain)]
Single = Annotated[Any, AfterValidator(_check_single)]
LeftOut = Annotated[Literal[False], BeforeValidator(_check_false)]
Share = Annotated[float, Field(ge=MIN_SHARE, le=MAX_SHARE)]
Replicates = Annotated[int, Field(ge=2, le=1_000_000)]
Rows = Annotated[int, Field(ge=2)]
RowsOrShare = Annotated[float, Field(gt=0), AfterValidator(_check_rows_or_share)]
HiddenUnits = Annotated[int, Field(ge=1, le=1000)]
Iterations = Annotated[int, Field(ge=1, le=1_000_000)]


class Section(BaseModel):
    """Refuses unknown keys, numbers in quotes, nan and inf; a key's docstring is its meaning."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
        validate_default=True,
    )

    def _conflicts(self) -> Iterator[tuple[str, str]]:
        """Keys below the section whose values do not fit the others, each with the reason."""
        yield from ()

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if conflicts := list(self._conflicts()):
            raise PydanticCustomError("conflict", "values do not fit", {"conflicts": conflicts})
        return self


# ---- sections ----


class ClassNames(Section):
    """What tables and figures call the classes."""

    minority: Text
    """The class that is positive."""
    majority: Text
    """The other class."""

    def _conflicts(self) -> Iterator[tuple[str, str]]:
        if self.minority == self.majority:
            yield "", "the two classes need different names"


class Data(Section):
    """The data set: German Credit, or any other with a target."""

    source: Literal["auto", "uci", "bundled", "file", "scikit-learn"] = "auto"
    """auto asks UCI for German Credit and falls back to the bundled copy; uci and bundled take one
    of the two; file reads path; scikit-learn takes the data set called name that it ships."""
    path: FilePath | None = None
    """A CSV (also compressed), Parquet or Excel file, for source file."""
    header: Literal["first_row", "none"] = "first_row"
    """none is for a CSV without a header: its columns are called column_1, column_2 and so on."""
    name: Literal["breast_cancer"] | None = None
    """The data set's name in scikit-learn."""
    target: Text | Annotated[int, Field(ge=1)] | None = None
    """Column with the class, of exactly two values; with header none also its number. A config that
    names it stands alone: nothing in it is taken from config/config.yaml."""
    positive: Single | None = None
    """The value of the target that is positive: the rare or costly class."""
    names: ClassNames | None = None
    """What tables and figures call the two classes; null takes the values in the data, and bad and
    good of German Credit."""
    drop: Distinct[str] = []
    """Columns to leave out, such as customer numbers."""
    categorical: Distinct[str] = []
    """Columns of numbers that are codes. Text is always a category: each level becomes a 0/1
    column. Text that is mostly numbers, or has more than 50 levels, must be named here."""
    numeric: Distinct[str] = []
    """Columns of distinct integers that are features, not row numbers."""
    missing: Literal["refuse", "drop", "impute"] = "refuse"
    """Missing values: refuse the table, drop such rows, or impute (numbers by the median of the
    training rows, categories by a level of their own)."""
    decimal: Literal[".", ","] = "."
    """The decimal sign of numbers in a CSV."""
    uci_url: Annotated[str, Field(pattern=URL)] = "https://archive.ics.uci.edu"
    """Where UCI's API is served; another address only for a mirror."""
    timeout_seconds: Annotated[float, Field(gt=0, le=600)] = 8
    """Deadline of the whole fetch from UCI."""

    def _conflicts(self) -> Iterator[tuple[str, str]]:
        needed = {"file": "path", "scikit-learn": "name"}.get(self.source)
        if self.target is None:
            if self.source == "scikit-learn":
                yield "target", "source scikit-learn needs it"
            for key in ("positive", "header", "drop", "categorical", "numeric", "missing"):
                if getattr(self, key) != type(self).model_fields[key].default:
                    yield key, "it is of a data set with a target: name the target too"
        elif needed is None:
            yield "source", f"{self.source} is of German Credit, which has no target: give file"
        elif self.positive is None:
            yield "positive", "a target needs it"
        if needed and getattr(self, needed) is None:
            yield needed, f"source {self.source} needs it"
        for key in ("path", "name"):
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


class Split(Section):
    """Which rows train and which test."""

    by: Literal["random", "group"] = "random"
    """random draws rows; group draws groups of rows, and no group is on both sides."""
    column: Text | None = None
    """The column of the group, such as the customer. It is no feature."""

    @field_validator("by", mode="before")
    @classmethod
    def _is_random(cls, by: Any) -> Any:
        if by == "time":
            raise ValueError(
                "rows are split at random: train on the earlier ones yourself, and give the scores "
                "of the later ones to kappacurve measure"
            )
        return by

    def _conflicts(self) -> Iterator[tuple[str, str]]:
        if (self.by == "random") != (self.column is None):
            yield "column", "by group needs it, by random has none"


class Experiment(Section):
    """One scenario: how rows are drawn, split, fitted and measured."""

    skew: Share | None = 0.11
    """Share of minority rows after undersampling; null keeps all rows."""
    sampling: Literal["keep_majority", "keep_majority_up", "total"] = "keep_majority"
    """keep_majority deletes rows of the too frequent class only and rounds down what is left of
    them, keep_majority_up rounds up; total keeps as many rows as the key total says."""
    total: Annotated[int, Field(ge=4)] | None = 768
    """Rows kept by sampling total."""
    n_minority: Rows | None = None
    """Number of minority rows; null derives it from skew."""
    n_train: RowsOrShare = 500
    """Training rows, or their share; all others are test rows."""
    split: Split = Split()
    stratify: bool = False
    """Whether a random split keeps the class ratio."""
    encoding: Literal["strathclyde", "onehot"] = "strathclyde"
    """onehot: numeric columns, and a 0/1 column for each level of the others. strathclyde: the 24
    numeric columns of UCI's german.data-numeric."""
    scaling: Literal["standard", "minmax"] = "standard"
    """standard: mean 0 and variance 1 on the training rows; minmax: -1 to 1 on them."""
    models: Annotated[Distinct[ModelName], Field(min_length=1)] | None = None
    """Models to fit; null takes all under models but neural_net_lm."""
    prevalence: Literal["test", "nominal"] | Share = "test"
    """Share of the minority at which kappa, AUK and H are evaluated: the test rows' (test), the
    skew (nominal), or a number."""
    cost_ratio: Annotated[float, Field(gt=0, le=1_000_000)] | None = None
    """What missing a minority row costs over a false alarm, in kappa, AUK, H and the expected loss;
    null is Cohen's kappa. With a ratio only AUCs are compared with published values."""
    at: Distinct[Annotated[str, AfterValidator(_check_constraint)]] = []
    """Constraints under which models are compared: fpr<=0.05, flagged<=0.1 (a share of all rows),
    specificity>=0.95, recall>=0.9 or precision>=0.5."""
    replicates: Replicates = 1000
    """Random splits, each undersampled, split, fitted and measured on its own."""
    per_job: Annotated[int, Field(ge=1)] = 500
    """Replicates that one job draws. The results do not depend on it."""

    def _conflicts(self) -> Iterator[tuple[str, str]]:
        if self.sampling == "total" and self.total is None:
            yield "total", "sampling total needs it"
        if self.n_minority is not None and self.skew is None:
            yield "n_minority", "without a skew all rows are kept: give a skew, or remove it"
        if self.prevalence == "nominal" and self.skew is None:
            yield "prevalence", "nominal is the skew, and there is none"


class Original(Section):
    """The untouched German Credit data, with 30 % bad rows."""

    n_train: Rows = 500
    """Training rows."""
    replicates: Replicates = 500
    """Random splits."""


class Linear(Section):
    """Least squares on the 0/1 label; it has no settings."""


class Logistic(Section):
    """Logistic regression with a ridge penalty."""

    C: Annotated[float, Field(gt=0)] = 1.0
    """Inverse of the penalty's weight."""


class NeuralNet(Section):
    """One hidden layer of logistic units, trained on the log-loss by L-BFGS."""

    hidden_units: HiddenUnits = 5
    """Units of the hidden layer."""
    alpha: Annotated[float, Field(ge=0)] = 0.0001
    """Weight of the ridge penalty."""
    max_iter: Iterations = 200
    """Most steps of L-BFGS."""


class NeuralNetLM(Section):
    """The same network, trained on squared error by Levenberg-Marquardt as in MATLAB 2010."""

    hidden_units: HiddenUnits = 5
    """Units of the hidden layer."""
    early_stopping: bool = True
    """Whether validation rows end the training; false fits all training rows."""
    patience: Iterations = 6
    """Steps without a better fit of the validation rows after which training stops."""
    validation_fraction: Annotated[float, Field(gt=0, lt=1)] = 0.2
    """Share of the training rows that validates."""
    unused_fraction: Annotated[float, Field(ge=0, lt=1)] = 0.2
    """Share of the training rows that MATLAB set aside as a test set of its own."""
    initialization: Literal["nguyen_widrow", "uniform"] = "nguyen_widrow"
    """How initial weights are drawn."""
    max_iter: Iterations = 1000
    """Most steps."""

    def _conflicts(self) -> Iterator[tuple[str, str]]:
        if self.validation_fraction + self.unused_fraction >= 1:
            yield "unused_fraction", "with validation_fraction it leaves no rows to train on"


class OwnModel(Section):
    """A scikit-learn classifier under a name of the user's own."""

    estimator: str
    """Import path of its class, such as sklearn.svm.SVC."""
    parameters: dict[str, Plain] = {}
    """Arguments of the class."""
    resampling: Literal[*RESAMPLING] | None = None  # type: ignore[valid-type]
    """How imbalanced-learn balances the training rows (smote, over, under); null leaves them."""

    @model_validator(mode="after")
    def _can_be_built(self, info: ValidationInfo[Any]) -> Self:
        try:
            check_estimator(self.model_dump(), (info.context or {}).get("packages", []))
        except ExperimentError as error:
            raise ValueError(str(error)) from None
        return self


class Models(Section):
    """Models and their settings ({} for the defaults); false leaves one out.

    Under any other name: a model of the user's own.
    """

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[ModelName, OwnModel | LeftOut] = Field(init=False)

    linear: Linear | LeftOut = Linear()
    logistic: Logistic | LeftOut = Logistic()
    neural_net: NeuralNet | LeftOut = NeuralNet()
    neural_net_lm: NeuralNetLM | LeftOut = NeuralNetLM()

    @field_validator("*", mode="wrap")
    @classmethod
    def _or_false(cls, value: Any, check: Any) -> Any:
        return False if value is False else check(value)

    def names(self) -> list[str]:
        """The models that are not left out."""
        return [name for name, settings in self if settings is not False]


class Sweep(Section):
    """The experiment at other shares of the minority."""

    skew: Distinct[Share] = [0.02, 0.05, 0.11, 0.2, 0.3, 0.5]
    """Shares of minority rows. Above the data's own share, majority rows are deleted instead."""
    replicates: Replicates = 500
    """Random splits at each share; a share that is the experiment's own has its splits."""


class Sensitivity(Section):
    """The experiment with some of its keys changed."""

    changes: dict[Name, dict[str, Plain] | LeftOut] = {
        "one_hot": {"encoding": "onehot"},
        "87_bad_rows": {"sampling": "keep_majority_up"},
        "768_rows": {"sampling": "total", "total": 768},
        "min_max": {"scaling": "minmax"},
        "matlab_network": {"models": ["linear", "neural_net_lm"]},
    }
    """Scenarios by name, each with the keys of experiment that it changes; false leaves one out."""
    replicates: Replicates = 200
    """Random splits of each scenario, unless it changes them."""


class Figure1(Section):
    """The illustration: normal scores of two models."""

    separations: Annotated[
        list[Annotated[float, Field(gt=0)]], Field(min_length=1, max_length=6)
    ] = [1.8, 0.9]
    """Distances between the class means, in standard deviations."""
    prevalence: Share = 0.3
    """Share of the positive class."""


class Figures(Section):
    """The figures of the curves."""

    models: Annotated[Distinct[ModelName], Field(min_length=1, max_length=6)] | None = None
    """Models drawn, in this order; null takes the compared ones, or the first six of other data."""
    figure1: Figure1 = Figure1()


class Document(Section):
    """The appendix."""

    title: Text | None = None
    """Null makes one from the data's name."""
    author: Text | None = None
    """Null leaves it out."""
    width: Annotated[str, Field(pattern=LENGTH)] = "240pt"
    """Width of a column of the paper that the figures and tables go into."""
    font: Literal["serif", "sans"] = "serif"
    """Letters of the figures."""


class Config(Section):
    """What each key of a config means, and what it may hold."""

    seed: Annotated[int, Field(ge=0, lt=2**32)] = 2010
    """Root of every random number. A replicate is seeded by this and its own number."""
    data: Data = Data()
    experiment: Experiment = Experiment()
    original: Original = Original()
    models: Models = Models()
    compared_models: Annotated[Distinct[ModelName], Field(min_length=2, max_length=2)] | None = None
    """The two models whose order is compared; null takes the first two. Of German Credit it is the
    paper's pair, linear and neural_net."""
    sweep: Sweep = Sweep()
    sensitivity: Sensitivity = Sensitivity()
    figures: Figures = Figures()
    companions: Distinct[Literal[*COMPANIONS]] = COMPANIONS  # type: ignore[valid-type]
    """Related papers whose printed numbers are computed again, of German Credit alone."""
    loan_file: LoanFile | None = None
    """TEC-2002-LOAN-DATA.csv, the loan data of Thomas, Edelman & Crook (2002), for Hand's Example
    3; null leaves the example out."""
    document: Document = Document()
    estimator_packages: Distinct[Annotated[str, Field(pattern=PACKAGE)]] = ["sklearn", "imblearn"]
    """Packages whose classes a model may name. Naming a class runs its code, so read a stranger's
    config before you add a package."""

    def _conflicts(self) -> Iterator[tuple[str, str]]:
        known = self.models.names()
        if not known:
            yield "models", "all of them are false: one is needed"
        places = {
            "experiment.models": self.experiment.models,
            "compared_models": self.compared_models,
            "figures.models": self.figures.models,
        }
        for place, names in places.items():
            for name in names or []:
                if name not in known:
                    yield place, f"{name} is not one of the models {', '.join(known)}"
        if self.data.target is None:
            yield from self._conflicts_of_german_credit()
        else:
            yield from self._conflicts_of_own_data()

    def _conflicts_of_german_credit(self) -> Iterator[tuple[str, str]]:
        if self.compared_models not in (None, PAPER_MODELS):
            yield "compared_models", "of German Credit it is the paper's pair: remove it"
        fitted = self.experiment.models or PAPER_MODELS
        for name in PAPER_MODELS:
            if getattr(self.models, name) is False:
                yield f"models.{name}", f"the paper compares {' and '.join(PAPER_MODELS)}"
            elif name not in fitted:
                yield "experiment.models", f"the paper compares {' and '.join(PAPER_MODELS)}"
        if self.experiment.split.by != "random":
            yield "experiment.split", "German Credit is split at random: remove it"

    def _conflicts_of_own_data(self) -> Iterator[tuple[str, str]]:
        for key in ("original", "companions", "loan_file"):
            if key in self.model_fields_set and getattr(self, key):
                yield key, "it is of German Credit alone, and data.target names other data"
        if self.experiment.encoding == "strathclyde":
            yield "experiment.encoding", OF_GERMAN_CREDIT
        column = self.experiment.split.column
        if column is not None and column == self.data.target_column:
            yield "experiment.split.column", f"{column} is the target"
        for key in ("drop", "categorical", "numeric"):
            if column is not None and column in getattr(self.data, key):
                yield f"data.{key}", f"{column} is the column of the split, not a feature"


# ---- from a config of Snakemake's to a complete one ----


def read_config(config: Mapping[str, Any], files: Iterable[str | Path] = ()) -> dict[str, Any]:
    """The complete config of a run; ConfigError with a sentence for each thing that is wrong.

    `config` is what Snakemake merged from the files; paths that a file gives are taken from its
    folder.
    """
    named = [Path(file) for file in files]
    problems = [problem for file in named for problem in find_problems_of_file(file)]
    if any(problem.startswith("config file ") for problem in problems):
        raise _config_error(problems)  # the values may be without end
    stated = deepcopy(dict(config))
    _take_paths_from_files(stated, named)
    packages = stated.get("estimator_packages", Config.model_fields["estimator_packages"].default)
    context = {"packages": packages if isinstance(packages, list) else []}
    try:
        checked = Config.model_validate(_add_own_defaults(stated), context=context)
        for name, change in checked.sensitivity.changes.items():
            if change is not False:
                problems += _problems_of_change(checked, name, change)
    except ValidationError as error:
        problems += list(describe_errors(error))
    if problems:
        raise _config_error(problems)
    return _complete(checked)


def _add_own_defaults(config: dict[str, Any]) -> dict[str, Any]:
    data = config.get("data")
    if not isinstance(data, dict) or data.get("target") is None:
        return config
    for section, defaults in OWN_DATA.items():
        if isinstance(stated := config.get(section, {}), dict):
            config[section] = defaults | stated
    return config


def _problems_of_change(config: Config, name: str, change: dict[str, Any]) -> Iterator[str]:
    place = ("sensitivity", "changes", name)
    key = f"config key {'.'.join(place)}"
    if unknown := sorted(change.keys() - Experiment.model_fields.keys()):
        yield f"{key}.{unknown[0]} is unknown; {nearest(unknown[0], _known_keys(['experiment']))}"
        return
    try:
        changed = Experiment.model_validate(config.experiment.model_dump() | change)
    except ValidationError as error:
        yield from describe_errors(error, place)
        return
    complete = config.model_dump()
    if name in ("original", base_name(complete), *sweep_names(complete).values()):
        yield f"{key}: another scenario has this name: choose another one."
    if changed.split != config.experiment.split:
        yield f"{key}.split: all scenarios are split as experiment.split says: remove it."
    if config.data.target is not None and changed.encoding == "strathclyde":
        yield f"{key}.encoding: {OF_GERMAN_CREDIT}."
    known = config.models.names()
    for model in changed.models or []:
        if model not in known:
            reason = f"{model} is not one of the models {', '.join(known)}"
            yield f"{key}.models: {reason}: leave it out, or set the change to false."


def _complete(config: Config) -> dict[str, Any]:
    """All keys, without what is null only until the others are known."""
    complete = config.model_dump()
    on = {name: value for name, value in complete["models"].items() if value is not False}
    names = [*(name for name in MODELS if name in on), *sorted(on.keys() - MODELS.keys())]
    complete["models"] = {name: on[name] for name in names}
    changes = complete["sensitivity"]["changes"].items()
    complete["sensitivity"]["changes"] = {
        name: change for name, change in changes if change is not False
    }
    is_german_credit = config.data.target is None
    if is_german_credit:
        complete["data"]["names"] = complete["data"]["names"] or CLASS_NAMES
    else:
        stated = {name for name in config.models.model_fields_set if name in on}
        names = [name for name in names if name in stated or "estimator" in on[name]] or names
        complete["companions"] = []
    fast = [name for name in names if name != "neural_net_lm"]
    fitted = complete["experiment"]["models"] or fast or names
    complete["experiment"]["models"] = fitted
    compared = PAPER_MODELS if is_german_credit else config.compared_models or fitted[:2]
    complete["compared_models"] = compared
    drawn = PAPER_MODELS if is_german_credit else fitted[:6]
    complete["figures"]["models"] = config.figures.models or drawn
    return complete


def _take_paths_from_files(config: dict[str, Any], files: list[Path]) -> None:
    """Make paths that stand in a config file relative to the working folder."""
    for *sections, key in PATHS:
        path = _get(config, [*sections, key])
        for file in files if isinstance(path, str) else []:
            with suppress(OSError, ValueError, yaml.YAMLError):  # which Snakemake has reported
                if _get(yaml.safe_load(_read_yaml(file)), [*sections, key]) == path:
                    _get(config, sections)[key] = os.path.relpath(file.parent / str(path))
                    break


def _get(values: Any, keys: Iterable[str]) -> Any:
    for key in keys:
        values = values.get(key) if isinstance(values, dict) else None
    return values


# ---- sentences ----


def describe_errors(refused: ValidationError, place: tuple[str, ...] = ()) -> Iterator[str]:
    """A sentence for each error, with the path of its key, the value, and what is allowed."""
    reasons: dict[str, list[str]] = {}
    for error in refused.errors():
        kind, value = error["type"], error["input"]
        if error["loc"] and "literal[False]" in str(error["loc"][-1]):
            continue  # the other choice of a model, whose own errors say what is wrong
        path = [*place, *(part for part in error["loc"] if not _is_tag(part))]
        dotted = ".".join(_cut(str(part), 60) for part in path)
        key = f"config key {dotted}"
        if dotted in GONE and (kind == "extra_forbidden" or isinstance(value, dict)):
            yield f"{key} is no longer read: {GONE[dotted]}."
        elif kind == "conflict":
            for name, conflict in error["ctx"]["conflicts"]:
                yield f"config key {'.'.join(filter(None, [dotted, name]))}: {conflict}."
        elif kind == "extra_forbidden":
            yield f"{key} is unknown; {nearest(str(path[-1]), _known_keys(path[:-1]))}"
        elif kind == "missing":
            yield f"{key} is missing: {_field_meaning(path)}"
        elif kind == "value_error" and path[0] == "models" and len(path) == 2:  # can't be built
            yield f"{key}: {_describe_reason(error)}."
        else:
            # A value of two kinds, such as a column's name or number, has a reason of each.
            start = f"{key} is {_format_value(value)}"
            reasons.setdefault(start, []).append(_describe_reason(error))
    for start, texts in reasons.items():
        yield f"{start}: {', or '.join(texts)}."


def _describe_reason(error: ErrorDetails) -> str:
    kind, value = error["type"], error["input"]
    if kind == "string_pattern_mismatch":
        return f"it should be {FORMS[error['ctx']['pattern']]}"
    if kind in ("model_type", "dict_type"):
        return "it should be a section of keys and values"
    reason = error["msg"].removeprefix("Value error, ").removesuffix(".")
    reason = re.sub("^(Input|String|List|Value) should", "it should", reason)
    reason = re.sub(" after validation, not .*", "", reason)
    if kind.endswith("_type") and isinstance(value, str):
        # Snakemake reads only the outermost value of --config as YAML.
        reason += " (inside {...} or [...], --config passes text: use --configfile)"
    return reason


def _is_tag(part: object) -> bool:
    """Whether a part of pydantic's location is a kind of value and not a key."""
    return isinstance(part, str) and (
        part.startswith(("literal[", "function-", "constrained-", "dict["))
        or part in ("[key]", "str", "int", "float")
        or part in ("Linear", "Logistic", "NeuralNet", "NeuralNetLM", "OwnModel")
    )


def _section(path: list[Any]) -> Any:
    """The section at this path of a config."""
    section: Any = Config
    for name in path:
        field = getattr(section, "model_fields", {}).get(name)
        kinds = (field.annotation, *getattr(field.annotation, "__args__", ())) if field else ()
        section = next((kind for kind in kinds if hasattr(kind, "model_fields")), OwnModel)
    return section


def _known_keys(path: list[Any]) -> list[str]:
    return sorted(_section(path).model_fields)


def _field_meaning(path: list[Any]) -> str:
    field = _section(path[:-1]).model_fields[path[-1]]
    meaning = " ".join(field.description.split())
    near = get_close_matches(str(path[1]), MODELS, n=1) if path[0] == "models" else []
    return f"{meaning} Or did you mean {near[0]}?" if near else meaning


def _format_value(value: object) -> str:
    """A value as YAML would write it, cut where it is long."""
    try:
        text = json.dumps(value, default=str, ensure_ascii=False)
    except (TypeError, ValueError):  # such as an integer of more than 4300 digits
        return "a value that can't be printed"
    return _cut(text, 200)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 3]}..."


def _config_error(problems: list[str]) -> ConfigError:
    lines = [shorten(problem, MAX_LENGTH, placeholder=" ...") for problem in problems]
    if (more := len(lines) - MAX_SENTENCES) > 0:
        lines[MAX_SENTENCES:] = [f"(and {more} more)"]
    return ConfigError("\n".join(lines))


# ---- files ----


def check_folder(results: Path) -> None:
    """Refuse to begin a run whose results could not be written."""
    if results.exists() and not results.is_dir():
        raise ConfigError(f"{results} is a file, but a folder is needed: move the file away.")
    if results.is_dir() and not os.access(results, os.W_OK | os.X_OK):
        raise ConfigError(f"the folder {results} can't be written to: change its rights.")


def find_problems_of_file(file: Path) -> list[str]:
    """Keys given twice, programs, many aliases, and text that is not YAML: sentences."""
    if not file.is_file():
        return []
    try:
        text = _read_yaml(file)
        aliases = sum(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text))
        if aliases > MAX_ALIASES:
            return [f"config file {file}: {aliases} aliases (*name); the limit is {MAX_ALIASES}."]
        # Composed but not constructed: no tag makes an object.
        return list(_problems_of_keys(yaml.compose(text, yaml.SafeLoader), file))
    except UnicodeDecodeError as error:
        return [f"config file {file}: byte {error.start + 1} is not UTF-8; save it as UTF-8."]
    except RecursionError:
        return [f"config file {file} is nested too deeply."]
    except yaml.YAMLError as error:
        return [f"config file {file} is not YAML: {' '.join(str(error).split())}."]


def _read_yaml(file: Path) -> str:
    text = file.read_text(encoding="utf-8")
    # JSON is YAML but for its tabs, which stand only between its words.
    return text.replace("\t", " ") if text.lstrip().startswith("{") else text


def _problems_of_keys(root: yaml.Node | None, file: Path) -> Iterator[str]:
    """Of each mapping once, however many aliases lead to it."""
    waiting: list[tuple[Any, str]] = [(root, "")]
    seen = set()
    while waiting:
        node, above = waiting.pop(0)
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += [(part, f"{above}{number}.") for number, part in enumerate(node.value)]
        if not isinstance(node, yaml.MappingNode):
            continue
        lines: dict[tuple[str, str], int] = {}
        for key, value in node.value:
            waiting.append((value, f"{above}{key.value}."))
            name = (key.tag, str(key.value))
            line = key.start_mark.line + 1
            if key.value == PROGRAM:
                yield f"config key {PROGRAM} in {file}: a config holds no program; take it out."
            # Keys that are merged in (<<) may be given again: that is what merging is for.
            if name in lines and key.tag != "tag:yaml.org,2002:merge":
                where = f"in {file}, lines {lines[name]} and {line}"
                yield f"config key {above}{key.value} stands twice {where}: keep one."
            lines[name] = line


class _Generator(GenerateJsonSchema):
    """Without titles, which would only repeat the keys."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        """Never."""
        return False


def schema_text() -> str:
    """The JSON schema of a config, one line for each section."""
    schema = Config.model_json_schema(schema_generator=_Generator)
    sections = schema.pop("$defs")
    schema = {"$schema": GenerateJsonSchema.schema_dialect, **schema}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(sections[name])}" for name in sections)
    return f'{json.dumps(schema)[:-1]},\n"$defs": {{\n{lines}\n}}}}\n'
