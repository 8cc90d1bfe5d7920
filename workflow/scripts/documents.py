"""The documents: the page to open first, its text as verdict.md, and the appendix."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from kappacurve import __version__
from study.data.classes import read_names
from study.published import published_lookup
from study.text.documents import read_companions, write_appendix, write_page
from study.text.own_data import own_data_values
from study.text.settings import assumption_table, read_assumptions
from study.text.summary import (
    companion_values,
    describe_sample,
    paper_values,
    table_of_errors,
    table_of_sensitivity,
)
from study.text.tables import Markup, escape_markdown

PAPER_TITLE = "Reproducing “AUK: a simple alternative to the AUC”"


def write_documents(
    *,
    sample: Path,
    provenance: Path,
    tables: list[Path],
    printed: list[Path],
    comparison: Path,
    figures: list[Path],
    captions: list[Path],
    study: list[Path],
    defaults: Path,
    explorer: Path,
    index: Path,
    verdict: Path,
    appendix: Path,
    config: dict[str, Any],
    is_german_credit: bool,
) -> None:
    """Write the page, the verdict and the folder of the appendix.

    `tables` are what documents may show and link to, `printed` the tables of related papers,
    `captions` those of their figures, and `study` the results and the earlier rounds of the study
    of many data sets.
    """
    results = index.parent
    names = read_names(provenance, config["data"]["names"])
    frames = {path.stem: pd.read_csv(path) for path in tables}
    cost_ratio = config["experiment"]["cost_ratio"]
    sensitivity = frames.get("sensitivity")
    quoted = {side: Markup(escape_markdown(name)) for side, name in names.items()}
    data = json.loads(provenance.read_text(encoding="utf-8"))
    stated = config["document"]
    n_train = config["experiment"]["n_train"]
    place = Markup(escape_markdown(data["place"]))
    title = stated["title"] or (PAPER_TITLE if is_german_credit else f"Models on {data['place']}")
    drawn = {name_figure(path, results): path for path in figures if path.suffix == ".pdf"}
    linked = [*tables, *printed, *figures, explorer, appendix, comparison]
    links = [path.relative_to(results).as_posix() for path in linked]
    further = [("Explorer", "explorer.html"), ("Appendix (PDF)", "appendix/appendix.pdf")]
    further += [("Tables and figures for LaTeX", "appendix/"), ("All tables", "tables/")]
    values: dict[str, Any] = {
        **describe_sample(pd.read_csv(sample), data, names),
        **quoted,
        "names": quoted,
        "place": place,
        "paper": is_german_credit,
        "linked": links,
        "further": further,
        "n_train": f"{n_train} rows" if n_train >= 1 else f"{100 * n_train:g} % of them",
        "sensitivity": None if sensitivity is None else table_of_sensitivity(sensitivity),
        "cost_ratio": cost_ratio and f"{cost_ratio:g}",
        "seed": config["seed"],
        "version": __version__,
        "document": {
            "title": title,
            "author": stated["author"] or "",
            "width": stated["width"],
        },
    }
    if is_german_credit:
        results_of_study, earlier_rounds = map(pd.read_csv, study)
        by_source = {
            path.parent.name: pd.read_csv(path, dtype={"printed": str}) for path in printed
        }
        by_figure = {f"{path.parent.name}_{path.stem}": path for path in captions}
        texts = {
            name: " ".join(path.read_text(encoding="utf-8").split())
            for name, path in by_figure.items()
            if name in drawn
        }
        assumed = read_assumptions(defaults.read_text(encoding="utf-8"))
        values |= {
            **paper_values(
                **{name: frames[name] for name in ("table4", "table5", "claims", "explanations")},
                reversals=frames["rank_reversal"],
                prevalences=frames["prevalences"],
                published=published_lookup(),
                study_results=results_of_study,
                earlier_rounds=earlier_rounds,
                skew=config["experiment"]["skew"],
                names=names,
            ),
            "assumptions": assumption_table(config, assumed),
            "companions": companion_values(by_source, read_companions(), texts),
            "errors": table_of_errors(by_source) if by_source else None,
            "example_figure": "published",
            "example_table": "table4",
        }
    else:
        values |= own_data_values(
            **{name: frames[name] for name in ("leads", "intervals", "tests")},
            cost_ratio=cost_ratio,
            constraints=config["experiment"]["at"],
            title=title,
            minority=names["minority"],
        )
        values |= {
            "comparison_text": Markup(comparison.read_text(encoding="utf-8").rstrip()),
            "example_figure": Markup("figure3_minority"),
            "example_table": "leads",
        }
    for name in {"stars_caption", "leads_caption"} & values.keys():
        values[name] = Markup(escape_markdown(values[name]))
    write_appendix(folder=appendix.parent, values=values, figures=drawn)
    write_page(index=index, verdict=verdict, values=values, figures=drawn, links=links)


def name_figure(path: Path, results: Path) -> str:
    """The stem of the file; of a related paper, after that of its folder."""
    place = path.relative_to(results)
    return f"{place.parent.name}_{place.stem}" if place.parts[0] == "companions" else place.stem


if __name__ == "__main__":
    with job(snakemake):
        write_documents(
            sample=Path(snakemake.input.sample),
            provenance=Path(snakemake.input.provenance),
            tables=[Path(path) for path in snakemake.input.tables],
            printed=[Path(path) for path in snakemake.input.printed],
            comparison=Path(snakemake.input.comparison),
            figures=[Path(path) for path in snakemake.input.figures],
            captions=[Path(path) for path in snakemake.input.captions],
            study=[Path(path) for path in snakemake.input.study],
            defaults=Path(snakemake.input.defaults),
            explorer=Path(snakemake.input.explorer),
            index=Path(snakemake.output.index),
            verdict=Path(snakemake.output.verdict),
            appendix=Path(snakemake.output.appendix),
            config=snakemake.params.config,
            is_german_credit=snakemake.params.is_german_credit,
        )
