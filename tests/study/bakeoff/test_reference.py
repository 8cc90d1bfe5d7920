"""What the documents say of the study is what the reference says."""

from pathlib import Path

import pandas as pd

from kappacurve.auk import perfect_auk
from study.settings.bakeoff import read_bakeoff

ROOT = Path(__file__).parents[3]
HEADLINE = pd.read_csv(ROOT / "tests/reference/bakeoff/headline.csv")
PAGE, README = (
    " ".join((ROOT / name).read_text(encoding="utf-8").split())
    for name in ("docs/bakeoff.md", "README.md")
)


def stated(**where):
    """A difference as the page writes it: 1.8 [0.3, 3.3]."""
    row = HEADLINE
    for key, value in where.items():
        row = row[row[key] == value]
    one = row.iloc[0]
    return f"{one['difference']:.1f} [{one['low']:.1f}, {one['high']:.1f}]"


def test_the_page_states_the_headline_with_its_intervals():
    for goal in ("mean", "cost_0.9", "cost_0.99", "cost_balanced", "precision_top"):
        assert stated(measure="auk", goal=goal, tier="A", n_positive=25) in PAGE
    for tier in ("A", "A+B"):
        assert stated(measure="auk", goal="mean", tier=tier, n_positive=5) in PAGE


def test_the_short_answer_is_that_of_the_study():
    more = stated(measure="auk", goal="mean", tier="A", n_positive=25)
    assert f"AUK obtained {more} percentage points more" in README
    designs = pd.read_csv(ROOT / "tests/reference/bakeoff/by_design.csv")
    here = "prevalence == 0.02 and sample == 'balanced' and n_positive == 25 and goal == 'mean'"
    less = -designs.query(here).iloc[0][["difference", "high", "low"]]
    assert "it obtained {:.1f} [{:.1f}, {:.1f}] points less".format(*less) in README
    worse = HEADLINE.query("goal == 'mean' and tier == 'A' and n_positive == 25")
    worse = worse.set_index("measure").loc[
        ["ks", "f1", "mcc", "h", "average_precision", "kappa_max"], "high"
    ]
    assert (worse < 0).all()
    assert f"even a perfect classifier's AUK is only {perfect_auk(0.1):.2f}" in README


def test_every_family_has_its_origin_and_licence_in_the_documents():
    text = (ROOT / "docs/bakeoff-data.md").read_text(encoding="utf-8")
    for name, family in read_bakeoff(ROOT / "config/bakeoff.yaml")["families"].items():
        assert f"| {name} | {family['tier']} |" in text
        assert family["licence"].replace("|", "\\|") in text
