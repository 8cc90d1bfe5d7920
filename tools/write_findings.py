"""Write what a run found into README.md and docs/reproduce.md, and keep its figure.

`make reference` calls it: the texts come from results/facts.json by the templates of the verdict.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from study.text.documents import Sources, Writer
from study.text.facts import Facts, from_json

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "tests" / "reference" / "facts.json"
# The blocks of each page, and the templates of their texts.
BLOCKS = {
    "README.md": {"claims": "readme_claims.md", "published": "readme_published.md"},
    "docs/reproduce.md": {"findings": "findings.md"},
}


def filled(page: str, templates: dict[str, str], facts: Facts) -> str:
    """A page with the texts between its markers."""
    for name, template in templates.items():
        text = Writer(Sources(facts), plain=True).fill(template)
        pattern = rf"(<!-- {name}: [^\n]*-->\n).*?(<!-- end of {name} -->)"
        page, n = re.subn(pattern, rf"\g<1>{text}\g<2>", page, flags=re.DOTALL)
        if n != 1:
            raise ValueError(f"the page needs one block {name}, it has {n}.")
    return page


if __name__ == "__main__":
    shutil.copy(ROOT / "results" / "figures" / "published.png", ROOT / "docs" / "published.png")
    for name, templates in BLOCKS.items():
        path = ROOT / name
        text = filled(path.read_text(encoding="utf-8"), templates, from_json(KEPT))
        path.write_text(text, encoding="utf-8")
