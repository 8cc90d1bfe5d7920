"""Compiled check that every record of a delimited text has as many fields as its header.

pandas reads on where a record is too long, and fills up one that is too short. Whatever is odd in
another way (a quotation mark inside a field, a NUL) fails here too; the slow reader then decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

import numpy as np
import numpy.typing as npt

from kappacurve._kernels import _compiled

PART = 2**18
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


class CheckedStream:
    """UTF-8 bytes on their way to pandas, each record checked as it passes.

    It is no ``io`` class, which pandas would wrap to decode and encode all of the text in vain.
    """

    def __init__(self, source: IO[bytes], encoding: str, delimiter: str, expected: int) -> None:
        self._source, self._encoding = source, encoding
        self._delimiter, self._expected = ord(delimiter), expected
        self._state, self._fields = START, 1

    def __iter__(self) -> Iterator[bytes]:
        """Pass on the parts; pandas takes this for the sign of a file."""
        while part := self.read(PART):
            yield part

    def read(self, size: int) -> bytes:
        """Pass on the next part."""
        part = self._source.read(min(size, PART) if size > 0 else PART)
        if not part and self._state == QUOTED:
            raise RaggedError
        if not part and self._state != START:
            part = b"\n"  # the last line need not end
        array = np.frombuffer(part, dtype=np.uint8)
        self._state, self._fields = _scan(
            array, self._delimiter, self._expected, self._state, self._fields
        )
        if self._state == ODD:
            raise RaggedError
        return part if self._encoding == "utf-8" else part.decode(self._encoding).encode()
