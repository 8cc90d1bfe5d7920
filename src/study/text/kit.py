"""The kit: tables, figures and captions of a run as files that a LaTeX paper takes in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd

from study.published import PAPER_PAIR
from study.text.documents import TEMPLATES
from study.text.numbers import units_of
from study.text.tables import View, latex, view, write_value
from study.text.typography import typeset

MEASURES = ("auc", "auk", "h")
# Of Tables 4 and 5, whatever the run has of them: a row each in print.
ROWS = {
    "published": "published",
    "percentile": "percentile",
    "reproduced": "reproduced",
    "value": "one split",
    "mean": "mean",
    "sd": "SD",
    "low": "95 % from",
    "high": "to",
    "p_adjusted": "adjusted p",
}
FILES = {
    "snippet.tex": "kit_snippet.tex",
    "article.tex": "kit_article.tex",
    "README.md": "kit_readme.md",
    "references.bib": "kit_references.bib",
}


def wide(table: pd.DataFrame, words: Mapping[str, str], of_the_paper: bool) -> View:
    """Table 4 or 5 with a column for each measure, which fits the column of a page."""
    units = units_of(table.columns) | {"value": "measure"}
    rows: list[dict[str, Any]] = []
    for (side, model), rows_of_model in table.groupby(["positive_class", "model"], sort=False):
        if of_the_paper and model not in PAPER_PAIR:
            continue
        by_measure = rows_of_model.set_index("measure").reindex(MEASURES)
        name = model
        for column, label in ROWS.items():
            if column not in rows_of_model or by_measure[column].isna().all():
                continue
            row = {"positive_class": side, "model": name, "statistic": label}
            for measure, value in by_measure[column].items():
                row[str(measure)] = write_value(value, column, units[column]) or None
            rows.append(row)
            name = ""  # stands once
    return view(
        pd.DataFrame(rows),
        ["model", "statistic", *MEASURES],
        group="positive_class",
        labels={"statistic": " "},
        widths=[25],
        words=words,
    )


def write_kit(
    folder: Path,
    tables: Mapping[str, View],
    captions: Mapping[str, str],
    about: Mapping[str, Any],
    citation: Mapping[str, Any],
) -> None:
    """Write all but the figures: those with a caption that are no tables.

    `about` is what the texts say of the run, `citation` what CITATION.cff says of this software.
    """
    for part in ("tables", "captions"):
        (folder / part).mkdir()
    for name, table in tables.items():
        _write(folder / f"tables/{name}.tex", table.latex())
    for name, caption in captions.items():
        # Without a space after it.
        _write(folder / f"captions/{name}.tex", f"{latex(typeset(caption))}%\n")
    # No HTML, and braces are LaTeX's.
    environment = jinja2.Environment(  # noqa: S701
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
    )
    environment.filters["latex"] = lambda text: latex(typeset(text or ""))
    figures = [name for name in captions if name not in tables]
    context = {**about, "citation": citation, "tables": tables, "figures": figures}
    context["curves"] = [name.replace("_", "-") for name in figures if name[:6] == "figure"]
    for name, template in FILES.items():
        _write(folder / name, environment.get_template(template).render(context))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
