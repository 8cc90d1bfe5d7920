"""Does a run give the reference values? `make verify`; `make reference` renews them.

Three questions, each with its own answer and exit code 1 if it is no:

1. Are the files those that the run wrote (results/manifest.json)?
2. Are the numbers those in tests/reference, within the tolerances stated there?
3. With --against: which files differ, byte for byte, from those of another run's manifest?
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import yaml

from study.manifest import compare_digests, different_settings, digests

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "tests" / "reference"
# What may differ from the reference's config: no table depends on it.
WITHOUT_EFFECT = ("data.", "replicates.per_job", "sweep.per_job", "estimator_packages")
MOST_LINES = 40


class VerificationError(Exception):
    """What keeps a run from being verified; one sentence for its user."""


class Rule(NamedTuple):
    """Largest difference in the columns of the tables that two patterns name."""

    tables: str
    columns: str
    atol: float


def verify(
    results: Path, against: Path | None = None, reference: Path = REFERENCE
) -> tuple[list[str], bool]:
    """What to say about a run, and whether all is well."""
    manifest = _read_manifest(results / "manifest.json")
    lines = _damaged(results, manifest)
    well = not lines
    if against is not None:
        said, same = compare_bytes(manifest, against)
        lines, well = lines + said, well and same
    expected = _read_manifest(reference / "run.json")
    settings = [
        name
        for name in different_settings(expected["config"], manifest["config"])
        if not name.startswith(WITHOUT_EFFECT)
    ]
    if settings:
        lines.append(
            "not compared with the reference values, which are those of config/config.yaml: this "
            f"run has another {', '.join(settings)}."
        )
        return lines, well and against is not None
    said, same = compare_tables(results, reference)
    if not same:
        said += _other_versions(expected["versions"], manifest["versions"])
    return lines + said, well and same


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise VerificationError(
            f"there is no {path}: finish a run first (make reproduce)."
        ) from None
    except (ValueError, OSError) as error:
        raise VerificationError(f"{path} can't be read as a manifest: {error}.") from None


def _damaged(results: Path, manifest: Mapping[str, Any]) -> list[str]:
    """Files that are no longer what the run wrote."""
    expected = manifest["files"]
    there = [results / name for name in expected if (results / name).is_file()]
    found = compare_digests(expected, digests(there, results))
    return [
        *(f"{name}: missing, though the run wrote it" for name in found.only_first),
        *(f"{name}: changed since the run wrote it" for name in found.changed),
    ]


def compare_bytes(manifest: Mapping[str, Any], against: Path) -> tuple[list[str], bool]:
    """Which files of two runs are not the same, byte for byte."""
    other = _read_manifest(against)
    found = compare_digests(manifest["files"], other["files"])
    lines = [
        *(f"{name}: other bytes than in {against}" for name in found.changed),
        *(f"{name}: not in {against}" for name in found.only_first),
        *(f"{name}: in {against} only" for name in found.only_second),
    ]
    if not lines:
        return [f"{len(manifest['files'])} files: byte for byte as in {against}"], True
    lines += [
        f"the runs have another {name}"
        for name in different_settings(other["config"], manifest["config"])
    ]
    return lines + _other_versions(other["versions"], manifest["versions"]), False


def _other_versions(expected: Mapping[str, str], found: Mapping[str, str]) -> list[str]:
    return [
        f"{name} is {found.get(name, 'none')} here, {expected.get(name, 'none')} there"
        for name in different_settings(expected, found)
    ]


def compare_tables(results: Path, reference: Path) -> tuple[list[str], bool]:
    """Every value of the reference tables that a run gives otherwise."""
    rules = read_rules(reference / "tolerances.yaml")
    lines, n_values = [], 0
    names = sorted(path.relative_to(reference) for path in reference.rglob("*.csv"))
    for name in names:
        expected = pd.read_csv(reference / name)
        n_values += expected.size
        lines += list(moved(name.as_posix(), expected, results / name, rules))
    if lines:
        return lines, False
    return [f"{len(names)} tables, {n_values} values: all as the reference"], True


def read_rules(path: Path) -> list[Rule]:
    """The tolerances, the first that fits a column first."""
    return [Rule(**one) for one in yaml.safe_load(path.read_text(encoding="utf-8"))["rules"]]


def moved(name: str, expected: pd.DataFrame, path: Path, rules: list[Rule]) -> Iterator[str]:
    """A line for each value of one table that is not as expected."""
    try:
        found = pd.read_csv(path)
    except (OSError, ValueError) as error:
        yield f"{name}: can't be read ({error})"
        return
    if list(found) != list(expected):
        yield f"{name}: columns {', '.join(found)}; reference {', '.join(expected)}"
    elif len(found) != len(expected):
        yield f"{name}: {len(found)} rows; reference {len(expected)}"
    else:
        for column in expected:
            allowed = _allowed(name, column, expected[column], rules)
            pairs = zip(expected[column], found[column], strict=True)
            for row, (wanted, value) in enumerate(pairs, start=1):
                if not _same(wanted, value, allowed):
                    yield (
                        f"{name}, row {row} ({_words(expected, row)}), column {column}: "
                        f"reference {wanted}, found {value} (allowed {allowed:g})"
                    )


def _allowed(name: str, column: str, values: pd.Series, rules: list[Rule]) -> float:
    if not pd.api.types.is_float_dtype(values):
        return 0.0  # counts and words
    for rule in rules:
        if fnmatchcase(name, rule.tables) and fnmatchcase(column, rule.columns):
            return rule.atol
    return 0.0


def _same(wanted: Any, value: Any, allowed: float) -> bool:
    if pd.isna(wanted) or pd.isna(value):
        return bool(pd.isna(wanted) and pd.isna(value))
    if isinstance(wanted, float):
        try:
            # Infinite thresholds are equal, though their difference is not zero. The summand: six
            # written decimals have no exact binary difference.
            return wanted == float(value) or abs(wanted - float(value)) <= allowed + 1e-12
        except ValueError:
            return False
    return bool(wanted == value)


def _words(table: pd.DataFrame, row: int) -> str:
    """What a reader knows a row by: its words."""
    words = table.select_dtypes(exclude="number").iloc[row - 1].dropna()
    return ", ".join(str(word)[:40] for word in words[:4])


def renew(results: Path, reference: Path = REFERENCE) -> list[str]:
    """Copy the values of a run of config/config.yaml over the reference values."""
    manifest = _read_manifest(results / "manifest.json")
    damaged = _damaged(results, manifest)
    if damaged:
        raise VerificationError(f"{damaged[0]}: no run to take as the reference.")
    tables = yaml.safe_load((reference / "tolerances.yaml").read_text(encoding="utf-8"))["tables"]
    for name in tables:
        target = reference / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((results / name).read_bytes())
    record = {name: value for name, value in manifest.items() if name != "files"}
    text = json.dumps(record, indent=1, sort_keys=True)
    (reference / "run.json").write_text(f"{text}\n", encoding="utf-8")
    return [f"{len(tables)} tables are the new reference; say in CHANGELOG.md what moved and why"]


def main() -> int:
    """Read the arguments, print what is found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--against", type=Path, help="manifest.json of another run")
    parser.add_argument("--renew", action="store_true", help="make this run the reference")
    chosen = parser.parse_args()
    try:
        if chosen.renew:
            lines, well = renew(chosen.results), True
        else:
            lines, well = verify(chosen.results, chosen.against)
    except VerificationError as error:
        lines, well = [str(error)], False
    hidden = len(lines) - MOST_LINES
    print("\n".join(lines[:MOST_LINES]))
    if hidden > 0:
        print(f"... and {hidden} more")
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
