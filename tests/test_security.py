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


def test_a_package_that_a_config_allows_is_named_before_its_code_runs(
    tmp_path, monkeypatch, caplog
):
    code = "import logging, sklearn.naive_bayes as bayes\nlogging.warning('imported')\n"
    (tmp_path / "stranger.py").write_text(code + "Model = bayes.GaussianNB\n")
    monkeypatch.syspath_prepend(tmp_path)
    config = {"models": {"linear": {}, "own": {"estimator": "stranger.Model"}}}
    with pytest.raises(ConfigError, match=r"stranger\.Model is not of the packages"):
        read_config(config)
    assert not caplog.messages
    read_config(config | {"estimator_packages": ["sklearn", "stranger"]})
    assert caplog.messages == ["The config lets a model run code of: stranger.", "imported"]


@pytest.mark.parametrize("suffix", ["csv", "parquet", "pkl"])
def test_a_data_file_is_never_unpickled(tmp_path, suffix):
    marker, scores = tmp_path / "marker", tmp_path / f"scores.{suffix}"
    scores.write_bytes(pickle.dumps(Touching(marker)))
    done = CliRunner().invoke(main, ["measure", str(scores), "--label", "y"])
    assert f"Error: {scores} is a Python pickle, which can run code" in done.output
    assert not marker.exists()


def test_words_from_data_are_escaped_in_tables():
    table = pd.DataFrame({MARKUP: [0.5], "model": [rf"{MARKUP} \input{{/etc/passwd}}"]})
    cells = format_table(table)
    page, latex = str(html_table(cells)), str(latex_table(cells))
    assert MARKUP not in page
    assert page.count("&lt;script&gt;") == 2
    assert r"\input" not in latex
