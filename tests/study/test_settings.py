"""A config that can't work is refused with a sentence for each problem, which names its key."""

import copy
import inspect
import json
import math
import re
from pathlib import Path

import jsonschema
import pytest
import yaml
from pydantic import ValidationError
from snakemake.common.configfile import load_configfile

from study.experiment.matlab_network import LevenbergMarquardtNetwork
from study.experiment.models import MODELS
from study.settings import GONE, Config, ConfigError, check_folder, read_config, schema_text

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads(schema_text())
EDITOR = jsonschema.Draft202012Validator(SCHEMA)
EXISTING = ROOT / "docs" / "two_models.csv"


# ---- every key, from the schema that the settings write ----


def kinds(schema):
    """What a key may hold, apart from null and from false for a model."""
    if "$ref" in schema:
        return kinds(SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    choices = schema.get("anyOf", [schema])
    if choices != [schema]:
        return [kind for choice in choices for kind in kinds(choice)]
    return [] if schema.get("type") == "null" or schema.get("const") is False else [schema]


def walk(schema, path=()):
    for name, value in schema.get("properties", {}).items():
        yield (*path, name), kinds(value), value
        for kind in kinds(value):
            yield from walk(kind, (*path, name))


KEYS = {".".join(path): (found, schema) for path, found, schema in walk(SCHEMA)}


def editor_of(schema):
    """What an editor checks of one key."""
    return jsonschema.Draft202012Validator(schema | {"$defs": SCHEMA["$defs"]})


def inside(key, value):
    for name in reversed(key.split(".")):
        value = {name: value}
    return value


def item(kind):
    """A value that a list may hold."""
    return kind["enum"][0] if "enum" in kind else "a" if kind["type"] == "string" else 0.5


def ends(kind):
    """Values just inside and just outside of the bounds that a schema states."""
    whole = kind.get("type") == "integer"

    def further(value, direction):
        return value + direction if whole else math.nextafter(value, direction * math.inf)

    for name, outwards in (("inimum", -1), ("aximum", 1)):
        stem = {
            "inimum": ("minimum", "exclusiveMinimum"),
            "aximum": ("maximum", "exclusiveMaximum"),
        }
        closed, opened = stem[name]
        if closed in kind:
            yield kind[closed], further(kind[closed], outwards)
        if opened in kind:
            yield further(kind[opened], -outwards), kind[opened]
    if "const" in kind:
        yield kind["const"], "another"
    if "enum" in kind:
        yield from ((value, "another") for value in kind["enum"])
    if "pattern" in kind:
        yield None, "\n"
    if kind.get("minLength"):
        yield "a", ""
    if kind.get("type") == "array":
        lists = [[item(kind["items"])] * 2] if kind.get("uniqueItems") else []
        if "minItems" in kind:
            lists.append([item(kind["items"])] * (kind["minItems"] - 1))
        if "maxItems" in kind:
            texts = kind["items"]["type"] == "string"
            lists.append([f"a{i}" if texts else i + 0.5 for i in range(kind["maxItems"] + 1)])
        yield from ((None, refused) for refused in lists)
        for good, bad in ends(kind["items"]):
            yield (None if good is None else [good]), [bad]


def refused(config):
    with pytest.raises(ConfigError) as refusal:
        read_config(config)
    sentences = str(refusal.value).splitlines()
    for sentence in sentences:
        assert sentence.startswith("config key ") and len(sentence) < 600
        assert re.search(r"[^.?][.?]$", sentence), sentence
    return sentences


@pytest.mark.parametrize("key", KEYS)
def test_a_wrong_type_is_refused_with_the_value_and_what_is_allowed(key):
    found, schema = KEYS[key]
    wrong = [v for v in (3.25, "a b", {"no": 1}) if not editor_of(schema).is_valid(v)]
    value = wrong[0] if wrong else {"no": 1}
    start = f"config key {key} is {json.dumps(value)}: it should be "
    assert any(sentence.startswith(start) for sentence in refused(inside(key, value)))
    assert found or not wrong


@pytest.mark.parametrize("key", KEYS)
def test_a_typing_error_is_answered_with_the_key_that_was_meant(key):
    *sections, name = key.split(".")
    misspelt = ".".join([*sections, name[0] + name])
    value = {} if sections == ["models"] else 1
    sentences = [text for text in refused(inside(misspelt, value)) if misspelt in text]
    assert [text.endswith(f"id you mean {name}?") for text in sentences] == [True]
    if sections != ["models"]:  # where other names are models of the user's
        assert not EDITOR.is_valid(inside(misspelt, value))


BOUNDS = {key: list(ends(kind)) for key, (found, _) in KEYS.items() for kind in found}
BOUNDS = {key: found for key, found in BOUNDS.items() if found}


@pytest.mark.parametrize("key", BOUNDS)
def test_values_are_refused_just_outside_of_the_bounds_that_editors_show(key):
    for good, bad in BOUNDS[key]:
        config = inside(key, bad)
        assert not EDITOR.is_valid(config)
        sentences = [text for text in refused(config) if text.startswith(f"config key {key}")]
        shown = json.dumps(bad[0] if isinstance(bad, list) and f"{key}.0 " in sentences[0] else bad)
        assert any(f" is {shown[:70]}" in text and ": it should " in text for text in sentences)
        if good is not None:
            assert editor_of(KEYS[key][1]).is_valid(good)
            try:
                Config.model_validate(inside(key, good))
            except ValidationError as error:  # with other keys it may not fit
                kinds_of_error = {one["type"] for one in error.errors()}
                assert kinds_of_error <= {"conflict", "literal_error", "value_error", "missing"}


def test_most_keys_have_bounds():
    """So that the tests above test something."""
    assert len(KEYS) > 60
    assert len(BOUNDS) > 35
    assert (5e-324, 0) in BOUNDS["models.logistic.C"]
    assert (2**32 - 1, 2**32) in BOUNDS["seed"]


def test_the_schema_of_the_editors_is_that_of_the_settings_and_explains_every_key():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    written = (ROOT / "workflow/schemas/config.schema.json").read_text(encoding="utf-8")
    assert written == schema_text(), "run .venv/bin/python tools/write_schema.py"
    for key, (found, schema) in KEYS.items():
        assert "description" in schema or all("description" in kind for kind in found), key


# ---- files of the repository ----


def test_the_config_holds_the_defaults_and_another_run_of_it_changes_nothing():
    stated = load_configfile(ROOT / "config" / "config.yaml")
    EDITOR.validate(stated)
    complete = read_config(stated, [ROOT / "config" / "config.yaml"])
    assert complete == read_config({}) == read_config(copy.deepcopy(complete))
    assert list(complete["models"]) == list(MODELS)


@pytest.mark.parametrize("file", sorted(ROOT.glob("examples/*.yaml")), ids=lambda file: file.name)
def test_examples_are_accepted(file):
    stated = load_configfile(file)
    EDITOR.validate(stated)
    assert read_config(stated, [file])["data"]["target"] == stated["data"]["target"]


def test_every_built_in_model_has_the_settings_of_its_builder():
    complete = read_config({})["models"]
    for name, build in (MODELS | {"neural_net_lm": LevenbergMarquardtNetwork}).items():
        parameters = inspect.signature(build).parameters
        defaults = {key: one.default for key, one in parameters.items() if key != "seed"}
        assert complete[name] == defaults


# ---- by hand: what does not fit together, and what went ----

GROUP = "split: {by: group, column: x}"
OWN = f"data: {{source: file, path: {EXISTING}, target: y, positive: 1%s}}\n%s"
UCI = "data: {source: uci, target: y, positive: 1}"
NETWORK = "models: {neural_net_lm: {validation_fraction: 0.5, unused_fraction: 0.5}}"
SVC = "models: {mine: {estimator: sklearn.svm.SVC, parameters: {%s}}}"
CHANGE = "sensitivity: {changes: {mine: {%s}}}"
CONFLICTS = [
    # values
    ("seed: 1e3", 'seed is "1e3": it should be a valid integer (inside {...} or [...], --conf'),
    ("document: {title: 2020-01-01}", 'title is "2020-01-01": it should be a valid string.'),
    ("document: {width: wide}", 'width is "wide": it should match its description: Width of a c'),
    ("experiment: {skew: .nan}", "experiment.skew is NaN: it should be a finite number."),
    ("experiment: {prevalence: 2}", "is 2: it should be 'test' or 'nominal', or it should be le"),
    ("experiment: {n_train: 1.5}", "n_train is 1.5: it should be a valid integer, or it should"),
    ("experiment: {at: [recall<=0.5]}", 'at.0 is "recall<=0.5": it should match its descripti'),
    ("experiment: {at: [fpr<=1.01]}", 'at.0 is "fpr<=1.01": it should hold a number from 0 to'),
    ("experiment: {at: [recall>=0]}", 'at.0 is "recall>=0": it should hold a number from 0 to'),
    ("experiment: {at: [fpr<=.1, fpr <= .1]}", "experiment.at is "),
    ("models: {strong: {estimator: 3}}", "models.strong.estimator is 3: it should be a valid s"),
    ("models: {../x: {estimator: a.b}}", 'models.../x is "../x": it should match its descript'),
    ("models: {logistic: 3}", "models.logistic is 3: it should be a section of keys and valu"),
    ("loan_file: nowhere.csv", '/nowhere.csv": there is no such file.'),
    (f"loan_file: {EXISTING}", "it is not TEC-2002-LOAN-DATA.csv (SHA-256 b7844f23"),
    (SVC % "C: .inf", "models.mine.parameters.C is Infinity: it should be a finite number."),
    # German Credit
    (f"data: {{path: {EXISTING}}}", "data.path: source auto does not read it: remove it."),
    ("data: {source: file}", "data.path: source file needs it."),
    ("data: {positive: 1}", "data.positive: it is of a data set with a target: name the target"),
    ("experiment: {sampling: total, total: null}", "experiment.total: sampling total needs it."),
    ("experiment: {skew: null, n_minority: 60}", "n_minority: without a skew all rows are kept"),
    ("experiment: {skew: null, prevalence: nominal}", "prevalence: nominal is the skew, and th"),
    ("compared_models: [linear, logistic]", "compared_models: the paper compares linear and ne"),
    ("models: {linear: false}", "experiment.models: the paper compares linear and neural_net: a"),
    ("experiment: {models: [linear]}", "experiment.models: the paper compares linear and neura"),
    (f"experiment: {{{GROUP}}}", "experiment.split: German Credit is split at random: remove"),
    ("figures: {models: [forest]}", "figures.models: forest is not one of the models linear, l"),
    (NETWORK, "neural_net_lm.unused_fraction: with validation_fraction it leaves no rows to tr"),
    # models of the user's own
    (SVC % "D: 2", "models.mine: sklearn.svm.SVC can't be built with these parameters: "),
    ("models: {mine: {estimator: os.system}}", "models.mine: estimator os.system is not of the"),
    # changes
    (CHANGE % "skw: 0.2", "sensitivity.changes.mine.skw is unknown; did you mean skew?"),
    (CHANGE % "skew: 2", "sensitivity.changes.mine.skew is 2: it should be less than"),
    (CHANGE % "skew: null, n_minority: 9", "sensitivity.changes.mine.n_minority: without a sk"),
    (CHANGE % "models: [forest]", "changes.mine.models: forest is not one of the models linea"),
    (CHANGE % GROUP, "changes.mine.split: all scenarios are split as experiment.split says."),
    (CHANGE.replace("mine", "paper") % "skew: 0.2", "changes.paper: another scenario has this"),
    (CHANGE.replace("mine", "skew_0.2") % "skew: 0.1", "changes.skew_0.2: another scenario ha"),
    # other data
    (UCI, "data.source: uci is of German Credit, which has no target: give file."),
    (OWN % (", name: breast_cancer", ""), "data.name: source file does not read it: remove it."),
    (OWN % ("", f"models: {dict.fromkeys(MODELS, False)}".lower()), "all of them are false: on"),
    (OWN % (", drop: [x]", f"experiment: {{{GROUP}}}"), "column: x is also the target, dropped"),
    (OWN % (", drop: [y]", ""), "data.drop: y is the target, not a feature."),
    (OWN.replace("y,", "3,") % ("", ""), "data.target: a number stands for a column with heade"),
    (OWN % ("", "experiment: {split: {by: group}}"), "split.column: by group needs it, by ran"),
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
    with pytest.raises(ConfigError) as refusal:
        read(text, tmp_path)
    found = str(refusal.value).splitlines()
    assert any(message in sentence for sentence in found), found
    assert all(sentence.startswith("config key ") and len(sentence) < 600 for sentence in found)
    assert all(re.search(r"[^.?][.?]$", sentence) for sentence in found), found


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
        "experiment: {sampling: total, n_minority: 87, prevalence: nominal}",
        "experiment: {at: [recall>=1, flagged <= 0.1, precision>=0.01], prevalence: 0.5}",
        "experiment: {cost_ratio: 1000000}\nmodels: {logistic: false}",
        '{\n\t"seed": 1,\n\t"original": {"n_train": 300}\n}',
        (SVC % "C: 2").replace("}}}", "}, resampling: smote}}"),
        "sensitivity: {changes: {a: &a {skew: 0.1}, b: {<<: *a, skew: 0.3}}}",
        CHANGE % "skew: 0.2, encoding: onehot, replicates: 3000, split: {by: random}",
        OWN % ("", f"experiment: {{{GROUP}}}\n{CHANGE % 'skew: 0.2'}"),
        OWN.replace("y,", "3, header: none,") % (', names: {minority: "1", majority: "0"}', ""),
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
    assert (experiment["skew"], experiment["n_train"], experiment["encoding"]) == (
        *(None, 0.6, "onehot"),
    )
    assert (experiment["replicates"], experiment["per_job"], experiment["stratify"]) == (
        *(200, 50, True),
    )
    assert complete["sweep"]["skew"] == complete["companions"] == []
    assert complete["sensitivity"]["changes"] == {}
    assert complete["data"]["names"] is None
    alone = read(OWN % ("", "models: {neural_net_lm: {}}"), tmp_path)
    assert alone["experiment"]["models"] == ["neural_net_lm"]
    # Without models of its own, those of the registry.
    assert read(OWN % ("", ""), tmp_path)["compared_models"] == ["linear", "logistic"]


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


def test_a_key_that_stands_twice_is_refused(tmp_path):
    file = tmp_path / "my.yaml"
    file.write_text("a:\n  b: 1\n  c: {b: 3}\n  b: 2\n")
    with pytest.raises(ConfigError, match=r"the key b stands twice .*my\.yaml\", line 4, column"):
        read_config({}, [file])


def test_results_are_written_into_a_folder(tmp_path):
    (tmp_path / "file").write_text("")
    for free in ("none", "."):
        check_folder(tmp_path / free)
    with pytest.raises(ConfigError, match="file is not a folder that can be written to"):
        check_folder(tmp_path / "file")
