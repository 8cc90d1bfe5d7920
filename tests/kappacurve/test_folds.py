"""Measures within folds and their mean: LeDell's formula, numeric derivatives, and refusals."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from samples import all_pairs
from scipy.special import expit, logit
from scipy.stats import chi2, kruskal, t as student

from kappacurve import compare, interval, measures, paired_test
from kappacurve.cli import main
from kappacurve.inference.bootstrap import Bootstrap
from kappacurve.inference.estimates import do_folds_differ
from kappacurve.inference.influence import InfluenceModel
from kappacurve.validation import check_sample

RNG = np.random.default_rng(8)
N = 200
Y = (np.arange(N) % 4 == 0).astype(int)
FOLD = np.arange(N) // 4 % 5  # 10 positives and 30 negatives in each
A, B = RNG.normal(size=(2, N)) + np.array([[1.2], [0.8]]) * Y
SHIFTED = A + 3 * FOLD
MEASURES = ("auc", "auk", "average_precision", "h", "brier_score", "log_loss")


def test_resamples_of_folds_are_at_the_stated_prevalence():
    """At 50 % positives AUK is AUC - 1/2, in each fold and so in their mean."""
    sample = check_sample(Y, {"a": A}, folds=FOLD)
    found = Bootstrap(sample, 10, prevalence=0.5).resampled["a"]
    assert found["auk"] == pytest.approx(found["auc"] - 0.5, abs=1e-12)


def test_the_auc_of_folds_is_ledells():
    """LeDell, Petersen & van der Laan (2015): mean of the folds, and of squared influences."""
    aucs, squares = [], np.zeros(2)
    for fold in range(5):
        y, score = Y[fold == FOLD], A[fold == FOLD]
        pairs = all_pairs(y, score)
        aucs.append(pairs.mean())
        for side, axis in ((1, 1), (0, 0)):
            squares[side] += ((pairs.mean(axis=axis) - pairs.mean()) ** 2).sum()
    n = np.array([150, 50])  # negatives, positives
    by_class = squares / n**2 * n / (n - 1)
    found = interval(Y, A, measure="auc", folds=FOLD)
    assert found.estimate == pytest.approx(np.mean(aucs), abs=1e-14)
    assert found.standard_error == pytest.approx(np.sqrt(by_class.sum()), abs=1e-14)
    # Student's t of Satterthwaite's degrees of freedom, on the logit scale.
    df = by_class.sum() ** 2 / (by_class**2 / (n - 1)).sum()
    half = student.ppf(0.975, df) * found.standard_error / (found.estimate * (1 - found.estimate))
    expected = expit(logit(found.estimate) + np.array([-half, half]))
    assert (found.low, found.high) == pytest.approx(tuple(expected))
    assert (found.df, found.method) == (pytest.approx(df), "influence")


def test_a_shift_of_a_fold_changes_nothing_but_the_note():
    assert interval(Y, SHIFTED, measure="auc", folds=FOLD) == interval(
        Y, A, measure="auc", folds=FOLD
    )
    assert measures(Y, SHIFTED)["auc"] < measures(Y, A)["auc"] - 0.1
    found = compare(Y, {"same": A, "shifted": SHIFTED}, folds=FOLD)
    first, second = found.measures.query("measure == 'auk'")["estimate"]
    assert first == pytest.approx(second, abs=1e-14)
    assert any(note.startswith("Measures are means over the 5 folds;") for note in found.notes)
    (note,) = [text for text in found.notes if "differ between folds" in text]
    assert note.startswith("The scores of shifted differ")


@pytest.mark.parametrize("shift", [0.0, 0.9, 1.0, 3.0])
def test_scores_differ_between_folds_by_kruskal_and_wallis(shift):
    """The statistics of both classes are added; a tied score has its mean rank."""
    score = (A + shift * (FOLD == 2)).round(1)
    sides = [[score[(fold == FOLD) & (side == Y)] for fold in range(5)] for side in (0, 1)]
    p = chi2.sf(sum(kruskal(*parts).statistic for parts in sides), 8)
    sample = check_sample(Y, score, folds=FOLD)
    assert do_folds_differ(sample, sample.folds, "") == (p < 0.001)
    assert (shift >= 1) == (p < 0.001)


@pytest.mark.parametrize("measure", MEASURES)
def test_estimates_are_means_over_folds_at_one_prevalence(measure):
    fold = np.where(np.arange(N) < 60, 0, FOLD)  # unequal folds
    models = {"a": 1 / (1 + np.exp(-A)), "b": 1 / (1 + np.exp(-B))}
    found = compare(Y, models, folds=fold, n_resamples=20).measures
    expected = []
    for part in range(5):
        rows = fold == part
        if measure in ("auk", "average_precision", "h"):
            expected.append(measures(Y[rows], A[rows], prevalence=0.25)[measure])
        elif measure == "auc":
            expected.append(measures(Y[rows], A[rows])["auc"])
        else:
            q = models["a"][rows]
            loss = {"brier_score": (Y[rows] - q) ** 2, "log_loss": -np.log(abs(q + Y[rows] - 1))}
            by_class = [loss[measure][Y[rows] == side].mean() for side in (0, 1)]
            expected.append(np.dot([0.75, 0.25], by_class))
    value = found.query(f"measure == '{measure}' and model == 'a'")["estimate"].item()
    assert value == pytest.approx(np.mean(expected), abs=1e-13)


def test_influences_are_derivatives_by_the_weight_of_a_row():
    fold, weight, step = np.where(np.arange(N) < 60, 0, FOLD), RNG.uniform(0.5, 2, N), 1e-6

    def find(weight):
        sample = check_sample(Y, {"": A}, sample_weight=weight, folds=fold)
        return InfluenceModel(sample, 0.2).find("auk", "")

    rows = find(weight).rows
    for row in (0, 1, 70, 121, 199):
        more, less = weight.copy(), weight.copy()
        more[row], less[row] = weight[row] + step, weight[row] - step
        by_weight = (find(more).value - find(less).value) / (2 * step)
        total = weight[Y[row] == Y].sum()
        assert rows[row] / total == pytest.approx(by_weight, rel=1e-5, abs=1e-9)


def test_tests_and_costs_use_the_folds():
    found = compare(Y, {"a": A, "b": B}, folds=FOLD, cost_ratio=3, n_resamples=50)
    auk = found.tests.query("measure == 'auk'").iloc[0]
    alone = paired_test(Y, A, B, folds=FOLD, cost_ratio=3)
    assert (auk["difference"], auk["p_value"]) == (alone.difference, alone.p_value)
    same = paired_test(Y, A, SHIFTED, folds=FOLD)
    assert (same.difference, same.p_value) == (0, 1)
    h = interval(Y, A, measure="h", folds=FOLD, cost_ratio=3, n_resamples=50)
    assert h.low < h.estimate <= h.high
    # Scores 100 lower in one fold: thresholds of the others flag none of its 10 positives.
    lower = np.where(FOLD == 4, A - 100, A)
    at_cost = compare(Y, {"a": lower}, folds=FOLD, cost_ratio=20).costs.iloc[0]
    assert at_cost["recall"] <= 0.8
    assert compare(Y, {"a": lower}, cost_ratio=20).costs.iloc[0]["recall"] > 0.8


REFUSED = [
    (np.zeros(N), {}, "folds has one fold only"),
    (Y, {}, "fold '1' of folds has no negative row, and curves need both classes in every fold"),
    (
        np.where(FOLD > 2, "late", "early"),
        {"groups": np.arange(N) // 8},
        "the rows of '1' in groups are in folds 'early' and 'late' of folds",
    ),
    (np.where(np.arange(N) == 3, None, FOLD), {}, "folds has a missing value at row 3"),
]


@pytest.mark.parametrize(("folds", "options", "message"), REFUSED)
def test_folds_that_cannot_be_used_are_named(folds, options, message):
    with pytest.raises(ValueError, match=message):
        compare(Y, {"a": A}, folds=folds, **options)


def test_the_command_takes_a_column_of_folds(tmp_path):
    path = tmp_path / "scores.csv"
    pd.DataFrame({"y": Y, "a": A.round(6), "fold": FOLD}).to_csv(path, index=False)
    call = ["measure", str(path), "--label", "y", "--score", "a"]
    pooled = " ".join(CliRunner().invoke(main, call).stdout.split())
    assert "If fold is the fold of a cross-validation, --fold fold compares within" in pooled
    within = CliRunner().invoke(main, [*call, "--fold", "fold"])
    assert within.exit_code == 0, within.output
    assert f"{interval(Y, A.round(6), measure='auc', folds=FOLD).estimate:.4f} (" in within.stdout
    assert "Note: Measures are means over the 5 folds;" in within.stdout
    assert "give --fold" not in within.stdout
    pd.DataFrame({"y": Y, "a": A, "cv": FOLD, "patient": np.arange(N) // 8}).to_csv(path)
    refused = CliRunner().invoke(main, [*call, "--fold", "cv", "--group", "patient"])
    assert refused.exit_code == 1
    assert "the rows of '0' in column patient are in folds " in refused.stderr
