"""The command ``kappacurve``, and what its commands share: options, reading, delivering."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from kappacurve import __version__
from kappacurve._validation import FloatArray, check_lower, listed, printable, shell, shown

if TYPE_CHECKING:  # the help does without
    from click.decorators import FC

    from kappacurve.io import ScoreTable

COMMANDS = ["audit", "explore", "measure", "plan"]
MOST_MODELS = 36  # which a figure can tell apart
SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


class _Commands(click.Group):
    """Imports the module of a command when it is called."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return COMMANDS

    def get_command(self, _ctx: click.Context, name: str) -> Any:
        known = name in COMMANDS
        return getattr(import_module(f"kappacurve.cli.{name}"), name) if known else None

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what it says of a mistake may name a stranger's file and columns."""
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            error.message = printable(error.message)  # type: ignore[misc]
            raise


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
@click.version_option(__version__, package_name="kappacurve")
def main() -> None:
    """Measure classifiers from their scores, and audit published AUKs.

    \b
    Examples:
      kappacurve measure scores.csv --label y --score model_a --score model_b
      kappacurve explore scores.csv --label y -o page.html
      kappacurve audit --auc 0.7186 --auk 0.1753 --prevalence 0.11
      kappacurve plan --auc 0.75 --auc 0.80 --correlation 0.6 --prevalence 0.05

    kappacurve COMMAND --help tells more. For completion in bash:
    eval "$(_KAPPACURVE_COMPLETE=bash_source kappacurve)"
    """


def _writable(_ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Refuse a file that can't be written before anything is computed; - is the screen."""
    suffixes = {"plot": (".pdf", ".svg", ".png"), "report": (".html",)}.get(param.name or "", ())
    if value is None or (value == Path("-") and not suffixes):
        return None
    if not value.name:
        raise click.BadParameter("give the name of a file.")
    if not value.parent.is_dir():
        raise click.BadParameter(f"there is no folder {value.parent}.")
    if suffixes and value.suffix not in suffixes:
        raise click.BadParameter(f"the name must end in {', '.join(suffixes)}.")
    return value


NEW_FILE: dict[str, Any] = {
    "type": click.Path(dir_okay=False, path_type=Path),
    "callback": _writable,
}
column_option = partial(click.option, metavar="COLUMN")

# How a file of scores is read, in every command that reads one.
READING = (
    column_option("--label", help="Column of the true classes, required with a file."),
    column_option(
        *("--score", "scores"),
        multiple=True,
        help="Column of scores, higher for the positive class; repeat it for more models. "
        "Default: columns of numbers that seem to be scores; the report lists what was taken.",
    ),
    column_option("--exclude", multiple=True, help="Column that is no score; may be repeated."),
    column_option(
        "--lower",
        multiple=True,
        help="Column of scores that are lower for the positive class; may be repeated.",
    ),
    click.option(
        "--positive",
        metavar="VALUE",
        help="The positive class. May be left out for 0/1, -1/1 and false/true.",
    ),
    click.option(
        "--decimal", type=click.Choice([".", ","]), default=".", help="Decimal separator."
    ),
    click.option(
        "--delimiter",
        metavar="CHARACTER",
        help="Such as ';', or the word tab. Default: told from the header.",
    ),
)

# What the rows of a file stand for, where they may stand for others.
WEIGHING = (
    column_option(
        "--weight", help="Column of weights: how many rows of the population a row stands for."
    ),
    column_option(
        "--group",
        help="Column of what rows belong together, such as patients: intervals and tests then take "
        "groups, not rows, as independent.",
    ),
)


def takes(options: Sequence[Callable[[FC], FC]]) -> Callable[[FC], FC]:
    """Add options to a command."""

    def decorated(command: FC) -> FC:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


class ScoreFile(NamedTuple):
    """A file of scores as the options say."""

    table: ScoreTable
    scores: Mapping[str, FloatArray]  # higher for the positive class
    columns: Mapping[str, Any]  # of weights, groups and folds, by the argument that takes them
    notes: list[str]  # which columns were taken
    caveats: list[str]  # where rows seem to belong together and nobody said so


def read_models(file: str, options: Mapping[str, Any], cv: str | None = None) -> ScoreFile:
    """Read a file by the options of `READING`, with the column of folds, if there is one."""
    from kappacurve.io import DELIMITERS, ScoreFileError, read_scores

    if options["label"] is None:
        if file != "-" and not Path(file).exists():
            raise click.BadParameter(f"there is no file {file}.", param_hint="'FILE'")
        raise click.UsageError("Missing option '--label': the column of the true classes.")
    uses = {"sample_weight": options.get("weight"), "groups": options.get("group"), "cv": cv}
    used = {use: column for use, column in uses.items() if column is not None}
    named = {name: character for character, name in DELIMITERS.items()} | {"\\t": "\t"}
    table = read_scores(
        file,
        scores=options["scores"] or None,
        also=[*used.values()],
        delimiter=named.get(options["delimiter"], options["delimiter"]),
        **{name: options[name] for name in ("label", "positive", "decimal", "exclude")},
    )
    notes = []
    if not options["scores"]:
        if len(table.scores) > MOST_MODELS:
            raise ScoreFileError(
                f"{file} has {len(table.scores)} columns of numbers: name those that hold scores "
                "by --score (every pair of them is compared)."
            )
        notes.append(f"--score was not given. Taken as scores: {listed(table.scores)}.")
        for why in dict.fromkeys(table.left_out.values()):
            names = [name for name, reason in table.left_out.items() if reason == why]
            notes.append(f"Not taken ({why}): {listed(names, len(names))}.")
    negated = check_lower(options["lower"], table.scores)
    scores = {name: -score if name in negated else score for name, score in table.scores.items()}
    caveats = [
        f"Values of {shown(name)} repeat: if it tells which rows belong together, give --group "
        f"{shell(name)}; without it intervals are too narrow and p values too small."
        for name in table.grouping
        if options.get("group") is None
    ]
    columns = {use: table.others[column] for use, column in used.items()}
    return ScoreFile(table, scores, columns, notes, caveats)


def refuse_overwriting(file: str, outputs: Mapping[str, Path | None]) -> None:
    """Refuse an output that is the input, or another output, before anything is read."""
    uses = {Path(file).resolve(): "the file of scores"} if file != "-" else {}
    for option, path in outputs.items():
        if path is None or (path.exists() and not path.is_file()):  # such as /dev/stdout
            continue
        if (other := uses.setdefault(path.resolve(), option)) != option:
            raise click.UsageError(f"{option} {path} is {other}: give it another name.")


@contextmanager
def errors_of(file: str) -> Iterator[None]:
    """Errors of the file end with code 1, others with code 2."""
    from kappacurve.io import ScoreFileError

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


def json_text(found: Mapping[str, Any]) -> str:
    """As JSON, where null is what is not known or infinite."""

    def known(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: known(item) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [known(item) for item in value]
        return None if isinstance(value, float) and not isfinite(value) else value

    return json.dumps(known(found), indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def deliver(text: str, path: Path | None = None) -> None:
    """Write a text to a file, or else to the screen."""
    if path is not None:
        return write_whole(path, lambda draft: draft.write_text(text, encoding="utf-8"))
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
        fault = getattr(error, "strerror", None) or str(error).rstrip(".")
        raise click.ClickException(f"{path} can't be written: {fault}.") from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
