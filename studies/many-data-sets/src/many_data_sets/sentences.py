"""The sentences of round 3, filled in from its tables by the rule in docs/protocol.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from many_data_sets.across_sources import NO_EVIDENCE
from many_data_sets.draws import MEAN
from many_data_sets.measures import MEASURES
from many_data_sets.practice import ALL_ROWS

MENUS = {
    "all_log_loss": "nine learners tuned by log loss",
    "strong_log_loss": "five strong learners tuned by log loss",
    "all_auc": "nine learners tuned by AUC",
    "strong_auc": "five strong learners tuned by AUC",
    "all": "ten models as trained",
    "strong": "five strong models as trained",
    "trees": "trees of six depths",
}
SAMPLES = {"own": "in its natural ratio", "balanced": "balanced, judged at 5 %"}
FIRST, CHOOSE = "first page", "choose.md"


def sentences_of(advice: pd.DataFrame, power: pd.DataFrame, n_positive: int) -> pd.DataFrame:
    """Of the first page and of choose.md, in their order."""
    lines = {
        (line["menu"], line["sample"], line["n_positive"], line["calibrated"]): line
        for line in advice.to_dict("records")
    }
    tests = power.set_index(["design", "n_positive", "goal", "outcome", "measure"])["attained"]
    rows = [(FIRST, *told) for told in _first(lines, tests, n_positive)]
    rows += [(CHOOSE, *told) for told in _choose(lines, n_positive)]
    return pd.DataFrame(rows, columns=["page", "sentence", "table"])


def _first(lines: Mapping[Any, Any], tests: Any, n: int) -> Iterator[tuple[str, str]]:
    menus = "all_log_loss", "strong_log_loss"
    tuned, strong = ([lines[menu, "stated", n, one] for one in (False, True)] for menu in menus)
    plain = lines["all", "stated", n, False]
    yield (
        f"Choosing with {n} positives at 5 % on {rests_on(plain)}: among {MENUS[menus[0]]}, "
        f"{against(tuned[0], 'log_loss')} points of the attainable gain (calibrated "
        f"{points(tuned[1], 'log_loss')}); among five strong ones {points(strong[0], 'log_loss')} "
        f"({points(strong[1], 'log_loss')}); untuned {points(plain, 'log_loss')}.",
        "advice",
    )
    yield f"{best(tuned[0])} among the nine.", "advice"
    found = [tests["stated", n, MEAN, "power", measure] for measure in ("auk", "auc")]
    yield (
        f"Untuned, {against(plain, 'auk')}; its paired test found {found[0]:.0f} % of the better "
        f"models, AUC's {found[1]:.0f} %.",
        "advice, power",
    )


def _choose(lines: Mapping[Any, Any], n: int) -> Iterator[tuple[str, str]]:
    for menu, words in MENUS.items():
        raw, calibrated = (lines[menu, "stated", n, one] for one in (False, True))
        yield (
            f"**{_capital(words)}**, {n} positives at 5 %: {against(raw, 'log_loss')}; "
            f"calibrated, {against(calibrated, 'log_loss')}; {against(raw, 'auk')}. "
            f"{best(raw)}; calibrated, {best(calibrated, False)}. {rests_on(raw).capitalize()}.",
            "advice",
        )
    for (menu, sample, size, calibrated), line in lines.items():
        other_size = sample == "stated" and size != n
        if (
            menu == "all_log_loss"
            and not calibrated
            and (other_size or (sample != "stated" and size == n))
        ):
            rows = "all rows of a quarter" if size == ALL_ROWS else f"{size} positives"
            at = SAMPLES.get(sample, "at 5 %")
            yield (
                f"**The first of these menus, {rows}, {at}**: {against(line, 'log_loss')}; "
                f"{against(line, 'auk')}. {best(line)}. {rests_on(line).capitalize()}.",
                "advice",
            )


def rests_on(line: Mapping[str, Any]) -> str:
    """How many data sets and packages."""
    share = f"{100 * line['largest_share']:.0f} % from one"
    return f"{line['families']:.0f} data sets of {line['sources']:.0f} packages ({share})"


def points(line: Mapping[str, Any], name: str) -> str:
    """A difference with the hull of its two intervals: 1.2 [0.3, 4.5]."""
    low = min(line[f"{name}_low"], line[f"{name}_correlated_low"])
    high = max(line[f"{name}_high"], line[f"{name}_correlated_high"])
    # The summand: no minus before a zero.
    value, low, high = (round(number, 1) + 0.0 for number in (line[name], low, high))
    return f"{value:.1f} [{low:.1f}, {high:.1f}]"


def against(line: Mapping[str, Any], name: str) -> str:
    """What a measure does against AUC: "log loss leads AUC by 1.2 [0.3, 4.5]"."""
    words, own = line[f"{name}_words"], MEASURES[name]
    if words == NO_EVIDENCE:
        return f"no evidence on {own} from {line['sources']:.0f} packages"
    told = {"leads": "leads AUC by", "is behind": "differs from AUC by"}
    return f"{own} {told.get(words, 'is not shown to differ from AUC:')} {points(line, name)}"


def best(line: Mapping[str, Any], full: bool = True) -> str:
    """The arm that obtained most."""
    own = MEASURES[line["best"]]
    own = _capital(own) if full else own
    end = f" ({line['attained_best']:.0f} %, AUC {line['attained_auc']:.0f} %)"
    return f"{own} obtained most{end}"


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]
