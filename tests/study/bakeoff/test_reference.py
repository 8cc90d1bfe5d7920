"""What README says of the study is what the reference says."""

from pathlib import Path

import pandas as pd

from kappacurve.algebra import perfect_auk

ROOT = Path(__file__).parents[3]
HEADLINE = pd.read_csv(ROOT / "tests/reference/bakeoff/headline.csv")
README = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())


def test_the_short_answer_is_that_of_the_study():
    headline = HEADLINE.query("goal == 'mean' and tier == 'A' and n_positive == 25")
    headline = headline.set_index("measure")
    more = headline.loc["auk", ["difference", "low", "high"]]
    assert "AUK obtained {:.1f} [{:.1f}, {:.1f}] percentage points more".format(*more) in README
    more = headline.loc["log_loss", ["difference", "low", "high"]]
    assert "obtained {:.1f} [{:.1f}, {:.1f}] points more".format(*more) in README
    designs = pd.read_csv(ROOT / "tests/reference/bakeoff/by_design.csv")
    here = "prevalence == 0.02 and sample == 'balanced' and n_positive == 25 and goal == 'mean'"
    less = -designs.query(here).iloc[0][["difference", "high", "low"]]
    assert "AUK loses: by {:.1f} [{:.1f}, {:.1f}] points".format(*less) in README
    worse = ["ks", "f1", "mcc", "h", "average_precision", "kappa_max"]
    assert (headline.loc[worse, "high"] < 0).all()
    assert f"even a perfect classifier's AUK is only {perfect_auk(0.1):.2f}" in README
