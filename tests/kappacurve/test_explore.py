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
from scipy.special import expit, logit
from scipy.stats import norm

import kappacurve as kc
from kappacurve.algebra import area_under_curve, area_under_kappa, kappa_from_rates, perfect_auk
from kappacurve.bounds import auk_bounds
from kappacurve.cli.main import main
from kappacurve.explorer import inference, page as explore, plots
from kappacurve.explorer.page import prevalence_grid

LABELS = np.array([0, 1, 0, 1, 0, 0, 1, 0])
SCORES = {"a": [0.1, 0.4, 0.4, 0.8, 0.3, 0.2, 0.7, 0.5], "</script><b>": [3, 1, 2, 4, 5, 0, 6, 1]}
NODES = 13  # in p and in c, of the grid of intervals and tests


def data_of(page, id="data"):
    return json.loads(re.search(rf'id="{id}">(.*?)</script>', page)[1])


def unpacked(packed, shape=(NODES, NODES)):
    units = np.frombuffer(base64.b64decode(packed["units"]), "<i2").reshape(shape)
    return units * packed["scale"]


def curve_of(model):
    return [np.cumsum(model[name]) / sum(model[name]) for name in ("fp", "tp")]


def noisy(seed, labels, **shifts):
    """Models whose scores are normal, those of positives higher by so much."""
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=len(labels)) + by * labels for name, by in shifts.items()}


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
    assert (done.stdout, "row numbers, it seems): id" in done.stderr) == ("", True)
    return file.with_suffix(".html").read_text(encoding="utf-8")


@pytest.fixture
def _no_bounds(monkeypatch):
    """A page without its bounds, which take long."""
    none = SimpleNamespace(lower=[], upper=[])
    monkeypatch.setattr(explore, "auk_bounds", lambda *_, **__: none)


@pytest.fixture
def data(monkeypatch, _no_bounds):
    """What a page looks up, without its plots."""
    monkeypatch.setattr(explore, "explorer_plots", lambda _: [])
    return lambda *rows, **options: data_of(kc.explorer_page(*rows, **options))


def test_same_bytes_each_time_and_nothing_is_fetched(page, file):
    said = {"title": "Which model is better, and where?", "source": f"Scores: {file}, label y."}
    assert page == kc.explorer_page(LABELS, SCORES, **said)
    assert not re.search(r"""<(?:script|link|img|iframe)[^>]*(?:src|href)=["'](?!data:)""", page)
    assert "</script><b>" not in page
    assert re.findall(r'name="p" value="(.*?)"', page) == ["0.1", "0.5", "0.9"]


def test_numbers_are_those_of_the_package(page):
    grid, found = prevalence_grid(0.01), data_of(page)
    assert grid == pytest.approx(expit(np.linspace(logit(0.01), logit(0.99), 57)))
    model, scores = found["replicates"][0]["models"]["a"], np.array(SCORES["a"])
    for i in (0, 17, 28, 56):
        assert model["h"][i] == round(kc.h_measure_score(LABELS, scores, prevalence=grid[i]), 6)
    swapped = 1 - LABELS, -scores
    for kind in ("raw", "hull"):
        both = [kc.auk_score(*rows, curve=kind) for rows in ((LABELS, scores), swapped)]
        assert model["auk"][kind] == pytest.approx(both, abs=1e-12)
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
    curves = [[[0, 0, 1], [0, 1, 1]], [[0, 1, 1], [0, 0, 1]], [[0, 0.1, 0.1, 1], [0, 0, 0.7, 1]]]
    at = [(p, c) for p in (0.001, 0.3, 0.5, 0.99) for c in (0.0, 1e-6, 0.3, 0.5, 0.7, 1.0)]
    script = Path(explore.__file__).with_name("kappa.js").read_text()
    script += f"""
      const found = {json.dumps(curves)}.map(([f, t]) => {json.dumps(at)}.map(([p, c]) =>
          [aukOf(f, t, p, c), ...f.map((x, i) => kappaAt(x, t[i], p, c))]));
      console.log(JSON.stringify(found));"""
    done = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True)
    for curve, by_node in zip(curves, json.loads(done.stdout), strict=True):
        for (p, c), found in zip(at, by_node, strict=True):
            f, t = np.array(curve)
            wanted = [area_under_kappa(f, t, p, cost=c), *kappa_from_rates(f, t, p, cost=c)]
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


@pytest.mark.usefixtures("data")
def test_many_rows_make_a_small_page_whose_thinned_curves_keep_every_area():
    """Bokeh's script, 1 MB, comes on top."""
    labels = np.arange(20_000) % 10 == 0
    scores = noisy(4, labels, a=1, b=1.1)
    # The vertices of the second crowd where few are flagged.
    weight = np.where(~labels & (scores["b"] > 0), 0.01, 1.0)
    page = kc.explorer_page(labels, scores | {"few": scores["a"].round()}, sample_weight=weight)
    assert "of many vertices are drawn with fewer" in page
    found = data_of(page)
    assert len(json.dumps(found)) < 1e6
    models = found["replicates"][0]["models"]
    assert len(models.pop("few")["fp"]) < 20
    for name, model in models.items():
        assert 500 < len(model["fp"]) < model["vertices"] / 3
        f, t = curve_of(model)
        for p, c in itertools.product((0.011, 0.08, 0.3, 0.6, 0.985), (0.02, 0.3, 0.5, 0.96)):
            whole = kc.auk_score(labels, scores[name], prevalence=p, cost=c, sample_weight=weight)
            assert area_under_kappa(f, t, p, cost=c) == pytest.approx(whole, abs=1e-4)


@pytest.mark.parametrize("groups", [None, np.arange(96) // 2])
def test_numbers_at_the_rows_own_prevalence_are_those_of_compare(data, groups, monkeypatch):
    """And on the grid those of the same rows at its prevalences and costs: just not too many."""
    monkeypatch.setattr(inference, "MOST_OF_A_CLASS", 60)
    labels = np.arange(96) % 8 < 3
    shared = np.repeat(np.random.default_rng(1).normal(size=48), 2)
    scores = {name: shared + own for name, own in noisy(2, labels, a=1, b=0.5).items()}
    (replicate,) = data(labels, scores, groups=groups)["replicates"]
    assert replicate["groups"] == (None if groups is None else 48)
    swapped = ~labels, {name: -score for name, score in scores.items()}
    grid = prevalence_grid(0.01, NODES)
    fixed = {"sampling": "stratified", "groups": groups}  # at every position of the slider
    drawn = {"method": "bootstrap", "n_resamples": 1000, **fixed}
    for side, rows, at in zip(
        replicate["chance"], ((labels, scores), swapped), (grid, 1 - grid), strict=True
    ):
        y, a, b = rows[0], *rows[1].values()
        found = kc.compare(*rows, **fixed)
        assert side["said"] == [*found.conclusion, *found.notes]
        row = found.tests.set_index("measure").loc["auk"]
        (own,) = side["measures"]["auk"]["tests"]
        assert own == {"ends": [row["low"], row["high"]], "p": row["p_value"]}
        for name in ("h", "kappa_max"):
            own = side["measures"][name]
            ends = kc.interval(labels, scores["a"], measure=name, **drawn)[2:4]
            assert own["ends"]["a"] == np.round(ends, 6).tolist()
            test = kc.paired_test(labels, *scores.values(), measure=name, **drawn)
            assert own["tests"] == [{"ends": np.round(test[4:6], 6).tolist(), "p": test.p_value}]
        low, high = (unpacked(end) for end in side["grid"]["ends"]["a"])
        halves, normal = (unpacked(side["grid"]["tests"][0][name]) for name in ("half", "score"))
        for i, j in ((6, 6), (2, 9)):
            node = {"prevalence": at[i], "cost": at[j], "groups": groups}
            exact = kc.interval(y, a, **node)
            test = kc.paired_test(y, a, b, **node)
            score = norm.isf(test.p_value / 2) * np.sign(test.difference)
            expected = [*exact[2:4], (test.high - test.low) / 2, score]
            shown = [each[i, j] for each in (low, high, halves, normal)]
            assert shown == pytest.approx(expected, abs=2e-4)
        band = kc.kappa_band(y, a, prevalence=0.5, n_points=101, groups=groups)
        for end, packed in zip(band[1:], side["bands"]["a"], strict=True):
            assert unpacked(packed, 101) == pytest.approx(band.fpr + end, abs=1e-4)


@pytest.mark.parametrize(
    ("limit", "rows", "n"),
    [
        ("MANY_ROWS", 40, 1000),
        ("MANY_ROWS", 41, 200),
        ("MOST_ROWS", 40, 1000),
        ("MOST_ROWS", 41, 0),
    ],
)
def test_many_rows_have_fewer_resamples_and_very_many_none(limit, rows, n, data, monkeypatch):
    """And a lead that no chance would give has the normal score 8."""
    monkeypatch.setattr(inference, limit, 40)
    labels = np.arange(rows) % 2
    scores = noisy(2, labels, a=2, b=-2)
    side = data(labels, scores)["replicates"][0]["chance"][0]
    assert ("h" in side["measures"]) == (n > 0)
    if n:
        options = {"measure": "h", "method": "bootstrap", "sampling": "stratified"}
        drawn = kc.interval(labels, scores["a"], n_resamples=n, **options)
        assert side["measures"]["h"]["ends"]["a"] == np.round(drawn[2:4], 6).tolist()
    assert unpacked(side["grid"]["tests"][0]["score"]).max() == pytest.approx(8)
    turned = data(labels, {"b": scores["b"], "a": scores["a"]})["replicates"][0]["chance"][0]
    assert unpacked(turned["grid"]["tests"][0]["score"]).min() == pytest.approx(-8)


@pytest.mark.parametrize(
    ("few", "weighted"), [*((few, False) for few in (4, 5, 19, 20)), (4, True), (20, True)]
)
def test_what_few_rows_of_a_class_or_weights_leave_out(data, few, weighted, monkeypatch):
    """Grid and bands below five; resamples, too, and with weights; their p values below twenty.

    Weighted rows are all taken, however many they are.
    """
    if weighted:
        monkeypatch.setattr(inference, "MOST_OF_A_CLASS", 10)
    labels = np.arange(50) < few
    scores = {"a": np.arange(50) % 7 - 2.0 * labels, "b": np.arange(50) % 11 - 2.0 * labels}
    weight = np.arange(50) % 3 + 1.0 if weighted else None
    side = data(labels, scores, sample_weight=weight)["replicates"][0]["chance"][0]
    assert (side["grid"] is None) == (side["bands"] is None) == (few < 5)
    (test,) = side["measures"]["auc"]["tests"]
    if weighted and few < 5:
        assert test is None or test["p"] is None
    else:
        found = kc.compare(labels, scores, sample_weight=weight, sampling="stratified")
        assert test["p"] == found.tests.set_index("measure").loc["auc", "p_value"]
        assert (test["ends"] is None) == (few < 5)
    if weighted and few >= 5:
        exact = kc.interval(labels, scores["a"], prevalence=0.5, sample_weight=weight)
        ends = [unpacked(end)[6, 6] for end in side["grid"]["ends"]["a"]]
        assert ends == pytest.approx(exact[2:4], abs=2e-4)
    assert ("h" in side["measures"]) == (few >= 5 and not weighted)
    if "h" in side["measures"]:
        assert (side["measures"]["h"]["tests"][0]["p"] is None) == (few < 20)


BOTH_WAYS = {"right": [1, 2, 3], "wrong": [3, 2, 1]}
PUBLISHED = [("high", "hull", 0.75, 0.25)]


@pytest.mark.parametrize(
    ("scores", "published", "auc", "auk", "kappa"),
    [
        # A perfect curve has its largest AUK at 0.9, the opposite its least at 1/2.
        (BOTH_WAYS, [], (0, 1), (-0.51, perfect_auk(0.9) + 0.05), (-1.02, 1.05)),
        ({"a": [1, 1, 1], "b": [2, 2, 2]}, PUBLISHED, (0.47, 0.78), (-0.02, 0.3), (-0.05, 0.05)),
    ],
)
def test_axes_have_room_for_every_prevalence(scores, published, auc, auk, kappa, _no_bounds):
    """Curves move, and the axes do not."""
    page = kc.explorer_page([0, 0, 1], scores, published=published)
    drawn = {plot["target_id"]: plot["doc"]["roots"][0] for plot in data_of(page, "plots")}
    for kind, least in (("raw", 0), ("hull", 0.5)):
        areas = data_of(page)["bands"][kind]["auc"]
        assert (areas[0], areas[-1]) == pytest.approx((max(least, auc[0]), auc[1]))
    share = (-0.02, 1.02)
    ranges = {"roc": (share, share), "kappa": (share, kappa), "over": (share, auk)}
    ranges |= {"cost": (share, auk), "benefit": (share, share), "plane": (auc, auk)}
    assert list(drawn) == list(ranges)
    for name, plot in drawn.items():
        for axis, expected in zip("xy", ranges[name], strict=True):
            ends = plot["attributes"][f"{axis}_range"].get("attributes", {})
            found = ends.get("start", 0), ends.get("end", 1)
            assert found == pytest.approx(expected), (name, axis)
        assert (f'"{name}-bands"' in json.dumps(plot)) == (name != "plane")
    for name, line in (("roc", [0, 1]), ("kappa", [0, 0])):  # of chance
        assert f'["x", [0, 1]], ["y", {line}]' in json.dumps(drawn[name])


def test_progress_names_the_replicate(data, monkeypatch):
    clock = itertools.count(5)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    rows = dict.fromkeys("12", LABELS), dict.fromkeys("12", SCORES)
    found = data(*rows, example="2", progress=(told := io.StringIO()))
    assert found["opening"]["replicate"] == 1
    first, *_, last = told.getvalue().splitlines()
    assert first == "Explorer, 3 s: Replicate '2': curve of a, 8 rows."
    assert last == "Explorer, 5 s: intervals and tests of 2 x 2 models."


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"y_scores": {"x": {"a": LABELS}}}, "y_scores must hold at least two models, got 1"),
        (
            {"y_scores": {"x": {"a\x1b": LABELS, "a\\x1b": LABELS}}},
            "two models that look alike",
        ),
        ({"y_scores": {"x": {"a": LABELS, "b": [np.nan] * 8}}}, "Replicate 'x': Model 'b': y_sc"),
        ({"prevalence_range": (0.5, 0.5)}, "prevalence_range must rise"),
        ({"prevalence_range": (0, 0.5)}, "strictly between 0 and 1"),
        ({"cost_ratios": [99.1]}, "cost_ratios must be from 1/99 to 99"),
        ({"cost_ratios": [1 / 99.1]}, "cost_ratios must be from 1/99 to 99"),
        ({"example": "x"}, "is not one of several replicates"),
        ({"positive_class": 2}, "is not among the labels"),
        ({"published": [("x", "both", 0.7, 0.1)]}, 'curve of \'x\' must be "hull" or "raw"'),
        ({"published": [("x", "hull", 0.4, 0.1)]}, "a convex hull has at least 0.5"),
        ({"sample_weight": {"y": np.ones(8)}}, "sample_weight must have the rows of every"),
        ({"groups": {"y": LABELS}}, "groups must have the rows of every replicate"),
    ],
)
def test_what_a_page_refuses(changes, said):
    with pytest.raises(ValueError, match=said):
        kc.explorer_page(**{"y_true": {"x": LABELS}, "y_scores": {"x": SCORES}} | changes)


def test_a_page_of_five_rows_by_hand(data):
    """Of a four vertices after (0, 0); its hull leaves out the middle of the two where t = 2/3."""
    labels, a = ["no", "yes", "no", "yes", "yes"], [0.1256789, 0.5, 0.5, 1.0, 0.375]
    found = data(labels, {"a": a, "b": [3, 1, 2, 4, 5]}, pos_label="yes", positive_class="no")
    assert found["least"] == pytest.approx([0.01, 0.01])
    assert (found["nodes"], found["range"]) == (57, [0.01, 0.99])
    assert (found["classes"], found["side"]) == (["yes", "no"], 1)
    assert found["opening"] == {"replicate": 0, "reversed": [], "said": ""}
    assert (found["published"], found["star"]) == ([], None)
    # The logarithm of p values of normal scores from 0 to 8.
    normal = np.log(2 * norm.sf(np.linspace(0, 8, 33)))
    assert found["normal"] == np.round(normal, 8).tolist()
    (replicate,) = found["replicates"]
    model = replicate["models"]["a"]
    assert (replicate["name"], replicate["own"], replicate["rows"]) == ("", 0.6, 5)
    assert (replicate["weighted"], replicate["groups"]) == (False, None)
    assert (model["fp"], model["tp"]) == ([0, 0, 1, 0, 1], [0, 1, 1, 1, 0])
    assert json.dumps(replicate["n"]) == "[3, 2]"  # as short as can be
    assert model["threshold"] == [1, 0.5, 0.375, 0.125]  # of few digits, for the same rows
    assert (model["lower"], model["vertices"], model["hull"]) == (False, 5, [0, 1, 3, 4])
    assert model["auc"] == pytest.approx({"raw": 3 / 4, "hull": 5 / 6})
    assert len(model["h"]) == 57 + 1
    assert found["bands"]["hull"]["auc"][0] == pytest.approx(2 / 3 - 0.03)  # AUC of b


def test_a_stated_prevalence_is_that_of_the_page_and_its_complement_of_the_other_class():
    labels = np.arange(24) % 3 == 0
    scores = noisy(5, labels, a=1, b=1)
    options = {"prevalence": 0.3, "prevalence_range": (0.2, 0.9), "cost_ratios": (3, 99, 1 / 99)}
    page = kc.explorer_page(labels, scores, presets=[0.25], **options)
    found = data_of(page)
    assert (found["range"], found["least"]) == ([0.2, 0.9], [pytest.approx(0.1), 0.01])
    (replicate,) = found["replicates"]
    model, (side, other) = replicate["models"]["a"], replicate["chance"]
    assert replicate["own"] == 0.3
    assert model["h"][-1] == kc.h_measure_score(labels, scores["a"], prevalence=0.3)
    assert model["h"][0] == round(kc.h_measure_score(labels, scores["a"], prevalence=0.1), 6)
    for i, rows, p in ((0, (labels, scores["a"]), 0.3), (1, (~labels, -scores["a"]), 0.7)):
        assert model["auk"]["raw"][i] == pytest.approx(kc.auk_score(*rows, prevalence=p))
        ends = (side, other)[i]["measures"]["auk"]["ends"]["a"]
        assert ends == pytest.approx(kc.interval(*rows, prevalence=p)[2:4])
    drawn = {"measure": "h", "method": "bootstrap", "n_resamples": 1000}
    ends = kc.interval(labels, scores["a"], prevalence=0.3, **drawn)[2:4]
    assert side["measures"]["h"] == other["measures"]["h"]
    assert side["measures"]["h"]["ends"]["a"] == np.round(ends, 6).tolist()
    for part in (
        '<button type="button" id="own" name="own" value="true">as given</button>',
        '<button type="button" name="p" value="0.25">0.25</button>',
        '<button type="button" name="c" data-c="0.75" aria-label="cost ratio 3:1">3:1</button>',
        "at the stated prevalence",
        "are drawn with all their vertices",
    ):
        assert " ".join(part.split()) in " ".join(page.split())


def test_models_of_all_replicates_have_looks_of_their_own_and_those_of_the_example_come_last(data):
    names = {"x": "ab", "y": "cd", "z": "efg"}
    # The first two of each have the same scores: no split orders them in two ways.
    rolled = {name: np.roll(SCORES["a"], i // 2) for i, name in enumerate("abcdefg")}
    scores = {x: {name: rolled[name] for name in names[x]} for x in names}
    found = data(dict.fromkeys(names, LABELS), scores, example="x")
    assert found["opening"]["said"] == (
        "The page opens on an example: x. AUC and AUK of c and d disagree, each split at its own "
        "prevalence, in 0 of 2 splits (raw curves)."
    )
    looks = {name: [*look.values()][:3] for name, look in found["models"].items()}
    assert "".join(looks) == "cdefgab"
    assert looks["c"] == ["#0072B2", "solid", "circle"]
    assert looks["g"] == ["#2E8FC9", "14 3 2 3 2 3", "inverted_triangle"]
    assert looks["b"] == ["#0072B2", "10 3", "square"]


def test_errors_of_very_many_rows_are_those_of_a_sample_of_them(data, monkeypatch):
    monkeypatch.setattr(inference, "MOST_OF_A_CLASS", 2500)
    labels = np.arange(12_000) % 8 == 0
    scores = noisy(6, labels, a=1, b=0.8)
    found = data(labels, scores, prevalence=0.3)["replicates"][0]["chance"][0]
    grid = prevalence_grid(0.01, NODES)
    low, high = (unpacked(end) for end in found["grid"]["ends"]["a"])
    halves, z = (unpacked(found["grid"]["tests"][0][name]) for name in ("half", "score"))
    for i, j in ((3, 6), (6, 9)):
        at = {"prevalence": grid[i], "cost": grid[j]}
        exact = kc.interval(labels, scores["a"], **at, scale="logit")
        assert high[i, j] - low[i, j] == pytest.approx(exact.high - exact.low, rel=0.05)
        test = kc.paired_test(labels, *scores.values(), **at)
        assert halves[i, j] == pytest.approx((test.high - test.low) / 2, rel=0.05)
        assert z[i, j] == pytest.approx(test.difference / test.standard_error, rel=0.05)


def test_weighted_replicates_of_which_one_reverses_and_lower_scores_that_are_positive(data):
    labels, names = np.arange(60) % 3 == 0, "012"
    weight = np.arange(60) % 4 + 0.5
    drawn = [np.random.default_rng(i).normal(size=(2, 60)) + labels for i in (15, 16, 17)]
    every, weights = dict.fromkeys(names, labels), dict.fromkeys(names, weight)
    plain, turned = (
        {name: {"a": a, other: sign * b} for name, (a, b) in zip(names, drawn, strict=True)}
        for other, sign in (("b", 1), ("turned", -1))
    )
    auc, auk = (
        np.array([[area(labels, score, sample_weight=weight) for score in both] for both in drawn])
        for area in (kc.auc_score, kc.auk_score)
    )
    assert (np.diff(auc) * np.diff(auk) < 0).ravel().tolist() == [False, False, True]
    found = data(every, turned, lower=["turned"], sample_weight=weights)
    opening = found["opening"]
    assert (opening["replicate"], opening["reversed"]) == (2, ["2"])
    said = "AUC and AUK of a and {} disagree, each split at its own prevalence, in 1 of {} splits"
    assert opening["said"] == said.format("turned", 3) + (
        " (raw curves): 2. The page opens on the first of them: it was chosen for that."
    )
    shown = data(every, plain, example="1", sample_weight=weights)["opening"]
    assert (shown["replicate"], shown["reversed"]) == (1, ["2"])
    expected = f"The page opens on an example: 1. {said.format('b', 2)} (raw curves): 2."
    assert shown["said"] == expected
    ruled = data(every, plain, chosen="By a rule.", sample_weight=weights)["opening"]["said"]
    assert ruled.startswith("By a rule. The page opens on the first of them")
    replicate = found["replicates"][0]
    model = replicate["models"]["turned"]
    assert model["lower"]
    assert model["auk"]["raw"][0] == pytest.approx(auk[0, 1])
    assert area_under_curve(*curve_of(model)) == pytest.approx(auc[0, 1])
    assert sorted(model["threshold"]) == pytest.approx(sorted(-drawn[0][1]), rel=0.01)
    assert replicate["n"] == [weight[rows].sum() for rows in (labels, ~labels)]
    exact = kc.interval(labels, drawn[0][0], measure="auc", sample_weight=weight)
    assert replicate["chance"][0]["measures"]["auc"]["ends"]["a"] == [exact.low, exact.high]


def test_intervals_of_three_models_are_those_of_two_everywhere(data):
    """At the rows' own prevalence, too: just beside it the grid has the same."""
    labels = np.arange(80) % 2
    scores = noisy(1, labels, a=1, b=1)
    scores["c"] = scores["a"]
    side = data(labels, scores)["replicates"][0]["chance"][0]
    alone = kc.paired_test(labels, scores["a"], scores["b"], sampling="stratified")
    own = side["measures"]["auk"]["tests"][0]
    assert own == {"ends": [alone.low, alone.high], "p": alone.p_value}
    assert side["pairs"] == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert side["measures"]["auk"]["tests"][1] == {"ends": None, "p": 1.0}
    assert not unpacked(side["grid"]["tests"][1]["score"]).any()
    half = unpacked(side["grid"]["tests"][0]["half"])[6, 6]  # at the prevalence 1/2, too
    assert (own["ends"][1] - own["ends"][0]) / 2 == pytest.approx(half, rel=1e-3)


@pytest.mark.filterwarnings("error")
def test_few_groups_are_said_on_the_page_alone(data):
    labels = np.arange(80) % 2
    found = data(labels, noisy(1, labels, a=1, b=1), groups=np.arange(80) // 8)
    (said,) = (one for one in found["replicates"][0]["chance"][0]["said"] if "groups that" in one)
    assert "tell as much as 10 of equal size" in said
