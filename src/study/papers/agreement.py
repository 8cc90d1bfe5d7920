"""A confusion matrix and what is read off it."""

from __future__ import annotations

from typing import NamedTuple


class Matrix(NamedTuple):
    """Confusion matrix of counts or of shares; "positive" is the class of interest.

    Measures that divide by zero are nan, such as the precision where nothing is predicted
    positive.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equations 1-7, 11 and 12.

    Examples
    --------
    >>> baker = Matrix(tp=20, fn=5, fp=15, tn=60)
    >>> baker.accuracy, round(baker.expected_agreement, 3), round(baker.kappa, 3)
    (0.8, 0.575, 0.529)
    """

    tp: float
    fn: float
    fp: float
    tn: float

    @property
    def total(self) -> float:
        """All cases: 1 for a matrix of shares."""
        return self.tp + self.fn + self.fp + self.tn

    @property
    def prevalence(self) -> float:
        """Share of cases that are positive, in [0, 1]."""
        return _ratio(self.tp + self.fn, self.total)

    @property
    def predicted_share(self) -> float:
        """Share of cases that are predicted positive, in [0, 1]."""
        return _ratio(self.tp + self.fp, self.total)

    @property
    def accuracy(self) -> float:
        """Share of cases that are predicted right, in [0, 1]."""
        return _ratio(self.tp + self.tn, self.total)

    @property
    def expected_agreement(self) -> float:
        """Accuracy of guesses with the same shares, drawn without looking at the case."""
        p, q = self.prevalence, self.predicted_share
        return p * q + (1 - p) * (1 - q)

    @property
    def kappa(self) -> float:
        """Cohen's kappa in [-1, 1]."""
        return _ratio(self.accuracy - self.expected_agreement, 1 - self.expected_agreement)

    @property
    def kappa_max(self) -> float:
        """Largest kappa that a matrix with the same marginal shares can have."""
        p, q = self.prevalence, self.predicted_share
        reachable = min(p, q) + min(1 - p, 1 - q)
        return _ratio(reachable - self.expected_agreement, 1 - self.expected_agreement)

    @property
    def precision(self) -> float:
        """Share of predicted positives that are positive."""
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """Share of positives that are predicted positive: the true positive rate."""
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def fpr(self) -> float:
        """Share of negatives that are predicted positive: the false positive rate."""
        return _ratio(self.fp, self.fp + self.tn)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)


def matrix_at(fpr: float, tpr: float, prevalence: float) -> Matrix:
    """The matrix of shares of a point in the ROC plane.

    >>> matrix_at(0.2, 0.8, 0.25)
    Matrix(tp=0.2, fn=0.05, fp=0.15, tn=0.6)
    """
    p, n = prevalence, 1 - prevalence
    shares = (p * tpr, p * (1 - tpr), n * fpr, n * (1 - fpr))
    return Matrix(*(round(share, 15) for share in shares))


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else float("nan")
