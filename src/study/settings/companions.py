"""Small studies of related papers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from study.data.german_credit import CODED
from study.settings.values import FilePath, Levels, Section, Share, is_file, one_of

Many = Annotated[int, Field(ge=2, le=100_000)]
BANK_DATA_SHA256 = "b7844f23190acec0d9f9607c613bc046fdcbfa3e8c0780df1376f814d380f046"


class Companion(Section):
    """A study that can be switched off."""

    enabled: bool
    """Whether the study is made."""


class Hand(Companion):
    """Hand (2009)."""

    bank_data: FilePath | None
    """TEC-2002-LOAN-DATA.csv, the loan data of the book "Credit Scoring and Its Applications"
    (Thomas, Edelman & Crook 2002), for Example 3; null leaves the example out."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        if self.bank_data is not None and not is_file(self.bank_data):
            yield "bank_data", f"there is no file {self.bank_data}"


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
    """Shares of bad rows at which each measure is shown."""


class Silipo(Companion):
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

    ben_david: Companion
    """Ben-David (2008)."""
    kaymak: Companion
    """Kaymak et al. (2010), Tables 1-3."""
    hand: Hand
    baker: Baker
    silipo: Silipo
