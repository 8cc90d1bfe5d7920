"""What the figures show, and where the published operating point is looked for."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from study.settings.values import ModelNames, Pair, Section, Share


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
    """Smallest and largest share of bad rows in such a test set."""
