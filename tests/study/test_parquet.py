import numpy as np
import pandas as pd
import pytest

from study.errors import ExperimentError
from study.parquet import read_parquet, write_parquet


def test_a_flipped_bit_is_damage_and_not_another_value(tmp_path):
    """Random numbers, which no compression makes shorter: nearly every byte is one of a value."""
    table = pd.DataFrame({"a": np.random.default_rng(1).normal(size=5000)})
    path = tmp_path / "t.parquet"
    write_parquet(table, path)
    pd.testing.assert_frame_equal(
        read_parquet([path, path]), pd.concat([table] * 2, ignore_index=True)
    )
    whole = path.read_bytes()
    for place in range(1000, 30_000, 2900):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(ExperimentError, match=r"t\.parquet can't be read .*delete it"):
            read_parquet(path)
