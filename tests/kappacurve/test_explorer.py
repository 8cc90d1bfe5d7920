"""The page on which prevalence and cost move: its numbers are the library's at every place."""

import json
import re
from itertools import product

import numpy as np
import pytest
from samples import all_losses

from kappacurve import compare, explorer_page, implied_cost_ratio, measures

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
SHOWN = ("auc", "auk", "h", "kappa_max", "fpr", "tpr")


def data_of(page):
    return json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])


def test_the_page_is_one_offline_file_and_the_same_each_time():
    page = explorer_page(Y, SCORES, title="<my> models")
    assert page == explorer_page(Y, SCORES, title="<my> models")
    assert "<title>&lt;my&gt; models</title>" in page
    assert not re.search(r"(src|href)=", page)
    assert '<a href="a&amp;b.html">' in explorer_page(Y, SCORES, home="a&b.html")
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_curves_keep_every_area(weight):
    (view,) = data_of(explorer_page(Y, SCORES, sample_weight=weight))["views"]
    assert view["prevalence"] == pytest.approx(np.average(Y, weights=weight))
    for model, score in zip(view["models"], SCORES.values(), strict=True):
        expected = measures(Y, score, sample_weight=weight)
        f, t = np.array(model["f"]), np.array(model["t"])
        for name, kept in (("auc", slice(None)), ("auch", model["hull"])):
            assert np.trapezoid(t[kept], f[kept]) == pytest.approx(expected[name], abs=1e-12)
        assert len(model["thresholds"]) == len(model["hull"])
        assert model["thresholds"][0] is None


def test_curves_of_very_many_rows_are_drawn_with_few_points():
    y = RANDOM.random(60_000) < 0.3
    score = RANDOM.normal(size=len(y)) + y
    (view,) = data_of(explorer_page(y, {"a": score}))["views"]
    (model,) = view["models"]
    assert len(model["f"]) < 4000
    area = np.trapezoid(model["t"], model["f"])
    assert area == pytest.approx(measures(y, score)["auc"], abs=1e-5)


def test_a_name_can_not_end_the_script():
    page = explorer_page(Y, {"</script><script>alert(1)": SCORES["crossing"]})
    assert data_of(page)["views"][0]["models"][0]["name"] == "</script><script>alert(1)"
    assert page.count("<script") == page.count("</script>") == 2


def test_each_split_has_curves_of_its_own():
    weight = np.where(np.arange(N) < 50, 0, WEIGHT)
    split = np.where(np.arange(N) < 50, "left out", np.where(np.arange(N) % 3, "b", "a"))
    split[50] = "b"
    labels = np.where(Y, "bad", "good")
    options = {"pos_label": "bad", "sample_weight": weight, "split": split}
    data = data_of(explorer_page(labels, SCORES, **options, open_with="good"))
    assert data["classes"] == ["good", "bad"] and data["swapped"]
    assert [view["name"] for view in data["views"]] == ["b", "a"]
    for view in data["views"]:
        rows = split == view["name"]
        scores = {name: score[rows] for name, score in SCORES.items()}
        (alone,) = data_of(explorer_page(Y[rows], scores, sample_weight=weight[rows]))["views"]
        assert view == alone | {"name": view["name"]}


def test_labels_are_compared_as_everywhere_and_what_cannot_be_shown_is_refused():
    with pytest.raises(ValueError, match="open_with=2 is not among the labels of y_true: 0, 1"):
        explorer_page(Y, SCORES, open_with=2)
    with pytest.raises(ValueError, match="The split '1' holds one class only"):
        explorer_page(Y, SCORES, split=Y)
    page = explorer_page(["ill ", "ill", "well"], {"a": [3, 2, 1]}, pos_label=" ill")
    assert data_of(page)["classes"] == ["well", "ill "]


@pytest.fixture
def open_html(open_page, tmp_path):
    def opened(html, width=1400):
        (tmp_path / "page.html").write_text(html, encoding="utf-8")
        return open_page(tmp_path / "page.html", width)

    return opened


AT = "([i, p, r]) => measuresAt(curvesOf[state.view][Number(state.swapped)][i], p, r)"


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
            found = page.evaluate(AT, [i, p, ratio])
            expected = measures(Y, score, sample_weight=weight, prevalence=p, cost_ratio=ratio)
            for name in SHOWN:
                assert found[name] == pytest.approx(expected[name], abs=1e-9), (p, ratio, i, name)
            threshold = found["threshold"]
            if threshold is None:  # nobody is flagged, or everybody
                threshold = np.inf if found["flag"] == "nobody" else score.min()
            assert ((score >= threshold) == (score >= expected["threshold"])).all()
            implied = implied_cost_ratio(expected["kappa_max"], p, ratio)
            assert found["implied"] == pytest.approx(implied, rel=1e-9)


@pytest.mark.slow
def test_no_threshold_that_it_shows_costs_more_than_flagging_nobody_or_everybody(open_html):
    """200 random samples with ties, at random costs, each class being the positive one."""
    random = np.random.default_rng(72)
    for _ in range(8):
        y = (random.random(600) < random.uniform(0.1, 0.6)).astype(int)
        columns = {str(i): random.normal(size=600) + random.uniform(-1, 2) * y for i in range(25)}
        scores = {name: score.round(int(name) % 3) for name, score in columns.items()}
        page = open_html(explorer_page(y, scores))
        for swapped in (False, True):
            page.evaluate("(on) => chooseClass(on)", swapped)
            labels, sign = (1 - y, -1) if swapped else (y, 1)
            for i, score in enumerate(scores.values()):
                p, ratio = random.uniform(0.01, 0.99), np.exp(random.normal(scale=2))
                losses = 1000 * all_losses(labels, sign * score, p, ratio)
                least = page.evaluate(AT, [i, p, ratio])["least"]
                assert least["loss"] == pytest.approx(losses.min(), rel=1e-9)
                ends = min(losses[0], losses[-1])
                assert least["loss"] <= ends * (1 + 1e-12)
                assert (least["nobody"], least["everybody"]) == pytest.approx(losses[[0, -1]])
                if least["flag"] == "by model":
                    flagged = score < least["threshold"] if swapped else score >= least["threshold"]
                    miss, alarm = (~flagged)[labels == 1].mean(), flagged[labels == 0].mean()
                    loss = 1000 * (ratio * p * miss + (1 - p) * alarm)
                    assert loss == pytest.approx(losses.min(), rel=1e-9)
                    assert loss < ends
                else:
                    assert losses.min() >= ends * (1 - 1e-9)
                    assert least["threshold"] is None


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1 / 3, 10**7 / 3])
def test_a_threshold_that_is_copied_flags_the_rows_of_the_page(open_html, scale):
    """Of leaves' scores, 2/3 is below 0.6667: the page must not round it up."""
    leaf = np.repeat([0, 1, 2, 3], [40, 30, 20, 10])
    found = {40: 2, 30: 9, 20: 15, 10: 9}  # positives among the rows of each leaf
    y = np.concatenate([np.arange(n) < positives for n, positives in found.items()])
    page = open_html(explorer_page(y, {"a": leaf * scale}, cost_ratio=1.2))
    for swapped, words in ((False, "at least"), (True, "below")):
        page.evaluate("(on) => chooseClass(on)", swapped)
        shown = page.inner_text("#threshold-0")
        assert f"flagging what scores {words} {shown}:" in page.inner_text("#verdict")
        assert "e" not in shown
        assert ((leaf * scale >= float(shown)) == (leaf >= 2)).all()


def move_slider(page, name, value):
    move = "(at, value) => {at.value = value; at.dispatchEvent(new Event('input'))}"
    page.eval_on_selector(f"#{name}", move, value)


@pytest.mark.slow
def test_the_table_follows_the_sliders(open_html):
    page = open_html(explorer_page(Y, SCORES))
    assert [span.inner_text() for span in page.query_selector_all("#models span")] == [*SCORES]
    for log_odds, log_ratio in ((-4.0, 2.0), (2.0, -3.5)):
        move_slider(page, "prevalence", log_odds)
        move_slider(page, "cost", log_ratio)
        at = {"prevalence": 1 / (1 + np.exp(-log_odds)), "cost_ratio": np.exp(log_ratio)}
        auks = [measures(Y, score, **at)["auk"] for score in SCORES.values()]
        assert [page.inner_text(f"#auk-{i}") for i in range(4)] == [f"{auk:.4f}" for auk in auks]
        losses = [1000 * all_losses(Y, score, *at.values()) for score in SCORES.values()]
        least, ends = min(loss.min() for loss in losses), min(losses[0][[0, -1]])
        saved = f"{least:.1f} false alarms per 1,000 rows, {ends - least:.1f} less than flagging"
        assert re.search(rf"{saved} (nobody|everybody) \({ends:.1f}\)", page.inner_text("#verdict"))
        leader = list(SCORES)[int(np.argmax(auks))]
        assert re.search(rf"AUK (prefer )?{leader}\.", page.inner_text("#headline"))
        dots = page.eval_on_selector_all("#roc circle", "dots => dots.length")
        assert dots == 2 * len(SCORES)


@pytest.mark.slow
def test_the_class_can_be_switched_and_the_page_leads_back(open_html):
    """The other class is the same situation: losses stay, AUK and the implied cost change."""
    split = np.where(np.arange(N) < 200, "first", "second")
    page = open_html(explorer_page(Y, SCORES, split=split, cost_ratio=4))
    at_start = page.inner_text("body")
    losses = [page.inner_text(f"#loss-{i}") for i in range(4)]
    assert page.inner_text("#cost-value") == "4 false alarms"
    page.get_by_label("0", exact=True).check()
    assert page.inner_text("#prevalence-value") == "87.5 %"
    assert page.inner_text("#cost-value") == "0.25 false alarms"
    for i, score in enumerate(SCORES.values()):
        expected = measures(1 - Y[:200], -score[:200], cost_ratio=0.25)
        assert page.inner_text(f"#auk-{i}") == f"{expected['auk']:.4f}"
        # A miss costs a quarter of a false alarm now, so the unit is four times as large.
        loss = float(page.inner_text(f"#loss-{i}"))
        assert loss == pytest.approx(float(losses[i]) / 4, abs=0.06)
    page.get_by_label("second", exact=True).check()
    auc = measures(Y[200:], SCORES["crossing"][200:])["auc"]
    assert page.inner_text("#auc-0") == f"{auc:.4f}"
    page.get_by_role("button", name="Back to the start").click()
    assert page.inner_text("body") == at_start


@pytest.mark.slow
@pytest.mark.parametrize("width", [375, 1400])
def test_no_page_scrolls_sideways(open_html, width):
    names = {f"a model with a rather long name, {name}": SCORES[name] for name in SCORES}
    compared = compare(Y, names, cost_ratio=20, at="flagged<=0.1")
    report = compared.to_html("a_file_of_scores.csv " * 4)
    for html in (explorer_page(Y, names), report):
        page = open_html(html, width)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate("document.querySelectorAll('polyline').length") == 2 * len(names)
