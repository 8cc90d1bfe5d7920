import numpy as np
import pandas as pd
import pytest

from study.analysis.joint import specification_table


def kept_scores(n=60, good=250, bad=30, seed=1, shift=1.1):
    """Scores of both models, as replicates keep them: normal, those of bad rows higher."""
    rng = np.random.default_rng(seed)
    tables = []
    label = np.repeat([0, 1], [good, bad])
    for replicate in range(n):
        noise = rng.normal(size=len(label))
        for model, own, size in (("linear", 0.0, shift), ("neural_net", 0.7, 0.9 * shift)):
            score = size * label + noise + own * rng.normal(size=len(label))
            place = {"replicate": replicate, "row": np.arange(len(label)), "bad": label}
            tables.append(pd.DataFrame({**place, "model": model, "score": score}))
    return pd.concat(tables, ignore_index=True)


@pytest.fixture(scope="session")
def kept():
    return kept_scores()


PLACE = {"skew": 0.11, "encoding": "strathclyde", "sampling": "keep_majority"}
PLACE |= {"scaling": "standard", "early_stopping": "", "network": "neural_net"}


@pytest.fixture(scope="session")
def specifications(kept):
    return specification_table([(PLACE, kept), (PLACE | {"encoding": "onehot"}, kept)])
