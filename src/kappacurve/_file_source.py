"""A file of scores as bytes that can be read more than once: from disk, a pipe, compressed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Self

from kappacurve._score_error import ScoreFileError, did_you_mean

# What a file is shows in its first bytes; its name may say anything.
_OPENERS: dict[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
}
_REFUSED = {
    b"PK\x03\x04": "is a zip archive or an Excel workbook: unpack it, or save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "is an old Excel workbook: save the sheet as CSV",
    b"\x28\xb5\x2f\xfd": "is compressed by zstd: unpack it, or compress it with gzip, bzip2 or xz",
    b"\xff\xfe": "is UTF-16 text: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)",
    b"\xfe\xff": "is UTF-16 text: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)",
}
DAMAGED = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile)


class Source:
    """Where the bytes come from; ``name`` is how messages call it."""

    def __init__(self, path: str | Path) -> None:
        self.name = "standard input" if str(path) == "-" else str(path)
        self._path = Path(path)
        self._copy: IO[bytes] | None = None
        if str(path) == "-":
            self._copy = _copied(sys.stdin.buffer)
        else:
            self._check_path()
        with self.stored() as stored:
            self.size = stored.seek(0, io.SEEK_END)
        if self.size == 0:
            raise ScoreFileError(f"{self.name} is empty.")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._copy is not None:
            self._copy.close()

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Open the unpacked bytes from the start."""
        with self.stored() as stored:
            start = stored.read(6)
            stored.seek(0)
            for magic, opener in _OPENERS.items():
                if start.startswith(magic):
                    with opener(stored) as unpacked:
                        yield unpacked
                    return
            yield stored

    def start(self, size: int) -> bytes:
        """Return the first unpacked bytes, refusing files that are certainly something else."""
        with self.open() as file:
            start = file.read(size)
        if not start:
            raise ScoreFileError(f"{self.name} is empty.")
        for magic, what in _REFUSED.items():
            if start.startswith(magic):
                raise ScoreFileError(f"{self.name} {what}.")
        return start

    def stored(self) -> IO[bytes]:
        """Open the bytes as they are stored, packed or not."""
        if self._copy is None:
            return self._path.open("rb")
        self._copy.seek(0)
        return os.fdopen(os.dup(self._copy.fileno()), "rb")

    def _check_path(self) -> None:
        try:
            mode = self._path.stat().st_mode
        except FileNotFoundError:
            raise ScoreFileError(f"{self.name} does not exist.{self._near_name()}") from None
        if stat.S_ISDIR(mode):
            raise ScoreFileError(f"{self.name} is a folder: name a file in it.")
        if not stat.S_ISREG(mode):  # a named pipe, which can be read only once
            with self._path.open("rb") as file:
                self._copy = _copied(file)

    def _near_name(self) -> str:
        folder = self._path.parent
        if not folder.is_dir():
            return f" There is no folder {folder} either."
        try:
            return did_you_mean(self._path.name, sorted(each.name for each in folder.iterdir()))
        except OSError:
            return ""


def _copied(stream: IO[bytes]) -> IO[bytes]:
    """Put a stream that can be read only once into a file without a name."""
    copy = tempfile.TemporaryFile()  # noqa: SIM115  # lives as long as the source
    shutil.copyfileobj(stream, copy, 2**20)
    copy.flush()
    return copy
