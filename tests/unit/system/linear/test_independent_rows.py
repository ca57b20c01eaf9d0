from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import jourdain as jd
from jourdain.system.linear.independent_rows import independent_rows


def test_independent_rows(rng):
    whole = rng.normal(size=(9, 4)) @ rng.normal(size=(4, 12))
    assert len(independent_rows(sparse.csc_array(whole), "x")) == 4
    full = rng.normal(size=(5, 12))
    np.testing.assert_array_equal(independent_rows(sparse.csc_array(full), "x"), np.arange(5))
    nearly = np.vstack([full, full[0] + 1e-6 * np.abs(full).max() * rng.normal(size=12)])
    with pytest.raises(jd.SingularSystemError, match="nearly repeats the others"):
        independent_rows(sparse.csc_array(nearly), "x")
