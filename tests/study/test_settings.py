"""A config that can't work is refused with a sentence for each problem, which names its key."""

import copy
import inspect
import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml
from snakemake.common.configfile import load_configfile

from study.experiment.models import MODELS
from study.experiment.scenarios import make_scenarios
from study.settings import GONE, ConfigError, check_folder, read_config, schema_text

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads(schema_text())
EDITOR = jsonschema.Draft202012Validator(SCHEMA)
EXISTING = ROOT / "docs" / "two_models.csv"
# Of each type, and beyond most bounds.
VALUES = [3.25, -1, 10**10, "a b", "", "\n", {"no": 1}, [], [-1], ["a", "a"], [*"abcdefg"]]


# ---- every key, from the schema that the settings write ----


def list_keys(schema, path=()):
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
    for choice in schema.get("anyOf", []):
        yield from list_keys(choice, path)
    for name, value in schema.get("properties", {}).items():
        yield ".".join((*path, name)), value
        yield from list_keys(value, (*path, name))


KEYS = dict(list_keys(SCHEMA))


def inside(key, value):
    for name in reversed(key.split(".")):
        value = {name: value}
    return value


def refused(config, files=()):
    """The sentences by which a config is refused."""
    with pytest.raises(ConfigError) as refusal:
        read_config(config, files)
    sentences = str(refusal.value).splitlines()
    for sentence in sentences:
        assert re.search(r"^config key .*[^.?][.?]$", sentence) and len(sentence) < 600, sentence
    return sentences


@pytest.mark.parametrize("key", KEYS)
def test_what_editors_refuse_is_refused_by_a_sentence_that_names_the_key(key):
    editor = jsonschema.Draft202012Validator(KEYS[key] | {"$defs": SCHEMA["$defs"]})
    wrong = [value for value in VALUES if not editor.is_valid(value)]
    assert wrong
    for value in wrong:
        sentences = refused(inside(key, value))
        start = f"config key {key} is {json.dumps(value)}: it should "
        of_items = (f"config key {key}.0 is ", f"config key {key}.no is ")
        assert any(sentence.startswith((start, *of_items)) for sentence in sentences), sentences


@pytest.mark.parametrize("key", KEYS)
def test_a_typing_error_is_answered_with_the_key_that_was_meant(key):
    *sections, name = key.split(".")
    misspelt = ".".join([*sections, name[0] + name])
    value = {} if sections == ["models"] else 1
    sentences = [text for text in refused(inside(misspelt, value)) if misspelt in text]
    assert [text.endswith(f"id you mean {name}?") for text in sentences] == [True]
    if sections != ["models"]:  # where other names are models of the user's
        assert not EDITOR.is_valid(inside(misspelt, value))


def test_the_schema_of_the_editors_is_that_of_the_settings_and_explains_every_key():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    written = (ROOT / "workflow/schemas/config.schema.json").read_text(encoding="utf-8")
    assert written == schema_text(), "run .venv/bin/python tools/write_schema.py"
    assert len(KEYS) >= 70
    for key, schema in KEYS.items():
        assert "description" in schema or "$ref" in str(schema), key
    assert all("description" in section for section in SCHEMA["$defs"].values() if section)


# ---- files of the repository ----


def test_the_config_holds_the_defaults_and_another_run_of_it_changes_nothing():
    stated = load_configfile(ROOT / "config" / "config.yaml")
    EDITOR.validate(stated)
    complete = read_config(stated, [ROOT / "config" / "config.yaml"])
    assert complete == read_config({}) == read_config(copy.deepcopy(complete))
    assert list(complete["models"]) == [*MODELS, "neural_net_stopped"]


@pytest.mark.parametrize("file", sorted(ROOT.glob("examples/*.yaml")), ids=lambda file: file.name)
def test_examples_are_accepted(file):
    stated = load_configfile(file)
    EDITOR.validate(stated)
    assert read_config(stated, [file])["data"]["target"] == stated["data"]["target"]


def test_every_built_in_model_takes_its_settings_and_a_seed():
    complete = read_config({})["models"]
    for name, build in MODELS.items():
        assert {*inspect.signature(build).parameters} == {*complete[name], "seed"}
    stopped = complete["neural_net"] | {"like": "neural_net", "early_stopping": True}
    assert complete["neural_net_stopped"] == stopped


# ---- by hand: what does not fit together, and what went ----

GROUP = "split: {by: group, column: x}"
OWN = f"data: {{source: file, path: {EXISTING}, target: y, positive: 1%s}}\n%s"
UCI = "data: {source: uci, target: y, positive: 1}"
SVC = "models: {mine: {estimator: sklearn.svm.SVC, parameters: {%s}}}"
CHANGE = "sensitivity: {changes: {mine: {%s}}}"
CONFLICTS = [
    # values
    ("seed: 1e3", 'seed is "1e3": it should be a valid integer (inside {...} or [...], --conf'),
    ("seed: 1 e", 'config key seed is "1 e": it should be a valid integer.'),
    ("experiment: {at: [0.5]}", "at.0 is 0.5: it should have another form: Constraints under"),
    ("experiment: {skew: .nan}", "experiment.skew is NaN: it should be a finite number."),
    ("experiment: {prevalence: 2}", "is 2: it should be 'test' or 'nominal', or it should be le"),
    ("experiment: {at: [recall<=0.5]}", 'at.0 is "recall<=0.5": it should have another form: Con'),
    ("experiment: {at: [fpr<=1.01]}", 'at.0 is "fpr<=1.01": it should hold a number from 0 to'),
    ("experiment: {at: [recall>=0]}", 'at.0 is "recall>=0": it should hold a number from 0 to'),
    ("experiment: {at: [fpr<=.1, fpr <= .1]}", "experiment.at is "),
    ("experiment: {at: fpr<=.1}", 'is "fpr<=.1": it should be a list, such as ["fpr<=.1"].'),
    ("models: {../x: {estimator: a.b}}", 'models.../x is "../x": it should have another form: '),
    ("models: {logistic: 3}", "models.logistic is 3: it should be a section of keys and value"),
    (
        "data: {source: file, path: 'a{b}.csv'}",
        "Snakemake takes no path with braces or line ends: rename the file.",
    ),
    ("loan_file: nowhere.csv", '/nowhere.csv": there is no such file.'),
    (f"loan_file: {EXISTING}", "it is not TEC-2002-LOAN-DATA.csv (SHA-256 b7844f23"),
    (SVC % "C: .inf", "models.mine.parameters.C is Infinity: it should be a finite number."),
    ("experiment: {skew: 11}", "than or equal to 0.999999: did you mean 0.11?"),
    # German Credit
    (f"data: {{path: {EXISTING}}}", "data.path: source auto does not read it: remove it."),
    ("data: {source: file}", "data.path: source file needs it."),
    ("data: {positive: 1}", "data.positive: it is of a data set with a target: name the target"),
    ("experiment: {sampling: total, total: null}", "experiment.total: sampling total needs it."),
    ("experiment: {skew: null, prevalence: nominal}", "prevalence: nominal is the skew, and th"),
    ("compared_models: [linear, logistic]", "compared_models: the paper compares linear and ne"),
    ("models: {linear: false}", "experiment.models: the paper compares linear and neural_net: a"),
    (f"experiment: {{{GROUP}}}", "experiment.split: German Credit is split at random: remove"),
    ("figures: {models: [forest]}", "figures.models: forest is not one of the models linear, l"),
    # models of the user's own
    ("models: {mine: {like: tree}}", "mine.like is \"tree\": it should be 'logistic' or 'neural_n"),
    ("models: {mine: {like: logistic, c: 1}}", "models.mine.c is unknown; there are C, like."),
    ("models: {mine: {like: logistic, C: 0}}", "models.mine.C is 0: it should be greater than "),
    (SVC % "D: 2", "models.mine: sklearn.svm.SVC can't be built with these parameters: "),
    ("models: {mine: {estimator: os.system}}", "models.mine: estimator os.system is not of the"),
    # changes
    (CHANGE % "skw: 0.2", "sensitivity.changes.mine.skw is unknown; did you mean skew?"),
    (CHANGE % "models: [forest]", "changes.mine.models: forest is not one of the models linea"),
    (CHANGE % GROUP, "changes.mine.split: all scenarios are split as experiment.split says."),
    (CHANGE.replace("mine", "paper") % "skew: 0.2", "changes.paper: another scenario is calle"),
    (CHANGE.replace("mine", "skew_0.2") % "skew: 0.1", "changes.skew_0.2: another scenario is"),
    ("sensitivity: {grid: {skew: [0.2]}}", "grid: another scenario is called skew_0.2: choose a"),
    ("sensitivity: {grid: {seed: [1], skew: [.1, 2]}}", "grid.skew.1 is 2: it should be less than"),
    (
        "sensitivity: {grid: {models: [[linear, x]]}}",
        "grid.models: x is not one of the models line",
    ),
    (
        "experiment: {seed: 3}",
        "experiment.seed: it is of changes and of a grid: write the key seed",
    ),
    # other data
    (UCI, "data.source: uci is of German Credit, which has no target: give file."),
    (OWN % (", name: breast_cancer", ""), "data.name: source file does not read it: remove it."),
    (OWN % ("", f"models: {dict.fromkeys(MODELS, False)}".lower()), "all of them are false: on"),
    (OWN % (", drop: [x]", f"experiment: {{{GROUP}}}"), "column: x is also the target, dropped"),
    (OWN % (", drop: [y]", ""), "data.drop: y is the target, not a feature."),
    (OWN % ("", "experiment: {split: {by: group}}"), "split.column: by group or time needs it"),
    (OWN.replace(", positive: 1", "") % ("", ""), "data.positive: a target needs it."),
    (OWN % (", names: {minority: a, majority: a}", ""), "data.names: the two classes need dif"),
    (OWN % (", names: {minority: a}", ""), "data.names.majority is missing: The other class."),
    (OWN % ("", "original: {n_train: 500}"), "original: it is of German Credit alone, and dat"),
    (OWN % ("", "companions: [baker]"), "companions: it is of German Credit alone, and data.t"),
    (OWN % ("", CHANGE % "encoding: strathclyde"), "mine.encoding: strathclyde is of German C"),
]


def read(text, folder):
    """As Snakemake and the workflow read it."""
    file = folder / "my.yaml"
    file.write_text(text, encoding="utf-8")
    return read_config(load_configfile(file), [file])


@pytest.mark.parametrize(("text", "message"), CONFLICTS, ids=[text[:60] for text, _ in CONFLICTS])
def test_what_does_not_fit_is_refused_by_a_sentence_that_names_the_key(text, message, tmp_path):
    file = tmp_path / "my.yaml"
    file.write_text(text, encoding="utf-8")
    found = refused(load_configfile(file), [file])
    assert any(message in sentence for sentence in found), found


@pytest.mark.parametrize("key", GONE)
def test_a_key_of_the_version_before_is_answered_with_what_to_do(key):
    assert refused(inside(key, {"some": "thing"})) == [f"config key {key} is unknown; {GONE[key]}"]


def test_all_problems_are_listed_at_once():
    config = {"seed": -1, "sede": 2, "models": {"logistic": {"C": 0}, "mine": 3}, "sweep": None}
    found = {sentence.split()[2] for sentence in refused(config)}
    assert found == {"sede", "seed", "models.logistic.C", "models.mine", "sweep"}
    found = refused({"data": {"source": "file"}, "figures": {"models": ["forest"]}})
    assert len(found) == 2


@pytest.mark.parametrize(
    "text",
    [
        "seed: 0\nexperiment: &e {skew: 1.1e-1, n_train: 0x1F4}\noriginal: {n_train: 0764}",
        "experiment: {sampling: total, prevalence: nominal}",
        "experiment: {at: [recall>=1, flagged <= 0.1, precision>=0.01], prevalence: 0.5}",
        "models: {mine: {like: neural_net, hidden_units: 9}}\n" + CHANGE % "models: [linear, mine]",
        "experiment: {cost_ratio: 1000000}\nmodels: {logistic: false}",
        (SVC % "C: 2").replace("}}}", "}, resampling: smote}}"),
        "sensitivity: {changes: {a: &a {skew: 0.1}, b: {<<: *a, skew: 0.3}}}",
        CHANGE % "skew: 0.2, encoding: onehot, replicates: 3000, split: {by: random}",
        OWN % ("", f"experiment: {{{GROUP}}}\n{CHANGE % 'skew: 0.2'}"),
        OWN.replace("y,", "column_3, header: none,")
        % (', names: {minority: "1", majority: "0"}', ""),
    ],
)
def test_what_can_work_is_accepted(text, tmp_path):
    read(text, tmp_path)


# ---- defaults ----


def test_a_part_of_a_config_gets_the_defaults_of_the_rest():
    left_out = (
        {"neural_net_lm": False},
        {"changes": {"matlab_network": False, "mine": {"skew": 0.1}}},
    )
    stated = {"experiment": {"skew": 0.2}, "models": left_out[0], "sensitivity": left_out[1]}
    complete = read_config(stated)
    expected = read_config({})
    expected["experiment"]["skew"] = 0.2
    del expected["models"]["neural_net_lm"]
    expected["sensitivity"]["changes"] = {"mine": {"skew": 0.1}}
    assert complete == expected
    assert complete["experiment"]["models"] == ["linear", "logistic", "neural_net"]
    assert complete["compared_models"] == complete["figures"]["models"] == ["linear", "neural_net"]


def test_other_data_inherit_nothing_of_german_credit(tmp_path):
    trees = "b: {estimator: sklearn.tree.DecisionTreeClassifier}"
    bayes = "a: {estimator: sklearn.naive_bayes.GaussianNB}"
    complete = read(OWN % ("", f"models: {{{trees}, {bayes}}}"), tmp_path)
    experiment = complete["experiment"]
    assert experiment["models"] == complete["compared_models"] == ["a", "b"]
    assert complete["figures"]["models"] == ["a", "b"]
    own = {"skew": None, "n_train": 0.6, "encoding": "onehot", "replicates": 200, "per_job": 50}
    assert own.items() <= experiment.items() and experiment["stratify"]
    assert complete["sweep"]["skew"] == complete["companions"] == []
    assert complete["sensitivity"] == {"changes": {}, "grid": {}, "replicates": 100}
    assert complete["data"]["names"] is None
    alone = read(OWN % ("", "models: {neural_net_lm: {}}"), tmp_path)
    assert alone["experiment"]["models"] == ["neural_net_lm"]
    # Without models of its own, those of the registry.
    assert read(OWN % ("", ""), tmp_path)["compared_models"] == ["linear", "logistic"]


def test_every_combination_of_a_grid_is_a_scenario():
    grid = {"skew": [0.05, 0.1], "n_train": [400, 0.5], "seed": [1]}
    complete = read_config({"sensitivity": {"changes": {"one_hot": False}, "grid": grid}})
    changes = {
        f"skew_{skew}_n_train_{n_train}_seed_1": {"skew": skew, "n_train": n_train, "seed": 1}
        for skew in (0.05, 0.1)
        for n_train in (400, 0.5)
    }
    assert complete["sensitivity"]["changes"] == changes
    assert read_config(copy.deepcopy(complete)) == complete
    scenarios = make_scenarios(complete)
    assert {name: scenarios[name]["seed"] for name in changes} == dict.fromkeys(changes, 1)
    assert scenarios["paper"]["seed"] == 2010
    models = read_config(
        {"sensitivity": {"grid": {"models": [["linear"], ["linear", "logistic"]]}}}
    )
    assert {"models_linear", "models_linear_logistic"} < models["sensitivity"]["changes"].keys()


# ---- files ----


@pytest.mark.parametrize("json_with_tabs", [False, True])
def test_a_path_is_read_from_the_folder_of_its_file(tmp_path, monkeypatch, json_with_tabs):
    (tmp_path / "here").mkdir()
    (tmp_path / "here/own.csv").write_text("a,y\n1,2\n")
    monkeypatch.chdir(tmp_path)
    text = (OWN % ("", "")).replace(str(EXISTING), "own.csv")
    config = yaml.safe_load(text)
    if json_with_tabs:
        text = json.dumps(config, indent="\t")
    assert read(text, tmp_path / "here")["data"]["path"] == "here/own.csv"
    # From another file, or the command line, it is read from the working folder.
    with pytest.raises(ConfigError, match=r'data\.path is "own\.csv": there is no such file'):
        read_config(config)
    assert config["data"]["path"] == "own.csv"


def test_a_path_may_stand_in_a_section_for_a_module(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "here/own.csv").write_text("")
    monkeypatch.chdir(tmp_path)
    section = yaml.safe_load((OWN % ("", "")).replace(str(EXISTING), "own.csv"))
    file = tmp_path / "here/config.yaml"
    file.write_text(yaml.safe_dump({"others": 1, "kappa": {"study": section}}))
    assert read_config(section, [file])["data"]["path"] == "here/own.csv"


def test_a_key_that_stands_twice_is_refused(tmp_path):
    file = tmp_path / "my.yaml"
    file.write_text("a:\n  b: 1\n  c: {b: 3}\n  b: 2\n")
    with pytest.raises(ConfigError, match=r"the key b stands twice .*my\.yaml\", line 4, column"):
        read_config({}, [file])


def test_a_ratio_in_base_60_is_refused(tmp_path):
    """YAML 1.1 reads 8:1 as 8 times 60 plus 1."""
    file = tmp_path / "my.yaml"
    file.write_text("experiment:\n  cost_ratio: 8:1\n")
    assert load_configfile(file) == {"experiment": {"cost_ratio": 481}}
    with pytest.raises(ConfigError, match=r"8:1 is read in base 60 .*my\.yaml\", line 2, column"):
        read_config(load_configfile(file), [file])


def test_results_are_written_into_a_folder(tmp_path):
    (tmp_path / "file").write_text("")
    for free in ("none", "."):
        check_folder(tmp_path / free)
    with pytest.raises(ConfigError, match="file is a file, but a folder is needed"):
        check_folder(tmp_path / "file")


def test_the_order_of_keys_changes_nothing():
    """Snakemake compares how params print."""

    def turn(value):
        if isinstance(value, dict):
            return {key: turn(value[key]) for key in reversed(value)}
        return value

    parameters = {"C": 10, "class_weight": {"0": 1, "1": 5}}
    config = {
        "experiment": {"replicates": 20, "scaling": "minmax"},
        "models": {"svm": {"estimator": "sklearn.svm.SVC", "parameters": parameters}, "linear": {}},
        "sensitivity": {"changes": {"a": {"skew": 0.2, "n_train": 300}, "b": {"skew": 0.3}}},
    }
    assert repr(read_config(turn(config))) == repr(read_config(config))


def test_a_module_may_make_its_data(tmp_path):
    config = {"data": {"source": "file", "path": str(tmp_path / "made.csv"), "target": "t"}}
    config["data"]["positive"] = "yes"
    assert read_config(config, is_module=True)["data"]["path"].endswith("made.csv")
    with pytest.raises(ConfigError, match=r"data\.path .* there is no such file"):
        read_config(config)
