"""The page of any experiment: it answers the config's question first, with what leads.csv has."""

import numpy as np
import pandas as pd
import pytest

from study.tables.leads import COLUMNS
from study.text.documents import MINUS, fill
from study.text.experiment import answer_questions

ALL = ["loss", "recall at flagged<=0.1", "log_loss", "brier_score", "auc", "auk", "h"]


def make_leads(measures):
    """Two models; the first is best by all measures and clearly so by loss and AUC."""
    rows = []
    for i, measure in enumerate(measures):
        p_value = 0.01 if measure in ("loss", "auc") else 0.4
        small = measure in ("loss", "log_loss", "brier_score")
        first, second = (0.2, 0.3) if small else (0.8, 0.7)
        rows.append({"measure": measure, "model": "forest", "mean": first + i / 1000})
        second = {"model": "linear", "mean": second, "difference": first - second, "lower": -0.4}
        rows.append({"measure": measure, **second, "upper": 0.6, "p_value": p_value})
    rows.append({"measure": "auc", "model": "paid alone", "mean": 0.995, "note": "Is it known?"})
    rows.append({"measure": "slope", "model": "forest", "mean": 0.5, "note": "2 of 9 are 0 or 1."})
    return pd.DataFrame(rows).reindex(columns=COLUMNS).assign(splits=20)


@pytest.mark.parametrize(
    ("measures", "first"),
    [(ALL, "cost"), (ALL[1:], "flagged<=0.1"), (ALL[2:], "prob"), (ALL[4:], "ranks")],
)
def test_the_question_of_the_config_comes_first_and_ranking_is_one_table(measures, first):
    answers = list(answer_questions(make_leads(measures)))
    assert first in answers[0].question
    assert answers[-2].table["measure"].unique().tolist() == ["AUC", "AUK", "H"]
    assert len(answers) == 2 + sum(name in measures for name in ("loss", ALL[1], "log_loss"))


def test_every_row_of_the_table_is_shown_with_its_note_and_sign():
    answers = list(answer_questions(make_leads(ALL)))
    assert sum(len(answer.table) for answer in answers) == 2 * len(ALL) + 2
    loss = answers[0].table.set_index("model")
    assert loss.loc["linear", "behind the leader"] == f"0 ({MINUS}1 to 0)"  # it loses more
    auc = answers[-2].table.query("measure == 'AUC'").set_index("model")
    assert auc.loc["linear", "behind the leader"] == f"0.100 ({MINUS}0.400 to 0.600)"
    assert auc.loc["paid alone", "value"] == "0.995"
    assert answers[-2].notes == ["paid alone: Is it known?"]
    assert "linear" in answers[0].sentence and "linear" not in answers[1].sentence
    leads = make_leads(["auc"]).assign(p_value=[None, 0.02, None, None], note=np.nan)
    assert "linear" in next(answer_questions(leads)).sentence
    near = leads.assign(note="Ask for p < 0.01.")
    assert "linear" not in next(answer_questions(near)).sentence
    assert answers[-1].notes == ["forest: 2 of 9 are 0 or 1."]


def test_a_measure_that_no_model_has_in_most_splits_has_no_leader():
    leads = make_leads(["auc"]).iloc[:2].assign(mean=np.nan, p_value=np.nan, note="Values in 1.")
    (answer,) = answer_questions(leads)
    assert "forest" not in answer.sentence and "linear" not in answer.sentence
    assert answer.notes == ["forest: Values in 1.", "linear: Values in 1."]


DATA = {"place": "p.csv", "rows": 90, "class_counts": {"minority": 9}}
SHOWN = {"title": "T", "data": DATA, "minority": "<b>", "at": [], "models": ["forest", "linear"]}
SHOWN |= {"n_train": 0.5, "sweep": False, "changes": True, "compared": ["a", "b"]}
SHOWN |= {"balanced": ["forest"]}


@pytest.mark.parametrize("cost_ratio", [None, 5.0])
@pytest.mark.parametrize("by", ["random", "group", "time"])
@pytest.mark.parametrize("skew", [None, 0.1])
def test_the_page_can_be_filled_for_every_kind_of_split(by, cost_ratio, skew):
    leads = make_leads(ALL)
    values = SHOWN | {"split": {"by": by, "column": "day"}, "cost_ratio": cost_ratio, "skew": skew}
    values |= {"answers": list(answer_questions(leads))}
    text = fill("experiment.md.jinja", values | {"replicates": 20, "single": by == "time"})
    assert "<b>" not in text and r"\<b\>" in text
    assert text.count("Is it known?") == 1
