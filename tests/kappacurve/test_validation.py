"""How values that come from a file or a command line are shown, and numbers shortened."""

import numpy as np
import pytest

from kappacurve._validation import (
    did_you_mean,
    in_html,
    listed,
    quoted,
    reason,
    shell,
    short_number,
    shown,
)

FORTY, LONG = "a" * 40, "b" * 41
CUT = "b" * 37 + "..."
TWELVE = [f"m{i}" for i in range(12)]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (quoted(FORTY), f"'{FORTY}'"),
        (quoted(LONG), f"'{CUT}'"),
        (shown("a b"), "a b"),
        (shown(""), "''"),
        (shown("a\n"), r"'a\n'"),
        (shown(FORTY), FORTY),
        (shown(LONG), f"'{CUT}'"),
        (listed(TWELVE), ", ".join(TWELVE)),
        (listed([*TWELVE, "x"]), f"{', '.join(TWELVE)}, ... (13 in all)"),
        (listed("abc", 2), "a, b, ... (3 in all)"),
        (shell("a b"), "'a b'"),
        (shell(FORTY), FORTY),
        (shell(LONG), "VALUE"),
        (shell("\a"), "VALUE"),
        (in_html("<a\n>"), "&lt;a\\n&gt;"),
        (reason(OSError(2, "No such file")), "No such file"),
        (reason(ValueError("a\nb. ")), r"a\nb"),
        (reason(ValueError("e" * 201)), "e" * 200),
        (reason(KeyError()), "KeyError"),
        (did_you_mean("SCORE", ["Scores", "label"]), " Did you mean 'Scores'?"),
        (did_you_mean("weight", ["score", "label"]), ""),
        (short_number(0.1, 0.123456), 0.123),
        (short_number(0.123, 0.123456), 0.1234),
        (short_number(0.187, 0.1875), 0.1875),
        (short_number(-0.2, -0.123456), -0.124),
        (short_number(0.1234, np.inf), np.inf),
        (short_number(0.1, 0.1 + 2**-55), 0.1 + 2**-55),
    ],
)
def test_values_are_short_and_in_one_line(found, expected):
    assert found == expected
