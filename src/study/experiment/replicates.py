"""Undersample, split, fit, score and measure, for any number of random splits.

A replicate is seeded by the config's seed and its own number alone, so it is the same in every
scenario (common random numbers), on any number of cores and in any part. The split of Tables 4 and
5 is replicate 0.
"""

from __future__ import annotations

import logging
import warnings
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from study.arrays import FloatArray, IntArray
from study.errors import ExperimentError, FitError, ImpossibleError, first_sentence
from study.experiment.decisions import Fitted, measure_decisions
from study.experiment.measures import measure_replicates
from study.experiment.models import MODELS, Scaling, build_estimator
from study.experiment.sampling import (
    ClassCounts,
    class_counts,
    replicate_seeds,
    split_groups,
    split_rows,
    undersample,
)

log = logging.getLogger(__name__)
# Messages of fits, by model, category, file and line of the code that warned.
Warnings = defaultdict[tuple[str, str, str, int], list[str]]
# Why fits failed, by model and replicate.
Failures = defaultdict[str, dict[int, str]]


def draw_replicates(
    features: pd.DataFrame, setting: Mapping[str, Any], replicates: Iterable[int], *, seed: int
) -> pd.DataFrame:
    """Draw the replicates of these numbers and score their test rows.

    The setting is a scenario's (`study.experiment.scenarios`). Features follow the columns row and
    minority (0/1), and part, the group of a row, if rows are split by group. What models warn of is
    counted and logged. ImpossibleError if the data do not have the rows that the setting asks for.

    Columns replicate, row, minority, model, score and probability; a score is missing where the
    training rows hold one class only or the model could not be fitted, a probability also where the
    model has none. The attrs hold the rows of each class and of the training (majority, minority,
    n_train), under failures the reason by model and replicate, and under decisions what those of
    each replicate and model bring, if the setting has the key at (`study.experiment.decisions`).
    """
    minority = features["minority"].to_numpy(dtype=np.int64)
    keys = ["row", "minority"]
    if setting["split"] != "random":
        groups = features["part"].to_numpy(dtype=np.int64)
        keys.append("part")
    X = np.ascontiguousarray(features.drop(columns=keys).to_numpy(dtype=np.float64))
    row_numbers = features["row"].to_numpy()
    counts = _count_classes(minority, setting)
    n_train = setting["n_train"]
    n_train = int(sum(counts) * n_train + 1e-9 if n_train < 1 else n_train)
    if not 2 <= n_train <= sum(counts) - 2:
        raise ImpossibleError(
            f"n_train is {n_train}, but the sample has {sum(counts)} rows: at least two must "
            "train, and two must be left for the test."
        )
    tables = []
    warned: Warnings = defaultdict(list)
    failed: Failures = defaultdict(dict)
    decisions = []
    for number in replicates:
        seeds = replicate_seeds(seed, number)
        rows = _keep_rows(minority, counts, setting, seeds.undersample)
        if setting["split"] == "group":
            split = split_groups(groups[rows], n_train, seeds.split)
        elif setting["split"] == "time":
            split = split_groups(groups[rows], n_train, None)
        else:
            split = split_rows(minority[rows], n_train, seeds.split, stratify=setting["stratify"])
        train, test = (rows[side] for side in split)
        shared = {"replicate": number, "row": row_numbers[test], "minority": minority[test]}
        y_train, y_test = minority[train], minority[test]
        fits = _fit_models(X[train], y_train, X[test], setting, seeds.models, warned)
        for model, fitted in fits.items():
            scored = {"model": model, "score": np.nan, "probability": np.nan}
            if isinstance(fitted, FitError):
                failed[model][number] = fitted.reason
            elif fitted is not None:
                scored["score"] = fitted.score
                if fitted.probability is not None:
                    scored["probability"] = fitted.probability
                if "at" in setting:
                    resampled = setting["models"][model].get("resampling") is not None
                    found = measure_decisions(y_train, y_test, fitted, setting, resampled=resampled)
                    decisions.append({"replicate": number, "model": model, **found})
            tables.append(pd.DataFrame(shared | scored))
    _log_warnings(warned, len(tables) // len(setting["models"]))
    scores = pd.concat(tables, ignore_index=True)
    scores.attrs |= {"majority": counts.majority, "minority": counts.minority, "n_train": n_train}
    scores.attrs |= {"failures": dict(failed)} | ({"decisions": decisions} if decisions else {})
    return scores


def fit_once(features: pd.DataFrame, setting: Mapping[str, Any], *, seed: int) -> None:
    """Fit each model on the split that is shown; ExperimentError names those that can't be."""
    scores = draw_replicates(features, setting, [0], seed=seed)
    sentences = [
        f"config key models.{model}: {setting['models'][model]['estimator']} can't be fitted: "
        f"{reasons[0]}."
        for model, reasons in scores.attrs["failures"].items()
    ]
    if sentences:
        raise ExperimentError(" ".join(sentences))


def draw_sample(
    labels: pd.DataFrame, setting: Mapping[str, Any], replicate: int, *, seed: int
) -> pd.DataFrame:
    """Row and minority of the rows that a replicate keeps; labels have these columns."""
    minority = labels["minority"].to_numpy()
    counts = _count_classes(minority, setting)
    rows = _keep_rows(minority, counts, setting, replicate_seeds(seed, replicate).undersample)
    return labels.iloc[rows][["row", "minority"]].reset_index(drop=True)


def measure_scenario(scores: pd.DataFrame, setting: Mapping[str, Any]) -> pd.DataFrame:
    """Measures by replicate, model, positive class and curve, and what `describe_splits` adds.

    The column failure says why a model was not fitted.
    """
    measures = measure_replicates(scores, setting["prevalence"], setting["cost_ratio"])
    measures = measures.merge(describe_splits(scores), how="left", on="replicate")
    if "decisions" in scores.attrs:
        keys = ["replicate", "model", "positive_class", "curve"]
        decisions = pd.DataFrame(scores.attrs["decisions"]).assign(
            positive_class="minority", curve="raw"
        )
        measures = measures.merge(decisions, how="left", on=keys)
    sizes = ("majority", "minority", "n_train")
    measures.attrs = {name: scores.attrs[name] for name in sizes}
    measures["failure"] = None
    for model, reasons in scores.attrs["failures"].items():
        text = "%s could not be fitted in %d of %d replicates, such as: %s"
        drawn = measures["replicate"].nunique()
        log.warning(text, model, len(reasons), drawn, next(iter(reasons.values())))
        is_model = measures["model"] == model
        measures.loc[is_model, "failure"] = measures.loc[is_model, "replicate"].map(reasons)
    return measures


def describe_splits(scores: pd.DataFrame) -> pd.DataFrame:
    """What tables need of the test rows of each replicate, so that no job reads all scores.

    `test_set` is a number by which equal sets of rows are known, `rarer` counts the test rows of
    the rarer class.
    """
    rows = scores[scores["model"] == scores["model"].iloc[0]]
    hashes = pd.util.hash_array(rows["row"].to_numpy())
    splits = rows.assign(test_set=hashes).groupby("replicate")
    positives = splits["minority"].sum()
    rarer = positives.clip(upper=splits.size() - positives)
    return pd.DataFrame({"test_set": splits["test_set"].sum(), "rarer": rarer}).reset_index()


def check_split(sample: pd.DataFrame, scores: pd.DataFrame) -> None:
    """ExperimentError if a side of the split shown holds one class, or no model could be fitted."""
    is_test = sample["row"].isin(scores["row"])
    for side, rows in (("training", ~is_test), ("test", is_test)):
        if sample.loc[rows, "minority"].nunique() < 2:
            raise ExperimentError(
                f"the {side} rows of replicate 0, the split that is shown, hold one class only: "
                "choose another seed, a larger skew or stratify: true."
            )
    if scores["score"].isna().all():
        raise ExperimentError("none of the models could be fitted: see the warnings in the log.")


def _count_classes(minority: IntArray, setting: Mapping[str, Any]) -> ClassCounts:
    counts = class_counts(
        int((minority == 0).sum()),
        int((minority == 1).sum()),
        skew=setting["skew"],
        scheme=setting["sampling"],
        total=setting["total"],
    )
    if min(counts) < 2:
        raise ImpossibleError(
            f"only {min(counts)} row of a class is left, and training and test need one each: "
            "choose another skew, or more data."
        )
    return counts


def _keep_rows(
    minority: IntArray, counts: ClassCounts, setting: Mapping[str, Any], seed: int
) -> IntArray:
    """Positions of the rows that a replicate keeps; without a skew all, in the file's order."""
    if setting["skew"] is None:
        return np.arange(len(minority))
    return undersample(minority, counts, seed)


def _fit_models(
    X_train: FloatArray,
    y_train: IntArray,
    X_test: FloatArray,
    setting: Mapping[str, Any],
    seed: int,
    warned: Warnings,
) -> dict[str, Fitted | FitError | None]:
    """Scores of each model, or why it can't be fitted; None where the training rows lack a class.

    Training rows are scored, too, if decisions are measured.
    """
    fits: dict[str, Fitted | FitError | None] = dict.fromkeys(setting["models"])
    if not 0 < y_train.sum() < len(y_train):
        return fits
    X_train, X_test = scale(X_train, X_test, setting["scaling"])
    for name, model in setting["models"].items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                fits[name] = fit_and_score(
                    name, model, X_train, y_train, X_test, seed=seed, score_training="at" in setting
                )
            except FitError as error:  # the user's other models go on
                fits[name] = error
        # A line of code that warns again and again counts once for this fit.
        places = {(name, w.category.__name__, w.filename, w.lineno): w.message for w in caught}
        for place, message in places.items():
            warned[place].append(str(message))
    return fits


def scale(train: FloatArray, test: FloatArray, scaling: Scaling) -> tuple[FloatArray, FloatArray]:
    """Scale both parts so that the training rows have mean 0 and variance 1, or range from -1 to 1.

    A column that is constant in training is only shifted. A missing number is replaced by the
    median of the column's training rows, 0 if all of these are missing.
    """
    if np.isnan(train).any() or np.isnan(test).any():
        empty = np.isnan(train).all(axis=0)
        middle = np.nanmedian(np.where(empty, 0.0, train), axis=0)
        train, test = (np.where(np.isnan(part), middle, part) for part in (train, test))
    if scaling == "standard":
        shift, spread = train.mean(axis=0), train.std(axis=0)
    else:
        low, high = train.min(axis=0), train.max(axis=0)
        shift, spread = (low + high) / 2, (high - low) / 2
    spread = np.where(spread > 0, spread, 1.0)
    return (train - shift) / spread, (test - shift) / spread


def fit_and_score(
    name: str,
    settings: Mapping[str, Any],
    X_train: FloatArray,
    y_train: IntArray,
    X_test: FloatArray,
    *,
    seed: int,
    score_training: bool = False,
) -> Fitted:
    """Fit a model to labels 0 and 1, and score the test rows, and the training rows if wanted.

    The settings are those of the registered model of this name, or of the one that they are `like`;
    or they name an estimator of the user's, whose failures become one FitError.
    """
    is_own = "estimator" in settings
    try:
        if is_own:
            model = build_estimator(settings, seed=seed)
        else:
            own = {key: value for key, value in settings.items() if key != "like"}
            model = MODELS[settings.get("like", name)](seed=seed, **own)
        model.fit(X_train, y_train)
        scores, probabilities = _score(model, X_test)
        return Fitted(scores, probabilities, _score(model, X_train)[0] if score_training else None)
    except Exception as error:
        if not is_own or isinstance(error, MemoryError):
            raise
        reason = first_sentence(error)
        raise FitError(
            f"config key models.{name}: {settings['estimator']} can't be fitted to "
            f"{len(y_train)} rows, {int(y_train.sum())} of them positive: {reason}.",
            reason,
        ) from None


def _score(model: Any, X: FloatArray) -> tuple[FloatArray, FloatArray | None]:
    """Scores are its decision function, or else its probabilities, or else its predictions."""
    probabilities = None
    if hasattr(model, "predict_proba"):
        probabilities = np.asarray(model.predict_proba(X)[:, 1], dtype=np.float64)
    if hasattr(model, "decision_function"):
        scores = model.decision_function(X)
    else:
        scores = model.predict(X) if probabilities is None else probabilities
    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape != (len(X),) or not np.isfinite(scores).all():
        raise ValueError("its scores are not one finite number for each row")
    return scores, probabilities


def _log_warnings(warned: Warnings, fits: int) -> None:
    """Log each kind once; a network stopped by its limit is worth a line for one fit alone."""
    for (model, category, *_), messages in warned.items():
        if fits == 1 or category != "ConvergenceWarning":
            # Messages may hold numbers of one fit: the first stands for all of its line.
            example = messages[0].partition("\n")[0]
            text = "%s: %s in %d of %d replicates, such as: %s"
            log.warning(text, model, category, len(messages), fits, example)
