"""What ReScience C's article template reads: metadata.yaml, content.tex, bibliography.bib."""

import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from _job import job
from study.published import STUDY_LABELS

ORIGINAL = (
    "Kaymak, U., Ben-David, A., & Potharst, R. (2010). AUK: a simple alternative to the AUC. "
    "ERIM Report ERS-2010-024-LIS, Erasmus Research Institute of Management, Rotterdam."
)
HEAD = """\
% Put into a copy of ReScience C's article template: metadata.yaml, content.tex, bibliography.bib,
% tables/ and figures/. Its preamble needs \\usepackage{array,booktabs,graphicx}.
% The authors of the original article were not contacted.
"""


def article_metadata(claims: pd.DataFrame, citation: dict[str, Any]) -> dict[str, Any]:
    """The template's keys that authors fill in, as far as the repository knows them."""
    verdicts = claims.loc[claims["paper"] == STUDY_LABELS["kaymak"], "verdict"]
    counts = [int((verdicts == kind).sum()) for kind in ("holds", "does not hold", "undecided")]
    # ReScience's prefix: the replication succeeded if no fewer claims hold than do not.
    prefix = "Re" if counts[0] >= counts[1] else "¬Re"
    original, address = citation["references"][0], citation["repository-code"]
    abstract = (
        "We repeat the experiment by which Kaymak, Ben-David and Potharst (2010) propose the area "
        f"under the kappa curve. Of {len(verdicts)} claims that the data can judge, {counts[0]} "
        f"hold, {counts[1]} do not and {counts[2]} are undecided."
    )
    return {
        "title": f"[{prefix}] {original['title']}",
        "authors": [
            {"name": author["name"], "orcid": "", "email": "", "affiliations": "1,*"}
            for author in citation["authors"]
        ],
        "affiliations": [{"code": 1, "name": "", "address": ""}],
        "keywords": "rescience c, AUK, kappa curve, AUC, ROC, class imbalance, Python",
        "code": [{"url": "" if "OWNER" in address else address}, {"doi": ""}, {"swh": ""}],
        "data": [{"url": "https://archive.ics.uci.edu/dataset/144"}, {"doi": "10.24432/C5NC77"}],
        "replication": [{"cite": ORIGINAL}, {"bib": "kaymak2010"}, {"url": original["url"]}],
        "abstract": abstract,
        "bibliography": "bibliography.bib",
        "type": "Replication",
        "domain": "Machine learning",
        "language": "Python",
    }


@job
def write_rescience(
    *,
    files: list[Path],
    claims: Path,
    citation: Path,
    metadata: Path,
    content: Path,
    bibliography: Path,
    tables: Path,
    figures: Path,
) -> None:
    """Write the files, from those of the preview."""
    preview = files[0].parent
    stated = yaml.safe_load(citation.read_text(encoding="utf-8"))
    known = article_metadata(pd.read_csv(claims), stated)
    text = yaml.safe_dump(known, sort_keys=False, allow_unicode=True)
    metadata.write_text(text, encoding="utf-8", newline="\n")
    body = (preview / "body.tex").read_text(encoding="utf-8")
    content.write_text(HEAD + body, encoding="utf-8", newline="\n")
    shutil.copyfile(preview / "references.bib", bibliography)
    shutil.copytree(preview / "tables", tables)
    shutil.copytree(preview / "figures", figures)
