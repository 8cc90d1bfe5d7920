"""`make verify` on changed runs: it says what moved, and its exit code is 1."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from compare_manifests import different_settings
from verify_results import REFERENCE, Rule, differences, renew, verify

from study.manifest import digests
from study.settings.check import check_config

ROOT = Path(__file__).parents[1]
CONFIG = {"seed": 1, "data": {"source": "auto"}, "sweep": {"count": 2, "per_job": 9}}
TABLE = "model,n,auc,when\nlinear,3,0.700000,a\nnetwork,4,0.650000,\n"
FACTS = '{"rows": 5, "areas": [{"auc": 0.5, "of": "linear"}, null], "well": true}'
RULE = {"tables": "tables/*", "columns": "auc", "atol": 0.002}


@pytest.fixture
def runs(tmp_path):
    """A run and a reference that agree."""
    results, reference = tmp_path / "results", tmp_path / "reference"
    for folder in (results, reference):
        (folder / "tables").mkdir(parents=True)
        (folder / "tables" / "t.csv").write_text(TABLE)
        (folder / "facts.json").write_text(FACTS)
    (results / "figure.svg").write_text("<svg>")
    (reference / "tolerances.yaml").write_text(yaml.safe_dump({"rules": [RULE]}))
    (reference / "run.json").write_text(json.dumps({"config": CONFIG, "versions": {"numpy": "2"}}))
    write_manifest(results)
    return results, reference


def write_manifest(results, config=CONFIG, numpy="2"):
    files = digests([path for path in results.rglob("*.*") if path.stem != "manifest"], results)
    record = {"config": config, "versions": {"numpy": numpy}, "files": files}
    (results / "manifest.json").write_text(json.dumps(record))


def test_data_of_ones_own_are_compared_with_another_run(runs, tmp_path):
    """They have no reference but that."""
    for run in ("a", "b"):
        table = tmp_path / run / "tables" / "t.csv"
        table.parent.mkdir(parents=True)
        table.write_text(TABLE)
        write_manifest(table.parents[1], config=CONFIG | {"data": {"target": "y"}})
    against = tmp_path / "a" / "manifest.json"
    lines, well = verify(tmp_path / "b", against, reference=runs[1])
    assert lines[0] == f"1 files: byte for byte as in {against}"
    assert (lines[1][:40], well) == ("not compared with the reference values, ", True)
    table.write_text("")
    lines, well = verify(tmp_path / "b", against, reference=runs[1])
    assert (lines[0], well) == ("tables/t.csv: changed since the run wrote it", False)


def changed(runs, old, new, numpy="2"):
    table = runs[0] / "tables" / "t.csv"
    table.write_text(TABLE.replace(old, new))
    write_manifest(runs[0], numpy=numpy)
    return verify(runs[0], reference=runs[1])


def test_a_run_like_the_reference(runs):
    # No rule is of facts.json: 10 keys, 2 texts and 2 numbers; of the csv 5 words and counts.
    said = [
        "2 tables, 7 rows: all as the reference; 19 words and counts the same, 0 numbers within "
        "1e-06, 2 within a wider tolerance (tests/reference/tolerances.yaml)"
    ]
    assert verify(runs[0], reference=runs[1]) == (said, True)
    assert changed(runs, "0.70", "0.7019") == (said, True)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0.70", "0.7021", ", row 1 (linear, a), column auc: reference 0.7, found 0.7021"),
        ("0.650000", "", ", row 2 (network), column auc: reference 0.65, found nan"),
        (",4,", ",5,", ", row 2 (network), column n: reference 4, found 5 (allowed 0)"),
        ("auc", "auk", ": columns model, n, auk, when; reference model, n, auc, when"),
        (TABLE, "", ": can't be read"),
    ],
)
def test_what_moved_is_said(runs, old, new, said):
    lines, well = changed(runs, old, new, numpy="3")
    assert not well
    assert lines[0].startswith(f"tables/t.csv{said}")
    assert lines[-1] == "numpy is 3 here, 2 there"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0.5", "0.51", "row 2 (areas, 0, auc), column number: reference 0.5, found 0.51"),
        ("linear", "lineal", "row 3 (areas, 0, of, linear), column text: reference linear, found"),
        ("true", "false", "row 5 (well, True), column text: reference True, found False"),
        ("null", "1", "row 4 (areas, 1), column number: reference nan, found 1.0"),
    ],
)
def test_values_of_a_json_are_told_by_their_keys(runs, old, new, said):
    (runs[0] / "facts.json").write_text(FACTS.replace(old, new))
    write_manifest(runs[0])
    lines, well = verify(runs[0], reference=runs[1])
    assert not well
    assert lines[0].startswith(f"facts.json, {said}")


def test_every_table_of_a_run_has_reference_values(runs):
    large = pd.DataFrame({"auc": np.linspace(0, 1, 9000)})
    large.to_csv(runs[0] / "tables" / "u.csv", index=False)
    (runs[0] / "tables" / "t.csv").unlink()
    write_manifest(runs[0])
    lines, well = verify(runs[0], reference=runs[1])
    assert not well
    assert lines[:2] == [
        "tables/t.csv: the run made no such table",
        "tables/u.csv: no reference values",
    ]
    renew(*runs)
    names = {path.name for path in (runs[1] / "tables").iterdir()}
    assert names == {"u.csv.gz"}
    lines, well = verify(runs[0], reference=runs[1])
    assert (lines[0][:20], well) == ("2 tables, 9005 rows:", True)


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


def test_rows_are_paired_by_their_words_and_digits_of_the_network_that_ends_elsewhere_are_free(
    tmp_path,
):
    lm = "neural net (LM) 2.6 (2 of 51)"
    old = pd.DataFrame({"name": [lm, "linear 3.2", "a"], "distance": [1.0, 2.0, 3.0]})
    for new, moved in (
        (old.sort_values("name"), 0),
        (old.replace(lm, "neural net (LM) 2.9 (3 of 51)"), 0),
        (old.replace(lm, "neural net (LM) 2.6 (2 in 51)"), 1),
        (old.replace("linear 3.2", "linear 3.1"), 1),
    ):
        new.to_csv(tmp_path / "t.csv", index=False)
        assert len(list(differences("t.csv", old, tmp_path / "t.csv", []))) == moved


def test_a_file_that_was_changed_or_deleted_is_noticed(runs):
    table = runs[0] / "tables" / "t.csv"
    for change, said in (
        (lambda: table.write_text("x"), "changed since"),
        (table.unlink, "missing"),
    ):
        change()
        lines, well = verify(runs[0], reference=runs[1])
        assert not well
        assert lines[0].startswith(f"tables/t.csv: {said}")
    with pytest.raises(SystemExit, match="can't be the reference"):
        renew(*runs)


def test_another_config_is_not_compared_except_for_keys_without_effect(runs):
    write_manifest(runs[0], config=CONFIG | {"seed": 2})
    lines, well = verify(runs[0], reference=runs[1])
    assert not well
    assert "this run has another seed." in lines[0]
    quiet = CONFIG | {"data": {"source": "bundled"}, "sweep": {"count": 2, "per_job": 1}}
    write_manifest(runs[0], config=quiet)
    assert verify(runs[0], reference=runs[1])[1]


def test_byte_identity_with_another_run(runs, tmp_path):
    other = tmp_path / "other.json"
    record = json.loads((runs[0] / "manifest.json").read_text())
    other.write_text(json.dumps(record))
    lines, well = verify(runs[0], other, runs[1])
    assert well
    assert lines[0] == f"3 files: byte for byte as in {other}"
    name = "tables/t.csv"
    record["files"] = {"g.svg": "0", **record["files"], name: "0"}
    del record["files"]["figure.svg"]
    other.write_text(json.dumps(record))
    lines, well = verify(runs[0], other, runs[1])
    assert not well
    assert lines[:3] == [
        f"{name}: other bytes than in {other}",
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
