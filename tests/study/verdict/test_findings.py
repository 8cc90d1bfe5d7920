"""What README and the documentation say of the paper is what the kept run found."""

import json
from pathlib import Path

import pytest
from write_findings import KEPT, ROOT, blocks, filled

from study.verdict.facts import verdict_text


@pytest.mark.parametrize("page", ["README.md", "docs/reproduce.md"])
def test_pages_say_what_was_found(page):
    text = (ROOT / page).read_text()
    assert filled(text, blocks(json.loads(KEPT.read_text()))[page]) == text


def test_the_first_page_of_the_verdict_is_a_page():
    first = verdict_text(json.loads(KEPT.read_text())).partition("## Published numbers and ours")[0]
    assert len(first.split()) <= 600


def test_readme_stays_a_front_door():
    assert len((Path(ROOT) / "README.md").read_text().splitlines()) <= 120
