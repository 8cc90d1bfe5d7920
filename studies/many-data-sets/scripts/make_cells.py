"""Train, tune and calibrate every model on a data set, and make its cells."""

from pathlib import Path

from many_data_sets.cells import make_cells, write_cells
from many_data_sets.data_sets import read_data_set, read_declarations
from many_data_sets.job import job
from many_data_sets.scores import score_data_set

if __name__ == "__main__":
    with job(snakemake.log[0]):
        name, config = snakemake.wildcards.data_set, snakemake.config
        declared = read_declarations(Path(snakemake.input.data_sets))[name]
        folder = Path(snakemake.input.package) if snakemake.input.package else None
        scores = score_data_set(read_data_set(declared, folder), name, config)
        cells = make_cells(scores, name, config)
        write_cells(cells, name, config["main_n_positive"], Path(snakemake.output[0]))
