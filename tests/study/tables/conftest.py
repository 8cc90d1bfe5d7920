"""Replicates by hand."""

from itertools import product

import pandas as pd
import pytest

from study.experiment.measures import MEASURES


@pytest.fixture
def make_replicates():
    def make(values):
        """From {model: {measure: values}}; the same for both classes and curves."""
        tables = []
        for model, side, curve in product(values, ("majority", "minority"), ("raw", "hull")):
            place = {"model": model, "positive_class": side, "curve": curve}
            table = pd.DataFrame(dict.fromkeys(MEASURES, 0.5) | values[model]).assign(**place)
            tables.append(table.rename_axis("replicate").reset_index())
        return pd.concat(tables, ignore_index=True)

    return make
