"""What is derived from a pose: shapes, sharing of code, drives, and what users read."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.joints.motion import (
    accepts_symbols,
    evaluate_motion,
    fill,
    split,
    traced,
)
from jourdain.errors import ModelError
from jourdain.model.joints import all_joint_kinds
from jourdain.testing.joints.kinds import Crank, Rocker, Turntable

PITCH = jd.Parameter("pitch", 0.3, "m")


def outputs(motion, *arguments):
    return [np.array(x) for x in motion.function(*arguments)]


def test_hinge_has_constant_modes_and_no_bias():
    motion = traced(jd.Revolute("z"), (), False, False)
    R, r, S, S_x, c, qdot, S_d = outputs(motion, [], [0.4], [2.0], 0.0, [], [], [])
    np.testing.assert_allclose(R, jd.rotation_z(0.4))
    assert not r.any()
    np.testing.assert_array_equal(S, [[0], [0], [1], [0], [0], [0]])
    assert not S_x.any()
    assert not c.any()
    assert qdot == 2.0
    assert S_d.shape == (6, 0)
    assert motion.modes[0].is_constant()


def test_driven_coordinates_leave_the_columns():
    motion = traced(jd.Planar(), (2,), False, False)
    assert motion.free == (0, 1)
    assert motion.free_columns == (0, 1)
    assert motion.driven_columns == (2,)
    _, _, S, S_x, _, _, S_d = outputs(motion, [], [0, 0], [1, 1], 0.0, [0.3], [2.0], [0.0])
    assert S.shape == (6, 2)
    np.testing.assert_allclose(S_x.ravel(), (0, 0, 2, 0, 0, 0))
    np.testing.assert_allclose(S_d.ravel(), (0, 0, 1, 0, 0, 0))


def test_driven_quaternions_of_any_length_give_the_angular_velocity():
    motion = traced(jd.Spherical(), (0, 1, 2, 3), False, False)
    e, rate = np.array((0.6, 0.0, 0.0, 0.8)), np.array((-0.8, 0.0, 0.0, 0.6))  # 2 rad/s about z
    for length in (1.0, 3.0):
        drives = [length * e, length * rate + 0.7 * e, np.zeros(4)]
        S_x = outputs(motion, [], [], [], 0.0, *drives)[3]
        np.testing.assert_allclose(S_x.ravel(), (0, 0, 2, 0, 0, 0), atol=1e-15)


def test_driven_spin_carries_the_contact_point():
    """The disc rolls forward by radius times spin rate, though only its spin is driven."""
    motion = traced(jd.RollingDisc(0.3), (4,), False, False)
    assert motion.free_columns == (0, 1)
    q = (0.0, 0.0, 0.5, 0.0)
    qdot = outputs(motion, [], q, [0.0, 0.0], 0.0, [0.0], [2.0], [0.0])[5].ravel()
    np.testing.assert_allclose(qdot, (0.6 * np.cos(0.5), 0.6 * np.sin(0.5), 0, 0))


def test_explicit_time_excites():
    motion = traced(Turntable(2.0, 0.0), (), False, False)
    S_x = outputs(motion, [], [0.25], [0.0], 0.7, [], [], [])[3].ravel()
    np.testing.assert_allclose(S_x, (0, 0, 2, 0, 1.5, 0), atol=1e-15)  # in axes of the child


def test_given_modes_are_used_in_both_directions():
    for is_reversed in (False, True):
        given_modes, derived = (
            outputs(traced(kind, (), is_reversed, False), [], [0.7], [1.0], 0.0, [], [], [])[2]
            for kind in (Crank(0.4), _SameAsCrank(0.4))
        )
        np.testing.assert_allclose(given_modes, derived, atol=1e-15)


class _SameAsCrank(jd.Joint):
    arm: float
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        R = jd.rotation_z(q[0])
        return R, R @ jd.math.vector(self.arm, 0, 0)


def test_reversed_joint_is_the_inverse():
    there, back = (traced(jd.Screw("x", 0.5), (), way, False) for way in (False, True))
    R, r = outputs(there, [], [0.4], [1.0], 0.0, [], [], [])[:2]
    R_back, r_back = outputs(back, [], [0.4], [1.0], 0.0, [], [], [])[:2]
    np.testing.assert_allclose(R_back, R.T)
    np.testing.assert_allclose(r_back, -R.T @ r)


def test_numbers_and_structure_are_told_apart():
    plain, numbers = split(jd.Screw("z", 0.3), False)
    assert numbers == []
    shared, numbers = split(jd.Screw("z", 0.3), True)
    assert numbers == [0.3]
    assert shared == split(jd.Screw("z", 0.7), True)[0] != split(jd.Screw("x", 0.3), True)[0]
    assert plain != split(jd.Screw("z", 0.7), False)[0]


def test_zeros_and_ones_stay_in_the_structure():
    assert split((0.0, 1.0, -1.0, 2, True), True)[1] == [2.0]


def test_parameters_always_count_as_numbers():
    one, other = (split(jd.Screw("z", x), False) for x in (PITCH, 2 * PITCH))
    assert one[0] == other[0]
    assert (one[1], other[1]) == ([PITCH], [2 * PITCH])


def test_unhashable_fields_belong_to_one_object():
    class Listed(jd.Joint):
        numbers: list
        coordinates = {"angle": "rad"}

        def pose(self, q, t):
            return jd.rotation_z(q[0]), self.numbers

    one, other = Listed([0, 0, 1]), Listed([0, 0, 2])
    assert split(one, True)[0] == split(one, True)[0] != split(other, True)[0]
    assert traced(one, (), False, True) is not traced(other, (), False, True)


def test_fill_puts_values_back():
    kind = jd.Prismatic("x") * jd.Screw((0.6, 0.0, 0.8), 0.3)
    values = split(kind, True)[1]
    assert values == [0.6, 0.8, 0.3]
    assert fill(kind, True, iter(values)) == kind
    assert fill(kind, False, iter(())) is kind


def test_equal_structures_share_one_trace():
    one, other = (traced(Rocker(r), (), False, True) for r in (0.2, 0.3))
    assert one is other
    assert traced(Rocker(0.2), (), False, False) is not traced(Rocker(0.3), (), False, False)


@pytest.mark.parametrize("kind", all_joint_kinds(), ids=lambda kind: type(kind).__name__)
def test_built_in_kinds_accept_symbols(kind):
    assert accepts_symbols(kind.canonical()[0])


def test_planes_in_products_keep_their_normal():
    """The frame of a plane is chosen by the sign of its normal, which cannot be a symbol."""
    kind = jd.Prismatic("x") * jd.Planar((0.0, -0.6, 0.8))
    assert not accepts_symbols(kind)
    model = jd.Model("plane")
    body = model.add_body("body", jd.Inertia(1.0))
    model.add_joint("joint", model.world, body, kind)
    q = [0.1, 0.2, 0.3, 0.4]
    looped, plain = (jd.compile(model, execution=way) for way in (jd.Looped(), jd.Plain()))
    np.testing.assert_allclose(looped.poses(q), plain.poses(q), atol=1e-15)


def test_kinds_that_decide_by_fields_do_not_share_numbers():
    class Sided(jd.Joint):
        side: float
        coordinates = {"position": "m"}

        def pose(self, q, t):
            return np.eye(3), (q[0] if self.side > 0 else -q[0], 0, 0)

    assert not accepts_symbols(Sided(0.5))
    model = jd.Model("sided")
    for k, side in enumerate((0.5, -0.5)):
        body = model.add_body(f"body_{k}", jd.Inertia(1.0))
        model.add_joint(f"joint_{k}", model.world, body, Sided(side))
    poses = jd.compile(model, execution=jd.Looped()).poses([2.0, 3.0])
    np.testing.assert_array_equal(poses[:, 0, 3], (2.0, -3.0))


def test_evaluate_motion_uses_the_given_numbers():
    motion = traced(jd.Screw("z", PITCH), (), False, False)
    phi, phi_t = evaluate_motion(motion, [4 * np.pi], [0.1], 0.0)
    np.testing.assert_allclose(phi.ravel(), (0, 0, 1, 0, 0, 2))
    assert phi_t.shape == (6, 1)


class _Broken(jd.Joint):
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        return jd.rotation_z(float(q[0])), (0, 0, 0)


class _Raising(jd.Joint):
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        return jd.rotation_z(q[0]), (0, 0, 0)

    def rates(self, q):
        raise KeyError


class _Unknown(jd.Joint):
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        return jd.rotation_z(q[0]), (0, 0, 0)

    def modes(self, q, t):
        return jd.math.matrix([[0 if q[0] < 1 else 1]] * 6)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (_Broken(), r"pose\(\) of joint kind _Broken fails on symbols: it turns.*jourdain.math"),
        (_Raising(), r"rates\(\) of joint kind _Raising fails on symbols: KeyError"),
        (
            _Unknown(),
            r"modes\(\) of joint kind _Unknown fails on symbols: it decides by Python's if",
        ),
    ],
)
def test_mistakes_of_users_are_explained(kind, text):
    with pytest.raises(ModelError, match=text):
        _ = traced(kind, (), False, False).function


@pytest.mark.parametrize(
    ("kind", "driven", "text"),
    [
        (jd.Spherical(), (1,), r"'orientation.x' of Spherical do not determine the velocities"),
        (jd.Spherical(), (0, 1, 2), "at the reference position. Drive all the coordinates"),
        (jd.Skate(), (1,), "'position.y' of Skate do not determine the velocities 'speed'"),
        (jd.Skate(), (0, 1), r"Skate cannot follow drives of 'position.x', 'position.y' at once"),
        (jd.RollingDisc(0.3), (0, 1, 2, 3, 4), "share 3 velocities. Leave some of them free"),
    ],
)
def test_drives_that_do_not_fit_are_refused(kind, driven, text):
    with pytest.raises(ModelError, match=text):
        _ = traced(kind, driven, False, False).driven_columns
