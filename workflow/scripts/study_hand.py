"""Hand (2009): Table 1, Figures 1-4, the special costs and the six panels of our models."""

from pathlib import Path

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.table_files import write_table
from study.papers import hand, hand_figures
from study.papers.checks import check_table
from study.published import MODEL_LABELS, labelled


def study_hand(
    *,
    scores: Path,
    table1: list[Path],
    implied_weights: list[Path],
    special_costs: list[Path],
    figures1_2: list[Path],
    figure3: list[Path],
    figure4: list[Path],
    six_panels: list[Path],
    six_panels_print: list[Path],
    checks: list[Path],
    models: list[str],
) -> None:
    """Write the study's tables, figures and checks."""
    scored = pd.read_csv(scores)
    write_table(hand.table1(), table1, title="Hand (2009), Table 1")
    write_table(
        hand.implied_weights_table(), implied_weights, title="Hand (2009), Figure 4: cost weights"
    )
    costs = hand.special_costs_table(scored)
    write_table(
        costs,
        special_costs,
        shown=labelled(costs),
        title="Error rate and KS as the minimum loss at one cost (Hand 2009, section 4)",
    )
    write_table(check_table("hand", hand.checks(scored)), checks, title="Hand (2009): checks")
    with house_style():
        save_figure(hand_figures.figure_dent(), figures1_2)
        save_figure(hand_figures.figure3(), figure3)
        save_figure(hand_figures.figure4(), figure4)
        for i, model in enumerate(models):
            name = f"{MODEL_LABELS.get(model, model)}, original data"
            drawn = hand_figures.figure_six_panels(scored[scored["model"] == model], name)
            save_figure(drawn, [six_panels[i], *six_panels_print[2 * i : 2 * i + 2]])


if __name__ == "__main__":
    run(study_hand)
