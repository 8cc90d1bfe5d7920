"""The AUK of two models over the cost, from the kept scores of all replicates."""

from pathlib import Path

from _job import run
from study.analysis.cost_profile import cost_profile
from study.parquet import read_parquet


def profile_costs(
    *,
    scores: list[Path],
    profile: Path,
    ties: Path,
    pair: tuple[str, str],
    prevalence: float | None,
    cost_ratio: float | None,
) -> None:
    """Write the areas at every cost, and the costs at which the models tie."""
    kept = read_parquet(scores, filters=[("model", "in", pair)])
    profiled = cost_profile(kept, pair, prevalence, cost_ratio)
    for table, path in zip(profiled, (profile, ties), strict=True):
        table.to_csv(path, index=False, float_format="%.6f")


if __name__ == "__main__":
    run(profile_costs, snakemake)
