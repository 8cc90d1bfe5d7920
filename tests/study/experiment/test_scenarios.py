"""Names, models and chunks: what a change of the config draws again, and what it leaves alone."""

from copy import deepcopy

import pytest

from study.experiment.scenarios import (
    chunk_names,
    chunk_setting,
    make_scenarios,
    model_groups,
    sweep_names,
    unused_models,
)
from study.settings import read_config

OWN = {
    "data": {"source": "scikit-learn", "name": "breast_cancer", "target": "t", "positive": "m"},
    "models": {"linear": {}, "bayes": {"estimator": "sklearn.naive_bayes.GaussianNB"}},
}


def chunks(config):
    """The arguments of every job, by scenario and chunk."""
    jobs = {}
    for scenario, setting in make_scenarios(read_config(config)).items():
        for name in chunk_names(setting):
            models, _, chunk = name.rpartition("-")
            jobs[scenario, name] = chunk_setting(setting, models, int(chunk))
    return jobs


DEFAULT = chunks({})


def changed(config):
    """What is new beside the default's jobs, of which none may be other than before."""
    after = chunks(config)
    assert {job: after.get(job) for job in DEFAULT} == DEFAULT
    return after.keys() - DEFAULT.keys()


def test_scenarios_and_chunks_of_the_paper():
    scenarios = make_scenarios(read_config({}))
    skews = [f"skew_{skew}" for skew in (0.02, 0.05, 0.2, 0.3, 0.5)]
    changes = ["one_hot", "87_bad_rows", "768_rows", "min_max", "early_stopping"]
    changes.append("matlab_network")
    assert list(scenarios) == ["paper", "original", *skews, *changes]
    replicates = [setting["replicates"] for setting in scenarios.values()]
    assert replicates == [1000, *[500] * 6, *[200] * 6]
    assert model_groups(scenarios["paper"]) == {"built_in": ["linear", "logistic", "neural_net"]}
    assert chunk_names(scenarios["paper"]) == ["built_in-0000", "built_in-0001"]
    of_stopped = ["built_in-0000", "neural_net_stopped-0000"]
    assert chunk_names(scenarios["early_stopping"]) == of_stopped
    assert chunk_names(scenarios["matlab_network"]) == ["built_in-0000", "neural_net_lm-0000"]
    ranges = [(job["first"], job["last"]) for job in DEFAULT.values()]
    assert ranges[:2] == [(0, 500), (500, 1000)]
    original = scenarios["original"]
    assert (original["skew"], original["n_train"], original["prevalence"]) == (None, 500, None)


def test_a_skew_that_is_the_experiments_own_is_the_experiment():
    config = read_config({"sweep": {"skew": [0.11, 0.2]}})
    assert sweep_names(config) == {0.11: "paper", 0.2: "skew_0.2"}
    close = [0.1234567, 0.12345678, 1e-06]
    names = ["skew_0.1234567", "skew_0.12345678", "skew_1e-06"]
    assert list(sweep_names(read_config({"sweep": {"skew": close}})).values()) == names


@pytest.mark.parametrize(
    ("config", "new"),
    [
        ({"sweep": {"skew": [0.02, 0.05, 0.2, 0.3, 0.5, 0.15]}}, {("skew_0.15", "built_in-0000")}),
        ({"experiment": {"replicates": 1500}}, {("paper", "built_in-0002")}),
        (
            {"sensitivity": {"replicates": 200, "changes": {"mine": {"skew": 0.2}}}},
            {("mine", "built_in-0000")},
        ),
        (
            {"models": {"bayes": {"estimator": "sklearn.naive_bayes.GaussianNB"}}},
            {
                ("paper", "bayes-0000"),
                ("paper", "bayes-0001"),
                *(
                    (scenario, "bayes-0000")
                    for scenario, _ in DEFAULT
                    if scenario not in ("early_stopping", "matlab_network")
                ),
            },
        ),
    ],
)
def test_what_is_new_draws_its_own_chunks_and_nothing_else(config, new):
    changes = read_config({})["sensitivity"]["changes"]
    config = deepcopy(config)
    config.setdefault("sensitivity", {}).setdefault("changes", {}).update(changes)
    assert changed(config) == new


@pytest.mark.parametrize(
    "config",
    [
        {"experiment": {"total": 700}, "sensitivity": {"changes": {}}},  # of another sampling
        {"experiment": {"at": ["recall>=0.9"]}},
        {"document": {"width": "85mm"}, "figures": {"models": ["linear"]}},
        {"experiment": {"split": {"column": None, "by": "random"}, "encoding": "strathclyde"}},
    ],
)
def test_a_chunk_holds_nothing_that_does_not_matter(config):
    """In any order of the keys, as Snakemake compares how the chunks print."""
    after = chunks(config)
    assert len(after) >= 8
    for job in after:
        assert repr(after[job]) == repr(DEFAULT[job])


def test_what_does_not_matter_to_a_scenario_is_left_out():
    after = chunks({"models": {"neural_net_lm": {"early_stopping": False}}})
    other = {job for job in DEFAULT if after[job] != DEFAULT[job]}
    assert other == {("matlab_network", "neural_net_lm-0000")}
    after = chunks({"experiment": {"sampling": "keep_majority_up"}})  # all rows are kept
    assert after["original", "built_in-0000"] == DEFAULT["original", "built_in-0000"]
    grouped = OWN | {"experiment": {"split": {"by": "group", "column": "who"}}}
    at_random = deepcopy(grouped)
    grouped["experiment"]["stratify"] = False
    assert chunks(grouped) == chunks(at_random)
    assert chunks(grouped)["experiment", "built_in-0000"]["split"] == "group"


def test_a_model_that_no_scenario_fits_is_named():
    config = read_config(OWN | {"experiment": {"models": ["linear"]}})
    assert unused_models(config, make_scenarios(config)) == ["bayes"]
    config["sensitivity"]["changes"]["mine"] = {"models": ["bayes"]}
    for fitted in (config, read_config({"sensitivity": {"changes": {}}})):
        assert unused_models(fitted, make_scenarios(fitted)) == []


@pytest.mark.parametrize(
    ("stated", "paper", "original"), [("test", None, None), ("nominal", 0.11, 0.3), (0.2, 0.2, 0.2)]
)
def test_the_nominal_prevalence_is_that_of_the_scenario(stated, paper, original):
    scenarios = make_scenarios(read_config({"experiment": {"prevalence": stated}}))
    assert scenarios["paper"]["prevalence"] == paper
    assert scenarios["original"]["prevalence"] == original
    assert scenarios["skew_0.02"]["prevalence"] == {"nominal": 0.02}.get(stated, paper)


def test_other_data_have_a_sweep_and_changes_if_they_are_asked_for():
    assert list(make_scenarios(read_config(OWN))) == ["experiment"]
    stated = {
        "sweep": {"skew": [0.1]},
        "sensitivity": {"changes": {"x": {"scaling": "minmax"}}},
        "experiment": {"replicates": 60},
    }
    scenarios = make_scenarios(read_config(OWN | stated))
    replicates = {name: setting["replicates"] for name, setting in scenarios.items()}
    assert replicates == {"experiment": 60, "skew_0.1": 100, "x": 60}
    assert chunk_names(scenarios["x"]) == [
        *("built_in-0000", "built_in-0001", "bayes-0000", "bayes-0001")
    ]
