__version__: str

from .comparison.compare import compare as compare
from .curves.bounds import (
    auk_bounds as auk_bounds,
    prevalence_from_operating_point as prevalence_from_operating_point,
    prevalence_intervals as prevalence_intervals,
)
from .curves.counts import possible_counts as possible_counts
from .curves.curve import (
    area_under_kappa as area_under_kappa,
    curve_points as curve_points,
    kappa_curve as kappa_curve,
    kappa_from_rates as kappa_from_rates,
    roc_hull as roc_hull,
)
from .curves.measures import (
    auk_score as auk_score,
    batch_measures as batch_measures,
    h_measure_score as h_measure_score,
    measures as measures,
)
from .decisions.adjust import adjust_prevalence as adjust_prevalence
from .decisions.costs import (
    implied_cost_ratio as implied_cost_ratio,
    net_benefit as net_benefit,
)
from .decisions.operating import operating_point as operating_point
from .explorer.page import explorer_page as explorer_page
from .files.frames import ScoreFileError as ScoreFileError
from .files.scores import read_scores as read_scores
from .inference.bands import kappa_band as kappa_band
from .inference.calibration import calibration as calibration
from .inference.estimates import Estimate as Estimate, PairedTest as PairedTest, holm as holm
from .inference.tests import (
    influence as influence,
    interval as interval,
    paired_test as paired_test,
)
from .plots.displays import (
    CalibrationDisplay as CalibrationDisplay,
    DecisionCurveDisplay as DecisionCurveDisplay,
    KappaCurveDisplay as KappaCurveDisplay,
    RocHullDisplay as RocHullDisplay,
)
