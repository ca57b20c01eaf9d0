from __future__ import annotations

import re

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import AssemblyError, IntegrationError, ModelError, SingularSystemError
from jourdain.simulation.contact.events.event_driven import EventDrivenRun
from jourdain.simulation.contact.rows import Contacts
from jourdain.simulation.contact.sanity import require_seen
from jourdain.system.contact.kernels import ContactKernels

G = 9.81


def says(text):
    return re.escape(text)


@pytest.fixture(scope="module")
def ball():
    model = jd.Model("ball")
    body = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    floor, outline = jd.HalfSpace(model.world), jd.Sphere(body, 0.1)
    model.add_contact("floor", floor, outline, jd.Coulomb(0.3))
    return jd.compile(model)


# -- Laws ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("friction", [-0.1, (0.3, -0.1), "rough", float("nan")])
def test_friction_that_cannot_be(friction):
    with pytest.raises(ModelError, match="friction of Coulomb"):
        jd.Coulomb(friction)


@pytest.mark.parametrize("restitution", [-0.1, 1.01, "hard", None, float("nan")])
def test_restitution_that_cannot_be(restitution):
    text = "give a number from 0 (no rebound) to 1 (no loss), or a function of the approach speed."
    with pytest.raises(ModelError, match=says(text)):
        jd.Coulomb(0.3, restitution)
    with pytest.raises(ModelError, match="Unilateral has the restitution"):
        jd.Unilateral(restitution=restitution)


@pytest.mark.parametrize("turn", ["rolling", "drilling"])
def test_lengths_of_turning_friction_that_cannot_be(turn):
    with pytest.raises(ModelError, match=f"{turn} of Coulomb"):
        jd.Coulomb(0.3, **{turn: -1e-3})


def test_turning_friction_without_contours():
    model = jd.Model("one")
    model.add_coordinate("x", 1.0)
    model.add_coordinate("z", 1.0)
    measure = jd.Touch(jd.Coordinate("z"), jd.Coordinate("x"))
    model.add_connection("floor", measure, jd.Coulomb(0.3, rolling=1e-3, drilling=2e-3))
    text = (
        "connection 'floor': Coulomb(0.3, rolling=0.001, drilling=0.002) has rolling and drilling"
    )
    with pytest.raises(ModelError, match=says(text)):
        jd.simulate(model, 0.1)


def test_capacity_that_cannot_be():
    with pytest.raises(ModelError, match="capacity of Interval"):
        jd.Interval(-2.0)


@pytest.mark.parametrize("friction", [(0.0, 0.3), (0.3, 0)])
def test_friction_along_one_tangent_only(friction):
    text = f"Coulomb has the friction {friction}, which acts in one direction only. Give both"
    with pytest.raises(ModelError, match=says(text)):
        jd.Coulomb(friction)
    jd.Coulomb((0.0, 0.0))


@pytest.mark.parametrize("friction", [(0.1, 0.2, 0.3), (), [0.1]])
def test_friction_that_is_no_pair(friction):
    text = f"friction of Coulomb has {len(friction)} numbers: give one, or a pair such as (0.3, 0.1"
    with pytest.raises(ModelError, match=says(text)):
        jd.Coulomb(friction)
    assert jd.Coulomb([0.3, 0.1]).friction == (0.3, 0.1)


def test_inputs_of_dry_friction():
    with pytest.raises(ModelError, match=says("inputs of Interval are 3: give names with units,")):
        jd.Interval(1.0, inputs=3)


def test_sides_and_laws_of_impact():
    with pytest.raises(ModelError, match=says("Unilateral has side='left'; give 'above' or")):
        jd.Unilateral(side="left")
    text = "Poisson has tangential='rubber'; give one of coulomb, glocker, beitelschmidt."
    with pytest.raises(ModelError, match=says(text)):
        jd.Poisson("rubber")


def test_tangential_restitution_that_nothing_would_use():
    with pytest.raises(ModelError, match=says("Coulomb has tangential_restitution=0.4, which the")):
        jd.Coulomb(0.3, 0.5, 0.4, jd.Poisson())


@pytest.mark.parametrize("given", [jd.Parameter("e", 0.4), lambda v: 0.4])
def test_tangential_restitution_that_is_no_number(given):
    with pytest.raises(ModelError, match="give a number from 0 to 1, neither a function nor a par"):
        jd.Coulomb(0.3, 0.5, given)


def test_stored_impulses_in_two_directions():
    model = jd.Model("superball")
    body = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    law = jd.Coulomb(0.3, 0.9, 0.8, jd.Poisson("glocker"))
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(body, 0.1), law)
    with pytest.raises(ModelError, match=says("contact 'floor' slides in two directions, but its")):
        jd.simulate(model, 0.1, start={"ball.position": (0, 0, 0.2)})


# -- Measures --------------------------------------------------------------------------------------


def test_friction_on_a_measure_without_tangents():
    model = jd.Model("one")
    model.add_coordinate("x", 1.0)
    model.add_connection("stop", jd.Coordinate("x"), jd.Coulomb(0.3))
    text = "connection 'stop': Coulomb needs a measure of a contact with tangents: jd.Gap(contour, "
    with pytest.raises(ModelError, match=says(text)):
        jd.simulate(model, 0.1)


def test_dry_friction_between_contours():
    model = jd.Model("ball")
    body = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(body, 0.1), jd.Interval(2.0))
    text = "connection 'floor': Interval is dry friction of a given capacity, which does not depend"
    with pytest.raises(ModelError, match=says(text)):
        jd.simulate(model, 0.1)


def test_parts_of_a_touch():
    x = jd.Coordinate("x")
    with pytest.raises(ModelError, match=says("Touch: the normal measure is 0.1; give a measure")):
        jd.Touch(0.1, x)
    with pytest.raises(ModelError, match="Touch: the tangential measure is 'x'; give a measure"):
        jd.Touch(x, "x")


def test_functions_that_fail_on_symbols():
    model = jd.Model("one")
    model.add_coordinate("x", 1.0)
    law = jd.Interval(lambda x, v: 1.0 if v > 0 else 2.0)
    model.add_connection("brake", jd.Coordinate("x"), law)
    text = "connection 'brake': its measure or law fails on symbols:"
    with pytest.raises(ModelError, match=says(text)):
        jd.simulate(model, 0.1)


# -- Methods ---------------------------------------------------------------------------------------


def test_methods_with_wrong_settings():
    with pytest.raises(ModelError, match=says("MoreauJean has dt=-0.001 s and theta=0.5: give a")):
        jd.MoreauJean(-1e-3)
    with pytest.raises(ModelError, match=says("MoreauJean has dt=0.001 s and theta=2: give a")):
        jd.MoreauJean(1e-3, theta=2)
    with pytest.raises(ModelError, match=says("NonsmoothAlpha has dt=0 s and rho=0.8: give a pos")):
        jd.NonsmoothAlpha(0)
    with pytest.raises(ModelError, match=says("NonsmoothAlpha has dt=0.01 s and rho=1.5: give a")):
        jd.NonsmoothAlpha(0.01, rho=1.5)
    for made in (jd.MoreauJean, jd.NonsmoothAlpha):
        with pytest.raises(ModelError, match=f"dt of {made.__name__} is '1 ms': give a number."):
            made("1 ms")
    with pytest.raises(ModelError, match=says("rest_speed of EventDriven is None: give a number.")):
        jd.EventDriven(rest_speed=None)
    with pytest.raises(ModelError, match=says("EventDriven has integrator='Dop853'")):
        jd.EventDriven("Dop853")
    with pytest.raises(ModelError, match=says("and rest_speed=0.0: give a method such as")):
        jd.EventDriven(rest_speed=0.0)


def test_no_method(ball):
    text = "method is 'fast'; a model with contacts takes jd.EventDriven(...), jd.MoreauJean("
    with pytest.raises(ModelError, match=says(text)):
        jd.simulate(ball, 1.0, method="fast", start={"ball.position": (0, 0, 1)})


METHODS = [None, jd.MoreauJean(1e-2), jd.NonsmoothAlpha(1e-2)]

# -- States ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS, ids=["events", "steps", "alpha"])
def test_contacts_that_overlap_at_the_start(ball, method):
    text = "contact 'floor' overlaps by 0.02 m at the start. Move the bodies apart, or give start"
    with pytest.raises(AssemblyError, match=says(text)):
        jd.simulate(ball, 1.0, start={"ball.position": (0, 0, 0.08)}, method=method)


def test_contacts_that_were_passed_unseen(ball):
    kernels = ContactKernels(ball, {}, {}, {})
    contacts = Contacts(ball, kernels, np.zeros(0))
    run = EventDrivenRun(contacts, kernels, jd.EventDriven(), [3], [])
    q, v = ball.state()
    q[2] = 0.2
    run.begin(np.concatenate([q, v]), 0.0, np.zeros(0))
    run.y[2] = 0.07
    text = "contact 'floor' overlaps by 0.03 m at t = 0 s: it was passed within one step. Take"
    with pytest.raises(IntegrationError, match=says(text)):
        require_seen(run.contacts, run._rows().gaps, run.modes.is_closed, run._state)


@pytest.mark.slow
@pytest.mark.parametrize("method", [None, jd.MoreauJean(1e-2)], ids=["events", "steps"])
def test_contact_points_that_are_lost_at_a_pole(over_a_pole, method):
    start = {"ball.position": (0.7 * np.sin(0.3), 0.0, 0.7 * np.cos(0.3)),
             "ball.velocity": (-2.0 * np.cos(0.3), 0.0, 2.0 * np.sin(0.3))}  # fmt: skip
    text = r"contact 'top' has lost its contact point at t = 0.\d* s: no parameters of its surfaces"
    with pytest.raises(IntegrationError, match=text) as caught:
        jd.simulate(over_a_pole, 1.0, start=start, method=method)
    x, _, z = caught.value.solution.q[-1, :3]
    assert np.hypot(x, z) == pytest.approx(0.7, abs=0.02)
    assert abs(x) < 0.05


@pytest.fixture(scope="module")
def over_a_pole():
    """A ball that slides over the pole of another one, both surfaces with parameters."""

    def ball(radius):
        return lambda u, v: (
            radius * jd.cos(u) * jd.cos(v), radius * jd.sin(u) * jd.cos(v), radius * jd.sin(v)
        )  # fmt: skip

    model = jd.Model("balls")
    body = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.2))
    span = ((0.0, 6.2831853), (-1.4, 1.4))
    outlines = jd.Surface(model.world, ball(0.5), span), jd.Surface(body, ball(0.2), span)
    model.add_contact("top", *outlines, jd.Unilateral())
    return jd.compile(model)


@pytest.mark.parametrize("method", METHODS, ids=["events", "steps", "alpha"])
def test_constraints_that_contradict_contacts(method):
    model = jd.Model("press", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("drive", jd.Coordinate("x"), jd.Equal(lambda t: -0.5 * t))
    model.add_connection("stop", jd.Coordinate("x"), jd.Unilateral(-0.1))
    text = (
        r"contacts 'stop' at t = 0\.(2|199)\d* s find no solution.*or constraints that contradict"
    )
    with pytest.raises(IntegrationError, match=text) as caught:
        jd.simulate(model, 0.5, method=method)
    assert caught.value.solution.final["x.value"] == pytest.approx(-0.1, abs=6e-3)


@pytest.mark.parametrize("method", METHODS, ids=["events", "steps", "alpha"])
def test_jaws_that_close_on_a_part(method):
    """There is no friction, so none is blamed."""
    model = jd.Model("vice", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("x", 1.0, unit="m")
    closing = jd.Formula(lambda at: at.coordinate("x") - (0.1 - 0.5 * at.t))
    model.add_connection("left", jd.Coordinate("x"), jd.Unilateral())
    model.add_connection("right", closing, jd.Unilateral(side="below"))
    text = r"contacts 'left', 'right' at t = 0\.2\d* s find no solution: .* Likely cause: "
    with pytest.raises(IntegrationError, match=text + "other contacts or constraints") as caught:
        jd.simulate(model, 1.0, start={"x.value": 0.05}, method=method)
    assert "Painlevé" not in str(caught.value)


@pytest.fixture(scope="module")
def rod():
    """A rod that slides on its tip; 1 + 3 cos² − 3 μ sin cos < 0 at 1 rad for μ = 2."""
    model = jd.Model("rod", gravity=(0.0, 0.0, 0.0))
    for name, inertia in (("x", 1.0), ("z", 1.0), ("angle", 1 / 12)):
        model.add_coordinate(name, inertia, unit="rad" if name == "angle" else "m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-G))
    gap = jd.Formula(lambda at: at.coordinate("z") - 0.5 * jd.sin(at.coordinate("angle")))
    slip = jd.Formula(lambda at: at.coordinate("x") - 0.5 * jd.cos(at.coordinate("angle")))
    model.add_connection("tip", jd.Touch(gap, slip), jd.Coulomb(2.0))
    return jd.compile(model)


def test_painleve_without_a_motion(rod):
    start = {"angle.value": 1.0, "z.value": 0.5 * np.sin(1.0), "x.rate": -1.0}
    text = r"model 'rod' stopped at t = 0 s .*contacts 'tip' at t = 0 s find no solution.*Painlevé"
    with pytest.raises(IntegrationError, match=text) as caught:
        jd.simulate(rod, 0.3, start=start)
    np.testing.assert_array_equal(caught.value.solution.v, [[-1.0, 0.0, 0.0]])


@pytest.mark.parametrize("method", [jd.MoreauJean(1e-4), jd.NonsmoothAlpha(1e-4)], ids=str)
def test_painleve_in_steps_of_velocities(rod, method):
    """Impulses exist where forces do not: the tip jams at once, and the ledger tells why."""
    start = {"angle.value": 1.0, "z.value": 0.5 * np.sin(1.0), "x.rate": -1.0}
    sol = jd.simulate(rod, 0.01, start=start, method=method, sample=1e-4)
    assert (sol.events[0].kind, sol.events[0].name) == ("not_unique", "tip")
    assert sol.values("tip.normal_force")[1] >= 100 * G  # an impulse, not a force


@pytest.mark.parametrize("method", [None, jd.NonsmoothAlpha(1e-3)], ids=["events", "alpha"])
def test_painleve_with_two_motions(rod, method):
    """It turns so fast that the tip can leave; that it could as well jam is told."""
    start = {"angle.value": 1.0, "z.value": 0.5 * np.sin(1.0), "x.rate": -1.0}
    start |= {"x.rate": -4.0, "angle.rate": 6.0, "z.rate": 3.0 * np.cos(1.0)}
    sol = jd.simulate(rod, 0.01, start=start, method=method)
    response = 1 + 3 * np.cos(1.0) ** 2 - 6 * np.sin(1.0) * np.cos(1.0)
    assert [(event.kind, event.name) for event in sol.events] == [("not_unique", "tip")]
    assert sol.events[0].details["response"] == pytest.approx(response, rel=1e-12)
    assert "not_unique of tip at 0 s" in str(sol)


# -- Numbers that only a run shows -----------------------------------------------------------------

STEPPED = pytest.mark.parametrize("method", [None, jd.MoreauJean(1e-2)], ids=["events", "steps"])


@pytest.fixture(scope="module")
def bouncing():
    model = jd.Model("bouncing")
    body = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    law = jd.Coulomb(jd.Parameter("mu", 0.3), jd.Parameter("bounce", 0.5))
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(body, 0.1), law)
    return jd.compile(model)


ABOVE = {"ball.position": (0.0, 0.0, 0.2), "ball.velocity": (1.0, 0.0, 0.0)}


@STEPPED
def test_parameters_that_make_no_restitution(bouncing, method):
    text = "connection 'floor': Coulomb has the restitution bounce = 1.5: give a number from 0 (no"
    with pytest.raises(ModelError, match=says(text)):
        jd.simulate(bouncing, 1.0, start=ABOVE, parameters={"bounce": 1.5}, method=method)


@STEPPED
def test_functions_that_give_no_restitution(method):
    model = jd.Model("ball")
    body = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    law = jd.Unilateral(restitution=lambda v: 0.5 + v)
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(body, 0.1), law)
    text = r"contact 'floor' has the restitution 1\.\d+ at an approach of 1\.\d+ m/s: it goes"
    with pytest.raises(IntegrationError, match=text) as caught:
        jd.simulate(model, 1.0, start=ABOVE, method=method, sample=0.01)
    assert caught.value.solution.time[-1] == pytest.approx(np.sqrt(0.2 / G), abs=0.02)


@STEPPED
def test_parameters_that_make_friction_negative(bouncing, method):
    text = "connection 'floor': friction of Coulomb is mu = -0.3: it must be zero or positive."
    with pytest.raises(ModelError, match=says(text)):
        jd.simulate(bouncing, 1.0, start=ABOVE, parameters={"mu": -0.3}, method=method)


@STEPPED
def test_capacities_that_fall_below_zero(method):
    model = jd.Model("brake")
    model.add_coordinate("wheel", 1.0)
    capacity = lambda x, v: 1.0 - 2.0 * x  # noqa: E731
    model.add_connection("brake", jd.Coordinate("wheel"), jd.Interval(capacity))
    start = {"wheel.value": 0.8, "wheel.rate": 1.0}
    text = "contact 'brake' has the capacity -0.6 at t = 0 s: it must be at least 0. Change the"
    with pytest.raises(IntegrationError, match=says(text)):
        jd.simulate(model, 1.0, start=start, method=method)


def test_ropes_without_a_direction_that_are_slack(tied):
    sol = jd.simulate(tied, 0.1, method=jd.MoreauJean(1e-2), sample=0.05)
    assert sol.q[-1, 2] == pytest.approx(-0.5 * G * 0.01, abs=1e-9)


@pytest.fixture(scope="module")
def tied():
    model = jd.Model("tied")
    weight = model.add_body("weight", jd.solid.ball(mass=1.0, radius=0.02))
    for name, length in (("long", 1.0), ("none", jd.Parameter("least", -1.0))):
        side = "below" if name == "long" else "above"
        rope = jd.Distance(model.world, weight)
        model.add_connection(name, rope, jd.Unilateral(length, side=side))
    return jd.compile(model)


@STEPPED
def test_contacts_without_a_direction(tied, method):
    """At its hook a weight has no direction of the rope."""
    text = (
        r"contact 'none' has no direction at t = 0(\.005)? s: its measure has no derivative there"
    )
    with pytest.raises(IntegrationError, match=text):
        jd.simulate(tied, 0.1, method=method, parameters={"least": 0.0})


def test_contacts_without_a_direction_that_are_apart():
    """The pole of an ellipsoid is nearest to the floor."""

    def ellipsoid(u, v):
        across = jd.cos(v)
        return 0.1 * jd.cos(u) * across, 0.08 * jd.sin(u) * across, 0.06 * jd.sin(v)

    model = jd.Model("egg")
    body = model.add_body("egg", jd.solid.ball(mass=1.0, radius=0.05))
    outline = jd.Surface(body, ellipsoid, ((0.0, 6.2831853), (-1.5, 1.5)))
    model.add_contact("floor", jd.HalfSpace(model.world), outline, jd.Coulomb(0.3))
    text = r"contact 'floor' has no direction at t = 0 s, though it is apart. Likely causes: it is"
    with pytest.raises(IntegrationError, match=text):
        jd.simulate(model, 0.1, start={"egg.position": (0.0, 0.0, 0.3)})


@STEPPED
def test_contacts_that_contradict_are_named_alone(method):
    """Two slides, one of them driven through its stop: only that stop is named."""
    model = jd.Model("two", gravity=(0.0, 0.0, 0.0))
    for name in ("x", "y"):
        model.add_coordinate(name, 1.0, unit="m")
        model.add_connection(f"stop_{name}", jd.Coordinate(name), jd.Unilateral(-0.1))
    model.add_connection("push", jd.Coordinate("x"), jd.Force(-2.0))
    model.add_connection("drive", jd.Coordinate("y"), jd.Equal(lambda t: -0.25 * t))
    text = r"equations of the contacts 'stop_y' at t = 0\.\d+ s find no solution"
    with pytest.raises(IntegrationError, match=text) as caught:
        jd.simulate(model, 1.0, method=method)
    assert caught.value.solution.final["x.value"] == pytest.approx(-0.1, abs=6e-3)


@pytest.mark.parametrize("method", METHODS, ids=["events", "steps", "alpha"])
@pytest.mark.parametrize("floor", [-1.0, 0.1], ids=["apart", "touching"])
def test_laws_that_end_in_no_number(method, floor):
    """A force √x of a part that moves to negative x; beside it another rests on its floor."""
    model = jd.Model("roots", gravity=(0.0, 0.0, 0.0))
    for name in ("x", "y"):
        model.add_coordinate(name, 1.0, unit="m")
    model.add_connection("root", jd.Coordinate("x"), jd.Law(lambda x, v: jd.sqrt(x)))
    model.add_connection("weight", jd.Coordinate("y"), jd.Force(-G))
    model.add_connection("floor", jd.Coordinate("y"), jd.Unilateral(floor))
    start = {"x.value": 0.1, "x.rate": -2.0, "y.value": 0.1}
    text = (
        r"model 'roots' stopped at t = 0\.05\d* s of 1 s: connection 'root': its law Law gives the "
        r"force nan at t = 0\.05\d* s"
    )
    with pytest.raises(IntegrationError, match=text) as caught:
        jd.simulate(model, 1.0, start=start, method=method, sample=0.01)
    assert np.isfinite(caught.value.solution.q).all()


@pytest.mark.parametrize("method", METHODS, ids=["events", "steps", "alpha"])
def test_bodies_without_mass_in_contact(method):
    model = jd.Model("foot")
    leg = model.add_body("leg", jd.solid.ball(mass=1.0, radius=0.1))
    foot = model.add_body("foot", jd.Inertia(0.0))
    model.add_joint("slide", model.world, leg, jd.Prismatic("z"))
    model.add_joint("ankle", leg, foot, jd.Prismatic("z"))
    model.add_connection("spring", jd.Coordinate("ankle.position"), jd.Spring(100.0))
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Point(foot), jd.Unilateral())
    text = "no inertia is moved by 'ankle.velocity' of joint 'ankle' at t = 0 s"
    with pytest.raises(SingularSystemError, match=says(text)):
        jd.simulate(model, 1.0, start={"slide.position": 0.5}, method=method)


def test_laws_that_ask_for_forces_of_contacts_in_time_steps():
    model = jd.Model("slider")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_coordinate("z", 1.0, unit="m")
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-G))
    model.add_connection("floor", jd.Coordinate("z"), jd.Unilateral())
    friction = jd.Interval(lambda x, v, at: 0.3 * at.multiplier("floor"))
    model.add_connection("dry", jd.Coordinate("x"), friction)
    sol = jd.simulate(model, 2.0, start={"x.rate": 3.0}, sample=0.5)
    assert sol.values("x.value")[-1] == pytest.approx(9.0 / (0.6 * G), rel=1e-9)
    for method in (jd.MoreauJean(1e-2), jd.NonsmoothAlpha(1e-2)):
        stepped = jd.simulate(model, 2.0, start={"x.rate": 3.0}, method=method)
        assert stepped.values("x.value")[-1] == pytest.approx(9.0 / (0.6 * G), abs=1e-3)


def test_laws_that_ask_for_what_is_not_there():
    model = jd.Model("brake")
    model.add_coordinate("x", 1.0)
    model.add_connection("brake", jd.Coordinate("x"), jd.Interval(lambda x, v, at: at.time))
    text = "connection 'brake': its law asks for at.time. Known: at.t, the time [s], at.coordinate"
    with pytest.raises(ModelError, match=says(text)):
        jd.simulate(model, 1.0)


# -- Static friction -------------------------------------------------------------------------------


def dry(law):
    model = jd.Model("dry")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("brake", jd.Coordinate("x"), law)
    return model


def test_static_friction_below_the_sliding_one():
    with pytest.raises(ModelError, match=r"Interval has static=1\.0.*less than its capacity 2\.0"):
        jd.Interval(2.0, static=1.0)
    with pytest.raises(ModelError, match=r"Coulomb has static=0\.2.*less than its friction 0\.3"):
        jd.Coulomb((0.1, 0.3), static=0.2)
    with pytest.raises(ModelError, match=r"static of Coulomb has 3 numbers"):
        jd.Coulomb(0.1, static=(0.2, 0.2, 0.2))
    with pytest.raises(ModelError, match=r"static of Interval has 2 numbers: give one number"):
        jd.Interval(0.1, static=(0.2, 0.2))
    with pytest.raises(ModelError, match=r"static of Interval"):
        jd.Interval(0.0, static=-1.0)


def test_static_friction_that_a_parameter_or_function_makes_too_small():
    model = dry(jd.Interval(2.0, static=jd.Parameter("s", 3.0)))
    with pytest.raises(ModelError, match=r"'brake': Interval has static=s, which is less"):
        jd.simulate(model, 1.0, parameters={"s": 1.0})
    model = dry(jd.Interval(2.0, static=lambda x, v, at: 1.0 + at.t))
    with pytest.raises(IntegrationError, match=r"'brake' has static friction 1 and sliding"):
        jd.simulate(model, 1.0)


@pytest.mark.parametrize(
    "capacity",
    [
        lambda x, v: jd.where(v == 0.0, 6.0, 4.0),
        lambda x, v, at: (1.0 + at.t) * jd.where(jd.sqrt(v * v) < 1e-9, 6.0, 4.0),
    ],
)
def test_capacity_that_jumps_at_rest(capacity):
    with pytest.raises(ModelError, match=r"'brake' has friction that jumps.*static="):
        jd.simulate(dry(jd.Interval(capacity)), 1.0)


def test_coefficient_that_jumps_at_rest():
    model = jd.Model("block")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_coordinate("z", 1.0, unit="m")
    law = jd.Coulomb(lambda speed: jd.where(speed < 1e-8, 0.8, 0.6))
    model.add_connection("floor", jd.Touch(jd.Coordinate("z"), jd.Coordinate("x")), law)
    with pytest.raises(ModelError, match=r"'floor' has friction that jumps.*from 0\.8 at rest"):
        jd.simulate(model, 1.0)


@pytest.mark.parametrize("method", [None, jd.MoreauJean(1e-2), jd.NonsmoothAlpha(1e-2)], ids=str)
@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_a_capacity_that_is_no_number_is_named(method, rate):
    model = jd.Model("brakes")
    model.add_coordinate("a", 1.0)
    model.add_coordinate("b", 1.0)
    model.add_connection("good", jd.Coordinate("b"), jd.Interval(1.0))
    fading = jd.Interval(lambda x, v, at: jd.sqrt(0.05 - at.t))
    model.add_connection("fading", jd.Coordinate("a"), fading)
    with pytest.raises(
        jd.IntegrationError, match=r"'fading'.* the capacity nan at t = 0.0"
    ) as caught:
        jd.simulate(model, 0.1, start={"a.rate": rate, "b.rate": 0.1}, method=method)
    assert "'good'" not in str(caught.value)


@pytest.mark.parametrize("method", [jd.EventDriven(), jd.MoreauJean(1e-3), jd.NonsmoothAlpha(1e-3)])
@pytest.mark.parametrize(("tilt", "height"), [(0.0, 0.1), (0.3, 0.1), (0.0, 1e-4)])
def test_a_disc_that_comes_to_lie_flat_needs_points_on_its_rim(method, tilt, height):
    model = jd.Model("coin")
    body = jd.solid.cylinder(mass=0.1, radius=0.05, length=0.002, axis="z")
    coin = model.add_body("coin", body)
    model.add_joint("free", model.world, coin, jd.Free())
    floor = jd.HalfSpace(model.world, "z")
    model.add_contact("floor", jd.Disc(coin, 0.05, "z"), floor, jd.Coulomb(0.3))
    turned = np.cos(0.5 * tilt), np.sin(0.5 * tilt), 0.0, 0.0
    start = {"free.position": (0.0, 0.0, height), "free.orientation": turned}
    with pytest.raises(IntegrationError, match=r"'floor': its Disc comes to lie flat .* rim_poin"):
        jd.simulate(model, 0.3, start=start, method=method)


@pytest.mark.parametrize("method", [jd.EventDriven(), jd.MoreauJean(1e-3)])
def test_a_wheel_that_stands_rolls_and_is_resumed(method):
    model = jd.Model("wheel")
    body = jd.solid.cylinder(mass=1.0, radius=0.3, length=0.02, axis="y")
    wheel = model.add_body("wheel", body)
    model.add_joint("free", model.world, wheel, jd.Free())
    floor = jd.HalfSpace(model.world, "z")
    model.add_contact("floor", jd.Disc(wheel, 0.3, "y"), floor, jd.Coulomb(0.5))
    start = {"free.position": (0.0, 0.0, 0.3), "free.velocity": (3.0, 0.0, 0.0)}
    start |= {"free.angular_velocity": (0.0, 10.0, 0.0)}
    half = jd.simulate(model, 0.1, start=start, method=method)
    whole = jd.simulate(model, 0.2, resume=half)
    np.testing.assert_allclose(whole.final["free.position"], [0.6, 0.0, 0.3], rtol=0, atol=1e-9)


def test_friction_that_depends_on_the_direction_is_told_how_to_be_written():
    """The remedy is exact: the force is −3 forward, 5 backward, between them at rest."""
    model = jd.Model("pawl")
    model.add_coordinate("x", 1.0, unit="m")
    law = jd.Interval(lambda x, v: jd.where(v > 0, 3.0, 5.0))
    model.add_connection("rub", jd.Coordinate("x"), law)
    with pytest.raises(ModelError, match=r"jd.Interval\(4\) and jd.Force\(1\)"):
        jd.simulate(model, 1.0)
    for speed, force in ((1.0, -3.0), (-1.0, 5.0)):
        model = jd.Model("pawl")
        model.add_coordinate("x", 1.0, unit="m")
        model.add_connection("rub", jd.Coordinate("x"), jd.Interval(4.0))
        model.add_connection("more", jd.Coordinate("x"), jd.Force(1.0))
        final = jd.simulate(model, 0.1, start={"x.rate": speed}).final["x.rate"]
        assert final == pytest.approx(speed + 0.1 * force)
