"""Ben-David (2008): Examples 1-6 and Figures 1-4 from the formulas."""

from pathlib import Path

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.table_files import write_table
from study.papers import ben_david
from study.papers.checks import check_table


def study_ben_david(
    *,
    examples: list[Path],
    points: list[Path],
    figures1_to_4: list[Path],
    checks: list[Path],
) -> None:
    """Write the study's table, the points of its figures, the figures, and the checks."""
    write_table(
        ben_david.examples_table(),
        examples,
        title="Ben-David (2008), Examples 1 to 6",
        note="The accuracy of Example 2 is missing in the sentence that announces it.",
    )
    write_table(
        ben_david.figure_points(), points, title="Ben-David (2008): the points of Figures 1 to 4"
    )
    with house_style():
        save_figure(ben_david.figure_lines(), figures1_to_4)
    write_table(
        check_table("ben_david", ben_david.checks()), checks, title="Ben-David (2008): checks"
    )


if __name__ == "__main__":
    run(study_ben_david)
