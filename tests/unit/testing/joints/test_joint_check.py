"""`check_joint` passes what is right and finds what is wrong."""

import math as python_math

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.model.joints import all_joint_kinds
from jourdain.testing import all_user_kinds, check_joint
from jourdain.testing.joints.joint_laws import LAWS

KINDS = [
    pytest.param(kind, id=f"{k}-{type(kind).__name__}")
    for k, kind in enumerate((*all_joint_kinds(), *all_user_kinds()))
]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_passes(kind, rng):
    report = check_joint(kind, rng)
    assert [finding.check for finding in report.findings] == list(LAWS)
    assert all(0.0 <= finding.deviation <= finding.limit for finding in report.findings)


def test_the_default_states_are_always_the_same():
    assert check_joint(jd.Gimbal()) == check_joint(jd.Gimbal())
    assert check_joint(jd.Gimbal(), 1) != check_joint(jd.Gimbal(), 2)


def test_report_is_a_table():
    lines = str(check_joint(jd.Screw("z", 0.1), n_states=2)).splitlines()
    assert lines[0] == "Screw(axis='z', pitch=0.1): 10 checks at 2 states"
    assert lines[1].split()[:3] == ["check", "deviation", "limit"]
    assert [line.split()[0] for line in lines[2:]] == list(LAWS)


def test_parameters_count_with_their_nominal_values():
    pitch = jd.Parameter("pitch", 0.3, "m")
    report = check_joint(jd.Screw("x", pitch) * jd.RollingDisc(2 * pitch))
    assert report.n_states == 4


def test_states_can_be_given():
    class Root(jd.Joint):
        coordinates = {"position": "m"}

        def pose(self, q, t):
            return np.eye(3), (jd.sqrt(q[0] - 3.0), 0, 0)

        def start(self):
            return (4.0,)

    assert check_joint(Root(), states=[(3.5,), (4.0,), (9.0,)]).n_states == 3


def test_fields_may_decide_and_count():
    class Branch(jd.Joint):
        side: float
        order: int
        coordinates = {"position": "m"}

        def pose(self, q, t):
            x = sum(q[0] ** k for k in range(1, self.order))
            return np.eye(3), ((x, 0, 0) if self.side > 0.3 else (0, x, 0))

    assert check_joint(Branch(0.5, 4)).n_states == 4


class Hinge(jd.Joint):
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        return jd.rotation_z(q[0]), (0.3 * q[0], 0, 0)


class WrongSign(Hinge):
    def modes(self, q, t):
        return jd.math.matrix(((0,), (0,), (-1,), (0.3,), (0,), (0,)))


class Sheared(jd.Joint):
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        return jd.rotation_z(q[0]) @ np.diag((1.0, 1.0, 1.0 + 1e-6)), (0, 0, 0)


class ShearedLater(jd.Joint):
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        return jd.math.matrix(((1, 0, 0), (0, 1, -(q[0] ** 2)), (0, 0, 1))), (0, 0, 0)


class Mirror(jd.Joint):
    coordinates = {"position": "m"}

    def pose(self, q, t):
        return jd.math.matrix(((1, 0, 0), (0, 1, 0), (0, 0, -1))), (q[0], 0, 0)


class Deciding(jd.Joint):
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        return jd.rotation_z(q[0] if q[0] > 0 else -q[0]), (0, 0, 0)


class DecidingByTime(jd.Joint):
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        return jd.rotation_z(max(t, q[0])), (0, 0, 0)


class Pythonic(jd.Joint):
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        return jd.rotation_z(q[0]), (0, 0, python_math.sin(q[0]))


class TwoStarts(Hinge):
    def start(self):
        return (0.0, 0.0)


class Lengthening(jd.Joint):
    """A ball joint whose quaternion grows with one of the velocities."""

    coordinates = jd.Spherical.coordinates
    velocities = jd.Spherical.velocities

    def pose(self, q, t):
        return jd.Spherical().pose(q, t)

    def rates(self, q):
        w, x, y, z = (0.5 * q[i] for i in range(4))
        return jd.math.matrix(((x, -y, -z), (w, -z, y), (z, w, -x), (-y, x, w)))

    def start(self):
        return (1.0, 0.0, 0.0, 0.0)


class HalfForgotten(Lengthening):
    def rates(self, q):
        return 2.0 * jd.Spherical().rates(q)


class Contradicting(jd.Joint):
    """Rates and modes that do not belong together."""

    coordinates = {"angle": "rad"}
    velocities = {"speed": "m/s"}

    def pose(self, q, t):
        return jd.rotation_z(q[0]), (0, 0, 0)

    def rates(self, q):
        return jd.math.matrix(((2.0,),))

    def modes(self, q, t):
        return jd.math.matrix(((0,), (0,), (0.5,), (0,), (0,), (0,)))


class Repeating(jd.Joint):
    coordinates = {"angle_1": "rad", "angle_2": "rad"}

    def pose(self, q, t):
        return jd.rotation_z(q[0] + 2.0 * q[1]), (0, 0, 0)


class Shouting(jd.Joint):
    coordinates = {"Big Angle": "rad"}

    def pose(self, q, t):
        return jd.rotation_z(q[0]), (0, 0, 0)


class Unitless(jd.Joint):
    coordinates = {"angle": ""}

    def pose(self, q, t):
        return jd.rotation_z(q[0]), (0, 0, 0)


class Twins(jd.Joint):
    coordinates = {"angle": "rad"}
    velocities = {"angle": "rad/s"}

    def pose(self, q, t):
        return jd.rotation_z(q[0]), (0, 0, 0)


class Stateful(jd.Joint):
    """Different numbers on symbols than on floats."""

    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        bonus = 0.1 if isinstance(q[0], float) else 0.0
        return jd.rotation_z(q[0]), (0, 0, bonus)


class WrongCanonical(Hinge):
    def canonical(self):
        return jd.Revolute("z"), None


class Cusp(jd.Joint):
    """The pose is finite everywhere, its derivative nowhere."""

    coordinates = {"position": "m"}

    def pose(self, q, t):
        return jd.rotation_x(0.0), (q[0] + jd.sqrt(jd.maximum(-(q[0] ** 2), 0.0)), 0, 0)


BROKEN = [
    (WrongSign(), "modes", r"mode vector of 'rate' .* is \(0, 0, -1, 0.3, 0, 0\), but differences"),
    (Sheared(), "contract", r"pose\(q, t\) .* is no rotation matrix"),
    (ShearedLater(), "contract", "RᵀR differs from the identity"),
    (Mirror(), "contract", "left-handed"),
    (Deciding(), "symbols", r"pose\(\) of joint kind Deciding fails on symbols.*jd\.where"),
    (DecidingByTime(), "symbols", "it decides by Python's if, max, min, "),
    (Pythonic(), "symbols", "turns a symbol into a number.*functions of jourdain.math"),
    (TwoStarts(), "contract", r"start\(\) has the shape \(2,\) instead of \(1,\)"),
    (Lengthening(), "rates", "part of dq/dt by 'angular_velocity.x' that moves nothing"),
    (HalfForgotten(), "rates", "ΩᵀΩ of the velocities 'angular_velocity.x'"),
    (Contradicting(), "modes", "mode vector of 'speed'"),
    (Repeating(), "freedoms", "its 2 velocities move the child in only 1 independent direction"),
    (Cusp(), "freedoms", "gives no finite mode vectors"),
    (Shouting(), "names", "'Big Angle' in coordinates is not in the form"),
    (Unitless(), "names", "'angle' in coordinates has no unit"),
    (Twins(), "names", "'angle' is a coordinate and a velocity"),
    (Stateful(), "symbols", r"the pose \[R r\] from symbols is .* but floats give"),
    (WrongCanonical(), "canonical", r"pose of canonical\(\), turned"),
]


@pytest.mark.parametrize(
    ("kind", "check", "text"), [pytest.param(*b, id=type(b[0]).__name__) for b in BROKEN]
)
def test_broken_kinds_are_found(kind, check, text):
    with pytest.raises(ModelError, match=rf"(?s){type(kind).__name__}.*check '{check}'.*{text}"):
        check_joint(kind)


def test_message_has_the_numbers_and_the_remedy():
    with pytest.raises(ModelError) as caught:
        check_joint(WrongSign())
    text = str(caught.value)
    assert "at q = (" in text
    assert " s:" in text
    assert "2 apart (limit 1e-08)" in text
    assert "leave it out: the mode vectors are then derived" in text


def test_singular_states_are_named():
    with pytest.raises(ModelError, match=r"check 'duality'.*Gimbal is singular"):
        check_joint(jd.Gimbal(), states=[(0.1, np.pi / 2, 0.2)])


@pytest.mark.parametrize(
    ("thing", "text"), [(jd.Gimbal, "the class Gimbal"), (3, "Give a joint kind")]
)
def test_only_kinds_can_be_checked(thing, text):
    with pytest.raises(ModelError, match=text):
        check_joint(thing)
