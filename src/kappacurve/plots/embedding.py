"""Fonts embedded in a PDF without the tables by which text is typeset: ours is already.

To cut these tables down to the letters of a figure takes most of the time of writing it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

# It gives the tables' own classes their methods, before others take their place.
import fontTools.subset  # noqa: F401
from fontTools.ttLib import getTableClass, registerCustomTableClass, unregisterCustomTableClass

# Classes, places and ligatures of glyphs, and their distances as older programs read them.
LEFT_OUT = ("GDEF", "GPOS", "GSUB", "kern")


class _LeftOut:
    """A table that no subset of its font has."""

    def prune_pre_subset(self, font: object, options: object) -> bool:  # noqa: ARG002
        """Whether it stays: the first that fontTools asks a table."""
        return False


# fontTools finds a class by the names of its module and itself.
globals().update({tag: type(tag, (_LeftOut, getTableClass(tag)), {}) for tag in LEFT_OUT})


@contextmanager
def without_typesetting() -> Iterator[None]:
    """Leave the tables out of the fonts that are embedded inside the block."""
    for tag in LEFT_OUT:
        registerCustomTableClass(tag, __name__, tag)
    try:
        yield
    finally:
        for tag in LEFT_OUT:
            unregisterCustomTableClass(tag)
