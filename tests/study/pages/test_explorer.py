import json

import numpy as np
import pandas as pd
import pytest

from kappacurve.plots.style import LINE_STYLES
from kappacurve.roc import roc_vertices
from study.errors import ExperimentError
from study.pages.explorer import explorer_payload
from study.pages.explorer_plots import explorer_plots

NO_REPLICATES = pd.DataFrame(columns=["replicate", "row", "bad", "model", "score"])


def table(model, bad, score, **more):
    return pd.DataFrame(
        {"row": range(len(bad)), "bad": bad, "model": model, "score": score, **more}
    )


@pytest.fixture
def scores():
    bad = [0, 1, 0, 1, 0]
    return pd.concat(
        [table("linear", bad, [0.1, 0.4, 0.4, 0.8, -2]), table("neural_net", bad, [5, 4, 3, 2, 1])]
    )


def test_scores_are_counted_by_class_from_the_highest(scores):
    payload = explorer_payload(scores, NO_REPLICATES, pair=["linear", "neural_net"])
    (only,) = payload["replicates"]
    assert only["number"] == 0
    assert only["models"]["linear"] == {
        "score": [0.8, 0.4, 0.1, -2.0],
        "bad": [1, 1, 0, 0],
        "good": [0, 1, 1, 1],
    }


def test_counts_give_the_roc_vertices_of_the_package(rng):
    bad = rng.integers(0, 2, 60)
    score = rng.normal(size=60).round(1)
    payload = explorer_payload(table("linear", bad, score), NO_REPLICATES, pair=["linear"])
    found = payload["replicates"][0]["models"]["linear"]
    fpr, tpr, thresholds = roc_vertices(bad, score)
    assert np.cumsum(found["bad"]) / bad.sum() == pytest.approx(tpr[1:])
    assert np.cumsum(found["good"]) / (60 - bad.sum()) == pytest.approx(fpr[1:])
    assert found["score"] == pytest.approx(thresholds[1:])


def test_the_pair_comes_first_and_has_the_colours_of_the_figures(scores):
    payload = explorer_payload(scores, NO_REPLICATES, pair=["neural_net", "no_such_model"])
    assert [one["name"] for one in payload["models"]] == ["neural_net", "linear"]
    assert [one["color"] for one in payload["models"]] == [one.color for one in LINE_STYLES[:2]]
    assert payload["models"][0]["label"] == "neural net"
    # Figure 2's second line: dashes of 5 and gaps of 1.5 line widths, which are two pixels.
    assert [one["dash"] for one in payload["models"]] == [[], [10, 3]]


def test_replicates_leave_out_what_has_no_curve(scores):
    bad = [0, 1, 1]
    replicates = pd.concat(
        [
            table("linear", [1, 1, 1], [1.0, 2, 3], replicate=0),  # never read: the tables' split
            table("linear", bad, [1.0, 2, 3], replicate=1),
            table("neural_net", bad, [1.0, 2, 3], replicate=1),
            table("linear", bad, [1.0, 2, 3], replicate=2),
            table("neural_net", bad, [np.nan] * 3, replicate=2),
            table("linear", [1, 1, 1], [1.0, 2, 3], replicate=3),  # one class only
            table("unknown", bad, [1.0, 2, 3], replicate=4),  # not among the tables' models
        ]
    )
    payload = explorer_payload(scores, replicates, pair=["linear", "neural_net"])
    there = {one["number"]: list(one["models"]) for one in payload["replicates"]}
    assert there == {0: ["linear", "neural_net"], 1: ["linear", "neural_net"], 2: ["linear"]}


def test_published_numbers_are_those_of_the_paper(scores):
    payload = explorer_payload(scores, NO_REPLICATES, pair=[])
    found = {(one["place"], one["model"]): (one["auc"], one["auk"]) for one in payload["published"]}
    assert found == {
        ("Table 4", "linear"): (0.7493, 0.1672),
        ("Table 4", "neural_net"): (0.7186, 0.1753),
        ("Table 5", "linear"): (0.7227, 0.1404),
        ("Table 5", "neural_net"): (0.6781, 0.1449),
    }
    assert [one["curve"] for one in payload["published"]] == ["hull", "hull", "raw", "raw"]
    assert payload["optimum"] == {"fpr": 0.6, "tpr": 0.928, "kappa_max": 0.328}


def test_a_split_with_one_class_is_refused_in_one_sentence():
    with pytest.raises(ExperimentError, match=r"paper/scores\.csv holds no model"):
        explorer_payload(table("linear", [0, 0], [1.0, 2]), NO_REPLICATES, pair=["linear"])


def test_payload_and_plots_are_plain_json(scores):
    payload = explorer_payload(scores, NO_REPLICATES, pair=["linear"], skew=0.11)
    assert json.loads(json.dumps(payload, allow_nan=False)) == payload
    plots = explorer_plots()
    assert list(plots) == [item["target_id"] for item in plots.values()]
    assert "http" not in json.dumps(plots)
    assert explorer_plots() == plots
