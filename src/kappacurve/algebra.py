"""The algebra of ROC curves and of kappa: rates, joint probabilities, slopes, areas, losses.

Each function takes numbers, not labels and scores.
"""

from kappacurve.h_measure import h_of_hull, implied_costs
from kappacurve.kappa import (
    area_under_kappa,
    chance_agreement,
    joint_from_rates,
    kappa_from_joint,
    kappa_from_rates,
    kappa_max_of_confusion,
    loss_from_rates,
    optimal_slope,
    perfect_auk,
    rates_from_joint,
    tp_from_kappa,
    tpr_from_kappa,
)
from kappacurve.roc import along_segments, area_under_curve, swapped_classes

__all__ = [
    "along_segments",
    "area_under_curve",
    "area_under_kappa",
    "chance_agreement",
    "h_of_hull",
    "implied_costs",
    "joint_from_rates",
    "kappa_from_joint",
    "kappa_from_rates",
    "kappa_max_of_confusion",
    "loss_from_rates",
    "optimal_slope",
    "perfect_auk",
    "rates_from_joint",
    "swapped_classes",
    "tp_from_kappa",
    "tpr_from_kappa",
]
