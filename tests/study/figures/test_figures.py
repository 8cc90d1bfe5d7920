"""What the study's figures promise: widths, one style for each model, the tables' numbers."""

import re
from itertools import product
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Annotation, Text
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


def spans_of(axes):
    """The ends of each error bar, (x, y) of both."""
    return [part.get_segments() for part in axes.collections if hasattr(part, "get_segments")]


# ---- how figures look ----

DRAWN = Path(__file__).with_name("drawn.txt")


def write_numbers(values):
    """Numbers of at most three decimals, without a sign of zero."""
    return " ".join(f"{value:.3f}".rstrip("0").rstrip(".") for value in np.ravel(values) + 0.0)


def describe(figure):
    """A line for each thing that is drawn: what it is, where, and in which style."""
    yield f"inches {write_numbers(figure.get_size_inches())}"
    for legend in figure.legends:
        yield f"legend {legend._ncols} columns, {legend.columnspacing:g} {legend.handlelength:g}"
        yield from map(describe_line, legend.get_lines())
    for axes in figure.axes:
        ends = [*axes.get_xlim(), *axes.get_ylim(), axes.get_box_aspect() or 0]
        ticks = write_numbers(axes.get_xticks()), write_numbers(axes.get_yticks())
        marks = {tick.tick1line.get_markersize() for tick in axes.yaxis.get_major_ticks()}
        spines = [name for name, spine in axes.spines.items() if spine.get_visible()]
        yield f"axes {write_numbers(ends)}, ticks {ticks} {marks}, {' '.join(spines)}"
        yield from map(describe_line, axes.lines)
        for part in axes.collections:
            ends = [path.get_extents().get_points() for path in part.get_paths()]
            colors = [to_hex(color) for color in [*part.get_facecolor(), *part.get_edgecolor()]]
            yield f"area {colors} {part.get_linewidths()} {part.zorder} {write_numbers(ends)}"
        for text in axes.texts:
            place = text.xy if isinstance(text, Annotation) else text.get_position()
            yield f"at {getattr(text, 'xycoords', 'data')} {write_numbers(place)}"
            yield describe_text(text)
    texts = [text for text in figure.findobj(Text) if text.get_text()]
    yield from dict.fromkeys(map(describe_text, texts))


def describe_line(line):
    """Its style, and five of its points."""
    edge = to_hex(line.get_markeredgecolor()), line.get_markeredgewidth()
    style = [line.get_linestyle(), line.get_linewidth(), line.get_zorder(), line.get_marker()]
    style += [line.get_markersize(), to_hex(line.get_markerfacecolor()), *edge]
    points = line.get_xydata()
    some = points[np.linspace(0, len(points) - 1, min(len(points), 5)).astype(int)]
    color = to_hex(line.get_color())
    return f"line {color} {style}, {len(points)} points {write_numbers(some)}"


def describe_text(text):
    look = text.get_color(), text.get_fontsize(), text.get_fontweight(), text.get_rotation()
    return f"text {text.get_text()!r} {look} {text.get_ha()} {text.get_va()}"


@pytest.fixture
def figures(kept):
    """Every figure by its name, from tables made by hand and from kept scores."""
    scores = kept[kept["replicate"] == 0].drop(columns="replicate")
    split = evaluate_curves(scores), evaluate_measures(scores)
    curves = {"sides": SIDES, "models": ["neural_net", "linear"], "width": WIDTH}
    look = {"sides": SIDES, "width": WIDTH}
    return {
        "figure1": figure_dominating([1.8, 0.9], 0.11, width=WIDTH),
        **dict(curve_figures(*split, NAMES, **curves, cost_ratio=None, has_printed=True)),
        "reversing_split": figure_reversing_split(measure_replicates(kept), kept, width=WIDTH),
        "printed": figure_printed(make_areas(), make_areas(), NAMES, width=WIDTH),
        "measures_by_skew": figure_measures_by_skew(make_sweep(), NAMES, **look),
        "reversal_by_skew": figure_reversal_by_skew(make_reversals(), NAMES, **look),
        "sensitivity": figure_sensitivity(make_changes(), width=WIDTH),
        "prevalences": figure_prevalences(prevalences_table(), NAMES, width=WIDTH),
    }


def test_figures_look_as_they_did(figures, tmp_path):
    """Places, colours, letters and words; what numbers are drawn is tested below."""
    lines = [f"{name}: {line}" for name, figure in figures.items() for line in describe(figure)]
    (tmp_path / DRAWN.name).write_text("\n".join([*lines, ""]), encoding="utf-8")
    expected = DRAWN.read_text(encoding="utf-8").splitlines()
    assert lines == expected, f"if this is meant: cp {tmp_path / DRAWN.name} {DRAWN}"


# ---- what they show ----


def test_figure_1_has_the_curves_of_normal_scores():
    figure = figure_dominating([1.8, 0.9], 0.11, width=WIDTH)
    roc, kappas = figure.axes
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


def test_figures_2_and_3_draw_the_curves_of_the_split_and_their_largest_kappa(kept):
    scores = kept[kept["replicate"] == 0].drop(columns="replicate")
    tables = evaluate_curves(scores), evaluate_measures(scores)
    options = {"sides": SIDES, "models": ["neural_net", "linear", "not_fitted"], "width": WIDTH}
    figures = dict(curve_figures(*tables, NAMES, **options, cost_ratio=None, has_printed=False))
    assert set(figures) == {f"figure{n}_{side}" for n in (2, 3) for side in SIDES}
    keys = ["model", "positive_class", "curve"]
    curves, measures = (table.set_index(keys) for table in tables)
    for (number, curve), side in product({2: "hull", 3: "raw"}.items(), SIDES):
        figure = figures[f"figure{number}_{side}"]
        roc, kappas = figure.axes
        (legend,) = figure.legends
        share = 30 / 280 if side == "minority" else 250 / 280
        assert legend.get_title().get_text() == f"{NAMES[side]} positive, prevalence {share:.3f}"
        for place, (model, label) in enumerate(
            {"neural_net": "network", "linear": "linear"}.items()
        ):
            fpr, tpr = curves.loc[(model, side, curve), ["fpr", "tpr"]].to_numpy().T
            row = measures.loc[(model, side, curve)]
            line, best = roc.lines[2 * place : 2 * place + 2]
            assert line.get_xydata() == pytest.approx(np.column_stack([fpr, tpr]))
            assert best.get_xydata() == pytest.approx(row[["fpr", "tpr"]].to_numpy()[None])
            line, best = kappas.lines[2 * place : 2 * place + 2]
            f, kappa = line.get_xydata().T
            # Between its points the curve is all but straight, so the trapezoid gives the area.
            assert np.trapezoid(kappa, f) == pytest.approx(row["auk"], abs=1e-4)
            assert best.get_xydata()[0] == pytest.approx([row["fpr"], row["kappa_max"]])
            text = f"{label}: AUC {row['auc']:.3f}, AUK {row['auk']:.3f}"
            assert legend.get_texts()[place].get_text() == text


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


@pytest.mark.parametrize(
    "setting", [{}, {"prevalence": 0.05, "cost_ratio": 5}], ids=["test rows", "stated"]
)
def test_the_reversing_split_is_drawn_with_its_areas(kept, setting):
    measures = measure_replicates(kept, **setting)
    figure = figure_reversing_split(measures, kept, width=WIDTH, **setting)
    titles = [axes.get_title(loc="right").strip() for axes in figure.axes]
    chosen = choose_splits(measures)
    assert titles[: len(chosen)] == list(chosen)
    keys = ["replicate", "model", "positive_class", "curve"]
    row = measures.set_index(keys).loc[chosen[TYPICAL], "linear", "majority", "hull"]
    roc, kappas = figure.axes[0], figure.axes[len(chosen)]
    texts = [text.get_text() for axes in (roc, kappas) for text in axes.texts]
    assert texts[::2] == [f"AUC {row['auc']:.3f}", f"AUK {row['auk']:.3f}"]
    raw, hull = roc.lines[0].get_xydata(), roc.lines[1].get_xydata()
    assert len(raw) > len(hull) and np.trapezoid(*hull.T[::-1]) == pytest.approx(row["auc"])
    assert max(kappas.lines[1].get_ydata()) == pytest.approx(row["kappa_max"])


def make_areas():
    """As at a cost ratio, where no AUK is printed; tables in which linear comes second."""
    table = cross(positive_class=SIDES, model=("neural_net", "linear"), measure=("auc", "auk", "h"))
    table["mean"] = 0.7 + 0.01 * np.arange(12)
    table = table.assign(low=table["mean"] - 0.2, high=table["mean"] + 0.1)
    return table.assign(printed=table["measure"].map({"auc": 0.75}))


def test_printed_areas_are_stars_and_ours_are_intervals(figures):
    auc, auk = figures["printed"].axes
    stars = [
        line.get_xdata() for axes in (auc, auk) for line in axes.lines if line.get_marker() == "*"
    ]
    assert [[*star] for star in stars[:2]] == [[0.75] * 2] * 2 and np.isnan(stars[2:]).all()
    heights = [line.get_ydata().tolist() for line in auc.lines if line.get_marker() == "*"]
    assert heights == [[0, 2], [1, 3]]  # linear is the first of each table
    assert drawn_intervals(auk)["good positive"][:, 0] == pytest.approx([0.74, 0.71] * 2)
    assert drawn_intervals(auk)["bad positive"][:, 0] == pytest.approx([0.80, 0.77] * 2)
    assert drawn_intervals(auc)["our splits"][:, 1] == pytest.approx(np.arange(4))
    assert drawn_intervals(auk)["good positive"][:, 1] == pytest.approx(np.arange(4) - 0.17)
    assert drawn_intervals(auk)["bad positive"][:, 1] == pytest.approx(np.arange(4) + 0.17)
    assert spans_of(auk)[1][1][:, 0] == pytest.approx([0.57, 0.87])


LEVELS = {"skew": (0.5, 0.02), "positive_class": SIDES, "curve": ("raw", "hull")}


def make_sweep():
    sweep = cross(**LEVELS, model=("linear", "mine"), measure=("auc", "auk", "h"))
    sweep["mean"] = 0.5 + 0.001 * np.arange(len(sweep))
    return sweep.assign(low=sweep["mean"] - 0.1, high=sweep["mean"] + 0.1)


def make_reversals():
    table = cross(**LEVELS, pair=("auc-auk", "auc-h", "auk-h"), pattern=("any", "printed"))
    table["share"] = 0.01 * np.arange(1, len(table) + 1)
    return table.assign(low=table["share"] - 0.01, high=table["share"] + 0.02)


def test_the_sweep_stands_at_its_shares(figures):
    figure = figures["measures_by_skew"]
    assert figure.get_figwidth() == both_columns(WIDTH)
    raw = "positive_class == 'majority' and curve == 'raw'"
    points = drawn_intervals(figure.axes[2])["mine"]
    expected = make_sweep().query(f"{raw} and model == 'mine' and measure == 'auk'")["mean"]
    assert points[:, 1] == pytest.approx(expected)
    assert points[:, 0] == pytest.approx([1.175, 0.175])
    assert [axes.lines[-1].get_ydata()[0] for axes in figure.axes] == [0.5, 0, 0, 0]
    for axes in figure.axes:
        bars = np.array(spans_of(axes)[1])
        middle = axes.lines[1].get_xydata()
        assert bars[:, :, 0] == pytest.approx(middle[:, [0, 0]])
        assert bars[:, :, 1] == pytest.approx(middle[:, [1, 1]] + [-0.1, 0.1])

    axes, below = figures["reversal_by_skew"].axes
    assert axes.get_ylim() == below.get_ylim()
    assert spans_of(axes)[0][0][:, 1] == pytest.approx([0, 3])
    expected = make_reversals().query(f"{raw} and pair == 'auc-auk' and pattern == 'any'")["share"]
    assert list(drawn_intervals(axes)) == ["AUC and AUK"]
    assert drawn_intervals(axes)["AUC and AUK"][:, 1] == pytest.approx(100 * expected)
    assert drawn_intervals(axes)["AUC and AUK"][:, 0] == pytest.approx([1, 0])


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
    assert more.legends[0]._ncols == 3
    assert more.get_figheight() == pytest.approx(3.8 + 2 * 0.16)


def make_changes():
    columns = ["scenario", "replicates", "share", "low", "high", "distance", "splits_farther"]
    rows = [("paper", 1000, 0.009, 0.005, 0.017, 3.3, 202), ("768_rows", 0, *[np.nan] * 5)]
    rows += [("one_hot", 1, 0.035, 0.017, 0.070, np.nan, 94)]
    return pd.DataFrame(rows, columns=columns)


def test_changes_stand_below_each_other_without_those_that_are_missing(figures):
    (reversal,) = figures["sensitivity"].axes
    assert [label.get_text() for label in reversal.get_yticklabels()] == ["paper", "one hot"]
    assert reversal.containers[0].lines[0].get_xydata() == pytest.approx(
        np.array([[0.9, 0], [3.5, 1]])
    )
    assert spans_of(reversal)[0][0] == pytest.approx(np.array([[0.5, 0], [1.7, 0]]))
    # A share of none is drawn within one percent.
    none = figure_sensitivity(make_changes().assign(share=0.0, low=0.0, high=0.002), width=WIDTH)
    assert none.axes[0].get_xlim() == pytest.approx((-0.05, 1.05))


def test_prevalences_mark_whether_a_printed_number_fits_either_share(figures):
    (axes,) = figures["prevalences"].axes
    bars = [path.get_extents() for part in axes.collections[1::2] for path in part.get_paths()]
    ends = [bar.intervalx for bar in bars if round(bar.y0 + 0.31) == 0]  # Table 4, linear
    assert np.ravel(ends) == pytest.approx([13.8469, 22.0367, 84.1695, 100], abs=1e-4)
    points = [line for line in axes.lines if len(line.get_xydata()) == 1]
    marks = {tuple(line.get_xydata()[0]): line.get_marker() for line in points}
    assert [marks[89, height] for height in range(5)] == ["o"] * 5
    assert [marks[11, height] for height in range(5)] == ["X", "X", "o", "X", "X"]
    title = "The printed numbers fit 89 % positives, not 11 %"
    assert figures["prevalences"].get_suptitle() == title
    wider = prevalences_table().assign(low=0.0, high=1.0)
    assert figure_prevalences(wider, NAMES, width=WIDTH).get_suptitle() == ""
    but_one = wider.assign(low=np.where(wider["place"] == "Section 8", 0.5, 0))
    assert figure_prevalences(but_one, NAMES, width=WIDTH).get_suptitle() == title
