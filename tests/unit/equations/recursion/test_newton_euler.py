"""Inverse dynamics and joint loads against closed forms, on plain numbers."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.recursion.links import build_links
from jourdain.equations.recursion.newton_euler import GRAVITY, INVERSE, INVERSE_LOADED, LOADS
from jourdain.equations.recursion.sweeps import lay_out, run
from jourdain.topology import build

MASS, LENGTH, MOMENT, G = 2.0, 0.6, 0.05, 9.81


@pytest.fixture(params=[False, True], ids=["forward", "reversed"])
def pendulum(request):
    """Hinge about y, centre of mass a length below it; the angle keeps its sense when reversed."""
    model = jd.Model("pendulum")
    body = model.add_body("body", jd.Inertia(MASS, (0, 0, -LENGTH), (0.06, MOMENT, 0.04)))
    ends = (body, model.world) if request.param else (model.world, body)
    model.add_joint("hinge", *ends, jd.Revolute("-y" if request.param else "y"))
    links = build_links(model, build(model), {}, share=False)
    return links, lay_out(links, range(len(links)), ["body"])


def evaluated(recursion, pendulum, **inputs):
    columns = {name: np.array(values, dtype=float) for name, values in inputs.items()}
    columns |= {"t": 0.0} | dict.fromkeys(("e", "e1", "e2"), np.zeros(0))
    return run(recursion, *pendulum, columns, np.array((0, 0, -G)))


def test_torque_of_a_pendulum(pendulum):
    angle, rate, acceleration = 0.7, 2.0, 1.5
    (torque,) = evaluated(INVERSE, pendulum, q=[angle], v=[rate], vdot=[acceleration])["tau"]
    inertia = MOMENT + MASS * LENGTH**2
    expected = inertia * acceleration + MASS * G * LENGTH * np.sin(angle)
    np.testing.assert_allclose(torque, [expected])


def test_weight_alone(pendulum):
    (torque,) = evaluated(GRAVITY, pendulum, q=[0.7])["tau"]
    np.testing.assert_allclose(torque, [MASS * G * LENGTH * np.sin(0.7)])


def test_wrenches_reduce_the_torque(pendulum):
    state = {"q": [0.7], "v": [0.0], "vdot": [0.0]}
    wrench = [0, 3.0, 0, 0, 0, 0]
    (torque,) = evaluated(INVERSE_LOADED, pendulum, wrench=wrench, **state)["tau"]
    np.testing.assert_allclose(torque, [MASS * G * LENGTH * np.sin(0.7) - 3.0])


def test_loads_carry_weight_and_centrifugal_force(pendulum):
    """Hanging straight down at a rate; torque about the hinge, force on the child of the joint."""
    rate = 2.0
    found = evaluated(LOADS, pendulum, q=[0.0], v=[rate], vdot=[0.0], wrench=np.zeros(6))
    pull = MASS * (G + rate**2 * LENGTH)
    sign = -1.0 if pendulum[0][0].motion.is_reversed else 1.0
    expected = (0, 0, 0, 0, 0, sign * pull)
    np.testing.assert_allclose(found["interaction"][0], expected, atol=1e-14)
    np.testing.assert_allclose(found["tau"][0], [0.0], atol=1e-14)
    np.testing.assert_array_equal(found["drive"][0], np.zeros(6))


def test_drives_have_a_load():
    model = jd.Model("driven")
    body = model.add_body("body", jd.Inertia(MASS, (0, 0, -LENGTH), (0.06, MOMENT, 0.04)))
    model.add_joint("hinge", model.world, body, jd.Revolute("y"), driven={"angle": 0.7})
    links = build_links(model, build(model), {}, share=False)
    layout = lay_out(links, range(1), ["body"])
    empty = dict.fromkeys(("q", "v", "vdot"), np.zeros(0))
    drives = {"e": np.array([0.7]), "e1": np.zeros(1), "e2": np.zeros(1)}
    inputs = {**empty, **drives, "t": 0.0, "wrench": np.zeros(6)}
    found = run(LOADS, links, layout, inputs, np.array((0, 0, -G)))
    expected = (MASS * G * LENGTH * np.sin(0.7), 0, 0, 0, 0, 0)
    np.testing.assert_allclose(found["drive"][0], expected, atol=1e-14)
