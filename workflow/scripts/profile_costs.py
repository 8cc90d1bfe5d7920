"""The AUK of two models over the cost, from the kept scores of all replicates."""

from pathlib import Path

from _job import run
from study.parquet import read_parquet
from study.published import published_lookup
from study.tables.cost_profile import cost_profile
from study.text.tables import write_table


def profile_costs(
    *,
    scores: list[Path],
    profile: list[Path],
    ties: list[Path],
    pair: list[str],
    prevalence: float | None,
    ratios: list[float],
    of_the_paper: bool,
) -> None:
    """Write the areas at every cost, of which the ratios are marked, and where the models tie."""
    kept = read_parquet(scores, filters=[("model", "in", pair)])
    published = published_lookup() if of_the_paper else {}
    profiled = cost_profile(kept, pair, prevalence, ratios, published)
    for table, paths in zip(profiled, (profile, ties), strict=True):
        write_table(table, paths)


if __name__ == "__main__":
    run(profile_costs, snakemake)
