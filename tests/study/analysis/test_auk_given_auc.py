import numpy as np
import pytest

from study.analysis.auk_given_auc import auk_given_auc


def test_z_by_simulation():
    """The standardised residual of a bivariate normal, whose regression is known."""
    rng = np.random.default_rng(1)
    auc = rng.normal(0.72, 0.04, 200_000)
    auk = 0.12 + 0.5 * (auc - 0.72) + rng.normal(0, 0.01, len(auc))
    found = auk_given_auc(auc, auk, (0.70, 0.14))
    assert found.expected == pytest.approx(0.11, abs=2e-4)
    assert found.sd == pytest.approx(0.01, rel=0.01)
    assert found.z == pytest.approx(3, abs=0.05)
    # Unconditionally the same AUK would be an ordinary one.
    assert (0.14 - auk.mean()) / auk.std() < 1
