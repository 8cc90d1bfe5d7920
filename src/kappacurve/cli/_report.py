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
from kappacurve._messages import in_html, shown
from kappacurve.cli._scores import MOST_MODELS, Models, json_text
from kappacurve.comparison import ComparisonResult, are_probabilities
from kappacurve.comparison_result import Section, as_html, as_text, cell, html_table, records
from kappacurve.inference.results import Comparison, Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS = {"kappa_max": "operating_point", "expected_loss": "cost_point"}
STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1.5rem 0;display:block;overflow-x:auto}
caption{text-align:left;font-weight:600;padding:.3rem 0}
th,td{text-align:left;padding:.15rem 1rem .15rem 0;border-bottom:1px solid #ddd;white-space:pre}
svg{max-width:100%;height:auto}
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

    models: Models
    result: ComparisonResult
    net_benefits: Sequence[Mapping[str, Any]]
    cost_ratio: float | None
    call: str

    @property
    def notes(self) -> list[str]:
        """Of the file, then of the comparison."""
        return [*self.models.notes, *self.result.notes]


def net_benefits(
    models: Models, thresholds: Sequence[float], level: float | None, **design: Any
) -> list[dict[str, Any]]:
    """The net benefit of each model at each threshold, with tests if its scores take them."""
    from kappacurve.cost import net_benefit
    from kappacurve.inference._sample import check_design, take_sample
    from kappacurve.inference.analytic import Models as Tested
    from kappacurve.inference.doors import interval, paired_test

    positive, scores = models.table.positive, models.scores
    rows = {use: column for use, column in models.columns.items() if use != "cv"}
    at: Any = "score" if are_probabilities(scores) else "best"
    weight = rows.get("sample_weight")
    sample = take_sample(positive, scores, True, weight, rows.get("groups"))
    trained_at = check_design(sample, **design)[0].trained_at or {}
    weights = {"prevalence": design["prevalence"], "sample_weight": weight}
    inferred = at == "score" and level is not None and min(sample.units()) > 1
    benefits = []
    for tau in thresholds:
        given: Any = {"thresholds": tau, **weights}
        flag_all = float(net_benefit(positive, np.ones(len(positive)), **given))
        default = np.full(len(positive), float(flag_all > 0))
        options: Any = {"measure": "net_benefit", "threshold": tau, "level": level}
        options |= design | rows
        own, pairs = {}, []
        if inferred and level is not None:
            tested = Tested(sample, *check_design(sample, **design, threshold=tau))
            for (a, b), (test, adjusted) in tested.tests([*scores], "net_benefit", level).items():
                named = {"first": a, "second": b, **test._asdict()}
                pairs.append(named | {"p_adjusted": adjusted})
        for name, score in scores.items():
            options["trained_at"] = trained_at[name]
            worth = float(net_benefit(positive, score, at=at, trained_at=trained_at[name], **given))
            estimate = Estimate(worth, nan, nan, nan)
            gain = Comparison(worth - max(flag_all, 0.0), nan, nan, nan, nan, nan)
            if inferred:
                estimate = interval(positive, score, **options)
                gain = paired_test(positive, score, default, **options)
            own[name] = estimate._asdict() | {"gain": gain._asdict()}
        benefit = {"threshold": tau, "at": at, "flag_all": flag_all, "models": own}
        benefits.append(benefit | {"tests": pairs})
    return benefits


def _section(benefit: Mapping[str, Any]) -> Section:
    """The models, the defaults, then the differences of models; is any model better than none?"""

    def value(found: Mapping[str, Any], name: str = "difference") -> str:
        return cell(found[name], found["low"], found["high"])

    def p_value(p: float) -> str:
        return "" if isnan(p) else f"{p:.2g}"

    models, tests, flag_all = benefit["models"], benefit["tests"], benefit["flag_all"]
    tau, default = benefit["threshold"], "flagging all rows" if flag_all > 0 else "flagging nobody"
    gains = {name: model["gain"] for name, model in models.items()}
    rows = [
        [name, value(models[name], "estimate"), value(gain), p_value(gain["p_value"])]
        for name, gain in gains.items()
    ]
    rows += [["flagging all rows", f"{flag_all:.4f}", "", ""], ["flagging nobody", "0", "", ""]]
    for test in tests:
        pair = f"{test['first']} - {test['second']}"
        rows.append([pair, value(test), "", p_value(test["p_adjusted"])])
    best = max(gains, key=lambda name: gains[name]["difference"])
    gain, low = gains[best]["difference"], gains[best]["low"]
    said = f"At {tau:g} no model is better than {default}."
    if gain > 0:
        chance = "which is more than chance" if low > 0 else "which may be chance"
        sure = "" if isnan(low) else f", {chance}"
        said = f"At {tau:g} {best} gains {gain:.4f} per row over {default}{sure}."
    chosen = "" if benefit["at"] == "score" else ", each model at the score that is best for it"
    p_head = "p" + ", of pairs max-t" * (len(tests) > 1)
    return Section(
        f"Net benefit at the threshold probability {tau:g}{chosen}",
        ["", "net benefit", f"more than {default}", p_head],
        rows,
        said=said,
    )


def as_json(report: Report) -> str:
    """All of the report, with full precision; null is what is not known or infinite."""
    result, table = report.result, report.models.table
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
    more = [_section(each) for each in report.net_benefits]
    return as_text(report.result, _heading(report), report.notes, more)


def as_page(report: Report) -> str:
    """One offline page with the sentences, the picture and the tables; the same bytes each time."""
    result = report.result
    models = result.measures["model"].unique()
    ask = f"How well does {models[0]} rank?" if len(models) == 1 else "Which model is better?"
    head = "".join(f"<p>{in_html(line)}</p>" for line in _heading(report))
    if len(models) > MOST_MODELS:
        curves, worth = f"<p>{len(models)} models can't be told apart in a figure.</p>", ""
    else:
        curves = _inline(result.plot, "ROC curves and kappa curves; the areas are in the table.")
        drawn = _inline(
            lambda: _decision_curves(report), "Net benefit over the threshold probability."
        )
        chosen = DRAWN_AT_SCORES if are_probabilities(report.models.scores) else DRAWN_AT_BEST
        worth = f"<h2>What decisions are worth</h2>\n{drawn}<p>{chosen}</p>\n"
    body = as_html(result, curves, report.notes)
    decided = "".join(html_table(_section(each)) + "\n" for each in report.net_benefits)
    title = in_html(f"{ask} {report.models.table.source}")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
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


def _inline(figure: Callable[[], Figure], said: str) -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "curves.svg"
        draw(figure, path)
        svg = path.read_text(encoding="utf-8")
    return svg[svg.index("<svg") :].replace("<svg", f'<svg role="img" aria-label="{said}"', 1)


def _decision_curves(report: Report) -> Figure:
    """Net benefit over the threshold probability, of all models."""
    from matplotlib import pyplot as plt

    from kappacurve.plots.decision_display import DecisionCurveDisplay
    from kappacurve.plots.style import ONE_COLUMN, TWO_COLUMNS, house_style

    models = report.models
    options: Any = {"at": "score" if are_probabilities(models.scores) else "best"}
    design = report.result.design
    options["prevalence"] = design["prevalence"]
    options["sample_weight"] = models.columns.get("sample_weight")
    with house_style():
        figure, axes = plt.subplots(figsize=(TWO_COLUMNS, ONE_COLUMN))
        for name, score in models.scores.items():
            positive = models.table.positive
            DecisionCurveDisplay.from_predictions(
                positive,
                score,
                name=name,
                ax=axes,
                trained_at=design["trained_at"][name],
                **options,
            )
    return figure


def _heading(report: Report) -> list[str]:
    """The rows, the prevalence and the cost, and how intervals were made."""
    design, table = report.result.design, report.models.table
    label = shown(table.label)
    share = "the weighted share of positives" if design["weighted"] else "the share of positives"
    given = "as given" if design["prevalence_is_given"] else share
    repeating = table.grouping if report.models.caveats else ()
    lines = [
        f"{table.source}: {design['n']} rows, {design['n_positive']} positive "
        f"({label} = {shown(table.positive_label)}), {design['n_negative']} negative "
        f"({label} = {shown(table.negative_label)})"
        + "".join(f"; values of {shown(name)} repeat" for name in repeating),
        f"Prevalence {design['prevalence']:.6g}, {given}",
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
        lines.append(f"{level}: AUC and Gini by DeLong, AUK by influence function")
        lines.append("  With pseudo-rows, on the logit scale")
    elif design["bootstrap"]:
        drawn = "{resamples} resamples, random state {random_state}".format(**design["bootstrap"])
        lines.append(f"{level}, logit scale: bootstrap, {drawn}")
        lines.append("  Hulls and maxima less their bias")
    elif methods:
        lines.append(f"{level} by influence function")
    return lines
