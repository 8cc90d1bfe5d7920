"""All that the study takes from the repository's experiment: its models, its readers, its error."""

from study.arrays import BoolArray, FloatArray, IntArray
from study.data.classes import as_text
from study.data.uci import FetchError, fetch_uci
from study.errors import ExperimentError
from study.models.fitting import failures_named
from study.models.registry import build_estimator, check_estimator
from study.parquet import read_parquet, write_parquet
from study.settings.check import problems_of_file

__all__ = [
    "BoolArray",
    "ExperimentError",
    "FetchError",
    "FloatArray",
    "IntArray",
    "as_text",
    "build_estimator",
    "check_estimator",
    "failures_named",
    "fetch_uci",
    "problems_of_file",
    "read_parquet",
    "write_parquet",
]
