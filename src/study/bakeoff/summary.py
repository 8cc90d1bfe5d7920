"""From the outcomes of every family to differences with intervals: families are the sample."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon

from study.arrays import FloatArray
from study.bakeoff.measures import MEASURES

DESIGN = ["ties", "prevalence", "n_positive", "sample", "n_negative"]
MEAN = "mean"  # of the goals
TIERS = {"A": ["A"], "A+B": ["A", "B"]}
CONTRACT = [
    *("measure", "reference", "goal", "prevalence", "n_positive", "n_negative", "ties", "tier"),
    *("families", "difference", "low", "high"),
]


class Summary:
    """The outcomes of all families, and the tables made from them."""

    def __init__(
        self, outcomes: pd.DataFrame, families: pd.DataFrame, levels: Mapping[str, Any]
    ) -> None:
        self.outcomes = outcomes.merge(families[["family", "tier", "archive"]], on="family")
        self.levels = levels
        self._weights: dict[int, FloatArray] = {}
        own = levels["headline"]
        self.design = {
            **{"ties": "broken", "sample": "natural"},
            **{key: own[key] for key in ("prevalence", "n_positive")},
        }

    def of(self, outcome: str, tier: str = "A", **where: Any) -> pd.DataFrame:
        """The rows of an outcome, in percentage points."""
        found = self.outcomes[self.outcomes["outcome"] == outcome]
        found = found[found["tier"].isin(TIERS[tier])]
        for key, value in {"left_out": "", **where}.items():
            found = found[found[key] == value]
        return found.assign(value=100 * found["value"])

    def leads(self, shares: pd.DataFrame) -> pd.DataFrame:
        """Families by goal and measure: how far each measure is ahead of AUC.

        The mean over the goals leaves out a measure's own.
        """
        table = shares.pivot_table(index="family", columns=["goal", "measure"], values="value")
        columns: list[Any] = list(table.columns)
        values = dict(zip(columns, table.to_numpy().T, strict=True))
        goals, measures = (list[Any](table.columns.unique(level)) for level in (0, 1))
        found = {key: column - values[key[0], "auc"] for key, column in values.items()}
        for measure in measures:
            own = MEASURES[measure].own_goal if measure in MEASURES else None
            chosen = [goal for goal in goals if goal not in ("none", "own", own)]
            parts = [found[goal, measure] for goal in chosen if (goal, measure) in found]
            found[MEAN, measure] = np.mean(parts, axis=0)
        return pd.DataFrame(found, index=table.index)

    def interval(self, values: pd.Series[float]) -> dict[str, float]:
        """Mean over families with its 95 % bootstrap interval."""
        n = len(values)
        if n not in self._weights:
            random = np.random.default_rng([self.levels["seed"], n])
            counts = random.multinomial(n, np.full(n, 1 / n), size=self.levels["resamples"])
            self._weights[n] = counts / n
        low, high = np.quantile(self._weights[n] @ values.to_numpy(), [0.025, 0.975])
        return {"families": n, "difference": values.mean(), "low": low, "high": high}

    def differences(self) -> pd.DataFrame:
        """Every measure against AUC, by goal and design: the contract."""
        rows = []
        for tier in TIERS:
            for design, shares in self.of("gain", tier).groupby(DESIGN):
                key = {**dict(zip(DESIGN, design, strict=True)), "tier": tier}
                rows += self._against(self.leads(shares), key)
        return pd.DataFrame(rows)[CONTRACT]

    def _against(self, leads: pd.DataFrame, key: Mapping[str, Any]) -> list[dict[str, Any]]:
        rows = []
        columns: list[Any] = list(leads)
        for goal, measure in columns:
            values = leads[goal, measure].dropna()
            if measure != "auc" and len(values) > 1:
                named = {"measure": measure, "reference": "auc", "goal": goal}
                rows.append({**named, **key, **self.interval(values)})
        return rows

    def headline(self) -> pd.DataFrame:
        """The headline design, with signed-rank tests against the region of equivalence.

        Small families can't give it: all families are compared at the fewest positives.
        """
        rows, margin = [], self.levels["equivalence"]
        fewest = {"n_positive": min(self.levels["n_positive"])}
        for tier, own in (("A", {}), ("A", fewest), ("A+B", fewest)):
            design = {**self.design, **own}
            leads = self.leads(self.of("gain", tier, **design))
            key = {"tier": tier, "n_positive": design["n_positive"]}
            for row in self._against(leads, key):
                lead = leads[row["goal"], row["measure"]].dropna()
                for name, shifts in _QUESTIONS.items():
                    tests = [
                        float(_signed_rank(lead + shift * margin, alternative=side).pvalue)
                        for shift, side in shifts
                    ]
                    row[f"p_{name}"] = max(tests)
                rows.append(row)
        return pd.DataFrame(rows).drop_duplicates()

    def matrix(self) -> pd.DataFrame:
        """Measure by goal in the headline design: every outcome as a mean over tier A."""
        outcomes = ("gain", "agreement", "reliability")
        parts = [self.of(outcome, **self.design) for outcome in outcomes]
        full = {"ties": "broken", "prevalence": self.design["prevalence"]}
        parts.append(self.of("validity", **full))
        return _mean_over_families(pd.concat(parts), ["outcome", "goal", "measure"])

    def by_design(self) -> pd.DataFrame:
        """AUK against AUC by prevalence and sample, on families that can give all of these."""
        rows = []
        shares = self.of("gain", ties="broken")
        for n_positive, of_size in shares.groupby("n_positive"):
            designs = of_size.groupby("family")["value"].size()
            of_size = of_size[of_size["family"].isin(designs.index[designs == designs.max()])]
            for design, one in of_size.groupby(["prevalence", "sample", "n_negative"]):
                leads = self.leads(one)
                for goal in (MEAN, *(g for g in leads.columns.unique(0) if g != MEAN)):
                    lead = leads[goal, "auk"].dropna()
                    if len(lead) > 1:
                        key = dict(zip(("prevalence", "sample", "n_negative"), design, strict=True))
                        key |= {"n_positive": n_positive, "goal": goal}
                        rows.append({**key, **self.interval(lead)})
        return pd.DataFrame(rows)

    def by_family(self) -> pd.DataFrame:
        """AUK against AUC in the headline design for each family."""
        leads = self.leads(self.of("gain", **self.design))
        auk = pd.DataFrame({goal: leads[goal, "auk"] for goal in leads.columns.unique(0)})
        return auk.sort_values(MEAN).rename_axis(columns=None).reset_index(names="family")

    def left_out(self) -> pd.DataFrame:
        """The headline without each model and without each package."""
        shares = self.of("gain", **self.design)
        models = filter(None, sorted(self.outcomes["left_out"].unique()))
        parts = [
            ("model", model, self.of("gain", **self.design, left_out=model)) for model in models
        ]
        for archive in sorted(shares["archive"].unique()):
            rest = shares[shares["archive"] != archive]
            if len(rest["family"].unique()) > 1:
                parts.append(("package", archive, rest))
        rows = []
        for what, name, part in parts:
            lead = self.leads(part)[MEAN, "auk"].dropna()
            rows.append({"what": what, "left_out": name, **self.interval(lead)})
        return pd.DataFrame(rows)

    def controls(self) -> pd.DataFrame:
        """Random values, sharpness and shuffled labels; AUK at one half; the classes swapped."""
        asked = [
            self.of(outcome, sample="natural", prevalence=self.design["prevalence"])
            for outcome in ("shuffled_gain", "shuffled_agreement", "gain", "agreement")
        ]
        found = pd.concat(asked)
        found = found[found["n_positive"] == self.design["n_positive"]]
        apart = ~found["measure"].isin(MEASURES) | found["outcome"].str.startswith("shuffled")
        rows = [_mean_over_families(found[apart], ["ties", "outcome", "goal", "measure"])]
        half = self.of("gain", ties="broken", prevalence=0.5)
        if len(half):
            half = half.pivot_table(
                index=["family", *DESIGN[1:], "goal"], columns="measure", values="value"
            )
            most = float((half["auk"] - half["auc"]).abs().max())
            row = {"ties": "broken", "outcome": "largest difference at 1/2", "measure": "auk"}
            rows.append(pd.DataFrame([{**row, "value": most}]))
        return pd.concat(rows, ignore_index=True)

    def tests(self) -> pd.DataFrame:
        """Power and size of the paired tests."""
        found = pd.concat([self.of(one) for one in ("power", "wrong", "size")])
        return _mean_over_families(found, ["outcome", "goal", "measure"])


_signed_rank: Any = wilcoxon
_QUESTIONS = {
    "better": [(-1, "greater")],
    "worse": [(1, "less")],
    "equivalent": [(1, "greater"), (-1, "less")],
}


def _mean_over_families(found: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    groups = found.dropna(subset="value").groupby(keys)["value"]
    return groups.agg(families="size", value="mean").reset_index()
