"""Hand (2009): Table 1, the figures, the special costs, and a search for his Example 3."""

import logging
from pathlib import Path

import pandas as pd
from _job import run

from kappacurve.companions import hand, hand_figures, hand_search
from kappacurve.companions.checks import check_table
from kappacurve.companions.tables import write_table
from kappacurve.display import HMeasureDisplay
from kappacurve.experiment.tables import MODEL_LABELS
from kappacurve.style import house_style, save_figure

log = logging.getLogger(__name__)


def study_hand(
    *,
    scores: Path,
    table: Path,
    table1: list[Path],
    implied_weights: list[Path],
    special_costs: list[Path],
    subsets: Path,
    disagreements: list[Path],
    example3: list[Path],
    figures1_2: list[Path],
    figure3: list[Path],
    figure4: list[Path],
    figure5: list[Path],
    figure6: list[Path],
    figure7: list[Path],
    six_panels: list[Path],
    six_panels_print: list[Path],
    checks: list[Path],
    seed: int,
    models: list[str],
    subset_sizes: list[int],
    subsets_per_size: int,
) -> None:
    """Write the study's tables, figures and checks."""
    scored = pd.read_csv(scores)
    write_table(hand.table1(), table1, title="Hand (2009), Table 1")
    write_table(
        hand.implied_weights_table(), implied_weights, title="Hand (2009), Figure 4: cost weights"
    )
    write_table(
        hand.special_costs_table(scored),
        special_costs,
        title="Error rate and KS as the minimum loss at one cost (Hand 2009, section 4)",
    )
    write_table(check_table("hand", hand.checks(scored)), checks, title="Hand (2009): checks")
    with house_style():
        save_figure(hand_figures.figure_dent(), figures1_2)
        save_figure(hand_figures.figure3(), figure3)
        save_figure(hand_figures.figure4(), figure4)
    for i, model in enumerate(models):
        one = scored[scored["model"] == model]
        name = f"{MODEL_LABELS.get(model, model)}, original data"
        _draw_panels(one, name, [six_panels[i], *six_panels_print[2 * i : 2 * i + 2]])

    rows = hand_search.rows_of(pd.read_csv(table), scored["row"].unique())
    tried = hand_search.try_subsets(
        rows, hand_search.draw_subsets(subset_sizes, subsets_per_size, seed)
    )
    _write_search(tried, subsets, disagreements, example3)
    _draw_pair(rows, tried, figure5, figure6, figure7)


def _write_search(
    tried: pd.DataFrame, subsets: Path, disagreements: list[Path], example3: list[Path]
) -> None:
    write_table(tried, [subsets], title="")
    counted = hand_search.disagreements(tried)
    write_table(
        counted,
        disagreements,
        title="Pairs of classifiers that AUC and H order differently",
        note="Logistic regressions on random attribute subsets of German Credit, on held-out rows.",
    )
    write_table(
        hand_search.pair_table(tried, hand_search.choose_pair(tried)),
        example3,
        title="Hand (2009), Example 3: AUC prefers the second classifier, H the first",
        note=(
            "Of all pairs tried that disagree, the one whose lesser difference (in standard "
            "deviations over the subsets) is largest. Swapped: training and test rows exchanged."
        ),
    )
    log.info("%d subsets tried, %d pairs disagree", len(tried), int(counted["value"][2]))


def _draw_pair(
    rows: hand_search.Rows,
    tried: pd.DataFrame,
    figure5: list[Path],
    figure6: list[Path],
    figure7: list[Path],
) -> None:
    pair = hand_search.choose_pair(tried)
    found = hand_search.pair_table(tried, pair)
    tables = []
    for which, position, paths in zip(pair._fields, pair, (figure5, figure6), strict=True):
        attributes = tuple(tried["attributes"][position].split())
        score = hand_search.score_subset(rows, attributes)
        one = pd.DataFrame({"bad": rows.bad[~rows.train].astype(int), "score": score})
        shown = ", ".join(attributes).replace("_", " ")
        _draw_panels(one, f"{which} classifier: {shown}", paths)
        tables.append(one.assign(model=which))
    curves = {one.model: one for one in hand.curves_of(pd.concat(tables))}
    with house_style():
        save_figure(hand_figures.figure7(curves, found), figure7)


def _draw_panels(one: pd.DataFrame, name: str, paths: list[Path]) -> None:
    with house_style():
        display = HMeasureDisplay.from_predictions(one["bad"], one["score"], name=name)
        save_figure(display.figure_, paths)


if __name__ == "__main__":
    run(study_hand)
