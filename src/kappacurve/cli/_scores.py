"""What the commands share: how a file of scores is read, and how results are written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:  # the help does without
    from kappacurve.io import ScoreTable

MOST_MODELS = 36  # which a figure can tell apart
SUFFIXES = {"plot": (".pdf", ".svg", ".png"), "report": (".html",)}
SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


def _writable(_ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Refuse a file that can't be written before anything is computed."""
    if value is not None and not value.name:
        raise click.BadParameter("give the name of a file.")
    if value is not None and not value.parent.is_dir():
        raise click.BadParameter(f"there is no folder {value.parent}.")
    suffixes = SUFFIXES.get(param.name or "", ())
    if value is not None and suffixes and value.suffix not in suffixes:
        raise click.BadParameter(f"the name must end in {', '.join(suffixes)}.")
    return value


NEW_FILE: dict[str, Any] = {
    "type": click.Path(dir_okay=False, path_type=Path),
    "callback": _writable,
}


# How a file of scores is read, in every command that reads one.
READING = (
    click.option(
        "--score",
        "scores",
        multiple=True,
        metavar="COLUMN",
        help="Column of scores, higher for the positive class; repeat it for more models. "
        "Default: columns of numbers that seem to be scores; the report lists what was taken.",
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
        help="Column of weights: how many rows of the population a row stands for.",
    ),
    click.option(
        "--group",
        metavar="COLUMN",
        help="Column of what rows belong together, such as patients: intervals and tests then take "
        "groups, not rows, as independent.",
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


def read_models(
    file: str, label: str, also: Mapping[str, str | None], options: Mapping[str, Any]
) -> tuple[ScoreTable, dict[str, Any], list[str]]:
    """Read a file; the columns that `also` names, by their use; and what to tell the user."""
    from kappacurve._files import DELIMITERS, ScoreFileError
    from kappacurve._messages import did_you_mean, listed
    from kappacurve.io import read_scores

    used = {use: column for use, column in also.items() if column is not None}
    named = {name: character for character, name in DELIMITERS.items()} | {"\\t": "\t"}
    delimiter = options["delimiter"]
    table = read_scores(
        file,
        label=label,
        scores=options["scores"] or None,
        also=[*used.values()],
        delimiter=named.get(delimiter, delimiter),
        **{name: options[name] for name in ("positive", "decimal", "exclude")},
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
            names = [name for name, each in table.left_out.items() if each == why]
            notes.append(f"Not taken ({why}): {listed(names)}.")
    for name in options["lower"]:
        if name not in table.scores:
            hint = did_you_mean(name, table.scores)
            raise ValueError(f"--lower {name}: there is no such column of scores.{hint}")
    return table, {use: table.others[column] for use, column in used.items()}, notes


def grouping_caveats(table: ScoreTable, group: str | None) -> list[str]:
    """What to bear in mind where rows seem to belong together and nobody said so."""
    from kappacurve._messages import shell, shown

    return [
        f"Values of {shown(name)} repeat: if it tells which rows belong together, give --group "
        f"{shell(name)}; without it intervals are too narrow and p values too small."
        for name in table.grouping
        if group is None
    ]


def refuse_overwriting(file: str, outputs: Mapping[str, Path | None]) -> None:
    """Refuse an output that is the input, or another output, before anything is read."""
    taken = {Path(file).resolve(): "the file of scores"} if file != "-" else {}
    for option, path in outputs.items():
        if path is None or (path.exists() and not path.is_file()):  # such as /dev/stdout
            continue
        if (other := taken.setdefault(path.resolve(), option)) != option:
            raise click.UsageError(f"{option} {path} is {other}: give it another name.")


@contextmanager
def errors_of(file: str) -> Iterator[None]:
    """Errors of the file end with code 1, others with code 2."""
    # Imported here: the help does without.
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
