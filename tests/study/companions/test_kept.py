"""The kept tables of the related papers, and the errata, follow from kept scores and tables."""

import io
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
import yaml

from study.companions import baker, ben_david2008, hand2009, kaymak2010, silipo_widmann as silipo
from study.companions.curves import curves_of
from study.companions.errata import all_errata
from study.companions.kaymak2010_experiment import counts_table, prevalence_table
from study.data.german_credit import BUNDLED_FILE, encode, read_german_data
from study.text.tables import to_csv

ROOT = Path(__file__).parents[3]
CONFIG = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
SETTINGS = CONFIG["companions"]
WORKFLOW = {"seed": CONFIG["seed"], **SETTINGS["silipo"]}
WORKFLOW = silipo.Workflow(**{name: WORKFLOW[name] for name in silipo.Workflow._fields})


@cache
def kept(path):
    return pd.read_csv(ROOT / "tests/reference" / path)


def of_both():
    return baker.models_table({one: scores(one) for one in ("original", "paper")}, "kappa_max")


def scores(cohort="original"):
    return kept(f"{cohort}/scores.csv.gz")


def gini():
    return kaymak2010.gini_table({one: scores(one) for one in ("original", "paper")})


def auc_tests():
    telephone = kept("data/table.csv.gz").set_index("row")["telephone"]
    return baker.auc_tests(scores(), ["linear", "neural_net"], telephone)


def sees_and_misses():
    (curve,) = curves_of(scores()[scores()["model"] == "linear"])
    return baker.sees_and_misses(curve, SETTINGS["baker"]["prevalences"], "kappa_max")


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
    "baker/matrix": baker.SOURCE.matrices_table,
    "baker/measures": of_both,
    "baker/auc_tests": auc_tests,
    "baker/sees_and_misses": sees_and_misses,
    "baker/checks": lambda: baker.checks(of_both()),
    "ben_david/examples": ben_david2008.SOURCE.matrices_table,
    "ben_david/figure_points": ben_david2008.figure_points,
    "hand/implied_weights": hand2009.implied_weights_table,
    "hand/special_costs": lambda: hand2009.special_costs_table(scores()),
    "hand/h_by_weight": lambda: hand2009.h_by_weight(scores()),
    "hand/checks": lambda: hand2009.checks(scores(), pd.read_csv(hand2009.KEPT_EXAMPLE_3)),
    "kaymak/tables1_to_3": kaymak2010.SOURCE.matrices_table,
    "kaymak/gini": gini,
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
# The others need the curves of the replicates.
SOME = {
    "ben_david": lambda: ben_david2008.checks(
        [ben_david2008.area_in_his_plane(curve) for curve in curves_of(scores())]
    ),
    "kaymak": lambda: kaymak2010.checks(gini(), kaymak2010.equations(scores())),
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
    pd.testing.assert_frame_equal(found, expected, atol=2e-6, check_dtype=False)


def again(table):
    return pd.read_csv(io.StringIO(to_csv(table)))


@pytest.mark.parametrize("name", TABLES)
def test_a_kept_table_follows_from_what_it_is_made_of(name):
    found, expected = again(TABLES[name]()), kept(f"{name}.csv")
    pd.testing.assert_frame_equal(found, expected, rtol=0, atol=2e-6, check_dtype=False)


@pytest.mark.parametrize("study", SOME)
def test_kept_checks_follow_from_the_scores(study):
    found, expected = again(SOME[study]()), kept(f"companions/{study}/checks.csv")
    expected = expected[expected["check"].isin(found["check"])].reset_index(drop=True)
    assert len(expected) > 20
    pd.testing.assert_frame_equal(found, expected, rtol=0, atol=2e-6, check_dtype=False)


def test_the_kept_grid_has_the_setting_of_the_kept_trees():
    found = again(silipo.grid_table(trees()))
    expected = kept("companions/silipo/grid.csv").merge(found[silipo.SETTING])
    pd.testing.assert_frame_equal(found, expected, rtol=0, atol=2e-6, check_dtype=False)
