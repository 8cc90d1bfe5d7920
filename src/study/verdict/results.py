"""What the parts of the verdict share."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

MODELS = ("linear", "neural_net")
# Those of ours that stand for the paper's network.
NETWORKS = ("neural_net", "neural_net_lm")
NOT_RUN = "**unknown**; the run has no model to compare."
POSITIVE_CLASSES = ("good", "bad")


class Results(NamedTuple):
    """The tables that the verdict rests on.

    table4, table5, operating_point: as from :func:`study.published.comparison`;
    prevalence, counts: as from :mod:`study.analysis.forensics`; replicate_summary,
    rank_reversal and auk_given_auc: as in :func:`study.papers.errata.errata_table`;
    specification: as from :func:`study.analysis.summaries.specification_table`.
    """

    table4: pd.DataFrame
    table5: pd.DataFrame
    operating_point: pd.DataFrame
    prevalence: pd.DataFrame
    counts: pd.DataFrame
    replicate_summary: pd.DataFrame | None = None
    rank_reversal: pd.DataFrame | None = None
    specification: pd.DataFrame | None = None
    auk_given_auc: pd.DataFrame | None = None
