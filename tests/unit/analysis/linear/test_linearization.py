from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


def test_matrices_of_second_order():
    """Two masses: M, D and K as written, no gyroscopic forces."""
    model = jd.Model("masses")
    model.add_coordinate("a", 2.0, unit="m")
    model.add_coordinate("b", 3.0, unit="m")
    apart = jd.Coordinate("b") - jd.Coordinate("a")
    model.add_connection("wall", jd.Coordinate("a"), jd.Spring(50.0))
    model.add_connection("spring", apart, jd.Spring(20.0))
    model.add_connection("damper", apart, jd.Damper(4.0))
    lin = jd.linearize(model)
    np.testing.assert_allclose(lin.M.toarray(), np.diag([2.0, 3.0]))
    np.testing.assert_allclose(lin.K.toarray(), [[70, -20], [-20, 20]], atol=1e-12)
    np.testing.assert_allclose(lin.D.toarray(), [[4, -4], [-4, 4]], atol=1e-12)
    assert lin.G.nnz == 0
    assert lin.coordinates == ("a.rate", "b.rate")


def test_to_control_needs_a_package():
    model = jd.Model("mass")
    model.add_coordinate("a", 2.0)
    lin = jd.linearize(model)
    try:
        import control  # noqa: F401
    except ImportError:
        with pytest.raises(jd.MissingExtraError, match="pip install control"):
            lin.to_control()
    else:
        assert lin.to_control().nstates == 2
