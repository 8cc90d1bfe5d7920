"""Tables of pandas in pickles, read without running anything of the pickle."""

from __future__ import annotations

import io
import lzma
import pickle
from typing import Any

import numpy as np
import pandas as pd

from many_data_sets.errors import StudyError

PLAIN_TYPES = {str, int, float, bool, type(None)}
NUMBER_TYPES = {"i8": "<i8", "i4": "<i4", "f8": "<f8", "b1": "?"}


class Record:
    """Stands for an object of the pickle; keeps what it would be made of."""

    def __init__(self, *args: Any) -> None:
        self.args: tuple[Any, ...] = args
        self.state: Any = None

    def __setstate__(self, state: Any) -> None:
        self.state = state


class ArrayRecord(Record):
    """Stands for an array of numbers in bytes or of plain values in a list; refuses any other."""

    def values(self) -> Any:
        """Build the array, or raise UnpicklingError for any other content."""
        _, shape, dtype, by_column, content = self.state or (0,) * 5
        name = dtype.args[0] if isinstance(dtype, Record) else None
        order: Any = "F" if by_column else "C"
        if name == "O8" and isinstance(content, list) and {*map(type, content)} <= PLAIN_TYPES:
            array = np.empty(len(content), dtype=object)
            array[:] = content
        elif name in NUMBER_TYPES and isinstance(content, bytes | bytearray):
            array = np.frombuffer(content, NUMBER_TYPES[name])
        else:
            raise pickle.UnpicklingError(f"an array of {name} is not allowed")
        return array.reshape(shape, order=order)


def record_buffer(buffer: Any, dtype: Any, shape: Any, order: Any) -> ArrayRecord:
    """Record an array that NumPy would build from a buffer."""
    array = ArrayRecord()
    array.state = (1, shape, dtype, order == "F", buffer)
    return array


ALLOWED: dict[tuple[str, str], Any] = {
    ("pandas.core.indexes.base", "_new_Index"): lambda _, state: Record(state),
    ("pandas._libs.internals", "_unpickle_block"): lambda *block: block,
    ("builtins", "slice"): slice,
    ("pandas.core.frame", "DataFrame"): type("DataFrame", (Record,), {}),
    ("pandas.core.internals.managers", "BlockManager"): type("BlockManager", (Record,), {}),
    ("pandas.core.indexes.base", "Index"): type("Index", (Record,), {}),
    ("pandas.core.indexes.range", "RangeIndex"): type("RangeIndex", (Record,), {}),
    ("numpy", "dtype"): type("dtype", (Record,), {}),
    ("numpy", "ndarray"): type("ndarray", (Record,), {}),
    ("numpy.core.multiarray", "_reconstruct"): ArrayRecord,
    ("numpy._core.multiarray", "_reconstruct"): ArrayRecord,
    ("numpy.core.numeric", "_frombuffer"): record_buffer,
    ("numpy._core.numeric", "_frombuffer"): record_buffer,
}


class InertUnpickler(pickle.Unpickler):
    """Turns the classes of a table into records, and refuses every other name."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the record that stands for a class."""
        try:
            return ALLOWED[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"{module}.{name} is not allowed") from None


def read_pickle(content: bytes) -> pd.DataFrame:
    """Read the table in an xz-compressed pickle of pandas; StudyError if it holds anything else."""
    try:
        manager = InertUnpickler(io.BytesIO(lzma.decompress(content))).load().state["_mgr"]
        blocks, axes = manager.args or manager.state
        names = axes[0].args[0]["data"].values().tolist()
        columns: dict[int, Any] = {}
        for values, places, _ in blocks:
            numbers = np.r_[places] if isinstance(places, slice) else places.values()
            columns |= zip(map(int, numbers), values.values(), strict=True)
        return pd.DataFrame({name: columns[number].copy() for number, name in enumerate(names)})
    except Exception as error:  # whatever a crafted file leads to
        raise StudyError(f"the pickle cannot be read safely: {error}.") from None
