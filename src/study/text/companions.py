"""The page of the related papers: what each is about, and its numbers beside ours."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import yaml

from study.text.documents import CITATIONS, TEMPLATES, Writer, convert_to_page, write_text
from study.text.tables import MINUS, Markup

COLUMNS = ["place", "quantity", "printed", "computed", "note"]


def write_companions(printed: Iterable[Path], page: Path) -> None:
    """Write the page from the papers' tables, each in a folder of its name with its figures."""
    texts = yaml.safe_load((TEMPLATES / "companions.yaml").read_text(encoding="utf-8"))
    papers = []
    for path in printed:
        name = path.parent.name
        table = pd.read_csv(path, dtype={"printed": str}).drop(columns="source")
        table["printed"] = table["printed"].str.replace("-", MINUS)
        words = texts[name] | {"text": Markup(texts[name]["text"])}
        figures = sorted(path.parent.glob("*.svg"))
        papers.append(words | {"name": name, "table": table, "figures": figures})
    table = pd.concat(
        {paper["title"].partition(":")[0]: paper["table"] for paper in papers}, names=["paper"]
    )
    errors = table[table["agrees"] == "no"].reset_index("paper")[["paper", *COLUMNS]]
    text = Writer("html", {"papers": papers, "errors": errors}).fill("companions.md.jinja")
    title = "Related papers"
    write_text(convert_to_page(text, [*CITATIONS, "--mathml"], pagetitle=title, title=title), page)
