"""One offline page on which a reader moves prevalence and cost, and sees two models change.

The page's script computes the AUK of the curve that it draws. Python computes H and the bounds, on
a grid of prevalences that is even in the logit, between which the script interpolates with cubics:
from 0.01 to 0.99 the largest error measured was 0.000007 for H and 0.000003 for the bounds. At the
rows' own prevalence the values are exact. Intervals and tests of the AUK, from a grid of
prevalences and costs, are exact at the rows' own prevalence and the cost 1/2; elsewhere, with more
than 20,000 rows of a class, their errors are those of a sample of the rows.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr

from kappacurve._validation import (
    BoolArray,
    Curve,
    FloatArray,
    check_cost,
    check_lower,
    check_named,
    check_number,
    check_one_prevalence,
    printable,
    short_number,
)
from kappacurve.bounds.auk_bounds import auk_bounds, check_auc
from kappacurve.bounds.published_values import PublishedPair, PublishedPoint
from kappacurve.explorer.inference import RocCurve, Split, inference_by_side
from kappacurve.explorer.plots import explorer_plots
from kappacurve.h_measure import h_of_hull
from kappacurve.inference._sample import Sample, check_sample
from kappacurve.kappa import area_under_kappa, areas_on_grid, kappa_from_rates
from kappacurve.plots.style import line_style
from kappacurve.roc import area_under_curve, roc_hull, swapped_classes, vertices_of

NODES = 57  # of the grid of prevalences; odd, so that one is 1/2, where the bounds have a kink
ERROR_NODES = 13  # of the grid of intervals and tests, in p and in c: ends are within 0.0005
LEAST_COST = 0.01  # from which the slider of the cost goes to one minus it
MOST = 1500  # vertices of a raw curve that the page draws, beside the corners of its hull;
MOST_MOVED = 5e-5  # more, where without them an AUK at one of the prevalences tried moves by more
KINDS: tuple[Curve, ...] = ("hull", "raw")
# Of the models instead of LINE_STYLES' colours: on light and dark cards all have a contrast of 3.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#C66FA0", "#2E8FC9", "#B87A00")
# Bokeh's name of each marker, and the same drawn beside a model's name.
MARKERS = {
    "o": ("circle", "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z"),
    "s": ("square", "M-5-5h10v10h-10z"),
    "^": ("triangle", "M0-6L6 5H-6z"),
    "D": ("diamond", "M0-6L5 0L0 6L-5 0z"),
    "v": ("inverted_triangle", "M0 6L6-5H-6z"),
    "P": ("plus", "M-5-2h3v-3h4v3h3v4h-3v3h-4v-3h-3z"),
}


class _Progress:
    """Says from two seconds on what is being computed."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._start = time.monotonic()

    def __call__(self, what: str) -> None:
        if self._stream is not None and (took := time.monotonic() - self._start) > 2:
            print(f"Explorer, {took:.0f} s: {what}.", file=self._stream, flush=True)


def explorer_page(
    y_true: npt.ArrayLike | Mapping[str, npt.ArrayLike],
    y_scores: Mapping[str, Any],
    *,
    pos_label: Any = None,
    class_names: tuple[str, str] | None = None,
    sample_weight: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None,
    groups: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None,
    lower: Collection[str] = (),
    positive_class: Any = None,
    prevalence: float | None = None,
    prevalence_range: tuple[float, float] = (0.01, 0.99),
    presets: Sequence[float] = (0.1, 0.5, 0.9),
    cost_ratios: Sequence[float] = (),
    published: Sequence[PublishedPair] = (),
    published_point: PublishedPoint | None = None,
    example: str | None = None,
    chosen: str = "",
    back: str | None = None,
    title: str = "Prevalence explorer",
    source: str = "",
    progress: TextIO | None = None,
) -> str:
    """One offline HTML page that compares two models at every prevalence.

    It needs Bokeh: ``pip install 'kappacurve[explore]'``.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,), or a mapping of such from names of replicates
        Labels of two classes.
    y_scores : mapping of str to array-like of shape (n_samples,)
        Finite scores of two or more models by name; for replicates, a mapping from their names to
        such mappings. A replicate may lack models, but needs two.
    pos_label : label, optional
        The class that has the higher scores. May be left out for labels in {0, 1} or {-1, 1}.
    class_names : pair of str, optional
        What the page calls `pos_label` and the other class; by default as the labels.
    sample_weight, groups : array-like of shape (n_samples,), or mappings as `y_true`, optional
        As in :func:`kappacurve.compare`.
    lower : collection of str, default ()
        Models whose lower scores mean `pos_label`.
    positive_class : label, optional
        The class that is positive when the page opens; by default `pos_label`.
    prevalence : float in (0, 1), optional
        Prevalence of `pos_label` at which the page opens; by default its share in each replicate.
    prevalence_range : pair of float in (0, 1), default (0.01, 0.99)
        Ends of the slider.
    presets : sequence of float in (0, 1)
        Prevalences that have a button.
    cost_ratios : sequence of float from 1/99 to 99
        Those that have a button: what a missed row of `pos_label` costs over a false alarm.
    published : sequence of (label, curve, auc, auk)
        Pairs from print, held against the AUKs that their AUC allows; `curve` is "hull" or "raw".
    published_point : (label, fpr, tpr, kappa), optional
        Drawn as a star.
    example : str, optional
        The replicate on which the page opens; it is no split of the others' data.
    chosen : str, optional
        What the page says of the replicates instead of how many disagree: the rule by which they
        were chosen.
    back : str, optional
        Address of the page to which this one leads back.
    title, source : str
        Heading and last line of the page; addresses in the latter become links.
    progress : text stream, optional
        Such as ``sys.stderr``: told from two seconds on what is being computed.

    Returns
    -------
    str
        The same bytes for the same arguments.

    Raises
    ------
    ValueError
        As :func:`kappacurve.measures`; also if a replicate has fewer than two models.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equations 19, 21 and 26.

    Notes
    -----
    Intervals, bands and tests are of raw curves, at 95 %, with the class ratio as fixed; those of H
    and the largest kappa are by resamples, at the rows' own prevalence and c = 1/2. A curve of
    many vertices is drawn with fewer, chosen so that no area moves by more than 0.0001; the areas
    that the page states are those of all rows. Of several replicates the page opens on the first
    in which AUC and AUK order the first two models differently, and says so.

    Examples
    --------
    >>> scores = {"a": [0.1, 0.4, 0.4, 0.8], "b": [0.2, 0.1, 0.7, 0.3]}
    >>> page = explorer_page([0, 0, 1, 1], scores)  # doctest: +SKIP
    """
    needs_bokeh()
    from bokeh.resources import Resources
    from jinja2 import Environment, StrictUndefined

    costs = {f"{ratio:g}:1": _cost(ratio) for ratio in cost_ratios}
    low, high = (check_one_prevalence(p) for p in prevalence_range)
    if not low < high:
        raise ValueError(f"prevalence_range must rise, got {prevalence_range!r}.")
    grid = prevalence_grid(min(low, 1 - high))
    pairs = [_pair(PublishedPair(*pair), grid) for pair in published]
    named_rows = _by_name(y_true, y_scores, sample_weight, groups)
    if example is not None and (example not in named_rows or len(named_rows) < 2):
        raise ValueError(f"example={example!r} is not one of several replicates.")
    labels = [rows.labels for rows in named_rows.values()]
    classes = [printable(name) for name in class_names or _classes(labels, pos_label)]
    first = classes[0] if positive_class is None else printable(str(positive_class))
    if first not in classes:
        raise ValueError(f"positive_class={positive_class!r} is not among the labels {classes}.")
    scores = [check_named("y_scores", rows.scores) for rows in named_rows.values()]
    negated = {printable(model) for model in check_lower(lower, set().union(*scores))}
    replicates = _replicates(named_rows, pos_label, negated, prevalence, grid, _Progress(progress))
    drawn = [model for replicate in replicates for model in replicate["models"].values()]
    limits = _limits(drawn, pairs)
    # The example's models come last: the others keep their colours.
    ordered = sorted(replicates, key=lambda replicate: replicate["name"] == example)
    names = dict.fromkeys(name for replicate in ordered for name in replicate["models"])
    side = classes.index(first)
    data = {
        "nodes": NODES,
        "least": [float(grid[0]), LEAST_COST],
        "range": [low, high],
        "classes": classes,
        "side": side,
        "opening": _opening(replicates, side, example, printable(chosen)),
        "normal": _rounded(np.log(2) + log_ndtr(-np.arange(0, 8.25, 0.25))),
        "models": {name: _look(i) for i, name in enumerate(names)},
        "replicates": replicates,
        "bands": {kind: _band(kind, limits["auc"], grid) for kind in KINDS},
        "published": pairs,
        "star": published_point and PublishedPoint(*published_point)._asdict(),
    }
    folder = Path(__file__).parent
    template = Environment(autoescape=True, undefined=StrictUndefined).from_string(
        (folder / "page.html.jinja").read_text(encoding="utf-8")
    )
    scripts = ((folder / name).read_text(encoding="utf-8") for name in ("kappa.js", "page.js"))
    html: str = template.render(
        title=printable(title),
        source=printable(source),
        back=back,
        data=data,
        presets=[check_one_prevalence(p) for p in presets],
        costs=costs,
        thinned=any(len(model["fp"]) < model["vertices"] for model in drawn),
        own="as given" if prevalence is not None else "the rows' own",
        bokeh="\n".join(Resources("inline", components=["bokeh"], log_level="warn").js_raw),
        script="".join(scripts),
        style=(folder / "page.css").read_text(encoding="utf-8"),
        data_json=_inside_script(data),
        plots_json=_inside_script(explorer_plots(limits)),
    )
    return html


def needs_bokeh() -> None:
    """Raise if Bokeh, which draws the plots, is not installed."""
    if find_spec("bokeh") is None:
        raise ImportError("The explorer needs Bokeh: pip install 'kappacurve[explore]'.")


class _Rows(NamedTuple):
    """The labels, scores, weights and groups of a replicate, unchecked."""

    labels: Any
    scores: Any
    weight: Any
    groups: Any


def _by_name(y_true: Any, y_scores: Any, weight: Any, groups: Any) -> dict[str, _Rows]:
    """The rows of each replicate; of one without a name, of all."""
    y_scores = check_named("y_scores", y_scores)
    if not isinstance(y_true, Mapping):
        return {"": _Rows(y_true, y_scores, weight, groups)}
    y_true = check_named("y_true", y_true)
    columns = []
    for argument, rows in (("sample_weight", weight), ("groups", groups)):
        named = dict.fromkeys(y_true) if rows is None else check_named(argument, rows)
        if y_true.keys() - named.keys():
            raise ValueError(f"{argument} must have the rows of every replicate by its name.")
        columns.append(named)
    return {
        name: _Rows(labels, y_scores.get(name, {}), *(column[name] for column in columns))
        for name, labels in y_true.items()
    }


def _limits(models: list[dict[str, Any]], pairs: list[dict[str, Any]]) -> dict[str, Any]:
    """Those of the plots' axes: room for every prevalence, so that curves move and not the axes."""
    p = np.array([[0.1], [0.3], [0.5], [0.7], [0.9]])
    curves = [_rates(model) for model in models]
    kappas = np.concatenate([kappa_from_rates(*curve, p).ravel() for curve in curves])
    aucs = [pair["auc"] for pair in pairs]
    aucs += [model["auc"][kind] for model in models for kind in KINDS]
    auks = [pair["auk"] for pair in pairs]
    auks += [end(areas_on_grid(*curve, p, 0.5)) for curve in curves for end in (np.min, np.max)]
    return {
        "auc": (max(0.0, min(aucs) - 0.03), min(1.0, max(aucs) + 0.03)),
        "auk": (min(-0.02, min(auks) - 0.01), max(auks) + 0.05),
        "kappa": (min(-0.05, kappas.min() - 0.02), kappas.max() + 0.05),
    }


def _opening(
    replicates: list[dict[str, Any]], side: int, example: str | None, chosen: str
) -> dict[str, Any]:
    """Where the page opens: on the example, or where AUC and AUK order the models differently."""
    if len(replicates) == 1:
        return {"replicate": 0, "reversed": [], "said": ""}
    names = [replicate["name"] for replicate in replicates]
    splits = [replicate for replicate in replicates if replicate["name"] != example]
    disagreeing = [split["name"] for split in splits if _is_reversed(split, side)]
    first, second = list(splits[0]["models"])[:2]
    sentence = chosen or (
        f"AUC and AUK of {first} and {second} disagree, each split at its own prevalence, in "
        f"{len(disagreeing)} of {len(splits)} splits (raw curves){': ' * bool(disagreeing)}"
        f"{', '.join(disagreeing)}."
    )
    if example is not None:
        sentence = f"The page opens on an example: {example}. {sentence}"
    elif disagreeing:
        sentence += " The page opens on the first of them: it was chosen for that."
    start = example if example is not None else (disagreeing or names)[0]
    return {"replicate": names.index(start), "reversed": disagreeing, "said": sentence}


def _is_reversed(replicate: dict[str, Any], side: int) -> bool:
    first, second = list(replicate["models"].values())[:2]
    auc = first["auc"]["raw"] - second["auc"]["raw"]
    auk = first["auk"]["raw"][side] - second["auk"]["raw"][side]
    return bool(np.round(auc, 9) * np.round(auk, 9) < 0)


def _cost(ratio: float) -> float:
    cost = float(check_cost(None, ratio))  # type: ignore[arg-type]
    if not LEAST_COST <= round(cost, 12) <= 1 - LEAST_COST:
        raise ValueError(f"cost_ratios must be from 1/99 to 99, got {ratio!r}.")
    return cost


def prevalence_grid(least: float, nodes: int = NODES) -> FloatArray:
    """Prevalences (or costs) from the least to one minus it, at equal distances in the logit."""
    end = np.log(least / (1 - least))
    return np.asarray(1 / (1 + np.exp(-np.linspace(end, -end, nodes))))


def _replicates(
    named_rows: Mapping[str, _Rows],
    pos_label: Any,
    lower: Collection[str],
    prevalence: float | None,
    grid: FloatArray,
    progress: _Progress,
) -> list[dict[str, Any]]:
    """What the page looks up of each replicate."""
    replicates = []
    splits = []
    for name, rows in named_rows.items():
        where = f"Replicate {name!r}: " if name else ""
        sample = _sample(rows, pos_label, lower, where)
        p = sample.prevalence() if prevalence is None else check_one_prevalence(prevalence)
        models: dict[str, Any] = {}
        for model in sample.scores:
            progress(f"{where}curve of {model}, {len(sample.positive):,} rows")
            models[model] = _model(sample.scored(model), np.append(grid, p), model in lower)
        weights = sample.weights()
        replicate: dict[str, Any] = {"name": str(name), "own": p, "rows": len(weights)}
        replicate["weighted"] = rows.weight is not None
        sides = (sample.positive, ~sample.positive)
        replicate["n"] = [_shortest(weights[side].sum()) for side in sides]
        replicate["groups"] = None if sample.groups is None else int(sample.groups.max()) + 1
        replicate["models"] = models
        replicates.append(replicate)
        splits.append(Split(sample, [_rates(model) for model in models.values()], prevalence))
    progress(f"intervals and tests of {len(splits)} x {len(splits[0].curves)} models")
    grids = [prevalence_grid(least, ERROR_NODES) for least in (grid[0], LEAST_COST)]
    for replicate, chance in zip(replicates, inference_by_side(splits, grids), strict=True):
        replicate["chance"] = chance
    return replicates


def _sample(rows: _Rows, pos_label: Any, lower: Collection[str], where: str) -> Sample:
    named = check_named(f"{where}y_scores", rows.scores)
    scores = {printable(model): score for model, score in named.items()}
    if len(scores) < len(named):
        raise ValueError(f"{where}y_scores has two models that look alike: rename one.")
    if len(scores) < 2:
        raise ValueError(f"{where}y_scores must hold at least two models, got {len(scores)}.")
    try:
        return check_sample(
            rows.labels, scores, pos_label, rows.weight, rows.groups, lower=lower, fewest=1
        )
    except ValueError as error:
        raise ValueError(f"{where}{error}") from None


def _shortest(value: float) -> float | int:
    return round(value) if value == round(value) else float(f"{value:.9g}")


def _model(scored: Any, grid: FloatArray, lower: bool) -> dict[str, Any]:
    """Vertices and areas at the last prevalence, the rows' own; H at each."""
    f, t, threshold = vertices_of(scored)
    corners = roc_hull(f, t)
    drawn = _kept(f, t, corners.index, grid[: NODES : NODES // 4])
    scores = threshold[drawn[1:]].tolist()
    below = np.append(threshold, -np.inf)[drawn[1:] + 1].tolist()
    curves = {"hull": (corners.fpr, corners.tpr), "raw": (f, t)}
    return {
        "fp": _steps(f[drawn], ~scored.positive, scored.weight),
        "tp": _steps(t[drawn], scored.positive, scored.weight),
        "threshold": [(-1) ** lower * number for number in map(short_number, below, scores)],
        "lower": lower,
        "vertices": len(f),
        "hull": np.searchsorted(drawn, corners.index).tolist(),
        "auc": {kind: area_under_curve(*curve) for kind, curve in curves.items()},
        "auk": {kind: _auks(curve, grid[-1]) for kind, curve in curves.items()},
        "h": _on_grid([h_of_hull(corners.fpr, corners.tpr, p) for p in grid]),
    }


def _rates(model: dict[str, Any]) -> RocCurve:
    """The curve that the page draws."""
    summed = (np.cumsum(model["fp"]), np.cumsum(model["tp"]))
    return summed[0] / summed[0][-1], summed[1] / summed[1][-1]


def _steps(rates: FloatArray, rows: BoolArray, weight: FloatArray | None) -> list[float]:
    """From each vertex to the next, rows of the class; shares of it if they are weighted."""
    counts = (rates * np.count_nonzero(rows)).round().astype(int) if weight is None else rates
    return [_shortest(step) for step in np.diff(counts, prepend=0).tolist()]


def _kept(f: FloatArray, t: FloatArray, corners: Any, prevalences: FloatArray) -> Any:
    """Vertices that are drawn: corners of the hull, and as many others as the areas need."""
    at = prevalences[:, None], np.array([LEAST_COST, 0.5, 1 - LEAST_COST])
    areas = areas_on_grid(f, t, *at)
    most = MOST
    while most < len(f):
        fewer = np.union1d(np.linspace(0, len(f) - 1, most).round().astype(int), corners)
        if np.abs(areas_on_grid(f[fewer], t[fewer], *at) - areas).max() <= MOST_MOVED:
            return fewer
        most *= 2
    return np.arange(len(f))


def _auks(curve: RocCurve, p: float) -> list[float]:
    """AUK of the positive class, and of the other one at one minus the prevalence."""
    return [area_under_kappa(*curve, p), area_under_kappa(*swapped_classes(*curve), 1 - p)]


def _band(kind: Curve, span: tuple[float, float], grid: FloatArray) -> dict[str, Any]:
    low, high = span
    areas = np.linspace(max(low, 0.5) if kind == "hull" else low, high, 21)
    return {"auc": _rounded(areas), "bounds": [_bounds(auc, kind, grid) for auc in areas]}


def _bounds(auc: float, kind: Curve, grid: FloatArray) -> list[list[float]]:
    bounds = auk_bounds(auc, grid, curve=kind)
    return [_rounded(bounds.lower, 6), _rounded(bounds.upper, 6)]


def _pair(published: PublishedPair, grid: FloatArray) -> dict[str, Any]:
    if published.curve not in KINDS:
        raise ValueError(
            f'curve of {published.label!r} must be "hull" or "raw", got {published.curve!r}.'
        )
    check_auc(published.auc, published.curve)
    check_number("auk", published.auk)
    return published._asdict() | {"bounds": _bounds(published.auc, published.curve, grid)}


def _classes(labels: Sequence[Any], pos_label: Any) -> list[str]:
    """Names of the two classes, the positive one first."""
    values = np.unique(np.concatenate(list(map(np.asarray, labels)))).tolist()
    if not values:
        raise ValueError("y_true is empty.")
    positive = pos_label if pos_label is not None else values[-1]
    return [str(positive), *(str(label) for label in values if label != positive)]


def _look(i: int) -> dict[str, str]:
    style, color = line_style(i), COLORS[i % len(COLORS)]
    dash = () if isinstance(style.linestyle, str) else style.linestyle[1]
    marker, path = MARKERS[style.marker]
    dashes = " ".join(str(max(1, round(2 * length))) for length in dash) or "solid"
    return {"color": color, "dash": dashes, "marker": marker, "path": path}


def _on_grid(values: list[float]) -> list[float]:
    """Six digits keep the page small; the last value is the one that tables print."""
    return [*_rounded(values[:-1], 6), float(values[-1])]


def _rounded(values: Any, digits: int = 8) -> list[float]:
    rounded: list[float] = np.round(np.asarray(values, dtype=float), digits).tolist()
    return rounded


def _inside_script(content: Any) -> str:
    """JSON that can't end the script element in which it stands."""
    return json.dumps(content, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
