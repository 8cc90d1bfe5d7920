"""What SECURITY.md promises of configs and data files; ruff's S rules check the code.

That pages load nothing: the fixture open_page. That words of the data are no
markup of the documents: tests/study/text/test_documents.py.
"""

import pickle
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from snakemake.common.configfile import load_configfile
from snakemake.exceptions import WorkflowError

from kappacurve.cli import main
from study.settings import ConfigError, read_config
from study.text.tables import format_table, html_table, latex_table

MARKUP = '<script>alert("x")</script>'


class Touching:
    """Creates a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def test_an_object_in_a_config_is_not_built(tmp_path):
    marker, config = tmp_path / "marker", tmp_path / "config.yaml"
    config.write_text(f"seed: !!python/object/apply:pathlib.Path.touch [{marker}]\n")
    with pytest.raises(ConfigError, match="could not determine a constructor"):
        read_config({}, [config])
    with pytest.raises(WorkflowError, match="not valid JSON or YAML"):
        load_configfile(config)
    assert not marker.exists()


@pytest.mark.parametrize("suffix", ["csv", "parquet", "pkl"])
def test_a_data_file_is_never_unpickled(tmp_path, suffix):
    marker, scores = tmp_path / "marker", tmp_path / f"scores.{suffix}"
    scores.write_bytes(pickle.dumps(Touching(marker)))
    done = CliRunner().invoke(main, ["measure", str(scores)])
    assert done.exit_code != 0
    assert not marker.exists()


def test_words_from_data_are_escaped_in_tables():
    table = pd.DataFrame({MARKUP: [0.5], "model": [rf"{MARKUP} \input{{/etc/passwd}}"]})
    cells = format_table(table)
    page, latex = str(html_table(cells)), str(latex_table(cells))
    assert MARKUP not in page
    assert page.count("&lt;script&gt;") == 2
    assert r"\input" not in latex
