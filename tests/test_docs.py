import doctest
import re
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import kappacurve
from kappacurve import measures, read_scores
from kappacurve.cli.main import main

PAGE = Path(__file__).parents[1] / "docs" / "measures.md"


def test_recipes_run_as_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 20
    assert result.failed == 0
    assert (tmp_path / "kappa.png").stat().st_size > 0


def test_page_about_costs_says_what_the_package_computes():
    result = doctest.testfile(str(PAGE.with_name("cost.md")), module_relative=False)
    assert (result.attempted, result.failed) == (15, 0)


def test_readme_shows_what_measure_prints(monkeypatch):
    monkeypatch.chdir(PAGE.parents[1])
    readme = Path("README.md").read_text()
    command, printed = re.search(
        r"```sh\nkappacurve (measure .*)\n```\n\n```text\n(.*?)```", readme, re.DOTALL
    ).groups()
    done = CliRunner().invoke(main, command.split())
    assert done.exit_code == 0
    assert done.output == printed


@pytest.mark.parametrize("model", ["linear", "neural_net", "neural_net_lm"])
def test_example_scores_have_the_measures_of_tables_4_and_5(model):
    """To the digits that the tables print: rounded scores would tie, and move them."""
    root = PAGE.parents[1]
    scores = read_scores(
        str(root / "docs" / "scores.csv"), label="class", scores=[model], positive="bad"
    )
    raw = measures(scores.positive, scores.scores[model])
    hull = measures(scores.positive, scores.scores[model], hull=True)
    for table, found in (("table4", hull), ("table5", raw)):
        of_run = pd.read_csv(root / "tests" / "reference" / "tables" / f"{table}.csv")
        expected = of_run.query("positive_class == 'bad' and model == @model")
        expected = expected.set_index("measure")["reproduced"].to_dict()
        assert set(expected) == {"auc", "auk", "auk_trapezoid", "h"}
        assert {name: round(found[name], 6) for name in expected} == pytest.approx(
            expected, abs=1e-9
        )


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
