"""What the front pages say of the study is what the reference says."""

import re
from pathlib import Path

import pandas as pd
import pytest

from kappacurve.algebra import perfect_auk

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "tests/reference/bakeoff"


def words(name):
    return " ".join((ROOT / name).read_text(encoding="utf-8").split())


def told(row, sign=1):
    """As the pages write a difference: 1.2 [0.3, 4.5]."""
    ends = sorted(sign * row[key] for key in ("low", "high"))
    return f"{sign * row['difference']:.1f} [{ends[0]:.1f}, {ends[1]:.1f}]"


@pytest.mark.parametrize("page", ["README.md", "docs/bakeoff.md"])
def test_the_answer_is_that_of_the_study(page):
    headline = pd.read_csv(KEPT / "headline.csv").query("goal == 'mean' and round == 2")
    headline = headline.set_index("measure")
    ratio = pd.read_csv(KEPT / "ratio.csv").query("round == 1 and measure == 'auk'")
    balanced = ratio.query("n_positive == 25 and prevalence == 0.02 and ratio == 1").iloc[0]
    page = words(page)
    for claim in (told(headline.loc["log_loss"]), told(headline.loc["auk"]), told(balanced, -1)):
        assert claim in page
    assert f"even a perfect classifier's AUK is only {perfect_auk(0.1):.2f}" in words("README.md")


def test_the_page_tells_every_hypothesis_as_it_ended():
    page = (ROOT / "docs/bakeoff.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \d[ab]?: .*\| (.*) \| (.*) \|$", page, flags=re.MULTILINE)
    kept = pd.read_csv(KEPT / "hypotheses.csv")
    assert len(rows) == len(kept)
    for (estimate, verdict), (_, row) in zip(rows, kept.iterrows(), strict=True):
        assert verdict.split(",")[0] == row["verdict"]
        whole = told(row.rename({"estimate": "difference"}))
        assert estimate == (whole if row["low"] == row["low"] else f"{row['estimate']:.1f}")


def test_what_choose_says_chose_worse_did_so_in_both_rounds():
    headline = pd.read_csv(KEPT / "headline.csv").query("goal == 'mean'")
    worse = headline[headline["measure"].isin(["ks", "f1", "mcc", "kappa_max", "h"])]
    assert len(worse) == 10 and (worse["high"] < 0).all()
    trees = pd.read_csv(KEPT / "sensitivity.csv").query("menu == 'trees' and truth == 'oracle'")
    assert (trees.query("measure == 'log_loss'")["high"] < 0).all()


def test_the_appendix_may_say_that_no_measure_at_the_goals_cost_was_shown_to_choose_better():
    headline = pd.read_csv(KEPT / "headline.csv").query("goal == 'mean'")
    at_cost = headline[headline["measure"].isin(["auk_goal", "h_goal"])]
    assert len(at_cost) == 4 and (at_cost["low"] < 0).all()
