"""Kept scores, and the tables of the default run."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

EXPECTED = Path(__file__).parents[1] / "expected"


@pytest.fixture(scope="session")
def expected():
    """A table of the default run by its path, such as tables/counts."""
    return lambda name: pd.read_csv(EXPECTED / f"{name}.csv")


@pytest.fixture(scope="session")
def kept():
    """Kept scores of 150 replicates, 30 of 280 test rows bad: normal, the network's noisier."""
    rng = np.random.default_rng(1)
    label = np.repeat([0, 1], [250, 30])
    shape = (150, len(label))
    noise, more = rng.normal(size=shape), rng.normal(size=shape)
    of_model = {"linear": 0.95 * label + noise, "neural_net": 0.95 * label + noise + 0.7 * more}
    replicate, row = (index.ravel() for index in np.indices(shape))
    place = {"replicate": replicate, "row": row, "minority": np.tile(label, shape[0])}
    return pd.concat(
        pd.DataFrame({**place, "model": name, "score": score.ravel()})
        for name, score in of_model.items()
    )
