"""The four plots of the explorer page, empty: the page fills their named sources."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from bokeh.core.types import ID
from bokeh.embed import json_item
from bokeh.models import ColumnDataSource, CustomJS, FixedTicker, Range1d
from bokeh.plotting import figure

from study.pages.explorer import LINE_WIDTH

_ID = re.compile(r'"p\d+"')
GREY = "#8a8f98"  # on white and on black
# Where the pointer is, in the plot's own units, for the page's script.
POINTED = """
const detail = {plot: name, x: cb_obj.x, y: cb_obj.y};
document.dispatchEvent(new CustomEvent("explorer-pointed", {detail}));
"""
BANDS = {"monotone": GREY, "concave": "#56B4E9"}


def explorer_plots() -> dict[str, Any]:
    """ROC curve, kappa curve, AUK over prevalence, and the plane of AUC and AUK.

    Returns
    -------
    dict of str to dict
        For each plot what ``Bokeh.embed.embed_item`` takes; its target is the element of the
        same name. Sources are called ``{plot}_{part}``. The same each time.
    """
    plots = {
        "roc": _curves("roc", "false positive rate f", "true positive rate t"),
        "kappa": _curves("kappa", "false positive rate f", "Cohen's kappa"),
        "prevalence-plot": _over_prevalence(),
        "plane": _plane(),
    }
    return _renumbered({name: json_item(plot, ID(name)) for name, plot in plots.items()})


def _renumbered(items: dict[str, Any]) -> dict[str, Any]:
    """The same with ids from p1 on; bokeh's own count on from what the process made before."""
    text = json.dumps(items)
    fresh = {old: f'"p{i}"' for i, old in enumerate(dict.fromkeys(_ID.findall(text)), start=1)}
    renumbered: dict[str, Any] = json.loads(_ID.sub(lambda found: fresh[found[0]], text))
    return renumbered


def _figure(name: str, x_label: str, y_label: str, x_range: tuple[float, float]) -> Any:
    plot = figure(
        name=name,
        x_axis_label=x_label,
        y_axis_label=y_label,
        x_range=Range1d(start=x_range[0], end=x_range[1]),
        y_range=Range1d(start=0, end=1),
        height=340,
        sizing_mode="stretch_width",
        tools="",
        toolbar_location=None,
        output_backend="canvas",
    )
    plot.axis.axis_label_text_font_style = "normal"
    plot.axis.axis_label_text_font_size = "14px"
    plot.axis.major_label_text_font_size = "13px"
    plot.axis.minor_tick_line_color = None
    # The page sets them within the range: of one beyond it a browser may show a sliver.
    plot.yaxis.ticker = FixedTicker(ticks=[])
    plot.outline_line_color = None
    plot.background_fill_color = plot.border_fill_color = None  # the page's own shows through
    return plot


def _source(name: str, columns: Sequence[str]) -> ColumnDataSource:
    return ColumnDataSource({column: [] for column in columns}, name=name)


def _add_lines(plot: Any, **changes: Any) -> None:
    source = _source(f"{plot.name}_lines", ["xs", "ys", "color", "dash"])
    look: dict[str, Any] = {"line_color": "color", "line_dash": "dash", "line_width": LINE_WIDTH}
    plot.multi_line("xs", "ys", source=source, **(look | changes))


def _add_marks(plot: Any, part: str, **changes: Any) -> None:
    source = _source(f"{plot.name}_{part}", ["x", "y", "marker", "fill", "line"])
    look: dict[str, Any] = {"fill_color": "fill", "line_color": "line", "marker": "marker"}
    plot.scatter("x", "y", source=source, **(look | {"size": 12} | changes))


def _add_reference(plot: Any, x: Sequence[float], y: Sequence[float]) -> None:
    plot.line(list(x), list(y), line_color=GREY, line_dash=[3, 3])


def _curves(name: str, x_label: str, y_label: str) -> Any:
    """A curve of each model over f; where kappa is largest; the operating point as a ring."""
    plot = _figure(name, x_label, y_label, (-0.02, 1.02))
    _add_reference(plot, (0, 1), (0, 1) if name == "roc" else (0, 0))
    equal_kappa = _source(f"{name}_equal", ["x", "y"])
    plot.line("x", "y", source=equal_kappa, line_color=GREY, line_width=1.5)
    _add_lines(plot)
    _add_marks(plot, "marks")
    _add_marks(plot, "printed", size=18)
    _add_marks(plot, "point", size=19, line_width=3, fill_alpha=0)
    for event in ("mousemove", "tap"):
        plot.js_on_event(event, CustomJS(args={"name": name}, code=POINTED))
    return plot


def _over_prevalence() -> Any:
    """AUK of each model at every prevalence; where AUC and AUK disagree; where the lines cross."""
    plot = _figure("prevalence", "prevalence p of the positive class", "AUK", (0, 1))
    disagree = _source("prevalence_disagree", ["x0", "x1"])
    look = {"fill_alpha": 0.3, "line_color": None, "hatch_pattern": "/", "hatch_alpha": 0.35}
    plot.vstrip("x0", "x1", source=disagree, fill_color="#E69F00", hatch_color=GREY, **look)
    plot.vspan("x", source=_source("prevalence_now", ["x"]), line_color=GREY, line_width=2)
    _add_lines(plot)
    _add_marks(plot, "marks")
    _add_marks(plot, "crossings", size=17, line_width=3, fill_alpha=0)
    return plot


def _plane() -> Any:
    """The AUKs that an AUC allows, the published pairs and our models."""
    plot = _figure("plane", "AUC", "AUK", (0.6, 0.9))
    for kind, color in BANDS.items():
        band = _source(f"plane_{kind}", ["x", "lower", "upper"])
        plot.varea("x", "lower", "upper", source=band, fill_color=color, fill_alpha=0.3)
        for edge in ("lower", "upper"):
            plot.line("x", edge, source=band, line_color=color, line_width=1.5)
    _add_marks(plot, "published", size=14, line_width=2.5)
    labels = _source(
        "plane_labels", ["x", "y", "text", "align", "right", "down", "color", "behind"]
    )
    plot.text(
        "x",
        "y",
        "text",
        source=labels,
        text_align="align",
        text_baseline="middle",
        x_offset="right",
        y_offset="down",
        text_color="color",
        background_fill_color="behind",
        background_fill_alpha=0.6,
        text_font_size="13px",
    )
    _add_marks(plot, "ours", size=11)  # no label covers them
    return plot
