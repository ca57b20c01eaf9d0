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


def arm(stiffness=0.0):
    """6.T7: two uniform rods of one metre and one kilogramme."""
    model = jd.Model("arm", gravity=(0, 0, 0))
    carrier = model.world
    for k in (1, 2):
        rod = model.add_body(f"rod_{k}", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
        model.add_joint(f"joint_{k}", carrier, rod, jd.Revolute("z"))
        if stiffness:
            turn = jd.Coordinate(f"joint_{k}.angle")
            model.add_connection(f"s_{k}", turn, jd.Spring(stiffness * k, free=np.pi / 6 * k))
        carrier = rod.at(1, 0, 0)
    model.add_frame("hand", carrier)
    return model, {"joint_1.angle": np.pi / 6, "joint_2.angle": np.pi / 3}


def test_effective_mass_at_a_frame():
    model, place = arm()
    lin = jd.linearize(model, place)
    plane = lin.mobility("hand")[3:5, 3:5]
    expected = [[1 / 3, -0.096225], [-0.096225, 1.555556]]
    np.testing.assert_allclose(np.linalg.inv(plane), expected, atol=1e-6)
    assert lin.effective_mass("hand", (1, 0, 0)) == pytest.approx(0.327381, abs=1e-6)
    assert lin.effective_mass("hand", (0, 2, 0)) == pytest.approx(1.527778, abs=1e-6)
    with pytest.raises(jd.ModelError, match="cannot move along"):
        lin.effective_mass("hand", (0, 0, 1))
    with pytest.raises(jd.ModelError, match="free motion"):
        lin.effective_stiffness("hand", (1, 0, 0))


def test_effective_stiffness_at_a_frame():
    """Series of both joints: 1/k = lever²/c₁ + lever²/c₂."""
    model, place = arm(stiffness=300.0)
    lin = jd.linearize(model, place)
    x = 1 / (1.5**2 / 300.0 + 1.0 / 600.0)
    assert lin.effective_stiffness("hand", (1, 0, 0)) == pytest.approx(x, rel=1e-9)
