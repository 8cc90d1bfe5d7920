from . import style as style
from .cost_displays import (
    AukProfileDisplay as AukProfileDisplay,
    DecisionCurveDisplay as DecisionCurveDisplay,
)
from .displays import (
    KappaCurveDisplay as KappaCurveDisplay,
    RocHullDisplay as RocHullDisplay,
)
from .figures import (
    BOUND_STYLES as BOUND_STYLES,
    plot_auk_bounds as plot_auk_bounds,
    plot_auk_by_prevalence as plot_auk_by_prevalence,
    plot_curves as plot_curves,
)
