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
    "own",
    [
        *("seed: 0", "seed: 4294967295", "splits: 1", "most_rows: 40", "top_share: 0.000001"),
        *("practice: {most_rows: 40, room: 1}", "costs: [0.999999]", "uci: {timeout_seconds: 1}"),
        f"families: {{{'a' * 60}: {{path: a, target: y, positive: 1, tier: B, round: 1}}}}",
        "families: {x: {path: a, positive_if: a > 0 and b_2 <= -1.5}}",
        "families: {x: {path: a, target: y, positive: 1, predictions: true, drop: [z]}}",
    ],
)
def test_what_just_fits_is_taken(own, settings_with):
    settings_with(own)


OF_A_FAMILY = [
    ("path: a, target: y, positive: 1, missing: [z]", "missing: it has no effect on a file"),
    ("path: a, target: y, positive: 1, skip_rows: 2", "skip_rows: it has no effect on a file"),
    ("path: a, target: y, positive: 1, predictions: true, keep: [z]", "keep: .* on predictions"),
    ("source: uci, target: y, positive: 1", "id: it goes with source: uci"),
    ("path: a, id: 1, target: y, positive: 1", "id: it goes with source: uci"),
    ("path: a, source: uci, id: 1, target: y, positive: 1", "path: a family needs either"),
    ("source: uci, id: 0, target: y, positive: 1", "id: Input should be greater"),
    ("target: y, positive: 1", "path: a family needs either"),
    ("path: a, target: y", "positive: it goes with target"),
    ("path: a, positive: 1, positive_if: a > 0", "positive: it goes with target"),
    ("path: a, target: y, positive: 1, positive_if: a > 0", "target: a family needs either"),
    ("path: a", "target: a family needs either"),
    ("path: a, positive_if: a > zero", "positive_if: String should match"),
    ("path: a, archive: nowhere, target: y, positive: 1", "sha256: a file of an archive needs"),
    (
        f"path: a, archive: nowhere, target: y, positive: 1, sha256: {'a' * 64}",
        "archive: there is no archive nowhere",
    ),
    ("path: a, predictions: true, positive_if: a > 0", "predictions: a file of your own with"),
    ("path: a, target: y, positive: 1, skip_rows: -1", "skip_rows: Input should be greater"),
    ("path: a, target: y, positive: 1, round: 5", "round: Input should be 1, 2, 3 or 4"),
]


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("drawss: 3", "drawss: it is unknown."),
        ("menus: {all: [lin]}", "menus.all: there is no model lin."),
        ("menus: {cheap: false}", "menus: there is no menu cheap."),
        ("menus: 3", "menus: Input should be a valid dictionary."),
        ("practice: {strong: [lin]}", "practice: there is no model lin."),
        ("practice: {main_n_positive: 7}", "practice.main_n_positive: it is not one of"),
        ("practice: {most_rows: 39}", "practice.most_rows: Input should be greater"),
        ("practice: {room: 0.99}", "practice.room: Input should be greater"),
        ("headline: {n_positive: 7}", "headline.n_positive: it is not one of"),
        ("headline: {prevalence: 0.07}", "headline.prevalence: it is not one of"),
        *((f"seed: {one}", "seed: Input should be") for one in (-1, 4294967296)),
        ("splits: 0", "splits: Input should be greater"),
        ("most_rows: 39", "most_rows: Input should be greater"),
        ("costs: []", "costs: Value should have at least 1 item"),
        ("costs: [0.9, 0.9]", "costs: it should hold nothing twice."),
        *((f"top_share: {one}", "top_share: Input should be") for one in (0, 1)),
        ("uci: {timeout_seconds: 0}", "uci.timeout_seconds: Input should be greater"),
        ("predictions: {folder: nowhere, target: y, positive: 1}", "there is no folder nowhere"),
        ("models: {x: {estimator: os.path}}", "models.x.estimator: .* os "),
        ("archives: {x: {requirement: '-r==1.0', licence: MIT}}", "archives.x.requirement: String"),
        (f"families: {{{'a' * 61}: {{path: a, target: y, positive: 1}}}}", "at most 60 char"),
        *((f"families: {{x: {{{own}}}}}", f"families.x.{said}") for own, said in OF_A_FAMILY),
    ],
)
def test_what_can_not_work_is_refused_by_its_key(own, said, settings_with):
    with pytest.raises(ExperimentError, match=f"config key .*{said}"):
        settings_with(own)
