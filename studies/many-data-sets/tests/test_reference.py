"""What README.md says of the study is what the kept tables say."""

import re
from pathlib import Path

import pandas as pd

HOUSE = Path(__file__).parents[1]
KEPT = HOUSE / "kept"
PAGE = (HOUSE / "README.md").read_text(encoding="utf-8")


def told(row, sign=1):
    """As the page writes a difference: 1.2 [0.3, 4.5]."""
    ends = sorted(sign * row[key] for key in ("low", "high"))
    return f"{sign * row['difference']:.1f} [{ends[0]:.1f}, {ends[1]:.1f}]"


def test_the_answer_is_that_of_the_study():
    headline = pd.read_csv(KEPT / "headline.csv").query("goal == 'mean' and round == 2")
    headline = headline.set_index("measure")
    ratio = pd.read_csv(KEPT / "ratio.csv").query("round == 1 and measure == 'auk'")
    balanced = ratio.query("n_positive == 25 and prevalence == 0.02 and ratio == 1").iloc[0]
    words = " ".join(PAGE.split())
    for claim in (told(headline.loc["log_loss"]), told(headline.loc["auk"]), told(balanced, -1)):
        assert claim in words


def test_the_page_tells_every_hypothesis_as_it_ended():
    earlier = PAGE.partition("## Rounds 1 and 2")[2]
    rows = re.findall(r"^\| \d[ab]?: .*\| (.*) \| (.*) \|$", earlier, flags=re.MULTILINE)
    kept = pd.read_csv(KEPT / "hypotheses.csv")
    assert len(rows) == len(kept)
    for (estimate, verdict), (_, row) in zip(rows, kept.iterrows(), strict=True):
        assert verdict.split(",")[0] == row["verdict"]
        whole = told(row.rename({"estimate": "difference"}))
        assert estimate == (whole if row["low"] == row["low"] else f"{row['estimate']:.1f}")


def test_who_chose_worse_in_both_rounds_is_as_the_page_says():
    headline = pd.read_csv(KEPT / "headline.csv").query("goal == 'mean'")
    worse = headline[headline["measure"].isin(["ks", "f1", "mcc", "kappa_max", "h"])]
    assert len(worse) == 10 and (worse["high"] < 0).all()
    at_cost = headline[headline["measure"].isin(["auk_goal", "h_goal"])]
    assert len(at_cost) == 4 and (at_cost["low"] < 0).all()
    trees = pd.read_csv(KEPT / "sensitivity.csv").query("menu == 'trees' and truth == 'oracle'")
    assert (trees.query("measure == 'log_loss'")["high"] < 0).all()
