"""What tables and figures call the measures, and a verdict that several rooms know."""

from __future__ import annotations

from kappacurve import MEASURES

MEASURE_LABELS = {name: measure.label for name, measure in MEASURES.items()}
MEASURE_LABELS["expected_agreement"] = "expected agreement"
# The verdict on a claim that a run can't judge.
WITHHELD = "withheld"
