"""The related papers that are recomputed: one entry each, read with Snakemake alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

# Of a table or figure: which of these it is, its file's stem, what the report calls it, and the
# name of its caption's file, if that is another. With {model} there is one for each model drawn.
Shown = tuple[str, ...]


class Entry(NamedTuple):
    """What a source is called, and what its study is made of.

    label: what tables call it; module: that of its function ``study`` in study.companions; inputs
    and settings: arguments of that function, by their names in workflow/rules/companions.smk
    (besides the settings under companions in the config); shown_with: what there is only if the
    run has an input.
    """

    label: str
    module: str
    inputs: Sequence[str]
    shown: Sequence[Shown]
    settings: Sequence[str] = ()
    shown_with: Mapping[str, Sequence[Shown]] = MappingProxyType({})


SOURCES = {
    "kaymak": Entry(
        label="Kaymak, Ben-David & Potharst 2010",
        module="kaymak2010",
        inputs=("original", "paper", "replicates", "summary"),
        settings=("models", "experiment"),
        shown=(
            ("table", "tables1_to_3", "Tables 1-3"),
            ("table", "gini", "AUK and Gini/2"),
            ("figure", "auk_by_prevalence", "AUK against prevalence"),
            ("figure", "reversing_split", "A split that reverses the ranking"),
            ("figure", "average_kappa", "Average kappa curves"),
        ),
    ),
    "ben_david": Entry(
        label="Ben-David 2008",
        module="ben_david2008",
        inputs=("original", "replicates"),
        shown=(
            ("table", "examples", "Examples 1-6"),
            ("table", "figure_points", "Figures 1-4 (points)"),
            ("figure", "figures1_to_4", "Figures 1-4"),
        ),
    ),
    "hand": Entry(
        label="Hand 2009",
        module="hand2009",
        inputs=("original", "bank_data"),
        settings=("models",),
        shown=(
            ("figure", "six_panels_{model}", "Six panels ({model})", "six_panels"),
            ("table", "example3", "Example 3"),
            ("table", "table1", "Table 1"),
            ("table", "implied_weights", "Figure 4 (cost weights)"),
            ("table", "special_costs", "Error rate and KS as costs"),
            ("table", "h_by_weight", "H by the weight on the cost"),
            ("figure", "figures1_2", "Figures 1 and 2"),
            ("figure", "figure3", "Figure 3"),
            ("figure", "figure4", "Figure 4"),
        ),
        shown_with={
            "bank_data": (
                ("figure", "figure5", "Figure 5 (first classifier of Example 3)"),
                ("figure", "figure6", "Figure 6 (second classifier of Example 3)"),
                ("figure", "figure7", "Figure 7 (both ROC curves)"),
            )
        },
    ),
    "baker": Entry(
        label="Baker",
        module="baker",
        inputs=("original", "paper", "credit"),
        settings=("models",),
        shown=(
            ("table", "matrix", "Worked example"),
            ("table", "measures", "Our models"),
            ("table", "auc_tests", "Tests of the AUC"),
            ("table", "sees_and_misses", "What each measure sees and misses"),
            ("figure", "precision_recall", "Precision and recall"),
        ),
    ),
    "silipo": Entry(
        label="Silipo & Widmann",
        module="silipo_widmann",
        inputs=("features", "other_features"),
        settings=("seed", "encoding", "other_encoding"),
        shown=(
            ("table", "printed", "Printed matrices"),
            ("table", "replicates", "All replicates"),
            ("table", "summary", "Printed and replicated"),
            ("table", "leak", "Leak of bootstrapped rows"),
            ("table", "change", "What SMOTE changes"),
            ("table", "grid", "What SMOTE changes, by setting"),
            ("table", "kappa_by_prevalence", "Kappa against prevalence (table)", "levels"),
            ("figure", "kappa_by_prevalence", "Kappa against prevalence (figure)"),
        ),
    ),
}
STUDY_LABELS = {name: entry.label for name, entry in SOURCES.items()}
