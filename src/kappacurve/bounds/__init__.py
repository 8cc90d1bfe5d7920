"""What published numbers can be: bounds on AUK and H, possible prevalences and test sets."""

from kappacurve.bounds.auk_bounds import Bounds, auk_bounds, auk_trapezoid_range
from kappacurve.bounds.h_bounds import h_bounds
from kappacurve.bounds.published_values import (
    Composition,
    Digits,
    Interval,
    PublishedPair,
    PublishedPoint,
    Rule,
    auc_is_possible,
    consistent_counts,
    intervals_in_words,
    prevalence_from_operating_point,
    prevalence_intervals,
    printed_interval,
)

__all__ = [
    "Bounds",
    "Composition",
    "Digits",
    "Interval",
    "PublishedPair",
    "PublishedPoint",
    "Rule",
    "auc_is_possible",
    "auk_bounds",
    "auk_trapezoid_range",
    "consistent_counts",
    "h_bounds",
    "intervals_in_words",
    "prevalence_from_operating_point",
    "prevalence_intervals",
    "printed_interval",
]
