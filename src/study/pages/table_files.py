"""Tables as files: csv for programs; LaTeX and a sortable web page for people."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import numpy as np
import pandas as pd

from study.data.classes import Names, with_names
from study.labels import MEASURE_LABELS
from study.pages.typography import typeset
from study.published import MODEL_LABELS, SAMPLING_LABELS, STUDY_LABELS, published_text

DECIMALS = 6  # more than anyone compares, fewer than the last bits of the arithmetic
P_VALUES = ("p_value", "p_adjusted")  # three significant digits, however small
FORMATS = {"percentile": ".1f", "skew": "g", **dict.fromkeys(P_VALUES, ".3g")}
FIRST_ROWS, ALL_ROWS = 14, 20  # what a page opens with, and up to how many rows it shows all
LONG_TEXT, PROSE = 36, 100  # characters; longer cells are wrapped, in a wider column
COLUMN_LABELS = {
    "sd": "SD",
    "sampling": "rows",
    **{name: name.upper() for name in ("tp", "fn", "fp", "tn")},
    **MEASURE_LABELS,
}
SILIPO_LABELS = {"before_split": "before split", "after_split": "after split"}
VALUE_LABELS = {
    **dict.fromkeys(("measure", "measure_a", "measure_b"), MEASURE_LABELS),
    **dict.fromkeys(("model_a", "model_b", "network", "auc_prefers"), MODEL_LABELS),
    "model": {**MODEL_LABELS, "smote": "SMOTE"},
    "sampling": SAMPLING_LABELS,
    "study": STUDY_LABELS,
    "pair": {
        f"{a}-{b}": f"{label_a} against {label_b}"
        for a, label_a in MEASURE_LABELS.items()
        for b, label_b in MEASURE_LABELS.items()
    },
    "pattern": {"as_large": "as large"},
    **dict.fromkeys(("draw", "source"), SILIPO_LABELS),
}
# Sentences of ours, as opposed to names, keys and paths.
SENTENCES = ("printed", "recomputed", "verdict")
MODEL_NAME = re.compile(rf"\b({'|'.join(sorted(MODEL_LABELS, key=len, reverse=True))})\b")
# Signs that a plain pdflatex lacks, and those that it takes for commands.
LATEX_SIGNS = str.maketrans(
    {
        "\N{MINUS SIGN}": r"\ensuremath{-}",
        "\N{GREEK SMALL LETTER KAPPA}": r"\ensuremath{\kappa}",
        "\N{GREEK SMALL LETTER PI}": r"\ensuremath{\pi}",
        "\N{MULTIPLICATION SIGN}": r"\ensuremath{\times}",
        "\N{NO-BREAK SPACE}": "~",
        "\N{NARROW NO-BREAK SPACE}": r"\,",
        "\N{SUPERSCRIPT MINUS}": r"\textsuperscript{\ensuremath{-}}",
        **{sign: rf"\textsuperscript{{{n}}}" for n, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    }
)
LATEX = LATEX_SIGNS | str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "{}$&#%_"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "\N{EN DASH}": "--",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{LEFT DOUBLE QUOTATION MARK}": "``",
        "\N{RIGHT DOUBLE QUOTATION MARK}": "''",
    }
)


class Column(NamedTuple):
    """A column for people: its cells ("" if missing), and the numbers behind them (None: text)."""

    label: str
    texts: list[str]
    numbers: list[float] | None

    @property
    def kind(self) -> str:
        """Class of its cells in html."""
        if self.numbers is not None:
            return "number"
        longest = max(map(len, self.texts), default=0)
        return "prose" if longest > PROSE else "long" if longest > LONG_TEXT else "short"

    def cells(self) -> list[tuple[str, str, str]]:
        """In html: class, text, and the number to sort by where that is not the text."""
        keys = map(_sort_key, self.texts, self.numbers) if self.numbers else repeat("")
        return [(self.kind, *pair) for pair in zip(self.texts, keys, strict=False)]


class PageTable(NamedTuple):
    """Columns, the headings above some of the rows, and each column's share of the line."""

    columns: list[Column]
    headings: Mapping[int, str] = {}
    widths: Sequence[float] | None = None

    def rows(self) -> Iterator[tuple[str | None, tuple[str, ...]]]:
        """The heading above each row, if there is one, and the texts of its cells."""
        for number, texts in enumerate(
            zip(*(column.texts for column in self.columns), strict=True)
        ):
            yield self.headings.get(number), texts

    def latex(self) -> str:
        r"""As a booktabs tabular for ``\input``."""
        heads = " & ".join(latex(column.label) for column in self.columns)
        shares = self.widths or repeat(None)
        sides = "".join(map(_latex_side, self.columns, shares))
        lines = [f"\\begin{{tabular}}{{{sides}}}", "\\toprule", f"{heads} \\\\", "\\midrule"]
        for heading, texts in self.rows():
            if heading:
                lines += ["\\addlinespace"] if len(lines) > 4 else []
                emphasised = f"\\emph{{{latex(heading)}}}"
                lines.append(f"\\multicolumn{{{len(self.columns)}}}{{l}}{{{emphasised}}} \\\\")
            lines.append(" & ".join(map(_latex_cell, texts)) + " \\\\")
        return "\n".join([*lines, "\\bottomrule", "\\end{tabular}\n"])


def write_table(
    table: pd.DataFrame,
    paths: Iterable[Path],
    *,
    title: str,
    note: str = "",
    shown: pd.DataFrame | None = None,
    first: Mapping[str, Sequence[str]] | None = None,
    names: Names | None = None,
) -> None:
    """Write the table in the format of each path's suffix: csv, tex or html.

    `shown` is what people read, where that is not the table of the csv: fewer columns; `names` are
    those of the classes. A page of many rows opens with FIRST_ROWS of them, which have one of the
    values in `first` for each column.
    """
    reading = table if shown is None else shown
    # An empty table keeps its columns; otherwise those without a value say nothing.
    valued = reading.dropna(axis="columns", how="all") if len(reading) else reading
    columns = shown_columns(with_names(valued, names) if names else valued, names)
    kept = np.ones(len(reading), dtype=bool)
    for name, values in (first or {}).items():
        kept &= reading[name].astype(str).isin(values).to_numpy()
    if first or len(reading) > ALL_ROWS:
        kept &= np.cumsum(kept) <= FIRST_ROWS
    rows = list(zip(*(column.cells() for column in columns), strict=True))
    page: dict[str, Any] = {"note": note, "first": kept.tolist(), "rows": rows}
    page["csv"] = b64encode(to_csv(table).encode()).decode()
    writers: dict[str, Callable[[], str]] = {
        ".csv": lambda: to_csv(table),
        ".tex": PageTable(columns).latex,
        ".html": lambda: to_page(title, columns=columns, **page),
    }
    for path in paths:
        page["file"] = f"{path.stem}.csv"
        path.write_text(writers[path.suffix](), encoding="utf-8", newline="\n")


def shown_columns(
    table: pd.DataFrame,
    labels: Mapping[str, str] | None = None,
    formats: Mapping[str, str] | None = None,
) -> list[Column]:
    """The columns as people read them: labels for names, and few digits.

    `labels` and `formats` (as in :func:`format`), by column, come before the usual ones.
    """
    labels, formats = labels or {}, formats or {}
    columns = []
    for name in table.columns:
        label = labels[name] if name in labels else column_label(name)
        # A column that is shown as published has the paper's digits, whatever its name.
        column = "published" if label == "published" else name
        texts = [write_value(value, column, formats.get(name, "")) for value in table[name]]
        columns.append(Column(label, texts, _numbers(name, table[name])))
    return columns


def _numbers(name: str, values: pd.Series[Any]) -> list[float] | None:
    """The numbers behind a column, also where a source prints them with its own digits."""
    numbers = pd.to_numeric(values, errors="coerce")
    printed = name.endswith("printed") and bool((numbers.notna() == values.notna()).all())
    is_text = not (printed or pd.api.types.is_numeric_dtype(values))
    if is_text or pd.api.types.is_bool_dtype(values) or values.isna().all():
        return None
    return (numbers if name in P_VALUES else numbers.round(DECIMALS)).astype(float).tolist()


def column_label(name: str) -> str:
    """A column's name for people."""
    if name.startswith("rank_"):
        return f"rank by {MEASURE_LABELS[name.removeprefix('rank_')]}"
    if name.endswith("_printed"):
        return f"{column_label(name.removesuffix('_printed'))} printed"
    return COLUMN_LABELS.get(name, name.replace("_", " "))


def write_value(value: object, column: str = "", how: str = "") -> str:
    """A value as text: four decimals, yes or no, and nothing for nothing."""
    if value is None or value is pd.NA or value != value:
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float):
        return _number(value, column, how or FORMATS.get(column, ""))
    text = str(value)
    if column in SENTENCES:
        return typeset(text)
    if column in ("what", "check", "ranking"):
        return MODEL_NAME.sub(lambda match: MODEL_LABELS[match[0]], text)
    return VALUE_LABELS.get(column, {}).get(text, text)


def _number(value: float, column: str, how: str) -> str:
    if column == "published":
        return published_text(value)
    if column == "threshold":  # all its digits: with fewer it would give other counts
        return repr(value).removesuffix(".0")
    if column not in P_VALUES:
        # From the decimals of the csv: what is read here and what the csv gives are then the same;
        # adding zero turns -0 into 0.
        value = round(value, DECIMALS) + 0.0
    whole = value.is_integer() and abs(value) > 1
    return format(value, how or (".0f" if whole else ".4f"))


def to_csv(table: pd.DataFrame) -> str:
    """Comma-separated values with six decimals."""
    rounded = table.copy()
    for name in rounded.select_dtypes("float").columns:
        if name in (*P_VALUES, "threshold"):
            rounded[name] = [write_value(value, name) for value in rounded[name]]
        else:
            rounded[name] = rounded[name].round(DECIMALS) + 0.0
    return rounded.to_csv(index=False, float_format=f"%.{DECIMALS}f", lineterminator="\n")


def _latex_side(column: Column, share: float | None) -> str:
    is_text = column.numbers is None
    if share is not None:
        ragged = "raggedright" if is_text else "raggedleft"
        return rf">{{\{ragged}\arraybackslash}}p{{{0.915 * share:.3f}\linewidth}}"
    if column.kind in ("long", "prose"):
        return "p{4.5cm}"
    return "l" if is_text else "r"


def _latex_cell(text: str) -> str:
    """A value; a long name may break after a dot or a line."""
    if len(text) > 24 and " " not in text:
        return re.sub(r"(\.|\\_)(?=\w)", r"\1\\allowbreak{}", latex(text))
    return latex(text)


def latex(text: str) -> str:
    """Text with the signs that mean something to LaTeX, or that its fonts lack, written out."""
    return text.translate(LATEX)


def to_page(title: str, **content: Any) -> str:
    """A web page that needs no other file and no network: a table, or ``prose`` (html)."""
    return _template().render(title=title, **content)


@cache
def _template() -> jinja2.Template:
    source = Path(__file__).with_suffix(".html.jinja").read_text(encoding="utf-8")
    return jinja2.Environment(autoescape=True, trim_blocks=True).from_string(source)


def _sort_key(text: str, number: float) -> str:
    if not text or (np.isfinite(number) and float(text.replace("\N{MINUS SIGN}", "-")) == number):
        return ""
    return "Infinity" if number == np.inf else f"{number:.10g}"  # as a script writes it
