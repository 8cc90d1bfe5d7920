"""Tables for people: chosen rows and columns of a frame, as html, LaTeX, Typst and Markdown."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import numpy as np
import pandas as pd
import yaml

from study.data.classes import CLASSES, NAMED_COLUMNS
from study.labels import MEASURE_LABELS
from study.published import AUC_WINDOW, MODEL_LABELS, SAMPLING_LABELS
from study.sources import STUDY_LABELS
from study.text.numbers import DECIMALS, ENDS, FORMS, P_VALUES, units_of, write_number
from study.text.typography import typeset

FIRST_ROWS = 14  # what a page opens with
ALL_ROWS = 20  # up to which a page shows all
LONG_TEXT = 36  # characters; longer cells are wrapped
PROSE = 100  # characters; longer cells are in a wider column
ON_ONE_PAGE = 24  # rows of a table that print keeps together
ABOUT = Path(__file__).with_suffix(".yaml")  # titles and notes of the tables' own pages
COLUMN_LABELS = {
    "sd": "SD",
    "sampling": "rows",
    **{name: name.upper() for name in ("tp", "fn", "fp", "tn")},
    **MEASURE_LABELS,
}
VALUE_LABELS: dict[str, dict[str, str]] = {
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
    **{key: {} for key in ("pattern", "draw", "source")},  # underscores become spaces
}
# Settings and paths stand as they are spelt.
VERBATIM = ("key", "value", "section", "values", "file", "function")
CLASS_NAME = re.compile("|".join(CLASSES))
MODEL_NAME = re.compile(rf"\b({'|'.join(sorted(MODEL_LABELS, key=len, reverse=True))})\b")
GROUP_LABELS = {
    "positive_class": "{} positive",
    "curve": "{} curve",
    "draw": "rows drawn {}",
    **dict.fromkeys(
        ("at", "measure", "model", "models", "paper", "place", "source", "study", "table", "test"),
        "{}",
    ),
}
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
    share: float | None = None  # of the line's width

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
        return [*zip(repeat(self.kind), self.texts, keys, strict=False)]


class View(NamedTuple):
    """What is shown of a frame: columns, and the headings above some of the rows."""

    columns: list[Column]
    headings: Mapping[int, str] = {}

    def rows(self) -> Iterator[tuple[str | None, tuple[str, ...]]]:
        """The heading above each row, if there is one, and the texts of its cells."""
        texts = zip(*(column.texts for column in self.columns), strict=True)
        return ((self.headings.get(number), row) for number, row in enumerate(texts))

    def pages(self) -> dict[str, View]:
        """Parts that print keeps together, with the ends of their files' names: "", _2, _3."""
        parts: dict[str, View] = {}
        for start in range(0, max(1, len(self.columns[0].texts)), ON_ONE_PAGE):
            rows = slice(start, start + ON_ONE_PAGE)
            columns = [column._replace(texts=column.texts[rows]) for column in self.columns]
            headings = {row - start: text for row, text in self.headings.items() if row >= start}
            parts[f"_{len(parts) + 1}" if parts else ""] = View(columns, headings)
        return parts

    def latex(self) -> str:
        r"""As a booktabs tabular for ``\input``."""
        sides = "".join(map(_latex_side, self.columns))
        heads = " & ".join(latex(column.label) for column in self.columns)
        lines = [f"\\begin{{tabular}}{{{sides}}}", "\\toprule", f"{heads} \\\\", "\\midrule"]
        for heading, texts in self.rows():
            if heading:
                lines += ["\\addlinespace"] if len(lines) > 4 else []
                emphasised = f"\\emph{{{latex(heading)}}}"
                lines.append(f"\\multicolumn{{{len(self.columns)}}}{{l}}{{{emphasised}}} \\\\")
            lines.append(" & ".join(map(_latex_cell, texts)) + " \\\\")
        return "\n".join([*lines, "\\bottomrule", "\\end{tabular}\n"])

    def typst(self) -> str:
        """As Typst's ``table``, without the sign before a function's name."""
        widths = ", ".join(
            "auto" if column.share is None else f"{100 * column.share:g}%"
            for column in self.columns
        )
        sides = ", ".join("left" if column.numbers is None else "right" for column in self.columns)
        lines = [f"table(columns: ({widths},), align: ({sides},),"]
        lines.append(f"table.header({_typst_cells(c.label for c in self.columns)}), table.hline(),")
        for heading, texts in self.rows():
            if heading:
                span = f"colspan: {len(self.columns)}, align: left, inset: (x: 4pt, top: 5pt)"
                lines.append(f"table.cell({span})[#emph({_quoted(heading)})],")
            lines.append(f"{_typst_cells(texts)},")
        return "\n".join([*lines, ")"])

    def html(self) -> str:
        """As a table element."""
        kinds = [column.kind for column in self.columns]
        heads = "".join(
            f'<th scope="col" class="{kind}">{escape(column.label)}</th>'
            for kind, column in zip(kinds, self.columns, strict=True)
        )
        lines = ["<table>", f"<thead><tr>{heads}</tr></thead>", "<tbody>"]
        for heading, texts in self.rows():
            if heading:
                span = f'<th colspan="{len(kinds)}" scope="rowgroup">{escape(heading)}</th>'
                lines.append(f'<tr class="group">{span}</tr>')
            cells = zip(kinds, texts, strict=True)
            row = "".join(f'<td class="{kind}">{escape(text)}</td>' for kind, text in cells)
            lines.append(f"<tr>{row}</tr>")
        return "\n".join([*lines, "</tbody>", "</table>"])

    def markdown(self) -> str:
        """As a pipe table; headings stand in the first column."""
        heads = [column.label for column in self.columns]
        sides = [":--" if column.numbers is None else "--:" for column in self.columns]
        lines = [heads, sides]
        for heading, texts in self.rows():
            lines += [[f"*{heading}*", *[""] * (len(heads) - 1)]] if heading else []
            lines.append([text.replace("|", "\\|") for text in texts])
        return "\n".join(f"|{'|'.join(cells)}|" for cells in lines)


def view(
    frame: pd.DataFrame,
    columns: Sequence[str] = (),
    *,
    where: Mapping[str, Any] | None = None,
    group: str = "",
    head: int = 0,
    span: Sequence[str] = (),
    labels: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    widths: Sequence[float] = (),
    words: Mapping[str, str] | None = None,
    typographic: bool = True,
) -> View:
    """Choose rows and columns of a frame, and write the values out.

    where: value, or list of values, that a column must have; group: the column whose values become
    headings between the rows, of which `head` rows each are kept; span: the columns of the two ends
    of an interval, which become one column "range"; labels and units (of FORMS) of columns that
    differ from the usual ones; widths: per cent of the line for each column, so that long text
    wraps; words: what people call the values of class columns; typographic: with the signs of
    print. Columns without a value are left out.
    """
    chosen = choose(frame, where or {})
    units = units_of(frame.columns) | dict(units or {})
    set_ = typeset if typographic else str
    headings: dict[int, str] = {}
    if group:
        if head:
            chosen = chosen.groupby(group, sort=False).head(head)
        parts = [chosen[chosen[group] == value] for value in chosen[group].unique()]
        heading = GROUP_LABELS.get(group, f"{column_label(group)}: {{}}")
        for row, part in zip(np.cumsum([0, *map(len, parts)]), parts, strict=False):
            name = write_value(part[group].iloc[0], group, words=words)
            headings[row] = set_(heading.format(name))
        chosen = pd.concat(parts) if parts else chosen
    if span:
        low, high = ([write_value(v, end, units[end]) for v in chosen[end]] for end in span)
        ends = [f"{a} to {b}" if a or b else "" for a, b in zip(low, high, strict=True)]
        chosen = chosen.assign(range=ends)
    names = [name for name in columns or frame.columns if name != group]
    if len(chosen):
        names = [name for name in names if chosen[name].notna().any()]
    shares = dict(zip(columns, widths, strict=False))
    made_columns = []
    for name in names:
        of_rows = chosen.get("unit") if name in ("value", *ENDS) else None  # if each has its own
        by_row = repeat(units.get(name, "")) if of_rows is None else of_rows
        texts = [
            write_value(v, name, unit, words) for v, unit in zip(chosen[name], by_row, strict=False)
        ]
        if name not in VERBATIM:
            texts = [*map(set_, texts)]
        label = (labels or {}).get(name) or column_label(name)
        share = shares[name] / 100 if name in shares else None
        made_columns.append(Column(label, texts, _numbers(name, chosen[name]), share))
    return View(made_columns, headings)


def choose(frame: pd.DataFrame, where: Mapping[str, Any]) -> pd.DataFrame:
    """The rows that have a value, or one of a list, in each of some columns (true as of a file)."""
    for name, wanted in where.items():
        values = wanted if isinstance(wanted, list) else [wanted]
        frame = frame[frame[name].astype(str).isin([*map(str, values)])]
    return frame


def write_table(table: pd.DataFrame, paths: Iterable[Path]) -> None:
    """Write the table as csv."""
    for path in paths:
        path.write_text(to_csv(table), encoding="utf-8", newline="\n")


def write_page(
    table: pd.DataFrame,
    path: Path,
    *,
    title: str = "",
    shown: pd.DataFrame | None = None,
    words: Mapping[str, str] | None = None,
) -> None:
    """Write a web page that needs no other file; it opens with FIRST_ROWS rows, if there are many.

    `shown` is what people read, where that is not the table of the csv: fewer columns. Title, note
    and, by their values in some columns, the first rows stand in tables.yaml, under the last two
    parts of the path.
    """
    about: dict[str, Any] = {"title": title, "note": "", "first": {}}
    about |= _about().get(f"{path.parent.name}/{path.stem}", {})
    reading = (table if shown is None else shown).reset_index(drop=True)
    opening = reading.index.isin(choose(reading, about["first"]).index)
    opening |= not opening.any()  # where no row has one of them
    if about["first"] or len(reading) > ALL_ROWS:
        opening &= np.cumsum(opening) <= FIRST_ROWS
    columns = view(reading, words=words).columns
    above = path.parts[::-1].index("results") - 1 if "results" in path.parts else 0
    text = _template().render(
        title=about["title"],
        note=about["note"].format(AUC_WINDOW=AUC_WINDOW),
        columns=columns,
        rows=[*zip(*(column.cells() for column in columns), strict=True)],
        first=opening.tolist(),
        file=f"{path.stem}.csv",
        csv=b64encode(to_csv(table).encode()).decode(),
        back="../" * above + "index.html" if above else "",
    )
    path.write_text(text, encoding="utf-8", newline="\n")


@cache
def _about() -> dict[str, Any]:
    about: dict[str, Any] = yaml.safe_load(ABOUT.read_text(encoding="utf-8"))
    return about


@cache
def _template() -> jinja2.Template:
    source = Path(__file__).with_suffix(".html.jinja").read_text(encoding="utf-8")
    return jinja2.Environment(autoescape=True, trim_blocks=True).from_string(source)


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


def write_value(
    value: object, column: str = "", unit: str = "", words: Mapping[str, str] | None = None
) -> str:
    """A value as text: a number in its unit's form, yes or no, and nothing for nothing."""
    if value is None or value is pd.NA or value != value:
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float):
        return write_number(value, unit or units_of([column])[column])
    text = str(value)
    if column in ("what", "check", "ranking"):
        return MODEL_NAME.sub(lambda match: MODEL_LABELS[match[0]], text)
    if column in NAMED_COLUMNS and words:
        # Also inside a text: "auk, minority positive".
        text = CLASS_NAME.sub(lambda match: words[match[0]], text)
    labels = VALUE_LABELS.get(column)
    return text if labels is None else labels.get(text, text if labels else text.replace("_", " "))


def read_table(path: Path) -> pd.DataFrame:
    """A table as its csv has it: digits that a source prints, counts of which some are missing."""
    names = pd.read_csv(path, nrows=0).columns
    texts = {name: str for name in names if name.endswith("printed")}
    counts = pd.read_csv(path, dtype_backend="numpy_nullable").select_dtypes("Int64")
    missing = counts.loc[:, counts.isna().any() & counts.notna().any()]
    return pd.read_csv(path, dtype=texts).assign(**missing)


def to_csv(table: pd.DataFrame) -> str:
    """Comma-separated values with six decimals."""
    rounded = table.copy()
    for name in rounded.select_dtypes("float").columns:
        if name in (*P_VALUES, "threshold"):  # significant digits, however small
            how = "{:.3g}".format if name in P_VALUES else FORMS["threshold"]
            rounded[name] = ["" if value != value else how(value) for value in rounded[name]]
        else:
            rounded[name] = rounded[name].round(DECIMALS) + 0.0
    return rounded.to_csv(index=False, float_format=f"%.{DECIMALS}f", lineterminator="\n")


def _latex_side(column: Column) -> str:
    is_text = column.numbers is None
    if column.share is not None:
        ragged = "raggedright" if is_text else "raggedleft"
        return rf">{{\{ragged}\arraybackslash}}p{{{0.915 * column.share:.3f}\linewidth}}"
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


def _quoted(text: str) -> str:
    """A string of Typst's, in which nothing is markup."""
    return json.dumps(text, ensure_ascii=False)


def _typst_cells(texts: Iterable[str]) -> str:
    return ", ".join(f"[#{_quoted(text)}]" for text in texts)


def _sort_key(text: str, number: float) -> str:
    if not text or (re.fullmatch(r"[\d.]+", text) and float(text) == number):
        return ""
    return "Infinity" if number == np.inf else f"{number:.10g}"  # as a script writes it
