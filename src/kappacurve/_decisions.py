"""What decisions cost, and flagging nobody or all, at thresholds chosen on other rows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve._ranking import measures_of
from kappacurve._validation import BoolArray, Conditions, Scored, check_number
from kappacurve.inference._placements import Area
from kappacurve.inference._sample import Sample
from kappacurve.inference.analytic import Models, loss_stakes, t_test
from kappacurve.inference.results import Comparison, Estimate
from kappacurve.kappa import loss_from_rates

FOLDS = 5
COLUMNS = ["model", "loss", "standard_error", "low", "high", "in_sample", "flag_nobody", "flag_all"]
COLUMNS += ["saving", "saving_low", "saving_high", "fpr", "tpr", "flagged", "precision"]
COLUMNS.append("false_alarms_per_hit")


class Decisions:
    """Whom each model flags: at given thresholds, or at those that are best on other folds.

    Folds hold whole groups, where there are any, and classes in equal shares.
    """

    def __init__(
        self,
        sample: Sample,
        at: Conditions,
        estimated: bool,
        thresholds: Mapping[str, float] | None = None,
        random_state: int = 0,
    ) -> None:
        self._sample, self._at = sample, at
        self._models, self._stakes = Models(sample, at, estimated), loss_stakes(at)
        self.fitted = thresholds is None
        folds = _folds(sample, random_state)
        self._flagged: dict[str, BoolArray] = {}
        for model, score in sample.scores.items():
            if thresholds is not None:
                if model not in thresholds:
                    raise ValueError(f"thresholds has none for the model {model!r}.")
                self._flagged[model] = score >= check_number("threshold", thresholds[model])
                continue
            flagged = self._flagged[model] = np.empty(len(score), bool)
            for fold in np.unique(folds):
                own = folds == fold
                others = 0 < np.count_nonzero(sample.positive[~own]) < np.count_nonzero(~own)
                chosen, _ = self._best_on(model, ~own if others else own | ~own)
                flagged[own] = score[own] >= chosen

    def _best_on(self, model: str, rows: BoolArray) -> tuple[float, float]:
        """The threshold of the least expected loss on some rows, and that loss."""
        sample = self._sample
        weight = None if sample.weight is None else sample.weight[rows]
        scored = Scored(sample.positive[rows], sample.scores[model][rows], weight)
        measured = measures_of(scored, self._at).measures
        return float(measured["cost_threshold"][0]), float(measured["expected_loss"][0])

    def _area(self, model: str) -> Area:
        return self._models.area_of_decisions(self._flagged[model], self._stakes)

    def interval(self, model: str, level: float) -> Estimate:
        """Expected loss of a model's decisions."""
        area, flagged = self._area(model), self._flagged[model]
        if min(self._sample.units()) < 2:
            return Estimate(area.value, np.nan, np.nan, np.nan)
        outcome = self._stakes.outcome(float(self._at.prevalence))
        return self._models.decided_interval(area, flagged, outcome, (0, 1), level)

    def test(self, first: str, second: str, level: float) -> Comparison:
        """Paired test of two models' expected losses."""
        lead = self._area(first).minus(self._area(second))
        return t_test(lead.value, self._models.spread(lead), level, "influence")

    def table(self, level: float) -> pd.DataFrame:
        """A row for each model: its loss, the baselines', the saving and whom it flags."""
        p, positive = self._at.prevalence, self._sample.positive
        nobody, everyone = loss_from_rates([0, 1], [0, 1], p, cost=self._at.cost).tolist()
        least, rows = min(nobody, everyone), []
        for model, flagged in self._flagged.items():
            loss = self.interval(model, level)
            # Near the costs 0 and 1 a baseline loses nothing, and there is nothing to save.
            ends = loss.estimate, loss.high, loss.low
            saved = [1 - value / least if least > 1e-12 else np.nan for value in ends]
            fpr, tpr = (self._sample.share(flagged, side)[0] for side in (~positive, positive))
            hits, alarms = p * tpr, (1 - p) * fpr
            share = hits + alarms
            precision = hits / share if share else np.nan
            per_hit = alarms / hits if hits else np.nan
            in_sample = self._best_on(model, np.ones(len(flagged), bool))[1]
            values = (*loss[:4], in_sample, nobody, everyone, *saved, fpr, tpr, share)
            rows.append([model, *values, precision, per_hit])
        return pd.DataFrame(rows, columns=COLUMNS)


def _folds(sample: Sample, random_state: int) -> npt.NDArray[np.intp]:
    """The fold of each row: groups as a whole, those with positives dealt out first."""
    n_folds = min(FOLDS, *sample.units())
    codes = np.arange(len(sample.positive)) if sample.groups is None else sample.groups
    positives = np.bincount(codes, sample.positive)
    shuffled = np.random.default_rng(random_state).permutation(len(positives))
    order = shuffled[np.argsort(-positives[shuffled], kind="stable")]
    fold_of = np.empty(len(order), np.intp)
    fold_of[order] = np.arange(len(order)) % n_folds
    return fold_of[codes]
