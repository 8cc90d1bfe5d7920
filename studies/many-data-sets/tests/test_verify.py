"""`make verify`: what moved is said, and only that."""

from pathlib import Path

import pandas as pd
import pytest

from verify_study import verify

TABLE = pd.DataFrame(
    {"measure": ["auk", "log_loss"], "families": [13, 13], "difference": [-0.3, 12.2]}
)


@pytest.fixture
def folders(tmp_path):
    for name in ("results", "kept"):
        (tmp_path / name).mkdir()
        TABLE.to_csv(tmp_path / name / "headline.csv", index=False)
    return tmp_path / "results", tmp_path / "kept"


def test_a_point_and_another_order_are_allowed(folders):
    moved = TABLE.assign(difference=TABLE["difference"] + 0.99)[::-1]
    moved.to_csv(folders[0] / "headline.csv", index=False)
    assert list(verify(*folders)) == []


@pytest.mark.parametrize(
    ("moved", "said"),
    [
        (TABLE.assign(difference=[-0.3, 13.3]), "log_loss.*kept 12.2, found 13.3"),
        (TABLE.assign(families=[13, 12]), "headline.*families: kept 13, found 12"),
        (TABLE.assign(difference=[None, 12.2]), "auk.*found nan"),
        (TABLE[:1], "1 rows instead of 2"),
        (TABLE.drop(columns="families"), "other columns"),
    ],
)
def test_what_moved_is_said(folders, moved, said):
    moved.to_csv(folders[0] / "headline.csv", index=False)
    (line,) = verify(*folders)
    assert pd.Series([line]).str.contains(said).all()


def test_a_missing_table_and_a_missing_family_are_said(folders):
    (folders[0] / "headline.csv").unlink()
    families = "family,problem\ngmsc,no network\nvub,\n"
    Path(folders[0] / "families.csv").write_text(families)
    assert [line.split(":")[0] for line in verify(*folders)] == [
        "family gmsc is missing",
        "headline",
    ]


def test_tables_from_kept_cells_are_the_same_and_cells_move_by_a_point(folders):
    moved = TABLE.assign(difference=TABLE["difference"] + 0.99)
    for folder, table in zip(folders, (moved, TABLE), strict=True):
        for path in ("choice.csv", "families/mine.csv"):
            (folder / "practice" / path).parent.mkdir(parents=True, exist_ok=True)
            table.to_csv(folder / "practice" / path, index=False)
    TABLE.to_csv(folders[0] / "headline.csv", index=False)
    assert {line.split(" (")[0] for line in verify(*folders)} == {"practice/choice"}
