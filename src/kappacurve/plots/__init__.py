"""Displays of kappa curves, ROC hulls, calibration and decision curves, and the style they share.

matplotlib is an extra (``pip install kappacurve[plots]``) and imported only to draw.
"""

from .displays import CalibrationDisplay, DecisionCurveDisplay, KappaCurveDisplay, RocHullDisplay

__all__ = ["CalibrationDisplay", "DecisionCurveDisplay", "KappaCurveDisplay", "RocHullDisplay"]
