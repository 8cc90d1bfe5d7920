"""``kappacurve explore``: two models' scores at every prevalence and cost, on one page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from kappacurve.cli.main import (
    NEW_FILE,
    READING,
    SHARE,
    WEIGHING,
    deliver,
    errors_of,
    read_models,
    refuse_overwriting,
    takes,
)


@click.command(short_help="Your own scores at every prevalence and cost, on one page.")
@click.argument("file", metavar="FILE")
@takes((*READING, *WEIGHING))
@click.option(
    "-o",
    "--output",
    **NEW_FILE,
    required=True,
    help="The page: one .html file that needs no network; - is standard output.",
)
@click.option(
    "--prevalence", type=SHARE, help="Share of positives at which the page opens, not the file's."
)
@click.option(
    "--cost-ratio",
    "cost_ratios",
    type=float,
    multiple=True,
    metavar="R",
    help="A button for the cost at which a missed positive costs R false alarms; may be repeated.",
)
def explore(
    *,
    file: str,
    output: Path | None,
    prevalence: float | None,
    cost_ratios: tuple[float, ...],
    **options: Any,
) -> None:
    """Compare any two models in FILE at every prevalence and cost, on one offline page.

    The page has sliders for prevalence, cost and threshold, ROC and kappa curves with bands,
    measures with intervals and paired tests, and the prevalences and costs at which two models
    tie. FILE is as in kappacurve measure. Needs Bokeh: pip install 'kappacurve[explore]'.

    \b
    Examples:
      kappacurve explore scores.csv --label y -o page.html
      kappacurve explore scores.csv --label class --positive bad --cost-ratio 10 -o page.html
    """
    refuse_overwriting(file, {"--output": output})
    with errors_of(file):
        from kappacurve.explorer.page import explorer_page, needs_bokeh
        from kappacurve.io import ScoreFileError

        needs_bokeh()
        read = read_models(file, options)
        table = read.table
        if len(table.scores) < 2:
            few = f"{file} has one column of scores: name two, or use kappacurve measure."
            raise ScoreFileError(few)
        page = explorer_page(
            table.positive,
            table.scores,
            class_names=(table.positive_label, table.negative_label),
            **read.columns,
            lower=options["lower"],
            prevalence=prevalence,
            cost_ratios=cost_ratios,
            title="Which model is better, and where?",
            progress=sys.stderr,
            source=f"Scores: {table.source}, label {table.label}.",
        )
    for note in [*read.notes, *read.caveats]:
        click.echo(f"Note: {note}", err=True)
    deliver(page, output)
