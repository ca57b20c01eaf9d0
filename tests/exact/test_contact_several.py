"""Several contacts at once: a block that slides, tips, rocks and lands; contact in a loop."""

import numpy as np
import pytest

import jourdain as jd

G, WIDTH, HEIGHT = 9.81, 0.2, 0.6  # [m/s^2], [m]
INERTIA = (WIDTH**2 + HEIGHT**2) / 12  # of a block of 1 kg
NO_GRAVITY = (0.0, 0.0, 0.0)


def kinds(sol):
    return [(event.kind, event.name) for event in sol.events]


def corner(side):
    """Position of a lower corner of a block that turns over its right side."""

    def position(at):
        angle = at.coordinate("angle")
        x, z = 0.5 * side * WIDTH, -0.5 * HEIGHT
        return (
            at.coordinate("x") + x * jd.cos(angle) + z * jd.sin(angle),
            at.coordinate("z") - x * jd.sin(angle) + z * jd.cos(angle),
        )

    return position


def coordinate_of(side, k):
    place = corner(side)
    return lambda at: place(at)[k]


def block_model(impact=jd.Poisson()):  # noqa: B008
    model = jd.Model("block", gravity=NO_GRAVITY)
    for name, inertia in (("x", 1.0), ("z", 1.0), ("angle", INERTIA)):
        model.add_coordinate(name, inertia, unit="rad" if name == "angle" else "m")
    slope = jd.Parameter("slope", 0.0)  # part of gravity along the ground
    model.add_connection("push", jd.Coordinate("x"), jd.Force(G * slope))
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-G))
    law = jd.Coulomb(jd.Parameter("friction", 2.0), jd.Parameter("bounce", 0.0), impact=impact)
    for name, side in (("left", -1), ("right", 1)):
        slip, gap = (jd.Formula(coordinate_of(side, k)) for k in (0, 1))
        model.add_connection(name, jd.Touch(gap, slip), law)
    return model


@pytest.fixture(scope="module")
def block():
    return jd.compile(block_model())


def on_the_right_corner(angle):
    """Start at which the block stands tilted on its right corner."""
    x, z = 0.5 * WIDTH, -0.5 * HEIGHT
    height = x * np.sin(angle) - z * np.cos(angle)
    return {"angle.value": angle, "z.value": height}


UPRIGHT = {"z.value": 0.5 * HEIGHT}


def test_block_rests_slides_and_tips(block):
    """It slides where the slope exceeds μ, and tips where it exceeds width over height."""
    ratio = WIDTH / HEIGHT
    rest = jd.simulate(block, 1.0, start=UPRIGHT, parameters={"slope": 0.9 * ratio}, sample=0.5)
    assert np.abs(rest.q - (0.0, 0.3, 0.0)).max() <= 1e-13
    forces = [rest.values(f"{name}.normal_force")[-1] for name in ("left", "right")]
    np.testing.assert_allclose(forces, [0.05 * G, 0.95 * G], rtol=1e-12)
    low = {"slope": 0.9 * ratio, "friction": 0.2}
    slide = jd.simulate(block, 1.0, start=UPRIGHT, parameters=low, sample=0.5)
    acceleration = G * (0.9 * ratio - 0.2)
    np.testing.assert_allclose(slide.q[-1], [0.5 * acceleration, 0.3, 0.0], atol=1e-12)
    tip = jd.simulate(block, 0.01, start=UPRIGHT, parameters={"slope": 1.5 * ratio}, sample=0.01)
    moment = 1.5 * ratio * G * 0.5 * HEIGHT - G * 0.5 * WIDTH
    about_corner = INERTIA + 0.25 * (WIDTH**2 + HEIGHT**2)
    assert kinds(tip) == [("stick", "right")]
    assert tip.values("angle.angular_acceleration")[0] == pytest.approx(
        moment / about_corner, rel=1e-12
    )


def test_rocking_block_loses_what_housner_says(block):
    """Each landing keeps 1 − 3/2 sin²α of the angular velocity; energy fixes it before."""
    sol = jd.simulate(block, 0.6, start=on_the_right_corner(0.1), sample=0.1)
    impacts = [event for event in sol.events if event.kind == "impact"]
    drop = on_the_right_corner(0.1)["z.value"] - 0.5 * HEIGHT
    about_corner = INERTIA + 0.25 * (WIDTH**2 + HEIGHT**2)
    speed = np.sqrt(2 * G * drop / about_corner)
    keeps = 1 - 1.5 * WIDTH**2 / (WIDTH**2 + HEIGHT**2)
    assert [event.name for event in impacts] == ["left", "right"]
    for k, event in enumerate(impacts):
        assert abs(event.v[2]) == pytest.approx(speed * keeps**k, rel=1e-8)
        assert abs(event.details["v_after"][2]) == pytest.approx(speed * keeps ** (k + 1), rel=1e-8)
    lost = 0.5 * about_corner * speed**2 * (keeps**4 - 1)
    assert sum(event.details["energy"] for event in impacts) == pytest.approx(lost, rel=1e-8)


@pytest.mark.parametrize("bounce", [0.0, 0.5])
def test_block_lands_flat_on_both_corners(block, bounce):
    sol = jd.simulate(
        block, 0.25, start={"z.value": 0.5 * HEIGHT + 0.2}, parameters={"bounce": bounce},
        sample=0.25,
    )  # fmt: skip
    hit = sol.events[0]
    assert (hit.kind, hit.name) == ("impact", "left, right")
    assert hit.time == pytest.approx(np.sqrt(2 * 0.2 / G), rel=1e-12)
    speed = np.sqrt(2 * 0.2 * G)
    np.testing.assert_allclose(hit.details["v_after"], [0, bounce * speed, 0], atol=1e-12)
    impulses = [0.5 * (1 + bounce) * speed] * 2
    np.testing.assert_allclose([part[0] for part in hit.details["impulses"]], impulses, rtol=1e-12)


def test_crank_of_a_closed_loop_on_a_stop():
    """A parallelogram falls on a stop at its crank; its mass moves as one point."""
    model = jd.Model("parallelogram")
    bar = model.add_body("bar", jd.solid.rod(mass=2.0, end=(1.0, 0.0, 0.0)))
    for k in range(2):
        crank = model.add_body(f"crank_{k}", jd.solid.rod(mass=0.3, end=(0.0, 0.0, -0.5)))
        model.add_joint(f"pivot_{k}", model.world.at(x=float(k)), crank, jd.Revolute("y"))
        model.add_joint(f"pin_{k}", crank.at(z=-0.5), bar.at(x=float(k)), jd.Revolute("y"))
    stop = jd.Unilateral(0.4, restitution=0.5)
    model.add_connection("stop", jd.Coordinate("pivot_0.angle"), stop)
    start = {"pivot_0.angle": 1.0, "pin_0.angle": -1.0}
    sol = jd.simulate(model, 4.0, start=start, sample=0.5)
    hit, weight = sol.events[0], G * (2.0 + 0.3)  # of the bar, and half of both cranks
    inertia = 0.25 * (2.0 + 2 * 0.3 / 3)
    speed = np.sqrt(2 * weight * 0.5 * (np.cos(0.4) - np.cos(1.0)) / inertia)
    assert (hit.kind, hit.name) == ("impact", "stop")
    assert hit.details["before"][0][0] == pytest.approx(-speed, rel=1e-9)
    assert hit.details["after"][0][0] == pytest.approx(0.5 * speed, rel=1e-9)
    assert hit.details["energy"] == pytest.approx(-0.375 * inertia * speed**2, rel=1e-9)
    assert np.abs(sol.v[-1]).max() <= 1e-10
    torque = weight * 0.5 * np.sin(0.4)
    assert sol.values("stop.normal_force")[-1] == pytest.approx(torque, rel=1e-9)


IMPLICIT = [
    (jd.Radau5(rtol=1e-9), 1e-8),
    (jd.GeneralizedAlpha(2e-4), 1e-5),
    (jd.Gauss4(1e-3), 1e-8),
    (jd.EventDriven(jd.Radau5(rtol=1e-9)), 1e-8),
]


@pytest.mark.parametrize(("method", "limit"), IMPLICIT, ids=lambda x: str(x)[:28])
def test_a_box_on_eight_corners_slides_against_a_spring_in_implicit_methods(method, limit):
    """24 rows: m x'' = -k x - mu m g until it turns, then + mu m g."""
    mass, stiffness, mu, speed, g = 1.0, 40.0, 0.3, 1.5, 9.81
    model = jd.Model("box")
    box = model.add_body("box", jd.solid.box(mass=mass, size=(0.4, 0.4, 0.1)))
    model.add_contact(
        "floor", jd.HalfSpace(model.world), jd.Box(box, (0.4, 0.4, 0.1)), jd.Coulomb(mu)
    )
    model.add_joint("free", model.world, box, jd.Free())
    model.add_connection("spring", jd.Coordinate("free.position.x"), jd.Spring(stiffness))
    model.add_coordinate("stiff", 1.0)
    model.add_connection("firm", jd.Coordinate("stiff"), jd.Spring(1e6) + jd.Damper(2e3))
    start = {"free.position.z": 0.05, "free.velocity.x": speed}
    sol = jd.simulate(model, 0.3, start=start, method=method)
    omega, shift = np.sqrt(stiffness / mass), mu * mass * g / stiffness
    turns = np.arctan2(speed / omega, shift) / omega
    farthest = np.hypot(shift, speed / omega) - shift
    assert 0.1 < turns < 0.25
    assert farthest > 2.0 * shift
    t = sol.time
    there = -shift + shift * np.cos(omega * t) + speed / omega * np.sin(omega * t)
    back = shift + (farthest - shift) * np.cos(omega * (t - turns))
    x = np.where(t < turns, there, back)
    np.testing.assert_allclose(sol.values("free.position.x"), x, atol=limit)
    np.testing.assert_allclose(sol.values("free.position.z"), 0.05, atol=1e-9)
