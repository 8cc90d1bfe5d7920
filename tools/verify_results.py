"""Compare a run with the reference values: `make verify`; `make reference` renews them.

Three questions, each with its own answer; exit code 1 if one of them is no:

1. Are the files those that the run wrote (results/manifest.json)?
2. Are all its tables (csv, json) those in tests/reference, within the tolerances stated there?
3. With --against: which files differ, byte for byte, from those of another run's manifest? Against
   an archive of `make artefact`, from another machine perhaps, its values are the reference.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

import numpy as np
import pandas as pd
import yaml
from compare_manifests import compare_digests, different_settings

from study.manifest import digests

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "tests" / "reference"
# Settings that may differ from the reference's: no table depends on them.
WITHOUT_EFFECT = (
    "data.source",
    "data.path",
    "replicates.per_job",
    "sweep.per_job",
    "estimator_packages",
)

TABLES = (".csv", ".json")
# Of the reference or an archive: what describes a run, or how it came to its data.
NO_TABLES = ("run.json", "manifest.json", "data/provenance.json")
# Not compared: the MATLAB-like network, on which they rest, ends elsewhere on another CPU.
DEPEND_ON_CPU = (
    "facts.json",
    "forensics/claims.csv",
    "forensics/readings.csv",
    "forensics/readings.json",
    "forensics/simulation.csv",
)
SIXTH_DECIMAL = 1e-6  # what most numbers may differ by
MOST_BYTES = 500_000_000  # of the tables in an archive, which may be a stranger's
COMPRESSED_FROM = 40_000  # bytes: a larger reference table is kept as .csv.gz
# A text that names the network that ends elsewhere on another CPU (tolerances.yaml): its numbers,
# which stand in tables, too, are not compared.
NAMES_LM = r"neural net \(LM\)|neural_net_lm"


class Rule(NamedTuple):
    """Largest difference in the tables and columns of two patterns.

    With rows: in the rows that hold all its words, and in whatever numbers. Without: in all rows,
    and in numbers with a decimal point. The share rtol of the reference value is added to atol.
    """

    tables: str
    columns: str
    atol: float
    rows: str = ""
    rtol: float = 0.0


def verify(
    results: Path, against: Path | None = None, reference: Path = REFERENCE
) -> tuple[list[str], bool]:
    """Return what to say about a run, and whether all is well."""
    if against is not None and against.suffix == ".zip":
        return _of_archive(results, against, reference)
    manifest, expected = _manifest(results / "manifest.json"), _manifest(reference / "run.json")
    problems, notes = _damaged(results, manifest), []
    if against is not None:
        other = _manifest(against)
        if not (unlike := _other_bytes(manifest, other, against)):
            notes.append(f"{len(manifest['files'])} files: byte for byte as in {against}")
        problems += unlike
    changed = different_settings(expected["config"], manifest["config"])
    if changed := [name for name in changed if not name.startswith(WITHOUT_EFFECT)]:
        said = (
            "not compared with the reference values, which are those of config/config.yaml: this "
            f"run has another {', '.join(changed)}."
        )
        (problems if against is None else notes).append(said)
    else:
        moved, said = _moved(results, manifest, reference, reference)
        if moved:
            problems += moved + _other_versions(expected, manifest)
        else:
            notes.append(said)
    return problems + notes, not problems


def _of_archive(results: Path, archive: Path, reference: Path) -> tuple[list[str], bool]:
    """A run that somebody packed: bytes are told, values decide."""
    with TemporaryDirectory() as folder:
        try:
            with ZipFile(archive) as packed:
                tables = [one for one in packed.infolist() if one.filename.endswith(TABLES)]
                if sum(one.file_size for one in tables) > MOST_BYTES:
                    sys.exit(f"{archive} holds more than {MOST_BYTES} bytes of tables.")
                packed.extractall(folder, tables)
        except (OSError, BadZipFile) as error:
            sys.exit(f"{archive} can't be read as an archive of make artefact: {error}.")
        other = Path(folder) / "results"
        manifest, theirs = _manifest(results / "manifest.json"), _manifest(other / "manifest.json")
        problems = _damaged(results, manifest)
        changed = different_settings(theirs["config"], manifest["config"])
        problems += [f"the runs have another {name}" for name in changed]
        moved, said = _moved(results, manifest, other, reference)
    unlike = compare_digests(manifest["files"], theirs["files"]).changed
    notes = [f"{name}: other bytes than in {archive}" for name in unlike]
    notes.append(f"{len(theirs['files']) - len(unlike)} files: byte for byte as in {archive}")
    problems += moved + (_other_versions(theirs, manifest) if moved else [])
    return problems + notes + ([] if moved else [said]), not problems


def _manifest(path: Path) -> dict[str, Any]:
    try:
        found = {"files": {}, **json.loads(path.read_text(encoding="utf-8"))}
        return found | {key: dict(found[key]) for key in ("files", "config", "versions")}
    except FileNotFoundError:
        sys.exit(f"there is no {path}: finish a run first (make reproduce).")
    except (KeyError, TypeError, ValueError, OSError) as error:
        sys.exit(f"{path} can't be read as a manifest: {error}.")


def _damaged(results: Path, manifest: Mapping[str, Any]) -> list[str]:
    """Files that are no longer as the run wrote them."""
    expected = manifest["files"]
    present = [results / name for name in expected if (results / name).is_file()]
    found = compare_digests(expected, digests(present, results))
    return [
        *(f"{name}: missing, though the run wrote it" for name in found.only_first),
        *(f"{name}: changed since the run wrote it" for name in found.changed),
    ]


def _other_bytes(manifest: Mapping[str, Any], other: Mapping[str, Any], against: Path) -> list[str]:
    """Files of two runs that differ, and what may explain it."""
    found = compare_digests(manifest["files"], other["files"])
    lines = [
        *(f"{name}: other bytes than in {against}" for name in found.changed),
        *(f"{name}: not in {against}" for name in found.only_first),
        *(f"{name}: in {against} only" for name in found.only_second),
    ]
    if lines:
        changed = different_settings(other["config"], manifest["config"])
        lines += [f"the runs have another {name}" for name in changed]
        lines += _other_versions(other, manifest)
    return lines


def _other_versions(expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    there, here = expected["versions"], found["versions"]
    return [
        f"{name} is {here.get(name, 'none')} here, {there.get(name, 'none')} there"
        for name in different_settings(there, here)
    ]


def _moved(
    results: Path, manifest: Mapping[str, Any], other: Path, reference: Path
) -> tuple[list[str], str]:
    """Every value of the other folder's tables that differs, and what to say if none does."""
    stated = yaml.safe_load((reference / "tolerances.yaml").read_text(encoding="utf-8"))
    rules = [Rule(**rule) for rule in stated["rules"]]
    kept, made = _kept_tables(other), {name for name in manifest["files"] if _is_table(name)}
    lines = [f"{name}: the run made no such table" for name in sorted(kept.keys() - made)]
    lines += [f"{name}: no reference values" for name in sorted(made - kept.keys())]
    n_rows, allowed = 0, [np.empty(0)]
    compared = sorted((kept.keys() & made) - {*DEPEND_ON_CPU})
    for name in compared:
        expected = _read(kept[name])
        lines += differences(name, expected, results / name, rules)
        n_rows += len(expected)
        words = expected.select_dtypes(exclude="number")
        for column in expected:
            allowed.append(_allowed(name, words, expected[column], rules)[expected[column].notna()])
    each = np.concatenate(allowed)
    exact, small = (each == 0).sum(), ((each > 0) & (each <= SIXTH_DECIMAL)).sum()
    return lines, (
        f"{len(compared)} tables, {n_rows} rows: all as the reference; {exact} words and counts "
        f"the same, {small} numbers within {SIXTH_DECIMAL:g}, {len(each) - exact - small} within a "
        "wider tolerance (tests/reference/tolerances.yaml)"
    )


def _is_table(name: str) -> bool:
    return name.endswith(TABLES) and name not in NO_TABLES


def _kept_tables(folder: Path) -> dict[str, Path]:
    """The tables of reference values or of an archive, by their names in a run."""
    files = (path for path in folder.rglob("*") if path.is_file())
    named = {path.relative_to(folder).as_posix().removesuffix(".gz"): path for path in files}
    return {name: path for name, path in named.items() if _is_table(name)}


def _read(path: Path) -> pd.DataFrame:
    """A csv; of a json each value in a row, with the keys that lead to it."""
    if path.suffix != ".json":
        return pd.read_csv(path)
    leaves = list(_leaves(json.loads(path.read_text(encoding="utf-8"))))
    places = ({f"key {i}": key for i, key in enumerate(keys, 1)} for keys, _ in leaves)
    table = pd.DataFrame(places, dtype=object)
    values = pd.Series([value for _, value in leaves], dtype=object)
    is_number = values.map(type).isin([int, float])
    table["text"] = values.where(~is_number).map(str, na_action="ignore").astype(object)
    return table.assign(number=values.where(is_number).astype(float))


def _leaves(value: Any, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if not isinstance(value, dict | list):
        yield keys, value
        return
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _leaves(inner, (*keys, str(key)))


def differences(name: str, expected: pd.DataFrame, path: Path, rules: list[Rule]) -> Iterator[str]:
    """One line for each value of a table that is not as expected."""
    try:
        found = _read(path)
    except (OSError, ValueError) as error:
        yield f"{name}: can't be read ({error})"
        return
    if list(found) != list(expected):
        yield f"{name}: columns {', '.join(found)}; reference {', '.join(expected)}"
    elif len(found) != len(expected):
        yield f"{name}: {len(found)} rows; reference {len(expected)}"
    else:
        words = expected.select_dtypes(exclude="number")
        found = _paired(words, found)
        for column in expected:
            wanted, given = expected[column], found[column]
            allowed = _allowed(name, words, wanted, rules)
            for row in np.flatnonzero(~_same(wanted, given, allowed)):
                known_by = ", ".join(str(word)[:40] for word in words.iloc[row].dropna()[:4])
                yield (
                    f"{name}, row {row + 1} ({known_by}), column {column}: reference "
                    f"{wanted[row]}, found {given[row]} (allowed {allowed[row]:g})"
                )


def _paired(words: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """The rows found, in the reference's order where a table sorted by a number has another."""
    tables = words, found[list(words)]
    wanted, given = ([repr(row) for row in table.itertuples(index=False)] for table in tables)
    if wanted == given or sorted(wanted) != sorted(given):
        return found
    order = np.argsort(given, kind="stable")[np.argsort(np.argsort(wanted, kind="stable"))]
    return found.iloc[order].reset_index(drop=True)


def _allowed(name: str, words: pd.DataFrame, wanted: pd.Series, rules: list[Rule]) -> Any:
    """Largest difference allowed in each row of a column; the first rule that fits holds."""
    allowed = np.zeros(len(wanted))
    size = np.abs(pd.to_numeric(wanted, errors="coerce").to_numpy(float))
    size = np.where(np.isfinite(size), size, 0.0)  # of infinity there is no share
    for rule in reversed(rules):
        if fnmatchcase(name, rule.tables) and fnmatchcase(str(wanted.name), rule.columns):
            largest = rule.atol + rule.rtol * size
            if rule.rows:
                held = [(words == word).any(axis=1) for word in rule.rows.split()]
                allowed = np.where(np.all(held, axis=0), largest, allowed)
            elif pd.api.types.is_float_dtype(wanted):
                allowed = largest
    return allowed


def _same(wanted: pd.Series, given: pd.Series, allowed: Any) -> Any:
    if not pd.api.types.is_numeric_dtype(wanted):
        of_lm = wanted.astype(str).str.contains(NAMES_LM)
        said, found = (
            texts.astype(object).mask(of_lm, texts.astype(str).str.replace(r"\d", "", regex=True))
            for texts in (wanted, given)
        )
        return ((said == found) | (wanted.isna() & given.isna())).to_numpy()
    numbers = pd.to_numeric(given, errors="coerce")
    # The summand: six written decimals have no exact binary difference.
    close = np.isclose(wanted, numbers, rtol=0, atol=allowed + 1e-12, equal_nan=True)
    return close & (numbers.isna() == given.isna())


def renew(results: Path, reference: Path = REFERENCE) -> list[str]:
    """Replace the reference values by those of a run of config/config.yaml."""
    manifest = _manifest(results / "manifest.json")
    if damaged := _damaged(results, manifest):
        sys.exit(f"{damaged[0]}: this run can't be the reference.")
    for path in _kept_tables(reference).values():
        path.unlink()
    tables = [name for name in manifest["files"] if _is_table(name)]
    for name in tables:
        content, target = (results / name).read_bytes(), reference / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".csv") and len(content) > COMPRESSED_FROM:
            target = target.with_name(f"{target.name}.gz")
            content = gzip.compress(content, mtime=0)
        target.write_bytes(content)
    record = {name: value for name, value in manifest.items() if name != "files"}
    text = json.dumps(record, indent=1, sort_keys=True)
    (reference / "run.json").write_text(f"{text}\n", encoding="utf-8")
    return [f"{len(tables)} tables are the new reference; say in CHANGELOG.md what moved and why"]


def main() -> int:
    """Read the arguments and print the findings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--against", type=Path, help="manifest.json or archive of another run")
    parser.add_argument("--renew", action="store_true", help="make this run the reference")
    chosen = parser.parse_args()
    if chosen.renew:
        lines, well = renew(chosen.results), True
    else:
        lines, well = verify(chosen.results, chosen.against)
    print("\n".join(lines))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
