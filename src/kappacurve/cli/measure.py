"""``kappacurve measure``: all measures of the scores in a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

PLOT_FORMATS = (".pdf", ".svg", ".png")
NEW_FILE = click.Path(dir_okay=False, path_type=Path)
SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


def _writable(_ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Refuse a file that can't be written before anything is computed."""
    if value is not None and not value.parent.is_dir():
        raise click.BadParameter(f"there is no folder {value.parent}.")
    if value is not None and param.name == "plot" and value.suffix not in PLOT_FORMATS:
        raise click.BadParameter(f"the name must end in {', '.join(PLOT_FORMATS)}.")
    return value


@click.command(short_help="AUC, AUK, H and others of your own scores.")
@click.argument("file", metavar="FILE")
@click.option("--label", required=True, metavar="COLUMN", help="Column of the true classes.")
@click.option(
    "--score",
    "scores",
    multiple=True,
    metavar="COLUMN",
    help="Column of scores, higher for the positive class; repeat it for more models. "
    "Default: all columns of numbers but the label.",
)
@click.option(
    "--positive",
    metavar="VALUE",
    help="The positive class. May be left out for 0/1, -1/1 and false/true.",
)
@click.option(
    "--prevalence",
    type=SHARE,
    help="Evaluate kappa, AUK and H at this share of positives instead of the file's.",
)
@click.option(
    "--cost-ratio",
    type=click.FloatRange(0),
    metavar="R",
    help="Evaluate kappa and AUK where a missed positive costs R times a false alarm.",
)
@click.option(
    "--score-of",
    multiple=True,
    metavar="CLASS=COLUMN",
    help="With more than two classes: the column of a class's scores, once for each class.",
)
@click.option(
    "--bootstrap",
    type=click.IntRange(2),
    metavar="N",
    help="Intervals and tests of all measures from N resamples; AUC and AUK by BCa up to 5000 "
    "rows, by percentiles above, hulls and maxima less their bias.",
)
@click.option("--seed", type=click.IntRange(0), default=0, help="Of --bootstrap.")
@click.option(
    "--sampling",
    type=click.Choice(["stratified", "random"]),
    default="stratified",
    help="stratified: the class ratio was fixed. random: it came about by chance.",
)
@click.option("--confidence", type=SHARE, default=0.95, help="Of the intervals.")
@click.option(
    "--no-intervals", is_flag=True, help="Measures alone: with very many rows far faster."
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    help="json and csv have all digits.",
)
@click.option(
    "--output", type=NEW_FILE, callback=_writable, help="Write there instead of to the screen."
)
@click.option(
    "--plot",
    type=NEW_FILE,
    callback=_writable,
    help="Draw ROC and kappa curves into a .pdf, .svg or .png.",
)
@click.option(
    "--delimiter",
    metavar="CHARACTER",
    help="Such as ';', or the word tab. Default: told from the header.",
)
def measure(
    *,
    file: str,
    label: str,
    scores: tuple[str, ...],
    positive: str | None,
    score_of: tuple[str, ...],
    delimiter: str | None,
    format_name: str,
    output: Path | None,
    plot: Path | None,
    no_intervals: bool,
    bootstrap: int | None,
    **design: Any,
) -> None:
    """Measure the scores in FILE: AUC, AUCH, Gini, KS, AUK, H and the largest kappa.

    FILE has a header and one row a line: CSV or TSV (also .gz, .bz2, .xz), Parquet (needs pyarrow)
    or ARFF; - is standard input.

    AUC and AUK have analytic intervals, on the logit scale, if there are at least ten rows of
    each class; --bootstrap gives intervals for every measure. Two models or more are compared by
    paired tests on the same rows, with Holm's adjustment if there are more than two, and you are
    told when two measures rank them differently.

    \b
    Examples:
      kappacurve measure scores.csv --label y --score model_a --score model_b
      kappacurve measure scores.csv --label class --positive bad --prevalence 0.02
      kappacurve measure scores.csv --label class --positive bad --cost-ratio 5
      kappacurve measure scores.csv --label kind --score-of a=p_a --score-of b=p_b --score-of c=p_c
      kappacurve measure scores.csv --label y --bootstrap 2000 --plot curves.pdf
      zcat scores.csv.gz | kappacurve measure - --label y --format json

    Exit code 0 if all went well, 1 if the file can't be used, 2 for a mistake on the command line.
    """
    if no_intervals and bootstrap is not None:
        raise click.UsageError("--bootstrap makes intervals: leave out --no-intervals.")
    # Imported here: the help does without.
    from kappacurve._labels import listed
    from kappacurve.cli._report import Settings, report_of
    from kappacurve.cli._report_text import WRITERS
    from kappacurve.io import DELIMITERS, ScoreFileError, read_scores

    if score_of:
        given = [scores, positive, delimiter, plot, bootstrap, design["prevalence"]]
        if any(given) or design["cost_ratio"] is not None:
            raise click.UsageError("--score-of goes with --label, --format and --output only.")
        from kappacurve.cli._classes import report_of_classes

        try:
            _deliver(report_of_classes(file, label, score_of, format_name), output)
        except ScoreFileError as error:
            raise click.ClickException(str(error)) from None
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        return
    settings = Settings(**design, intervals=not no_intervals, resamples=bootstrap)
    options: dict[str, Any] = {"scores": scores or None, "positive": positive}
    if delimiter is not None:
        named = {name: character for character, name in DELIMITERS.items()} | {"\\t": "\t"}
        options["delimiter"] = named.get(delimiter, delimiter)
    try:
        table = read_scores(file, label=label, **options)
        report = report_of(table, settings)
    except ScoreFileError as error:
        raise click.ClickException(str(error)) from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except MemoryError:
        raise click.ClickException(
            f"The rows of {file} do not fit into memory: try --no-intervals."
        ) from None
    if not scores:
        chosen = listed(table.scores)
        report["notes"].insert(0, f"--score was not given: all columns of numbers, {chosen}.")
    text = WRITERS[format_name](report)
    if format_name == "csv":  # whose rows have no place for them
        for note in report["notes"]:
            click.echo(f"Note: {note}", err=True)
    if plot is not None:
        from kappacurve.cli._report_plot import draw_curves

        write_whole(
            plot, lambda draft: draw_curves(table, report["prevalence"], settings.cost_ratio, draft)
        )
    _deliver(text, output)


def _deliver(text: str, output: Path | None) -> None:
    if output is None:
        _print(text)
    else:
        write_whole(output, lambda draft: draft.write_text(text, encoding="utf-8"))


def _print(text: str) -> None:
    try:
        click.echo(text, nl=False)
    except BrokenPipeError:  # such as head, which has seen enough: click ends quietly
        raise
    except OSError as error:
        raise click.ClickException(f"The report can't be written: {error.strerror}.") from None


def write_whole(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file under another name and rename it, so that it is there as a whole or not.

    Links and what is no file, such as /dev/stdout, are written to: a file must not replace them.
    """
    directly = path.is_symlink() or (path.exists() and not path.is_file())
    draft = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        write(path if directly else draft)
        if not directly:
            draft.replace(path)
    except OSError as error:
        raise click.ClickException(f"{path} can't be written: {error.strerror or error}.") from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
