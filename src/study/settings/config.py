"""The config's sections, and the JSON schema by which editors complete and explain its keys."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationInfo
from pydantic.json_schema import GenerateJsonSchema

from study.data.german_credit import CODED
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
    Pair,
    PerJob,
    Rows,
    RowsOrShare,
    Scaling,
    Scheme,
    Section,
    Share,
    SwitchedOn,
    Text,
    Trainer,
    one_of,
)

Many = Annotated[int, Field(ge=2, le=100_000)]
BANK_DATA_SHA256 = "b7844f23190acec0d9f9607c613bc046fdcbfa3e8c0780df1376f814d380f046"


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
    trainer: Levels[Trainer] = Field(default=["compiled"])
    """Trainers of neural_net."""
    n_train: Levels[RowsOrShare] | None = None
    """Numbers or shares of training rows; null takes that under experiment."""


class Specification(Section):
    """Replicates at every combination of what the paper leaves open."""

    count: Count
    """Replicates of each combination."""
    encoding: Levels[Encoding]
    """As under experiment."""
    sampling: Levels[Scheme]
    """As under experiment."""
    networks: Annotated[Levels[Literal["neural_net", "neural_net_lm"]], SwitchedOn]
    """Models that may stand for the paper's network."""
    scaling: Levels[Scaling]
    """As under experiment; the other one varies that setting alone, and is not crossed."""
    early_stopping: Levels[bool]
    """Of neural_net_lm, likewise. Without it 200 replicates take six minutes."""


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


class Forensics(Section):
    """The search for test sets that give the published operating point."""

    test_sizes: Pair[Annotated[int, Field(ge=2, le=2000)]]
    """Rows of the smallest and the largest test set."""
    minority_share: Pair[Share]
    """Smallest and largest share of bad rows in such a test set."""


class Companion(Section):
    """A study that can be switched off."""

    enabled: bool
    """Whether the study is made."""


class Hand(Companion):
    """Hand (2009)."""

    bank_data: FileThere | None
    """TEC-2002-LOAN-DATA.csv, the loan data of the book "Credit Scoring and Its Applications"
    (Thomas, Edelman & Crook 2002), for Example 3; null leaves the example out."""


def another_bank_file(path: str | None) -> str:
    """A sentence if a file was given that is not the loan data, else nothing."""
    if path is None or hashlib.sha256(Path(path).read_bytes()).hexdigest() == BANK_DATA_SHA256:
        return ""
    return (
        f"companions.hand.bank_data: {path} is not TEC-2002-LOAN-DATA.csv (its SHA-256 is not "
        f"{BANK_DATA_SHA256}), so the run goes on without Hand's Example 3."
    )


class Baker(Companion):
    """Baker."""

    threshold: Literal["kappa_max", "share"]
    """Where counts are taken: at the largest kappa, or where as many rows are predicted bad as are
    bad."""
    group: Annotated[str, one_of(CODED)]
    """A coded attribute of German Credit; rows of its first two codes are the two independent
    samples."""
    prevalences: Annotated[Levels[Share], Field(min_length=2)]
    """Shares of minority rows at which each measure is shown."""


class Silipo(Companion):
    """Silipo and Widmann."""

    n_replicates: Many
    """How often data are drawn, split and the trees grown."""
    n_rows: Annotated[int, Field(ge=100, le=1_000_000)]
    """Rows of the bootstrapped data."""
    share_minority: Annotated[float, Field(ge=0.02, le=0.5)]
    """Share of minority rows in the bootstrapped data."""
    train_share: Annotated[float, Field(ge=0.1, le=0.9)]
    """Share of the rows that train, in each class."""
    neighbors: Annotated[int, Field(ge=1)]
    """Neighbours among which SMOTE draws its new rows."""
    min_rows_per_leaf: Annotated[int, Field(ge=1, le=1_000_000)]
    """Fewest training rows in a leaf of the tree."""
    n_levels: Annotated[int, Field(ge=2, le=999)]
    """Prevalences from 5 to 95 % at which kappa is shown."""
    n_test_sets: Many
    """Bootstrapped test sets for each prevalence and model."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        n_minority = round(self.n_rows * self.share_minority)
        n_train = round(n_minority * self.train_share)
        if n_train == n_minority:
            yield "n_rows", f"{self.n_rows} rows leave no bad one for the test"
        if n_train <= self.neighbors:
            reason = f"SMOTE needs more bad training rows than that, but there are {n_train}"
            yield "neighbors", reason


class Companions(Section):
    """Studies of related papers; enabled: false leaves a study out."""

    ben_david: Companion
    """Ben-David (2008)."""
    kaymak: Companion
    """Kaymak et al. (2010), Tables 1-3."""
    hand: Hand
    baker: Baker
    silipo: Silipo


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
    """The two models whose order is compared in rank reversals and over the cost; null takes the
    first two, of those in the sweep. Of German Credit it is the paper's pair."""
    replicates: Replicates = Replicates()
    sweep: Sweep = Sweep()
    specification: Specification | None = None
    """German Credit alone: what the paper leaves open."""
    figures: Figures = Figures()
    forensics: Forensics | None = None
    """German Credit alone: what the published numbers can be."""
    companions: Companions | None = None
    """German Credit alone: studies of related papers."""
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
        for key in ("original", "specification", "forensics", "companions"):
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
        for key in ("split", "test_path"):
            if getattr(self.experiment, key) != getattr(Experiment(), key):
                yield f"experiment.{key}", "German Credit is split at random: remove it"

    def _of_other_data(self) -> Iterator[tuple[str, str]]:
        for key, stated in self._only_of_german_credit():
            if stated is not None:
                yield key, "it is of German Credit alone, and data.target names another data set"
        if "strathclyde" in [self.experiment.encoding, *(self.sweep.encoding or [])]:
            yield "experiment.encoding", "strathclyde is of German Credit alone; choose onehot"
        if self.experiment.test_path is not None and self.data.source != "file":
            yield "experiment.test_path", f"source {self.data.source} does not read it: remove it"
        column = self.experiment.split.column
        if column is not None and column == self.data.target_column:
            yield "experiment.split.column", f"{column} is the target"
        for key in ("drop", "categorical", "numeric"):
            if column is not None and column in getattr(self.data, key):
                yield f"data.{key}", f"{column} is the column of the split, not a feature"
        if self.experiment.test_path is not None or self.experiment.split.by == "time":
            for key in ("compare", "replicates", "sweep"):
                if key in self.model_fields_set:
                    yield key, "there is one split only, which leaves nothing to it: remove it"


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
