"""Write what round 3 found into the pages of the repository, from the tables that are kept.

    python scripts/write_pages.py

`make keep` calls it. A page has the sentences of kept/practice/sentences.csv, or the lines of
registered.csv, between two markers.
"""

import re
from pathlib import Path
from textwrap import fill

import pandas as pd

HOUSE = Path(__file__).resolve().parents[1]
ROOT = HOUSE.parents[1]
# The block of each page, and the page's name in the table of sentences.
PAGES = {
    ROOT / "README.md": "first page",
    ROOT / "docs" / "choose.md": "choose.md",
    HOUSE / "README.md": "first page",
}


def written(text: str, page: str, kept: Path) -> str:
    """A page's text with its blocks filled in."""
    sentences = pd.read_csv(kept / "sentences.csv").query("page == @page")["sentence"]
    if page == "first page":
        told = fill(" ".join(sentences), 120, break_on_hyphens=False)
    else:
        told = "\n".join(
            fill(f"- {one}", 120, subsequent_indent="  ", break_on_hyphens=False)
            for one in sentences
        )
    text = _between(text, "answer", told)
    return _between(text, "registered", _registered(kept)) if "<!-- registered:" in text else text


def _registered(kept: Path) -> str:
    lines = ["| hypothesis | data sets | packages | points [95 %, both intervals] | |"]
    lines += ["|:--|--:|--:|:--|:--|"]
    for row in pd.read_csv(kept / "registered.csv").to_dict("records"):
        low = min(row["low"], row["correlated_low"])
        high = max(row["high"], row["correlated_high"])
        cells = [row["hypothesis"], row["families"], row["sources"]]
        cells += [f"{row['difference']:.1f} [{low:.1f}, {high:.1f}]", row["verdict"]]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def _between(text: str, name: str, told: str) -> str:
    pattern = rf"(<!-- {name}: [^\n]*-->\n\n).*?(\n\n<!-- end of {name} -->)"
    found, n = re.subn(pattern, lambda m: m[1] + told + m[2], text, flags=re.DOTALL)
    if n != 1:
        raise ValueError(f"the page needs one block {name}, it has {n}.")
    return found


if __name__ == "__main__":
    for path, page in PAGES.items():
        text = path.read_text(encoding="utf-8")
        path.write_text(written(text, page, HOUSE / "kept" / "practice"), encoding="utf-8")
