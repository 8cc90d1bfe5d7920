from pathlib import Path

import pytest
import yaml

from study.settings.cells import (
    cell_of,
    replicate_parts,
    replicates_expected,
    specification_levels,
    sweep_levels,
    sweep_parts,
)
from study.settings.check import check_config

ROOT = Path(__file__).parents[3]


@pytest.fixture
def config():
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    check_config(config, [])
    return config


@pytest.mark.parametrize(
    ("data", "label"),
    [
        ({}, "german_credit"),
        ({"source": "file", "target": "y", "path": "a/loans.2024.csv"}, "loans"),
        ({"source": "scikit-learn", "target": "y", "name": "breast_cancer"}, "breast_cancer"),
        ({"source": "uci", "target": "y", "uci_id": 17}, "UCI 17"),
    ],
)
def test_a_data_set_is_called_by_its_file_name_or_number(config, data, label):
    config["data"] |= data
    assert cell_of(config, ["linear"])["dataset"] == label


def test_slow_models_have_parts_of_their_own(config):
    together = ["linear", "logistic", "neural_net"]
    assert replicate_parts(config) == {
        "00000": (together, (0, 500)),
        "00001": (together, (500, 1000)),
        "neural_net_lm-00000": (["neural_net_lm"], (0, 200)),
    }
    assert replicates_expected(config) == {
        **dict.fromkeys(("linear", "logistic", "neural_net"), 1000),
        "neural_net_lm": 200,
    }


@pytest.mark.parametrize("parts", [replicate_parts, sweep_parts])
def test_a_model_of_the_users_leaves_the_parts_of_the_others_alone(config, parts):
    before = parts(config)
    config["models"]["bayes"] = {"estimator": "sklearn.naive_bayes.GaussianNB"}
    config["sweep"]["models"] = [*config["sweep"]["models"], "bayes"]
    after = parts(config)
    assert before.items() <= after.items()
    assert {name.rstrip("0123456789") for name in after.keys() - before.keys()} == {"bayes-"}


def test_a_new_level_leaves_the_other_cells_alone(config):
    before = sweep_levels(config)
    config["sweep"]["skew"].append(0.15)
    config["sweep"]["encoding"].append("onehot")
    after = sweep_levels(config)
    assert len(after) == 14
    assert before.items() <= after.items()
    cell = after["skew~0.15/encoding~onehot/sampling~keep_majority/trainer~compiled/n_train~500"]
    assert (cell["skew"], cell["encoding"], cell["n_minority"]) == (0.15, "onehot", None)


def test_a_cell_holds_only_what_it_uses(config):
    """So that a change of the rest does not draw it again."""
    before = cell_of(config, ["linear"])
    config["experiment"]["total"] = 700  # of another sampling
    config["models"]["logistic"]["C"] = 2.0
    assert cell_of(config, ["linear"]) == before
    config["experiment"]["prevalence"] = "nominal"
    assert cell_of(config, ["linear"], skew=0.2)["prevalence"] == 0.2


def test_the_order_of_keys_in_a_config_is_no_change(config):
    before = list(map(repr, specification_levels(config).values()))
    for settings in (config["experiment"], config["models"]["neural_net"]):
        settings.update({name: settings.pop(name) for name in sorted(settings, reverse=True)})
    assert list(map(repr, specification_levels(config).values())) == before


def test_specifications_stay_at_the_kappa_of_the_paper(config):
    config["experiment"]["cost_ratio"] = 5
    assert {cell["cost_ratio"] for cell in specification_levels(config).values()} == {None}
    assert {cell["cost_ratio"] for cell in sweep_levels(config).values()} == {5}
