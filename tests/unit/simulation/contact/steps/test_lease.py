"""Memory of steps that runs use in turn leaves no trace of the run before."""

import gc

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.contact.steps import group_points, lease


def dropped(friction=0.3):
    """Balls that fall on a floor and on each other, a clutch beside them."""
    model = jd.Model("dropped")
    floor, law = jd.HalfSpace(model.world), jd.Coulomb(jd.Parameter("mu", friction), 0.2)
    balls = [model.add_body(f"ball_{k}", jd.solid.ball(mass=1.0, radius=0.1)) for k in range(3)]
    model.add_contacts("pile", [floor, *(jd.Sphere(ball, 0.1) for ball in balls)], law)
    model.add_coordinate("a", 1.0)
    model.add_connection("clutch", jd.Coordinate("a"), jd.Interval(2.0))
    start = {"a.rate": 1.0}
    for k in range(3):
        start[f"ball_{k}.position"] = 0.05 * k, 0.0, 0.12 + 0.21 * k
        start[f"ball_{k}.velocity"] = 0.5, 0.1 * k, 0.0
    return model, start


def run(system, start, method, **options):
    sol = jd.simulate(system, 0.3, start=start, method=method, sample=0.05, **options)
    return np.hstack([sol.q, sol.v, sol.extra, sol.contacts]), [str(x) for x in sol.events]


@pytest.fixture
def made(monkeypatch):
    """Count memories that are made."""
    made = []
    monkeypatch.setattr(lease, "OneStep", lambda *given: made.append(1) or ONE_STEP(*given))
    return made


ONE_STEP = lease.OneStep


def test_later_runs_are_as_the_first_to_the_last_bit(made):
    model, start = dropped()
    new = {mu: run(jd.compile(model), start, jd.MoreauJean(1e-3), parameters={"mu": mu})
           for mu in (0.3, 0.6)}  # fmt: skip
    system = jd.compile(model)
    made.clear()
    for mu, dt in ((0.3, 1e-3), (0.6, 1e-3), (0.6, 7e-4), (0.3, 1e-3), (0.6, 1e-3)):
        found, events = run(system, start, jd.MoreauJean(dt), parameters={"mu": mu})
        if dt == 1e-3:
            np.testing.assert_array_equal(found, new[mu][0])
            assert events == new[mu][1]
        gc.collect()
    assert len(made) == 2  # one for each value of the parameter


def test_memory_that_has_grown_is_as_new(monkeypatch):
    """More contacts than there is room for at first."""
    monkeypatch.setattr(group_points, "_ROOM", 1)
    model, start = dropped()
    new = run(jd.compile(model), start, jd.MoreauJean(1e-3))[0]
    system = jd.compile(model)
    for _ in range(3):
        np.testing.assert_array_equal(run(system, start, jd.MoreauJean(1e-3))[0], new)


def test_settings_of_a_method_are_its_own():
    """Equal state updates share memory: positions that are not corrected, looser tolerances."""
    model, start = dropped()
    system = jd.compile(model)
    methods = [
        jd.MoreauJean(1e-3), jd.MoreauJean(1e-3, corrects_positions=False),
        jd.MoreauJean(1e-3, tolerance=1e-3, iterations=5), jd.MoreauJean(1e-3),
    ]  # fmt: skip
    found = [run(system, start, method)[0] for method in methods]
    alone = [run(jd.compile(model), start, method)[0] for method in methods]
    for a, b in zip(found, alone, strict=True):
        np.testing.assert_array_equal(a, b)
    assert not np.array_equal(found[0], found[1])


def test_runs_at_the_same_time_have_memory_of_their_own():
    """A run within another one: a sampled input that simulates the same system."""
    model, start = dropped()
    system, method = jd.compile(model), jd.MoreauJean(1e-3)

    def push(t, s):
        return 0.01 * float(jd.simulate(system, 0.02, start=start, method=method).final["a.rate"])

    inner = jd.Sampled(push, 0.05)
    first, second = (run(system, start, method, inputs={"a": inner})[0] for _ in range(2))
    outer = run(jd.compile(model), start, method, inputs={"a": inner})[0]
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(first, outer)
