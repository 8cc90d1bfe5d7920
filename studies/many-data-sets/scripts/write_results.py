"""Write results.csv and draw figure.svg from the cells."""

from pathlib import Path

from many_data_sets.figure import plot_figure
from many_data_sets.job import job
from many_data_sets.results import answer_questions, read_cells, read_questions, write_results

if __name__ == "__main__":
    with job(snakemake.log[0]):
        cells = read_cells(Path(snakemake.input.cells), Path(snakemake.input.data_sets))
        questions = read_questions(Path(snakemake.input.questions))
        names = ("resamples", "test_resamples", "seed")
        settings = {name: snakemake.config[name] for name in names}
        table = answer_questions(questions, cells, **settings)
        write_results(table, Path(snakemake.output.results))
        plot_figure(cells, Path(snakemake.output.figure))
