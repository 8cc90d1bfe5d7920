"""Each source's study by name: its tables and figures with the words that stand above them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from kappacurve import HMeasureDisplay
from study.errors import ExperimentError
from study.papers import (
    baker,
    baker_tests,
    ben_david2008,
    hand2009,
    hand2009_figures,
    kaymak2010,
    kaymak2010_experiment,
    silipo_widmann,
    silipo_widmann_prevalence,
)
from study.papers.checks import (
    Check,
    Evidence,
    Finding,
    Recompute,
    Study,
    Table,
    check_table,
)
from study.papers.confusion import Confusion
from study.papers.curves import curves_of
from study.published import MODEL_LABELS

SOURCES = (
    kaymak2010_experiment.SOURCE,
    kaymak2010.SOURCE,
    ben_david2008.SOURCE,
    baker.SOURCE,
    silipo_widmann.SOURCE,
    hand2009.SOURCE,
)
AUC_CAVEAT = (
    "The tests take the test rows as independent and the fitted models as given: another training "
    "sample would give other models, and that spread is not in these intervals. Models that share "
    "features are not independent of one another either."
)
LEAK = (
    "before_split: rows are drawn with replacement and then split, so copies of a row stand on "
    "both sides. after_split: the rows are divided first, so none does."
)
# Instead of Example 3, where its data were not given.
NO_BANK_DATA = {
    "missing": "the loan data of Thomas, Edelman & Crook (2002), which the example needs",
    "how_to_get_it": 'take TEC-2002-LOAN-DATA.csv, the data set of the book "Credit Scoring and '
    'Its Applications", and set companions.hand.bank_data to its path',
}


def all_errata(evidence: Evidence) -> pd.DataFrame:
    """What the sources print beside what comes out, recomputed now.

    Columns: source, where, printed, recomputed, status, verdict (a sentence) and function (the one
    that recomputes).
    """
    rows = [
        {
            "source": source.name,
            "where": where,
            "printed": printed,
            **_recomputed(recompute, evidence)._asdict(),
            "function": f"{recompute.__module__}.{recompute.__name__}",
        }
        for source in SOURCES
        for where, printed, recompute in source.errata
    ]
    return pd.DataFrame(rows)


def _recomputed(recompute: Recompute, evidence: Evidence) -> Finding:
    try:
        return recompute(evidence)
    except ExperimentError as error:  # a published number is missing
        return Finding("", "not judged", str(error))


def study_ben_david() -> Study:
    """Examples 1-6 and Figures 1-4 from the formulas."""
    examples, points = ben_david2008.examples_table(), ben_david2008.figure_points()
    note = "The accuracy of Example 2 is missing in the sentence that announces it."
    return Study(
        {
            "examples": Table(examples, "Ben-David (2008), Examples 1 to 6", note),
            "figure_points": Table(points, "Ben-David (2008): the points of Figures 1 to 4"),
            "checks": _checks("ben_david", "Ben-David (2008)", ben_david2008.checks()),
        },
        {"figures1_to_4": ben_david2008.figure_lines()},
    )


def study_kaymak(original: pd.DataFrame, paper: pd.DataFrame, *, models: Sequence[str]) -> Study:
    """Tables 1-3, and AUK = Gini/2 at p = 1/2, on the scores of both cohorts."""
    gini = kaymak2010.gini_table({"original": original, "paper": paper})
    note = "At p = 1/2 the two are equal for any curve; at the data's own prevalence not."
    title = "AUK and Gini/2 of the same curves"
    tables = kaymak2010.matrices_table()
    return Study(
        {
            "tables1_to_3": Table(tables, "Kaymak et al. (2010), Tables 1 to 3"),
            "gini": Table(gini, title, note),
            "checks": _checks("kaymak", "Kaymak et al. (2010)", kaymak2010.checks(gini)),
        },
        {"auk_by_prevalence": kaymak2010.figure_by_prevalence(original, models, "original data")},
    )


def study_hand(
    original: pd.DataFrame, bank_data: pd.DataFrame | None = None, *, models: Sequence[str]
) -> Study:
    """Table 1, Figures 1-4, the special costs, our models' six panels, and Example 3 if given."""
    costs = hand2009.special_costs_table(original)
    title = "Error rate and KS as the minimum loss at one cost (Hand 2009, section 4)"
    weights = hand2009.implied_weights_table()
    figures = {
        "figures1_2": hand2009_figures.figure_dent(),
        "figure3": hand2009_figures.figure3(),
        "figure4": hand2009_figures.figure4(),
    }
    for model in models:
        scores = original[original["model"] == model]
        name = f"{MODEL_LABELS.get(model, model)}, original data"
        panels = HMeasureDisplay.from_predictions(scores["bad"], scores["score"], name=name)
        figures[f"six_panels_{model}"] = panels.figure_
    example, shown = None, pd.DataFrame([NO_BANK_DATA])
    if bank_data is not None:
        scores = hand2009.example3_scores(bank_data)
        example = shown = hand2009.example3(scores)
        figures["example3_curves"] = hand2009_figures.figure_example3(scores, example)
    return Study(
        {
            "table1": Table(hand2009.table1(), "Hand (2009), Table 1"),
            "implied_weights": Table(weights, "Hand (2009), Figure 4: cost weights"),
            "special_costs": Table(costs, title),
            "example3": Table(shown, "Hand (2009), Example 3"),
            "checks": _checks("hand", "Hand (2009)", hand2009.checks(original, example)),
        },
        figures,
    )


def study_baker(
    original: pd.DataFrame,
    paper: pd.DataFrame,
    credit: pd.DataFrame,
    *,
    models: Sequence[str],
    threshold: baker.Rule,
    group: str,
    prevalences: Sequence[float],
) -> Study:
    """The worked example, our models by every measure, and tests of their AUCs."""
    cohorts = {"original": original, "paper": paper}
    by_model = baker.models_table(cohorts, threshold)
    tests = baker_tests.auc_tests(original, models, credit.set_index("row")[group])
    first = next(curves_of(original[original["model"] == models[0]]))
    sees = baker.sees_and_misses(first, prevalences, threshold)
    return Study(
        {
            "matrix": Table(baker.matrix_table(), "Baker: the worked example"),
            "measures": Table(
                by_model,
                "Our models by Baker's measures",
                "The threshold was chosen on the same rows, so the counts flatter every model "
                "alike.",
            ),
            "auc_tests": Table(tests, "Tests of the AUC on the original data", AUC_CAVEAT),
            "sees_and_misses": Table(
                sees,
                "What each measure sees and misses as the prevalence changes",
                f"Model {models[0]} on the original data: one curve, one threshold, other class "
                "sizes.",
            ),
            "checks": _checks("baker", "Baker", baker.checks(by_model)),
        },
        {"precision_recall": baker.figure_precision_recall(cohorts, models)},
    )


def study_silipo(
    features: pd.DataFrame,
    *,
    seed: int,
    n_replicates: int,
    n_rows: int,
    share_bad: float,
    train_share: float,
    neighbors: int,
    min_rows_per_leaf: int,
    n_levels: int,
    n_test_sets: int,
) -> Study:
    """A tree on 10 % bad, with and without SMOTE, and kappa against prevalence."""
    n_bad = round(n_rows * share_bad)
    sizes = silipo_widmann.Sizes(n_rows - n_bad, n_bad, train_share)
    tree = silipo_widmann.Tree(neighbors, min_rows_per_leaf)
    replicates = silipo_widmann.replicate(
        features, sizes=sizes, tree=tree, n_replicates=n_replicates, seed=seed
    )
    leaks = silipo_widmann.leak_table(replicates, sizes)
    checks = silipo_widmann.checks(leaks, n_replicates=n_replicates)
    levels = np.linspace(0.05, 0.95, n_levels).tolist()
    without_leak = replicates[replicates["draw"] == "after_split"].groupby("model", sort=False)
    matrices = {
        "printed": {model: [one.matrix] for model, one in silipo_widmann.PRINTED.items()},
        "ours": {
            str(model): [Confusion(*row) for row in table[[*Confusion._fields]].to_numpy(float)]
            for model, table in without_leak
        },
    }
    curves = {
        source: silipo_widmann_prevalence.kappa_by_prevalence(
            of_models, levels=levels, n_sets=n_test_sets, seed=seed
        )
        for source, of_models in matrices.items()
    }
    both = pd.concat([table.assign(source=source) for source, table in curves.items()])
    name = "Silipo & Widmann"
    title = f"{name}: printed, one split of ours, and all replicates"
    summary = silipo_widmann.summary(replicates)
    return Study(
        {
            "printed": Table(silipo_widmann.printed_table(), f"{name}: the printed matrices"),
            "replicates": Table(replicates, f"{name}: every replicate", LEAK),
            "summary": Table(summary, title, LEAK),
            "leak": Table(leaks, "Share of test rows that were also trained on", LEAK),
            "by_prevalence": Table(both, f"{name}: kappa against prevalence"),
            "checks": _checks("silipo", name, checks),
        },
        {"kappa_by_prevalence": silipo_widmann_prevalence.figure_by_prevalence(**curves)},
    )


def _checks(study: str, source: str, checks: list[Check]) -> Table:
    return Table(check_table(study, checks), f"{source}: checks")


STUDIES: dict[str, Callable[..., Study]] = {
    "ben_david": study_ben_david,
    "kaymak": study_kaymak,
    "hand": study_hand,
    "baker": study_baker,
    "silipo": study_silipo,
}
