"""The page on which prevalence and cost move: its numbers are the library's at every place."""

import json
import re
from itertools import product

import numpy as np
import pytest

from kappacurve import compare, explorer_page, measures

RANDOM = np.random.default_rng(7)
N = 400
Y = (np.arange(N) % 8 == 0).astype(int)
SCORES = {
    "crossing": RANDOM.normal(size=N) * (1 + 2 * Y) + Y,
    "tied <b>&": (RANDOM.normal(size=N) + 1.5 * Y).round(1),
    "two levels": (RANDOM.random(N) < 0.2 + 0.5 * Y).astype(float),
    "constant": np.zeros(N),
}
WEIGHT = RANDOM.integers(1, 4, N)
SHOWN = ("auc", "auk", "h", "kappa_max", "threshold", "fpr", "tpr")


def data_of(page):
    return json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])


def test_the_page_is_one_offline_file_and_the_same_each_time():
    page = explorer_page(Y, SCORES, title="<my> models")
    assert page == explorer_page(Y, SCORES, title="<my> models")
    assert "<title>&lt;my&gt; models</title>" in page
    assert not re.search(r"(src|href)=", page)
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_curves_keep_every_area(weight):
    data = data_of(explorer_page(Y, SCORES, sample_weight=weight))
    assert data["prevalence"] == pytest.approx(np.average(Y, weights=weight))
    for model, score in zip(data["models"], SCORES.values(), strict=True):
        expected = measures(Y, score, sample_weight=weight)
        f, t = np.array(model["f"]), np.array(model["t"])
        for name, kept in (("auc", slice(None)), ("auch", model["hull"])):
            assert np.trapezoid(t[kept], f[kept]) == pytest.approx(expected[name], abs=1e-12)
        assert len(model["thresholds"]) == len(model["hull"])
        assert model["thresholds"][0] is None


def test_curves_of_very_many_rows_are_drawn_with_few_points():
    y = RANDOM.random(60_000) < 0.3
    score = RANDOM.normal(size=len(y)) + y
    (model,) = data_of(explorer_page(y, {"a": score}))["models"]
    assert len(model["f"]) < 4000
    area = np.trapezoid(model["t"], model["f"])
    assert area == pytest.approx(measures(y, score)["auc"], abs=1e-5)


def test_a_name_can_not_end_the_script():
    page = explorer_page(Y, {"</script><script>alert(1)": SCORES["crossing"]})
    assert data_of(page)["models"][0]["name"] == "</script><script>alert(1)"
    assert page.count("<script") == page.count("</script>") == 2


@pytest.fixture
def open_html(open_page, tmp_path):
    def opened(html, width=1400):
        (tmp_path / "page.html").write_text(html, encoding="utf-8")
        return open_page(tmp_path / "page.html", width)

    return opened


@pytest.mark.slow
@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_the_page_computes_the_librarys_numbers_everywhere(open_html, weight):
    """It opens at the stated prevalence and cost, also beyond the ends of the sliders."""
    at = {"prevalence": 0.0001, "cost_ratio": 5000}
    page = open_html(explorer_page(Y, SCORES, sample_weight=weight, **at))
    assert all(name in page.inner_text("#measures thead") for name in SCORES)
    values = [measures(Y, score, sample_weight=weight, **at) for score in SCORES.values()]
    for i, name in product(range(4), ("auc", "auk", "h", "kappa_max", "fpr", "tpr")):
        assert page.inner_text(f"#{name}-{i}") == f"{values[i][name]:.4f}"
    places = product((0.001, 0.03, 0.125, 0.5, 0.8, 0.999), (0.01, 0.3, 1, 1.9, 7, 100))
    for p, ratio in places:
        for i, score in enumerate(SCORES.values()):
            found = page.evaluate("([i, p, r]) => measuresAt(data.models[i], p, r)", [i, p, ratio])
            expected = measures(Y, score, sample_weight=weight, prevalence=p, cost_ratio=ratio)
            for name in SHOWN:
                value = np.inf if found[name] is None else found[name]
                assert value == pytest.approx(expected[name], abs=1e-9), (p, ratio, i, name)


@pytest.mark.slow
def test_the_table_follows_the_sliders(open_html):
    page = open_html(explorer_page(Y, SCORES))
    for log_odds, log_ratio in ((-4.0, 2.0), (2.0, -3.5)):
        for name, value in (("prevalence", log_odds), ("cost", log_ratio)):
            move = "(at, value) => {at.value = value; at.dispatchEvent(new Event('input'))}"
            page.eval_on_selector(f"#{name}", move, value)
        at = {"prevalence": 1 / (1 + np.exp(-log_odds)), "cost_ratio": np.exp(log_ratio)}
        auks = [measures(Y, score, **at)["auk"] for score in SCORES.values()]
        assert [page.inner_text(f"#auk-{i}") for i in range(4)] == [f"{auk:.4f}" for auk in auks]
        leader = list(SCORES)[int(np.argmax(auks))]
        assert f"Best by AUK: {leader}. " in page.inner_text("#verdict")
        dots = page.eval_on_selector_all("#roc circle", "dots => dots.length")
        assert dots == len(SCORES)


@pytest.mark.slow
@pytest.mark.parametrize("width", [375, 1400])
def test_no_page_scrolls_sideways(open_html, width):
    names = {
        f"a model with a rather long name {i}": score for i, score in enumerate(SCORES.values())
    }
    report = compare(Y, names, cost_ratio=20, at="flagged<=0.1").to_html(
        "a_file_of_scores.csv " * 4
    )
    for html in (explorer_page(Y, names), report):
        page = open_html(html, width)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate("document.querySelectorAll('polyline').length") == 2 * len(names)
