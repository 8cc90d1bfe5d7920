"""A hash of the code behind a rule's files, as a param.

Snakemake runs a job again when its script has changed, but does not see what the script imports. A
param survives a clone that is moved or touched.

What draws replicates or prepares their data is hashed without its comments and sentences, which
change no number: docstrings, and texts with a blank in a ``raise`` or in a call for its own sake.
"""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from pathlib import Path
from typing import Literal

SOURCE = Path(__file__).resolve().parents[1]
# What draws replicates; tests/test_arrows.py holds it to the modules that a draw loads.
DRAWS = (
    *("kappacurve/curves/curve.py", "kappacurve/curves/kernels.py"),
    *("kappacurve/curves/measures.py", "kappacurve/validation.py"),
    *("kappacurve/decisions/adjust.py", "kappacurve/decisions/operating.py"),
    *("study/arrays.py", "study/errors.py", "study/experiment"),
)
# What encodes data, not what reads files, whose sentences change no number.
GERMAN_CREDIT = tuple(
    f"study/data/{name}" for name in ("classes.py", "german_credit.csv", "german_credit.py")
)
OWN_DATA = ("study/data/classes.py", "study/data/own_data.py")
PLACES = {
    "draws": DRAWS,
    "german_credit": GERMAN_CREDIT,
    "own_data": OWN_DATA,
    "all": ("kappacurve", "study"),
}


def list_code(places: tuple[str, ...]) -> list[Path]:
    """The files in these folders and files below src/."""
    roots = [SOURCE / place for place in places]
    paths = [path for root in roots for path in (root.rglob("*") if root.is_dir() else [root])]
    return sorted(path for path in paths if path.is_file() and "__pycache__" not in path.parts)


@cache
def code_of(what: Literal["draws", "german_credit", "own_data", "all"]) -> str:
    """A hash of the code that draws replicates or prepares their data, or of the whole."""
    digest = hashlib.sha256()
    for path in list_code(PLACES[what]):
        is_whole = what == "all" or path.suffix != ".py"
        digest.update(path.read_bytes() if is_whole else without_sentences(path.read_bytes()))
    return digest.hexdigest()[:12]


def without_sentences(source: bytes) -> bytes:
    """Python code without what only people read."""
    tree = ast.parse(source)
    for statement in ast.walk(tree):
        if isinstance(statement, ast.Raise | ast.Expr):
            for text in ast.walk(statement):
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    text.value = "" if " " in text.value else text.value
    return ast.unparse(tree).encode()
