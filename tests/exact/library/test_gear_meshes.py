"""Meshes against closed forms and independent integrations (5.V15, 5.V16, 4.V26)."""

import math

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import gears
from jourdain.library import powertrain as pt
from jourdain.results.audit import energy_balance

TEETH = gears.Teeth((20, 30), module=3e-3)
RING = gears.Teeth((20, -60), module=3e-3)
LEVELS = {
    "ideal": gears.Ideal(),
    "elastic": gears.Elastic(3e8, gears.Lehr(0.2, (1e-3, 4e-3))),
    "rigid": gears.Rigid(),
}


def shafts(contact, teeth=TEETH, inertias=(1e-3, 4e-3), **more):
    model = jd.Model("pair", gravity=(0, 0, 0))
    a, b = (model.add(n, pt.Shaft(J)).angle for n, J in zip("ab", inertias, strict=True))
    model.add("mesh", gears.Mesh(a, b, teeth, contact, **more))
    return model, a, b


def wheels(contact, teeth=TEETH, inertias=(1e-3, 4e-3), **more):
    """The same with bodies on hinges at their distance."""
    model, built = jd.Model("pair", gravity=(0, 0, 0)), []
    for n, J, x in zip("ab", inertias, (0.0, teeth.axis_distance), strict=True):
        size = {"radius": math.sqrt(2.0 * J), "length": 0.02}
        built.append(model.add_body(n, jd.solid.cylinder(mass=1.0, **size, axis="z")))
        model.add_joint(f"{n}_hinge", model.world.at(x, 0, 0), built[-1], jd.Revolute("z"))
    model.add("mesh", gears.Mesh(*built, teeth, contact, **more))
    return model, *(jd.Coordinate(f"{n}_hinge.angle") for n in "ab")


FLIGHT = {  # D: time of contact [µs], restitution, largest force [N], deflection at the end [µm]
    0.0: (99.34588, 1.0, 4743.416, 0.0),
    0.15: (90.85100, 0.6498952, 4002.715, 3.082724),
    0.20: (88.39687, 0.5717400, 3893.958, 3.616001),
    0.25: (86.09898, 0.5062766, 3845.506, 4.002468),
    0.50: (76.47650, 0.2984361, 4743.416, 4.718688),
}


@pytest.mark.parametrize("D", FLIGHT)
def test_flank_that_is_hit(D):
    """5.V15: contact ends where the force does, with the teeth still deflected."""
    span, restitution, largest, left = FLIGHT[D]
    r, m, c, s = TEETH.base_radii[0], 0.3, 3e8, 1.5e-4
    law = gears.Elastic(c, 2.0 * D * math.sqrt(c * m))
    model, _, b = shafts(law, inertias=(m * r * r, 1.0), backlash=s, zero="front")
    model.add_connection("hold", b, jd.Equal())
    speed = 0.5
    hit = jd.simulate(model, (s + 1e-6) / speed, sample=1e-7, start={"a.speed": speed / r})
    back = -hit.values("a.speed")[-1] * r / speed
    assert back == pytest.approx(restitution, rel=1e-6)
    if D < 0.5:  # where the largest force is not that of the first instant
        assert hit.values("mesh.force").max() == pytest.approx(largest, rel=2e-6)
    loaded = hit.time[hit.values("mesh.force") > 0.0]
    assert 1e6 * loaded[-1] == pytest.approx(span, abs=0.11)
    # the time of contact and the deflection left, from the free flight behind it
    t = hit.time[-1]
    x = hit.values("mesh.transmission_error")[-1]
    end = t - 1e-6 * span
    assert 1e6 * (x + back * speed * end) == pytest.approx(left, abs=2e-5 + 5e-6 * span)


def test_two_flanks_without_damping():
    """5.V15: the period 2 (s/v + π/ω)."""
    r, m, c, s = TEETH.base_radii[0], 0.3, 3e8, 1.5e-4
    model, _, b = shafts(gears.Elastic(c), inertias=(m * r * r, 1.0), backlash=s, zero="front")
    model.add_connection("hold", b, jd.Equal())
    period = 2.0 * (s / 0.5 + math.pi / math.sqrt(c / m))
    assert period == pytest.approx(7.986918e-4, rel=1e-6)
    run = jd.simulate(model, 10.0 * period, start={"a.speed": 0.5 / r})
    assert run.final["a.angle.value"] == pytest.approx(0.0, abs=1e-6 * s / r)
    assert run.final["a.angle.rate"] * r == pytest.approx(0.5, rel=1e-6)
    force = run.values("mesh.force")
    assert force.max() == pytest.approx(-force.min(), rel=1e-2)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_static_deflection_and_play(sign):
    """4.V26: x = ±(s/2 + T/(r_b c)); a reversed torque moves it by the whole play."""
    model, a, b = shafts(LEVELS["elastic"], backlash=1e-4)
    model.add_connection("hold", b, jd.Equal())
    model.add_connection("push", a, jd.Force(sign * 10.0))
    r = TEETH.base_radii[0]
    x = r * jd.equilibrium(model)["a.angle.value"]
    assert x == pytest.approx(sign * (0.5e-4 + 10.0 / (r * 3e8)), rel=1e-9)


@pytest.mark.parametrize("teeth", [TEETH, RING], ids=["outer", "ring"])
@pytest.mark.parametrize("kind", [shafts, wheels])
def test_levels_agree_where_they_must(kind, teeth):
    """4.F47: ratio, force under load and torques of one pair at its three levels."""
    side = -1.0 if teeth.teeth[1] > 0 else 1.0
    found = {}
    for name, contact in LEVELS.items():
        model, a, b = kind(contact, teeth, backlash=1e-4)
        model.add_connection("push", a, jd.Force(10.0) + jd.Damper(0.05))
        model.add_connection("load", b, jd.Force(-side * 4.0))
        run = jd.simulate(model, 0.1)
        ends = [run.values(f"mesh.{n}")[-1] for n in ("force", "torque_a", "torque_b", "flank")]
        speeds = [
            run.final[f"{m.name}.rate"]
            if kind is shafts
            else run.final[m.name.replace("angle", "rate")]
            for m in (a, b)
        ]
        found[name] = [*ends, *speeds]
    for name in ("elastic", "rigid"):
        np.testing.assert_allclose(found[name], found["ideal"], rtol=2e-3)
    force, one, two, flank, w_a, w_b = found["ideal"]
    assert flank == 1.0
    assert w_a / w_b == pytest.approx(teeth.ratio, rel=1e-9)
    assert two / one == pytest.approx(teeth.teeth[1] / teeth.teeth[0], rel=1e-9)
    assert force > 0.0


def test_levels_differ_where_theory_says():
    """Load that changes its sign: ideal teeth have no play; others cross it and hit."""
    spread, top = {}, {}
    for name, contact in LEVELS.items():
        model, a, _ = shafts(contact, backlash=1e-4)
        model.add_connection("swing", a, jd.Force(jd.Sine(20.0, 100.0)))
        run = jd.simulate(model, 0.03, sample=2e-6)
        spread[name] = np.ptp(run.values("mesh.transmission_error"))
        top[name] = run.values("mesh.force").max()
    assert spread["ideal"] < 1e-12
    assert spread["rigid"] == pytest.approx(1e-4, rel=1e-6)
    assert spread["elastic"] > 1.02e-4
    assert top["elastic"] > 1.5 * top["ideal"]


@pytest.mark.parametrize("teeth", [TEETH, RING], ids=["outer", "ring"])
@pytest.mark.parametrize("level", ["constant", "series", "film", "rigid"])
def test_shafts_and_bodies_move_alike(teeth, level):
    """Geometry of bodies and the line of action of shafts, with the phase from `Teeth.phase`."""
    side = -1.0 if teeth.teeth[1] > 0 else 1.0
    damping = gears.Lehr(0.1, (1e-3, 4e-3))
    contact = {
        "constant": LEVELS["elastic"],
        "series": gears.Elastic(gears.ToothStiffness(2e8, teeth).fourier(3), damping),
        "film": gears.Elastic(3e8, damping, film=1e-5),
        "rigid": gears.Rigid(0.3),
    }[level]
    phase = teeth.phase(0.0, 0.0 if teeth.teeth[1] > 0 else math.pi)
    ends = []
    for kind, more in ((shafts, {"phase": phase}), (wheels, {})):
        model, a, b = kind(contact, teeth, backlash=1e-4, **more)
        model.add_connection("push", a, jd.Force(10.0))
        model.add_connection("load", b, jd.Force(side * 12.0))
        run = jd.simulate(model, 0.01, sample=1e-5)
        forces = run.values("mesh.force")
        ends.append([run.values(a.name)[-1], run.values(b.name)[-1], forces.max(), forces[-1]])
    np.testing.assert_allclose(ends[0], ends[1], rtol=1e-5, atol=1e-3)


def planar(teeth, contact, **more):
    """Wheels that move in the plane, on springs."""
    model = jd.Model("planar", gravity=(0, 0, 0))
    places = (0.0, teeth.axis_distance)
    built = []
    for n, x in zip("ab", places, strict=True):
        body = model.add_body(n, jd.solid.cylinder(mass=1.0, radius=0.04, length=0.02, axis="z"))
        model.add_joint(n, model.world.at(x, 0, 0), body, jd.Planar("z"))
        for c in ("x", "y"):
            model.add_connection(f"{n}_{c}", jd.Coordinate(f"{n}.position.{c}"), jd.Spring(1e7))
        built.append(body)
    model.add("mesh", gears.Mesh(*built, teeth, contact, **more))
    return model


def test_bearings_feel_both_parts_of_the_tooth_force():
    """5.F15: force on b at π/2 − α_w from the line of centres in front, mirrored at the back."""
    for torque in (30.0, -30.0):
        model = planar(TEETH, gears.Elastic(3e8), backlash=1e-4)
        model.add_connection("hold", jd.Coordinate("b.angle"), jd.Equal())
        model.add_connection("push", jd.Coordinate("a.angle"), jd.Force(torque))
        rest = jd.equilibrium(model)
        x, y = (1e7 * rest[f"b.position.{c}"] for c in ("x", "y"))
        force = 30.0 / TEETH.base_radii[0]
        alpha = TEETH.working_angle
        assert x == pytest.approx(force * math.sin(alpha), rel=2e-3)
        assert y == pytest.approx(math.copysign(force * math.cos(alpha), torque), rel=2e-3)


def test_axes_apart_open_the_play():
    """5.F15: g₁ + g₂ = −s − 2 sin α_w Δa, to first order."""
    for teeth, sign in ((TEETH, 1.0), (RING, -1.0)):
        model = planar(teeth, gears.Elastic(3e8), backlash=1e-4)
        small = 1e-6
        run = jd.simulate(model, 1e-9, start={"b.position.x": small})
        total = run.values("mesh.front.value")[0] + run.values("mesh.back.value")[0]
        wanted = -1e-4 - sign * 2.0 * math.sin(teeth.working_angle) * small
        assert total == pytest.approx(wanted, abs=1e-4 * small)


def test_energy_of_wheels_in_bearings():
    """Film, play, moving axes: what the damping loses closes the audit."""
    model = planar(TEETH, gears.Elastic(3e8, 2000.0, film=2e-5), backlash=1e-4)
    model.add_connection("swing", jd.Coordinate("a.angle"), jd.Force(jd.Sine(20.0, 200.0)))
    run = jd.simulate(model, 0.02, start={"a.rate": 5.0}, sample=2e-6)
    assert run.values("mesh.flank").min() == -1.0
    balance = energy_balance(run)
    assert balance.largest < 1e-5 * balance.exchanged


def test_helical_teeth_push_along_the_axis():
    """N_a = N tan β_b, by the slide of b."""
    teeth = gears.Teeth((20, 30), 3e-3, helix=0.3, width=0.02)
    model = jd.Model("helical", gravity=(0, 0, 0))
    a, b = (model.add(n, pt.Shaft(1e-3)).angle for n in "ab")
    slide = jd.Coordinate(model.add_coordinate("slide", 1.0, unit="m"))
    model.add("mesh", gears.Mesh(a, b, teeth, slide=slide))
    model.add_connection("hold", b, jd.Equal())
    model.add_connection("stop", slide, jd.Equal())
    model.add_connection("push", a, jd.Force(10.0))
    run = jd.simulate(model, 1e-3)
    force = 10.0 / teeth.base_radii[0]
    assert run.values("mesh.force")[-1] == pytest.approx(force)
    assert run.values("mesh.axial_force")[-1] == pytest.approx(force * math.tan(teeth.base_helix))
    assert run.values("stop.force")[-1] == pytest.approx(force * math.tan(teeth.base_helix))


def test_error_of_the_flanks_moves_ideal_wheels():
    """Transmission error e(x): r_a φ_a + r_b φ_b = e."""

    def error(x):
        return 1e-5 * jd.sin(2.0 * math.pi * x)

    model, a, b = shafts(gears.Ideal(), error=error)
    model.add_connection("turn", jd.Rate(a), jd.Equal(10.0))
    run = jd.simulate(model, 0.1)
    r_a, r_b = TEETH.base_radii
    x = r_a * run.values("a.angle.value") + r_b * run.values("b.angle.value")
    wanted = 1e-5 * np.sin(2.0 * math.pi * r_a * run.values("a.angle.value") / TEETH.pitch)
    np.testing.assert_allclose(x, wanted, atol=1e-10)
