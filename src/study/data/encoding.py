"""Numeric features from the canonical German Credit table."""

from __future__ import annotations

import pandas as pd

from study.data.german_credit import ATTRIBUTES, CODED, NUMERIC

# Nominal attributes of which Strathclyde kept some codes, as 0/1 columns.
INDICATORS = {
    "purpose": ("A40", "A41"),
    "other_debtors": ("A101", "A102"),
    "housing": ("A151", "A152"),
    "job": ("A171", "A172", "A173"),
}


def strathclyde(table: pd.DataFrame) -> pd.DataFrame:
    """The 24 columns of UCI's ``german.data-numeric``, made at Strathclyde University.

    Ordered codes become integers, the amount is in hundreds (rounded half to even), and some
    nominal attributes become 0/1 columns; the instalment rate is left out.
    """
    columns = {}
    for number, name in enumerate(ATTRIBUTES, start=1):
        if name == "amount":
            columns["amount_hundreds"] = (table[name] / 100).round().astype(int)
        elif name in NUMERIC:
            columns[name] = table[name]
        elif name not in INDICATORS:  # a code is A<attribute number><level>
            columns[name] = table[name].str[len(f"A{number}") :].astype(int)
    del columns["installment_rate"]
    for name, codes in INDICATORS.items():
        for code in codes:
            columns[f"{name}_{code}"] = (table[name] == code).astype(int)
    return pd.DataFrame(columns)


def onehot(table: pd.DataFrame) -> pd.DataFrame:
    """The 7 numeric attributes and one 0/1 column for each of the 54 codes: 61 columns."""
    levels = pd.get_dummies(table[list(CODED)], prefix_sep="_", dtype=int)
    return pd.concat([table[list(NUMERIC)], levels], axis=1)


ENCODINGS = {"strathclyde": strathclyde, "onehot": onehot}


def encode(table: pd.DataFrame, encoding: str) -> pd.DataFrame:
    """Row number, bad (0/1) and the features of one of the ``ENCODINGS``."""
    features = ENCODINGS[encoding](table)
    features.insert(0, "row", table["row"])
    features.insert(1, "bad", (table["class"] == "bad").astype(int))
    return features
