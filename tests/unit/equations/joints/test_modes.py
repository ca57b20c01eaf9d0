"""Mode vectors shown to users."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError, SingularSystemError, UnknownNameError


def test_hinge():
    modes = jd.mode_vectors(jd.Revolute("y"), [0.4])
    np.testing.assert_array_equal(modes.free.T, [[0, 1, 0, 0, 0, 0]])
    assert modes.excited.shape == (6, 0)
    np.testing.assert_array_equal(modes.locked, np.eye(6)[:, [0, 2, 3, 4, 5]])
    np.testing.assert_array_equal(modes.free_dual, modes.free)
    np.testing.assert_array_equal(modes.locked_dual, modes.locked)


def test_reference_position_is_the_default():
    default, given = jd.mode_vectors(jd.Spherical()), jd.mode_vectors(jd.Spherical(), (1, 0, 0, 0))
    np.testing.assert_array_equal(default.free, given.free)
    np.testing.assert_array_equal(default.free[:3], np.eye(3))


def test_counts_add_up_to_six():
    for kind in (jd.Fixed(), jd.Cylindrical("x"), jd.Free(), jd.RollingDisc(0.2)):
        modes = jd.mode_vectors(kind)
        parts = (modes.free, modes.excited, modes.locked)
        assert sum(part.shape[1] for part in parts) == 6
        assert modes.free.shape[1] == len(kind.velocities)


def test_driven_modes_are_excited():
    modes = jd.mode_vectors(jd.Free(), driven=("orientation", "position.x"))
    assert modes.free.shape[1] == 2
    assert modes.excited.shape[1] == 4
    assert modes.locked.shape[1] == 0


def test_time_along_a_free_mode_excites_nothing():
    class Moved(jd.Joint):
        coordinates = {"position": "m"}

        def pose(self, q, t):
            return np.eye(3), (q[0] + t, 0, 0)

    assert jd.mode_vectors(Moved(), [0.0], 1.0).excited.shape == (6, 0)


def test_locked_modes_are_orthonormal_and_normal_to_the_others(rng):
    modes = jd.mode_vectors(jd.Universal("x", (0.6, 0.0, 0.8)), rng.uniform(-1, 1, 2))
    np.testing.assert_allclose(modes.locked.T @ modes.locked, np.eye(4), atol=1e-15)
    np.testing.assert_allclose(modes.locked.T @ modes.free, np.zeros((4, 2)), atol=1e-15)


def test_parameters_may_have_other_values():
    pitch, radius = jd.Parameter("pitch", 2 * np.pi, "m"), jd.Parameter("radius", 0.3, "m")
    kind = jd.Screw("z", pitch)
    assert jd.mode_vectors(kind).free[5, 0] == pytest.approx(1.0)
    found = jd.mode_vectors(kind, parameters={"pitch": 4 * np.pi}).free
    assert found[5, 0] == pytest.approx(2.0)
    both = jd.Screw("z", pitch) * jd.RollingDisc(radius)
    q = (0.1, 0.0, 0.0, 0.2, 0.3, 0.4)
    partly = jd.mode_vectors(both, q, parameters={"pitch": 2 * np.pi})
    np.testing.assert_array_equal(partly.free, jd.mode_vectors(both, q).free)


def test_table():
    lines = str(jd.mode_vectors(jd.Prismatic("x"))).splitlines()
    assert lines[0].split() == ["Ωx", "Ωy", "Ωz", "Vx", "Vy", "Vz"]
    assert lines[1].split() == ["free", "0", "0", "0", "1", "0", "0"]
    assert len(lines) == 1 + 6 + 6


def test_singular_positions_are_named():
    with pytest.raises(SingularSystemError, match=r"Gimbal is singular .* span only 2 dimensions"):
        jd.mode_vectors(jd.Gimbal(), (0.0, np.pi / 2, 0.0))


def test_wrong_numbers_of_coordinates_are_named():
    with pytest.raises(ModelError, match=r"Planar has 3 coordinates \(position.x.*q has 2 numbers"):
        jd.mode_vectors(jd.Planar(), (0.0, 0.0))


def test_unknown_coordinates_are_named():
    with pytest.raises(UnknownNameError, match=r"no coordinate 'angel' .*Did you mean 'angle'"):
        jd.mode_vectors(jd.Revolute("x"), driven=("angel",))
