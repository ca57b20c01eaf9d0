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


@pytest.fixture(scope="module")
def moving(model):
    """A state, and consistent accelerations of all coordinates by name."""
    drives = {"main.angle": lambda t: 0.5 + 2.0 * t + 1.5 * t * t, "shaft": lambda t: 2.0 * t * t}
    motion = jd.kinematics(model, 0.1, driven=drives, sample=0.1)
    quantities = ("main.angular_acceleration", "pin.angular_acceleration", "guide.acceleration",
                  "guide.angular_acceleration")  # fmt: skip
    names = "main.angle", "pin.angle", "guide.position", "guide.angle"
    values = {n: float(motion[k][0]) for n, k in zip(names, quantities, strict=True)}
    return values | {"shaft": 4.0}


def state_of(system):
    return jd.assemble(system, {"main.angle": 0.5, "main.rate": 2.0})


@pytest.mark.parametrize("cut", ["main", "pin", "guide"])
@pytest.mark.parametrize("given", ["main.angle", "pin.angle", "guide.position", "guide.angle"])
def test_any_coordinate_may_be_the_given_one(model, moving, cut, given):
    """One degree of freedom beside the shaft: whichever is given, cut or not, the rest follows."""
    system = jd.compile(model, cut=cut)
    vdot = accelerate(system, state_of(system), {given: moving[given], "shaft": 4.0}, None)
    rates = {"main.rate": "main.angle", "pin.rate": "pin.angle", "shaft.rate": "shaft",
             "guide.velocity": "guide.position", "guide.rate": "guide.angle"}  # fmt: skip
    for name, value in zip(system.names.v, vdot, strict=True):
        assert value == pytest.approx(moving[rates[name]], rel=1e-9)


@pytest.mark.parametrize("cut", ["main", "pin", "guide"])
def test_all_coordinates_may_be_given_if_they_agree(model, moving, cut):
    system = jd.compile(model, cut=cut)
    few = accelerate(system, state_of(system), {"main.angle": 3.0, "shaft": 4.0}, None)
    every = accelerate(system, state_of(system), moving, None)
    assert every == pytest.approx(few, rel=1e-9)


def test_accelerations_that_open_the_loop(model, moving):
    """All are given and one is 1 rad/s² off: the end of the rod, 2 m long, leaves the guide."""
    system = jd.compile(model, cut="guide")
    wrong = moving | {"pin.angle": moving["pin.angle"] + 1.0}
    with pytest.raises(jd.ModelError) as caught:
        accelerate(system, state_of(system), wrong, None)
    b = np.arcsin(-np.sin(0.5) / 2)
    opens = f"opens at joint 'guide' by {2 * np.cos(b):.4g} m/s^2 and 0 rad/s^2"
    assert f"the loop main - pin - guide {opens}" in str(caught.value)
    assert "in the loop main - pin - guide, 'guide.angle' is off by 1 m/s^2" in str(caught.value)


@pytest.mark.parametrize(("cut", "loop"), [("main", "guide - pin - main"), ("pin", "")])
def test_accelerations_that_open_the_loop_elsewhere(model, moving, cut, loop):
    system = jd.compile(model, cut=cut)
    wrong = moving | {"pin.angle": moving["pin.angle"] + 1.0}
    with pytest.raises(jd.ModelError, match=f"in the loop {loop}.*, '{cut}.angle' is off by 1 m/"):
        accelerate(system, state_of(system), wrong, None)
