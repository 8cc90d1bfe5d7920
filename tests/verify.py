"""Compare a run of the default config with tests/expected: ``python tests/verify.py [results]``."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from pandas.api.types import is_numeric_dtype

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("tools", "src")]
from write_verdict import PAGE, read_text, write_verdict  # noqa: E402

from study.cpu import pin_kernels  # noqa: E402
from study.paper.facts import find_failed_checks  # noqa: E402

EXPECTED = Path(__file__).parent / "expected"
LAST_DIGIT = 2e-6  # tables have six decimals
# By other kernels of linear algebra networks end elsewhere: this much is none of our errors. It is
# said of means of AUC and AUK and of counts of their reversals, on which the verdict rests.
MEANS, MEAN, SPLITS = ("mean", "auc_a", "auk_a", "auc_b", "auk_b"), 0.002, 2
OTHERS = ["h", "auc-h", "auk-h", "fpr", "tpr", "threshold", "kappa_max"]
OTHER_CPU = (
    "The expected tables are of x86-64 processors with AVX2, whose kernels of linear algebra "
    f"are not used here. Differences up to {MEAN} in mean areas and {SPLITS} in reversals are fine."
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


def is_grave(found: pd.DataFrame, expected: pd.DataFrame) -> bool:
    """Whether no other kernel explains how these differ."""
    kept = [~table.isin(OTHERS).any(axis="columns") for table in (found, expected)]
    sizes = compare(*(table[rows] for table, rows in zip((found, expected), kept, strict=True)))
    limits = dict.fromkeys(MEANS, MEAN) | {"reversals": SPLITS}
    whole = compare(found, expected)
    whole.pop("note", None)  # how many fits did not converge
    return float("inf") in whole.values() or any(
        size > limits.get(name, float("inf")) for name, size in sizes.items()
    )


def check_page(results: Path) -> Iterator[str]:
    """What docs/verdict.md and the sentences of the paper say otherwise than this run."""
    if failed := find_failed_checks(results):
        yield f"claims.yaml: rewrite what it says of {'; '.join(failed)}"
    if write_verdict(read_text(results)) != PAGE.read_text(encoding="utf-8"):
        yield f"{results / 'logs/page.md'}: docs/verdict.md says something else (make verdict)"


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
        found = pd.read_csv(results / name)
        sizes = compare(found, expected)
        if sizes:
            differing += 1
            named = ", ".join(f"{column} by {size:.3g}" for column, size in sizes.items())
            print(f"{results / name} differs: {named}")
            grave |= same_kernels or is_grave(found, expected)
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
