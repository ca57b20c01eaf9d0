"""Whatever is given, only errors of this package come out, and nothing hangs."""

import inspect
import math
import signal
import sys
from contextlib import contextmanager

import numpy as np
import pytest

import jourdain as jd

HOSTILE = [0, -1, math.nan, math.inf, 1e300, 10**400, True, None, "a", [], {}, object()]
IDS = ["0", "-1", "nan", "inf", "1e300", "10**400", "True", "None", "a", "[]", "{}", "object"]
SECONDS = 20


@contextmanager
def time_limit():
    """Fail instead of hanging."""
    if sys.platform == "win32":
        yield
        return

    def give_up(*_):
        pytest.fail(f"no answer within {SECONDS} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def is_ours(call):
    """Call; tell whether it was refused by this package. Anything else than that is a failure."""
    try:
        with time_limit():
            call()
    except jd.JourdainError:
        return True
    return False


def body():
    return jd.Model("m").add_body("b", jd.solid.ball(1.0, 0.1))


# Each constructor with arguments that fit; one after the other becomes hostile.
CONSTRUCTORS = {
    "solid.point": (jd.solid.point, {"mass": 1.0, "at": (0, 0, 1)}),
    "solid.rod": (jd.solid.rod, {"mass": 1.0, "end": (0, 0, 1), "start": (0, 0, 0)}),
    "solid.box": (jd.solid.box, {"mass": 1.0, "size": (1, 1, 1), "at": (0, 0, 1)}),
    "solid.ball": (jd.solid.ball, {"mass": 1.0, "radius": 0.1, "rotation": np.eye(3)}),
    "solid.cylinder": (jd.solid.cylinder, {"mass": 1.0, "radius": 0.1, "length": 1.0, "axis": "x"}),
    "solid.tube": (
        jd.solid.tube,
        {"mass": 1.0, "inner_radius": 0.1, "outer_radius": 0.2, "length": 1.0},
    ),
    "solid.cone": (jd.solid.cone, {"mass": 1.0, "radius": 0.1, "height": 1.0}),
    "solid.ellipsoid": (jd.solid.ellipsoid, {"mass": 1.0, "semi_axes": (1, 1, 1)}),
    "Inertia": (jd.Inertia, {"mass": 1.0, "com": (0, 0, 0), "moments": (1, 1, 1)}),
    "Parameter": (jd.Parameter, {"name": "p", "value": 1.0}),
    "Revolute": (jd.Revolute, {"axis": "z"}),
    "Screw": (jd.Screw, {"axis": "z", "pitch": 0.1}),
    "Spring": (jd.Spring, {"stiffness": 1.0, "free": 0.0}),
    "Damper": (jd.Damper, {"damping": 1.0}),
    "Maxwell": (jd.Maxwell, {"stiffness": 1.0, "time": 1.0}),
    "Force": (jd.Force, {"value": 1.0}),
    "Equal": (jd.Equal, {"value": 1.0}),
    "Unilateral": (jd.Unilateral, {"limit": 0.0, "side": "above", "restitution": 0.5}),
    "Unilateral impact": (jd.Unilateral, {"impact": jd.Poisson()}),
    "Interval": (jd.Interval, {"capacity": 1.0}),
    "Coulomb": (jd.Coulomb, {"friction": 0.3, "restitution": 0.1, "rolling": 0.1, "drilling": 0.1}),
    "Coulomb impact": (jd.Coulomb, {"impact": jd.Poisson(), "tangential_restitution": 0.0}),
    "Sphere": (jd.Sphere, {"frame": body(), "radius": 0.1}),
    "Box": (jd.Box, {"frame": body(), "size": (1, 1, 1)}),
    "HalfSpace": (jd.HalfSpace, {"frame": body()}),
    "Distance": (jd.Distance, {"start": body(), "end": body()}),
    "Coordinate": (jd.Coordinate, {"name": "a"}),
    "Dop853": (jd.Dop853, {"rtol": 1e-8, "atol": 1e-10, "max_step": 1.0}),
    "Radau5": (jd.Radau5, {"rtol": 1e-8, "atol": 1e-10, "max_step": 1.0}),
    "RungeKutta4": (jd.RungeKutta4, {"dt": 1e-3}),
    "Gauss4": (jd.Gauss4, {"dt": 1e-3}),
    "GeneralizedAlpha": (jd.GeneralizedAlpha, {"dt": 1e-3, "rho": 0.8}),
    "MoreauJean": (jd.MoreauJean, {"dt": 1e-3, "theta": 0.5, "tolerance": 1e-6, "iterations": 9}),
    "NonsmoothAlpha": (jd.NonsmoothAlpha, {"dt": 1e-3, "rho": 0.8}),
    "EventDriven": (jd.EventDriven, {"integrator": jd.Dop853(), "rest_speed": 1e-7}),
    "Event": (jd.Event, {"function": lambda t: t, "direction": 0}),
    "Sampled": (jd.Sampled, {"function": lambda t: t, "period": 0.1}),
    "Table": (jd.Table, {"x": [0.0, 1.0], "y": [0.0, 1.0]}),
    "Model": (jd.Model, {"name": "m", "gravity": (0, 0, -9.81)}),
}
PLACES = [(name, key) for name, (_, given) in CONSTRUCTORS.items() for key in given]


@pytest.mark.parametrize(("name", "key"), PLACES)
def test_constructors(name, key):
    make, given = CONSTRUCTORS[name]
    make(**given)
    refused = [is_ours(lambda x=x: make(**given | {key: x})) for x in HOSTILE]
    assert any(refused)


@pytest.fixture(scope="module")
def systems():
    model = jd.Model("pendulum")
    ball = model.add_body("ball", jd.solid.ball(jd.Parameter("m", 1.0), 0.1, at=(0, 0, -1)))
    model.add_joint("j", model.world, ball, jd.Revolute("y"))
    with_stop = model.copy()
    with_stop.add_connection("stop", jd.Coordinate("j.angle"), jd.Unilateral(-1.0))
    pile = jd.Model("pile")
    ball = pile.add_body("ball", jd.solid.ball(jd.Parameter("m", 1.0), 0.1))
    floor = jd.HalfSpace(pile.world.at(0, 0, -0.2))
    pile.add_contacts("heap", [floor, jd.Sphere(ball, 0.1)], jd.Coulomb(0.2))
    return {m.name + str(k): jd.compile(m) for k, m in enumerate((model, with_stop, pile))}


METHODS = {
    "pendulum0": (None, jd.RungeKutta4(1e-3)),
    "pendulum1": (None, jd.MoreauJean(1e-3), jd.NonsmoothAlpha(1e-3)),
    "pile2": (None,),
}
ARGUMENTS = {
    "t": lambda x: {"t": x},
    "t begin": lambda x: {"t": (x, 0.02)},
    "start": lambda x: {"start": x},
    "start value": lambda x: {"start": {"j.angle": x}},
    "start rate": lambda x: {"start": {"j.rate": x}},
    "method": lambda x: {"method": x},
    "constraints": lambda x: {"constraints": x},
    "inputs": lambda x: {"inputs": x},
    "input": lambda x: {"inputs": {"j.angle": x}},
    "input function": lambda x: {"inputs": {"j.angle": lambda t: x}},
    "sampled": lambda x: {"inputs": {"j.angle": jd.Sampled(lambda t: x, 0.01)}},
    "events": lambda x: {"events": x},
    "event": lambda x: {"events": {"e": x}},
    "event function": lambda x: {"events": {"e": lambda t: x}},
    "sample": lambda x: {"sample": x},
    "sample times": lambda x: {"sample": [0.0, x]},
    "parameters": lambda x: {"parameters": x},
    "parameter": lambda x: {"parameters": {"m": x}},
    "resume": lambda x: {"resume": x},
    "every": lambda x: {"every": x},
}
HERE = ["t", "start", "start value", "start rate", "input", "sample", "parameter", "event function"]


def simulate_with(system, method, argument, value):
    options = {"t": 0.02, "method": method, "sample": 0.01} | ARGUMENTS[argument](value)
    sol = jd.simulate(system, options.pop("t"), **options)
    assert np.isfinite(sol.q).all()
    assert np.isfinite(sol.v).all()
    assert not sol.is_complete or len(sol.time) >= 1


@pytest.mark.parametrize("argument", HERE)
def test_simulate(systems, argument):
    for x in HOSTILE:
        is_ours(lambda x=x: simulate_with(systems["pendulum0"], None, argument, x))


@pytest.mark.thorough
@pytest.mark.parametrize("value", HOSTILE, ids=IDS)
@pytest.mark.parametrize("argument", ARGUMENTS)
@pytest.mark.parametrize("name", METHODS)
def test_simulate_by_all_methods(systems, name, argument, value):
    for method in METHODS[name]:
        is_ours(lambda m=method: simulate_with(systems[name], m, argument, value))


def test_a_misspelt_argument_is_pythons_own_error(systems):
    with pytest.raises(TypeError, match="strat"):
        jd.simulate(systems["pendulum0"], 1.0, strat={})


def test_every_argument_of_simulate_is_tried():
    known = {"model", "progress", "save"} | {key for f in ARGUMENTS.values() for key in f(None)}
    assert known == set(inspect.signature(jd.simulate).parameters)
