"""What the pages and the gallery print and draw is what the package computes."""

import doctest
import re
import runpy
from pathlib import Path

import pytest
from click.testing import CliRunner
from matplotlib import pyplot as plt

from kappacurve.cli.main import main

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [path for path in [ROOT / "README.md", *DOCS.glob("*.md")] if ">>> " in path.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_examples_run_as_printed(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("docs").symlink_to(DOCS)
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("example", sorted((DOCS / "gallery").glob("*.py")), ids=lambda p: p.stem)
def test_gallery_draws_figures(example, monkeypatch):
    monkeypatch.chdir(example.parent)
    runpy.run_path(str(example))
    assert plt.get_fignums()


@pytest.mark.parametrize(
    ("command", "page"), [("measure", "README.md"), ("audit", "docs/reproduce.md")]
)
def test_a_page_shows_what_the_command_prints(command, page, monkeypatch):
    monkeypatch.chdir(ROOT)
    call, printed = re.search(
        rf"^kappacurve ({command} [^\n]*)\n```\n\n```text\n(.*?)```",
        Path(page).read_text(),
        re.DOTALL | re.MULTILINE,
    ).groups()
    done = CliRunner().invoke(main, call.split())
    assert done.exit_code == 0
    assert doctest.OutputChecker().check_output(printed, done.output, doctest.ELLIPSIS)
