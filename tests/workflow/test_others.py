"""The workflow in the hands of others: examples, a module, deployed, moved, listed."""

import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from snakemake.utils import update_config

from study.settings.check import check_config

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"--configfile (\S+) --directory \S+\n```\n\n((?:> .+\n)+)", TEXT)


def test_the_readme_has_every_example():
    named = {Path(config).name for config, _ in EXAMPLES}
    assert named == {path.name for path in ROOT.glob("examples/*.yaml")}


@pytest.mark.parametrize("example", sorted(ROOT.glob("examples/*.yaml")), ids=lambda one: one.stem)
def test_examples_are_accepted(example):
    check_config(yaml.safe_load(example.read_text()), [example])


@pytest.mark.slow
@pytest.mark.parametrize(("config", "said"), EXAMPLES, ids=[Path(one).stem for one, _ in EXAMPLES])
def test_an_example_gives_the_answer_that_its_readme_has(config, said, snakemake, tmp_path):
    snakemake(tmp_path, config=ROOT / config)
    lines = (tmp_path / "results/tables/leads.csv").read_text().splitlines()
    assert said.replace("> ", "").strip() in lines


SMALL = ROOT / "tests" / "config" / "small.yaml"
TARGET = "results/data/table.csv"
MODULE = """
configfile: "config/config.yaml"


module kappacurve:
    snakefile:
        "{root}/workflow/Snakefile"
    config:
        config
    prefix:
        "ours"


use rule {rules}
"""


def write_whole_config(folder):
    """What small.yaml makes of the default config, as one file of the folder's own."""
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    update_config(config, yaml.safe_load(SMALL.read_text()))
    (folder / "config").mkdir(exist_ok=True)
    (folder / "config/config.yaml").write_text(yaml.safe_dump(config, sort_keys=False))


@pytest.fixture
def as_module(tmp_path, snakemake):
    write_whole_config(tmp_path)

    def start(rules, *arguments):
        (tmp_path / "Snakefile").write_text(MODULE.format(root=ROOT, rules=rules))
        return snakemake(tmp_path, *arguments, config=None, start=tmp_path)

    return start


def test_single_rules_serve_another_workflow(as_module, planned):
    rules = "prepare_data, split from kappacurve"
    plan = as_module(rules, "--dry-run", "ours/results/paper/scores.csv")
    assert planned(plan) == {"prepare_data": "1", "split": "1", "total": "2"}


@pytest.mark.slow
def test_the_workflow_is_a_module_of_another(run, tmp_path, as_module, digests):
    as_module("* from kappacurve as kappa_*")
    assert digests(tmp_path / "ours/results") == digests(run / "results")


def moved(clone):
    """The clone after its folder got another name, with all that lies beside it."""
    return clone.parent.rename(clone.parents[1] / "elsewhere") / clone.name


def test_a_clone_that_is_moved_reruns_nothing(clone, snakemake):
    snakemake(clone, TARGET, start=clone)
    clone = moved(clone)
    again = snakemake(clone, "--dry-run", TARGET, start=clone)
    assert "Nothing to be done" in again


@pytest.mark.slow
def test_a_deployed_workflow_runs_once_it_names_the_clone(run, clone, snakemake, digests):
    if shutil.which("snakedeploy") is None:
        pytest.skip("snakedeploy is not installed (pip install snakedeploy)")
    folder = clone.parent / "deployed"
    command = ["snakedeploy", "deploy-workflow", clone, folder, "--branch", "main"]
    subprocess.run(command, check=True, capture_output=True)
    snakefile = folder / "workflow/Snakefile"
    text, count = re.subn(
        r'(snakefile:\s*)".*"', rf'\1"../../{clone.name}/workflow/Snakefile"', snakefile.read_text()
    )
    assert count == 1
    snakefile.write_text(text)
    write_whole_config(folder)
    snakemake(folder, config=None, start=folder)
    assert digests(folder / "results") == digests(run / "results")
    folder = moved(clone).parent / folder.name
    again = snakemake(folder, "--dry-run", config=None, start=folder)
    assert "Nothing to be done" in again


def test_the_catalogue_of_workflows_lists_it():
    """Lint and format, which it also shows, are of `make style`."""
    text = (ROOT / "README.md").read_text().lower()
    assert all(word in text for word in ("snakemake", "workflow"))
    for path in ("workflow/Snakefile", "config/README.md", "config/config.yaml"):
        assert (ROOT / path).is_file()
    assert {path.suffix for path in (ROOT / "workflow/rules").iterdir()} == {".smk"}
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert usage.keys() == {"mandatory-flags", "software-stack-deployment", "report"}
    assert usage["mandatory-flags"].keys() == {"desc", "flags"}
    ways = {"conda", "apptainer", "apptainer+conda"}
    assert usage["software-stack-deployment"].keys() == ways


def brought_by(name, found=frozenset()):
    """A distribution and those that it requires, also indirectly."""
    found |= {canonicalize_name(name)}
    for line in requires(name) or []:
        needed = Requirement(line)
        wanted = needed.marker is None or needed.marker.evaluate({"extra": ""})
        if wanted and canonicalize_name(needed.name) not in found:
            found = brought_by(needed.name, found)
    return found


# Whoever starts Snakemake may have installed no more than that.
ALONE = """
import json
import sys

others = set(json.loads(sys.argv.pop(1)))


class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in others:
            raise ModuleNotFoundError(name)


sys.meta_path.insert(0, Missing())
from snakemake.cli import main

main(sys.argv[1:])
"""


@pytest.mark.parametrize("what", ["--dry-run", "--lint"])
def test_the_workflow_is_read_with_snakemake_alone_by_its_path(tmp_path, planned, what):
    there = brought_by("snakemake") | {"kappacurve"}
    others = [
        module
        for module, owners in packages_distributions().items()
        if not there & set(map(canonicalize_name, owners))
    ]
    assert {"numpy", "sklearn", "lazy_loader"} <= set(others)
    arguments = [json.dumps(others), what, "--cores", "1"]
    command = [sys.executable, "-c", ALONE, *arguments, "--snakefile", ROOT / "workflow/Snakefile"]
    done = subprocess.run(command, cwd=tmp_path, text=True, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
    if what == "--dry-run":
        assert planned(done.stdout)["draw_replicates"] == "3"
