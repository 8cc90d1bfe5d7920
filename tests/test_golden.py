"""Golden values hold; those of the 1,000 splits are compared with a run by `make verify`."""

import pytest
from golden import differences, read_golden

GOLDEN = read_golden()
FAST = GOLDEN[GOLDEN["kind"] != "run"]


@pytest.mark.parametrize("where", FAST["where"])
def test_golden_values_hold(where):
    row = FAST.set_index("where").loc[[where]].reset_index()
    assert [found for _, found in differences(row)] == []
