"""What pages show is what the package does; README's numbers are those of the run and the study."""

import doctest
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml
from click.testing import CliRunner

import kappacurve
from kappacurve import implied_cost_ratio, kappa_from_rates
from kappacurve.cli import main
from study.settings import read_config

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "config/README.md", *sorted(DOCS.glob("*.md"))]
WITH_CODE = [page for page in PAGES if ">>> " in page.read_text(encoding="utf-8")]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEXT = " ".join(README.split())
EXPECTED = ROOT / "tests/expected/tables"
LEADS = "results/tables/leads.csv"
COMMANDS = "".join(re.findall(r"```sh\n(.*?)```", README, re.DOTALL)).splitlines()
# Commands of the examples, and the row of leads.csv that is shown below each.
EXAMPLES = dict(
    re.findall(
        r"^(\S+snakemake .*)\n```\n\n> (.*)$",
        (ROOT / "examples/README.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
)
# Of an example that README does not show, the row alone is made.
RUN = [*COMMANDS, *(f"{line} -- {LEADS}" for line in EXAMPLES if line not in COMMANDS)]
MADE = {  # by the folder that a command names
    "sweep": ["figures/measures_by_skew.pdf", "figures/reversal_by_skew.pdf", "tables/sweep.csv"],
    "loans": ["index.html", "appendix/README.md"],
    "breast_cancer": [],
}


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
    (advice,) = re.findall(r"(If you know what a miss costs.*?)\[Choose", README, re.S)
    template = ROOT / "src/study/text/templates/index.md.jinja"
    for page in (DOCS / "choose.md", template):
        text = re.sub(r"\{\{ html.*?\}\}", "", read(page))
        assert " ".join(advice.split()) in " ".join(text.split())
    gains = pd.read_csv(STUDY / "results.csv").set_index("key")["estimate"]
    measures = ("log_loss", "average_precision", "auk", "auc")
    rounded = [round(gains[f"gain_{measure}"]) for measure in measures]
    assert "{}, {} and {} points against {}, where".format(*rounded) in " ".join(advice.split())


def test_what_the_study_shows_and_does_not_is_said_as_in_its_results():
    """The sentences of the advice, and of the registered hypotheses, that have no numbers."""
    results = pd.read_csv(STUDY / "results.csv").set_index("key")
    alike = results["equal_packages_low"] > 0
    is_shown = (results["low"] > 0) & alike
    tuned = ["choice_{}_tuned", "log_loss_{}", "average_precision_{}"]
    assert not is_shown[[key.format("all_rows") for key in tuned]].any()
    own_ratio = is_shown[[key.format("own_ratio") for key in tuned]]
    assert own_ratio.tolist() == [False, False, True]
    assert not is_shown["average_precision_25_strong"]
    assert alike[["log_loss_25_calibrated", "log_loss_25_strong", "choice_25_at_5_tuned"]].all()
    assert not alike["log_loss_25"]
    trees = ["log_loss_25_trees", "choice_25_at_5_trees", "average_precision_25_trees"]
    assert (results.loc[trees, "low"] < 0).all()
    assert (results.loc[trees, "high"] < 0).tolist() == [True, False, False]
    registered = ["choice_own_cost", "power_own_cost", "power_5"]
    assert (results.loc[registered, "registered"].str.endswith("confirmed")).all()
    assert (results.loc[registered, "holm"] > 0.05).all()
    assert alike[registered].tolist() == [False, False, True]


def test_losses_in_sentences_are_those_of_the_example():
    rows = pd.read_csv(DOCS / "two_models.csv")
    models = rows[["A", "B"]]
    y = rows["positive"]
    costs = kappacurve.compare(y, models, cost_ratio=5).costs.loc[1]
    words = "B's errors cost {loss:.0f} per 1,000 rows, using no model {flag_nobody:.0f})"
    assert words.format(**costs) in TEXT
    rare = kappacurve.compare(y, models, cost_ratio=20, prevalence=0.03).costs.round()
    nobody, everybody = rare.loc[0, ["flag_nobody", "flag_everybody"]]
    words = (
        f"as much as {nobody:.0f} false alarms, flagging everybody {everybody:.0f}, "
        f"model A {rare.loc[0, 'loss']:.0f} and model B {rare.loc[1, 'loss']:.0f};"
    )
    assert words in " ".join(read(DOCS / "choose.md").split())
    clear = {}
    for ratio in range(6, 13):
        tests = kappacurve.compare(y, models, cost_ratio=ratio, n_resamples=2).tests
        clear[ratio] = tests.set_index("measure").loc["expected_loss", "p_value"] < 0.05
    unclear = [ratio for ratio in clear if not clear[ratio]]
    assert unclear == [*range(unclear[0], unclear[-1] + 1)]
    words = f"With `--cost-ratio` {unclear[0]} to {unclear[-1]} neither is clearly cheaper"
    assert words in " ".join(read(DOCS / "start.md").split())


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


def cells_of_row(start):
    (row,) = re.findall(rf"^\| {re.escape(start)} \|(.*)\|$", README, re.MULTILINE)
    return [cell.strip() for cell in row.split("|")]


def test_areas_are_those_of_the_run_and_of_the_paper():
    printed = pd.read_csv(ROOT / "src/study/printed.csv", dtype=str)
    printed = printed.set_index(["curve", "model", "measure"])["value"]
    rows = {
        "Table 4 (hull), AUC": ("table4", "hull", "auc"),
        "Table 4 (hull), AUK": ("table4", "hull", "auk"),
        "H-measure (of the hull)": ("table4", "hull", "h"),
        "Table 5 (curve), AUC": ("table5", "raw", "auc"),
        "Table 5 (curve), AUK": ("table5", "raw", "auk"),
    }
    for name, (table, curve, measure) in rows.items():
        ours = pd.read_csv(EXPECTED / f"{table}.csv")
        ours = ours[(ours["positive_class"] == "majority") & (ours["measure"] == measure)]
        expected = []
        for model in ("linear", "neural_net"):
            (row,) = ours[ours["model"] == model].to_dict("records")
            star = printed.get((curve, model, measure), "not printed")
            expected += [star, "{mean:.3f} ({low:.3f} to {high:.3f})".format(**row)]
        assert cells_of_row(name) == expected


def test_findings_are_those_of_the_run():
    stated = kappa_from_rates(0.6, 0.928, 0.11)
    assert f"a kappa of {stated:.3f}. The paper prints 0.328" in TEXT
    counts = pd.read_csv(EXPECTED / "rank_reversal.csv").query(
        "scenario == 'paper' and pair == 'auc-auk' and positive_class == 'majority'"
    )
    counts = counts.set_index(["curve", "pattern"])["reversals"]
    assert f"as printed, in {counts['both', 'printed']} of 1000 splits" in TEXT
    gaps = pd.read_csv(EXPECTED / "reversal_by_gap.csv")
    gap = gaps.query("curve == 'raw' and positive_class == 'majority'")["largest_gap"].max()
    assert (
        f"On the curve they disagree in {counts['raw', 'any']}, with AUCs at most {gap:.3f}" in TEXT
    )
    assert f"the paper prints {0.7227 - 0.6781:.3f}" in TEXT  # Table 5
    explanations = pd.read_csv(EXPECTED / "explanations.csv").set_index("explanation")
    good = explanations.loc["good is the positive class"]
    assert good["rates_possible"] and not explanations["kappa_possible"].any()
    assert "no counts of 286 test rows with 9 to 13 % bad print it together with both" in TEXT


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_what_auc_and_kappa_pay_for_a_miss(page):
    by_auc, by_kappa = implied_cost_ratio([0, 0.328], 0.11)
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    assert f"as {by_auc:.1f} false alarms, kappa, where it is 0.328, as {by_kappa:.1f}," in text


def test_the_cheaper_model_at_a_cost_of_5_is_that_of_the_run():
    cases = pd.read_csv(EXPECTED / "cases.csv").set_index("key")
    shares = cases["value"]
    linear, network = (round(1000 * shares[f"cheaper_{m}"]) for m in ("linear", "neural_net"))
    assert f"linear model is cheaper in {linear} of 1000 splits, the network in {network}." in TEXT
    losses = shares["loss_linear":"loss_without_model"].round().astype(int)
    words = "the linear model's errors cost {} false alarms, the network's {}, using no model {};"
    assert words.format(*losses) in TEXT
    value, low, high = cases.loc["loss_difference", ["value", "low", "high"]]
    interval = f"{value:.0f} ({low:.0f} to {high:.0f})".replace("-", "\u2212")
    assert f"that splits share, the difference of {interval} is not significant." in TEXT
    assert low < 0 < high


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A copy of the repository's files, in which commands write."""
    folder = tmp_path_factory.mktemp("clone")
    folders = "config docs examples profiles requirements src studies workflow"
    for name in folders.split():
        # With numba's cache, which knows a file by its date: to compile again takes half a minute.
        ignored = shutil.ignore_patterns("*.pyc", "_build", "generated", "*.egg-info")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in ("Snakefile", "Makefile", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy2(ROOT / name, folder)
    (config,) = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
    assert "replicates: 200" in config
    (folder / "my.yaml").write_text(config.replace("replicates: 200", "replicates: 10"))
    return folder


def test_the_readme_of_the_examples_shows_them_all():
    shown = [shlex.split(line) for line in EXAMPLES]
    configs = {Path(words[words.index("--configfile") + 1]).name for words in shown}
    assert configs == {path.name for path in ROOT.glob("examples/*.yaml")}


@pytest.mark.slow
@pytest.mark.parametrize("line", RUN)
def test_commands_run(clone, line):
    """As printed, but the sweep has 10 splits, pip installs into the copy, and make says what it
    would do.
    """
    program, *words = shlex.split(line, comments=True)
    options = {"make": ["--dry-run"], "pip": ["--no-deps", "--no-build-isolation", "--target=lib"]}
    name = program.rpartition("/")[2]
    starts = {"pip": ["-m", "pip"], "snakemake": ["-m", "snakemake"]}
    starts["kappacurve"] = ["-c", "from kappacurve.cli import main; main()"]
    start = [sys.executable, *starts[name]] if name in starts else [program]
    command = [*start, *words, *options.get(name, [])]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    if "--directory" in words:
        folder = words[words.index("--directory") + 1]
        for path in MADE[folder]:
            assert (clone / folder / "results" / path).exists(), path
        row = EXAMPLES.get(line.removesuffix(f" -- {LEADS}"))
        if row is not None:
            assert row in read(clone / folder / LEADS).splitlines()
