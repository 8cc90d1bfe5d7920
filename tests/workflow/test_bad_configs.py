"""Config files as people write them by mistake: each is refused at once, by one sentence.

The text goes the way that Snakemake takes it: its reader, merged over the default, then checked.
"""

import copy
import subprocess
import sys
import time
from pathlib import Path

import pytest
from snakemake.common.configfile import load_configfile
from snakemake.utils import update_config
from snakemake_interface_common.exceptions import WorkflowError

from study.settings.check import ConfigError, check_config

ROOT = Path(__file__).parents[2]
DEFAULT = ROOT / "config" / "config.yaml"
READ = load_configfile(DEFAULT)
DATASET = "datasets: {mine: {source: file, path: FILE, target: y, positive: 1%s}}"
SCORES = "scores: {mine: {path: FILE, label: y%s}}"
OWN_MODEL = "models: {mine: {estimator: %s}}"

# Text of the file, and what the message must say. FILE is a file that exists.
BAD = [
    # YAML reads other things than were meant
    ("seed: 1e3", "seed: '1e3' is not of type 'integer'"),
    ("seed: 1_0.5", "seed: 10.5 is not of type 'integer'"),
    ("seed: 2010-08-01", "seed: datetime.date(2010, 8, 1) is not of type 'integer'"),
    ("seed: 4294967296", "seed: 4294967296 is greater than the maximum"),
    ("seed: 1" + 60 * "0", "is greater than the maximum"),
    ("seed: yes", "seed: True is not of type 'integer'"),
    ("seed:", "seed: None is not of type 'integer'"),
    ("seed: [1]", "seed: [1] is not of type 'integer'"),
    ("experiment: {skew: 1:30}", "experiment.skew: 90 is greater"),
    ("experiment: {skew: 0,11}", "experiment."),
    ("experiment: {skew: 11%}", "experiment.skew: '11%' is not of type 'number'"),
    ("experiment: {skew: .inf}", "experiment.skew: inf is not a finite"),
    ("experiment: {skew: -.inf}", "experiment.skew: -inf is not a finite"),
    ("experiment: {skew: .nan}", "experiment.skew: nan is not a finite number"),
    ("experiment: {skew: no}", "experiment.skew: False is not of type 'number'"),
    ("experiment: {n_train: 0o500}", "experiment.n_train: '0o500' is not of type 'integer'"),
    ("experiment: {n_train: 01750}", "experiment.n_train: 1000 training rows of 786"),
    ("experiment: {n_train: 500.5}", "experiment.n_train: 500.5 is not of type 'integer'"),
    ("experiment: {n_train: -500}", "experiment.n_train: -500 is less"),
    ("experiment: {stratify: 'no'}", "experiment.stratify: 'no' is not of type 'boolean'"),
    ("experiment: {stratify: 0}", "experiment.stratify: 0 is not of type 'boolean'"),
    ("experiment: {encoding: null}", "experiment.encoding: None is not of type 'string'"),
    ("experiment: {encoding: ../../etc}", "experiment.encoding: '../../etc' is unknown"),
    ("no: 1", "key False is unknown"),
    ("1: 2", "key 1 is unknown"),
    ("sëed: 1", "key sëed is unknown; did you mean seed?"),
    ("séed: 1", "key séed is unknown"),
    ("'': 1", "is unknown"),
    ("\ufeffsede: 3", "sede is unknown; did you mean seed?"),
    ("experiment:", "experiment: None is not of type 'object'"),
    ("experiment: [skew, 0.1]", "experiment: ['skew', 0.1] is not of type 'object'"),
    ("experiment: skew", "experiment: 'skew' is not of type 'object'"),
    ("models: [linear]", "models: ['linear'] is not of type 'object'"),
    ("datasets: [mine]", "datasets: ['mine'] is not of type 'object'"),
    ("base: &b {skew: 0.2}\nexperiment: {<<: *b}", "key base is unknown"),
    ("experiment: &b {skw: 0.2}\noriginal: {<<: *b}", "experiment.skw is unknown"),
    ("experiment:\n  <<: {skw: 0.2}", "experiment.skw is unknown; did you mean skew?"),
    ("seed: 1\nseed: 2", "seed stands twice"),
    ("experiment: {skew: 0.1, skew: 0.1}", "skew stands twice"),
    ("sweep:\n  skew: [0.1]\n  skew: [0.2]", "skew stands twice"),
    ('{"seed": 1, "seed": 2}', "seed stands twice"),
    ("__use_yte__: true\nseed: 3", "__use_yte__"),
    ("seed: !!python/name:os.system", "my.yaml, line 1: could not determine a constructor"),
    ("seed: !!python/tuple [1]", "my.yaml, line 1: could not determine a constructor"),
    # unknown keys, at every level
    ("experimnt: {}", "key experimnt is unknown; did you mean experiment?"),
    ("data: {sources: uci}", "data.sources is unknown; did you mean source?"),
    ("original: {n_test: 3}", "original.n_test is unknown"),
    ("replicates: {fewer: {linear: 1}}", "replicates.fewer.linear: 1 is less"),
    ("replicates: {fewer: {forest: 9}}", "replicates.fewer: forest is not among"),
    ("sweep: {skews: [0.1]}", "sweep.skews is unknown; did you mean skew?"),
    ("figures: {figure1: {prevalences: 0.3}}", "figures.figure1.prevalences is unknown"),
    ("companions: {baker: {thresholds: share}}", "companions.baker.thresholds is unknown"),
    # bounds, lists and duplicates in them
    ("data: {timeout_seconds: 0}", "data.timeout_seconds: 0 is less"),
    ("data: {timeout_seconds: .nan}", "data.timeout_seconds: nan is not a finite number"),
    ("data: {uci_url: 'file:///etc/passwd'}", "data.uci_url"),
    ("data: {source: file, path: ''}", "data.path"),
    ("data: {source: file, path: .}", "data.path: there is no file ."),
    ("data: {source: file, path: [a]}", "data.path"),
    ("replicates: {count: 1}", "replicates.count: 1 is less"),
    ("replicates: {count: 1000000000000}", "replicates.count: 1000000000000 is greater"),
    ("replicates: {per_job: 0}", "replicates.per_job: 0 is less"),
    ("replicates: {keep_scores: 1001}", "replicates.keep_scores: 1001 is greater"),
    ("sweep: {skew: []}", "sweep.skew: []"),
    ("sweep: {skew: 0.1}", "sweep.skew: 0.1 is not of type 'array'"),
    ("sweep: {skew: [0.1, 0.1]}", "sweep.skew: [0.1, 0.1] has non-unique elements"),
    ("sweep: {skew: [0.1, .nan]}", "sweep.skew.1: nan is not a finite number"),
    ("sweep: {skew: [0.1, '0.2']}", "sweep.skew.1: '0.2' is not of type 'number'"),
    ("sweep: {models: [neural_net]}", "sweep.models: linear is needed"),
    ("sweep: {n_train: [999]}", "key sweep: the data can give none of its cells"),
    ("sweep: {encoding: [../x]}", "sweep.encoding: '../x' is unknown"),
    ("specification: {networks: [linear]}", "specification.networks.0: 'linear' is not one of"),
    ("figures: {models: []}", "figures.models: []"),
    ("figures: {figure1: {separations: [0]}}", "figures.figure1.separations.0: 0 is less"),
    ("forensics: {test_sizes: [150]}", "forensics.test_sizes: [150] is too short"),
    ("forensics: {minority_share: [0.2, 0.1]}", "forensics.minority_share: 0.2 comes first"),
    ("companions: {hand: {subset_sizes: [21]}}", "companions.hand.subset_sizes.0: 21 is greater"),
    ("companions: {silipo: {n_levels: 1}}", "companions.silipo.n_levels: 1 is less"),
    (
        "companions: {silipo: {n_rows: .inf}}",
        "companions.silipo.n_rows: inf is not a finite number",
    ),
    # keys that contradict each other
    ("experiment: {n_minority: 301}", "key experiment."),
    ("experiment: {n_minority: 87, sampling: total, total: 50}", "key experiment."),
    ("experiment: {sampling: total, total: 5000}", "key experiment."),
    ("models: {linear: false}", "key models: linear is not among the models"),
    ("models: {neural_net: false}", "neural_net"),
    ("data: {source: file}", "data.path is needed"),
    # models of one's own
    ("models: {1: {}}", "key models.1 is not a registered model"),
    ("models: {../x: {estimator: sklearn.svm.SVC}}", "models.../x: a model of your own needs"),
    ("models: {'<script>': {estimator: sklearn.svm.SVC}}", "models.<script>: a model of your own"),
    ("models: {linear: {estimator: sklearn.svm.SVC}}", "models.linear: a model of your own"),
    ("models: {linear: null}", "models.linear is None"),
    (OWN_MODEL % "os.system", "models.mine: estimator os.system is not of the packages"),
    (OWN_MODEL % "subprocess.Popen", "estimator subprocess.Popen is not of the packages"),
    (OWN_MODEL % "builtins.eval", "estimator builtins.eval is not of the packages"),
    (OWN_MODEL % "sklearnx.A", "estimator sklearnx.A is not of the packages"),
    (OWN_MODEL % ".sklearn.A", "estimator .sklearn.A is not of the packages"),
    (OWN_MODEL % "sklearn", "estimator 'sklearn' is not an import path"),
    (OWN_MODEL % "sklearn..svm.SVC", "estimator sklearn..svm.SVC can't be imported"),
    (OWN_MODEL % "sklearn.svm.SVCC", "sklearn.svm has no SVCC"),
    (OWN_MODEL % "sklearn.svm.SVR", "estimator sklearn.svm.SVR is not a classifier"),
    (OWN_MODEL % "sklearn.metrics.roc_auc_score", "is not a class with fit and predict"),
    (OWN_MODEL % "sklearn.os.system", "can't be imported"),
    (OWN_MODEL % "[sklearn]", "is not an import path"),
    (OWN_MODEL % "sklearn.multiclass.OneVsRestClassifier", "needs a value for estimator"),
    (OWN_MODEL % "sklearn.ensemble._forest.ForestClassifier", "is not a classifier"),
    (OWN_MODEL % "sklearn.svm.SVC, parameters: {c: 1}", "has no parameter c"),
    (OWN_MODEL % "sklearn.svm.SVC, parameters: {C: .nan}", "models.mine.parameters.C: nan"),
    (OWN_MODEL % "sklearn.svm.SVC, parameters: [C]", "parameters must be a mapping"),
    (OWN_MODEL % "sklearn.svm.SVC, resampling: adasyn", "resampling 'adasyn' is unknown"),
    (OWN_MODEL % "sklearn.svm.SVC, resampling: [smote]", "resampling ['smote'] is unknown"),
    (OWN_MODEL % "sklearn.svm.SVC, fit: 3", "setting fit is unknown"),
    ("estimator_packages: sklearn", "estimator_packages: 'sklearn' is not of type 'array'"),
    ("estimator_packages: [sklearn.svm]", "estimator_packages.0: 'sklearn.svm' does not match"),
    ("estimator_packages: [../here]", "estimator_packages.0"),
    # data sets and scores of one's own
    ("datasets: {../../x: {source: file, target: y, positive: 1}}", "key datasets"),
    ("datasets: {Mine: {source: file, target: y, positive: 1}}", "key datasets"),
    ("datasets: {'a b; rm': {source: file, target: y, positive: 1}}", "key datasets"),
    ("datasets: {1: {source: file, target: y, positive: 1}}", "key datasets"),
    ("datasets: {mine: {source: file}}", "datasets.mine.target is missing"),
    ("datasets: {mine: null}", "datasets.mine: None is not of type 'object'"),
    (DATASET.replace("FILE", "no/such.csv") % "", "datasets.mine.path: there is no file"),
    (DATASET.replace("FILE", "null") % "", "datasets.mine.path is needed"),
    (DATASET.replace("file", "uci") % "", "datasets.mine.uci_id is needed"),
    (DATASET.replace("file", "http") % "", "datasets.mine.source: 'http' is not one of"),
    (DATASET % ", uci_id: 0", "datasets.mine.uci_id: 0 is less"),
    (DATASET % ", n_train: 1.5", "datasets.mine.n_train: 1.5 is neither"),
    (DATASET % ", n_train: .inf", "datasets.mine.n_train: inf is not a finite number"),
    (DATASET % ", skew: 1", "datasets.mine.skew: 1 is greater"),
    (DATASET % ", models: [forest]", "datasets.mine.models: forest is not among"),
    (DATASET % ", models: []", "datasets.mine.models: []"),
    (DATASET % ", missing: ignore", "datasets.mine.missing: 'ignore' is not one of"),
    (DATASET % ", drop: id", "datasets.mine.drop: 'id' is not of type 'array'"),
    (DATASET % ", drop: [no]", "datasets.mine.drop.0: False is not of type 'string'"),
    (DATASET % ", replicates: 99999999", "datasets.mine.replicates: 99999999 is greater"),
    (DATASET % ", categorical: [y]", "datasets.mine.categorical: y is the target"),
    (DATASET % ", drop: [y]", "datasets.mine.drop: y is the target"),
    (DATASET % ", replicate: 5", "datasets.mine.replicate is unknown; did you mean replicates?"),
    ("datasets: {mine: {source: file, target: y, positive: [1]}}", "datasets.mine.positive"),
    (DATASET % "" + "\n" + SCORES % "", "scores.mine: there is a data set of that name"),
    (SCORES.replace("FILE", "no.csv") % "", "scores.mine.path: there is no file no.csv"),
    (SCORES % ", target: y", "scores.mine.target is unknown"),
    (SCORES % ", prevalence: 0", "scores.mine.prevalence: 0 is less"),
    (SCORES % ", models: a", "scores.mine.models: 'a' is not of type 'array'"),
]
# What Snakemake itself refuses while it reads the file.
UNREADABLE = [
    "",
    "# nothing here",
    "- seed",
    "only words",
    "a: b: c",
    "seed: [1",
    "experiment:\n\tskew: 0.1",
    "original: {n_train: *nowhere}",
    "seed: !!python/object/apply:os.system ['touch pwned']",
    "seed: 1\n---\nseed: 2",
    "? [a, b]\n: 1",
    "{a: 1}: 2",
    "%PDF-1.7",
]


def read_and_check(text, folder):
    """As Snakemake and the Snakefile do it."""
    data = folder / "data.csv"
    data.write_text("x,y\n1,0\n2,1\n")
    file = folder / "my.yaml"
    file.write_text(text.replace("FILE", str(data)), encoding="utf-8")
    config = copy.deepcopy(READ)
    update_config(config, load_configfile(file))
    check_config(config, [file], ROOT)


@pytest.mark.parametrize(("text", "message"), BAD, ids=[text[:50] for text, _ in BAD])
def test_refused_by_one_sentence_that_names_the_key(text, message, tmp_path):
    begin = time.monotonic()
    with pytest.raises(ConfigError) as refusal:
        read_and_check(text, tmp_path)
    said = str(refusal.value)
    assert message in said
    assert said.startswith(("config key", "config file"))
    assert "\n" not in said
    assert len(said) < 700
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize("text", UNREADABLE, ids=[repr(text)[:40] for text in UNREADABLE])
def test_what_is_no_mapping_in_yaml_is_refused_by_the_reader(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WorkflowError, match="YAML"):
        read_and_check(text, tmp_path)
    assert not (tmp_path / "pwned").exists()


def test_what_yaml_reads_as_meant_is_accepted(tmp_path):
    """The table of refusals is not met by refusing everything."""
    text = (
        "seed: 0\nexperiment: &e {skew: 1.1e-1, n_train: 0x1F4}\n"
        "original: {n_train: 0764}\nsweep: {skew: [.05, 3.0e-1]}\n"
        "models: {mine: {estimator: sklearn.svm.SVC, parameters: {C: 2}, resampling: smote}}\n"
    )
    read_and_check(text, tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("experiment: {skew: .nan}", "config key experiment.skew: nan is not a finite number."),
        (OWN_MODEL % "os.system", "config key models.mine: estimator os.system is not of the"),
        ("experiment:\n\tskew: 0.1", "Config file is not valid JSON or YAML"),
        ("__use_yte__: true\nseed: ?1 + 2", "config key __use_yte__ in"),
    ],
)
def test_snakemake_shows_the_sentence_and_no_traceback(text, message, tmp_path):
    file = tmp_path / "my.yaml"
    file.write_text(text)
    where = ["--directory", tmp_path / "work", "--configfile", file]
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--dry-run", *where],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,  # a dry run says everything on stdout
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 1
    assert done.stdout.count(message) == 1
    assert "Traceback" not in done.stdout
    assert not (tmp_path / "work" / "results").exists()
