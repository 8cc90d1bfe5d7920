"""Templates and the numbers that they name."""

import pandas as pd
import pytest

from study.errors import ExperimentError
from study.pages.filled_text import fill_text

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
        "{{ 0.125 | percent }} {{ config.seed }} {{ versions.numpy }} <b>\n"
        "{{ caption('curves', {'at': 'x'}, model='linear') }}"
    )
    assert filled(tmp_path, text).splitlines() == [
        "0.812 2 12.5 % 7 2 <b>",  # not escaped: it is no web page
        "Curves of linear, seed 7 x",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ no_such }}", "the text text.rst can't be filled: 'no_such' is undefined"),
        ("{% if %}", "the text text.rst can't be filled"),
        ("{{ caption('none') }}", "the text names the caption none"),
    ],
)
def test_a_template_that_names_what_is_not_there(tmp_path, text, message):
    with pytest.raises(ExperimentError, match=message):
        filled(tmp_path, text)
