"""The hydraulic chain tensioner and its pieces: 5.V14, 5.V33, 5.V34."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.results.audit import energy_balance

AREA, GAP, LENGTH, STROKE, SUPPLY = np.pi * 7.5e-3**2, 60e-6, 0.02, 2e-4, 3e5
RESISTANCE = 4.6969144e11  # 12 η l/(A_g h²) [Pa s/m³]
DRAGGED = np.pi * (7.5e-3 + 0.5 * GAP) * GAP  # half the section of the gap [m²]
BALL = {
    "seat": hy.BallSeat(2.5e-3, np.pi / 4), "lift": 3e-4, "stiffness": 300.0, "preload": 0.05,
    "mass": 5e-4, "damping": 0.5,
}  # fmt: skip


def fluid(**changes):
    own = {"density": 850.0, "viscosity": 0.02, "bulk_modulus": 1.5e9, "air": 0.0}
    return hy.Fluid(**own | changes)


def rig(hertz, oil_in=None, **fields):
    """A cam moves the piston into its chamber, 0.2 mm · sin ω t."""
    w, own = 2.0 * np.pi * hertz, oil_in or fluid()
    model = jd.Model("rig", gravity=(0, 0, 0))
    model.add_coordinate("cam", 0.05, unit="m", driven=lambda t: -STROKE * jd.sin(w * t))
    oil = model.group("oil")
    S, T = oil.add("S", hy.PressureSource(own, SUPPLY)), oil.add("T", hy.Tank(own))
    sizes = {"diameter": 15e-3, "gap": GAP, "length": LENGTH, "inlet": 20e-3}
    part = hy.ChainTensioner(S, T, jd.Coordinate("cam"), **sizes | fields)
    oil.add("tensioner", part)
    return model


def second_turn(model, hertz, start):
    """Second turn of the cam: time, pressure, flow of the valve."""
    sol = jd.simulate(model, 2.0 / hertz, start=start, sample=0.0005 / hertz)
    k = sol.time >= (1.0 - 1e-12) / hertz
    names = ("pressure", "flow")
    return sol, sol.time[k], *(sol.values(f"oil.tensioner.{n}")[k] for n in names)


def numbers(hertz, t, p, flow):
    """Largest pressure [bar], largest and mean force [N], loss [J], volume [mm³] of one turn."""
    force, v = AREA * p, STROKE * 2 * np.pi * hertz * np.cos(2 * np.pi * hertz * t)
    loss, volume = np.trapezoid(force * v, t), np.trapezoid(flow, t)
    return p.max() / 1e5, force.max(), np.trapezoid(force, t) * hertz, loss, 1e9 * volume


@pytest.mark.parametrize(
    ("hertz", "expected"),
    [
        (20.0, (21.0281, 371.597, 145.996, 0.0956046, 87.948)),
        (50.0, (52.5702, 928.991, 322.696, 0.270651, 77.757)),
        (100.0, (105.1403, 1857.98, 618.162, 0.562488, 74.476)),
    ],
)
def test_rigid_oil_and_an_ideal_valve(hertz, expected):
    """5.V34: p = max(p_s, R (A + A_g/2) ẋ), to 0.1 %."""
    start = {"oil.tensioner.gap.volume.rate": AREA * STROKE * 2 * np.pi * hertz}
    sol, t, p, flow = second_turn(rig(hertz), hertz, start)
    np.testing.assert_allclose(numbers(hertz, t, p, flow), expected, rtol=1e-4)
    v = STROKE * 2 * np.pi * hertz * np.cos(2 * np.pi * hertz * t)
    exact = np.maximum(SUPPLY, RESISTANCE * (AREA + DRAGGED) * v)
    lag = 850.0 * LENGTH / (2 * DRAGGED) / RESISTANCE * 2 * np.pi * hertz  # of the oil in the gap
    np.testing.assert_allclose(p, exact, atol=(lag + 1e-3) * exact.max())
    assert sol.values("oil.tensioner.chamber.void").max() < 1e-12
    assert sol.values("oil.tensioner.loss").min() > -1e-6


@pytest.mark.parametrize(
    ("hertz", "expected", "closed"),
    [
        (20.0, (20.963, 145.717, 0.09495), 0.467),
        (50.0, (51.577, 319.308, 0.26108), 0.512),
        (100.0, (98.070, 595.641, 0.49924), 0.549),
    ],
)
def test_compressible_oil_and_an_ideal_valve(hertz, expected, closed):
    """5.V34: 2 cm³ with 1.5 GPa, to 0.5 %."""
    model = rig(hertz, volume=2e-6, start=SUPPLY)
    _, t, p, flow = second_turn(model, hertz, None)
    largest, _, mean, loss, _ = numbers(hertz, t, p, flow)
    np.testing.assert_allclose((largest, mean, loss), expected, rtol=1e-3)
    assert np.mean(flow <= 1e-4 * flow.max()) == pytest.approx(closed, rel=5e-3)


@pytest.mark.parametrize(
    ("hertz", "bar", "lag"), [(20.0, 20.963, 4.50), (50.0, 51.581, 11.13), (100.0, 97.838, 21.48)]
)
def test_without_a_valve(hertz, bar, lag):
    """5.V34: p̂ = R A_e ω x̂/√(1 + (ω R V/E)²), and its lag."""
    w, own = 2.0 * np.pi * hertz, fluid()
    model = jd.Model("leak", gravity=(0, 0, 0))
    model.add_coordinate("cam", 0.05, unit="m", driven=lambda t: -STROKE * jd.sin(w * t))
    oil = model.group("oil")
    T, A = oil.add("T", hy.Tank(own)), oil.add("A", hy.Volume(own, 2e-6))
    oil.add("piston", hy.FlowSource(T, A, lambda t: AREA * STROKE * w * jd.cos(w * t)))
    sizes = {"radius": 7.5e-3, "height": GAP, "length": LENGTH, "is_plane": True}
    oil.add("gap", hy.Gap(A, T, **sizes, wall=jd.Coordinate("cam")))
    sol = jd.simulate(model, 3.0 / hertz, sample=0.0005 / hertz)
    k = sol.time >= 2.0 / hertz
    t, p = sol.time[k], sol.values("oil.A.pressure")[k]
    found = 2.0 * hertz * np.trapezoid(p * np.exp(1j * w * t), t)
    assert abs(found) / 1e5 == pytest.approx(bar, rel=1e-4)
    assert np.degrees(np.angle(found)) == pytest.approx(lag, abs=0.01)


LINE, BORE = 0.1, np.sqrt(4 * 2e-5 / np.pi)


@pytest.mark.parametrize(
    ("push", "friction", "pressure", "held", "accelerations", "void"),
    [
        (0.0, 50.0, 200000.0, -35.34292, (1176.4706, 1176.4706, 0.0), 0.0),
        (-30.0, 20.0, 200000.0, -5.34292, (1176.4706, 1176.4706, 0.0), 0.0),
        (0.0, 20.0, 150484.967, -20.0, (1759.0004, 593.9408, 131.85777), 0.0),
        (60.0, 20.0, 0.0, -20.0, (3529.4118, -1176.4706, 800.0), 0.0472540),
    ],
)
def test_cavitation_and_stick_friction_at_one_node(
    push, friction, pressure, held, accelerations, void
):
    """5.V33: two lines and a piston with seals at a node: stick, slip, slip with a void."""
    own = fluid(viscosity=0.0)
    model = jd.Model("node", gravity=(0, 0, 0))
    model.add_coordinate("piston", 0.05, unit="m")
    piston = jd.Coordinate("piston")
    model.add_connection("push", piston, jd.Force(push + hy.ATMOSPHERE * AREA))
    oil = model.group("oil")
    one, two = (
        oil.add(n, hy.PressureSource(own, p - hy.ATMOSPHERE)) for n, p in (("S", 3e5), ("T", 1e5))
    )
    a = oil.add("a", hy.CavitatingJunction(own))
    oil.add("one", hy.Line(one, a, length=LINE, diameter=BORE))
    oil.add("two", hy.Line(a, two, length=LINE, diameter=BORE))
    oil.add("ram", hy.Cylinder(a, None, piston, (AREA, 0.0), friction=friction))
    sol = jd.simulate(model, 1e-5, sample=1e-6)
    assert sol.values("oil.a.pressure")[0] + hy.ATMOSPHERE == pytest.approx(
        pressure, rel=1e-8, abs=1e-6
    )
    assert sol.values("oil.ram.seals.force")[0] == pytest.approx(held, abs=5e-6)
    found = [sol.values(f"oil.{n}.volume.acceleration")[0] / 2e-5 for n in ("one", "two")]
    found.append(sol.values("piston.acceleration")[0])
    np.testing.assert_allclose(found, accelerations, rtol=5e-8, atol=1e-9)
    assert sol.values("oil.a.void.acceleration")[0] == pytest.approx(void, rel=1e-6, abs=1e-12)
    if friction == 20.0 and push == 0.0:  # slips: the whole row to 1e-9 of its closed form
        m, M = 1.7e-3, 0.05
        p = (2e-5**2 / m * 4e5 + AREA * 20.0 / M) / (2 * 2e-5**2 / m + AREA**2 / M)
        assert sol.values("oil.a.pressure")[0] + hy.ATMOSPHERE == pytest.approx(p, rel=1e-9)
        exact = [2e-5 / m * (3e5 - p), 2e-5 / m * (p - 1e5), (AREA * p - 20.0) / M]
        np.testing.assert_allclose(found, exact, rtol=1e-9)


@pytest.mark.parametrize("hertz", [20.0, 50.0, 100.0])
def test_rig_with_a_ball(hertz):
    """5.V14: stiff inwards, soft outwards; the pressure rises only after the ball has closed."""
    model = rig(hertz, fluid(air=0.002), volume=2e-6, start=SUPPLY, ball=BALL)
    sol, t, p, flow = second_turn(model, hertz, None)
    x = sol.values("oil.tensioner.valve.lift")[-len(t) :]
    assert p.max() > 5.0 * SUPPLY  # inwards
    assert p.min() < SUPPLY  # outwards oil comes from the supply
    assert x.max() > 1e-4
    assert x.min() > -1e-9
    high = p > SUPPLY + 5e5
    np.testing.assert_allclose(x[high], 0.0, atol=2e-6)
    opened = np.flatnonzero((x[1:] > 1e-7) & (x[:-1] <= 1e-7))
    assert 1 <= len(opened) <= 3
    inflow, leak = (
        np.trapezoid(f, t) for f in (flow, sol.values("oil.tensioner.gap.flow")[-len(t) :])
    )
    assert inflow == pytest.approx(leak, rel=0.02)  # of a turn, but for what the ball displaces
    balance = energy_balance(sol)
    assert balance.largest < 1e-4 * balance.exchanged


def test_cold_oil_is_stiffer():
    """5.V14: room temperature and 70 °C."""
    peaks = []
    for celsius in (20.0, 70.0):
        own = hy.standard_oil("HLP 22", celsius)
        model = rig(50.0, own, volume=2e-6, start=SUPPLY, ball=BALL)
        peaks.append(second_turn(model, 50.0, None)[2].max())
    assert peaks[0] > 2.0 * peaks[1] > 4.0 * SUPPLY
