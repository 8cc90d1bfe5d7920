"""One way to write numbers, signs and quotation marks, whatever text they stand in."""

from __future__ import annotations

import re
from collections.abc import Callable

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"
TIMES = "\N{MULTIPLICATION SIGN}"
SPACE = "\N{NO-BREAK SPACE}"
NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
_RAISED = str.maketrans(f"0123456789{MINUS}-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
# A number that is no part of a name, a date, a path or another number.
_ALONE = r"(?<![\w.,/:-])"
_NO_MORE = r"(?![\w/-]|[.,]\d)"
_NUMBER = r"\d+(?:\.\d+)?"


def typeset(text: str) -> str:
    """Words and numbers as they are printed: signs, ranges, powers of ten, quotation marks.

    What is typeset once stays as it is when it is typeset again. Code, keys, paths and DOIs are not
    for this function.
    """
    for pattern, new in _RULES:
        text = pattern.sub(new, text)
    quoted = re.search(r"(?<!\w)'", text)
    return text if quoted else re.sub(r"(?<=\w)'(?!\d)", "\u2019", text)


def _power_of_ten(match: re.Match[str]) -> str:
    exponent = match[3].translate(_RAISED)
    sign = "⁻" if match[2] == "-" else ""
    times = "" if match[1] == "1" else f"{match[1]}{SPACE}{TIMES}{SPACE}"
    return f"{times}10{sign}{exponent}"


_RULES: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (re.compile(rf"(?<![\w.])({_NUMBER})e([+-]?)0*(\d+)(?!\w)"), _power_of_ten),
    (re.compile(r"(?<![\w.])10\^(-?\d+)(?!\w)"), lambda match: f"10{match[1].translate(_RAISED)}"),
    (re.compile(rf"{_ALONE}({_NUMBER})-({_NUMBER}){_NO_MORE}"), rf"\1{DASH}\2"),
    (re.compile(rf"(?<![\w.)\]'\"{MINUS}{DASH}-])-(?=\.?\d)"), MINUS),
    (re.compile(r"(?<=[\w)]) - (?=[\w(])"), f" {MINUS} "),
    (re.compile(r"(?<=\d) x (?=\d)"), f"{SPACE}{TIMES}{SPACE}"),
    (re.compile(r"(?<=\d)[ \u00a0]?%"), f"{NARROW_SPACE}%"),
    (re.compile(rf"(?<=\b\w) = (?=[{MINUS}.\d])"), f"{SPACE}={SPACE}"),
    (re.compile(r'(?<!\w)"([^"]+)"(?!\w)'), "“\\1”"),
]


# What is not prose in Markdown: raw blocks, code, formulas, addresses, citations.
_VERBATIM = re.compile(
    r"(~{3,}\{=.*?\n~{3,}\n|`[^`]*`(?:\{[^}]*\})?|\$[^$]+\$|\]\([^)]*\)|@\S+|\n {4}[^\n]*)",
    re.DOTALL,
)


def typeset_markdown(text: str) -> str:
    """The prose of a text in Markdown, typeset."""
    parts = _VERBATIM.split(text)
    return "".join(part if i % 2 else typeset(part) for i, part in enumerate(parts))
