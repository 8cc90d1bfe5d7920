"""Each source's study by name, and what has to be said below its tables."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

import study.papers.kaymak2010_experiment  # noqa: F401  its errata
from study.papers import baker, ben_david2008, hand2009, kaymak2010, silipo_widmann
from study.papers.checks import Study
from study.papers.errata import RECOMPUTED, RunTables, words_by_function

STUDIES: dict[str, Callable[..., Study]] = {
    "ben_david": ben_david2008.study,
    "kaymak": kaymak2010.study,
    "hand": hand2009.study,
    "baker": baker.study,
    "silipo": silipo_widmann.study,
}
LEAK = (
    "before_split: rows are drawn with replacement and then split, so copies of a row stand on "
    "both sides. after_split: the rows are divided first, so none does."
)
NOTES = {
    "ben_david/examples": "The accuracy of Example 2 is missing in the sentence that announces it.",
    "kaymak/gini": "At p = 1/2 the two are equal for any curve; at the data's own prevalence not.",
    "baker/measures": "The threshold was chosen on the same rows, so the counts flatter every "
    "model alike.",
    "baker/auc_tests": "The tests take the test rows as independent and the fitted models as "
    "given: another training sample would give other models, and that spread is not in these "
    "intervals. Models that share features are not independent of one another either.",
    "baker/sees_and_misses": "The first model on the original data: one curve, one threshold, "
    "other class sizes.",
    **dict.fromkeys(("silipo/replicates", "silipo/summary", "silipo/leak"), LEAK),
}


def all_errata(evidence: RunTables) -> pd.DataFrame:
    """What the sources print beside what comes out, recomputed now: the fields of a Finding."""
    return pd.DataFrame([RECOMPUTED[name](evidence) for name in words_by_function()])
