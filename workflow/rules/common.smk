# What all rules share: the checked config, the code that a rule depends on, and what the report shows.
import hashlib
import os
import sys
import time
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

from study.errors import ExperimentError
from study.settings import cells
from study.settings.check import check_config, check_folder

try:
    check_config(config, workflow.configfiles)
    check_folder(Path("results"))
except (ValueError, ExperimentError) as error:
    raise WorkflowError(str(error))

# German Credit, of which there is a paper; any other data set has a target.
IS_GERMAN_CREDIT = config["data"]["target"] is None
EXPERIMENT = cells.cell_of(config, config["models"])
COST_RATIO = config["experiment"]["cost_ratio"]
# The two models whose order is compared: none, if there is but one.
COMPARED = config["compare"] if len(config["compare"]) == 2 else []
# The same of the sweep, which may have a single model.
COMPARED_IN_SWEEP = COMPARED if len(config["sweep"]["models"]) > 1 else []
# What people call the classes, for the jobs that write it; without it, as the data have them.
NAMES = config["data"]["names"]
# To these each file of rules adds: tables and figures, which the documents may show; and what they
# are made of, named so that one that was deleted is made again.
SHOWN_OUTPUTS = []
PARTS = []
# The report sorts its categories by name.
CATEGORIES = {
    "answer": "1 Which model?",
    "paper": "2 The paper's tables and figures",
    "replicates": "3 Random splits",
    "sweep": "4 Sweep over the skew",
    "verdict": "5 Was it reproduced?",
    "companions": "6 Related papers",
    "appendix": "7 Appendix",
}
# The code of each layer, from the bottom up: files and folders below src/. A layer may use those
# under it; paper and companions stand beside each other.
LAYERS = {
    "data": ["study/data", "study/errors.py", "study/arrays.py", "kappacurve/io.py"],
    "experiment": ["study/models", "study/replicates", "study/parquet.py"]
    + [f"kappacurve/{name}.py" for name in ("_kernels", "_measures", "_ranking", "_validation")]
    + [f"kappacurve/{name}.py" for name in ("algebra", "h_measure", "kappa", "measures", "roc")],
    "tables": ["study/tables", "study/published.*", "study/labels.py"]
    + ["kappacurve/bounds", "kappacurve/inference", "kappacurve/comparison*.py"],
    "figures": ["study/figures", "kappacurve/plots"],
    "paper": ["study/paper"],
    "companions": ["study/companions"],
    "text": ["study/text", "kappacurve/explorer"],
}


def code_of(layer):
    """A hash of a layer's files and of those under it, as a param.

    Snakemake runs a job again when its script has changed, but does not see what the script imports.
    """
    names = [*LAYERS][: [*LAYERS].index(layer) + 1]
    if layer == "companions":
        names.remove("paper")
    digest = hashlib.sha256()
    for pattern in (pattern for name in names for pattern in LAYERS[name]):
        places = sorted((ROOT / "src").glob(pattern))
        assert places, f"there is no {pattern} in src/"
        for place in places:
            for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
                if path.is_file() and "__pycache__" not in path.parts:
                    digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def of_clone(path):
    """The path of a file of this clone, relative: it is the same in a clone that is moved."""
    return os.path.relpath(ROOT / path)


def hash_of(path):
    """A hash of a file of the user's own, as a param: it may be replaced by one of an older date."""
    return path and hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]


def replicate_job(per_job):
    """Resources of a job that draws so many replicates; as much again if it is tried again."""
    return {
        "mem_mb": lambda wildcards, attempt: attempt * (1000 + per_job // 5),
        "runtime": lambda wildcards, attempt: attempt * (10 + per_job // 500),
    }


def summary_job(count):
    """Resources of a job that reads cells of so many replicates, one at a time."""
    return {"mem_mb": 1000 + count // 100, "runtime": 10 + count // 5000}


def figure(stem, category, what, caption):
    """A figure as svg and pdf; the report shows the first."""
    shown = report(
        f"{stem}.svg",
        caption=f"../report/{caption}.rst",
        category=CATEGORIES[category],
        labels={"what": what},
    )
    return [shown, f"{stem}.pdf"]


def table(path, category, what):
    """A table that the report shows."""
    return report(path, category=CATEGORIES[category], labels={"what": what})


wildcard_constraints:
    part="([a-z][a-z0-9_]*-)?[0-9]{5}",
