"""The paper's claims, and the verdict in words."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.pages.table_files import write_table
from study.verdict.cases import cases_table, efficiency_table, power_table
from study.verdict.claims import judged_claims
from study.verdict.facts import short_form, verdict_facts, verdict_text


def judge_claims(
    *,
    readings: Path,
    tables: list[Path],
    kept: list[Path],
    claims: list[Path],
    cases: Path,
    efficiency: Path,
    power: Path,
    short: Path,
    facts: Path,
    verdict: Path,
    names: list[str],
    experiment: dict[str, Any],
) -> None:
    """Write the claims and the tables that are made for them, the facts, and the words.

    `tables` are the run's, by these names; `kept` is what the repository keeps of the study of many
    data sets.
    """
    named = {name: pd.read_csv(path) for name, path in zip(names, tables, strict=True)}
    named |= {f"many_data_sets/{path.stem}": pd.read_csv(path) for path in kept}
    for path, made in (
        (cases, cases_table()),
        (efficiency, efficiency_table()),
        (power, power_table(named["many_data_sets/tests"])),
    ):
        made.to_csv(path, index=False, float_format="%.6f")
        named[f"forensics/{path.stem}"] = made
    judged = judged_claims(named, experiment)
    title = "Which claims hold"
    note = "number: what the value is, with its 95 % interval; file: the table behind it."
    write_table(judged, claims, title=title, note=note)
    curves = {"table4": "hull", "table5": "raw", "operating_point": "hull"}
    beside = [named[f"tables/{name}"].assign(curve=curve) for name, curve in curves.items()]
    found = json.loads(readings.read_text(encoding="utf-8"))
    told = verdict_facts(found, judged, named.get("companions/checks"), pd.concat(beside))
    short_form(told).to_csv(short, index=False, lineterminator="\n")
    facts.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    verdict.write_text(verdict_text(told), encoding="utf-8")


if __name__ == "__main__":
    run(judge_claims, snakemake)
