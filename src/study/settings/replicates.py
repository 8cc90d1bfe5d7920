"""The experiment over many random splits: the paper's setting, the sweep, what is left open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationInfo

from study.published import PAPER_PAIR
from study.settings.values import (
    Count,
    Distinct,
    Encoding,
    Levels,
    ModelName,
    ModelNames,
    PerJob,
    Rows,
    Scaling,
    Scheme,
    Section,
    Share,
    Single,
    SwitchedOn,
    Text,
    Trainer,
)


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
    """Shares of bad rows. Above the data's own share (30 %) good rows are deleted instead."""
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


class Correction(Section):
    """The corrected data, South German Credit."""

    uci_id: Annotated[int, Field(ge=1)]
    """UCI's number of the data set."""
    target: Text
    """Its column of the class."""
    bad: Single
    """The value of the target that means bad."""
    numeric: Distinct[str]
    """Columns that are numbers; every level of all others becomes a 0/1 column."""
    replicates: Count
    """Number of random splits."""
