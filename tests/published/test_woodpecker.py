"""The woodpecker toy (Pfeiffer 3.4.5): analytic values, impacts, limit cycle, time stepping."""

from pathlib import Path

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.contact.contact_points import MODE
from jourdain.library import woodpecker
from jourdain.simulation.contact.impact import impact
from jourdain.simulation.contact.rows import Contacts
from jourdain.system.contact.kernels import ContactKernels

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


def test_response_of_the_contacts(system):
    """Own responses G_NN, G_NT, G_TT of beak, lower and upper edge [1/kg]."""
    contacts = Contacts(system, ContactKernels(system, {}, {}, {}), np.zeros(0))
    q, v = system.state()
    G = contacts.rows(q, v, np.zeros(3 * MODE), 0.0).G
    expected = [(563.74, 562.57, 781.52), (1092.45, -1035.5, 1449.0), (1092.45, 1035.5, 1449.0)]
    for k, wanted in enumerate(expected):
        n, t = 2 * k, 2 * k + 1
        np.testing.assert_allclose([G[n, n], G[n, t], G[t, t]], wanted, rtol=5e-5)


def test_frequency_and_mode_of_the_free_toy(system):
    """Two rigid motions, and one vibration of sleeve against bird with 72.908498 Hz."""
    kernels = ContactKernels(system, {}, {}, {})
    q, v = system.state()
    units, still = np.eye(len(v)), np.zeros(len(v))
    state = q, v, np.zeros(3 * MODE), 0.0, np.zeros(0)
    by_q = kernels.tangent(*state, units, still)[1].T
    values, modes = np.linalg.eig(by_q)
    order = np.argsort(values.real)
    assert np.abs(values[order[1:]]).max() <= 1e-9 * np.abs(values).max()
    assert np.sqrt(-values[order[0]].real) / (2 * np.pi) == pytest.approx(72.908498, rel=1e-7)
    mode = modes[:3, order[0]].real
    np.testing.assert_allclose(-mode / mode[2], [-0.0862033, 10.6950208, -1.0], rtol=1e-6)


JAMMED = -(0.0031 - 0.0025) / 0.0058


def test_frequency_of_the_jammed_toy(system):
    """The bird swings about -0.221694 rad with 9.101204 Hz while the sleeve sticks."""
    begin = start(0, JAMMED, -0.221694 + 0.001, 0, 0, 0)
    turns = {"turn": jd.Event(lambda t, s: s["bird.rate"])}
    sol = jd.simulate(system, 1.0, start=begin, events=turns)
    times = [event.time for event in sol.events if event.name == "turn"]
    period = 2.0 * np.diff(times).mean()
    assert 1.0 / period == pytest.approx(9.101204, rel=1e-7)
    middle = 0.5 * (sol.values("bird.value").max() + sol.values("bird.value").min())
    assert middle == pytest.approx(-0.221694, abs=2e-6)
    assert {event.name: event.kind for event in sol.events}["lower"] == "stick"
    assert np.ptp(sol.values("height.value")) <= 1e-12


def test_friction_that_jams_the_toy():
    """μ = (F + m_M g) h_M / (F (l_M + l_G) − (F + m_M g) r_M) holds a force F on the bird.

    For its own weight this is 0.285187; 0.264840 would hold any force.
    """
    system = jd.compile(woodpecker(friction=jd.Parameter("friction", 0.3)))
    for push, known in ((0.0, 0.285187), (1e3, 0.264840)):
        ratio = 1.0 + 0.0003 * 9.81 / (0.0045 * 9.81 + push)
        least = ratio * 0.0058 / (0.025 - ratio * 0.0031)
        assert least == pytest.approx(known, abs=2e-6)
        force = 0.0045 * 9.81 + push
        begin = start(0, JAMMED, JAMMED - force * 0.015 / 0.0056, 0, 0, 0)
        for friction, kind in ((least * (1 + 1e-6), "stick"), (least * (1 - 1e-6), "slip")):
            sol = jd.simulate(
                system, 1e-4, start=begin, inputs={"bird_height": -push}, sample=1e-4,
                parameters={"friction": friction},
            )  # fmt: skip
            assert [event.kind for event in sol.events] == [kind]
            normal = force * (0.025 - ratio * 0.0031) / 0.0058
            assert sol.values("lower.normal_force")[0] == pytest.approx(normal, rel=1e-5)


@pytest.fixture(scope="module", params=[jd.Poisson(), jd.Newton()], ids=["poisson", "newton"])
def contacts(request):
    system = jd.compile(woodpecker(impact=request.param))
    return Contacts(system, ContactKernels(system, {}, {}, {}), np.zeros(0))


@pytest.mark.parametrize(("names", "before", "after", "energy"), IMPACTS)
def test_impacts(names, before, after, energy, contacts):
    v = np.array([*before, before[0] + 0.010 * before[1] + 0.015 * before[2]])
    rows = contacts.rows(contacts.system.state()[0], v, np.zeros(3 * MODE), 0.0)
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


@pytest.mark.parametrize(
    "law", [jd.Newton(), jd.Poisson("glocker")], ids=["newton", "stored impulses"]
)
def test_limit_cycle_of_other_laws_of_impact(law):
    """Without stored tangential impulses (ε_T = 0) three laws have the same cycle."""
    begin = start(0, JAMMED, -0.2051353492, 0, 0, 17.5746662)
    sol = jd.simulate(woodpecker(impact=law), 0.147, start=begin)
    assert [(e.kind, e.name) for e in sol.events] == [line[1:3] for line in CYCLE]
    assert sol.events[-1].time == pytest.approx(0.14597607, abs=2e-8)
    assert sol.events[-1].q[0] == pytest.approx(-0.01944538, abs=1e-8)
    assert sol.events[-1].v[2] == pytest.approx(17.5746662, rel=1e-6)


def _returned(system, rate):
    """Event at which the sleeve slips again, after a slip with a rate of the bird [rad/s]."""
    sol = jd.simulate(system, 0.2, start=start(0, JAMMED, -0.2051353492, 0, 0, rate))
    stuck = next(k for k, e in enumerate(sol.events) if e.kind == "stick" and e.name == "lower")
    return next(e for e in sol.events[stuck:] if e.kind == "slip" and e.name == "lower")


def test_return_map_of_the_cycle(system):
    """Its slope at the cycle is -0.839: neighbours come nearer, from side to side."""
    rates = [_returned(system, 17.5746662 + d).v[2] for d in (-1e-3, 1e-3)]
    assert (rates[1] - rates[0]) / 2e-3 == pytest.approx(-0.839, abs=1e-3)


def test_cycle_with_beitelschmidts_law():
    """Its offset (3.206) does not vanish for ε_T = 0: another cycle, 129.5 ms and 10.5 mm."""
    system = jd.compile(woodpecker(impact=jd.Poisson("beitelschmidt")))
    ends = np.array([16.57, 16.61])
    grown = np.array([_returned(system, rate).v[2] for rate in ends]) - ends
    rate = ends[0] - grown[0] * (ends[1] - ends[0]) / (grown[1] - grown[0])
    back = _returned(system, rate)
    assert back.v[2] == pytest.approx(rate, abs=1e-3)
    assert rate == pytest.approx(16.59, abs=0.01)
    assert back.time == pytest.approx(0.1295, abs=1e-4)
    assert back.q[0] == pytest.approx(-0.0105, abs=5e-5)


def test_first_steps_of_time_stepping():
    system = jd.compile(woodpecker(impact=jd.Newton()))
    q, v = system.state()
    q[:3], v[:3] = (0, -0.1036, -0.2788), (-0.3411, 0, -7.4583)
    q[3], v[3] = (x[0] + 0.010 * x[1] + 0.015 * x[2] for x in (q, v))
    sol = jd.simulate(
        system,
        200 * 2e-5,
        start=(q, v),
        method=jd.MoreauJean(2e-5, corrects_positions=False),
        sample=2e-5,
    )
    reference = np.genfromtxt(DATA / "siconos_woodpecker.csv", delimiter=",", skip_header=2)
    np.testing.assert_allclose(sol.time, reference[:, 0], atol=1e-12)
    np.testing.assert_allclose(sol.q[:, :3], reference[:, [1, 3, 5]], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(sol.v[:, [0, 2]], reference[:, [2, 6]], rtol=1e-9)
