"""The list of claims, before any verdict."""

from pathlib import Path

import pytest
import yaml

import study.verdict
from study.published import STUDY_LABELS

CLAIMS = yaml.safe_load(
    Path(study.verdict.__file__).with_name("claims.yaml").read_text(encoding="utf-8")
)
KINDS = {"equation", "printed value", "always", "typical", "possible", "observation", "effect"}


def test_keys_are_unique():
    keys = [claim["key"] for claim in CLAIMS]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["key"])
def test_each_claim_has_its_authors_words_and_a_kind(claim):
    assert claim["paper"] in STUDY_LABELS
    assert 0 < len(claim["quote"].split()) <= 25
    assert claim["kind"] in KINDS | {"expectation"}
