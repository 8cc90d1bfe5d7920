"""Specification curves: a result under every combination of choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from kappacurve.plots.style import TWO_COLUMNS, house_style, letter, line_styles

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


def plot_specifications(
    table: pd.DataFrame,
    value: str,
    choices: Mapping[str, str],
    *,
    group: str | None = None,
    labels: Mapping[str, str] | None = None,
    ylabel: str | None = None,
) -> Figure:
    """A specification curve: a result under every combination of choices (a), and the choices (b).

    Parameters
    ----------
    table : DataFrame
        One row per combination. They are drawn by growing `value`.
    value : str
        Column of the result.
    choices : mapping of str to str
        Columns of the choices, and what to call them. Those with one level are left out.
    group : str, optional
        Column whose levels have colours and markers of their own, at most 36.
    labels : mapping of str to str, optional
        What to call levels; the levels of the group take their styles in this order.
    ylabel : str, optional
        By default the column's name.

    Raises
    ------
    ValueError
        If a column is missing, or the group has more than 36 levels.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"coding": ["a", "b"], "rows": [768, 786], "distance": [4.0, 3.0]})
    >>> figure = plot_specifications(table, "distance", {"coding": "coding", "rows": "rows"})
    >>> [text.get_text() for text in figure.axes[1].get_yticklabels()]
    ['coding: a', 'coding: b', 'rows: 768', 'rows: 786']
    """
    from matplotlib import pyplot as plt

    wanted = [value, *choices, *([group] if group else [])]
    if missing := [name for name in wanted if name not in table]:
        raise ValueError(f"table has no column {missing[0]!r}.")
    table = table.sort_values(value, kind="stable")
    names = dict(labels or {})
    names |= {str(one): names.get(str(one), str(one)) for name in wanted for one in table[name]}
    with house_style():
        figure, (top, below) = plt.subplots(
            2, 1, figsize=(TWO_COLUMNS, 4.4), sharex=True, height_ratios=(1, 1.15)
        )
        _draw_values(top, table, value, group, names)
        top.set(ylabel=ylabel or value.replace("_", " "), ylim=(min(0, table[value].min()), None))
        _draw_choices(below, table, choices, names)
        letter(top, "a")
        letter(below, "b")
    return figure


def _draw_values(
    axes: Any, table: pd.DataFrame, value: str, group: str | None, names: Mapping[str, str]
) -> None:
    x, y = np.arange(1, len(table) + 1), table[value].to_numpy()
    order = list(names)
    levels = sorted(set(table[group]), key=lambda one: order.index(str(one))) if group else [None]
    for level, style in zip(levels, line_styles(levels), strict=True):
        chosen = (table[group] == level).to_numpy() if group else np.ones(len(table), dtype=bool)
        marks = {"color": style.color, "marker": style.marker, "markersize": 4, "linestyle": "none"}
        axes.plot(x[chosen], y[chosen], label=names.get(str(level)), **marks)
    if group:
        axes.legend(loc="upper left")


def _draw_choices(
    axes: Any, table: pd.DataFrame, choices: Mapping[str, str], names: Mapping[str, str]
) -> None:
    x = np.arange(1, len(table) + 1)
    labels: list[str] = []
    for name, called in choices.items():
        levels = sorted(set(table[name]))
        for level in levels if len(levels) > 1 else []:
            chosen = x[(table[name] == level).to_numpy()]
            axes.plot(x, np.full(len(x), len(labels)), ".", color="0.85", markersize=3, zorder=0)
            axes.plot(chosen, np.full(len(chosen), len(labels)), "s", color="0.15", markersize=3)
            labels.append(f"{called}: {names[str(level)]}")
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.set(xlim=(0, len(table) + 1), xlabel="combination of choices, smallest value first")
    axes.tick_params(length=0)
