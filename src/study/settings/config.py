"""The config's sections, and the JSON schema by which editors complete and explain its keys."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationInfo
from pydantic.json_schema import GenerateJsonSchema

from study.data.german_credit import CODED
from study.errors import ExperimentError
from study.published import PAPER_PAIR
from study.settings.cells import cell_counts, cohorts, specification_levels, sweep_levels
from study.settings.models import Dataset, Models
from study.settings.values import (
    CostRatio,
    Count,
    Distinct,
    Encoding,
    FilePath,
    FileThere,
    Levels,
    ModelName,
    ModelNames,
    Name,
    Pair,
    PerJob,
    Rows,
    Scaling,
    Scheme,
    Section,
    Share,
    SwitchedOn,
    Trainer,
    one_of,
)

Many = Annotated[int, Field(ge=2, le=100_000)]
BANK_DATA_SHA256 = "b7844f23190acec0d9f9607c613bc046fdcbfa3e8c0780df1376f814d380f046"


class Data(Section):
    """Where German Credit comes from."""

    source: Literal["auto", "uci", "bundled", "file"]
    """auto asks UCI and falls back to the copy in the repository; uci and bundled take one of the
    two; file reads data.path. All must hold the same table."""
    path: FileThere | None
    """File in the format of UCI's german.data, for source file."""
    uci_url: Annotated[str, Field(pattern="^https?://")]
    """Where UCI's API is served; another address only for a mirror."""
    timeout_seconds: Annotated[float, Field(gt=0, le=600)]
    """Deadline of the whole fetch from UCI."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        if self.source == "file" and self.path is None:
            yield "path", "source file needs it"
        if self.source != "file" and self.path is not None:
            yield "path", f"source {self.source} does not read it: set source: file, or remove it"


class Experiment(Section):
    """The paper's setting (Kaymak et al. 2010, section 8)."""

    skew: Share
    """Share of minority rows after undersampling."""
    sampling: Scheme
    """keep_majority deletes rows of the too frequent class only and rounds what is left of them
    down, keep_majority_up rounds up; total keeps as many rows as the key total says."""
    total: Annotated[int, Field(ge=4)]
    """Rows kept by sampling total."""
    n_minority: Rows | None
    """Number of minority rows; null derives it from skew."""
    n_train: Rows
    """Training rows; all others are test rows."""
    stratify: bool
    """Whether the split keeps the class ratio."""
    encoding: Encoding
    """strathclyde, the 24 numeric columns of UCI's german.data-numeric; onehot, the 7 numeric
    attributes and a 0/1 column for each code."""
    scaling: Scaling
    """standard, mean 0 and variance 1 on the training rows; minmax, -1 to 1 on them."""
    prevalence: Literal["test", "nominal"]
    """Class ratio at which kappa, AUK and H are evaluated: the test rows' own, or the skew."""
    cost_ratio: CostRatio | None
    """What missing a minority row costs over refusing a majority one, in kappa and AUK; null is Cohen's
    kappa. With a ratio only the AUCs are compared with published values."""


class Original(Section):
    """The data as they are (30 % minority)."""

    n_train: Rows
    """Training rows."""


def _of_models_switched_on(fewer: dict[str, int], info: ValidationInfo[Any]) -> dict[str, int]:
    return {name: n for name, n in fewer.items() if name in info.context["models"]}


class Replicates(Section):
    """Random splits of the paper's setting."""

    count: Count
    """Number of random splits, each undersampled, split, fitted and measured on its own."""
    fewer: Annotated[dict[ModelName, Count], AfterValidator(_of_models_switched_on)]
    """Models that are too slow for so many, with their number of replicates."""
    per_job: PerJob
    """Replicates that one job computes. The results do not depend on it."""


class Sweep(Section):
    """Replicates at every combination of these levels, all else as under experiment."""

    count: Count
    """Replicates in each cell."""
    per_job: PerJob
    """Replicates that one job computes. The results do not depend on it."""
    models: ModelNames
    """Models to fit in every cell."""
    skew: Levels[Share]
    """Shares of minority rows. Above the data's own share (30 %) majority rows are deleted instead."""
    encoding: Levels[Encoding]
    """As under experiment."""
    sampling: Levels[Scheme]
    """As under experiment."""
    trainer: Levels[Trainer]
    """Trainers of neural_net."""
    n_train: Levels[Rows]
    """Numbers of training rows."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        for name in PAPER_PAIR:
            if name not in self.models:
                yield "models", f"{name} is needed to count rank reversals"


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
    """The paper's figures."""

    models: Annotated[ModelNames, Field(max_length=6)]
    """Models drawn in Figures 2 and 3 and shown by the companion studies, in this order."""
    figure1: Figure1


class Forensics(Section):
    """The search for test sets that give the published operating point."""

    test_sizes: Pair[Annotated[int, Field(ge=2, le=2000)]]
    """Rows of the smallest and the largest test set."""
    minority_share: Pair[Share]
    """Smallest and largest share of minority rows in such a test set."""


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
    """Where counts are taken: at the largest kappa, or where as many rows are predicted minority as are
    minority."""
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
    """What each key of config/config.yaml means, and what it may hold."""

    seed: Annotated[int, Field(ge=0, lt=2**32)]
    """Root of every random number. A replicate is seeded by this and its own number."""
    data: Data
    experiment: Experiment
    original: Original
    models: Models
    replicates: Replicates
    sweep: Sweep
    specification: Specification
    figures: Figures
    forensics: Forensics
    companions: Companions
    estimator_packages: Distinct[Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]*$")]]
    """Packages whose classes may be named as a model's estimator. Naming one runs its code, so read
    a config that somebody gives you before you add a package here."""
    datasets: dict[Name, Dataset]
    """Data sets of your own, by a name of small letters, digits and underscores. Each goes through
    the same steps (undersampling, split, the models, curves, measures, replicates) into
    results/datasets/<name>/."""
    bakeoff: FilePath | None = None
    """A file that changes or adds to config/bakeoff.yaml, the study of many data sets."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        values = self.model_dump(warnings=False)  # a model that is switched off is false
        for section, cell in zip(("experiment", "original"), cohorts(values, []), strict=True):
            try:
                cell_counts(cell)
            except ExperimentError as error:
                key = "n_train" if "training rows" in str(error) else "skew"
                yield f"{section}.{key}", str(error)
        sweep = sweep_levels(values)
        if not sweep.levels:
            first = sweep.skipped[0]
            reason = f"the data can give none of its cells; {first['cell']}: {first['reason']}"
            yield "sweep", reason
        if not specification_levels(values):
            reason = "the data can give none of these at the skew under experiment"
            yield "specification.sampling", reason


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
