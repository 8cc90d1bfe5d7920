"""Tables of a run, small and made by hand, and the documents that are written from them."""

import json
import sys
from functools import cache
from io import BytesIO
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from documents import document_run
from study.paper.counts import counts_table
from study.settings import read_config
from study.text.documents import write_companions

ROOT = Path(__file__).parents[3]
STUDY = ROOT / "studies/many-data-sets"
# Mean AUC, AUK and H of the linear model and the network, and what Tables 4 and 5 print.
MEANS = {
    "majority": [(0.796, 0.216, 0.131), (0.736, 0.157, 0.080)],
    "minority": [(0.796, 0.146, 0.131), (0.736, 0.115, 0.080)],
}
PRINTED = {
    4: [(0.7493, 0.1672, None), (0.7186, 0.1753, None)],
    5: [(0.7227, 0.1404, None), (0.6781, 0.1449, None)],
}
FIGURES = ["printed", "reversing_split", "reversal_by_skew", "prevalences", "measures_by_skew"]
FIGURES += [f"figure{number}_{side}" for number in (2, 3) for side in ("majority", "minority")]


def make_table(columns, *rows):
    return pd.DataFrame(rows, columns=columns.split())


def areas(number):
    rows = [
        (side, model, measure, printed, mean - 0.03 * (number == 5))
        for side, means in MEANS.items()
        for model, *values in zip(("linear", "neural_net"), means, PRINTED[number], strict=True)
        for measure, mean, printed in zip(("auc", "auk", "h"), *values, strict=True)
    ]
    table = make_table("positive_class model measure printed mean", *rows)
    return table.assign(low=(table["mean"] - 0.09).clip(lower=0.001), high=table["mean"] + 0.04)


def reversals(printed=9, as_large=0):
    rows = [
        (curve, pattern, count, count / 1000)
        for curve in ("raw", "both")
        for pattern, count in (("any", 42), ("printed", printed), ("as_large", as_large))
    ]
    return make_table("curve pattern reversals share", *rows).assign(
        scenario="paper",
        pair="auc-auk",
        positive_class="majority",
        replicates=1000,
        low=0.001,
        high=0.06,
    )


def sensitivity():
    """The experiment, a network whose numbers depend on the CPU, and what the data can't give."""
    names = "scenario change replicates model_a model_b auc_a auk_a auc_b auk_b share distance"
    table = make_table(
        f"{names} splits_farther reason",
        ("paper", "", 1000, "linear", "neural_net", 0.73, 0.21, 0.7, 0.15, 0.009, 3.32, 202, ""),
        ("matlab", "m: n", 200, "linear", "neural_net_lm", 0.73, 0.21, 0.7, 0.1, 0, 3.6, 25, ""),
        ("none", "s: 9", 0, *[None] * 9, "too few rows"),
    )
    return table.assign(low=0.001 * table["share"], high=2 * table["share"])


def gaps():
    return make_table(
        "curve positive_class gap_from gap_to replicates reversals largest_gap",
        ("raw", "majority", 0, 0.02, 122, 35, 0.0186),
        ("raw", "majority", 0.02, 0.06, 305, 7, 0.0393),
        ("raw", "majority", 0.06, 1, 573, 0, None),
        ("hull", "majority", 0, 0.02, 999, 99, 0.01),
    )


def cases(linear=(0.875, 0.853, 0.894), network=(0.106, 0.088, 0.127), splits=1000):
    """Shares of splits in which each model costs less, with their intervals, and losses."""
    rows = [("cheaper_linear", *linear, splits), ("cheaper_neural_net", *network, splits)]
    losses = {"linear": 370.2, "neural_net": 427.9, "without_model": 547.8}
    rows += [(f"loss_{key}", loss, None, None, splits) for key, loss in losses.items()]
    return make_table("key value low high cases", *rows)


def swept_reversals():
    table = make_table("skew share", (0.02, 0.153), (0.05, 0.108), (0.11, 0.042), (0.3, 0.001))
    return table.assign(pair="auc-auk", curve="raw", positive_class="majority", pattern="any")


def claims(better_measure="open", reversal="rare"):
    table = make_table(
        "number group key section claim verdict condition",
        (1, "The conclusion", "better_measure", 9, "AUK is a better measure.", better_measure, ""),
        (2, "The conclusion", "prefers_minority", 9, "“as <it> *says*”", "partly", ""),
        (5, "The example", "reversal", 8, "AUC and AUK disagree.", reversal, ""),
        (9, "The example", "operating_point", 8, "Kappa is 0.328.", "only if", "89 % are positive"),
        (11, "The example", "samples_768", 8, "768 rows are left.", "fails", ""),
        (13, "The measure", "skew_aware", 9, "AUK reacts to class shares.", "holds", ""),
    )
    return table.assign(evidence="-0.9 %, of 786 & more", source="tables/table4.csv")


def explanations(text=False, good=True, numbers=True):
    """Whether the text, and good positive, allow all numbers, or but for kappa and difference."""
    columns = "explanation table_4_possible table_5_possible rates_possible kappa_possible"
    table = make_table(
        f"{columns} difference_possible",
        ("as the text says", text, text, text, text, text),
        ("good is the positive class", good, good, good, False, numbers),
        ("p and 1 - p interchanged", True, True, False, False, False),
    )
    return table.assign(distance=9.49, typical=3.0, splits_farther=202)


def failed_fits(*rows):
    return make_table("scenario model splits failed reason", *rows)


def leads(p_value=0.4, note=None):
    rows = []
    for measure, mean in (("auc", 0.78), ("auk", 0.21), ("h", 0.25)):
        rows.append((measure, "linear", mean, 0.6, *[None] * 4))
        rows.append((measure, "for|est_*1*", mean - 0.02, 0.4, 0.02, -0.01, 0.05, p_value))
    forest, nobody = "for|est_*1*", "(nobody)"
    rows += [
        ("expected_loss", forest, 212.4, 0.7, *[None] * 4),
        (
            "expected_loss",
            "linear",
            243.0,
            0.3,
            -30.6,
            -50.2,
            -12.1,
            p_value / 10 if p_value else None,
        ),
        ("expected_loss", nobody, 300, 0, -87.6, -120, -40, p_value / 100 if p_value else None),
        ("recall", forest, 0.7, 0.7, *[None] * 4),
        ("recall at flagged<=0.1", "linear", 0.31, 0.6, *[None] * 4),
        ("recall at flagged<=0.1", forest, 0.28, 0.4, 0.03, -0.01, 0.07, p_value),
        ("flagged at flagged<=0.1", "linear", 0.12, 0.6, *[None] * 4),
        ("brier", forest, 0.08, 0.6, *[None] * 4),
        ("brier", "(share alone)", 0.1, 0.6, -0.02, -0.03, -0.01, 0.001),
        ("observed_over_expected", forest, 1.25, *[None] * 5),
        ("calibration_slope", forest, 0.814, *[None] * 5),
    ]
    table = make_table("measure model mean share difference lower upper p_value", *rows)
    return table.assign(positive_class="minority", splits=200, note=note)


PAPER = {
    "tables/table4": areas(4),
    "tables/table5": areas(5),
    "tables/rank_reversal": reversals(),
    "tables/reversal_by_gap": gaps(),
    "tables/cases": cases(),
    "tables/sweep_reversal": swept_reversals(),
    "tables/counts": counts_table(),
    "tables/failed_fits": failed_fits(),
    "tables/claims": claims(),
    "tables/explanations": explanations(),
    "tables/sensitivity": sensitivity(),
    "tables/prevalences": make_table(
        "place model rule value lower upper low high",
        ("Section 8", "neural_net", "kappa", 0.328, 0.106, 0.106, 0.483, 0.518),
        ("Section 8", "neural_net", "kappa", 0.328, 0.106, 0.106, 0.886, 0.899),
    ),
    "companions/hand2009/printed": make_table(
        "source place quantity printed computed agrees note",
        ("Hand 2009", "Table 1 (a)", "H", "0.348", 0.348148, "yes", ""),
        ("Hand 2009", "Table 1 (a)", "AUC", "0.75", 0.7, "no", "a slip"),
    ),
    "study/results": pd.read_csv(STUDY / "results.csv"),
    "study/earlier_rounds": pd.read_csv(STUDY / "earlier_rounds.csv"),
}
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


def write_run(folder, tables, *, paper, names=("bad", "good"), experiment=(), **document):
    """Write tables and figures as a run does, and then the documents; returns results/."""
    results = folder / "results"
    for name, table in tables.items():
        path = results / f"{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        table.to_csv(path, index=False)
    (results / "figures").mkdir()
    for name in FIGURES:
        drawn = draw_figure((468 if name == "measures_by_skew" else 229) / 72.27)
        for suffix, content in drawn.items():
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
    study = [results / f"study/{name}.csv" for name in ("results", "earlier_rounds")]
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
