import base64
import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

from kappacurve import (
    auk_bounds,
    bootstrap_intervals,
    bootstrap_tests,
    compare,
    explorer_page,
    h_measure_score,
)
from kappacurve.auk import area_under_curve, area_under_kappa
from kappacurve.cli.main import main
from kappacurve.explore import _kept, prevalence_grid
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
    for i in (0, 17, 28, 56):
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


def curve_of(model):
    return [np.cumsum(model[name]) / sum(model[name]) for name in ("fp", "tp")]


def test_many_rows_make_a_small_page_whose_thinned_curves_keep_every_area():
    n, rng = 100_000, np.random.default_rng(4)
    labels = rng.random(n) < 0.1
    scores = {name: rng.normal(size=n) + by * labels for name, by in (("a", 1.0), ("b", 1.1))}
    page = explorer_page(labels.astype(int), scores)
    assert len(page.encode()) < 3e6
    for name, model in data_of(page)["replicates"][0]["models"].items():
        assert len(model["fp"]) < model["vertices"] / 5
        f, t = curve_of(model)
        at = [(p, c) for p in (0.011, 0.08, 0.3, 0.6, 0.985) for c in (0.02, 0.3, 0.5, 0.96)]
        for p, c in at:
            whole = auk_score(labels, scores[name], prevalence=p, cost=c)
            assert area_under_kappa(f, t, p, cost=c) == pytest.approx(whole, abs=1e-4)


def test_a_curve_whose_vertices_crowd_is_drawn_with_more_of_them():
    f = np.concatenate([np.linspace(0, 0.01, 10_000), np.linspace(0.01, 1, 100)[1:]])
    t = np.sqrt(f)
    kept = _kept(f, t, np.array([0, len(f) - 1]), np.array([0.01, 0.5, 0.99]))
    assert len(kept) > 1500
    assert area_under_curve(f[kept], t[kept]) == pytest.approx(area_under_curve(f, t), abs=1e-4)


def test_the_page_opens_on_a_replicate_that_reverses():
    def replicate(seed):
        rng = np.random.default_rng(seed)
        return rng.normal(size=60) + LARGE, rng.normal(size=60) + LARGE

    LARGE = np.arange(60) % 3 == 0
    drawn = {str(seed): dict(zip("ab", replicate(seed), strict=True)) for seed in range(12)}
    data = data_of(explorer_page(dict.fromkeys(drawn, LARGE.astype(int)), drawn))
    leads = [
        [score(LARGE, one["a"]) - score(LARGE, one["b"]) for score in (auc_score, auk_score)]
        for one in drawn.values()
    ]
    first = next(i for i, (auc, auk) in enumerate(leads) if auc * auk < 0)
    assert data["opening"] == {"replicate": first, "kind": "raw", "chosen": True}


def test_numbers_at_the_rows_own_prevalence_are_those_of_compare(page):
    rng = np.random.default_rng(1)
    labels = np.arange(80) % 2
    scores = {"a": rng.normal(size=80) + labels, "b": rng.normal(size=80) + labels / 2}
    side = data_of(explorer_page(labels, scores))["replicates"][0]["chance"][0]
    found = compare(labels, scores)
    assert side["said"] == [*found.conclusion, *found.notes]
    row = found.tests.set_index("measure").loc["auk"]
    assert side["tests"][0]["auk"] == {"ends": [row["low"], row["high"]], "p": [row["p_value"]]}
    drawn = bootstrap_intervals(labels, scores["a"], n_resamples=1000)
    tests = bootstrap_tests(labels, *scores.values(), n_resamples=1000)
    for name in ("h", "kappa_max"):
        assert side["models"]["a"][name] == pytest.approx(drawn[name][2:], abs=1e-6)
        assert side["tests"][0][name]["ends"] == pytest.approx(tests[name][4:], abs=1e-6)
        assert side["tests"][0][name]["p"] == [tests[name].p_value]
    few = data_of(page)["replicates"][0]["chance"][0]
    assert few["models"]["a"] == dict.fromkeys(("auc", "auk", "at", "band"))
    assert few["tests"][0]["error"] is None


def test_weighted_rows_and_a_model_whose_lower_scores_are_positive():
    weight = np.array([1, 0.5, 2, 1, 3, 1, 1.5, 1])
    scores = {"a": SCORES["a"], "turned": 1 - np.array(SCORES["a"])}
    one = data_of(explorer_page(LABELS, scores, sample_weight=weight, lower=["turned"]))
    (replicate,) = one["replicates"]
    expected = auk_score(LABELS, SCORES["a"], sample_weight=weight)
    for name, model in replicate["models"].items():
        assert model["auk"]["raw"][0][-1] == pytest.approx(expected)
        assert area_under_curve(*curve_of(model)) == pytest.approx(model["auc"]["raw"])
        assert model["lower"] == (name == "turned")
    assert replicate["n"] == [weight @ LABELS, weight @ (1 - LABELS)]
    thresholds = [model["threshold"] for model in replicate["models"].values()]
    assert thresholds[1] == pytest.approx(1 - np.array(thresholds[0]))
    assert "a weight does not tell" in replicate["chance"][0]["said"][-1]
    assert replicate["chance"][0]["models"]["a"]["at"] is None


def test_command_writes_the_page_and_names_what_is_wrong(tmp_path):
    file, page = tmp_path / "s.csv", tmp_path / "p.html"
    rows = zip(range(8), LABELS, *SCORES.values(), strict=True)
    lines = (",".join(map(str, row)) for row in rows)
    file.write_text("\n".join(["id,y,a,b", *lines]))
    done = CliRunner().invoke(main, ["explore", str(file), "--label", "y", "-o", str(page)])
    assert done.exit_code == 0, done.output
    assert "number the rows: id" in done.output
    data = data_of(page.read_text(encoding="utf-8"))
    assert data["classes"] == ["1", "0"]
    assert [one["name"] for one in data["models"]] == ["a", "b"]
    more = ["--weight", "id", "--lower", "b", "-o", str(page)]
    done = CliRunner().invoke(main, ["explore", str(file), "--label", "y", *more])
    assert done.exit_code == 0, done.output
    (replicate,) = data_of(page.read_text(encoding="utf-8"))["replicates"]
    lower = {name: model["lower"] for name, model in replicate["models"].items()}
    assert (replicate["weighted"], lower) == (True, {"a": False, "b": True})
    one = ["explore", str(file), "--label", "y", "--score", "a", "-o", str(page)]
    done = CliRunner().invoke(main, one)
    assert done.exit_code == 1
    assert f"{file} has one column of scores: name two" in done.output
    done = CliRunner().invoke(main, [*one, "--score", "b", "--cost-ratio", "200"])
    assert "cost_ratios must be from 1/99 to 99, got 200" in done.output


@pytest.mark.parametrize(
    ("labels", "scores", "options", "sentence"),
    [
        (LABELS, {"a": SCORES["a"]}, {}, "at least two models"),
        (np.ones(8, int), SCORES, {}, "Model 'a': y_true holds only the positive class"),
        (LABELS[:5], SCORES, {}, "Model 'a': y_true and y_score must have the same length"),
        ({"1": LABELS}, {"2": SCORES}, {}, "Replicate '1': y_scores must hold at least two"),
        (LABELS, SCORES, {"prevalence_range": (0.5, 0.1)}, "prevalence_range must rise"),
        (LABELS, SCORES, {"lower": ["z"]}, "lower: 'z' is not among the models"),
        (LABELS, SCORES, {"cost_ratios": [100]}, "cost_ratios must be from 1/99 to 99"),
        (LABELS, SCORES, {"published": [("x", "dot", 0.7, 0.1)]}, "must be .hull. or .raw."),
        (LABELS, SCORES, {"positive_class": "z"}, "positive_class='z' is not among"),
    ],
)
def test_refusals(labels, scores, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        explorer_page(labels, scores, **options)
