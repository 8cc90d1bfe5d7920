import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq

from kappacurve import auc_score, auk_score
from study.published import published_lookup
from study.tables.cost_profile import cost_profile

PAIR = ("linear", "neural_net")
N = 14


@pytest.fixture(scope="module")
def scores():
    """Two models as good as each other; the second lacks the last replicate.

    As with splits by group, one split has fewer rows.
    """
    random = np.random.default_rng(5)
    tables = []
    for replicate in range(N):
        rows = 50 if replicate == 1 else 60
        minority = (random.permutation(rows) < random.integers(8, 16)).astype(int)
        for model, spread in zip(PAIR, (0.7, 1.4), strict=True):
            score = random.normal(size=rows) * np.where(minority, spread, 1) + minority
            own = {"replicate": replicate, "row": range(rows), "minority": minority, "model": model}
            tables.append(pd.DataFrame({**own, "score": score}))
    return pd.concat(tables[:-1], ignore_index=True)


@pytest.fixture(scope="module")
def found(scores):
    return cost_profile(scores, PAIR, ratios=[3, 5], published=published_lookup())


def area(scores, replicate, model, side, cost, **options):
    one = scores[(scores["replicate"] == replicate) & (scores["model"] == model)]
    if side == "minority":
        return auk_score(one["minority"], one["score"], cost=cost, **options)
    cost = cost if cost == "balanced" else 1 - cost
    return auk_score(1 - one["minority"], -one["score"], cost=cost, **options)


@pytest.mark.parametrize("side", ["majority", "minority"])
@pytest.mark.parametrize("curve", ["raw", "hull"])
def test_areas_are_those_of_each_split_alone(scores, found, side, curve):
    rows = found.profile.query("positive_class == @side and curve == @curve").set_index("mark")
    assert rows["cost"].is_monotonic_increasing
    for mark, cost in (("AUK", 0.5), ("5:1", 5 / 6), ("3:1", 0.75), ("AUC - 1/2", "balanced")):
        first, second = (
            np.array([area(scores, i, m, side, cost, curve=curve) for i in range(N - 1)])
            for m in PAIR
        )
        own = rows.loc[mark].set_index("model")
        assert own.loc["linear", "mean"] == pytest.approx(first.mean(), abs=1e-12)
        assert own.loc["neural_net", "high"] == pytest.approx(np.quantile(second, 0.975), abs=1e-12)
        assert own["ahead"].tolist() == [(first > second).mean(), (first < second).mean()]
        assert (own["splits"] == N - 1).all()
    printed = rows.dropna(subset="published").set_index("model", append=True)["published"]
    if curve == "hull":
        assert printed["AUK", "linear"] == 0.1672
        assert printed["AUC - 1/2", "neural_net"] == pytest.approx(0.2186)
    assert len(printed) == 4


@pytest.mark.parametrize("side", ["majority", "minority"])
def test_every_reversal_has_its_tie(scores, found, side):
    ties = found.ties.query("positive_class == @side and curve == 'raw'")
    reversed_in = set()
    for i in range(N - 1):
        one = scores[scores["replicate"] == i].groupby("model", sort=False)
        aucs = [auc_score(table["minority"], table["score"]) for _, table in one]
        auks = [area(scores, i, model, side, 0.5) for model in PAIR]
        if (aucs[0] - aucs[1]) * (auks[0] - auks[1]) < 0:
            reversed_in.add(i)
            own = ties[ties["replicate"] == i]
            assert (own["auc_prefers"] == PAIR[int(aucs[1] > aucs[0])]).all()
            if len(own) == 1:
                share = 1 - scores[scores["replicate"] == i]["minority"].mean()
                tie = brentq(
                    lambda c, i=i: np.subtract(*(area(scores, i, m, side, c) for m in PAIR)),
                    *(0.5, share),
                )
                assert own["cost"].item() == pytest.approx(tie, abs=2e-3)
    assert set(ties["replicate"]) == reversed_in
    assert reversed_in


def test_a_stated_prevalence_sets_the_balanced_cost(scores):
    few = scores[scores["replicate"] < 2]
    profile = cost_profile(few, PAIR, prevalence=0.11).profile
    assert profile.loc[profile["mark"] == "AUC - 1/2", "cost"].unique() == pytest.approx([0.89])


def test_equal_models_have_no_lead_and_no_tie(scores):
    first = scores[(scores["model"] == "linear") & (scores["replicate"] < 3)]
    twins = pd.concat([first, first.assign(model="neural_net")])
    found = cost_profile(twins, PAIR)
    assert found.ties.empty and (found.profile["ahead"] == 0).all()
    # A model without scores leaves nothing to compare.
    lost = twins["score"].where(twins["model"] == "linear")
    alone = cost_profile(twins.assign(score=lost), PAIR)
    assert (alone.profile["splits"] == 0).all() and alone.profile["mean"].isna().all()
