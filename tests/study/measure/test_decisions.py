"""Decisions on the test rows of each split: by hand, and beside scikit-learn's tuned thresholds."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, make_scorer, recall_score
from sklearn.model_selection import (
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_predict,
    train_test_split,
)

from kappacurve import compare
from study.draw.replicates import draw_scores
from study.errors import ExperimentError
from study.measure.decisions import limit_measure, measure_decisions
from study.measure.measures import measure_scores
from study.tables.leads import leads_table

#          flagged from the top: 1, 0, 1, 1, 0, 0, 0, 0, 1, 0
TEN = pd.DataFrame(
    {
        "replicate": 0,
        "model": "m",
        "minority": [1, 0, 1, 1, 0, 0, 0, 0, 1, 0],
        "score": np.linspace(0.95, 0.05, 10),
        "probability": np.linspace(0.95, 0.05, 10),
    }
)
BY_HAND = {
    "flagged<=0.4": ("recall", 3 / 4, 0.4),
    "recall>=0.75": ("precision", 3 / 4, 0.4),
    "recall>=0.8": ("precision", 4 / 9, 0.9),
    "precision>=0.7": ("recall", 3 / 4, 0.4),
    "precision>=1": ("recall", 1 / 4, 0.1),
}


def test_limits_of_ten_rows_by_hand():
    (found,) = measure_decisions(TEN, None, None, list(BY_HAND)).to_dict("records")
    for limit, (measure, value, flagged) in BY_HAND.items():
        assert limit_measure(limit) == f"{measure} at {limit}"
        assert found[f"{measure} at {limit}"] == pytest.approx(value), limit
        assert found[f"flagged by {limit}"] == pytest.approx(flagged), limit
    assert found["brier_score"] == brier_score_loss(TEN["minority"], TEN["probability"])
    assert found["log_loss"] == pytest.approx(log_loss(TEN["minority"], TEN["probability"]))


def test_a_model_whose_precision_is_too_low_finds_nobody_and_others_keep_their_values():
    turned = TEN.assign(model="turned", score=-TEN["score"], probability=1 - TEN["probability"])
    found = measure_decisions(pd.concat([TEN, turned]), None, 5.0, ["precision>=0.6"])
    recall = found.set_index("model")["recall at precision>=0.6"]
    assert recall.to_dict() == pytest.approx({"m": 3 / 4, "turned": 0})
    assert found["loss"].notna().all()


def test_probabilities_that_are_alike_where_scores_are_not_are_still_judged():
    rows = TEN.assign(probability=[1, 1, 1, 0.5, 0.5, 0.5, 0.2, 0.2, 0, 0])
    (found,) = measure_decisions(rows, None, None, ["flagged<=0.1"]).to_dict("records")
    assert found["recall at flagged<=0.1"] == pytest.approx(1 / 4)
    assert found["brier_score"] == pytest.approx(
        brier_score_loss(rows["minority"], rows["probability"])
    )
    assert found["extreme"] == 5


@pytest.mark.parametrize(
    ("estimator", "parameters", "note", "is_fitted"),
    [
        ("sklearn.linear_model.LogisticRegression", {"max_iter": 1}, "did not converge", True),
        ("sklearn.linear_model.LogisticRegression", {}, "", True),
        ("sklearn.neighbors.KNeighborsClassifier", {"n_neighbors": 800}, "n_neighbors", False),
    ],
)
def test_a_draw_keeps_what_a_fit_says_and_the_measures_have_it(
    estimator, parameters, note, is_fitted
):
    model = {"estimator": estimator, "parameters": parameters, "resampling": None}
    scores = draw_scores(make_table(0), SETTING, model, range(2), 3).assign(model="m")
    assert scores["note"].str.contains(note).all() and (note != "" or (scores["note"] == "").all())
    assert scores["score"].notna().all() == is_fitted
    setting = {"prevalence": None, "cost_ratio": None, "at": [], "split": SPLIT}
    measures = measure_scores(scores, decides=True, **setting)
    assert set(measures["note"]) == set(scores["note"])


def test_a_split_by_time_whose_test_rows_hold_one_class_is_refused():
    features = make_table(0).sort_values("minority", ascending=False)
    by_time = SETTING | {"split": {"by": "time", "column": "day"}}
    model = {"estimator": "study.draw.models.LeastSquares", "resampling": None}
    features["part"] = range(900)
    with pytest.raises(ExperimentError, match="the rows that test are of one class"):
        draw_scores(features, by_time, model, [0], 3)


def make_table(seed, n=900):
    """Features as a draw has them: non-linear, so that trees rank better than a line."""
    X, y = make_classification(
        n, 8, n_informative=5, n_clusters_per_class=3, weights=[0.85], class_sep=1.0,
        random_state=seed,
    )  # fmt: skip
    features = pd.DataFrame(X, columns=[f"x_{i}" for i in range(8)])
    features.insert(0, "minority", y)
    features.insert(0, "row", range(1, n + 1))
    return features


SPLIT = {"by": "random", "column": None}
SETTING = {"skew": None, "sampling": "keep_majority", "total": None, "n_train": 0.6}
SETTING |= {"split": SPLIT, "stratify": True, "scaling": "standard"}
MODELS = {
    "logistic": LogisticRegression(),
    "forest": RandomForestClassifier(n_estimators=60, random_state=0),
    "boosted": GradientBoostingClassifier(n_estimators=40, random_state=0),
}


def draw(features, names, replicates):
    for name in names:
        made = MODELS[name]
        path = f"{type(made).__module__}.{type(made).__name__}"
        given = {"n_estimators": made.n_estimators} if hasattr(made, "n_estimators") else {}
        model = {"estimator": path, "parameters": given, "resampling": None}
        yield draw_scores(features, SETTING, model, range(replicates), 3).assign(model=name)


@pytest.mark.slow
def test_a_boosted_forest_at_a_limit_beside_scikit_learns_tuned_threshold():
    """A threshold tuned by cross-validation on the training rows finds and flags as many."""
    features = make_table(1)
    X, y = features.drop(columns=["row", "minority"]).to_numpy(), features["minority"].to_numpy()
    (scores,) = draw(features, ["boosted"], 20)
    ours = measure_decisions(scores, None, None, ["flagged<=0.15"])
    recall, flagged = [], []

    # The share flagged on held-out parts of the training rows is to be 15 %.
    nearness = make_scorer(lambda _, predicted: -abs(predicted.mean() - 0.15))
    for k in range(20):
        rows = train_test_split(np.arange(len(y)), train_size=0.6, stratify=y, random_state=k)
        tuned = TunedThresholdClassifierCV(
            MODELS["boosted"], scoring=nearness, cv=5, random_state=0
        ).fit(X[rows[0]], y[rows[0]])
        predicted = tuned.predict(X[rows[1]])
        recall.append(recall_score(y[rows[1]], predicted))
        flagged.append(predicted.mean())
    for theirs, own in ((recall, "recall at flagged<=0.15"), (flagged, "flagged by flagged<=0.15")):
        error = np.sqrt((np.var(theirs, ddof=1) + ours[own].var()) / 20)
        assert abs(np.mean(theirs) - ours[own].mean()) < 2 * error, own


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_page_and_measure_name_the_same_winner_or_neither(seed):
    """Over the splits, and by out-of-fold scores of all rows: a clear winner leads on the page."""
    features = make_table(seed)
    X, y = features.drop(columns=["row", "minority"]).to_numpy(), features["minority"].to_numpy()
    at = ["recall>=0.8"]
    setting = {"prevalence": None, "cost_ratio": None, "at": at, "split": SPLIT}
    drawn = draw(features, MODELS, 25)
    leads = leads_table(pd.concat(measure_scores(own, decides=True, **setting) for own in drawn))
    own = leads[leads["measure"] == "precision at recall>=0.8"]
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    out_of_fold = {
        name: cross_val_predict(model, X, y, cv=cv, method="predict_proba")[:, 1]
        for name, model in MODELS.items()
    }
    tests = compare(y, out_of_fold, at=at).tests.query("at == 'recall>=0.8'")
    leader, counted = own["model"].iloc[0], tests["better"].value_counts()
    winner = counted.drop("not clear", errors="ignore").loc[lambda wins: wins == len(MODELS) - 1]
    assert winner.index.tolist() in ([], [leader])
    for model in own["model"][own["p_value"] < 0.05]:  # what the page says is clear
        pair = tests[tests["first"].isin([leader, model]) & tests["second"].isin([leader, model])]
        assert pair["better"].tolist() in ([leader], ["not clear"])
