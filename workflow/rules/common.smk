# The checked config, the scenarios, and what this run makes.
import hashlib
import os
import re
import sys
import time
from functools import cache
from pathlib import Path

STARTED = time.time()
ROOT = Path(str(workflow.current_basedir.join("../.."))).resolve()
if not (ROOT / "src" / "study").is_dir():
    raise WorkflowError(
        "this workflow needs a clone of its repository: its jobs import the packages in src/, and "
        "Snakemake fetches the Snakefiles and scripts of a remote module, but not the packages. "
        "Clone it, and give the path of workflow/Snakefile in the clone."
    )
# The code of this checkout is the code that runs, whether or not it is installed.
sys.path[:0] = [str(ROOT / "src")]

from study.code import code_of
from study.experiment import scenarios
from study.provenance import write_provenance
from study.settings import ConfigError, check_folder, read_config

# Where results go, in the folder of a module's prefix.
RESULTS = Path(workflow.modifier.path_modifier.prefix or "") / "results"

# Snakemake's is_module is true of a main workflow, too.
IS_MODULE = workflow.modifier.parent_modifier is not None

try:
    config.update(read_config(config, workflow.configfiles, is_module=IS_MODULE))
    check_folder(RESULTS)
except ConfigError as error:
    raise WorkflowError(str(error))

BASE = scenarios.base_name(config)
SCENARIOS = scenarios.make_scenarios(config)
SWEEP = scenarios.sweep_names(config)
CHANGES = list(config["sensitivity"]["changes"])
PAIR = config["compared_models"]
# Estimators of the user's, which may fail.
OWN_MODELS = {
    name: model for name, model in scenarios.all_models(SCENARIOS).items() if "estimator" in model
}
if workflow.is_main_process and (names := scenarios.unused_models(config, SCENARIOS)):
    text = "config key models: no scenario fits %s: name it under experiment.models, or remove it"
    logger.warning(text % " and ".join(names))
# How figures are drawn; title and author are those of the texts alone.
COLUMN = {key: config["document"][key] for key in ("width", "font")}
FEATURES = "results/data/features_{encoding}.csv"
PROVENANCE = "results/data/provenance.json"
FITTED = "results/logs/fit_once/{models}.done"
# What people call the classes is no reason to prepare the data again.
DATA = {key: value for key, value in config["data"].items() if key != "names"}

# Tables and figures of any data; paper.smk and own_data.smk add theirs.
TABLES = ["table4", "table5", "operating_point", "rank_reversal", "reversal_by_gap"]
TABLES += ["leads", "intervals", "tests"]
FIGURES = []
if SWEEP:
    TABLES += ["sweep", "sweep_reversal", "sweep_sizes"]
    FIGURES += ["measures_by_skew", "reversal_by_skew"]
if OWN_MODELS:
    TABLES += ["failed_fits"]
if CHANGES:
    TABLES += ["sensitivity"]
    FIGURES += ["sensitivity"]


def list_tables():
    """The csv files that documents may show and link to."""
    return expand("results/tables/{name}.csv", name=TABLES)


def list_figures():
    """Every figure, as SVG for pages and as PDF for papers."""
    return expand("results/figures/{name}.{format}", name=FIGURES, format=["svg", "pdf"])


def get_final_output():
    """What a run makes."""
    return [
        "results/index.html",
        "results/explorer.html",
        "results/appendix/appendix.pdf",
        *list_tables(),
        *list_figures(),
        *["results/companions/index.html"] * bool(config["companions"]),
        *list_chunks(SCENARIOS),
    ]


def clone_file(path):
    """A file of this clone as input, wherever results go (a module has a prefix for its own files).

    A relative path stays what it is in a clone that is moved with its results.
    """
    return local(os.path.relpath(ROOT / path))


def list_chunks(names, kind="parquet"):
    """The files of these scenarios' chunks; kind is parquet (measures) or scores.parquet."""
    return [
        f"results/replicates/{name}/{chunk}.{kind}"
        for name in names
        for chunk in scenarios.chunk_names(SCENARIOS[name])
    ]


def find_features(wildcards):
    """The features of a scenario; without that wildcard, of the experiment itself."""
    return FEATURES.format(**SCENARIOS[wildcards.get("scenario", BASE)])


def chunk_setting(wildcards):
    """What a chunk of a scenario is drawn by."""
    setting = SCENARIOS[wildcards.get("scenario", BASE)]
    return scenarios.chunk_setting(setting, wildcards.models, int(wildcards.chunk))


def list_fitted(wildcards):
    """What chunks of a model of the user's wait for: it was fitted once."""
    return [FITTED] if wildcards.models in OWN_MODELS else []


def fit_setting(wildcards):
    """What fitting a model of the user's on the split that is shown depends on."""
    keys = ["skew", "sampling", "total", "n_train", "split", "stratify", "scaling"]
    setting = {key: SCENARIOS[BASE][key] for key in keys}
    return setting | {"models": {wildcards.models: OWN_MODELS[wildcards.models]}}


def hash_of_data():
    """A hash of the config's data file, which may be replaced by one of an older date.

    None in a module, where a rule of the parent may make the file.
    """
    path = config["data"]["path"]
    if path is None or IS_MODULE:
        return None
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def gather_mb(wildcards, input, attempt):
    """Memory of a job that reads the measures of many splits."""
    return attempt * scenarios.gather_mb(input.size_mb)


@cache
def count_cells(path):
    """Rows times columns of a csv file of numbers."""
    with open(path) as file:
        return (file.readline().count(",") + 1) * sum(1 for line in file)


def split_setting(name):
    """What one split of a scenario depends on: not how many there are, nor in which chunks."""
    setting = SCENARIOS.get(name, {})
    return {key: setting[key] for key in setting if key not in ("replicates", "per_job")}


N_CHUNKS = len(list_chunks(SCENARIOS))
if N_CHUNKS > 5000 and workflow.is_main_process:
    logger.warning(
        f"This run draws {N_CHUNKS} chunks, each a job. Fewer are enough with a larger "
        "experiment.per_job, fewer models of your own, or a shorter sweep; on a cluster --groups "
        "submits several together (docs/cluster.md)."
    )


wildcard_constraints:
    # The experiment itself has a rule of its own.
    scenario="|".join(re.escape(name) for name in SCENARIOS if name != BASE) or "none",
    # built_in, or the name of any other model.
    models="[a-z][a-z0-9_]*",
    chunk="[0-9][0-9][0-9][0-9]+",
