from collections import defaultdict

import pytest

from study import published
from study.companions.errata import all_errata
from study.companions.kaymak2010_experiment import counts_table, prevalence_table
from study.data.german_credit import BUNDLED_FILE, read_german_data
from study.errors import nearest
from study.figures.paper_figures import figure_prevalence
from study.published import (
    CLASS_COUNTS,
    CLASS_NAMES,
    Printed,
    missing_numbers,
    printed_by,
    published_lookup,
    published_numbers,
    published_text,
)


def test_published_numbers_are_those_of_the_paper():
    published = defaultdict(list)
    for (place, *_), printed in published_numbers().items():
        published[place].append(printed.value)
    assert published == {
        "Table 4": [0.7493, 0.1672, 0.7186, 0.1753],
        "Table 5": [0.7227, 0.1404, 0.6781, 0.1449],
        "Section 8": [0.328, 0.60, 0.928],
    }
    assert published_text(0.6) == "0.60"  # with its digits


def test_a_source_has_its_own_numbers_by_place():
    of_kaymak, of_hand = printed_by("kaymak"), printed_by("hand")
    assert "Table 1 (A)" in of_kaymak and not {"Table 1 (a)", "Table 4"} & {*of_kaymak}
    assert of_hand["Table 1 (a)"]["auc"].text == "0.5"
    assert printed_by("nobody") == {}
    counts = read_german_data(BUNDLED_FILE)["class"].value_counts()
    assert {CLASS_NAMES[kind]: n for kind, n in CLASS_COUNTS.items()} == counts.to_dict()


def test_at_a_cost_only_the_aucs_are_compared():
    whole, at_cost = published_lookup(), published_lookup(5.0)
    # Either rule of integration, and either network, may be the paper's.
    assert whole["hull", "linear", "auk"] == whole["hull", "linear", "auk_trapezoid"] == 0.1672
    assert whole["raw", "neural_net", "auk"] == whole["raw", "neural_net_lm", "auk"] == 0.1449
    assert ("hull", "logistic", "auc") not in whole
    assert at_cost == {key: value for key, value in whole.items() if key[2] == "auc"}
    assert at_cost


@pytest.mark.parametrize(
    ("text", "decimals", "holds", "not_quite"),
    [("0.60", 2, (0.595, 0.605), (0.5949, 0.6051)), ("12", 0, (11.5, 12.5), (11.49, 12.51))],
)
def test_a_printed_number_stands_for_all_that_round_to_it(text, decimals, holds, not_quite):
    printed = Printed(text)
    assert (printed.decimals, printed.half_unit) == (decimals, 0.5 / 10**decimals)
    assert all(map(printed.is_of, holds)) and not any(map(printed.is_of, not_quite))


def test_an_unknown_name_is_answered_with_the_nearest_or_with_all():
    names = ["skew", "seed", "sweep"]
    assert nearest("sede", names) == "did you mean seed?"
    assert nearest("x", names) == "there are skew, seed, sweep."
    assert nearest("x", []) == "there are none here."


@pytest.fixture
def blank_number(tmp_path, monkeypatch):
    """Take the value off the row of published.csv that begins so, and tell its line."""
    cached = (published._published, published.missing_numbers, published.published_numbers)

    def blank(start):
        lines = published.PUBLISHED_FILE.read_text().splitlines()
        at = next(at for at, row in enumerate(lines) if row.startswith(start))
        lines[at] = start
        (tmp_path / "published.csv").write_text("\n".join(lines))
        monkeypatch.setattr(published, "PUBLISHED_FILE", tmp_path / "published.csv")
        for one in cached:
            one.cache_clear()
        return at + 1

    yield blank
    for one in cached:
        one.cache_clear()


def test_a_missing_number_is_said_and_the_rest_goes_on(blank_number, caplog):
    line = blank_number("kaymak,Section 8,hull,neural_net,tpr,")
    named = "kaymak, Section 8, hull, neural_net, tpr has no value, so it is left out."
    assert missing_numbers() == [f"published.csv, line {line}: {named}"]
    table = prevalence_table()
    assert "published.csv has no value for Section 8, hull, neural_net, tpr: fill" in caplog.text
    assert set(table["place"]) == {"Table 4", "Table 5"}
    assert counts_table((270, 290), (0.09, 0.13), (268,)).empty
    errata = all_errata({}).set_index("where")
    assert errata.loc["Table 4, linear", "status"] == "contradicted"
    assert "not compared" in set(errata.loc["Section 8, operating point", "status"])
    figure_prevalence()
