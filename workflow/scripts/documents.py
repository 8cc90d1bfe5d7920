"""The documents: the page to open first, its text as verdict.md, and the appendix."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from kappacurve import __version__
from study.data.classes import Names, read_names
from study.text.documents import read_companions, write_appendix, write_page
from study.text.own_data import own_data_values
from study.text.settings import assumption_table, read_assumptions
from study.text.summary import paper_values, table_of_errors, table_of_sensitivity
from study.text.tables import Markup, escape_markdown, join_words


def write_documents(
    *,
    sample: Path,
    provenance: Path,
    tables: list[Path],
    printed: list[Path],
    comparison: Path,
    figures: list[Path],
    study: list[Path],
    defaults: Path,
    explorer: Path,
    index: Path,
    verdict: Path,
    appendix: Path,
    config: dict[str, Any],
    names: Names | None,
    is_german_credit: bool,
) -> None:
    """Write the page, the verdict and the folder of the appendix.

    `tables` are what documents may show and link to, `printed` the tables of related papers, and
    `study` the results and the earlier rounds of the study of many data sets. `config` is that of
    the run but for its data.
    """
    frames = {path.stem: pd.read_csv(path) for path in tables}
    data = json.loads(provenance.read_text(encoding="utf-8"))
    names = read_names(provenance, names)
    experiment, document = config["experiment"], config["document"]
    n_train, cost_ratio = experiment["n_train"], experiment["cost_ratio"]
    if is_german_credit:
        title = "Reproducing “AUK: a simple alternative to the AUC”"
    else:
        title = f"Models on {data['place']}"
    counts = zip(data["class_counts"].values(), names.values(), strict=True)
    quoted = {side: Markup(escape_markdown(name)) for side, name in names.items()}
    values: dict[str, Any] = {
        **quoted,
        "names": quoted,
        "paper": is_german_credit,
        "place": Markup(escape_markdown(data["place"])),
        "rows": data["rows"],
        "checksum": data["sha256_of_canonical_table"],
        "complete": sum(data["class_counts"].values()),
        "counts": join_words([f"{count} {name}" for count, name in counts]),
        "sample": pd.read_csv(sample)["minority"],
        "n_train": f"{n_train} rows" if n_train >= 1 else f"{100 * n_train:g} % of them",
        "group": Markup(escape_markdown(experiment["split"]["column"] or "")),
        "sensitivity": None,
        "cost_ratio": cost_ratio and f"{cost_ratio:g}",
        "seed": config["seed"],
        "version": __version__,
        "title": document["title"] or title,
        "author": document["author"] or "",
        "width": document["width"],
    }
    if "sensitivity" in frames:
        values["sensitivity"] = table_of_sensitivity(frames["sensitivity"])
    if is_german_credit:
        results_of_study, earlier_rounds = map(pd.read_csv, study)
        by_source = {
            path.parent.name: pd.read_csv(path, dtype={"printed": str}) for path in printed
        }
        values |= paper_values(
            frames,
            study_results=results_of_study,
            earlier_rounds=earlier_rounds,
            skew=experiment["skew"],
            names=names,
        )
        assumptions = read_assumptions(defaults.read_text(encoding="utf-8"))
        values["assumptions"] = assumption_table(config, assumptions)
        values["companions"], values["printed"] = read_companions(), by_source
        values["errors"] = table_of_errors(by_source) if by_source else None
    else:
        values |= own_data_values(
            frames,
            cost_ratio=cost_ratio,
            constraints=experiment["at"],
            title=values["title"],
            minority=names["minority"],
        )
        values["comparison_text"] = Markup(comparison.read_text(encoding="utf-8").rstrip())
    drawn = {path.stem: path for path in figures if path.suffix == ".pdf"}
    linked = [*tables, *printed, *figures, explorer, appendix, comparison]
    links = [path.relative_to(index.parent).as_posix() for path in linked]
    write_appendix(folder=appendix.parent, values=values, figures=drawn)
    write_page(index=index, verdict=verdict, values=values, figures=drawn, links=links)


if __name__ == "__main__":
    with job(snakemake):
        write_documents(
            sample=Path(snakemake.input.sample),
            provenance=Path(snakemake.input.provenance),
            tables=[Path(path) for path in snakemake.input.tables],
            printed=[Path(path) for path in snakemake.input.printed],
            comparison=Path(snakemake.input.comparison),
            figures=[Path(path) for path in snakemake.input.figures],
            study=[Path(path) for path in snakemake.input.study],
            defaults=Path(snakemake.input.defaults),
            explorer=Path(snakemake.input.explorer),
            index=Path(snakemake.output.index),
            verdict=Path(snakemake.output.verdict),
            appendix=Path(snakemake.output.appendix),
            config=snakemake.params.config,
            names=snakemake.params.names,
            is_german_credit=snakemake.params.is_german_credit,
        )
