"""The plots of the explorer page, empty but for their axes and looks."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

# Seen on a light and on a dark page, as the colours of models are.
GREY = "#7d838c"
FONT = "system-ui, sans-serif"  # that of the page around the plots
BANDS = {"raw": GREY, "hull": "#2E8FC9"}


def explorer_plots(limits: dict[str, Any]) -> list[Any]:
    """The plots, empty but for their ranges: the script fills their sources by name."""
    from bokeh.core.types import ID
    from bokeh.embed import json_item

    share = (-0.02, 1.02)
    axes: dict[str, Any] = {
        "roc": ("false positive rate f", share, "true positive rate t", share),
        "kappa": ("false positive rate f", share, "kappa", limits["kappa"]),
        "over": ("prevalence of the positive class", share, "AUK", limits["auk"]),
        "cost": ("cost c of a missed positive", share, "AUK", limits["auk"]),
        "benefit": ("threshold probability \u03c4", share, "net benefit", share),
        "plane": ("AUC", limits["auc"], "AUK", limits["auk"]),
    }
    plots = {name: _figure(name, *labels_and_ranges) for name, labels_and_ranges in axes.items()}
    _fill(plots)
    text = json.dumps([json_item(plot, ID(name)) for name, plot in plots.items()])
    # Bokeh counts on from what the process made before. No word of the user's is in this text.
    ids = re.compile(r'"p\d+"')
    fresh = {old: f'"p{i}"' for i, old in enumerate(dict.fromkeys(ids.findall(text)))}
    renumbered: list[Any] = json.loads(ids.sub(lambda found: fresh[found[0]], text))
    return renumbered


def _figure(name: str, x: str, x_range: Any, y: str, y_range: Any) -> Any:
    from bokeh.plotting import figure

    options: dict[str, Any] = {"x_axis_label": x, "x_range": x_range}
    options |= {"y_axis_label": y, "y_range": y_range, "toolbar_location": None}
    plot: Any = figure(name=name, height=340, sizing_mode="stretch_width", tools="", **options)
    plot.axis.axis_label_text_font = plot.axis.major_label_text_font = FONT
    plot.axis.axis_label_text_font_style = "normal"
    plot.axis.axis_label_text_font_size = "14px"
    plot.axis.major_label_text_font_size = "13px"
    plot.axis.minor_tick_line_color = None
    plot.outline_line_color = plot.background_fill_color = plot.border_fill_color = None
    return plot


def _fill(plots: Mapping[str, Any]) -> None:
    """Bands and lines first, then curves and marks, in the order in which they cover each other."""
    dotted: dict[str, Any] = {"line_color": GREY, "line_dash": [3, 3]}
    plots["roc"].line([0, 1], [0, 1], **dotted)
    plots["kappa"].line([0, 1], [0, 0], **dotted)
    look: dict[str, Any] = {"fill_alpha": 0.12, "line_color": None, "hatch_pattern": "/"}
    look |= {"hatch_alpha": 0.3, "fill_color": "#E69F00", "hatch_color": GREY}
    for name in ("over", "cost"):
        plots[name].vstrip("x0", "x1", source=_source(f"{name}-disagree", "x0 x1"), **look)
        plots[name].vspan("x", source=_source(f"{name}-now", "x"), line_color=GREY, line_width=2)
    plots["cost"].vspan("x", source=_source("cost-named", "x"), **dotted)
    plots["benefit"].vspan("x", source=_source("benefit-now", "x"), line_color=GREY, line_width=2)
    plots["benefit"].multi_line("xs", "ys", source=_source("benefit-defaults", "xs ys"), **dotted)
    for kind, color in BANDS.items():
        source = _source(f"plane-{kind}", "x lower upper")
        plots["plane"].varea("x", "lower", "upper", source=source, color=color, alpha=0.3)
        for edge in ("lower", "upper"):
            plots["plane"].line("x", edge, source=source, color=color, line_width=1.5)
    look = {"x_offset": -10, "text_align": "right", "text_baseline": "middle"}
    source = _source("plane-labels", "x y text color")
    plots["plane"].text(
        "x", "y", "text", source=source, text_font_size="13px", text_color="color", **look
    )
    for name, plot in plots.items():
        if name != "plane":
            look = {"fill_color": "color", "fill_alpha": 0.15, "line_color": None}
            plot.patches("xs", "ys", source=_source(f"{name}-bands", "xs ys color"), **look)
            source = _source(f"{name}-lines", "xs ys color dash")
            look = {"line_color": "color", "line_dash": "dash", "line_width": 2}
            plot.multi_line("xs", "ys", source=source, **look)
        source = _source(f"{name}-marks", "x y marker fill line size width")
        look = {"fill_color": "fill", "line_color": "line", "line_width": "width"}
        plot.scatter("x", "y", source=source, marker="marker", size="size", **look)


def _source(name: str, columns: str) -> Any:
    from bokeh.models import ColumnDataSource

    return ColumnDataSource({column: [] for column in columns.split()}, name=name)
