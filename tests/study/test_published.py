from collections import defaultdict

from study.published import published_lookup, published_numbers, published_text


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


def test_at_a_cost_only_the_aucs_are_compared():
    whole, at_cost = published_lookup(), published_lookup(5.0)
    # Either rule of integration, and either network, may be the paper's.
    assert whole["hull", "linear", "auk"] == whole["hull", "linear", "auk_trapezoid"] == 0.1672
    assert whole["raw", "neural_net", "auk"] == whole["raw", "neural_net_lm", "auk"] == 0.1449
    assert ("hull", "logistic", "auc") not in whole
    assert at_cost == {key: value for key, value in whole.items() if key[2] == "auc"}
    assert at_cost
