"""The kept tables of the related papers, and the errata, follow from kept scores and tables."""

import io
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
import yaml

from study.companions import baker, ben_david2008, hand2009, kaymak2010, silipo_widmann as silipo
from study.companions.errata import all_errata
from study.companions.kaymak2010_experiment import PAPER, counts_table, prevalence_table
from study.data.german_credit import BUNDLED_FILE, encode, read_german_data
from study.sources import SOURCES
from study.text.tables import to_csv

ROOT = Path(__file__).parents[3]
CONFIG = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
SETTINGS = CONFIG["companions"]
WORKFLOW = {"seed": CONFIG["seed"], **SETTINGS["silipo"]}
WORKFLOW = silipo.Workflow(**{name: WORKFLOW[name] for name in silipo.Workflow._fields})

CLOSE = {"rtol": 0, "atol": 2e-6, "check_dtype": False}


@cache
def kept(path):
    return pd.read_csv(ROOT / "tests/reference" / path)


def scores(cohort="original"):
    return kept(f"{cohort}/scores.csv.gz")


@cache
def study(name):
    """Tables and figures of a paper; what it says of replicates is of one, and not compared."""
    original, paper, models = scores(), scores("paper"), ["linear", "neural_net"]
    one = original.assign(replicate=0)
    if name == "baker":
        own = {key: SETTINGS["baker"][key] for key in ("threshold", "group", "prevalences")}
        return baker.study(original, paper, kept("data/table.csv.gz"), models=models, **own)
    if name == "hand":
        return hand2009.study(original, models=models)
    if name == "ben_david":
        return ben_david2008.study(original, one)
    summary, experiment = kept("replicates/summary.csv"), {"models": models, "experiment": PAPER}
    return kaymak2010.study(original, paper, one, summary, **experiment)


def trees():
    """With all digits of the rates, which the file has not."""
    table = kept("companions/silipo/replicates.csv")
    rates = {
        "fpr": table["fp"] / (table["fp"] + table["tn"]),
        "recall": table["tp"] / (table["tp"] + table["fn"]),
    }
    return table.assign(**rates, encoding="strathclyde", scaling="none", min_rows_per_leaf=2)


def kappa_by_prevalence():
    printed = pd.DataFrame(silipo.MATRICES.values()).assign(model=list(silipo.MATRICES))
    sources = {"printed": printed, **dict(iter(trees().groupby("draw", sort=False)))}
    return pd.concat(
        silipo.kappa_by_prevalence(table, WORKFLOW).assign(source=source)
        for source, table in sources.items()
    )


def leaks():
    return silipo.leak_table(trees(), WORKFLOW)


EVIDENCE = {
    "replicate_summary": "replicates/summary",
    "rank_reversal": "tables/rank_reversal",
    "auk_given_auc": "replicates/auk_given_auc",
    "silipo_grid": "companions/silipo/grid",
}
TABLES = {
    **{
        f"{name}/{table}": lambda name=name, table=table: study(name)[0][table]
        for name, tables in {
            "baker": ("matrix", "measures", "auc_tests", "sees_and_misses", "checks"),
            "ben_david": ("examples", "figure_points"),
            "hand": ("table1", "implied_weights", "special_costs", "h_by_weight", "checks"),
            "kaymak": ("tables1_to_3", "gini"),
        }.items()
        for table in tables
    },
    "silipo/printed": silipo.SOURCE.matrices_table,
    "silipo/summary": lambda: silipo.summary(trees()),
    "silipo/leak": leaks,
    "silipo/change": lambda: silipo.change_table(trees()),
    "silipo/kappa_by_prevalence": kappa_by_prevalence,
    "silipo/checks": lambda: silipo.checks(leaks(), 75, kept("companions/silipo/grid.csv")),
}
TABLES = {f"companions/{name}": made for name, made in TABLES.items()} | {
    "forensics/prevalence": prevalence_table,
    "forensics/counts": lambda: counts_table((150, 320), (0.09, 0.13), (268, 286)),
    "forensics/errata": lambda: all_errata({n: kept(f"{at}.csv") for n, at in EVIDENCE.items()}),
}


def test_the_first_kept_trees_grow_again():
    data = read_german_data(BUNDLED_FILE)
    encodings = {name: encode(data, name) for name in ("strathclyde", "onehot")}
    found = silipo.grow_trees(encodings, WORKFLOW._replace(n_replicates=2))
    sizes = found.groupby(["encoding", "scaling", "min_rows_per_leaf"]).size()
    assert sizes.tolist() == [2 * 2 * 2] * 8
    own = found.query("encoding == 'strathclyde' and scaling == 'none' and min_rows_per_leaf == 2")
    expected = kept("companions/silipo/replicates.csv")
    expected = expected[expected["replicate"] < 2].reset_index(drop=True)
    found = again(own[[*expected]])
    pd.testing.assert_frame_equal(found, expected, **CLOSE)


def again(table):
    return pd.read_csv(io.StringIO(to_csv(table)))


@pytest.mark.parametrize("name", TABLES)
def test_a_kept_table_follows_from_what_it_is_made_of(name):
    found, expected = again(TABLES[name]()), kept(f"{name}.csv")
    pd.testing.assert_frame_equal(found, expected, **CLOSE)


@pytest.mark.parametrize(("name", "of_replicates"), [("ben_david", "3"), ("kaymak", "7")])
def test_kept_checks_follow_from_the_scores(name, of_replicates):
    found, expected = again(study(name)[0]["checks"]), kept(f"companions/{name}/checks.csv")
    expected = expected[expected["check"].isin(found["check"])].reset_index(drop=True)
    compared = found["n"].isna() & ~found["check"].str.startswith(f"Section {of_replicates}")
    assert compared.sum() > 30
    pd.testing.assert_frame_equal(found[compared], expected[compared], **CLOSE)


@pytest.mark.parametrize("name", ["baker", "ben_david", "hand", "kaymak"])
def test_every_figure_of_a_paper_is_there(name):
    shown = [part for kind, part, *_ in SOURCES[name].shown if kind == "figure"]
    names = {part.format(model=model) for part in shown for model in ("linear", "neural_net")}
    assert {*study(name)[1]} == names


def test_the_kept_grid_has_the_setting_of_the_kept_trees():
    found = again(silipo.grid_table(trees()))
    expected = kept("companions/silipo/grid.csv").merge(found[silipo.SETTING])
    pd.testing.assert_frame_equal(found, expected, **CLOSE)
