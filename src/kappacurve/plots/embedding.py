"""Fonts embedded in a PDF without the tables by which text is typeset: ours is already.

To cut these tables down to the letters of a figure takes most of the time of writing it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

# It gives the tables' own classes their methods, before others take their place.
import fontTools.subset  # noqa: F401
from fontTools.ttLib import registerCustomTableClass, unregisterCustomTableClass
from fontTools.ttLib.tables._k_e_r_n import table__k_e_r_n
from fontTools.ttLib.tables.G_D_E_F_ import table_G_D_E_F_
from fontTools.ttLib.tables.G_P_O_S_ import table_G_P_O_S_
from fontTools.ttLib.tables.G_S_U_B_ import table_G_S_U_B_


class _LeftOut:
    """A table that no subset of its font has."""

    def prune_pre_subset(self, font: object, options: object) -> bool:  # noqa: ARG002
        """Whether it stays: the first that fontTools asks a table."""
        return False


class Definition(_LeftOut, table_G_D_E_F_):
    """Classes of glyphs."""


class Positioning(_LeftOut, table_G_P_O_S_):
    """Distances of glyphs."""


class Substitution(_LeftOut, table_G_S_U_B_):
    """Ligatures and the like."""


class Kerning(_LeftOut, table__k_e_r_n):
    """Distances of glyphs, as older programs read them."""


LEFT_OUT = {"GDEF": Definition, "GPOS": Positioning, "GSUB": Substitution, "kern": Kerning}


@contextmanager
def without_typesetting() -> Iterator[None]:
    """Leave the tables out of the fonts that are embedded inside the block."""
    for tag, table in LEFT_OUT.items():
        registerCustomTableClass(tag, __name__, table.__name__)
    try:
        yield
    finally:
        for tag in LEFT_OUT:
            unregisterCustomTableClass(tag)
