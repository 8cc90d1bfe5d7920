"""Turn the coded attributes into numeric features."""

from pathlib import Path

import pandas as pd

from _job import run
from study.data.encoding import encode


def encode_features(*, table: Path, features: Path, encoding: str) -> None:
    """Write row, bad and the features of one encoding."""
    encode(pd.read_csv(table), encoding).to_csv(features, index=False)


if __name__ == "__main__":
    run(encode_features)
