"""Checksums of a run's files, and how two runs are compared."""

from study.manifest import files_of_run


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
