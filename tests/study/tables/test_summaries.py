from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from study.errors import ImpossibleError
from study.parquet import write_parquet
from study.published import PAPER_PAIR, published_lookup
from study.replicates.evaluation import MEASURES
from study.tables.areas import rankings
from study.tables.parts import nothing_drawn, read_cell
from study.tables.reversals import published_gaps, rank_reversals
from study.tables.shares import mean_interval, share_with_interval, t_interval
from study.tables.summaries import summarise


def replicates(values):
    """Replicates from {model: {measure: values}}; the same for both classes and curves."""
    tables = []
    for model, side, curve in product(values, ("majority", "minority"), ("raw", "hull")):
        place = {"model": model, "positive_class": side, "curve": curve}
        table = pd.DataFrame(dict.fromkeys(MEASURES, 0.5) | values[model]).assign(**place)
        tables.append(table.rename_axis("replicate").reset_index())
    return pd.concat(tables, ignore_index=True)


def test_summary_by_hand():
    rows = replicates({"linear": {"auc": np.array([0.7, 0.72, 0.76, 0.78, np.nan])}})
    summary = summarise(rows, published_lookup()).query("curve == 'hull' and measure == 'auc'")
    auc = summary.set_index("positive_class").loc["minority"]
    assert (auc["replicates"], auc["undefined"]) == (5, 1)
    assert auc["mean"] == pytest.approx(0.74)
    assert auc["sd"] == pytest.approx(np.sqrt((0.04**2 + 0.02**2) * 2 / 3))
    assert auc["median"] == pytest.approx(0.74)
    assert auc["low"] == pytest.approx(0.7 + 0.075 * 0.02)
    assert auc["published"] == 0.7493
    assert auc["percentile"] == 50


@pytest.mark.parametrize(
    ("values", "spread"),
    [
        ([0.1, np.inf, 0.3], [np.nan, np.nan, 0.1, 0.3, np.inf]),  # and break nothing
        ([0.1, 0.3], [0.2, np.sqrt(0.02), 0.105, 0.2, 0.295]),
        ([0.4, np.nan], [0.4, np.nan, 0.4, 0.4, 0.4]),  # one value has no spread
        ([np.nan], [np.nan] * 5),
    ],
)
def test_the_spread_of_few_or_infinite_values(values, spread):
    rows = replicates({"linear": {"threshold": np.array(values)}})
    summary = summarise(rows).set_index("measure").loc["threshold"].iloc[0]
    found = [summary[name] for name in ("mean", "sd", "low", "median", "high")]
    assert found == pytest.approx(spread, nan_ok=True)


def test_models_of_a_class_are_ranked_by_each_measure_and_ties_share_the_better():
    rows = [("minority", "a", "raw", 0.8, 0.1, 0.2), ("minority", "b", "raw", 0.7, 0.2, 0.3)]
    rows += [("minority", "c", "raw", 0.8, 0.3, 0.2), ("minority", "a", "hull", 0.9, 0.9, 0.9)]
    rows += [("majority", "a", "raw", 0.1, 0.05, 0.1)]
    columns = ["positive_class", "model", "curve", "auc", "auk", "h"]
    table = rankings(pd.DataFrame(rows, columns=columns))
    assert table["curve"].tolist() == ["raw"] * 4 + ["hull"]
    assert table["positive_class"].tolist()[:2] == ["majority", "minority"]
    assert table["rank_auc"].tolist() == [1, 1, 3, 1, 1]
    assert table["rank_auk"].tolist() == [1, 3, 2, 1, 1]
    assert table["rank_h"].tolist() == [1, 2, 1, 2, 1]


def test_a_cell_is_its_parts_in_order_or_says_why_it_is_empty(tmp_path):
    rows = replicates({"linear": {"auc": np.array([0.6, 0.7])}})
    for name, table in (("a", rows), ("b", rows + rows), ("c", nothing_drawn("too few"))):
        write_parquet(table, tmp_path / name)
    found = read_cell([tmp_path / "b", tmp_path / "a"])
    pd.testing.assert_frame_equal(found, pd.concat([rows + rows, rows], ignore_index=True))
    with pytest.raises(ImpossibleError, match="too few"):
        read_cell([tmp_path / "c"])


@pytest.fixture
def five():
    """AUC: linear ahead, ahead, behind, tied, ahead. AUK: behind, ahead, ahead, behind, tied."""
    linear = {"auc": np.array([0.8, 0.8, 0.6, 0.7, 0.8])}
    linear["auk"] = np.array([0.1, 0.3, 0.3, 0.1, 0.2])
    network = {"auc": np.full(5, 0.7), "auk": np.full(5, 0.2)}
    return replicates({"linear": linear, "neural_net": network})


def test_reversals_by_hand(five):
    table = rank_reversals(five, ("linear", "neural_net"))
    names = "pair,curve,positive_class,pattern,replicates,reversals,share,low,high"
    assert ",".join(table) == names
    assert set(table["pattern"]) == {"any", "published"}  # as large as printed only if asked for
    found = table.set_index(["pair", "curve", "positive_class", "pattern"])
    any_order = found.loc[("auc-auk", "raw", "majority", "any")]
    assert (any_order["replicates"], any_order["reversals"], any_order["share"]) == (5, 2, 0.4)
    assert found.loc[("auc-auk", "raw", "majority", "published")]["reversals"] == 1
    assert found.loc[("auc-auk", "both", "minority", "any")]["reversals"] == 2
    assert found.loc[("auc-h", "raw", "minority", "any")]["reversals"] == 0


@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 1), (2, 4), (0, 200), (31, 1000), (999, 1000)])
def test_the_interval_of_a_share_is_scipys(k, n):
    interval = binomtest(k, n).proportion_ci(method="wilson")
    assert share_with_interval(k, n) == {"share": k / n, **interval._asdict()}


def test_reversals_as_large_as_printed():
    """On the hull 0.0307 and 0.0081, on the raw curve 0.0446 and 0.0045: rounding aside, or not."""
    gaps = {curve: published_gaps(curve) for curve in ("hull", "raw")}
    auc, auk = (gaps["hull"][name] for name in ("auc", "auk"))
    linear = {"auc": 0.7 + np.array([auc, 2 * auc, 2 * auc, auc - 1e-4, -auc])}
    linear["auk"] = 0.2 + np.array([auk, 2 * auk, auk + 1e-4, 2 * auk, -auk])
    network = {"auc": np.full(5, 0.7), "auk": np.full(5, 0.2)}
    rows = replicates({"linear": linear, "neural_net": network})
    whole = rank_reversals(rows, PAPER_PAIR, as_large=True)
    found = whole[whole["pattern"] == "as_large"].set_index(["pair", "curve", "positive_class"])
    assert len(found) == 12
    assert found.loc[("auc-auk", "hull", "majority"), "reversals"] == 2
    # The raw curve needs a larger gap in AUC and a smaller one in AUK.
    assert found.loc[("auc-auk", "raw", "majority"), "reversals"] == 2
    assert found.loc[("auc-auk", "both", "minority"), "reversals"] == 1
    assert found.loc[("auc-auk_trapezoid", "hull", "minority"), "reversals"] == 0
    alone = rank_reversals(rows[rows["model"] == "linear"], PAPER_PAIR, as_large=True)
    assert "as_large" not in set(alone["pattern"])


def test_intervals_of_one_of_two_shares_and_of_a_mean_by_hand():
    """Wilson's of 2 in 5 with z of 0.9875; Student's with four degrees of freedom."""
    z = 2.241403
    found = share_with_interval(2, 5, intervals=2)
    middle, half = 0.4 + z**2 / 10, z * np.sqrt(0.24 / 5 + z**2 / 100)
    ends = [(middle - half) / (1 + z**2 / 5), (middle + half) / (1 + z**2 / 5)]
    assert [found["low"], found["high"]] == pytest.approx(ends, abs=1e-6)
    assert mean_interval([1, 2, 4, 8, 15]) == pytest.approx((-1.0786, 13.0786), abs=1e-4)
    assert np.isnan(t_interval(3.0, 1.0, 1)).all()
