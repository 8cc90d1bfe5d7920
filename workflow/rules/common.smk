# What all rules share: the checked config, the code as input, and files that the report shows.
import sys
from functools import partial
from pathlib import Path

ROOT = Path(str(workflow.current_basedir.join("../.."))).resolve()
if not (ROOT / "src" / "study").is_dir():
    raise WorkflowError(
        "this workflow needs a clone of its repository: its jobs import the packages in src/, and "
        "Snakemake fetches the Snakefiles and scripts of a remote module, but not the packages. "
        "Clone it, and give the path of workflow/Snakefile in the clone."
    )
# The code of this checkout is the code that runs, whether or not it is installed.
sys.path[:0] = [str(ROOT / "src")]

from study import imports, integrity
from study.errors import ExperimentError
from study.published import PAPER_PAIR, STUDY_LABELS
from study.settings.cells import (
    cohorts,
    dataset_cell,
    dataset_expected,
    dataset_parts,
    is_one_split,
    part_bounds,
    replicate_parts,
    replicates_expected,
    specification_levels,
    sweep_levels,
)
from study.settings.check import check_config, check_folder

try:
    check_config(config, workflow.configfiles)
    check_folder(Path("results"))
except (ValueError, ExperimentError) as error:
    raise WorkflowError(str(error))

COHORTS = dict(zip(("paper", "original"), cohorts(config, list(config["models"]))))
# The report sorts its categories by name.
CATEGORIES = {
    "forensics": "1 Was it reproduced?",
    "paper": "2 The paper's tables and figures",
    "replicates": "3 Replicates and specifications",
    "family": "4 One family: AUC and AUK by cost",
    "sweep": "5 Sweep over the skew",
    "companions": "6 Companion studies",
    "data": "7 Data",
    "appendix": "8 Appendix",
    "datasets": "8 Data sets of your own",
}


def replicate_job(per_job):
    """Resources of a job that draws so many replicates; as much again if it is tried again."""
    return {
        "mem_mb": lambda wildcards, attempt: attempt * (1000 + per_job // 5),
        "runtime": lambda wildcards, attempt: attempt * (10 + per_job // 500),
    }


def summary_job(count):
    """Resources of a job that reads cells of so many replicates, one at a time."""
    return {"mem_mb": 1000 + count // 100, "runtime": 10 + count // 5000}


def shown_in_report(path, caption, category, what, subcategory=None):
    """A file that the report shows, under a category; the caption is a file of workflow/report."""
    return report(
        path,
        caption=f"../report/{caption}.rst",
        category=CATEGORIES[category],
        subcategory=subcategory,
        labels={"what": what},
    )


def table(stem, category, what, subcategory=None, caption=None, formats=("html", "csv", "tex")):
    """A table in every format; the report shows the first, under the table's caption or another."""
    shown, *others = (f"{stem}.{format}" for format in formats)
    return [
        shown_in_report(shown, caption or Path(stem).name, category, what, subcategory),
        *others,
    ]


# The same of a figure.
figure = partial(table, formats=("svg", "pdf", "png"))


def one_of(names):
    """A wildcard's pattern: one of these names, or nothing at all."""
    return "|".join(names) or "(?!)"


def settings_of(study):
    """A study's params: its settings without the switch."""
    own = config["companions"][study]
    return {name: value for name, value in own.items() if name != "enabled"}


def of_paper(study, kind, name, what):
    """A table or figure in every format (data: csv), which the report shows under its source."""
    caption = "six_panels" if name.startswith("six_panels") else name
    if (kind, name) == ("data", "kappa_by_prevalence"):
        caption = "levels"
    shown = "companions", what, STUDY_LABELS[study], f"companions/{study}_{caption}"
    write = {"figure": figure, "data": partial(table, formats=("html", "csv")), "table": table}
    return write[kind](f"results/companions/{study}/{name}", *shown)


def checks_of(study):
    """The checks of a study; the report shows those of all studies in one table."""
    return multiext(f"results/companions/{study}/checks", ".csv", ".tex", ".html")


def dataset_table(path, what):
    """A table of a data set; the report shows it under the data set."""
    caption = f"dataset_{path.split('/')[1]}"
    return table(f"{OWN}{path}", "datasets", what, "{dataset}", caption)


def declared(key):
    """A setting of a data set, as the config declares it."""
    return lambda wildcards: config["datasets"][wildcards.dataset][key]


def dataset_models(name):
    """The settings of the models that are fitted to a data set."""
    return dataset_cell(config, name)["models"]


def parts_of_dataset(name):
    """The files of a data set's replicates."""
    folder = f"results/datasets/{name}/replicates/measures.parquet"
    return [f"{folder}/part-{n:05d}.parquet" for n in range(len(dataset_parts(config, name)))]


def dataset_part_of(wildcards):
    """What the job of this part draws."""
    return dataset_parts(config, wildcards.dataset)[int(wildcards.part)]


def appendix_texts(names):
    """The document's parts, in order."""
    return local([f"{ROOT}/workflow/appendix/text/{name}.rst" for name in names])


def appendix_files(folder, **in_report):
    """The files of a document, as build_appendix.py writes them; the report shows the PDF."""
    return [
        shown_in_report(f"{folder}/appendix.pdf", **in_report),
        f"{folder}/appendix.html",
        f"{folder}/appendix.tex",
        f"{folder}/body.tex",
        f"{folder}/references.tex",
        f"{folder}/references.bib",
        f"{folder}/appendix.typ",
        directory(f"{folder}/tables"),
        directory(f"{folder}/figures"),
    ]


wildcard_constraints:
    dataset="[a-z][a-z0-9_]*",
    cohort="paper|original",
    part="[0-9]{5}",
