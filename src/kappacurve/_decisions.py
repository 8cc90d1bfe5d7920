"""What decisions cost, and flagging nobody or all, at thresholds chosen on other rows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve._ranking import measures_of
from kappacurve._validation import BoolArray, Conditions, Scored, check_number
from kappacurve.inference._decided import decided_limits, of_loss
from kappacurve.inference._placements import Area
from kappacurve.inference._sample import Sample
from kappacurve.inference.analytic import loss_of_decisions, spread, t_test
from kappacurve.inference.results import Comparison, Estimate, standard_error
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
        self._sample, self._at, self._estimated = sample, at, estimated
        self.fitted = thresholds is None
        folds = _folds(sample, random_state)
        self._areas: dict[str, Area] = {}
        self._flagged: dict[str, BoolArray] = {}
        self._best: dict[str, float] = {}
        for model, score in sample.scores.items():
            self._best[model] = self._best_on(model, np.ones(len(score), bool))[1]
            if thresholds is not None:
                if model not in thresholds:
                    raise ValueError(f"thresholds has none for the model {model!r}.")
                flagged = score >= check_number("threshold", thresholds[model])
            else:
                flagged = np.empty(len(score), bool)
                for fold in np.unique(folds):
                    own = folds == fold
                    others = 0 < np.count_nonzero(sample.positive[~own]) < np.count_nonzero(~own)
                    chosen, _ = self._best_on(model, ~own if others else own | ~own)
                    flagged[own] = score[own] >= chosen
            self._flagged[model] = flagged
            self._areas[model] = loss_of_decisions(sample, at, flagged)

    def _best_on(self, model: str, rows: BoolArray) -> tuple[float, float]:
        """The threshold of the least expected loss on some rows, and that loss."""
        sample = self._sample
        weight = None if sample.weight is None else sample.weight[rows]
        scored = Scored(sample.positive[rows], sample.scores[model][rows], weight)
        measured = measures_of(scored, self._at).measures
        return float(measured["cost_threshold"][0]), float(measured["expected_loss"][0])

    def interval(self, model: str, level: float) -> Estimate:
        """Expected loss of a model's decisions."""
        area = self._areas[model]
        if min(self._sample.units()) < 2:
            return Estimate(area.value, np.nan, np.nan, np.nan)
        variance = spread(self._sample, area, self._at, self._estimated).variance
        shares = self._flagged[model], of_loss(self._at)
        low, high = decided_limits(self._sample, *shares, area.value, variance, level)
        error = standard_error(variance)
        return Estimate(area.value, error, max(0.0, low), min(1.0, high), "influence")

    def test(self, first: str, second: str, level: float) -> Comparison:
        """Paired test of two models' expected losses."""
        lead = self._areas[first].minus(self._areas[second])
        lead_spread = spread(self._sample, lead, self._at, self._estimated)
        return t_test(lead.value, lead_spread, level, "influence")

    def table(self, level: float) -> pd.DataFrame:
        """A row for each model: its loss, the baselines', the saving and whom it flags."""
        p = self._at.prevalence
        nobody, everyone = loss_from_rates([0, 1], [0, 1], p, cost=self._at.cost).tolist()
        least, rows = min(nobody, everyone), []
        for model in self._sample.scores:
            loss = self.interval(model, level)
            # Near the costs 0 and 1 a baseline loses nothing, and there is nothing to save.
            ends = loss.estimate, loss.high, loss.low
            saved = [1 - value / least if least > 1e-12 else np.nan for value in ends]
            fpr, tpr = self._rates(model)
            hits, alarms = p * tpr, (1 - p) * fpr
            flagged = hits + alarms
            precision = hits / flagged if flagged else np.nan
            per_hit = alarms / hits if hits else np.nan
            baselines = self._best[model], nobody, everyone
            values = (*loss[:4], *baselines, *saved, fpr, tpr, flagged, precision, per_hit)
            rows.append([model, *values])
        return pd.DataFrame(rows, columns=COLUMNS)

    def _rates(self, model: str) -> tuple[float, float]:
        sample, flagged = self._sample, self._flagged[model]
        weight = np.ones(len(flagged)) if sample.weight is None else sample.weight
        fpr, tpr = (
            float(np.average(flagged[side], weights=weight[side]))
            for side in (~sample.positive, sample.positive)
        )
        return fpr, tpr


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
