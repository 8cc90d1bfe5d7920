"""What the study's figures promise: widths, one style for each model, the tables' numbers."""

import re
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text
from scipy.stats import norm

from kappacurve.plots.style import save_figure
from study.experiment.measures import evaluate_curves, evaluate_measures, measure_replicates
from study.figures.curves import (
    curve_figures,
    figure_dominating,
    figure_reversing_split,
)
from study.figures.prevalences import figure_prevalences
from study.figures.replicates import (
    figure_measures_by_skew,
    figure_printed,
    figure_reversal_by_skew,
    figure_sensitivity,
)
from study.figures.style import (
    both_columns,
    choose_styles,
    document_column,
    inches_of,
    save_figures,
)
from study.paper.printed import prevalences_table
from study.tables.reversals import RARE, TYPICAL, choose_splits

NAMES = {"majority": "good", "minority": "bad"}
WIDTH = 3.3
SIDES = ("majority", "minority")
LABELS = ("linear", "network")
# AUC and AUK of the linear model and of the network: on curve and hull both, but for the last.
SPLITS = [(0.80, 0.20, 0.70, 0.10), (0.80, 0.20, 0.72, 0.12), (0.80, 0.20, 0.60, 0.02)]
SPLITS += [(0.80, 0.20, 0.79, 0.21), (0.80, 0.20, 0.75, 0.25), (0.80, 0.20, 0.70, 0.30)]


@pytest.fixture(autouse=True)
def _style():
    with document_column({"font": "sans", "width": "240pt"}):
        yield
    plt.close("all")


def cross(**levels):
    return pd.DataFrame(product(*levels.values()), columns=list(levels))


def drawn_intervals(axes):
    """Of each label: the points as (x, y)."""
    handles, labels = axes.get_legend_handles_labels()
    return {
        label: handle.lines[0].get_xydata()
        for label, handle in zip(labels, handles, strict=True)
        if hasattr(handle, "lines")
    }


def looks(axes):
    """Colour, dashes, marker, width and order of each line, in the order of drawing."""
    return [
        (
            line.get_color(),
            line.get_linestyle(),
            line.get_marker(),
            line.get_linewidth(),
            line.get_zorder(),
        )
        for line in axes.lines
    ]


def texts_of(figure):
    """What is written anywhere in a figure, by its text."""
    return {text.get_text(): text for text in figure.findobj(Text)}


def layout_of(legend):
    """Columns, the space between them, and the length of a line."""
    return legend._ncols, legend.columnspacing, legend.handlelength


def spans_of(axes):
    """The ends of each error bar, (x, y) of both."""
    return [part.get_segments() for part in axes.collections if hasattr(part, "get_segments")]


BLUE, RED, GREEN = "#0072B2", "#D55E00", "#009E73"
GOOD, BAD = "#24786B", "#882255"
CHANCE = ("0.55", "--", "None", 0.7, 0)


def test_figure_1_has_the_curves_of_normal_scores():
    figure = figure_dominating([1.8, 0.9], 0.11, width=WIDTH)
    assert figure.get_size_inches() == pytest.approx((3.3, 1.65 + 0.35 + 3 * 0.16))
    roc, kappas = figure.axes
    for axes in (roc, kappas):
        assert looks(axes) == [(BLUE, "-", "None", 1.4, 2), (RED, "--", "None", 1.4, 2), CHANCE]
        assert axes.get_xlim() == (-0.02, 1.02)
        assert axes.get_box_aspect() == 1
        assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "0.5", "1"]
        assert axes.get_xlabel() == "false positive rate $f$"
    assert roc.get_ylim() == (-0.02, 1.02)
    assert roc.get_yticks().tolist() == [0, 0.5, 1]
    assert (roc.get_ylabel(), kappas.get_ylabel()) == ("true positive rate $t$", r"kappa $\kappa$")
    assert [axes.get_title(loc="left") for axes in (roc, kappas)] == ["(a)", "(b)"]
    assert {texts_of(figure)[letter].get_fontweight() for letter in ("(a)", "(b)")} == {"bold"}
    assert layout_of(figure.legends[0]) == (1, 2.0, 2.4)
    for number, distance in enumerate((1.8, 0.9)):
        fpr, tpr = roc.lines[number].get_data()
        assert len(fpr) == 803
        np.testing.assert_allclose(tpr, norm.cdf(norm.ppf(fpr) + distance), atol=1e-9)
        f, kappa = kappas.lines[number].get_data()
        t = norm.cdf(norm.ppf(f) + distance)
        accuracy = 0.11 * t + 0.89 * (1 - f)
        flagged = 0.11 * t + 0.89 * f
        agreed = 0.11 * flagged + 0.89 * (1 - flagged)
        np.testing.assert_allclose(kappa, (accuracy - agreed) / (1 - agreed), atol=2e-3)
    assert roc.lines[2].get_xydata().tolist() == [[0, 0], [1, 1]]
    assert set(kappas.lines[2].get_ydata()) == {0}
    assert [handle.get_linestyle() for handle in figure.legends[0].get_lines()] == ["-", "--"]
    # The areas stand below a name of more than 16 letters.
    (legend,) = figure_dominating([1.85, 1.855], 0.11, width=WIDTH).legends
    assert ["apart:\n" in text.get_text() for text in legend.get_texts()] == [False, True]


@pytest.mark.parametrize(
    ("font", "family", "width"),
    [("sans", "DejaVu Sans", "240pt"), ("serif", "DejaVu Serif", "84.35mm")],
)
def test_a_figure_is_as_wide_as_its_column_in_letters_of_8_points(font, family, width, tmp_path):
    paths = [tmp_path / "a.svg", tmp_path / "b.svg"]
    with document_column({"font": font, "width": width}) as inches:
        for path in paths:
            figure = figure_dominating([1.8, 0.9], 0.5, width=inches)
            (legend,) = figure.legends
            save_figure(figure, [path])
    # At one half the AUK is the AUC less one half; the AUC is Phi(1.8 / sqrt(2)).
    assert legend.get_texts()[0].get_text() == "means 1.8 apart: AUC 0.898, AUK 0.398"
    assert legend.get_title().get_text() == "prevalence 0.5"
    assert inches_of("2.54cm") == inches_of("1in") == inches_of("25.4mm") == 1
    text = paths[0].read_text()
    assert text == paths[1].read_text()  # the same bytes
    assert re.search(r'<svg[^>]*width="239\.1', text)
    assert set(re.findall(r"font-size: (\S+);", text)) == {"8px"}
    assert set(re.findall(r"font-family: '([^']*)'", text)) == {family}


def test_each_figure_is_saved_in_the_files_of_its_name(tmp_path):
    figures = {name: plt.subplots(figsize=(inches, 1))[0] for name, inches in (("a", 2), ("b", 3))}
    save_figures(figures, [f"{tmp_path}/{name}.svg" for name in "ba"])
    widths = [re.search(r'width="([\d.]+)pt', (tmp_path / f"{n}.svg").read_text())[1] for n in "ab"]
    assert widths == ["144", "216"]


def test_a_model_has_one_style_and_no_two_share_one():
    few = choose_styles(["neural_net", "logistic"])
    many = choose_styles(["linear", "mine", "logistic", *(f"own{i}" for i in range(20))])
    assert many["logistic"] == few["logistic"]
    assert len(set(many.values())) == len(many) == 23
    assert len({style.color for style in [*many.values()][:6]}) == 6


def test_figures_2_and_3_have_the_splits_areas_and_the_printed_optimum(kept):
    scores = kept[kept["replicate"] == 0].drop(columns="replicate")
    tables = evaluate_curves(scores), evaluate_measures(scores)
    options = {"sides": SIDES, "models": ["neural_net", "linear", "not_fitted"], "width": WIDTH}
    for cost_ratio, has_printed, stars in ((None, True, 1), (5.0, True, 0), (None, False, 0)):
        options |= {"cost_ratio": cost_ratio, "has_printed": has_printed}
        figures = dict(curve_figures(*tables, NAMES, **options))
        for name, expected in (("figure2_minority", stars), ("figure3_minority", 0)):
            for axes in figures[name].axes:
                assert sum(line.get_marker() == "*" for line in axes.lines) == expected
        at_cost = {"minority": "\nat cost ratio 5", "majority": "\nat cost ratio 0.2"}
        for side in SIDES:
            roc, kappas = figures[f"figure2_{side}"].axes
            assert kappas.get_ylabel() == r"kappa $\kappa$" + (at_cost[side] if cost_ratio else "")
            own = evaluate_measures(scores, cost_ratio=cost_ratio).query("curve == 'hull'")
            row = own.query("model == 'neural_net' and positive_class == @side").iloc[0]
            f, kappa = kappas.lines[0].get_xydata().T
            assert np.trapezoid(kappa, f) == pytest.approx(row["auk"], abs=1e-4)
            assert kappas.lines[1].get_xydata()[0] == pytest.approx([row["fpr"], row["kappa_max"]])
            text = figures[f"figure2_{side}"].legends[0].get_texts()[0].get_text()
            assert text.endswith(f"AUK {row['auk']:.3f}")
        if stars:
            roc, kappas = figures["figure2_majority"].axes
            star = [axes.lines[-1] for axes in (roc, kappas)]
            assert [line.get_xydata().tolist() for line in star] == [[[0.6, 0.928]], [[0.6, 0.328]]]
            assert looks(roc)[-1] == looks(kappas)[-1] == (RED, "None", "*", 1.4, 4)
            assert (star[0].get_markersize(), star[0].get_markeredgecolor()) == (9, "black")
            assert (star[0].get_markerfacecolor(), star[0].get_markeredgewidth()) == (RED, 0.8)
            texts = figures["figure2_majority"].legends[0].get_texts()
            assert texts[-1].get_text() == "network's optimum as printed"
            assert figures["figure2_majority"].get_figheight() == pytest.approx(2.0 + 4 * 0.16)


def test_figures_2_and_3_draw_the_curves_of_the_split_and_their_largest_kappa(kept):
    scores = kept[kept["replicate"] == 0].drop(columns="replicate")
    tables = evaluate_curves(scores), evaluate_measures(scores)
    options = {"sides": SIDES, "models": ["neural_net", "linear", "not_fitted"], "width": WIDTH}
    figures = dict(curve_figures(*tables, NAMES, **options, cost_ratio=None, has_printed=False))
    assert set(figures) == {f"figure{n}_{side}" for n in (2, 3) for side in SIDES}
    styles = choose_styles(["neural_net", "linear"]).values()
    keys = ["model", "positive_class", "curve"]
    curves, measures = (table.set_index(keys) for table in tables)
    for (number, curve), side in product({2: "hull", 3: "raw"}.items(), SIDES):
        figure = figures[f"figure{number}_{side}"]
        roc, kappas = figure.axes
        (legend,) = figure.legends
        share = 30 / 280 if side == "minority" else 250 / 280
        assert legend.get_title().get_text() == f"{NAMES[side]} positive, prevalence {share:.3f}"
        models = zip(("neural_net", "linear"), ("network", "linear"), styles, strict=True)
        for place, (model, label, style) in enumerate(models):
            fpr, tpr = curves.loc[(model, side, curve), ["fpr", "tpr"]].to_numpy().T
            row = measures.loc[(model, side, curve)]
            line, best = roc.lines[2 * place : 2 * place + 2]
            assert line.get_xydata() == pytest.approx(np.column_stack([fpr, tpr]))
            assert line.get_color() == best.get_color() == style.color
            assert line.get_linestyle() == ("-" if curve == "raw" else best_dashes(style))
            assert best.get_xydata() == pytest.approx(row[["fpr", "tpr"]].to_numpy()[None])
            assert best.get_marker() == style.marker
            line, best = kappas.lines[2 * place : 2 * place + 2]
            f, kappa = line.get_xydata().T
            # Between its points the curve is all but straight, so the trapezoid gives the area.
            assert np.trapezoid(kappa, f) == pytest.approx(row["auk"], abs=1e-4)
            assert best.get_xydata()[0] == pytest.approx([row["fpr"], row["kappa_max"]])
            assert line.get_color() == style.color and best.get_marker() == style.marker
            text = f"{label}: AUC {row['auc']:.3f}, AUK {row['auk']:.3f}"
            assert legend.get_texts()[place].get_text() == text
            handle = legend.get_lines()[place]
            assert (handle.get_color(), handle.get_marker()) == (style.color, style.marker)
            assert (handle.get_markersize(), handle.get_markeredgecolor()) == (5, "white")
        for axes in (roc, kappas):
            assert axes.get_xlim() == (-0.02, 1.02) and axes.get_xlabel().startswith("false pos")
        assert roc.get_ylim() == (-0.02, 1.02) and roc.get_ylabel().startswith("true pos")
        assert roc.lines[-1].get_xydata().tolist() == [[0, 0], [1, 1]]
        assert set(kappas.lines[-1].get_ydata()) == {0}


def best_dashes(style):
    """As matplotlib names the dashes of a style."""
    return style.linestyle if isinstance(style.linestyle, str) else "--"


def test_a_long_name_has_its_areas_on_a_line_of_their_own(kept):
    name = "a_long_name_of_a_model"
    scores = kept.query("replicate == 0 and model == 'linear'").assign(model=name)
    scores = scores.drop(columns="replicate")
    tables = evaluate_curves(scores), evaluate_measures(scores)
    options = {"models": [name], "cost_ratio": None, "has_printed": False, "width": WIDTH}
    figures = dict(curve_figures(*tables, NAMES, sides=["minority"], **options))
    assert f"{name}:\nAUC" in figures["figure2_minority"].legends[0].get_texts()[0].get_text()


def test_the_clearest_reversal_stands_beside_a_typical_split():
    places = cross(replicate=range(6), curve=("raw", "hull"), model=("linear", "neural_net"))
    places[["auc", "auk"]] = np.repeat(SPLITS, 2, axis=0).reshape(-1, 2)
    measures = places.assign(positive_class="majority")
    assert choose_splits(measures) == {TYPICAL: 1, RARE: 5}
    for unit in (0.01, 100.0):  # leads count in standard deviations, whatever their unit
        in_unit = measures.assign(auk=unit * measures["auk"])
        assert choose_splits(in_unit) == {TYPICAL: 1, RARE: 5}
    # One that the hulls do not show is none.
    is_last = (measures["replicate"] == 5) & (measures["curve"] == "hull")
    measures.loc[is_last & (measures["model"] == "neural_net"), "auk"] = 0.1
    assert choose_splits(measures) == {TYPICAL: 1, RARE: 4}
    assert choose_splits(measures[measures["replicate"] < 3]) == {TYPICAL: 0}


def test_the_reversing_split_is_drawn_with_its_areas(kept):
    measures = measure_replicates(kept)
    figure = figure_reversing_split(measures, kept, width=WIDTH)
    titles = [axes.get_title(loc="right").strip() for axes in figure.axes]
    chosen = choose_splits(measures)
    assert titles[: len(chosen)] == list(chosen)
    keys = ["replicate", "model", "positive_class", "curve"]
    row = measures.set_index(keys).loc[chosen[TYPICAL], "linear", "majority", "hull"]
    roc, kappas = figure.axes[0], figure.axes[len(chosen)]
    texts = [text.get_text() for axes in (roc, kappas) for text in axes.texts]
    assert texts[::2] == [f"AUC {row['auc']:.3f}", f"AUK {row['auk']:.3f}"]
    for axes in (roc, kappas):
        assert axes.get_box_aspect() == 1
        assert axes.get_xticks().tolist() == [0, 0.5, 1]
        assert [(text.get_color(), text.xy[1]) for text in axes.texts] == [
            (BLUE, 0.13),
            (RED, 0.03),
        ]
        assert {text.xycoords for text in axes.texts} == {"axes fraction"}
        assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "0.5", "1"]
    assert {(text.get_ha(), text.xy[0]) for text in roc.texts} == {("right", 0.97)}
    assert {(text.get_ha(), text.xy[0]) for text in kappas.texts} == {("center", 0.5)}
    assert roc.get_yticks().tolist() == [0, 0.5, 1]
    assert texts_of(figure)[next(iter(chosen))].get_color() == "0.35"
    assert len(figure.axes) == 2 * len(chosen) and layout_of(figure.legends[0])[0] == 2
    thin = [(color, "-", "None", 0.5, 2) for color in (BLUE, RED)]
    thick = [(BLUE, "-", "None", 1.4, 2), (RED, "--", "None", 1.4, 2)]
    assert looks(kappas) == [thin[0], thick[0], thin[1], thick[1]]
    assert looks(roc) == [*looks(kappas), CHANCE]
    raw, hull = roc.lines[0].get_xydata(), roc.lines[1].get_xydata()
    assert len(raw) > len(hull) and np.trapezoid(*hull.T[::-1]) == pytest.approx(row["auc"])
    assert max(kappas.lines[1].get_ydata()) == pytest.approx(row["kappa_max"])
    assert (roc.get_ylabel(), kappas.get_ylabel()) == ("true positive rate $t$", r"kappa $\kappa$")
    assert (roc.get_xlabel(), kappas.get_xlabel()) == ("", "false positive rate $f$")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["linear", "network"]
    assert figure.get_size_inches() == pytest.approx((WIDTH, 1.3 * WIDTH))


def test_printed_areas_are_stars_and_ours_are_intervals():
    """As at a cost ratio, where no AUK is printed; tables in which linear comes second."""
    table = cross(positive_class=SIDES, model=("neural_net", "linear"), measure=("auc", "auk", "h"))
    table["mean"] = 0.7 + 0.01 * np.arange(12)
    table = table.assign(low=table["mean"] - 0.2, high=table["mean"] + 0.1)
    table["printed"] = table["measure"].map({"auc": 0.75})
    auc, auk = figure_printed(table, table, NAMES, width=WIDTH).axes
    stars = [
        line.get_xdata() for axes in (auc, auk) for line in axes.lines if line.get_marker() == "*"
    ]
    assert [[*star] for star in stars[:2]] == [[0.75] * 2] * 2 and np.isnan(stars[2:]).all()
    colors = [line.get_color() for line in auc.lines if line.get_marker() == "*"]
    heights = [line.get_ydata().tolist() for line in auc.lines if line.get_marker() == "*"]
    assert heights == [[0, 2], [1, 3]]  # linear is the first of each table
    assert colors == [style.color for style in choose_styles(["linear", "neural_net"]).values()]
    assert drawn_intervals(auk)["good positive"][:, 0] == pytest.approx([0.74, 0.71] * 2)
    assert drawn_intervals(auk)["bad positive"][:, 0] == pytest.approx([0.80, 0.77] * 2)
    assert drawn_intervals(auc)["our splits"][:, 1] == pytest.approx(np.arange(4))
    assert drawn_intervals(auk)["good positive"][:, 1] == pytest.approx(np.arange(4) - 0.17)
    assert drawn_intervals(auk)["bad positive"][:, 1] == pytest.approx(np.arange(4) + 0.17)
    assert spans_of(auk)[1][1][:, 0] == pytest.approx([0.57, 0.87])
    marks = [(color, marker) for color, _, marker, *_ in looks(auk)]
    assert marks == [(GOOD, "o"), (BAD, "s"), (BLUE, "*"), (RED, "*")]
    assert [label.get_text() for label in auc.get_yticklabels()] == [
        "Table 4, linear",
        "Table 4, network",
        "Table 5, linear",
        "Table 5, network",
    ]
    for axes in (auc, auk):
        assert axes.get_ylim() == (3.55, -0.55)  # the first table above
    assert auk.get_gridspec().get_height_ratios() == (1, 1.25)
    assert auk.figure.get_size_inches() == pytest.approx((WIDTH, 3.4))
    assert [tick.tick1line.get_markersize() for tick in auk.yaxis.get_major_ticks()] == [0] * 4
    assert layout_of(auk.figure.legends[0]) == (3, 1, 1)
    assert looks(auc)[0] == ("0.3", "None", "o", 1.4, 2.1)
    assert drawn_intervals(auc)["our splits"][:, 1].tolist() == [0, 1, 2, 3]
    assert (auc.get_xlabel(), auk.get_xlabel()) == ("AUC", "AUK")
    (legend,) = auc.figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "printed, linear",
        "printed, network",
        "good positive",
        "bad positive",
    ]


LEVELS = {"skew": (0.5, 0.02), "positive_class": SIDES, "curve": ("raw", "hull")}


def make_sweep():
    sweep = cross(**LEVELS, model=("linear", "mine"), measure=("auc", "auk", "h"))
    sweep["mean"] = 0.5 + 0.001 * np.arange(len(sweep))
    return sweep.assign(low=sweep["mean"] - 0.1, high=sweep["mean"] + 0.1)


def test_the_sweep_stands_at_its_shares():
    sweep = make_sweep()
    figure = figure_measures_by_skew(sweep, NAMES, sides=SIDES, width=WIDTH)
    assert figure.get_figwidth() == both_columns(WIDTH)
    raw = "positive_class == 'majority' and curve == 'raw'"
    points = drawn_intervals(figure.axes[2])["mine"]
    expected = sweep.query(f"{raw} and model == 'mine' and measure == 'auk'")["mean"]
    assert points[:, 1] == pytest.approx(expected)
    assert points[:, 0] == pytest.approx([1.175, 0.175])
    assert [label.get_text() for label in figure.axes[2].get_xticklabels()] == ["2 %", "50 %"]
    titles = [axes.get_title(loc="right") for axes in figure.axes]
    assert titles == ["AUC", "H", "AUK, good positive", "AUK, bad positive"]
    assert [axes.lines[-1].get_ydata()[0] for axes in figure.axes] == [0.5, 0, 0, 0]
    for axes in figure.axes:
        assert looks(axes) == [(BLUE, "None", "o", 1.4, 2.1), (RED, "None", "s", 1.4, 2.1), CHANCE]
        bars = np.array(spans_of(axes)[1])
        middle = axes.lines[1].get_xydata()
        assert bars[:, :, 0] == pytest.approx(middle[:, [0, 0]])
        assert bars[:, :, 1] == pytest.approx(middle[:, [1, 1]] + [-0.1, 0.1])
    assert [axes.get_xlabel() for axes in figure.axes] == ["", ""] + ["share of bad rows"] * 2
    assert figure.get_figheight() == 3.8 and layout_of(figure.legends[0])[0] == 6
    assert texts_of(figure)["H"].get_color() == "0.35"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["linear", "mine"]

    table = cross(**LEVELS, pair=("auc-auk", "auc-h", "auk-h"), pattern=("any", "printed"))
    table["share"] = 0.01 * np.arange(1, len(table) + 1)
    table = table.assign(low=table["share"] - 0.01, high=table["share"] + 0.02)
    figure = figure_reversal_by_skew(table, NAMES, sides=SIDES, width=WIDTH)
    axes, below = figure.axes
    assert looks(axes) == looks(below) == [("0.3", "None", "o", 1.4, 2.1)]
    assert axes.get_ylim() == below.get_ylim() and axes.get_ylim()[0] == -1
    assert (below.get_xlabel(), below.get_title(loc="right")) == (
        "share of bad rows",
        "bad positive",
    )
    label = texts_of(figure)["splits in which AUC and AUK disagree (%)"]
    assert (label.get_fontsize(), label.get_rotation()) == (8, 90)
    assert figure.get_size_inches() == pytest.approx((WIDTH, 0.6 + 2 * 1.3))
    assert spans_of(axes)[0][0][:, 1] == pytest.approx([0, 3])
    expected = 100 * table.query(f"{raw} and pair == 'auc-auk' and pattern == 'any'")["share"]
    assert list(drawn_intervals(axes)) == ["AUC and AUK"]
    assert drawn_intervals(axes)["AUC and AUK"][:, 1] == pytest.approx(expected)
    assert drawn_intervals(axes)["AUC and AUK"][:, 0] == pytest.approx([1, 0])
    assert axes.get_title(loc="right") == "good positive"


def test_own_data_are_drawn_with_the_positive_class_alone():
    sweep = make_sweep()
    figure = figure_measures_by_skew(sweep, NAMES, sides=["minority"], width=WIDTH)
    titles = [axes.get_title(loc="right") for axes in figure.axes]
    assert titles == ["AUC", "H", "AUK, bad positive"]
    assert [axes.get_xlabel() for axes in figure.axes] == ["share of bad rows"] * 3
    assert figure.get_figheight() == 2
    own = sweep.query("curve == 'raw' and positive_class == 'minority' and model == 'mine'")
    for axes, measure in zip(figure.axes, ("auc", "h", "auk"), strict=True):
        expected = own.loc[own["measure"] == measure, "mean"]
        assert drawn_intervals(axes)["mine"][:, 1] == pytest.approx(expected)

    table = cross(skew=(0.5, 0.02), positive_class=SIDES)
    table = table.assign(curve="raw", pair="auc-auk", pattern="any", share=[0.1, 0.2, 0.3, 0.4])
    table = table.assign(low=0.0, high=1.0)
    (axes,) = figure_reversal_by_skew(table, NAMES, sides=["minority"], width=WIDTH).axes
    assert axes.get_title(loc="right") == "bad positive" and axes.get_title(loc="left") == ""
    assert drawn_intervals(axes)["AUC and AUK"] == pytest.approx(np.array([[1, 20], [0, 40]]))
    assert axes.get_xlabel() == "share of bad rows"
    assert axes.figure.get_supylabel() == "splits in which\nAUC and AUK disagree (%)"


def test_many_models_have_a_legend_of_several_lines():
    sweep = make_sweep()
    names = [f"a_long_name_of_model_{number}" for number in range(7)]
    many = pd.concat(sweep[sweep["model"] == "linear"].assign(model=name) for name in names)
    few, more = (
        figure_measures_by_skew(table, NAMES, sides=SIDES, width=WIDTH) for table in (sweep, many)
    )
    assert more.get_figheight() > few.get_figheight()
    more.canvas.draw()
    box = more.legends[0].get_window_extent()
    assert box.x0 >= 0 and box.x1 <= more.bbox.x1
    assert box.y1 < min(axes.bbox.y0 for axes in more.axes)
    # At 0.07 inches a letter and 0.4 for the line, 22 letters are 1.94 of 6.74 inches.
    assert layout_of(more.legends[0])[0] == 3
    assert more.get_figheight() == pytest.approx(3.8 + 2 * 0.16)


def test_changes_stand_below_each_other_without_those_that_are_missing():
    columns = ["scenario", "replicates", "share", "low", "high", "distance", "splits_farther"]
    rows = [("paper", 1000, 0.009, 0.005, 0.017, 3.3, 202), ("768_rows", 0, *[np.nan] * 5)]
    rows += [("one_hot", 1, 0.035, 0.017, 0.070, np.nan, 94)]
    table = pd.DataFrame(rows, columns=columns)
    (reversal,) = figure_sensitivity(table, width=WIDTH).axes
    assert [label.get_text() for label in reversal.get_yticklabels()] == ["paper", "one hot"]
    assert reversal.containers[0].lines[0].get_xydata() == pytest.approx(
        np.array([[0.9, 0], [3.5, 1]])
    )
    assert spans_of(reversal)[0][0] == pytest.approx(np.array([[0.5, 0], [1.7, 0]]))
    assert reversal.get_xlim() == pytest.approx((-0.35, 7.35))
    assert reversal.get_ylim() == (1.5, -0.5)
    assert reversal.get_xlabel() == "splits reversed as printed (%)"
    assert reversal.figure.get_size_inches() == pytest.approx((WIDTH, 1.2))
    assert looks(reversal) == [("0.3", "None", "o", 1.4, 2.1)]
    assert reversal.lines[0].get_markersize() == 4
    assert reversal.collections[0].get_linewidths().tolist() == [1]
    # A share of none is drawn within one percent.
    none = figure_sensitivity(table.assign(share=0.0, low=0.0, high=0.002), width=WIDTH)
    assert none.axes[0].get_xlim() == pytest.approx((-0.05, 1.05))


def test_prevalences_mark_whether_a_printed_number_fits_either_share():
    figure = figure_prevalences(prevalences_table(), width=WIDTH)
    (axes,) = figure.axes
    bars = [path.get_extents() for part in axes.collections[1::2] for path in part.get_paths()]
    ends = [bar.intervalx for bar in bars if round(bar.y0 + 0.31) == 0]  # Table 4, linear
    assert np.ravel(ends) == pytest.approx([13.8469, 22.0367, 84.1695, 100], abs=1e-4)
    points = [line for line in axes.lines if len(line.get_xydata()) == 1]
    marks = {tuple(line.get_xydata()[0]): line.get_marker() for line in points}
    assert [marks[89, height] for height in range(5)] == ["o"] * 5
    assert [marks[11, height] for height in range(5)] == ["X", "X", "o", "X", "X"]
    assert [bar.intervaly for bar in bars[:2]] == [pytest.approx([-0.31, 0.31])] * 2
    assert {(line.get_xdata()[0], line.get_color()) for line in axes.lines} == {
        (11, BAD),
        (89, GOOD),
    }
    assert axes.get_xlim() == (0, 100) and axes.get_ylim() == (4.55, -0.5)
    assert axes.get_xticks().tolist() == [0, 25, 50, 75, 100]
    assert axes.get_xlabel() == "share of positives (%)"
    assert figure.get_size_inches() == pytest.approx((WIDTH, 0.72 * WIDTH))
    assert {text.get_fontsize() for text in axes.texts} == {7}
    assert {line.get_markersize() for line in points} == {5}
    assert looks(axes)[-2:] == [(BAD, "-", "None", 1.1, 3), (GOOD, "-", "None", 1.1, 3)]
    places = {text.get_text(): (text.get_position(), text.get_color()) for text in axes.texts}
    assert places["Table 4, network"][0] == pytest.approx((-3, 0.83))
    assert places["AUK 0.1753"] == (pytest.approx((-3, 1.23)), "0.35")
    assert places["bad customers\npositive, 11 %"] == (pytest.approx((11, -0.62)), BAD)
    assert places["good customers\npositive, 89 %"] == ((101.5, -0.62), GOOD)
    texts = [text.get_text() for text in axes.texts]
    assert texts[:2] == ["Table 4, linear", "AUK 0.1672"] and "kappa 0.328" in texts
    assert figure.get_suptitle() == "The printed numbers fit 89 % positives, not 11 %"
    assert {text.get_ha() for text in axes.texts[:10]} == {"right"}
    assert [text.get_ha() for text in axes.texts[10:]] == ["center", "right"]
    assert [text.get_va() for text in axes.texts[9:]] == ["center", "bottom", "bottom"]
    assert not axes.spines["left"].get_visible() and axes.get_yticks().tolist() == []
    assert {(line.get_markeredgecolor(), line.get_markeredgewidth()) for line in points} == {
        ("white", 0.6)
    }
    assert {line.get_zorder() for line in points} == {4}
    grounds, spans = axes.collections[::2], axes.collections[1::2]
    assert [part.get_zorder() for part in (grounds[0], spans[0])] == [0, 1]
    assert to_hex(grounds[0].get_facecolor()[0]) == to_hex("0.94")
    assert to_hex(spans[0].get_facecolor()[0]) == to_hex(BLUE)
    assert {part.get_linewidths()[0] for part in axes.collections} == {0}
    assert [path.get_extents().intervalx.tolist() for path in grounds[0].get_paths()] == [[0, 100]]
    title = texts_of(figure)["The printed numbers fit 89 % positives, not 11 %"]
    assert (title.get_position()[0], title.get_ha(), title.get_fontsize()) == (0.01, "left", 8)
    assert title.get_fontweight() == "bold"
    wider = prevalences_table().assign(low=0.0, high=1.0)
    assert figure_prevalences(wider, width=WIDTH).get_suptitle() == ""
    but_one = wider.assign(low=np.where(wider["place"] == "Section 8", 0.5, 0))
    assert figure_prevalences(but_one, width=WIDTH).get_suptitle() == title.get_text()
