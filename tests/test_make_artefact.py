"""The archive of a run: what it holds, its bytes, and its description."""

import json
from unittest.mock import Mock
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
import verify_results
from make_artefact import METADATA, PROFILE, artefact, write_zip
from verify_results import verify

from study.manifest import digests

CLAIM = "AUC and AUK can disagree,Kaymak et al. 2010,8,holds,0.031,0.022,0.044,tables/table4.csv\n"


@pytest.fixture
def run(tmp_path):
    """A Parquet part, which is not archived, and two tables."""
    results = tmp_path / "results"
    for name, text in {
        "sweep/part.parquet": "parquet",
        "tables/table4.csv": "model,auc\nlinear,0.7\n",
        "appendix/tables/t.tex": "t",
        "forensics/claims.csv": f"claim,paper,section,verdict,value,low,high,file\n{CLAIM}",
    }.items():
        (results / name).parent.mkdir(parents=True, exist_ok=True)
        (results / name).write_text(text)
    files = [path for path in results.rglob("*.*") if path.suffix != ".parquet"]
    record = {"files": digests(files, results), "config": {"seed": 1}, "versions": {"numpy": "2"}}
    (results / "manifest.json").write_text(json.dumps({**record, "seed": 1}))
    return tmp_path


def packed(run, name="a.zip"):
    write_zip(run / name, artefact(run))
    return run / name


def test_the_same_folder_gives_the_same_bytes(run):
    assert packed(run).read_bytes() == packed(run, "b.zip").read_bytes()
    (run / "results/tables/table4.csv").write_text("other")
    assert packed(run).read_bytes() != (run / "b.zip").read_bytes()


def test_another_run_is_held_against_it(run):
    archive = packed(run)
    assert verify(run / "results", archive)[1]
    table = run / "results/tables/table4.csv"
    table.write_text("model,auc\nlinear,0.8\n")
    lines, well = verify(run / "results", archive)
    assert not well
    assert "tables/table4.csv: changed since the run wrote it" in lines
    assert any("column auc: reference 0.7, found 0.8" in line for line in lines)


def test_the_description_names_what_the_run_made(run):
    described = json.loads(ZipFile(packed(run)).read(METADATA))
    (action,) = (one for one in described["@graph"] if one["@type"] == "CreateAction")
    assert {part["@id"] for part in action["result"]} == {
        "results/manifest.json",
        "results/forensics/claims.csv",
        "results/tables/table4.csv",
        "results/appendix/tables/t.tex",
    }


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of its libraries
def test_the_description_is_valid_by_the_profiles_own_checks(run, monkeypatch):
    validator = pytest.importorskip("rocrate_validator.services")
    models = pytest.importorskip("rocrate_validator.models")
    folder = run / "unpacked"
    ZipFile(packed(run)).extractall(folder)
    described = json.loads((folder / METADATA).read_text())
    # RO-Crate's context can't be fetched: its terms are schema.org's, but for these.
    words = {word for one in described["@graph"] for word in [*one, one["@type"]] if word[0] != "@"}
    context = {word: f"http://schema.org/{word}" for word in words} | {
        "File": "http://schema.org/MediaObject",
        "conformsTo": "http://purl.org/dc/terms/conformsTo",
    }
    fetch = "rdflib.plugins.shared.jsonld.context.Context._fetch_context"
    monkeypatch.setattr(fetch, lambda *_, **__: context)
    answer = Mock(status_code=200, headers={"Content-Type": "application/ld+json"})
    answer.json.return_value = {"@context": context}
    http = "rocrate_validator.utils.http.HttpRequester.get"
    monkeypatch.setattr(http, lambda *_, **__: answer, raising=False)
    settings = validator.ValidationSettings(
        rocrate_uri=str(folder),
        profile_identifier="process-run-crate-0.5",
        requirement_severity=models.Severity.REQUIRED,
        skip_availability_check=True,
        offline=True,
    )
    found = validator.validate(settings)
    assert not [issue.message for issue in found.get_issues()]
    assert found.executed_checks
    # And it can fail.
    broken = (folder / METADATA).read_text().replace('"instrument"', '"tool"')
    (folder / METADATA).write_text(broken)
    assert validator.validate(settings).get_issues()
    assert PROFILE in broken


def test_what_unpacks_to_too_much_is_refused(run, tmp_path, monkeypatch):
    with ZipFile(tmp_path / "large.zip", "w", ZIP_DEFLATED) as archive:
        archive.writestr("results/t.csv", "0" * 10_001)
    monkeypatch.setattr(verify_results, "MOST_BYTES", 10_000)
    with pytest.raises(SystemExit, match="holds more than 10000 bytes of tables"):
        verify_results.verify(run / "results", tmp_path / "large.zip")
