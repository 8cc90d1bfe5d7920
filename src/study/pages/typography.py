"""One way to write numbers, signs and quotation marks, whatever text they stand in."""

from __future__ import annotations

import re

MINUS, DASH, TIMES = "\N{MINUS SIGN}", "\N{EN DASH}", "\N{MULTIPLICATION SIGN}"
SPACE, NARROW_SPACE = "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"
_RAISED = str.maketrans(f"0123456789{MINUS}-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
# A number that is no part of a name, a date, a path or another number.
_ALONE, _NO_MORE = r"(?<![\w.,/:-])", r"(?![\w/-]|[.,]\d)"
_NUMBER = r"\d+(?:\.\d+)?"

_POWER_OF_TEN = re.compile(rf"(?<![\w.])({_NUMBER})e([+-]?)0*(\d+)(?!\w)")
_RAISED_TEN = re.compile(r"(?<![\w.])10\^(-?\d+)(?!\w)")
_RANGE = re.compile(rf"{_ALONE}({_NUMBER})-({_NUMBER}){_NO_MORE}")
_NEGATIVE = re.compile(rf"(?<![\w.)\]'\"{MINUS}{DASH}-])-(?=\.?\d)")
_PRODUCT = re.compile(r"(?<=\d) x (?=\d)")
_PERCENT = re.compile(r"(?<=\d)[ \u00a0]?%")
_EQUALS = re.compile(rf"(?<=\b\w) = (?=[{MINUS}.\d])")
_QUOTED = re.compile(r'(?<!\w)"([^"]+)"(?!\w)')
_QUOTED_ONCE, _APOSTROPHE = re.compile(r"(?<!\w)'"), re.compile(r"(?<=\w)'(?!\d)")


def typeset(text: str) -> str:
    """Words and numbers as they are printed: signs, ranges, powers of ten, quotation marks.

    What is typeset once stays as it is when it is typeset again. Code, keys, paths and DOIs are not
    for this function.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
        With a narrow space before each per cent sign and a space around ``=`` after a symbol, on
        which no line breaks.

    Examples
    --------
    >>> ascii(typeset("-0.5 at 5%, 186-189 rows"))
    "'\\\\u22120.5 at 5\\\\u202f%, 186\\\\u2013189 rows'"
    >>> typeset('"as printed": 10^9')
    '“as printed”: 10⁹'
    >>> typeset("ERS-2010-024-LIS, 2026-01-31, s10994-009")
    'ERS-2010-024-LIS, 2026-01-31, s10994-009'
    """
    text = _POWER_OF_TEN.sub(_power_of_ten, text)
    text = _RAISED_TEN.sub(lambda found: f"10{found[1].translate(_RAISED)}", text)
    text = _RANGE.sub(rf"\1{DASH}\2", text)
    text = _NEGATIVE.sub(MINUS, text)
    text = _PRODUCT.sub(f"{SPACE}{TIMES}{SPACE}", text)
    text = _PERCENT.sub(f"{NARROW_SPACE}%", text)
    text = _EQUALS.sub(f"{SPACE}={SPACE}", text)
    text = _QUOTED.sub("“\\1”", text)
    return text if _QUOTED_ONCE.search(text) else _APOSTROPHE.sub("\u2019", text)


def _power_of_ten(found: re.Match[str]) -> str:
    exponent = found[3].translate(_RAISED)
    sign = "⁻" if found[2] == "-" else ""
    times = "" if found[1] == "1" else f"{found[1]}{SPACE}{TIMES}{SPACE}"
    return f"{times}10{sign}{exponent}"
