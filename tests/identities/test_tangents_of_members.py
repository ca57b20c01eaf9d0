"""Tangents of the state equation against differences, for every law, measure and joint kind.

In loops, in straight-line code and as an interpreted graph laws and measures are the same.

A member that is added to `all_laws`, `all_measures` or `all_joint_kinds` is tested here by that.
"""

import functools

import casadi as ca
import numpy as np
import pytest

import jourdain as jd
from jourdain.model.joints import all_joint_kinds
from jourdain.model.laws import all_laws
from jourdain.model.measures import all_measures
from jourdain.system.state import (
    state_expressions,
    state_kernel,
    state_symbols,
    tangent_kernel,
)
from jourdain.testing import all_user_kinds

WAYS = [jd.Unrolled(), pytest.param(jd.Looped(), marks=pytest.mark.slow)]
COMPONENTS = {3: "x y rz", 6: "pose"}
STEP = 1e-4
PLACES, WEIGHTS = np.arange(-3, 4), np.array([-1, 9, -45, 0, 45, -9, 1]) / 60.0


def machine():
    """Bodies a and b, the joint j and the coordinate s, which all measures refer to."""
    model = jd.Model("machine")
    a = model.add_body("a", jd.solid.rod(mass=1.0, end=(0.5, 0.1, 0.2)))
    b = model.add_body("b", jd.solid.box(mass=2.0, size=(0.3, 0.2, 0.1)))
    model.add_coordinate("s", inertia=1.0, unit="m")
    model.add_joint("j", model.world, a, jd.Revolute((0.6, 0.0, 0.8)))
    model.add_joint("k", model.world.at(0.3, 0.5, 0.2), b, jd.Free())
    return model


def of_laws():
    """Every law between places of its own."""
    model, rng = machine(), np.random.default_rng(2)
    a, b = (model.bodies[name] for name in "ab")
    for k, (law, size) in enumerate(all_laws()):
        ends = a.at(*rng.normal(size=3)), b.at(*rng.normal(size=3))
        measure = jd.Distance(*ends) if size == 1 else jd.Relative(*ends, COMPONENTS[size])
        model.add_connection(f"c_{k}", measure, law)
    return model


def bent(weights):
    """Law that is nonlinear in values, if there are any, and rates."""
    n = len(weights)

    def force(x, v):
        values, rates = (
            [y] if n == 1 else [y[k] for k in range(n if np.size(y) else 0)] for y in (x, v)
        )
        values = rates if np.shape(x)[:1] == (0,) else values
        given = zip(weights, values, rates, strict=True)
        parts = [w * (jd.sin(a) + 0.1 * b * b) for w, a, b in given]
        return tuple(parts) if n > 1 else parts[0]

    return jd.Law(force)


def of_measures():
    """Every measure."""
    model, rng = machine(), np.random.default_rng(3)
    for k, measure in enumerate(all_measures()):
        model.add_connection(f"c_{k}", measure, bent(rng.normal(size=measure.size)))
    return model


def of_kinds():
    """Every joint kind between the world and a body on springs."""
    model, rng = jd.Model("kinds"), np.random.default_rng(4)
    for k, kind in enumerate((*all_joint_kinds(), *all_user_kinds())):
        body = model.add_body(f"b_{k}", jd.solid.box(mass=1.3, size=(0.3, 0.2, 0.1)))
        model.add_joint(f"j_{k}", model.world, body.at(*(0.2 * rng.normal(size=3))), kind)
        law = jd.Spring(20.0, free=0.3) + jd.Damper(1.0)
        model.add_connection(f"s_{k}", jd.Distance(body, model.world.at(*rng.normal(size=3))), law)
    return model


@functools.cache
def system_of(make, way):
    return jd.compile(make(), execution=way)


def state_of(system, rng):
    q, v = system.state()
    return q + 0.1 * rng.normal(size=q.shape), rng.normal(size=v.shape)


def interpreted(system, q, v, along):
    """Rates and their tangent from the expressions, without any code."""
    x = state_symbols(system, 0)
    extra = ca.SX.zeros(len(system.extra_names))
    found = ca.vertcat(*state_expressions(system, x, ca.SX.zeros(len(v)), extra, None).values())
    y, y_dot = ca.vertcat(x["q"], x["v"]), ca.SX.sym("y_dot", len(q) + len(v))
    outputs = [found, ca.jtimes(found, y, y_dot)]
    f = ca.Function("state", [*x.values(), y_dot], outputs)
    p = system.parameter_array(None)
    return [np.array(z).reshape(-1) for z in f(q, v, [], 0.3, p, np.concatenate(along))]


@pytest.mark.slow
@pytest.mark.parametrize("make", [of_laws, of_measures])
def test_every_way_gives_the_same(make):
    """Joint kinds: see `test_execution`."""
    system, looped = system_of(make, jd.Unrolled()), system_of(make, jd.Looped())
    rng = np.random.default_rng(6)
    q, v = state_of(system, rng)
    along = rng.normal(size=q.shape), rng.normal(size=v.shape)
    expected = interpreted(system, q, v, along)
    given = q, v, np.zeros(0), 0.3, system.parameter_array(None)
    for own in (system, looped):
        found = (
            state_kernel(own, {}, {}).run(*given),
            tangent_kernel(own, {}, {}).run(*given, *along),
        )
        for a, b in zip(found, expected, strict=True):
            size = np.abs(b).max()
            np.testing.assert_allclose(np.concatenate(a), b, rtol=1e-12, atol=1e-12 * size)


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize(
    "make", [of_laws, of_measures, pytest.param(of_kinds, marks=pytest.mark.slow)]
)
def test_tangents_are_differences(make, way):
    system, rng = system_of(make, way), np.random.default_rng(5)
    q, v = state_of(system, rng)
    rates, tangent = state_kernel(system, {}, {}), tangent_kernel(system, {}, {})
    given = np.zeros(0), 0.3, system.parameter_array(None)
    for _ in range(3):
        dq, dv = rng.normal(size=q.shape), rng.normal(size=v.shape)
        around = [
            np.concatenate(rates.run(q + k * STEP * dq, v + k * STEP * dv, *given)) for k in PLACES
        ]
        expected = WEIGHTS @ np.array(around) / STEP
        found = np.concatenate(tangent.run(q, v, *given, dq, dv))
        assert np.isfinite(found).all()
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7 * np.abs(expected).max())
