"""The woodpecker toy (Pfeiffer 3.4.5): analytic values, impacts, limit cycle, time stepping."""

from pathlib import Path

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.contact.impact import impact
from jourdain.analysis.contact.rows import Contacts
from jourdain.library import woodpecker
from jourdain.system.contact import ContactKernels

DATA = Path(__file__).parent / "data"
CONTACTS = ("beak", "lower", "upper")
# Reference solution of the limit cycle: time [ms], kind, contact, height [mm], angles [rad].
CYCLE = [
    (0.0, "slip", "lower", 0.0, -0.10345, -0.20514),
    (5.8208, "detachment", "lower", -0.0555, -0.10345, -0.10345),
    (16.7098, "impact", "upper", -2.6161, 0.10345, 0.06686),
    (19.8112, "impact", "beak", -2.9299, 0.08940, 0.12),
    (20.3907, "impact", "upper", -2.9922, 0.10345, 0.11503),
    (20.3907, "slip", "upper", -2.9922, 0.10345, 0.11503),
    (22.2454, "detachment", "upper", -2.8764, 0.10345, 0.10345),
    (57.5338, "impact", "lower", -5.4456, -0.10345, -0.09743),
    (60.2625, "impact", "lower", -6.2672, -0.10345, -0.11454),
    (60.2625, "slip", "lower", -6.2672, -0.10345, -0.11454),
    (106.3827, "stick", "lower", -19.4454, -0.10345, -0.46865),
    (145.9761, "slip", "lower", -19.4454, -0.10345, -0.20514),
]
# Impacts with Poisson's law and plain friction: contacts, q̇⁻, q̇⁺, ΔT [J].
IMPACTS = [
    (("upper",), (-0.22883, 11.5895, 16.3337), (-0.1224685632, 0, 16.7094754833), -3.87644355e-6),
    (("beak",), (-0.1355, -2.1575, 16.9112), (-0.0937733457, 22.8784925538, -8.4556),
     -9.60526282e-5),
    (("upper",), (-0.11847, 25.2376, -8.6762), (0.0722616088, 0, -6.2464210756), -1.46029912e-5),
    (("lower",), (-0.20589, -10.827, -5.2283), (-0.2877143862, 0, -6.2706818594), -8.87366374e-6),
    (("lower",), (0.3, -40, -8), (-0.0022975382, 0, -11.851045938), -2.66914336e-5),
    (("beak", "upper"), (-0.05, 0, 20), (0.2517907616, 0, -10), -2.13177154e-4),
]  # fmt: skip


@pytest.fixture(scope="module")
def system():
    return jd.compile(woodpecker())


def start(y, sleeve, bird, v_y, v_sleeve, v_bird):
    """State by names; the height of the bird follows."""
    positions = {"height.value": y, "sleeve.value": sleeve, "bird.value": bird}
    return positions | {"height.rate": v_y, "sleeve.rate": v_sleeve, "bird.rate": v_bird}


def test_mass_matrix_of_the_three_coordinates(system):
    M = system.mass_matrix(system.state()[0])
    to_four = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0.010, 0.015]])
    expected = [
        [0.0048, 4.5e-5, 6.75e-5],
        [4.5e-5, 4.55e-7, 6.75e-7],
        [6.75e-5, 6.75e-7, 1.7125e-6],
    ]
    np.testing.assert_allclose(to_four.T @ M @ to_four, expected, rtol=1e-12)


@pytest.fixture(scope="module", params=[jd.Poisson(), jd.Newton()], ids=["poisson", "newton"])
def contacts(request):
    system = jd.compile(woodpecker(impact=request.param))
    return Contacts(system, ContactKernels(system, {}, {}, {}), np.zeros(0))


@pytest.mark.parametrize(("names", "before", "after", "energy"), IMPACTS)
def test_impacts(names, before, after, energy, contacts):
    v = np.array([*before, before[0] + 0.010 * before[1] + 0.015 * before[2]])
    rows = contacts.rows(contacts.system.state()[0], v, np.zeros(12), 0.0)
    hit = impact(contacts, rows, [CONTACTS.index(name) for name in names], 0.0)
    np.testing.assert_allclose((v + hit.dv)[:3], after, rtol=1e-9, atol=2e-10)
    assert hit.energy == pytest.approx(energy, rel=1e-8)


def test_limit_cycle(system):
    begin = start(0, -(0.0031 - 0.0025) / 0.0058, -0.2051353492, 0, 0, 17.5746662)
    sol = jd.simulate(system, 0.147, start=begin)
    assert len(sol.events) == len(CYCLE)
    for event, (t, kind, name, *positions) in zip(sol.events, CYCLE, strict=True):
        assert (event.kind, event.name) == (kind, name)
        assert event.time * 1e3 == pytest.approx(t, abs=6e-5)
        assert event.q[0] * 1e3 == pytest.approx(positions[0], abs=6e-5)
        np.testing.assert_allclose(event.q[1:3], positions[1:], atol=6e-6)
    assert sol.events[-1].time == pytest.approx(0.14597607, abs=2e-8)
    assert sol.events[-1].q[0] == pytest.approx(-0.01944538, abs=1e-8)
    spent = jd.simulate(system, sol.events[-1].time, start=begin)
    energies = spent.values("energy.total")
    assert energies[-1] - energies[0] == pytest.approx(-9.15644e-4, rel=1e-5)


def test_first_steps_of_time_stepping():
    system = jd.compile(woodpecker(impact=jd.Newton()))
    q, v = system.state()
    q[:3], v[:3] = (0, -0.1036, -0.2788), (-0.3411, 0, -7.4583)
    q[3], v[3] = (x[0] + 0.010 * x[1] + 0.015 * x[2] for x in (q, v))
    sol = jd.simulate(system, 200 * 2e-5, start=(q, v), integrator=jd.MoreauJean(2e-5), sample=2e-5)
    reference = np.genfromtxt(DATA / "siconos_woodpecker.csv", delimiter=",", skip_header=2)
    np.testing.assert_allclose(sol.time, reference[:, 0], atol=1e-12)
    np.testing.assert_allclose(sol.q[:, :3], reference[:, [1, 3, 5]], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(sol.v[:, [0, 2]], reference[:, [2, 6]], rtol=1e-9)
