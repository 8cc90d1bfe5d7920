"""What comes out otherwise than the sources print it, and nothing else."""

import pandas as pd
import pytest

from study.companions import baker, ben_david2008, hand2009, kaymak2010, silipo_widmann

GRID = {"printed": 0.2, "kappa": -0.02, "low": -0.04, "high": 0.0}
GRID |= {"share": 0.01, "share_low": 0.002, "share_high": 0.05}
LEAKS = {"draw": "after_split", "class": "minority", "expected": 0.0, "mean": 0.0, "sd": 0.0}
CHECKS = {
    "ben_david": lambda _: ben_david2008.checks(),
    "kaymak": lambda scores: kaymak2010.checks(
        kaymak2010.gini_table({"original": scores}), kaymak2010.equations(scores)
    ),
    "hand": hand2009.checks,
    "baker": lambda scores: baker.checks(baker.models_table({"original": scores}, "kappa_max")),
    "silipo": lambda _: silipo_widmann.checks(pd.DataFrame([LEAKS]), 3, pd.DataFrame([GRID])),
}
WRONG = {
    "ben_david": [
        "Example 4 (imbalanced): expected agreement",
        "Equation 14 with -FP, as printed, gives back TP of Example 4",
        "Equation 4 with the predicted share, as printed: TP + FN of Example 4",
    ],
    "kaymak": ["Section 2: accuracy of a random classifier"],
    "hand": [],
    "baker": [
        "expected on-task agreement from its printed factors",
        "kappa of inverted predictions is -1 at prevalence 0.25",
        "AUC 0.6 better than 0.55: largest H at 0.55 less smallest at 0.6",
        "DeLong's 5 % test of a true AUC of 0.5, any size: 5 + 5 rows: share rejected",
    ],
    "silipo": [
        "SMOTE: maximum kappa",
        "SMOTE: kappa peaks at prevalence 0.5, as the text says",
        "SMOTE lifts kappa: largest mean over 1 settings",
    ],
}


@pytest.mark.parametrize("source", CHECKS)
def test_what_the_source_gets_wrong_and_nothing_else(scores, source):
    checks = CHECKS[source](scores)
    wrong = checks[checks["holds"].eq(False)]
    assert wrong["check"].tolist() == WRONG[source]
    assert set(wrong["kind"]) <= {"printed"}
    # Table 1 and Figures 1, 3 and 4 of Hand are on curves of ours.
    printed = checks.loc[checks["kind"] == "printed", "check"]
    assert source != "hand" or not printed.str.startswith(("Table", "Figure")).any()
