"""What scripts that draw have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from kappacurve.plots.style import save_figure
from study.figures.style import document_style, to_inches


@contextmanager
def column(document: Mapping[str, Any]) -> Iterator[float]:
    """Draw and save with the document's letters; yields the width of its columns in inches."""
    with document_style(document["font"]):
        yield to_inches(document["width"])


def save_figures(figures: Mapping[str, Figure], files: list[str]) -> None:
    """Save each figure in the files that have its name."""
    for name, figure in figures.items():
        save_figure(figure, [path for path in map(Path, files) if path.stem == name])
