"""What every test has, those in docstrings too."""

import os
import sys

import numpy as np
import pytest
import scipy.linalg  # noqa: F401  loads its BLAS, so that it can be limited
from hypothesis import settings
from threadpoolctl import threadpool_limits

os.environ["MPLBACKEND"] = "agg"  # no window, wherever the tests run
# What the shell has set must not reach the servers and processes that tests start.
os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost"
for name in ("SNAKEMAKE_PROFILE", "PYTHONPATH", "PYTEST_ADDOPTS"):
    os.environ.pop(name, None)

# The same examples in every run; HYPOTHESIS_PROFILE=many looks for new ones, for minutes.
settings.register_profile("few", max_examples=2, derandomize=True, deadline=None)
settings.register_profile("ci", max_examples=40, derandomize=True, deadline=None)
settings.register_profile("more", max_examples=300, derandomize=True, deadline=None)
settings.register_profile("many", max_examples=3000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(autouse=True, scope="session")
def _one_thread():
    """Small matrices are multiplied many times sooner by one thread than by several."""
    with threadpool_limits(1):
        yield


@pytest.fixture(autouse=True)
def _no_figure_left_open():
    """pyplot keeps every figure and warns at the 21st, in whichever test that happens to be."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


@pytest.fixture
def rng():
    return np.random.default_rng(20100821)
