"""What a text may say about a run."""

from pathlib import Path

import pandas as pd
import pytest
import yaml

from study.errors import ExperimentError
from study.pages.facts import (
    look_up,
    read_assumptions,
    setting_tables,
    values_of,
)

CONFIG = Path(__file__).parents[3] / "config" / "config.yaml"
TABLES = {"t": pd.DataFrame({"a": [1, 1, 2], "b": ["x", "y", "x"], "c": [0.1, 0.2, 0.3]})}


def test_one_value_is_looked_up_and_more_or_none_are_refused():
    assert look_up(TABLES, "t", "c", a=1, b="y") == 0.2
    with pytest.raises(ExperimentError, match=r"one row of t with .*, not 2"):
        look_up(TABLES, "t", "c", a=1)
    with pytest.raises(ExperimentError, match="names the table u"):
        look_up(TABLES, "u", "c")


def test_values_of_rows_are_listed_and_none_are_refused():
    assert values_of(TABLES, "t", "c", b="x") == [0.1, 0.3]
    with pytest.raises(ExperimentError, match="there are none"):
        values_of(TABLES, "t", "c", a=3)


def test_every_assumption_of_the_config_is_found_with_a_key_of_the_config():
    text = CONFIG.read_text()
    config = yaml.safe_load(text)
    assumptions = read_assumptions(text)
    assert len(assumptions) == text.count("# ASSUME:")
    for key, why in assumptions:
        place = config
        for name in key.split("."):
            place = place[name]
        assert len(why) > 20
    assert "experiment.sampling" in [one.key for one in assumptions]


def test_settings_stand_once_either_as_assumed_or_in_their_section():
    text = "a:\n  # ASSUME: why.\n  b: 1\n  c: [2, 3]\nm:\n  # ASSUME: because.\n  n:\n    x: 1\n"
    assumed, others = setting_tables(yaml.safe_load(text), read_assumptions(text), {})
    assert assumed.to_numpy().tolist() == [["a.b", "1", "why."], ["m.n", "x 1", "because."]]
    assert others.to_numpy().tolist() == [["a", "c 2, 3"]]


def test_a_model_that_is_switched_off_needs_no_assumption():
    text = "m:\n  # ASSUME: because.\n  n:\n    x: 1\n"
    assumed, _ = setting_tables({"m": {}}, read_assumptions(text), {})
    assert assumed.empty
