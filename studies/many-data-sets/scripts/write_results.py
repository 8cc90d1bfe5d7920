"""Write results.csv from the cells and the questions."""

from pathlib import Path

from many_data_sets.job import job
from many_data_sets.results import answer_questions, read_cells, read_questions, write_results

if __name__ == "__main__":
    with job(snakemake.log[0]):
        table = answer_questions(
            read_questions(Path(snakemake.input.questions)),
            read_cells(Path(snakemake.input.cells), Path(snakemake.input.data_sets)),
            snakemake.config["resamples"],
            snakemake.config["seed"],
        )
        write_results(table, Path(snakemake.output[0]))
