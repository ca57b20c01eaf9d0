"""Free bodies in a step: momentum, energy and the way of the centre of mass are exact."""

import numpy as np
import pytest

import jourdain as jd

OFFSET = jd.Inertia(mass=1.3, com=(0.1, 0.2, -0.05), moments=(0.02, 0.03, 0.045))


def tumbling(gravity, *, with_spring=False):
    """A body with its centre of mass beside its origin, near a contact it does not meet."""
    model = jd.Model("tumbling", gravity=gravity)
    body = model.add_body("body", OFFSET)
    model.add_contact(
        "floor", jd.HalfSpace(model.world.at(0, 0, -9)), jd.Point(body), jd.Unilateral()
    )
    if with_spring:
        model.add_connection("spring", jd.Distance(model.world, body), jd.Spring(1e-12, 0.0))
    start = {"body.angular_velocity": (3.0, 0.1, 4.0), "body.velocity": (0.1, 0.2, 0.3)}
    return model, start | {"body.position": (1.0, 0.0, 0.0)}


def test_momentum_and_energy_are_kept():
    model, start = tumbling((0, 0, 0))
    sol = jd.simulate(model, 1.0, start=start, method=jd.MoreauJean(1e-2), sample=0.25)
    for name in ("energy.total", "momentum.linear", "momentum.angular"):
        np.testing.assert_allclose(sol[name], sol[name].values[[0] * 5], rtol=1e-12, atol=1e-13)


def test_the_centre_of_mass_falls_on_its_parabola():
    model, start = tumbling((0, 0, -9.81))
    sol = jd.simulate(model, 1.0, start=start, method=jd.MoreauJean(1e-2), sample=0.5)
    first = np.add(OFFSET.com, (1.0, 0.0, 0.0))
    speed = np.array((0.1, 0.2, 0.3)) + np.cross((3.0, 0.1, 4.0), OFFSET.com)
    wanted = first + speed - (0.0, 0.0, 0.5 * 9.81)
    w, x, y, z = sol.q[-1, 3:7]
    turn = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip
    np.testing.assert_allclose(sol.q[-1, :3] + turn @ OFFSET.com, wanted, atol=1e-12)
    total = sol["energy.total"].values
    np.testing.assert_allclose(total, total[0], rtol=1e-12)


def test_bodies_on_springs_take_the_general_step_of_order_two():
    """With a spring the body is no longer left to itself; both steps tend to the same motion."""
    errors = []
    for h in (4e-3, 2e-3):
        ends = []
        for with_spring in (False, True):
            model, start = tumbling((0, 0, -9.81), with_spring=with_spring)
            sol = jd.simulate(model, 0.4, start=start, method=jd.MoreauJean(h), sample=0.4)
            ends.append(sol.q[-1, :7])
        errors.append(np.abs(ends[0] - ends[1]).max())
    assert errors[0] < 1e-3
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
