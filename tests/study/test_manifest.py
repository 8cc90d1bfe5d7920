"""Checksums of a run's files, and how two runs are compared."""

from pathlib import Path

from compare_manifests import compare_digests, different_settings

from study.manifest import digests, files_of_run

ROOT = Path(__file__).parents[2]


def test_digests_are_sha256_by_sorted_path(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.csv").write_text("abc")
    (tmp_path / "c.bin").touch()
    found = digests([tmp_path / "c.bin", tmp_path / "a" / "b.csv"], tmp_path)
    assert list(found) == ["a/b.csv", "c.bin"]
    # FIPS 180-2, appendix B.1
    assert found["a/b.csv"].startswith("ba7816bf8f01cfea414140de5dae2223b00361a396177a9c")


def test_files_of_run_takes_formats_and_folders_and_leaves_the_provenance(tmp_path):
    for name in ("t/table4.csv", "t/table4.tex", "t/table5.csv", "t/.draft-1-table4.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "a" / "tables").mkdir(parents=True)
    (tmp_path / "a" / "tables" / "x.tex").write_text("x")
    (tmp_path / "a" / ".snakemake_timestamp").touch()
    (tmp_path / "t" / "provenance.json").write_text("{}")
    listed = [tmp_path / "t" / "table4.csv", tmp_path / "a", tmp_path / "t" / "provenance.json"]
    found = [path.relative_to(tmp_path).as_posix() for path in files_of_run(listed)]
    assert found == ["a/tables/x.tex", "t/table4.csv", "t/table4.tex"]


def test_what_two_manifests_do_not_have_in_common():
    assert compare_digests({"a": "1", "b": "1"}, {"b": "2", "c": "3"}) == (["b"], ["a"], ["c"])
    assert different_settings({"a": {"b": 1, "c": 2}, "d": 3}, {"a": {"b": 1, "c": 4}}) == [
        "a.c",
        "d",
    ]
