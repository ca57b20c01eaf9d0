"""Sol's fuel injection pump (V3, V4): cam, rolling roller and plunger, against closed forms.

Shaft q1 (driven), roller in polar coordinates q2, q3 on the shaft with its spin q4, plunger q5. The
cam holds q3 = g(q2), the roller sits on the plunger's pin, and rolls on the cam.
"""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.driving import with_drives, without_drives
from jourdain.model.laws import Equal, Law, Spring
from jourdain.model.measures import Coordinate, Formula

R_B, R_R, R_T, RHO = 0.016, 0.012, 0.026, 0.0025  # base, roller, top, transition [m]
D, A = R_T - RHO, RHO + R_R
S_E = np.sqrt(D**2 - (R_B - RHO) ** 2)
THETA_E, THETA_T = np.arctan(S_E / (R_B + R_R)), np.arctan2(S_E, R_B - RHO)
HALF = np.radians(75.0)  # from the start of the flank to the middle of the nose
SPEED = 104.7
M_2, M_3, STIFFNESS, PRELOADED = 0.06, 0.30, 5e4, -0.010
J_2 = 0.5 * M_2 * R_R**2
FILM = 5e8  # stiffness of the oil film [N/m]


def pitch(q2):
    """Radius g of the roller's centre over q2, with its first two derivatives."""
    x = q2 - np.radians(270.0)
    theta = HALF - jd.where(x < 0, -x, x)
    side = jd.where(x < 0, 1.0, -1.0)
    near, far = jd.clip(theta, 0.0, THETA_E), jd.clip(theta, THETA_E, THETA_T) - THETA_T
    s, t, k = 1 / jd.cos(near), jd.tan(near), R_B + R_R
    flank = k * s, k * s * t, k * s * (s * s + t * t)
    sin, cos = jd.sin(far), jd.cos(far)
    root = jd.sqrt(A * A - (D * sin) ** 2)
    nose = (
        D * cos + root,
        -D * sin - D * D * sin * cos / root,
        -D * cos - D * D * (cos * cos - sin * sin) / root - D**4 * (sin * cos) ** 2 / root**3,
    )
    found = []
    for k, (ends, on_flank, on_nose) in enumerate(
        zip(((R_B + R_R, R_T + R_R), (0, 0), (0, 0)), flank, nose, strict=True)
    ):
        value = jd.where(theta < THETA_E, on_flank, on_nose)
        value = jd.where(theta < 0, ends[0], jd.where(theta > THETA_T, ends[1], value))
        found.append(value * side if k == 1 else value)
    return found


class Polar(jd.Joint):
    """Hinge in polar coordinates in the x-z plane; angles count from x to z."""

    coordinates = {"angle": "rad", "radius": "m", "spin": "rad"}

    def pose(self, q, t):
        place = (q[1] * jd.cos(q[0]), 0, q[1] * jd.sin(q[0]))
        return jd.rotation_y(-q[2]), place


def drive(t):
    return -np.radians(100.0) - SPEED * t


def pump(ideal):
    """Pump with pure rolling and a pin, or with oil films that let it slip and give way (V5)."""
    model = jd.Model("pump", gravity=(0, 0, 0))
    shaft = model.add_body("shaft", jd.Inertia(mass=1.0, moments=(1e-3,) * 3))
    roller = model.add_body("roller", jd.Inertia(mass=M_2, moments=(J_2,) * 3))
    plunger = model.add_body("plunger", jd.Inertia(mass=M_3, moments=(1e-4,) * 3))
    model.add_joint("main", model.world, shaft, jd.Revolute((0, -1, 0)))
    model.add_joint("hub", shaft, roller, Polar())
    model.add_joint("guide", model.world.at(0, 0, R_B + R_R), plunger, jd.Prismatic("z"))
    angle, radius = "hub.angle", "hub.radius"

    def contact(at):
        return pitch(at.coordinate(angle))[0] - at.coordinate(radius)

    def normal(at):
        """The same as a distance along the normal, so that its force is the normal load."""
        g, slope, _ = pitch(at.coordinate(angle))
        return contact(at) * g / jd.sqrt(g * g + slope * slope)

    def pin(at):
        roller_at, plunger_at = at.pose(roller.at())[1], at.pose(plunger.at())[1]
        return jd.math.vector(roller_at[0], roller_at[2] - plunger_at[2])

    def slip(at):
        g, slope, _ = pitch(at.coordinate(angle))
        length = jd.sqrt(g * g + slope * slope)
        along, across = g / length, slope / length
        surface = g * along * at.velocity(angle) + across * at.velocity(radius)
        return surface - R_R * at.velocity("hub.spin")

    def traction(x, v, at):
        e = jd.exp(-2 * v / 0.1)
        return 0.05 * (1 - e) / (1 + e) * at.multiplier("cam")

    film = Law(lambda x, v: -FILM * x - 5e3 * v)
    model.add_connection("cam", Formula(contact if ideal else normal), Equal())
    model.add_connection("pin", Formula(pin, size=2), Equal((0.0, 0.0)) if ideal else film)
    model.add_connection("rolling", Formula(speed=slip), Equal() if ideal else Law(traction))
    model.add_connection("spring", Coordinate("guide.position"), Spring(STIFFNESS, free=PRELOADED))
    return model


@pytest.fixture(scope="module")
def sol():
    times = np.radians(np.array([0, 10, 25, 39, 40, 50, 75, 130, 160])) / SPEED
    return jd.kinematics(
        pump(ideal=True),
        float(times[-1]),
        driven={"main.angle": drive},
        start={"hub.spin": 0.0},
        near={"hub.angle": np.radians(190.0), "hub.radius": 0.028},
        sample=times,
    )


def closed(sol):
    """Closed solution (9.2.15) to (9.2.18) for a steady drive, and the loads of V4."""
    q2 = np.radians(90.0) - sol["main.angle"].values
    g, g1, g2 = (np.array([float(pitch(x)[k]) for x in q2]) for k in range(3))
    lift, rate, acceleration = g - (R_B + R_R), g1 * SPEED, g2 * SPEED**2
    spin = np.sqrt(g**2 + g1**2) * SPEED / R_R
    spin_rate = (g * g1 + g1 * g2) / np.sqrt(g**2 + g1**2) * SPEED**2 / R_R
    force = (M_2 + M_3) * acceleration + STIFFNESS * (lift - PRELOADED)
    torque = (force * rate + J_2 * (spin - SPEED) * spin_rate) / -SPEED
    return q2, lift, rate, acceleration, spin, spin_rate, force, torque


def test_motion(sol):
    q2, lift, rate, acceleration, spin, spin_rate, *_ = closed(sol)
    assert sol["hub.angle"].values == pytest.approx(q2, rel=1e-11)
    assert sol["guide.position"].values == pytest.approx(lift, abs=1e-12)
    assert sol["guide.velocity"].values == pytest.approx(rate, abs=1e-9)
    assert sol["guide.acceleration"].values == pytest.approx(acceleration, abs=1e-6)
    names = [n for n in sol.names() if n.startswith("hub.spin")]
    assert sol[names[1]].values == pytest.approx(spin, rel=1e-10)
    assert sol[names[2]].values == pytest.approx(spin_rate, abs=1e-5)


def test_spin_is_integrated(sol):
    """Whole turn of the roller relative to the cam between 100° and 260° (V3)."""
    assert np.degrees(sol["hub.spin"].values[-1]) == pytest.approx(466.845, abs=1e-3)


def test_force_of_the_drive(sol):
    *_, force, torque = closed(sol)
    assert sol["main.applied_torque"].values == pytest.approx(torque, abs=1e-7)
    table = [0.0, -1.54593, -8.15982, -24.28602, -11.41420, -7.51523, 0.0, 12.03944]
    assert sol["main.applied_torque"].values[:-1] == pytest.approx(np.array(table), abs=6e-6)
    # the pin carries the plunger, without the roller's own mass
    table = [500.0, 617.9657, 738.5934, 1043.2683, 513.1351, 701.9732, 1000.0, 819.6716]
    assert force[:-1] == pytest.approx(np.array(table), abs=6e-5)
    on_plunger = force - M_2 * sol["guide.acceleration"].values
    assert -sol["pin.force"].values[:, 1] == pytest.approx(on_plunger, rel=1e-10)


def test_freedoms_are_counted(sol):
    """Nq = 5, rank 3 of positions; rolling takes one velocity more (F60)."""
    model = without_drives(sol.model)
    at = {"main.angle": -np.radians(120), "hub.angle": np.radians(210)}
    found = jd.structure(model, at=at).findings
    assert (found.n_dof, found.n_positions, found.n_redundant) == (1, 2, 0)


FILMS = """
110  620.41   -1.5427  245.772  0.10575   0.0046
125  788.56   -8.1548  275.050  1.79535   0.0191
139  1270.13  -24.273  352.955  5.77113   0.0291
150  730.31   -7.5104  337.489  9.06711  -0.0072
175  999.90    0.0000  331.550  9.99800   0.0000
"""  # angle, normal load [N], torque [N m], spin [rad/s], lift [mm], slip [m/s]: computed apart


@pytest.mark.slow
def test_films_and_traction_that_follows_the_normal_load():
    """Free motion with stiff films; the friction depends on the force of a constraint (V5)."""
    table = np.array([line.split() for line in FILMS.split("\n")[1:-1]], dtype=float)
    times = np.radians(table[:, 0] - 100.0) / SPEED
    start = {
        "hub.angle": np.radians(190.0),
        "hub.radius": 0.028,
        "hub.spin": 0.0,
        "guide.position": STIFFNESS * PRELOADED / (FILM + STIFFNESS),
        "hub.rate": SPEED,
        "hub.radius_rate": 0.0,
        "hub.spin_rate": 244.3,
    }
    model = with_drives(pump(ideal=False), {"main.angle": drive})
    method = jd.Radau5(rtol=1e-8, atol=1e-11)
    sol = jd.simulate(model, float(times[-1]), start=start, method=method, sample=times)
    columns = {
        "cam.force": (-1.0, 6e-3),
        "main.applied_torque": (1.0, 6e-4),
        "hub.spin_rate": (1.0, 6e-4),
        "guide.position": (1e3, 6e-6),
        "rolling.rate": (1.0, 6e-5),
    }
    for k, (name, (factor, half_a_digit)) in enumerate(columns.items(), 1):
        assert factor * sol[name].values == pytest.approx(table[:, k], abs=half_a_digit)
