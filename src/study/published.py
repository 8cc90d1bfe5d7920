"""The paper's tables beside our numbers."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pandas as pd

PUBLISHED_FILE = Path(__file__).with_name("published.csv")
# The network of the paper has two counterparts here: scikit-learn's and Levenberg-Marquardt's.
PUBLISHED_MODEL = {
    "linear": "linear",
    "neural_net": "neural_net",
    "neural_net_lm": "neural_net",
}
# The paper does not say how it integrated kappa, so both rules stand beside its AUK.
PUBLISHED_MEASURE = {"auk_trapezoid": "auk"}
AREAS = ("auc", "auk", "auk_trapezoid", "h")
OPERATING_POINT = ("kappa_max", "fpr", "tpr", "threshold")
SPREAD = ("mean", "sd", "low", "high", "percentile")

MEASURE_LABELS = {
    "auc": "AUC",
    "auk": "AUK",
    "auk_trapezoid": "AUK, trapezoid rule",
    "auch": "AUCH",
    "auk_hull": "AUK of the hull",
    "h": "H",
    "ks": "KS",
    "kappa_max": "maximum kappa",
    "fpr": "false positive rate",
    "tpr": "true positive rate",
    "threshold": "threshold",
    "gini": "Gini",
}
# Whose order by two measures the paper compares.
PAPER_PAIR = ("linear", "neural_net")
# The published reversal, by either way to integrate kappa.
AUC_AND_AUK = {"auc-auk": "exact AUK", "auc-auk_trapezoid": "trapezoid AUK"}
MODEL_LABELS = {
    "linear": "linear",
    "logistic": "logistic",
    "neural_net": "neural net",
    "neural_net_lm": "neural net (LM)",
}
_MODEL_NAME = re.compile(rf"\b({'|'.join(sorted(MODEL_LABELS, key=len, reverse=True))})\b")
# What sampling keeps of German Credit at the paper's share of bad rows.
SAMPLING_LABELS = {"keep_majority": "786", "keep_majority_up": "787", "total": "768"}


def read_published() -> pd.DataFrame:
    """The eleven published numbers: place, curve, model, measure, value.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), Tables 4 and 5 and the end of section 8.
    """
    return pd.read_csv(PUBLISHED_FILE)


@cache  # asked for by each of many summaries
def published_lookup() -> dict[tuple[str, str, str], float]:
    """The published value, where there is one, of a curve, a model of ours and a measure."""
    counterparts: dict[str, list[str]] = {}
    for ours, theirs in PUBLISHED_MODEL.items():
        counterparts.setdefault(theirs, []).append(ours)
    found = {}
    for row in read_published().to_dict("records"):
        measures = [row["measure"]]
        measures += [ours for ours, theirs in PUBLISHED_MEASURE.items() if theirs == row["measure"]]
        for model in counterparts[row["model"]]:
            for measure in measures:
                found[(row["curve"], model, measure)] = float(row["value"])
    return found


@cache
def _published_texts() -> dict[float, str]:
    return {float(text): text for text in pd.read_csv(PUBLISHED_FILE, dtype=str)["value"]}


def published_text(value: float) -> str:
    """A published number with the digits that the paper prints.

    >>> published_text(0.6), published_text(0.7493)
    ('0.60', '0.7493')
    """
    return _published_texts().get(value, f"{value:.4g}")


def comparison(
    measures: pd.DataFrame,
    curve: str,
    names: tuple[str, ...],
    summary: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Published beside reproduced, one row per positive class, model and measure.

    Parameters
    ----------
    measures : DataFrame
        As from :func:`study.replicates.evaluation.evaluate_measures`.
    curve : {"raw", "hull"}
        "hull" for Table 4 and the operating point, "raw" for Table 5.
    names : tuple of str
        Measures to show.
    summary : DataFrame, optional
        As from :func:`study.analysis.summaries.summarise`.

    Returns
    -------
    DataFrame
        positive_class, model, measure, published, reproduced, mean, sd, low, high, percentile.
        The last five come from the summary and stay empty without it.
    """
    lookup, spread = published_lookup(), _spread_lookup(summary)
    rows = []
    for one in measures[measures["curve"] == curve].to_dict("records"):
        for name in names:
            key = (one["positive_class"], curve, one["model"], name)
            rows.append(
                {
                    "positive_class": one["positive_class"],
                    "model": one["model"],
                    "measure": name,
                    "published": lookup.get(key[1:]),
                    "reproduced": one[name],
                    **spread.get(key, dict.fromkeys(SPREAD)),
                }
            )
    table = pd.DataFrame(rows).astype(dict.fromkeys(["published", *SPREAD], "float64"))
    order = table["positive_class"].map({"good": 0, "bad": 1})
    return table.iloc[order.argsort(kind="stable")].reset_index(drop=True)


def _spread_lookup(summary: pd.DataFrame | None) -> dict[tuple[str, ...], dict[str, float]]:
    if summary is None:
        return {}
    place = ["positive_class", "curve", "model", "measure"]
    return {
        tuple(row[name] for name in place): {name: row[name] for name in SPREAD}
        for row in summary.to_dict("records")
    }


def rankings(measures: pd.DataFrame, names: tuple[str, ...] = ("auc", "auk", "h")) -> pd.DataFrame:
    """Every model's measures and its rank by each of them (1 is best).

    Returns
    -------
    DataFrame
        curve, positive_class, model, each measure, rank_<measure>.
    """
    table = measures[["curve", "positive_class", "model", *names]].copy()
    groups = table.groupby(["curve", "positive_class"], sort=False)
    for name in names:
        table[f"rank_{name}"] = groups[name].rank(ascending=False, method="min").astype(int)
    return table.sort_values(["curve", "positive_class"], ascending=False, kind="stable")


def labelled(table: pd.DataFrame) -> pd.DataFrame:
    """The table with the names of measures and models that people read.

    Parameters
    ----------
    table : DataFrame

    Returns
    -------
    DataFrame
        With labels in the columns of measures, models and sampling, and as names of the columns.
    """
    shown = table.copy()
    of_models = dict.fromkeys(("model", "model_a", "model_b", "better", "network"), MODEL_LABELS)
    for column, labels in {
        "measure": MEASURE_LABELS,
        "sampling": SAMPLING_LABELS,
        **of_models,
    }.items():
        if column in shown:
            shown[column] = shown[column].replace(labels)
    for column in {"what", "check"} & set(shown):
        shown[column] = shown[column].map(models_in_words)
    return shown.rename(columns=_column_label).rename(columns={"sampling": "rows"})


def models_in_words(text: str) -> str:
    """A sentence in which models have the names that people read.

    >>> models_in_words("linear and neural_net_lm, same rows")
    'linear and neural net (LM), same rows'
    """
    return _MODEL_NAME.sub(lambda found: MODEL_LABELS[found[0]], text)


def _column_label(name: str) -> str:
    if name.startswith("rank_"):
        return f"rank by {MEASURE_LABELS[name.removeprefix('rank_')]}"
    return MEASURE_LABELS.get(name, name)
