from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.given_motion import accelerate, samples_of

Y = jd.Revolute("y")


@pytest.fixture(scope="module")
def model():
    """Slider-crank with a free ball and a shaft beside it."""
    model = jd.Model("machine")
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(2, 0, 0)))
    model.add_joint("main", model.world, crank, Y)
    model.add_joint("pin", crank.at(1, 0, 0), rod, Y)
    model.add_joint("guide", model.world, rod.at(2, 0, 0), jd.Prismatic("x") * Y)
    model.add_coordinate("shaft", 1.0)
    return model


def test_samples_by_name_of_a_machine_with_drives(model):
    drives = {"main.angle": lambda t: 0.5 + t * t, "shaft": lambda t: 3.0 * t}
    motion = jd.kinematics(model, 1.0, driven=drives, sample=0.25)
    system = jd.compile(model)
    time, q, v, vdot = samples_of(motion, system)
    assert motion.system.names != system.names
    k = system.names.v.index("main.rate")
    assert v[:, k] == pytest.approx(2 * time)
    assert vdot[:, k] == pytest.approx(np.full(5, 2.0))
    assert q[:, system.names.q.index("shaft.value")] == pytest.approx(3 * time)
    errors = system.answers("position_errors", q, v)
    assert errors == pytest.approx(np.zeros_like(errors), abs=1e-11)
    P, gamma = system.answers("jacobian", q, v), system.answers("row_biases", q, v)
    assert np.einsum("nij,nj->ni", P, vdot) == pytest.approx(-gamma, abs=1e-10)


def test_samples_of_the_same_system_are_its_own(model):
    sol = jd.simulate(model, 0.1, start=jd.assemble(model, {"main.angle": 0.5}), sample=0.05)
    time, q, v, vdot = samples_of(sol, sol.system)
    assert time is sol.time
    assert (q is sol.q, v is sol.v, vdot is sol.vdot) == (True, True, True)


def test_accelerations_follow_from_the_constraints(model):
    system = jd.compile(model)
    state = jd.assemble(system, {"main.angle": 0.5, "main.rate": 2.0})
    vdot = accelerate(system, state, {"main.angle": 3.0, "shaft": 4.0}, None)
    names = system.names.v
    assert vdot[names.index("main.rate")] == pytest.approx(3.0)
    assert vdot[names.index("shaft.rate")] == pytest.approx(4.0)
    # sin(pin + main) = -sin(main) / 2, differentiated twice
    a, w = 0.5, 2.0
    b = np.arcsin(-np.sin(a) / 2)
    rate = -np.cos(a) / 2 * w / np.cos(b)
    second = (np.sin(a) / 2 * w**2 - np.cos(a) / 2 * 3.0 + np.sin(b) * rate**2) / np.cos(b)
    assert vdot[names.index("pin.rate")] == pytest.approx(second - 3.0)
