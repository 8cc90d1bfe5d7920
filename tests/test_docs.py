import doctest
import re
from pathlib import Path

from click.testing import CliRunner

import kappacurve
from kappacurve.cli import main

PAGE = Path(__file__).parents[1] / "docs" / "measures.md"


def test_recipes_run_as_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 20
    assert result.failed == 0
    assert (tmp_path / "kappa.png").stat().st_size > 0


def test_readme_shows_what_measure_prints(monkeypatch):
    monkeypatch.chdir(PAGE.parents[1])
    readme = Path("README.md").read_text()
    command, printed = re.search(
        r"```sh\nkappacurve (measure .*)\n```\n\n```text\n(.*?)```", readme, re.DOTALL
    ).groups()
    done = CliRunner().invoke(main, command.split())
    assert done.exit_code == 0
    assert done.output == printed


def test_every_public_name_is_listed_and_documented():
    listed = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE))
    assert listed == set(kappacurve.__all__)
    assert all(getattr(kappacurve, name).__doc__ for name in listed)


def test_no_public_name_is_hidden_by_a_module():
    """A submodule of the same name would replace the function once something imports it."""
    modules = {path.stem for path in Path(kappacurve.__file__).parent.glob("*.py")}
    # `measures` is bound after its module is loaded, when the package itself is imported.
    assert modules & set(kappacurve.__all__) == {"measures"}
    assert callable(kappacurve.measures)
