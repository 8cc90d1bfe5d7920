"""The explorer's page: its numbers are the package's, its script computes as the package does."""

import base64
import io
import itertools
import json
import re
import shutil
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

import kappacurve as kc
from kappacurve.algebra import area_under_curve, area_under_kappa, kappa_from_rates
from kappacurve.bounds import auk_bounds
from kappacurve.cli.main import main
from kappacurve.explorer import inference, page as explore, plots
from kappacurve.explorer.page import prevalence_grid

LABELS = np.array([0, 1, 0, 1, 0, 0, 1, 0])
SCORES = {"a": [0.1, 0.4, 0.4, 0.8, 0.3, 0.2, 0.7, 0.5], "</script><b>": [3, 1, 2, 4, 5, 0, 6, 1]}
NODES = 5  # of the coarse grids


def data_of(page):
    return json.loads(re.search(r'id="data">(.*?)</script>', page)[1])


@pytest.fixture(autouse=True, scope="module")
def _coarse_grids():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explore, "ERROR_NODES", NODES)
        patch.setattr(inference, "RESAMPLES", 50)
        yield


def written(file, *options):
    return CliRunner().invoke(main, ["explore", str(file), "--label", "y", *options])


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    file = tmp_path_factory.mktemp("scores") / "s.csv"
    rows = zip(range(8), LABELS, *SCORES.values(), strict=True)
    lines = [["id", "y", *SCORES], *rows]
    file.write_text("\n".join(",".join(map(str, line)) for line in lines))
    return file


@pytest.fixture(scope="module")
def page(file):
    done = written(file, "-o", str(file.with_suffix(".html")))
    assert done.exit_code == 0, done.output
    assert "row numbers, it seems): id" in done.output
    return file.with_suffix(".html").read_text(encoding="utf-8")


@pytest.fixture
def data(monkeypatch):
    """What a page looks up, without its plots and its bounds, which take long."""
    monkeypatch.setattr(explore, "explorer_plots", lambda _: [])
    no_bounds = SimpleNamespace(lower=[], upper=[])
    monkeypatch.setattr(explore, "auk_bounds", lambda *_, **__: no_bounds)
    return lambda *rows, **options: data_of(kc.explorer_page(*rows, **options))


def test_same_bytes_each_time_and_nothing_is_fetched(page, file):
    said = {"title": "Which model is better, and where?", "source": f"Scores: {file}, label y."}
    assert page == kc.explorer_page(LABELS, SCORES, **said)
    assert not re.search(r"""<(?:script|link|img|iframe)[^>]*(?:src|href)=["'](?!data:)""", page)
    assert "</script><b>" not in page


def test_numbers_are_those_of_the_package(page):
    grid, found = prevalence_grid(0.01), data_of(page)
    (replicate,) = found["replicates"]
    model, scores = replicate["models"]["a"], np.array(SCORES["a"])
    assert replicate["own"] == 3 / 8
    for i in (0, 17, 28, 56):
        h = kc.h_measure_score(LABELS, scores, prevalence=grid[i])
        assert model["h"][i] == pytest.approx(h, abs=1e-6)
    swapped = 1 - LABELS, -scores
    for kind in ("raw", "hull"):
        both = [kc.auk_score(*rows, curve=kind) for rows in ((LABELS, scores), swapped)]
        assert model["auk"][kind] == pytest.approx(both, abs=1e-12)
    assert model["auc"]["raw"] == pytest.approx(kc.auc_score(LABELS, scores), abs=1e-12)
    published = [("Table 4", "hull", 0.7186, 0.1753)]
    (pair,) = data_of(kc.explorer_page(LABELS, SCORES, published=published))["published"]
    ends = [("hull", 0.7186, pair["bounds"])]
    for kind, band in found["bands"].items():
        assert len(band["auc"]) == len(band["bounds"]) == 21
        assert band["auc"] == np.round(band["auc"], 8).tolist()  # so that the page stays small
        ends += [(kind, band["auc"][i], band["bounds"][i]) for i in (0, 10, 20)]
    for kind, auc, (low, high) in ends:
        bounds = auk_bounds(auc, grid, curve=kind)
        np.testing.assert_allclose(low, bounds.lower, atol=1e-6)
        np.testing.assert_allclose(high, bounds.upper, atol=1e-6)


def test_kappa_and_its_area_in_javascript_are_the_packages():
    """Curves with steps, plateaus and straight lines, at prevalences and costs at and near ends."""
    if (node := shutil.which("node")) is None:
        pytest.skip("no node on the PATH")
    random = np.random.default_rng(3)
    curves = [np.array([[0, 0, 1], [0, 1, 1]]), np.array([[0, 1, 1], [0, 0, 1]])]
    for n in (4, 40):
        steps = random.random((2, n)) * (random.random((2, n)) < 0.7) + 1e-9
        sums = np.cumsum(steps, axis=1)
        curves.append(np.append([[0], [0]], sums / sums[:, -1:], axis=1))
    at = [(p, c) for p in (0.001, 0.3, 0.5, 0.99) for c in (0.0, 1e-6, 0.3, 0.5, 0.7, 1.0)]
    script = Path(explore.__file__).with_name("kappa.js").read_text()
    script += f"""
      const found = {json.dumps([curve.tolist() for curve in curves])}.map(([f, t]) =>
        {json.dumps(at)}.map(([p, c]) =>
          [aukOf(f, t, p, c), ...f.map((x, i) => kappaAt(x, t[i], p, c))]));
      console.log(JSON.stringify(found));"""
    done = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True)
    for (f, t), by_node in zip(curves, json.loads(done.stdout), strict=True):
        for (p, c), found in zip(at, by_node, strict=True):
            kappas = kappa_from_rates(f, t, p, cost=c)
            wanted = [area_under_kappa(f, t, p, cost=c), *kappas]
            assert found == pytest.approx(wanted, abs=1e-12, rel=1e-12)


def test_text_and_curves_are_seen_on_light_and_dark(contrast):
    """WCAG 2: at least 4.5 for text and 3 for what is drawn."""
    style = Path(explore.__file__).with_name("page.css").read_text()
    themes = re.findall(r"\{([^{}]*--ink:[^{}]*)\}", style)
    assert len(themes) == 2
    for theme in themes:
        color = dict(re.findall(r"--(\w+): (#\w+)", theme))
        for ground in (color["paper"], color["card"]):
            for text in ("ink", "faint", "accent", "warn"):
                assert contrast(color[text], ground) >= 4.5, text
            for drawn in (*explore.COLORS, *plots.BANDS.values()):
                assert contrast(drawn, ground) >= 3, drawn


def test_a_missing_bokeh_is_said_before_the_file_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(explore, "find_spec", lambda _: None)
    (tmp_path / "s.csv").write_text("not a file of scores")
    done = written(tmp_path / "s.csv", "-o", str(tmp_path / "page.html"))
    assert (done.exit_code, "needs Bokeh" in done.output) == (1, True)


def curve_of(model):
    return [np.cumsum(model[name]) / sum(model[name]) for name in ("fp", "tp")]


def test_many_rows_make_a_small_page_whose_thinned_curves_keep_every_area(data):
    """Bokeh's script, 1 MB, comes on top."""
    n, rng = 50_000, np.random.default_rng(4)
    labels = rng.random(n) < 0.1
    scores = {"a": rng.normal(size=n) + labels, "b": rng.normal(size=n) + 1.1 * labels}
    # The vertices of the second crowd where few are flagged.
    weight = np.where(~labels & (scores["b"] > 0), 0.01, 1.0)
    found = data(labels, scores, sample_weight=weight)
    assert len(json.dumps(found)) < 1e6
    for name, model in found["replicates"][0]["models"].items():
        assert 500 < len(model["fp"]) < model["vertices"] / 3
        f, t = curve_of(model)
        for p, c in itertools.product((0.011, 0.08, 0.3, 0.6, 0.985), (0.02, 0.3, 0.5, 0.96)):
            whole = kc.auk_score(labels, scores[name], prevalence=p, cost=c, sample_weight=weight)
            assert area_under_kappa(f, t, p, cost=c) == pytest.approx(whole, abs=1e-4)


@pytest.mark.parametrize("groups", [None, np.arange(80) // 2])
def test_numbers_at_the_rows_own_prevalence_are_those_of_compare(data, groups):
    rng = np.random.default_rng(1)
    labels = np.arange(80) % 2
    shared = np.repeat(rng.normal(size=40), 2)
    scores = {name: shared + rng.normal(size=80) + labels / by for name, by in (("a", 1), ("b", 2))}
    (replicate,) = data(labels, scores, groups=groups)["replicates"]
    assert replicate["groups"] == (None if groups is None else 40)
    side = replicate["chance"][0]
    fixed = {"sampling": "stratified", "groups": groups}  # at every position of the slider
    found = kc.compare(labels, scores, **fixed)
    assert side["said"] == [*found.conclusion, *found.notes]
    row = found.tests.set_index("measure").loc["auk"]
    (own,) = side["measures"]["auk"]["tests"]
    assert own == {"ends": [row["low"], row["high"]], "p": row["p_value"]}
    for name in ("h", "kappa_max"):
        options = {"measure": name, "method": "bootstrap", "n_resamples": 50, **fixed}
        drawn = kc.interval(labels, scores["a"], **options)
        test = kc.paired_test(labels, *scores.values(), **options)
        own = side["measures"][name]
        assert own["ends"]["a"] == pytest.approx(drawn[2:4], abs=1e-6)
        assert own["tests"][0]["ends"] == pytest.approx(test[4:6], abs=1e-6)
        assert own["tests"][0]["p"] == test.p_value
    low, high = (unpacked(end) for end in side["grid"]["ends"]["a"])
    exact = kc.interval(
        labels, scores["a"], prevalence=prevalence_grid(0.01, NODES)[2], groups=groups
    )
    assert (low[2, 2], high[2, 2]) == pytest.approx(exact[2:4], abs=2e-4)


def test_axes_have_room_for_every_prevalence(page):
    """Curves move, and the axes do not."""
    plots = json.loads(re.search(r'id="plots">(.*?)</script>', page)[1])
    drawn = {plot["target_id"]: plot["doc"]["roots"][0]["attributes"] for plot in plots}
    found = [
        kc.measures(LABELS, score, prevalence=p)
        for score in SCORES.values()
        for p in (0.1, 0.5, 0.9)
    ]
    for plots, name in ((["kappa"], "kappa_max"), (["over", "cost"], "auk")):
        values = [each[name] for each in found]
        for plot in plots:
            low, high = drawn[plot]["y_range"]["attributes"].values()
            assert low < min(0, *values) <= max(values) < high < max(values) + 0.1
    for plot, line in (("roc", [0, 1]), ("kappa", [0, 0])):  # of chance
        assert f'["x", [0, 1]], ["y", {line}]' in json.dumps(drawn[plot])


def test_progress_names_the_replicate(data, monkeypatch):
    clock = itertools.count(0, 3)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    rows = dict.fromkeys("12", LABELS), dict.fromkeys("12", SCORES)
    data(*rows, progress=(told := io.StringIO()))
    first, *_, last = told.getvalue().splitlines()
    assert first == "Explorer, 3 s: Replicate '1': curve of a, 8 rows."
    assert last == "Explorer, 15 s: intervals and tests of 2 x 2 models."


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ({"a": SCORES["a"]}, "y_scores must hold at least two models, got 1"),
        ({"a\x1b": SCORES["a"], "a\\x1b": SCORES["a"]}, "two models that look alike: rename one"),
        ({"a": SCORES["a"], "b": [np.nan] * 8}, "Replicate 'x': Model 'b': y_score must"),
    ],
)
def test_what_a_page_refuses(scores, said):
    with pytest.raises(ValueError, match=said):
        kc.explorer_page({"x": LABELS}, {"x": scores})


def test_few_rows_have_intervals_but_no_grid(page):
    few = data_of(page)["replicates"][0]["chance"][0]
    assert few["measures"]["auc"]["ends"]["a"] is not None
    assert (few["grid"], few["bands"]) == (None, None)


def test_errors_of_very_many_rows_are_those_of_a_sample_of_them(data, monkeypatch):
    monkeypatch.setattr(inference, "MOST_OF_A_CLASS", 2000)
    rng = np.random.default_rng(6)
    labels = np.arange(20_000) % 8 == 0
    scores = {name: rng.normal(size=20_000) + by * labels for name, by in (("a", 1.0), ("b", 0.8))}
    found = data(labels, scores, prevalence=0.3)["replicates"][0]["chance"][0]
    grid = prevalence_grid(0.01, NODES)
    low, high = (unpacked(end) for end in found["grid"]["ends"]["a"])
    halves, z = (unpacked(found["grid"]["tests"][0][name]) for name in ("half", "score"))
    for i, j in ((1, 2), (2, 3)):
        at = {"prevalence": grid[i], "cost": grid[j]}
        exact = kc.interval(labels, scores["a"], **at, scale="logit")
        assert high[i, j] - low[i, j] == pytest.approx(exact.high - exact.low, rel=0.05)
        test = kc.paired_test(labels, *scores.values(), **at)
        assert halves[i, j] == pytest.approx((test.high - test.low) / 2, rel=0.05)
        assert z[i, j] == pytest.approx(test.difference / test.standard_error, rel=0.05)


def unpacked(packed):
    units = np.frombuffer(base64.b64decode(packed["units"]), "<i2").reshape(NODES, NODES)
    return units * packed["scale"]


def test_weighted_replicates_of_which_one_reverses_and_lower_scores_that_are_positive(data):
    labels, names = np.arange(60) % 3 == 0, "012"
    weight = {"sample_weight": np.arange(60) % 4 + 0.5}
    drawn = [np.random.default_rng(i).normal(size=(2, 60)) + labels for i in (15, 16, 17)]
    every = dict.fromkeys(names, labels)
    weights = {"sample_weight": dict.fromkeys(names, weight["sample_weight"])}
    turned = [{"a": a, "turned": -b} for a, b in drawn]
    found = data(every, dict(zip(names, turned, strict=True)), lower=["turned"], **weights)
    auc, auk = (
        np.array([[area(labels, score, **weight) for score in both] for both in drawn])
        for area in (kc.auc_score, kc.auk_score)
    )
    leads = np.diff(auc) * np.diff(auk) < 0
    assert leads.ravel().tolist() == [False, False, True]
    opening = found["opening"]
    assert (opening["replicate"], opening["reversed"]) == (2, ["2"])
    assert "in 1 of 3 splits (raw curves): 2. The page opens on the first" in opening["said"]
    plain = [{"a": a, "b": b} for a, b in drawn]
    shown = data(every, dict(zip(names, plain, strict=True)), example="1", **weights)["opening"]
    assert (shown["replicate"], shown["reversed"]) == (1, ["2"])
    assert "in 1 of 2 splits" in shown["said"]
    replicate = found["replicates"][0]
    model = replicate["models"]["turned"]
    assert model["lower"]
    assert model["auk"]["raw"][0] == pytest.approx(auk[0, 1])
    assert area_under_curve(*curve_of(model)) == pytest.approx(auc[0, 1])
    assert sorted(model["threshold"]) == pytest.approx(sorted(-drawn[0][1]), rel=0.01)
    assert replicate["n"] == [weight["sample_weight"][rows].sum() for rows in (labels, ~labels)]
    exact = kc.interval(labels, drawn[0][0], measure="auc", **weight)
    assert replicate["chance"][0]["measures"]["auc"]["ends"]["a"] == [exact.low, exact.high]


def test_intervals_of_three_models_are_those_of_two_everywhere(data):
    """At the rows' own prevalence, too: just beside it the grid has the same."""
    rng = np.random.default_rng(1)
    labels = np.arange(80) % 2
    scores = {name: rng.normal(size=80) + labels for name in "abc"}
    side = data(labels, scores)["replicates"][0]["chance"][0]
    alone = kc.paired_test(labels, scores["a"], scores["b"], sampling="stratified")
    own = side["measures"]["auk"]["tests"][0]
    assert own == {"ends": [alone.low, alone.high], "p": alone.p_value}
    half = unpacked(side["grid"]["tests"][0]["half"])[2, 2]  # at the prevalence 1/2, too
    assert (own["ends"][1] - own["ends"][0]) / 2 == pytest.approx(half, rel=1e-3)


@pytest.mark.filterwarnings("error")
def test_few_groups_are_said_on_the_page_alone(data):
    rng = np.random.default_rng(1)
    scores = {name: rng.normal(size=80) + np.arange(80) % 2 for name in "ab"}
    found = data(np.arange(80) % 2, scores, groups=np.arange(80) // 8)
    (said,) = (one for one in found["replicates"][0]["chance"][0]["said"] if "groups that" in one)
    assert "tell as much as 10 of equal size" in said
