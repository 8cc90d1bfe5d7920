"""What agrees and what does not, the rule by which it does, and statistics of a matrix."""

from itertools import product

import numpy as np
import pytest
from pytest import approx
from sklearn import metrics

from study.companions import printed_and_computed
from study.companions.printed_and_computed import COLUMNS, compare_numbers, measure_matrix

# How many numbers a source prints, and the computed values of those that do not agree.
STORED = {
    "ben_david2008": (
        68,
        {
            ("Example 4", "Pc"): 0.62,  # printed 0.625
            ("Equation 10", "Pc of Example 4"): 0.62,
            ("Equation 4", "Phat of Example 4, TP + FN as printed"): 0.7,
            ("Equation 14", "TP of Example 4, - FP as printed"): 0.35,
        },
    ),
    "hand2009": (
        24,
        {
            ("Section 2", "AUC, as the chance of classifying two scores right by their mean"): (
                0.584236
            ),
            ("Section 6", "a cost c of 10^9"): 1 - 1e-9,
        },
    ),
    "baker": (
        17,
        {
            (
                "Worked example",
                "expected agreement, on-task, from the printed factors 0.275 x 0.365",
            ): 0.100375,
            # -2 p (1 - p) / (1 - 2 p (1 - p)) at p = 0.05
            (
                "Interpreting kappa",
                "kappa of inverted predictions, 5 % failing students (section 1)",
            ): -0.095 / 0.905,
            ("ROC curve, axes", "true positive rate of the worked example, TP / FN as printed"): 4,
            (
                "AUC and kappa",
                "cases in which AUC 0.55 is better than AUC 0.6 (of one tried)",
            ): 1,
        },
    ),
    "silipo_widmann": (
        24,
        {
            # (p_max - p_e) / (1 - p_e) of 30 and 40 bad among 300: p_max 29/30, p_e 119/150
            ("Figure 2, SMOTE", "largest kappa"): (29 / 30 - 119 / 150) / (1 - 119 / 150),
            ("Figure 3, SMOTE", "prevalence of the largest kappa"): 0.310979,  # printed 0.5
            # Stored means of 75 draws.
            ("Figure 2, SMOTE", "change of kappa, drawn before the split"): -0.019886,
            ("Figure 2, SMOTE", "change of kappa, drawn after the split"): -0.025164,
        },
    ),
}


@pytest.mark.parametrize("name", STORED)
def test_what_agrees_and_what_does_not(study, name):
    n_printed, differing = STORED[name]
    table = study(name).table.set_index(["place", "quantity"])
    assert len(table) == n_printed
    wrong = table[table["agrees"] == "no"]
    assert wrong["computed"].to_dict() == approx(differing, abs=1e-6)
    assert wrong["note"].str.len().min() > 0


@pytest.mark.parametrize(
    ("printed", "computed", "agrees"),
    [
        ("0.474", 0.473684, "yes"),
        ("0.625", 0.62, "no"),
        ("0.62", 0.625, "yes"),  # rounds either way at a tie
        ("0.288", 0.2875 - 1e-15, "yes"),
        ("0.7", 0.707, "yes"),
        ("0.70", 0.707, "no"),  # two digits are printed
        ("0", -1e-17, "yes"),
        ("0.5", float("nan"), "no"),
    ],
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
    expected = approx(computed, abs=1e-12, nan_ok=True)
    assert row == ["Source", *place, printed, expected, agrees, "why"]
    assert not np.signbit(row[4]) or row[4] < -1e-12
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
    shares = measure_matrix(*(count / len(truth) for count in matrix))
    assert shares == approx(found)


@pytest.mark.parametrize(("actual", "predicted"), [(30, 40), (30, 27), (5, 5), (80, 10)])
def test_no_matrix_with_these_totals_has_a_larger_kappa(actual, predicted):
    kappas = [
        measure_matrix(tp, actual - tp, fp, 100 - actual - fp)
        for tp, fp in product(range(actual + 1), range(101 - actual))
        if tp + fp == predicted
    ]
    largest = max(found["kappa"] for found in kappas)
    assert [found["largest kappa"] for found in kappas] == approx([largest] * len(kappas))
