"""What page and appendix say of any run: its data, its sample and its settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from kappacurve import __version__
from study.data.classes import Names
from study.printed import MODEL_LABELS
from study.text.summary import table_of_sensitivity
from study.text.tables import Markup, escape_markdown, format_number, join_words

# Scenarios that a sentence names.
MAX_PLACES = 3


def describe_failures(failures: pd.DataFrame | None) -> str:
    """In how many splits of which scenarios a model could not be fitted; "" if none failed."""
    if failures is None:  # a run without models of the user's
        return ""
    sentences = []
    for model, rows in failures.groupby("model", sort=False):
        places = [
            f"in {row.failed} of {row.splits} splits"
            + ("" if row.scenario in ("paper", "experiment") else f" of {row.scenario}")
            for row in rows.itertuples()
        ]
        if len(places) > MAX_PLACES:
            places[MAX_PLACES:] = [f"in {len(places) - MAX_PLACES} other scenarios"]
        reason = rows["reason"].iloc[0]
        sentences.append(f"{model} could not be fitted {join_words(places)} ({reason}).")
    return " ".join(sentences)


def describe_split(measures: pd.DataFrame, names: Names) -> str:
    """How many test rows of the split that figures show are of the minority."""
    rows = measures[measures["positive_class"] == "minority"].iloc[0]
    n_test = rows["n_positive"] + rows["n_negative"]
    share = format_number(rows["prevalence"], "{:.1%}")
    return f"{rows['n_positive']} of {n_test} are {names['minority']} ({share})"


def run_values(
    tables: Mapping[str, pd.DataFrame],
    *,
    sample: pd.DataFrame,
    split: pd.DataFrame,
    data: Mapping[str, Any],
    config: Mapping[str, Any],
    names: Names,
    title: str,
) -> dict[str, Any]:
    """Values of the templates; the config's title goes before this one.

    `tables` are those of the run by name, `split` has the measures of the split shown, `data` is
    the run's provenance.json, `names` what people call the classes.
    """
    experiment, document = config["experiment"], config["document"]
    n_train, cost_ratio = experiment["n_train"], experiment["cost_ratio"]
    drawn = config["figures"]["models"]
    drawn_models = "all models"
    if set(drawn) != set(experiment["models"]):
        labels = join_words([MODEL_LABELS[model] for model in drawn])
        drawn_models = f"the models {labels}" if len(drawn) > 1 else f"the model {labels}"
    counts = zip(data["class_counts"].values(), names.values(), strict=True)
    quoted = {side: Markup(escape_markdown(name)) for side, name in names.items()}
    values = {
        **quoted,
        "names": quoted,
        "place": Markup(escape_markdown(data["place"])),
        "rows": data["rows"],
        "checksum": data["sha256_of_canonical_table"],
        "complete": sum(data["class_counts"].values()),
        "counts": join_words([f"{count} {name}" for count, name in counts]),
        "sample": sample["minority"],
        "split_shown": Markup(escape_markdown(describe_split(split, names))),
        "n_train": f"{n_train} rows" if n_train >= 1 else f"{100 * n_train:g} % of them",
        "drawn_models": Markup(escape_markdown(drawn_models)),
        "group": "",
        "time": "",
        experiment["split"]["by"]: Markup(escape_markdown(experiment["split"]["column"] or "")),
        "sensitivity": None,
        "failed_fits": Markup(escape_markdown(describe_failures(tables.get("failed_fits")))),
        "cost_ratio": cost_ratio and f"{cost_ratio:g}",
        "at_test_rows": experiment["prevalence"] == "test",
        "seed": config["seed"],
        "version": __version__,
        "title": document["title"] or title,
        "author": document["author"] or "",
        "width": document["width"],
    }
    if "sensitivity" in tables:
        values["sensitivity"] = table_of_sensitivity(tables["sensitivity"])
    return values
