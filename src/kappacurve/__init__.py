"""Cohen's-kappa curves, the AUK, ROC convex hulls and the H-measure."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Not lazy like the rest: the function has its module's name, and whichever is bound last counts.
from kappacurve.measures import measures

if TYPE_CHECKING:
    from kappacurve.bounds import auk_bounds, auk_trapezoid_range
    from kappacurve.confusion import kappa_max_score, kappa_score
    from kappacurve.consistency import (
        consistent_counts,
        prevalence_from_operating_point,
        prevalence_intervals,
    )
    from kappacurve.curves import (
        along_segments,
        kappa_curve,
        kappa_from_rates,
        optimal_slope,
        roc_hull,
        roc_vertices,
        tpr_from_kappa,
    )
    from kappacurve.display import HMeasureDisplay, KappaCurveDisplay, RocHullDisplay
    from kappacurve.figures import (
        plot_auk_bounds,
        plot_auk_by_prevalence,
        plot_curves,
        plot_rank_reversals,
        plot_specifications,
    )
    from kappacurve.h_measure_bounds import h_bounds
    from kappacurve.inference import (
        Comparison,
        Estimate,
        auk_influence,
        auk_interval,
        auk_test,
        bootstrap_intervals,
        bootstrap_tests,
        delong_covariance,
        delong_interval,
        delong_test,
        hanley_mcneil_standard_error,
        kappa_band,
        unpaired_test,
    )
    from kappacurve.joint import (
        chance_agreement,
        joint_from_rates,
        kappa_from_joint,
        rates_from_joint,
        tp_from_kappa,
    )
    from kappacurve.measures import batch_measures, measures_table
    from kappacurve.score_files import ScoreFileError, read_scores
    from kappacurve.scorers import get_scorer
    from kappacurve.scores import (
        auc_score,
        auch_score,
        auk_score,
        gini_score,
        h_measure_score,
        ks_score,
        operating_point,
    )

__version__ = "0.1.0"

# The module of each public name. It is imported when the name is first used (PEP 562).
_MODULE_OF = {
    "Comparison": "inference",
    "Estimate": "inference",
    "HMeasureDisplay": "display",
    "KappaCurveDisplay": "display",
    "RocHullDisplay": "display",
    "ScoreFileError": "score_files",
    "along_segments": "curves",
    "auc_score": "scores",
    "auch_score": "scores",
    "auk_bounds": "bounds",
    "auk_influence": "inference",
    "auk_interval": "inference",
    "auk_score": "scores",
    "auk_test": "inference",
    "auk_trapezoid_range": "bounds",
    "batch_measures": "measures",
    "bootstrap_intervals": "inference",
    "bootstrap_tests": "inference",
    "chance_agreement": "joint",
    "consistent_counts": "consistency",
    "delong_covariance": "inference",
    "delong_interval": "inference",
    "delong_test": "inference",
    "get_scorer": "scorers",
    "gini_score": "scores",
    "h_bounds": "h_measure_bounds",
    "h_measure_score": "scores",
    "hanley_mcneil_standard_error": "inference",
    "joint_from_rates": "joint",
    "kappa_band": "inference",
    "kappa_curve": "curves",
    "kappa_from_joint": "joint",
    "kappa_from_rates": "curves",
    "kappa_max_score": "confusion",
    "kappa_score": "confusion",
    "ks_score": "scores",
    "measures_table": "measures",
    "operating_point": "scores",
    "optimal_slope": "curves",
    "plot_auk_bounds": "figures",
    "plot_auk_by_prevalence": "figures",
    "plot_curves": "figures",
    "plot_rank_reversals": "figures",
    "plot_specifications": "figures",
    "prevalence_from_operating_point": "consistency",
    "prevalence_intervals": "consistency",
    "rates_from_joint": "joint",
    "read_scores": "score_files",
    "roc_hull": "curves",
    "roc_vertices": "curves",
    "tp_from_kappa": "joint",
    "tpr_from_kappa": "curves",
    "unpaired_test": "inference",
}

__all__ = [
    "Comparison",
    "Estimate",
    "HMeasureDisplay",
    "KappaCurveDisplay",
    "RocHullDisplay",
    "ScoreFileError",
    "along_segments",
    "auc_score",
    "auch_score",
    "auk_bounds",
    "auk_influence",
    "auk_interval",
    "auk_score",
    "auk_test",
    "auk_trapezoid_range",
    "batch_measures",
    "bootstrap_intervals",
    "bootstrap_tests",
    "chance_agreement",
    "consistent_counts",
    "delong_covariance",
    "delong_interval",
    "delong_test",
    "get_scorer",
    "gini_score",
    "h_bounds",
    "h_measure_score",
    "hanley_mcneil_standard_error",
    "joint_from_rates",
    "kappa_band",
    "kappa_curve",
    "kappa_from_joint",
    "kappa_from_rates",
    "kappa_max_score",
    "kappa_score",
    "ks_score",
    "measures",
    "measures_table",
    "operating_point",
    "optimal_slope",
    "plot_auk_bounds",
    "plot_auk_by_prevalence",
    "plot_curves",
    "plot_rank_reversals",
    "plot_specifications",
    "prevalence_from_operating_point",
    "prevalence_intervals",
    "rates_from_joint",
    "read_scores",
    "roc_hull",
    "roc_vertices",
    "tp_from_kappa",
    "tpr_from_kappa",
    "unpaired_test",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
