import numpy as np
import pandas as pd
import pytest
from scipy.integrate import trapezoid
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.svm import LinearSVC

from kappacurve import (
    HMeasureDisplay,
    KappaCurveDisplay,
    RocHullDisplay,
    auk_score,
    kappa_curve,
    measures,
    operating_point,
)
from kappacurve.algebra import kappa_from_rates

DISPLAYS = [KappaCurveDisplay, RocHullDisplay, HMeasureDisplay]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(40)
    y = (np.arange(120) < 36).astype(int)
    X = rng.normal(size=(120, 2)) + y[:, None]
    return X, y, X.sum(axis=1)


def test_kappa_line_passes_through_the_curve_and_bends_between(data):
    _, y, score = data
    display = KappaCurveDisplay.from_predictions(y, score, curve="hull")
    x, drawn = display.line_.get_data()
    fpr, kappa, _ = kappa_curve(y, score, curve="hull")
    np.testing.assert_allclose(np.interp(fpr[1:], x, drawn), kappa[1:], atol=1e-12)
    tpr = np.interp(x, display.fpr, display.tpr)
    inside = x > display.fpr[display.fpr > 0][0]
    expected = kappa_from_rates(x, tpr, y.mean())
    np.testing.assert_allclose(drawn[inside], expected[inside], atol=1e-12)
    assert trapezoid(drawn, x) == pytest.approx(display.auk, abs=1e-4)


@pytest.mark.parametrize("cost", [None, 5])
def test_displays_say_what_they_show(data, cost):
    _, y, score = data
    options = {"prevalence": 0.1, "cost_ratio": cost}
    display = KappaCurveDisplay.from_predictions(y, score, name="sum", **options)
    assert display.auk == pytest.approx(auk_score(y, score, **options))
    assert display.line_.get_label().startswith(f"sum, AUK {display.auk:.3f}")
    best, found = operating_point(y, score, **options), measures(y, score)
    (at,) = display.maximum_.get_xydata().tolist()
    assert at == pytest.approx([best.fpr, best.kappa])
    hull = RocHullDisplay.from_predictions(y, score, name="sum", **options)
    assert (hull.auc, hull.auch) == pytest.approx((found["auc"], found["auch"]))
    x, t = hull.hull_line_.get_data()
    assert (np.interp(hull.fpr, x, t) >= hull.tpr - 1e-12).all()
    assert hull.maximum_.get_xydata().tolist() == [[best.fpr, best.tpr]]


def test_band_is_drawn_on_request_and_refused_where_it_has_no_meaning(data):
    _, y, score = data
    display = KappaCurveDisplay.from_predictions(y, score, level=0.9)
    assert display.band_ in display.ax_.collections
    assert (display.band.low <= display.band.high).all()
    for options in ({"curve": "hull"}, {"sample_weight": np.ones(120)}):
        with pytest.raises(ValueError, match="raw, unweighted curves only"):
            KappaCurveDisplay.from_predictions(y, score, level=0.9, **options)


@pytest.mark.parametrize("cls", DISPLAYS)
def test_from_estimator_scores_the_positive_class(cls, data):
    X, y, _ = data
    named = np.array(["no", "yes"])[y]
    model = LogisticRegression().fit(X, named)
    display = cls.from_estimator(model, X, named)
    score = model.predict_proba(X)[:, 1]
    expected = cls.from_predictions(named, score, pos_label="yes")
    np.testing.assert_allclose(display.line_.get_data(), expected.line_.get_data())
    assert display.name == "LogisticRegression"
    first = cls.from_estimator(LinearSVC().fit(X, y), X, y, pos_label=0)
    assert getattr(first, "panels", first).prevalence == pytest.approx(0.7)


@pytest.mark.parametrize("cls", DISPLAYS)
def test_weights_equal_repetition(cls, data):
    _, y, score = data
    times = np.arange(120) % 3
    weighted = cls.from_predictions(y, score, sample_weight=times)
    repeated = cls.from_predictions(np.repeat(y, times), np.repeat(score, times))
    line, expected = weighted.line_.get_data(), repeated.line_.get_data()
    x = np.linspace(0.01, 0.99, 50)
    np.testing.assert_allclose(np.interp(x, *line), np.interp(x, *expected), atol=1e-9)


def test_six_panels_hold_together(data):
    _, y, score = data
    display = HMeasureDisplay.from_predictions(y, score, name="sum")
    panels, p = display.panels, y.mean()
    assert display.axes_.shape == (2, 3)
    assert display.ax_ is display.axes_[0, 2]
    assert [ax.get_title("left") for ax in display.axes_.flat] == [f"({x})" for x in "abcdef"]
    assert panels.h == pytest.approx(measures(y, score)["h"])
    for density in (*panels.density, *panels.hull_density):
        assert trapezoid(density, panels.score) == pytest.approx(1, abs=0.01)
    mixture = (1 - p) * panels.density[0] + p * panels.density[1]
    implied = (1 - p) * panels.hull_density[0] + p * panels.hull_density[1]
    np.testing.assert_allclose(mixture, implied, atol=1e-12)
    assert trapezoid(panels.weight, panels.cost) == pytest.approx(1, abs=1e-4)


def test_smallest_loss_is_the_smallest_and_gives_h(data):
    _, y, score = data
    panels = HMeasureDisplay.from_predictions(y, score, cost_weight=(3.0, 1.5)).panels
    p = panels.prevalence
    every = panels.cost[:, None] * (1 - p) * panels.fpr + (1 - panels.cost[:, None]) * p * (
        1 - panels.tpr
    )
    np.testing.assert_allclose(panels.loss, every.min(axis=1), atol=1e-14)
    ratio = trapezoid(panels.weight * panels.loss) / trapezoid(panels.weight * panels.trivial_loss)
    assert panels.h == pytest.approx(1 - ratio, abs=1e-4)


@pytest.fixture(scope="module")
def folds(data):
    X, y, _ = data
    options = {"cv": 3, "return_estimator": True, "return_indices": True}
    return cross_validate(LogisticRegression(), X, y, **options)


@pytest.mark.parametrize("cls", [KappaCurveDisplay, RocHullDisplay])
def test_a_curve_for_each_fold(cls, data, folds):
    X, y, _ = data
    frame = pd.DataFrame(X), pd.Series(y, index=range(500, 620))
    display = cls.from_cv_results(folds, *frame, name="ours", prevalence=0.2)
    for k, (model, rows) in enumerate(
        zip(folds["estimator"], folds["indices"]["test"], strict=True)
    ):
        one = cls.from_estimator(model, X[rows], y[rows], prevalence=0.2)
        drawn, expected = display.line_[k].get_data(), one.line_.get_data()
        np.testing.assert_array_equal(drawn, expected)
        area = "auk" if cls is KappaCurveDisplay else "auch"
        assert getattr(display, area)[k] == getattr(one, area)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    values = getattr(display, area)
    measure = f"ours, {area.upper()} {np.mean(values):.3f} \N{PLUS-MINUS SIGN} {np.std(values):.3f}"
    assert measure in texts
