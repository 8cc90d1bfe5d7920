"""`make verify` on changed runs, whose exit code is then 1, and the archive of a run."""

import json
from pathlib import Path
from shutil import copytree
from unittest.mock import Mock
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pandas as pd
import pytest
import verify_results
import yaml
from compare_manifests import different_settings
from make_artefact import METADATA, PAPER, PROFILE, artefact, claims_page, crate_of, write_zip
from verify_results import REFERENCE, Rule, differences, renew, verify

from study.manifest import digests
from study.settings.check import check_config

ROOT = Path(__file__).parents[1]
CONFIG = {"seed": 1, "data": {"source": "auto"}, "sweep": {"count": 2, "per_job": 9}}
TABLE = "model,n,auc,when\nlinear,3,0.700000,a\nnetwork,4,0.650000,\n"
FACTS = '{"rows": 5, "areas": [{"auc": 0.5, "of": "linear"}, null], "well": true}'
RULE = {"tables": "tables/*", "columns": "auc", "atol": 0.002}
SMALL = {"tables": "*.json", "columns": "number", "atol": 1e-6}


@pytest.fixture
def runs(tmp_path):
    """A run and a reference that agree."""
    results, reference = tmp_path / "results", tmp_path / "reference"
    for folder in (results, reference):
        (folder / "tables").mkdir(parents=True)
        (folder / "tables" / "t.csv").write_text(TABLE)
        (folder / "summary.json").write_text(FACTS)
    (results / "figure.svg").write_text("<svg>")
    (reference / "tolerances.yaml").write_text(yaml.safe_dump({"rules": [RULE, SMALL]}))
    (reference / "run.json").write_text(json.dumps({"config": CONFIG, "versions": {"numpy": "2"}}))
    write_manifest(results)
    return results, reference


def write_manifest(results, config=CONFIG, numpy="2"):
    files = [path for path in results.rglob("*.*") if path.stem not in ("manifest", "part")]
    record = {"config": config, "versions": {"numpy": numpy}, "files": digests(files, results)}
    (results / "manifest.json").write_text(json.dumps(record | {"seed": 1}))


def verified(runs, other=None):
    return verify(runs[0], other, reference=runs[1])


def record_of(results):
    return json.loads((results / "manifest.json").read_text())


def changed(runs, old, new, file="tables/t.csv", numpy="2"):
    (runs[0] / file).write_text((runs[0] / file).read_text().replace(old, new))
    write_manifest(runs[0], numpy=numpy)
    return verified(runs)


def test_a_run_like_the_reference(runs):
    # Of summary.json 10 keys and 2 texts, of the csv 5 words and counts.
    said = [
        "2 tables, 7 rows: all as the reference; 17 words and counts the same, 2 numbers within "
        "1e-06, 2 within a wider tolerance (tests/reference/tolerances.yaml)"
    ]
    assert verified(runs) == (said, True)
    assert changed(runs, "0.70", "0.702") == (said, True)


CSV, JSON = "tables/t.csv", "summary.json"


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (CSV, "0.70", "0.7021", ", row 1 (linear, a), column auc: reference 0.7, found 0.7021"),
        (CSV, "0.650000", "", ", row 2 (network), column auc: reference 0.65, found nan"),
        (CSV, "0.650000", "no", ", row 2 (network), column auc: reference 0.65, found no"),
        (CSV, "network,4,0.650000,\n", "", ": 1 rows; reference 2"),
        (CSV, ",4,", ",5,", ", row 2 (network), column n: reference 4, found 5 (allowed 0)"),
        (CSV, "auc", "auk", ": columns model, n, auk, when; reference model, n, auc, when"),
        (CSV, TABLE, "", ": can't be read"),
        (JSON, "0.5", "0.51", ", row 2 (areas, 0, auc), column number: reference 0.5, found 0.51"),
        (JSON, "linear", "x", ", row 3 (areas, 0, of, linear), column text: reference linear, fou"),
        (JSON, "true", "false", ", row 5 (well, True), column text: reference True, found False"),
        (JSON, "null", "1", ", row 4 (areas, 1), column number: reference nan, found 1.0"),
    ],
)
def test_what_moved_is_said(runs, file, old, new, said):
    lines, well = changed(runs, old, new, file, numpy="3")
    assert not well
    assert lines[0].startswith(f"{file}{said}")
    assert lines[-1] == "numpy is 3 here, 2 there"


def test_every_table_of_a_run_has_reference_values(runs):
    large = pd.DataFrame({"auc": np.linspace(0, 1, 9000)})
    large.to_csv(runs[0] / "tables" / "u.csv", index=False)
    (runs[0] / "tables" / "t.csv").unlink()
    write_manifest(runs[0])
    lines, well = verified(runs)
    missing = ["tables/t.csv: the run made no such table", "tables/u.csv: no reference values"]
    assert (lines[:2], well) == (missing, False)
    renew(*runs)
    assert [path.name for path in (runs[1] / "tables").iterdir()] == ["u.csv.gz"]
    lines, well = verified(runs)
    assert (lines[0][:20], well) == ("2 tables, 9005 rows:", True)
    for size in (40_000, 40_001):
        (runs[0] / f"tables/{size}.csv").write_text(f"a\n{(size - 3) * 'x'}\n")
    (runs[0] / "large.json").write_text(json.dumps(40_001 * "x"))
    write_manifest(runs[0])
    said = ["5 tables are the new reference; say in CHANGELOG.md what moved and why"]
    assert renew(*runs) == said
    made = {"tables/u.csv.gz", "tables/40000.csv", "tables/40001.csv.gz", "large.json"}
    made |= {"summary.json", "run.json", "tolerances.yaml"}
    files = (path for path in runs[1].rglob("*") if path.is_file())
    assert {path.relative_to(runs[1]).as_posix() for path in files} == made
    record = record_of(runs[0])
    assert record.pop("files") and json.loads((runs[1] / "run.json").read_text()) == record


def test_what_moved_is_said_in_the_order_of_the_names(runs):
    for folder, number in zip(runs, (1, 2), strict=True):
        for name in ("b", "a", "c", *(f"{number}{letter}" for letter in "ywxz")):
            (folder / f"tables/{name}.csv").write_text(f"n\n{number}\n")
    write_manifest(runs[0])
    lines = [f"tables/2{letter}.csv: the run made no such table" for letter in "wxyz"]
    lines += [f"tables/1{letter}.csv: no reference values" for letter in "wxyz"]
    moved = "row 1 (), column n: reference 2, found 1 (allowed 0)"
    assert verified(runs)[0] == lines + [f"tables/{name}.csv, {moved}" for name in "abc"]


@pytest.mark.parametrize(
    ("rules", "columns"),
    [
        ([], ["n", "auc"]),
        ([Rule("*", "auc", 0.02)], ["n"]),
        ([Rule("*", "auc", 0.0), Rule("*", "*", 1.0)], ["n", "auc"]),
        ([Rule("other/*", "*", 1.0)], ["n", "auc"]),
        ([Rule("*", "*", 1.0, rows="network")], []),
        ([Rule("*", "*", 1.0, rows="network linear")], ["n", "auc"]),
        ([Rule("*", "auc", 0.0, rtol=0.0154)], ["n"]),  # .01 of .65 is .01538
        ([Rule("*", "auc", 0.0, rtol=0.0153)], ["n", "auc"]),
    ],
)
def test_first_rule_that_fits_holds_and_counts_are_exact(runs, rules, columns):
    path = runs[0] / "tables" / "t.csv"
    expected = pd.read_csv(path)
    path.write_text(TABLE.replace("4,0.65", "5,0.66"))
    lines = list(differences("tables/t.csv", expected, path, rules))
    assert [line.split("column ")[1].split(":")[0] for line in lines] == columns


def test_a_row_is_named_by_four_short_words_and_no_share_of_infinity_is_allowed(tmp_path):
    words = dict(zip("abcdef", ("a", 41 * "b", None, "d", "e", "f"), strict=True))
    expected = pd.DataFrame([words | {"x": x} for x in (np.inf, np.nan, 50.0)])
    expected.assign(x=["1.0", "no", "55.0"]).to_csv(tmp_path / "t.csv", index=False)
    lines = differences("t.csv", expected, tmp_path / "t.csv", [Rule("*", "x", 1.0, rtol=0.08)])
    known = f"(a, {40 * 'b'}, d, e), column x"
    assert list(lines) == [
        f"t.csv, row 1 {known}: reference inf, found 1.0 (allowed 1)",
        f"t.csv, row 2 {known}: reference nan, found no (allowed 1)",
    ]


LM = "neural net (LM) 2.6 (2 of 51)"
OLD = pd.DataFrame({"name": [LM, "linear 3.2", "a"], "distance": [1.0, 2.0, 3.0]})


@pytest.mark.parametrize(
    ("new", "moved"),
    [
        (OLD.iloc[[1, 2, 0]], 0),
        (OLD.iloc[[2, 0, 1]].assign(distance=[3.0, 2.0, 1.0]), 2),
        (OLD.replace(LM, "neural net (LM) 2.9 (3 of 51)"), 0),
        (OLD.replace(LM, "neural net (LM) 2.6 (2 in 51)"), 1),
        (OLD.replace("linear 3.2", "linear 3.1"), 1),
    ],
)
def test_rows_are_paired_by_words_and_digits_of_what_ends_elsewhere_are_free(new, moved, tmp_path):
    new.to_csv(tmp_path / "t.csv", index=False)
    assert len(list(differences("t.csv", OLD, tmp_path / "t.csv", []))) == moved


def test_a_file_that_was_deleted_is_noticed(runs):
    (runs[0] / CSV).unlink()
    lines, well = verified(runs)
    assert lines[0].startswith(f"{CSV}: missing") and not well
    with pytest.raises(SystemExit, match="can't be the reference"):
        renew(*runs)


@pytest.mark.parametrize(
    ("settings", "other"),
    [
        ({"seed": 2}, "seed"),
        ({"data": {"target": "y"}}, "data.target"),
        ({"data": {"source": "bundled"}, "sweep": {"count": 2, "per_job": 1}}, None),
    ],
)
def test_settings_with_an_effect_leave_another_run_alone_to_compare_with(runs, settings, other):
    """As of data of one's own."""
    write_manifest(runs[0], config=CONFIG | settings)
    lines, well = verified(runs)
    assert well == (other is None) == ("not compared" not in lines[0])
    against = runs[0].rename(runs[0].with_name("other")) / "manifest.json"
    copytree(against.parent, runs[0])
    same, *lines = verified(runs, against)[0]
    assert same == f"3 files: byte for byte as in {against}"
    assert other is None or lines[0].endswith(f"this run has another {other}.")
    (runs[0] / CSV).write_text("")
    lines, well = verified(runs, against)
    assert (lines[0], well) == (f"{CSV}: changed since the run wrote it", False)


def test_byte_identity_with_another_run(runs, tmp_path):
    record, other = record_of(runs[0]), tmp_path / "other.json"
    record["files"] |= {"g.svg": "0", CSV: "0"}
    del record["files"]["figure.svg"]
    other.write_text(json.dumps(record))
    lines, well = verified(runs, other)
    assert not well
    assert lines[:3] == [
        f"{CSV}: other bytes than in {other}",
        f"figure.svg: not in {other}",
        f"g.svg: in {other} only",
    ]


def test_reference_values_are_small_complete_and_of_the_default_config():
    files = [path for path in REFERENCE.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 800_000
    kept = {path.relative_to(REFERENCE).as_posix().removesuffix(".gz") for path in files}
    assert {"facts.json", "forensics/readings.json", "forensics/simulation.csv"} <= kept
    recorded = json.loads((REFERENCE / "run.json").read_text())["config"]
    default = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    check_config(default, [])
    unseen = ["data.timeout_seconds", "data.uci_url", "document.kit"]  # change no table
    assert different_settings(recorded, default) == unseen


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ({"b": {"c": 1, "d": {"e": 2}}, "a": 1}, {"a": 2, "b": {"c": 1, "d": {"e": 3}}}, "a b.d.e"),
        ({"a": {"b": 1}, "c": 1, "d": 1}, {"a": 1, "c": {"b": 1}, "e": 1}, "a c d e"),
    ],
)
def test_settings_that_differ_are_named(first, second, names):
    assert different_settings(first, second) == names.split()


@pytest.mark.parametrize(("more", "code"), [([], 1), (["--against", "results/manifest.json"], 0)])
def test_the_command_tells_by_its_code(runs, monkeypatch, capsys, more, code):
    monkeypatch.chdir(runs[0].parent)
    monkeypatch.setattr("sys.argv", ["verify_results.py", *more])
    assert verify_results.main() == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("not compared with the reference values, which are those of")
    assert lines[:-1] == (["3 files: byte for byte as in results/manifest.json"] if more else [])


@pytest.mark.parametrize("text", ["[]", "{", '{"files": {}, "config": {}}', None])
def test_what_is_no_manifest_is_one_sentence(runs, text):
    path = runs[0] / "manifest.json"
    path.unlink()
    if text is not None:
        path.write_text(text)
    said = "finish a run first" if text is None else "can't be read as a manifest"
    with pytest.raises(SystemExit, match=said):
        verified(runs)


CLAIM = "AUC and AUK can disagree,Kaymak et al. 2010,8,holds,0.031,0.022,0.044,tables/t.csv\n"


@pytest.fixture
def run(runs):
    """A Parquet part, which is not archived, and tables."""
    for name, text in {
        "sweep/part.parquet": "parquet",
        "appendix/t.tex": "t",
        "forensics/claims.csv": f"claim,paper,section,verdict,value,low,high,file\n{CLAIM}",
    }.items():
        (runs[0] / name).parent.mkdir(exist_ok=True)
        (runs[0] / name).write_text(text)
    write_manifest(runs[0])
    return runs[0].parent


def packed(run, name="a.zip"):
    write_zip(run / name, artefact(run))
    return run / name


def test_the_same_folder_gives_the_same_bytes_and_another_is_held_against_it(run):
    archive, table = packed(run), run / "results" / CSV
    description = ZipFile(archive).read(METADATA).decode()
    assert description.startswith('{\n "@context": [\n  "')
    (action,) = (one for one in json.loads(description)["@graph"] if one["@id"] == "#run")
    files = ("manifest.json", "forensics/claims.csv", CSV, JSON, "appendix/t.tex", "figure.svg")
    assert {part["@id"] for part in action["result"]} == {f"results/{name}" for name in files}
    assert archive.read_bytes() == packed(run, "b.zip").read_bytes()
    assert verify(run / "results", archive)[1]
    table.write_text(TABLE.replace("0.7", "0.8"))
    assert archive.read_bytes() != packed(run, "b.zip").read_bytes()
    lines, well = verify(run / "results", archive)
    assert not well
    assert "tables/t.csv: changed since the run wrote it" in lines
    assert any("column auc: reference 0.7, found 0.8" in line for line in lines)
    write_manifest(run / "results", config=CONFIG | {"seed": 2}, numpy="3")
    lines, well = verify(run / "results", archive)
    assert (lines[0], well) == ("the runs have another seed", False)
    assert lines[2:] == [
        "numpy is 3 here, 2 there",
        f"tables/t.csv: other bytes than in {archive}",
        f"4 files: byte for byte as in {archive}",
    ]


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
    context = {word: f"http://schema.org/{word}" for word in words}
    context["File"] = "http://schema.org/MediaObject"
    context["conformsTo"] = "http://purl.org/dc/terms/conformsTo"
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
    for most, said in ((10_000, "holds more than 10000 bytes of tables"), (10_001, "there is no")):
        monkeypatch.setattr(verify_results, "MOST_BYTES", most)
        with pytest.raises(SystemExit, match=said):
            verify(run / "results", tmp_path / "large.zip")


def test_a_reviewer_reads_each_claim_with_its_commands_files_and_tolerances(tmp_path):
    rules = [
        {"tables": "tables/*", "columns": "auc", "atol": 0.5},
        {"tables": "tables/*", "columns": "*", "atol": 0.25, "rows": "lm"},
        {"tables": "tables/*", "columns": "*", "atol": 0.002},
        {"tables": "*", "columns": "*", "atol": 1e-6},
    ]
    files = [
        "tables/a.csv; tables/b.csv",
        "studies/many-data-sets/c.csv; facts.json; studies/many-data-sets/d.csv",
    ]
    rows = {"claim": ["a | b", "c"], "verdict": ["holds", "open"], "file": files}
    pd.DataFrame(rows).to_csv(tmp_path / "claims.csv", index=False)
    page = claims_page(tmp_path / "claims.csv", {"rules": rules})
    make = "snakemake --cores 4 results"
    assert page.split("|---|---|---|---|---|\n")[1] == (
        f"| a / b | holds | `{make}/tables/a.csv`, `{make}/tables/b.csv` | "
        "`results/tables/a.csv`, `results/tables/b.csv` | 0.002 |\n"
        f"| c | open | `make -C studies/many-data-sets`, `{make}/facts.json` | "
        "`studies/many-data-sets/c.csv`, `results/facts.json`, `studies/many-data-sets/d.csv` | "
        "not compared, 1e-06 |\n"
    )


@pytest.mark.parametrize("owner", ["OWNER", "someone"])
def test_the_crate_describes_each_file_the_program_and_the_paper(tmp_path, owner):
    kinds = {"results/a.csv": "text/csv", "b.lock": "text/plain", "results/c.unheard": "text/plain"}
    kinds["d.yml"] = "application/yaml"
    (tmp_path / "results").mkdir()
    files = {name: tmp_path / name for name in kinds}
    for path in files.values():
        path.write_text("12345")
    manifest = {"files": {"a.csv": "12ab"}, "versions": {"numpy": "2"}, "seed": 7}
    citation = {"authors": [{"name": "N"}, {"name": "M"}], "title": "T", "version": 1.5}
    citation |= {"references": [{"title": "First"}, {"title": "Second"}]}
    citation |= {"date-released": 2026, "repository-code": f"https://x.org/{owner}/k"}
    crate = crate_of(files, manifest, citation)
    by_name = {one["@id"]: one for one in crate["@graph"]}
    for name, kind in kinds.items():
        described = by_name[name]
        assert (described["encodingFormat"], described["contentSize"]) == (kind, "5")
        assert described.get("sha256") == ("12ab" if name == "results/a.csv" else None)
    assert by_name["#authors"]["name"] == "N" and by_name[PAPER]["name"] == "First"
    program = by_name["#kappacurve"]
    assert program["softwareRequirements"] == ["numpy 2"] and program["softwareVersion"] == "1.5"
    assert program.get("url") == (None if owner == "OWNER" else "https://x.org/someone/k")
    made = [{"@id": "results/a.csv"}, {"@id": "results/c.unheard"}]
    assert by_name["#run"]["result"] == made and "seed 7" in by_name["./"]["description"]
    assert [part["@id"] for part in by_name["./"]["hasPart"]] == [*sorted(kinds), "README.md"]
