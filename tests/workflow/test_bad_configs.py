"""A bad config as its user meets it: Snakemake prints our sentences, and no traceback."""

import pytest


@pytest.fixture
def refused(tmp_path, snakemake):
    def said(text):
        (tmp_path / "my.yaml").write_text(text)
        done = snakemake(tmp_path / "work", "--dry-run", config=tmp_path / "my.yaml")
        assert done.returncode == 1
        assert "Traceback" not in done.stdout
        assert not (tmp_path / "work" / "results").exists()
        return done.stdout

    return said


def test_snakemake_shows_every_sentence(refused):
    text = "sede: 1\nmodels: {neural_net: {hidden_units: 0}, mine: {estimator: os.system}}"
    said = refused(text)
    assert said.count("config key sede is unknown; did you mean seed?") == 1
    assert said.count("config key models.neural_net.hidden_units is 0: Input should be") == 1
    assert said.count("config key models.mine: estimator os.system is") == 1


@pytest.mark.slow
def test_snakemake_runs_no_program_of_a_config(refused):
    assert refused("__use_yte__: true\nseed: ?1 + 2").count("config key __use_yte__ in") == 1
