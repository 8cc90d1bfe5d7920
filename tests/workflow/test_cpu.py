"""Numbers do not depend on the CPU: OpenBLAS is told to compute as on three kinds."""

import pandas as pd
import pandas.testing as pdt
import pytest

KERNELS = ("Haswell", "SkylakeX", "Prescott")
# The MATLAB-like network ends elsewhere on another CPU; nothing else may.
NETWORK = "neural_net_lm"
# Its pairs share one adjustment with the others'.
MIXED = {"tables/tests.csv"}


def read_tables(results):
    tables = {path: pd.read_csv(path) for path in results.rglob("*.csv")}
    tables |= {path: pd.read_parquet(path) for path in results.rglob("*.parquet")}
    return {str(path.relative_to(results)): table for path, table in tables.items()}


def drop_network(table):
    of_network = (table == NETWORK).any(axis=1)
    return table.loc[~of_network, [name for name in table if NETWORK not in name]]


@pytest.mark.slow
def test_tables_agree_on_three_kinds_of_cpu(tmp_path, snakemake, monkeypatch):
    runs = []
    for kernel in KERNELS:
        monkeypatch.setenv("OPENBLAS_CORETYPE", kernel)
        snakemake(tmp_path / kernel)
        runs.append(read_tables(tmp_path / kernel / "results"))
    first, *others = runs
    assert "tables/table5.csv" in first
    for other in others:
        assert other.keys() == first.keys()
        for name in first.keys() - MIXED:
            kept, found = (
                drop_network(one).reset_index(drop=True) for one in (first[name], other[name])
            )
            pdt.assert_frame_equal(found, kept, rtol=0, atol=1e-9, obj=name)
