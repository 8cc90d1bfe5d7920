"""What a comparison found: its tables, how they are printed, and sentences about the models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import inf, isfinite, isnan, nan
from textwrap import TextWrapper
from typing import Any

import pandas as pd

from ..decisions.costs import CostRange, trivial_losses
from ..decisions.operating import DECISIONS, shorten_threshold
from ..inference.estimates import ROUNDING, Estimate
from ..inference.influence import InfluenceModel
from ..validation import FloatArray, Sample

MEASURES = ("auc", "auk", "average_precision", "h", "brier_score", "log_loss")
LABELS = {
    "auc": "AUC",
    "auk": "AUK",
    "average_precision": "average precision",
    "h": "H",
    "brier_score": "Brier score",
    "log_loss": "log loss",
    "expected_loss": "loss per 1,000 rows",
    "flagged": "share flagged",
    "f1": "F1",
    "mcc": "MCC",
    "net_benefit": "net benefit per row",
}
LOSSES = ("brier_score", "log_loss", "expected_loss")  # less is better
MANY_MODELS = 4  # from so many on, only the tests of the leader are printed
MAX_RANGES = 5  # of costs with a model of their own, that a sentence names
VERDICTS = ("better than", "not clearly better than", "equal to", "not tested against")
APPARENT = "apparent: the same rows set the threshold"
CALIBRATION_LABELS = {"observed_over_expected": "observed over expected"}
TERMS = {
    "auc": "AUC: the chance that a positive row scores above a negative one.",
    "auk": "AUK: the area under the curve of Cohen's kappa (agreement of decisions and classes "
    "beyond chance) over all thresholds. Unlike AUC it depends on the share of positives and on "
    "what a miss costs; 0 is a random ranking, a perfect one has the value in brackets.",
    "average_precision": "Average precision: the mean precision over the positives found, from the "
    "highest score down.",
    "h": "H: the share of the loss without a model that the model avoids, averaged over costs.",
    "brier_score": "Brier score: the mean squared error of the probabilities; log loss: their mean "
    "negative log likelihood. Less is better.",
    "intercept": "Calibration: log odds lack the intercept, and would have to be multiplied by the "
    "slope; observed over expected: positives there are over those predicted; miscalibration: what "
    "recalibration could take from the Brier score at most.",
    "cost": "A miss is a positive that is not flagged, a false alarm a negative that is flagged.",
    "fold": "Costs are measured on rows that did not choose the threshold: each fifth of the rows "
    "(fold) is judged at the best threshold of the others, which tests take as given. The "
    "threshold printed is the best one of all rows. A saving is clear if its interval is above 0.",
    "apparent": "Costs are apparent, that is too low, because the same rows set the threshold: "
    "there are too few rows or groups of a class to judge each at a threshold set without it.",
    "least_loss": "Least loss: over all thresholds, in false alarms, flagging nobody and flagging "
    "everybody included. It is apparent, that is too low, because the same rows set the "
    "thresholds; --cost-ratio gives a fair one.",
    "decision": "Recall: the share of the positives that are flagged. Precision: the share of the "
    "flagged that are positive.",
    "mcc": "Specificity: the share of the negatives that are not flagged. F1: the harmonic mean of "
    "recall and precision. MCC: the correlation of flags and classes. Kappa: their agreement "
    "beyond chance. Net benefit: true positives less the false alarms, at their cost in misses.",
    "test": "p: the chance of so large a difference, or a larger one, between equal models.",
}
WRAPPER = TextWrapper(98, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


@dataclass(frozen=True, repr=False)
class ComparisonResult:
    """What :func:`compare` found; ``print`` it, or take its data frames.

    Attributes
    ----------
    measures : DataFrame
        A row for each measure and model: measure, model, estimate, standard_error, low, high,
        method, note, perfect, the value of a perfect model at this prevalence and cost, and
        reference, the loss of predicting the share of positives for every row.
    tests : DataFrame
        A row for each measure and two models: measure, first, second, difference (first - second),
        standard_error, statistic, p_value, p_adjusted (Holm, over the pairs of a measure), low,
        high, method, note. With `cost_ratio` there is the measure "expected_loss" (in false alarms
        per 1,000 rows), with `at` one such as "recall at flagged<=0.1".
    calibration : DataFrame
        A row for each model with probabilities and quantity ("intercept", "slope",
        "observed_over_expected", "miscalibration"): model, quantity, estimate, standard_error, low,
        high, method, df, note. See :func:`kappacurve.calibration`.
    costs : DataFrame
        With `cost_ratio`, a row for each model, in false alarms per 1,000 rows: model, loss, low,
        high, flag_nobody, flag_everybody, saving (over the better of these two), saving_low,
        saving_high (for all models together); flagged, recall and precision. Each row is judged at
        a threshold that was chosen without its fold; least_threshold and largest_threshold are the
        extremes over the folds.
        `flag` says what to do: "by model", at `threshold`, which has the least loss in all rows,
        or flag "nobody" or "everybody", if the model saves nothing. `apparent` is true where there
        are too few rows or groups of a class for folds: the same rows set the threshold.
    decisions : DataFrame
        With `at`, a row for each point, model and quantity: at, model, threshold, flagged_rows and
        flagged_positive_rows (counts, also of weighted rows), cost_ratio, quantity ("flagged",
        "recall", "precision", "kappa"; at a threshold also "specificity", "f1", "mcc"; with a cost
        "expected_loss", in false alarms per 1,000 rows, and "net_benefit"), estimate,
        standard_error, low, high, method, note.
    ties : DataFrame
        Which model costs least in which range of the cost of a miss: a row for each range, from
        cost_ratio_low to cost_ratio_high, with `models` (several where their losses are the same)
        and `flag`: "by model", or "nobody" or "everybody" if no model costs less. Losses are the
        least over all thresholds, in the rows that also set the thresholds.
    sentences, notes : list of str
        The answer, one sentence a measure; and what was left out, or limits it.
    n_rows, n_positive : int
    prevalence, cost_ratio, confidence_level : float
    sample : Sample
        The checked rows.
    """

    measures: pd.DataFrame
    tests: pd.DataFrame
    calibration: pd.DataFrame
    costs: pd.DataFrame
    decisions: pd.DataFrame
    ties: pd.DataFrame
    sentences: list[str]
    notes: list[str]
    n_rows: int
    n_positive: int
    prevalence: float
    cost_ratio: float
    confidence_level: float
    sample: Sample = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """All numbers, under the names above, as lists of records; None for NaN and infinity."""
        return {
            name: _records(value) if isinstance(value, pd.DataFrame) else value
            for name, value in vars(self).items()
            if name != "sample"
        }

    def __str__(self) -> str:
        parts = []
        is_many = len(self.sample.scores) >= MANY_MODELS
        for heading, table in _tables(self):
            text = table.T if is_many else table  # a row per model keeps the width
            # A row of a test stays whole; what pandas breaks it marks with a backslash.
            lines = text.to_string(line_width=None if "models" in table else 96).splitlines()
            parts.append("\n".join([heading, *(line.rstrip(" \\") for line in lines)]))
        parts += [_wrap(self.sentences), _wrap([f"Note: {note}" for note in self.notes])]
        return "\n\n".join(filter(None, parts)) + "\n"

    def __repr__(self) -> str:
        models = join_names(list(self.sample.scores))
        return (
            f"<ComparisonResult of {models}: {self.n_rows} rows, {self.n_positive} positive; "
            "print it for tables and sentences>"
        )

    def explain(self) -> str:
        """What the printed words mean, one paragraph each."""
        return _wrap(_terms(self)) + "\n"

    def _repr_html_(self) -> str:
        parts = [f"<p>{escape(sentence)}</p>" for sentence in self.sentences]
        for heading, table in _tables(self):
            html = table.to_html(border=0)
            parts.append(f"<h2>{escape(heading)}</h2><div class=wide>{html}</div>")
        parts += [f"<p class=note>{escape(text)}</p>" for text in [*self.notes, *_terms(self)]]
        return "\n".join(parts)

    def to_html(self, title: str) -> str:
        """One offline page: sentences, tables, and the curves of :func:`explorer_page`."""
        from ..explorer.page import make_page

        parts, results = {"": self.sample}, self._repr_html_()
        return make_page(parts, self.prevalence, self.cost_ratio, title, results=results)


def _tables(result: ComparisonResult) -> list[tuple[str, pd.DataFrame]]:
    """The tables as they are printed, each with its heading."""
    ratio, measures, tests = result.cost_ratio, result.measures, result.tests
    is_many = len(result.sample.scores) >= MANY_MODELS
    heading = f"Measures at {100 * result.prevalence:.4g} % positives"
    if measures["low"].notna().any():
        heading += f", with {100 * result.confidence_level:g} % intervals"
    labels = {name: label_of(name, ratio) for name in measures["measure"]}
    best = measures.loc[measures["measure"] == "auk", "perfect"].iloc[0]
    labels["auk"] += f" (at most {best:.4f})"
    for name, reference in measures.groupby("measure")["reference"].first().dropna().items():
        labels[str(name)] += f" ({reference:.4f} without a model)" * (not is_many)
    tables = [(heading, _by_model(measures, "measure", labels))]
    if len(result.calibration) and not is_many:  # else sentences name the faults
        heading = "Calibration (if all is well intercept 0, slope 1 and observed over expected 1)"
        tables.append((heading, _by_model(result.calibration, "quantity", CALIBRATION_LABELS)))
    if len(result.costs):
        heading = f"Flagging by a model where a miss costs {count_alarms(f'{ratio:g}')}: loss in "
        apparent = APPARENT + "; " if result.costs["apparent"].any() else ""
        trivial = _trivial_text(result.prevalence, ratio)
        heading += f"false alarms per 1,000 rows\n({apparent}{trivial})"
        tables.append((heading, _costs_table(result.costs, result.sample.scores)))
    for at, decisions in (
        result.decisions.groupby("at", sort=False) if len(result.decisions) else ()
    ):
        heading = f"At {at}"
        if is_constraint := "=" in str(at):
            heading += ", each model at its own threshold"
        priced = decisions[decisions["quantity"] == "expected_loss"]
        if len(priced):
            cost = float(priced["cost_ratio"].iloc[0])
            if not is_constraint:
                heading += f", where a miss costs {count_alarms(f'{cost:g}')}"
            heading += f" (loss of {_trivial_text(result.prevalence, cost)})"
        tables.append((heading, _decisions_table(decisions, result.sample.scores, ratio)))
    if len(tests) and is_many:
        heading = "Differences to the best model, before rounding (paired, two-sided tests)"
        tables.append((heading, _leads_table(tests, ratio)))
    elif len(tests):
        heading = "Differences on the same rows, before rounding (two-sided tests)"
        tables.append((heading, _tests_table(tests, ratio)))
    return tables


def _trivial_text(prevalence: float, cost_ratio: float) -> str:
    """Losses of flagging nobody and everybody in words."""
    losses = trivial_losses(prevalence, cost_ratio)
    return "flagging nobody {:.1f}, everybody {:.1f}".format(*losses)


def _by_model(table: pd.DataFrame, rows: str, labels: dict[str, str]) -> pd.DataFrame:
    """A row for each measure or quantity, a column for each model."""
    cells = [
        _cell(value, low, high, _digits(name))
        for name, value, low, high in table[[rows, "estimate", "low", "high"]].to_numpy()
    ]
    text = table.assign(cell=cells).pivot_table("cell", rows, "model", aggfunc="first", sort=False)
    return text.fillna("-").rename(index=labels).rename_axis(index=None, columns=None)


def _costs_table(costs: pd.DataFrame, scores: Mapping[str, FloatArray]) -> pd.DataFrame:
    columns = {}
    for row in costs.to_dict("records"):
        score = scores[row["model"]]
        low, high = row["least_threshold"], row["largest_threshold"]
        saving = row["saving"], row["saving_low"], row["saving_high"]
        columns[row["model"]] = {
            "by the model": _cell(row["loss"], row["low"], row["high"], ".1f"),
            "saving over the cheaper of these": _cell(*saving, ".1f"),
            "share flagged": f"{row['flagged']:.4f}",
            "recall": f"{row['recall']:.4f}",
            "precision": _cell(row["precision"]),
        }
        if row["flag"] == "by model":
            ends = [_threshold(end, score) for end in dict.fromkeys([low, high])]
            columns[row["model"]]["threshold"] = _threshold(row["threshold"], score)
            columns[row["model"]]["threshold in the folds"] = " to ".join(ends)
        else:
            columns[row["model"]]["threshold"] = f"none: flag {row['flag']}"
    return pd.DataFrame(columns).fillna("-")


def _decisions_table(
    decisions: pd.DataFrame, scores: Mapping[str, FloatArray], ratio: float
) -> pd.DataFrame:
    counts = {
        row["model"]: {
            "threshold": _threshold(row["threshold"], scores[row["model"]]),
            "rows flagged": str(row["flagged_rows"]),
            "positives among them": str(row["flagged_positive_rows"]),
        }
        for row in decisions.to_dict("records")
    }
    labels = {name: label_of(name, ratio) for name in DECISIONS}
    return pd.concat([pd.DataFrame(counts), _by_model(decisions, "quantity", labels)])


def _leads_table(tests: pd.DataFrame, ratio: float) -> pd.DataFrame:
    """A row per measure, a column per model: the difference to the best model, and its p."""
    rows: dict[str, dict[str, str]] = {}
    for measure, family in tests.groupby("measure", sort=False):
        leader = find_leader(str(measure), family)
        cells = {} if leader is None else {leader: "best"}
        for row in family.to_dict("records"):
            first, second, value = row["first"], row["second"], row["difference"]
            if leader is None:
                cells |= {first: "the same", second: "the same"}
            elif leader in (first, second):
                other, value = (second, -value) if first == leader else (first, value)
                p = p_value_text(row["p_adjusted"])
                p = p if isnan(row["p_adjusted"]) else f"p {p}"
                cells[other] = f"{value:+{_digits(measure)}} ({p})"
        rows[label_of(str(measure), ratio)] = cells
    models = list(dict.fromkeys([*tests["first"], *tests["second"]]))
    return pd.DataFrame(rows).reindex(models).fillna("-").T


def _tests_table(tests: pd.DataFrame, ratio: float) -> pd.DataFrame:
    word = "adjusted p" if len(tests) > tests["measure"].nunique() else "p"
    table = pd.DataFrame(index=[label_of(measure, ratio) for measure in tests["measure"]])
    table["models"] = [*(tests["first"] + " - " + tests["second"])]
    table["difference"] = [
        _cell(value, low, high, f"+{_digits(measure)}")
        for measure, value, low, high in tests[["measure", "difference", "low", "high"]].to_numpy()
    ]
    p_values = [p_value_text(p).removeprefix("= ") for p in tests["p_adjusted"]]
    return table.assign(**{word: p_values})


def _cell(value: float, low: float = nan, high: float = nan, digits: str = ".4f") -> str:
    """A value and the ends of its interval, if it has one."""
    if isnan(value):
        return "-"
    ends = "" if isnan(high) else f" ({low:{digits}} to {high:{digits}})"
    return f"{value:{digits}}{ends}"


def _digits(measure: object) -> str:
    """Losses per 1,000 rows have fewer digits than shares."""
    return ".1f" if str(measure).startswith("expected_loss") else ".4f"


def _threshold(value: float, score: FloatArray) -> str:
    """A threshold that flags the printed rows if it is copied."""
    if not isfinite(value):
        return "flags nobody"
    next_lower = float(score[score < value].max(initial=-inf))
    return repr(shorten_threshold(value, next_lower)).removesuffix(".0")


def _terms(result: ComparisonResult) -> list[str]:
    """What the printed words mean."""
    names = [*result.measures["measure"].unique()]
    names += ["intercept"] if len(result.calibration) else []
    names += ["cost"] if len(result.costs) or len(result.sample.scores) > 1 else []
    if len(result.costs):
        names.append("apparent" if result.costs["apparent"].any() else "fold")
    else:
        names.append("least_loss")
    names += ["decision"] if len(result.costs) or len(result.decisions) else []
    names += [*result.decisions["quantity"].unique()] if len(result.decisions) else []
    names += ["test"] if len(result.tests) else []
    return [TERMS[name] for name in names if name in TERMS]


def _wrap(texts: Sequence[str]) -> str:
    return "\n".join(line for text in texts for line in WRAPPER.wrap(text))


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    plain: Any = table.astype(object).mask(table.isin([nan, inf]), None)
    return [
        {name: list(cell) if isinstance(cell, tuple) else cell for name, cell in row.items()}
        for row in plain.to_dict("records")
    ]


def conclude(
    tables: Mapping[str, pd.DataFrame],
    least_loss: str,
    influences: InfluenceModel,
    confidence_level: float,
) -> list[str]:
    """All sentences: one a measure, and what costs least at the stated cost or else at any."""
    ratio = influences.cost_ratio
    leaders = {
        str(measure): leader_sentence(str(measure), family, ratio, confidence_level)
        for measure, family in tables["tests"].groupby("measure", sort=False)
        if family["p_adjusted"].notna().any()  # else a note says why there is no test
    }
    sentences = [leaders.pop(measure) for measure in MEASURES if measure in leaders]
    sentences += constant_sentences(tables["measures"])
    if len(tables["calibration"]):
        sentences += calibration_sentences(tables["calibration"])
    costs: Any = tables["costs"].to_dict("records")
    useless = useless_sentences(tables["decisions"], influences.prevalence)
    if costs:
        is_none_better = all(row["flag"] != "by model" for row in costs)
        if is_none_better or costs[0]["apparent"]:
            leaders.pop("expected_loss", None)
        return [*sentences, saving_sentence(costs, ratio), *leaders.values(), *useless]
    return [*sentences, *leaders.values(), *useless, least_loss]


def find_leader(measure: str, tests: pd.DataFrame) -> str | None:
    """The model that is better than most others by a measure; None if all have one value."""
    lead = tests["difference"] * (-1 if measure.partition(" at ")[0] in LOSSES else 1)
    winners = tests["first"].where(lead > 0, tests["second"])[lead.abs() >= ROUNDING]
    return None if winners.empty else str(winners.value_counts().idxmax())


def leader_sentence(
    measure: str, tests: pd.DataFrame, cost_ratio: float, confidence_level: float
) -> str:
    """Who leads by a measure, and over whom clearly."""
    label = label_of(measure, cost_ratio)
    if measure.startswith("expected_loss"):
        label = f"Loss at {measure.partition(' at ')[2] or 'this cost'}"
    label = label[0].upper() + label[1:]
    leader = find_leader(measure, tests)
    models = list(dict.fromkeys([*tests["first"], *tests["second"]]))
    if leader is None:
        return f"{label}: {join_names(models)} have the same value."
    rivals: dict[str, dict[str, str]] = {verdict: {} for verdict in VERDICTS}
    for test in tests[(tests["first"] == leader) | (tests["second"] == leader)].to_dict("records"):
        other, p = test["second" if test["first"] == leader else "first"], test["p_adjusted"]
        if abs(test["difference"]) < ROUNDING:
            rivals["equal to"][other] = ""
        elif isnan(p):
            rivals["not tested against"][other] = ""
        else:
            verdict = "better than" if p < 1 - confidence_level else "not clearly better than"
            rivals[verdict][other] = p_value_text(p) if len(models) < MANY_MODELS else ""
    parts, word = [], "p" if len(tests) == 1 else "adjusted p"
    for verdict, p_values in rivals.items():
        names = []
        for name, p_value in p_values.items():
            names.append(f"{name} ({word} {p_value})" if p_value else name)
            word = "p"  # adjusted, which is said once
        word_between = "or" if verdict.startswith("not") else "and"
        parts += [f"{verdict} {join_names(names, word_between)}"] if names else []
    return f"{label}: {leader} is {', '.join(parts)}."


def calibration_sentences(table: pd.DataFrame) -> list[str]:
    """What is wrong with the probabilities of each model, as far as the intervals tell.

    Of many models there is one sentence for all that predict too many or too few positives, one for
    all that are too extreme or vary too little, one for all without a clear fault, and one for all
    with the same part that could not be fitted.
    """
    sentences, ratios, slopes = [], [], []
    others: dict[str, list[str]] = {}  # models by what is said of them instead of a fault
    for model, rows in table.groupby("model", sort=False):
        by_name = rows.set_index("quantity")
        ratio, slope = by_name.loc["observed_over_expected"], by_name.loc["slope"]
        faults = []
        if ratio["high"] < 1 or ratio["low"] > 1:
            times = f"{1 / ratio['estimate']:.2g}"
            ratios.append(f"{model} {times}")
            faults.append(f"it predicts {times} times as many positives as there are")
        if slope["high"] < 1 or slope["low"] > 1:
            what = "are too extreme" if slope["high"] < 1 else "vary too little"
            what = "fall where positives are more frequent" if slope["high"] < 0 else what
            slopes.append(f"{model} {slope['estimate']:.2g}")
            faults.append(f"its probabilities {what} (slope {slope['estimate']:.2g})")
        is_missing = by_name["estimate"].isna()
        unfitted = [name for name in ("intercept", "slope") if is_missing[name]]
        rest = "" if faults else "no clear fault"
        if unfitted:
            verb = "is" if len(unfitted) == 1 else "are"
            rest = f"the {join_names(unfitted)} could not be fitted and {verb} not judged"
        if rest:
            others.setdefault(rest, []).append(str(model))
        texts = [", and ".join(faults), rest]
        sentences.append(f"Calibration of {model}: {'; '.join(filter(None, texts))}.")
    if table["model"].nunique() < MANY_MODELS:
        return sentences
    starts = {"Predicted over actual positives": ratios, "Slopes that are not 1": slopes}
    sentences = [f"{start}: {', '.join(parts)}." for start, parts in starts.items() if parts]
    sentences += [
        f"Calibration of {join_names(models)}: {rest}." for rest, models in others.items()
    ]
    return sentences


def constant_sentences(measures: pd.DataFrame) -> list[str]:
    """The models whose losses are above those of the share of positives alone, clearly or not."""
    models: dict[tuple[str, str], list[str]] = {}
    above = measures[measures["estimate"] > measures["reference"]]
    for is_clear, word in ((True, "clearly worse"), (False, "no better")):
        rows = above[(above["low"] > above["reference"]) == is_clear]
        for model, own in rows.groupby("model", sort=False):
            names = join_names([LABELS[measure] for measure in own["measure"]])
            models.setdefault((names, word), []).append(str(model))
    return [
        f"By {names}, {join_names(group)} {'is' if len(group) == 1 else 'are'} {word} than "
        "predicting the share of positives for every row."
        for (names, word), group in models.items()
    ]


def saving_sentence(costs: Sequence[dict[str, Any]], cost_ratio: float) -> str:
    """What acting on the best models saves at the stated cost, and whose savings are clear."""
    best = min(costs, key=lambda row: float(row["loss"]))
    least, rule = min((best["flag_nobody"], "nobody"), (best["flag_everybody"], "everybody"))
    start = f"Where a miss costs {count_alarms(f'{cost_ratio:g}')}"
    if best["flag"] != "by model":
        return f"{start}, no model saves anything over flagging {rule}: flag {rule}."
    tied = [row["model"] for row in costs if best["saving"] - row["saving"] <= ROUNDING * least]
    clear = [row["model"] for row in costs if row["saving_low"] > 0]
    end = f". Clear savings: {join_names(clear)}." if clear else ", but no saving is clear."
    if best["apparent"]:
        end = f" ({APPARENT})."
    return (
        f"{start}, flagging by {join_names(tied, 'or')} saves the cost of {best['saving']:.1f} "
        f"false alarms per 1,000 rows over flagging {rule}{end}"
    )


def least_loss_sentence(
    ranges: Sequence[CostRange], is_clear: bool, stated_prevalence: float | None
) -> str:
    """Which model costs least in which range of costs, by the rows that also set the thresholds.

    No model is named unless one ranks clearly better than by chance: the least of many losses, all
    by chance, is below that of flagging nobody or everybody at some cost.
    """
    where = "in these rows"
    if stated_prevalence is not None:
        where += f" at {100 * stated_prevalence:g} % positives"
    start = f"Least loss {where} (apparent: they also set the thresholds)"
    by_model = [cost_range for cost_range in ranges if cost_range.flag == "by model"]
    if not by_model:
        return f"{start}: no model costs less than flagging nobody or everybody, at any cost."
    if not is_clear:
        return f"{start}: not given, because no model ranks clearly better than by chance."
    low, high = by_model[0].cost_ratio_low, by_model[-1].cost_ratio_high
    if len(by_model) > MAX_RANGES:
        models = dict.fromkeys(model for cost_range in by_model for model in cost_range.models)
        text = f"{join_names([*models])} take turns, in {len(by_model)} ranges, {_while(low, high)}"
    else:
        parts: list[str] = []
        for cost_range in by_model:
            name = join_names(cost_range.models) + " alike" * (len(cost_range.models) > 1)
            end = cost_range.cost_ratio_high
            bound = "beyond" if end == inf else f"up to {_short(end)}"
            parts.append(f"{name} {bound if parts else _while(low, end)}")
        text = ", ".join(parts)
    rules = ["nobody below"] * (low > 0) + ["everybody beyond"] * (high < inf)
    text += f"{'; flag ' * bool(rules)}{', '.join(rules)}"
    return f"{start}: {text}. State a cost (--cost-ratio, cost_ratio=) to see whether it is clear."


def useless_sentences(decisions: pd.DataFrame, prevalence: float) -> list[str]:
    """The thresholds and limits at which no loss is below that of flagging nobody or everybody."""
    if decisions.empty:
        return []
    sentences = []
    losses = decisions[decisions["quantity"] == "expected_loss"]
    for at, rows in losses.groupby("at", sort=False):
        nobody, everybody = trivial_losses(prevalence, float(rows["cost_ratio"].iloc[0]))
        least, rule = min((nobody, "nobody"), (everybody, "everybody"))
        if rows["estimate"].min() >= (1 - ROUNDING) * least:
            sentences.append(f"At {at} no loss is below that of flagging {rule}.")
    return sentences


def reversed_sentences(areas: Mapping[str, Estimate]) -> list[str]:
    """What to do with the models that rank clearly worse than by chance, by their AUCs."""
    models = [model for model, area in areas.items() if area.high < 0.5]
    sentences = [
        f"{model}: the AUC is clearly below 0.5, so low values seem to mean positive: negate the "
        "scores (by --lower, or without it where it is given)."
        for model in models
    ]
    if models and len(models) == len(areas):
        sentences.append(
            "If the other class is the one to be found, state that by --positive (pos_label=)."
        )
    return sentences


def count_alarms(cost: str) -> str:
    """The cost of a miss in words."""
    return f"{cost} false {'alarm' if cost.split()[-1] == '1' else 'alarms'}"


def p_value_text(p: float) -> str:
    """A p value with its sign, as it stands in a sentence."""
    if isnan(p):
        return "not tested"
    return f"= {p:.2g}" if p >= 1e-4 else "< 0.0001"


def label_of(measure: str, cost_ratio: float) -> str:
    """What a measure is called where it is printed."""
    name, _, where = measure.partition(" at ")
    label = LABELS.get(name, name)
    if measure in ("auk", "h", "kappa") and cost_ratio != 1:
        label += f" at cost ratio {cost_ratio:g}"
    return label + (f" at {where}" if where else "")


def join_names(names: Sequence[str], last: str = "and") -> str:
    """Names as they stand in a sentence, with a word before the last one."""
    return f" {last} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _while(low: float, high: float) -> str:
    """A range of the cost of a miss in words."""
    if (low, high) == (0, inf):
        return "whatever a miss costs"
    bounds = f"{_short(low)} to {_short(high)}"
    if low == 0:
        bounds = f"less than {_short(high)}"
    elif high == inf:
        bounds = f"more than {_short(low)}"
    return f"while a miss costs {count_alarms(bounds)}"


def _short(cost_ratio: float) -> str:
    """A cost ratio with two digits, or more if it has more before the point."""
    return f"{cost_ratio:.0f}" if cost_ratio >= 100 else f"{cost_ratio:.2g}"
