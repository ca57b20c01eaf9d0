"""Checks of loops: right machines pass, wrong ones are found out."""

import dataclasses

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.proof import loop_checks
from jourdain.analysis.proof.loop_checks import LoopCase, tree_of
from jourdain.errors import AssemblyError
from jourdain.model.laws import Damper, Equal, Spring
from jourdain.model.measures import Coordinate, Distance


def ring():
    """Driven four-bar linkage with a gear, a spring and a damper."""
    model = jd.Model("ring", gravity=(0, 0, -9.81))
    solid = jd.Inertia(1.0, (0.2, 0, 0), (0.01, 0.02, 0.02))
    one, two, three = (model.add_body(f"bar_{k}", solid) for k in (1, 2, 3))
    model.add_joint("first", model.world, one, jd.Revolute("y"))
    model.add_joint("second", one.at(0.5, 0, 0), two, jd.Cylindrical("y"),
                    driven={"position": lambda t: 0.01 * jd.sin(t)})  # fmt: skip
    model.add_joint("third", two.at(0.6, 0, 0), three, jd.Spherical())
    model.add_joint("last", model.world.at(0.7, 0, 0), three.at(0.5, 0, 0), jd.Universal("y", "z"))
    model.add_coordinate("wheel", 0.05)
    gear = Coordinate("first.angle") - 2.0 * Coordinate("wheel")
    model.add_connection("gear", gear, Equal(0.1))
    rope = Distance(model.world.at(0, 0, 1), two.at(0.3, 0, 0))
    model.add_connection("rope", rope, Spring(30.0, free=0.5) + Damper(2.0))
    return model


@pytest.fixture(scope="module")
def case():
    system, rng = jd.compile(ring()), np.random.default_rng(1)
    return LoopCase.near(system, {"first.angle": -0.5, "second.angle": 1.0}, {}, 0.3, rng)


CHECKS = (loop_checks.accelerations, loop_checks.constraints, loop_checks.power)


@pytest.mark.parametrize("check", CHECKS)
def test_a_right_machine(case, check):
    assert max(check(case).values()) < 1e-9


def test_wrong_accelerations_are_found(case):
    wrong = dataclasses.replace(case)
    wrong.__dict__["vdot"] = case.vdot + 1e-3
    for check in CHECKS:
        assert max(check(wrong).values()) > 1e-6, check


def test_wrong_velocities_are_found(case):
    wrong = dataclasses.replace(case, v=case.v + 1e-2)
    assert max(loop_checks.constraints(wrong).values()) > 1e-4


def test_where_it_fits_together_may_be_told():
    """From the reference position, or from random ones, the bars do not reach."""
    model = jd.Model("bars")
    one, two = (model.add_body(n, jd.solid.rod(mass=1.0, end=(1, 0, 0))) for n in "ab")
    model.add_joint("left", model.world, one, jd.Prismatic("x"))
    model.add_joint("top", one, two, jd.Prismatic("x"))
    right = Distance(model.world.at(100.0, 0, 0), two.at(1, 0, 0))
    model.add_connection("right", right, Equal(1e-3))
    system, rng = jd.compile(model), np.random.default_rng(0)
    near = {"left.position": 99.0, "top.position": 0.002}
    found = LoopCase.near(system, near, {}, 0.0, rng)
    assert found.q.sum() == pytest.approx(99.0, abs=2e-3)


def test_a_machine_that_does_not_close():
    model = jd.Model("open")
    body = model.add_body("body", jd.solid.ball(1.0, 0.1))
    model.add_joint("slide", model.world, body, jd.Prismatic("x"))
    model.add_connection("rod", Distance(model.world.at(0, 1, 0), body), Equal(0.5))
    with pytest.raises(AssemblyError):
        LoopCase.near(jd.compile(model), {}, {}, 0.5, np.random.default_rng(0))
    checks = jd.verify(model, 1).checks
    assert checks[-1].name == "loops"
    assert not checks[-1].passed
    assert "near=" in checks[-1].where


def test_tree_of_a_machine():
    model = ring()
    tree = tree_of(model, {"last"})
    assert list(tree.joints) == ["first", "second", "third"]
    assert list(tree.coordinates) == ["wheel"]
    assert not tree.connections
    assert tree.bodies["bar_1"].inertia == model.bodies["bar_1"].inertia


def test_verify_covers_loops():
    found = jd.verify(ring(), 1, near={"first.angle": -0.5, "second.angle": 1.0})
    assert found.passed, str(found)
    names = [check.name for check in found.checks]
    assert names[-3:] == ["accelerations with loops", "constraints", "power balance with loops"]
