"""CONTRIBUTING's recipes, followed in a copy of the checkout by editing the named files alone."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def put(file, before, text):
    """Put a text before another one, which the file has once."""
    old = file.read_text(encoding="utf-8")
    assert old.count(before) == 1, f"{file.name} has {old.count(before)} of: {before}"
    file.write_text(old.replace(before, text + before), encoding="utf-8")


def changed(clone):
    """The files of the copy that are new or not as in the checkout."""
    files = [path for path in clone.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    names = {path.relative_to(clone).as_posix(): path.read_bytes() for path in files}
    return {
        name
        for name, content in names.items()
        if not (ROOT / name).exists() or content != (ROOT / name).read_bytes()
    }


NEAREST = """\
def nearest(*, seed: int, neighbours: int = 5) -> Any:  # noqa: ARG001
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(neighbours)


"""
SETTINGS = "class Nearest(Section):\n    neighbours: HiddenUnits = LEFT_OUT\n\n\n"
TIES = """\
def figure_ties(ties: pd.DataFrame, words: Words) -> Figure:
    figure, axes = plt.subplots()
    axes.hist(ties["cost"])
    return figure


"""


def test_a_data_set_a_model_and_a_figure(clone, snakemake):
    # A model of ours: two files.
    registry = clone / "src/study/models/registry.py"
    put(registry, "MODELS: dict", NEAREST)
    put(registry, "linear, logistic, neural_net", "nearest, ")
    settings = clone / "src/study/settings/models.py"
    put(settings, "class OwnModel(Section)", SETTINGS)
    put(settings, "    linear: Switched[Linear]", "    nearest: Switched[Nearest] = LEFT_OUT\n")
    model = {"src/study/models/registry.py", "src/study/settings/models.py"}
    assert changed(clone) == model
    # A figure of the replicates: its function, and its rule's input and output.
    figures = clone / "src/study/figures/replicate_figures.py"
    put(figures, "FIGURES: dict", TIES)
    put(figures, '    "cost_profile":', '    "ties": figure_ties,\n')
    rules = clone / "workflow/rules/experiment.smk"
    tables = '        ties_tables=["results/tables/cost_ties.csv"],\n'
    put(rules, "        cost_profile_tables=", tables)
    drawn = '        ties=figure("results/figures/ties", "family", "Ties"),\n'
    put(rules, "        cost_profile=figure(", drawn)
    figure = {"src/study/figures/replicate_figures.py", "workflow/rules/experiment.smk"}
    assert changed(clone) == model | figure
    # A data set: a config.
    data = {"source": "scikit-learn", "name": "breast_cancer"}
    config = {
        "data": data | {"target": "target", "positive": "malignant"},
        "models": {"linear": {}, "nearest": {"neighbours": 9}},
        "compare": ["linear", "nearest"],
        "replicates": {"count": 8, "per_job": 8},
    }
    (clone / "own.yaml").write_text(yaml.safe_dump(config))
    snakemake(clone, "--until", "plot_replicates", config=clone / "own.yaml", start=clone)
    table = pd.read_csv(clone / "results/tables/cost_profile.csv")
    assert set(table["model"]) == {"linear", "nearest"}
    assert (clone / "results/figures/ties.svg").stat().st_size > 1000


CLAIM = """\
- {key: symmetric, paper: baker, section: 1, quote: kappa is symmetric, kind: equation,
   claim: Kappa is the same if predictions and labels change places.,
   file: forensics/cases, row: {key: symmetric}}
"""
SYMMETRIC = """\
def symmetric() -> Case:
    one, other = (statistics(*cells)["kappa"] for cells in ((4, 3, 2, 1), (4, 2, 3, 1)))
    return Case(abs(one - other), 1, True)


"""
JUDGING = """\
from study.paper.cases import cases_table
from study.companions.kaymak2010_experiment import PAPER
from study.paper.claims import judged_claims
claims = judged_claims({"forensics/cases": cases_table()}, PAPER).set_index("key")
print(claims.loc["symmetric", "verdict"])
"""


def test_a_claim(clone):
    paper = clone / "src/study/paper"
    put(paper / "claims.yaml", "# ---- Kaymak", CLAIM)
    put(paper / "cases.py", "CASES: dict", SYMMETRIC)
    put(paper / "cases.py", '    "dominance":', '    "symmetric": symmetric,\n')
    assert changed(clone) == {"src/study/paper/claims.yaml", "src/study/paper/cases.py"}
    command = [sys.executable, "-c", JUDGING]
    environment = {"PYTHONPATH": str(clone / "src"), "PATH": ""}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "holds", done.stderr
