"""Couplings with play, absorbers, elastomers."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt
from jourdain.library.powertrain.shafts.coupling import PlaySpring
from jourdain.testing import check_law

BOOK = {  # Table 6.4 of 5.V1: rev/min, N m/rad from unrounded frequencies
    750: 1708.90, 1000: 1786.54, 1500: 1895.96, 2000: 1973.60, 2500: 2033.82, 3000: 2083.02,
    3500: 2124.62, 4000: 2160.66, 4250: 2177.02,
}  # fmt: skip
X, Y = (jd.Coordinate(n) for n in "xy")
GATES = pt.ElastomerCoupling(X, Y, 780.0, slope=621.4)


def test_law_with_play():
    check_law(PlaySpring(100.0, 0.2))
    law = PlaySpring(100.0, 0.2)
    found = [float(law.force(x, 0.0, None)) for x in (-0.15, -0.1, 0.0, 0.1, 0.15)]
    np.testing.assert_allclose(found, [5.0, 0.0, 0.0, 0.0, -5.0], atol=1e-12)


def test_free_in_the_play():
    """A shaft runs through its play with constant speed, and comes back with the same speed."""
    model = jd.Model("play", gravity=(0, 0, 0))
    one = model.add("one", pt.Shaft(1.0))
    wall = model.add_coordinate("wall", 1.0, driven=0.0)
    model.add("dogs", pt.Coupling(one.angle, wall, 400.0, play=0.2))
    sol = jd.simulate(model, 0.1 + np.pi / 20.0 + 0.1, start={"one.speed": 1.0})
    assert sol.final["one.angle.rate"] == pytest.approx(-1.0, rel=1e-6)
    assert sol.final["one.angle"] == pytest.approx(0.0, abs=1e-6)
    assert sol.values("dogs.torque").max() == pytest.approx(20.0, rel=1e-3)  # c v/ω


def test_absorber_splits_the_frequency():
    """Frequencies of shaft and ring on their springs (5.F22)."""
    model = jd.Model("absorber", gravity=(0, 0, 0))
    shaft = model.add("shaft", pt.Shaft(1.0))
    ring = model.add("ring", pt.TorsionalDamper(shaft.angle, 0.1, 1000.0))
    model.add_connection("spring", shaft.angle, jd.Spring(5000.0))
    modes = jd.eigenmodes(model)
    roots = np.sort(np.linalg.eigvals([[6000.0, -1000.0], [-10000.0, 10000.0]]))
    found = np.sort([(2 * np.pi * m.frequency) ** 2 for m in modes])
    np.testing.assert_allclose(found, roots, rtol=1e-10)
    assert ring.frequency() == pytest.approx(100.0 / (2 * np.pi))


@pytest.mark.parametrize("speed", BOOK)
def test_stiffness_over_frequency(speed):
    """5.V1."""
    assert GATES.at(2.5 * speed / 60.0) == pytest.approx(BOOK[speed], abs=5e-3)


@pytest.mark.parametrize("branches", [2, 3, 4])
def test_branches_follow_the_line(branches):
    """Storage stiffness of the branches over the range: within 2 % of the line of 5.F23."""
    part = pt.ElastomerCoupling(X, Y, 780.0, slope=621.4, branches=branches)
    base, law = part.laws()
    for f in np.geomspace(1.0, 1000.0, 31):
        w = 2 * np.pi * f * np.array(law.time)
        storage = base + np.sum(np.array(law.stiffness) * w**2 / (1 + w**2))
        assert storage == pytest.approx(part.at(f), abs=0.02 * 780.0)


def test_elastomer_under_a_sinusoidal_twist():
    """Driven at 50 Hz the torque in phase with the twist is c(50 Hz) to 1 % (5.F23)."""
    model = jd.Model("rubber", gravity=(0, 0, 0))
    one = model.add_coordinate("one", 0.1, driven=jd.Sine(0.01, 50.0))
    two = model.add_coordinate("two", 0.1, driven=0.0)
    model.add("gates", pt.ElastomerCoupling(one, two, 780.0, slope=621.4, branches=3))
    sol = jd.simulate(model, 1.0, sample=1e-4)
    late = sol.time >= 0.9
    angle = 100.0 * np.pi * sol.time[late]
    waves = np.column_stack([np.sin(angle), np.cos(angle), np.ones(angle.size)])
    (inside, lost, _), *_ = np.linalg.lstsq(waves, sol.values("gates.torque")[late], rcond=None)
    assert inside / 0.01 == pytest.approx(GATES.at(50.0), rel=0.01)
    assert lost > 0.0


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"frequencies": (10.0, 1.0)}, "the lower one first"),
        ({"frequencies": (0.1, 1.0)}, "no stiffness left at 0.01 Hz"),
        ({"branches": 0}, "give 1 or more"),
    ],
)
def test_ranges_that_are_none(change, text):
    with pytest.raises(ModelError, match=text):
        pt.ElastomerCoupling(X, Y, 780.0, slope=621.4, **change)
