"""Write what a run found into README.md and docs/reproduce.md, and keep its facts and figure.

`make reference` calls it: the texts come from results/forensics/verdict.json by the template that
wrote verdict.md.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from study.verdict.facts import claims_block, findings_block, published_block

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "tests" / "reference" / "forensics" / "verdict.json"


def blocks(facts: dict[str, Any]) -> dict[str, dict[str, str]]:
    """The text of each block of each page."""
    return {
        "README.md": {"claims": claims_block(facts), "published": published_block(facts)},
        "docs/reproduce.md": {"findings": findings_block(facts)},
    }


def filled(page: str, texts: dict[str, str]) -> str:
    """A page with the texts between its markers."""
    for name, text in texts.items():
        pattern = rf"(<!-- {name}: [^\n]*-->\n).*?(<!-- end of {name} -->)"
        page, n = re.subn(pattern, lambda found: f"{found[1]}{text}\n{found[2]}", page, flags=re.S)  # noqa: B023
        if n != 1:
            raise ValueError(f"the page needs one block {name}, it has {n}.")
    return page


if __name__ == "__main__":
    shutil.copy(ROOT / "results" / "forensics" / "verdict.json", KEPT)
    shutil.copy(ROOT / "results" / "figures" / "published.png", ROOT / "docs" / "published.png")
    for name, texts in blocks(json.loads(KEPT.read_text(encoding="utf-8"))).items():
        path = ROOT / name
        path.write_text(filled(path.read_text(encoding="utf-8"), texts), encoding="utf-8")
