import base64
import json
import re

import numpy as np
import pytest

from kappacurve import auk_bounds, explorer_page, h_measure_score
from kappacurve.explore import prevalence_grid
from kappacurve.scores import auc_score, auk_score

LABELS = np.array([0, 1, 0, 1, 0, 0, 1, 0])
SCORES = {"a": [0.1, 0.4, 0.4, 0.8, 0.3, 0.2, 0.7, 0.5], "</script><b>": [3, 1, 2, 4, 5, 0, 6, 1]}
PAIR = ("Table 4", "hull", 0.7186, 0.1753)


@pytest.fixture(scope="module")
def page():
    return explorer_page(LABELS, SCORES, published=[PAIR])


def data_of(page):
    return json.loads(re.search(r'id="data">(.*?)</script>', page)[1])


def test_same_bytes_each_time_and_nothing_is_fetched(page):
    assert page == explorer_page(LABELS, SCORES, published=[PAIR])
    assert not re.search(r"""<(?:script|link|img|iframe)[^>]*(?:src|href)=["'](?!data:)""", page)
    assert "</script><b>" not in page
    assert data_of(page)["models"][0]["name"] == "a"


def test_grid_holds_the_measures_of_the_package(page):
    grid = prevalence_grid(0.01)
    data = data_of(page)
    model = data["replicates"][0]["models"]["a"]
    for i in (0, 30, 49, 98):
        p, scores = grid[i], np.array(SCORES["a"])
        assert model["h"][i] == pytest.approx(
            h_measure_score(LABELS, scores, prevalence=p), abs=1e-6
        )
        for kind, hull in (("raw", False), ("hull", True)):
            auk = auk_score(LABELS, scores, prevalence=p, hull=hull)
            assert model["auk"][kind][0][i] == pytest.approx(auk, abs=1e-6)
            auk = auk_score(1 - LABELS, -scores, prevalence=1 - p, hull=hull)
            assert model["auk"][kind][1][i] == pytest.approx(auk, abs=1e-6)
        bounds = auk_bounds(0.7186, p)
        found = [each[i] for each in data["published"][0]["bounds"]]
        assert found == pytest.approx([float(bounds.lower), float(bounds.upper)], abs=1e-6)
    assert model["auk"]["raw"][0][-1] == pytest.approx(auk_score(LABELS, SCORES["a"]), abs=1e-12)
    assert model["auc"]["raw"] == pytest.approx(auc_score(LABELS, SCORES["a"]), abs=1e-12)
    assert data["replicates"][0]["own"] == 3 / 8


def test_grid_of_costs_holds_the_auk_of_both_classes(page):
    model = data_of(page)["replicates"][0]["models"]["a"]
    grid, scores = prevalence_grid(0.01, 25), np.array(SCORES["a"])
    for kind, hull in (("raw", False), ("hull", True)):
        for packed, labels, sign in zip(
            model["at_cost"][kind], (LABELS, 1 - LABELS), (1, -1), strict=True
        ):
            units = np.frombuffer(base64.b64decode(packed["units"]), "<i2").reshape(25, 25)
            for i, j in ((0, 0), (3, 21), (12, 12), (24, 5)):
                at = [value if sign > 0 else 1 - value for value in (grid[i], grid[j])]
                options = {"prevalence": at[0], "cost": at[1], "hull": hull}
                auk = auk_score(labels, sign * scores, **options)
                assert units[i, j] * packed["scale"] == pytest.approx(auk, abs=packed["scale"])


@pytest.mark.parametrize(
    ("labels", "scores", "options", "sentence"),
    [
        (LABELS, {"a": SCORES["a"]}, {}, "at least two models"),
        (np.ones(8, int), SCORES, {}, "Model 'a': y_true holds only the positive class"),
        (LABELS[:5], SCORES, {}, "Model 'a': y_true and y_score must have the same length"),
        ({"1": LABELS}, {"2": SCORES}, {}, "Replicate '1': y_scores must hold at least two"),
        (LABELS, SCORES, {"prevalence_range": (0.5, 0.1)}, "prevalence_range must rise"),
        (LABELS, SCORES, {"cost_ratios": [100]}, "cost_ratios must be from 1/99 to 99"),
        (LABELS, SCORES, {"published": [("x", "dot", 0.7, 0.1)]}, "must be .hull. or .raw."),
        (LABELS, SCORES, {"positive_class": "z"}, "positive_class='z' is not among"),
    ],
)
def test_refusals(labels, scores, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        explorer_page(labels, scores, **options)
