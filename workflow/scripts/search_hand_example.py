"""Hand (2009), Example 3: two classifiers that AUC and H order differently; how rare it is."""

import logging
from pathlib import Path

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.table_files import write_table
from study.papers import hand, hand_figures, hand_search

log = logging.getLogger(__name__)
RULE = (
    "Of all pairs tried that disagree, the one whose lesser difference (in standard deviations "
    "over the subsets) is largest. Swapped: training and test rows exchanged."
)

SUBSETS = (
    "One logistic regression a row: AUC and H on the held-out rows, and swapped (training and test "
    "rows exchanged)."
)


def search_hand_example(
    *,
    scores: Path,
    table: Path,
    subsets: list[Path],
    disagreements: list[Path],
    example3: list[Path],
    figure5: list[Path],
    figure6: list[Path],
    figure7: list[Path],
    seed: int,
    subset_sizes: list[int],
    subsets_per_size: int,
) -> None:
    """Write all subsets tried, how often AUC and H disagree, and the pair chosen."""
    test_rows = pd.read_csv(scores)["row"].unique()
    rows = hand_search.rows_of(pd.read_csv(table), test_rows)
    tried = hand_search.try_subsets(
        rows, hand_search.draw_subsets(subset_sizes, subsets_per_size, seed)
    )
    write_table(tried, subsets, title="All attribute subsets tried", note=SUBSETS)
    write_table(
        hand_search.disagreements(tried),
        disagreements,
        title="Pairs of classifiers that AUC and H order differently",
        note="Logistic regressions on random attribute subsets of German Credit, on held-out rows.",
    )
    pair = hand_search.choose_pair(tried)
    found = hand_search.pair_table(tried, pair)
    scored = [
        hand_search.scored_subset(rows, tuple(one["attributes"].split()), str(one["classifier"]))
        for one in found.to_dict("records")
    ]
    write_table(
        found,
        example3,
        title="Hand (2009), Example 3: AUC prefers the second classifier, H the first",
        note=f"{RULE} {hand_search.difference_note(*scored)}",
    )
    log.info("%d subsets tried, the pair shown: %d and %d", len(tried), *pair)
    _draw_pair(found, scored, [figure5, figure6], figure7)


def _draw_pair(
    found: pd.DataFrame, scored: list[pd.DataFrame], panels: list[list[Path]], figure7: list[Path]
) -> None:
    with house_style():
        for one, table, paths in zip(found.to_dict("records"), scored, panels, strict=True):
            attributes = str(one["attributes"]).replace(" ", ", ").replace("_", " ")
            name = f"{one['classifier']} classifier: {attributes}"
            save_figure(hand_figures.figure_six_panels(table, name), paths)
        curves = {one.model: one for one in hand.curves_of(pd.concat(scored))}
        save_figure(hand_figures.figure7(curves, found), figure7)


if __name__ == "__main__":
    run(search_hand_example)
