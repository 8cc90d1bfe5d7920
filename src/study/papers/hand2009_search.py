"""Two classifiers on German Credit of which AUC prefers one and H the other (Hand 2009, Example 3).

Hand's bank data are not available. Here every attribute subset of a seeded list is tried, all
pairs are counted, and the pair shown is chosen by a stated rule. The same subsets with training
and test rows swapped tell how much of such a disagreement is chance.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve import delong_test, measures
from study.data.encoding import onehot
from study.data.german_credit import ATTRIBUTES
from study.errors import ExperimentError

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
# Hand's two logistic classifiers: AUC prefers the second, H the first.
PRINTED = {"first": {"auc": 0.567, "h": 0.038}, "second": {"auc": 0.591, "h": 0.035}}


class Pair(NamedTuple):
    """Two subsets, by their position: H prefers the first, AUC the second."""

    first: int
    second: int


def draw_subsets(sizes: list[int], per_size: int, seed: int) -> list[tuple[str, ...]]:
    """Attribute subsets to try: of each size all, or as many different ones as asked for.

    Examples
    --------
    >>> subsets = draw_subsets([1, 2], 100, seed=0)
    >>> len(subsets), subsets[0]
    (120, ('checking_account',))
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2009,)))
    subsets: list[tuple[str, ...]] = []
    for size in sizes:
        if comb(len(ATTRIBUTES), size) <= per_size:
            subsets += combinations(ATTRIBUTES, size)
            continue
        chosen: set[tuple[int, ...]] = set()
        while len(chosen) < per_size:
            numbers = rng.choice(len(ATTRIBUTES), size, replace=False)
            chosen.add(tuple(sorted(numbers.tolist())))
        subsets += [tuple(ATTRIBUTES[i] for i in numbers) for numbers in sorted(chosen)]
    return subsets


class Rows(NamedTuple):
    """Features by attribute (codes as 0/1 columns), the labels, and which rows train."""

    features: dict[str, FloatArray]
    bad: BoolArray
    train: BoolArray

    def swapped(self) -> Rows:
        """The same rows with training and test exchanged."""
        return self._replace(train=~self.train)


def rows_of(table: pd.DataFrame, test_rows: npt.ArrayLike) -> Rows:
    """The canonical table, with the rows of these numbers held out for the test."""
    columns = onehot(table)
    features = {}
    for name in ATTRIBUTES:
        of_attribute = [
            column
            for column in map(str, columns)
            if column == name or column.startswith(f"{name}_A")
        ]
        features[name] = columns[of_attribute].to_numpy(dtype=np.float64)
    return Rows(
        features,
        (table["class"] == "bad").to_numpy(),
        ~table["row"].isin(np.asarray(test_rows)).to_numpy(),
    )


def score_subset(rows: Rows, attributes: tuple[str, ...]) -> FloatArray:
    """Scores of the test rows by a logistic regression on a few attributes.

    ASSUME: Hand says "a simple logistic classifier"; here the columns are standardised on the
    training rows, and the ridge penalty is scikit-learn's default.
    """
    from sklearn.linear_model import LogisticRegression

    features = np.column_stack([rows.features[name] for name in attributes])
    train = features[rows.train]
    spread = train.std(axis=0)
    scaled = (features - train.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    model = LogisticRegression(max_iter=1000).fit(scaled[rows.train], rows.bad[rows.train])
    return np.asarray(model.decision_function(scaled[~rows.train]), dtype=np.float64)


def scored_subset(rows: Rows, attributes: tuple[str, ...], model: str) -> pd.DataFrame:
    """The same scores as a table: bad (0/1), score, model."""
    bad = rows.bad[~rows.train].astype(int)
    return pd.DataFrame({"bad": bad, "score": score_subset(rows, attributes), "model": model})


def try_subsets(rows: Rows, subsets: list[tuple[str, ...]]) -> pd.DataFrame:
    """AUC and H of every subset on the test rows, and with the two halves swapped.

    Returns
    -------
    DataFrame
        subset, size, attributes, auc, h, auc_swapped, h_swapped.
    """
    records = []
    for number, attributes in enumerate(subsets):
        record = {"subset": number, "size": len(attributes), "attributes": " ".join(attributes)}
        for suffix, half in (("", rows), ("_swapped", rows.swapped())):
            values = measures(half.bad[~half.train], score_subset(half, attributes))
            record |= {f"auc{suffix}": values["auc"], f"h{suffix}": values["h"]}
        records.append(record)
    return pd.DataFrame(records)


def _differences(values: pd.Series) -> FloatArray:
    array = values.to_numpy(dtype=np.float64)
    return np.asarray(np.subtract.outer(array, array))


def disagreements(tried: pd.DataFrame) -> pd.DataFrame:
    """How many pairs AUC and H order differently, how far apart they are, how many do so again.

    Returns
    -------
    DataFrame
        quantity, value.
    """
    upper = np.triu(np.ones((len(tried), len(tried)), dtype=bool), 1)
    d_auc, d_h = _differences(tried["auc"]), _differences(tried["h"])
    differ = upper & (d_auc * d_h < 0)
    swapped = upper & (_differences(tried["auc_swapped"]) * _differences(tried["h_swapped"]) < 0)
    # The very same verdict: AUC prefers the same one of the two, and H the other.
    same_way = differ & swapped & (_differences(tried["auc_swapped"]) * d_auc > 0)
    n_pairs, n_differ = int(upper.sum()), int(differ.sum())
    quantities: dict[str, float] = {
        "subsets tried": len(tried),
        "pairs": n_pairs,
        "pairs that AUC and H order differently": n_differ,
        "share of all pairs": n_differ / n_pairs,
        "the same, halves swapped": int(swapped.sum()),
        "pairs that differ in both": int((differ & swapped).sum()),
        "pairs that differ in both, the same way round": int(same_way.sum()),
    }
    for name, difference in (("AUC", d_auc), ("H", d_h)):
        quantities[f"median difference of {name}, all pairs"] = _median(difference, upper)
        quantities[f"median difference of {name}, pairs that differ"] = _median(difference, differ)
    return pd.DataFrame(quantities.items(), columns=["quantity", "value"])


def _median(difference: FloatArray, chosen: BoolArray) -> float:
    return float(np.median(np.abs(difference[chosen]))) if chosen.any() else float("nan")


def choose_pair(tried: pd.DataFrame) -> Pair:
    """The clearest disagreement: of all such pairs the one whose lesser difference is largest.

    Differences of AUC and of H are counted in standard deviations over the subsets tried.

    Raises
    ------
    ExperimentError
        If AUC and H order all subsets alike.

    Examples
    --------
    >>> tried = pd.DataFrame({"auc": [0.60, 0.62, 0.70], "h": [0.06, 0.07, 0.05]})
    >>> choose_pair(tried)
    Pair(first=1, second=2)
    """
    d_auc, d_h = (
        _differences(tried[name]) / max(float(tried[name].std()), 1e-12) for name in ("auc", "h")
    )
    # AUC lower and H higher in the line than in the column.
    lesser = np.minimum(-d_auc, d_h)
    first, second = np.unravel_index(int(np.argmax(lesser)), lesser.shape)
    if not lesser[first, second] > 0:
        raise ExperimentError(
            f"AUC and H order the {len(tried)} attribute subsets tried alike, so there is no "
            "Example 3 to show: raise companions.hand.subsets_per_size."
        )
    return Pair(int(first), int(second))


def pair_table(tried: pd.DataFrame, pair: Pair) -> pd.DataFrame:
    """Example 3: Hand's two classifiers beside the two found here."""
    ours = ["attributes", "auc", "h", "auc_swapped", "h_swapped"]
    rows = [
        {
            "classifier": which,
            "auc_printed": PRINTED[which]["auc"],
            "h_printed": PRINTED[which]["h"],
            **tried.iloc[position][ours],
        }
        for which, position in zip(Pair._fields, pair, strict=True)
    ]
    return pd.DataFrame(rows)


def difference_note(first: pd.DataFrame, second: pd.DataFrame) -> str:
    """One sentence on the difference of the two AUCs, with DeLong's interval.

    >>> one = pd.DataFrame({"bad": [0, 0, 0, 1, 1, 1], "score": [1, 2, 3, 2.5, 4, 5]})
    >>> difference_note(one, one)[:58]
    'AUC of the second less that of the first: 0.000 (95 % inte'
    """
    test = delong_test(first["bad"], second["score"], first["score"])
    return (
        f"AUC of the second less that of the first: {test.difference:.3f} (95 % interval "
        f"{test.low:.3f} to {test.high:.3f}, as if the pair had not been chosen)."
    )
