"""Write docs/verdict.md and its two figures from a finished run: ``make verdict``.

The text is that of the run's page. Its tables are linked where the clone keeps them, under
tests/expected; other links are left out, and which measure to take stands in docs/choose.md.
"""

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "verdict.md"
EXPECTED = ROOT / "tests" / "expected"
FIGURES = ("prevalences.svg", "reversing_split.svg")
OF_RUN = "## Which measure", "## At other shares", "## With one thing", "## Take it further"


def read_text(results: Path) -> str:
    """The text of a run's page."""
    return (results / "logs" / "page.md").read_text(encoding="utf-8")


def write_verdict(text: str) -> str:
    """The verdict of a run as a page of docs/."""

    def change_target(match: re.Match[str]) -> str:
        mark, name, target = match.groups()
        if mark:
            return f"![Figure]({Path(target).name})"  # its caption stands below
        if target.startswith("http"):
            return match[0]
        if target == "#which-measure":
            return f"[{name}](choose.md)"
        return f"[{name}](../tests/expected/{target})" if (EXPECTED / target).is_file() else name

    sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    text = "".join(part for part in sections if not part.startswith(OF_RUN)).rstrip()
    text = re.sub(r"(!?)\[([^\]]*)\]\(([^)]*)\)", change_target, text)
    origin = "*This page is from a run of the default config; `make reproduce` makes yours.*"
    return f"{text}\n\n{origin}\n"


if __name__ == "__main__":
    results = Path(sys.argv[1] if len(sys.argv) > 1 else "results")
    PAGE.write_text(write_verdict(read_text(results)), encoding="utf-8", newline="\n")
    for name in FIGURES:
        shutil.copyfile(results / "figures" / name, PAGE.with_name(name))
