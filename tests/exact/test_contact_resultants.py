"""Forces of contacts as results: in world axes, of several points together, of stops and brakes."""

import numpy as np
import pytest

import jourdain as jd

G = 9.81
EPS = np.finfo(float).eps


@pytest.mark.parametrize("order", [1, -1], ids=["plane first", "plane second"])
def test_force_in_world_axes_is_what_accelerates_the_body(order):
    """A body with a foot off its centre tumbles over a tilted plane: m a = m g + F."""
    model = jd.Model("tumbling")
    body = model.add_body("body", jd.solid.box(mass=2.0, size=(0.2, 0.1, 0.1)))
    plane = jd.HalfSpace(model.world, normal=tuple(np.array([2.0, 3.0, 6.0]) / 7.0))
    foot = jd.Sphere(body.at(0.01, 0.02, -0.05), 0.05)
    model.add_contact("plane", *(plane, foot)[::order], jd.Coulomb(0.2))
    sol = jd.simulate(model, 0.6, start={"body.position": (0, 0, 0.2)}, sample=0.02)
    force = order * sol.values("plane.force")
    wanted = 2.0 * (sol.values("body.acceleration") + np.array([0.0, 0.0, G]))
    assert np.linalg.norm(force, axis=1).max() > 10.0
    np.testing.assert_allclose(force, wanted, rtol=0, atol=1000 * EPS * np.abs(wanted).max())
    assert sol["plane.force"].attrs["axes"] == "world"


def test_points_of_one_contact_together():
    model = jd.Model("lying")
    body = model.add_body("book", jd.solid.box(mass=2.0, size=(0.2, 0.1, 0.05)))
    model.add_joint("plane", model.world, body, jd.Planar("y"))
    corners = ((-0.1, 0, -0.02), (0.1, 0, -0.02), (0.1, 0, 0.03), (-0.1, 0, 0.03))
    outline = jd.Polygon(body, corners)
    model.add_contact("table", jd.HalfSpace(model.world), outline, jd.Coulomb(0.3))
    sol = jd.simulate(model, 0.1, start={"plane.position.z": 0.02}, sample=0.05)
    np.testing.assert_allclose(sol.values("table.normal_force"), 2.0 * G, rtol=100 * EPS)
    np.testing.assert_allclose(sol.values("table.force")[-1], [0, 0, 2.0 * G], atol=1e-13)
    np.testing.assert_allclose(sol.values("table.gap"), 0.0, atol=1e-15)
    assert sol.values("table.3.gap")[-1] == pytest.approx(0.05)


@pytest.mark.parametrize("side", ["above", "below"])
def test_forces_of_stops_and_brakes_act_on_their_measure(side):
    """A stop takes 5 N of the 8 N that push, and a brake of 3 N the rest."""
    model = jd.Model("pressed", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("x", 1.0, unit="m")
    push = -8.0 if side == "above" else 8.0
    model.add_connection("push", jd.Coordinate("x"), jd.Force(push))
    model.add_connection("stop", jd.Coordinate("x"), jd.Unilateral(0.0, side))
    model.add_connection("brake", jd.Coordinate("x"), jd.Interval(3.0))
    sol = jd.simulate(model, 1.0, start={"x.value": -0.1 * push, "x.rate": 0.0}, sample=0.25)
    assert sol.values("brake.force")[0] == pytest.approx(-np.sign(push) * 3.0)
    total = sol.values("stop.force")[-1] + sol.values("brake.force")[-1]
    assert total == pytest.approx(-push, rel=1e-12)
    assert sol.values("stop.force")[-1] * push < 0.0


# -- Brakes with inputs ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def brake():
    model = jd.Model("wheel", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("wheel", 2.0)
    grip = jd.Interval(lambda x, v, at: 0.5 * at.input("pressure"), {"pressure": "Pa"})
    model.add_connection("brake", jd.Coordinate("wheel"), grip)
    return jd.compile(model)


METHODS = {"events": (None, 1e-9), "steps": (jd.MoreauJean(1e-2), 3e-5)}
METHODS["alpha"] = (jd.NonsmoothAlpha(1e-2), 3e-5)


@pytest.mark.parametrize("name", METHODS)
def test_pressure_of_a_brake_is_an_input(brake, name):
    """2 dω/dt = −2 t from 2 rad/s: at rest after 2 s, at 4 − 8/6 rad; steps err by (h/2)²."""
    method, tolerance = METHODS[name]
    sol = jd.simulate(
        brake, 2.5, start={"wheel.rate": 2.0}, sample=0.5, method=method,
        inputs={"brake.pressure": lambda t, s: 4.0 * t},
    )  # fmt: skip
    assert sol.final["wheel.value"] == pytest.approx(4.0 - 8.0 / 6.0, abs=tolerance)
    assert sol.final["wheel.rate"] == pytest.approx(0.0, abs=1e-12)
    assert sol.values("brake.pressure")[-1] == pytest.approx(10.0)


@pytest.mark.parametrize("name", METHODS)
def test_a_controller_releases_the_brake(brake, name):
    """Half a second of 2 N m on 2 kg m², then none."""

    def control(t, s):
        return 4.0 if t < 0.49 else 0.0

    sol = jd.simulate(
        brake, 1.0, start={"wheel.rate": 2.0}, sample=0.5, method=METHODS[name][0],
        inputs={"brake.pressure": jd.Sampled(control, 0.1)},
    )  # fmt: skip
    assert sol.final["wheel.rate"] == pytest.approx(1.5, abs=1e-13)
    assert sol.final["wheel.value"] == pytest.approx(0.875 + 0.75, abs=1e-13)


# -- What is not unique ----------------------------------------------------------------------------


@pytest.mark.parametrize("normal", [(0.0, 0.0, 1.0), (0.6, 0.0, 0.8)])
def test_friction_across_the_plane_of_a_machine_is_not_called_open(normal):
    """One foot on a plane: all that can move it is determined."""
    model = jd.Model("foot")
    body = model.add_body("body", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("plane", model.world, body, jd.Planar("y"))
    model.add_contact(
        "floor", jd.HalfSpace(model.world, normal), jd.Circle(body, 0.1, "y"), jd.Coulomb(3.0)
    )
    start = {"plane.position.x": 0.1 * normal[0], "plane.position.z": 0.1 * normal[2]}
    for method in (None, jd.MoreauJean(1e-2), jd.NonsmoothAlpha(1e-2)):
        sol = jd.simulate(model, 0.05, start=start, method=method, sample=0.05)
        assert sol.values("floor.normal_force")[-1] == pytest.approx(G * normal[2], rel=1e-9)
        assert sol.statistics.not_unique == (), method


def test_impacts_are_not_told_as_motions_that_may_jam():
    """A block that rocks from corner to corner meets the floor with high friction."""
    model = jd.Model("block")
    body = model.add_body("block", jd.solid.box(mass=1.0, size=(0.2, 0.1, 0.6)))
    model.add_joint("plane", model.world, body, jd.Planar("y"))
    corners = ((-0.1, 0, -0.3), (0.1, 0, -0.3), (0.1, 0, 0.3), (-0.1, 0, 0.3))
    model.add_contact(
        "floor", jd.HalfSpace(model.world), jd.Polygon(body, corners), jd.Coulomb(2.0)
    )
    tilt = 0.1
    start = {"plane.angle": tilt, "plane.position.z": 0.1 * np.sin(tilt) + 0.3 * np.cos(tilt)}
    sol = jd.simulate(model, 0.25, start=start, method=jd.MoreauJean(2e-3), sample=0.25)
    told = [(event.kind, event.name) for event in sol.events]
    assert [x for x in told if x[0] not in ("stick", "detachment")] == [("impact", "floor.1")]
