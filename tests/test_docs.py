"""What pages show is what the package does."""

import doctest
import re
from pathlib import Path

import pandas as pd
import pytest
import yaml
from click.testing import CliRunner

import kappacurve
from kappacurve.cli import main
from study.settings import read_config

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "config/README.md", *sorted(DOCS.glob("*.md"))]
WITH_CODE = [page for page in PAGES if ">>> " in page.read_text(encoding="utf-8")]


def read(page):
    return page.read_text(encoding="utf-8")


def find_in_pages(pattern):
    """A parameter for each match, with page and number as its name."""
    return [
        pytest.param(text, id=f"{page.parent.name}/{page.stem}-{number}")
        for page in PAGES
        for number, text in enumerate(re.findall(pattern, read(page), re.DOTALL | re.MULTILINE))
    ]


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda path: path.stem)
def test_examples_run_as_printed(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("docs").symlink_to(DOCS)
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("name", ["README.md", "docs/start.md", "docs/reproduce.md"])
def test_a_page_shows_what_the_command_prints(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    pattern = r"^kappacurve ([^\n]*)\n```\n\n```text\n(.*?)```"
    shown = re.findall(pattern, read(ROOT / name), re.S | re.M)
    assert shown
    for call, printed in shown:
        done = CliRunner().invoke(main, call.split())
        assert done.exit_code == 0
        assert doctest.OutputChecker().check_output(printed, done.output, doctest.ELLIPSIS)


@pytest.mark.parametrize("line", find_in_pages(r"^kappacurve ([^\n]* docs/two_models\.csv [^\n]*)"))
def test_commands_of_pages_run(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("docs").symlink_to(DOCS)
    done = CliRunner().invoke(main, [word.strip('"') for word in line.split()])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("text", find_in_pages(r"^ *```yaml\n(.*?)```"))
def test_configs_of_pages_are_accepted(text, monkeypatch):
    """A part of a config changes that of the paper, or else that of the loans."""
    monkeypatch.chdir(ROOT)
    stated = yaml.safe_load(text)
    if "document" in stated or "split" in stated.get("experiment", {}):
        loans = yaml.safe_load(Path("examples/loans.yaml").read_text())
        loans["data"]["path"] = "examples/loans.csv"
        stated = loans | stated
    assert read_config(stated)


def test_the_keys_of_own_data_are_those_of_the_settings(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    from write_keys import PAGE, insert_table

    page = read(PAGE)
    assert insert_table(page) == page


def test_the_reference_has_every_public_name():
    listed = re.findall(r"^   ([a-zA-Z_]+)$", read(DOCS / "api.md"), re.M)
    assert sorted(listed) == sorted(kappacurve.__all__)


def test_the_advice_is_the_same_on_every_page():
    pattern = r"(If you know what a miss costs.*?)\[Choose"
    (advice,) = re.findall(pattern, read(ROOT / "README.md"), re.S)
    template = ROOT / "src/study/text/templates/index.md.jinja"
    for page in (DOCS / "choose.md", template):
        text = re.sub(r"\{\{ html.*?\}\}", "", read(page))
        assert " ".join(advice.split()) in " ".join(text.split())
    gains = pd.read_csv(STUDY / "results.csv").set_index("key")["estimate"]
    rounded = [round(gains[f"gain_{measure}"]) for measure in ("log_loss", "auk", "auc")]
    assert "{} and {} points against {}, where".format(*rounded) in " ".join(advice.split())


def test_losses_in_sentences_are_those_of_the_example():
    rows = pd.read_csv(DOCS / "two_models.csv")
    models = rows[["A", "B"]]
    y = rows["positive"]
    costs = kappacurve.compare(y, models, cost_ratio=5).costs.loc[1]
    words = "B's errors cost {loss:.0f} per 1,000 rows, using no model {flag_nobody:.0f})"
    assert words.format(**costs) in " ".join(read(ROOT / "README.md").split())
    rare = kappacurve.compare(y, models, cost_ratio=20, prevalence=0.03).costs.round()
    nobody, everybody = rare.loc[0, ["flag_nobody", "flag_everybody"]]
    words = (
        f"as much as {nobody:.0f} false alarms, flagging everybody {everybody:.0f}, "
        f"model A {rare.loc[0, 'loss']:.0f} and model B {rare.loc[1, 'loss']:.0f};"
    )
    assert words in " ".join(read(DOCS / "choose.md").split())


LINK = re.compile(r"\]\(([^)\s]+)\)|^\[[^]]+\]:\s+(\S+)", re.MULTILINE)
STUDY = ROOT / "studies/many-data-sets"
WRITTEN = [*ROOT.glob("*.md"), *ROOT.glob("[a-z]*/*.md"), *STUDY.glob("*.md")]


@pytest.mark.parametrize("page", WRITTEN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_of_a_page_lead_to_files_and_headings(page):
    text = re.sub(r"```.*?```", "", read(page), flags=re.DOTALL)
    for link in filter(None, (a or b for a, b in LINK.findall(text))):
        path, _, heading = link.partition("#")
        if "://" in link:
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if heading:
            titles = re.findall(r"^#+ (.*)", read(target), re.MULTILINE)
            names = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
            assert heading in names, link
