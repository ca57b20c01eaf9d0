"""Compiled functions of a point on a table, against what can be written down."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.codegen.kernel import Kernel
from jourdain.equations.contact.contact_points import MODE
from jourdain.system.contact.kernels import ContactKernels

G, MASS, K, MU = 9.81, 2.0, 10.0, 0.5
OPEN, STICK = (0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def kernels():
    """A point with a spring along a table with friction; one sampled input pushes it."""
    model = jd.Model("point", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("x", MASS, unit="m")
    model.add_coordinate("z", MASS, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-MASS * G))
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(K))
    table = jd.Touch(jd.Coordinate("z"), jd.Coordinate("x"))
    model.add_connection("table", table, jd.Coulomb(MU))
    system = jd.compile(model)
    push = jd.Sampled(lambda t, s: 0.0, 0.1)
    return ContactKernels(
        system, {"x.value": push}, {"x.value": 0}, {"far": lambda t, s: s["x.value"] - t}
    )


def at(kernel, mode, x=0.3, speed=0.0, push=1.0, z=0.0, rate=0.0, t=0.2, along=()):
    q, v = np.array([x, z]), np.array([speed, rate])
    u = np.array([push, *mode, *[0.0] * (MODE - len(mode))])
    return kernel(q, v, u, t, np.zeros(0), *along)


def test_state_equation_in_its_modes(kernels):
    free = (1.0 - K * 0.3) / MASS
    np.testing.assert_allclose(at(kernels.rates, OPEN)[1], [free, -G])
    np.testing.assert_allclose(at(kernels.open_rates, STICK)[1], [free, -G])
    np.testing.assert_allclose(at(kernels.rates, STICK)[1], [0.0, 0.0], atol=1e-15)
    slides = at(kernels.rates, (1.0, 0.0, -1.0, 0.0), speed=-0.4)
    np.testing.assert_allclose(slides[0], [-0.4, 0.0])
    np.testing.assert_allclose(slides[1], [free + MU * G, 0.0], atol=1e-14)


def test_forces_in_their_modes(kernels):
    np.testing.assert_allclose(at(kernels.contact_forces, OPEN)[0], 0.0)
    held = [MASS * G, K * 0.3 - 1.0, 0.0]
    np.testing.assert_allclose(at(kernels.contact_forces, STICK)[0], held)
    slides = at(kernels.contact_forces, (1.0, 0.0, 1.0, 0.0))[0]
    np.testing.assert_allclose(slides, [MASS * G, -MU * MASS * G, 0.0])


def test_given_forces_change_no_motion_of_what_is_held(kernels):
    """Multipliers carry what given forces leave; slacks are added to indicators."""
    given = (1.0, 1.0, 0.25, 0.0, 0.5, 0.75, 4.0, 0.0)
    for name in ("rates", "contact_forces"):
        for a, b in zip(at(getattr(kernels, name), given), at(getattr(kernels, name), STICK),
                        strict=True):  # fmt: skip
            np.testing.assert_allclose(a, b, atol=1e-14)
    more = np.array([0.5, 0.75, 0.0])
    values = at(kernels.indicators, given)[0] - at(kernels.indicators, STICK)[0]
    np.testing.assert_allclose(values, more, atol=1e-13)


def test_given_forces_push_what_is_not_held(kernels):
    """A normal force of 4 N, and a quarter of its friction."""
    rests = (0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 4.0, 1.0)
    np.testing.assert_allclose(at(kernels.contact_forces, rests)[0], [4.0, -MU, 0.0])
    expected = [(1.0 - K * 0.3 - MU) / MASS, 4.0 / MASS - G]
    np.testing.assert_allclose(at(kernels.rates, rests)[1], expected)


def test_indicators_and_events(kernels):
    np.testing.assert_allclose(at(kernels.indicators, OPEN, z=0.1)[0], [0.1, 1.0, 0.1])
    held = at(kernels.indicators, STICK)[0]
    np.testing.assert_allclose(held, [MASS * G, MU * MASS * G - 2.0, 0.1])
    slides = at(kernels.indicators, (1.0, 0.0, -1.0, 0.0), speed=-0.4)[0]
    np.testing.assert_allclose(slides[:2], [MASS * G, 0.4])


def test_projection_closes_what_is_held(kernels):
    dq, dv, errors = at(kernels.projection, STICK, z=-0.01, speed=0.2, rate=-0.3)
    np.testing.assert_allclose(dq, [0.0, 0.01], atol=1e-16)
    np.testing.assert_allclose(dv, [-0.2, 0.3])
    np.testing.assert_allclose(errors, [0.01, 0.3])
    for change in at(kernels.projection, OPEN, z=-0.01, speed=0.2, rate=-0.3):
        np.testing.assert_allclose(change, 0.0)


def test_rows_and_their_response(kernels):
    gaps, u, bias, capacity, W, B, vdot = at(kernels.rows, OPEN, z=0.1, speed=0.2, rate=-0.3)
    np.testing.assert_allclose(gaps, [0.1])
    np.testing.assert_allclose(u, [-0.3, 0.2])
    np.testing.assert_allclose(bias, 0.0)
    np.testing.assert_allclose(capacity, MU)
    np.testing.assert_allclose(W, [[0, 1], [1, 0]])
    np.testing.assert_allclose(B, W / MASS)
    np.testing.assert_allclose(vdot, [(1.0 - 3.0) / MASS, -G])


def test_stiffness_of_the_forces_without_contact(kernels):
    by_v = at(kernels.tangent, OPEN, along=(np.zeros(2), np.eye(2)))[1].T
    by_q = at(kernels.tangent, OPEN, along=(np.eye(2), np.zeros(2)))[1].T
    np.testing.assert_allclose(by_v, 0.0)
    np.testing.assert_allclose(by_q, [[-K / MASS, 0.0], [0.0, 0.0]])


def test_inputs(kernels):
    tau, _ = at(kernels.inputs, OPEN, push=3.0)
    np.testing.assert_allclose(tau, [3.0, 0.0])


@pytest.mark.parametrize("method", [jd.EventDriven(), jd.MoreauJean(1e-3), jd.NonsmoothAlpha(1e-3)])
def test_second_run_with_contacts_lowers_nothing(method, monkeypatch):
    """Kernels of contacts are found by the graphs of inputs and events."""
    model = jd.Model("block")
    block = model.add_body("block", jd.solid.box(mass=1.0, size=(0.1, 0.1, 0.1)))
    model.add_joint("guide", model.world, block, jd.Prismatic("z"))
    model.add_connection("floor", jd.Coordinate("guide.position"), jd.Unilateral(restitution=0.5))
    system, lowered, plain = jd.compile(model), [], Kernel._compile

    def compiled(kernel, lanes):
        if lanes == 1:  # several lanes serve batches of results
            lowered.append(kernel)
        return plain(kernel, lanes)

    monkeypatch.setattr(Kernel, "_compile", compiled)

    def run(gain):
        inputs = {"guide.position": lambda t, s: -gain * s["guide.velocity"]}
        events = {"low": lambda t, s: s["guide.position"] - 0.2}
        start = {"guide.position": 0.5}
        return jd.simulate(system, 0.6, start=start, inputs=inputs, events=events, method=method)

    first = run(1.0)
    assert lowered
    lowered.clear()
    second = run(1.0)
    assert second.final == first.final
    assert [e.time for e in second.events] == [e.time for e in first.events]
    assert not lowered
    assert run(2.0).final["guide.position"] != first.final["guide.position"]
