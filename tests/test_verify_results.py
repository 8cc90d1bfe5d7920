"""`make verify` on runs that were tampered with: what moved is said, and the exit code is 1."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml
from verify_results import REFERENCE, Rule, VerificationError, moved, read_rules, renew, verify

ROOT = Path(__file__).parents[1]
CONFIG = {"seed": 1, "data": {"source": "auto"}, "sweep": {"count": 2, "per_job": 9}}
TABLE = "model,n,auc,when\nlinear,3,0.700000,a\nnetwork,4,0.650000,\n"
RULES = [Rule("tables/*", "auc", 0.002)]


@pytest.fixture
def runs(tmp_path):
    """A run and a reference that agree."""
    results, reference = tmp_path / "results", tmp_path / "reference"
    for folder in (results, reference):
        (folder / "tables").mkdir(parents=True)
        (folder / "tables" / "t.csv").write_text(TABLE)
    (results / "f.svg").write_text("<svg/>")
    rules = [{"tables": "tables/*", "columns": "auc", "atol": 0.002}]
    (reference / "tolerances.yaml").write_text(
        yaml.safe_dump({"tables": ["tables/t.csv"], "rules": rules})
    )
    (reference / "run.json").write_text(json.dumps({"config": CONFIG, "versions": {"numpy": "2"}}))
    write_manifest(results)
    return results, reference


def write_manifest(results, config=CONFIG, numpy="2"):
    files = {
        path.relative_to(results).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in results.rglob("*.*")
        if path.name != "manifest.json"
    }
    record = {"config": config, "versions": {"numpy": numpy}, "files": files}
    (results / "manifest.json").write_text(json.dumps(record))


def test_a_run_like_the_reference(runs):
    assert verify(*runs[:1], reference=runs[1]) == (
        ["1 tables, 8 values: all as the reference"],
        True,
    )


def change(results, old, new, **manifest):
    table = results / "tables" / "t.csv"
    table.write_text(table.read_text().replace(old, new))
    write_manifest(results, **manifest)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0.70", "0.7021", "row 1 (linear, a), column auc: reference 0.7, found 0.7021"),
        ("0.65", "", "row 2 (network), column auc: reference 0.65, found 0.0"),
        ("0.650000", "", "row 2 (network), column auc: reference 0.65, found nan"),
        ("0.650000", "abc", "row 2 (network), column auc: reference 0.65, found abc"),
        (",4,", ",5,", "row 2 (network), column n: reference 4, found 5 (allowed 0)"),
        ("linear", "linar", "row 1 (linear, a), column model: reference linear, found linar"),
        (",a\n", ",\n", "column when: reference a, found nan"),
        ("network,4,0.650000,\n", "", "tables/t.csv: 1 rows; reference 2"),
        ("auc", "auk", "columns model, n, auk, when; reference model, n, auc, when"),
        (TABLE, "", "tables/t.csv: can't be read"),
    ],
)
def test_what_moved_is_said(runs, old, new, said):
    results, reference = runs
    change(results, old, new)
    lines, well = verify(results, reference=reference)
    assert not well
    assert said in lines[0]
    assert lines[0].startswith("tables/t.csv")


def test_a_difference_within_the_tolerance_is_no_difference(runs):
    results, reference = runs
    change(results, "0.70", "0.7019", numpy="3")
    assert verify(results, reference=reference)[1]


def test_versions_are_named_where_numbers_moved(runs):
    results, reference = runs
    change(results, "0.70", "0.8", numpy="3")
    assert "numpy is 3 here, 2 there" in verify(results, reference=reference)[0]


def test_a_file_that_was_truncated_or_deleted_is_noticed(runs):
    results, reference = runs
    (results / "f.svg").write_text("<sv")
    lines, well = verify(results, reference=reference)
    assert (lines[0], well) == ("f.svg: changed since the run wrote it", False)
    (results / "f.svg").unlink()
    lines, well = verify(results, reference=reference)
    assert (lines[0], well) == ("f.svg: missing, though the run wrote it", False)


def test_another_config_is_not_compared_but_for_keys_without_effect(runs):
    results, reference = runs
    write_manifest(results, config={**CONFIG, "seed": 2})
    lines, well = verify(results, reference=reference)
    assert not well
    assert "this run has another seed." in lines[0]
    quiet = {**CONFIG, "data": {"source": "bundled"}, "sweep": {"count": 2, "per_job": 1}}
    write_manifest(results, config=quiet)
    assert verify(results, reference=reference)[1]


def test_byte_identity_with_another_run(runs, tmp_path):
    results, reference = runs
    other = tmp_path / "other.json"
    record = json.loads((results / "manifest.json").read_text())
    other.write_text(json.dumps(record))
    lines, well = verify(results, other, reference)
    assert well
    assert lines[0] == f"2 files: byte for byte as in {other}"
    record["files"] = {"f.svg": "0", "g.svg": "0"}
    other.write_text(json.dumps(record))
    lines, well = verify(results, other, reference)
    assert not well
    assert lines[:3] == [
        f"f.svg: other bytes than in {other}",
        f"tables/t.csv: not in {other}",
        f"g.svg: in {other} only",
    ]


def test_no_run_no_manifest(tmp_path):
    with pytest.raises(VerificationError, match=r"finish a run first \(make reproduce\)"):
        verify(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(VerificationError, match="can't be read as a manifest"):
        verify(tmp_path)
    command = [sys.executable, "tools/verify_results.py", "--results", tmp_path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "can't be read as a manifest" in done.stdout
    assert "Traceback" not in done.stderr


def test_renew_takes_the_run_as_reference(runs):
    results, reference = runs
    change(results, "0.70", "0.9")
    renew(results, reference)
    assert verify(results, reference=reference)[1]
    (results / "f.svg").write_text("by hand")
    with pytest.raises(VerificationError, match=r"f\.svg: changed"):
        renew(results, reference)


def test_first_rule_that_fits_holds_and_whole_numbers_are_exact(tmp_path):
    (tmp_path / "t.csv").write_text("auc,n\n0.5,10\n")
    rules = [*RULES, Rule("tables/*", "*", 1.0)]
    expected = pd.DataFrame({"auc": [0.5019], "n": [11]})
    found = tmp_path / "t.csv"
    (line,) = moved("tables/t.csv", expected, found, rules)
    assert "column n: reference 11, found 10" in line
    assert list(moved("tables/t.csv", expected.assign(n=10), found, rules)) == []
    assert len(list(moved("other/t.csv", expected.assign(n=10, auc=2.0), found, rules))) == 1


def test_reference_values_are_small_complete_and_of_the_default_config():
    files = [path for path in REFERENCE.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 500_000
    listed = yaml.safe_load((REFERENCE / "tolerances.yaml").read_text())["tables"]
    assert sorted(listed) == sorted(
        path.relative_to(REFERENCE).as_posix() for path in REFERENCE.rglob("*.csv")
    )
    assert {"tables/table4.csv", "tables/table5.csv", "replicates/summary.csv"} <= set(listed)
    recorded = json.loads((REFERENCE / "run.json").read_text())["config"]
    default = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    assert recorded == default
    assert all(rule.atol > 0 for rule in read_rules(REFERENCE / "tolerances.yaml"))
