"""What each key of a config means, may hold, and holds if it is left out.

The defaults of German Credit are those of config/config.yaml; a config that names ``data.target``
is of another data set and stands alone (`OWN_DATA`). ``read_config`` is what the workflow calls;
``schema_text`` makes the schema by which editors complete and explain keys.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from difflib import get_close_matches
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_args

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    JsonValue,
    Tag,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
    create_model,
)
from pydantic.json_schema import GenerateJsonSchema

from study.errors import ExperimentError, nearest
from study.experiment.models import MODELS, RESAMPLING, check_estimator
from study.experiment.scenarios import NAMED_ONLY, base_name, sweep_names
from study.printed import PAPER_PAIR

COMPANIONS = ["ben_david2008", "hand2009", "baker", "silipo_widmann"]
LOAN_FILE_SHA256 = "b7844f23190acec0d9f9607c613bc046fdcbfa3e8c0780df1376f814d380f046"
# Paths that a config may give; in a file they are taken from its folder.
PATHS = (("data", "path"), ("loan_file",))
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
# Scenarios for what the paper leaves open.
CHANGES: dict[str, Any] = {
    "one_hot": {"encoding": "onehot"},
    "87_bad_rows": {"sampling": "keep_majority_up"},
    "768_rows": {"sampling": "total", "total": 768},
    "min_max": {"scaling": "minmax"},
    "early_stopping": {"models": ["linear", "neural_net_stopped"]},
    "matlab_network": {"models": ["linear", "neural_net_lm"]},
}
# Models of scenarios alone: of German Credit, experiment.models has them only if it names them.
STOPPED = {NAMED_ONLY[1]: {"like": "neural_net", "early_stopping": True}}
# Keys of the version before, and what to do instead.
CONSTANTS = ["hidden_units", "patience", "validation_fraction", "unused_fraction", "initialization"]
GONE = {
    "data.uci_url": "it is always UCI's own: remove it.",
    "data.timeout_seconds": "it is always 8: remove it.",
    "experiment.n_minority": "it follows from skew: remove it.",
    **dict.fromkeys(
        [f"models.neural_net_lm.{key}" for key in [*CONSTANTS, "max_iter"]],
        "it is a constant now, MATLAB's default of 2010: remove it.",
    ),
}
# How pydantic's messages read here.
WORDS = {
    "^(Input|String|List|Value) should": "it should",
    "^Value error, ": "",
    " after validation, not .*": "",
    "a valid dictionary.*": "a section of keys and values",
}

T = TypeVar("T")
log = logging.getLogger(__name__)


class ConfigError(ValueError):
    """Values in the config that can't be used; a line for each names its key."""


# ---- kinds of values ----


def _check_distinct(values: list[T]) -> list[T]:
    if len(set(map(repr, values))) < len(values):  # also of lists
        raise ValueError("it should hold nothing twice")
    return values


def _check_braces(path: str) -> str:
    if re.search(r"[{}\n]", path):
        raise ValueError("Snakemake takes no path with braces or line ends: rename the file")
    return path


def _check_file(path: str, info: ValidationInfo) -> str:
    is_there = os.path.isfile(path)  # noqa: PTH113  which raises nothing, whatever the text
    if not (is_there or info.context):
        raise ValueError("there is no such file")
    return path


def _check_loan_file(path: str) -> str:
    content = Path(path).read_bytes() if Path(path).is_file() else b""
    if hashlib.sha256(content).hexdigest() != LOAN_FILE_SHA256:
        raise ValueError(f"it is not TEC-2002-LOAN-DATA.csv (SHA-256 {LOAN_FILE_SHA256})")
    return path


def _check_constraint(text: str) -> str:
    """A constraint without spaces; kappacurve.operating needs NumPy, which a plan has not."""
    name, sign, bound = re.split("(<=|>=)", text.replace(" ", ""))
    if not (0 <= float(bound) <= 1 and (sign == "<=" or float(bound) > 0)):
        raise ValueError("it should hold a number from 0 to 1, above 0 after >=")
    return name + sign + bound


Distinct = Annotated[
    list[T], AfterValidator(_check_distinct), Field(json_schema_extra={"uniqueItems": True})
]
Text = Annotated[str, Field(min_length=1)]
FilePath = Annotated[Text, AfterValidator(_check_braces), AfterValidator(_check_file)]
LoanFile = Annotated[FilePath, AfterValidator(_check_loan_file)]
Constraint = Annotated[
    str,
    Field(pattern=r"^ *((fpr|flagged) *<=|(recall|precision|specificity) *>=) *\d*\.?\d+ *$"),
    AfterValidator(_check_constraint),
]
Name = Annotated[str, Field(pattern="^[a-z0-9][a-z0-9_.]*$", max_length=60)]
ModelName = Annotated[str, Field(pattern="^[a-z][a-z0-9_]*$", max_length=60)]
LeftOut = Literal[False]
# The tests hold the measures to exact fractions down to this prevalence.
Share = Annotated[float, Field(ge=1e-6, le=1 - 1e-6)]
Replicates = Annotated[int, Field(ge=2, le=1_000_000)]
Seed = Annotated[int, Field(ge=0, lt=2**32)]
Rows = Annotated[int, Field(ge=2)]
HiddenUnits = Annotated[int, Field(ge=1, le=1000)]
Iterations = Annotated[int, Field(ge=1, le=1_000_000)]
Sampling = Literal["keep_majority", "keep_majority_up", "total"]


class Assumption(NamedTuple):
    """What a key's default takes for granted where the paper leaves something open.

    `subject` and `reason` are a line of the appendix, `alternative` names other values of the key.
    """

    subject: str
    reason: str
    alternative: str = ""


class Section(BaseModel):
    """Refuses unknown keys, numbers in quotes, nan and inf; a key's docstring is its meaning."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
        validate_default=True,
    )


# ---- sections ----


class ClassNames(Section):
    """What tables and figures call the classes."""

    minority: Text
    """The class that is positive."""
    majority: Text
    """The other class."""


class Data(Section):
    """The data set: German Credit, or any other with a target."""

    source: Literal["auto", "uci", "bundled", "file", "scikit-learn"] = "auto"
    """file reads path; scikit-learn takes its data set called name. German Credit comes from uci,
    bundled, or auto: UCI, or else the bundled copy."""
    path: FilePath | None = None
    """A CSV (also compressed), Parquet or Excel file, for source file."""
    header: Literal["first_row", "none"] = "first_row"
    """none is for a CSV without a header: its columns are called column_1, column_2 and so on."""
    name: Literal["breast_cancer"] | None = None
    """The data set's name in scikit-learn."""
    target: Text | None = None
    """Column with the class, of exactly two values. A config that names it takes nothing from
    config/config.yaml."""
    positive: str | int | float | bool | None = None
    """The value of the target that is positive: the rare or costly class."""
    names: ClassNames | None = None
    """What tables and figures call the two classes; null takes the values in the data."""
    drop: Distinct[str] = []
    """Columns to leave out, such as customer numbers."""
    categorical: Distinct[str] = []
    """Columns of numeric codes, of text that is mostly numbers, or with more than 50 levels. Other
    text is a category anyway, each level a 0/1 column."""
    numeric: Distinct[str] = []
    """Columns of distinct integers that are features, not row numbers."""
    missing: Literal["refuse", "drop", "impute"] = "refuse"
    """Missing values: refuse the table, drop such rows, or impute (numbers by the training rows'
    median, categories by a level of their own)."""
    missing_values: Distinct[str | int | float] = []
    """Further spellings of a missing value, such as "n.d." or -99."""
    decimal: Literal[".", ","] = "."
    """The decimal sign of numbers in a CSV."""


class Split(Section):
    """Which rows train and which test."""

    by: Literal["random", "group", "time"] = "random"
    """random draws rows, group whole groups of rows; by time the last rows test."""
    column: Text | None = None
    """The column of the group or of the time, which is no feature."""


class Experiment(Section):
    """One scenario: how rows are drawn, split, fitted and measured."""

    skew: Share | None = 0.11
    """Share of minority rows after undersampling; null keeps all rows."""
    sampling: Annotated[
        Sampling,
        Assumption(
            "Rows",
            "all 700 good rows are kept and bad ones deleted, rounded down. At 11 % this leaves "
            "786 rows, 86 of them bad; the paper says 768, which no such deletion gives.",
            "keep_majority_up, 87 bad rows; total, as many rows as the key total says",
        ),
    ] = "keep_majority"
    """keep_majority deletes rows of the too frequent class only and rounds down what is left;
    keep_majority_up rounds up; total keeps experiment.total rows."""
    total: Annotated[int, Field(ge=4)] | None = 768
    """Rows kept by sampling total."""
    n_train: Rows | Annotated[float, Field(gt=0, lt=1)] = 500
    """Training rows, or their share; all others are test rows."""
    split: Split = Split()
    stratify: Annotated[
        bool, Assumption("Split", "random, as the paper says; the class ratio is not kept.")
    ] = False
    """Whether a random split keeps the class ratio."""
    encoding: Annotated[
        Literal["strathclyde", "onehot"],
        Assumption(
            "Columns", "UCI's numeric file, which a MATLAB user of 2010 would have read.", "onehot"
        ),
    ] = "strathclyde"
    """onehot: numeric columns, and a 0/1 column for each level of the others. strathclyde: the 24
    numeric columns of UCI's german.data-numeric."""
    scaling: Annotated[
        Literal["standard", "minmax"],
        Assumption("Scale", "standardised on the training rows.", "minmax, MATLAB's mapminmax"),
    ] = "standard"
    """standard: mean 0 and variance 1 on the training rows; minmax: -1 to 1 on them."""
    models: Annotated[
        Annotated[Distinct[ModelName], Field(min_length=1)] | None,
        Assumption("Models", "the paper's two, and logistic regression, today's linear baseline."),
    ] = None
    """Models to fit; null takes all under models but neural_net_lm (and, of German Credit,
    neural_net_stopped)."""
    prevalence: Annotated[
        Literal["test", "nominal"] | Share,
        Assumption(
            "Share of positives",
            "kappa is evaluated at the class ratio of the test rows.",
            "nominal, the skew",
        ),
    ] = "test"
    """Share of the minority at which kappa, AUK and H are evaluated: the test rows' (test), the
    skew (nominal), or a number."""
    cost_ratio: Annotated[float, Field(gt=0, le=1_000_000)] | None = None
    """What missing a minority row costs in false alarms, in kappa, AUK, H and the expected loss;
    null is Cohen's kappa."""
    at: Distinct[Constraint] = []
    """Constraints under which models are compared: fpr<=0.05, flagged<=0.1 (a share of all rows),
    specificity>=0.95, recall>=0.9 or precision>=0.5."""
    at_tolerance: Annotated[float, Field(ge=0)] = 0.2
    """A model whose test rows miss a limit on recall or flagged rows by more than this share of the
    limit (mean over splits) is not compared there."""
    replicates: Replicates = 1000
    """Random splits, each drawn, fitted and measured on its own."""
    per_job: Annotated[int, Field(ge=1)] = 500
    """Replicates that one job draws; results do not depend on it."""
    seed: Seed | None = None
    """The seed of a change or grid; null takes the config's."""


class Original(Section):
    """The untouched German Credit data, with 30 % bad rows."""

    n_train: Annotated[
        Rows,
        Assumption(
            "The untouched data",
            "the paper does not say how they were divided; 500 rows train.",
        ),
    ] = 500
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
    early_stopping: bool = False
    """Whether training ends after six steps without a lower log-loss on a fifth of the training
    rows, set aside; the best weights are kept."""


class NeuralNetLM(Section):
    """The same network, trained on squared error by Levenberg-Marquardt as in MATLAB 2010."""

    early_stopping: Annotated[
        bool,
        Assumption(
            "The MATLAB-like network",
            "as MATLAB's Neural Network Toolbox trained by default in 2008 to 2010: 5 hidden units "
            "started by Nguyen and Widrow's rule, at most 1000 steps, a fifth of the training rows "
            "to validate, another set aside, and an end after 6 steps without a better fit of the "
            "validation rows.",
            "false, all training rows; from R2010b on both shares were 0.15",
        ),
    ] = True
    """Whether validation rows end the training; false fits all training rows."""


class LikeLogistic(Logistic):
    """A variant of logistic."""

    like: Literal["logistic"]
    """The built-in model whose keys this one has."""


class LikeNeuralNet(NeuralNet):
    """A variant of neural_net."""

    like: Literal["neural_net"]
    """The built-in model whose keys this one has."""


class Variant(Section):
    """A built-in model under another name, with some of its keys changed."""

    model_config = ConfigDict(extra="ignore")
    like: Literal["logistic", "neural_net"]
    """Instead of an estimator: the built-in model of which this one is a variant."""


class OwnModel(Section):
    """A scikit-learn classifier under a name of the user's own."""

    estimator: str
    """Import path of its class, such as sklearn.svm.SVC."""
    parameters: dict[str, JsonValue] = {}
    """Arguments of the class. An estimator among them has the keys estimator and parameters,
    too."""
    resampling: Literal[*RESAMPLING] | None = None  # type: ignore[valid-type]
    """How imbalanced-learn balances the training rows; null leaves them."""


VARIANTS: dict[str, type[Section]] = {"logistic": LikeLogistic, "neural_net": LikeNeuralNet}


def _kind_of_model(settings: Any) -> str:
    """The tag of the section by which a model under a name of the user's own is checked."""
    stated = settings.__dict__ if isinstance(settings, Section) else settings
    if isinstance(stated, dict) and "like" in stated:
        return stated["like"] if stated["like"] in [*VARIANTS] else "unknown"
    return "left_out" if isinstance(settings, bool) else "own"


NamedModel = Annotated[
    Annotated[OwnModel, Tag("own")]
    | Annotated[LikeLogistic, Tag("logistic")]
    | Annotated[LikeNeuralNet, Tag("neural_net")]
    # Which only says what a model can be like.
    | Annotated[Variant, Tag("unknown"), WithJsonSchema({"not": {}})]
    | Annotated[LeftOut, Tag("left_out")],
    Discriminator(_kind_of_model),
]


class Models(Section):
    """Models and their settings ({} for the defaults); false leaves one out.

    Under any other name of small letters, digits and _: a model of the user's own, or a variant of
    a built-in one.
    """

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[ModelName, NamedModel] = Field(init=False)

    linear: Linear | LeftOut = Linear()
    logistic: Logistic | LeftOut = Logistic()
    neural_net: Annotated[
        NeuralNet | LeftOut,
        Assumption(
            "The network",
            "the paper names five hidden units and logistic transfer functions, nothing more; the "
            "rest are scikit-learn's defaults with its solver for small data (L-BFGS on the "
            "log-loss).",
        ),
    ] = NeuralNet()
    neural_net_lm: NeuralNetLM | LeftOut = NeuralNetLM()

    def names(self) -> list[str]:
        """The models that are not left out."""
        return [name for name, settings in self if settings is not False]


class Sweep(Section):
    """The experiment at other shares of the minority."""

    skew: Distinct[Share] = [0.02, 0.05, 0.11, 0.2, 0.3, 0.5]
    """Shares of minority rows. Above the data's own share, majority rows are deleted instead."""
    replicates: Replicates = 500
    """Random splits at each share; the experiment's own share has the experiment's splits."""


GRID_KEYS = ["skew", "sampling", "total", "n_train", "stratify", "encoding", "scaling"]
GRID_KEYS += ["models", "prevalence", "cost_ratio", "seed"]


def _grid_field(key: str) -> Any:
    """Distinct values of a key of experiment, each checked as the key itself."""
    field = Experiment.model_fields[key]
    annotated: Any = Annotated  # the parts are values here, which a type checker can't read
    values = annotated[
        list[annotated[(field.annotation, *field.metadata, Field())]],  # type: ignore[misc]
        Field(min_length=1, json_schema_extra={"uniqueItems": True}),
        AfterValidator(_check_distinct),
    ]
    return values | None, Field(None, description=f"Values of experiment.{key}.")


Grid: Any = create_model(
    "Grid",
    __base__=Section,
    __doc__="Values of keys of experiment, each combination of which is a scenario.",
    **{key: _grid_field(key) for key in Experiment.model_fields if key in GRID_KEYS},
)


class Sensitivity(Section):
    """The experiment with some of its keys changed."""

    changes: dict[Name, Experiment | LeftOut] = CHANGES
    """Scenarios by name (small letters, digits, _ and .), each with the keys of experiment that it
    changes; false leaves one out."""
    grid: Grid = Grid()
    """Lists of values by key of experiment, such as {skew: [0.05, 0.1], n_train: [200, 400]}; each
    combination is a scenario, such as skew_0.05_n_train_200."""
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
    figure1: Annotated[
        Figure1,
        Assumption(
            "The paper's Figure 1",
            "it does not say what its two curves are; ours are those of normal scores whose "
            "class means are 1.8 and 0.9 standard deviations apart, at 30 % positives.",
        ),
    ] = Figure1()


class Document(Section):
    """The appendix."""

    title: Text | None = None
    """Null makes one from the data's name."""
    author: Text | None = None
    """Null leaves it out."""
    width: Annotated[str, Field(pattern=r"^\d+(\.\d+)?(pt|mm|cm|in)$")] = "229pt"
    """Column width of the paper that the figures and tables go into, such as 229pt, 85mm or
    3.5in."""
    font: Literal["serif", "sans"] = "serif"
    """Letters of the figures."""


class Config(Section):
    """What each key of a config means, and what it may hold."""

    seed: Seed = 2010
    """Seed of the run: replicate k is seeded by this and k."""
    data: Data = Data()
    experiment: Experiment = Experiment()
    original: Original = Original()
    models: Models = Models()
    compared_models: Annotated[Distinct[ModelName], Field(min_length=2, max_length=2)] | None = None
    """The two models whose order is compared; null takes the first two, or the paper's pair."""
    sweep: Sweep = Sweep()
    sensitivity: Sensitivity = Sensitivity()
    figures: Figures = Figures()
    companions: Distinct[Literal[*COMPANIONS]] = COMPANIONS  # type: ignore[valid-type]
    """Related papers whose printed numbers are computed again, of German Credit alone."""
    loan_file: LoanFile | None = None
    """TEC-2002-LOAN-DATA.csv, the loan data of Thomas, Edelman & Crook (2002), for Hand's Example
    3; null leaves the example out."""
    document: Document = Document()
    estimator_packages: Distinct[Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]*$")]] = [
        "sklearn",
        "imblearn",
    ]
    """Packages whose classes a model may name. Naming a class runs its code: read a stranger's
    config first."""


# ---- values that do not fit together ----


def find_conflicts(config: Config) -> Iterator[tuple[str, str]]:
    """Keys whose values do not fit the others, each with the reason."""
    yield from _find_conflicts_of_data(config.data)
    yield from _find_conflicts_of_models(config)
    conflicts = list(_find_conflicts_of_experiment(config, config.experiment, "experiment"))
    yield from conflicts
    if config.data.target is None:
        compared = f"the paper compares {' and '.join(PAPER_PAIR)}"
        if config.compared_models not in (None, [*PAPER_PAIR]):
            yield "compared_models", f"{compared}: remove it"
        if not {*PAPER_PAIR} <= {*(config.experiment.models or config.models.names())}:
            yield "experiment.models", f"{compared}: add both"
    else:
        for key in ("original", "companions", "loan_file"):
            if key in config.model_fields_set and getattr(config, key):
                yield key, "it is of German Credit alone, and data.target names other data"
    if conflicts:
        return  # which the changes have, too
    names = ["original", base_name(config.model_dump())]
    names += sweep_names(config.model_dump()).values()
    for name, change in _list_changes(config.sensitivity):
        place = f"sensitivity.changes.{name}"
        if name not in config.sensitivity.changes:
            place = "sensitivity.grid"
        if name in names:
            yield place, f"another scenario is called {name}: choose another one"
        names.append(name)
        changed = config.experiment.model_copy(update=change)
        yield from _find_conflicts_of_experiment(config, changed, place)
        if changed.split != config.experiment.split:
            yield f"{place}.split", "all scenarios are split as experiment.split says"
    if config.experiment.seed is not None:
        yield "experiment.seed", "it is of changes and of a grid: write the key seed above"


def _list_changes(sensitivity: Sensitivity) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each scenario by name with what it changes: first those by name, then those of the grid.

    Whatever the order of the keys in a config: Snakemake compares how params print.
    """
    changes = sensitivity.changes
    for name in [*(name for name in CHANGES if name in changes), *sorted(changes.keys() - CHANGES)]:
        if change := changes[name]:
            stated = [key for key in Experiment.model_fields if key in change.model_fields_set]
            yield name, {key: getattr(change, key) for key in stated}
    lists = {key: values for key, values in sensitivity.grid if values is not None}
    for values in product(*lists.values()) if lists else ():
        setting = dict(zip(lists, values, strict=True))
        words = " ".join(f"{key} {value}" for key, value in setting.items()).lower()
        yield "_".join(re.findall(r"[a-z0-9_.]+", words)), setting


def _find_conflicts_of_data(data: Data) -> Iterator[tuple[str, str]]:
    needed = {"file": "path", "scikit-learn": "name"}.get(data.source)
    for key in ("path", "name"):
        if key == needed and getattr(data, key) is None:
            yield f"data.{key}", f"source {data.source} needs it"
        if key != needed and getattr(data, key) is not None:
            yield f"data.{key}", f"source {data.source} does not read it: remove it"
    if data.target is None:
        if data.source == "scikit-learn":
            yield "data.target", "source scikit-learn needs it"
        columns = ("drop", "categorical", "numeric")
        for key in ("positive", "header", *columns, "missing", "missing_values"):
            if getattr(data, key) != Data.model_fields[key].default:
                yield f"data.{key}", "it is of a data set with a target: name the target too"
        return
    if needed is None:
        yield "data.source", f"{data.source} is of German Credit, which has no target: give file"
    if data.positive is None:
        yield "data.positive", "a target needs it"
    for key in ("drop", "categorical", "numeric"):
        if data.target in getattr(data, key):
            yield f"data.{key}", f"{data.target} is the target, not a feature"
    if data.names and data.names.minority == data.names.majority:
        yield "data.names", "the two classes need different names"


def _find_conflicts_of_models(config: Config) -> Iterator[tuple[str, str]]:
    known = config.models.names()
    if not known:
        yield "models", "all of them are false: one is needed"
    named = {"compared_models": config.compared_models, "figures.models": config.figures.models}
    for key, names in named.items():
        for name in names or []:
            if name not in known:
                yield key, f"{name} is not one of the models {', '.join(known)}"
    for name, settings in (config.models.model_extra or {}).items():
        try:
            if isinstance(settings, OwnModel):
                check_estimator(settings.model_dump(), config.estimator_packages)
        except ExperimentError as error:
            yield f"models.{name}", str(error).removesuffix(".")


def _find_conflicts_of_experiment(
    config: Config, experiment: Experiment, place: str
) -> Iterator[tuple[str, str]]:
    """Of the experiment itself, or of one with a change."""
    known = config.models.names()
    for name in experiment.models or []:
        if name not in known:
            yield f"{place}.models", f"{name} is not one of the models {', '.join(known)}"
    if experiment.sampling == "total" and experiment.total is None:
        yield f"{place}.total", "sampling total needs it"
    if experiment.prevalence == "nominal" and experiment.skew is None:
        yield f"{place}.prevalence", "nominal is the skew, and there is none"
    split = experiment.split
    if (split.by == "random") != (split.column is None):
        yield f"{place}.split.column", "by group or time needs it, by random has none"
    if config.data.target is None:
        if split.by != "random":
            yield f"{place}.split", "German Credit is split at random: remove it"
        return
    if experiment.encoding == "strathclyde":
        yield f"{place}.encoding", "strathclyde is of German Credit alone: choose onehot"
    others = [config.data.target, *config.data.drop]
    if split.column in [*others, *config.data.categorical, *config.data.numeric]:
        yield f"{place}.split.column", f"{split.column} is also the target, dropped or a feature"


# ---- from a config of Snakemake's to a complete one ----


def read_config(
    config: Mapping[str, Any], files: Iterable[str | Path] = (), *, is_module: bool = False
) -> dict[str, Any]:
    """The complete config of a run; ConfigError with a sentence for each thing that is wrong.

    `config` is what Snakemake merged from the files; paths that a file gives are taken from its
    folder. For a module of another workflow, whose rules may make it, data.path need not be there.
    """
    stated = deepcopy(dict(config))
    for file in filter(Path.is_file, map(Path, files)):
        _take_paths_from_file(stated, file)
    _add_defaults(stated)
    try:
        checked = Config.model_validate(stated, context=is_module)
    except ValidationError as error:
        raise ConfigError("\n".join(describe_errors(error, stated))) from None
    defaults = Config.model_fields["estimator_packages"].default
    if added := set(checked.estimator_packages).difference(defaults):
        # Before a conflict is looked for, which imports the classes that are named.
        log.warning("The config lets a model run code of: %s.", ", ".join(sorted(added)))
    if conflicts := list(find_conflicts(checked)):
        raise ConfigError("\n".join(f"config key {key}: {text}." for key, text in conflicts))
    return _complete(checked)


def _add_defaults(config: dict[str, Any]) -> None:
    """Add what another data set has where it says nothing, and the variants of German Credit."""
    is_german_credit = value_at(config, ("data", "target")) is None
    for section, defaults in ({"models": STOPPED} if is_german_credit else OWN_DATA).items():
        if isinstance(stated := config.get(section, {}), dict):
            config[section] = deepcopy(defaults) | stated


def _complete(config: Config) -> dict[str, Any]:
    """All keys, without what is null only until the others are known."""
    complete = config.model_dump()
    models = {name: model for name, model in complete["models"].items() if model is not False}
    names = [name for name in MODELS if name in models] + sorted(models.keys() - MODELS.keys())
    complete["models"] = {name: _sort_keys(models[name]) for name in names}
    complete["sensitivity"]["changes"] = {
        name: {
            key: value.model_dump(exclude_unset=True) if isinstance(value, Section) else value
            for key, value in change.items()
        }
        for name, change in _list_changes(config.sensitivity)
    }
    complete["sensitivity"]["grid"] = {}
    is_german_credit = config.data.target is None
    if is_german_credit:
        names_of_classes = config.data.names or ClassNames(minority="bad", majority="good")
        complete["data"]["names"] = names_of_classes.model_dump()
    else:
        stated = config.models.model_fields_set | models.keys() - MODELS.keys()
        names = [name for name in names if name in stated] or names
        complete["companions"] = []
    others = NAMED_ONLY if is_german_credit else NAMED_ONLY[:1]
    fitted = config.experiment.models or [name for name in names if name not in others] or names
    complete["experiment"]["models"] = fitted
    pair = [*PAPER_PAIR] if is_german_credit else config.compared_models or fitted[:2]
    complete["compared_models"] = pair
    drawn = pair if is_german_credit else fitted[:6]
    complete["figures"]["models"] = config.figures.models or drawn
    return complete


def _sort_keys(value: Any) -> Any:
    if isinstance(value, list):
        return [_sort_keys(item) for item in value]
    return {k: _sort_keys(value[k]) for k in sorted(value)} if isinstance(value, dict) else value


# ---- files ----


class _StrictLoader(yaml.SafeLoader):
    """Refuses a key that stands twice, and 8:1, which YAML 1.1 reads in base 60, as 481."""

    def compose_scalar_node(self, anchor: Any) -> yaml.ScalarNode:
        node = super().compose_scalar_node(anchor)
        if ":" in node.value and node.tag.endswith((":int", ":float")):
            problem = f"{node.value} is read in base 60 (write one number, 8 for 8:1)"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
        return node

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        names = set()
        for key, _ in node.value:
            if str(key.value) in names:
                problem = f"the key {key.value} stands twice (keep one)"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
            names.add(str(key.value))
        return node


def _take_paths_from_file(config: dict[str, Any], file: Path) -> None:
    """Make paths that stand in a config file relative to the working folder."""
    try:
        # Snakemake, which has read the file before, takes JSON with tabs, too.
        loader = _StrictLoader(file.read_text(encoding="utf-8").replace("\t", " "))
        loader.name = str(file)
        values = loader.get_single_data()
    except yaml.YAMLError as error:
        raise ConfigError(f"config file: {' '.join(str(error).split())}.") from None
    # The workflow that has this one as a module may keep its config in a section of its own.
    sections = [values]
    for section in sections:
        if isinstance(section, dict):
            sections += section.values()
    for keys in PATHS:
        stated = value_at(config, keys)
        if isinstance(stated, str) and stated in [value_at(section, keys) for section in sections]:
            value_at(config, keys[:-1])[keys[-1]] = os.path.relpath(file.parent / stated)


def value_at(values: Any, keys: Iterable[str]) -> Any:
    """The value below these keys of a config, one inside the other; None if there is none."""
    for key in keys:
        values = values.get(key) if isinstance(values, dict) else None
    return values


def check_folder(results: Path) -> None:
    """Refuse to begin a run whose results could not be written."""
    if results.exists() and not results.is_dir():
        raise ConfigError(f"{results} is a file, but a folder is needed: move the file away.")
    if results.is_dir() and not os.access(results, os.W_OK | os.X_OK):
        raise ConfigError(f"the folder {results} can't be written to: change its rights.")


# ---- sentences ----


def describe_errors(refused: ValidationError, config: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each error, with the path of its key, the value, and what is allowed."""
    sentences: dict[str, list[str]] = {}
    for error in refused.errors():
        if error["loc"][-1] == "literal[False]" and isinstance(error["input"], dict):
            continue  # the other choice of a section, whose own errors say what is wrong
        path = _find_path(error, config)
        section, meaning = _find_section(path, config)
        dotted = ".".join(map(str, path))
        key = f"config key {dotted}"
        if error["type"] == "extra_forbidden":
            known = nearest(path[-1], sorted(section.model_fields))
            sentences[f"{key} is unknown; {GONE.get(dotted, known)}"] = []
        elif error["type"] == "missing":
            near = get_close_matches(path[1], MODELS, n=1) if section is OwnModel else []
            question = f" Or did you mean {near[0]}?" if near else ""
            sentences[f"{key} is missing"] = [meaning + question]
        else:
            text = json.dumps(error["input"], default=str, ensure_ascii=False)
            start = f"{key} is {text if len(text) <= 200 else f'{text[:197]}...'}"
            # A value of two kinds, such as a column's name or number, has a reason of each.
            sentences.setdefault(start, []).append(_describe_reason(error, meaning))
    for start, reasons in sentences.items():
        sentence = f"{start}: {', or '.join(reasons)}" if reasons else start
        yield sentence if sentence.endswith((".", "?")) else f"{sentence}."


def _find_path(error: Any, config: Any) -> list[Any]:
    """The keys of the place where pydantic, which names kinds of values too, found an error."""
    path, value = list[Any](), config
    for part in error["loc"]:
        is_item = isinstance(value, list) and isinstance(part, int)
        if is_item or (isinstance(value, dict) and part in value):
            path, value = [*path, part], value[part]
    return [*path, error["loc"][-1]] if error["type"] == "missing" else path


def _find_section(path: Iterable[Any], config: Any) -> tuple[type[Section], str]:
    """The section at this path of a config, and the meaning of its last key."""
    section: type[Section] = Config
    meaning = ""
    for name in path:
        config = config.get(name) if isinstance(config, dict) else None
        if field := section.model_fields.get(name):
            section = find_section_in(field.annotation) or section
            meaning = field.description or section.__doc__ or ""
        elif section is Models:
            like = config.get("like") if isinstance(config, dict) else None
            section, meaning = VARIANTS.get(str(like), OwnModel), Models.__doc__ or ""
    return section, " ".join(meaning.split())


def find_section_in(annotation: Any) -> type[Section] | None:
    """The section that a key holds, alone, beside null or false, or by name."""
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return annotation
    return next(filter(None, map(find_section_in, get_args(annotation))), None)


def _describe_reason(error: Any, meaning: str) -> str:
    if error["type"] in ("string_pattern_mismatch", "string_type"):
        return f"it should have another form: {meaning}"
    if error["type"] == "list_type" and not re.match(r"[\[{]", str(error["input"])):
        return f"it should be a list, such as [{json.dumps(error['input'], ensure_ascii=False)}]"
    reason: str = error["msg"]
    for pattern, words in WORDS.items():
        reason = re.sub(pattern, words, reason)
    is_text = error["type"].endswith("_type") and isinstance(error["input"], str)
    if is_text and re.fullmatch(r"[\d.e+-]+|true|false|null", error["input"]):
        # Snakemake reads only the outermost value of --config as YAML.
        reason += " (inside {...} or [...], --config passes text: use --configfile)"
    if error["type"] == "less_than_equal" and error["ctx"]["le"] < 1 < error["input"] < 100:
        reason += f": did you mean {error['input'] / 100:g}?"
    return reason


def schema_text() -> str:
    """The JSON schema of a config."""
    schema = {"$schema": GenerateJsonSchema.schema_dialect, **Config.model_json_schema()}
    return json.dumps(schema, indent=1) + "\n"
