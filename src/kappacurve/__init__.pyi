# The public names, and the module of each: lazy_loader imports it when a name is first used.
from . import (
    algebra as algebra,
    bounds as bounds,
    inference as inference,
    io as io,
    plots as plots,
)
from .comparison import ComparisonResult as ComparisonResult, compare as compare
from .explorer.page import explorer_page as explorer_page
from .inference.bands import kappa_band as kappa_band
from .inference.intervals_and_tests import interval as interval, paired_test as paired_test
from .inference.results import Comparison as Comparison, Estimate as Estimate
from .io import ScoreFileError as ScoreFileError, read_scores as read_scores
from .kappa import kappa_of_confusion as kappa_of_confusion
from .measures import (
    MEASURES as MEASURES,
    auc_score as auc_score,
    auk_score as auk_score,
    batch_measures as batch_measures,
    h_measure_score as h_measure_score,
    measures as measures,
)
from .operating import (
    cost_threshold as cost_threshold,
    expected_loss as expected_loss,
    net_benefit as net_benefit,
    operating_point as operating_point,
)
from .planning import SampleSize as SampleSize, plan_sample_size as plan_sample_size
from .plots.cost_displays import (
    AukProfileDisplay as AukProfileDisplay,
    DecisionCurveDisplay as DecisionCurveDisplay,
)
from .plots.displays import (
    KappaCurveDisplay as KappaCurveDisplay,
    RocHullDisplay as RocHullDisplay,
)
from .profile import auk_profile as auk_profile
from .roc import kappa_curve as kappa_curve, roc_hull as roc_hull, roc_vertices as roc_vertices
from .scorers import get_scorer as get_scorer

__version__: str
