"""The page to open first: the answer, the claims, published numbers and ours, links to all else."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.landing import landing_page
from study.pages.paper_figures import figure_prevalence_strip


def build_landing(*, facts: Path, published: Path, page: Path) -> None:
    """Write the page, with both figures inside."""
    with TemporaryDirectory() as folder, house_style():
        strip = Path(folder, "strip.svg")
        save_figure(figure_prevalence_strip(), [strip])
        figures = {"published": published.read_text(), "prevalences": strip.read_text()}
    told = json.loads(facts.read_text(encoding="utf-8"))
    page.write_text(landing_page(told, figures), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    run(build_landing, snakemake)
