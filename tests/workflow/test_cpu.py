"""Numbers do not depend on the CPU: OpenBLAS is told to compute as on other kinds."""

from pathlib import Path

import pandas as pd
import pandas.testing as pdt
import pytest

# The one model whose training ends elsewhere on another CPU; its rows alone are left out.
NETWORK = "neural_net_lm"
NAMES = ["claims", "leads", "operating_point", "printed", "sensitivity", "sweep", "table5", "tests"]
TARGETS = [f"results/tables/{name}.csv" for name in NAMES]
TARGETS += ["results/companions/baker/printed.csv"]


AVX512 = {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"}


def list_kinds():
    """Kinds that are not the CPU's own, which is Haswell, or SkylakeX where it has AVX-512.

    None is newer, because OpenBLAS does not check that the CPU can run the kind it is told.
    """
    cpu = Path("/proc/cpuinfo")
    has_avx512 = cpu.exists() and set(cpu.read_text().split()) >= AVX512
    return ["Prescott"] + ["Haswell"] * has_avx512


def read_tables(results):
    tables = {path: pd.read_csv(path) for path in results.rglob("*.csv")}
    tables |= {path: pd.read_parquet(path) for path in results.rglob("*.parquet")}
    return {str(path.relative_to(results)): table for path, table in tables.items()}


def drop_network(table):
    return table[~(table == NETWORK).any(axis="columns")].reset_index(drop=True)


@pytest.mark.slow
@pytest.mark.parametrize("kind", list_kinds())
def test_tables_agree_on_every_kind_of_cpu(run, tmp_path, snakemake, monkeypatch, kind):
    monkeypatch.setenv("OPENBLAS_CORETYPE", kind)
    snakemake(tmp_path, *TARGETS, config=run / "small.yaml", start=run)
    tables, of_run = (read_tables(folder / "results") for folder in (tmp_path, run))
    assert "tables/table5.csv" in tables
    for name, table in tables.items():
        found, expected = drop_network(table), drop_network(of_run[name])
        pdt.assert_frame_equal(found, expected, rtol=0, atol=1e-9, obj=name)
