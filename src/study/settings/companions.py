"""Small studies of related papers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from study.data.german_credit import ATTRIBUTES, NUMERIC
from study.settings.values import Levels, Section, Share, one_of

Many = Annotated[int, Field(ge=2, le=100_000)]
CODED = [name for name in ATTRIBUTES if name not in NUMERIC]


class Study(Section):
    """A study that can be switched off."""

    enabled: bool
    """Whether the study is made."""


class Hand(Study):
    """Hand (2009)."""

    subset_sizes: Levels[Annotated[int, Field(ge=1, le=20)]]
    """Numbers of attributes of the logistic regressions tried for Example 3."""
    subsets_per_size: Annotated[int, Field(ge=2, le=5000)]
    """Attribute subsets tried of each size."""


class Baker(Study):
    """Baker."""

    threshold: Literal["kappa_max", "share"]
    """Where counts are taken: at the largest kappa, or where as many rows are predicted bad as are
    bad."""
    group: Annotated[str, one_of(CODED)]
    """A coded attribute of German Credit; rows of its first two codes are the two independent
    samples."""
    prevalences: Annotated[Levels[Share], Field(min_length=2)]
    """Shares of bad rows at which each measure is shown."""


class Silipo(Study):
    """Silipo and Widmann."""

    n_replicates: Many
    """How often data are drawn, split and the trees grown."""
    n_rows: Annotated[int, Field(ge=100, le=1_000_000)]
    """Rows of the bootstrapped data."""
    share_bad: Annotated[float, Field(ge=0.02, le=0.5)]
    """Share of bad rows in the bootstrapped data."""
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
        n_bad = round(self.n_rows * self.share_bad)
        n_train = round(n_bad * self.train_share)
        if n_train == n_bad:
            yield "n_rows", f"{self.n_rows} rows leave no bad one for the test"
        if n_train <= self.neighbors:
            reason = f"SMOTE needs more bad training rows than that, but there are {n_train}"
            yield "neighbors", reason


class Companions(Section):
    """Studies of related papers; enabled: false leaves a study out."""

    ben_david: Study
    """Ben-David (2008)."""
    kaymak: Study
    """Kaymak et al. (2010), Tables 1-3."""
    hand: Hand
    baker: Baker
    silipo: Silipo
