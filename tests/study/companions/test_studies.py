"""What the kept tables don't show: rules at their edges, and claims on curves made for them."""

import os
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from pytest import approx
from scipy.signal import find_peaks
from sklearn import metrics

from kappacurve import measures
from study.companions import baker, ben_david2008, hand2009, kaymak2010, kaymak2010_experiment
from study.companions.checks import (
    COLUMNS,
    Check,
    Source,
    of_predictions,
    printed_outcomes,
    share_check,
    statistics,
)
from study.companions.curves import (
    curve_of,
    curve_table,
    intersect,
    local_maxima,
    replicated,
    slopes_enclose,
)
from study.companions.errata import all_errata
from study.published import Printed
from study.settings.config import Hand, another_bank_file

REFERENCE = Path(__file__).parents[2] / "reference"
FILE = os.environ.get("KAPPACURVE_LOAN_DATA")  # the bank's own data, for Hand's Example 3


def test_columns_and_rounding():
    checks = [Check("own", "one", 1.0, 1.0 + 1e-15), Check("own", "two", 0.5, np.nan)]
    checks.append(share_check("own", "without replicates", []))
    table = Source("silipo").check_table({"SMOTE": {"kappa": 0.4516, "f1": 0.1}}, checks)
    assert list(table) == COLUMNS
    assert table["check"].tolist() == ["SMOTE: kappa", "one", "two"]  # its F1 is not printed
    assert table["difference"][1] == 0
    assert table["holds"].tolist() == [True, True, False]


SPLITS = {"relation": "within", "low": 0.1, "high": 0.2}


@pytest.mark.parametrize(
    ("check", "holds"),
    [
        (Check("ours", "as expected", 0.5, 0.5, relation=">="), True),
        (Check("ours", "too large", 0.5, 0.6, relation="<="), False),
        (Check("ours", "within the tolerance", 0.5, 0.6, 0.1), True),
        (Check("ours", "nothing expected", None, 0.6), None),
        (
            Check("ours", "its interval begins there", 0.5, 0.6, relation=">=", low=0.5, high=1),
            True,
        ),
        (Check("ours", "the interval ends there", 0.6, 0.5, relation=">=", low=0, high=0.6), False),
        (Check("ours", "the interval holds it", 0.5, 0.6, relation=">=", low=0.4, high=1), None),
        (Check("printed", "at the end", 0.2, 0.15, **SPLITS), True),
        (Check("printed", "at the other end", 0.1, 0.15, **SPLITS), True),
        (Check("printed", "outside", 0.21, 0.15, **SPLITS), None),
        (Check("printed", "ruled out", 0.15, 0.15, **SPLITS, impossible="why"), False),
    ],
    ids=lambda one: getattr(one, "check", ""),
)
def test_each_relation_at_its_edge(check, holds):
    assert check.holds is holds


def test_what_is_undecided_neither_agrees_nor_disagrees(tmp_path):
    share = Check("printed", "share", 0.5, 0.5, relation=">=", low=0.4, high=0.6)
    checks = [Check("printed", "a", 1, 1), Check("printed", "b", 1, 2), share]
    table = Source("silipo").check_table({}, [*checks, Check("ours", "c", 1, 2)])
    table.to_csv(tmp_path / "checks.csv", index=False)
    for one in (table, pd.read_csv(tmp_path / "checks.csv")):
        counts = printed_outcomes(one)
        assert counts.to_dict("index") == {"silipo": {"agree": 1, "disagree": 1, "undecided": 1}}


@pytest.mark.parametrize("matrix", [(20, 5, 15, 60), (9, 21, 18, 252), (1, 0, 3, 2)])
def test_counts_and_statistics_against_scikit_learn(matrix):
    truth = np.repeat([1, 1, 0, 0], matrix)
    predicted = np.repeat([1, 0, 1, 0], matrix)
    found = statistics(*matrix)
    assert of_predictions(truth, predicted) == found
    names = {name: f"{name}_score" for name in ("accuracy", "precision", "recall", "f1")}
    for name, function in (names | {"kappa": "cohen_kappa_score"}).items():
        assert found[name] == approx(getattr(metrics, function)(truth, predicted))


def test_as_many_rows_are_called_bad_as_are_bad():
    scores = pd.read_csv(REFERENCE / "original/scores.csv.gz").query("model == 'linear'")
    (row,) = baker.models_table({"original": scores}, "share").to_dict("records")
    assert row["tp"] + row["fp"] == row["tp"] + row["fn"] == scores["minority"].sum()
    assert (scores["score"] >= row["threshold"]).sum() == row["tp"] + row["fp"]
    assert row["precision"] == row["recall"]


def section3_of(leads, chances=(0.6,)):
    """Section 3's checks, of leads of the linear model in (kappa, accuracy)."""
    rows = []
    for replicate, (kappa, accuracy) in enumerate(leads):
        of_chance = (
            chances[2 * replicate % len(chances)],
            chances[(2 * replicate + 1) % len(chances)],
        )
        rows.append((replicate, "linear", 0.3 + kappa, 0.7 + accuracy, of_chance[0]))
        rows.append((replicate, "neural_net", 0.3, 0.7, of_chance[1]))
    columns = ["replicate", "model", "kappa", "accuracy", "chance"]
    return ben_david2008.section3(pd.DataFrame(rows, columns=columns))


APART, ALIKE = (0.1, -0.1), (0.1, 0.1)
NOISE = 0.1 + 0.2 - 0.3


def test_hits_by_chance_are_counted_beyond_a_third():
    chances = [0.2, 0.4, 1 / 3, 0.5, 0.3, 0.6]
    mean, _, beyond = section3_of([ALIKE] * 3, chances)
    assert (mean.found, mean.expected, mean.holds) == (sum(chances) / 6, 1 / 3, True)
    assert (beyond.found, beyond.n) == (0.5, 6)
    of_one_model = {"model": "linear", "kappa": 0.3, "accuracy": 0.7, "chance": 0.2}
    assert ben_david2008.section3(pd.DataFrame({"replicate": [0], **of_one_model})) == []


@pytest.mark.parametrize(
    ("leads", "found", "holds"),
    [
        ([APART] * 90 + [ALIKE] * 10, 0.9, True),
        ([APART] * 10 + [ALIKE] * 90, 0.1, False),
        ([APART] * 50 + [ALIKE] * 50, 0.5, None),
        # Rounding noise does not rank models apart.
        ([APART, ALIKE, (-NOISE, 0.1), (0.1, -NOISE)], 0.25, None),
    ],
)
def test_often_is_more_than_half_of_the_splits(leads, found, holds):
    check = section3_of(leads)[1]
    assert (check.found, check.holds) == (found, holds)


def test_scores_of_example_3_do_not_depend_on_units():
    random = np.random.default_rng(6)
    columns = [name for names in hand2009.EXAMPLE_3.values() for name in names]
    bank = pd.DataFrame(random.normal(size=(400, len(columns))), columns=columns)
    bad = (bank.sum(axis=1) + random.normal(size=400) > 2).astype(int)
    found = hand2009.example3_scores(bank.assign(bad=bad))
    other = hand2009.example3_scores((1000 * bank + 7).assign(bad=bad))
    np.testing.assert_allclose(found["score"], other["score"], atol=1e-4)
    printed = hand2009.example3(found).set_index(["model", "measure"])["printed"]
    assert pd.isna(printed["first", "auk"]) and printed["second", "auc"] == "0.591"
    assert found.groupby("model", sort=False)["minority"].sum().tolist() == [bad.sum()] * 2
    # A fit without a penalty gives as many positives as there are.
    chances = 1 / (1 + np.exp(-found["score"]))
    assert chances.groupby(found["model"]).sum().tolist() == approx([bad.sum()] * 2, abs=1e-3)


@pytest.mark.skipif(not FILE, reason="KAPPACURVE_LOAN_DATA is not set")
def test_both_classifiers_are_as_printed():
    assert another_bank_file(Hand(enabled=True, bank_data=FILE).bank_data) == ""
    bank = pd.read_csv(FILE)
    scores = pd.read_csv(REFERENCE / "original/scores.csv.gz")
    of_both = hand2009.example3_scores(bank)
    example = hand2009.example3(of_both)
    kept = pd.read_csv(hand2009.KEPT_EXAMPLE_3)
    pd.testing.assert_frame_equal(example.astype(kept.dtypes), kept, atol=5e-7)
    first = of_both[of_both["model"] == "first"]
    assert (len(first), first["minority"].sum()) == (1225, 323)
    figures = hand2009.study(scores, bank, models=["linear"])[1]
    assert len(figures["figure7"].axes[0].lines) == 5  # curves, hulls and the diagonal


def test_claims_of_sections_3_to_8_by_hand():
    """Six hulls in which every share is another; rates at, below and above what is compared."""
    curves = pd.DataFrame(
        {
            "model": ["linear"] * 2 + ["neural_net"] * 4,
            "prevalence": 0.11,
            "fpr": [0.1, 0.3, 0.60, 0.59, 0.61, 0.2],  # printed is 0.60
            "fpr_youden": [0.1, 0.4, 0.7, 0.8, 0.9, 0.1],
            "tpr": [0.2, 0.3, 0.40, 0.41, 0.39, 0.9],
            "unique": [True, False, False, False, False, False],
            "maxima_raw": [1, 1, 2, 3, 5, 9],
            "maxima_hull": [1, 1, 1, 1, 1, 2],
            "optimal": True,
            "auc": [0.70, 0.75, 0.6, 0.7, 0.8, 0.9],
            "auk_minority": [0.10, 0.11, 0.12, 0.10, 0.15, 0.13],
        }
    )
    grid = kaymak2010.GRID
    steps = 0.001 * (np.arange(len(grid)) == len(grid) - 9)  # a small one beside the peak
    averages = {("minority", "linear"): grid * (1 - grid) + steps, ("majority", "linear"): grid}
    found = [one for one in kaymak2010.claims({}, curves, averages, ours=False) if one is not None]
    by_key = {one.key: one for one in found if one.key}
    shares = {
        "unique_maximum": 1 / 6,
        "one_peak": 2 / 6,
        "slope_at_optimum": 1,
        "optimum_moves_left": 5 / 6,
        "optimum_moves_left_strictly": 4 / 6,
        "place_of_optimum": 2 / 4,
        "place_of_optimum_good": 2 / 4,
    }
    assert {key: by_key[key].found for key in shares} == approx(shares)
    assert [by_key[key].expected for key in shares] == [0.5, None, 1, 1, 0.5, None, None]
    assert [by_key[key].n for key in ("one_peak", "place_of_optimum")] == [6, 4]
    assert by_key["multiclass_without_splitting"].holds  # (0.65 - 0.3475) / (1 - 0.3475)
    # One AUC leaves AUK no room at one half, and some at the stated prevalence.
    assert (by_key["width_at_half"].found, by_key["width_at_half"].holds) == (approx(0), True)
    stated = by_key["width_as_stated"]
    assert (stated.found > 0.01, stated.holds) == (True, False)
    r = np.corrcoef([0.6, 0.7, 0.8, 0.9], [0.12, 0.10, 0.15, 0.13])[0, 1]
    one = by_key["correlated"]  # of the network alone: two splits of the linear model are too few
    ends = np.tanh(np.arctanh(r) + np.array([-1.96, 1.96]))
    assert [one.found, one.low, one.high, one.n] == approx([r, *ends, 4], abs=1e-4)
    told = {one.check: one.found for one in found}
    assert told["Section 7: local maxima on average, raw curves"] == 3.5
    assert told["Section 7: kappa has one local maximum: share of hulls"] == approx(5 / 6)
    places = [value for name, value in told.items() if "f at the largest average" in name]
    assert places == approx([0.5, 1.0])
    peaks = [value for name, value in told.items() if "maxima" in name and "of linear" in name]
    assert peaks == [1, 0]


def test_kappa_is_averaged_over_the_splits_of_a_model():
    """Of half the rows bad kappa is t - f: 1 - f of a perfect model, and 0 of a constant score."""
    minority = np.array([0.0, 0, 1, 1])
    drawn = {
        (number, "linear"): curve_of("linear", minority, score)
        for number, score in enumerate((minority, 0 * minority))
    }
    averages = kaymak2010.average_kappas(drawn)
    assert averages.keys() == {("minority", "linear"), ("majority", "linear")}
    for average in averages.values():
        np.testing.assert_allclose(average[1:], (1 - kaymak2010.GRID[1:]) / 2, atol=1e-15)


def test_the_most_decisive_reversal_comes_first():
    network = [(0, 0.70, 0.10), (1, 0.79, 0.21), (2, 0.75, 0.25)]
    rows = [(n, "linear", 0.80, 0.20) for n in range(3)]
    rows += [(n, "neural_net", *areas) for n, *areas in network]
    found = kaymak2010.reversing(pd.DataFrame(rows, columns=["replicate", "model", "auc", "auk"]))
    assert found.index.tolist() == [2, 1]
    assert found.iloc[0].tolist() == approx([0.05, 0.05])


def test_chances_of_test_sets_are_counted():
    """Of five rows, two of them bad, three test: one bad one in 6 of 10 draws, both in 3."""
    sample = kaymak2010_experiment.Sample(5, 2, 3)
    chances = kaymak2010_experiment.chances_of_test_sets(sample)
    assert chances == approx({1 / 3: 0.6, 2 / 3: 0.3})


def errata_of(function, **tables):
    errata = all_errata(tables)
    return errata[errata["function"].str.endswith(f".{function}")].iloc[0]


@pytest.mark.parametrize(("high", "status"), [(0.09, "contradicted"), (0.25, "agrees")])
def test_smote_is_held_to_its_printed_rise(high, status):
    row = {"of_matrices": 0.207, "kappa": 0.07, "high": high, "accuracy": -0.03, "share": 0.1}
    grid = pd.DataFrame([row, row | {"kappa": -0.02}])
    found = errata_of("rise_of_kappa_by_smote", silipo_grid=grid)
    assert found["status"] == status
    assert "-0.020 to 0.070 over 2 settings; a rise as large in at most 10%" in found["recomputed"]


def test_another_printed_point_or_more_reversals_flip_the_status(monkeypatch):
    common = pd.read_csv(REFERENCE / "tables/rank_reversal.csv").query("pattern == 'published'")
    common = common.assign(share=np.linspace(0.205, 0.1, len(common)))
    found = errata_of("rank_reversal", rank_reversal=common)
    assert found["status"] == "agrees"
    point = kaymak2010_experiment.published_point()
    at_the_stated_prevalence = point._replace(kappa=Printed("0.106"))
    monkeypatch.setattr(kaymak2010_experiment, "published_point", lambda: at_the_stated_prevalence)
    assert errata_of("kappa_at_the_published_point")["status"] == "agrees"


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30), st.integers(1, 5))
def test_local_maxima_are_those_of_scipy(heights, prominence):
    peaks, _ = find_peaks(np.array(heights, dtype=float), prominence=prominence)
    assert local_maxima(np.array(heights), prominence) == len(peaks)


def test_curves_of_replicates_by_plain_loops():
    """Of rounded scores; left out are other models and a replicate without bad rows."""
    rng = np.random.default_rng(1)
    minority = np.repeat([1, 0], [12, 38])
    cells = [*product((4, 7), ("linear", "neural_net", "tree")), (9, "linear")]
    parts = [
        pd.DataFrame({"minority": minority * (number < 9), "score": rng.normal(minority).round(1)})
        for number, _ in cells
    ]
    parts = dict(zip(cells, parts, strict=True))
    table = pd.concat(part.assign(replicate=n, model=m) for (n, m), part in parts.items())
    found = curve_table(replicated(table)).set_index(["replicate", "model"])
    assert {*found.index} == {*product((4, 7), ("linear", "neural_net"))}
    for cell, row in found.iterrows():
        score = parts[cell]["score"].to_numpy()
        flags = [score >= cut for cut in [np.inf, *np.unique(score)[::-1]]]
        kappas = np.array([metrics.cohen_kappa_score(minority, one) for one in flags[1:-1]])
        kappas = np.r_[0, kappas, 0]
        best = flags[kappas.argmax()]
        hits = metrics.accuracy_score(minority, best)
        by_chance = (hits - kappas.max()) / (1 - kappas.max())
        assert [row["kappa"], row["accuracy"]] == approx([kappas.max(), hits])
        assert row["chance"] == approx(by_chance / hits)
        assert row["unique"] == (np.isclose(kappas, kappas.max()).sum() == 1)
        assert row["maxima_raw"] == len(find_peaks(kappas, prominence=1e-12)[0])
        assert (row["maxima_hull"], row["optimal"], row["prevalence"]) == (1, True, 0.24)
        good, bad = (
            measures(minority == kind, sign * score, curve="hull")
            for kind, sign in ((0, -1), (1, 1))
        )
        assert row["auk"] == approx(good["auk"])
        assert row[["auc", "auk_minority"]].tolist() == approx([bad["auc"], bad["auk"]])
        # The largest kappa and the largest t - f stand on the hull.
        rates = np.array([(one[minority == 0].mean(), one[minority == 1].mean()) for one in flags])
        assert row[["fpr", "tpr"]].tolist() == approx(rates[kappas.argmax()])
        assert row["fpr_youden"] == approx(rates[np.argmax(rates @ [-1, 1]), 0])


def test_the_best_vertex_lies_between_a_steeper_and_a_flatter_side():
    """At p = 1/2 kappa is largest where the slope passes 1, which a side may have."""
    fpr, tpr = np.array([0, 0.1, 0.4, 0.6, 1]), np.array([0, 0.4, 0.8, 1, 1])
    enclosed = [slopes_enclose(fpr, tpr, 0.5, vertex) for vertex in range(5)]
    assert enclosed == [False, False, True, True, False]
    assert slopes_enclose(np.array([0, 0, 1]), np.array([0, 0.5, 1]), 0.5, 1)


def _limits(curve, at, *, right):
    """Twelve times t, just right or just left of f, on a curve of integers (exact)."""
    for (f, t), (f_next, t_next) in pairwise(curve):
        if (f <= at < f_next) if right else (f < at <= f_next):
            return t + Fraction(t_next - t, f_next - f) * (at - f)
    raise AssertionError(at)


@given(st.lists(st.lists(st.booleans(), min_size=12, max_size=12), min_size=2, max_size=2))
def test_intersections_of_exact_step_curves(steps):
    """Paths of six steps up and six to the right, and their chords of two steps each."""
    curves = []
    for ups in steps:
        path, f, t = [(0, 0)], 0, 0
        for up in ups:
            up = t < 6 and (up or f == 6)
            f, t = f + (not up), t + up
            path.append((f, t))
        curves.append(path[::2])
    leads = [
        _limits(curves[0], at, right=right) - _limits(curves[1], at, right=right)
        for at in range(7)
        for right in (True, False)
        if (at < 6 if right else at > 0)
    ]
    crossed = max(leads) > 0 > min(leads)
    scaled = [tuple(np.array(axis) / 6 for axis in zip(*path, strict=True)) for path in curves]
    assert intersect(*scaled) == crossed
