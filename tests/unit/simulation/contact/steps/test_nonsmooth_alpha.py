"""Parts of a step of nonsmooth generalised-α: when a gap has closed, and what follows."""

import numpy as np
import pytest
from jourdain.simulation.contact.steps.nonsmooth_alpha import NonsmoothAlphaRun

import jourdain as jd
from jourdain.simulation.contact.rows import Contacts
from jourdain.simulation.contact.steps.watch import Watch
from jourdain.system.contact.kernels import ContactKernels

G, E, H = 9.81, 0.8, 0.1


@pytest.fixture
def run():
    """A ball in flight above a floor, beside a brake that slides."""
    model = jd.Model("ball", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("z", 2.0, unit="m")
    model.add_coordinate("wheel", 1.0)
    model.add_connection("weight", jd.Coordinate("z"), jd.Force(-2.0 * G))
    model.add_connection("floor", jd.Coordinate("z"), jd.Unilateral(restitution=E))
    model.add_connection("brake", jd.Coordinate("wheel"), jd.Interval(3.0))
    system = jd.compile(model)
    kernels = ContactKernels(system, {}, {}, {})
    contacts = Contacts(system, kernels, np.zeros(0))
    found = NonsmoothAlphaRun(contacts, kernels, jd.NonsmoothAlpha(H), [], Watch(system, {}, {}))
    found.begin(np.array([1.0, 0.0, -1.0, 2.0]), 0.0, np.zeros(0))
    return found


def test_start(run):
    assert run.holding.closed == set()
    np.testing.assert_allclose(run.smooth.f, [-G, -3.0])
    np.testing.assert_allclose(run.smooth.force, [0.0, -3.0])
    assert run.holding.word(run.contacts, 1) == "slip"
    assert run.ledger == []


def test_time_since_a_gap_closed(run):
    rows = run._rows(np.array([-0.01, 0.0]), np.array([-2.0, 1.0]), 0.0)
    (since,) = run._hits(rows, H).values()
    assert -0.01 + 2.0 * since - 0.5 * G * since**2 == pytest.approx(0.0, abs=1e-16)
    leaving = run._rows(np.array([-0.01, 0.0]), np.array([2.0, 1.0]), 0.0)
    assert run._hits(leaving, H) == {}


def test_rebound_and_way_are_those_of_the_time_of_impact(run):
    """Under a constant force the end of the step is exact."""
    speed, since = 2.0, 0.03  # at the floor, and time [s] since then
    before = np.array([-speed * since - 0.5 * G * since**2, 0.0])
    v = np.array([-speed - G * since, 1.0])
    rows = run._rows(before, v, 0.0)
    q, after, *_ = run._impact(rows, {0}, run._hits(rows, H), np.concatenate([before, v]))
    assert after[0] == pytest.approx(E * speed - G * since, rel=1e-12)
    assert q[0] == pytest.approx(E * speed * since - 0.5 * G * since**2, rel=1e-10)
    assert after[1] == 1.0


def test_rebound_that_would_come_back_within_the_step_is_none(run):
    rows = run._rows(np.array([-1e-3, 0.0]), np.array([-0.2, 1.0]), 0.0)
    since = {0: H}
    _, after, *_ = run._impact(rows, {0}, since, np.array([-1e-3, 0.0, -0.2, 1.0]))
    assert after[0] == pytest.approx(0.0, abs=1e-15)


def test_friction_may_stop_a_slider_within_a_step(run):
    """The brake needs less than its capacity to hold a wheel that has reversed."""
    run.y[2:] = (0.0, 0.1)
    run.y[0] = 1.0
    run._step(H)
    assert run.y[3] == pytest.approx(0.0, abs=1e-15)
    assert run.holding.word(run.contacts, 1) == "stick"
    assert run.ledger[-1].kind == "stick"


def test_smooth_step_is_exact_under_constant_forces(run):
    q, v, mean = run.smooth.step(H)
    np.testing.assert_allclose(q, [1.0 - H - 0.5 * G * H**2, 2.0 * H - 1.5 * H**2], rtol=1e-14)
    np.testing.assert_allclose(v, [-1.0 - G * H, 2.0 - 3.0 * H], rtol=1e-14)
    np.testing.assert_allclose(mean, [0.0, -3.0])


def test_a_contact_that_closes_on_a_curved_outline_lasts():
    """Shifts turn its normal: what the impact has given may be taken back, so that it stays."""
    model = jd.Model("cam")
    cam = model.add_body("cam", jd.solid.cylinder(mass=1.0, radius=0.05, length=0.01, axis="y"))
    turn = {"angle": lambda t: 20.0 * t}
    model.add_joint("shaft", model.world, cam, jd.Revolute("y"), driven=turn)
    roll = model.add_body("roll", jd.solid.ball(mass=0.2, radius=0.01))
    model.add_joint("guide", model.world, roll, jd.Prismatic("z"))
    model.add_connection("spring", jd.Coordinate("guide.position"), jd.Spring(500.0))
    outlines = jd.Circle(cam.at(0.01, 0, 0), 0.05, axis="y"), jd.Circle(roll, 0.01, axis="y")
    model.add_contact("touch", *outlines, jd.Coulomb(0.1))
    start = {"guide.position": np.sqrt(0.06**2 - 0.01**2) + 1e-5}
    sol = jd.simulate(model, 0.1, start=start, method=jd.NonsmoothAlpha(1e-3))
    assert [event.kind for event in sol.events] == ["impact", "slip"]
    angle = 20.0 * sol.time[-1]
    height = np.sqrt(0.06**2 - (0.01 * np.cos(angle)) ** 2) - 0.01 * np.sin(angle)
    assert sol.final["guide.position"] == pytest.approx(height, abs=1e-12)
