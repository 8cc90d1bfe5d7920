"""``kappacurve measure``: all measures of the scores in a file."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

import click

SUFFIXES = {"plot": (".pdf", ".svg", ".png"), "report": (".html",)}
NEW_FILE = click.Path(dir_okay=False, path_type=Path)
SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


def _writable(_ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Refuse a file that can't be written before anything is computed."""
    if value is not None and not value.parent.is_dir():
        raise click.BadParameter(f"there is no folder {value.parent}.")
    suffixes = SUFFIXES.get(param.name or "", ())
    if value is not None and suffixes and value.suffix not in suffixes:
        raise click.BadParameter(f"the name must end in {', '.join(suffixes)}.")
    return value


class _Recorded(click.Command):
    """A command that remembers how it was called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta["call"] = shlex.join([*ctx.command_path.split(), *args])
        return super().parse_args(ctx, args)


# How a file of scores is read, in every command that reads one.
READING = (
    click.option(
        "--score",
        "scores",
        multiple=True,
        metavar="COLUMN",
        help="Column of scores, higher for the positive class; repeat it for more models. "
        "Default: all columns of numbers but the label and those that number the rows.",
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="COLUMN",
        help="Column that is no score; may be repeated.",
    ),
    click.option(
        "--lower",
        multiple=True,
        metavar="COLUMN",
        help="Column of scores that are lower for the positive class; may be repeated.",
    ),
    click.option(
        "--weight",
        metavar="COLUMN",
        help="Column of weights: measures without intervals and tests.",
    ),
    click.option(
        "--positive",
        metavar="VALUE",
        help="The positive class. May be left out for 0/1, -1/1 and false/true.",
    ),
    click.option(
        "--decimal", type=click.Choice([".", ","]), default=".", help="Before a number's fraction."
    ),
    click.option(
        "--delimiter",
        metavar="CHARACTER",
        help="Such as ';', or the word tab. Default: told from the header.",
    ),
)


def reads_scores(command: Any) -> Any:
    """Add the options that say how a file of scores is read."""
    for option in reversed(READING):
        command = option(command)
    return command


@click.command(cls=_Recorded, short_help="AUC, AUK, H and others of your own scores.")
@click.argument("file", metavar="FILE")
@click.option("--label", metavar="COLUMN", help="Column of the true classes.  [required]")
@reads_scores
@click.option(
    "--cv",
    metavar="COLUMN",
    help="Column of the number of each row's fold: measures of each fold, too.",
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
    help="Evaluate kappa, AUK and H where a missed positive costs R times a false alarm; adds the "
    "expected loss and its threshold.",
)
@click.option(
    "--bootstrap",
    type=click.IntRange(2),
    metavar="N",
    help="Intervals and tests of all measures from N resamples; hulls and maxima less their bias.",
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
    type=click.Choice(["table", "json"]),
    default="table",
    help="json has all digits.",
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
    "--report", type=NEW_FILE, callback=_writable, help="Write all into one offline .html page."
)
@click.pass_context
def measure(
    ctx: click.Context,
    /,
    *,
    file: str,
    label: str | None,
    output: Path | None,
    plot: Path | None,
    report: Path | None,
    format_name: str,
    no_intervals: bool,
    **options: Any,
) -> None:
    """Measure the scores in FILE: AUC, AUCH, Gini, KS, AUK, H and the largest kappa.

    FILE has a header and one row a line: CSV or TSV (also .gz, .bz2, .xz), Parquet (needs pyarrow)
    or ARFF; - is standard input. Columns named row, model and score make a long file, with a line
    for each row and model.

    AUC and AUK have analytic intervals, on the logit scale, if there are at least ten rows of
    each class; --bootstrap gives intervals for every measure. Two models or more are compared by
    paired tests on the same rows, with Holm's adjustment if there are more than two; you are told
    what is more than chance, and when two measures rank the models differently.

    \b
    Examples:
      kappacurve measure scores.csv --label y --score model_a --score model_b
      kappacurve measure scores.csv --label class --positive bad --prevalence 0.02
      kappacurve measure scores.csv --label class --positive bad --cost-ratio 5 --report page.html
      kappacurve measure scores.csv --label y --bootstrap 2000 --plot curves.pdf
      zcat scores.csv.gz | kappacurve measure - --label y --format json

    Exit code 0 if all went well, 1 if the file can't be used, 2 for a mistake on the command line.
    """
    if no_intervals and options["bootstrap"] is not None:
        raise click.UsageError("--bootstrap makes intervals: leave out --no-intervals.")
    if label is None:
        _ask_for_label(file)
    options |= {"confidence": None} if no_intervals else {}
    with errors_of(file):
        from kappacurve.cli._inputs import two_classes

        found = two_classes(file, label, ctx.meta["call"], options)
    from kappacurve.cli._report_text import as_json, as_page, as_table, draw

    text = as_json(found) if format_name == "json" else as_table(found)
    if plot is not None:
        write_whole(plot, lambda draft: draw(found.result, draft))
    if report is not None:
        write_whole(report, lambda draft: draft.write_text(as_page(found), encoding="utf-8"))
    _deliver(text, output)


def _ask_for_label(file: str) -> NoReturn:
    """Say that --label is missing, but first that there is no such file."""
    if file != "-" and not Path(file).exists():
        raise click.BadParameter(f"there is no file {file}.", param_hint="'FILE'")
    raise click.UsageError("Missing option '--label': the column of the true classes.")


@contextmanager
def errors_of(file: str) -> Iterator[None]:
    """Errors of the file end with code 1, others with code 2."""
    # Imported here: the help does without.
    from kappacurve._labels import ScoreFileError

    try:
        yield
    except (ScoreFileError, ImportError) as error:
        raise click.ClickException(str(error)) from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except MemoryError:
        raise click.ClickException(
            f"The rows of {file} do not fit into memory: try --no-intervals."
        ) from None


def _deliver(text: str, output: Path | None) -> None:
    if output is not None:
        return write_whole(output, lambda draft: draft.write_text(text, encoding="utf-8"))
    try:
        return click.echo(text, nl=False)
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
    except (OSError, ValueError) as error:  # such as of more models than a figure can tell apart
        said = getattr(error, "strerror", None) or str(error).rstrip(".")
        raise click.ClickException(f"{path} can't be written: {said}.") from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
