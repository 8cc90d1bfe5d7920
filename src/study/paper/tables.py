"""Tables of the paper's page and appendix: the run's csv files with fewer digits and columns."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from study.text.documents import show

MEASURES = {"auc": "AUC", "auk": "AUK", "h": "H"}
MODELS = {"linear": "linear", "neural_net": "network"}
CLASSES = {"majority": "good", "minority": "bad"}


def print_beside_ours(areas: pd.DataFrame) -> pd.DataFrame:
    """By class and measure the printed area of each model, and our mean and central 95 %."""
    rows = areas[areas["model"].isin(MODELS)].replace({"model": MODELS, "positive_class": CLASSES})
    rows = rows.assign(
        printed=rows["printed"].map("{:.4f}".format).replace("nan", "not printed"),
        ours=[show(*row) for row in rows[["mean", "low", "high"]].to_numpy()],
        measure=rows["measure"].map(MEASURES),
    )
    wide = rows.pivot_table(
        index=["positive_class", "measure"],
        columns="model",
        values=["printed", "ours"],
        aggfunc="first",
    )
    wide.columns = wide.columns.map("{0[1]}: {0[0]}".format)
    names = [f"{model}: {name}" for model in MODELS.values() for name in ("printed", "ours")]
    return (
        wide[names].sort_index(ascending=[False, True]).reset_index(names=["positive", "measure"])
    )


def paper_tables(
    tables: Mapping[str, pd.DataFrame], claims: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Each table by its name."""
    hull, raw = print_beside_ours(tables["table4"]), print_beside_ours(tables["table5"])
    both = pd.concat({"Table 4": hull[:2], "Table 5": raw[:2], "Hull": hull[2:3]}, names=["place"])
    areas = both.reset_index("place").drop(columns="positive")
    areas["measure"] = areas.pop("place") + ", " + areas["measure"]
    gaps = tables["reversal_by_gap"].query("curve == 'raw' and positive_class == 'majority'")
    words = ["below 0.02", "0.02 to 0.06", "above 0.06"]
    gaps = pd.DataFrame(
        {
            "difference in AUC": words,
            "splits": gaps["replicates"],
            "AUC and AUK disagree": gaps["reversals"],
        }
    )
    changes = tables["sensitivity"]
    names = {
        f"{m}_{letter}": f"{name} {m.upper()}"
        for letter, name in zip("ab", MODELS.values(), strict=True)
        for m in ("auc", "auk")
    }
    shares = [
        show(a, b, c, ".1f") for a, b, c in 100 * changes[["share", "low", "high"]].to_numpy()
    ]
    changes = changes[["scenario", "replicates", *names, "distance", "splits_farther"]].rename(
        columns=names
    )
    explanations = (
        tables["explanations"]
        .drop(columns=["splits", "reversals"])
        .replace({True: "yes", False: "no"})
    )
    prevalences = (
        tables["prevalences"]
        .query("model != 'all'")
        .drop(columns=["curve", "possible", "possible_other", "possible_test_rows"])
    )
    return {
        "areas": areas,
        "table4": hull,
        "table5": raw,
        "gaps": gaps,
        "sensitivity": changes.assign(**{"reversed, %": shares}),
        "explanations": explanations.rename(
            columns=lambda name: name.replace("_possible", "").replace("_", " ")
        ),
        "prevalences": prevalences,
        "claims": claims.drop(columns="group"),
    }
