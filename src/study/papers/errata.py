"""Every contradiction that was found in the sources, recomputed when the table is made."""

from __future__ import annotations

import pandas as pd

from study.papers.errata_kaymak import KAYMAK
from study.papers.errata_others import BAKER, BEN_DAVID, HAND, SILIPO
from study.papers.erratum import Evidence

SOURCES = (KAYMAK, BEN_DAVID, BAKER, SILIPO, HAND)


def errata_table(
    measures: pd.DataFrame | None = None,
    *,
    replicate_summary: pd.DataFrame | None = None,
    rank_reversal: pd.DataFrame | None = None,
    auk_given_auc: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """What the sources print beside what comes out.

    Parameters
    ----------
    measures : DataFrame, optional
        Of one split, as from :func:`study.replicates.evaluation.evaluate_measures`.
    replicate_summary : DataFrame, optional
        model, positive_class, curve, measure, mean, sd, low, high, published, percentile.
    rank_reversal : DataFrame, optional
        pair, curve, positive_class, pattern, replicates, reversals, share, low, high.
    auk_given_auc : DataFrame, optional
        As from :func:`study.analysis.auk_given_auc.auk_given_auc_table`.

    Returns
    -------
    DataFrame
        source, where, printed, recomputed, status (contradicted; imprecise: true only in part;
        unusual: possible but rare; agrees; needs replicates), verdict (a sentence) and function
        (the one that recomputes).
    """
    evidence = Evidence(measures, replicate_summary, rank_reversal, auk_given_auc)
    rows = []
    for source in SOURCES:
        for one in source.errata:
            found = one.recompute(evidence)
            function = f"{one.recompute.__module__}.{one.recompute.__name__}"
            head = {"source": one.source, "where": one.where, "printed": one.printed}
            rows.append({**head, **found._asdict(), "function": function})
    return pd.DataFrame(rows)
