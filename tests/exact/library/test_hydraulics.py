"""Circuits with closed solutions: 4.V1, 4.V6, 4.V7, 4.V8, and the limit of stiff oil."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.library.hydraulics.valves.orifice import Throttle
from jourdain.results.audit import energy_balance

RHO, LENGTH, BORE = 850.0, 1.0, 0.01
AREA = np.pi * BORE**2 / 4.0


def fluid(**changes):
    return hy.Fluid(
        **{"density": RHO, "viscosity": 0.03, "bulk_modulus": 1e9, "air": 0.0} | changes
    )


def storage(node):
    """Storage of 15 bar, line, cylinder with a spring (4.V1); the node is that of the cylinder."""
    model = jd.Model("storage", gravity=(0, 0, 0))
    model.add_coordinate("piston", 1.0, unit="m")
    piston = jd.Coordinate("piston")
    model.add_connection("spring", piston, jd.Spring(3e4) + jd.Damper(50.0))
    oil = model.group("oil")
    S = oil.add("S", hy.PressureSource(fluid(), 15e5))
    a = oil.add("a", node)
    oil.add("line", hy.Line(S, a, length=LENGTH, diameter=BORE, turbulent=False))
    oil.add("ram", hy.Cylinder(a, None, piston, (1e-3, 0.0)))
    return model


def oscillator(t):
    m, d = 1.0 + RHO * LENGTH * 1e-6 / AREA, 50.0 + 8 * np.pi * 0.03 * LENGTH * (1e-3 / AREA) ** 2
    w0 = np.sqrt(3e4 / m)
    zeta = d / (2.0 * m * w0)
    w = w0 * np.sqrt(1.0 - zeta**2)
    x = 0.05 * (1.0 - np.exp(-zeta * w0 * t) * (np.cos(w * t) + zeta * w0 / w * np.sin(w * t)))
    return m, x


def test_storage_line_piston_without_compressibility():
    """4.V1: exactly a damped oscillator; p(0+) = 1.2688 bar accelerates the piston alone."""
    sol = jd.simulate(storage(hy.Junction(fluid())), 0.5)
    m, x = oscillator(sol.time)
    assert m == pytest.approx(11.8225, abs=1e-4)
    np.testing.assert_allclose(sol.values("piston"), x, atol=1e-7 * 0.08)
    assert sol.values("oil.a.pressure")[0] == pytest.approx(1.2688e5, rel=1e-4)
    inside = sol.values("oil.line.volume") - 1e-3 * sol.values("piston")
    np.testing.assert_allclose(inside, 0.0, atol=1e-9 * 8e-5)
    exact = (0.021230, 0.074598, 0.046912, 0.060848)
    found = np.interp((0.02, 0.05, 0.1, 0.2), sol.time, sol.values("piston"))
    np.testing.assert_allclose(found, exact, atol=1e-6)
    fine = jd.simulate(storage(hy.Junction(fluid())), 0.5, sample=1e-4, method=jd.Dop853(1e-12))
    balance = energy_balance(fine)
    assert balance.supplied > 10.0
    assert balance.largest < 1e-9 * balance.supplied
    lost = np.trapezoid(fine.values("oil.line.loss") + 50.0 * fine.values("piston.rate") ** 2,
                        fine.time)  # fmt: skip
    given = 15e5 * fine.values("oil.line.volume")[-1]
    assert given - lost == pytest.approx(fine.values("energy.total")[-1], rel=1e-6)


@pytest.mark.parametrize("theta", [0.5, 1.0])
def test_the_loss_of_time_steps_is_their_own(theta):
    """The audit lists (2θ − 1) Σ ½ (m Δv² + c Δx²): what steps of that θ take."""
    dt, (m, _) = 1e-4, oscillator(0.0)
    model = storage(hy.Junction(fluid()))
    sol = jd.simulate(model, 0.2, method=jd.MoreauJean(dt, theta=theta), sample=dt)
    x, v = sol.values("piston"), sol.values("piston.rate")
    own = 0.5 * (m * np.diff(v) ** 2 + 3e4 * np.diff(x) ** 2).sum()
    d = 50.0 + 8 * np.pi * 0.03 * LENGTH * (1e-3 / AREA) ** 2
    shifted = 0.5 * dt * (15e5 * 1e-3 * (v[-1] - v[0]) - d * (v[-1] ** 2 - v[0] ** 2))
    balance = energy_balance(sol)
    expected = (2.0 * theta - 1.0) * (shifted - own)
    assert balance.residual == pytest.approx(expected, rel=1e-3, abs=1e-6 * balance.supplied)


def test_storage_line_piston_with_compressibility():
    """4.V1: maximum 0.081575 m at 0.0631 s, 1.58e-4 m from the rigid junction at most."""
    time = np.linspace(0.0, 0.5, 5001)
    sol = jd.simulate(storage(hy.Volume(fluid(), 5e-5)), 0.5, sample=time)
    x = sol.values("piston")
    assert x.max() == pytest.approx(0.081575, abs=2e-6)
    assert time[x.argmax()] == pytest.approx(0.0631, abs=1.1e-4)
    assert np.abs(x - oscillator(time)[1]).max() == pytest.approx(1.58e-4, rel=0.01)
    assert sol.values("oil.a.pressure").max() == pytest.approx(23.9e5, rel=0.01)


def test_stiff_oil_tends_to_the_rigid_junction():
    """Both kinds of node agree as the bulk modulus grows: the difference falls as 1/E."""
    time = np.linspace(0.0, 0.1, 201)
    rigid = jd.simulate(storage(hy.Junction(fluid())), 0.1, sample=time).values("piston")
    offs = []
    for modulus in (1e10, 1e11, 1e12):
        node = hy.Volume(fluid(bulk_modulus=modulus), 5e-5)
        soft = jd.simulate(storage(node), 0.1, sample=time).values("piston")
        offs.append(np.abs(soft - rigid).max())
    assert offs[0] < 3e-5
    assert offs[1] < 0.2 * offs[0]
    assert offs[2] < 0.2 * offs[1]


def rectifier(viscosity):
    model = jd.Model("rectifier")
    oil, own = model.group("oil"), fluid(viscosity=viscosity)
    S = oil.add("S", hy.PressureSource(own, lambda t: 1e5 * jd.sin(2 * np.pi * 20 * t)))
    T, a = oil.add("T", hy.Tank(own)), oil.add("a", hy.Junction(own))
    oil.add("line", hy.Line(S, a, length=0.9 * LENGTH, diameter=BORE))
    oil.add("valve", hy.CheckValve(a, T, length=0.1 * LENGTH, section=AREA))
    return model


def speed(t):
    """Speed in the line of 4.V6 while the valve is open [m/s]."""
    m, d, w = RHO * LENGTH * AREA, 8 * np.pi * 0.6 * LENGTH, 2 * np.pi * 20
    assert d == pytest.approx(15.0796, rel=1e-5)
    phi, Z = np.arctan2(m * w, d), np.hypot(m * w, d)
    return AREA * 1e5 / Z * (np.sin(w * t - phi) + np.sin(phi) * np.exp(-t * d / m))


CLOSING = brentq(speed, 0.02, 0.045, xtol=1e-16)


def test_check_valve_as_rectifier():
    """4.V6: closes at 0.0290455 s; maximum 0.460521 m/s; mean flow 1.21975e-5 m³/s; to 1e-8."""
    sol = jd.simulate(rectifier(0.6 / 0.9), 0.05, sample=2.5e-5)
    closing = next(e.time for e in sol.events if e.kind == "contact")
    assert closing == pytest.approx(CLOSING, rel=1e-8)
    assert closing == pytest.approx(0.0290455, rel=1e-5)
    flow = sol.values("oil.valve.flow")
    is_open = sol.time < closing
    np.testing.assert_allclose(flow[is_open] / AREA, speed(sol.time[is_open]), atol=1e-9)
    np.testing.assert_allclose(flow[~is_open], 0.0, atol=1e-15)
    assert flow.max() / AREA == pytest.approx(0.460521, rel=1e-5)
    passed = AREA * quad(speed, 0.0, CLOSING, epsabs=1e-14)[0]
    assert sol.values("oil.valve.volume")[-1] == pytest.approx(passed, rel=1e-8)
    assert passed / 0.05 == pytest.approx(1.21975e-5, rel=1e-5)
    is_shut = sol.time > closing
    blocked = sol.values("oil.valve.pressure_drop")[is_shut]
    source = 1e5 * np.sin(2 * np.pi * 20 * sol.time[is_shut])
    np.testing.assert_allclose(blocked, source, atol=1e-3)
    balance = energy_balance(sol)
    assert balance.largest < 1e-9 * balance.exchanged


@pytest.mark.parametrize("make", [jd.MoreauJean, jd.NonsmoothAlpha])
def test_check_valve_as_rectifier_in_steps(make):
    """4.V6: the closing time is off by a step at most, the flow by O(dt²) while it is open."""
    offs = []
    for dt in (1e-4, 1e-5):
        sol = jd.simulate(rectifier(0.6 / 0.9), 0.05, sample=1e-4, method=make(dt))
        closing = next(e.time for e in sol.events if e.kind in ("contact", "impact"))
        assert closing == pytest.approx(CLOSING, abs=1.01 * dt)
        is_open = sol.time < CLOSING - dt
        flow = sol.values("oil.valve.flow")
        offs.append(np.abs(flow[is_open] / AREA - speed(sol.time[is_open])).max())
        assert np.abs(flow[sol.time > CLOSING + dt]).max() < 1e-12
        balance = energy_balance(sol)
        assert balance.largest < 1e-2 * balance.exchanged * dt / 1e-4
    assert offs[0] < 1e-4
    assert offs[1] < 0.02 * offs[0]


def test_check_valve_without_loss_does_not_close_within_a_period():
    """4.V6: v ~ 1 − cos."""
    sol = jd.simulate(rectifier(0.0), 0.0499)
    assert not [e for e in sol.events if e.kind == "contact"]


@pytest.mark.parametrize("slower", [1.0, 1e-5])
@pytest.mark.parametrize("method", [None, jd.MoreauJean(1e-4), jd.NonsmoothAlpha(1e-4)], ids=str)
def test_valve_slam_in_a_branched_network(method, slower):
    """4.V8: v = (4, 3, 3.125) → (3.42308, 0, 4.27885) m/s, and the impulse of the whole network.

    Slower flows lose their part, too: none is too small to be noted.
    """
    model, own = jd.Model("slam"), fluid(viscosity=0.0)
    oil = model.group("oil")
    T, a = oil.add("T", hy.Tank(own)), oil.add("a", hy.Junction(own))
    areas, lengths = (1e-4, 5e-5, 8e-5), (1.0, 2.0, 0.5)
    bores = [np.sqrt(4 * A / np.pi) for A in areas]
    oil.add("one", hy.Line(T, a, length=lengths[0], diameter=bores[0]))
    oil.add("three", hy.Line(a, T, length=lengths[2], diameter=bores[2]))
    closing = hy.Orifice(a, T, lambda at: jd.maximum(0.1 - at.t, 0.0), discharge=1e9,
                         reynolds=0.0, length=lengths[1], section=areas[1])  # fmt: skip
    oil.add("two", closing)
    before = dict(zip(("one", "two", "three"), (4.0, 3.0, 3.125), strict=True))
    start = {
        f"oil.{n}.volume.rate": slower * v * A
        for (n, v), A in zip(before.items(), (1e-4, 5e-5, 8e-5), strict=True)
    }
    sol = jd.simulate(model, 0.2, start=start, method=method)
    after = [
        sol.values(f"oil.{n}.flow")[-1] / (slower * A) for n, A in zip(before, areas, strict=True)
    ]
    np.testing.assert_allclose(after, (3.42308, 0.0, 4.27885), atol=5e-6)
    inertia = RHO * np.array(lengths) / np.array(areas)
    flows = np.array(list(before.values())) * np.array(areas)
    together = (inertia[0] * flows[0] + inertia[2] * flows[2]) / (inertia[0] + inertia[2])
    exact = (together / areas[0], 0.0, together / areas[2])
    np.testing.assert_allclose(after, exact, rtol=1e-10, atol=1e-12)
    junction = inertia[2] * (after[2] * areas[2] - flows[2])
    assert junction == pytest.approx(490.385, abs=5e-4)
    lost = 0.5 * (inertia * (flows**2 - np.array([together, 0.0, together]) ** 2)).sum()
    kinetic = sol.values("energy.kinetic")
    assert kinetic[0] - kinetic[-1] == pytest.approx(slower**2 * lost, rel=1e-10)
    balance = energy_balance(sol)
    assert balance.largest < 1e-9 * balance.exchanged
    if method is None:
        impact = next(e for e in sol.events if e.details.get("impulses"))
        impulse = max(abs(x) for x in np.ravel(impact.details["impulses"]))
        impulse /= slower
        assert impulse == pytest.approx(junction + inertia[1] * flows[1], rel=1e-10)
        assert impulse == pytest.approx(5590.385, abs=5e-4)


def torn(driven=None):
    """A piston is drawn from a line at a tank, faster than its oil can follow (4.V7)."""
    own = fluid(viscosity=0.0, vapour_pressure=hy.ATMOSPHERE - 1e5)
    model = jd.Model("torn", gravity=(0, 0, 0))
    model.add_coordinate("piston", 200.0, unit="m", driven=driven)
    oil = model.group("oil")
    T, a = oil.add("T", hy.Tank(own)), oil.add("a", hy.CavitatingJunction(own))
    oil.add("line", hy.Line(T, a, length=LENGTH, diameter=BORE))
    oil.add("ram", hy.Cylinder(a, None, jd.Coordinate("piston"), (1e-3, 0.0)))
    return model


TEARING = {"oil.line.volume.rate": 0.0, "oil.a.void.rate": 5e-4}


def test_void_opens_and_collapses_event_driven():
    """4.V7 with a piston of 200 kg in the place of a driven one: closed form to 1e-8."""
    start = TEARING | {"piston": 0.02, "piston.rate": 0.5}
    sol = jd.simulate(torn(), 0.15, start=start)
    inertia, weight, brake = RHO * LENGTH / AREA, 200.0 / 1e-6, 1e5
    oil, piston = brake / inertia, brake / weight  # accelerations of volumes [m³/s²]
    collapse = 2.0 * 5e-4 / (oil + piston)
    impact = next(e for e in sol.events if e.kind == "impact")
    assert impact.time == pytest.approx(collapse, rel=1e-8)
    before = oil * collapse, 5e-4 - piston * collapse
    after = (inertia * before[0] + weight * before[1]) / (inertia + weight)
    assert np.ravel(impact.details["impulses"])[0] == pytest.approx(
        inertia * (before[0] - after), rel=1e-8
    )
    k = np.searchsorted(sol.time, collapse, side="right")
    assert sol.values("oil.line.flow")[k] == pytest.approx(after, rel=1e-8)
    assert sol.values("oil.a.pressure")[1] == pytest.approx(-1e5, rel=1e-9)
    void = sol.values("oil.a.void")
    t = sol.time[sol.time < collapse]
    np.testing.assert_allclose(
        void[: len(t)], 5e-4 * t - 0.5 * (oil + piston) * t**2, atol=1e-8 * 1.35e-5
    )
    np.testing.assert_allclose(void[k:], 0.0, atol=1e-12)
    assert sol.values("oil.a.pressure").min() >= -1e5 - 1e-6


def test_void_behind_a_driven_piston():
    """4.V7 as it stands: collapse at 0.108225 s, 12.7324 → 6.36620 m/s, 5411.27 Pa s, to 1e-8."""
    sol = jd.simulate(torn(lambda t: 0.02 + 0.5 * t), 0.15, start=TEARING)
    a, Q = 1e5 / (RHO * LENGTH), 1e-3 * 0.5
    collapse = 2.0 * Q / (AREA * a)
    assert collapse == pytest.approx(0.108225, abs=1e-6)
    impact = next(e for e in sol.events if e.kind == "impact")
    assert impact.time == pytest.approx(collapse, rel=1e-8)
    impulse = np.ravel(impact.details["impulses"])[0]
    assert impulse == pytest.approx(RHO * LENGTH * Q / AREA, rel=1e-8)
    assert impulse == pytest.approx(5411.27, abs=0.01)
    before, after = (sol.time < collapse - 1e-9), (sol.time > collapse + 1e-9)
    t, speed = sol.time, sol.values("oil.line.flow") / AREA
    np.testing.assert_allclose(speed[before], a * t[before], atol=1e-8 * 12.7)
    assert a * collapse == pytest.approx(12.7324, abs=1e-4)
    np.testing.assert_allclose(speed[after], Q / AREA, rtol=1e-8)
    void = Q * t - 0.5 * AREA * a * t**2
    assert void.max() == pytest.approx(1.35282e-5, rel=1e-5)
    np.testing.assert_allclose(sol.values("oil.a.void")[before], void[before], atol=1e-8 * 1.35e-5)
    np.testing.assert_allclose(sol.values("oil.a.void")[after], 0.0, atol=1e-12)
    assert impact.details["drive_work"] == pytest.approx(-impulse * Q, rel=1e-8)  # it brakes
    balance = energy_balance(sol)
    assert balance.largest < 1e-9 * balance.exchanged


def test_pressures_beside_a_void_do_not_blur_its_collapse():
    """4.V7 with a piston that is drawn off from rest, beside a volume of 1000 bar and without."""
    times = []
    for is_beside in (False, True):
        model = torn()
        oil = model.group("oil")
        if is_beside:
            S = oil.add("S", hy.Volume(fluid(), 1e-3, start=1e8))
            oil.add("jet", hy.Orifice(S, model.part("oil.T"), area=1e-9))
        model.add_connection("pull", jd.Coordinate("piston"), jd.Force(lambda t: 5e3 - 1e5 * t))
        sol = jd.simulate(model, 0.3, start={"piston": 0.02}, sample=1e-4)
        times.append(next(e.time for e in sol.events if e.kind == "impact"))
        void = sol.values("oil.a.void")
        assert void.max() > 1e-6
        assert void.min() > -1e-15
    assert times[1] == pytest.approx(times[0], rel=1e-9)


@pytest.mark.parametrize("method", [jd.MoreauJean(1e-5), jd.NonsmoothAlpha(1e-5)], ids=str)
def test_void_opens_and_collapses_in_steps(method):
    """4.V7: collapse at 0.108225 s, impulse 5411.27 Pa s, 12.7324 → 6.36620 m/s."""
    sol = jd.simulate(torn(lambda t: 0.02 + 0.5 * t), 0.15, start=TEARING, method=method)
    impact = next(e for e in sol.events if e.kind == "impact")
    assert impact.time == pytest.approx(0.108225, abs=3e-5)
    assert np.ravel(impact.details["impulses"])[0] == pytest.approx(5411.27, rel=1e-3)
    assert sol.values("oil.line.flow")[-1] / AREA == pytest.approx(6.36620, rel=1e-6)
    assert sol.values("oil.a.void").max() == pytest.approx(1.35282e-5, rel=1e-3)


@pytest.mark.parametrize("friction", [0.0, 4.0])
def test_clutch_is_filled(friction):
    """4.V12: 0.012 m², preload 800 N, 2 mm, αA = 10 mm² at 8 bar: filled in 57.78 ms."""
    model = jd.Model("clutch", gravity=(0, 0, 0))
    model.add_coordinate("piston", 0.5, unit="m")
    piston = jd.Coordinate("piston")
    model.add_connection("preload", piston, jd.Force(-800.0))
    oil, own = model.group("oil"), fluid(viscosity=0.01)
    S, A = oil.add("S", hy.PressureSource(own, 8e5)), oil.add("A", hy.Volume(own, 1e-6))
    oil.add("inlet", hy.Orifice(S, A, area=1e-5, discharge=1.0))
    rubs = {"friction": friction, "static": 5.0 * friction or None}
    oil.add("ram", hy.Cylinder(A, None, piston, (0.012, 0.0), limits=(0.0, 2e-3), **rubs))
    sol = jd.simulate(model, 0.08)
    if friction:  # it stays until p A exceeds the preload and the static friction
        slip = next(e.time for e in sol.events if e.kind == "slip")
        p = sol.values("oil.A.pressure")[np.searchsorted(sol.time, slip)]
        assert p * 0.012 == pytest.approx(800.0 + 5.0 * friction, rel=1e-6)
        assert np.abs(sol.values("piston")[sol.time < slip]).max() < 1e-12
    filled = next(e.time for e in sol.events if e.name == "oil.ram.stop_high")
    assert filled == pytest.approx(57.78e-3, rel=0.02)
    assert sol.values("oil.A.pressure")[-1] == pytest.approx(8e5, rel=1e-3)


def test_check_valve_beside_a_throttle():
    """4.V10: the smooth sum of both flows (4.F9) is the same as two elements."""

    class Both(hy.Element):
        a: object
        b: object

        def ends(self, name):
            both = ((self.a, 1.0), (self.b, -1.0))
            return tuple(hy.End(n, k, flow=f"{name}.passed.volume") for n, k in both)

        def build(self, group):
            throttle, a, b = Throttle(fluid()), self.a.name, self.b.name

            def flow(at):
                drop = at.force(f"{a}.node") - at.force(f"{b}.node")
                return throttle.flow(drop, 1e-7) + throttle.flow(jd.maximum(drop, 0.0), 1e-6)

            group.add_states("passed", {"volume": "m^3"}, flow)

    runs = []
    for is_one in (True, False):
        model = jd.Model("parallel")
        oil = model.group("oil")
        S = oil.add("S", hy.PressureSource(fluid(), lambda t: 1e6 * jd.sin(30.0 * t)))
        A = oil.add("A", hy.Volume(fluid(), 1e-3))
        if is_one:
            oil.add("both", Both(S, A))
        else:
            oil.add("throttle", hy.Orifice(S, A, area=1e-7))
            oil.add("valve", hy.CheckValve(S, A, area=1e-6))
        runs.append(jd.simulate(model, 0.5).values("oil.A.pressure"))
    assert runs[0].max() > 1e5
    np.testing.assert_allclose(runs[0], runs[1], atol=1.0)


@pytest.mark.parametrize("column", [{}, {"length": 0.05, "section": 1e-4}], ids=["flow", "column"])
@pytest.mark.parametrize("drop", [-5e5, 0.5e5, 1.5e5, 6e5])
def test_characteristic_of_a_preloaded_check_valve(drop, column):
    """4.V10: nothing up to the cracking pressure of 1 bar, Δp = p₀ + ρ/2 (Q/αA)² beyond."""
    model = jd.Model("preloaded")
    oil, own = model.group("oil"), fluid(viscosity=0.0)
    S, T = oil.add("S", hy.PressureSource(own, drop)), oil.add("T", hy.Tank(own))
    oil.add("valve", hy.CheckValve(S, T, area=5e-5, cracking=1e5, **column))
    flow = jd.simulate(model, 1.0).values("oil.valve.flow")[-1]
    if drop < 1e5:
        assert flow == pytest.approx(0.0, abs=1e-15)
    else:
        assert 1e5 + RHO / 2 * (flow / (0.7 * 5e-5)) ** 2 == pytest.approx(drop, rel=1e-8)
