"""Loops of Sol's thesis: four-bar linkage (V2), fuel injection pump (V4), Bennett's linkage (V18).

Numbers are those of the digest of the thesis, where they were computed independently.
"""

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.laws import Equal, Law
from jourdain.model.measures import Coordinate, Formula

LENGTHS = (1.0, 3.0, 2.5)
TABLE = {  # crank [deg]: coupler and rocker [deg], their rates and accelerations at rate one
    0: (60.6553252000, 171.1426403148, -0.0547905487, 0.3722178615, -0.2294677342, -0.1613410362),
    30: (56.9998578617, 180.3668708309, -0.1973441344, 0.2174365435, -0.3253934487, -0.4515677828),
    90: (34.2288663278, 172.8192442185, -0.5, -0.5, 0.0944911183, -0.5102520386),
    150: (18.7866471599, 142.1536601292, 0.0544869915, -0.3602936864, 0.5229579672, 0.3967836332),
    270: (51.3751671269, 138.5091831443, 0.25, 0.25, -0.1658324202, 0.2346685192),
}


def four_bar(closing, lengths=LENGTHS, *, driven=False):
    """Bars along y that turn clockwise: absolute angles are from the y axis (5.1.1)."""
    model = jd.Model("four-bar", gravity=(0, -9.81, 0))
    bars = [
        model.add_body(f"bar_{k}", jd.solid.rod(mass=l, end=(0, l, 0)))
        for k, l in enumerate(lengths, 1)
    ]
    hinge = jd.Revolute("-z")
    drive = {"angle": lambda t: t} if driven else None
    model.add_joint("crank", model.world, bars[0], hinge, driven=drive)
    model.add_joint("coupler", bars[0].at(0, lengths[0], 0), bars[1], hinge)
    model.add_joint("rocker", bars[1].at(0, lengths[1], 0), bars[2], hinge)
    model.add_joint("last", model.world.at(3, 0, 0), bars[2].at(0, lengths[2], 0), closing)
    return model


def near(q1, q2, q3):
    """Relative angles from absolute ones in degrees."""
    q1, q2, q3 = np.radians([q1, q2, q3])
    return {"coupler.angle": q2 - q1, "rocker.angle": q3 - q2}


@pytest.fixture(scope="module")
def driven():
    return jd.compile(four_bar(jd.Revolute("-z"), driven=True), cut="last")


@pytest.mark.parametrize("crank", TABLE)
def test_four_bar_with_a_given_crank(driven, crank):
    """Angles, rates and accelerations to ten digits; time is the angle of the crank."""
    q2, q3, w2, w3, a2, a3 = TABLE[crank]
    t = np.radians(crank)
    found = jd.assemble(driven, near=near(crank, q2 + 4.0, q3 - 3.0), t=t)
    coupler = t + found["coupler.angle"]
    rocker = coupler + found["rocker.angle"]
    np.testing.assert_allclose(np.degrees([coupler, rocker]), [q2, q3], atol=6e-11)
    rates = 1.0 + found["coupler.rate"], 1.0 + found["coupler.rate"] + found["rocker.rate"]
    np.testing.assert_allclose(rates, [w2, w3], atol=6e-11)
    vdot = driven.forward_dynamics(found.q, found.v, t=t)
    np.testing.assert_allclose(np.cumsum(vdot), [a2, a3], atol=6e-11)


def test_four_bar_on_its_other_branch(driven):
    found = jd.assemble(driven, near=near(90, 140, 20), t=np.pi / 2)
    coupler = np.pi / 2 + found["coupler.angle"]
    angles = np.degrees([coupler, coupler + found["rocker.angle"]])
    np.testing.assert_allclose(angles, [145.7711336722, 7.1807557815], atol=6e-11)


def test_dead_point_and_change_point():
    """Crank and coupler in line leave rank 2; all bars in line leave rank 1 and two freedoms.

    Singular values are those of absolute angles.
    """
    system = jd.compile(four_bar(jd.Revolute("-z")), cut="last")
    q = np.radians(51.3751671269)
    found = jd.assemble(system, {"crank.angle": q, "coupler.angle": 0.0},
                        near={"rocker.angle": np.radians(-177.1340160174) - q})  # fmt: skip
    absolute = np.array([[1, 0, 0], [-1, 1, 0], [0, -1, 1]])
    P = system.answers("jacobian", found.q, found.v) @ absolute
    values = np.linalg.svd(P, compute_uv=False)
    np.testing.assert_allclose(values, [3.69973, 1.60062, 0.0], atol=6e-6)
    flat = jd.compile(four_bar(jd.Revolute("-z"), (1.0, 3.0, 1.0)), cut="last")
    start = {"crank.angle": np.pi / 2, "coupler.angle": 0.0, "rocker.angle": -np.pi}
    found = jd.assemble(flat, start)
    P = flat.answers("jacobian", found.q, found.v) @ absolute
    values = np.linalg.svd(P, compute_uv=False)
    np.testing.assert_allclose(values, [np.sqrt(11.0), 0.0, 0.0], atol=1e-8)


def test_spatial_hinges_move_as_planar_ones():
    """Rows that repeat others change nothing: five rows of a hinge against two of a point."""
    start = {"crank.angle": 0.3, "crank.rate": 2.0}
    rough = near(17, 60, 170)
    spatial = jd.compile(four_bar(jd.Revolute("-z")), cut="last")
    model = four_bar(jd.Revolute("-z"))
    plane = jd.Model("plane", model.gravity)
    for body in model.bodies.values():
        plane.add_body(body.name, body.inertia)
    for joint in list(model.joints.values())[:3]:
        plane.add_joint(joint.name, joint.parent, joint.child, joint.kind)
    tip = plane.body("bar_3").at(0, 2.5, 0)
    apart = Formula(lambda at: at.pose(tip)[1][:2] - np.array([3.0, 0.0]), size=2)
    plane.add_connection("pin", apart, Equal((0.0, 0.0)))
    planar = jd.compile(plane)
    runs = []
    tight = jd.Dop853(rtol=1e-11, atol=1e-12)
    for system in (spatial, planar):
        found = jd.assemble(system, start, near=rough)
        runs.append(jd.simulate(system, 2.0, start=found, method=tight, sample=0.1))
    assert len(spatial.answers("velocity_errors", runs[0].q[0], runs[0].v[0])) == 5
    for name in ("crank.angle", "coupler.angle", "rocker.rate"):
        np.testing.assert_allclose(runs[0].values(name), runs[1].values(name), atol=1e-8)
    forces = runs[0].values("last.force")
    np.testing.assert_allclose(forces[:, :2], runs[1].values("pin.force"), rtol=1e-7, atol=1e-6)
    for name in ("crank.force", "coupler.force"):
        one, two = (run.values(name) for run in runs)
        np.testing.assert_allclose(one[:, :2], two[:, :2], rtol=1e-7, atol=1e-6)


class Polar(jd.Joint):
    """Roller on a cam: angle and radius of its centre, and its spin, about -y."""

    coordinates = {"angle": "rad", "radius": "m", "spin": "rad"}

    def pose(self, q, t):
        place = jd.math.vector(q[1] * jd.cos(q[0]), 0, q[1] * jd.sin(q[0]))
        return jd.rotation_y(-q[2]), place


BASE, ROLLER, TOP, ARC, SPEED = 0.016, 0.012, 0.026, 0.0025, 104.7
FLANK = np.arctan2(np.sqrt((TOP - ARC) ** 2 - (BASE - ARC) ** 2), BASE + ROLLER)
NOSE = np.arctan2(np.sqrt((TOP - ARC) ** 2 - (BASE - ARC) ** 2), BASE - ARC)


def lift(angle):
    """Distance of the roller's centre from the shaft: flank, transition arc, top circle."""
    theta = angle - np.radians(195.0)
    theta = jd.where(theta > np.radians(75.0), np.radians(150.0) - theta, theta)
    flank = (BASE + ROLLER) / jd.cos(jd.where(theta < FLANK, theta, FLANK))
    psi = jd.where(theta > NOSE, 0.0, jd.where(theta < FLANK, FLANK, theta) - NOSE)
    d, a = TOP - ARC, ARC + ROLLER
    arc = d * jd.cos(psi) + jd.sqrt(a * a - (d * jd.sin(psi)) ** 2)
    return jd.where(theta < 0.0, BASE + ROLLER, jd.where(theta < FLANK, flank, arc))


def slope(angle):
    """Derivative of the lift."""
    theta = angle - np.radians(195.0)
    is_back = theta > np.radians(75.0)
    theta = jd.where(is_back, np.radians(150.0) - theta, theta)
    flank = lift(theta + np.radians(195.0)) * jd.tan(jd.where(theta < FLANK, theta, FLANK))
    psi = jd.where(theta > NOSE, 0.0, jd.where(theta < FLANK, FLANK, theta) - NOSE)
    d, a = TOP - ARC, ARC + ROLLER
    s, c = jd.sin(psi), jd.cos(psi)
    arc = -d * s - d * d * s * c / jd.sqrt(a * a - d * d * s * s)
    rise = jd.where(theta < 0.0, 0.0, jd.where(theta < FLANK, flank, arc))
    return jd.where(is_back, -rise, rise)


def pump():
    """Shaft with cam, roller and plunger; three connections that no library has (V3, V4)."""
    model = jd.Model("pump", gravity=(0, 0, 0))
    shaft = model.add_body("shaft", jd.Inertia(0.0, moments=(1e-3, 1e-3, 1e-3)))
    j = 0.5 * 0.06 * ROLLER**2
    roller = model.add_body("roller", jd.Inertia(0.06, moments=(j, j, j)))
    plunger = model.add_body("plunger", jd.Inertia(0.30))
    model.add_joint("shaft_pin", model.world, shaft, jd.Revolute("-y"))
    model.add_joint("cam", shaft, roller, Polar())
    model.add_joint("guide", model.world, plunger, jd.Prismatic("z"))

    def on_cam(at):
        return lift(at.coordinate("cam.angle")) - at.coordinate("cam.radius")

    def at_pin(at):
        r = at.pose(roller.at())[1] - at.pose(plunger.at(0, 0, 0.028))[1]
        return jd.math.vector(r[0], r[2])

    def slip(at):
        r, g = at.coordinate("cam.radius"), slope(at.coordinate("cam.angle"))
        along = g * at.velocity("cam.radius") + r * r * at.velocity("cam.angle")
        return along / jd.sqrt(r * r + g * g) - ROLLER * at.velocity("cam.spin")

    model.add_connection("contact", Formula(on_cam), Equal())
    model.add_connection("pin", Formula(at_pin, size=2), Equal((0.0, 0.0)))
    model.add_connection("rolling", Formula(speed=slip), Equal())
    turned = Equal(lambda t: np.radians(-100.0) - SPEED * t)
    model.add_connection("drive", Coordinate("shaft_pin.angle"), turned)
    model.add_connection("spring", Coordinate("guide.position"), Law(lambda x: -5e4 * (x + 0.010)))
    return jd.compile(model)


PUMP = {  # shaft [deg]: radius [mm], drive [N m], multiplier of the contact [N]
    -100: (28.00000, 0.0, -500.0000),
    -110: (28.10696, -1.54593, -618.1072),
    -125: (29.79698, -8.15982, -741.1897),
    -139: (33.77410, -24.28602, -1053.3749),
    -140: (34.17601, -11.41420, -509.0426),
    -150: (37.06872, -7.51523, -701.2875),
    -175: (38.00000, 0.0, -1000.0000),
    -230: (30.89458, 12.03944, -824.0901),
}


@pytest.fixture(scope="module")
def compiled_pump():
    return pump()


@pytest.mark.parametrize("angle", PUMP)
def test_pump_with_a_driven_shaft(compiled_pump, angle):
    """Lift, drive torque and contact force; the rolling is nonholonomic."""
    radius, torque, contact = PUMP[angle]
    t = np.radians(-100.0 - angle) / SPEED
    rough = {"shaft_pin.angle": np.radians(angle), "cam.angle": np.radians(90.0 - angle),
             "cam.radius": 0.03, "guide.position": 0.003}  # fmt: skip
    found = jd.assemble(compiled_pump, near=rough, t=t)
    assert 1e3 * found["cam.radius"] == pytest.approx(radius, abs=6e-6)
    forces = compiled_pump.answers("multipliers", found.q, found.v, t=t)
    named = {n: forces[place] for n, place in compiled_pump.constraint_rows.items()}
    assert named["drive"][0] == pytest.approx(torque, abs=1e-4)
    assert named["contact"][0] == pytest.approx(contact, abs=6e-4)
    speed = np.hypot(found["cam.radius"], float(slope(found["cam.angle"]))) * SPEED
    assert found["cam.spin_rate"] == pytest.approx(speed / ROLLER, rel=1e-9)


def bennett():
    """Four hinges whose axes close in one configuration of the sides only: 3 - 5 = -2 freedoms."""
    model = jd.Model("bennett", gravity=(0, 0, -9.81))
    a, alpha, beta = 1.0, 0.6, 1.1
    b = a * np.sin(beta) / np.sin(alpha)
    solid = jd.Inertia(1.0, com=(0.4, 0.1, 0.0), moments=(0.1, 0.2, 0.2))
    parent = model.world.at()
    for k, (length, twist) in enumerate(((a, alpha), (b, beta), (a, alpha)), 1):
        body = model.add_body(f"side_{k}", solid)
        model.add_joint(f"hinge_{k}", parent, body, jd.Revolute("z"))
        parent = body.at(length, 0, 0, rotation=jd.rotation_x(twist))
    child = model.world.at(-b, 0, 0, rotation=jd.rotation_x(-beta))
    model.add_joint("hinge_4", parent, child, jd.Revolute("z"))
    return jd.compile(model, cut="hinge_4")


def test_bennett_linkage_moves():
    """Rank 2 of five rows; it closes, and keeps its energy on a long way."""
    system = bennett()
    rough = {"hinge_2.angle": -3.4, "hinge_3.angle": -0.8, "hinge_4.angle": -2.9}
    found = jd.assemble(system, {"hinge_1.angle": 0.8, "hinge_1.rate": 1.0}, near=rough)
    angles = [found[f"hinge_{k}.angle"] for k in (2, 3, 4)]
    np.testing.assert_allclose(angles, [-3.41827384, -0.8, -2.86491147], atol=6e-9)
    P = system.answers("jacobian", found.q, found.v)
    assert P.shape == (5, 3)
    assert np.linalg.matrix_rank(P, tol=1e-8) == 2
    sol = jd.simulate(system, 3.0, start=found, method=jd.Dop853(rtol=1e-10, atol=1e-11))
    energy = sol.values("energy.total")
    assert np.abs(energy - energy[0]).max() < 1e-7
    assert np.ptp(sol.values("hinge_1.angle")) > 1.0
    errors = system.answers("position_errors", sol.q, sol.v)
    assert np.abs(errors).max() < 1e-10
