"""What tables and figures call the measures."""

from __future__ import annotations

from kappacurve import MEASURES

MEASURE_LABELS = {name: measure.label for name, measure in MEASURES.items()}
MEASURE_LABELS["expected_agreement"] = "expected agreement"
