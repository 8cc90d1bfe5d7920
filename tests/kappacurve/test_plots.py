"""The displays draw the library's numbers, in scikit-learn's manner."""

import subprocess
import sys
import warnings
from html import unescape

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from samples import wilson
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import LinearSVC

import kappacurve as kc
from kappacurve import CalibrationDisplay, DecisionCurveDisplay, KappaCurveDisplay, RocHullDisplay
from kappacurve.plots.style import LINE_STYLES, save_figure

DISPLAYS = [KappaCurveDisplay, RocHullDisplay, DecisionCurveDisplay]
N = 120
RANDOM = np.random.default_rng(40)
Y = (np.arange(N) < 36).astype(int)
X = RANDOM.normal(size=(N, 2)) + Y[:, None]
SCORE = X.sum(axis=1)
PROBABILITY = LogisticRegression().fit(X, Y).predict_proba(X)[:, 1]


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_kappa_line_passes_through_the_curve_and_bends_between():
    fpr, tpr, _ = kc.roc_hull(*RocHullDisplay.from_predictions(Y, SCORE).line_.get_data())
    display = KappaCurveDisplay(fpr=fpr, tpr=tpr, prevalence=0.3).plot()
    x, drawn = display.line_.get_data()
    kappa = kc.kappa_from_rates(fpr, tpr, 0.3)
    np.testing.assert_allclose(np.interp(fpr[1:], x, drawn), kappa[1:], atol=1e-12)
    inside = x > fpr[fpr > 0][0]
    expected = kc.kappa_from_rates(x, np.interp(x, fpr, tpr), 0.3)
    np.testing.assert_allclose(drawn[inside], expected[inside], atol=1e-12)
    assert np.trapezoid(drawn, x) == pytest.approx(display.auk, abs=1e-4)


def test_the_band_of_a_calibration_curve_is_that_of_its_shares():
    """Of 100 rows with one probability 70 are positive, a share with an error of about 0.043."""
    y = np.repeat([1, 0, 1, 0], [70, 30, 80, 320])
    probability = np.repeat([0.8, 0.2], [100, 400])
    display = CalibrationDisplay.from_predictions(y, probability, n_resamples=2000)
    assert display.observed.tolist() == [0.2, 0.7]
    assert [display.low[1], display.high[1]] == pytest.approx([0.615, 0.785], abs=0.015)


@pytest.mark.parametrize("cost", [{}, {"cost_ratio": 5.0}])
def test_displays_show_the_measures_and_mark_the_largest_kappa(cost):
    options = {"prevalence": 0.1, **cost}
    display = KappaCurveDisplay.from_predictions(Y, SCORE, name="sum", **options)
    found = kc.measures(Y, SCORE, **options)
    assert display.auk == pytest.approx(found["auk"])
    assert display.line_.get_label() == f"sum, AUK {display.auk:.3f}"
    name = "Cohen's kappa $\\kappa$" if not cost else "kappa at cost ratio 5"
    assert display.ax_.get_ylabel() == f"{name} at prevalence 0.1"
    (at,) = display.maximum_.get_xydata().tolist()
    assert at == pytest.approx([found["fpr"], found["kappa_max"]])
    hull = RocHullDisplay.from_predictions(Y, SCORE, name="sum", **options)
    assert (hull.auc, hull.auch) == pytest.approx((found["auc"], found["auch"]))
    assert hull.chance_level_.get_xydata().tolist() == [[0, 0], [1, 1]]
    assert (hull.line_.get_linewidth(), hull.hull_line_.get_linewidth()) == (0.6, 1.4)
    assert hull.line_.get_label() == f"sum, AUC {found['auc']:.3f}"
    assert hull.ax_.get_aspect() == 1
    x, t = hull.hull_line_.get_data()
    assert (np.interp(hull.fpr, x, t) >= hull.tpr - 1e-12).all()
    assert hull.maximum_.get_xydata()[0] == pytest.approx((found["fpr"], found["tpr"]))


def test_a_kappa_band_is_drawn_on_request():
    rows = {"sample_weight": 1 + np.arange(N) % 2, "groups": np.arange(N) // 2}
    display = KappaCurveDisplay.from_predictions(Y, SCORE, confidence_level=0.9, **rows)
    assert display.band_ in display.ax_.collections
    assert band_look(display.band_) == (0.2, 1, [*mpl.colors.to_rgb(display.line_.get_color())])
    band = kc.kappa_band(Y, SCORE, confidence_level=0.9, **rows)
    np.testing.assert_array_equal(display.band, band)
    corners = display.band_.get_paths()[0].vertices[:, 1]
    assert (corners.min(), corners.max()) == pytest.approx((band.low.min(), band.high.max()))


@pytest.mark.parametrize("cls", DISPLAYS)
def test_from_estimator_scores_the_positive_class(cls):
    named = np.array(["no", "yes"])[Y]
    model = LogisticRegression().fit(X, named)
    display = cls.from_estimator(model, X, named, pos_label="yes")
    expected = cls.from_predictions(named, PROBABILITY, pos_label="yes")
    np.testing.assert_allclose(display.line_.get_data(), expected.line_.get_data())
    assert (display.name, display.figure_) == ("LogisticRegression", display.ax_.figure)
    other = cls.from_estimator(model, X, named, pos_label="no", name="mine")
    assert (other.prevalence, other.name) == (pytest.approx(0.7), "mine")
    with pytest.raises(ValueError, match="'no', 'yes': say by pos_label which"):
        cls.from_estimator(model, X, named)
    with pytest.raises(ValueError, match=r"fitted to \['no', 'yes'\], but y holds"):
        cls.from_estimator(model, X, Y, pos_label=1)
    with pytest.raises(ValueError, match="'no', 'yes': say by pos_label which"):
        cls.from_predictions(named, PROBABILITY)


def test_from_estimator_takes_a_decision_function_the_right_way_round():
    model = LinearSVC().fit(X, Y)
    score = model.decision_function(X)
    for label, side in ((None, 1), (1, 1), (0, -1)):
        display = KappaCurveDisplay.from_estimator(model, X, Y, pos_label=label)
        expected = KappaCurveDisplay.from_predictions(Y, side * score, pos_label=label)
        assert display.auk == expected.auk


def test_refusals():
    for model in (LogisticRegression(), LinearRegression().fit(X, Y)):
        with pytest.raises(ValueError, match=f"{type(model).__name__} must be a fitted classifier"):
            KappaCurveDisplay.from_estimator(model, X, Y)
    with pytest.raises(ValueError, match=r"start at \(0, 0\) and end at \(1, 1\)"):
        RocHullDisplay(fpr=[0, 0.5], tpr=[0, 1], prevalence=0.5)
    with pytest.raises(ValueError, match="prevalence must lie strictly between 0 and 1"):
        KappaCurveDisplay(fpr=[0, 1], tpr=[0, 1], prevalence=1.0)
    with pytest.raises(ValueError, match="y_prob must be probabilities"):
        DecisionCurveDisplay.from_predictions(Y, SCORE)


def test_a_calibration_curve_with_its_band_and_counts():
    rows = {"sample_weight": 1.0 + np.arange(N) % 2, "groups": np.arange(N) // 2}
    display = CalibrationDisplay.from_predictions(Y, PROBABILITY, name="logistic", **rows)
    x, observed = display.line_.get_data()
    np.testing.assert_array_equal(x, np.sort(PROBABILITY))
    fitted = IsotonicRegression().fit(PROBABILITY, Y, rows["sample_weight"]).predict(x)
    np.testing.assert_allclose(observed, fitted, atol=1e-12)
    assert (display.low <= observed).all()
    assert (observed <= display.high).all()
    assert 0.05 < np.mean(display.high - display.low) < 0.6
    heights = [bar.get_height() for bar in display.counts_]
    counts = np.histogram(PROBABILITY, 50, (0, 1))[0]
    np.testing.assert_allclose(heights, 0.15 * counts / counts.max())
    places = [(bar.get_x(), bar.get_y(), bar.get_width()) for bar in display.counts_]
    np.testing.assert_allclose(places, [(i / 50, -0.19, 0.02) for i in range(50)], atol=1e-12)
    assert display.ax_.get_yticks() == pytest.approx(np.arange(6) / 5)
    assert band_look(display.band_) == (0.2, 1, [*mpl.colors.to_rgb("#0072B2")])
    assert display.diagonal_.get_xydata().tolist() == [[0, 0], [1, 1]]
    alone = CalibrationDisplay.from_predictions(Y, PROBABILITY, confidence_level=None)
    assert alone.band_ is None
    model = LogisticRegression().fit(X, Y)
    other = CalibrationDisplay.from_estimator(model, X, Y, confidence_level=None)
    np.testing.assert_array_equal(other.probability, alone.probability)


@pytest.mark.parametrize("cls", [*DISPLAYS, CalibrationDisplay])
def test_several_models_share_axes_in_different_styles(cls):
    displays = cls.from_models(Y, {"a": PROBABILITY, "b": PROBABILITY**2})
    first, second = displays["a"], displays["b"]
    third = cls.from_predictions(Y, PROBABILITY, name="c", ax=first.ax_, c="black", lw=3)
    assert first.ax_ is second.ax_ is third.ax_
    assert (first.line_.get_color(), second.line_.get_color()) == ("#0072B2", "#D55E00")
    assert third.line_.get_color() == "black"
    texts = [text.get_text() for text in first.ax_.get_legend().get_texts()]
    is_hull, has_rules = cls is RocHullDisplay, cls is DecisionCurveDisplay
    names = [text.split(",")[0] for text in texts]
    assert sorted(names) == sorted([*"abc"] * (1 + is_hull) + ["flag all", "flag none"] * has_rules)


FALSE_POSITIVES = ("false positive rate $f$", (-0.02, 1.02))
PREDICTED = ("predicted probability (bars: number of rows)", (-0.02, 1.02))
ODDS = (r"threshold probability $\tau$", None)
FRAMES = {  # label and limits of x, then of y
    KappaCurveDisplay: (*FALSE_POSITIVES, r"Cohen's kappa $\kappa$ at prevalence 0.3", None),
    RocHullDisplay: (*FALSE_POSITIVES, "true positive rate $t$", (-0.02, 1.02)),
    DecisionCurveDisplay: (*ODDS, "net benefit at prevalence 0.3", (-0.075, 0.315)),
    CalibrationDisplay: (*PREDICTED, "share of positives", (-0.19, 1.02)),
}


@pytest.mark.parametrize("cls", FRAMES)
def test_axes_are_labelled_and_the_reference_is_behind(cls):
    options = {"n_resamples": 20} if cls is CalibrationDisplay else {}
    display = cls.from_predictions(Y, PROBABILITY, **options)
    axes, (x, x_limits, y, y_limits) = display.ax_, FRAMES[cls]
    assert (axes.get_xlabel(), axes.get_ylabel()) == (x, y)
    assert axes.get_xlim() == (x_limits or axes.get_xlim())
    assert axes.get_ylim() == pytest.approx(y_limits or axes.get_ylim())
    assert display.figure_.get_size_inches().tolist() == [3.4, 3.4]
    references = [line for line in axes.lines if line.get_color() == "0.55"]
    assert all((line.get_linewidth(), line.get_zorder()) == (0.7, 0) for line in references)
    assert len(references) == 1 + (cls is DecisionCurveDisplay)
    for mark in axes.lines:
        if mark.get_label() == "_maximum":
            assert (mark.get_marker(), mark.get_color()) == ("o", "#0072B2")


def band_look(band):
    return band.get_alpha(), band.get_zorder(), band.get_facecolor()[0, :3].tolist()


def test_fourteen_models_differ_from_each_other():
    displays = KappaCurveDisplay.from_models(Y, {str(i): PROBABILITY for i in range(14)})
    lines = [display.line_ for display in displays.values()]
    assert len({(line.get_color(), line.get_marker()) for line in lines}) == 14
    assert [line.get_color() for line in lines[:6]] == [style.color for style in LINE_STYLES]


def test_a_colour_cycle_of_the_caller_is_followed_on_own_axes():
    with mpl.rc_context({"axes.prop_cycle": mpl.cycler(color=["#111111", "#222222"])}):
        ax = plt.subplots()[1]
        displays = RocHullDisplay.from_models(Y, {"a": PROBABILITY, "b": SCORE}, ax=ax)
    colors = [display.hull_line_.get_color() for display in displays.values()]
    assert colors == ["#111111", "#222222"]
    assert RocHullDisplay.from_predictions(Y, SCORE).hull_line_.get_color() == "#0072B2"


def test_decision_lines_are_the_net_benefit_and_its_defaults():
    given = {"thresholds": [0.1, 0.3, 0.6], "prevalence": 0.2}
    display = DecisionCurveDisplay.from_predictions(Y, PROBABILITY, name="logistic", **given)
    np.testing.assert_array_equal(display.line_.get_xdata(), given["thresholds"])
    for line, scores in ((display.line_, PROBABILITY), (display.flag_all_, np.ones(N))):
        expected = kc.net_benefit(Y, scores, **given)
        np.testing.assert_allclose(line.get_ydata(), expected, atol=1e-12)
    assert display.line_.get_label() == "logistic"
    default = DecisionCurveDisplay.from_predictions(Y, PROBABILITY).thresholds
    odds = default / (1 - default)
    assert (odds[0], odds[49], odds[-1]) == pytest.approx((3 / 70, 3 / 7, 30 / 7))
    of_values = DecisionCurveDisplay(thresholds=[0.2], net_benefit=[0.1], prevalence=0.3).plot()
    assert of_values.flag_all_.get_ydata() == pytest.approx([0.3 - 0.7 / 4])


@pytest.mark.parametrize("rows", [{}, {"groups": np.arange(N) // 2, "prevalence": 0.3}])
def test_bands_of_net_benefit_and_of_its_difference(rows):
    """The library's interval and paired test at one threshold, as the mean over rows it is."""
    at = {"thresholds": [0.0, 0.25, 0.5], "confidence_level": 0.9}
    other = PROBABILITY**2
    alone = DecisionCurveDisplay.from_predictions(Y, PROBABILITY, **at, **rows)
    both = DecisionCurveDisplay.from_predictions(Y, PROBABILITY, baseline=other, **at, **rows)
    expected = kc.net_benefit(Y, PROBABILITY, thresholds=0.25, prevalence=rows.get("prevalence"))
    assert alone.net_benefit[1] == pytest.approx(expected)
    options = {"measure": "net_benefit", "at": 0.25, "cost_ratio": 3, "confidence_level": 0.9}
    found = kc.interval(Y, PROBABILITY, **options, **rows)
    assert (alone.low[1], alone.high[1]) == (found.low, found.high)
    test = kc.paired_test(Y, PROBABILITY, other, **options, **rows)
    assert both.net_benefit[1] == pytest.approx(test.difference)
    assert (both.low[1], both.high[1]) == (test.low, test.high)
    assert (both.low[0], both.high[0]) == (0, 0)  # both flag all rows
    # There the net benefit is the share of positives, with its own limits in a cohort.
    high = 0.3 if rows else wilson(0.3, N, 0.9)[1]
    assert alone.high[0] == pytest.approx(high, abs=1e-9)
    assert not hasattr(both, "flag_all_")
    assert both.ax_.get_ylabel().startswith("difference in net benefit at prevalence 0.3")
    legend = [text.get_text() for text in both.ax_.get_legend().get_texts()]
    assert legend == ["model", "no difference"]
    assert both.band_ in both.ax_.collections
    if not rows:  # a cohort: the mean of what the rows bring
        flagged = [prob >= 0.25 for prob in (PROBABILITY, other)]
        gain = [np.where(Y == 1, flag, -(flag / 3)) for flag in flagged]
        error = np.std(gain[0] - gain[1], ddof=1) / np.sqrt(N)
        assert test.standard_error == pytest.approx(error, rel=0.02)


def test_same_bytes_whatever_the_settings_of_matplotlib(tmp_path):
    for k, settings in enumerate(({}, {"lines.linewidth": 9, "font.size": 20})):
        with mpl.rc_context(settings):
            figure = KappaCurveDisplay.from_predictions(Y, SCORE, name="$a$ < b").figure_
            save_figure(figure, [tmp_path / f"{k}.{kind}" for kind in ("pdf", "svg", "png")])
    for kind in ("pdf", "svg", "png"):
        assert (tmp_path / f"0.{kind}").read_bytes() == (tmp_path / f"1.{kind}").read_bytes()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("坏 客户", "坏 客户"),
        ("a < b & c", "a < b & c"),
        ("$x^2 > _y$", r"\$x^2 > _y\$"),
        ("_hidden", "'_hidden'"),
        ("", "''"),
        ("two\nlines", r"'two\nlines'"),
        ("x" * 50, f"'{'x' * 37}...'"),
    ],
)
@pytest.mark.filterwarnings("ignore:No installed font has all letters")
def test_a_name_is_shown_as_it_is(name, shown, tmp_path):
    display = RocHullDisplay.from_predictions(Y, SCORE, name=name)
    label = f"{shown}, AUC {display.auc:.3f}"
    assert label in [text.get_text() for text in display.ax_.get_legend().get_texts()]
    save_figure(display.figure_, [tmp_path / "figure.svg"])
    drawn = unescape((tmp_path / "figure.svg").read_text(encoding="utf-8"))
    assert label.replace(r"\$", "$") in drawn


@pytest.mark.parametrize("installed", [[], ["STIXGeneral"]])
def test_chinese_letters_get_a_font_that_has_them_or_a_sentence(installed, tmp_path, monkeypatch):
    monkeypatch.setattr("kappacurve.plots.style.CHINESE", installed)
    display = RocHullDisplay.from_predictions(Y, SCORE, name="坏 客户")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        save_figure(display.figure_, [tmp_path / "figure.pdf"])
    messages = [str(warning.message) for warning in caught]
    assert len(messages) == 1 - len(installed)
    assert all("all letters of '坏 客户" in message for message in messages)
    named = display.ax_.get_legend().get_texts()[0]
    assert named.get_fontfamily()[1:] == installed
    assert display.ax_.xaxis.label.get_fontfamily() == ["sans-serif"]


def test_matplotlib_is_imported_to_draw_only_and_asked_for_where_missing():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from kappacurve.plots import RocHullDisplay\n"
        "display = RocHullDisplay(fpr=[0, 0, 1], tpr=[0, 1, 1], prevalence=0.5)\n"
        "try:\n    display.plot()\nexcept ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "Plots need matplotlib: pip install matplotlib.\n"
