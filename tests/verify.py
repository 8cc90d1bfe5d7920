"""Compare a run of the default config with tests/expected: ``python tests/verify.py [results]``."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from pandas.api.types import is_numeric_dtype

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("tools", "src")]
from write_verdict import PAGE, write_verdict  # noqa: E402

from study.cpu import pin_kernels  # noqa: E402

EXPECTED = Path(__file__).parent / "expected"
LAST_DIGIT = 2e-6  # tables have six decimals
# By other kernels of linear algebra networks end elsewhere: this much is none of our errors.
MEANS, MEAN, SPLITS = ("mean", "auc_a", "auk_a", "auc_b", "auk_b"), 0.002, 2
OTHER_CPU = (
    "The expected tables are of x86-64 processors with AVX2, whose kernels of linear algebra "
    f"are not used here. Differences up to {MEAN} in means and {SPLITS} in counts are fine."
)


def compare(found: pd.DataFrame, expected: pd.DataFrame) -> dict[str, float]:
    """Largest difference in each column that differs; infinite if no number says how much."""
    if found.shape != expected.shape or list(found) != list(expected):
        return {"rows or columns": float("inf")}
    largest = {}
    for name in expected:
        one, other = found[name], expected[name]
        if is_numeric_dtype(one) and is_numeric_dtype(other) and one.isna().equals(other.isna()):
            largest[name] = float((one.astype(float) - other.astype(float)).abs().max())
        else:
            largest[name] = 0.0 if one.equals(other) else float("inf")
    return {name: size for name, size in largest.items() if size > LAST_DIGIT}


def is_grave(name: str, size: float, expected: pd.DataFrame) -> bool:
    """Whether no other kernel explains a difference of this size."""
    if size == float("inf"):
        return True
    is_count = bool((expected[name].dropna() % 1 == 0).all())
    return size > SPLITS if is_count else name in MEANS and size > MEAN


def check_page(results: Path) -> Iterator[str]:
    """What docs/verdict.md says otherwise than the page of this run."""
    text = write_verdict((results / "verdict.md").read_text(encoding="utf-8"))
    if text != PAGE.read_text(encoding="utf-8"):
        yield f"{results / 'verdict.md'}: docs/verdict.md says something else (make verdict)"


def verify(results: Path, *, same_kernels: bool) -> bool:
    """Print what differs, by file; whether the run has the published numbers."""
    paths = sorted(EXPECTED.rglob("*.csv"))
    differing, grave = 0, False
    for path in paths:
        name = path.relative_to(EXPECTED)
        if not (results / name).is_file():
            print(f"{results / name}: there is no such file: finish a run first (make reproduce)")
            return False
        expected = pd.read_csv(path)
        found = compare(pd.read_csv(results / name), expected)
        if found:
            differing += 1
            sizes = ", ".join(f"{column} by {size:.3g}" for column, size in found.items())
            print(f"{results / name} differs: {sizes}")
        grave |= any(same_kernels or is_grave(*item, expected) for item in found.items())
    for fault in check_page(results):
        print(fault)
        grave |= same_kernels
    print(f"{results}: {len(paths) - differing} of {len(paths)} tables agree.")
    if not same_kernels:
        print(OTHER_CPU)
    return not grave


if __name__ == "__main__":
    pin_kernels()
    same = os.environ.get("OPENBLAS_CORETYPE") == "Haswell"
    sys.exit(not verify(Path(sys.argv[1] if len(sys.argv) > 1 else "results"), same_kernels=same))
