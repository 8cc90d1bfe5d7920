"""``kappacurve audit``: can a published AUC and AUK belong together?"""

from __future__ import annotations

from typing import Any

import click

from kappacurve._validation import ArgumentError
from kappacurve.cli.main import deliver, json_text


@click.command(short_help="Can this AUC and AUK belong together?")
@click.option("--auc", type=float, required=True, help="Published area under the ROC curve.")
@click.option("--auk", type=float, required=True, help="Published area under the kappa curve.")
@click.option(
    "--prevalence",
    type=float,
    required=True,
    help="Stated share of the positive class, between 0 and 1.",
)
@click.option(
    "--cost-ratio",
    type=click.FloatRange(0, float("inf"), max_open=True),
    metavar="R",
    help="The AUK was taken where a missed positive costs R times a false alarm.",
)
@click.option(
    "--axis",
    type=click.Choice(["fpr", "flagged"]),
    default="fpr",
    help="The AUK was taken over the false positive rate, or over the flagged share.",
)
@click.option(
    "--curve",
    type=click.Choice(["hull", "raw"]),
    default="hull",
    help="hull: areas of a convex hull. raw: areas of a raw ROC curve.",
)
@click.option(
    "--decimals",
    type=click.IntRange(0, 12),
    default=4,
    help="Digits after the point with which both areas were printed.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def audit(*, as_json: bool, **published: Any) -> None:
    """Tell whether a published AUC and AUK are possible at the stated prevalence.

    For a given AUC and prevalence the exact AUK lies between two bounds, which are attained. A pair
    outside them was computed with another prevalence, another positive class or another rule.

    \b
    Example (Kaymak, Ben-David & Potharst 2010, Table 4, neural network):
      kappacurve audit --auc 0.7186 --auk 0.1753 --prevalence 0.11

    Exit code 0 whether possible or not; 2 if the numbers can't be what they are said to be.
    """
    try:
        answer = published | _audited(**published)
    except ArgumentError as error:
        # One line instead of click's usage block: the command was understood, a number is wrong.
        use = "" if error.instead is None else ": use --{} {}".format(*error.instead)
        hint = ""
        if error.name == "auc" and 50 <= published["auc"] <= 100:  # a percentage
            hint = f" Did you mean {published['auc'] / 100:.10g}?"
        click.echo(f"Error: --{error.name} {error.fault}{use}.{hint}", err=True)
        raise click.exceptions.Exit(2) from None
    deliver(json_text(answer) if as_json else _in_words(answer))


def _audited(auc: float, auk: float, prevalence: float, decimals: int, **at: Any) -> dict[str, Any]:
    """The exact AUK at the published AUC, unrounded, and the verdict with rounding.

    The trapezoid rule is that over a hull with one corner; there is none for an AUC below 0.5.
    """
    # Imported here: the help and the other commands do without.
    from kappacurve.bounds.auk_bounds import auk_bounds, auk_trapezoid_range
    from kappacurve.bounds.published_values import prevalence_intervals, printed_interval

    def bounds(auc: float) -> tuple[float, float]:
        ends = auk_bounds(auc, prevalence, **at)
        return float(ends.lower), float(ends.upper)

    def holds_auk(low: float, high: float) -> bool:
        return low - 1e-12 <= printed_auk.high and printed_auk.low <= high + 1e-12

    lower, upper = bounds(auc)
    intervals = prevalence_intervals(auc, auk, decimals=decimals, **at)
    printed_auc = printed_interval(auc, decimals)
    printed_auk = printed_interval(auk, decimals)
    least, _ = bounds(max(printed_auc.low, 0.5 if at["curve"] == "hull" else 0.0))
    _, most = bounds(min(printed_auc.high, 1.0))
    low = high = reached = None
    possible = holds_auk(least, most)
    if auc >= 0.5:
        trapezoid = auk_trapezoid_range(auc, prevalence, cost_ratio=at["cost_ratio"])
        low, high = map(float, trapezoid[:2])
        reached = possible or holds_auk(min(lower, low), max(upper, high))
    return {
        "lower": lower,
        "upper": upper,
        "possible": possible,
        "prevalences": [list(interval) for interval in intervals],
        "trapezoid_lower": low,
        "trapezoid_upper": high,
        "trapezoid_possible": reached,
    }


def _in_words(found: dict[str, Any]) -> str:
    from kappacurve.bounds.published_values import intervals_in_words

    where = "above" if found["auk"] > found["upper"] else "below"
    verdict = f"IMPOSSIBLE ({where} the range, rounding taken in)"
    loophole = "Not even a trapezoid AUK over one corner gives the published value."
    if found["possible"]:
        verdict = "POSSIBLE"
        loophole = "No loophole is needed: an exact integral gives the published AUK."
    elif found["trapezoid_possible"]:
        loophole = (
            "So a trapezoid AUK over very few vertices could give the published value; "
            "an integral along the ROC curve can't."
        )
    at = "convex hull" if found["curve"] == "hull" else "raw curve"
    if found["axis"] == "flagged":
        at = f"over the flagged share, {at}"
    if found["cost_ratio"] is not None:
        at = f"a missed positive costs {found['cost_ratio']:g} false alarms, {at}"
    pair = "AUC {auc:.{decimals}f}, AUK {auk:.{decimals}f}, prevalence {prevalence:g}"
    lines = [
        f"{pair.format(**found)}, {at}",
        "",
        f"Exact AUK at this AUC and prevalence: {found['lower']:.6f} to {found['upper']:.6f}",
        f"The published AUK is {verdict}.",
        "Prevalences at which the pair is possible: " + intervals_in_words(found["prevalences"]),
    ]
    if found["trapezoid_possible"] is not None:
        span = "{trapezoid_lower:.6f} to {trapezoid_upper:.6f}".format(**found)
        lines += ["", f"Trapezoid rule over a hull with one corner: {span}.", loophole]
    return "\n".join([*lines, ""])
