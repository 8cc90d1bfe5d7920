"""The paper's tables and claims, of the stored tables of the default run."""

from pathlib import Path

import pytest

from study.paper.facts import gather_facts, judge_claims, read_tables

EXPECTED = Path(__file__).parents[2] / "expected"


@pytest.fixture(scope="session")
def paper():
    """Tables of the run by name, and the claims."""
    tables = read_tables(EXPECTED.glob("*/*.csv"))
    return tables, judge_claims(gather_facts(tables))[0]
