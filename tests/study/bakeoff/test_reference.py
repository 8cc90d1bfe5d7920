"""What the documents say of the study is what the reference says."""

from pathlib import Path

import pandas as pd

from study.settings.bakeoff import read_bakeoff

ROOT = Path(__file__).parents[3]
HEADLINE = pd.read_csv(ROOT / "tests/reference/bakeoff/headline.csv")
PAGE = " ".join((ROOT / "docs/bakeoff.md").read_text(encoding="utf-8").split())


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


def test_every_family_has_its_origin_and_licence_in_the_documents():
    text = (ROOT / "docs/bakeoff-data.md").read_text(encoding="utf-8")
    for name, family in read_bakeoff(ROOT / "config/bakeoff.yaml")["families"].items():
        assert f"| {name} | {family['tier']} |" in text
        assert family["licence"].replace("|", "\\|") in text
