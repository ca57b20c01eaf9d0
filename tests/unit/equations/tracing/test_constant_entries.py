"""Entries that are 0 or ±1 whatever the state."""

import casadi as ca
import numpy as np

import jourdain as jd
from jourdain.equations.recursion.constraint_sweep import CONSTRAINT_SWEEP
from jourdain.equations.tracing import constant_entries as module
from jourdain.equations.tracing.constant_entries import filled, known, known_entries
from jourdain.system.description import Description


def chain(*axes):
    """Arms of 1 m about given axes, one behind the other, off the origin."""
    model = jd.Model("chain")
    at = model.world.at(0.5, 0, 0)
    for k, axis in enumerate(axes):
        arm = model.add_body(f"arm{k}", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
        model.add_joint(f"hinge{k}", at, arm, jd.Revolute(axis))
        at = arm.at(1, 0, 0)
    return Description(model, share=True)


def test_numbers_of_expressions():
    x = ca.SX.sym("x")
    assert known("", ca.vertcat(0, x, 1, -1, 2, x - x)) == (0.0, None, 1.0, -1.0, None, 0.0)
    assert known("p_W", ca.vertcat(0, 1, x)) == (0.0, None, None)
    column = filled("y", (0.0, None, -1.0))
    assert column.numel() == 3
    assert column[1].is_symbolic()
    assert float(column[2]) == -1.0


def test_a_planar_chain_stays_in_its_plane():
    entries = known_entries(CONSTRAINT_SWEEP, chain("z", "z", "z").links)
    assert entries[1] == entries[2]
    assert entries[2]["columns"] == (0.0, 0.0, 1.0, 0.0, 0.0, 0.0, None, None, 0.0)
    assert entries[2]["twist"] == (0.0, 0.0, None, None, None, 0.0)


def test_entries_hold_for_random_states(rng):
    """A chain that leaves its plane: what is said to be known is so, in the compiled system."""
    d = chain("z", "x", "z")
    system = jd.compile(d.model, execution=jd.Plain())
    poses = system.poses(rng.normal(size=3))
    for pose, entries in zip(poses, known_entries(CONSTRAINT_SWEEP, d.links), strict=True):
        told = np.array([np.nan if x is None else x for x in entries["pose"]])
        is_told = ~np.isnan(told)
        np.testing.assert_array_equal(pose.ravel()[is_told], told[is_told])
    assert known_entries(CONSTRAINT_SWEEP, d.links)[2]["twist"] == (None,) * 6


def test_too_many_differences_are_not_told_apart(monkeypatch):
    monkeypatch.setattr(module, "_MOST", 1)
    entries = known_entries(CONSTRAINT_SWEEP, chain("z", "x").links)
    assert entries[0]["pose"] == (None,) * 16


def test_parameters_are_not_known():
    model = jd.Model("pendulum")
    height = jd.Parameter("height", 0.0, "m")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    model.add_joint("hinge", model.world.at(0, 0, height), rod, jd.Revolute("z"))
    (entries,) = known_entries(CONSTRAINT_SWEEP, Description(model, share=True).links)
    assert entries["pose"][11] is None
