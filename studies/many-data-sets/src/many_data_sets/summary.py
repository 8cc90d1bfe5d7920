"""From the outcomes of every family to differences with intervals: families are the sample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student

from many_data_sets._experiment import FloatArray
from many_data_sets.break_even import break_even
from many_data_sets.draws import DESIGN, EQUAL, GOAL_ITSELF, MEAN, WITHOUT
from many_data_sets.measures import MEASURES

MAIN = ("auk", "auk_symmetric", "log_loss", "brier", "log_loss_recalibrated", "brier_recalibrated")
SHOWN = ("auk", "log_loss")  # in the tables of ratios, families and what is left out
FEWEST = 5  # families of a hypothesis, sources of an interval that resamples them
DIFFERENCE = ("families", "difference", "low", "high")
FULL = ("clustered_low", "clustered_high", "attained", "share_ahead", "mc_sd")
CONTRACT = [
    *("measure", "reference", "goal", "prevalence", "n_positive", "n_negative", "ties", "tier"),
    *DIFFERENCE,
    *("round", "menu", "truth", "predicted_low", "predicted_high"),
]
ROUND_1 = {"auk": 0.9, "log_loss": 3.5}  # what a refuted difference lies below: the protocol
PREDICTED = (0.02, 0.05)  # prevalences of the first hypothesis


class Summary:
    """The outcomes of all families; a table of the study by each of the methods without options."""

    def __init__(
        self, outcomes: pd.DataFrame, families: pd.DataFrame, levels: Mapping[str, Any]
    ) -> None:
        told = families[["family", "tier", "round", "source"]]
        self.outcomes = outcomes.merge(told, on="family").assign(reference="auc")
        self.levels = levels
        self.at = dict(levels["headline"])
        self.main = {"design": "natural", "ties": "kept", "menu": "all", "truth": "oracle"}
        self.main |= {"outcome": "gain"}
        self._weights: dict[int, FloatArray] = {}

    def rows(self, **where: Any) -> pd.DataFrame:
        """Outcomes in which these columns hold these values, or one of several."""
        chosen = np.ones(len(self.outcomes), dtype=bool)
        for column, values in where.items():
            chosen &= self.outcomes[column].isin(np.atleast_1d(values)).to_numpy()
        return self.outcomes[chosen]

    def headline_rows(self, **where: Any) -> pd.DataFrame:
        """Outcomes of the headline design, tier A; keys may be changed."""
        return self.rows(**{**self.main, **self.at, "tier": "A", **where})

    def interval(self, values: pd.Series[float]) -> dict[str, float]:
        """Mean over families, its 95 % bootstrap interval, and the interval for a new family."""
        n, mean = len(values), float(values.mean())
        if n not in self._weights:
            random = np.random.default_rng([self.levels["seed"], n])
            counts = random.multinomial(n, np.full(n, 1 / n), size=self.levels["resamples"])
            self._weights[n] = counts / n
        low, high = np.quantile(self._weights[n] @ values.to_numpy(), [0.025, 0.975])
        sd = float(values.std(ddof=1))
        around = float(student.isf(0.025, n - 1)) * sd * np.sqrt(1 + 1 / n)
        return {
            **{"families": n, "difference": mean, "low": low, "high": high},
            **{"predicted_low": mean - around, "predicted_high": mean + around, "sd": sd},
        }

    def clustered(self, part: pd.DataFrame) -> dict[str, float]:
        """The interval if sources are resampled instead of families."""
        sums = part.groupby("source")["lead"].agg(["sum", "size"]).to_numpy(dtype=float)
        if len(sums) < FEWEST:
            return {"clustered_low": np.nan, "clustered_high": np.nan}
        random = np.random.default_rng([self.levels["seed"], 0])
        drawn = random.integers(len(sums), size=(self.levels["resamples"], len(sums)))
        total, count = sums[drawn].sum(axis=1).T
        low, high = np.quantile(total / count, [0.025, 0.975])
        return {"clustered_low": low, "clustered_high": high}

    def pooled(self, rows: pd.DataFrame, keys: list[str], full: bool = True) -> pd.DataFrame:
        """A line for each group: means over families with their intervals."""
        lines = []
        for key, part in rows.dropna(subset="lead").groupby(keys, sort=False):
            if len(part) < 2:
                continue
            line = {**dict(zip(keys, key, strict=True)), **self.interval(part["lead"])}
            if full:
                line |= self.clustered(part)
                line["attained"] = part["value"].mean()
                line["share_ahead"] = (part["lead"] > EQUAL).mean()
                line["mc_sd"] = np.sqrt((part["mc_sd"] ** 2).mean())
            lines.append(line)
        columns = [*keys, *DIFFERENCE, "predicted_low", "predicted_high", "sd"]
        return pd.DataFrame(lines, columns=[*columns, *(FULL if full else ())])

    def _by_tier(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Those of tier A; with the fewest positives, all once more."""
        fewest = rows[rows["n_positive"] == min(self.levels["n_positive"])].assign(tier="A+B")
        tables: list[pd.DataFrame] = [rows[rows["tier"] == "A"], fewest]
        return pd.concat(tables)

    def differences(self) -> pd.DataFrame:
        """Every measure against AUC, by goal and design: the contract."""
        keys = ["tier", "measure", "reference", "goal", *DESIGN, "round", "menu", "truth"]
        rows = self.rows(outcome="gain")
        rows = self._by_tier(rows[rows["measure"] != "auc"])
        return self.pooled(rows, keys, full=False)[CONTRACT]

    def headline(self) -> pd.DataFrame:
        """The main table: every measure against AUC, by goal, old and new sources apart."""
        return self.pooled(self.headline_rows(), ["round", "goal", "measure"])

    def sensitivity(self) -> pd.DataFrame:
        """The mean of the goals at other prevalences, sizes, menus and truths, and without ties."""
        keys = ["round", *DESIGN[1:], "menu", "truth", "tier", "measure"]
        rows = self.rows(outcome="gain", design="natural", goal=MEAN, measure=MAIN)
        return self.pooled(self._by_tier(rows[~rows["menu"].str.startswith(WITHOUT)]), keys)

    def matrix(self) -> pd.DataFrame:
        """Measure by goal in the headline: gain, reliability, validity, per cent."""
        rows = self.headline_rows(outcome=["gain", "reliability", "validity"])
        keys = ["round", "outcome", "goal", "measure"]
        groups = rows.dropna(subset="value").groupby(keys)["value"]
        return groups.agg(families="size", value="mean").reset_index()

    def ratio(self) -> pd.DataFrame:
        """Against AUC by negatives per positive, on families that can give a whole panel."""
        keys = ["round", "n_positive", "prevalence", "ratio", "measure"]
        return self.pooled(self._panels(*SHOWN), keys, full=False)

    def _panels(self, *measures: str) -> pd.DataFrame:
        rows = self.rows(design="ratio", goal=MEAN, measure=measures)
        rows = rows.assign(ratio=rows["n_negative"] // rows["n_positive"])
        cells = rows.groupby(["n_positive", "family"])["ratio"].transform("nunique")
        return rows[cells == cells.groupby(rows["n_positive"]).transform("max")]

    def by_family(self) -> pd.DataFrame:
        """AUK and log loss against AUC in the headline design for each family."""
        rows = self.headline_rows(goal=MEAN)
        keys = ["round", "family", "source", "separation"]
        of_auc = rows[rows["measure"] == "auc"].set_index(keys)[["value"]]
        of_auc = of_auc.rename(columns={"value": "auc_attained"})
        for name in SHOWN:
            own = rows[rows["measure"] == name].set_index(keys)
            of_auc[name], of_auc[f"{name}_mc_sd"] = own["lead"], own["mc_sd"]
        return of_auc.reset_index().sort_values(["round", "auk"])

    def left_out(self) -> pd.DataFrame:
        """The headline without each model and each source: the extremes, whatever they are."""
        rows = self.headline_rows(goal=MEAN, measure=SHOWN, menu=self.outcomes["menu"].unique())
        names = rows["menu"].str.removeprefix(WITHOUT)
        parts = [rows.assign(what="model", left_out=names)[names != rows["menu"]]]
        whole = rows[rows["menu"] == "all"].assign(what="source")
        for number, source in whole[["round", "source"]].drop_duplicates().to_numpy().tolist():
            rest = (whole["round"] == number) & (whole["source"] != source)
            parts.append(whole[rest].assign(left_out=source))
        keys = ["measure", "round", "what"]
        table = self.pooled(pd.concat(parts), [*keys, "left_out"], full=False)
        groups = table.sort_values("difference").groupby(keys)
        ends = (groups.head(1).assign(extreme="smallest"), groups.tail(1).assign(extreme="largest"))
        ordered = pd.concat(ends).sort_values(keys, kind="stable")
        columns = ["round", "measure", "what", "extreme", "left_out"]
        return ordered[[*columns, *DIFFERENCE]]

    def controls(self) -> pd.DataFrame:
        """Gains of random values and under shuffled labels; AUK less AUC at one half."""
        random = self.headline_rows(goal=MEAN, measure="random").assign(control="random values")
        shuffled = self.headline_rows(goal=MEAN, outcome="shuffled_gain")
        rows = pd.concat([random, shuffled.assign(control="shuffled labels")])
        keys = ["control", "round", "measure"]
        table = self.pooled(rows.assign(lead=rows["value"]), keys, full=False)
        half = self.rows(**self.main, prevalence=0.5, measure="auk", goal=MEAN)["lead"].abs().max()
        largest = pd.DataFrame([{"control": "AUK - AUC at 1/2, largest", "difference": half}])
        table = pd.concat([table, largest], ignore_index=True)
        return table.reindex(columns=[*keys, *DIFFERENCE])

    def costs(self) -> pd.DataFrame:
        """Along the goal's cost: per cent of the attainable gain, and the difference to AUC.

        The measure `goal` is the goal itself on the whole other half: what its noise leaves.
        """
        rows = self.rows(design="costs", tier="A")
        rows = rows.assign(cost=rows["goal"].str.removeprefix("cost_").astype(float))
        table = self.pooled(rows, ["round", "cost", "measure"])
        columns = ["round", "cost", "measure", "families", "attained", "difference", "low", "high"]
        return table.replace({"measure": {GOAL_ITSELF: "goal on the other half"}})[columns]

    def accuracy(self) -> pd.DataFrame:
        """Ben-David's two claims about accuracy and kappa, over all families of each round."""
        keys, both = ["per_cent_of", "round"], ["hits_by_chance", "accuracy_and_kappa_disagree"]
        rows = self.outcomes.drop_duplicates("family")[["round", *both]]
        rows = rows.melt("round", both, var_name="per_cent_of", value_name="lead")
        table = self.pooled(rows, keys, full=False).rename(columns={"difference": "mean"})
        return table[[*keys, "families", "mean", "low", "high"]]

    def hypotheses(self) -> pd.DataFrame:
        """What became of what was registered: docs/protocol.md."""
        lines = [
            *self._of_ratios(),
            *(self._judged(*difference) for difference in self._differences()),
        ]
        columns = ["hypothesis", "families", "estimate", "low", "high", "verdict"]
        return pd.DataFrame(lines, columns=columns)

    def _differences(self) -> Iterator[tuple[str, pd.Series[float], float]]:
        """Hypotheses that differences are positive: name, families' values, refuted below."""
        natural = self.at["prevalence"]
        for number, measure, prevalences in (
            (2, "auk", (natural, 0.02, 0.1)),
            (3, "log_loss", (natural,)),
        ):
            for p in prevalences:
                rows = self.headline_rows(goal=MEAN, measure=measure, prevalence=p, round=2)
                name = f"{number}: {MEASURES[measure]} - AUC, new sources, prevalence {p:g}"
                yield name, rows["lead"], ROUND_1[measure]
        few, many = min(self.levels["ratio_n_positive"]), max(self.levels["n_positive"])
        of_loss = {"goal": MEAN, "measure": "log_loss"}
        for number in (1, 2):
            rows = self.rows(**self.main, **of_loss, prevalence=natural, round=number)
            leads = rows.pivot_table(index="family", columns="n_positive", values="lead")
            if {few, many} <= {*leads}:
                name = f"4: log loss - AUC, {few} less {many} positives, round {number}"
                yield name, (leads[few] - leads[many]).dropna(), 0.0
        every, strong = (
            self.headline_rows(**of_loss, round=2, menu=menu).set_index("family")["lead"]
            for menu in ("all", "strong")
        )
        name = "5: log loss - AUC, all ten less strong models, new sources"
        yield name, every.sub(strong).dropna(), 0.0

    def _judged(self, name: str, leads: pd.Series[float], refuted: float) -> tuple[Any, ...]:
        """Confirmed above zero, refuted below a value, open between."""
        if len(leads) < FEWEST:
            return name, len(leads), leads.mean(), np.nan, np.nan, "too few families"
        interval = self.interval(leads)
        verdict = "refuted" if interval["high"] < refuted else "not confirmed"
        verdict = "confirmed" if interval["low"] > 0 else verdict
        return name, *(interval[key] for key in DIFFERENCE), verdict

    def _of_ratios(self) -> Iterator[tuple[Any, ...]]:
        """The first hypothesis: AUK gains with negatives, and where theory says that it is even."""
        rows = self._panels("auk")
        rows = rows[(rows["round"] == 1) & (rows["n_positive"] == self.at["n_positive"])]
        for p in PREDICTED:
            part = rows[rows["prevalence"] == p]
            leads = part.pivot_table(index="family", columns="ratio", values="lead")
            if not {1, 16} <= {*leads}:
                continue
            name = f"1a: AUK - AUC, ratio 16 less ratio 1, prevalence {p:g}"
            yield self._judged(name, leads[16] - leads[1], 0.0)
            separation = float(part.drop_duplicates("family")["separation"].median())
            expected, n = break_even(p, separation, 0.5, 0.5), len(leads)
            random = np.random.default_rng([self.levels["seed"], n])
            drawn = random.integers(n, size=(min(1000, self.levels["resamples"]), n))
            resampled = np.sort([_crossing(leads.iloc[rows]) for rows in drawn])
            ends = (resampled[int(share * (len(resampled) - 1))] for share in (0.025, 0.975))
            holds = expected / 2 <= (crossing := _crossing(leads)) <= 2 * expected
            name = f"1b: break-even ratio, prevalence {p:g}; predicted {expected:.1f}"
            yield name, n, crossing, *ends, "holds" if holds else "fails"


def _crossing(leads: pd.DataFrame) -> float:
    """Where the mean over families first crosses zero upwards, along the log of the ratio."""
    means, at = leads.mean().to_numpy(), np.log(leads.columns.to_numpy(dtype=float))
    if means[0] >= 0:
        return float(np.exp(at[0]))  # at or before the least ratio
    for n in range(1, len(means)):
        if means[n - 1] < 0 <= means[n]:
            part = means[n - 1] / (means[n - 1] - means[n])
            return float(np.exp(at[n - 1] + part * (at[n] - at[n - 1])))
    return float("inf")
