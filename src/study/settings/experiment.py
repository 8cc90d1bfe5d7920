"""The data, and the paper's experiment on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from study.settings.cells import GERMAN_CREDIT_ROWS, paper_cell, why_impossible
from study.settings.values import Encoding, Rows, Scaling, Scheme, Section, Share, Text, is_file


class Data(Section):
    """Where German Credit comes from."""

    source: Literal["auto", "uci", "bundled", "file"]
    """auto asks UCI and falls back to the copy in the repository; uci and bundled take one of the
    two; file reads data.path. All must hold the same table."""
    path: Text | None
    """File in the format of UCI's german.data, for source file."""
    uci_url: Annotated[str, Field(pattern="^https?://")]
    """Where UCI's API is served; another address only for a mirror."""
    timeout_seconds: Annotated[float, Field(gt=0, le=600)]
    """Deadline of the whole fetch from UCI."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        if self.source == "file" and not is_file(self.path):
            yield "path", f"source file needs a file; {self.path or 'null'} is none"


class Experiment(Section):
    """The paper's setting (Kaymak et al. 2010, section 8)."""

    skew: Share
    """Share of bad rows after undersampling."""
    sampling: Scheme
    """keep_majority deletes rows of the too frequent class only and rounds what is left of them
    down, keep_majority_up rounds up; total keeps as many rows as the key total says."""
    total: Annotated[int, Field(ge=4)]
    """Rows kept by sampling total."""
    n_minority: Rows | None
    """Number of bad rows; null derives it from skew."""
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

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        reason = why_impossible(paper_cell({"experiment": self.model_dump(), "models": {}}, []))
        if reason is not None:
            yield "n_train" if "training rows" in reason else "skew", reason


class Original(Section):
    """The data as they are (30 % bad)."""

    n_train: Rows
    """Training rows."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        rows = sum(GERMAN_CREDIT_ROWS)
        if self.n_train > rows - 2:
            reason = f"{self.n_train} training rows of {rows} leave fewer than two for the test"
            yield "n_train", reason
