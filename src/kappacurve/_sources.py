"""A file as bytes on disk: from a pipe, unpacked, and ARFF rewritten as CSV."""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
import re
import sys
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from errno import ENOMEM
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

from kappacurve._labels import ScoreFileError, quoted, reason

MOST_UNPACKED = 2**33  # bytes
# What a file is shows in its first bytes; its name may say anything.
_OPENERS: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}
_REFUSED = {
    b"PK\x03\x04": "is a zip archive or an Excel workbook: unpack it, or save the sheet as CSV",
    b"\x28\xb5\x2f\xfd": "is compressed by zstd: unpack it, or compress it with gzip, bzip2 or xz",
    b"\xff\xfe": "is UTF-16 text: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)",
    b"\xfe\xff": "is UTF-16 text: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)",
}
_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_ATTRIBUTE = re.compile(
    rf"@attribute[ \t]+({_QUOTED}|[^ \t{{'\"]+)[ \t]*"
    r"((?P<number>numeric|real|integer)|\{.*\}|string|date\b.*)",
    re.IGNORECASE,
)
_ARFF_FIELD = re.compile(rf"(^|,)[ \t]*({_QUOTED})")


class File(NamedTuple):
    """A file that can be read more than once; `numeric` are the declared columns of an ARFF."""

    name: str
    path: Path
    kind: Literal["text", "parquet", "arff"]
    numeric: Sequence[bool] = ()


@contextmanager
def opened(path: str | Path) -> Iterator[File]:
    """Find the bytes on disk: what is piped or packed is copied, ARFF is rewritten as CSV."""
    name = "standard input" if str(path) == "-" else str(path)
    place = Path(path)
    with ExitStack() as copies:
        try:
            if str(path) == "-":
                place = _copied(sys.stdin.buffer, copies)
            elif not place.is_file():  # a named pipe can be read only once
                with place.open("rb") as pipe:
                    place = _copied(pipe, copies)
            with place.open("rb") as file:
                start = file.read(6)
            for magic, opener in _OPENERS.items():
                if start.startswith(magic):
                    with opener(place) as packed:
                        place = _copied(packed, copies, MOST_UNPACKED)
            yield _recognised(name, place, copies)
        except MemoryError:
            raise ScoreFileError(f"{name} does not fit into memory.") from None
        except OverflowError:
            raise ScoreFileError(
                f"{name} unpacks to more than {MOST_UNPACKED / 2**30:g} GiB: if that is what you "
                "expect, unpack it first."
            ) from None
        except (EOFError, zlib.error, lzma.LZMAError, OSError) as error:
            if getattr(error, "errno", None) == ENOMEM:
                raise ScoreFileError(f"{name} does not fit into memory.") from None
            raise ScoreFileError(f"{name} can't be read: {reason(error)}.") from None


def _copied(stream: IO[bytes], copies: ExitStack, most: float = float("inf")) -> Path:
    """Copy a stream to disk; an OverflowError if it has more bytes than `most`."""
    copy = copies.enter_context(tempfile.NamedTemporaryFile())  # noqa: SIM115
    while part := stream.read(2**20):
        copy.write(part)
        if copy.tell() > most:
            raise OverflowError
    copy.flush()
    return Path(copy.name)


def _recognised(name: str, path: Path, copies: ExitStack) -> File:
    """Tell the kind of a file by its first bytes, and refuse what is certainly something else."""
    with path.open("rb") as file:
        start = file.read(4096)
    if not start:
        raise ScoreFileError(f"{name} is empty.")
    for magic, what in _REFUSED.items():
        if start.startswith(magic):
            raise ScoreFileError(f"{name} {what}.")
    if start.startswith(b"PAR1"):
        return File(name, path, "parquet")
    if b"\0" in start:
        raise ScoreFileError(f"{name} is not text (it holds NUL bytes): save the table as CSV.")
    lines = (line.strip().lower() for line in start.removeprefix(b"\xef\xbb\xbf").splitlines())
    first = next((line for line in lines if line and not line.startswith(b"%")), b"")
    if not first.startswith(b"@relation") and not name.lower().endswith(".arff"):
        return File(name, path, "text")
    draft = copies.enter_context(
        tempfile.NamedTemporaryFile("w", encoding="latin-1", newline="")  # noqa: SIM115
    )
    numeric = _write_as_csv(name, path, draft)
    draft.flush()
    return File(name, Path(draft.name), "arff", numeric)


def _write_as_csv(name: str, arff: Path, draft: Any) -> list[bool]:
    """Rewrite an ARFF file as CSV, line by line, and tell which of its columns hold numbers.

    Bytes pass as Latin-1, whatever they are; the header takes the place of the line @data.
    """
    found: list[tuple[str, bool]] = []
    with arff.open(encoding="latin-1") as file:
        lines = enumerate((line.strip(" \t\n") for line in file), start=1)
        for number, line in lines:
            word = line.removeprefix("\xef\xbb\xbf").lower()
            if word.startswith("@data"):
                break
            if match := _ATTRIBUTE.fullmatch(line):
                found.append((_unquoted(match[1]), match["number"] is not None))
            elif word and not word.startswith(("%", "@relation")):
                raise ScoreFileError(
                    f"{name}, line {number} can't be read as ARFF: {quoted(line)} is not an "
                    "@attribute with a name and a known type."
                )
            draft.write("\n")
        else:
            raise ScoreFileError(f"{name} can't be read as ARFF: there is no line @data.")
        csv.writer(draft, lineterminator="\n").writerow(column for column, _ in found)
        for number, line in lines:
            if line.startswith("{"):
                raise ScoreFileError(f"{name}, line {number} is a sparse row: write all values.")
            line = line if "," in line else line.replace("\t", ",")
            draft.write("\n" if line.startswith("%") else _ARFF_FIELD.sub(_csv_field, line) + "\n")
    return [is_number for _, is_number in found]


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text[0] in "'\"" else text


def _csv_field(match: re.Match[str]) -> str:
    return match[1] + '"' + _unquoted(match[2]).replace('"', '""') + '"'
