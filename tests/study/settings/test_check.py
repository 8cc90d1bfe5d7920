"""A config that can't work is refused with a sentence for each problem, which names its key."""

import copy
import inspect
import json
import re
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest
import yaml
from snakemake.common.configfile import load_configfile
from snakemake.utils import update_config

from study.models.levenberg_marquardt import LevenbergMarquardtNetwork
from study.models.registry import MODELS
from study.settings.cells import (
    cell_of,
    original_cell,
    replicate_parts,
    replicates_expected,
    sweep_levels,
    sweep_parts,
)
from study.settings.check import ConfigError, check_config, check_folder
from study.settings.config import Config, schema_text
from study.settings.models import Models

ROOT = Path(__file__).parents[3]
DEFAULT = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
EXISTING = ROOT / "docs" / "scores.csv"
GROUP = "split: {by: group, column: x}"
# Data of one's own: what stands under data, and the rest of the config.
OWN = f"data: {{source: file, path: {EXISTING}, target: y, positive: 1%s}}\n%s"
OTHER = "data: {source: scikit-learn, name: breast_cancer, target: y, positive: 1}\n%s"
OWN_MODEL = "models: {mine: {estimator: %s}}"

BAD = [
    # YAML reads other things than were meant
    ("seed: 1e3", 'seed is "1e3": Input should be a valid integer (inside {...}'),
    ("seed: 0x" + 5000 * "F", "seed is a value that can't be printed: Input"),
    ("experiment: {skew: .nan}", "experiment.skew is NaN: Input should be a finite"),
    # names, at every level
    ("sede: 1", "key sede is unknown; did you mean seed?"),
    ("experiment:\n  <<: {skw: 0.2}", "experiment.skw is unknown; did you mean skew?"),
    (
        "companions: [hand]",
        "companions.0 is \"hand\": Input should be 'ben_david2008', 'hand2009',",
    ),
    (
        "figures: {figure1: {x: 1}}",
        "figures.figure1.x is unknown; there are prevalence, separations.",
    ),
    ("models: {linear: {alpha: 1}}", "models.linear.alpha is unknown; there are none here."),
    (f"data: {{path: {EXISTING}}}", "data.path: source auto does not read it: remove it"),
    ("sweep: {skew: [0.1, 0.1]}", "sweep.skew is [0.1, 0.1]: it should hold nothing twice"),
    ("models: {%s: 3}" % (60 * "a"), f"models.{60 * 'a'} "),
    ("models: {%s: 3}" % (61 * "a"), f"models.{57 * 'a'}... "),
    # values that do not fit each other
    ("experiment: {n_train: 0.5}\nsweep: {n_train: [1.5]}", "sweep.n_train.0 is 1.5: it should be"),
    ("experiment: {sampling: total, total: null}", "experiment.total: sampling total needs it"),
    ("experiment: {skew: null, n_minority: 60}", "n_minority: without a skew all rows are kept"),
    ("experiment: {skew: null, prevalence: nominal}", "prevalence: nominal is the skew, and there"),
    ("compare: [linear, logistic]", "compare: of German Credit it is the paper's pair, linear, n"),
    ("models: {linear: false}", "models.linear: the paper compares linear and neural_net: leave"),
    (f"experiment: {{stratify: true, {GROUP}}}", "split: German Credit is split at random"),
    ("experiment: {split: {by: group}}", "split.column: by group needs it, by random has none"),
    ("sweep: {models: [linear]}", "sweep.models: neural_net is needed to count rank reversals"),
    (f"loan_file: {EXISTING}", "it is not TEC-2002-LOAN-DATA.csv (its SHA-256 is not"),
    ("models: {neural_net_lm: {validation_fraction: 0.9, unused_fraction: 0.1}}", "leaves no rows"),
    # models in lists, and of one's own
    ("models: {logistic: false}\nfigures: {models: [logistic]}", "figures.models is"),
    (
        f"models: {{{', '.join(f'm{i}: {{estimator: sklearn.svm.SVC}}' for i in range(33))}}}",
        "models: figures tell 36 models apart, not 37: set some to false",
    ),
    (OWN_MODEL % "sklearn.svm.SVC, parameter: {C: 2}", "parameter is unknown; did you mean parame"),
    ("models: {../x: {estimator: sklearn.svm.SVC}}", "models.../x is "),
    (OWN_MODEL % "os.system", "models.mine: estimator os.system is not of the packages"),
    # data sets of one's own
    (OWN % (", name: breast_cancer", ""), "data.name: source file does not read it"),
    (OWN % (", drop: [x]", f"experiment: {{{GROUP}}}"), "data.drop: x is the column of the split"),
    (OWN % (", drop: [y]", ""), "data.drop: y is the target, not a feature"),
    (OWN % ("", "experiment: {split: {by: group, column: y}}"), "split.column: y is the target"),
    (OWN % ("", f"experiment: {{{GROUP}, stratify: false}}"), "stratify: a split by group leaves"),
    # what older versions had
    (OWN % (", uci_id: 3", ""), "data.uci_id is no longer read: download the table, and give its"),
    (OWN % ("", "experiment: {split: {by: time, column: d}}"), 'time": rows are split at random: '),
    (OWN % ("", "experiment: {test_path: a.csv}"), "test_path is no longer read: score these rows"),
    (
        "models: {neural_net: {trainer: compiled}}",
        "trainer is no longer read: the compiled trainer",
    ),
    ("sweep: {trainer: [compiled]}", "sweep.trainer is no longer read: the compiled trainer is"),
    ("specification: {count: 9}", "specification is no longer read: change a key under experiment"),
    ("forensics: {test_sizes: [9, 8]}", "forensics is no longer read: the explanations of the"),
    ("companions: {hand: {enabled: false}}", "it is a list now, such as [ben_david2008, baker]"),
    ("document: {kit: {width: 3in}}", "document.kit is no longer read: the folder of the appendix"),
    (OWN.replace("y,", "3,") % ("", ""), "data.target: a number stands for a column with header:"),
    (OWN.replace(", positive: 1", "") % ("", ""), "data.positive: a target needs it"),
    (OWN % (", names: {minority: a, majority: a}", ""), "data.names: the two classes need differe"),
    # what German Credit alone has
    (OWN % ("", "original: {n_train: 500}"), "original: it is of German Credit alone, and data.t"),
    (OWN % ("", "experiment: {encoding: strathclyde}"), "strathclyde is of German Credit alone"),
    (OWN % ("", "sweep: {encoding: [strathclyde]}"), "strathclyde is of German Credit alone"),
    (OWN.replace("source: file", "source: auto") % ("", ""), "source: auto is of German Credit"),
    (
        OWN.replace("source: file", "source: uci") % ("", ""),
        "of other data download the table, and",
    ),
    ("data: {positive: 1}", "data.positive: it is of a data set with a target: name the target"),
]
# By key: what is just accepted, and what is just refused, where the schema does not say it all.
BOUNDS = {
    "experiment.skew": ([1e-6, 1 - 1e-6], [9e-7, 1 - 9e-7]),
    "experiment.prevalence": (["test", 1e-6, 1 - 1e-6], [9e-7, 1 - 9e-7, True, "own"]),
    "experiment.n_train": ([0.1, 2.0, 500], [0.0, 1.5]),
    "experiment.at": (
        [["recall>=1", "fpr<=0", "flagged<=1", "precision>=0.01", "specificity>=0.1"]],
        *[[["recall>=1.01"], ["recall>=0"], ["fpr<=1.01"], ["fpr<=-0.1"], ["recall<=0.5"]]],
    ),
    "data.uci_url": (["http://x.example"], ["file:///etc/passwd"]),
    "models.neural_net.hidden_units": ([1, 1000], [0, 1001, True]),
    "estimator_packages": ([["a_1"]], [["../here"], ["1a"]]),
}


@pytest.mark.parametrize("key", BOUNDS)
def test_a_value_is_refused_just_outside_its_bounds(key):
    for values, refused in zip(BOUNDS[key], (False, True), strict=True):
        for value in values:
            own = value
            for name in reversed(key.split(".")):
                own = {name: own}
            config = copy.deepcopy(DEFAULT)
            update_config(config, own)
            if refused:
                with pytest.raises(ConfigError, match=rf"config key {re.escape(key)}[. ]"):
                    check_config(config, [])
            else:
                check_config(config, [])


def checked(text, folder):
    """As Snakemake and the Snakefile do it."""
    file = folder / "my.yaml"
    file.write_text(text, encoding="utf-8")
    own = load_configfile(file)
    data = own.get("data")
    config = {} if isinstance(data, dict) and "target" in data else copy.deepcopy(DEFAULT)
    update_config(config, own)
    check_config(config, [file])
    return config


def problems(text, folder):
    with pytest.raises(ConfigError) as refusal:
        checked(text, folder)
    return str(refusal.value).splitlines()


def test_the_default_passes_unchanged():
    config = copy.deepcopy(DEFAULT)
    check_config(config, [ROOT / "config" / "config.yaml"])
    update_config(config, DEFAULT)  # of which nothing was other, and nothing left out
    again = copy.deepcopy(config)
    check_config(again, [])
    assert again == config
    assert list(config["models"]) == list(DEFAULT["models"])


@pytest.mark.parametrize(("text", "message"), BAD, ids=[text[:50] for text, _ in BAD])
def test_refused_by_a_sentence_that_names_the_key(text, message, tmp_path):
    found = problems(text, tmp_path)
    assert any(message in one for one in found), found
    assert all(one.startswith("config key ") and len(one) < 600 for one in found)
    assert all(one[-1] in ".?" and one[-2] not in ".?" for one in found), found


def test_all_problems_are_told_at_once(tmp_path):
    text = "seed: 1\nseed: -1\nsede: 2\nmodels: {logistic: {C: 0}, mine: 3}\ndata: {source: file}"
    keys = [one.split(" ")[2].rstrip(":") for one in problems(text, tmp_path)]
    assert keys == ["seed", "seed", "data.path", "models.logistic.C", "models.mine", "sede"]
    many = problems(f"sweep: {{n_train: {[*range(-40, 0)]}}}", tmp_path)
    assert (len(many), many[-1]) == (21, "(and 20 more)")
    assert len(problems(f"sweep: {{n_train: {[*range(-20, 0)]}}}", tmp_path)) == 20


@pytest.mark.parametrize(
    "text",
    [
        "seed: 0\nexperiment: &e {skew: 1.1e-1, n_train: 0x1F4}\noriginal: {n_train: 0764}",
        "experiment: {sampling: total, n_minority: 87, prevalence: nominal}",
        '{\n\t"seed": 1,\n\t"original": {"n_train": 300}\n}',
        OWN_MODEL % "sklearn.svm.SVC, parameters: {C: 2}, resampling: smote",
        "companions: []",
        OWN % ("", f"experiment: {{{GROUP}}}"),
    ],
)
def test_what_can_work_is_accepted(text, tmp_path):
    checked(text, tmp_path)


def test_data_of_ones_own_inherit_nothing_of_german_credit(tmp_path):
    forest = "forest: {estimator: sklearn.ensemble.RandomForestClassifier}"
    trees = "trees: {estimator: sklearn.ensemble.ExtraTreesClassifier}"
    config = checked(OWN % ("", f"models: {{{trees}, {forest}}}"), tmp_path)
    assert list(config["models"]) == config["compare"] == config["sweep"]["models"]
    assert sorted(config["models"]) == ["forest", "trees"]
    assert (config["experiment"]["skew"], config["experiment"]["n_train"]) == (None, 0.6)
    assert (config["replicates"]["count"], config["replicates"]["fewer"]) == (200, {})
    assert (config["sweep"]["encoding"], config["sweep"]["n_train"]) == (["onehot"], [0.6])
    assert config["companions"] is config["original"] is config["figures"]["figure1"] is None


@pytest.mark.parametrize(("swept", "pair"), [("c, b", ["b", "c"]), ("c", ["a", "b"])])
def test_two_models_of_the_sweep_are_compared_if_it_has_two(swept, pair, tmp_path):
    models = ", ".join(f"{name}: {{estimator: sklearn.svm.SVC}}" for name in "abc")
    text = OWN % ("", f"models: {{{models}}}\nsweep: {{models: [{swept}]}}")
    assert checked(text, tmp_path)["compare"] == pair


def test_a_path_is_read_from_the_folder_of_its_file(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "here/own.csv").write_text("a,y\n1,2\n")
    monkeypatch.chdir(tmp_path)
    text = (OWN % ("", "")).replace(str(EXISTING), "own.csv")
    assert checked(text, tmp_path / "here")["data"]["path"] == "here/own.csv"
    # From another file, or the command line, it is read from the working folder.
    config = yaml.safe_load(text)
    with pytest.raises(ConfigError, match=r'data\.path is "own\.csv": there is no such file'):
        check_config(config, [])


def test_declared_data_sets_are_answered_with_their_new_form(tmp_path):
    own = "source: file, path: own.csv, target: y, positive: ill, n_train: 0.5, replicates: 30"
    model = "m: {estimator: sklearn.svm.SVC}"
    text = f"datasets: {{mine: {{{own}, models: [m, linear]}}}}\nmodels: {{{model}}}"
    (tmp_path / "my.yaml").write_text(text)
    config = copy.deepcopy(DEFAULT)
    update_config(config, load_configfile(tmp_path / "my.yaml"))
    with pytest.raises(ConfigError) as refusal:
        check_config(config, [tmp_path / "my.yaml"])
    sentence, _, form = str(refusal.value).partition("\n")
    assert sentence.startswith("config key datasets: a run is now of one data set")
    assert form.startswith("# mine.yaml\nseed: 2010\ndata:\n")
    (tmp_path / "own.csv").write_text("")
    found = checked(form, tmp_path)
    assert found["data"]["positive"] == "ill"
    assert found["experiment"]["n_train"] == 0.5
    assert list(found["models"]) == ["linear", "m"]
    assert found["replicates"]["count"] == 30


def test_false_takes_a_model_out_of_every_list(tmp_path):
    text = "models: {neural_net_lm: false, gone: false}\nfigures: {models: [neural_net_lm, linear]}"
    config = checked(text, tmp_path)
    assert list(config["models"]) == ["linear", "logistic", "neural_net"]
    assert config["figures"]["models"] == ["linear"]
    assert config["replicates"]["fewer"] == {}


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (b"a:\n  b: 1\n  b: 2\n", r"config key a\.b stands twice in .*my\.yaml, lines 2 and 3"),
        (b"__use_yte__: true\n", "config key __use_yte__ in .*: a config holds no program"),
        ("a: é".encode("latin-1"), r"my\.yaml: byte 4 is not UTF-8"),
        (b"a: " + 1000 * b"[" + 1000 * b"]", r"my\.yaml is nested too deeply"),
    ],
)
def test_files_are_read_strictly(written, message, tmp_path):
    (tmp_path / "my.yaml").write_bytes(written)
    with pytest.raises(ConfigError, match=message) as refusal:
        check_config(copy.deepcopy(DEFAULT), [tmp_path / "my.yaml"])
    assert "\n" not in str(refusal.value)


def test_results_are_written_into_a_folder(tmp_path):
    (tmp_path / "file").write_text("")
    for free in ("none", "."):
        check_folder(tmp_path / free)
    with pytest.raises(ConfigError, match="file is a file, but a folder is needed: move the file"):
        check_folder(tmp_path / "file")


def test_aliases_can_not_grow_without_bound(tmp_path):
    lines = [f"{b}: &{b} [{','.join(9 * [f'*{a}'])}]" for a, b in pairwise("abcdefghi")]
    (tmp_path / "my.yaml").write_text("\n".join(["a: &a {x: y}", *lines]))
    with pytest.raises(ConfigError, match=r"my\.yaml: 72 aliases \(\*name\); the limit is 20\.$"):
        check_config(copy.deepcopy(DEFAULT), [tmp_path / "my.yaml"])


def test_the_tracked_schema_is_that_of_the_sections_and_explains_every_key():
    written = (ROOT / "workflow/schemas/config.schema.json").read_text(encoding="utf-8")
    assert written == schema_text(), "run .venv/bin/python tools/write_schema.py"
    schema = json.loads(written)
    jsonschema.Draft202012Validator(schema).validate(DEFAULT)
    for name, section in [("Config", schema), *schema["$defs"].items()]:
        for key, about in section.get("properties", {}).items():
            assert "description" in about or "$ref" in about, f"{name}.{key}"
        assert "description" in section, name


def test_every_registered_model_has_the_settings_of_its_builder():
    assert list(Models.model_fields) == list(MODELS)
    # The one builder that passes its settings on as they are.
    for name, build in (MODELS | {"neural_net_lm": LevenbergMarquardtNetwork}).items():
        defaults = {key: one.default for key, one in inspect.signature(build).parameters.items()}
        del defaults["seed"]
        section = Models.model_fields[name].annotation
        assert set(section.model_fields) == set(defaults)
        section.model_validate(defaults)
    assert set(Config.model_fields) - {"document"} == set(DEFAULT)


@pytest.fixture
def config():
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    check_config(config, [])
    return config


@pytest.mark.parametrize(
    ("section", "change", "told"),
    [
        # A data set is called by its file or its name.
        ("data", {}, ("german_credit", "random")),
        ("data", {"source": "file", "target": "y", "path": "a/b.2024.csv"}, ("b", "random")),
        ("data", {"source": "scikit-learn", "target": "y", "name": "n"}, ("n", "random")),
        ("experiment", {"split": {"by": "group", "column": "d"}}, ("german_credit", "group")),
    ],
)
def test_a_cell_tells_its_data_and_how_they_are_split(config, section, change, told):
    config[section] |= change
    cell = cell_of(config, ["linear"])
    assert (cell["dataset"], cell["split"]) == told


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
    cell = after["skew~0.15/encoding~onehot/sampling~keep_majority/n_train~500"]
    assert (cell["skew"], cell["encoding"], cell["n_minority"]) == (0.15, "onehot", None)


def test_a_cell_holds_only_what_it_uses(config):
    """So that a change of the rest does not draw it again."""
    before = cell_of(config, ["linear"])
    config["experiment"]["total"] = 700  # of another sampling
    config["models"]["logistic"]["C"] = 2.0
    assert cell_of(config, ["linear"]) == before


def test_the_order_of_keys_in_a_config_is_no_change(config):
    before = repr(sweep_levels(config))
    for settings in (config["experiment"], config["models"]["neural_net"]):
        settings.update({name: settings.pop(name) for name in sorted(settings, reverse=True)})
    assert repr(sweep_levels(config)) == before


@pytest.mark.parametrize(
    ("stated", "own", "original"), [("test", None, None), ("nominal", 0.11, 0.3), (0.2, 0.2, 0.2)]
)
def test_the_nominal_prevalence_is_that_of_the_rows(config, stated, own, original):
    config["experiment"]["prevalence"] = stated
    assert cell_of(config, ["linear"])["prevalence"] == own
    cell = original_cell(config)
    assert (cell["prevalence"], cell["skew"]) == (original, None)
