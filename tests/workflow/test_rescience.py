import pandas as pd
import pytest

from study.published import STUDY_LABELS
from write_rescience import article_metadata

CITATION = {"repository-code": "https://x", "authors": [{"name": "A"}]}
CITATION |= {"references": [{"title": "AUK", "url": "https://y"}]}


@pytest.mark.parametrize(
    ("verdicts", "prefix"), [(["holds", "does not hold"], "[Re]"), (["does not hold"], "[¬Re]")]
)
def test_the_prefix_follows_from_the_papers_own_claims(verdicts, prefix):
    own = pd.DataFrame({"paper": STUDY_LABELS["kaymak"], "verdict": verdicts})
    others = pd.DataFrame({"paper": STUDY_LABELS["hand"], "verdict": ["holds"] * 5})
    found = article_metadata(pd.concat([own, others]), CITATION)
    assert found["title"] == f"{prefix} AUK"
    assert f"Of {len(verdicts)} claims" in found["abstract"]
