"""Checks of a whole machine, right ones and broken ones."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.verify import Check, Verification
from jourdain.errors import ModelError
from jourdain.testing.random_model import random_model


class Hinge(jd.Joint):
    """Hinge with an arm whose mode vector is given, with a sign to get wrong."""

    arm: float
    sign: float
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        R = jd.rotation_z(q[0])
        return R, R @ jd.math.vector(self.arm, 0, 0)

    def modes(self, q, t):
        x, y = -self.arm * jd.sin(q[0]), self.arm * jd.cos(q[0])
        return jd.math.matrix(((0,), (0,), (1,), (self.sign * x,), (y,), (0,)))


class Ball(jd.Joint):
    """Ball joint with given mode vectors and rates, with a sign of the rates to get wrong."""

    sign: float
    coordinates = {f"orientation.{k}": "1" for k in "wxyz"}
    velocities = {f"angular_velocity.{k}": "rad/s" for k in "xyz"}

    def pose(self, q, t):
        return jd.Spherical().pose(q, t)

    def rates(self, q):
        w, x, y, z = (0.5 * q[i] for i in range(4))
        s = self.sign
        return jd.math.matrix(((-x, -y, -z), (w, -s * z, y), (z, w, -x), (-y, x, w)))

    def modes(self, q, t):
        R, _ = self.pose(q, t)
        return jd.math.matrix([*([R[i, k] for k in range(3)] for i in range(3)), *([0] * 3,) * 3])

    def start(self):
        return (1.0, 0.0, 0.0, 0.0)


def machine(kind, *, driven=None, reverse=False):
    model = jd.Model("machine", gravity=(2.0, -3.0, -9.0))
    base = model.add_body("base", jd.solid.box(3.0, (0.4, 0.4, 0.1)))
    arm = model.add_body("arm", jd.solid.box(1.0, (0.5, 0.1, 0.1), at=(0.2, 0, 0.05)))
    tip = model.add_body("tip", jd.solid.ball(0.4, 0.08, at=(0.0, 0.1, 0.0)))
    model.add_joint("slide", model.world, base, jd.Prismatic("x"))
    ends = base.at(0.1, 0, 0.1), arm.at(0, 0.05, 0)
    model.add_joint("shoulder", *(ends[::-1] if reverse else ends), kind, driven=driven)
    model.add_joint("wrist", arm.at(0.4, 0, 0), tip, jd.Universal("x", "y"))
    return model


def failures(verification):
    return {check.name for check in verification.checks if not check.passed}


@pytest.mark.parametrize(
    ("kind", "reverse"), [(Hinge(0.3, 1.0), False), (Ball(1.0), True)], ids=["hinge", "ball"]
)
def test_right_joint(kind, reverse):
    verification = jd.verify(machine(kind, reverse=reverse), n_states=3)
    assert verification.passed, str(verification)
    assert verification.worst.passed
    verification.require()


@pytest.mark.parametrize("reverse", [False, True], ids=["forward", "reversed"])
def test_mode_vector_with_a_wrong_sign(reverse):
    verification = jd.verify(machine(Hinge(0.3, -1.0), reverse=reverse), n_states=2)
    assert not verification.passed
    assert {"twists", "power balance", "accelerations", "mass matrix"} <= failures(verification)
    twists = next(check for check in verification.checks if check.name == "twists")
    assert twists.where == "arm"  # nearest to the world of those that move wrongly
    assert twists.discrepancy > 1e-3
    assert verification.worst.discrepancy > 1e5 * verification.worst.limit


def test_rates_with_a_wrong_sign():
    verification = jd.verify(machine(Ball(-1.0)), n_states=2)
    assert {"twists", "accelerations"} <= failures(verification)
    # What uses modes alone still agrees with itself.
    assert not failures(verification) & {"inverse of forward", "symmetry of M", "kinetic energy"}


def test_wrong_modes_of_a_driven_joint():
    verification = jd.verify(machine(Hinge(0.3, -1.0), driven={"angle": jd.sin}), n_states=2)
    assert "twists" in failures(verification)


def test_failed_verification_raises_on_demand_only():
    verification = jd.verify(machine(Hinge(0.3, -1.0)), n_states=1)
    with pytest.raises(
        ModelError, match=r"machine: \d+ checks .*FAILED[\s\S]*Likely cause: a joint"
    ):
        verification.require()


def test_coordinate_without_inertia_fails_and_says_why():
    model = machine(jd.Revolute("z"))
    ghost = model.add_body("ghost", jd.Inertia(0.0))
    model.add_joint("pin", "tip", ghost, jd.Revolute("z"))
    verification = jd.verify(model, n_states=1)
    assert not verification.passed
    check = next(c for c in verification.checks if c.name == "inverse of forward")
    assert check.discrepancy == np.inf
    assert "'pin.rate'" in check.where
    assert "FAILED: no inertia is moved by 'pin.rate'" in str(verification)


def test_random_machine():
    model = random_model(1, 4, n_coordinates=1, parameters=True)
    verification = jd.verify(model, n_states=2, seed=3)
    assert verification.passed, str(verification)


def test_floating_machine_conserves_momentum():
    model = jd.Model("satellite")
    hull = model.add_body("hull", jd.solid.box(5.0, (1, 1, 1)))
    panel = model.add_body("panel", jd.solid.box(0.5, (1, 0.1, 2)))
    model.add_joint("hinge", hull.at(0.5, 0, 0), panel, jd.Revolute("z"))
    verification = jd.verify(model, n_states=1)
    assert verification.passed, str(verification)
    assert "conservation" in {check.name for check in verification.checks}


def test_machine_that_is_driven_through():
    model = machine(jd.Revolute("z"), driven={"angle": jd.sin})
    names = ("slide", "shoulder", "wrist")
    still = jd.Model("machine")
    for body in model.bodies.values():
        still.add_body(body.name, body.inertia)
    for name in names:
        joint = model.joints[name]
        drives = {c: jd.sin for c in joint.kind.coordinates}
        still.add_joint(name, joint.parent, joint.child, joint.kind, driven=drives)
    verification = jd.verify(still, n_states=2)
    assert verification.passed, str(verification)
    assert {"twists", "power balance", "loads of joints"} <= {c.name for c in verification.checks}


def test_model_without_bodies():
    model = jd.Model("shafts")
    model.add_coordinate("shaft", 0.3)
    model.add_coordinate("motor", 0.1, driven=jd.sin)
    assert jd.verify(model, n_states=2).passed


def test_table():
    checks = (
        Check("twists", "modes, differences", 3e-3, 1e-7, "arm"),
        Check("forces", "Recursive, Augmented", 1e-15, 1e-10, "wrist.rate_1"),
    )
    verification = Verification("machine", 2, checks)
    assert verification.worst is checks[0]
    assert str(verification).splitlines() == [
        "machine: 2 checks at 2 random states, 1 FAILED",
        "",
        "  check    between                discrepancy   limit",
        "  twists   modes, differences     3.0e-03       1e-07   FAILED at 'arm'",
        "  forces   Recursive, Augmented   1.0e-15       1e-10   passed",
    ]


def test_discrepancy_that_is_no_number_fails():
    check = Check("forces", "a, b", float("nan"), 1e-10)
    assert not check.passed
    assert Verification("m", 1, (Check("x", "", 1e-3, 1e-10), check)).worst is check


def test_a_free_ball_with_a_contact_passes():
    """No load but its weight acts on it: rounding of nothing is not compared with nothing."""
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(mass=0.3, radius=0.1))
    model.add_contact("table", jd.HalfSpace(model.world), jd.Sphere(ball, 0.1), jd.Coulomb(0.2))
    found = jd.verify(model)
    assert found.passed, str(found)
