"""Pages for readers: what their examples print is what the command and the library print."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from kappacurve.cli import main

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "src/kappacurve/README.md", *sorted(ROOT.glob("docs/*.md"))]
PAIR = re.compile(r"```sh\n(kappacurve [^`]+)```\s+```text\n(.+?)```", re.DOTALL)
PAIRS = [(page.name, *found) for page in PAGES for found in PAIR.findall(page.read_text())]
FLAGS = doctest.ELLIPSIS


@pytest.fixture(autouse=True)
def _at_the_top(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize(("page", "command", "printed"), PAIRS)
def test_commands_print_what_pages_show(page, command, printed):
    """A line of three dots stands for lines that the page leaves out."""
    arguments = shlex.split(command.replace("\\\n", " "))[1:]
    found = CliRunner().invoke(main, arguments)
    assert found.exit_code == 0, (page, found.output)
    assert doctest.OutputChecker().check_output(printed, found.stdout, FLAGS), found.stdout


@pytest.mark.parametrize("page", [page for page in PAGES if ">>> " in page.read_text()])
def test_python_examples_print_what_pages_show(page):
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=FLAGS)
    assert tried > 0
    assert failed == 0, page.name


def test_both_kinds_of_examples_were_found():
    assert {"start.md", "measures.md"} <= {page for page, _, _ in PAIRS}
