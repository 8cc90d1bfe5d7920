"""Templates and the numbers that they name; settings as tables, each once."""

from pathlib import Path

import pandas as pd
import pytest
import yaml

from study.errors import ExperimentError
from study.pages.filled_text import (
    fill_text,
    look_up,
    read_assumptions,
    setting_tables,
    values_of,
)

CONFIG = Path(__file__).parents[3] / "config" / "config.yaml"
TABLES = {"t": pd.DataFrame({"a": [1, 1, 2], "b": ["x", "y", "x"], "c": [0.1, 0.2, 0.3]})}
TABLE = pd.DataFrame({"model": ["linear", "network"], "auc": [0.75, 0.8125]})


def filled(tmp_path, text):
    (tmp_path / "text.rst").write_text(text, encoding="utf-8")
    (tmp_path / "curves.rst").write_text(
        "Curves of {{ snakemake.wildcards.model }},\nseed {{ snakemake.config['seed'] }}"
        " {{ snakemake.params.get('at', '') }}\n",
        encoding="utf-8",
    )
    captions = {"curves": tmp_path / "curves.rst"}
    facts = {"config": {"seed": 7}, "versions": {"numpy": "2"}}
    return fill_text([tmp_path / "text.rst"], captions, {"table": TABLE}, facts)


def test_values_filters_and_captions(tmp_path):
    text = (
        "{{ value('table', 'auc', model='network') | d(3) }} {{ rows('table') }} "
        "{{ 0.125 | percent }} {{ 1000 | count }} {{ 44850 | count }} "
        "{{ config.seed }} {{ versions.numpy }} <b>\n"
        "{{ caption('curves', {'at': 'x'}, model='linear') }}"
    )
    assert filled(tmp_path, text).splitlines() == [
        "0.812 2 12.5 % 1000 44,850 7 2 <b>",  # not escaped: it is no web page
        "Curves of linear, seed 7 x",
    ]


def test_one_value_is_looked_up_and_more_or_none_are_refused():
    assert look_up(TABLES, "t", "c", a=1, b="y") == 0.2
    with pytest.raises(ExperimentError, match=r"one row of t with .*, not 2"):
        look_up(TABLES, "t", "c", a=1)
    with pytest.raises(ExperimentError, match="names the table u"):
        look_up(TABLES, "u", "c")
    assert values_of(TABLES, "t", "c", b="x") == [0.1, 0.3]
    with pytest.raises(ExperimentError, match="there are none"):
        values_of(TABLES, "t", "c", a=3)


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
