"""Tables of the default run, and of other data by hand, and the documents made of them."""

import json
import sys
from functools import cache
from io import BytesIO
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from documents import document_run
from study.settings import read_config
from study.text.documents import write_companions

ROOT = Path(__file__).parents[3]
STUDY = ROOT / "studies/many-data-sets"
EXPECTED = ROOT / "tests/expected"
STUDY_TABLES = ("results", "earlier_rounds")
FIGURES = ["printed", "reversing_split", "reversal_by_skew", "prevalences", "measures_by_skew"]
FIGURES += [f"figure{number}_{side}" for number in (2, 3) for side in ("majority", "minority")]


def make_table(columns, *rows):
    return pd.DataFrame(rows, columns=columns.split())


def failed_fits(*rows):
    return make_table("scenario model splits failed reason", *rows)


def leads(p_value=0.4, note=None):
    """Of two models and of using none; the last column is a factor of the p value."""
    forest, nobody = "for|est_*1*", "(nobody)"
    rows = []
    for measure, mean in (("auc", 0.78), ("auk", 0.21), ("h", 0.25)):
        rows.append((measure, "linear", mean, 0.6))
        rows.append((measure, forest, mean - 0.02, 0.4, 0.02, -0.01, 0.05, 1))
    rows += [
        ("expected_loss", forest, 212.4, 0.7),
        ("expected_loss", "linear", 243.0, 0.3, -30.6, -50.2, -12.1, 0.1),
        ("expected_loss", nobody, 300, 0, -87.6, -120, -40, 0.01),
        ("recall", forest, 0.7, 0.7),
        ("recall at flagged<=0.1", "linear", 0.31, 0.6),
        ("recall at flagged<=0.1", forest, 0.28, 0.4, 0.03, -0.01, 0.07, 1),
        ("flagged at flagged<=0.1", "linear", 0.12, 0.6),
        ("brier", forest, 0.08, 0.6),
        ("brier", "(share alone)", 0.1, 0.6, -0.02, -0.03, -0.01, 0.0025),
        ("observed_over_expected", forest, 1.25),
        ("calibration_slope", forest, 0.814),
    ]
    columns = "measure model mean share difference lower upper p_value"
    table = make_table(columns, *(row + (None,) * (8 - len(row)) for row in rows))
    table["p_value"] *= np.nan if p_value is None else p_value
    return table.assign(positive_class="minority", splits=200, note=note)


PAPER = {
    path.relative_to(EXPECTED).with_suffix("").as_posix(): pd.read_csv(
        path, dtype={"printed": str} if path.stem == "printed" else None
    )
    for path in EXPECTED.rglob("*.csv")
}
PAPER |= {f"study/{name}": pd.read_csv(STUDY / f"{name}.csv") for name in STUDY_TABLES}
PAPER["tables/failed_fits"] = failed_fits()


def change(name, column, level, **values):
    """A table of the default run with other values in the rows of this level."""
    table = PAPER[name].copy()
    table.loc[table[column] == level, list(values)] = list(values.values())
    return table


OWN = {
    "tables/leads": leads(),
    "tables/failed_fits": failed_fits(),
}


@cache
def draw_figure(width):
    """The bytes of a figure in both formats."""
    figure, axes = plt.subplots(figsize=(width, 2))
    axes.set_xlabel("share", fontsize=8)
    formats = {".svg": BytesIO(), ".pdf": BytesIO()}
    with plt.rc_context({"svg.hashsalt": "1", "svg.fonttype": "none"}):
        for suffix, file in formats.items():
            figure.savefig(file, format=suffix[1:])
    plt.close(figure)
    return {suffix: file.getvalue() for suffix, file in formats.items()}


def write_run(
    folder, tables, *, paper, names=("bad", "good"), experiment=(), figures=(), drawn=(), **document
):
    """Write tables and figures as a run does, and then the documents; returns results/."""
    results = folder / "results"
    for name, table in tables.items():
        path = results / f"{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        table.to_csv(path, index=False)
    (results / "figures").mkdir()
    for name in [*FIGURES, *figures]:
        files = draw_figure((468 if name == "measures_by_skew" else 229) / 72.27)
        for suffix, content in files.items():
            (results / f"figures/{name}{suffix}").write_bytes(content)
    sample = results / "sample.csv"
    pd.DataFrame({"minority": [1] * 86 + [0] * 700}).to_csv(sample)
    split = results / "measures.csv"
    columns = "model positive_class n_positive n_negative prevalence"
    make_table(columns, ("linear", "minority", 26, 260, 26 / 286)).to_csv(split)
    provenance = {"rows": 1000, "place": "my_data*.csv", "class_counts": {"a": 700, "b": 300}}
    provenance |= {"sha256_of_canonical_table": "ab" * 32, "classes": {}}
    (results / "provenance.json").write_text(json.dumps(provenance))
    (results / "tables/comparison.txt").write_text("AUC  0.78  0.76\n")
    (results / "explorer.html").write_text("<p>explorer</p>")
    if printed := sorted(results.glob("companions/*/printed.csv")):
        write_companions(printed, results / "companions/index.html")
    config = read_config({})
    config["document"] |= document
    config["experiment"] |= dict(experiment)
    config["figures"]["models"] = list(drawn or config["figures"]["models"])
    if not paper:
        config["experiment"] |= {"cost_ratio": 10, "at": ["flagged<=0.1"]}
        config["experiment"]["split"] = {"by": "group", "column": "no_of*loan"}
    shared = {
        "tables": sorted(results.glob("tables/*.csv")),
        "sample": sample,
        "split": split,
        "provenance": results / "provenance.json",
        "config": config,
        "names": dict(zip(("minority", "majority"), names, strict=True)),
        "made": [path for path in results.rglob("*") if path.is_file()],
        "index": results / "index.html",
        "verdict": results / "verdict.md",
        "appendix": results / "appendix/appendix.pdf",
    }
    study = [results / f"study/{name}.csv" for name in STUDY_TABLES]
    document_run(
        comparison=results / "tables/comparison.txt", study=study if paper else [], **shared
    )
    return results


@pytest.fixture(scope="package")
def paper_results(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("paper"), PAPER, paper=True)


@pytest.fixture(scope="package")
def own_results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    options = {"names": ("de_fault*", "paid|back"), "title": "Which *loans* | default?"}
    return write_run(folder, OWN, paper=False, author="A. & B.", **options)


@pytest.fixture(scope="session")
def made():
    """The functions above, for tests that change a table."""
    return sys.modules[__name__]
