"""The report of ``kappacurve measure`` as a table for people, as JSON and as a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from math import isnan, nan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kappacurve import __version__
from kappacurve._measures import MEASURES
from kappacurve._validation import in_html, shown
from kappacurve.cli._scores import MOST_MODELS, ScoreFile, json_text
from kappacurve.comparison import REPORTED, ComparisonResult, are_probabilities
from kappacurve.comparison_result import (
    Section,
    as_html,
    as_text,
    cell,
    html_table,
    listed_measures,
    records,
)
from kappacurve.inference._sample import check_design
from kappacurve.inference.analytic import Models
from kappacurve.inference.results import Comparison, Estimate, records_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kappacurve.inference._sample import Sample

POINTS = {"kappa_max": "operating_point", "expected_loss": "cost_point"}
STYLE = """
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--line:#d5dae0;--shadow:#0003}
@media (prefers-color-scheme:dark){
:root{--ink:#e4e7eb;--paper:#16191d;--line:#383f47;--shadow:#fff4}}
body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;
background:var(--paper);color:var(--ink)}
p,li{max-width:46rem;overflow-wrap:break-word}
table{border-spacing:0;margin:1.5rem 0;display:block;overflow-x:auto;font-size:.875rem;background:
linear-gradient(to left,var(--paper) 40%,transparent) right/3rem 100% no-repeat local,
linear-gradient(to left,var(--shadow),transparent) right/1rem 100% no-repeat scroll}
caption{text-align:left;font-weight:600;padding:.3rem 0}
th,td{text-align:left;padding:.15rem 1rem .15rem 0;border-bottom:1px solid var(--line);
white-space:pre}
th:first-child{position:sticky;left:0;background:var(--paper)}
.drawn{overflow-x:auto}
.drawn svg{width:min(100%,52rem);min-width:37rem;height:auto;background:#fff}
@media (max-width:36rem){th:first-child{min-width:35vw;white-space:pre-wrap}}
@media print{:root{--ink:#000;--paper:#fff;color-scheme:light}
body{max-width:none;font-size:10pt}
table{display:table;overflow:visible;background:none;font-size:7pt}
th,td{white-space:pre-wrap;padding-right:.4rem}
.drawn svg{min-width:0}}
"""
DRAWN_AT_SCORES = (
    "Rows are flagged from the threshold probability on. Thin: at the score that is best for it; "
    "the shaded gap is what recalibration would gain."
)
DRAWN_AT_BEST = (
    "Not all scores are probabilities: each model flags from the score that is best for the "
    "threshold probability."
)


class Report(NamedTuple):
    """What was found in a file, and by which call."""

    file: ScoreFile
    result: ComparisonResult
    net_benefits: Sequence[Mapping[str, Any]]
    cost_ratio: float | None
    call: str
    all_measures: bool  # or those most used

    @property
    def notes(self) -> list[str]:
        """Of the file, then of the comparison."""
        return [*self.file.notes, *self.result.notes]


def net_benefits(
    sample: Sample, thresholds: Sequence[float], level: float | None, **design: Any
) -> list[dict[str, Any]]:
    """The net benefit of each model at each threshold, with tests if its scores take them."""
    from kappacurve.operating import net_benefit

    positive = sample.positive
    scores = sample.scores
    at: Any = "score" if are_probabilities(scores) else "best"
    trained_at = check_design(sample, **design).trained_at or {}
    rates: Any = {"prevalence": design["prevalence"], "sample_weight": sample.weight}
    benefits = []
    for tau in thresholds:
        flag_all = float(net_benefit(positive, np.ones(len(positive)), thresholds=tau, **rates))
        benefit: dict[str, Estimate] = {}
        gain: dict[str, Comparison] = {}
        for name, score in scores.items():
            of_model: Any = {"thresholds": tau, "trained_at": trained_at[name], **rates}
            value = float(net_benefit(positive, score, at=at, **of_model))
            benefit[name] = Estimate(value, nan, nan, nan)
            gain[name] = Comparison(value - max(flag_all, 0.0), nan, nan, nan, nan, nan)
        pairs = []
        if at == "score" and level is not None and min(sample.units()) > 1:
            default = {"": np.full(len(positive), float(flag_all > 0))}  # a model has a name
            both = sample._replace(scores=scores | default)
            tested = Models(both, check_design(both, **design, threshold=tau))
            for name in scores:
                benefit[name] = tested.interval(name, "net_benefit", level, "adjusted")
                gain[name] = tested.test(name, "", "net_benefit", level)
            pairs = records_of(tested.tests([*scores], "net_benefit", level))
        models = {name: benefit[name]._asdict() | {"gain": gain[name]._asdict()} for name in scores}
        design_point = {"threshold": tau, "at": at, "flag_all": flag_all}
        benefits.append(design_point | {"models": models, "tests": pairs})
    return benefits


def _section(benefit: Mapping[str, Any]) -> Section:
    """The models, the defaults, then the differences of models; is any model better than none?"""

    def p_value(p: float) -> str:
        return "" if isnan(p) else f"{p:.2g}"

    tau, flag_all = benefit["threshold"], benefit["flag_all"]
    default = "flagging all rows" if flag_all > 0 else "flagging nobody"
    gains = {name: model["gain"] for name, model in benefit["models"].items()}
    rows = [
        [shown(name), cell(model), cell(gains[name], "difference"), p_value(gains[name]["p_value"])]
        for name, model in benefit["models"].items()
    ]
    rows += [["flagging all rows", f"{flag_all:.4f}", "", ""], ["flagging nobody", "0", "", ""]]
    for test in benefit["tests"]:
        pair = f"{shown(test['first'])} - {shown(test['second'])}"
        rows.append([pair, cell(test, "difference"), "", p_value(test["p_adjusted"])])
    best = max(gains, key=lambda name: gains[name]["difference"])
    gain, low = gains[best]["difference"], gains[best]["low"]
    sentence = f"At {tau:g} no model is better than {default}."
    if gain > 0:
        chance = "which is more than chance" if low > 0 else "which may be chance"
        sure = "" if isnan(low) else f", {chance}"
        sentence = f"At {tau:g} {shown(best)} gains {gain:.4f} per row over {default}{sure}."
    chosen = "" if benefit["at"] == "score" else ", each model at the score that is best for it"
    p_head = "p" + ", of pairs max-t" * (len(benefit["tests"]) > 1)
    return Section(
        f"Net benefit at the threshold probability {tau:g}{chosen}",
        ["", "net benefit", f"more than {default}", p_head],
        rows,
        note=sentence,
    )


def as_json(report: Report) -> str:
    """All of the report, with full precision; null is what is not known or infinite."""
    result, table = report.result, report.file.table
    models: dict[str, Any] = {str(name): {} for name in result.measures["model"].unique()}
    for row in records(result.measures):
        models[row.pop("model")][row.pop("measure")] = row
    for row in records(result.thresholds.drop(columns="printed")):
        models[row.pop("model")][POINTS[row.pop("criterion")]] = row
    tables = {
        name: records(getattr(result, name))
        for name in ("tests", "global_tests", "decisions", "folds")
    }
    return json_text(
        {"file": table.source, "label": table.label}
        | {"positive": table.positive_label, "negative": table.negative_label}
        | {name: value for name, value in result.design.items() if name != "cost"}
        | {"cost_ratio": report.cost_ratio, "models": models, **tables}
        | {
            "at": result.points,
            "net_benefit": report.net_benefits,
            "disagreements": result.disagreements,
        }
        | {"conclusion": result.conclusion, "notes": report.notes, "version": __version__}
        | {"call": report.call, "date": date.today().isoformat()}
    )


def as_table(report: Report) -> str:
    """What a reader wants to see first."""
    more = [_section(benefit) for benefit in report.net_benefits]
    notes = report.notes
    if not report.all_measures:
        others = [name for name in REPORTED if not MEASURES[name].printed]
        notes = [*notes, f"--all prints {listed_measures(others)}, too."]
    return as_text(report.result, _heading(report), notes, more, report.all_measures)


def as_page(report: Report) -> str:
    """One offline page with the sentences, the picture and the tables; the same bytes each time."""
    result = report.result
    models = result.measures["model"].unique()
    ask = f"How well does {models[0]} rank?" if len(models) == 1 else "Which model is better?"
    head = "".join(f"<p>{in_html(line)}</p>" for line in _heading(report))
    if len(models) > MOST_MODELS:
        curves = f"<p>{len(models)} models can't be told apart in a figure.</p>"
        worth = ""
    else:
        curves = _inline(result.plot, "ROC curves and kappa curves; the areas are in the table.")
        drawn = _inline(
            lambda: _decision_curves(report), "Net benefit over the threshold probability."
        )
        chosen = DRAWN_AT_SCORES if are_probabilities(report.file.scores) else DRAWN_AT_BEST
        worth = f"<h2>What decisions are worth</h2>\n{drawn}<p>{chosen}</p>\n"
    body = as_html(result, curves, report.notes)
    decided = "".join(html_table(_section(benefit)) + "\n" for benefit in report.net_benefits)
    title = in_html(f"{ask} {report.file.table.source}")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>"
        f"<body><main>\n<h1>{in_html(ask)}</h1>\n{body}\n"
        f"{worth}{decided}<h2>Rows and methods</h2>\n{head}\n"
        f"<p>kappacurve {__version__}: <code>{in_html(report.call)}</code></p>\n"
        "</main></body></html>\n"
    )


def draw(figure: Callable[[], Figure], path: Path) -> None:
    """Draw a figure into a .pdf, .svg or .png."""
    import matplotlib as mpl

    from kappacurve.plots.style import save_figure

    mpl.use("agg")
    save_figure(figure(), [path])


def _inline(figure: Callable[[], Figure], label: str) -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "curves.svg"
        draw(figure, path)
        svg = path.read_text(encoding="utf-8")
    drawn = svg[svg.index("<svg") :].replace("<svg", f'<svg role="img" aria-label="{label}"', 1)
    return f'<div class="drawn">{drawn}</div>'


def _decision_curves(report: Report) -> Figure:
    """Net benefit over the threshold probability, of all models."""
    from matplotlib import pyplot as plt

    from kappacurve.plots.cost_displays import DecisionCurveDisplay
    from kappacurve.plots.style import ONE_COLUMN, TWO_COLUMNS, house_style

    file = report.file
    design = report.result.design
    options: Any = {"at": "score" if are_probabilities(file.scores) else "best"}
    options["prevalence"] = design["prevalence"]
    options["sample_weight"] = file.columns.get("sample_weight")
    with house_style():
        figure, options["ax"] = plt.subplots(figsize=(TWO_COLUMNS, ONE_COLUMN))
        for name, score in file.scores.items():
            options |= {"name": name, "trained_at": design["trained_at"][name]}
            DecisionCurveDisplay.from_predictions(file.table.positive, score, **options)
    return figure


def _heading(report: Report) -> list[str]:
    """The rows, the prevalence and the cost, and how intervals were made."""
    design, table = report.result.design, report.file.table
    label = shown(table.label)
    origin = "the weighted share of positives" if design["weighted"] else "the share of positives"
    if design["prevalence_is_given"]:
        origin = "as given"
    repeating = table.grouping if report.file.caveats else ()
    lines = [
        f"{table.source}: {design['n']} rows, {design['n_positive']} positive "
        f"({label} = {shown(table.positive_label)}), {design['n_negative']} negative "
        f"({label} = {shown(table.negative_label)})"
        + "".join(f"; values of {shown(name)} repeat" for name in repeating),
        f"Prevalence {design['prevalence']:.6g}, {origin}",
    ]
    if report.cost_ratio is not None:
        ratio = f"{report.cost_ratio:g} false alarms"
        lines.append(f"Kappa, AUK and H where a missed positive costs {ratio}")
        lines.append("Expected loss per row, if one of each costs 1 together")
    level = f"{100 * design['level']:g} % intervals"
    if design["groups"] is not None:
        level = f"{design['groups']} independent groups; {level}"
    methods = {*report.result.measures["method"].dropna()} - {"none"}
    if "delong" in methods:
        lines.append(f"{level}, logit scale: AUC by DeLong, AUK by influence function")
    elif design["bootstrap"]:
        drawn = "{resamples} resamples, random state {random_state}".format(**design["bootstrap"])
        lines.append(f"{level}, logit scale: bootstrap, {drawn}")
        lines.append("  Hulls and maxima less their bias")
    elif methods:
        lines.append(f"{level} by influence function")
    return lines
