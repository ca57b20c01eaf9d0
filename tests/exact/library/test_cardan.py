"""Cardan joints and shafts against closed forms and against joints in space (4.F59, F60, 4.V31)."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import powertrain as pt

TURN = np.linspace(0.0, 2.0 * np.pi, 721)


@pytest.mark.parametrize(
    ("degrees", "low", "high"), [(10, 0.96985, 1.03109), (20, 0.88302, 1.13247), (30, 0.75, 4 / 3)]
)
def test_stiffness_over_a_turn(degrees, low, high):
    """c_lin/c from cos² α to 1/cos² α, and what `jd.linearize` says of the whole machine."""
    bend = np.radians(degrees)
    model = jd.Model("shaft", gravity=(0, 0, 0))
    a = model.add_coordinate("a", 1.0, driven=jd.Parameter("turned", 0.3, "rad"))
    b = model.add("b", pt.Shaft(2.0))
    shaft = model.add("shaft", pt.CardanShaft(a, b.angle, (bend, bend), stiffness=500.0))
    found = np.array([shaft.stiffness_at(phi) for phi in TURN]) / 500.0
    assert found.min() == pytest.approx(low, abs=1e-5)
    assert found.max() == pytest.approx(high, abs=1e-5)
    assert found.min() == pytest.approx(np.cos(bend) ** 2, rel=1e-12)
    for turned in (0.3, 1.9):
        lin = jd.linearize(model, {"b.angle": turned}, parameters={"turned": turned})
        assert lin.K.toarray()[0, 0] == pytest.approx(shaft.stiffness_at(turned), rel=1e-9)


@pytest.mark.parametrize("phase", [0.0, 0.7])
def test_speeds_of_a_joint(phase):
    """κ from cos α to 1/cos α, one in the mean, twice a turn; angles never jump."""
    bend = 0.5
    model = jd.Model("joint", gravity=(0, 0, 0))
    a = model.add_coordinate("a", 1.0, driven=lambda t: 10.0 * t)
    b = model.add("b", pt.Shaft(0.4))
    model.add("joint", pt.CardanJoint(a, b.angle, bend, phase))
    sol = jd.simulate(model, 0.6 * np.pi, sample=np.pi / 2000)
    assert sol.values("b.angle")[0] == 0.0
    kappa = np.cos(bend) / (1.0 - np.sin(bend) ** 2 * np.cos(10.0 * sol.time + phase) ** 2)
    np.testing.assert_allclose(sol.values("joint.ratio"), kappa, rtol=1e-8)
    np.testing.assert_allclose(sol.values("b.speed"), 10.0 * kappa, rtol=1e-7)
    assert np.ptp(sol.values("b.angle")) == pytest.approx(6.0 * np.pi, rel=1e-8)  # three turns
    # the torque that drives b is J κ' Ω², of even orders only, the second by far the largest
    t, torque = sol.time[:-1], sol.values("joint.torque_b")[:-1]
    turns = 10.0 * t + phase
    slope = -np.cos(bend) * np.sin(bend) ** 2 * np.sin(2.0 * turns)
    slope /= (1.0 - np.sin(bend) ** 2 * np.cos(turns) ** 2) ** 2
    np.testing.assert_allclose(torque, 0.4 * slope * 100.0, atol=1e-6)
    orders = np.abs(np.fft.rfft(torque))[: 3 * 10 : 3]
    assert orders[2] > 5.0 * orders[4]
    assert np.delete(orders, [2, 4, 6, 8]).max() < 1e-5 * orders[2]
    both = sol.values("joint.torque_a") * 10.0 + sol.values("joint.torque_b") * sol.values(
        "b.speed"
    )
    np.testing.assert_allclose(both, 0.0, atol=1e-6)


def test_a_joint_with_a_phase_starts_as_it_stands():
    """Without a given start nothing moves to fit: angles are zero together."""
    model = jd.Model("joint", gravity=(0, 0, 0))
    a, b = (model.add(name, pt.Shaft(0.4)) for name in "ab")
    model.add("joint", pt.CardanJoint(a.angle, b.angle, 0.5, 0.7))
    sol = jd.simulate(model, 0.3, start={"a.speed": 10.0})
    assert sol.values("a.angle")[0] == sol.values("b.angle")[0] == 0.0
    turned = np.arctan(np.tan(sol.values("a.angle") + 0.7) / np.cos(0.5))
    found = sol.values("b.angle") - turned
    np.testing.assert_allclose(np.sin(found - found[0]), 0.0, atol=1e-7)


def test_equal_bends_turn_evenly():
    """Rigid shaft, both bends the same: φ_b = φ_a; with the yokes across, up to 1/cos² α."""
    for phase, most in ((0.0, 1.0), (0.5 * np.pi, np.cos(0.4) ** -2)):
        model = jd.Model("shaft", gravity=(0, 0, 0))
        a = model.add_coordinate("a", 1.0, driven=lambda t: 20.0 * t)
        b = model.add("b", pt.Shaft(1.0))
        shaft = pt.CardanShaft(a, b.angle, (0.4, 0.4), phase=phase, inertias=(0.1, 0.2))
        model.add("shaft", shaft)
        sol = jd.simulate(model, 0.5, start={"b.speed": 20.0 * most}, sample=1e-3)
        assert sol.values("b.speed").max() == pytest.approx(20.0 * most, rel=1e-4)
        if most == 1.0:
            np.testing.assert_allclose(sol.values("b.angle"), sol.values("a"), atol=1e-8)


def test_free_joint_keeps_its_energy():
    """(J₁ + J₂ κ²) φ̈ + J₂ κ κ' φ̇² = 0: no torque, but speeds that change (4.F59)."""
    bend, J = 0.6, (0.3, 0.8)
    model = jd.Model("joint", gravity=(0, 0, 0))
    a, b = (model.add(name, pt.Shaft(x)) for name, x in zip("ab", J, strict=True))
    model.add("joint", pt.CardanJoint(a.angle, b.angle, bend))
    begin = {"a.speed": 10.0, "b.speed": 10.0 / np.cos(bend)}
    sol = jd.simulate(model, 2.0, start=begin)
    phi, speed = sol.values("a.angle"), sol.values("a.speed")
    kappa = np.cos(bend) / (1.0 - np.sin(bend) ** 2 * np.cos(phi) ** 2)
    energy = 0.5 * (J[0] + J[1] * kappa**2) * speed**2
    np.testing.assert_allclose(energy, energy[0], rtol=1e-7)
    c, s = np.cos(bend) ** 2, np.sin(phi) ** 2 + np.cos(phi) ** 2 * np.cos(bend) ** 2
    product = c * np.sin(2.0 * phi) * (c - 1.0) / s**3  # κ κ', as printed
    exact = -J[1] * product * speed**2 / (J[0] + J[1] * kappa**2)
    np.testing.assert_allclose(sol.values("a.angular_acceleration"), exact, atol=1e-6 * 100.0)


def test_joint_against_one_in_space():
    """Two shafts in bearings, 35 degrees apart, and `jd.Universal` between them."""
    bend, J = np.radians(35.0), (0.3, 0.8)
    space = jd.Model("space", gravity=(0, 0, 0))
    one, two = (
        space.add_body(n, jd.Inertia(mass=1.0, moments=(x, x, x)))
        for n, x in zip("ab", J, strict=True)
    )
    tilted = space.world.at(0, 0, 0, rotation=jd.rotation_z(bend))
    space.add_joint("a", space.world, one, jd.Revolute("x"))
    space.add_joint("b", tilted, two, jd.Revolute("x"))
    space.add_joint("cross", one, two, jd.Universal("y", "z"))
    flat = jd.Model("flat", gravity=(0, 0, 0))
    a, b = (flat.add(name, pt.Shaft(x)) for name, x in zip("ab", J, strict=True))
    flat.add("joint", pt.CardanJoint(a.angle, b.angle, bend))
    runs = []
    for model, push, rate in ((space, "a.angle", "a.rate"), (flat, "a.angle", "a.speed")):
        model.add_connection("push", jd.Coordinate(push), jd.Force(2.0))
        runs.append(jd.simulate(model, 3.0, sample=0.01, start={rate: 5.0}))
    np.testing.assert_allclose(runs[0].values("a.angle"), runs[1].values("a.angle"), atol=1e-6)
    np.testing.assert_allclose(runs[0].values("b.angle"), runs[1].values("b.angle"), atol=1e-6)


def test_resonance_of_the_changing_stiffness():
    """Even rotation is unstable near ω₀ = Ω, where κ² c changes twice a period; not elsewhere."""
    grown = []
    for speed in (20.0, 13.0):
        model = jd.Model("shaft", gravity=(0, 0, 0))
        a = model.add_coordinate("a", 1.0, driven=lambda t, w=speed: w * t)
        b = model.add("b", pt.Shaft(1.0))
        model.add("shaft", pt.CardanShaft(a, b.angle, (0.5, 0.5), stiffness=20.0**2))
        sol = jd.simulate(model, 6.0, start={"b.speed": speed, "b.angle": 1e-4}, sample=0.01)
        away = np.abs(sol.values("shaft.twist"))
        grown.append(away[sol.time > 4.0].max() / away[sol.time < 1.0].max())
    assert grown[0] > 30.0
    assert grown[1] < 2.0
