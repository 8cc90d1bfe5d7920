"""Labels and scores from a file: CSV, TSV (also compressed), Parquet or ARFF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kappacurve._columns import Chosen, Columns
from kappacurve._delimited import Layout, read_delimited
from kappacurve._file_source import DAMAGED, Source
from kappacurve._score_error import ScoreFileError, reason
from kappacurve._validation import BoolArray, FloatArray

__all__ = ["ScoreFileError", "ScoreTable", "read_scores"]


class ScoreTable(NamedTuple):
    """Labels and scores of a file."""

    source: str
    label: str
    positive_label: str
    negative_label: str
    positive: BoolArray
    scores: Mapping[str, FloatArray]
    left_out: tuple[str, ...]
    latin1: bool


def read_scores(
    path: str | Path,
    *,
    label: str,
    scores: Sequence[str] | None = None,
    positive: str | None = None,
    delimiter: str | None = None,
) -> ScoreTable:
    """Read the labels and the scores of one or more models from a file.

    What the file is shows in its first bytes: text with a header and one row a line, delimited by
    commas, tabs, semicolons or bars, also packed by gzip, bzip2 or xz; Parquet, if pyarrow is
    installed; or ARFF.

    Parameters
    ----------
    path : str or Path
        "-" for standard input.
    label : str
        Column of the true classes. They may be words, numbers or truth values; numbers are
        compared as numbers, exactly.
    scores : sequence of str, optional
        Columns of scores, higher for the positive class; by default all columns of numbers but
        the label; one in which half of the first values are numbers is such a column, so that
        the others are named and not passed over.
    positive : str, optional
        The positive class. May be left out for 0 and 1, -1 and 1, false and true.
    delimiter : str, optional
        One character; by default told from the header.

    Returns
    -------
    ScoreTable
        source : str, how messages call the file; label : str; positive_label, negative_label :
        str, as first written in the file; positive : ndarray of bool of shape (n_samples,);
        scores : dict of ndarray of shape (n_samples,) by column, finite; left_out : tuple of str,
        the columns with no numbers or few, if `scores` was not given; latin1 : bool, whether a text
        was not UTF-8 and was therefore read as Latin-1.

    Raises
    ------
    ScoreFileError
        A ValueError of one sentence that says where (the line, counted from the header's 1) and
        what to do: if the file can't be read, a column is missing or ambiguous, a row has too
        many or too few fields, a score is no finite number, or there are not two classes.

    See Also
    --------
    kappacurve.measures : The measures of labels and scores.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "scores.csv"
    ...     _ = file.write_text("class,model\\ngood,0.1\\nbad,0.4\\n")
    ...     found = read_scores(file, label="class", positive="bad")
    >>> found.positive, found.scores
    (array([False,  True]), {'model': array([0.1, 0.4])})
    """
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n '):
        raise ScoreFileError(f"delimiter must be one character such as ';', got {delimiter!r}.")
    try:
        with Source(path) as source:
            names, chosen, columns, latin1 = _read(source, label, scores, delimiter)
    except ScoreFileError:
        raise
    except DAMAGED as error:
        raise ScoreFileError(
            f"{path} is damaged or cut off and can't be unpacked: {reason(error)}."
        ) from None
    except OSError as error:
        raise ScoreFileError(f"{path} can't be read: {error.strerror or error}.") from None
    try:
        is_positive = columns.classes.positive(positive)
    except ScoreFileError as error:
        raise ScoreFileError(f"{source.name}: {error}") from None
    return ScoreTable(
        source.name,
        label,
        columns.classes.names[is_positive],
        columns.classes.names[1 - is_positive],
        np.asarray(columns.codes == is_positive),
        {names[i]: values for i, values in zip(chosen.scores, columns.scores, strict=True)},
        tuple(chosen.left_out),
        latin1,
    )


def _read(
    source: Source, label: str, scores: Sequence[str] | None, delimiter: str | None
) -> tuple[list[str], Chosen, Columns, bool]:
    """Read by the reader of the file's kind."""
    start = source.start(4096)
    if start.startswith(b"PAR1"):
        from kappacurve._table_files import read_parquet

        return *read_parquet(source, label, scores), False
    if _is_arff(source, start):
        from kappacurve._table_files import read_arff

        return *read_arff(source, label, scores), False
    if b"\0" in start:
        raise ScoreFileError(
            f"{source.name} is not text (it holds NUL bytes): save the table as CSV."
        )
    layout: Layout
    layout, columns = read_delimited(source, label, scores, delimiter)
    return layout.names, layout.chosen, columns, layout.encoding == "latin-1"


def _is_arff(source: Source, start: bytes) -> bool:
    for line in start.removeprefix(b"\xef\xbb\xbf").splitlines():
        if line.strip() and not line.startswith(b"%"):
            return line.strip().lower().startswith(b"@relation")
    return source.name.lower().endswith(".arff")
