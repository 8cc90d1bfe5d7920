"""What a config may hold, and the sentences that refuse the rest."""

import pytest

from many_data_sets._experiment import ExperimentError
from many_data_sets.settings import training_of


def test_a_file_of_ones_own_adds_and_takes_out(settings_with):
    found = settings_with(
        "families: {gmsc: false, mine: {path: a.csv, target: y, positive: 1}}\n"
        "models: {tree: {estimator: sklearn.tree.DecisionTreeClassifier}, network: false}\n"
        "menus: {strong: [forest, network]}\n"
    )
    assert "gmsc" not in found["families"] and found["families"]["mine"]["tier"] == "A"
    assert len(found["families"]) == 65
    assert found["models"]["tree"]["parameters"] == {"min_samples_leaf": 20}
    assert len(found["menus"]["all"]) == 9 and "network" not in found["menus"]["all"]
    assert "strong" not in found["menus"]  # one model is no choice
    assert "network" not in {*found["practice"]["strong"], *found["practice"]["grids"]}


def test_a_family_is_trained_by_its_own_settings_alone(settings_with):
    usual, slow = settings_with(""), settings_with("uci: {timeout_seconds: 99}")
    assert training_of(usual, "gmsc") == training_of(slow, "gmsc")
    own = "families: {one: {source: uci, id: 1, target: y, positive: 1}}"
    assert training_of(settings_with(own), "one")["uci"]["timeout_seconds"] == 30


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("drawss: 3", "config key drawss: it is unknown."),
        ("menus: {all: [lin]}", "config key menus.all: there is no model lin."),
        ("menus: 3", "config key menus: Input should be a valid dictionary."),
        ("predictions: {folder: nowhere, target: y, positive: 1}", "there is no folder nowhere"),
        ("models: {x: {estimator: os.path}}", "config key models.x.estimator: .* os "),
        ("families: {x: {path: a, target: y, positive: 1, missing: [z]}}", r"x\.missing"),
        ("families: {x: {path: a, target: y, positive: 1, skip_rows: 2}}", r"x\.skip_rows"),
        (
            "families: {x: {path: a, target: y, positive: 1, predictions: true, keep: [z]}}",
            r"x\.keep",
        ),
        ("families: {x: {source: uci, target: y, positive: 1}}", r"x\.id"),
    ],
)
def test_what_can_not_work_is_refused_by_its_key(own, said, settings_with):
    with pytest.raises(ExperimentError, match=said):
        settings_with(own)
