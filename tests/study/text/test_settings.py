"""Settings as tables, each once."""

from pathlib import Path

import yaml

from study.text.settings import read_assumptions, setting_tables

CONFIG = Path(__file__).parents[3] / "config" / "config.yaml"


def test_every_assumption_of_the_config_is_found_with_a_key_of_the_config():
    text = CONFIG.read_text()
    config = yaml.safe_load(text)
    assumptions = read_assumptions(text)
    assert len(assumptions) == text.count("# ASSUME:")
    for key, why in assumptions.items():
        place = config
        for name in key.split("."):
            place = place[name]
        assert len(why) > 20
    assert "experiment.sampling" in assumptions


def test_settings_stand_once_either_as_assumed_or_in_their_section():
    text = "a:\n  # ASSUME: why.\n  b: 1\n  c: [2, 3]\nm:\n  # ASSUME: because.\n  n:\n    x: 1\n"
    assumed, others = setting_tables(yaml.safe_load(text), read_assumptions(text), {})
    assert assumed.to_numpy().tolist() == [["a.b", "1", "why."], ["m.n", "x 1", "because."]]
    assert others.to_numpy().tolist() == [["a", "c 2, 3"]]
