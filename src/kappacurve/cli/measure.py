"""``kappacurve measure``: all measures of the scores in a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from kappacurve.score_files import ScoreTable

FORMATS = ("table", "json", "csv")
PLOT_FORMATS = (".pdf", ".svg", ".png")


class ManyScores(click.Command):
    """Command whose option --score takes all the words up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its words, as click wants it."""
        return super().parse_args(ctx, repeat_option("--score", args))


def repeat_option(option: str, words: Sequence[str]) -> list[str]:
    """Write an option with many values as the option many times.

    Parameters
    ----------
    option : str
        Such as "--score".
    words : sequence of str
        The command line. After ``--`` nothing is changed.

    Returns
    -------
    list of str

    Examples
    --------
    >>> repeat_option("--score", ["--score", "a", "b", "--label", "y"])
    ['--score', 'a', '--score', 'b', '--label', 'y']
    """
    found: list[str] = []
    open_option = False
    for i, word in enumerate(words):
        if word == "--":
            return [*found, *words[i:]]
        if word == option or word.startswith(f"{option}="):
            # The first value follows by itself, or the equals sign; only further ones need help.
            open_option = True
            found.append(word)
            continue
        if word.startswith("-"):
            open_option = False
        if open_option and found[-1] != option:
            found.append(option)
        found.append(word)
    return found


class ProperShare(click.FloatRange):
    """A number in a range; unlike click's own it refuses what is no number."""

    def _describe_range(self) -> str:
        return "0<x<1"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the number."""
        number = float(super().convert(value, param, ctx))
        if number != number:
            self.fail(f"{value} is not a number.", param, ctx)
        return number


def _delimiter(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    named = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "bar": "|"}
    value = value if value is None else named.get(value, value)
    if value is not None and (len(value) != 1 or value in '"\r\n ' or value.isalnum()):
        raise click.BadParameter("give one character such as ';', or the word tab.")
    return value


def _writable(_ctx: click.Context, _param: click.Parameter, value: Path | None) -> Path | None:
    if value is not None and not value.parent.is_dir():
        raise click.BadParameter(f"there is no folder {value.parent}.")
    if value is not None and value.is_dir():
        raise click.BadParameter(f"{value} is a folder: name a file in it.")
    return value


def _picture(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    if value is not None and value.suffix not in PLOT_FORMATS:
        raise click.BadParameter(f"the name must end in {', '.join(PLOT_FORMATS)}.")
    return _writable(ctx, param, value)


@click.command(cls=ManyScores)
@click.argument("file", required=False, metavar="FILE")
@click.option("--label", required=True, metavar="COLUMN", help="Column of the true classes.")
@click.option(
    "--score",
    "scores",
    multiple=True,
    metavar="COLUMN...",
    help="Columns of scores, higher for the positive class; also --score A --score B. "
    "Default: all columns of numbers but the label.",
)
@click.option(
    "--positive",
    metavar="VALUE",
    help="The positive class. May be left out for 0/1, -1/1 and false/true.",
)
@click.option(
    "--prevalence",
    type=ProperShare(1e-9, 1 - 1e-9),
    help="Evaluate kappa, AUK and H at this share of positives instead of the file's.",
)
@click.option(
    "--bootstrap",
    type=click.IntRange(2),
    metavar="N",
    help="Intervals and tests of "
    "all measures from N resamples; AUC and AUK by BCa up to 5000 rows, by percentiles above, "
    "hulls and maxima less their bias.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Of --bootstrap."
)
@click.option(
    "--sampling",
    type=click.Choice(["stratified", "random"]),
    default="stratified",
    show_default=True,
    help="stratified: the class ratio was fixed. random: it came about by chance.",
)
@click.option(
    "--confidence",
    type=ProperShare(1e-9, 1 - 1e-9),
    default=0.95,
    show_default=True,
    help="Of the intervals.",
)
@click.option(
    "--no-intervals", is_flag=True, help="Measures alone: with very many rows far faster."
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="json and csv have all digits.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    callback=_writable,
    help="Write there instead of to the screen.",
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    callback=_picture,
    help="Draw ROC and kappa curves into a .pdf, .svg or .png.",
)
@click.option(
    "--delimiter", callback=_delimiter, metavar="CHARACTER", help="Default: told from the header."
)
def measure(
    *,
    file: str | None,
    label: str,
    scores: tuple[str, ...],
    positive: str | None,
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
      kappacurve measure scores.csv --label y --score model_a model_b
      kappacurve measure scores.csv --label class --positive bad --prevalence 0.02
      kappacurve measure scores.csv --label y --bootstrap 2000 --plot curves.pdf
      zcat scores.csv.gz | kappacurve measure - --label y --format json

    Exit code 0 if all went well, 1 if the file can't be used, 2 for a mistake on the command line.
    """
    if no_intervals and bootstrap is not None:
        raise click.UsageError("--bootstrap makes intervals: leave out --no-intervals.")
    file, scores = _file_and_scores(file, scores)
    table = _read(file, label, scores, positive, delimiter)
    from kappacurve.cli._report import Settings, report_of
    from kappacurve.cli._report_text import FORMATS as WRITERS

    settings = Settings(**design, intervals=not no_intervals, resamples=bootstrap)
    try:
        report = report_of(table, settings)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    except MemoryError:
        raise click.ClickException(
            f"{len(table.positive)} rows do not fit into memory: try --no-intervals."
        ) from None
    if not scores:
        from kappacurve._score_error import listed

        chosen = listed(table.scores)
        report["notes"].insert(0, f"--score was not given: all columns of numbers, {chosen}.")
    text = WRITERS[format_name](report)
    if format_name == "csv":  # whose rows have no place for them
        for note in report["notes"]:
            click.echo(f"Note: {note}", err=True)
    if plot is not None:
        from kappacurve.cli._report_plot import draw_curves

        write_whole(plot, lambda draft: draw_curves(table, report["prevalence"], draft))
    if output is None:
        _print(text)
    else:
        write_whole(output, lambda draft: draft.write_text(text, encoding="utf-8"))


def _file_and_scores(file: str | None, scores: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Tell a file's name that stands behind the scores from a score."""
    if file is not None:
        return file, scores
    if len(scores) > 1 and Path(scores[-1]).is_file():
        return scores[-1], scores[:-1]
    raise click.UsageError("Missing FILE: name it before the options, or - for standard input.")


def _read(
    file: str, label: str, scores: tuple[str, ...], positive: str | None, delimiter: str | None
) -> ScoreTable:
    from kappacurve.score_files import ScoreFileError, read_scores

    try:
        return read_scores(
            file, label=label, scores=scores or None, positive=positive, delimiter=delimiter
        )
    except ScoreFileError as error:
        raise click.ClickException(str(error)) from None
    except MemoryError:
        raise click.ClickException(f"{file} does not fit into memory.") from None


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
