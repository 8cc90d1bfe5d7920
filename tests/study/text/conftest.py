"""Tables of a run, small and made by hand, and the documents that are written from them."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import pytest
import yaml

from documents import write_documents

ROOT = Path(__file__).parents[3]
GOOD = {"linear": (0.796, 0.216, 0.131), "neural_net": (0.736, 0.157, 0.080)}
BAD = {"linear": (0.796, 0.146, 0.131), "neural_net": (0.736, 0.115, 0.080)}
PRINTED = {4: ((0.7493, 0.1672), (0.7186, 0.1753)), 5: ((0.7227, 0.1404), (0.6781, 0.1449))}
FIGURES = ["published", "reversing_split", "reversal_by_skew", "prevalences", "measures_by_skew"]
FIGURES += [f"figure{number}_{side}" for number in (2, 3) for side in ("majority", "minority")]


def areas(number):
    rows = []
    for side, means in (("majority", GOOD), ("minority", BAD)):
        for (model, values), printed in zip(means.items(), PRINTED[number], strict=True):
            for measure, mean, star in zip(
                ("auc", "auk", "h"), values, (*printed, None), strict=True
            ):
                rows.append((side, model, measure, star, mean - 0.03 * (number == 5)))
    table = pd.DataFrame(rows, columns=["positive_class", "model", "measure", "published", "mean"])
    return table.assign(low=(table["mean"] - 0.09).clip(lower=0.001), high=table["mean"] + 0.04)


def reversals():
    rows = []
    for scenario, replicates in (("paper", 1000), ("original", 500)):
        for curve in ("raw", "hull", "both"):
            for side in ("majority", "minority"):
                for pattern, count in (("any", 42), ("published", 9), ("as_large", 0)):
                    kind = (scenario, "auc-auk", curve, side, pattern)
                    rows.append((*kind, replicates, count, count / replicates, 0.001, 0.06))
    names = ["scenario", "pair", "curve", "positive_class", "pattern", "replicates", "reversals"]
    return pd.DataFrame(rows, columns=[*names, "share", "low", "high"])


def sensitivity():
    """The experiment, a network whose numbers depend on the CPU, and what the data can't give."""
    rows = [
        ("paper", "", 1000, "linear", "neural_net", 0.73, 0.21, 0.7, 0.15, 9, 0.009, 3.32, 202),
        ("matlab", "m: n", 200, "linear", "neural_net_lm", 0.73, 0.21, 0.7, 0.1, 0, 0.0, 3.6, 25),
        ("none", "s: 9", 0, *[None] * 10),
    ]
    names = ["scenario", "change", "replicates", "model_a", "model_b", "auc_a", "auk_a", "auc_b"]
    names += ["auk_b", "reversals", "share", "distance", "splits_farther"]
    table = pd.DataFrame(rows, columns=names)
    reason = ["", "", "too few rows"]
    return table.assign(low=0.001 * table["share"], high=2 * table["share"], reason=reason)


def claims():
    rows = [
        (1, "The conclusion", "better_measure", 9, "AUK is a better measure.", "open", ""),
        (5, "The example", "reversal", 8, "AUC and AUK disagree.", "rare", ""),
        (9, "The example", "operating_point", 8, "Kappa is 0.328.", "only if", "89 % are positive"),
        (11, "The example", "samples_768", 8, "768 rows are left.", "fails", ""),
        (13, "The measure", "skew_aware", 9, "AUK reacts to class shares.", "holds", ""),
        (14, "The measure", "function_of_auc", 6, "AUK is a function of AUC.", "partly", ""),
    ]
    names = ["number", "group", "key", "section", "claim", "verdict", "condition"]
    table = pd.DataFrame(rows, columns=names)
    quote = "as <the> paper *has* it"
    return table.assign(quote=quote, evidence="0.9 %, of 786 & more", source="tables/table4.csv")


def explanations(text=False, good=True, swapped=True):
    names = ["explanation", "table_4_possible", "table_5_possible", "operating_point_possible"]
    rows = [
        ("as the text says", text, text, text),
        ("good is the positive class", good, good, good),
        ("p and 1 - p interchanged", swapped, swapped, swapped),
    ]
    return pd.DataFrame(rows, columns=names).assign(distance=9.49, typical=3.0, splits_farther=202)


def study(key, estimate, low, high, data_sets):
    row = {"key": key, "estimate": estimate, "low": low, "high": high}
    return pd.DataFrame([row | {"data_sets": data_sets}])


def leads(p_value=0.4, note=None):
    rows = []
    for measure, mean in (("auc", 0.78), ("auk", 0.21), ("h", 0.25)):
        rows.append(("minority", measure, "linear", 200, mean, 0.6, 0.53, 0.67, *[None] * 4))
        rest = (0.4, 0.33, 0.47, 0.02, -0.01, 0.05, p_value)
        rows.append(("minority", measure, "for|est_*1*", 200, mean - 0.02, *rest))
    names = ["positive_class", "measure", "model", "splits", "mean", "share", "low", "high"]
    table = pd.DataFrame(rows, columns=[*names, "difference", "lower", "upper", "p_value"])
    return table.assign(note=note)


def intervals():
    rows = [("linear", "expected_loss", 71.0, None), ("for|est_*1*", "expected_loss", 64.4, None)]
    rows += [
        ("linear", "recall", 0.31, "flagged<=0.1"),
        ("for|est_*1*", "recall", 0.28, "flagged<=0.1"),
    ]
    return pd.DataFrame(rows, columns=["model", "measure", "value", "at"])


def paired_tests(p_value=0.2, note=None):
    rows = [("expected_loss", None), ("recall", "flagged<=0.1")]
    table = pd.DataFrame(rows, columns=["measure", "at"])
    names = {"model_a": "linear", "model_b": "for|est_*1*", "p_value": p_value, "p_adjusted": None}
    return table.assign(**names, note=note)


PAPER = {
    "tables/table4": areas(4),
    "tables/table5": areas(5),
    "tables/rank_reversal": reversals(),
    "tables/claims": claims(),
    "tables/explanations": explanations(),
    "tables/sensitivity": sensitivity(),
    "tables/prevalences": pd.DataFrame(
        [
            ("Section 8", "neural_net", "kappa", 0.328, 0.106, 0.106, low, high)
            for low, high in ((0.483, 0.518), (0.886, 0.899))
        ],
        columns=["place", "model", "rule", "value", "lower", "upper", "low", "high"],
    ),
    "companions/hand2009/printed": pd.DataFrame(
        {
            "source": "Hand 2009",
            "place": ["Table 1 (a)"] * 2,
            "quantity": ["H", "AUC"],
            "printed": ["0.348", "0.75"],
        }
        | {"computed": [0.348148, 0.7], "agrees": ["yes", "no"], "note": ["", "a slip"]}
    ),
    "study/results": study("choice_25_at_5", 2.2279, 0.3679, 3.952, 43),
    "study/earlier_rounds": study("choice_25_at_5_new", -0.3, -2.8, 1.8, 13),
}
OWN = {
    "tables/leads": leads(),
    "tables/intervals": intervals(),
    "tables/tests": paired_tests(),
}


def draw(path, width):
    figure, axes = plt.subplots(figsize=(width, 2))
    axes.set_xlabel("share", fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    with plt.rc_context({"svg.hashsalt": "1", "svg.fonttype": "none"}):
        figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
        figure.savefig(path.with_suffix(".pdf"), metadata={"CreationDate": None})
    plt.close(figure)


def write_run(folder, tables, *, paper, figures=FIGURES, names=("bad", "good"), **document):
    """Write tables and figures as a run does, and then the documents; returns results/."""
    results = folder / "results"
    for name, table in tables.items():
        path = results / f"{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        table.to_csv(path, index=False)
    for name in figures:
        draw(results / f"figures/{name}", 6.9 if name == "measures_by_skew" else 240 / 72.27)
    (results / "split").mkdir()
    sample = pd.DataFrame({"row": range(786), "minority": [1] * 86 + [0] * 700})
    sample.to_csv(results / "split/sample.csv", index=False)
    provenance = {"rows": 1000, "place": "my_data*.csv", "class_counts": {"a": 700, "b": 300}}
    provenance |= {"sha256_of_canonical_table": "ab" * 32, "classes": {}}
    (results / "provenance.json").write_text(json.dumps(provenance))
    (results / "tables/comparison.txt").write_text("AUC  0.78  0.76\n")
    (results / "explorer.html").write_text("<p>explorer</p>")
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    config["document"] |= document
    if not paper:
        config["experiment"] |= {"cost_ratio": 10, "at": ["flagged<=0.1"]}
    (results / "appendix").mkdir()
    write_documents(
        sample=results / "split/sample.csv",
        provenance=results / "provenance.json",
        tables=sorted(results.glob("tables/*.csv")),
        printed=sorted(results.glob("companions/*/printed.csv")),
        comparison=results / "tables/comparison.txt",
        figures=sorted(results.glob("figures/*")),
        study=[results / f"study/{name}.csv" for name in ("results", "earlier_rounds")],
        defaults=ROOT / "config/config.yaml",
        explorer=results / "explorer.html",
        index=results / "index.html",
        verdict=results / "verdict.md",
        appendix=results / "appendix/appendix.pdf",
        config=config,
        names=dict(zip(("minority", "majority"), names, strict=True)),
        is_german_credit=paper,
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
def tables_by_hand():
    """The functions above, for tests that change a table."""
    return sys.modules[__name__]


@pytest.fixture(scope="session")
def latex():
    """Compiles a document; the widest overfull line in points is returned."""

    def compiled(source, program="pdflatex"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed (Debian: texlive-latex-recommended)")
        call = [program, "-interaction=nonstopmode", "-halt-on-error", source.name]
        for command in (call, ["bibtex", source.stem], call, call):
            options = {"cwd": source.parent, "capture_output": True, "timeout": 120}
            done = subprocess.run(command, check=False, **options)
            assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
        log = source.with_suffix(".log").read_text(errors="replace")
        for complaint in ("undefined references", "undefined citations", "multiply defined"):
            assert complaint not in log
        assert "Missing character" not in log
        return max(map(float, re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)), default=0.0)

    return compiled
