"""What the sentences of page, verdict and appendix say: values and cases that tables decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from kappacurve import kappa_from_rates
from study.tables.leads import CPU_DEPENDENT
from study.text.tables import MINUS, format_interval, format_intervals, format_number

MEASURES = {"auc": "AUC", "auk": "AUK", "h": "H"}
PAPER_MODELS = {"linear": "linear", "neural_net": "network"}
# The results of the study of many data sets that the page says.
CHOICE = "choice_25_at_5"
EARLIER_CHOICE = "choice_25_at_5_new"
EXPLANATION_LABELS = {
    "explanation": "explanation",
    "table_4_possible": "Table 4",
    "table_5_possible": "Table 5",
    "operating_point_possible": "point",
    "distance": "distance",
    "typical": "typical",
    "splits_farther": "farther",
}


class Case(NamedTuple):
    """An answer in a few words, and the sentence that follows it."""

    word: str
    sentence: str


def pick_row(table: pd.DataFrame, **values: object) -> pd.Series[Any]:
    """The one row with these values."""
    for name, value in values.items():
        table = table[table[name] == value]
    if len(table) != 1:
        raise ValueError(f"{len(table)} rows instead of one have {values}.")
    return table.iloc[0]


def judge_printed_numbers(explanations: pd.DataFrame, minority: str, majority: str) -> Case:
    """Whether the text, or the other positive class, allows every printed number."""
    columns = ["table_4_possible", "table_5_possible", "operating_point_possible"]
    possible = explanations.set_index("explanation")[columns].all(axis="columns")
    if possible["as the text says"]:
        return Case(
            "hold", f"They are possible with the {minority} customers as the positive class."
        )
    if possible["good is the positive class"]:
        swapped = ", or the two class shares were swapped"
        also = swapped if possible["p and 1 - p interchanged"] else ""
        return Case(
            f"only if the {majority} customers are the positive class{also}",
            "As the text has it, they cannot be right.",
        )
    return Case("fail", "They cannot be right, whichever class is positive.")


def judge_reversal(reversals: pd.DataFrame, claims: pd.DataFrame) -> Case:
    """How often AUC prefers the linear model and AUK the network."""
    row = pick_printed_reversal(reversals)
    return Case(
        pick_verdict(claims, "reversal"),
        f"It happens in {row['reversals']} of {row['replicates']} splits.",
    )


def judge_conclusion(claims: pd.DataFrame) -> Case:
    """Whether AUK is the better measure."""
    word = pick_verdict(claims, "better_measure")
    return Case(f"that AUK is the better measure: {word}", "")


def pick_verdict(claims: pd.DataFrame, key: str) -> str:
    """The word of a claim; other settings than the paper's leave some claims without one."""
    word = claims.set_index("key")["verdict"].fillna("")[key]
    return str(word) or "not judged under these settings"


def pick_reversals(reversals: pd.DataFrame, curve: str, pattern: str) -> pd.Series[Any]:
    """The paper's splits in which AUC and AUK disagree in this way, with the majority positive."""
    setting = {"scenario": "paper", "pair": "auc-auk", "positive_class": "majority"}
    return pick_row(reversals, curve=curve, pattern=pattern, **setting)


def pick_printed_reversal(reversals: pd.DataFrame) -> pd.Series[Any]:
    """The splits that reverse as the paper prints it, on curve and hull both."""
    return pick_reversals(reversals, "both", "published")


def format_share(reversals: pd.Series[Any]) -> str:
    """The share of splits with its interval."""
    return format_interval(reversals["share"], reversals["low"], reversals["high"], "{:.1%}")


def count_stars(areas: pd.DataFrame) -> dict[str, Any]:
    """By positive class how many printed areas lie within ours, and which do not."""
    shown = areas["measure"].isin(["auc", "auk"]) & areas["model"].isin(list(PAPER_MODELS))
    printed = areas[shown].dropna(subset="published")
    printed = printed.assign(inside=printed["published"].between(printed["low"], printed["high"]))
    found: dict[str, Any] = {"total": int((printed["positive_class"] == "majority").sum())}
    for side in ("majority", "minority"):
        rows = printed[printed["positive_class"] == side]
        outside = rows[~rows["inside"]]
        found[side] = len(rows) - len(outside)
        cells = zip(outside["model"], outside["measure"], strict=True)
        found[f"outside_{side}"] = sorted(set(cells))
    return found


def print_beside_ours(
    areas: pd.DataFrame, positive_class: str, models: Mapping[str, str], measures: list[str]
) -> pd.DataFrame:
    """One row per measure: for each model the printed area, and our mean with the central 95 %."""
    rows = []
    for measure in measures:
        cells = {"measure": MEASURES[measure]}
        for model, label in models.items():
            row = pick_row(areas, positive_class=positive_class, model=model, measure=measure)
            cells[f"{label}: printed"] = format_number(row["published"], "{:.4f}") or "not printed"
            cells[f"{label}: ours"] = format_interval(row["mean"], row["low"], row["high"])
        rows.append(cells)
    return pd.DataFrame(rows)


def table_of_areas(table4: pd.DataFrame, table5: pd.DataFrame) -> pd.DataFrame:
    """Tables 4 and 5 with the majority class as the positive one, and H, which is of the hull."""
    models = PAPER_MODELS
    hull = print_beside_ours(table4, "majority", models, ["auc", "auk", "h"])
    raw = print_beside_ours(table5, "majority", models, ["auc", "auk"])
    table = pd.concat([hull.iloc[:2], raw, hull.iloc[2:]], ignore_index=True)
    names = ["Table 4, AUC", "Table 4, AUK", "Table 5, AUC", "Table 5, AUK", "H of the hull"]
    return table.assign(measure=names)


def by_both_classes(areas: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """Such a table for either positive class."""
    parts = [
        print_beside_ours(areas, side, PAPER_MODELS, list(MEASURES)).assign(positive=names[side])
        for side in ("majority", "minority")
    ]
    table = pd.concat(parts, ignore_index=True)
    return table.loc[:, ["positive", *(name for name in table if name != "positive")]]


def of_one_model(areas: pd.DataFrame, label: str) -> pd.DataFrame:
    """The columns of one model of such a table."""
    columns = {f"{label}: printed": "printed", f"{label}: ours": "ours"}
    return areas[["measure", *columns]].rename(columns=columns)


def kappa_at_printed_rates(
    published: Mapping[tuple[str, str, str], float], skew: float
) -> dict[str, str]:
    """Kappa at the network's printed rates, at the stated share and at the other class's."""
    fpr, tpr, kappa = (
        published["hull", "neural_net", name] for name in ("fpr", "tpr", "kappa_max")
    )
    stated, other = (float(kappa_from_rates(fpr, tpr, p)) for p in (skew, 1 - skew))
    return {
        "fpr": f"{fpr:.2f}",
        "tpr": f"{tpr:.3f}",
        "printed": f"{kappa:.3f}",
        "stated": f"{stated:.3f}",
        "other": f"{other:.3f}",
    }


def counts_of_verdicts(claims: pd.DataFrame) -> str:
    """Such as: holds 4, partly 3."""
    order = ["holds", "partly", "only if", "rare", "fails", "open"]
    counts = claims["verdict"].value_counts()
    return ", ".join(f"{word} {counts[word]}" for word in order if word in counts)


def choice_of_models(results: pd.DataFrame, key: str) -> dict[str, Any]:
    """A result of the study of many data sets, with one decimal as its texts have it."""
    row = pick_row(results, key=key)
    words = {name: format_number(row[name], "{:.1f}") for name in ("estimate", "low", "high")}
    lead = "above" if row["low"] > 0 else "below" if row["high"] < 0 else "neither"
    return {**words, "data_sets": int(row["data_sets"]), "lead": lead}


def join_words(words: list[str]) -> str:
    """AUC, AUK and H."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def describe_sample(
    sample: pd.DataFrame, data: Mapping[str, Any], names: Mapping[str, str]
) -> dict[str, Any]:
    """Rows of the data and of the experiment."""
    counts = data["class_counts"]
    return {
        "rows": data["rows"],
        "place": data["place"],
        "checksum": data["sha256_of_canonical_table"],
        "counts": join_words(
            [f"{count} {names[key]}" for key, count in zip(names, counts.values(), strict=True)]
        ),
        "sample_rows": len(sample),
        "rows_used": len(sample),
        "sample_minority": int(sample["minority"].sum()),
    }


def describe_stars(stars: Mapping[str, Any], minority: str, majority: str) -> str:
    """The caption of the printed areas: where the stars lie for either positive class."""
    start = "Stars: printed. Lines: mean and central 95 % of our splits."
    outside = stars["outside_minority"]
    if stars["majority"] == stars["total"] and outside == [("neural_net", "auk")]:
        return (
            f"{start} With {majority} customers positive (green) every star is on its line; "
            f"with {minority} ones (red) the network's AUK is too high."
        )
    return (
        f"{start} On their line lie {stars['majority']} of {stars['total']} stars with {majority} "
        f"customers positive (green), and {stars['minority']} with {minority} ones (red)."
    )


def paper_values(
    *,
    table4: pd.DataFrame,
    table5: pd.DataFrame,
    reversals: pd.DataFrame,
    claims: pd.DataFrame,
    explanations: pd.DataFrame,
    prevalences: pd.DataFrame,
    published: Mapping[tuple[str, str, str], float],
    study_results: pd.DataFrame,
    earlier_rounds: pd.DataFrame,
    skew: float,
    names: Mapping[str, str],
) -> dict[str, Any]:
    """What page and appendix say of German Credit."""
    minority, majority = names["minority"], names["majority"]
    claims = claims.fillna({"verdict": "not judged"}).fillna("")
    for name in ("evidence", "condition"):
        claims[name] = claims[name].str.replace(r"(?<![\w.])-(?= ?\d)", MINUS, regex=True)
    claims["judged"] = (claims["verdict"] + " " + claims["condition"]).str.strip()
    areas = table_of_areas(table4, table5)
    both = pd.concat([table4, table5], ignore_index=True)
    disagreement = pick_reversals(reversals, "raw", "any")
    printed_reversal = pick_printed_reversal(reversals)
    return {
        "question": "Does the AUK paper hold up?",
        "skew": f"{100 * skew:g} %",
        "other_share": f"{100 - 100 * skew:g} %",
        "splits": int(disagreement["replicates"]),
        "printed_numbers": judge_printed_numbers(explanations, minority, majority),
        "reversal": judge_reversal(reversals, claims),
        "conclusion": judge_conclusion(claims),
        "stars_caption": describe_stars(count_stars(both), minority, majority),
        "kappa": kappa_at_printed_rates(published, skew),
        "areas": areas,
        "areas_by_model": {label: of_one_model(areas, label) for label in PAPER_MODELS.values()},
        "table4": by_both_classes(table4, names),
        "table5": by_both_classes(table5, names),
        "disagreement": disagreement,
        "printed_reversal": printed_reversal,
        "printed_share": format_share(printed_reversal),
        "any_share": format_share(disagreement),
        "large_reversal": pick_reversals(reversals, "both", "as_large"),
        "claims": claims,
        "claim_table": table_of_claims(claims),
        "verdict_counts": counts_of_verdicts(claims),
        "prevalence_table": table_of_prevalences(prevalences),
        "explanation_table": explanations[list(EXPLANATION_LABELS)].replace(
            " - ", f" {MINUS} ", regex=True
        ),
        "explanation_labels": EXPLANATION_LABELS,
        "study": {
            "choice": choice_of_models(study_results, CHOICE),
            "earlier": choice_of_models(earlier_rounds, EARLIER_CHOICE),
        },
    }


def table_of_sensitivity(sensitivity: pd.DataFrame) -> pd.DataFrame:
    """One row per change: areas of both models on the hull, reversals, and the printed areas."""
    table = sensitivity.fillna({"change": "", "reason": ""})
    drawn = table["replicates"] > 0
    cells = {"change": table["scenario"].str.replace("_", " "), "splits": table["replicates"]}
    for letter in "ab":
        models = table[f"model_{letter}"]
        first = str(models.dropna().iloc[0])
        name = PAPER_MODELS.get(first, first)
        for measure in ("auc", "auk"):
            # Numbers that depend on the CPU have fewer digits, which are all that count.
            rounded = table["model_b"] == CPU_DEPENDENT
            texts = [
                format_number(value, "{:.3g}" if few else "{:.3f}")
                for value, few in zip(table[f"{measure}_{letter}"], rounded, strict=True)
            ]
            cells[f"{name} {MEASURES[measure]}"] = pd.Series(texts, table.index)
    shares = format_intervals(table[["share", "low", "high"]], "{:.1%}")
    cells["reversed (95 % interval)"] = pd.Series(shares, table.index)
    if table["distance"].notna().any():
        cells["distance"] = table["distance"].map(lambda value: format_number(value, "{:.1f}"))
        cells["farther"] = table["splits_farther"].map(lambda count: format_number(count, "{:.0f}"))
    found = pd.DataFrame(cells)
    found.loc[~drawn, "reversed (95 % interval)"] = table["reason"]
    return found


def table_of_claims(claims: pd.DataFrame) -> pd.DataFrame:
    """Claim with its section, verdict with its condition, and evidence."""
    text = claims["claim"] + " (" + claims["section"].astype(str) + ")"
    columns = {"no.": claims["number"].astype(str), "claim": text, "verdict": claims["judged"]}
    return pd.DataFrame(columns | {"evidence": claims["evidence"]})


def table_of_prevalences(prevalences: pd.DataFrame) -> pd.DataFrame:
    """One row per printed result: its value, what is possible at 0.11, and where it is possible."""
    known = prevalences[prevalences["model"].isin(list(PAPER_MODELS))]
    rows = []
    for (place, model, rule), parts in known.groupby(["place", "model", "rule"], sort=False):
        first = parts.iloc[0]
        ends = [map(format_number, pair) for pair in parts[["low", "high"]].to_numpy()]
        bounds = [format_number(first[end]) for end in ("lower", "upper")]
        rows.append(
            {
                "printed in": f"{place}, {PAPER_MODELS[str(model)]}",
                "quantity": "kappa" if rule == "kappa" else f"AUK, {rule}",
                "printed": format_number(first["value"], "{:.4g}"),
                "possible at 11 %": " to ".join(dict.fromkeys(bounds)),
                "shares that allow it": " or ".join(f"{low} to {high}" for low, high in ends),
            }
        )
    return pd.DataFrame(rows)


def companion_values(
    printed: Mapping[str, pd.DataFrame], texts: Mapping[str, Any], captions: Mapping[str, str]
) -> dict[str, Any]:
    """Of each related paper its words, how many printed numbers agree, and its figures."""
    return {
        name: {
            **texts[name],
            "total": len(table),
            "agreeing": int((table["agrees"] == "yes").sum()),
            "figures": [pair for pair in captions.items() if pair[0].startswith(name)],
        }
        for name, table in printed.items()
    }


def table_of_errors(printed: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The printed numbers of related papers that do not agree with what is computed."""
    table = pd.concat(printed.values(), ignore_index=True)
    table["printed"] = table["printed"].str.replace("-", MINUS)
    table["place"] = table["source"] + ", " + table["place"]
    errors = table["agrees"] == "no"
    return table.loc[errors, ["place", "quantity", "printed", "computed", "note"]]
