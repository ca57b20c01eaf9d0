"""What must hold for every machine with closed loops, whichever joint is cut."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.proof import loop_checks
from jourdain.analysis.proof.loop_checks import LoopCase
from jourdain.formulations import Augmented
from jourdain.results.channels.energetics import Power
from jourdain.results.trajectory import Trajectory
from jourdain.testing import random_loop_model

RTOL = 1e-9
SEEDS = [3, 10, *(pytest.param(s, marks=pytest.mark.slow) for s in (0, 1, 2, 4, 6, 7, 8, 9))]


class Moving:
    """A machine with loops at a random state that satisfies its constraints."""

    def __init__(self, system, start, t, rng):
        self.system, self.t = system, t
        found = jd.assemble(system, {k: x for k, x in start.items() if k in system.names.q}, t=t)
        v = rng.uniform(-1.0, 1.0, len(system.names.v))
        self.q, self.v = system.project(found.q, v, t)

    @property
    def velocities(self):
        """All velocities by name, of cut joints too."""
        closing = self.system.answers("cut_velocities", self.q, self.v, t=self.t)
        cut = self.system.description.parts.cut_velocities
        return dict(zip(self.system.names.v, self.v, strict=True)) | dict(
            zip(cut, closing, strict=True)
        )

    def forces(self, by_name):
        """Arrays tau and extra of forces by the names of velocities."""
        s = self.system
        tau = np.array([by_name[n] for n in s.names.v])
        return tau, np.array([by_name[n] for n in s.extra_names])

    def moved(self, forces):
        """Accelerations of all bodies, and loads of all joints by name."""
        s, (tau, extra) = self.system, self.forces(forces)
        given = {"t": self.t, "extra": extra}
        vdot = s.answers("vdot", self.q, self.v, tau, **given)
        wrenches = s.answers("wrenches", self.q, self.v, tau, **given).reshape(-1, 6)
        found = s.loads(self.q, self.v, vdot, self.t, wrenches=wrenches)
        loads = {name: found[name] for name in found.joints if name in s.model.joints}
        rest = s.answers("cut_motion", self.q, self.v, tau, **given)
        for cut in s.topology.cuts:
            n = len(cut.kind.coordinates) + 2 * len(cut.kind.velocities)
            loads[cut.name], rest = rest[n : n + 6], rest[n + 6 :]
        return s.kinematics(self.q, self.v, vdot, self.t)[2], loads

    def rank(self):
        P = self.system.answers("jacobian", self.q, self.v, t=self.t)
        return int(np.linalg.matrix_rank(P, tol=1e-8)) if P.size else 0


def cuts_of(system):
    return [cut.name for cut in system.topology.cuts]


@pytest.fixture(scope="module", params=SEEDS)
def case(request):
    rng = np.random.default_rng(request.param)
    model, start, t = random_loop_model(rng, 3 + request.param % 2, 1 + request.param % 2)
    return Moving(jd.compile(model), start, t, rng), start


def test_recursion_with_cut_joints_is_free_bodies_with_multipliers(case, rng):
    """Accelerations, and the load of every cut joint, which is unique for independent rows."""
    moving, _ = case
    s, q, v, t = moving.system, moving.q, moving.v, moving.t
    tau = rng.normal(size=len(v))
    wanted = Augmented().accelerations(s, q, v, tau, t)
    found = s.forward_dynamics(q, v, tau, t)
    np.testing.assert_allclose(found, wanted, rtol=RTOL, atol=RTOL * np.abs(wanted).max())
    loads, cuts = Augmented().connection_loads(s, q, v, tau, t)
    rows = sum(6 - len(cut.kind.velocities) for cut in s.topology.cuts)
    if moving.rank() == rows:
        wrenches = s.answers("wrenches", q, v, tau, t).reshape(-1, 6)
        size = np.abs(loads).max() + 1.0
        np.testing.assert_allclose(wrenches, loads, atol=1e-8 * size)
        _, named = moving.moved(
            dict.fromkeys(s.extra_names, 0.0) | dict(zip(s.names.v, tau, strict=True))
        )
        for name, load in cuts.items():
            np.testing.assert_allclose(named[name], load, atol=1e-8 * size)


def test_it_does_not_matter_which_joint_is_cut(case, rng):
    moving, start = case
    model, t = moving.system.model, moving.t
    names = [f"{j.name}.{v}" for j in model.joints.values() for v in j.kind.velocities]
    forces = dict(zip(names, rng.normal(size=len(names)), strict=True))
    accelerations, loads = moving.moved(forces)
    first = moving.system.topology.loop(cuts_of(moving.system)[0])
    rotors = [name for name, j in model.joints.items() if j.armature]  # these cannot be cut
    others = [name for name in first if name not in (*cuts_of(moving.system), *rotors)]
    for other in rng.permutation(others)[:1].tolist():
        system = jd.compile(model, cut=[other, *cuts_of(moving.system)[1:]])
        twin = Moving(system, start, t, rng)
        twin.v = np.array([moving.velocities[n] for n in system.names.v])
        np.testing.assert_allclose(
            [twin.velocities[n] for n in moving.velocities], [*moving.velocities.values()],
            atol=1e-11,
        )  # fmt: skip
        found, found_loads = twin.moved(forces)
        np.testing.assert_allclose(found, accelerations, rtol=RTOL, atol=1e-8)
        size = max(np.abs(load).max() for load in loads.values())
        for name, load in loads.items():
            np.testing.assert_allclose(found_loads[name], load, atol=1e-7 * size, err_msg=name)


def test_constraints_hold_along_the_motion(case, rng):
    """Errors of positions and velocities have no slope: (q, v) move on the constraints."""
    moving, _ = case
    s, q, v, t, h = moving.system, moving.q, moving.v, moving.t, 1e-5
    tau = rng.normal(size=len(v))
    vdot, rates = s.forward_dynamics(q, v, tau, t), s.coordinate_rates(q, v, t)
    shifts = np.array([-h, h])
    state = q + np.outer(shifts, rates), v + np.outer(shifts, vdot)
    for name in ("position_errors", "velocity_errors"):
        errors = s.answers(name, *state, t=t + shifts)
        slope = (errors[1] - errors[0]) / (2 * h)
        assert np.abs(slope).max(initial=0.0) < 1e-6 * max(1.0, np.abs(vdot).max()), name


def test_power_balance(case, rng):
    """Energy of the bodies grows by the power of forces, drives and moving constraints."""
    moving, _ = case
    tau = rng.normal(size=len(moving.v))
    found = loop_checks.power(LoopCase(moving.system, moving.q, moving.v, tau, moving.t))
    assert found[""] < 1e-7


def test_power_of_forces_in_cut_joints(case, rng):
    """The same for forces along the coordinates of cut joints, without drives."""
    moving, _ = case
    s, q, v, t, h = moving.system, moving.q, moving.v, moving.t, 1e-4
    names = [*s.names.v, *s.extra_names]
    tau, extra = moving.forces(dict(zip(names, rng.normal(size=len(names)), strict=True)))
    run = Trajectory(s, np.array([t]), *(x[np.newaxis] for x in (q, v, 0 * v, tau, extra)), {})
    run.vdot = run.accelerations
    shifts = h * np.array([-2, -1, 1, 2])
    state = q + np.outer(shifts, run.rates[0]), v + np.outer(shifts, run.vdot[0])
    total = np.sum(s.energy(*state, t + shifts), axis=0)
    slope = (8 * (total[2] - total[1]) - (total[3] - total[0])) / (12 * h)
    powers = Power(run)
    given = powers.applied + powers.drives + powers.connections
    assert slope == pytest.approx(given[0], abs=1e-6 * (1.0 + np.abs(tau) @ np.abs(v)))


def test_order_of_bodies_and_joints(case, rng):
    """Bodies and joints added in another order: the same motion and the same unique loads."""
    moving, start = case
    model, t = moving.system.model, moving.t
    twin = jd.Model(model.name, model.gravity)
    for name in rng.permutation(list(model.bodies)).tolist():
        twin.add_body(name, model.bodies[name].inertia)
    for name in rng.permutation(list(model.joints)).tolist():
        j = model.joints[name]
        more = {"driven": dict(j.driven), "armature": dict(j.armature)}
        twin.add_joint(name, j.parent, j.child, j.kind, **more)
    names = [f"{j.name}.{v}" for j in model.joints.values() for v in j.kind.velocities]
    forces = dict(zip(names, rng.normal(size=len(names)), strict=True))
    accelerations, loads = moving.moved(forces)
    system = jd.compile(twin, cut=cuts_of(moving.system))
    other = Moving(system, start, t, rng)
    other.v = np.array([moving.velocities[n] for n in system.names.v])
    found, found_loads = other.moved(forces)
    order = [system.names.bodies.index(name) for name in moving.system.names.bodies]
    np.testing.assert_allclose(found[order], accelerations, rtol=RTOL, atol=1e-8)
    size = max(np.abs(load).max() for load in loads.values())
    for name, load in loads.items():
        np.testing.assert_allclose(found_loads[name], load, atol=1e-7 * size, err_msg=name)
