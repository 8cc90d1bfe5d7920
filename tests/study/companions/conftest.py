import numpy as np
import pandas as pd
import pytest

from study import published


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


@pytest.fixture
def blank_number(tmp_path, monkeypatch):
    """Take the value off the row of published.csv that begins so, and tell its line."""
    cached = (published._published, published.missing_numbers, published.published_numbers)

    def blank(start):
        lines = published.PUBLISHED_FILE.read_text().splitlines()
        at = next(at for at, row in enumerate(lines) if row.startswith(start))
        lines[at] = start
        (tmp_path / "published.csv").write_text("\n".join(lines))
        monkeypatch.setattr(published, "PUBLISHED_FILE", tmp_path / "published.csv")
        for one in cached:
            one.cache_clear()
        return at + 1

    yield blank
    for one in cached:
        one.cache_clear()
