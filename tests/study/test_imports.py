from pathlib import Path

from study.imports import modules_used_by


def test_a_script_depends_on_what_it_imports_and_on_nothing_else():
    download, split, tables = (
        {Path(path).stem for path in modules_used_by(script)}
        for script in ("prepare_data", "draw_split", "make_tables")
    )
    # Indirect imports, a module's data, and what is behind public names of the library.
    assert {"german_credit", "uci", "errors"} <= download
    assert {"evaluation", "roc", "measures", "_validation"} <= split
    assert "published" in tables - split
    assert not {"figures", "registry", "uci"} & tables
