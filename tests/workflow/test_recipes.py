"""CONTRIBUTING's recipes, followed in a copy of the checkout by editing the named files alone."""

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


GALTON = """\
import matplotlib.pyplot as plt
from study.companions.checks import Check, Source


def study(*, seed):
    checks = [Check("printed", "Twice the seed", 14, 2 * seed)]
    return {"checks": Source("galton").check_table({}, checks)}, {"nothing": plt.figure()}
"""
SOURCE = """\
galton:
  label: Galton 1892
  module: galton
  inputs: []
  settings: [seed]
  shown:
    - [figure, nothing, Nothing]
"""


def test_a_source(clone, snakemake):
    (clone / "src/study/companions/galton.py").write_text(GALTON)
    put(clone / "src/study/sources.yaml", "ben_david:\n", SOURCE)
    assert changed(clone) == {"src/study/companions/galton.py", "src/study/sources.yaml"}
    snakemake(clone, "--until", "companion_galton", start=clone)
    made = clone / "results/companions/galton"
    assert bool(pd.read_csv(made / "checks.csv")["holds"].item())
    assert {path.name for path in made.iterdir()} >= {"nothing.svg", "nothing.pdf"}
