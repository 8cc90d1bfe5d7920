"""A config that can't work is refused with one sentence that names the key."""

import copy
import re
from pathlib import Path

import pytest
import yaml

from study.settings.cells import part_bounds, sweep_levels
from study.settings.check import ConfigError, check_config, check_folder

ROOT = Path(__file__).parents[3]
DEFAULT = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())


def merged(overrides):
    config = copy.deepcopy(DEFAULT)
    for key, value in overrides.items():
        *parents, last = key.split(".")
        place = config
        for name in parents:
            place = place[name]
        place[last] = value
    return config


def test_default_is_accepted():
    check_config(copy.deepcopy(DEFAULT), [ROOT / "config" / "config.yaml"], ROOT)


@pytest.mark.parametrize(
    "overrides",
    [
        {"experiment.sampling": "total"},
        {"experiment.n_minority": 87},
        {"experiment.skew": 0.5, "experiment.n_train": 300},
        {"experiment.prevalence": "nominal"},
        {"data.source": "file", "data.path": str(ROOT / "README.md")},
    ],
    ids=str,
)
def test_alternatives_are_accepted(overrides):
    check_config(merged(overrides), [], ROOT)


def test_a_study_that_is_switched_off_is_not_checked():
    off = {"companions.baker.enabled": False, "companions.baker.group": "age"}
    check_config(merged(off), [], ROOT)


def test_false_takes_a_model_out():
    config = merged({"models.logistic": False})
    check_config(config, [], ROOT)
    assert "logistic" not in config["models"]
    assert "linear" in config["models"]


def laid_over(config, changes):
    """As Snakemake lays one config file over another."""
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(config.get(key), dict):
            laid_over(config[key], value)
        else:
            config[key] = value
    return config


def configs_in(page):
    text = (ROOT / "docs" / page).read_text()
    blocks = re.findall(r"^( *)```yaml\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    return [laid_over(copy.deepcopy(DEFAULT), yaml.safe_load(block)) for _, block in blocks]


@pytest.mark.parametrize("page", ["scaling.md", "cluster.md"])
def test_configs_for_large_runs_are_accepted_as_printed(page):
    found = configs_in(page)
    assert found
    for config in found:
        check_config(config, [], ROOT)
        assert "logistic" not in config["models"]


def test_a_billion_replicates_are_a_billion():
    million, billion = configs_in("scaling.md")
    assert million["replicates"]["count"] == 10**6
    levels, skipped = sweep_levels(billion)
    assert len(levels) * billion["sweep"]["count"] == 10**9
    assert len(levels) * len(part_bounds(billion["sweep"])) == 10_000
    assert not skipped


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"sede": 1}, "key sede is unknown; did you mean seed?"),
        ({"seed": "x"}, "key seed: 'x' is not of type 'integer'"),
        ({"seed": -1}, "key seed: -1 is less than the minimum of 0"),
        ({"experiment.skew": 1.3}, "key experiment.skew: 1.3 is greater"),
        ({"experiment.skew": 0}, "key experiment.skew: 0 is less"),
        ({"experiment.skw": 0.1}, "key experiment.skw is unknown; did you mean skew?"),
        ({"experiment.skew": 0.0005}, "key experiment.skew: a skew of 0.0005 here needs"),
        ({"experiment.n_train": 786}, "key experiment.n_train: 786 training rows of 786"),
        ({"original.n_train": 999}, "key original.n_train: 999 training rows of 1000"),
        ({"experiment.encoding": "ordinal"}, "key experiment.encoding: 'ordinal' is unknown"),
        (
            {"experiment.sampling": "total", "experiment.total": 900},
            "the data have 700 good ones: change skew, total or n_minority",
        ),
        ({"experiment": None}, "key experiment: None is not of type 'object'"),
        ({"data.source": "web"}, "key data.source: 'web' is not one of"),
        ({"data.source": "file"}, "key data.path is needed when data.source is file"),
        (
            {"data.source": "file", "data.path": "no/such.data"},
            "key data.path: there is no file no/such.data",
        ),
        ({"data.uci_url": "ftp://x"}, "key data.uci_url: 'ftp://x' does not match"),
        ({"models": {}}, "key models"),
        ({"models.neural_nett": {}}, "key models.neural_nett is not a registered model"),
        ({"models.linear": 3}, "key models.linear is 3; The model's settings"),
        ({"models.logistic": {"c": 1}}, "key models.logistic: logistic has no setting c"),
        ({"figures.models": ["linear", "forest"]}, "key figures.models: forest is not among"),
        ({"figures.models": ["linear", "linear"]}, "key figures.models: ['linear', 'linear']"),
        (
            {"forensics.test_sizes": [320, 150]},
            "key forensics.test_sizes: 320 comes first but exceeds 150",
        ),
        ({"forensics.minority_share": [0.1]}, "key forensics.minority_share: [0.1] is too short"),
        ({"companions.hand": False}, "key companions.hand: False is not of type 'object'"),
        ({"companions.hnad": {}}, "key companions.hnad is unknown; did you mean hand?"),
        ({"companions.baker.group": "age"}, "key companions.baker.group: age is not a coded"),
        (
            {"companions.silipo.n_rows": 100, "companions.silipo.share_bad": 0.02}
            | {"companions.silipo.train_share": 0.9},
            "key companions.silipo.n_rows: 100 rows leave no bad one",
        ),
        ({"companions.baker.threshold": 0.5}, "key companions.baker.threshold: 0.5 is not one of"),
        ({"companions.silipo.neighbors": 70}, "key companions.silipo.neighbors: SMOTE needs"),
        ({"figures.figure1": {"prevalence": 0.3}}, "key figures.figure1.separations is missing"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_refusals(overrides, message):
    with pytest.raises(ConfigError) as refusal:
        check_config(merged(overrides), [], ROOT)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_duplicate_keys_are_refused_with_their_line(tmp_path):
    file = tmp_path / "my.yaml"
    file.write_text("seed: 1\nexperiment:\n  skew: 0.1\n  skew: 0.2\n")
    with pytest.raises(ConfigError, match=r"skew stands twice in .*my\.yaml.* line 4"):
        check_config(copy.deepcopy(DEFAULT), [file], ROOT)


def test_every_key_of_the_default_has_a_meaning_in_the_schema():
    schema = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())

    def undescribed(part, path=""):
        for name, sub in part.get("properties", {}).items():
            if sub.get("type") == "object" and "properties" in sub:
                assert sub["additionalProperties"] is False
                yield from undescribed(sub, f"{path}{name}.")
            elif "description" not in sub:
                yield f"{path}{name}"

    assert list(undescribed(schema)) == []
    assert schema["additionalProperties"] is False


def test_a_results_folder_that_cannot_be_written_to_is_named(tmp_path, monkeypatch):
    check_folder(tmp_path)
    check_folder(tmp_path / "new")
    (tmp_path / "results").write_text("in the way")
    with pytest.raises(ConfigError, match="results is a file, but a folder is needed"):
        check_folder(tmp_path / "results")
    # Root may write everywhere, so the answer of the system is put in its mouth.
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(ConfigError, match="can't be written to: change its rights"):
        check_folder(tmp_path)
