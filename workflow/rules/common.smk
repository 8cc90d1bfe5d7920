# What all rules share: the checked config, the code as input, and files that the report shows.
import csv
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

from study.data.german_credit import COST_RATIO as COST_OF_GERMAN_CREDIT
from study.errors import ExperimentError
from study.imports import modules_used_by
from study.settings import cells
from study.settings.check import check_config, check_folder

try:
    check_config(config, workflow.configfiles)
    check_folder(Path("results"))
except (ValueError, ExperimentError) as error:
    raise WorkflowError(str(error))

# German Credit, of which there is a paper; any other data set has a target.
OF_THE_PAPER = config["data"]["target"] is None
# Where it is settled which rows train, no other split is drawn.
ONE_SPLIT = cells.is_one_split(config)
EXPERIMENT = cells.cell_of(config, config["models"])
COST_RATIO = config["experiment"]["cost_ratio"]
# To these each file of rules adds: tables and figures, which the documents may show; and what they
# are made of, named so that one that was deleted is made again.
SHOWN_OUTPUTS = []
PARTS = []
# The two models whose order is compared: none, if there is but one.
PAIR = config["compare"] if len(config["compare"]) == 2 else []
# The same of the sweep, which may have a single model.
SWEPT_PAIR = PAIR if len(config["sweep"]["models"]) > 1 else []
# The report sorts its categories by name.
CATEGORIES = {
    "answer": "1 Which model?",
    "forensics": "2 Was it reproduced?",
    "paper": "3 The paper's tables and figures",
    "replicates": "4 Replicates and specifications",
    "family": "5 One family: AUC and AUK by cost",
    "sweep": "6 Sweep over the skew",
    "companions": "7 Related papers",
    "appendix": "8 Appendix",
}
# Of every table that people read, by its csv: its page, and the page's title if text/tables.yaml
# has none.
PAGES = {}
TITLES = []
# What the appendix and the manifest say of the config: how UCI is asked changes no result, and
# the kit is made in many widths.
NETWORK = ("uci_url", "timeout_seconds")
REPORTED = config | {
    "data": {name: config["data"][name] for name in config["data"] if name not in NETWORK},
    "document": {name: config["document"][name] for name in ("title", "author")},
}
# What people call the classes, for the jobs that write it; without it, as the data have them.
NAMES = config["data"]["names"]


MANY_DATA_SETS = "studies/many-data-sets"


def of_clone(path):
    """A file of this clone, as input, wherever the results go (a storage, a module's prefix).

    A relative path stays what it is in a clone that is moved with its results.
    """
    return local(os.path.relpath(ROOT / path))


def modules_of(script, *companions):
    """The modules that a script imports, as input: an edit of one, too, runs the job again.

    Modules of sources are those that it imports by their names.
    """
    return [of_clone(path) for path in modules_used_by(script, companions)]


def replicate_job(per_job):
    """Resources of a job that draws so many replicates; as much again if it is tried again."""
    return {
        "mem_mb": lambda wildcards, attempt: attempt * (1000 + per_job // 5),
        "runtime": lambda wildcards, attempt: attempt * (10 + per_job // 500),
    }


def summary_job(count, ranked=0):
    """Resources of a job that reads cells of so many replicates, one at a time, and their ranks."""
    return {"mem_mb": 1000 + count // 100 + ranked // 10, "runtime": 10 + count // 5000}


def shown_in_report(path, category, what, subcategory=None, caption=None):
    """A file that the report shows under a category.

    Its caption, if it has one, has its name: workflow/report/figures/figure2.rst; or that given.
    """
    name = caption or path.removeprefix("results/").rpartition(".")[0]
    captioned = caption or (ROOT / "workflow/report" / f"{name}.rst").is_file()
    return report(
        path,
        caption=f"../report/{name}.rst" if captioned else None,
        category=CATEGORIES[category],
        subcategory=subcategory,
        labels={"what": what},
    )


def figure(stem, *about, **caption):
    """A figure in every format; the report shows the first."""
    return [shown_in_report(f"{stem}.svg", *about, **caption), f"{stem}.pdf", f"{stem}.png"]


def table(stem, category, what, subcategory=None, caption=None):
    """A table's csv; the report shows its page, which rule pages makes of all of them."""
    PAGES[f"{stem}.csv"] = shown_in_report(f"{stem}.html", category, what, subcategory, caption)
    TITLES.append(f"{subcategory}: {what}" if subcategory else what)
    return [f"{stem}.csv"]


def sentences_of(path):
    """The lines of an answer, if this run made it."""
    file = Path(path)
    if not file.is_file() or file.stat().st_mtime < STARTED:
        return []
    with file.open(encoding="utf-8", newline="") as lines:
        if file.suffix == ".csv":
            return [row["sentence"] for row in csv.DictReader(lines)]
        numbered = ("1. ", "2. ", "3. ", "4. ", "5. ")
        return [line.replace("*", "") for line in lines if line.startswith(numbered)]


wildcard_constraints:
    part="([a-z][a-z0-9_]*-)?[0-9]{5}",
