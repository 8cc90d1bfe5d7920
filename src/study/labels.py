"""What tables and figures call the measures."""

from __future__ import annotations

from kappacurve import MEASURES

MEASURE_LABELS = {name: measure.label for name, measure in MEASURES.items()}
MEASURE_LABELS |= {"brier_score": "Brier score", "log_loss": "log loss"}
MEASURE_LABELS["expected_agreement"] = "expected agreement"
MEASURE_LABELS["expected_loss"] = "expected loss"  # at costs of the user's own
