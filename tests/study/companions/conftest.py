import numpy as np
import pandas as pd
import pytest


@pytest.fixture(scope="session")
def scores():
    """Scores of two models on the same 300 rows, 90 of them bad."""
    rng = np.random.default_rng(5)
    minority = np.repeat([1, 0], [90, 210])
    return pd.concat(
        [
            pd.DataFrame(
                {"row": np.arange(1, 301), "minority": minority, "model": name, "score": score}
            )
            for name, score in (
                ("linear", rng.normal(size=300) + 1.2 * minority),
                ("neural_net", (rng.normal(size=300) + 0.8 * minority).round(1)),
            )
        ],
        ignore_index=True,
    )
