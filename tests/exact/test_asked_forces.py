"""Laws that ask for coordinates, states, inputs and forces of other elements."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import IntegrationError, ModelError

A, B = jd.Coordinate("a"), jd.Coordinate("b")


def two(**connections):
    model = jd.Model("two")
    model.add_coordinate("a", 1.0)
    model.add_coordinate("b", 2.0)
    for name, (measure, law) in connections.items():
        model.add_connection(name, measure, law)
    return model


def coupled():
    """Motion a'' = -10 a, 2 b'' = 21 a + 3 a': force and coordinate of another connection."""
    ask = jd.Law(lambda x, v, at: -2.0 * at.force("k") + at.coordinate("a") + 3 * at.velocity("a"))
    return two(k=(A, jd.Spring(10.0)), f=(B, ask))


@pytest.mark.parametrize(
    "integrator",
    [jd.Dop853(1e-11), jd.Radau5(1e-10), jd.Gauss4(1e-3), jd.GeneralizedAlpha(2e-4, 1.0)],
    ids=str,
)
def test_force_and_coordinate_of_another_connection(integrator):
    final = jd.simulate(coupled(), 1.0, start={"a": 1.0}, method=integrator).final
    w = np.sqrt(10.0)
    exact = 10.5 * (1.0 - np.cos(w)) / 10.0 + 1.5 * (np.sin(w) / w - 1.0)
    assert final["b.value"] == pytest.approx(exact, rel=1e-6)


def test_all_formulations_agree():
    report = jd.verify(coupled())
    assert report.passed, str(report)


def test_forces_of_constraints_and_of_laws_that_ask_in_turn():
    """The rod's multiplier sets a force, and another law asks for that force."""
    model = two(
        rod=(B - 0.5 * A, jd.Equal()),
        push=(A, jd.Force(10.0)),
        drag=(A, jd.Law(lambda x, v, at: -0.3 * at.multiplier("rod"))),
        more=(A, jd.Law(lambda x, v, at: 0.5 * at.force("drag"))),
    )
    # b'' = a''/2, rod: λ = 2 b'' = a''; on a: −λ/2, so a'' = 10 − a''/2 − 0.3 a'' − 0.15 a''
    final = jd.simulate(model, 1.0).final
    assert final["a.rate"] == pytest.approx(10.0 / 1.95, rel=1e-9)
    assert jd.verify(model).passed


def test_rates_of_states_may_ask_for_the_own_force():
    """A rate is no force: s' = F with F = −k x − s is no circle."""
    law = jd.Law(lambda x, v, at: -4.0 * x - at.state("sum"), states={"sum": "N"},
                 state_rates=lambda x, v, at: (at.force("k"),))  # fmt: skip
    sol = jd.simulate(two(k=(A, law)), 1.0, start={"a": 1.0})
    assert sol.final["k.sum"] == pytest.approx(sol.final["a.rate"], abs=1e-7)  # both are ∫ F


def test_a_circle_of_forces_is_named():
    model = two(
        f=(A, jd.Law(lambda x, v, at: at.force("g"))),
        g=(A, jd.Law(lambda x, v, at: at.force("h") - v)),
        h=(A, jd.Law(lambda x, v, at: 0.5 * at.force("f"))),
    )
    circle = ", which needs ".join(f"the force of {name!r}" for name in "hfg")
    with pytest.raises(ModelError, match=f"the force of 'g' depends on itself: it needs {circle}"):
        jd.simulate(model, 1.0)


FILL = jd.Law(lambda x, v: -v, states={"pressure": "Pa"}, state_rates=lambda x, v: (1.0,))


@pytest.mark.parametrize(
    "method", [jd.EventDriven(), jd.MoreauJean(1e-4), jd.NonsmoothAlpha(1e-4)], ids=str
)
def test_a_state_sets_the_capacity_of_a_clutch(method):
    """The pressure t brakes the rate 2 to rest at 2 − t²/2 = 0."""
    clutch = jd.Interval(lambda x, v, at: at.state("fill.pressure"))
    sol = jd.simulate(two(fill=(B, FILL), c=(A, clutch)), 3.0, start={"a.rate": 2.0}, method=method)
    assert sol.final["a.rate"] == 0.0
    assert sol.final["a.value"] == pytest.approx(8.0 / 3.0, abs=1e-3)
    if isinstance(method, jd.EventDriven):
        assert sol.final["a.value"] == pytest.approx(8.0 / 3.0, rel=1e-9)


def test_friction_of_another_clutch_sets_a_capacity():
    """A pilot clutch sticks with 2 t up to 5 and opens the main one: 3 − 6 t, at rest at 1 s."""
    model = two(
        pilot=(A, jd.Interval(5.0)),
        main=(0.5 * B, jd.Interval(lambda x, v, at: 3.0 * abs(at.force("pilot")))),
        load=(A, jd.Force(lambda t: 2.0 * t)),
        push=(B, jd.Force(1.5)),
    )
    sol = jd.simulate(model, 3.0, method=jd.EventDriven())
    # 2 b'' = 1.5 − 3 t until b' = 0.75 (t − t²) = 0
    assert sol.final["b.value"] == pytest.approx(0.75 / 6.0, rel=1e-9)
    assert sol.final["a.rate"] == pytest.approx(0.25, rel=1e-9)
    names = [(e.name, e.kind, round(e.time, 9)) for e in sol.events]
    assert names == [("pilot", "stick", 0.0), ("main", "stick", 1.0), ("pilot", "slip", 2.5)]


def test_poses_and_inputs_of_others():
    model = jd.Model("arm")
    bob = model.add_body("bob", jd.Inertia(1.0))
    model.add_joint("slide", model.world, bob, jd.Prismatic("x"))
    model.add_coordinate("a", 1.0)
    throttle = jd.Law(lambda x, v, at: at.input("gas"), inputs={"gas": "N"})
    model.add_connection("throttle", jd.Coordinate("slide.position"), throttle)
    see = jd.Law(
        lambda x, v, at: at.pose(bob)[1][0] + at.twist(bob)[1][0] + at.input("throttle.gas")
    )
    model.add_connection("see", A, see)
    final = jd.simulate(model, 1.0, inputs={"throttle.gas": 6.0}).final
    # x = 3 t²: a'' = 3 t² + 6 t + 6
    assert final["a.value"] == pytest.approx(0.25 + 1.0 + 3.0, rel=1e-9)


def test_energy_of_a_spring_whose_stiffness_is_a_state_of_another_element():
    """E = ½ s x², s' = 1: the audit closes, what the growing stiffness gives is supplied."""

    class Stiffening(jd.ForceLaw):
        def force(self, x, v, at):
            return -at.state("fill.pressure") * x

        def energy(self, x, at):
            return 0.5 * at.state("fill.pressure") * x * x

    sol = jd.simulate(two(fill=(B, FILL), k=(A, Stiffening())), 3.0, start={"a": 1.0})
    stored = 0.5 * 3.0 * sol.final["a.value"] ** 2
    assert float(sol["k.energy"][-1]) == pytest.approx(stored, rel=1e-9)
    total = sol["energy.kinetic"] + sol["k.energy"]
    supplied = np.trapezoid(0.5 * sol["a"] ** 2, sol.time)
    assert float(total[-1] - total[0]) == pytest.approx(float(supplied), rel=1e-5)


def test_energy_that_has_no_rate_is_refused():
    class Odd(jd.ForceLaw):
        def force(self, x, v, at):
            return 0.0 * x

        def energy(self, x, at):
            return at.velocity("b") * x

    with pytest.raises(ModelError, match="connection 'k': its stored energy depends on 'b', whose"):
        jd.simulate(two(k=(A, Odd())), 1.0)


def test_inside_a_composite():
    """A spring in series whose rest length is a state outside: the tip follows."""
    tip = jd.Law(lambda x, v, at: -30.0 * (x - at.state("fill.pressure")))
    chain = jd.in_series(A, a=tip, b=jd.Spring(10.0))
    sol = jd.simulate(two(fill=(B, FILL), c=(chain, None)), 1.0, method=jd.Dop853(1e-10))
    # in series 7.5 (a − t) : a'' = −7.5 (a − t), a = t − sin(w t)/w
    w = np.sqrt(7.5)
    assert sol.final["a.value"] == pytest.approx(1.0 - np.sin(w) / w, rel=1e-7)


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (lambda at: at.velocity("b"), "depends on 'b', a velocity or a force"),
        (lambda at: at.force("c.b"), "asks for the force of 'c.b', a member of the same composite"),
    ],
)
def test_what_a_composite_cannot_follow_is_refused(ask, text):
    chain = jd.in_series(A, a=jd.Law(lambda x, v, at: -30.0 * x + ask(at)), b=jd.Spring(10.0))
    with pytest.raises(ModelError, match=text):
        jd.simulate(two(c=(chain, None)), 1.0)


@pytest.mark.without_contact_check("stops before the first forces are found")
def test_capacities_that_amplify_themselves_are_told():
    """Each of two brakes carries twice what the other one does: no forces fit but endless ones."""
    model = two(
        one=(A, jd.Interval(lambda x, v, at: 1.0 + 2.0 * abs(at.force("other")))),
        other=(B, jd.Interval(lambda x, v, at: 1.0 + 2.0 * abs(at.multiplier("tie")))),
        tie=(A - B, jd.Equal()),
        push=(A, jd.Force(50.0)),
    )
    with pytest.raises(IntegrationError, match="no forces at t = 0 s fit together"):
        jd.simulate(model, 1.0, start={"a.rate": 1.0, "b.rate": 1.0}, method=jd.EventDriven())


def test_static_friction_may_ask_for_forces():
    """A pilot carries 2 t, and the other one holds 3 + 2 t against 6 t: it slips at 0.75 s."""
    model = two(
        pilot=(A, jd.Interval(50.0)),
        main=(B, jd.Interval(1.0, static=lambda x, v, at: 3.0 + abs(at.force("pilot")))),
        load=(A, jd.Force(lambda t: 2.0 * t)),
        push=(B, jd.Force(lambda t: 6.0 * t)),
    )
    sol = jd.simulate(model, 1.0, method=jd.EventDriven())
    slips = [e.time for e in sol.events if (e.name, e.kind) == ("main", "slip")]
    assert slips == pytest.approx([0.75], rel=1e-9)
    # 2 b'' = 6 t − 1 from there on
    assert sol.final["b.rate"] == pytest.approx((3.0 * (1.0 - 0.75**2) - 0.25) / 2.0, rel=1e-8)
