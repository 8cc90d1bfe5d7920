import pandas as pd

from study.companions import ben_david2008


def section3_of(leads):
    """The second claim's check, of leads of the linear model in (kappa, accuracy)."""
    rows = []
    for replicate, (kappa, accuracy) in enumerate(leads):
        rows.append((replicate, "linear", 0.3 + kappa, 0.7 + accuracy, 0.6))
        rows.append((replicate, "neural_net", 0.3, 0.7, 0.6))
    columns = ["replicate", "model", "kappa", "accuracy", "chance"]
    return ben_david2008.section3(pd.DataFrame(rows, columns=columns))[1]


def test_hits_by_chance_are_counted_beyond_a_third():
    chances = [0.2, 0.4, 1 / 3, 0.5, 0.3, 0.6]
    rows = [(n // 2, ("linear", "neural_net")[n % 2], 0.3, 0.7, c) for n, c in enumerate(chances)]
    columns = ["replicate", "model", "kappa", "accuracy", "chance"]
    mean, _, beyond = ben_david2008.section3(pd.DataFrame(rows, columns=columns))
    assert (mean.found, mean.expected, mean.holds) == (sum(chances) / 6, 1 / 3, True)
    assert (beyond.found, beyond.n) == (0.5, 6)
    assert ben_david2008.section3(pd.DataFrame(rows[::2], columns=columns)) == []


def test_rounding_noise_does_not_rank_models_apart():
    noise = 0.1 + 0.2 - 0.3
    check = section3_of([(0.1, -0.1), (0.1, 0.1), (-noise, 0.1), (0.1, -noise)])
    assert check.found == 0.25


def test_often_is_more_than_half_of_the_splits():
    apart, alike = (0.1, -0.1), (0.1, 0.1)
    assert section3_of([apart] * 90 + [alike] * 10).holds is True
    assert section3_of([apart] * 10 + [alike] * 90).holds is False
    assert section3_of([apart] * 50 + [alike] * 50).holds is None
