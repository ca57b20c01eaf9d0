"""Which of several motions happens: Painlevé's rod, oblique impacts, tables and cams that leave."""

from itertools import product

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import IntegrationError

G = 9.81


@pytest.fixture(scope="module", params=[1.2, 2.0])
def rod(request):
    """A rod of 1 m and 1 kg that slides on its tip; friction is limited by 4/3 for uniqueness."""
    model = jd.Model("rod", gravity=(0.0, 0.0, 0.0))
    for name, inertia in (("x", 1.0), ("z", 1.0), ("angle", 1 / 12)):
        model.add_coordinate(name, inertia, unit="rad" if name == "angle" else "m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-G))
    gap = jd.Formula(lambda at: at.coordinate("z") - 0.5 * jd.sin(at.coordinate("angle")))
    slip = jd.Formula(lambda at: at.coordinate("x") - 0.5 * jd.cos(at.coordinate("angle")))
    model.add_connection("tip", jd.Touch(gap, slip), jd.Coulomb(request.param))
    return request.param, jd.compile(model)


def kind_of(system, start):
    try:
        sol = jd.simulate(system, 1e-4, start=start, sample=1e-4)
    except IntegrationError as error:
        return "none" if "Painlevé" in str(error) else str(error)
    kinds = [event.kind for event in sol.events]
    return "two" if "not_unique" in kinds else "slides" if kinds == ["slip"] else "leaves"


@pytest.mark.parametrize("way", [-1.0, 1.0])
def test_regions_of_the_painleve_rod(rod, way):
    """The gap accelerates by A N + b: A, b > 0 leaves, A > 0 > b slides, A, b < 0 has no motion."""
    mu, system = rod
    found = set()
    for angle, rate in product((0.5, 1.0, 1.3), (0.0, 8.0)):
        s, c = np.sin(angle), np.cos(angle)
        A, b = 1 + 3 * c * c + 3 * mu * way * s * c, 0.5 * s * rate**2 - G
        wanted = ("leaves" if b > 0 else "slides") if A > 0 else ("two" if b > 0 else "none")
        start = {"angle.value": angle, "z.value": 0.5 * s, "angle.rate": rate}
        start |= {"z.rate": 0.5 * c * rate, "x.rate": way - 0.5 * s * rate}
        assert kind_of(system, start) == wanted, (angle, rate)
        found.add(wanted)
    is_critical = mu > 4 / 3 and way < 0.0
    assert found >= ({"none", "two", "slides"} if is_critical else {"slides", "leaves"})


@pytest.mark.parametrize("impact", [jd.Newton(), jd.Poisson()], ids=["newton", "poisson"])
@pytest.mark.parametrize("mu", [0.05, 1.0], ids=["slides", "sticks"])
def test_oblique_impact_of_two_spheres(mu, impact):
    """Masses 1 and 2 kg, radii 0.1 and 0.2 m: central impact, friction up to what stops sliding."""
    model = jd.Model("billiard", gravity=(0.0, 0.0, 0.0))
    a = model.add_body("a", jd.solid.ball(mass=1.0, radius=0.1))
    b = model.add_body("b", jd.solid.ball(mass=2.0, radius=0.2))
    law = jd.Coulomb(mu, restitution=0.6, impact=impact)
    model.add_contact("touch", jd.Sphere(a, 0.1), jd.Sphere(b, 0.2), law)
    v = np.array([2.0, 1.0, 0.5])
    start = {"a.position": tuple(np.array([-0.3, 0, 0]) - 0.05 * v), "a.velocity": tuple(v)}
    sol = jd.simulate(model, 0.1, start=start, sample=0.1)
    normal = 1.6 * v[0] / (1 / 1 + 1 / 2)
    speed = np.hypot(*v[1:])
    stop = speed / (3.5 / 1 + 3.5 / 2)  # a sphere answers to tangential impulses with 7/2 of 1/m
    P = -np.array([normal, *(min(mu * normal, stop) * v[1:] / speed)])
    assert (mu * normal < stop) == (mu == 0.05)
    np.testing.assert_allclose(sol.values("a.velocity")[-1], v + P, atol=1e-13)
    np.testing.assert_allclose(sol.values("b.velocity")[-1], -P / 2.0, atol=1e-13)
    spin = np.cross([0.1, 0, 0], P) / (0.4 * 0.1**2)
    np.testing.assert_allclose(sol.values("a.angular_velocity_world")[-1], spin, atol=1e-12)


def test_a_vibrating_table_throws_what_lies_on_it():
    """A sin ωt falls faster than free from ω² A sin ωt = g on."""
    A, w = 0.01, 50.0
    model = jd.Model("table", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-G))
    above = jd.Formula(lambda at: at.coordinate("z") - A * jd.sin(w * at.t))
    model.add_connection("table", above, jd.Unilateral())
    leaves = np.arcsin(G / (A * w * w)) / w
    sol = jd.simulate(model, leaves + 0.02, start={"z.rate": A * w}, sample=0.01)
    assert [event.kind for event in sol.events] == ["contact", "detachment"]
    assert sol.events[1].time == pytest.approx(leaves, rel=1e-12)
    flight = A * np.sin(w * leaves) + A * w * np.cos(w * leaves) * 0.02 - 0.5 * G * 0.02**2
    assert sol.final["z.value"] == pytest.approx(flight, abs=1e-13)


@pytest.mark.parametrize(("share", "leaves"), [(0.999, False), (1.001, True)])
def test_speed_at_which_a_follower_leaves_its_cam(share, leaves):
    """Eccentric cam, flat follower: at the top the spring gives 30 N and 0.002 ω² N are needed."""
    speed = share * np.sqrt(30.0 / 0.002)
    model = jd.Model("cam", gravity=(0.0, 0.0, 0.0))
    cam = model.add_body("cam", jd.solid.cylinder(mass=1.0, radius=0.03, length=0.02))
    follower = model.add_body("follower", jd.solid.box(mass=0.2, size=(0.05, 0.01, 0.02)))
    model.add_joint("shaft", model.world, cam.at(-0.01, 0, 0), jd.Revolute("z"))
    model.add_joint("guide", model.world, follower, jd.Prismatic("y"))
    model.add_connection("motor", jd.Coordinate("shaft.angle"), jd.Equal(lambda t: speed * t))
    spring = jd.Spring(500.0, free=-0.02)
    model.add_connection("spring", jd.Coordinate("guide.position"), spring)
    face = jd.HalfSpace(follower, normal="-y")
    model.add_contact("tappet", face, jd.Circle(cam, 0.03), jd.Unilateral())
    start = {"guide.position": 0.03, "guide.velocity": 0.01 * speed}
    sol = jd.simulate(model, 1.9 / speed, start=start, sample=0.1 / speed)
    assert any(event.kind == "detachment" for event in sol.events) == leaves


def test_time_at_which_a_bouncing_ball_has_come_to_rest():
    """√(2h/g) (1 + e)/(1 − e) = 8.578949 s, but for 2 v/(g (1 − e)) of slow rebounds."""
    model = jd.Model("ball", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-G))
    model.add_connection("floor", jd.Coordinate("z"), jd.Unilateral(restitution=0.9))
    sol = jd.simulate(model, 10.0, start={"z.value": 1.0}, sample=1.0)
    rest = sol.events[-1]
    assert rest.kind == "contact"
    assert rest.time == pytest.approx(8.578949, abs=5e-7 + 2e-7 / (0.1 * G))
    assert abs(sol.final["z.value"]) <= 1e-15
