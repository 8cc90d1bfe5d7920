"""How reliably a measure ranks two models from one split."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import norm

from kappacurve.inference.results import ROUNDING
from study.analysis.reversals import share_with_interval
from study.arrays import FloatArray

COMPARED = ("auc", "auk", "h", "ks", "kappa_max")
# What a reader of the table has to know.
CERTAINTY = (
    "better: the model that is ahead on average; effect: its mean lead over the standard deviation "
    "of the lead from split to split; share: of splits in which it is ahead. Intervals: 95 %."
)


def ranking_certainty(measures: pd.DataFrame, pair: tuple[str, str]) -> pd.DataFrame:
    """How far apart each measure puts two models, by the noise of one split.

    Which measure is closest to what its user wants is not a question of data. How often the
    answer would be another one on another split is, and it can be compared between measures of
    different units: by the mean difference of the two models over its standard deviation.

    The measures are those of one cell's :class:`study.replicates.engine.Replicates`; ``CERTAINTY``
    says what the columns mean. Replicates in which a class is missing are left out; a tie is not a
    lead. Intervals of the effect are by its large-sample variance, of the share by Wilson.

    References
    ----------
    Hedges & Olkin (1985), Statistical Methods for Meta-Analysis, chapter 5: the variance
    ``1 / n + effect**2 / (2 n)`` of a standardised mean.
    """
    first, second = pair
    rows = []
    for (positive_class, curve), table in measures.groupby(["positive_class", "curve"], sort=False):
        place = {"positive_class": positive_class, "curve": curve}
        one, other = (
            table[table["model"] == model].set_index("replicate")[list(COMPARED)] for model in pair
        )
        lead = (one - other).dropna()
        for measure in COMPARED:
            values = lead[measure].to_numpy()
            behind = len(values) > 0 and values.mean() < 0
            row = {**place, "measure": measure, "replicates": len(values)}
            row["better"] = second if behind else first
            rows.append({**row, **_certainty(-values if behind else values)})
    return pd.DataFrame(rows)


def _certainty(lead: FloatArray) -> dict[str, float]:
    """Effect and share of a lead that is positive on average."""
    n = len(lead)
    found = dict.fromkeys(("effect", "effect_low", "effect_high"), np.nan)
    if n > 1 and (sd := lead.std(ddof=1)) > ROUNDING:
        effect = float(lead.mean() / sd)
        error = float(norm.ppf(0.975) * np.sqrt(1 / n + effect**2 / (2 * n)))
        found |= {"effect": effect, "effect_low": effect - error, "effect_high": effect + error}
    return found | share_with_interval(int((lead > 0).sum()), n)
