"""``kappacurve measure``: all measures of the scores in a file."""

from __future__ import annotations

import shlex
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from kappacurve.cli._scores import (
    NEW_FILE,
    READING,
    SHARE,
    WEIGHING,
    column_option,
    deliver,
    errors_of,
    read_models,
    refuse_overwriting,
    takes,
    write_whole,
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
        from kappacurve.cli._report import Report, as_json, as_page, as_table, draw, net_benefits
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
