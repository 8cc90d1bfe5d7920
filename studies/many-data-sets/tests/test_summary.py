"""The tables of the study from outcomes of five families in which every number is different."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from many_data_sets.summary import Summary

NAMES = [*"vwxyz"]
LEADS = [1.0, -2.0, 4.0, -8.0, 16.0]  # mean 2.2
LEVELS = {"headline": {"n_positive": 25, "prevalence": 0.05}, "seed": 1, "resamples": 20_000}
LEVELS |= {"n_positive": [25, 100], "ratio_n_positive": [25]}
AUK = "2: AUK - AUC, new sources, prevalence 0.05"
CELL = {"design": "natural", "ties": "kept", "n_positive": 25, "n_negative": 475, "menu": "all"}
CELL |= {"prevalence": 0.05, "truth": "oracle", "outcome": "gain", "goal": "mean", "measure": "auk"}


def cell(leads, **changed):
    """A line for each family; values and Monte Carlo's deviations follow from its number."""
    lines = []
    for number, (name, lead) in enumerate(zip(NAMES, leads, strict=False), 1):
        own = {"family": name, "lead": lead, "value": 10.0 * number, "mc_sd": 0.1 * number**2}
        own |= {"separation": number, "hits_by_chance": 7.0 * number}
        own |= {"accuracy_and_kappa_disagree": 3.0 * number**2}
        lines.append(CELL | own | changed)
    return lines


def summary(*cells, sources="aabcd", tier="A", number=2):
    families = pd.DataFrame({"family": NAMES, "source": [*sources], "round": number, "tier": tier})
    return Summary(pd.DataFrame([line for lines in cells for line in lines]), families, LEVELS)


def one(table, **where):
    """The only line of a table in which columns have these values."""
    for column, value in where.items():
        table = table[table[column] == value]
    (row,) = (line for _, line in table.iterrows())
    return row


def test_a_line_has_the_mean_over_families_with_its_intervals():
    row = one(summary(cell(LEADS), cell([np.nan] * 5, measure="h")).headline())
    assert (row["families"], row["difference"]) == (5, pytest.approx(2.2))
    sd = np.sqrt((1.2**2 + 4.2**2 + 1.8**2 + 10.2**2 + 13.8**2) / 4)
    around = 2.776445 * sd * np.sqrt(6 / 5)  # Student's t of four degrees
    assert row["sd"] == pytest.approx(sd)
    assert row["predicted_low"] == pytest.approx(2.2 - around, abs=1e-5)
    assert row["predicted_high"] == pytest.approx(2.2 + around, abs=1e-5)
    every = [np.mean(drawn) for drawn in product(LEADS, repeat=5)]
    assert [row["low"], row["high"]] == pytest.approx(np.quantile(every, [0.025, 0.975]), abs=0.25)
    assert (row["attained"], row["share_ahead"]) == (30, 0.6)
    assert row["mc_sd"] == pytest.approx(0.1 * np.sqrt((1 + 16 + 81 + 256 + 625) / 5))


def test_sources_are_resampled_whole_if_there_are_five():
    few = one(summary(cell(LEADS)).headline())
    assert np.isnan([few["clustered_low"], few["clustered_high"]]).all()
    alike = one(summary(cell(LEADS), sources="abcde").headline())
    assert alike["clustered_low"] == pytest.approx(alike["low"], abs=0.25)
    assert alike["clustered_high"] == pytest.approx(alike["high"], abs=0.25)


def test_a_tie_of_a_measure_is_not_ahead():
    row = one(summary(cell([1e-9, 1.1e-9, 0.0, -1.0, 5.0])).headline())
    assert row["share_ahead"] == pytest.approx(0.4)


def test_what_is_left_out_shifts_the_mean_to_its_extremes():
    table = summary(cell(LEADS), cell(LEADS[::-1], menu="all without tree")).left_out()
    # Without source a 12 / 3, without b 7 / 4, without c 19 / 4, without d -5 / 4.
    low, high = (one(table, what="source", extreme=end) for end in ("smallest", "largest"))
    assert (low["left_out"], low["difference"], low["families"]) == ("d", -1.25, 4)
    assert (high["left_out"], high["difference"]) == ("c", 4.75)
    assert set(table.query("what == 'model'")["left_out"]) == {"tree"}


def test_families_in_the_order_of_auk_and_the_rows_of_every_design():
    cells = cell(LEADS), cell([9.0] * 5, measure="log_loss"), cell([0.0] * 5, measure="auc")
    found = summary(*cells, cell([5.0] * 5, n_positive=100))
    table = found.by_family()
    assert table["family"].tolist() == ["y", "w", "v", "x", "z"]
    assert table["auc_attained"].tolist() == [40, 20, 10, 30, 50]
    assert one(table, family="x")[["auk", "log_loss", "auk_mc_sd"]].tolist() == [4, 9, 0.9]
    sizes = found.sensitivity().query("measure == 'auk'").set_index(["tier", "n_positive"])
    assert sizes["difference"].to_dict() == pytest.approx(
        {("A", 25): 2.2, ("A", 100): 5, ("A+B", 25): 2.2}
    )
    means = found.matrix().query("measure == 'auk'")
    assert means[["families", "value"]].to_numpy().tolist() == [[5, 30]]
    both = found.accuracy().set_index("per_cent_of")["mean"]
    assert both.to_dict() == {"hits_by_chance": 21, "accuracy_and_kappa_disagree": 33}


def test_families_of_tier_b_count_with_the_fewest_positives_alone():
    cells = cell(LEADS), cell([5.0] * 5, n_positive=100)
    assert summary(*cells, tier=[*"AABBB"]).headline()["families"].tolist() == [2]
    table = summary(*cells, tier=[*"AABBB"]).sensitivity()
    assert sorted(table[["tier", "n_positive", "families"]].to_numpy().tolist()) == [
        ["A", 25, 2],
        ["A", 100, 2],
        ["A+B", 25, 5],
    ]


def test_along_the_costs_and_the_controls():
    curve = {"design": "costs", "goal": "cost_0.8"}
    controls = cell(LEADS, measure="random"), cell([0.5] * 5, outcome="shuffled_gain")
    half = cell([0.25, -0.75, 0, 0, 0], prevalence=0.5)
    found = summary(cell(LEADS, **curve), cell(LEADS, measure="goal", **curve), *controls, half)
    costs = found.costs().set_index("measure")
    assert costs.loc["auk", ["cost", "attained", "difference"]].tolist() == [0.8, 30, 2.2]
    assert "goal on the other half" in costs.index
    shown = found.controls().set_index("control")["difference"]
    assert shown["random values"] == shown["shuffled labels"] == 30  # their values, not their leads
    assert shown["AUK - AUC at 1/2, largest"] == 0.75


@pytest.mark.parametrize(
    ("lead", "at_auk", "at_size"),
    [
        (-1e-6, "refuted", "refuted"),
        (0.0, "refuted", "not confirmed"),
        (1e-6, "confirmed", "confirmed"),
    ],
)
def test_a_hypothesis_is_confirmed_above_zero_and_refuted_below_its_value(lead, at_auk, at_size):
    """Of AUK below 0.9, what round 1 had; of 25 and 100 positives below zero."""
    sizes = (
        cell([lead] * 5, measure="log_loss"),
        cell([0.0] * 5, measure="log_loss", n_positive=100),
    )
    table = summary(cell([lead] * 5), *sizes).hypotheses()
    verdicts = dict(zip(table["hypothesis"], table["verdict"], strict=True))
    assert verdicts[AUK] == at_auk
    assert verdicts["4: log loss - AUC, 25 less 100 positives, round 2"] == at_size
    assert verdicts["2: AUK - AUC, new sources, prevalence 0.02"] == "too few families"


@pytest.mark.parametrize(
    ("measure", "name", "least"),
    [("auk", AUK, 0.9), ("log_loss", "3: log loss - AUC, new sources, prevalence 0.05", 3.5)],
)
def test_a_hypothesis_is_refuted_where_its_interval_ends_below_what_round_1_had(
    measure, name, least
):
    wide = np.array([-10.0, 12.0, -8.0, 9.0, 1.0])
    high = one(summary(cell(wide, measure=measure)).hypotheses(), hypothesis=name)["high"]
    for end, verdict in ((least - 0.001, "refuted"), (least + 0.001, "not confirmed")):
        cells = cell(wide * end / high, measure=measure)
        row = one(summary(cells).hypotheses(), hypothesis=name)
        assert (row["verdict"], row["high"]) == (verdict, pytest.approx(end))


def test_four_families_are_too_few_for_a_verdict():
    table = summary(cell([1.0] * 4)).hypotheses()
    row = one(table, hypothesis=AUK)
    assert (row["families"], row["estimate"], row["verdict"]) == (4, 1, "too few families")
    assert [name[0] for name in table["hypothesis"]] == [*"22235"]


@pytest.mark.parametrize(
    ("means", "crossing", "verdict"),
    [
        ((-1, 1, 2), 2, "holds"),  # halfway between 1 and 4, by their logarithms
        ((-1, 0, 2), 4, "holds"),
        ((-5, 0.1, 2), 4 ** (5 / 5.1), "holds"),
        ((0, -1, 2), 1, "fails"),
        ((-1, -1, 1), 8, "fails"),
        ((-3, -2, -1), np.inf, "fails"),
        # Predicted are 2.5228: half and twice of it are 4 to the power of 0.1675 and 1.1675.
        ((-0.167, 0.833, 2), 4**0.167, "fails"),
        ((-0.168, 0.832, 2), 4**0.168, "holds"),
        ((-1, -0.167, 0.833), 4**1.167, "holds"),
        ((-1, -0.168, 0.832), 4**1.168, "fails"),
    ],
)
def test_where_the_mean_over_families_crosses_zero(means, crossing, verdict):
    cells = [
        cell([mean + part for part in (-0.5, 0.5)], design="ratio", n_negative=25 * ratio)
        for ratio, mean in zip((1, 4, 16), means, strict=True)
    ]
    # A family without the largest panel stays out.
    alone = [{**cell([50.0])[0], "family": "z", "design": "ratio", "n_negative": 25}]
    table = summary(*cells, alone, number=1).hypotheses()
    (row,) = (line for _, line in table.iterrows() if line["hypothesis"].startswith("1b"))
    assert (row["families"], row["estimate"]) == (2, pytest.approx(crossing))
    assert row["low"] <= row["estimate"] <= row["high"]
    if means == (-1, 1, 2):  # a quarter of the resamples has either family twice
        assert [row["low"], row["high"]] == pytest.approx([4**0.25, 4**0.75])
    assert row["hypothesis"] == "1b: break-even ratio, prevalence 0.05; predicted 2.5"
    assert row["verdict"] == verdict


def test_each_hypothesis_compares_its_own_cells():
    def leads(by, **changed):
        return cell([by * lead for lead in LEADS], **changed)

    cells = [leads(1), leads(2, prevalence=0.02), leads(3, prevalence=0.1), leads(9, measure="h")]
    of_loss = {"measure": "log_loss"}
    cells += [leads(4, **of_loss), leads(0.5, menu="strong", **of_loss)]
    cells += [leads(1, n_positive=100, **of_loss), leads(9, n_positive=50, **of_loss)]
    found = summary(*cells).hypotheses().set_index("hypothesis")["estimate"]
    assert found.to_dict() == pytest.approx(
        {
            AUK: 2.2,
            "2: AUK - AUC, new sources, prevalence 0.02": 4.4,
            "2: AUK - AUC, new sources, prevalence 0.1": 6.6,
            "3: log loss - AUC, new sources, prevalence 0.05": 8.8,
            "4: log loss - AUC, 25 less 100 positives, round 2": 6.6,
            "5: log loss - AUC, all ten less strong models, new sources": 7.7,
        }
    )
    ratios = [
        leads(by, design="ratio", n_negative=n * ratio, prevalence=p, n_positive=n)
        for p, n, least, most in ((0.02, 25, 1, 3), (0.05, 25, 1, 5), (0.05, 100, 9, 9))
        for by, ratio in ((least, 1), (most, 16))
    ]
    table = summary(*cells, *ratios, number=1).hypotheses().set_index("hypothesis")
    name = "1a: AUK - AUC, ratio 16 less ratio 1, prevalence"
    found = table["estimate"]
    assert (found[f"{name} 0.02"], found[f"{name} 0.05"]) == pytest.approx((4.4, 8.8))
    assert found["4: log loss - AUC, 25 less 100 positives, round 1"] == pytest.approx(6.6)
    assert table["families"][AUK] == 0
