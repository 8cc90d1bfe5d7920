"""What the five sources claim, each judged by the rule of its kind."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.paper.cases import cases_table, efficiency_table
from study.paper.claims import judged_claims
from study.text.tables import write_table


def judge_claims(
    *,
    tables: list[Path],
    checks_of_studies: list[Path],
    kept: list[Path],
    checks: list[Path],
    claims: list[Path],
    cases: list[Path],
    efficiency: list[Path],
    names: list[str],
    experiment: dict[str, Any],
) -> None:
    """Write the claims and the tables that are made for them, and all companions' checks as one.

    `tables` are the run's, by these names; `kept` is what the repository keeps of the study of many
    data sets.
    """
    named = {name: pd.read_csv(path) for name, path in zip(names, tables, strict=True)}
    named |= {f"many_data_sets/{path.stem}": pd.read_csv(path) for path in kept}
    if checks:
        of_studies = map(pd.read_csv, checks_of_studies)
        named["companions/checks"] = pd.concat(of_studies, ignore_index=True)
        write_table(named["companions/checks"], checks)
    for paths, result in ((cases, cases_table()), (efficiency, efficiency_table())):
        write_table(result, paths)
        named[f"forensics/{paths[0].stem}"] = result
    write_table(judged_claims(named, experiment), claims)


if __name__ == "__main__":
    run(judge_claims, snakemake)
