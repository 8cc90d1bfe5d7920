"""All models compared: intervals, tests, thresholds and bounds of one split, and the answer."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from _job import run
from kappacurve.comparison_result import class_ratio
from study.data.classes import PART_COLUMN, read_names
from study.models.fitting import score_scale
from study.parquet import read_parquet
from study.tables import answer as answers, comparison, operating_points
from study.text.tables import write_table

ONE_SPLIT = (
    "There is one split only, so nothing is said of other splits: replicates, sweep and rank "
    "reversals are left out."
)


def compare_models(
    *,
    scores: Path,
    measures: Path,
    sample: Path,
    features: Path,
    provenance: Path,
    parts: list[Path],
    part_scores: list[Path],
    seed: int,
    prevalence: float | None,
    cost_ratio: float | None,
    models: dict[str, dict[str, Any]],
    at: list[str],
    pair: list[str],
    names: dict[str, str] | None,
    grouped: bool,
    skewed: bool,
    answer: Path,
    wins: list[Path],
    points: list[Path],
    table4: list[Path],
    table5: list[Path],
    n_resamples: int | None = None,
    **outputs: list[Path],
) -> None:
    """Write each table that this run has, and the answer.

    The models are those that were to be fitted; the parts are those of the replicates, without
    which Tables 4 and 5 are of the one split, with its tests. Where the skew was changed, or a
    model's training rows resampled, a probability is not that of the data, and has no log loss.
    """
    rows = pd.read_csv(scores)
    words = read_names(provenance, names)
    resampled = [name for name, settings in models.items() if skewed or settings.get("resampling")]
    groups = pd.read_csv(features).set_index("row")[PART_COLUMN] if grouped else None
    split = pd.read_csv(sample)
    train = split.loc[~split["row"].isin(rows["row"]), "minority"]
    trained_at = {
        name: 0.5 if models[name].get("resampling") else train.mean()
        for name in rows["model"].unique()
        # Without a stated prevalence the others' probabilities stay as they are.
        if prevalence is not None or models[name].get("resampling")
    }
    options: Any = {"seed": seed, "prevalence": prevalence, "cost_ratio": cost_ratio}
    options |= {"trained_at": trained_at, "groups": groups, "n_resamples": n_resamples}
    result = comparison.compare_models(rows, **options)
    scales = {name: score_scale(name, settings) for name, settings in models.items()}
    thresholds = comparison.threshold_table(result, rows, scales)
    for name, table in (
        ("intervals", comparison.interval_table(result)),
        ("tests", comparison.test_table(result)),
        ("thresholds", thresholds),
        ("bounds", comparison.bounds_table(pd.read_csv(measures), cost_ratio)),
    ):
        write_table(table, outputs[name])
    sentences = [{"about": "rows", "sentence": answers.rows_sentence(split, rows, words)}]
    splits = None
    if parts:
        replicates = read_parquet(parts)
        test_scores = read_parquet(part_scores)
        test_scores.loc[test_scores["model"].isin(resampled), "probability"] = np.nan
        by_measure = answers.measures_by_split(replicates, test_scores, prevalence, cost_ratio)
        of_first_model = test_scores[test_scores["model"] == test_scores["model"].iloc[0]]
        n_test = of_first_model.groupby("replicate").size().mean()
        splits = test_scores, n_test / replicates["n_train"].iloc[0]
        ahead = answers.paired_wins(by_measure, splits[1])
        write_table(ahead, wins)
        leaders = answers.leaders_over_splits(by_measure, ahead)
    else:
        ratio = class_ratio(result.design["sampling"] == "random")
        sentences.append({"about": "class ratio", "sentence": ratio})
        leaders = answers.leaders_of_one_split(result)
        turned = comparison.compare_models(rows, positive_class="majority", **options)
        results = {"majority": turned, "minority": result}
        for paths, curve in ((table4, "hull"), (table5, "raw")):
            write_table(comparison.one_split_table(results, curve), paths)
    sentences += leaders
    if missing := [name for name in models if name not in set(rows["model"])]:
        sentence = f"{' and '.join(missing)} could not be fitted: results/logs says why."
        sentences.append({"about": "left out", "sentence": sentence})
    sentences.append(answers.threshold_row(thresholds, leaders, words["minority"]))
    if at:
        conditions = {"prevalence": prevalence, "cost_ratio": cost_ratio}
        drawing = {"n_resamples": n_resamples or comparison.RESAMPLES, "random_state": seed}
        table, told = operating_points.points_under_constraints(
            rows, at, pair, conditions, splits, groups=groups, **drawing
        )
        write_table(table, points)
        sentences += [{"about": "operating point", "sentence": each} for each in told]
    if not parts:
        sentences.append({"about": "one split", "sentence": ONE_SPLIT})
    write_table(pd.DataFrame(sentences, columns=answers.ANSWER), [answer])


if __name__ == "__main__":
    run(compare_models, snakemake)
