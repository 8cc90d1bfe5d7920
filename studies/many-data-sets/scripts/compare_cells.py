"""Join the cells of every data set, and write where they differ from the kept ones."""

from pathlib import Path

from many_data_sets.job import job
from many_data_sets.results import compare_cells, join_cells

if __name__ == "__main__":
    with job(snakemake.log[0]):
        join_cells([Path(path) for path in snakemake.input.cells], Path(snakemake.output.cells))
        table = compare_cells(Path(snakemake.input.kept), Path(snakemake.output.cells))
        table.to_csv(snakemake.output.differences, index=False, lineterminator="\n")
