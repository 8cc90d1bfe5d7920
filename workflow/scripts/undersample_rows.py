"""Choose the rows of a cohort: bad ones deleted at random until their share is the skew."""

import logging
from pathlib import Path

import pandas as pd

from _job import run
from study.data.classes import GERMAN_CREDIT, read_classes
from study.replicates.sampling import Scheme, class_counts, replicate_seeds, undersample

log = logging.getLogger(__name__)


def undersample_rows(
    *,
    features: Path,
    sample: Path,
    seed: int,
    skew: float | None = None,
    scheme: Scheme = "keep_majority",
    total: int | None = None,
    n_minority: int | None = None,
    column: str = GERMAN_CREDIT.column,
    provenance: Path | None = None,
) -> None:
    """Write the kept rows (row, bad); all of them where no skew is wanted."""
    labels = pd.read_csv(features, usecols=["row", column])
    n_bad = int(labels[column].sum())
    if skew is None:
        kept = labels
    else:
        counts = class_counts(
            len(labels) - n_bad,
            n_bad,
            skew=skew,
            scheme=scheme,
            total=total,
            n_minority=n_minority,
            names=read_classes(provenance)[1:],
        )
        # The single split that the tables show is replicate 0.
        kept = labels.iloc[
            undersample(labels[column], counts, replicate_seeds(seed, 0).undersample)
        ]
    kept.to_csv(sample, index=False)
    log.info("%d of %d rows, %.4f %s", len(kept), len(labels), kept[column].mean(), column)


if __name__ == "__main__":
    run(undersample_rows)
