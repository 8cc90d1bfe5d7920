"""The config's sections, and the JSON schema by which editors complete and explain its keys."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo
from pydantic.json_schema import GenerateJsonSchema

from study.published import PAPER_PAIR
from study.settings.data import Data, Experiment
from study.settings.models import Models
from study.settings.values import (
    Count,
    Distinct,
    Encoding,
    FileThere,
    Levels,
    ModelName,
    ModelNames,
    PerJob,
    Rows,
    RowsOrShare,
    Scheme,
    Section,
    Share,
    Text,
)

CompanionName = Literal["ben_david2008", "hand2009", "baker", "silipo_widmann"]
# Of TEC-2002-LOAN-DATA.csv.
LOAN_FILE_SHA256 = "b7844f23190acec0d9f9607c613bc046fdcbfa3e8c0780df1376f814d380f046"
MOST_PLOTTED = 6  # models in one figure of curves
PER_INCH = {"pt": 72.27, "in": 1.0, "mm": 25.4, "cm": 2.54}


def inches(width: str) -> float:
    """A width such as 252pt (of TeX, 72.27 in an inch) or 89mm."""
    return float(width[:-2]) / PER_INCH[width[-2:]]


def _is_width(width: str) -> str:
    if not re.fullmatch(r"\d+(\.\d+)?(pt|in|mm|cm)", width) or not 3 <= inches(width) <= 9:
        raise ValueError("it should be from 3 to 9 inches, such as 252pt, 3.5in, 89mm or 8.9cm")
    return width


class Original(Section):
    """The data as they are (30 % bad)."""

    n_train: Rows
    """Training rows."""


def _of_models_switched_on(fewer: dict[str, int], info: ValidationInfo[Any]) -> dict[str, int]:
    return {name: n for name, n in fewer.items() if name in info.context["models"]}


class Replicates(Section):
    """Random splits, all as under experiment."""

    count: Count = 200
    """Number of random splits, each undersampled, split, fitted and measured on its own."""
    fewer: Annotated[dict[ModelName, Count], AfterValidator(_of_models_switched_on)] = Field(
        default={}
    )
    """Models that are too slow for so many, with their number of replicates."""
    per_job: PerJob = 50
    """Replicates that one job computes. The results do not depend on it."""


class Sweep(Section):
    """Replicates at every combination of these levels, all else as under experiment."""

    count: Count = 100
    """Replicates in each cell."""
    per_job: PerJob = 50
    """Replicates that one job computes. The results do not depend on it."""
    models: ModelNames | None = None
    """Models to fit in every cell; null takes all."""
    skew: Levels[Share] = Field(default=[0.02, 0.05, 0.1, 0.2, 0.3, 0.5])
    """Shares of minority rows. Above the data's own share majority rows are deleted instead."""
    encoding: Levels[Encoding] | None = None
    """As under experiment; null takes that one."""
    sampling: Levels[Scheme] | None = None
    """As under experiment; null takes that one."""
    n_train: Levels[RowsOrShare] | None = None
    """Numbers or shares of training rows; null takes that under experiment."""


class Figure1(Section):
    """The illustration: normal scores of two models."""

    separations: Annotated[list[Annotated[float, Field(gt=0)]], Field(min_length=1, max_length=6)]
    """Distances between the class means, in standard deviations."""
    prevalence: Share
    """Share of the positive class."""


class Figures(Section):
    """The figures of the curves."""

    models: Annotated[ModelNames, Field(max_length=MOST_PLOTTED)] | None = None
    """Models drawn in Figures 2 and 3 and shown by the companion studies, in this order; null takes
    the first six."""
    figure1: Figure1 | None = None
    """Of German Credit alone."""


class Document(Section):
    """What stands over the page and the appendix, and how wide the figures are."""

    title: Text | None = None
    """Null makes one from the data's name."""
    author: Text | None = None
    """Null leaves it out."""
    width: Annotated[str, AfterValidator(_is_width)] = "240pt"
    """Of the figures: that of a paper's column, from 3 to 9 inches, such as 252pt, 3.5in, 89mm or
    8.9cm. The default fits a column of IEEE (252pt) and of ACM (241pt)."""
    font: Literal["sans", "serif"] = "sans"
    """Of the figures' letters, which have 8 points."""


def _is_list(names: Any) -> Any:
    if isinstance(names, dict):
        raise ValueError("it is a list now, such as [ben_david2008, baker]; [] leaves all out")
    return names


def _is_loan_file(path: str) -> str:
    if hashlib.sha256(Path(path).read_bytes()).hexdigest() == LOAN_FILE_SHA256:
        return path
    raise ValueError(
        f"it is not TEC-2002-LOAN-DATA.csv (its SHA-256 is not {LOAN_FILE_SHA256}): give that "
        "file, or null"
    )


class Config(Section):
    """What each key of a config means, and what it may hold.

    A config whose data name a target is of that data set and stands alone; any other changes
    config/config.yaml, which is of German Credit.
    """

    seed: Annotated[int, Field(ge=0, lt=2**32)] = 2010
    """Root of every random number. A replicate is seeded by this and its own number."""
    data: Data
    experiment: Experiment = Experiment()
    original: Original | None = None
    """German Credit alone: the data as they are."""
    models: Models
    compare: Annotated[Distinct[ModelName], Field(min_length=2, max_length=2)] | None = None
    """The two models whose order is compared in rank reversals; null takes the first two, of those
    in the sweep. Of German Credit it is the paper's pair."""
    replicates: Replicates = Replicates()
    sweep: Sweep = Sweep()
    figures: Figures = Figures()
    companions: Annotated[Distinct[CompanionName] | None, BeforeValidator(_is_list)] = None
    """German Credit alone: related papers whose printed numbers are recomputed; [] leaves them
    out."""
    loan_file: Annotated[FileThere, AfterValidator(_is_loan_file)] | None = None
    """German Credit alone: path of TEC-2002-LOAN-DATA.csv, the loan data of the book "Credit
    Scoring and Its Applications" (Thomas, Edelman & Crook 2002), for Example 3 of hand2009; null
    leaves the example out."""
    document: Document = Document()
    estimator_packages: Distinct[Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]*$")]] = Field(
        default=["sklearn", "imblearn"]
    )
    """Packages whose classes may be named as a model's estimator. Naming one runs its code, so read
    a config that somebody gives you before you add a package here."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        if self.data.target is None:
            yield from self._of_german_credit()
        else:
            yield from self._of_other_data()
        for name in self.compare or []:
            if name not in (self.sweep.models or [name]):
                yield "sweep.models", f"{name} is needed to count rank reversals"

    def _only_of_german_credit(self) -> Iterator[tuple[str, Any]]:
        for key in ("original", "companions"):
            yield key, getattr(self, key)
        yield "figures.figure1", self.figures.figure1

    def _of_german_credit(self) -> Iterator[tuple[str, str]]:
        for key, stated in self._only_of_german_credit():
            if stated is None:
                yield key, "German Credit needs it: take it from config/config.yaml"
        for name in PAPER_PAIR:
            if getattr(self.models, name) is False:
                yield f"models.{name}", "the paper compares linear and neural_net: leave both on"
        if self.compare != list(PAPER_PAIR):
            yield "compare", f"of German Credit it is the paper's pair, {', '.join(PAPER_PAIR)}"
        if self.experiment.split != Experiment().split:
            yield "experiment.split", "German Credit is split at random: remove it"

    def _of_other_data(self) -> Iterator[tuple[str, str]]:
        for key, stated in (*self._only_of_german_credit(), ("loan_file", self.loan_file)):
            if stated is not None:
                yield key, "it is of German Credit alone, and data.target names another data set"
        if "strathclyde" in [self.experiment.encoding, *(self.sweep.encoding or [])]:
            yield "experiment.encoding", "strathclyde is of German Credit alone; choose onehot"
        column = self.experiment.split.column
        if column is not None and column == self.data.target_column:
            yield "experiment.split.column", f"{column} is the target"
        for key in ("drop", "categorical", "numeric"):
            if column is not None and column in getattr(self.data, key):
                yield f"data.{key}", f"{column} is the column of the split, not a feature"


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
