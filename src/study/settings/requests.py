"""What a job may take on a cluster: MB of memory and minutes.

Two to four times what was measured (docs/scaling.md); the figures of the last run are in
results/benchmarks/jobs.
"""

from __future__ import annotations

from typing import NamedTuple

ROWS = 4  # of a replicate and model: two positive classes, the raw curve and its hull


class Request(NamedTuple):
    """Memory in MB and time in minutes."""

    mem_mb: int
    runtime: int


def to_draw(replicates: int) -> Request:
    """For a job that draws so many replicates.

    Memory is that of the default models. The time leaves 0.12 s for a replicate, because models of
    the user's own may be slow.
    """
    return Request(1000 + replicates // 10, 10 + replicates // 500)


def to_gather(replicates: int, part: int, models: int, cells: int = 1) -> Request:
    """For the job that joins all parts: memory grows with a cell and a part, time with all rows."""
    rows = cells * replicates * models * ROWS
    seconds = cells * 3 // 5 + rows // 80_000
    in_memory = replicates + min(part, replicates)
    return Request(1000 + in_memory * models // 600, 10 + seconds // 60)
