"""CONTRIBUTING's recipes, followed in a copy of the checkout by editing the named files alone."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def edit(file, old, new):
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file.name} has {text.count(old)} of: {old}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def changed(clone):
    """The files of the copy that are new or not as in the checkout."""
    files = [path for path in clone.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    names = {path: path.relative_to(clone).as_posix() for path in files}
    return {
        name
        for path, name in names.items()
        if not (ROOT / name).exists() or path.read_bytes() != (ROOT / name).read_bytes()
    }


def test_a_data_set_a_model_and_a_figure(clone, snakemake):
    # A model of ours: two files.
    edit(
        clone / "src/study/models/registry.py",
        "MODELS: dict",
        "def nearest(*, seed: int, neighbours: int = 5) -> Any:  # noqa: ARG001\n"
        "    from sklearn.neighbors import KNeighborsClassifier\n\n"
        "    return KNeighborsClassifier(neighbours)\n\n\n"
        "MODELS: dict",
    )
    edit(clone / "src/study/models/registry.py", "neural_net_lm)\n", "neural_net_lm, nearest)\n")
    settings = clone / "src/study/settings/models.py"
    edit(
        settings,
        "class OwnModel(Section)",
        "class Nearest(Section):\n    neighbours: HiddenUnits = LEFT_OUT\n\n\n"
        "class OwnModel(Section)",
    )
    edit(
        settings,
        "    linear: Switched[Linear]",
        "    nearest: Switched[Nearest] = LEFT_OUT\n    linear: Switched[Linear]",
    )
    model = {"src/study/models/registry.py", "src/study/settings/models.py"}
    assert changed(clone) == model
    # A figure of the replicates: its function, and its rule's input and output.
    figures = clone / "src/study/figures/replicate_figures.py"
    edit(
        figures,
        "FIGURES: dict[str, Callable[..., Figure]] = {\n",
        "def figure_ties(ties: pd.DataFrame, words: Words) -> Figure:\n"
        "    figure, axes = plt.subplots()\n"
        '    axes.hist(ties["cost"])\n'
        "    return figure\n\n\n"
        'FIGURES: dict[str, Callable[..., Figure]] = {\n    "ties": figure_ties,\n',
    )
    rules = clone / "workflow/rules/experiment.smk"
    edit(
        rules,
        '        cost_profile_tables=["results/tables/cost_profile.csv"],\n',
        '        cost_profile_tables=["results/tables/cost_profile.csv"],\n'
        '        ties_tables=["results/tables/cost_ties.csv"],\n',
    )
    edit(
        rules,
        "        cost_profile=figure(",
        '        ties=figure("results/figures/ties", "family", "Ties"),\n'
        "        cost_profile=figure(",
    )
    figure = {"src/study/figures/replicate_figures.py", "workflow/rules/experiment.smk"}
    assert changed(clone) == model | figure
    # A data set: a config.
    config = {
        "data": {
            "source": "scikit-learn",
            "name": "breast_cancer",
            "target": "target",
            "positive": "malignant",
        },
        "models": {"linear": {}, "nearest": {"neighbours": 9}},
        "compare": ["linear", "nearest"],
        "replicates": {"count": 8, "per_job": 8},
    }
    (clone / "own.yaml").write_text(yaml.safe_dump(config))
    done = snakemake(clone, "--until", "plot_replicates", config=clone / "own.yaml", start=clone)
    assert done.returncode == 0, done.stdout
    table = pd.read_csv(clone / "results/tables/cost_profile.csv")
    assert set(table["model"]) == {"linear", "nearest"}
    assert (clone / "results/figures/ties.svg").stat().st_size > 1000


def test_a_source(clone, snakemake):
    (clone / "src/study/companions/galton.py").write_text(
        "import matplotlib.pyplot as plt\n"
        "from study.companions.checks import Check, Source\n\n\n"
        "def study(*, seed):\n"
        "    checks = [Check('printed', 'Twice the seed', 14, 2 * seed)]\n"
        "    tables = {'checks': Source('galton').check_table({}, checks)}\n"
        "    return tables, {'nothing': plt.figure()}\n"
    )
    edit(
        clone / "src/study/sources.yaml",
        "kaymak:\n",
        "galton:\n  label: Galton 1892\n  module: galton\n  inputs: []\n  settings: [seed]\n"
        "  shown:\n    - [figure, nothing, Nothing]\nkaymak:\n",
    )
    assert changed(clone) == {"src/study/companions/galton.py", "src/study/sources.yaml"}
    done = snakemake(clone, "--until", "companion_galton", start=clone)
    assert done.returncode == 0, done.stdout
    made = clone / "results/companions/galton"
    assert bool(pd.read_csv(made / "checks.csv")["holds"].item())
    assert {path.name for path in made.iterdir()} >= {"nothing.svg", "nothing.pdf"}


def test_a_claim(clone):
    paper = clone / "src/study/paper"
    edit(
        paper / "claims.yaml",
        "claims:\n",
        "claims:\n"
        "- {key: symmetric, paper: baker, section: 1, quote: kappa is symmetric, kind: equation,\n"
        "   claim: Kappa is the same if predictions and labels change places.,\n"
        "   file: forensics/cases, row: {key: symmetric}}\n",
    )
    edit(
        paper / "cases.py",
        "CASES: dict[str, Callable[[], Case]] = {\n",
        "def symmetric() -> Case:\n"
        "    one, other = (statistics(*cells)['kappa'] for cells in ((4, 3, 2, 1), (4, 2, 3, 1)))\n"
        "    return Case(abs(one - other), 1, True)\n\n\n"
        'CASES: dict[str, Callable[[], Case]] = {\n    "symmetric": symmetric,\n',
    )
    assert changed(clone) == {"src/study/paper/claims.yaml", "src/study/paper/cases.py"}
    judging = (
        "from study.paper.cases import cases_table\n"
        "from study.companions.kaymak2010_experiment import PAPER\n"
        "from study.paper.claims import judged_claims\n"
        "claims = judged_claims({'forensics/cases': cases_table()}, PAPER).set_index('key')\n"
        "print(claims.loc['symmetric', 'verdict'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", judging],
        env={"PYTHONPATH": str(clone / "src"), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "holds", done.stderr
