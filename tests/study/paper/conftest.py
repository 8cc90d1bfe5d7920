"""What the claims read."""

from pathlib import Path

import pandas as pd
import pytest

from study.paper.claims import FILES
from study.paper.counts import counts_table
from study.paper.explanations import measure_settings
from study.paper.printed import prevalences_table

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def prevalences():
    return prevalences_table()


@pytest.fixture(scope="session")
def counts():
    return counts_table()


@pytest.fixture(scope="session")
def measured(kept):
    """The splits' measures by the share of positives at which they are taken."""
    return measure_settings(kept)


@pytest.fixture(scope="session")
def tables_of_run():
    """The files that the claims name, those of the default run."""
    folders = {True: ROOT, False: ROOT / "tests/expected"}
    return {
        name: pd.read_csv(folders[path.startswith("studies/")] / path)
        for name, path in FILES.items()
    }


@pytest.fixture
def tables(tables_of_run):
    """The same, to be changed by a test."""
    return {name: table.copy() for name, table in tables_of_run.items()}
