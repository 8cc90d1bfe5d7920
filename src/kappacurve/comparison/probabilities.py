"""What is said of probabilities: their calibration, and losses beside those of a constant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from math import log
from typing import Any

import numpy as np
import pandas as pd

from ..inference.calibration import Calibration, calibrate
from ..validation import Sample
from .sentences import join_names

LOSS_NAMES = {"brier_score": "Brier score", "log_loss": "log loss"}


def reference_losses(prevalence: float) -> dict[str, float]:
    """Brier score and log loss of predicting the share of positives for every row."""
    p, q = prevalence, 1 - prevalence
    return {"brier_score": p * q, "log_loss": -p * log(p) - q * log(q)}


def calibrate_models(sample: Sample, models: Sequence[str], level: float) -> list[dict[str, Any]]:
    """Calibration of models, one record per model and quantity; none of decisions (0 and 1)."""
    return [
        {"model": model, "quantity": field.name, **asdict(getattr(result, field.name))}
        for model in models
        if not np.isin(sample.scores[model], (0, 1)).all()
        for result in [calibrate(sample, model, level)]
        for field in fields(Calibration)
    ]


def calibration_sentences(table: pd.DataFrame, *, are_many: bool = False) -> list[str]:
    """What is wrong with the probabilities of each model, as far as the intervals tell.

    Of many models there is one sentence for all that predict too many or too few positives, and one
    for all that are too extreme or vary too little.
    """
    sentences, ratios, slopes = [], [], []
    for model, rows in table.groupby("model", sort=False):
        by_name = rows.set_index("quantity")
        ratio, slope = by_name.loc["observed_over_expected"], by_name.loc["slope"]
        faults = []
        if ratio["high"] < 1 or ratio["low"] > 1:
            times = f"{1 / ratio['estimate']:.2g}"
            ratios.append(f"{model} {times}")
            faults.append(f"it predicts {times} times as many positives as there are")
        if slope["high"] < 1 or slope["low"] > 1:
            what = "are too extreme" if slope["high"] < 1 else "vary too little"
            slopes.append(f"{model} {slope['estimate']:.2g}")
            faults.append(f"its probabilities {what} (slope {slope['estimate']:.2g})")
        sentences.append(f"Calibration of {model}: {', and '.join(faults) or 'no clear fault'}.")
    if not are_many:
        return sentences
    starts = {"Positives predicted over those there are": ratios, "Slopes that are not 1": slopes}
    return [f"{start}: {', '.join(parts)}." for start, parts in starts.items() if parts]


def worse_than_constant(measures: pd.DataFrame) -> list[str]:
    """The models whose losses are above those of the share of positives alone."""
    worse = measures[measures["estimate"] > measures["reference"]]
    models: dict[str, list[str]] = {}
    for model, rows in worse.groupby("model", sort=False):
        names = " and ".join(LOSS_NAMES[name] for name in rows["measure"])
        models.setdefault(names, []).append(str(model))
    return [
        f"By {names}, {join_names(group)} {'is' if len(group) == 1 else 'are'} worse than "
        "predicting the share of positives for every row."
        for names, group in models.items()
    ]


def note_reversed(measures: pd.DataFrame) -> list[str]:
    """The models that rank clearly worse than by chance."""
    areas = measures[measures["measure"] == "auc"]
    return [
        f"{model}: the AUC is clearly below 0.5, so low values seem to mean positive: --lower "
        f"{model} (negate the scores)."
        for model in areas.loc[areas["high"] < 0.5, "model"]
    ]
