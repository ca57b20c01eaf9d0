r"""A fuel injection pump: cam, rolling roller and plunger, ideal and with oil films.

What it shows
-------------
Connections that no library has. The roller touches the cam (a held measure), sits on a pin of the
plunger (another one), and rolls without slipping (a constraint on velocities only). Driven motion
follows from the constraints; the spin of the roller is what rolling leaves to be integrated. Then
the pin and the rolling give way to oil films: a stiff law, and a friction that follows the force of
the cam. It is the example of E. J. Sol (1983), with dimensions and loads chosen for this page.

The system
----------
Angles count from x to z; the roller has polar coordinates on the shaft::

        | |  plunger, spring above
       (   )  roller: angle, radius, spin
      /     \
     |   o   |  cam with its nose, on the shaft: driven
      \_____/

=================  ======  =====    =================  ======  =====
parameter          value   unit     parameter          value   unit
=================  ======  =====    =================  ======  =====
base circle        16      mm       mass of roller     0.06    kg
top circle         26      mm       mass of plunger    0.30    kg
transition         2.5     mm       spring             50      N/mm
roller             12      mm       preload            500     N
=================  ======  =====    =================  ======  =====
"""

# %% The cam: radius of the roller's centre over its angle on the shaft, and its slope.
from typing import Any

import numpy as np

import jourdain as jd

base, top, transition, roller_radius = 0.016, 0.026, 0.0025, 0.012  # [m]
speed, stiffness = 104.7, 5e4  # [rad/s, N/m]
far, near = top - transition, transition + roller_radius
tangent = np.sqrt(far**2 - (base - transition) ** 2)
end, full = np.arctan(tangent / (base + roller_radius)), np.arctan2(tangent, base - transition)


def pitch(angle: Any) -> tuple[Any, Any]:
    """Flank, transition and top circle on both sides of the nose at 270°."""
    x = angle - np.radians(270.0)
    theta = np.radians(75.0) - jd.where(x < 0, -x, x)
    on_flank = jd.clip(theta, 0.0, end)
    g_flank = (base + roller_radius) / jd.cos(on_flank)
    psi = jd.clip(theta, end, full) - full
    root = jd.sqrt(near**2 - (far * jd.sin(psi)) ** 2)
    g_nose = far * jd.cos(psi) + root
    slope = jd.where(theta < end, g_flank * jd.tan(on_flank), -far * jd.sin(psi) * g_nose / root)
    return jd.where(theta < end, g_flank, g_nose), jd.where(x < 0, slope, -slope)


# %% The joint between shaft and roller.
class Polar(jd.Joint):
    """Polar coordinates in the x-z plane."""

    coordinates = {"angle": "rad", "radius": "m", "spin": "rad"}

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Orientation and position of the roller on the shaft."""
        return jd.rotation_y(-q[2]), (q[1] * jd.cos(q[0]), 0, q[1] * jd.sin(q[0]))


# %% The machine. With films the pin gives way and the roller may slip.
def drive(t: Any) -> Any:
    """Angle of the shaft [rad]."""
    return -np.radians(100.0) - speed * t


def make_pump(films: bool) -> jd.Model:
    model = jd.Model("fuel_pump", gravity=(0, 0, 0))
    shaft = model.add_body("shaft", jd.solid.cylinder(2.0, radius=0.01, length=0.1, axis="y"))
    roller = model.add_body("roller", jd.Inertia(0.06, moments=(0.03 * roller_radius**2,) * 3))
    plunger = model.add_body("plunger", jd.solid.cylinder(0.3, radius=0.005, length=0.05))
    driven = {"angle": drive} if films else None
    model.add_joint("main", model.world, shaft, jd.Revolute("-y"), driven=driven)
    model.add_joint("hub", shaft, roller, Polar())
    model.add_joint("guide", model.world.at(0, 0, base + roller_radius), plunger, jd.Prismatic("z"))

    def cosine(at: Any) -> tuple[Any, Any]:
        g, slope = pitch(at.coordinate("hub.angle"))
        length = jd.sqrt(g * g + slope * slope)
        return g / length, slope / length

    def contact(at: Any) -> Any:
        return (pitch(at.coordinate("hub.angle"))[0] - at.coordinate("hub.radius")) * cosine(at)[0]

    def slip(at: Any) -> Any:
        c, s = cosine(at)
        surface = at.coordinate("hub.radius") * c * at.velocity("hub.angle")
        return surface + s * at.velocity("hub.radius") - roller_radius * at.velocity("hub.spin")

    lift, film = jd.Coordinate("guide.position"), jd.Spring(5e8) + jd.Damper(5e3)
    pin = film if films else jd.Equal((0.0, 0.0))
    model.add_connection("cam", jd.Formula(contact), jd.Equal())
    model.add_connection("pin", jd.Relative(plunger, roller, "xz"), pin)
    # the cam pushes, so that its multiplier is negative
    friction = jd.Law(lambda x, v, at: 0.05 * jd.math.tanh(10.0 * v) * at.multiplier("cam"))
    rolling = friction if films else jd.Equal()
    model.add_connection("rolling", jd.Formula(speed=slip), rolling)
    model.add_connection("spring", lift, jd.Spring(stiffness, free=-0.01))
    return model


# %% How many freedoms? Rolling takes one of the velocities, but none of the positions.
start = {"main.angle": -np.radians(120.0), "hub.angle": np.radians(210.0)}
findings = jd.structure(make_pump(films=False), at=start).findings
print(findings)


# %% Driven motion: lift, spin and the torque of the shaft.
times = np.radians(np.array([0.0, 10.0, 25.0, 39.0, 50.0, 75.0])) / speed
rough = {"hub.angle": np.radians(190.0), "hub.radius": 0.028}
turned = {"main.angle": drive}
ideal = jd.kinematics(make_pump(films=False), times[-1], driven=turned, near=rough, sample=times)
print(ideal.data[["guide.position", "main.applied_torque", "hub.spin_rate"]])


# %% With films: the roller slips where the cam speeds it up, and the load is not carried at once.
start = rough | {"guide.position": -stiffness * 0.01 / (5e8 + stiffness)}
start |= {"hub.rate": speed, "hub.radius_rate": 0.0, "hub.spin_rate": 244.3}
method = jd.Radau5(rtol=1e-8, atol=1e-11)
slipping = jd.simulate(make_pump(True), times[-1], start=start, method=method, sample=times)
print("load [N], slip [m/s]", -slipping["cam.force"].values, slipping["rolling.rate"].values)


def check() -> None:
    """Assert what the text claims."""
    assert findings is not None
    assert (findings.n_dof, findings.n_positions) == (1, 2)
    torque = [0.0, -1.54593, -8.15982, -24.28602, -7.51523, 0.0]  # closed form
    np.testing.assert_allclose(ideal["main.applied_torque"].values, torque, atol=1e-5)
    # the spin follows the length of the pitch curve: sqrt(g² + g'²) times the speed of the shaft
    g, slope = (np.array(x) for x in zip(*map(pitch, ideal["hub.angle"].values), strict=True))
    rolled = ideal["hub.spin_rate"].values * roller_radius
    np.testing.assert_allclose(rolled, np.hypot(g, slope) * speed, rtol=1e-9)
    load = [-620.41, -788.56, -1270.13, -730.31, -999.90]  # computed apart
    np.testing.assert_allclose(slipping["cam.force"][1:], load, atol=6e-3)
    slip = [0.0046, 0.0191, 0.0291, -0.0072, 0.0]
    np.testing.assert_allclose(slipping["rolling.rate"][1:], slip, atol=6e-5)


if __name__ == "__main__":
    check()
