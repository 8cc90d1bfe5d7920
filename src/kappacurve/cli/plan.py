"""``kappacurve plan``: how many positives does a comparison need?"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

import click

from kappacurve._validation import printable
from kappacurve.cli.main import READING, SHARE, deliver, errors_of, json_text, read_models, takes

if TYPE_CHECKING:
    from kappacurve.planning import SampleSize


@click.command(short_help="How many positives does a comparison need?")
@click.argument("file", metavar="[PILOT]", required=False)
@click.option("--auc", type=SHARE, multiple=True, help="Expected AUC; twice for two models.")
@click.option(
    "--correlation",
    type=click.FloatRange(-1, 1, min_open=True, max_open=True),
    help="Of the two models' scores within each class.",
)
@takes(READING)
@click.option("--prevalence", type=SHARE, help="Evaluate AUK at this share of positives.")
@click.option(
    "--ratio",
    type=click.FloatRange(0, min_open=True),
    help="Negatives per positive in the planned sample. Default: as the prevalence, or the pilot.",
)
@click.option(
    "--cost-ratio",
    type=click.FloatRange(0),
    metavar="R",
    help="Evaluate AUK where a missed positive costs R times a false alarm.",
)
@click.option("--power", type=SHARE, default=0.8, help="Of the two-sided paired test.")
@click.option(
    "--half-width",
    type=click.FloatRange(0, min_open=True),
    help="Plan for an interval of this half width instead of for power.",
)
@click.option(
    "--level", type=SHARE, default=0.95, help="Of the interval; the test is at 1 - level."
)
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON.")
def plan(*, file: str | None, auc: tuple[float, ...], as_json: bool, **options: Any) -> None:
    """Tell how many positives and negatives AUC and AUK need, side by side.

    From the two AUCs that you expect, or from a PILOT file of scores (as in kappacurve measure),
    whose difference is then taken as the true one. With one model, and --half-width, the rows that
    its interval needs.

    \b
    Examples:
      kappacurve plan --auc 0.75 --auc 0.80 --correlation 0.6 --prevalence 0.05 --ratio 10
      kappacurve plan --auc 0.80 --prevalence 0.05 --half-width 0.02
      kappacurve plan pilot.csv --label y --score model_a --score model_b --power 0.9
    """
    if (file is None) == (not auc):
        raise click.UsageError("Give --auc, once for each model, or a pilot file with --label.")
    names = ("correlation", "prevalence", "ratio", "cost_ratio", "power", "half_width", "level")
    chosen = {name: options[name] for name in names}
    notes: list[str] = []
    with errors_of(file or ""):
        from kappacurve.planning import plan_sample_size

        if file is None:
            sizes = plan_sample_size(auc, **chosen)
            source = f"Expected AUC {' and '.join(f'{area:g}' for area in auc)}"
        else:
            read = read_models(file, options)
            notes, scores = read.notes, read.scores
            sizes = plan_sample_size(y_true=read.table.positive, y_score=scores, **chosen)
            source = f"Pilot {file}: {' less '.join(scores)}"
    if as_json:
        plans = {name: size._asdict() for name, size in sizes.items()}
        return deliver(json_text({**chosen, "notes": notes, **plans}))
    return deliver("\n".join(map(printable, [*notes, *_in_words(source, sizes, chosen), ""])))


def _in_words(source: str, sizes: dict[str, SampleSize], chosen: dict[str, Any]) -> list[str]:
    tested = not isnan(sizes["auc"].power)
    if chosen["half_width"] is not None:
        goal = f"For a {chosen['level']:.4g} interval of half width {chosen['half_width']:g}"
    else:
        goal = f"For power {chosen['power']:g} of the paired test at {1 - chosen['level']:.4g}"
    lines = [source, goal]
    if chosen["cost_ratio"] is not None:
        lines.append(f"AUK where a missed positive costs {chosen['cost_ratio']:g} false alarms")
    lines.append("")
    heads = ["difference" if tested else "value", "positives", "negatives", "power", "half width"]
    lines.append("     " + "".join(f"{head:>12}" for head in heads))
    for name, size in sizes.items():
        power = f"{size.power:.3f}" if tested else "-"
        lines.append(
            f"{name.upper():5}{size.effect:12.4f}{size.n_positive:12d}{size.n_negative:12d}"
            f"{power:>12}{size.half_width:12.4f}"
        )
    return lines
