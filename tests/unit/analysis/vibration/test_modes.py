"""Modes with closed forms, and identities of their shares."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


def masses(n, *, damping=0.0, wall=True):
    """Masses and springs in a row, numbers that differ."""
    model = jd.Model("masses")
    for k in range(n):
        model.add_coordinate(f"x{k}", 1.0 + 0.3 * k, unit="m")
    places = [jd.Coordinate(f"x{k}") for k in range(n)]
    for k in range(n - 1):
        apart = places[k + 1] - places[k]
        model.add_connection(f"spring_{k}", apart, jd.Spring(50.0 + 7.0 * k))
        if damping:
            model.add_connection(f"damper_{k}", apart, jd.Damper(damping * (1 + k)))
    if wall:
        model.add_connection("wall", places[0], jd.Spring(80.0))
    return model


def test_free_motions_are_told():
    modes = jd.eigenmodes(masses(4, wall=False))
    assert len(modes.free_motions) == 1
    assert modes.n_zeros == 2
    np.testing.assert_allclose(list(modes[0].shape.values()), 1.0, rtol=1e-12)
    assert np.abs(modes.eigenvalues[1:].real).max() < 1e-12
    assert modes[0].kinetic_energy["x3"] == pytest.approx(1.9 / 5.8, rel=1e-9)
    assert "free motion" in str(modes)


def test_real_and_complex_modes_agree_without_damping():
    model = masses(5)
    a, b = jd.eigenmodes(model), jd.eigenmodes(model, damped=False)
    np.testing.assert_allclose(a.frequencies, b.frequencies, rtol=1e-12)
    for one, other in zip(a, b, strict=True):
        x, y = (np.array(list(m.shape.values())) for m in (one, other))
        assert abs(np.vdot(x, y)) == pytest.approx(np.linalg.norm(x) * np.linalg.norm(y))
        assert sum(one.kinetic_energy.values()) == pytest.approx(1.0)
        assert sum(one.potential_energy.values()) == pytest.approx(1.0)


def test_damping_by_element_adds_up():
    """LI-8: the parts of all dampers are the real part of the eigenvalue."""
    for mode in jd.eigenmodes(masses(5, damping=0.7)):
        parts = mode.damping_by_element
        assert sum(parts.values()) == pytest.approx(-mode.eigenvalue.real, rel=1e-8)
        assert all(abs(x) < 1e-9 for name, x in parts.items() if name.startswith("spring"))


def test_left_vectors_are_dual():
    modes = jd.eigenmodes(masses(4, damping=0.3))
    for one in modes:
        for other in modes:
            expected = 1.0 if one is other else 0.0
            assert np.vdot(one.left, other.vector) == pytest.approx(expected, abs=1e-10)


def test_damped_oscillator():
    model = jd.Model("oscillator")
    model.add_coordinate("x", 2.0, unit="m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(500.0))
    model.add_connection("damper", jd.Coordinate("x"), jd.Damper(3.0))
    (mode,) = jd.eigenmodes(model)
    omega = np.sqrt(250.0)
    assert mode.frequency == pytest.approx(omega / (2 * np.pi), rel=1e-13)
    zeta = 3.0 / (2 * np.sqrt(1000.0))
    assert mode.damping_ratio == pytest.approx(zeta, rel=1e-12)
    assert mode.damped_frequency == pytest.approx(
        omega * np.sqrt(1 - zeta**2) / (2 * np.pi), rel=1e-12
    )
    assert mode.time_constant == pytest.approx(4.0 / 3.0)


def test_gear_train():
    """5.V16: wheels 2 to 5 of a timing gear, wheel 1 at constant speed."""
    model, c, r = jd.Model("train"), 3e8, 1.3862990e-3
    for name, inertia in (("w2", 9.54e-4), ("w3", 15.48e-4), ("w4", 12.45e-4), ("w5", 13.77e-4)):
        model.add_coordinate(name, inertia)
    w2, w3, w4, w5 = (jd.Coordinate(f"w{k}") for k in range(2, 6))
    meshes = [33 * r * w2, 33 * r * w2 - 37 * r * w3, 17 * r * w3 - 35 * r * w4]
    meshes.append(35 * r * w4 - 34 * r * w5)
    for k, mesh in enumerate(meshes):
        model.add_connection(f"mesh_{k}", mesh, jd.Spring(c))
    found = jd.eigenmodes(model).frequencies
    np.testing.assert_allclose(found, [1709.838, 2911.117, 5975.207, 6548.388], rtol=1e-6)


def strand(n=20, pitch=8e-3, mass=1.2e-3, moment=1e-8):
    """Straight chain between two pins, pulled at the one that slides."""
    model = jd.Model("strand", gravity=(0, 0, 0))
    carrier = model.world
    for k in range(n):
        inertia = jd.Inertia(mass, (pitch / 2, 0, 0), np.eye(3) * moment)
        link = model.add_body(f"link_{k}", inertia)
        model.add_joint(f"pin_{k}", carrier, link, jd.Revolute("z"))
        carrier = link.at(pitch, 0, 0)
    end = model.add_body("end", jd.solid.ball(mass=1e-3, radius=1e-3))
    model.add_joint("slide", model.world.at(n * pitch, 0, 0), end, jd.Prismatic("x"))
    model.add_joint("last", carrier, end, jd.Revolute("z"))
    return model


def test_strand_under_tension():
    """5.V22: all stiffness is that of the tension."""
    pull = {"slide.position": 500.0}
    found = jd.eigenmodes(strand(), count=4, inputs=pull).frequencies
    k = np.arange(1, 4)
    half = k * np.pi / 40
    square = 4 * 500.0 / 8e-3 * np.sin(half) ** 2
    square /= 1.2e-3 * np.cos(half) ** 2 + 4e-8 / 64e-6 * np.sin(half) ** 2
    np.testing.assert_allclose(found[:3], np.sqrt(square) / (2 * np.pi), rtol=1e-8)
    np.testing.assert_allclose(found[:3], [180.5029, 361.4875, 543.4136], rtol=1e-6)


def test_motion_of_a_mode_closes():
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    (mode,) = jd.eigenmodes(model)
    sol = mode.motion(0.2)
    assert sol.time[-1] == pytest.approx(1.0 / mode.frequency)
    np.testing.assert_allclose(sol["hinge.angle"][[0, -1]], 0.2, atol=1e-12)
    assert float(sol["hinge.angle"].min()) == pytest.approx(-0.2, rel=1e-6)


def test_energies_by_part():
    """Two groups of shafts: the shares of a group are those of its members."""
    model = jd.Model("train")
    for group in ("engine", "box"):
        own = model.group(group)
        own.add_coordinate("a", 1.0)
        own.add_coordinate("b", 2.0)
        inner = jd.Coordinate(f"{group}.b") - jd.Coordinate(f"{group}.a")
        own.add_connection("c", inner, jd.Spring(30.0))
    between = jd.Coordinate("box.a") - jd.Coordinate("engine.b")
    model.add_connection("shaft", between, jd.Spring(5.0))
    for mode in jd.eigenmodes(model):
        parts, shares = mode.kinetic_energy_by_part, mode.kinetic_energy
        assert set(parts) == {"engine", "box"}
        assert parts["box"] == pytest.approx(shares["box.a"] + shares["box.b"])
        assert sum(parts.values()) == pytest.approx(1.0)
