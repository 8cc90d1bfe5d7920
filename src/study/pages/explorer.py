"""What the explorer page is given: models, scores by class, and the paper's numbers.

The page computes every curve and measure itself, at any prevalence; here stands what can't be
computed from a prevalence. Everything is plain lists and numbers, ready for JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from kappacurve.plots.style import LINE_STYLES, LineStyle
from study.errors import ExperimentError
from study.published import MODEL_LABELS, read_published

# The browser's names of the markers.
_MARKERS = {
    "o": "circle",
    "s": "square",
    "^": "triangle",
    "D": "diamond",
    "v": "inverted_triangle",
    "P": "plus",
}
LINE_WIDTH = 2.0  # pixels; dashes are given in line widths
DIGITS = 9  # of a threshold: more than is shown, fewer than make the page heavy


def explorer_payload(
    scores: pd.DataFrame,
    replicate_scores: pd.DataFrame,
    *,
    pair: Sequence[str],
    skew: float | None = None,
) -> dict[str, Any]:
    """Everything that the explorer page reads.

    Parameters
    ----------
    scores : DataFrame
        Columns bad (0/1), model, score (higher = more likely bad) of the single split of the
        tables, which is replicate 0.
    replicate_scores : DataFrame
        The same with a column replicate; may be empty. Its replicate 0 is left out, and so are
        models without scores and splits that hold one class only.
    pair : sequence of str
        Models that are compared first; those without scores are passed over.
    skew : float in (0, 1), optional
        Share of bad rows at which the tables evaluate kappa; by default that of the test rows.

    Returns
    -------
    dict
        models (name, label, colour, dash and marker of each, the pair first), skew, replicates
        (number; by model the distinct scores, decreasing, with the bad and good rows at each),
        published (the paper's pairs of AUC and AUK) and optimum (its operating point).

    Raises
    ------
    ExperimentError
        If the single split holds no model, or one class only.
    """
    first = _by_model(scores)
    if not first:
        raise ExperimentError(
            "results/paper/scores.csv holds no model with finite scores of both classes, so there "
            "is nothing to explore: choose another seed, or more test rows (experiment.n_train)."
        )
    names = [name for name in dict.fromkeys(pair) if name in first]
    names += [name for name in first if name not in names]
    replicates = [{"number": 0, "models": first}]
    for number, table in replicate_scores.query("replicate != 0").groupby("replicate"):
        of_replicate = _by_model(table[table["model"].isin(names)])
        if of_replicate:
            replicates.append({"number": int(str(number)), "models": of_replicate})
    return {
        "models": [
            _described(name, LINE_STYLES[i % len(LINE_STYLES)]) for i, name in enumerate(names)
        ],
        "skew": skew,
        "replicates": replicates,
        **_published(),
    }


def _by_model(scores: pd.DataFrame) -> dict[str, dict[str, list[float]]]:
    """Rows of each class at each distinct score, of the models for which curves are defined."""
    found = {}
    for name, table in scores.groupby("model", sort=False):
        if table["bad"].nunique() == 2 and np.isfinite(table["score"]).all():
            rows = table.groupby("score")["bad"].agg(["sum", "size"]).iloc[::-1]
            found[str(name)] = {
                "score": [float(f"{value:.{DIGITS}g}") for value in rows.index],
                "bad": rows["sum"].tolist(),
                "good": (rows["size"] - rows["sum"]).tolist(),
            }
    return found


def _described(name: str, style: LineStyle) -> dict[str, Any]:
    dashes = () if isinstance(style.linestyle, str) else style.linestyle[1]
    return {
        "name": name,
        "label": MODEL_LABELS.get(name, name),
        "color": style.color,
        "dash": [max(1, round(LINE_WIDTH * length)) for length in dashes],
        "marker": _MARKERS[style.marker],
    }


def _published() -> dict[str, Any]:
    """The paper's four pairs of areas and its operating point, from the one file that has them."""
    found = read_published()
    areas = found[found["measure"].isin(["auc", "auk"])]
    pairs = areas.pivot_table(index=["place", "curve", "model"], columns="measure", values="value")
    point = found[found["place"] == "Section 8"].set_index("measure")["value"]
    return {
        "published": [
            {**row, "label": MODEL_LABELS[row["model"]]}
            for row in pairs.reset_index().to_dict("records")
        ],
        "optimum": {name: float(point[name]) for name in ("fpr", "tpr", "kappa_max")},
    }
