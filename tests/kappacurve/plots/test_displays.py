import numpy as np
import pandas as pd
import pytest
from scipy.integrate import trapezoid
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.svm import LinearSVC

import kappacurve as kc
from kappacurve import KappaCurveDisplay, RocHullDisplay
from kappacurve.algebra import kappa_from_rates

DISPLAYS = [KappaCurveDisplay, RocHullDisplay]
N = 120
RANDOM = np.random.default_rng(40)
Y = (np.arange(N) < 36).astype(int)
X = RANDOM.normal(size=(N, 2)) + Y[:, None]
SCORE = X.sum(axis=1)
PROBABILITY = LogisticRegression().fit(X, Y).predict_proba(X)[:, 1]


def test_kappa_line_passes_through_the_curve_and_bends_between():
    display = KappaCurveDisplay.from_predictions(Y, SCORE, curve="hull")
    x, drawn = display.line_.get_data()
    fpr, kappa, _ = kc.kappa_curve(Y, SCORE, curve="hull")
    np.testing.assert_allclose(np.interp(fpr[1:], x, drawn), kappa[1:], atol=1e-12)
    tpr = np.interp(x, display.fpr, display.tpr)
    inside = x > display.fpr[display.fpr > 0][0]
    expected = kappa_from_rates(x, tpr, Y.mean())
    np.testing.assert_allclose(drawn[inside], expected[inside], atol=1e-12)
    assert trapezoid(drawn, x) == pytest.approx(display.auk, abs=1e-4)


@pytest.mark.parametrize("cost", [None, 5])
def test_displays_say_what_they_show(cost):
    options = {"prevalence": 0.1, "cost_ratio": cost}
    display = KappaCurveDisplay.from_predictions(Y, SCORE, name="sum", **options)
    assert display.auk == pytest.approx(kc.auk_score(Y, SCORE, **options))
    assert display.line_.get_label().startswith(f"sum, AUK {display.auk:.3f}")
    best, found = kc.operating_point(Y, SCORE, **options), kc.measures(Y, SCORE)
    (at,) = display.maximum_.get_xydata().tolist()
    assert at == pytest.approx([best.fpr, best.kappa])
    hull = RocHullDisplay.from_predictions(Y, SCORE, name="sum", **options)
    assert (hull.auc, hull.auch) == pytest.approx((found["auc"], found["auch"]))
    x, t = hull.hull_line_.get_data()
    assert (np.interp(hull.fpr, x, t) >= hull.tpr - 1e-12).all()
    assert hull.maximum_.get_xydata().tolist() == [[best.fpr, best.tpr]]


def test_band_is_drawn_on_request_and_refused_where_it_has_no_meaning():
    display = KappaCurveDisplay.from_predictions(Y, SCORE, level=0.9)
    assert display.band_ in display.ax_.collections
    assert (display.band.low <= display.band.high).all()
    for options in ({"curve": "hull"}, {"sample_weight": np.ones(N)}):
        with pytest.raises(ValueError, match="raw, unweighted curves only"):
            KappaCurveDisplay.from_predictions(Y, SCORE, level=0.9, **options)


@pytest.mark.parametrize("cls", DISPLAYS)
def test_from_estimator_scores_the_positive_class(cls):
    named = np.array(["no", "yes"])[Y]
    display = cls.from_estimator(LogisticRegression().fit(X, named), X, named)
    expected = cls.from_predictions(named, PROBABILITY, pos_label="yes")
    np.testing.assert_allclose(display.line_.get_data(), expected.line_.get_data())
    assert display.name == "LogisticRegression"
    first = cls.from_estimator(LinearSVC().fit(X, Y), X, Y, pos_label=0)
    assert getattr(first, "panels", first).prevalence == pytest.approx(0.7)


@pytest.mark.parametrize("cls", DISPLAYS)
def test_weights_equal_repetition(cls):
    times, x = np.arange(N) % 3, np.linspace(0.01, 0.99, 50)
    weighted = cls.from_predictions(Y, SCORE, sample_weight=times)
    repeated = cls.from_predictions(np.repeat(Y, times), np.repeat(SCORE, times))
    lines = [np.interp(x, *each.line_.get_data()) for each in (weighted, repeated)]
    np.testing.assert_allclose(*lines, atol=1e-9)


@pytest.mark.parametrize("cls", DISPLAYS)
def test_a_curve_for_each_fold(cls):
    options = {"cv": 3, "return_estimator": True, "return_indices": True}
    folds = cross_validate(LogisticRegression(), X, Y, **options)
    frame = pd.DataFrame(X), pd.Series(Y, index=range(500, 500 + N))
    display = cls.from_cv_results(folds, *frame, name="ours", prevalence=0.2)
    area = "auk" if cls is KappaCurveDisplay else "auch"
    values = getattr(display, area)
    for k, (model, rows) in enumerate(
        zip(folds["estimator"], folds["indices"]["test"], strict=True)
    ):
        one = cls.from_estimator(model, X[rows], Y[rows], prevalence=0.2)
        np.testing.assert_array_equal(display.line_[k].get_data(), one.line_.get_data())
        assert values[k] == getattr(one, area)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    spread = f"{np.mean(values):.3f} \N{PLUS-MINUS SIGN} {np.std(values):.3f}"
    assert f"ours, {area.upper()} {spread}" in texts


def test_lines_are_the_net_benefit_and_its_defaults():
    given = {"thresholds": [0.1, 0.3, 0.6], "prevalence": 0.2, "standardized": True}
    display = kc.DecisionCurveDisplay.from_predictions(Y, PROBABILITY, name="logistic", **given)
    np.testing.assert_array_equal(display.line_.get_xdata(), given["thresholds"])
    for line, scores, at in (
        (display.line_, PROBABILITY, "score"),
        (display.best_line_, PROBABILITY, "best"),
        (display.flag_all_, np.ones(N), "score"),
    ):
        expected = kc.net_benefit(Y, scores, at=at, **given)
        np.testing.assert_allclose(line.get_ydata(), expected, atol=1e-12)
    assert display.line_.get_label() == "logistic"


def test_a_band_holds_the_intervals():
    given = {"thresholds": [0.1, 0.3], "standardized": True, "prevalence": 0.2}
    display = kc.DecisionCurveDisplay.from_predictions(Y, PROBABILITY, level=0.9, **given)
    at = {"measure": "net_benefit", "threshold": 0.3, "prevalence": 0.2, "level": 0.9}
    found = kc.interval(Y, PROBABILITY, **at)
    assert (display.band[0][1], display.band[1][1]) == (found.low / 0.2, found.high / 0.2)
    assert display.band_ in display.ax_.collections
    with pytest.raises(ValueError, match="leave out level"):
        kc.DecisionCurveDisplay.from_predictions(Y, PROBABILITY, level=0.9, at="best")


def test_a_profile_marks_its_ties_and_costs():
    y = [1] * 4 + [0] * 5
    scores = {"u": [7, 6, 0, 5, 1, 2, 3, 4, 8], "v": [1, 5, 8, 3, 6, 4, 7, 0, 2]}
    options = {"prevalence": 4 / 9, "costs": np.linspace(0, 1, 21)}
    found = kc.auk_profile(y, scores, **options)
    display = kc.AukProfileDisplay.from_predictions(y, scores, cost_ratio=9, **options)
    for line, band, name in zip(display.lines_, display.bands_, scores, strict=True):
        np.testing.assert_array_equal(line.get_data(), (found.costs, found.auk[name]))
        corners = band.get_paths()[0].vertices[:, 1]
        ends = found.low[name].min(), found.high[name].max()
        assert (corners.min(), corners.max()) == ends
    assert display.marks_.keys() == {5 / 9, 0.5, 0.9}
    circles = [line.get_xydata()[0] for line in display.ax_.get_lines() if line.get_marker() == "o"]
    assert [at for at, _ in circles] == [lead.low for lead in found.leaders[1:]]
    for at, height in circles:
        assert height == pytest.approx(np.interp(at, found.costs, found.auk["u"]), abs=3e-3)
