"""The README's numbers are those of the run, the study and the library; its commands run."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from kappacurve import implied_cost_ratio, kappa_from_rates

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEXT = " ".join(README.split())
EXPECTED = ROOT / "tests/expected/tables"
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
COMMANDS = [line for block in BLOCKS for line in block.splitlines()]


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
    assert f"in {counts['raw', 'any']}, whose AUCs are at most {gap:.3f} apart" in TEXT
    assert f"the paper prints {0.7227 - 0.6781:.3f}" in TEXT  # Table 5


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_what_auc_and_kappa_pay_for_a_miss(page):
    by_auc, by_kappa = implied_cost_ratio([0, 0.328], 0.11)
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    assert f"as {by_auc:.1f} false alarms, kappa, where it is 0.328, as {by_kappa:.1f}," in text


def test_the_cheaper_model_at_a_cost_of_5_is_that_of_the_run():
    shares = pd.read_csv(EXPECTED / "cases.csv").set_index("key")["value"]
    linear, network = (round(1000 * shares[f"cheaper_{m}"]) for m in ("linear", "neural_net"))
    assert f"the cheaper one in {linear} of 1000 splits, the network in {network}," in TEXT
    assert f"and they tie in {1000 - linear - network}." in TEXT
    losses = shares["loss_linear":"loss_without_model"].round().astype(int)
    assert "cost {} false alarms, the network's {}, using no model {};".format(*losses) in TEXT


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A copy of the repository's files, in which commands write."""
    folder = tmp_path_factory.mktemp("clone")
    folders = "config docs examples profiles requirements src studies workflow"
    for name in folders.split():
        ignored = shutil.ignore_patterns("__pycache__", "_build", "generated", "*.egg-info")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in ("Snakefile", "Makefile", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy2(ROOT / name, folder)
    (config,) = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
    (folder / "my.yaml").write_text(config)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("line", COMMANDS)
def test_commands_run(clone, line):
    """As printed, but pip installs into the copy, and make only says what it would do."""
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
        results = clone / words[words.index("--directory") + 1] / "results"
        made = ["figures/measures_by_skew.pdf", "figures/reversal_by_skew.pdf", "tables/sweep.csv"]
        for path in made if "--" in words else ["index.html", "appendix/README.md"]:
            assert (results / path).exists(), path
