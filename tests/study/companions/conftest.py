"""Every companion computed once, on two splits of the kept scores."""

from functools import cache
from importlib import import_module

import pytest

from study.companions import silipo_widmann
from study.companions.printed import Inputs
from study.data.german_credit import BUNDLED_FILE, encode, read_german_data


@pytest.fixture(scope="session")
def inputs(kept):
    paper, original = (rows for _, rows in kept[kept["replicate"] < 2].groupby("replicate"))
    features = encode(read_german_data(BUNDLED_FILE), "strathclyde")
    models = ["linear", "neural_net"]
    return Inputs(paper, original, features, models, seed=2010, width=3.3)


@pytest.fixture(scope="session")
def study(inputs):
    """Table and figures of a companion by its name; Silipo & Widmann with 12 draws, not 75."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(silipo_widmann, "N_REPLICATES", 12)
        yield cache(lambda name: import_module(f"study.companions.{name}").study_source(inputs))
