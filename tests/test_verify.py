"""How far a run on another kind of CPU may be from the expected tables."""

import shutil

import pandas as pd
import pytest
import verify


@pytest.mark.parametrize(
    ("file", "column", "change", "fine"),
    [
        ("experiment/table4.csv", "mean", 0.0019, True),
        ("experiment/table4.csv", "mean", 0.0021, False),
        ("tables/sensitivity.csv", "auk_b", -0.0021, False),
        ("experiment/rank_reversal.csv", "reversals", 2, True),
        ("experiment/rank_reversal.csv", "reversals", 3, False),
        ("experiment/table4.csv", "high", 0.01, True),  # an end of the splits moves more
        ("experiment/table4.csv", "model", "x", False),
        ("experiment/leads.csv", "note", "x", True),
        ("experiment/table4.csv", "mean", float("nan"), False),
    ],
)
def test_small_differences_are_said_and_pass_on_other_kernels_alone(
    tmp_path, capsys, monkeypatch, file, column, change, fine
):
    monkeypatch.setattr(verify, "check_page", lambda _: ["docs/verdict.md says something else"])
    results = shutil.copytree(verify.EXPECTED, tmp_path / "results")
    table = pd.read_csv(results / file)
    table.loc[1, column] += change
    table.to_csv(results / file, index=False)
    assert verify.verify(results, same_kernels=False) == fine
    printed = capsys.readouterr().out
    assert f"{file} differs: {column} by " in printed and printed.count(" differs: ") == 1
    assert not verify.verify(results, same_kernels=True)
