"""Compare the tables of a run with those that are kept: `make verify`.

    python scripts/verify_study.py results kept

Exit code 1 if a table is missing, or a value differs by more than what is allowed.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

# Largest difference of a number with a decimal point; words and counts must be the same. The last
# bits of scikit-learn's models differ between CPUs and decide ties of trees: a point is allowed.
ALLOWED = {"hypotheses": 2.0, "break_even": 1e-4, "break_even_simulated": 1e-6}
A_POINT = 1.0
# Round 3's tables come from cells that are kept.
SAME_CELLS = 1e-6


def verify(results: Path, kept: Path) -> Iterator[str]:
    """A line for each difference; families that could not be had come first."""
    if (results / "families.csv").is_file():
        families = pd.read_csv(results / "families.csv")
        if "problem" in families:
            for row in families.dropna(subset="problem").itertuples():
                yield f"family {row.family} is missing: {row.problem}"
    for path in sorted(kept.glob("*.csv")):
        wanted, allowed = pd.read_csv(path), ALLOWED.get(path.stem, A_POINT)
        yield from differences(path.stem, wanted, results / path.name, allowed)
    for path in sorted(kept.glob("practice/*.csv")):
        name = f"practice/{path.stem}"
        yield from differences(name, pd.read_csv(path), results / f"{name}.csv", SAME_CELLS)
    # Cells are compared where a run made them again: snakemake practice.
    for path in sorted(results.glob("practice/families/*.csv")):
        name = f"practice/families/{path.stem}"
        if (own := kept / f"{name}.csv").is_file():
            yield from differences(name, pd.read_csv(own), path, A_POINT)


def differences(name: str, wanted: pd.DataFrame, path: Path, allowed: float) -> Iterator[str]:
    """A line for each value of a table that is not as kept."""
    if not path.is_file():
        yield f"{name}: there is no {path}"
        return
    found = pd.read_csv(path)
    if list(found) != list(wanted) or len(found) != len(wanted):
        yield f"{name}: other columns, or {len(found)} rows instead of {len(wanted)}"
        return
    words = [*wanted.select_dtypes(exclude="float")]
    # A table sorted by a number may have another order.
    wanted, found = (
        table.sort_values(words, kind="stable", ignore_index=True) for table in (wanted, found)
    )
    for column in wanted:
        for row in np.flatnonzero(~_same(wanted[column], found[column], allowed)):
            known_by = ", ".join(map(str, wanted.loc[row, words][:4]))
            values = f"kept {wanted[column][row]}, found {found[column][row]}"
            yield f"{name} ({known_by}), {column}: {values} (allowed {allowed:g})"


def _same(wanted: pd.Series, found: pd.Series, allowed: float) -> np.ndarray:
    if pd.api.types.is_float_dtype(wanted):
        numbers = pd.to_numeric(found, errors="coerce")
        # The summand: six written decimals have no exact binary difference.
        return np.isclose(wanted, numbers, rtol=0, atol=allowed + 1e-12, equal_nan=True)
    return ((wanted == found) | (wanted.isna() & found.isna())).to_numpy()


if __name__ == "__main__":
    results, kept = map(Path, sys.argv[1:])
    if lines := list(verify(results, kept)):
        sys.exit("\n".join(lines))
    print(f"All tables of {results} are as in {kept}.")
