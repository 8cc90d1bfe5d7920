"""The explorer page in a real browser, against the package."""

import re
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import sync_playwright

from build_explorer import build_explorer
from kappacurve import auk_bounds, measures
from kappacurve.auk import area_under_kappa
from kappacurve.kappa import kappa_from_rates
from kappacurve.roc import roc_hull, roc_vertices

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "workflow" / "explorer"
PARTS = [FOLDER / name for name in ("page.css", "measures.js", "plots.js", "show.js", "page.js")]
BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
needs_browser = pytest.mark.skipif(
    BROWSER is None, reason="no chromium, chromium-browser or google-chrome on the PATH"
)
MODELS = {"linear": "linear", "neural_net": "neural net", "<b>own</b>": "<b>own</b>"}
SIZE = 80


def spread(score, model):
    return 1 + 1e-12 * score.round(2) if model == "<b>own</b>" else score.round(1)


def simulated(rng, replicate, models):
    """Rows with 16 bad ones and some ties; the last model's scores agree in their first digits.

    Rates of 64 good rows are often half a digit (0.65625), where rounding must be the tables'.
    """
    bad = np.r_[np.ones(16, int), np.zeros(SIZE - 16, int)]
    tables = [
        pd.DataFrame(
            {
                "replicate": replicate,
                "row": range(SIZE),
                "bad": bad,
                "model": model,
                "score": spread(rng.normal(size=SIZE) + (1.2 - 0.3 * i) * bad, model),
            }
        )
        for i, model in enumerate(models)
    ]
    return pd.concat(tables, ignore_index=True)


def built(folder, scores, replicates, *, skew=None, models=("linear", "neural_net")):
    scores.drop(columns="replicate").to_csv(folder / "scores.csv", index=False)
    replicates.to_parquet(folder / "scores.parquet", index=False)
    build_explorer(
        paper_scores=folder / "scores.csv",
        replicate_scores=folder / "scores.parquet",
        template=FOLDER / "page.html.jinja",
        parts=PARTS,
        page=folder / "explorer.html",
        models=list(models),
        skew=skew,
    )
    return folder / "explorer.html"


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(8)
    tables = [simulated(rng, 0, MODELS), simulated(rng, 1, MODELS)]
    # The last replicate has no network.
    return pd.concat([*tables, simulated(rng, 2, ["linear", "<b>own</b>"])], ignore_index=True)


@pytest.fixture(scope="module")
def file(scores, tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    return built(folder, scores.query("replicate == 0"), scores)


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu", "--disable-quic"]
        )
        yield chromium
        chromium.close()


class Opened:
    """A page with what it complained about and what it asked for."""

    def __init__(self, browser, file, **options):
        self.page = browser.new_page(**{"viewport": {"width": 1200, "height": 900}} | options)
        self.complaints, self.requests = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on(
            "console",
            lambda said: said.type in ("error", "warning") and self.complaints.append(said.text),
        )
        self.page.goto(file.as_uri())
        self.page.wait_for_selector("html[data-ready=yes]", timeout=10_000)

    def settle(self):
        """Wait until a change that was asked for is drawn."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    def move_prevalence(self, p):
        self.page.locator("#prevalence").fill(str(p))
        self.settle()

    def numbers(self):
        return self.page.evaluate(
            """Object.fromEntries([...document.querySelectorAll("#measures tbody tr")].map((row) =>
            [row.dataset.measure,
             [...row.querySelectorAll(".value")].map((one) => one.textContent)]))"""
        )

    def point(self):
        return self.page.evaluate(
            """Object.fromEntries([...document.querySelectorAll("#point-values dd")].map((one) =>
            [one.dataset.value, one.textContent]))"""
        )

    def text(self, selector):
        return self.page.locator(selector).inner_text()

    def start_again(self):
        """Everything as it was when the page was opened, sooner than opening it."""
        for name, value in (("positive-class", "good"), ("curve", "hull")):
            self.page.check(f"[name={name}][value={value}]")
        for name, value in (("replicate", "0"), ("model-0", "linear"), ("model-1", "neural_net")):
            self.page.select_option(f"#{name}", value)
        self.page.check("[name=point-model][value='0']")
        for name in ("best", "own"):
            self.page.click(f"#{name}")

    def close(self):
        self.page.close()
        assert self.complaints == []
        assert all(url.startswith(("file:", "data:")) for url in self.requests), self.requests


@pytest.fixture(scope="module")
def shared(browser, file):
    one = Opened(browser, file)
    yield one
    one.close()


@pytest.fixture
def opened(shared):
    shared.start_again()
    yield shared
    assert shared.complaints == []


def oriented(scores, replicate, model, positive_class):
    rows = scores[(scores["replicate"] == replicate) & (scores["model"] == model)]
    good = positive_class == "good"
    return rows["bad"] == (0 if good else 1), rows["score"] * (-1 if good else 1)


def expected(scores, replicate, pair, positive_class, curve, prevalence):
    """What the table must show, from the package."""
    columns = []
    for model in pair:
        positive, score = oriented(scores, replicate, model, positive_class)
        found = measures(positive, score, prevalence=prevalence, hull=curve == "hull")
        found["threshold"] *= -1 if positive_class == "good" else 1
        columns.append(found)
    names = ("auc", "auk", "h", "kappa_max", "fpr", "tpr", "threshold")
    return {name: [f"{found[name]:.4f}" for found in columns] for name in names}


@needs_browser
def test_numbers_are_those_of_the_package(opened, scores):
    page = opened.page
    for replicate, pair in ((0, ["linear", "neural_net"]), (1, ["<b>own</b>", "linear"])):
        page.select_option("#replicate", str(replicate))
        for i, model in enumerate(pair):
            page.select_option(f"#model-{i}", model)
        for positive_class, curve in product(("good", "bad"), ("hull", "raw")):
            page.check(f"[name=positive-class][value={positive_class}]")
            page.check(f"[name=curve][value={curve}]")
            page.click("#own")
            place = (scores, replicate, pair, positive_class, curve)
            assert opened.numbers() == expected(*place, None)
            for prevalence in (0.03, 0.89):
                opened.move_prevalence(prevalence)
                assert opened.numbers() == expected(*place, prevalence)


@needs_browser
def test_every_formula_of_the_script_is_the_package_s(opened, scores):
    prevalences = [0.01, 0.11, 0.4, 0.499, 0.5, 0.501, 0.6, 0.89, 0.99]
    areas = [0.5, 0.55, 0.7186, 0.9, 0.999, 1.0]
    found = opened.page.evaluate(
        """([areas, prevalences]) => ["concave", "monotone"].map((kind) => areas.map((auc) =>
          prevalences.map((p) => Object.values(kappacurve.aukBounds(auc, p, kind)))))""",
        [areas, prevalences],
    )
    for kind, by_area in zip(("concave", "monotone"), found, strict=True):
        for area, values in zip(areas, by_area, strict=True):
            bounds = auk_bounds(area, prevalences, curve=kind)
            assert np.array(values) == pytest.approx(
                np.stack([bounds.lower, bounds.upper], axis=-1), abs=1e-9
            )
    positive, score = oriented(scores, 0, "linear", "bad")
    fpr, tpr, _ = roc_vertices(positive, score)
    areas = opened.page.evaluate(
        "([f, t, ps]) => ps.map((p) => kappacurve.auk({f, t}, p))",
        [fpr.tolist(), tpr.tolist(), prevalences],
    )
    assert areas == pytest.approx([area_under_kappa(fpr, tpr, p) for p in prevalences], abs=1e-14)


@needs_browser
def test_operating_point_by_keyboard(opened, scores):
    page = opened.page
    page.check("[name=curve][value=hull]")
    opened.move_prevalence(0.3)
    slider = page.locator("#point")
    slider.focus()
    positive, score = oriented(scores, 0, "linear", "good")
    fpr, tpr, thresholds = roc_vertices(positive, score)
    hull = roc_hull(fpr, tpr)
    page.keyboard.press("Home")
    opened.settle()
    assert opened.point() == {"threshold": "-∞", "f": "0.0000", "t": "0.0000", "kappa": "0.0000"}
    for i in (1, 2):
        page.keyboard.press("ArrowRight")
        opened.settle()
        kappa = kappa_from_rates(hull.fpr[i], hull.tpr[i], 0.3)
        values = (-thresholds[hull.index[i]], hull.fpr[i], hull.tpr[i], kappa)
        assert list(opened.point().values()) == [f"{value:.4f}" for value in values]
    assert "kappa 0." in slider.get_attribute("aria-valuetext")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the button "Largest kappa"
    assert opened.point()["kappa"] == opened.numbers()["kappa_max"][0]


@needs_browser
def test_pointer_takes_the_nearest_vertex(opened):
    box = opened.page.locator("#roc").bounding_box()
    opened.page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + 30)
    opened.page.mouse.move(box["x"] + box["width"] - 12, box["y"] + 12)
    opened.settle()
    # The upper right corner, where everything is called good.
    point = opened.point()
    assert (point["f"], point["t"], point["kappa"]) == ("1.0000", "1.0000", "0.0000")
    assert opened.page.locator("#best").get_attribute("aria-pressed") == "false"


@needs_browser
def test_prevalence_by_keyboard_alone(browser, file):
    opened = Opened(browser, file)
    page = opened.page
    for _ in range(2):  # the button for dark colours, then the slider
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "prevalence"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Home")
    opened.settle()
    assert opened.text("#prevalence-shown") == "p = 0.010"
    page.keyboard.press("ArrowRight")
    opened.settle()
    assert opened.text("#prevalence-shown") == "p = 0.011"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert opened.text("#prevalence-shown") == f"p = {64 / 80:.4f}"
    # No stop on the way to the other slider, plots included, is without a name and an outline.
    here = "[document.activeElement.id || document.activeElement.name, "
    here += "getComputedStyle(document.activeElement).outlineStyle]"
    stops = []
    while len(stops) < 20 and "point" not in [name for name, _ in stops]:
        page.keyboard.press("Tab")
        stops.append(page.evaluate(here))
    assert [name for name, _ in stops if name] == [
        *("positive-class", "curve", "model-0", "model-1", "replicate", "point-model", "point"),
    ]
    assert {outline for _, outline in stops} == {"solid"}
    opened.close()


@needs_browser
def test_other_class_is_the_same_population(opened):
    before = opened.numbers()
    opened.page.check("[name=positive-class][value=bad]")
    after = opened.numbers()
    assert opened.text("#prevalence-shown") == f"p = {16 / 80:.4f}"
    assert [before[name] == after[name] for name in ("auc", "h", "kappa_max", "auk")] == [
        True,
        True,
        True,
        False,
    ]
    opened.move_prevalence(0.11)
    opened.page.check("[name=positive-class][value=good]")
    assert opened.text("#prevalence-shown") == "p = 0.890"


@needs_browser
def test_verdict_changes_where_the_lines_cross(opened, scores):
    """The prevalence at which the order by AUK flips, found by bisection with the package."""
    opened.page.check("[name=curve][value=raw]")
    for replicate, pair in product((0, 1), (["linear", "neural_net"], ["linear", "<b>own</b>"])):
        opened.page.select_option("#replicate", str(replicate))
        for i, model in enumerate(pair):
            opened.page.select_option(f"#model-{i}", model)
        curves = [roc_vertices(*oriented(scores, replicate, model, "good"))[:2] for model in pair]
        grid = np.arange(0.01, 0.9901, 0.001)
        lead = [area_under_kappa(*curves[0], p) - area_under_kappa(*curves[1], p) for p in grid]
        flips = np.flatnonzero(np.diff(np.sign(lead)))
        shown = [float(p) for p in re.findall(r"0\.\d{3}", opened.text("#crossings"))]
        assert shown == pytest.approx(grid[flips] + 0.0005, abs=0.001)
        byauc = float(np.trapezoid(*curves[0][::-1]) - np.trapezoid(*curves[1][::-1]))
        for i in (0, *flips, *(flips + 1), len(grid) - 1):
            opened.move_prevalence(f"{grid[i]:.3f}")
            agree = (byauc > 0) == (lead[i] > 0)
            end = "AUC and AUK agree." if agree else "AUC and AUK disagree."
            assert opened.text("#verdict").endswith(end)
    assert opened.page.locator("#verdict").get_attribute("aria-live") == "polite"


@needs_browser
def test_published_pairs_are_outside_at_one_end_and_inside_at_the_other(opened):
    for prevalence, inside in ((0.11, [False, False, True, False]), (0.89, [True] * 4)):
        opened.move_prevalence(prevalence)
        rows = opened.page.locator("#published tbody tr").all_inner_texts()
        assert ["inside" in row for row in rows] == inside
        assert ["outside" in row for row in rows] == [not one for one in inside]
    assert "has kappa 0.331 at this p; printed is 0.328" in opened.text("#published-optimum")
    bounds = auk_bounds(0.7186, 0.89)
    assert f"{bounds.lower:.4f} to {bounds.upper:.4f}" in rows[1]


@needs_browser
def test_ticks_are_within_the_axes(opened):
    axes = opened.page.evaluate(
        """Bokeh.documents.map((one) => one.roots()[0]).map((plot) =>
        [plot.y_range.start, plot.y_range.end, plot.left[0].ticker.ticks])"""
    )
    assert len(axes) == 4
    for start, end, ticks in axes:
        assert 4 <= len(ticks) <= 9
        assert start <= min(ticks) < max(ticks) <= end
        assert np.ptp(np.diff(ticks)) < 1e-9


@needs_browser
def test_names_from_the_config_are_text_and_missing_models_give_way(opened):
    page = opened.page
    page.select_option("#model-1", "<b>own</b>")
    assert page.locator("b").count() == 0
    assert page.locator("#measures thead th").all_inner_texts()[2].strip() == "<b>own</b>"
    page.select_option("#model-1", "neural_net")
    page.select_option("#replicate", "2")
    assert page.locator("#measures thead th").all_inner_texts()[2].strip() == "<b>own</b>"
    page.select_option("#model-0", "<b>own</b>")  # changes places with the other
    assert page.input_value("#model-1") == "linear"


@needs_browser
def test_phone_and_dark(browser, file):
    small = {"width": 360, "height": 740}
    opened = Opened(browser, file, viewport=small, color_scheme="dark")
    page = opened.page
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    wide = "[...document.querySelectorAll('body *')].filter((one) => "
    wide += "one.getBoundingClientRect().right > 361).map((one) => one.outerHTML.slice(0, 80))"
    assert page.evaluate(wide) == []
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark == "rgb(20, 23, 28)"
    ink = "Bokeh.documents[0].get_model_by_name('roc').below[0].axis_label_text_color"
    assert page.evaluate(ink) == "#eceff3"
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate(ink) == "#1b1f24"
    opened.close()


@needs_browser
def test_one_model_without_replicates_at_a_nominal_prevalence(browser, scores, tmp_path):
    alone = scores.query("replicate == 0 and model == 'linear'")
    opened = Opened(browser, built(tmp_path, alone, alone, skew=0.11, models=()))
    assert opened.text("#verdict") == "There is one model only: no ranking."
    assert opened.text("#own") == "nominal, as in the tables"
    assert not opened.page.is_visible("#model-1")
    assert opened.numbers() == expected(scores, 0, ["linear"], "good", "hull", 0.89)
    opened.close()


def test_page_holds_everything_and_little_more(file):
    text = file.read_text(encoding="utf-8")
    assert len(text) < 3_000_000
    assert not re.search(r"""<(?:script|link|img|iframe)[^>]*(?:src|href)=["']?https?:""", text)
    assert "<noscript>" in text
    assert "</b>" not in text[text.index('id="payload"') : text.index('id="plots"')]


def test_another_process_writes_the_same_bytes(file, tmp_path):
    again = (
        "import sys; sys.path[:0] = sys.argv[3:]\n"
        "from pathlib import Path\n"
        "from test_explorer_page import FOLDER, PARTS, build_explorer\n"
        "source, target = map(Path, sys.argv[1:3])\n"
        "build_explorer(paper_scores=source / 'scores.csv', template=FOLDER / 'page.html.jinja',\n"
        "    replicate_scores=source / 'scores.parquet', parts=PARTS, page=target, skew=None,\n"
        "    models=['linear', 'neural_net'])\n"
    )
    folders = [str(Path(__file__).parent), str(ROOT / "workflow" / "scripts")]
    arguments = [str(file.parent), str(tmp_path / "again.html"), *folders]
    subprocess.run([sys.executable, "-c", again, *arguments], check=True)
    assert (tmp_path / "again.html").read_bytes() == file.read_bytes()
