"""Dry friction and freewheels whose modes are decided all at once, against exact motion."""

import numpy as np
import pytest
from scipy.optimize import brentq

import jourdain as jd

H = 1e-4
BOTH = pytest.mark.parametrize(
    ("method", "error"),
    [  # 100 N on 1 kg for two steps
        (jd.EventDriven(), 1e-9),
        (jd.MoreauJean(H), 200 * H),
        (jd.NonsmoothAlpha(H), 200 * H),
    ],
    ids=["events", "steps", "alpha"],
)


def pair(*capacities, torque):
    """Inertias of 1 and 3 with clutches between them, a torque on the first."""
    model = jd.Model("pair")
    model.add_coordinate("a", 1.0)
    model.add_coordinate("b", 3.0)
    slip = jd.Coordinate("a") - jd.Coordinate("b")
    for k, capacity in enumerate(capacities):
        model.add_connection(f"c{k}", slip, jd.Interval(capacity))
    model.add_connection("torque", jd.Coordinate("a"), jd.Force(torque))
    return model


def grows(x, v, at):
    return jd.maximum(0.0, at.t - 0.5) * 100.0


def jumps(before, after, t):
    return lambda x, v, at: jd.where(at.t < t, before, after)


def rates(sol):
    return [sol.final["a.rate"], sol.final["b.rate"]]


def force(sol, name):
    return sol.values(f"{name}.friction_force")[:, 0]


def times(sol, name, kind):
    return [event.time for event in sol.events if (event.name, event.kind) == (name, kind)]


@BOTH
def test_clutch_engages_while_its_capacity_grows_from_zero(method, error):
    """It slips until the momenta meet, at a = 10 t²/2 - 50 (t - ½)², then both have 5 / 4."""
    sol = jd.simulate(pair(grows, torque=lambda t: 10.0 * t), 1.0, method=method)
    np.testing.assert_allclose(rates(sol), [1.25, 1.25], atol=error)


@BOTH
def test_clutch_without_capacity_does_not_stick(method, error):
    sol = jd.simulate(
        pair(grows, torque=lambda t: jd.maximum(0.0, t - 0.2) * 10.0), 0.5, method=method
    )
    np.testing.assert_allclose(rates(sol), [0.45, 0.0], atol=error)
    assert np.abs(force(sol, "c0")).max() <= 1e-9


@BOTH
def test_two_clutches_slip_together(method, error):
    """Three quarters of 100 t reach both capacities at 70 / 75 s."""
    sol = jd.simulate(pair(35.0, 35.0, torque=lambda t: 100.0 * t), 1.2, method=method)
    slips, lasts = 70.0 / 75.0, 1.2 - 70.0 / 75.0
    start = 50.0 * slips**2 / 4.0
    a = start + 50.0 * (1.2**2 - slips**2) - 70.0 * lasts
    np.testing.assert_allclose(rates(sol), [a, start + 70.0 / 3.0 * lasts], atol=error)
    for name in ("c0", "c1"):
        assert np.abs(force(sol, name)).max() <= 35.0 * (1.0 + 1e-9)
        if isinstance(method, jd.EventDriven):
            np.testing.assert_allclose(times(sol, name, "slip"), slips, rtol=1e-9)


@BOTH
def test_open_clutch_beside_a_closed_one_carries_nothing(method, error):
    sol = jd.simulate(pair(0.0, 1e6, torque=40.0), 0.1, method=method)
    np.testing.assert_allclose(rates(sol), [1.0, 1.0], atol=error)
    np.testing.assert_allclose(force(sol, "c0"), 0.0, atol=1e-9)
    np.testing.assert_allclose(force(sol, "c1")[1:], -30.0, atol=1e-6)


@BOTH
def test_open_brake_beside_a_freewheel(method, error):
    """The freewheel holds against 20 t - 10 up to ½ s; then ∫ = 2.5."""
    model = jd.Model("freewheel")
    model.add_coordinate("k", 1.0)
    k = jd.Coordinate("k")
    model.add_connection("brake", k, jd.Interval(0.0))
    speed = jd.Formula(speed=lambda at: at.velocity("k"), unit="rad")
    model.add_connection("freewheel", speed, jd.Unilateral())
    model.add_connection("torque", k, jd.Force(lambda t: 20.0 * t - 10.0))
    sol = jd.simulate(model, 1.0, method=method)
    assert sol.final["k.rate"] == pytest.approx(2.5, abs=error)
    assert sol.values("freewheel.normal_force").min() >= -1e-9


@BOTH
def test_capacity_that_jumps_up(method, error):
    """Slip of 30 t - 10 t/3 at 0.3 s ends with 60: after 8 / (-40 + 60 + 20) s; then 40 t / 4."""
    sol = jd.simulate(pair(jumps(10.0, 60.0, 0.3), torque=40.0), 1.0, method=method)
    np.testing.assert_allclose(rates(sol), [10.0, 10.0], atol=error)
    if isinstance(method, jd.EventDriven):
        # The jump is passed in a step of some ns, in which position rounding over the step counts
        # as velocity (solvers/sizes.py): about 1e-7 m/s at 40 m/s^2.
        np.testing.assert_allclose(times(sol, "c0", "stick"), 0.5, rtol=1e-8)


@BOTH
def test_capacity_that_jumps_down(method, error):
    sol = jd.simulate(pair(jumps(60.0, 10.0, 0.3), torque=40.0), 0.5, method=method)
    np.testing.assert_allclose(rates(sol), [3.0 + 6.0, 3.0 + 2.0 / 3.0], atol=error)
    if isinstance(method, jd.EventDriven):
        np.testing.assert_allclose(times(sol, "c0", "slip"), 0.3, rtol=1e-12)


def test_samples_at_a_jump_obey_the_law_that_holds_then():
    model = pair(jumps(60.0, 10.0, 0.3), torque=40.0)
    sol = jd.simulate(model, 0.5, method=jd.EventDriven(), sample=0.1)
    for t, f in zip(sol.time, force(sol, "c0"), strict=True):
        assert abs(f) <= (60.0 if t < 0.3 else 10.0) * (1.0 + 1e-9)


def test_jump_of_a_force_on_what_slides_slowly():
    """Steps in front of a jump cannot become small enough: it is passed."""
    model = jd.Model("jump")
    model.add_coordinate("x", 1e-6, unit="m")
    x = jd.Coordinate("x")
    model.add_connection("brake", x, jd.Interval(jumps(1e-3, 1e3, 1.0 / 3.0)))
    model.add_connection("push", x, jd.Force(lambda t: jd.where(t < 0.25, 0.0, 2e-3)))
    sol = jd.simulate(model, 1.0, method=jd.EventDriven())
    top = 1e3 / 12.0
    stop = top / (1e9 - 2e3)
    assert sol.final["x.rate"] == 0.0
    assert sol.final["x.value"] == pytest.approx(top / 24.0 + top * stop / 2.0, rel=1e-6)


@BOTH
def test_three_clutches_in_parallel(method, error):
    """75 t = 20 + 10 + 50 t at 1.2 s."""
    model = pair(0.0, 20.0, lambda x, v, at: 10.0 + 50.0 * at.t, torque=lambda t: 100.0 * t)
    sol = jd.simulate(model, 1.4, method=method)
    b = 18.0 + 0.2 * 95.0 / 3.0  # 30 + 50 t is 95 in the mean
    np.testing.assert_allclose(rates(sol), [98.0 - 3.0 * b, b], atol=error)
    if isinstance(method, jd.EventDriven):
        for name in ("c0", "c1", "c2"):
            np.testing.assert_allclose(times(sol, name, "slip"), 1.2, rtol=1e-9)


@BOTH
def test_several_clutches_in_static_equilibrium(method, error):
    """Three shafts that a brake and clutches tie twice over: forces are in balance."""
    model, loads = jd.Model("rest"), (3.0, -5.0, 4.0)
    for k, load in enumerate(loads):
        model.add_coordinate(f"s{k}", 1.0 + k)
        model.add_connection(f"load{k}", jd.Coordinate(f"s{k}"), jd.Force(load))
    ties = {"c01": (0, 1, 4.0), "c12": (1, 2, 4.0), "c20": (2, 0, 4.0), "brake": (0, None, 2.5)}
    for name, (i, j, capacity) in ties.items():
        other = 0.0 if j is None else jd.Coordinate(f"s{j}")
        slip = jd.Coordinate(f"s{i}") if j is None else jd.Coordinate(f"s{i}") - other
        model.add_connection(name, slip, jd.Interval(capacity))
    sol = jd.simulate(model, 1.0, method=method)
    np.testing.assert_allclose(sol.q, 0.0, atol=1e-12)
    total = np.tile(np.array(loads)[:, None], len(sol.time))
    for name, (i, j, capacity) in ties.items():
        f = force(sol, name)
        assert np.abs(f).max() <= capacity * (1.0 + 1e-9)
        total[i] += f
        total[j if j is not None else i] -= f if j is not None else 0.0
    np.testing.assert_allclose(total[:, 1:], 0.0, atol=1e-6)


@BOTH
def test_shift_through_three_gears(method, error):
    """Each shift lets go of one clutch and closes the next, which slips until the speeds fit."""
    model, ratios, T, C, J = jd.Model("shift"), (3.0, 2.0, 1.0), 10.0, 30.0, (1.0, 20.0)
    model.add_coordinate("a", J[0])
    model.add_coordinate("b", J[1])
    a, b = jd.Coordinate("a"), jd.Coordinate("b")
    shifts = (1.0, 3.0)
    spans = ((0.0, 1.0), (1.0, 3.0), (3.0, 9.0))
    for k, (ratio, (begin, end)) in enumerate(zip(ratios, spans, strict=True)):
        law = jd.Interval(
            lambda x, v, at, i=begin, j=end: jd.where(at.t < i, 0.0, jd.where(at.t < j, C, 0.0))
        )
        model.add_connection(f"gear{k}", a - ratio * b, law)
    model.add_connection("torque", a, jd.Force(T))
    t, w = 0.0, 0.0  # speed of b
    for ratio, new, shift in zip(ratios, ratios[1:], shifts, strict=False):
        w += (shift - t) * T * ratio / (J[0] * ratio**2 + J[1])
        closes = (ratio - new) * w / ((C - T) / J[0] + new**2 * C / J[1])
        w += closes * new * C / J[1]
        t = shift + closes
    end = 4.0
    w += (end - t) * T / (J[0] + J[1])
    sol = jd.simulate(model, end, method=method)
    np.testing.assert_allclose(rates(sol), [w, w], atol=error)
    if isinstance(method, jd.EventDriven):
        assert times(sol, "gear2", "stick")[-1] == pytest.approx(t, rel=1e-9)


# -- notes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rate", "size"), [(1.0, 1.0), (7.0, 0.1)])
@pytest.mark.parametrize("is_driven", [True, False])
def test_event_of_the_user_at_a_reversal_is_noted_once(is_driven, rate, size):
    """A slider that a yoke moves by sin φ has no velocity nine times up to φ = 27."""
    model = jd.Model("yoke")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_coordinate("phi", 1e9)
    if is_driven:
        model.add_connection("drive", jd.Coordinate("phi"), jd.Equal(lambda t: rate * t))
    across = jd.Formula(lambda at: at.coordinate("x") - size * jd.sin(at.coordinate("phi")))
    model.add_connection("yoke", across, jd.Equal())
    model.add_connection("dry", jd.Coordinate("x"), jd.Interval(0.5))
    sol = jd.simulate(
        model, 27.0 / rate, method=jd.EventDriven(), events={"turns": lambda t, s: s["x.rate"]},
        start={"x.value": 0.0, "x.rate": size * rate, "phi.value": 0.0, "phi.rate": rate},
    )  # fmt: skip
    found = [event.time for event in sol.events if event.name == "turns"]
    np.testing.assert_allclose(np.array(found) * rate, (np.arange(9) + 0.5) * np.pi, atol=1e-4)


@pytest.mark.parametrize(
    "load", [lambda t: -t, lambda t: -10.0 + 8.0 * jd.sin(20.0 * t)], ids=["grows", "swings"]
)
def test_no_slip_is_noted_while_a_mass_stands_on_a_stop(load):
    model = jd.Model("stop")
    model.add_coordinate("z", 1.0, unit="m")
    z = jd.Coordinate("z")
    model.add_connection("load", z, jd.Force(load))
    model.add_connection("stop", z, jd.Unilateral())
    model.add_connection("dry", z, jd.Interval(1.0))
    sol = jd.simulate(model, 5.0, method=jd.EventDriven())
    assert not times(sol, "dry", "slip")
    np.testing.assert_allclose(sol.q, 0.0, atol=1e-15)
    assert np.abs(force(sol, "dry")).max() <= 1.0 + 1e-9
    assert sol.values("stop.normal_force").min() >= -1e-9


def test_impact_after_a_detachment_is_where_the_gap_is_zero():
    """On a table 0.1 sin 10 t a mass leaves at 10 sin 10 t = g, and falls freely."""
    g = 9.81
    model = jd.Model("table", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-g))
    gap = jd.Formula(lambda at: at.coordinate("z") - 0.1 * jd.sin(10.0 * at.t))
    model.add_connection("table", gap, jd.Unilateral())
    method = jd.EventDriven(jd.Dop853(rtol=1e-12, atol=1e-14))
    sol = jd.simulate(model, 0.25, start={"z.rate": 1.0}, method=method)
    leaves = np.arcsin(g / 10.0) / 10.0
    height, speed = 0.1 * np.sin(10.0 * leaves), np.cos(10.0 * leaves)

    def above(t):
        x = t - leaves
        return height + speed * x - g * x**2 / 2 - 0.1 * np.sin(10.0 * t)

    lands = brentq(above, 0.2, 0.25, xtol=1e-15)
    assert times(sol, "table", "detachment") == pytest.approx([leaves], abs=1e-9)
    assert times(sol, "table", "impact") == pytest.approx([lands], abs=2e-12)


def test_samples_at_a_jump_belong_to_the_side_of_their_time():
    """A clutch opens at 0.24 s and a rounding more; a sample at 0.24 s lies in front of that."""
    model = jd.Model("row", gravity=(0, 0, 0))
    for name in "abc":
        model.add_coordinate(name, 1.0)
    C = jd.Coordinate
    ahead = jd.Formula(speed=lambda at: at.velocity("a") - at.velocity("b"))
    model.add_connection("freewheel", ahead, jd.Unilateral())
    opens = jd.Interval(lambda x, v, at: jd.where(at.t < 0.24000000000000002, 3.0, 0.0))
    model.add_connection("clutch", C("b") - C("c"), opens)
    model.add_connection("load", C("b"), jd.Force(2.7))
    model.add_connection("drag", C("c"), jd.Force(-1.0))
    sol = jd.simulate(model, 0.5, sample=[0.0, 0.12, 0.24, 0.36, 0.5])
    assert sol.time.tolist() == [0.0, 0.12, 0.24, 0.36, 0.5]
    assert sol.values("freewheel.normal_force").min() >= -1e-9


def test_forces_of_rounding_need_no_capacity():
    """A load that begins at 0.34 s is 7e-16 N there, by rounding of the time; the brake is open."""
    model = jd.Model("open brake", gravity=(0.0, 0.0, 0.0))
    for name in ("a", "b"):
        model.add_coordinate(name, 1.0, unit="m")
    begin = 0.33999999999999997
    model.add_connection("brake", jd.Coordinate("a"), jd.Interval(0.0))
    late = jd.Force(lambda t: jd.where(t - begin >= 0.0, 12.75 * (t - begin), 0.0))
    model.add_connection("late", jd.Coordinate("a"), late)
    model.add_connection("load", jd.Coordinate("b"), jd.Force(1.86))
    sol = jd.simulate(model, 1.0, sample=0.01, method=jd.EventDriven())
    assert sol.final["a.value"] == pytest.approx(12.75 * (1.0 - begin) ** 3 / 6.0, rel=1e-8)
    assert np.abs(sol.values("brake.friction_force")).max() < 1e-12


def test_a_capacity_that_jumps_from_just_enough_is_found_where_it_does():
    """A brake of 0.22 N m holds 0.22 N m with nothing to spare until it opens at 0.11 s."""
    model = jd.Model("just enough")
    model.add_coordinate("a", 1.0)
    capacity = lambda x, v, at: jd.where(at.t - 0.11 >= 0.0, 0.0, 0.22)  # noqa: E731
    model.add_connection("brake", jd.Coordinate("a"), jd.Interval(capacity))
    model.add_connection("load", jd.Coordinate("a"), jd.Force(0.21999999999999975))
    sol = jd.simulate(model, 1.0, method=jd.EventDriven(jd.Dop853(max_step=0.01)))
    assert [e.time for e in sol.events if e.kind == "slip"] == [pytest.approx(0.11, abs=1e-12)]
    assert sol.final["a.rate"] == pytest.approx(0.22 * 0.89, rel=1e-9)
