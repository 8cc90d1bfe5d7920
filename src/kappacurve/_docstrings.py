"""What many public functions take alike, described once for their docstrings."""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import cleandoc
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_SHARED = """
y_true : array-like of shape (n_samples,)
    Labels of two classes: numbers, booleans or strings.
y_score : array-like of shape (n_samples,)
    Finite scores; higher means more positive.
pos_label : label, optional
    The positive class. May be left out for labels in {0, 1} or {-1, 1}.
sample_weight : array-like of shape (n_samples,), optional
    How many rows each row stands for; not negative, and rows of weight 0 are left out.
groups : array-like of shape (n_samples,), optional
    Such as the patient or customer of each row: rows of different groups are independent, rows
    of one group need not be. By default all rows are independent.
prevalence : float in (0, 1), optional
    Class ratio at which to evaluate; by default the (weighted) share of positives in `y_true`.
trained_at : float in (0, 1), optional
    Share of positives in the rows that a model was trained on (after resampling), to which its
    probabilities belong; by default that of `y_true`. At another `prevalence` Brier score, log
    loss and net benefit take probabilities whose odds are multiplied by those of `prevalence`
    over those of `trained_at`.
cost : number in [0, 1] or "balanced", optional
    Share of a missed positive in the cost of a miss and a false alarm; by default 1/2.
    "balanced" is 1 - prevalence.
cost_ratio : number >= 0, optional
    Instead of `cost`: what a missed positive costs over what a false alarm costs.
axis : {"fpr", "flagged"}, default "fpr"
    Over what the AUK is taken: the false positive rate, or the share of rows that are
    predicted positive, which gives the same AUK whichever class is called positive.
curve : {"raw", "hull"}, default "raw"
    "hull" takes the convex hull of the ROC curve first.
sampling : {"random", "stratified"}, optional
    Whether the class ratio of the rows was left to chance, as in a cohort, or fixed by design; by
    default random. A stated `prevalence` is always fixed.
n_jobs : int, optional
    Threads, by default one, -1 for one per processor; the result is the same for any number.
ValueError
    If there are not two classes, `pos_label` is needed or unknown, a score is not finite,
    shapes differ, a weight is negative, or an option is out of its range.
"""
_ENTRIES = {
    re.split(r" : |\n", entry)[0]: entry for entry in re.split(r"\n(?=\w)", _SHARED.strip())
}


def described(function: Function) -> Function:
    """Describe in a docstring the parameters and errors that it only names.

    These are names on a line of their own, with nothing said of them below:

    >>> @described
    ... def loss(y_true, y_score, *, cost_ratio=None):
    ...     '''Parameters
    ...     ----------
    ...     cost_ratio'''
    >>> print(loss.__doc__)
    Parameters
    ----------
    cost_ratio : number >= 0, optional
        Instead of `cost`: what a missed positive costs over what a false alarm costs.
    """

    def entries(line: re.Match[str]) -> str:
        return "\n".join(_ENTRIES[name] for name in line[0].split(", "))

    if function.__doc__ is not None:  # as it is under python -OO
        text = cleandoc(function.__doc__)
        function.__doc__ = re.sub(
            r"^([a-z_]+(, [a-z_]+)*|ValueError)$(?!\n )", entries, text, flags=re.MULTILINE
        )
    return function
