# What all rules share: a checked config, and the package's files as input.
# The code of this checkout is the code that runs, whether or not it is installed.
import sys
from pathlib import Path

sys.path[:0] = [f"{workflow.basedir}/src"]

from study.data.german_credit import BUNDLED_FILE
from study.papers.checks import STUDY_LABELS
from study.published import PAPER_PAIR
from study import imports
from study.settings.cells import (
    paper_cell,
    part_bounds,
    replicate_groups,
    specification_cell,
    specification_levels,
    sweep_cell,
    sweep_levels,
    sweep_sizes,
)
from study.settings.check import check_config, check_folder
from study.settings.own_datasets import dataset_cell
from study.settings.requests import to_draw, to_gather

try:
    check_config(config, workflow.configfiles)
    check_folder(Path("results"))
except ValueError as error:
    raise WorkflowError(str(error))

# Rows of the two cohorts, and the share of bad rows at which kappa is evaluated (None: the test
# rows' own).
NOMINAL = config["experiment"]["prevalence"] == "nominal"
COHORTS = {
    "paper": {
        "skew": config["experiment"]["skew"],
        "n_train": config["experiment"]["n_train"],
        "evaluated_at": config["experiment"]["skew"] if NOMINAL else None,
    },
    "original": {
        "skew": None,
        "n_train": config["original"]["n_train"],
        "evaluated_at": 0.3 if NOMINAL else None,
    },
}

# The report sorts its categories by name.
CATEGORIES = {
    "forensics": "1 Was it reproduced?",
    "paper": "2 The paper's tables and figures",
    "replicates": "3 Replicates and specifications",
    "sweep": "4 Sweep over the skew",
    "companions": "5 Companion studies",
    "data": "6 Data",
    "appendix": "7 Appendix",
    "datasets": "8 Data sets of your own",
}


def modules_used_by(script):
    """The package's files behind a script: of this checkout, even if results go to a storage."""
    return local(imports.modules_used_by(script))


# What a small job may take on a cluster: MB of memory and minutes.
LIGHT = {"mem_mb": 1000, "runtime": 10}


def resources_for(request):
    """Resources of a job, from its wildcards' request; again as much if it is tried again."""
    return {
        "mem_mb": lambda wildcards, attempt: attempt * request(wildcards).mem_mb,
        "runtime": lambda wildcards, attempt: attempt * request(wildcards).runtime,
    }


def largest_part(settings):
    """Replicates of a job that draws them; without per_job, one draws them all."""
    return min(settings["count"], settings.get("per_job", settings["count"]))


def replicate_job(settings):
    """What a job that draws one part of the replicates may take."""
    return resources_for(lambda wildcards: to_draw(largest_part(settings)))


def gather_job(settings, models, cells=1):
    """What the job that joins all parts may take."""
    request = to_gather(settings["count"], largest_part(settings), len(models), cells)
    return resources_for(lambda wildcards: request)


def shown_in_report(path, caption, category, what, subcategory=None):
    """A file that the report shows, under a category; the caption is a file of workflow/report."""
    return report(
        path,
        caption=f"../report/{caption}.rst",
        category=CATEGORIES[category],
        subcategory=subcategory,
        labels={"what": what},
    )


def table(
    stem, caption, category, what, subcategory=None, formats=("csv", "md", "tex")
):
    """A table in every format; the report shows the page."""
    page = shown_in_report(f"{stem}.html", caption, category, what, subcategory)
    return [page, *(f"{stem}.{format}" for format in formats)]


def figure(stem, caption, category, what, subcategory=None):
    """A figure in every format; the report shows the SVG."""
    drawing = shown_in_report(f"{stem}.svg", caption, category, what, subcategory)
    return [drawing, f"{stem}.pdf", f"{stem}.png"]


def settings_of(study):
    """A study's params: its settings without the switch."""
    own = config["companions"][study]
    return {name: value for name, value in own.items() if name != "enabled"}


def of_paper(kind, path, what, caption=None, **formats):
    """A table or figure in every format, which the report shows under its source."""
    study, name = path.split("/")
    place = f"results/companions/{path}", f"companions/{study}_{caption or name}"
    return kind(*place, "companions", what, STUDY_LABELS[study], **formats)


def checks_of(study):
    """The checks of a study; the report shows those of all studies in one table."""
    return multiext(
        f"results/companions/{study}/checks", ".csv", ".md", ".tex", ".html"
    )


def of_studies(**files):
    """Files of the studies that are not switched off."""
    return [
        f"results/companions/{study}/{name}"
        for study, names in files.items()
        for name in names
        if study in STUDIES
    ]


def one_of(names):
    """A wildcard's pattern: one of these names, or nothing at all."""
    return "|".join(names) or "(?!)"


def declared(dataset):
    """What the config says about a data set or scores of the user's own."""
    return {**config["datasets"], **config["scores"]}[dataset]


def dataset_parts(dataset):
    """First and last replicate of each job of a data set."""
    count = config["datasets"][dataset]["replicates"]
    return part_bounds({"count": count, "per_job": config["replicates"]["per_job"]})


def dataset_gathering(wildcards):
    """What the job that joins a data set's replicates may take."""
    own = config["datasets"][wildcards.dataset]
    return to_gather(
        own["replicates"], config["replicates"]["per_job"], len(own["models"])
    )


def table_of_dataset(path, what):
    """A table of a data set in every format; the report shows its page."""
    stem = f"results/datasets/{{dataset}}/{path}"
    page = report(
        f"{stem}.html",
        caption=f"../../report/dataset_{path.split('/')[1]}.rst",
        category=CATEGORIES["datasets"],
        subcategory="{dataset}",
        labels={"what": what},
    )
    return [f"{stem}.csv", f"{stem}.md", f"{stem}.tex", page]


wildcard_constraints:
    dataset="[a-z][a-z0-9_]*",
    side="positive|negative",
    cohort="paper|original",
    encoding="[a-z]+",
    group="[a-z_]+",
    n_train="[0-9]+",
    network="[a-z_]+",
    part="[0-9]+",
    sampling="[a-z_]+",
    skew="[0-9.e-]+",
    trainer="[a-z-]+",
    number="[0-9]",
    positive_class="good|bad",
