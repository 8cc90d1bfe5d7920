"""Ben-David 2008, Baker, Silipo & Widmann, Hand 2009: what does not add up, each recomputed."""

from __future__ import annotations

import numpy as np
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from kappacurve.bounds.published_values import kappa_of_counts
from kappacurve.roc import kappa_from_rates
from study.data.german_credit import BUNDLED_FILE, read_german_data
from study.papers.erratum import Evidence, Finding, Source, judge

BEN_DAVID = Source("Ben-David 2008")
BAKER = Source("Baker, diagnostic metrics (blog)")
SILIPO = Source("Silipo & Widmann, Cohen's kappa (blog)")
HAND = Source("Hand 2009")

# Example 4 of Ben-David: TP, FN, FP, TN as shares of all examples.
EXAMPLE_4 = (0.65, 0.05, 0.15, 0.15)
# Baker's matrix with off-task as the positive class: TP, FN, FP, TN.
ON_TASK = (20, 5, 15, 60)
# Silipo & Widmann's improved model: TP, FN, FP, TN; its confusion matrix follows from the text.
IMPROVED = (18, 12, 22, 248)


@BEN_DAVID.says("Equation 14", "TP = Phat(1-K)(1-2N) + KP - FP")
def sign_in_equation_14(_: Evidence) -> Finding:
    """TP of Example 4 from its kappa, with either sign of FP."""
    tp, fn, fp, tn = EXAMPLE_4
    predicted, negatives, positives = tp + fp, fp + tn, tp + fn
    kappa = float(kappa_from_rates(fp / negatives, tp / positives, positives))
    rest = predicted * (1 - kappa) * (1 - 2 * negatives) + kappa * positives
    return Finding(
        f"Example 4 (TP {tp}): {rest - fp:.2f} as printed, {rest + fp:.2f} with + FP",
        judge(abs(rest - fp - tp) < 1e-9),
        "FP must be added; equations 13 and 16 have the right sign.",
    )


@BEN_DAVID.says("Equation 4", "Phat = TP + FN")
def sum_in_equation_4(_: Evidence) -> Finding:
    """TP + FN of Example 4 beside its row and column totals."""
    tp, fn, fp, _tn = EXAMPLE_4
    return Finding(
        f"Example 4: TP + FN = {tp + fn:.2f}, P = {0.70:.2f}, Phat = {tp + fp:.2f}",
        judge(abs((tp + fn) - (tp + fp)) < 1e-9),
        "TP + FN is P, the row total; Phat is TP + FP (equation 6).",
    )


@BEN_DAVID.says("Example 4", "Pc = 0.625")
def chance_agreement_of_example_4(_: Evidence) -> Finding:
    """Agreement by chance from the totals of the example."""
    tp, fn, fp, tn = EXAMPLE_4
    chance = (tp + fn) * (tp + fp) + (fp + tn) * (fn + tn)
    kappa = (tp + tn - chance) / (1 - chance)
    return Finding(
        f"Pc = {chance:.3f}, K = {kappa:.3f}",
        judge(abs(chance - 0.625) < 0.0005),
        "The printed kappa of 0.474 belongs to the recomputed Pc.",
    )


@BEN_DAVID.says("Equation 11", "TP = (P Phat + N Nhat - N)/(1-2N) - FP")
def tautology_in_equation_11(_: Evidence) -> Finding:
    """The fraction of equation 11 in Example 4, and in Example 2 where N = 0.5."""
    tp, fn, fp, tn = EXAMPLE_4
    p, q, predicted = tp + fn, fp + tn, tp + fp
    fraction = (p * predicted + q * (1 - predicted) - q) / (1 - 2 * q)
    above, below = 0.5 * 0.5 + 0.5 * 0.5 - 0.5, 1 - 2 * 0.5
    return Finding(
        f"Example 4: fraction {fraction:.2f}, Phat {predicted:.2f}; Example 2: {above:g}/{below:g}",
        judge(abs(fraction - predicted) > 1e-9, "imprecise"),
        "The fraction is Phat itself, so the equation only says Phat = TP + FP, and nothing "
        "at N = 0.5.",
    )


@BEN_DAVID.says("Figure 4", "lines for P = 0.7 and Phat from 0.5 to 0.9")
def range_of_figure_4(_: Evidence) -> Finding:
    """Smallest share of false positives that leaves TP at or below P."""
    p = 0.7
    least = {share: max(share - p, 0.0) for share in (0.5, 0.6, 0.7, 0.8, 0.9)}
    return Finding(
        "FP at least " + ", ".join(f"{fp:.1f} for {share:g}" for share, fp in least.items()),
        judge(max(least.values()) == 0, "imprecise"),
        "TP = Phat - FP can't exceed P: the upper lines exist only from there on.",
    )


@BAKER.says("Expected agreement, on-task", "0.275 x 0.365 = 0.4875")
def expected_on_task_agreement(_: Evidence) -> Finding:
    """The printed product, and that of the shares in the matrix."""
    tp, fn, fp, tn = ON_TASK
    n = sum(ON_TASK)
    data, detector = (fp + tn) / n, (fn + tn) / n
    return Finding(
        f"0.275 x 0.365 = {0.275 * 0.365:.4f}; {data:g} x {detector:g} = {data * detector:.4f}",
        judge(abs(0.275 * 0.365 - 0.4875) < 5e-5),
        "The factors are misprinted, the result is right: kappa "
        f"{kappa_of_counts(tp, fp, tp + fn, fp + tn):.3f}.",
    )


@BAKER.says("ROC, axes", "FPR relative to TN, TPR relative to FN")
def denominators_of_the_rates(_: Evidence) -> Finding:
    """Both rates of Baker's own matrix, by the printed and by the usual denominators."""
    tp, fn, fp, tn = ON_TASK
    return Finding(
        f"FP/TN = {fp / tn:.2f}, TP/FN = {tp / fn:.2f}; FP/(FP+TN) = {fp / (fp + tn):.2f}, "
        f"TP/(TP+FN) = {tp / (tp + fn):.2f}",
        judge(tp / fn <= 1),
        "The denominators are all negatives and all positives; the printed ones are odds, and can "
        "exceed 1.",
    )


@BAKER.says("Interpreting kappa", "kappa = -1 if predictions are the inverse of the data")
def kappa_of_inverted_predictions(_: Evidence) -> Finding:
    """Kappa of f = 1, t = 0 at three prevalences."""
    quarter, half, tenth = (float(kappa_from_rates(1, 0, p)) for p in (0.25, 0.5, 0.1))
    return Finding(
        f"{half:.2f} at p = 0.5, {quarter:.2f} at 0.25, {tenth:.2f} at 0.1",
        judge(abs(quarter + 1) < 1e-9, "imprecise"),
        "True at 50 % only.",
    )


@SILIPO.says("Maximum kappa of the improved model", "0.853")
def largest_kappa_of_the_improved_model(_: Evidence) -> Finding:
    """Maximum kappa of the margins, exact and with the predicted share rounded to per cents."""
    tp, fn, fp, _tn = IMPROVED
    n = sum(IMPROVED)
    exact = _largest_kappa((tp + fn) / n, (tp + fp) / n)
    rounded = _largest_kappa((tp + fn) / n, round((tp + fp) / n, 2))
    return Finding(
        f"{exact:.3f} from the counts, {rounded:.3f} with the predicted share rounded",
        judge(abs(exact - 0.853) < 0.0005),
        "The printed value comes from a rounded marginal share (0.13 for 40 of 300).",
    )


def _largest_kappa(p: float, predicted: float) -> float:
    chance = p * predicted + (1 - p) * (1 - predicted)
    most = min(p, predicted) + min(1 - p, 1 - predicted)
    return (most - chance) / (1 - chance)


@SILIPO.says("Kappa against the class share", "kappa reaches its maximum for balanced classes")
def prevalence_of_the_largest_kappa(_: Evidence) -> Finding:
    """Where kappa of the improved model's rates peaks over the prevalence."""
    tp, fn, fp, tn = IMPROVED
    f, t = fp / (fp + tn), tp / (tp + fn)
    peak = minimize_scalar(
        lambda p: -float(kappa_from_rates(f, t, p)), bounds=(0.001, 0.999), method="bounded"
    )
    half = float(kappa_from_rates(f, t, 0.5))
    return Finding(
        f"{-peak.fun:.3f} at p = {peak.x:.3f}; {half:.3f} at p = 0.5",
        judge(abs(float(peak.x) - 0.5) < 0.01),
        "It peaks at p = 0.5 only if both classes are recognised equally well.",
    )


@SILIPO.says("Data", "10 % bad and 90 % good by bootstrapping, then a split 70 : 30")
def duplicates_between_training_and_test(_: Evidence) -> Finding:
    """Copies that a bootstrap of the good rows puts on both sides of the split."""
    good = int((read_german_data(BUNDLED_FILE)["class"] == "good").sum())
    _tp, _fn, fp, tn = IMPROVED
    in_test = fp + tn
    needed = round(in_test / 0.3)
    shared = 1 - (1 - 1 / good) ** (needed - in_test)
    return Finding(
        f"{needed} good rows from {good}; {shared:.0%} of the good test rows expected in training",
        judge(needed <= good, "imprecise"),
        "If rows were drawn with replacement before the split, as the text reads, training and "
        "test share customers.",
    )


@HAND.says("Section 6", "a uniform c treats c = 10^9 and 10^-9 like c = 1/2")
def range_of_the_cost(_: Evidence) -> Finding:
    """The cost share c that belongs to a cost ratio of 10^9."""
    ratio = 1e9
    share = ratio / (1 + ratio)
    return Finding(
        f"c = {share:.9f} for a cost ratio of 1e9",
        judge(ratio <= 1),
        "c is a share in [0, 1]; the sentence means the cost ratio, and in c all such ratios lie "
        "within 1e-9 of the end.",
    )


@HAND.says(
    "Section 2", "AUC = probability of classifying both right if their mean is the threshold"
)
def auc_by_the_mean_of_two_scores(_: Evidence) -> Finding:
    """That probability for normal scores with standard deviations 1 and 3, prior 1/2."""
    gap, spread = 1.0, 3.0
    auc = float(norm.cdf(gap / np.hypot(1, spread)))
    slope = (spread**2 - 1) / (spread**2 + 1)
    sd = 2 * spread / np.hypot(1, spread)

    def integrand(t: float) -> float:
        # Given the mean t, the difference of the scores is normal again.
        density = (norm.pdf(t) + norm.pdf(t, gap, spread)) / 2
        return float(density * norm.cdf((gap + slope * (2 * t - gap)) / sd))

    found = quad(integrand, -40, 40, limit=200)[0]
    return Finding(
        f"{found:.4f} against AUC {auc:.4f}",
        judge(abs(found - auc) < 1e-4),
        "It holds where the scores of the classes have equal shape, not in general.",
    )
