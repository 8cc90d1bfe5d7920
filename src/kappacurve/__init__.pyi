# The public names, and the module of each: lazy_loader imports it when a name is first used.
from .bounds.auk_bounds import auk_bounds as auk_bounds, auk_trapezoid_range as auk_trapezoid_range
from .bounds.h_bounds import h_bounds as h_bounds
from .bounds.published_values import (
    consistent_counts as consistent_counts,
    prevalence_from_operating_point as prevalence_from_operating_point,
    prevalence_intervals as prevalence_intervals,
)
from .comparison import ComparisonResult as ComparisonResult, compare as compare
from .confusion import kappa_max_score as kappa_max_score, kappa_score as kappa_score
from .cost import cost_threshold as cost_threshold, expected_loss as expected_loss
from .explore import (
    PublishedPair as PublishedPair,
    PublishedPoint as PublishedPoint,
    explorer_page as explorer_page,
)
from .inference.bands import kappa_band as kappa_band
from .inference.bootstrap import (
    bootstrap_intervals as bootstrap_intervals,
    bootstrap_tests as bootstrap_tests,
)
from .inference.delong import (
    delong_covariance as delong_covariance,
    delong_interval as delong_interval,
    delong_test as delong_test,
    hanley_mcneil_standard_error as hanley_mcneil_standard_error,
    unpaired_test as unpaired_test,
)
from .inference.influence import (
    auk_influence as auk_influence,
    auk_interval as auk_interval,
    auk_test as auk_test,
)
from .inference.permutation import permutation_tests as permutation_tests
from .inference.results import Comparison as Comparison, Estimate as Estimate
from .io import ScoreFileError as ScoreFileError, read_scores as read_scores
from .kappa import (
    chance_agreement as chance_agreement,
    joint_from_rates as joint_from_rates,
    kappa_from_joint as kappa_from_joint,
    kappa_from_rates as kappa_from_rates,
    optimal_slope as optimal_slope,
    rates_from_joint as rates_from_joint,
    tp_from_kappa as tp_from_kappa,
    tpr_from_kappa as tpr_from_kappa,
)
from .measures import (
    batch_measures as batch_measures,
    measures as measures,
    measures_table as measures_table,
)
from .plots.displays import (
    KappaCurveDisplay as KappaCurveDisplay,
    RocHullDisplay as RocHullDisplay,
)
from .plots.figures import (
    plot_auk_bounds as plot_auk_bounds,
    plot_auk_by_prevalence as plot_auk_by_prevalence,
    plot_curves as plot_curves,
    plot_rank_reversals as plot_rank_reversals,
    plot_specifications as plot_specifications,
)
from .plots.hand_panels import HMeasureDisplay as HMeasureDisplay
from .plots.profile_display import AukProfileDisplay as AukProfileDisplay
from .profile import auk_profile as auk_profile
from .roc import (
    along_segments as along_segments,
    kappa_curve as kappa_curve,
    roc_hull as roc_hull,
    roc_vertices as roc_vertices,
)
from .scorers import get_scorer as get_scorer
from .scores import (
    auc_score as auc_score,
    auch_score as auch_score,
    auk_score as auk_score,
    gini_score as gini_score,
    h_measure_score as h_measure_score,
    ks_score as ks_score,
    operating_point as operating_point,
)

__version__: str
