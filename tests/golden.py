"""Golden values: numbers of the library, of the draws and of the default run that must not move.

golden.csv has one row per value or list of values:

- kind: library (a function of this module), draws (40 replicates of the experiment), run (a table
  of the default run) or kept (a table in the repository);
- where: the name of the function, or ``file | pandas query | columns | statistic`` (values, sum or
  squares, the sum of squares);
- value: the numbers, separated by spaces;
- tolerance: the largest difference allowed, relative for library and draws, absolute for tables;
- origin: what the number is, and what made it;
- may_move: the change that is expected to move it, empty for a number that stays.

``python tests/golden.py [results]`` compares a run of the default config (`make verify`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kappacurve as kc
from study.data.german_credit import BUNDLED_FILE, encode, read_german_data
from study.experiment.replicates import draw_replicates, measure_scenario
from study.experiment.scenarios import FAST_GROUP, make_scenarios, part_setting
from study.settings import read_config

ROOT = Path(__file__).parents[1]
MODELS = ("linear", "logistic", "neural_net")


def read_golden() -> pd.DataFrame:
    """The golden values, one row per name; value is an array."""
    table = pd.read_csv(ROOT / "tests" / "golden.csv", keep_default_na=False)
    table["value"] = [np.array(text.split(), dtype=float) for text in table["value"]]
    return table


def compute_values(kind: str, where: str, results: Path = ROOT / "results") -> np.ndarray:
    """The numbers that a row of golden.csv names, as they are now."""
    if kind == "library":
        return np.atleast_1d(np.asarray(LIBRARY[where](), dtype=float))
    if kind == "draws":
        return summarise_draws(where)
    return read_table(results if kind == "run" else ROOT, where)


def read_table(folder: Path, where: str) -> np.ndarray:
    """Numbers of a table: ``file | pandas query | columns | statistic``."""
    path, query, columns, statistic = (part.strip() for part in where.split("|"))
    table = pd.read_csv(folder / path)
    found = (table.query(query) if query else table)[columns.split()].to_numpy(dtype=float).ravel()
    found = found[~np.isnan(found)]
    if statistic == "values":
        return found
    return np.array([{"sum": found, "squares": found**2}[statistic].sum()])


def differences(
    table: pd.DataFrame, results: Path = ROOT / "results"
) -> list[tuple[pd.Series, np.ndarray]]:
    """The rows that are not as they were, with the numbers found."""
    moved = []
    for _, row in table.iterrows():
        found = compute_values(row["kind"], row["where"], results)
        relative = row["kind"] in ("library", "draws")
        bounds = (
            {"rtol": row["tolerance"], "atol": 0}
            if relative
            else {"atol": row["tolerance"], "rtol": 0}
        )
        if found.shape != row["value"].shape or not np.allclose(found, row["value"], **bounds):
            moved.append((row, found))
    return moved


# ---- the library, on docs/two_models.csv: weights are 1 + row % 3, groups row // 3 ----


@cache
def two_models() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rows = kc.read_scores(ROOT / "docs" / "two_models.csv", label="positive", positive=1)
    return np.asarray(rows.positive), dict(rows.scores)


def labels() -> np.ndarray:
    return two_models()[0]


def scores(model: str) -> np.ndarray:
    return two_models()[1][model]


def groups() -> np.ndarray:
    return np.arange(len(labels())) // 3


def weights() -> np.ndarray:
    return 1.0 + np.arange(len(labels())) % 3


def probabilities() -> np.ndarray:
    return 1 / (1 + np.exp(-scores("A")))


def row_options(with_groups: bool, with_weights: bool) -> dict[str, Any]:
    options = {"groups": groups() if with_groups else None}
    return options | {"sample_weight": weights() if with_weights else None}


def estimate_interval(
    model: str, measure: Any, with_groups: bool = False, with_weights: bool = False, **options: Any
) -> list[float]:
    """Standard error, low and high end."""
    options |= row_options(with_groups, with_weights)
    estimate = kc.interval(labels(), scores(model), measure=measure, **options)
    return [estimate.standard_error, estimate.low, estimate.high]


def estimate_benefit(model: str) -> np.ndarray:
    return kc.net_benefit(labels(), scores(model), thresholds=[0.1, 0.3], at="best")


def estimate_point(model: str) -> list[float]:
    point = kc.operating_point(labels(), scores(model), at="flagged<=0.1")
    return [point.threshold, point.tpr, point.precision]


def estimate_recall(model: str) -> list[float]:
    options: Any = {"measure": "recall", "at": "flagged<=0.1", "n_resamples": 200}
    found = kc.interval(labels(), scores(model), **options)
    return [found.estimate, found.standard_error, found.low, found.high]


def compare_models(with_groups: bool = False, **options: Any) -> list[float]:
    """Difference, standard error, p value, low and high end."""
    options["groups"] = groups() if with_groups else None
    test = kc.paired_test(labels(), scores("A"), scores("B"), **options)
    return [test.difference, test.standard_error, test.p_value, test.low, test.high]


def all_measures(model: str) -> list[float]:
    names = ["auc", "auk", "average_precision", "h", "ks", "kappa_max", "threshold", "fpr", "tpr"]
    found = kc.measures(labels(), scores(model))
    return [found[name] for name in [*names, "auch", "auk_hull"]]


def auks(model: str) -> list[float]:
    """At a prevalence of .02, there with a missed positive at five false alarms, and weighted."""
    y, score = labels(), scores(model)
    return [
        kc.auk_score(y, score, prevalence=0.02),
        kc.auk_score(y, score, prevalence=0.02, cost_ratio=5),
        kc.auk_score(y, score, sample_weight=weights()),
    ]


def bounds_of_auk() -> list[float]:
    found = kc.auk_bounds(0.7186, [0.11, 0.5, 0.89])
    return [*found.lower, *found.upper]


def losses() -> list[float]:
    """Value, standard error, low and high end of the Brier score and of the log loss."""
    y, chance = labels(), probabilities()
    found = [kc.interval(y, chance, measure=name) for name in ("brier_score", "log_loss")]
    return [n for e in found for n in (e.estimate, e.standard_error, e.low, e.high)]


def tiny() -> list[float]:
    found = kc.measures([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    return [found[name] for name in ("auc", "auk", "kappa_max", "threshold")]


def perfect_auks() -> list[float]:
    return [kc.auk_score([0, 1], [0, 1], prevalence=share) for share in (0.1, 0.5, 0.9)]


def hand_table1() -> float:
    return 135 * kc.h_measure_score([0, 1, 1], [0, 0, 1], prevalence=0.5)


LIBRARY: dict[str, Callable[[], Any]] = {
    "tiny: auc, auk, kappa_max, threshold": tiny,
    "kappa of (.6, .928) at .11 and .89": partial(kc.kappa_from_rates, 0.6, 0.928, [0.11, 0.89]),
    "perfect AUK at .1, .5, .9": perfect_auks,
    "135 H of Hand's Table 1 (a)": hand_table1,
    "bounds of AUK at AUC .7186": bounds_of_auk,
    "A Brier score and log loss": losses,
    "A - B auc": partial(compare_models, measure="auc"),
    "A - B auk": partial(compare_models, measure="auk"),
    "A - B auk, groups": partial(compare_models, measure="auk", with_groups=True),
    "A - B average precision, 200 resamples": partial(
        compare_models, measure="average_precision", n_resamples=200
    ),
}
for model in ("A", "B"):
    LIBRARY |= {
        f"{model} measures": partial(all_measures, model),
        f"{model} auk at .02, cost ratio 5, weighted": partial(auks, model),
        f"{model} threshold, tpr, precision at flagged<=.1": partial(estimate_point, model),
        f"{model} recall at flagged<=.1, 200 resamples": partial(estimate_recall, model),
        f"{model} net benefit at .1, .3, best threshold": partial(estimate_benefit, model),
        f"{model} interval auk at .02": partial(estimate_interval, model, "auk", prevalence=0.02),
    }
    for measure in ("auc", "auk"):
        name = f"{model} interval {measure}"
        interval = partial(estimate_interval, model, measure)
        LIBRARY |= {
            name: interval,
            f"{name}, groups": partial(interval, with_groups=True),
            f"{name}, weights": partial(interval, with_weights=True),
        }


# ---- the draws: 40 replicates of the paper's experiment ----


@cache
def draw_measures() -> pd.DataFrame:
    features = encode(read_german_data(BUNDLED_FILE), "strathclyde")
    setting = part_setting(make_scenarios(read_config({}))["paper"], FAST_GROUP, 0)
    return measure_scenario(draw_replicates(features, setting, range(40), seed=2010), setting)


def summarise_draws(measure: str) -> np.ndarray:
    """Sum and sum of squares of a measure over models, classes and curves."""
    found = draw_measures()[measure].to_numpy()
    return np.array([found.sum(), (found**2).sum()])


def main() -> int:
    """Say whether a run has the published numbers, or which differ and by how much."""
    results = Path(sys.argv[1] if len(sys.argv) > 1 else "results")
    table = read_golden().query("kind == 'run'")
    try:
        moved = differences(table, results)
    except FileNotFoundError as error:
        print(
            f"There is no {error.filename}: finish a run first (make reproduce).", file=sys.stderr
        )
        return 1
    for row, found in moved:
        wanted = " ".join(f"{number:g}" for number in row["value"])
        print(f"{row['where']}: {' '.join(f'{n:g}' for n in found)}, published {wanted}")
    if not moved:
        print(f"{results} has the published numbers: {len(table)} of {len(table)} agree.")
    return int(bool(moved))


if __name__ == "__main__":
    sys.exit(main())
