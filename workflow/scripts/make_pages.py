"""A readable page of each table that is written as csv alone, of the verdict and the provenance."""

import json
from pathlib import Path

import pandas as pd
import yaml

from _job import run
from study.data.classes import read_names
from study.pages.document import prose_page
from study.pages.table_files import write_table
from study.published import AUC_WINDOW
from study.settings.cells import SWEPT


def _without_constants(table: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """The table without swept settings that have one level, and a sentence that names them."""
    same = [name for name in SWEPT[1:] if name in table and len(set(table[name])) == 1]
    levels = ", ".join(f"{name} {table[name].iloc[0]}" for name in same).replace("_", " ")
    return table.drop(columns=same), f"In all rows: {levels}." if same else ""


def make_pages(
    *,
    tables: list[Path],
    about: Path,
    verdict: list[Path],
    provenance: Path,
    pages: list[Path],
    verdict_page: list[Path],
    provenance_page: Path,
) -> None:
    """Write the page of each table, in the same order, of the verdict and of the provenance."""
    words, names = yaml.safe_load(about.read_text(encoding="utf-8")), read_names(provenance)
    for table, page in zip(tables, pages, strict=True):
        own = words[f"{table.parent.name}/{table.stem}"]
        note = own["note"].format(AUC_WINDOW=AUC_WINDOW)
        values = pd.read_csv(table)
        shown, same = _without_constants(values)
        looks = {"note": f"{note} {same}".strip(), "first": own.get("first"), "shown": shown}
        looks["names"] = names
        write_table(values, [page], title=own["title"], **looks)
    for text, page in zip(verdict, verdict_page, strict=True):
        page.write_text(
            prose_page(text.read_text(encoding="utf-8")), encoding="utf-8", newline="\n"
        )
    record = json.loads(provenance.read_text(encoding="utf-8"))
    counts = record["class_counts"].items()
    record["class_counts"] = ", ".join(f"{count} {name}" for name, count in counts)
    items = [(name.replace("_", " "), str(value)) for name, value in record.items()]
    shown = pd.DataFrame(items, columns=["item", "value"])
    write_table(shown, [provenance_page], title="Where the data came from")


if __name__ == "__main__":
    run(make_pages, snakemake)
