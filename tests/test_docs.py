"""What pages show is what the package computes."""

import doctest
import json
import re
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from golden import read_golden
from scipy.integrate import quad
from scipy.stats import norm
from write_schema import SCHEMA

from kappacurve.algebra import perfect_auk
from kappacurve.cli.main import main
from study.settings.config import schema_text

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


def test_the_schema_that_editors_read_is_that_of_the_settings():
    assert SCHEMA.read_text(encoding="utf-8") == schema_text()


LINK = re.compile(r"\]\(([^)\s]+)\)|^\[[^]]+\]:\s+(\S+)", re.MULTILINE)
WRITTEN = sorted([*ROOT.glob("*.md"), *ROOT.glob("[a-z]*/*.md"), *STUDY.glob("*.md")])


@pytest.mark.parametrize("page", WRITTEN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_of_a_page_lead_to_files_and_headings(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in filter(None, (a or b for a, b in LINK.findall(text))):
        path, _, heading = link.partition("#")
        if "://" in link or path == "api":
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if heading:
            found = target.read_text(encoding="utf-8")
            titles = re.findall(r"^#+ (.*)", found, re.MULTILINE)
            names = {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in titles}
            names |= {*re.findall(r"^\((.*)\)=$", found, re.MULTILINE)}
            assert heading in names, link


def test_numbers_of_the_readme_are_those_of_the_run_and_of_the_study():
    page = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    golden = read_golden().set_index("where")["value"]
    kappas = golden["kappa of (.6, .928) at .11 and .89"]
    assert f"give a kappa of {kappas[0]:.3f}; the paper prints 0.328" in page
    for table in ("table4", "table5"):
        for model in ("linear", "neural_net"):
            where = f"tables/{table}.csv | positive_class == 'majority' and model == '{model}' and "
            auc, auk, _ = golden[f"{where}measure in ['auc','auk','h'] | mean | values"]
            assert f"| {auc:.3f} (" in page and f"| {auk:.3f} (" in page
    (reversals,) = golden[
        "tables/rank_reversal.csv | pair == 'auc-auk' and positive_class == 'majority' and "
        "curve == 'both' and pattern == 'published' | reversals | values"
    ]
    assert f"in {reversals:.0f} of 1000 splits ({reversals / 10:.1f} %" in page
    results = pd.read_csv(STUDY / "results.csv").set_index("key")
    earlier = pd.read_csv(STUDY / "earlier_rounds.csv").set_index("key")
    for row in (results.loc["choice_25_at_5"], results.loc["log_loss_25"]):
        assert f"{row['estimate']:.1f} points ({row['low']:.1f} to {row['high']:.1f})" in page
    row = earlier.loc["choice_25_at_5_new"]
    assert f"({row['estimate']:.1f}, {row['low']:.1f} to {row['high']:.1f})" in page
    assert f"AUK is only {perfect_auk(0.1):.2f}" in page


def areas_of_the_normal_models(cost):
    """A scores its positives as N(1.1, 0.6), B as N(1.9, 2), a tenth of all rows; else N(0, 1)."""

    def kappa(cut, mean, spread):
        f, t = norm.sf(cut), norm.sf(cut, mean, spread)
        chance = cost * 0.1 + (0.9 - cost) * (0.1 * t + 0.9 * f)
        return 0.09 * (t - f) / chance * norm.pdf(cut)

    models = {"A": (1.1, 0.6), "B": (1.9, 2)}
    return {name: quad(kappa, -12, 12, args=model)[0] for name, model in models.items()}


@pytest.mark.slow
@pytest.mark.parametrize("width", [375, 1400])
def test_areas_are_those_of_the_models_and_the_winner_flips(open_page, tmp_path, width):
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
        shown = json.loads(answer.get_attribute("data-areas"))
        assert shown == pytest.approx(areas_of_the_normal_models(c), abs=2e-5)
        assert said in answer.inner_text()
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
