"""The tripod joint in space against its closed form (4.F61, 4.V32)."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import powertrain as pt

R_B, LENGTH = 0.02, 0.08


def half_shaft(first, second, reach=LENGTH):
    """Drum, shaft with two spiders, flange at its reach; the axes lie in the plane of x and y."""
    model = jd.Model("half shaft", gravity=(0, 0, 0))
    world = model.world
    drum, shaft, flange = (
        model.add_body(n, jd.Inertia(1.0, moments=(1e-3, 1e-3, 1e-3)))
        for n in ("drum", "shaft", "flange")
    )
    turned = [jd.rotation_z(a) for a in (first, -second)]
    model.add_joint(
        "drum",
        world.at(rotation=turned[0]),
        drum,
        jd.Revolute("x"),
        driven={"angle": lambda t: 2.0 * np.pi * t},
    )
    model.add_joint("flange", world.at(reach, rotation=turned[1]), flange, jd.Revolute("x"))
    model.add_joint("shaft", world, shaft, jd.Free())
    model.add("one", pt.TripodJoint(drum, shaft, R_B))
    model.add("two", pt.TripodJoint(flange, shaft.at(LENGTH, 0, 0), R_B))
    model.add_connection("along", jd.Relative(shaft, world, "x"), jd.Equal())
    return model


def turn(first, second):
    """One revolution: centre of the first spider, and both angles."""
    model = half_shaft(first, second)
    sol = jd.simulate(model, 1.0, sample=1.0 / 240)
    y, z = (sol.values(f"shaft.position.{axis}") for axis in "yz")
    return sol.time, y, z, sol.values("flange.angle") - sol.values("drum.angle")


def test_equal_bends():
    """The centre runs on a circle r (1/cos α − 1)/2 at three times the speed; speeds are equal."""
    alpha = np.radians(12.5)
    _, y, z, late = turn(alpha, alpha)
    radius = 0.5 * R_B * (1.0 / np.cos(alpha) - 1.0)
    assert radius == pytest.approx(0.242795e-3, abs=1e-9)
    lines = np.fft.fft((y + 1j * z)[:-1]) / 240
    assert np.abs(lines[3]) + np.abs(lines[-3]) == pytest.approx(radius, rel=2e-3)
    assert np.ptp(late) < 2e-7


def test_one_bend():
    """All 25 degrees at the drum: an error (r/2l) tan α tan² (α/2), of third order."""
    alpha = np.radians(25.0)
    _, y, z, late = turn(alpha, 0.0)
    lines = 2.0 * np.abs(np.fft.rfft(late[:-1])) / 240
    wanted = 0.5 * R_B / LENGTH * np.tan(alpha) * np.tan(0.5 * alpha) ** 2
    assert lines[3] == pytest.approx(wanted, rel=1e-2)
    assert np.delete(lines, 3).max() < 2e-3 * lines[3]
    radius = 0.5 * R_B * (1.0 / np.cos(alpha) - 1.0)
    assert 0.5 * np.ptp(y) == pytest.approx(radius, rel=1e-2)
    assert 0.5 * np.ptp(z) == pytest.approx(radius, rel=1e-2)


def test_bends_that_differ():
    """4.V32: 25 degrees between the axes, which the shaft does not halve.

    Where they meet is not printed. At 38.955 mm from the first spider the mean direction of the
    shaft is as told, and so are the error of third order and the tilt about the normal of the plane
    of the axes. The other tilt is told as half of that: exact rotations give both alike.
    """
    sol = jd.simulate(half_shaft(0.0, -np.radians(25.0), 0.038955), 1.0, sample=1.0 / 240)
    late = sol.values("flange.angle") - sol.values("drum.angle")
    lines = 2.0 * np.abs(np.fft.rfft(late[:-1])) / 240
    assert lines[3] == pytest.approx(1.359e-4, rel=1e-3)
    assert np.delete(lines, (0, 3)).max() < 2e-3 * lines[3]
    w, x, y, z = sol.values("shaft.orientation").T
    tilt = np.arctan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z))[:-1]
    assert tilt.mean() == pytest.approx(0.2291, abs=5e-5)
    assert 0.5 * np.ptp(tilt) == pytest.approx(6.2e-4, rel=1e-2)
