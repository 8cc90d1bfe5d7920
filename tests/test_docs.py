"""What pages and gallery show is what the package computes, and what the two studies keep."""

import doctest
import json
import re
import runpy
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from draw_two_models import areas, sample
from matplotlib import pyplot as plt
from scipy.integrate import quad
from scipy.stats import norm
from write_findings import KEPT, filled
from write_schema import SCHEMA

from kappacurve.algebra import perfect_auk
from kappacurve.cli.main import main
from study.settings.config import schema_text
from study.text.facts import from_json

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
STUDY = ROOT / "studies/many-data-sets"
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
    ("command", "page"),
    [("measure", "README.md"), ("measure", "docs/start.md"), ("audit", "docs/reproduce.md")],
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


def test_the_kept_rows_are_those_of_the_two_models():
    pd.testing.assert_frame_equal(pd.read_csv(DOCS / "two_models.csv"), sample())


@pytest.mark.parametrize("cost", [0.3, 0.5, 0.9])
def test_areas_are_those_of_the_normal_models(cost):
    """A scores its positives as N(1.1, 0.6), B as N(1.9, 2), a tenth of all rows; else N(0, 1)."""
    for model, area in areas(cost).items():
        mean, spread = {"A": (1.1, 0.6), "B": (1.9, 2)}[model]

        def kappa(cut, mean=mean, spread=spread):
            f, t = norm.sf(cut), norm.sf(cut, mean, spread)
            chance = cost * 0.1 + (0.9 - cost) * (0.1 * t + 0.9 * f)
            return 0.09 * (t - f) / chance * norm.pdf(cut)

        assert area == pytest.approx(quad(kappa, -12, 12)[0], abs=1e-6)


def test_the_schema_that_editors_read_is_that_of_the_settings():
    assert SCHEMA.read_text(encoding="utf-8") == schema_text()


@pytest.mark.parametrize("blocks", ["", 2 * "<!-- claims: x -->\nold\n<!-- end of claims -->\n"])
def test_a_page_has_one_block_of_each_name(blocks):
    facts = from_json(KEPT)
    with pytest.raises(ValueError, match=f"one block claims, it has {blocks.count('old')}"):
        filled(f"# Page\n{blocks}", {"claims": "readme_claims.md"}, facts)


PAGE = """<a href="sub/b%20c.html#there"></a> <a href="#here"></a> <i id="here"></i> <a href></a>
<a href="https://x.org/gone.html"></a> <img src="data:image/png;base64,x"> <a href="notes.txt#x">
<a href="."></a> <script src="//x.org/x.js"></script> <link href="http://x.org/x.css">
<a href="gone.html"></a> <a href="sub/b%20c.html#here"></a> <a href="#there"></a>"""
FOUND = """index.html: //x.org/x.js is loaded from the network.
index.html: http://x.org/x.css is loaded from the network.
index.html: gone.html does not exist.
index.html: sub/b%20c.html#here has no such place.
index.html: #there has no such place."""


def test_the_site_loads_nothing_and_its_links_have_targets(tmp_path, capsys):
    site = tmp_path / "docs/_build"
    (site / "sub").mkdir(parents=True)
    (site / "notes.txt").touch()
    (site / "report.html").write_text('<a href="gone.html">')  # of a run: taken as it is
    (site / "sub/b c.html").write_text('<i name="here" id="there"></i> <a href="../index.html#">')
    tool = tmp_path / "tools/check_site.py"
    tool.parent.mkdir()
    tool.write_text((ROOT / "tools/check_site.py").read_text())
    good = "\n".join(PAGE.splitlines()[:2])
    told = {PAGE: FOUND, good: "2 pages: every link has its target, nothing is loaded."}
    for page, said in told.items():
        (site / "index.html").write_text(page)
        with pytest.raises(SystemExit) as stop:
            runpy.run_path(str(tool), run_name="__main__")
        assert (capsys.readouterr().out.strip(), stop.value.code) == (said, page == PAGE)


@pytest.mark.slow
@pytest.mark.parametrize("width", [375, 1400])
def test_areas_are_the_packages_and_the_winner_flips(open_page, tmp_path, width):
    (tmp_path / "_static").mkdir()
    for file in (*(DOCS / "_static").iterdir(), ROOT / "src/kappacurve/explorer/kappa.js"):
        (tmp_path / "_static" / file.name).symlink_to(file)
    page = tmp_path / "page.html"
    start = '<!doctype html><meta charset="utf-8">'
    start += '<meta name="viewport" content="width=device-width">'
    look = '<link rel="stylesheet" href="_static/style.css">'
    page.write_text(start + look + (DOCS / "opening.html").read_text())
    opened = open_page(page, width)
    leads = (0.5, "AUK model B leads"), (0.75, "model B leads"), (0.9, "1/2 model A leads")
    for c, said in leads:
        opened.fill("#opening-cost", str(c))
        answer = opened.locator("#opening-answer")
        assert json.loads(answer.get_attribute("data-areas")) == pytest.approx(areas(c), abs=2e-5)
        assert said in answer.inner_text()
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", ["README.md", "docs/choose.md"])
def test_pages_tell_the_studys_results(name):
    results = pd.read_csv(STUDY / "results.csv", index_col="key")
    earlier = pd.read_csv(STUDY / "earlier_rounds.csv", index_col="key")
    page = " ".join((ROOT / name).read_text(encoding="utf-8").split())
    for key, table in (
        ("log_loss_25", results),
        ("choice_25_at_5", results),
        ("choice_25_at_5_new", earlier),
    ):
        estimate, low, high = table.loc[key, ["estimate", "low", "high"]]
        assert f"{estimate:.1f} points ({low:.1f} to {high:.1f})" in page
    assert f"even a perfect model's AUK is only {perfect_auk(0.1):.2f}" in page
