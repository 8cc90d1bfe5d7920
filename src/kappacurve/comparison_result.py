"""What a comparison of models found: its tables, in sentences, as text and as a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from kappacurve._measures import LESS_IS_BETTER, LOSS, MEASURES
from kappacurve._validation import Conditions, FloatArray, in_html, printable, shown
from kappacurve.inference._sample import Sample
from kappacurve.inference.results import ROUNDING, no_interval_reason, outward
from kappacurve.operating import DECIDED
from kappacurve.roc import roc_hull, vertices_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LABELS = {name: measure.label for name, measure in MEASURES.items()}
LABELS |= {name: name for name in ("recall", "precision", "specificity", "kappa")}
LABELS["flagged"] = "share flagged"
WIDTH = 100
SIDE_BY_SIDE = 3  # models whose numbers fit into a line
# More vertices than this can't be told apart in print, and make a file too large to open.
MOST_DRAWN = 5000
METHODS = {"delong": "DeLong", "influence": "influence function"}


@dataclass(frozen=True)
class ComparisonResult:
    """What :func:`compare` found, as tables and sentences; a notebook shows it as a page.

    Attributes
    ----------
    measures : DataFrame
        model, measure, estimate, standard_error, low, high, method and scale, a row for each model
        and measure. low and high are missing where there is no interval; method is then "none" if
        one was asked for.
    tests : DataFrame
        first, second, measure, difference (first - second), standard_error, statistic, p_value,
        low, high, p_adjusted and method, a row for each two models and measure. Of three models or
        more low and high hold for all pairs together, and p_adjusted is below 1 - level where they
        exclude zero (:func:`kappacurve.inference.max_t`; of permutation tests, which have no
        intervals, it is Holm's). All but the difference are missing where it does not vary across
        resamples.
    global_tests : DataFrame
        measure, models, statistic (F) and p_value: of three models or more, whether all have the
        same AUC, and the same AUK.
    thresholds : DataFrame
        model, criterion ("kappa_max", or "expected_loss" if costs are given), lower, threshold,
        low, high, fpr, tpr and printed. Rows with at least this score are predicted positive, or
        with at most this score where lower is true; low and high are percentiles of the resamples';
        value is the largest kappa, or the loss on these rows at this threshold: without given
        thresholds it is the least one, lower than that of other rows; printed is a shorter number
        that predicts the same of these rows.
    decisions : DataFrame
        If costs are given, of each model: the expected loss per row of its decisions with its
        standard_error, low and high; in_sample, what it seems to be on the rows that choose the
        threshold; flag_nobody and flag_all, the baselines; saving, the share of the better
        baseline's loss that it saves, with saving_low and saving_high; least_threshold and
        largest_threshold of the folds, or twice the given one; false_positives and
        true_positives, the rows that it flags; fpr, tpr, and at the prevalence flagged, precision
        and false_alarms_per_hit.
    points : list of dict
        For each `at`: its models' thresholds, with the rows of each class that they flag and what
        they bring, with intervals; and the tests of every two models.
    folds : DataFrame
        fold, model, measure and estimate, if `cv` was given; "mean" is the mean of the folds.
    conclusion, notes : tuple of str
        First what can be told from chance, then how the measures order the sample.
    disagreements : list of dict
        Pairs that the measures do not all order alike, which measures prefer which, and which tie.
    design : dict
        The numbers of rows, the prevalence and costs, and how intervals and tests were made.
    sample : Sample
        The rows as they were checked: classes, scores by model, weights and groups.
    """

    measures: pd.DataFrame
    tests: pd.DataFrame
    global_tests: pd.DataFrame
    thresholds: pd.DataFrame
    decisions: pd.DataFrame
    points: list[dict[str, Any]]
    folds: pd.DataFrame
    conclusion: tuple[str, ...]
    notes: tuple[str, ...]
    disagreements: list[dict[str, Any]]
    design: dict[str, Any]
    sample: Sample = field(repr=False)

    def plot(self) -> Figure:
        """ROC curves and kappa curves of all models."""
        from kappacurve.plots.figures import plot_curves

        sample = self.sample
        curves = {name: _drawn(*vertices_of(sample.scored(name))[:2]) for name in sample.scores}
        at = {name: self.design[name] for name in ("prevalence", "cost")}
        return plot_curves(curves, **at)

    def __str__(self) -> str:
        """The measures that ``kappacurve measure`` prints, and the conclusion."""
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)


def _drawn(fpr: FloatArray, tpr: FloatArray) -> tuple[FloatArray, FloatArray]:
    """All vertices, or of very many some that are evenly spread and the hull's corners."""
    even = np.linspace(0, len(fpr) - 1, MOST_DRAWN).astype(np.intp)
    drawn = np.union1d(even, roc_hull(fpr, tpr).index)
    return fpr[drawn], tpr[drawn]


class Section(NamedTuple):
    """A table of texts under its title; of some the rows read well without their head."""

    title: str
    head: list[str]
    rows: list[list[str]]
    headed: bool = True
    note: str = ""  # below it


def listed_measures(measures: Iterable[str]) -> str:
    """Measures as they are called in a line of text."""
    return ", ".join(LABELS[measure] for measure in measures)


def class_ratio(random: bool) -> str:
    """Whether the class ratio of the rows is part of what intervals and tests allow for."""
    how = "random, as in a cohort" if random else "fixed"
    return f"Intervals and tests take the class ratio of these rows as {how}."


def p_text(p: float) -> str:
    """A p value with its sign of equality."""
    return f"= {p:.2g}" if p >= 1e-300 else "< 1e-300"


def prior_shift(at: Conditions, share_of_rows: float, *, are_probabilities: bool) -> list[str]:
    """From where to where probabilities were shifted, if so."""
    prevalence, trained_at = at.prevalence, at.trained_at or {}
    shares = sorted(set(trained_at.values()))
    if np.allclose(shares, prevalence, rtol=1e-9, atol=0):
        return []
    names = listed_measures(("brier_score", "log_loss"))
    if not are_probabilities:
        return [
            f"{names} are not given: these scores are no probabilities, which could be "
            f"shifted to the prevalence {prevalence:.6g}."
        ]
    whose = "as given"
    if len(shares) > 1:
        whose = ", ".join(f"{shown(name)} {share:.6g}" for name, share in trained_at.items())
    elif shares == [share_of_rows]:
        whose = "that of these rows"
    shared = f"{shares[0]:.6g} ({whose})" if len(shares) == 1 else whose
    return [
        f"{names} and net benefit are of probabilities shifted from the share of positives in "
        f"training, {shared}, to {prevalence:.6g}."
    ]


def conclusion(result: ComparisonResult) -> tuple[str, ...]:
    """First which differences are significant, then how the measures order the sample."""
    measures, design = result.measures, result.design
    level = 1 - design["level"]
    models = measures["model"].unique()
    if len(models) < 2:
        return _decision(result.decisions, design)
    tested = _printed(result.tests).dropna(subset="p_adjusted")
    if tested.empty:
        sentences = []
    elif not (tested["p_adjusted"] < level).any():
        least = tested.loc[tested.groupby("measure", sort=False)["p_adjusted"].idxmin()]
        p_values = ", ".join(
            f"{LABELS[m]} p {p_text(p)}"
            for m, p in zip(least["measure"], least["p_adjusted"], strict=True)
        )
        smallest = "smallest adjusted " if len(models) > 2 else ""
        sentences = [f"No difference is statistically significant: {smallest}{p_values}."]
    elif len(models) == 2:
        sentences = _pair(tested, level)
    else:
        sentences = _leaders(measures, tested, level)
    if by_measure := [
        f"{LABELS[test['measure']]} {'differs' if test['p_value'] < level else 'may be equal'} "
        f"(p {p_text(test['p_value'])})"
        for test in records(result.global_tests.dropna())
    ]:
        sentences.append(f"All {len(models)} models together: {', '.join(by_measure)}.")
    sentences += _decision(result.decisions, design)
    if sentences and design["groups"] is not None:
        sentences.append(f"The rows were taken as {design['groups']} independent groups.")
    ending = _in_sample(measures, tested, result.disagreements), _unless(measures, design)
    return (*sentences, *filter(None, ending))


def _printed(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of the measures that most readers want."""
    return table[table["measure"].map(lambda name: MEASURES[name].printed).astype(bool)]


def _decision(decided: pd.DataFrame, design: Mapping[str, Any]) -> tuple[str, ...]:
    """What the model of the least expected loss saves, and whom it flags, if there is a cost."""
    if decided.empty:
        return ()
    best = records(decided.loc[[decided["loss"].idxmin()]])[0]
    nobody = best["flag_nobody"] <= best["flag_all"]
    least, baseline = ("flag_nobody", "nobody") if nobody else ("flag_all", "all")
    at = f"At a prevalence of {design['prevalence']:.3g} and this cost"
    costs = f"{shown(best['model'])} costs {best['loss']:.3g} per row"
    other = f"flagging {baseline} costs {best[least]:.3g}"
    seems = f"Its apparent loss, on the rows that choose its threshold, is {best['in_sample']:.3g}."
    if np.isnan(best["saving"]):
        return (f"{at} there is nothing to save: {costs}, {other}.",)
    if best["saving"] <= ROUNDING:
        return (f"{at} no model beats flagging {baseline}: {costs}, {other}.",)
    ends = ""
    if not np.isnan(best["saving_low"]):
        ends = f" ({100 * best['saving_low']:.0f} to {100 * best['saving_high']:.0f} %)"
    saved = f"{at} {costs}, which saves {100 * best['saving']:.0f} %{ends}: {other}."
    if best["saving_low"] <= 0:
        saved += " The saving is not statistically significant."
    hits = 1000 * design["prevalence"] * best["tpr"]
    flagged = (
        f"Of 1,000 rows at this prevalence it flags {1000 * best['flagged']:.0f}, "
        f"{hits:.0f} of the {1000 * design['prevalence']:.0f} positives among them: "
        f"precision {best['precision']:.2g}, "
        f"{best['false_alarms_per_hit']:.2g} false alarms per hit."
    )
    return (saved, flagged, seems) if design["cross_fitted"] else (saved, flagged)


def _pair(tests: pd.DataFrame, level: float) -> list[str]:
    sentences = []
    first, second = tests.iloc[0][["first", "second"]]
    significant = tests["p_adjusted"] < level
    lead = tests["difference"] * np.where(tests["measure"].isin(LESS_IS_BETTER), -1, 1)
    for better, worse, sign in ((first, second, 1), (second, first, -1)):
        ahead = tests[significant & (sign * lead > 0)]
        if len(ahead):
            sentences.append(f"{shown(better)} is ahead of {shown(worse)} by {_with_p(ahead)}.")
    if not significant.all():
        sentences.append(f"Not statistically significant: {_with_p(tests[~significant])}.")
    return sentences


def _with_p(tests: pd.DataFrame) -> str:
    pairs = zip(tests["measure"], tests["p_adjusted"], strict=True)
    return ", ".join(f"{LABELS[measure]} (p {p_text(p)})" for measure, p in pairs)


def _leaders(measures: pd.DataFrame, tests: pd.DataFrame, level: float) -> list[str]:
    """Who leads by which measures, and which of the others it beats by more than chance."""
    same_sides: dict[Any, list[tuple[str, float, float]]] = {}
    values = measures.set_index(["measure", "model"])["estimate"]
    for name, family in tests.groupby("measure", sort=False):
        sign = -1 if name in LESS_IS_BETTER else 1
        leader = str((sign * values[name]).idxmax())
        of_leader = family[(family["first"] == leader) | (family["second"] == leader)]
        others = of_leader["first"].where(of_leader["first"] != leader, of_leader["second"])
        significant = of_leader["p_adjusted"] < level
        # No model leads where two tie.
        doubtful = ~significant & (of_leader["difference"].abs() > ROUNDING)
        sides = (", ".join(map(shown, others[side])) for side in (significant, doubtful))
        p = of_leader["p_adjusted"]
        same_sides.setdefault((leader, *sides), []).append(
            (str(name), p[significant].max(), p[doubtful].min())
        )
    sentences = []
    for (leader, behind, doubtful), by in same_sides.items():
        names, largest, least = zip(*by, strict=True)
        parts = []
        if behind:
            parts.append(f"{shown(leader)} leads {behind} (adjusted p at most {max(largest):.2g})")
        if doubtful:
            lead = "its lead" if behind else f"the lead of {shown(leader)}"
            more = " or more" if min(least) < 1 else ""
            chance = f"is not statistically significant (adjusted p {p_text(min(least))}{more})"
            parts.append(f"{lead} over {doubtful} {chance}")
        if parts:
            sentences.append(f"By {listed_measures(names)} {'; '.join(parts)}.")
    return sentences


def _in_sample(
    measures: pd.DataFrame, tests: pd.DataFrame, disagreements: list[dict[str, Any]]
) -> str:
    """How the measures order the models, whether tested or not."""
    if not disagreements:
        return "All measures order the models alike in this sample."
    pairs = [f"{shown(pair['first'])} and {shown(pair['second'])}" for pair in disagreements]
    if measures["model"].nunique() > 2:
        return f"The measures disagree on the order of {', '.join(pairs)} in this sample."
    (pair,) = disagreements
    untested = {name for name in MEASURES if MEASURES[name].printed} - {*tests["measure"]}
    parts = []
    for side, who in (
        ("first_preferred_by", f"{shown(pair['first'])} has the better"),
        ("second_preferred_by", f"{shown(pair['second'])} has the better"),
        ("tied_by", "both have the same"),
    ):
        if names := [name for name in pair[side] if name in untested]:
            parts.append(f"{who} {listed_measures(names)}")
    return f"In this sample, without a test here: {'; '.join(parts)}." * bool(parts)


def _unless(measures: pd.DataFrame, design: Mapping[str, Any]) -> str:
    """Which of two models AUK prefers, and beyond which costs the other one."""
    if design["cost"] == "balanced":
        return ""
    cost = float(design["cost"])
    auk = measures[measures["measure"] == "auk"].set_index("model")["estimate"]
    below = [f"less than {tie / (1 - tie):.2g}" for tie in design["auk_ties"] if tie < cost][-1:]
    above = [f"more than {tie / (1 - tie):.2g}" for tie in design["auk_ties"] if tie > cost][:1]
    costs = " or ".join([*below, *above])
    sentence = f"AUK prefers {shown(str(auk.idxmax()))} here, unless a missed positive costs"
    return f"{sentence} {costs} false alarms." * bool(costs)


def notes(result: ComparisonResult) -> list[str]:
    """Where rows give no interval or test although they should, or a model is upside down."""
    sentences = []
    for name, score in result.sample.scores.items():
        table = result.measures[result.measures["model"] == name]
        model = shown(name)
        auc = table["estimate"].iloc[0]
        if points := table.loc[table["method"] == "none", "measure"].tolist():
            names = listed_measures(points)
            why = f"{names} of {model} do not vary across resamples"
            if reason := no_interval_reason(result.sample.positive, score):
                why = f"{model} {reason}"
            sentences.append(f"{why}: these rows can't give an interval of {names}.")
        if auc < 0.5:
            sentences.append(
                f"{model} ranks worse than chance: are its scores read the wrong way round? "
                "(See lower, on the command line --lower.)"
            )
    if result.tests["p_value"].isna().any():
        sentences.append(
            "No test where a difference does not vary across resamples, or a class has too few "
            "rows."
        )
    return sentences


def cell(found: Mapping[str, Any], name: str = "estimate", form: str = ".4f") -> str:
    """A number with its interval, if it has one."""
    low, high = found["low"], found["high"]
    interval = "" if np.isnan(low) else f" ({low:{form}} to {high:{form}})"
    return f"{found[name]:{form}}{interval}"


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table."""
    return [{str(key): value for key, value in row.items()} for row in table.to_dict("records")]


def sections(result: ComparisonResult, all_measures: bool = True) -> list[Section]:
    """The tables of a comparison as texts: measures, tests and folds."""
    if not all_measures:
        folds = _printed(result.folds) if len(result.folds) else result.folds
        measures, tests = _printed(result.measures), _printed(result.tests)
        result = replace(result, measures=measures, tests=tests, folds=folds)
    (head, *rows) = map(list, zip(*_measure_columns(result), strict=True))
    parts = [Section("Measures", head, rows)]
    n = result.measures["model"].nunique()
    if len(result.tests):
        what = "not adjusted for the number of tests"
        if n > 2:
            is_permuted = (result.tests["method"] == "permutation").any()
            by = "max-t; permutation tests: Holm" if is_permuted else "max-t"
            what = f"intervals and p together for all {n * (n - 1) // 2} pairs ({by})"
        title = f"Paired tests on the same rows, two-sided p, {what}"
        parts.append(_of_tests(title, records(result.tests)))
    parts += [part for point in result.points for part in _sections_at(point)]
    if len(result.folds):
        table = result.folds.pivot_table(
            index=["fold", "model"], columns="measure", values="estimate", sort=False
        )
        head = ["fold", "model", *(LABELS[str(name)] for name in table)]
        rows = [
            [fold, shown(model), *(f"{value:.4f}" for value in values)]
            for (fold, model), values in zip(table.index, table.to_numpy(), strict=True)
        ]
        parts.append(Section("Measures of each fold", head, rows))
    return parts


def _sections_at(point: Mapping[str, Any]) -> list[Section]:
    """The models side by side, then their differences."""
    names = list(point["models"])
    parts = []
    constrained = isinstance(point["at"], str)
    title = f"At {point['at']}" + ", each model at its own threshold" * constrained
    for start in range(0, len(names), SIDE_BY_SIDE):
        block = names[start : start + SIDE_BY_SIDE]
        decisions = [point["models"][name] for name in block]
        rows = [
            ["threshold", *(f"{d['printed']!r}{' or lower' * d['lower']}" for d in decisions)],
            ["positives flagged", *(f"{found['true_positives']:g}" for found in decisions)],
            ["negatives flagged", *(f"{found['false_positives']:g}" for found in decisions)],
        ]
        for measure in DECIDED:
            rows.append([LABELS[measure], *(cell(found[measure]) for found in decisions)])
        parts.append(Section(title, ["", *map(shown, block)], rows))
    if point["method"] == "bootstrap":
        sentence = (
            "Intervals are those of a model held to this: each resample chooses its own threshold."
        )
        if point["few"]:
            sentence += (
                " With fewer than 20 positives they are too narrow at a least recall or precision."
            )
        parts[-1] = parts[-1]._replace(note=sentence)
    if point["tests"]:
        together = ", intervals and p together for all pairs (max-t)" * (len(names) > 2)
        parts.append(_of_tests(f"Paired differences at {point['at']}{together}", point["tests"]))
    return parts


def section_of_benefit(benefit: Mapping[str, Any]) -> Section:
    """The models, the defaults, then the differences of models; is any model better than none?"""

    def p_value(p: float) -> str:
        return "" if isnan(p) else f"{p:.2g}"

    tau, flag_all = benefit["threshold"], benefit["flag_all"]
    default = "flagging all rows" if flag_all > 0 else "flagging nobody"
    gains = {name: model["gain"] for name, model in benefit["models"].items()}
    rows = [
        [shown(name), cell(model), cell(gains[name], "difference"), p_value(gains[name]["p_value"])]
        for name, model in benefit["models"].items()
    ]
    rows += [["flagging all rows", f"{flag_all:.4f}", "", ""], ["flagging nobody", "0", "", ""]]
    for test in benefit["tests"]:
        pair = f"{shown(test['first'])} - {shown(test['second'])}"
        rows.append([pair, cell(test, "difference"), "", p_value(test["p_adjusted"])])
    best = max(gains, key=lambda name: gains[name]["difference"])
    gain, low = gains[best]["difference"], gains[best]["low"]
    sentence = f"At {tau:g} no model is better than {default}."
    if gain > ROUNDING:
        chance = "which is more than chance" if low > 0 else "which may be chance"
        sure = "" if isnan(low) else f", {chance}"
        sentence = f"At {tau:g} {shown(best)} gains {gain:.4f} per row over {default}{sure}."
    chosen = "" if benefit["at"] == "score" else ", each model at the score that is best for it"
    p_head = "p" + ", of pairs max-t" * (len(benefit["tests"]) > 1)
    return Section(
        f"Net benefit at the threshold probability {tau:g}{chosen}",
        ["", "net benefit", f"more than {default}", p_head],
        rows,
        note=sentence,
    )


def _measure_columns(result: ComparisonResult) -> list[list[str]]:
    """Names of the measures and operating points, then a column of values for each model."""
    columns: list[list[str]] = []
    points = {(row["model"], row["criterion"]): row for row in records(result.thresholds)}
    decided = {row["model"]: row for row in records(result.decisions)}
    labels = LABELS | {"h": f"H, {_weight(*result.design['h_weight'])}"}
    for model, table in result.measures.groupby("model", sort=False):
        cells = [("", shown(str(model)))]
        for row in records(table):
            cells.append((labels[row["measure"]], cell(row)))
            if row["measure"] == "kappa_max":
                cells += _point(points[model, "kappa_max"])
            if row["measure"] == LOSS:
                point = points[model, LOSS]
                cells += _decided(decided[str(model)], point["lower"], result.design)
                if result.design["cross_fitted"]:
                    cells.append(("apparent loss", f"{point['value']:.4f}"))
                    cells += _point(point)
        names, values = map(list, zip(*cells, strict=True))
        columns += [values] if columns else [names, values]
    return columns


def _weight(alpha: float, beta: float) -> str:
    """The weight of H on the cost share of a false alarm."""
    return f"Beta({alpha:.3g}, {beta:.3g})" if np.isfinite(alpha + beta) else "one error is free"


def _point(point: Mapping[str, Any]) -> list[tuple[str, str]]:
    """A threshold that the rows chose, and what it does to them."""
    at = _number(point["printed"], point["lower"])
    if not np.isnan(point["low"]):
        at += f" ({outward(point['low'], point['high'])})"
    at += " or lower" * point["lower"]
    at = at if np.isfinite(point["threshold"]) else "none: predict no positives"
    return [("  at threshold", at), _rates(point)]


def _decided(
    decided: Mapping[str, Any], lower: bool, design: Mapping[str, Any]
) -> list[tuple[str, str]]:
    """The thresholds of a model's decisions, what they do to the rows, and what they save."""
    cuts = (decided["least_threshold"], decided["largest_threshold"])
    ends = list(dict.fromkeys(_number(cut, lower) for cut in cuts))
    at = f"{' to '.join(ends)}{' or lower' * lower}{', by fold' * (len(ends) > 1)}"
    columns = {"estimate": "saving", "low": "saving_low", "high": "saving_high"}
    saving = {end: 100 * decided[column] for end, column in columns.items()}
    saved = "none" if np.isnan(saving["estimate"]) else cell(saving, form=".1f")
    flagged = "{} of {n_negative}, {} of {n_positive}".format(
        decided["false_positives"], decided["true_positives"], **design
    )
    return [
        ("  at threshold", at),
        _rates(decided),
        *[("  rows flagged", flagged)] * (not design["weighted"]),
        ("  saves (%)", saved),
        ("  flag nobody, all", "{flag_nobody:.4f}, {flag_all:.4f}".format(**decided)),
    ]


def _rates(point: Mapping[str, Any]) -> tuple[str, str]:
    return "  fpr, tpr there", "{fpr:.4f}, {tpr:.4f}".format(**point)


def _number(threshold: float, lower: bool) -> str:
    """With all its digits, fewer would flag other rows; "none" is one that no score reaches."""
    if threshold == (-np.inf if lower else np.inf):
        return "none"
    return repr(float(threshold) + 0.0).removesuffix(".0")


def _of_tests(title: str, tests: Iterable[Mapping[str, Any]]) -> Section:
    """Tests: the difference alone if there is no error to test it by."""
    rows = []
    for test in tests:
        pair = f"{shown(test['first'])} - {shown(test['second'])}"
        result = ["no test", ""]
        if not np.isnan(test["p_adjusted"]):
            method = METHODS.get(test["method"], test["method"])
            result = [f"p {p_text(test['p_adjusted'])}", method]
        difference = cell(test, "difference", "+.4f")
        rows.append([pair, LABELS[test["measure"]], difference, *result])
    head = ["first - second", "measure", "difference", "p", "test"]
    return Section(title, head, rows, headed=False)


def as_text(
    result: ComparisonResult,
    heading: Sequence[str] = (),
    notes: Sequence[str] = (),
    more: Sequence[Section] = (),
    all_measures: bool = False,
) -> str:
    """The tables of a comparison, of every measure or of those most used, and what it found."""
    measures, *others = sections(result, all_measures)
    parts = [[*heading, *(f"Note: {note}" for note in notes or result.notes)], _blocks(measures)]
    found = wrap(" ".join(result.conclusion), WIDTH, break_on_hyphens=False)
    parts += [*map(_lines, others), found, *map(_lines, more)]
    return "\n\n".join("\n".join(map(printable, lines)) for lines in parts if lines) + "\n"


def _lines(section: Section) -> list[str]:
    rows = aligned([*[section.head] * section.headed, *section.rows])
    sentence = [section.note] * bool(section.note)
    return [section.title, *(f"  {row}" for row in rows), *sentence]


def _blocks(measures: Section) -> list[str]:
    """One line per measure, one column per model; models that do not fit go into more blocks."""
    first, *models = map(list, zip(measures.head, *measures.rows, strict=True))
    blocks: list[list[list[str]]] = []
    for column in models:
        tried = [first, *(blocks[-1] if blocks else []), column]
        if not blocks or sum(max(map(len, cells)) + 2 for cells in tried) > WIDTH:
            blocks.append([])
        blocks[-1].append(column)
    lines: list[str] = []
    for block in blocks:
        lines += [""] * bool(lines) + aligned(list(zip(first, *block, strict=True)))
    return lines


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines, each column as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = ((c.ljust(width) for c, width in zip(row, widths, strict=True)) for row in rows)
    return ["  ".join(cells).rstrip() for cells in padded]


def as_html(result: ComparisonResult, picture: str = "", notes: Sequence[str] | None = None) -> str:
    """The sentences of a comparison, a picture if there is one, the tables and notes."""
    sentences = f"<p>{in_html(' '.join(result.conclusion))}</p>"
    notes = result.notes if notes is None else notes
    warned = "".join(f"<li>{in_html(sentence)}</li>" for sentence in notes)
    tables = map(html_table, sections(result))
    return "\n".join([sentences, picture, *tables, f"<ul>{warned}</ul>" * bool(warned)])


def html_table(section: Section) -> str:
    """A table with its title, and the sentence below it."""

    def line(cells: list[str], tag: str) -> str:
        first, *others = (in_html(text) for text in cells)
        head = f'<th scope="row">{first}</th>' if tag == "td" else f"<th>{first}</th>"
        return f"<tr>{head}{''.join(f'<{tag}>{text}</{tag}>' for text in others)}</tr>"

    lines = "\n".join(line(row, "td") for row in section.rows)
    sentence = f"\n<p>{in_html(section.note)}</p>" * bool(section.note)
    return (
        f"<table><caption>{in_html(section.title)}</caption><thead>{line(section.head, 'th')}"
        f"</thead><tbody>\n{lines}\n</tbody></table>{sentence}"
    )
