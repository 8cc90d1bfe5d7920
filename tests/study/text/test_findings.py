"""What README and the documentation say of the paper is what the kept run found."""

import json

import pytest
from write_findings import KEPT, ROOT, blocks, filled


@pytest.mark.parametrize("page", ["README.md", "docs/reproduce.md"])
def test_pages_say_what_was_found(page):
    text = (ROOT / page).read_text()
    assert filled(text, blocks(json.loads(KEPT.read_text()))[page]) == text
