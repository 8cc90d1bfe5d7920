"""What agrees and what does not, the rule by which it does, and statistics of a matrix."""

from itertools import product

import numpy as np
import pytest
from pytest import approx
from sklearn import metrics

from companions import study_companions
from study.companions import printed_and_computed
from study.companions.printed_and_computed import COLUMNS, compare_numbers, measure_matrix

# How many numbers a source prints, and in their order the computed values that do not agree.
STORED = {
    "ben_david2008": (
        68,
        # Pc of Example 4 and of equation 10, equations 4 and 14 as printed
        [0.62, 0.62, 0.7, 0.35],
    ),
    "hand2009": (24, [0.584236, 1 - 1e-9]),
    "baker": (
        17,
        # 0.275 x 0.365; -2 p (1 - p) / (1 - 2 p (1 - p)) at p = 0.05; TP / FN; a counterexample
        [0.100375, -0.095 / 0.905, 4, 1],
    ),
    "silipo_widmann": (
        24,
        # (p_max - p_e) / (1 - p_e) of 30 and 40 bad among 300: p_max 29/30, p_e 119/150; the
        # prevalence of the largest kappa; the mean change of kappa in 12 draws of either order
        [(29 / 30 - 119 / 150) / (1 - 119 / 150), 0.310979, -0.066143, -0.044226],
    ),
}


@pytest.mark.parametrize("name", STORED)
def test_what_agrees_and_what_does_not(study, name):
    n_printed, differing = STORED[name]
    table = study(name).table
    assert len(table) == n_printed
    wrong = table[table["agrees"] == "no"]
    assert wrong["computed"].tolist() == approx(differing, abs=1e-6)
    assert wrong["note"].str.len().min() > 0


@pytest.mark.parametrize(
    ("printed", "computed", "agrees"),
    [("0.474", 0.473684, "yes"), ("0.70", 0.707, "no"), ("0", -1e-17, "yes")],
)
def test_a_number_agrees_if_it_rounds_to_the_printed_digits(
    tmp_path, monkeypatch, printed, computed, agrees
):
    file = tmp_path / "printed.csv"
    head = "source,place,quantity,printed,note\n"
    file.write_text(f"{head}Other,Table 1,kappa,9,\nSource,Table 1,kappa,{printed},why\n")
    monkeypatch.setattr(printed_and_computed, "PRINTED_FILE", file)
    place = "Table 1", "kappa"
    table = compare_numbers("Source", {place: computed})
    assert list(table) == COLUMNS
    (row,) = table.to_numpy().tolist()
    assert row == ["Source", *place, printed, approx(computed, abs=1e-12), agrees, "why"]
    assert not np.signbit(row[4])
    assert compare_numbers("Source", {place: 1.0}, {place: "so"})["note"].tolist() == ["so"]


@pytest.mark.parametrize("matrix", [(20, 5, 15, 60), (9, 21, 18, 252), (1, 0, 3, 2)])
def test_statistics_are_those_of_scikit_learn(matrix):
    truth = np.repeat([1, 1, 0, 0], matrix)
    predicted = np.repeat([1, 0, 1, 0], matrix)
    found = measure_matrix(*matrix)
    assert found["accuracy"] == approx(metrics.accuracy_score(truth, predicted))
    assert found["kappa"] == approx(metrics.cohen_kappa_score(truth, predicted))
    assert found["true positive rate"] == approx(metrics.recall_score(truth, predicted))
    assert found["false positive rate"] == approx(
        1 - metrics.recall_score(1 - truth, 1 - predicted)
    )
    assert measure_matrix(*(count / len(truth) for count in matrix)) == approx(found)


@pytest.mark.parametrize(("actual", "predicted"), [(30, 40), (5, 5), (80, 10)])
def test_no_matrix_with_these_totals_has_a_larger_kappa(actual, predicted):
    kappas = [
        measure_matrix(tp, actual - tp, fp, 100 - actual - fp)
        for tp, fp in product(range(actual + 1), range(101 - actual))
        if tp + fp == predicted
    ]
    largest = max(found["kappa"] for found in kappas)
    assert [found["largest kappa"] for found in kappas] == approx([largest] * len(kappas))


def test_the_companion_that_fails_is_named(inputs, tmp_path, caplog):
    inputs.paper.to_csv(tmp_path / "table.csv")
    tables = dict.fromkeys(["paper", "original", "features"], tmp_path / "table.csv")
    settings = {"models": [], "seed": 1, "document": {"font": "sans", "width": "240pt"}}
    with pytest.raises(ModuleNotFoundError):
        study_companions(names=["nowhere"], tables=tables, files=[], **settings)
    assert caplog.messages == [
        "nowhere failed: remove it from the config key companions to get the others."
    ]
