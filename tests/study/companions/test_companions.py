"""What related papers print, computed again, is what the default run found."""

import pandas as pd
import pytest

from study.companions import baker, ben_david2008, hand2009, silipo_widmann
from study.companions.printed import compare_numbers


@pytest.mark.parametrize("module", [ben_david2008, hand2009, baker])
def test_numbers_are_those_of_the_default_run(module, expected):
    found = module.study_source().reset_index(drop=True)
    stored = expected("tables/companions")
    own = stored[stored["source"] == found["source"][0]].reset_index(drop=True)
    assert found["agrees"].tolist() == own["agrees"].tolist()
    assert found["computed"].tolist() == pytest.approx(own["computed"].tolist(), abs=2e-6)


def test_numbers_of_the_printed_matrices_are_those_of_the_default_run(expected):
    found = compare_numbers("Silipo & Widmann", silipo_widmann.compute_matrices())
    keys = ["place", "quantity"]
    both = found.merge(expected("tables/companions"), on=keys, suffixes=("", "_stored"))
    assert len(both) == len(found) > 8
    assert both["computed"].tolist() == pytest.approx(both["computed_stored"].tolist(), abs=2e-6)


def test_a_matrix_has_the_printed_kappa_and_its_own_maximum():
    """Of 300 customers: kappa .4516; all 30 bad ones found among 40 flagged would give .8387."""
    found = silipo_widmann.compute_matrices()
    assert found["Figure 2, SMOTE", "kappa"] == pytest.approx(0.451613, abs=1e-6)
    assert found["Figure 2, SMOTE", "largest kappa"] == pytest.approx(0.83871, abs=1e-6)


def test_a_number_agrees_if_it_rounds_to_the_printed_one():
    place = "Worked example", "kappa"
    for value, agrees in ((0.5294, "yes"), (0.5296, "no")):
        (row,) = compare_numbers("Baker", {place: value}).to_dict("records")
        assert row["agrees"] == agrees
    runs = {place: (2, 150)}
    (row,) = compare_numbers("Baker", {place: 0.1}, runs=runs).to_dict("records")
    assert row["agrees"] == "rare"


def test_the_prevalence_of_the_largest_kappa_is_a_maximum():
    rates = silipo_widmann.compute_rates(silipo_widmann.SMOTE)
    best = silipo_widmann.find_best_prevalence(*rates)
    shares = pd.Series([best - 1e-3, best, best + 1e-3])
    kappas = silipo_widmann.kappa_from_rates(*rates, shares.to_numpy())
    assert kappas.argmax() == 1 and best == pytest.approx(0.311, abs=5e-4)
