"""The check of runs with contacts finds every kind of wrong result, and passes right ones."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import IntegrationError, ModelError
from jourdain.results import Solution
from jourdain.testing import check_contacts

METHODS = [jd.EventDriven(), jd.MoreauJean(1e-3), jd.NonsmoothAlpha(1e-3)]
IDS = ["events", "steps", "alpha"]
BOTH = pytest.mark.parametrize("method", METHODS, ids=IDS)


def changed(sol, name, change, where=slice(None)):
    """Solution with other numbers in the column of a force or coordinate."""
    for key in ("extra", "q", "v"):
        if name in sol.columns[key]:
            numbers = {x: np.array(getattr(sol, x)) for x in ("extra", "q", "v")}
            column = numbers[key][:, sol.columns[key].index(name)]
            column[where] = change(column[where])
    return Solution(
        sol.system, sol.time, numbers["q"], numbers["v"], sol.vdot, sol.tau, numbers["extra"],
        sol.contacts, events=sol.events, statistics=sol.statistics, inputs=sol.inputs,
        parameters=sol.parameters,
    )  # fmt: skip


def sliding_block(method, law=None, **start):
    """Block of 1 kg that slides on the floor, μ = 0.5, stops after 0.2 s and rests."""
    model = jd.Model("block")
    body = model.add_body("block", jd.solid.ball(mass=1.0, radius=0.1))
    law = law or jd.Coulomb(0.5, drilling=0.1, rolling=0.1)
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(body, 0.1), law)
    start = {"block.position": (0, 0, 0.1), "block.velocity": (1.0, 0, 0)} | start
    return jd.simulate(model, 1.0, start=start, method=method, sample=0.02)


def oscillator(method):
    """Mass on a spring with dry friction that stays in its dead zone after a while."""
    model = jd.Model("oscillator")
    model.add_coordinate("x", 1.0)
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(100.0))
    model.add_connection("dry", jd.Coordinate("x"), jd.Interval(10.0))
    return jd.simulate(model, 2.0, start={"x": 1.0}, method=method, sample=0.02)


@BOTH
@pytest.mark.parametrize("made", [sliding_block, oscillator])
def test_right_runs_pass(made, method):
    report = check_contacts(made(method))
    assert {"friction", "sliding", "energy"} <= {finding.check for finding in report.findings}
    assert all(finding.deviation <= finding.limit for finding in report.findings)
    assert "friction force against its set" in str(report)


@BOTH
@pytest.mark.parametrize(
    ("name", "change", "law"),
    [
        ("floor.friction_force.1", lambda f: 1.0001 * f - 1e-3, "friction"),
        ("floor.friction_force.2", lambda f: f + 5.0, "friction"),
        ("floor.rolling.moment.1", lambda f: f + 1.0, "friction"),
        ("floor.drilling.moment.1", lambda f: f + 1.0, "friction"),
        ("floor.friction_force.1", lambda f: -f, "sliding"),
        ("floor.normal_force", lambda f: f - 10.0, "normal"),
        ("block.position.z", lambda z: z - 1e-4, "gap"),
    ],
)
def test_wrong_forces_and_gaps_are_found(method, name, change, law):
    sol = sliding_block(method)
    if name not in sol.columns["extra"] and "moment" in name:
        name = next(x for x in sol.columns["extra"] if x.startswith(name[: name.rindex(".")]))
    with pytest.raises(IntegrationError, match=f"the law '{law}' is broken at t = ") as caught:
        check_contacts(changed(sol, name, change, slice(1, None)))
    assert caught.value.solution is not None


def test_a_force_of_an_open_contact_is_found():
    sol = sliding_block(None, jd.Unilateral(), **{"block.position": (0, 0, 5.2)})
    check_contacts(sol)
    with pytest.raises(IntegrationError, match="'floor': the law 'closed' is broken"):
        check_contacts(changed(sol, "floor.normal_force", lambda f: f + 1.0))


def test_sticking_that_moves_is_found():
    """At rest in the dead zone the force is within its set; a velocity there is none of the law."""
    sol = oscillator(jd.EventDriven())
    with pytest.raises(IntegrationError, match="'dry': the law 'sliding' is broken"):
        check_contacts(changed(sol, "x.rate", lambda v: v + 1e-5, slice(-2, None)))


@BOTH
def test_gained_energy_is_found(method):
    """A ball that flies faster than its fall explains."""
    sol = sliding_block(method, jd.Unilateral(), **{"block.position": (0, 0, 5.2)})
    check_contacts(sol)
    with pytest.raises(IntegrationError, match="'energy' is broken"):
        check_contacts(changed(sol, "block.velocity.x", lambda v: v + 0.1, slice(30, None)))


@BOTH
def test_sticking_with_no_capacity_is_found(method):
    """A brake that is open carries nothing, whatever capacity it had before."""
    model = jd.Model("open")
    model.add_coordinate("x", 1.0)
    capacity = jd.Interval(lambda x, v, at: jd.maximum(0.0, 1.0 - at.t) * 10.0)
    model.add_connection("brake", jd.Coordinate("x"), capacity)
    sol = jd.simulate(model, 2.0, start={"x.rate": 1.0}, method=method, sample=0.02)
    check_contacts(sol)
    with pytest.raises(IntegrationError, match="'brake': the law 'friction' is broken"):
        check_contacts(changed(sol, "brake.friction_force.1", lambda f: f - 0.1, slice(-5, None)))


def test_overlap_in_groups_is_found():
    model = jd.Model("pair")
    balls = [model.add_body(f"b{k}", jd.solid.ball(mass=1.0, radius=0.1)) for k in range(2)]
    contours = [jd.Sphere(ball, 0.1) for ball in balls]
    model.add_contacts("touch", [*contours, jd.HalfSpace(model.world)], jd.Coulomb(0.5))
    start = {"b0.position": (0, 0, 0.1), "b1.position": (0.3, 0, 0.1)}
    sol = jd.simulate(model, 0.1, start=start, method=jd.MoreauJean(1e-3))
    check_contacts(sol)
    with pytest.raises(IntegrationError, match="groups of contacts: the law 'gap'"):
        check_contacts(changed(sol, "b1.position.x", lambda x: x - 0.101, slice(-1, None)))


def two(*laws, torque):
    """Inertias of 1 and 3 with clutches between them."""
    model = jd.Model("p")
    model.add_coordinate("a", 1.0)
    model.add_coordinate("b", 3.0)
    slip = jd.Coordinate("a") - jd.Coordinate("b")
    for k, law in enumerate(laws):
        model.add_connection(f"c{k}", slip, law)
    model.add_connection("t", jd.Coordinate("a"), jd.Force(torque))
    return model


def growing(x, v, at):
    return jd.maximum(0.0, at.t - 0.5) * 100


def freewheel():
    model = jd.Model("fw")
    model.add_coordinate("k", 1.0)
    speed = jd.Formula(speed=lambda at: at.velocity("k"), unit="rad")
    model.add_connection("brake", jd.Coordinate("k"), jd.Interval(0.0))
    model.add_connection("freewheel", speed, jd.Unilateral())
    model.add_connection("t", jd.Coordinate("k"), jd.Force(lambda t: 20 * t - 10))
    return model


CLUTCHES = {
    "engages": lambda: two(jd.Interval(growing), torque=lambda t: 10.0 * t),
    "no_capacity": lambda: two(
        jd.Interval(growing), torque=lambda t: jd.maximum(0.0, t - 0.2) * 10
    ),
    "both_slip": lambda: two(jd.Interval(35.0), jd.Interval(35.0), torque=lambda t: 100.0 * t),
    "open_beside_closed": lambda: two(jd.Interval(0.0), jd.Interval(1e6), torque=40.0),
    "freewheel": freewheel,
}


@pytest.mark.parametrize("case", CLUTCHES)
@pytest.mark.parametrize("method", [jd.EventDriven(), jd.MoreauJean(1e-3)], ids=["events", "steps"])
def test_clutches_keep_their_laws(case, method):
    """A1: programs whose event-driven runs once broke their laws."""
    check_contacts(jd.simulate(CLUTCHES[case](), 1.2, method=method, sample=0.01))


def test_runs_without_contacts_pass_and_without_model_cannot():
    model = jd.Model("free")
    model.add_coordinate("x", 1.0)
    assert not check_contacts(jd.simulate(model, 0.1)).findings[1:]


def test_a_file_without_model_is_refused(tmp_path):
    model = jd.Model("own")
    model.add_coordinate("x", 1.0)
    model.add_connection("dry", jd.Coordinate("x"), jd.Interval(lambda x, v: 1.0 + v * v))
    jd.simulate(model, 0.1, start={"x.rate": 1.0}).save(tmp_path / "own.nc")
    with pytest.raises(ModelError, match="'own' has no model, so that its contacts cannot"):
        check_contacts(jd.load(tmp_path / "own.nc"))
