"""The companions of one set of scores and of German Credit, computed once."""

from functools import cache
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from study.companions.printed_and_computed import Inputs
from study.data.german_credit import BUNDLED_FILE, encode, read_german_data


def make_scores(n_minority, seed):
    random = np.random.default_rng(seed)
    minority = (np.arange(200) < n_minority).astype(int)
    noise = random.normal(size=(2, 200))
    return pd.concat(
        pd.DataFrame({"minority": minority, "model": model, "score": score + minority})
        for model, score in zip(("linear", "neural_net"), noise, strict=True)
    )


@pytest.fixture(scope="session")
def inputs():
    features = encode(read_german_data(BUNDLED_FILE), "strathclyde")
    models = ["linear", "neural_net"]
    return Inputs(make_scores(20, 2), make_scores(60, 1), features, models, seed=2010, width=3.3)


@pytest.fixture(scope="session")
def study(inputs):
    """The table and the figures of a companion by its name."""
    return cache(lambda name: import_module(f"study.companions.{name}").study_source(inputs))
