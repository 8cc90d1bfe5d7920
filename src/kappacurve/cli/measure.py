"""``kappacurve measure``: all measures of the scores in a file, as a table, JSON or a page."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from kappacurve import __version__
from kappacurve._measures import MEASURES, REPORTED
from kappacurve._validation import are_probabilities, in_html, shown
from kappacurve.cli.main import (
    MOST_MODELS,
    NEW_FILE,
    READING,
    SHARE,
    WEIGHING,
    ScoreFile,
    column_option,
    deliver,
    errors_of,
    json_text,
    read_models,
    refuse_overwriting,
    takes,
    write_whole,
)

if TYPE_CHECKING:  # the help does without
    from matplotlib.figure import Figure

    from kappacurve.comparison import ComparisonResult

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


class _Recorded(click.Command):
    """A command that remembers how it was called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta["call"] = shlex.join([*ctx.command_path.split(), *args])
        return super().parse_args(ctx, args)


def _constraint(value: str) -> str | float:
    """A threshold as a number, or a constraint that can be read."""
    from kappacurve.operating import check_at

    with suppress(ValueError):
        return float(value)
    try:
        check_at(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return value


def _trained_at(
    _: Any, option: click.Parameter, values: tuple[str, ...]
) -> float | dict[str, float] | None:
    """One share of all models, or shares by model."""
    shares: dict[str, float] = {}
    for value in values:
        model, _sign, share = value.rpartition("=")
        if model in shares:
            raise click.BadParameter(f"{model or 'the share'} is given twice.", param=option)
        shares[model] = SHARE(share, option)
    if len(shares) > 1 and "" in shares:
        raise click.BadParameter("give one share, or MODEL=SHARE for each model.", param=option)
    return shares.get("", shares) or None


@click.command(cls=_Recorded, short_help="AUC, AUK, H and others of your own scores.")
@click.argument("file", metavar="FILE")
@takes((*READING, *WEIGHING))
@column_option("--cv", help="Column of the number of each row's fold: measures of each fold, too.")
@click.option(
    "--prevalence",
    type=SHARE,
    help="Evaluate kappa, AUK and H at this share of positives instead of the file's.",
)
@click.option(
    "--trained-at",
    callback=_trained_at,
    multiple=True,
    metavar="[MODEL=]SHARE",
    help="Share of positives in the training rows, after resampling, to which probabilities belong "
    "(default: the file's): they are shifted from there to the prevalence. Of all models, or of "
    "one by name; may be repeated.",
)
@click.option(
    "--cost-ratio",
    type=click.FloatRange(0),
    metavar="R",
    help="Evaluate kappa, AUK and H where a missed positive costs R times a false alarm; adds the "
    "expected loss and its threshold.",
)
@click.option(
    "--net-benefit",
    "thresholds",
    type=click.FloatRange(0, 1, max_open=True),
    multiple=True,
    metavar="TAU",
    help="Net benefit where a row is worth flagging from this probability on; may be repeated.",
)
@click.option(
    "--at",
    "ats",
    type=_constraint,
    multiple=True,
    metavar="CONSTRAINT",
    help="Threshold, counts, recall, precision, specificity, kappa and loss at 'flagged<=0.1' (an "
    "alert budget), 'fpr<=0.05', 'specificity>=0.95', 'recall>=0.9', 'precision>=0.5', or at a "
    "threshold of other rows; may be repeated.",
)
@click.option(
    "--bootstrap",
    "n_resamples",
    type=click.IntRange(2),
    metavar="N",
    help="Intervals and tests of all measures from N resamples; hulls and maxima less their bias.",
)
@click.option("--random-state", type=click.IntRange(0), default=0, help="Of --bootstrap.")
@click.option(
    "--sampling",
    type=click.Choice(["random", "stratified"]),
    help="random, the default: the file's class ratio came about by chance. stratified: it was "
    "fixed, as a --prevalence always is.",
)
@click.option("--level", type=SHARE, default=0.95, help="Of the intervals.")
@click.option(
    "--no-intervals", is_flag=True, help="Measures alone: with very many rows far faster."
)
@click.option(
    "--all",
    "all_measures",
    is_flag=True,
    help="Print every measure; json and --report always have all.",
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["table", "json"]),
    default="table",
    help="json has all digits.",
)
@click.option("--output", **NEW_FILE, help="Write there instead of to the screen.")
@click.option("--plot", **NEW_FILE, help="Draw ROC and kappa curves into a .pdf, .svg or .png.")
@click.option("--report", **NEW_FILE, help="Write all into one offline .html page.")
@click.pass_context
def measure(
    ctx: click.Context,
    /,
    *,
    file: str,
    cv: str | None,
    level: float,
    no_intervals: bool,
    all_measures: bool,
    thresholds: tuple[float, ...],
    ats: tuple[str | float, ...],
    format_name: str,
    output: Path | None,
    plot: Path | None,
    report: Path | None,
    **options: Any,
) -> None:
    """Measure the scores in FILE: AUC, AUK, average precision, H, Brier score and log loss.

    FILE has a header and one line per row: UTF-8 CSV or TSV (also .gz, .bz2, .xz), Parquet (needs
    pyarrow) or the first sheet of an Excel workbook (needs openpyxl); - is standard input.

    AUC and AUK have analytic intervals, on the logit scale, if there are at least ten rows of
    each class; --bootstrap gives intervals for every measure. Two models or more are compared by
    paired tests on the same rows, adjusted for all pairs if there are more than two; you are told
    what is more than chance, and when two measures rank the models differently.

    \b
    Examples:
      kappacurve measure scores.csv --label y --score model_a --score model_b
      kappacurve measure scores.csv --label class --positive bad --prevalence 0.02
      kappacurve measure scores.csv --label class --positive bad --cost-ratio 5 --report page.html
      kappacurve measure scores.csv --label y --net-benefit 0.1 --report page.html
      kappacurve measure scores.csv --label y --at "flagged<=0.1" --at "recall>=0.9"
      kappacurve measure scores.csv --label y --bootstrap 2000 --plot curves.pdf
      zcat scores.csv.gz | kappacurve measure - --label y --format json

    Exit code 0 if all went well, 1 if the file can't be used, 2 for a mistake on the command line.
    """
    if no_intervals and options["n_resamples"] is not None:
        raise click.UsageError("--bootstrap makes intervals: leave out --no-intervals.")
    refuse_overwriting(file, {"--output": output, "--plot": plot, "--report": report})
    with errors_of(file):
        from kappacurve._decisions import net_benefits
        from kappacurve.comparison import compare

        scores = read_models(file, options, cv)
        design: Any = {"level": None if no_intervals else level}
        design |= {name: options[name] for name in ("prevalence", "trained_at", "sampling")}
        others = {name: options[name] for name in ("n_resamples", "random_state", "cost_ratio")}
        result = compare(
            scores.table.positive,
            scores.table.scores,
            lower=options["lower"],
            n_jobs=-1,
            progress=sys.stderr,
            at=ats,
            **design,
            **others,
            **scores.columns,
        )
        result = replace(result, conclusion=(*scores.caveats, *result.conclusion))
        benefits = net_benefits(result.sample, thresholds, **design) if thresholds else []
    call = ctx.meta["call"]
    answer = Report(scores, result, benefits, options["cost_ratio"], call, all_measures)
    text = as_json(answer) if format_name == "json" else as_table(answer)
    if plot is not None:
        write_whole(plot, lambda draft: draw(result.plot, draft))
    if report is not None:
        deliver(as_page(answer), report)
    deliver(text, output)


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


def as_json(report: Report) -> str:
    """All of the report, with full precision; null is what is not known or infinite."""
    from kappacurve.comparison_result import records

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
    from kappacurve.comparison_result import as_text, listed_measures, section_of_benefit

    more = [section_of_benefit(benefit) for benefit in report.net_benefits]
    notes = report.notes
    if not report.all_measures:
        others = [name for name in REPORTED if not MEASURES[name].printed]
        notes = [*notes, f"--all prints {listed_measures(others)}, too."]
    return as_text(report.result, _heading(report), notes, more, report.all_measures)


def as_page(report: Report) -> str:
    """One offline page with the sentences, the picture and the tables; the same bytes each time."""
    from kappacurve.comparison_result import as_html, html_table, section_of_benefit

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
    decided = "".join(
        html_table(section_of_benefit(benefit)) + "\n" for benefit in report.net_benefits
    )
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
