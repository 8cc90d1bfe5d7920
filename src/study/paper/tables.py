"""Tables of the paper's page, appendix and kit: the run's csv files with fewer digits."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from study.labels import label
from study.text.documents import show

MEASURES = {"auc": "AUC", "auk": "AUK", "h": "H"}
MODELS = {"linear": "linear", "neural_net": "network"}
CLASSES = {"majority": "good", "minority": "bad"}
CURVES = {"raw": "curve", "hull": "hull"}


def list_areas(areas: pd.DataFrame) -> pd.DataFrame:
    """A row per measure and model: the printed number, and our mean and central 95 %.

    The AUK has a row for either positive class; AUC and H are the same for both.
    """
    rows = areas[areas["model"].isin(MODELS)]
    side, measure = (rows[name] for name in ("positive_class", "measure"))
    rows = rows[side.eq("majority") | measure.eq("auk")]
    return pd.DataFrame(
        {
            "measure": [
                f"AUK, {CLASSES[row.positive_class]} positive"
                if row.measure == "auk"
                else MEASURES[row.measure]
                for row in rows.itertuples()
            ],
            "model": rows["model"].map(MODELS),
            "printed": rows["printed"].map("{:.4f}".format).replace("nan", "not printed"),
            "ours": [show(*row) for row in rows[["mean", "low", "high"]].to_numpy()],
        }
    ).sort_values("measure", kind="stable", ignore_index=True)


def list_ranges(table4: pd.DataFrame, table5: pd.DataFrame) -> pd.DataFrame:
    """For a first look: a row per area, printed numbers beside where 95 % of our splits lie."""
    areas = pd.concat([table5.assign(curve="curve"), table4.assign(curve="hull")])
    areas = areas[areas["positive_class"].eq("majority") & areas["measure"].ne("h")]
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for row in areas[areas["model"].isin(MODELS)].itertuples():
        own = cells.setdefault((MEASURES[str(row.measure)], str(row.curve)), {})
        own[f"{MODELS[str(row.model)]}: paper"] = f"{row.printed:.4f}"
        ends = (f"{end:.2f}".removeprefix("0") for end in (row.low, row.high))
        own[f"{MODELS[str(row.model)]}: ours"] = "–".join(ends)  # noqa: RUF001 a range
    return pd.DataFrame([{"": ", ".join(key), **own} for key, own in cells.items()])


def count_disagreements(disagreement: pd.DataFrame) -> pd.DataFrame:
    """Splits that cannot, can and do disagree, by positive class and curve, at their own share."""
    own = disagreement[disagreement["bad_share"].eq("test rows")]
    return pd.DataFrame(
        {
            "positive": own["positive_class"].map(CLASSES),
            "of the": own["curve"].map(CURVES),
            "cannot disagree": own["cannot"],
            "can": own["splits"] - own["cannot"],
            "do": own["disagree"],
        }
    )


def list_changes(sensitivity: pd.DataFrame) -> pd.DataFrame:
    """Mean areas on the hull by scenario, and how often they are ordered as printed."""
    areas = ["auc_a", "auk_a", "auc_b", "auk_b"]
    names = [f"{m}, {which}" for which in ("first", "second") for m in ("AUC", "AUK")]
    percent = 100 * sensitivity[["share", "low", "high"]]
    return pd.DataFrame(
        {
            "change": sensitivity["scenario"].str.replace("_", " "),
            "models": sensitivity["model_a"].map(label) + ", " + sensitivity["model_b"].map(label),
            **dict(zip(names, (sensitivity[name] for name in areas), strict=True)),
            "as printed, %": [show(*row, form=".1f") for row in percent.to_numpy()],
        }
    )


def list_prevalences(prevalences: pd.DataFrame) -> pd.DataFrame:
    """Each printed number, what 11 % positives allow, and at which shares it is possible."""
    own = prevalences[prevalences["model"] != "all"]
    measure = own["rule"].map({"kappa": "kappa"}).fillna("AUK")
    return pd.DataFrame(
        {
            "number": own["place"].str.replace("Section 8", "best threshold")
            + ", "
            + own["model"].map(MODELS),
            "area": own["rule"].map({"kappa": ""}).fillna(own["rule"]),
            "printed": measure + [f" {value:.4g}" for value in own["value"]],
            "at 11 %": [
                show(row.upper) if row.rule == "kappa" else f"{row.lower:.3f} to {row.upper:.3f}"
                for row in own.itertuples()
            ],
            "possible": [f"{row.low:.3f} to {row.high:.3f}" for row in own.itertuples()],
        }
    )


def list_explanations(explanations: pd.DataFrame) -> pd.DataFrame:
    """What each explanation makes possible, and how many splits lie farther out."""
    names = {"table_4": "Table 4", "table_5": "Table 5", "threshold": "threshold", "rates": "rates"}
    names |= {"kappa": "kappa", "difference": "difference"}
    possible = explanations[[f"{name}_possible" for name in names]].replace(
        {True: "yes", False: "no"}
    )
    possible.columns = [*names.values()]
    table = explanations[["explanation"]].join(possible)
    return table.assign(farther=explanations["splits_farther"])


def paper_tables(
    tables: Mapping[str, pd.DataFrame], claims: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Each table by its name."""
    changes = {"changes": list_changes(tables["sensitivity"])} if "sensitivity" in tables else {}
    return {
        "ranges": list_ranges(tables["table4"], tables["table5"]),
        "table4": list_areas(tables["table4"]),
        "table5": list_areas(tables["table5"]),
        "prevalences": list_prevalences(tables["prevalences"]),
        "explanations": list_explanations(tables["explanations"]),
        "disagreement": count_disagreements(tables["disagreement"]),
        **changes,
        "claims": claims[["section", "claim", "verdict"]],
    }
