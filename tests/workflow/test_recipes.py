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
SIZES = """\
def figure_sizes(sizes: pd.DataFrame, words: Words) -> Figure:
    figure, axes = plt.subplots()
    axes.hist(sizes["test"])
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
    # A figure of the sweep: its function, and its rule's input and output.
    figures = clone / "src/study/figures/replicates.py"
    put(figures, "FIGURES: dict", SIZES)
    put(figures, '    "reversal_by_skew":', '    "sizes": figure_sizes,\n')
    rules = clone / "workflow/rules/sweep.smk"
    put(rules, "        sweep_tables=", '        sizes_tables="results/sweep/sizes.csv",\n')
    drawn = '        sizes=figure("results/figures/sizes", "sweep", "Sizes", caption="sweep"),\n'
    put(rules, "        sweep=figure(", drawn)
    figure = {"src/study/figures/replicates.py", "workflow/rules/sweep.smk"}
    assert changed(clone) == model | figure
    # A data set: a config.
    data = {"source": "scikit-learn", "name": "breast_cancer"}
    config = {
        "data": data | {"target": "target", "positive": "malignant"},
        "models": {"linear": {}, "nearest": {"neighbours": 9}},
        "compare": ["linear", "nearest"],
        "sweep": {"count": 8, "per_job": 8, "skew": [0.1]},
    }
    (clone / "own.yaml").write_text(yaml.safe_dump(config))
    snakemake(clone, "--until", "plot_sweep", config=clone / "own.yaml", start=clone)
    table = pd.read_csv(clone / "results/sweep/summary.csv")
    assert set(table["model"]) == {"linear", "nearest"}
    assert (clone / "results/figures/sizes.svg").stat().st_size > 1000
