"""Summarise the study of many data sets: tables, figures and its own manifest."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.bakeoff.figures import (
    figure_designs,
    figure_efficiency,
    figure_families,
    figure_matrix,
)
from study.bakeoff.summary import Summary
from study.errors import ExperimentError
from study.pages.table_files import to_csv, write_table


def summarise_bakeoff(
    *,
    status: list[Path],
    outcomes: list[Path],
    efficiency: Path,
    settings: dict[str, Any],
    **files: Any,
) -> None:
    """Write every table and figure; families that are missing are listed with the reason."""
    families = pd.DataFrame([json.loads(one.read_text(encoding="utf-8")) for one in status])
    found = pd.concat([pd.read_parquet(one) for one in outcomes], ignore_index=True)
    if found["family"].nunique() < 2:
        raise ExperimentError("the study needs two families at least; see results/logs/bakeoff.")
    summary = Summary(found, families, settings)
    tables = {
        "families": families,
        "headline": summary.headline_table(),
        "matrix": summary.matrix(),
        "by_design": summary.by_design(),
        "by_family": summary.by_family(),
        "left_out": summary.left_out(),
        "controls": summary.controls(),
        "tests": summary.tests(),
    }
    files["differences"].write_text(to_csv(summary.differences()), encoding="utf-8", newline="\n")
    for name, table in tables.items():
        write_table(table, files[name], title=TITLES[name])
    n_positive = settings["headline"]["n_positive"]
    with house_style():
        for name, drawing in {
            "figure_families": figure_families(tables["by_family"], tables["headline"]),
            "figure_designs": figure_designs(tables["by_design"], n_positive),
            "figure_matrix": figure_matrix(tables["matrix"]),
            "figure_efficiency": figure_efficiency(pd.read_csv(efficiency)),
        }.items():
            save_figure(drawing, files[name])


TITLES = {
    "families": "Families of data, and those that are missing",
    "headline": "Each measure against AUC, in points of attainable gain",
    "matrix": "Measure by goal: gain, agreement, reliability, validity (per cent)",
    "by_design": "AUK against AUC by prevalence and sample",
    "by_family": "AUK against AUC by family",
    "left_out": "AUK against AUC without each model and package",
    "controls": "Controls",
    "tests": "Paired tests: power on clear pairs, size on equal ones (per cent)",
}


if __name__ == "__main__":
    run(summarise_bakeoff)
