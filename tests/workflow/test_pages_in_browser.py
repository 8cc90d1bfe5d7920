"""The pages of a run, of a measured file and of the explorer, in a browser."""

import re
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
from click.testing import CliRunner
from kappacurve.cli.main import main

from kappacurve import explorer_page, interval, measures, net_benefit, paired_test

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
STYLE = ROOT / "workflow" / "report" / "report.css"
TWO_MODELS = ROOT / "docs" / "two_models.csv"


@pytest.fixture(scope="module")
def report(run, snakemake):
    name = "styled_report.html"  # not in results/, which other tests list
    snakemake(run, "--report", name, "--report-stylesheet", STYLE)
    return run / name


@pytest.mark.parametrize("width", [375, 1400])
def test_question_and_answer_of_the_report_can_be_scrolled_to(report, open_page, width):
    page = open_page(report, width)
    for text in ("Question.", "Answer."):
        part = page.locator("p", has_text=text).first
        part.wait_for(state="attached")
        assert part.evaluate("one => one.getBoundingClientRect().top") >= 0


PAGES = ["index.html", "appendix/appendix.html"]


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The folder of the report of ``kappacurve measure``."""
    folder = tmp_path_factory.mktemp("measured")
    options = ["--label", "positive", "--positive", "1", "--report", folder / "measured.html"]
    done = CliRunner().invoke(main, ["measure", str(TWO_MODELS), *map(str, options)])
    assert done.exit_code == 0, done.output
    return folder


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", [*PAGES, "measured.html"])
def test_a_phone_shows_all_of_a_page(request, measured, open_page, flaws, name, scheme):
    folder = request.getfixturevalue("run") / "results" if name in PAGES else measured
    page = open_page(folder / name, 375, color_scheme=scheme)
    assert flaws(page) == []
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")


def test_every_link_of_a_page_has_its_target(run, open_page):
    for name in PAGES:
        page = open_page((run / "results" / name).resolve(), 1400)
        for link in page.evaluate("[...document.querySelectorAll('a')].map((one) => one.href)"):
            path, _, place = unquote(link.removeprefix("file://")).partition("#")
            if link.startswith("file:"):
                assert Path(path).exists(), link
                assert not place or f'id="{place}"' in Path(path).read_text(), link


LABELS = np.arange(90) % 3 == 0
AT_QUARTER = {"thresholds": 0.25, "prevalence": 0.2}
RANDOM = np.random.default_rng(8)
SCORES = {name: RANDOM.normal(size=90) + by * LABELS for name, by in (("a", 1.1), ("b", 0.9))}


def explored(file, open_page, labels, scores, **options):
    """A page in the browser, once it has drawn."""
    file.write_text(explorer_page(labels, scores, **options), encoding="utf-8")
    page = open_page(file, 1400)
    page.wait_for_selector("html[data-ready=yes]")
    return page


@pytest.fixture(scope="module")
def opened(tmp_path_factory, open_page):
    file = tmp_path_factory.mktemp("page") / "explorer.html"
    pair = ("Table 4", "hull", 0.7186, 0.1753)
    return explored(file, open_page, LABELS, SCORES, published=[pair])


@pytest.fixture
def page(opened):
    """The same models and cost, whatever the test before has chosen."""
    opened.select_option("#model-0", "a")
    opened.click("[data-c='0.5']")
    return opened


def view(page, kind="raw", side=0, **sliders):
    """Choose curve and positive class, and move sliders; labels and scores as they then count."""
    page.check(f"[name=kind][value={kind}]")
    page.check(f"[name=side][value='{side}']")
    for name, value in sliders.items():
        page.fill(f"#{name.replace('_', '-')}", str(value))
    sign = -1 if side else 1
    return (~LABELS if side else LABELS), [sign * score for score in SCORES.values()]


MEASURES = ["auc", "auk", "h", "kappa_max", "fpr", "tpr"]


def shown_of(page, measure):
    """The numbers in each cell of a measure's row: of both models, and of their difference."""
    row = page.locator("#measures tbody tr").nth(MEASURES.index(measure))
    cells = row.locator("td").all_inner_texts()
    return [[float(number) for number in re.findall(r"-?\d+\.\d+", cell)] for cell in cells]


def assert_table(page, found, error):
    for name in MEASURES:
        first, second = (numbers[0] for numbers in shown_of(page, name)[:2])
        assert (first, second) == pytest.approx([one[name] for one in found], abs=error), name


def test_a_tie_is_no_disagreement(tmp_path, open_page):
    """Both AUCs are 26/35; the sentences of the page say of AUC and AUK what its verdict says."""
    a = [10, 9, 5, 4, 3, 8, 7, 6, 2, 1, 0, 0]
    b = [10, 8, 7, 4, 2, 9, 6, 5, 3, 1, 0, 0]
    file = tmp_path / "tie.html"
    page = explored(file, open_page, np.repeat([1, 0], [5, 7]), {"a": a, "b": b})
    verdict, said = page.inner_text("#verdict"), page.inner_text("#said")
    assert "AUC rates both the same: of AUC and AUK only AUK tells them apart" in verdict
    assert "disagree" not in verdict and "alike" not in said and "AUC p = 1" in said
    assert "AUC" not in page.inner_text("#noise")  # there is no lead by it


@pytest.mark.parametrize("kind", ["raw", "hull"])
@pytest.mark.parametrize("side", [0, 1])
def test_numbers_follow_the_slider_and_the_cost(page, kind, side):
    for p in (0.03, 0.777, 0.2):
        labels, scores = view(page, kind, side, prevalence=p)
        found = [measures(labels, score, prevalence=p, curve=kind) for score in scores]
        assert_table(page, found, 6e-5)
        agree = np.prod([found[0][name] - found[1][name] for name in ("auc", "auk")]) > 0
        assert f"AUC and AUK {'agree' if agree else 'disagree'}" in page.inner_text("#verdict")
    at_half = found
    for c in (0.03, 0.36, 0.9, "balanced"):
        if c == "balanced":
            page.click("#balanced")
            assert page.inner_text("#cost-shown") == "0.800"
        else:
            page.fill("#cost-share", str(c))
        at = {"prevalence": 0.2, "cost": c, "curve": kind}
        found = [
            measures(labels, score, **at) | {"h": old["h"]}  # of Beta(2, 2)
            for score, old in zip(scores, at_half, strict=True)
        ]
        assert_table(page, found, 1.1e-4)
        assert page.is_hidden("#published")
    page.click("[data-c='0.5']")
    assert page.is_visible("#published")


@pytest.mark.parametrize("side", [0, 1])
def test_intervals_and_the_test_follow_prevalence_and_cost(page, side):
    labels, scores = view(page, side=side, prevalence=0.2, cost_share=0.7)
    at = {"prevalence": 0.2, "cost": 0.7}
    ends = [interval(labels, score, **at)[2:4] for score in scores]
    test = paired_test(labels, *scores, **at)
    found = shown_of(page, "auk")
    assert [one[1:] for one in found[:2]] == [pytest.approx(each, abs=1e-3) for each in ends]
    assert found[2][:3] == pytest.approx([test.difference, test.low, test.high], abs=1e-3)
    assert found[2][3] == pytest.approx(test.p_value, abs=5e-3)
    assert "May be chance: the lead by AUC" in page.inner_text("#noise")
    page.check("[name=kind][value=hull]")
    assert "Hulls have no tests" in page.inner_text("#noise")


def test_h_and_the_largest_kappa_have_intervals_where_the_page_opens(page):
    view(page)
    page.click("#own")
    options = {"measure": ["h", "kappa_max"], "method": "bootstrap", "n_resamples": 1000}
    options["sampling"] = "stratified"  # on this page the class ratio is fixed
    for name, found in interval(LABELS, SCORES["a"], **options).items():
        expected = found[:1] + found[2:4]
        assert shown_of(page, name)[0] == pytest.approx(expected, abs=6e-5)
    page.fill("#prevalence", "0.2")
    assert len(shown_of(page, "h")[0]) == 1


def test_the_address_holds_the_view(page):
    view = "first=b&second=a&kind=raw&side=1&own=false&p=0.25&c=0.8&steered=1&best=false&point=30"
    page.evaluate("(view) => { location.hash = view; }", view + "&replicate=7")  # there is one
    page.wait_for_function("document.getElementById('shown').textContent === '0.250'")
    assert page.input_value("#model-0") == "b"
    assert page.inner_text("#cost-shown") == "0.800"
    assert page.input_value("#point") == "30"
    page.fill("#prevalence", "0.3")
    page.wait_for_function("location.hash.includes('p=0.3&')")
    assert "point=30" in page.evaluate("location.hash")


@pytest.mark.parametrize("width", [375, 1400])
def test_nothing_is_wider_than_the_window(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    # The plots follow the window a moment later.
    fits = "(width) => document.documentElement.scrollWidth === width"
    page.wait_for_function(fits, arg=width, timeout=5000)


@pytest.mark.parametrize(
    ("slider", "shown", "words"),
    [("#prevalence", "#shown", "0.011"), ("#cost-share", "#cost-shown", "0.011, AUK at c = 0.011")],
)
def test_keyboard_moves_a_slider(page, slider, shown, words):
    page.focus(slider)
    page.keyboard.press("Home")
    assert page.inner_text(shown) == "0.010"
    page.keyboard.press("ArrowRight")
    assert page.inner_text(shown) == "0.011"
    assert page.get_attribute(slider, "aria-valuetext") == words


@pytest.mark.parametrize("side", [0, 1])
def test_the_threshold_shown_gives_the_counts_shown(page, side):
    ones, _ = view(page, side=side)
    page.check("[name=steered][value='0']")
    for place in (3, 20, 40):
        page.fill("#point", str(place))
        said = page.inner_text("#counts")
        sign, threshold = re.search(r"that are (\S) (\S+) are", said).groups()
        flagged = SCORES["a"] < float(threshold) if sign == "<" else SCORES["a"] >= float(threshold)
        counts = [int(x) for x in re.findall(r"(\d+) of the", said)]
        assert counts == [np.count_nonzero(flagged & ones), np.count_nonzero(flagged & ~ones)]


def test_the_cost_slider_is_the_threshold_of_the_net_benefit(page):
    view(page, prevalence=0.2, cost_share=0.75)
    worth = [net_benefit(LABELS, SCORES[name], at="best", **AT_QUARTER) for name in ("a", "b")]
    flag_all = net_benefit(LABELS, np.ones(90), **AT_QUARTER)
    numbers = f"a {worth[0]:.4f}, b {worth[1]:.4f}, flagging all {flag_all:.4f}"
    said = page.text_content("#benefit-said")
    assert said == f"At τ = 0.250, per row: {numbers}, flagging nobody 0."


def test_a_thumb_can_hit_every_control_and_little_stays_on_top(page):
    page.set_viewport_size({"width": 375, "height": 740})
    for one in page.locator("button, select, fieldset label, [type=range]").all():
        if one.is_visible():
            assert one.bounding_box()["height"] >= 44
    page.evaluate("window.scrollTo(0, 3000)")
    bar = page.locator(".bar").bounding_box()
    assert bar["y"] == 0 and bar["height"] < 200


def test_print_shows_pictures_of_the_charts(page):
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".plot img").count() == page.locator(".plot").count()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator(".plot img").count() == 0
