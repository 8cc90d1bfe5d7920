"""What a config may hold, how its values are read, and the scenarios that it makes."""

import pytest
import yaml
from write_keys import PAGE, insert_table

from study.config import PAPER, ConfigError, check_files, make_scenarios, read_config, sweep_names

LOGISTIC = {"estimator": "sklearn.linear_model.LogisticRegression"}
OWN = {"path": "mine.csv", "target": "y", "positive": "yes"}


def read(**stated):
    return read_config({"models": {"a": LOGISTIC, "b": LOGISTIC}} | stated)


REFUSED = [
    ({"sede": 1}, "config key sede is unknown; did you mean seed?"),
    ({"seed": "7"}, "config key seed is .* without quotation marks"),
    ({"seed": -1}, "config key seed is -1: "),
    ({"experiment": {"skew": 1.5}}, "config key experiment.skew is 1.5: "),
    ({"experiment": {"skew": float("nan")}}, "config key experiment.skew is NaN: "),
    ({"experiment": {"n_train": 1}}, "config key experiment.n_train is 1: "),
    ({"experiment": {"at": ["recall>=2"]}}, "config key experiment.at.0 is .*flagged<=0.1"),
    ({"experiment": {"split": "group"}}, "experiment.split is .group.: write a section"),
    ({"compared_models": ["a"]}, "compared_models is .*: name more"),
    ({"compared_models": ["a", "c"]}, "compared_models: c is not one of a, b"),
    ({"experiment": None}, "config key experiment is null: "),
    ({"experiment": {"scaling": "max"}}, "'standard' or 'minmax'"),
    ({"experiment": {"models": ["c"]}}, "experiment.models: c is not one of a, b"),
    ({"experiment": {"models": ["a", "a"]}}, "nothing twice"),
    ({"experiment": {"sampling": "total"}}, "experiment.total: sampling total needs it"),
    ({"experiment": {"prevalence": "nominal"}}, "experiment.prevalence: nominal is the skew"),
    (
        {"sensitivity": {"changes": {"x": {"split": {"by": "group", "column": "a"}}}}},
        "changes.x.split: a change can split at random",
    ),
    ({"experiment": {"split": {"by": "time"}}}, "experiment.split.column: state it for by: group"),
    ({"models": {}}, "config key models is "),
    ({"models": {"a": {}}}, "config key models.a.estimator is missing"),
    ({"models": {2010: LOGISTIC}}, "config key models.2010 is 2010: .*in quotation marks"),
    ({"models": {"a": {"estimator": "os.system"}}}, "models.a: the package of os.system is not"),
    (
        {"models": {"a": LOGISTIC | {"parameters": {"steps": [["b", {"estimator": "os.open"}]]}}}},
        "models.a: the package of os.open is not in estimator_packages",
    ),
    ({"data": {"path": "mine.csv"}}, "data.target: a file needs a target"),
    ({"data": OWN | {"positive": None}}, "data.positive: a target needs it"),
    ({"data": OWN | {"target": 2010}}, "config key data.target is 2010: .*quotation marks"),
    ({"data": OWN | {"drop": [7]}}, "config key data.drop.0 is 7: .*quotation marks"),
    ({"data": OWN | {"drop": ["y"]}}, "config key data: y is named by two"),
    ({"data": OWN, "experiment": {"split": {"by": "time", "column": "y"}}}, "y is named by two"),
    ({"data": OWN, "experiment": {"encoding": "strathclyde"}}, "choose onehot"),
    ({"sensitivity": {"changes": {"tables": {}}}}, "changes.tables: results has another folder"),
    ({"sensitivity": {"changes": {"A": {}}}}, "config key sensitivity.changes.A "),
]


@pytest.mark.parametrize(("stated", "sentence"), REFUSED, ids=[row[1] for row in REFUSED])
def test_a_config_is_refused_with_the_key(stated, sentence):
    with pytest.raises(ConfigError, match=sentence):
        read(**stated)


def test_all_faults_of_a_config_are_said_together():
    with pytest.raises(ConfigError) as error:
        read(sede=1, experiment={"skew": 2, "n_train": "60%", "prevalence": 5})
    assert len(str(error.value).splitlines()) == 4


TWO_READINGS = {
    "seed: 0123": "83 or 123 or the text",
    "experiment: {cost_ratio: 8:1}": "481 or the text",
    "experiment: {replicates: 1_000}": "1000 or the text",
    "experiment: {total: 0x10}": "16 or the text",
    "experiment: {total: 0o17}": "the text .* or the number 0o17",
    "experiment: {stratify: yes}": "true or the text",
    "data: {positive: 010}": "8 or 10 or the text",
    "data: {positive: 0b11}": "3 or the text",
    "data: {positive: 2024-08-31}": "a date or the text",
    "data: {drop: [1E3]}": "the text .* or the number",
    "data: {read_csv: {na_values: [0777]}}": "511 or 777",
    "models: {a: {parameters: {C: 1e-3}}}": "the text .* or the number 1e-3",
    "models: {a: {parameters: {class_weight: {01: 2}}}}": "1 or the text",
    "sensitivity: {changes: {off: null}}": "false or the text",
    "seed: 1\nseed: 2": "stands twice",
}


@pytest.mark.parametrize("text", TWO_READINGS)
def test_a_value_or_key_with_two_readings_is_refused_with_both(text, tmp_path):
    path = tmp_path / "my.yaml"
    path.write_text(f"# first line\n{text}\n")
    match = f"my.yaml, line [23], config key {text.partition(':')[0]}.*{TWO_READINGS[text]}"
    with pytest.raises(ConfigError, match=match):
        check_files([str(path)])


def test_values_with_one_reading_pass_and_so_do_json_and_other_sections(tmp_path):
    path = tmp_path / "my.yaml"
    plain = "[0, -5, +1, 0.5, .5, 5., 1.0e-3, -2.5E+10, .inf, ~, null, true, False, 2010a, 1.2.3]"
    path.write_text(f"seed: {plain}\nmodels: {{a: &x {{b: '010'}}, c: {{<<: *x, d: \"yes\"}}}}\n")
    check_files([str(path)])
    path.write_text("other: {switch: yes}")  # of a workflow that has this as a module
    check_files([str(path)])
    path.write_text('{"experiment": {"skew": 1e-3}}')
    check_files([str(path)])


def test_numbers_are_keys_of_a_parameter():
    parameters = {"class_weight": {0: 1, 1: 5}}
    config = read(models={"a": LOGISTIC | {"parameters": parameters}})
    assert config["models"]["a"]["parameters"] == parameters


def test_a_complete_config_is_read_as_itself():
    stated = yaml.safe_load(PAPER.read_text(encoding="utf-8"))
    config = read_config(stated)
    assert read_config(config) == config
    alone = read(models={"a": LOGISTIC})
    assert alone["compared_models"] == ["a", "a"] and read_config(alone) == alone
    assert stated == yaml.safe_load(PAPER.read_text(encoding="utf-8"))


def test_scenarios_are_the_experiment_with_keys_changed():
    config = read(
        experiment={"skew": 0.2, "replicates": 50, "prevalence": "nominal"},
        sweep={"skew": [0.2, 0.05], "replicates": 7},
        sensitivity={"changes": {"few": {"n_train": 0.3, "models": ["b"]}, "none": None}},
    )
    scenarios = make_scenarios(config)
    assert sweep_names(config) == {0.2: "experiment", 0.05: "skew_0.05"}
    assert [*scenarios] == ["experiment", "skew_0.05", "few"]
    keys = ("skew", "prevalence", "n_train", "models", "replicates")
    assert [[s[key] for key in keys] for s in scenarios.values()] == [
        [0.2, 0.2, 0.6, ["a", "b"], 50],
        [0.05, 0.05, 0.6, ["a", "b"], 7],
        [0.2, 0.2, 0.3, ["b"], 100],
    ]


def test_one_split_is_drawn_where_all_would_be_the_same():
    split = {"split": {"by": "time", "column": "day"}}
    config = read(data=OWN, experiment=split, sweep={"skew": [0.1]})
    replicates = {name: s["replicates"] for name, s in make_scenarios(config).items()}
    assert replicates == {"experiment": 1, "skew_0.1": 100}


def test_the_table_of_keys_is_that_of_the_docstrings():
    """If not: python tools/write_keys.py."""
    text = PAGE.read_text(encoding="utf-8")
    assert insert_table(text) == text
