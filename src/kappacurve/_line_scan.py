"""Compiled check that every record of a delimited text has as many fields as its header.

pandas reads on where a record is too long, and fills up one that is too short. Whatever is odd in
another way (a quotation mark inside a field, a NUL) fails here too; the slow reader then decides.
"""

from __future__ import annotations

import io
from typing import IO

import numpy as np
import numpy.typing as npt

from kappacurve._kernels import _compiled

START, NEW_FIELD, FIELD, QUOTED, QUOTE_ENDED, ODD = range(6)


@_compiled
def _scan(
    text: npt.NDArray[np.uint8], delimiter: int, expected: int, state: int, fields: int
) -> tuple[int, int]:
    """State and fields of the open record after some more bytes."""
    for i in range(len(text)):
        byte = text[i]
        if state == QUOTED:
            if byte == 34:
                state = QUOTE_ENDED
        elif byte == delimiter:
            fields += 1
            state = NEW_FIELD
        elif byte == 10 or byte == 13:
            if state != START and fields != expected:
                return ODD, i
            state, fields = START, 1
        elif byte == 34:
            if state == FIELD:
                return ODD, i
            state = QUOTED
        elif byte == 0 or (byte == 9 and state != FIELD) or state == QUOTE_ENDED:
            return ODD, i
        elif byte != 32 or state == FIELD:
            state = FIELD
    return state, fields


class RaggedError(Exception):
    """Some record needs a closer look."""


class CheckedStream(io.RawIOBase):
    """Bytes on their way to a reader, each record checked as it passes."""

    def __init__(self, source: IO[bytes], delimiter: str, expected: int) -> None:
        self._source = source
        self._delimiter, self._expected = ord(delimiter), expected
        self._state, self._fields = START, 1

    def readable(self) -> bool:
        """Say that this can be read."""
        return True

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]
        """Pass on some bytes."""
        chunk = self._source.read(len(buffer))
        if not chunk and self._state == QUOTED:
            raise RaggedError
        if not chunk and self._state != START:
            chunk = b"\n"  # the last line need not end
        array = np.frombuffer(chunk, dtype=np.uint8)
        self._state, self._fields = _scan(
            array, self._delimiter, self._expected, self._state, self._fields
        )
        if self._state == ODD:
            raise RaggedError
        buffer[: len(chunk)] = chunk
        return len(chunk)
