"""Tables of the paper's page, appendix and kit: the run's csv files with fewer digits."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from study.labels import label
from study.paper.numbers import PAPER_PAIR
from study.text.documents import show

CLASSES = {"majority": "good", "minority": "bad"}
CURVES = {"raw": "curve", "hull": "hull"}


def list_areas(areas: pd.DataFrame) -> pd.DataFrame:
    """A row per measure and model: the printed number, and our mean and central 95 %.

    The AUK has a row for either positive class; AUC and H are the same for both.
    """
    rows = areas[areas["model"].isin(PAPER_PAIR)]
    is_auk = rows["measure"].eq("auk")
    side = ", " + rows["positive_class"].map(CLASSES) + " positive"
    table = pd.DataFrame(
        {
            "measure": rows["measure"].str.upper() + side.where(is_auk, ""),
            "model": rows["model"].map(label),
            "printed": rows["printed"].map("{:.4f}".format).replace("nan", "not printed"),
            "ours": [show(*row) for row in rows[["mean", "low", "high"]].to_numpy()],
        }
    )
    return table[rows["positive_class"].eq("majority") | is_auk].sort_values(
        "measure", kind="stable"
    )


def list_ranges(table4: pd.DataFrame, table5: pd.DataFrame) -> pd.DataFrame:
    """For a first look: a row per area, printed numbers, and where 95 % of our splits lie."""
    both = pd.concat({", curve": table5, ", hull": table4}, names=["curve"]).reset_index("curve")
    both = both.query("positive_class == 'majority' and measure != 'h'")
    columns = {}
    for model in PAPER_PAIR:
        rows = both[both["model"] == model].reset_index(drop=True)
        ends = rows[["low", "high"]].map("{:.2f}".format).map(lambda text: text.removeprefix("0"))
        columns[f"{label(model)}: paper"] = rows["printed"].map("{:.4f}".format)
        columns[f"{label(model)}: ours"] = ends["low"] + "\u2013" + ends["high"]
    return pd.DataFrame({"": rows["measure"].str.upper() + rows["curve"], **columns})


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
    models = sensitivity["model_a"].map(label) + ", " + sensitivity["model_b"].map(label)
    return pd.DataFrame(
        {
            "change (models)": sensitivity["scenario"].str.replace("_", " ") + " (" + models + ")",
            **dict(zip(names, (sensitivity[name] for name in areas), strict=True)),
            "as printed, %": [show(a, b, c, ".1f") for a, b, c in percent.to_numpy()],
        }
    )


def list_prevalences(prevalences: pd.DataFrame) -> pd.DataFrame:
    """Each printed number, what 11 % positives allow, and at which shares it is possible."""
    own = prevalences[prevalences["model"] != "all"]
    is_kappa = own["rule"].eq("kappa")
    ends = own[["lower", "upper", "low", "high"]].map("{:.3f}".format)
    place = own["place"].str.replace("Section 8", "best threshold")
    return pd.DataFrame(
        {
            "number": place + ", " + own["model"].map(label),
            "area": own["rule"].mask(is_kappa, ""),
            "printed": own["value"].map("AUK {:.4f}".format).mask(is_kappa, "kappa 0.328"),
            "at 11 %": (ends["lower"] + " to " + ends["upper"]).mask(is_kappa, ends["upper"]),
            "possible": ends["low"] + " to " + ends["high"],
        }
    )


def list_explanations(explanations: pd.DataFrame) -> pd.DataFrame:
    """What each explanation makes possible, and how many splits lie farther out."""
    possible = explanations.filter(like="_possible").replace({True: "yes", False: "no"})
    names = possible.columns.str.removesuffix("_possible").str.replace("table_", "Table ")
    table = explanations[["explanation"]].join(possible.set_axis(names, axis="columns"))
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
