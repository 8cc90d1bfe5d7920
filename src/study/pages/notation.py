"""Formulas: from LaTeX, as the source text writes them, to Typst."""

from __future__ import annotations

import re

_COMMANDS = {
    r"\kappa": "kappa",
    r"\pi": "pi",
    r"\alpha": "alpha",
    r"\beta": "beta",
    r"\int": "integral",
    r"\sum": "sum",
    r"\mathrm": "upright",
    r"\text": "upright",
    r"\le": "lt.eq",
    r"\ge": "gt.eq",
    r"\cdot": "dot",
    r"\times": "times",
    r"\,": "thin",
    r"\quad": "quad",
    r"\min": "min",
    r"\max": "max",
    r"\in": "in",
    r"\%": "%",
}


def typst_math(latex: str) -> str:
    r"""Typst's spelling of a formula.

    Parameters
    ----------
    latex : str
        Letters, digits, operators, ``_``, ``^``, braces, ``\frac`` and a few names.

    Raises
    ------
    ValueError
        For a command that is not among them.

    Examples
    --------
    >>> typst_math(r"\frac{2p(1-p)}{p_e}")
    '(2 p (1 - p))/(p _ e)'
    >>> typst_math(r"\kappa = 0.11")
    'kappa = 0.11'
    """
    pieces = re.findall(r"\\[A-Za-z]+|\\.|[0-9.]+|[A-Za-z]|\S", latex)
    return re.sub(r"\( ", "(", re.sub(r" \)", ")", " ".join(_translate(pieces))))


def _translate(pieces: list[str]) -> list[str]:
    out: list[str] = []
    place = 0
    while place < len(pieces):
        piece = pieces[place]
        if piece == r"\frac":
            above, after = _group(pieces, place + 1)
            below, place = _group(pieces, after)
            out.append(f"({' '.join(_translate(above))})/({' '.join(_translate(below))})")
            continue
        if piece in (r"\mathrm", r"\text"):
            word, place = _group(pieces, place + 1)
            out.append('"' + "".join(word) + '"')
            continue
        if piece == "{":
            inner, place = _group(pieces, place)
            out.append(f"({' '.join(_translate(inner))})")
            continue
        if piece.startswith("\\"):
            if piece not in _COMMANDS:
                raise ValueError(f"the formula uses {piece}, which has no Typst spelling here.")
            piece = _COMMANDS[piece]
        out.append(piece)
        place += 1
    return out


def _group(pieces: list[str], start: int) -> tuple[list[str], int]:
    """Tokens inside the braces that open at ``start``, and the place after them."""
    if pieces[start] != "{":
        return [pieces[start]], start + 1
    depth, place = 1, start + 1
    while depth:
        depth += {"{": 1, "}": -1}.get(pieces[place], 0)
        place += 1
    return pieces[start + 1 : place - 1], place
