"""The kept verdicts follow from the kept simulation and tables."""

import io
import json
from pathlib import Path

import pandas as pd
import pytest

from study.companions.kaymak2010_experiment import PAPER, stated_sample
from study.paper.cases import cases_table, efficiency_table, power_table
from study.paper.claims import judged_claims
from study.paper.evidence import Case, readings_facts, readings_table
from study.paper.readings import READINGS
from study.paper.simulation import KEY
from study.published import published_numbers
from study.text.facts import to_json
from study.text.tables import to_csv

ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "tests/reference"


def test_readings_follow_from_the_simulation():
    path = REFERENCE / "forensics/simulation.csv.gz"
    simulation = pd.read_csv(path, dtype=dict.fromkeys(KEY, str))
    simulation[KEY] = simulation[KEY].fillna("")
    simulated = {tuple(row[key] for key in KEY): row for row in simulation.to_dict("records")}
    case = Case(published_numbers(), simulated, stated_sample())
    table = readings_table(READINGS, case)
    kept = pd.read_csv(REFERENCE / "forensics/readings.csv.gz", dtype=str, keep_default_na=False)
    pd.testing.assert_frame_equal(table.astype(str), kept)
    specification = pd.read_csv(REFERENCE / "tables/specification.csv")
    facts = to_json(readings_facts(READINGS, table, case, specification))
    told = (REFERENCE / "forensics/readings.json").read_text(encoding="utf-8")
    # The numbers of the kept simulation have six decimals.
    found, expected = (
        json.loads(text, parse_float=lambda digits: round(float(digits), 4))
        for text in (facts, told)
    )
    for name, fact in expected.items():
        assert found[name] == fact, name


@pytest.fixture(scope="module")
def tables():
    places = [(REFERENCE, path) for path in REFERENCE.rglob("*.csv*")]
    places += [(ROOT / "src/study", path) for path in ROOT.glob("src/study/many_data_sets/*.csv")]
    names = [path.relative_to(folder).as_posix().partition(".")[0] for folder, path in places]
    return {name: pd.read_csv(path) for name, (_, path) in zip(names, places, strict=True)}


def test_claims_follow_from_the_tables(tables):
    made = {
        "forensics/cases": cases_table(),
        "forensics/efficiency": efficiency_table(),
        "forensics/power": power_table(tables["many_data_sets/tests"]),
    }
    claims = {"forensics/claims": judged_claims({**tables, **made}, PAPER)}
    for name, table in (made | claims).items():
        found = pd.read_csv(io.StringIO(to_csv(table)))
        pd.testing.assert_frame_equal(found, tables[name], rtol=0, atol=2e-6, check_dtype=False)
