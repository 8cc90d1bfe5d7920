"""Each source's study by name, and what has to be said below its tables."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from study.papers import (
    baker,
    ben_david2008,
    hand2009,
    kaymak2010,
    kaymak2010_claims,
    kaymak2010_experiment,
    silipo_widmann,
)
from study.papers.checks import Study
from study.papers.errata import Evidence, words_by_function

STUDIES: dict[str, Callable[..., Study]] = {
    "ben_david": ben_david2008.study,
    "kaymak": kaymak2010.study,
    "hand": hand2009.study,
    "baker": baker.study,
    "silipo": silipo_widmann.study,
}
SOURCES = (
    kaymak2010_experiment,
    kaymak2010_claims,
    kaymak2010,
    ben_david2008,
    baker,
    silipo_widmann,
    hand2009,
)
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


def all_errata(evidence: Evidence) -> pd.DataFrame:
    """What the sources print beside what comes out, recomputed now: the fields of a Finding."""
    functions = {name: one for source in SOURCES for name, one in vars(source).items()}
    return pd.DataFrame([functions[name](evidence) for name in words_by_function()])
