"""Draw the figure from the cells."""

from pathlib import Path

from many_data_sets.figure import plot_figure
from many_data_sets.job import job
from many_data_sets.results import read_cells

if __name__ == "__main__":
    with job(snakemake.log[0]):
        cells = read_cells(Path(snakemake.input.cells), Path(snakemake.input.data_sets))
        plot_figure(cells, Path(snakemake.output[0]))
