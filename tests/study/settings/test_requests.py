"""Jobs ask for two to four times what docs/scaling.md measured, at any size."""

import re
from pathlib import Path

import pytest

from study.settings.requests import to_draw, to_gather

PAGE = (Path(__file__).parents[3] / "docs" / "scaling.md").read_text()
MB_OF_MIB = 2**20 / 1e6
WAITING = 10  # minutes that every job is given: a busy node, a slow file system


def measured(pattern):
    (found,) = set(re.findall(pattern, PAGE))
    return float(found)


def gathering(replicates, models, cells):
    """Minutes by the page's arithmetic."""
    seconds = cells * measured(r"([\d.]+) s for each cell")
    seconds += cells * replicates * models * 4 * measured(r"takes ([\d.]+) us a row") / 1e6
    return seconds / 60


@pytest.mark.parametrize(
    ("replicates", "models", "cells"),
    [
        (1_000_000, 2, 1),
        (1_000_000, 3, 1),
        (1_000_000, 2, 1000),  # a billion
        (1_000_000, 6, 1000),
        (100_000, 3, 100),
        (500, 3, 6),  # the default run
        (500, 3, 1666),
        (500, 3, 10_000),
        (2, 1, 1),
    ],
)
def test_time_to_gather(replicates, models, cells):
    needed = gathering(replicates, models, cells)
    assert 2 * needed <= to_gather(replicates, 1, models, cells).runtime <= 4 * needed + WAITING


@pytest.mark.parametrize(
    ("replicates", "part", "models"),
    [
        (500, 500, 3),
        (100_000, 10_000, 2),
        (100_000, 100_000, 3),
        (10**6, 10_000, 3),
        (10**6, 100_000, 2),
        (10**6, 100_000, 3),
    ],
)
def test_memory_to_gather(replicates, part, models):
    """Grows with the cell and the part from what small ones take, as measured of three models."""
    small = measured(r"so [\d.]+ min; (\d+) MiB")
    whole, in_all = measured(r"([\d.]+) GiB for 833,333 replicates of three models") * 1024, 833_333
    more = measured(r"of 10,000 add ([\d.]+) GiB") * 1024 * part / 100_000
    needed = small + ((whole - small) * replicates / in_all + more) * models / 3
    assert 2 <= to_gather(replicates, part, models).mem_mb / (needed * MB_OF_MIB) <= 4


@pytest.mark.parametrize("replicates", [500, 5_000, 20_000, 100_000])
def test_memory_to_draw(replicates):
    base = measured(r"memory \| (\d+) MiB and")
    each = measured(r"MiB and (\d+) KiB a replicate \(") / 1024
    needed = (base + each * replicates) * MB_OF_MIB
    assert 2 <= to_draw(replicates).mem_mb / needed <= 4


@pytest.mark.parametrize("replicates", [500, 5_000, 20_000, 100_000])
def test_time_to_draw_is_enough_for_the_slowest_trainer(replicates):
    each = measured(r"`trainer: scikit-learn` \| (\d+) ms") / 1000
    assert to_draw(replicates).runtime >= 2 * each * replicates / 60
