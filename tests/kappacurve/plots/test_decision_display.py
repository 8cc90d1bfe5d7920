import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from kappacurve import DecisionCurveDisplay, interval, net_benefit

RANDOM = np.random.default_rng(41)
Y = (np.arange(200) < 50).astype(int)
X = RANDOM.normal(size=(200, 2)) + Y[:, None]
PROBABILITY = LogisticRegression().fit(X, Y).predict_proba(X)[:, 1]


def test_lines_are_the_net_benefit_and_its_defaults():
    given = {"thresholds": [0.1, 0.3, 0.6], "prevalence": 0.2, "standardized": True}
    display = DecisionCurveDisplay.from_predictions(Y, PROBABILITY, name="logistic", **given)
    np.testing.assert_array_equal(display.line_.get_xdata(), given["thresholds"])
    for line, scores, at in (
        (display.line_, PROBABILITY, "score"),
        (display.best_line_, PROBABILITY, "best"),
        (display.flag_all_, np.ones(200), "score"),
    ):
        expected = net_benefit(Y, scores, at=at, **given)
        np.testing.assert_allclose(line.get_ydata(), expected, atol=1e-12)
    assert display.line_.get_label() == "logistic"


def test_a_band_holds_the_intervals():
    given = {"thresholds": [0.1, 0.3], "standardized": True, "prevalence": 0.2}
    display = DecisionCurveDisplay.from_predictions(Y, PROBABILITY, level=0.9, **given)
    at = {"measure": "net_benefit", "threshold": 0.3, "prevalence": 0.2, "level": 0.9}
    found = interval(Y, PROBABILITY, **at)
    assert (display.band[0][1], display.band[1][1]) == (found.low / 0.2, found.high / 0.2)
    assert display.band_ in display.ax_.collections
    with pytest.raises(ValueError, match="leave out level"):
        DecisionCurveDisplay.from_predictions(Y, PROBABILITY, level=0.9, at="best")
