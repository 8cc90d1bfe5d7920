"""Templates and the numbers that they name."""

import pandas as pd
import pytest

from study.errors import ExperimentError
from study.pages.filled_text import fill_text

TABLE = pd.DataFrame({"model": ["linear", "network"], "auc": [0.75, 0.8125]})


def filled(tmp_path, text, **changes):
    (tmp_path / "text.rst").write_text(text, encoding="utf-8")
    (tmp_path / "curves.rst").write_text(
        "Curves of {{ snakemake.wildcards.model }},\nseed {{ snakemake.config['seed'] }}"
        " {{ snakemake.params.get('at', '') }}\n",
        encoding="utf-8",
    )
    options = {
        "title": "A \u00dc",
        "captions": [tmp_path / "curves.rst"],
        "config": {"seed": 7},
        "tables": {"table": TABLE},
        "verdict": "# Verdict\n\n## Yes\n\nIt was.\n\n## No\n\nNot this.\n",
        "facts_of_run": {"versions": {"numpy": "2"}},
    } | changes
    return fill_text([tmp_path / "text.rst"], **options)


def test_values_filters_captions_and_verdict(tmp_path):
    text = (
        "{{ value('table', 'auc', model='network') | d(3) }} {{ rows('table') }} "
        "{{ 0.125 | percent }} {{ config.seed }} {{ versions.numpy }} <b>\n"
        "{{ caption('curves', {'at': 'x'}, model='linear') }}\n{{ verdict('Yes') }}"
    )
    found = filled(tmp_path, text).splitlines()
    assert found[:3] == ["###", "A \u00dc", "###"]
    assert found[5].split()[:1] == ["0.812"]
    assert found[5].split()[1] == "2"
    assert "12.5" in found[5]
    assert found[5].endswith("7 2 <b>")  # not escaped: it is no web page
    assert found[6] == "Curves of linear, seed 7 x"
    assert found[7].strip() == "It was."


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
