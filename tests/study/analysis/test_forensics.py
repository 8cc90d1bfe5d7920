"""The paper's contradictions come out of our own computation, and the verdict follows it."""

import importlib
from functools import cache

import pandas as pd
import pytest

from kappacurve.plots.style import house_style
from study.analysis.forensics import (
    JOINT,
    counts_table,
    prevalence_table,
    published_pairs,
    published_point,
    runs_in_words,
)
from study.pages.forensics_figure import figure_prevalence
from study.papers.errata import errata_table
from study.published import AREAS, OPERATING_POINT, comparison
from study.verdict.answers import Results, verdict_text

MEASURED = {
    "linear": {"auc": 0.7493, "auk": 0.1672, "fpr": 0.5, "tpr": 0.9, "kappa_max": 0.3},
    "neural_net": {"auc": 0.7186, "auk": 0.1753, "fpr": 0.6, "tpr": 0.928, "kappa_max": 0.328},
}


prevalences = cache(prevalence_table)
recomputed_errata = cache(errata_table)


@pytest.fixture
def measures():
    """A run that has the published hull numbers with good positive, and others with bad."""
    rows = []
    for model, found in MEASURED.items():
        for positive_class in ("good", "bad"):
            for curve in ("raw", "hull"):
                row = {"model": model, "positive_class": positive_class, "curve": curve, **found}
                row |= {"h": 0.1, "threshold": 0.5, "n_positive": 250, "n_negative": 30}
                if positive_class == "bad":
                    row |= {"auk": 0.1, "fpr": 0.13, "tpr": 0.4, "kappa_max": 0.2}
                row["auk_trapezoid"] = row["auk"] + 0.002
                rows.append(row)
    return pd.DataFrame(rows)


@pytest.fixture
def summary(measures):
    """Replicates around that run; those with good positive hold the published values."""
    rows = []
    for one in measures.to_dict("records"):
        for name in ("auc", "auk", "auk_trapezoid", "h", "kappa_max", "fpr", "tpr"):
            row = {k: one[k] for k in ("model", "positive_class", "curve")}
            row |= {"measure": name, "mean": one[name], "sd": 0.02, "published": None}
            row |= {"low": one[name] - 0.04, "high": one[name] + 0.04, "percentile": 50.0}
            rows.append(row)
    return pd.DataFrame(rows)


@pytest.fixture
def given_auc():
    """Good positive: nearly ordinary; bad positive: far out."""
    rows = []
    for positive_class, z, reaching in (("good", 2.1, 10), ("bad", 5.9, 0)):
        for integration in ("exact", "trapezoid"):
            row = {"positive_class": positive_class, "curve": "hull", "model": "neural_net"}
            row |= {"integration": integration, "z": z, "near": 274, "reaching": reaching}
            rows.append(row)
    return pd.DataFrame(rows)


@pytest.fixture
def reversal():
    row = {"pair": "auc-auk", "curve": "hull", "positive_class": "good"}
    row |= {"pattern": "published", "replicates": 1000, "reversals": 31, "share": 0.031}
    return pd.DataFrame([row | {"low": 0.022, "high": 0.044}])


def results(measures, **more):
    return Results(
        comparison(measures, "hull", AREAS),
        comparison(measures, "raw", AREAS),
        comparison(measures, "hull", OPERATING_POINT),
        prevalences(),
        counts_table((270, 290), (0.09, 0.13), (268,)),
        **more,
    )


def intervals(table, *wanted):
    chosen = (table[["place", "model", "rule"]] == list(wanted)).all(axis="columns")
    return table.loc[chosen, ["low", "high"]].to_numpy().ravel().tolist()


def test_published_numbers_keep_their_digits():
    assert published_point().decimals == (2, 3, 3)
    assert [pair.auc.decimals for pair in published_pairs()] == [4, 4, 4, 4]


def test_prevalences_of_table_4_and_the_operating_point():
    table = prevalences()
    network = intervals(table, "Table 4", "neural_net", "concave")
    assert network == pytest.approx([0.2004, 0.3052, 0.7596, 0.9787], abs=1e-4)
    linear = intervals(table, "Table 4", "linear", "concave")
    assert linear == pytest.approx([0.1385, 0.2204, 0.8417, 1.0], abs=1e-4)
    both = intervals(table, "Table 4", "all", "concave")
    assert both == pytest.approx([0.2004, 0.2204, 0.8417, 0.9787], abs=1e-4)
    assert intervals(table, JOINT, "all", "concave") == pytest.approx([0.886, 0.899], abs=6e-4)


def test_only_the_trapezoid_rule_leaves_table_4_possible_as_stated():
    table = prevalences().query("place == 'Table 4' and model != 'all'")
    assert table.groupby("rule")["possible"].all().to_dict() == {
        "concave": False,
        "trapezoid": True,
    }


def test_another_stated_prevalence_changes_what_is_possible():
    assert prevalence_table(0.89).query("rule == 'concave'")["possible"].all()


def test_table_5_needs_a_test_share_just_above_the_stated_one():
    found = intervals(prevalences(), "Table 5", "neural_net", "monotone")
    assert found[0] == pytest.approx(0.1152, abs=1e-4)


def test_counts():
    table = counts_table((150, 320), (0.09, 0.13), (268, 286))
    fits = table[table["compositions"] > 0]
    by_digits = fits.groupby("digits")["n_test"].apply(runs_in_words)
    assert by_digits.to_dict() == {
        "rounded": "186-187, 232-234, 279-281",
        "truncated": "187-189, 234-236, 280-283",
    }
    assert set(fits["positive_class"]) == {"good"}
    best = fits.query("n_test == 280 and digits == 'rounded'").iloc[0]
    assert best[["n_bad", "false_positives", "true_positives"]].tolist() == [30, 18, 232]
    assert best["kappa"] == pytest.approx(0.328, abs=5e-5)
    assert best["aucs_possible"]
    assert set(table.loc[table["n_test"].isin([268, 286]), "compositions"]) == {0}


def test_counts_of_no_size_at_all():
    table = counts_table((10, 11), (0.09, 0.13), ())
    assert table.empty
    assert "kappa" in table


@pytest.mark.parametrize(
    ("where", "status", "recomputed"),
    [
        ("Section 8, operating point", "contradicted", "0.106 at p = 0.11, 0.331 at p = 0.89"),
        ("Section 8 with Table 4", "contradicted", "at most 0.6985 at p = 0.11"),
        ("Table 4, neural net", "contradicted", "0.0895 to 0.1331"),
        ("Table 4, linear", "contradicted", "0.1046 to 0.1493"),
        ("Table 5, neural net", "contradicted", "0.0397 to 0.1423"),
        ("Section 8", "contradicted", "786 or 787"),
        ("Section 2, below Table 1", "contradicted", "random 0.870"),
        ("Tables 1-3", "imprecise", "own p: 0.640, 0.589, 0.679"),
        ("Section 3 (and 1, 5)", "contradicted", "0.253 at p = 0.1, 0.500 at 0.5, 0.597 at 0.9"),
        ("Equation 14", "contradicted", "0.35 as printed, 0.65 with + FP"),
        ("Equation 4", "contradicted", "P = 0.70, Phat = 0.80"),
        ("Example 4", "contradicted", "Pc = 0.620, K = 0.474"),
        ("Equation 11", "imprecise", "0/0"),
        ("Expected agreement, on-task", "contradicted", "0.75 x 0.65 = 0.4875"),
        ("Maximum kappa of the improved model", "contradicted", "0.839 from the counts, 0.853"),
        ("Kappa against the class share", "contradicted", "0.552 at p = 0.311; 0.519 at p = 0.5"),
        ("Interpreting kappa", "imprecise", "-1.00 at p = 0.5, -0.60 at 0.25"),
        ("Data", "imprecise", "900 good rows from 700"),
    ],
)
def test_errata(where, status, recomputed):
    table = recomputed_errata()
    row = table[table["where"] == where].iloc[0]
    assert row["status"] == status
    assert recomputed in row["recomputed"]


def test_the_place_of_the_optimum_needs_another_prevalence():
    table = recomputed_errata()
    verdict = table.loc[table["where"] == "Section 8 with Table 4", "verdict"].iloc[0]
    assert "needs p above 0.2188" in verdict
    assert "0.2188 to 0.2204, or 0.8417 to 0.9787" in verdict


def test_each_erratum_concludes_no_more_than_its_own_numbers():
    verdicts = recomputed_errata().groupby("where")["verdict"].first()
    point = verdicts["Section 8, operating point"]
    assert "0.483 to 0.518, or 0.886 to 0.899" in point
    assert "leaves all of these open" in point
    joint = verdicts["Table 4 and the operating point"]
    assert "operating point alone, which needs no integral, leaves 0.483" in joint
    assert "Together they leave the majority class (good)" in joint


def test_every_erratum_names_the_function_that_recomputes_it():
    table = recomputed_errata()
    assert table["source"].nunique() == 5
    assert not table.duplicated(["source", "where", "printed"]).any()
    for name in table["function"]:
        module, _, function = name.rpartition(".")
        assert getattr(importlib.import_module(module), function).__doc__
    assert table["verdict"].str.endswith(".").all()
    assert not table.isna().any().any()


def typical(table):
    return table[table["function"].str.endswith("typical_operating_point")].iloc[0]


def test_errata_use_the_run_and_its_replicates(measures, summary, reversal, given_auc):
    one_split = typical(errata_table(measures))
    assert one_split["status"] == "needs replicates"
    assert "bad positive: f 0.13, t 0.40" in one_split["recomputed"]
    more = {"replicate_summary": summary, "rank_reversal": reversal, "auk_given_auc": given_auc}
    table = errata_table(measures, **more)
    row = table[table["function"].str.endswith("auk_at_the_published_auc")].iloc[0]
    assert row["status"] == "contradicted"
    assert "good positive: neural net 2.1 (10 of 274); bad positive: neural" in row["recomputed"]
    assert "2.1 with good positive and 5.9 with bad" in row["verdict"]
    assert "needs replicates" not in set(table["status"])
    assert "bad positive: f 23.5, t 26.4" in typical(table)["verdict"]
    assert "with good as the positive class" in typical(table)["verdict"]
    row = table[table["function"].str.endswith("rank_reversal")].iloc[0]
    assert row["status"] == "unusual"
    assert "of 1000 splits" in row["recomputed"]
    assert "to 3.1 %" in row["recomputed"]


def test_a_summary_without_the_network_is_like_none(summary):
    other = summary[summary["model"] == "linear"]
    assert typical(errata_table(replicate_summary=other))["status"] == "needs replicates"


def test_verdict_of_one_split(measures):
    text = verdict_text(results(measures))
    assert "Table 4: **yes**; 4 of 4 values with good positive and 2 of 4" in text
    assert "Operating point: **yes**; 3 of 3 values with good positive" in text
    assert "Table 5: **not digit for digit**" in text
    assert "Table 4, good positive: reversal as published" in text
    assert "That holds 0.89: the majority class (good) was the positive one" in text
    assert "How often random splits show it needs replicates." in text
    assert "nan" not in text


def test_verdict_follows_the_data(measures):
    changed = measures.assign(auk=0.01, auk_trapezoid=0.01)
    text = verdict_text(results(changed))
    assert "Table 4: **not digit for digit**; 2 of 4 values with good" in text
    assert "Rank reversal: **no**" in text


def test_verdict_of_replicates(measures, summary, reversal):
    more = {"replicate_summary": summary, "rank_reversal": reversal}
    text = verdict_text(results(measures, **more))
    assert "4 of 4 values with good positive and 2 of 4 values with bad positive lie in" in text
    assert "95 % in 0.7093 to 0.7893; the published value is inside (percentile 50.0)" in text
    assert "31 of 1000, 3.1% (95 % interval 2.2% to 4.4%)" in text
    assert "Rank reversal: **rare**" in text
    # 0.6781 is just below what the made-up replicates of the raw curve reach.
    assert "Table 5, neural net, AUC: 0.6781 lies outside" in text
    assert "- Table 4, linear" not in text
    assert "nan" not in text
    low = summary.assign(high=summary["high"] - 0.04 - 0.03)
    outside = verdict_text(results(measures, replicate_summary=low, rank_reversal=reversal))
    assert "Table 4, linear, AUC: 0.7493 lies outside the central 95 %" in outside


def test_verdict_of_specifications(measures):
    table = pd.DataFrame(
        {
            "positive_class": ["good", "good", "bad", "bad"],
            "distance": [3.21, 4.0, 9.5, 20.0],
            "share_farther": [0.44, 0.1, 0.0, 0.0],
        }
    )
    text = verdict_text(results(measures, specification=table))
    assert "in 11 dimensions a typical replicate lies 3.3 away" in text
    assert "under each of 2 combinations" in text
    assert "with good positive they lie 3.2 to 4.0 standard units" in text
    assert "10.0% to 44.0% of these lie farther out" in text
    assert "with bad positive they lie 9.5 to 20.0" in text


def test_verdict_of_both_networks(measures, summary):
    lm = summary[summary["model"] == "neural_net"].assign(model="neural_net_lm")
    far = (lm["measure"] == "kappa_max") & (lm["curve"] == "hull")
    lm.loc[far, ["low", "high"]] = [0.02, 0.31]
    both = measures[measures["model"] == "neural_net"].assign(model="neural_net_lm")
    text = verdict_text(
        results(pd.concat([measures, both]), replicate_summary=pd.concat([summary, lm]))
    )
    line = next(one for one in text.splitlines() if one.startswith("- Operating point"))
    assert "with neural net (LM) in part**" in line
    assert "with neural net 3 of 3 values with good" in line
    assert "with neural net (LM) 2 of 3 values with good" in line
    assert "only 2 of the 3 values can tell them apart" in line
    assert "Table 4: **yes, value by value, if the good class is the positive one**" in text
    assert "with either network 4 of 4 values with good positive" in text
    assert "only 2 of the 4 values can tell them apart" in text
    assert "Operating point, neural net (LM), maximum kappa: 0.328 lies outside" in text


def test_verdict_says_that_a_pair_is_unusual_for_its_auc(measures, given_auc):
    text = verdict_text(results(measures, auk_given_auc=given_auc))
    short = text.partition("\n## ")[0]
    assert "unusual even with good positive" in short
    assert "reach it): neural net z 2.1 (10 of 274)." in short
    assert "with bad positive neural net z 5.9 (0 of 274)" in text
    less = given_auc.assign(z=given_auc["z"].where(given_auc["z"] > 5, 1.9))
    assert "even with good" not in verdict_text(results(measures, auk_given_auc=less))


def test_verdict_of_the_reversal_under_every_reading(measures, summary, reversal):
    large = reversal.assign(pattern="as_large", reversals=0)
    rows = {"positive_class": ["good", "bad"], "integration": ["exact", "trapezoid"]}
    rows |= {"distance": [3.0, 9.0], "share_farther": [0.4, 0.0], "replicates": [200, 200]}
    for curve, shares, counts in (
        ("raw", [0.01, 0.075], [0, 0]),
        ("hull", [0.02, 0.03], [0, 4]),
        ("both", [0.0, 0.035], [0, 0]),
    ):
        rows |= {f"reversal_share_{curve}": shares, f"as_large_{curve}": counts}
    more = {"replicate_summary": summary, "specification": pd.DataFrame(rows)}
    text = verdict_text(results(measures, rank_reversal=pd.concat([reversal, large]), **more))
    assert "in 0.0% to 3.5% of random splits on hull and raw curve both" in text
    assert "in 1.0% to 7.5% on one of the two" in text
    assert "on both curves never; on one curve with the exact AUK never" in text
    assert "on one curve with the trapezoid AUK in up to 2.0%" in text


def test_verdict_without_the_papers_models(measures):
    other = measures.assign(model=measures["model"].replace({"linear": "forest"}))
    text = verdict_text(results(other[other["model"] == "forest"]))
    assert "Table 4: **unknown**; the run has no model to compare." in text


def test_figure_has_a_panel_for_each_pair_and_one_for_the_intervals():
    with house_style():
        figure = figure_prevalence()
        assert len(figure.axes) == 5
        labels = [text.get_text() for text in figure.axes[-1].get_yticklabels()]
    assert labels[0] == "Table 4, linear"
    assert labels[-1] == "operating point"
