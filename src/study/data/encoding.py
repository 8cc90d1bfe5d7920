"""Numeric features from the canonical German Credit table."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from study.data.german_credit import ATTRIBUTES, NUMERIC
from study.errors import ExperimentError

# A code is A<attribute number><level>: where the level starts depends on the attribute.
LEVEL_STARTS = {
    "checking_account": 2,
    "credit_history": 2,
    "savings": 2,
    "employment": 2,
    "personal_status": 2,
    "property": 3,
    "other_plans": 3,
    "telephone": 3,
    "foreign_worker": 3,
}
INDICATORS = (
    ("purpose", "A40"),
    ("purpose", "A41"),
    ("other_debtors", "A101"),
    ("other_debtors", "A102"),
    ("housing", "A151"),
    ("housing", "A152"),
    ("job", "A171"),
    ("job", "A172"),
    ("job", "A173"),
)


def strathclyde(table: pd.DataFrame) -> pd.DataFrame:
    """The 24 columns of UCI's ``german.data-numeric``, made at Strathclyde University.

    Ordered codes become whole numbers, the amount is in hundreds (rounded half to even), and
    some nominal attributes become 0/1 columns, others are left out.
    """
    level = {name: table[name].str[digits:].astype(int) for name, digits in LEVEL_STARTS.items()}
    columns = {
        "checking_account": level["checking_account"],
        "duration": table["duration"],
        "credit_history": level["credit_history"],
        "amount_hundreds": (table["amount"] / 100).round().astype(int),
        "savings": level["savings"],
        "employment": level["employment"],
        "personal_status": level["personal_status"],
        "residence_since": table["residence_since"],
        "property": level["property"],
        "age": table["age"],
        "other_plans": level["other_plans"],
        "existing_credits": table["existing_credits"],
        "dependants": table["dependants"],
        "telephone": level["telephone"],
        "foreign_worker": level["foreign_worker"],
    }
    for name, code in INDICATORS:
        columns[f"{name}_{code}"] = (table[name] == code).astype(int)
    return pd.DataFrame(columns)


def onehot(table: pd.DataFrame) -> pd.DataFrame:
    """The 7 numeric attributes and one 0/1 column for each of the 54 codes: 61 columns."""
    coded = [name for name in ATTRIBUTES if name not in NUMERIC]
    return pd.concat(
        [table[list(NUMERIC)], pd.get_dummies(table[coded], prefix_sep="_", dtype=int)], axis=1
    )


ENCODINGS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "strathclyde": strathclyde,
    "onehot": onehot,
}


def encode(table: pd.DataFrame, encoding: str) -> pd.DataFrame:
    """Row number, bad (0/1) and the features of one encoding.

    Raises
    ------
    ExperimentError
        If the encoding is not registered in ``ENCODINGS``.
    """
    if encoding not in ENCODINGS:
        raise ExperimentError(
            f"encoding {encoding!r} is unknown; there are {', '.join(ENCODINGS)}."
        )
    features = ENCODINGS[encoding](table)
    features.insert(0, "row", table["row"])
    features.insert(1, "bad", (table["class"] == "bad").astype(int))
    return features
