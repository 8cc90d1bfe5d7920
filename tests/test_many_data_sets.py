"""What the repository takes from the study of many data sets, and says of it."""

from pathlib import Path

import pandas as pd
import pytest

from kappacurve.algebra import perfect_auk
from write_pages import PAGES, written

ROOT = Path(__file__).parents[1]
COPY = ROOT / "src/study/many_data_sets"


@pytest.mark.parametrize("table", sorted(COPY.iterdir()), ids=lambda path: path.stem)
def test_the_copy_is_what_the_study_keeps(table):
    study = ROOT / "studies/many-data-sets"
    # Round 1 alone tested models in pairs; round 3 keeps its own.
    folders = (study / name for name in ("kept", "kept/practice", "docs/round1"))
    kept = next(path for folder in folders if (path := folder / table.name).exists())
    assert table.read_bytes() == kept.read_bytes(), "run make study-copy"


def told(row, sign=1):
    """As the page writes a difference: 1.2 [0.3, 4.5]."""
    ends = sorted(sign * row[key] for key in ("low", "high"))
    return f"{sign * row['difference']:.1f} [{ends[0]:.1f}, {ends[1]:.1f}]"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_say_what_the_tables_say(path):
    page = path.read_text(encoding="utf-8")
    assert page == written(page, PAGES[path], ROOT / "studies/many-data-sets/kept/practice")


def test_the_first_page_tells_the_studys_answer():
    headline = pd.read_csv(COPY / "headline.csv").query("goal == 'mean' and round == 2")
    headline = headline.set_index("measure")
    ratio = pd.read_csv(ROOT / "studies/many-data-sets/kept/ratio.csv").query(
        "round == 1 and measure == 'auk'"
    )
    balanced = ratio.query("n_positive == 25 and prevalence == 0.02 and ratio == 1").iloc[0]
    page = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    for claim in (told(headline.loc["auk"]), told(balanced, -1)):
        assert claim in page
    assert f"even a perfect classifier's AUK is only {perfect_auk(0.1):.2f}" in page
