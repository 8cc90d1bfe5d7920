"""The report of ``kappacurve measure`` as a table for people, as JSON and as a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from kappacurve import __version__, _wording as wording
from kappacurve._messages import shown
from kappacurve._validation import FloatArray
from kappacurve.cli._decisions import (
    Decisions,
    are_probabilities,
    as_records,
    conclusion,
    table_rows,
    title,
)
from kappacurve.comparison import ComparisonResult
from kappacurve.io import ScoreTable

POINTS = {"kappa_max": "operating_point", "expected_loss": "cost_point"}
STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1.5rem 0;display:block;overflow-x:auto}
caption{text-align:left;font-weight:600;padding:.3rem 0}
th,td{text-align:left;padding:.15rem 1rem .15rem 0;border-bottom:1px solid #ddd;white-space:pre}
svg{max-width:100%;height:auto}
"""


class Report(NamedTuple):
    """What was found in a file, and by which call."""

    table: ScoreTable
    scores: Mapping[str, FloatArray]  # higher for the positive class
    cost_ratio: float | None
    call: str
    notes: Sequence[str]
    result: ComparisonResult
    decisions: Sequence[Decisions] = ()
    weight: FloatArray | None = None


def as_json(report: Report) -> str:
    """All of the report, with full precision; null is what is not known or infinite."""
    result = report.result
    models: dict[str, Any] = {str(name): {} for name in result.measures["model"].unique()}
    for row in wording.records(result.measures):
        models[row.pop("model")][row.pop("measure")] = row
    for row in wording.records(result.thresholds.drop(columns="printed")):
        models[row.pop("model")][POINTS[row.pop("criterion")]] = row
    design = {name: value for name, value in result.design.items() if name != "cost"}
    table = report.table
    head = {"file": table.source, "label": table.label}
    head |= {"positive": table.positive_label, "negative": table.negative_label}
    return _json(
        head
        | design
        | {
            "cost_ratio": report.cost_ratio,
            "models": models,
            "tests": wording.records(result.tests),
            "global_tests": wording.records(result.global_tests),
            "decisions": wording.records(result.decisions),
            "folds": wording.records(result.folds),
            "net_benefit": [as_records(each) for each in report.decisions],
            "disagreements": result.disagreements,
            "conclusion": result.conclusion,
            "notes": report.notes,
            **_made(report.call),
        }
    )


def _made(call: str) -> dict[str, str]:
    return {"version": __version__, "call": call, "date": date.today().isoformat()}


def _json(found: dict[str, Any]) -> str:
    def known(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: known(one) for name, one in value.items()}
        if isinstance(value, list | tuple):
            return [known(one) for one in value]
        return None if isinstance(value, float) and not np.isfinite(value) else value

    return json.dumps(known(found), indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def as_table(report: Report) -> str:
    """What a reader wants to see first."""
    text = wording.as_text(report.result, _heading(report), report.notes)
    for each in report.decisions:
        lines = wording.aligned(table_rows(each))
        text += "\n".join(["", title(each), *(f"  {line}" for line in lines), conclusion(each), ""])
    return text


def as_page(report: Report) -> str:
    """One offline page with the sentences, the picture and the tables; the same bytes each time."""
    result = report.result
    models = result.measures["model"].unique()
    ask = f"How well does {models[0]} rank?" if len(models) == 1 else "Which model is better?"
    head = "".join(f"<p>{escape(one)}</p>" for one in _heading(report))
    body = wording.as_html(result, _picture(result), report.notes)
    decided = "".join(
        f"{wording.html_table(title(each), table_rows(each))}\n<p>{escape(conclusion(each))}</p>\n"
        for each in report.decisions
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(f'{ask} {report.table.source}')}</title><style>{STYLE}</style></head>"
        f"<body><main>\n<h1>{escape(ask)}</h1>\n{body}\n<h2>What decisions are worth</h2>\n"
        f"{_decision_curves(report)}\n{decided}<h2>Rows and methods</h2>\n{head}\n"
        f"<p>kappacurve {__version__}: <code>{escape(report.call)}</code></p>\n"
        "</main></body></html>\n"
    )


def draw(result: ComparisonResult, path: Path) -> None:
    """Draw the curves of all models into a .pdf, .svg or .png."""
    import matplotlib as mpl

    from kappacurve.plots.style import save_figure

    mpl.use("agg")
    save_figure(result.plot(), [path])


def _picture(result: ComparisonResult) -> str:
    said = "ROC curves and kappa curves; the areas are in the table."
    return _inline(lambda path: draw(result, path), said)


def _decision_curves(report: Report) -> str:
    """Net benefit over the threshold probability, of all models."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    from kappacurve.plots.decision_display import DecisionCurveDisplay
    from kappacurve.plots.style import ONE_COLUMN, TWO_COLUMNS, house_style, save_figure

    mpl.use("agg")
    at: Any = "score" if are_probabilities(report.scores) else "best"
    with house_style():
        figure, axes = plt.subplots(figsize=(TWO_COLUMNS, ONE_COLUMN))
        for name, score in report.scores.items():
            DecisionCurveDisplay.from_predictions(
                report.table.positive,
                score,
                name=name,
                at=at,
                ax=axes,
                prevalence=report.result.design["prevalence"],
                sample_weight=report.weight,
            )
    said = "Net benefit over the threshold probability."
    told = {
        "score": "Rows are flagged from the threshold probability on. Thin: at the score that is "
        "best for it; the shaded gap is what recalibration would gain.",
        "best": "Not all scores are probabilities: each model flags from the score that is best "
        "for the threshold probability.",
    }[at]
    return _inline(lambda path: save_figure(figure, [path]), said) + f"<p>{told}</p>"


def _inline(write: Callable[[Path], None], said: str) -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "curves.svg"
        write(path)
        svg = path.read_text(encoding="utf-8")
    return svg[svg.index("<svg") :].replace("<svg", f'<svg role="img" aria-label="{said}"', 1)


def _heading(report: Report) -> list[str]:
    design, table = report.result.design, report.table
    label = shown(table.label)
    counts = (
        f"{design['n']} rows, {design['n_positive']} positive "
        f"({label} = {shown(table.positive_label)}), {design['n_negative']} negative "
        f"({label} = {shown(table.negative_label)})"
    )
    share = "the weighted share of positives" if design["weighted"] else "the share of positives"
    given = "as given" if design["prevalence_is_given"] else share
    lines = [f"{table.source}: {counts}", f"Prevalence {design['prevalence']:.6g}, {given}"]
    if report.cost_ratio is not None:
        ratio = f"{report.cost_ratio:g} false alarms"
        lines.append(f"Kappa, AUK and H where a missed positive costs {ratio}")
        lines.append("Expected loss per row, if one of each costs 1 together")
    return lines + _methods(report.result)


def _methods(result: ComparisonResult) -> list[str]:
    design = result.design
    level = f"{100 * design['level']:g} % intervals"
    methods = {*result.measures["method"].dropna()} - {"none"}
    if design["groups"] is not None:
        level = f"{design['groups']} independent groups; {level}"
    ratio = "fixed" if design["sampling"] == "stratified" else "random"
    if "delong" in methods:
        return [
            f"{level}: AUC and Gini by DeLong, AUK by influence function; class ratio {ratio}",
            "  With pseudo-rows, on the logit scale",
        ]
    if not methods:
        return []
    drawn = design["bootstrap"]
    return [
        f"{level}, logit scale: bootstrap, {drawn['resamples']} resamples, "
        f"random state {drawn['random_state']}; "
        f"class ratio {ratio}",
        "  Hulls and maxima less their bias",
    ]
