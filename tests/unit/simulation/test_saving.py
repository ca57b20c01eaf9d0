"""Runs that are saved as they go: files do not change a run, and each can be gone on with."""

from __future__ import annotations

import os

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import JourdainWarning
from jourdain.results import Solution
from jourdain.simulation import saving
from jourdain.solvers import all_integrators


class Clock:
    """Time that goes on by a second at every look, so that every look is due."""

    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        self.now += 1.0
        return self.now


@pytest.fixture
def kept(monkeypatch):
    """All files of a run, one after the other, as solutions."""
    found, write = [], Solution.save

    def save(self, path):
        write(self, path)
        found.append(jd.load(path))

    monkeypatch.setattr(saving, "clock", Clock())
    monkeypatch.setattr(saving, "_SHARE", 0.0)
    monkeypatch.setattr(Solution, "save", save)
    return found


def arm():
    model = jd.Model("arm")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    body = model.add_body("body", jd.Inertia(0.7, com=(0.1, 0.0, -0.2), moments=(0.02, 0.03, 0.01)))
    model.add_joint("upper", model.world, rod, jd.Revolute("y"))
    model.add_joint("ball", rod.at(0, 0, -0.5), body, jd.Spherical())
    return jd.compile(model), {"upper.angle": 1.2}, "upper.angle", "upper.rate"


def machine():
    model = jd.Model("machine", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("ball", 1.0, unit="m")
    model.add_coordinate("wheel", 1.0)
    model.add_connection("weight", jd.Coordinate("ball"), jd.Force(-9.81))
    model.add_connection("spring", jd.Coordinate("wheel"), jd.Spring(40.0))
    model.add_connection("floor", jd.Coordinate("ball"), jd.Unilateral(restitution=0.7))
    model.add_connection("brake", jd.Coordinate("wheel"), jd.Interval(1.5))
    start = {"ball.value": 0.3, "wheel.rate": 3.0, "wheel.value": 0.1}
    return jd.compile(model), start, "wheel.value", "wheel.rate"


def options(angle, rate):
    return {
        "inputs": {angle: jd.Sampled(lambda t, s: 0.2 * np.sin(20.0 * t) - 0.1 * s[rate], 0.07)},
        "events": {"zero": lambda t, s: s[angle]},
        "sample": 0.02,
    }


def assert_same(one, other):
    for name in ("time", "q", "v", "tau", "extra", "contacts"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert [(e.name, e.kind, e.time) for e in one.events] == [
        (e.name, e.kind, e.time) for e in other.events
    ]
    for name in ("steps", "rejected", "evaluations", "status"):
        assert getattr(one.statistics, name) == getattr(other.statistics, name), name


CONTACT = [jd.EventDriven(), jd.MoreauJean(3e-3), jd.NonsmoothAlpha(3e-3)]
CASES = [(arm, method) for method in all_integrators()] + [(machine, x) for x in CONTACT]


@pytest.mark.parametrize(("make", "method"), CASES, ids=lambda x: type(x).__name__)
def test_files_change_nothing_and_each_can_be_gone_on_with(make, method, kept, tmp_path):
    system, start, *names = make()
    more = options(*names)
    whole = jd.simulate(system, 0.5, start=start, method=method, **more)
    file = tmp_path / "run.nc"
    sol = jd.simulate(system, 0.5, start=start, method=method, save=file, every=1e-9, **more)
    assert_same(whole, sol)
    assert os.listdir(tmp_path) == ["run.nc"]
    assert_same(whole, kept[-1])
    assert len(kept) > 5
    for part in (kept[1], kept[-3], kept[-2]):
        assert part.statistics.status == "interrupted"
        assert not part.statistics.is_complete
        assert part.time[-1] < 0.5
        assert_same(whole, jd.simulate(system, 0.5, resume=part, **more))


def test_a_pile_is_saved_too(kept, tmp_path):
    model = jd.Model("pile")
    balls = [model.add_body(f"b{k}", jd.solid.ball(mass=1.0, radius=0.1)) for k in range(2)]
    contours = [jd.HalfSpace(model.world), *(jd.Sphere(ball, 0.1) for ball in balls)]
    model.add_contacts("pile", contours, jd.Coulomb(friction=0.3, restitution=0.3))
    system = jd.compile(model)
    start = {f"b{k}.position": (0.02 * k, 0.0, 0.15 + 0.25 * k) for k in range(2)}
    given = {"method": jd.MoreauJean(4e-3), "sample": 0.05}
    whole = jd.simulate(system, 0.4, start=start, **given)
    saved = jd.simulate(system, 0.4, start=start, save=tmp_path / "run.nc", every=1e-9, **given)
    assert_same(whole, saved)
    assert len(kept) > 3
    for part in kept[:-1:2]:
        assert_same(whole, jd.simulate(system, 0.4, resume=part, **given))


def test_many_short_phases_are_saved(kept, tmp_path):
    """A run from event to event whose phases are too short for a look at the clock within."""
    system, start, *_ = machine()
    jd.simulate(system, 0.5, start=start, save=tmp_path / "run.nc", every=1e-9)
    assert len(kept) > 3


def test_a_failed_run_is_saved(tmp_path):
    model = jd.Model("wild")
    model.add_coordinate("x", 1.0)
    model.add_connection("f", jd.Coordinate("x"), jd.Force(lambda t: 1.0 / (0.05 - t) ** 3))
    with pytest.raises(jd.IntegrationError) as error:
        jd.simulate(model, 0.1, save=tmp_path / "run.nc")
    assert len(jd.load(tmp_path / "run.nc").time) == len(error.value.solution.time)


def test_files_take_a_tenth_of_the_time_at_most(monkeypatch, tmp_path):
    """With a clock of our own: a file takes 3 s, a look 0.01 s; files are due every 5 s."""
    now, wrote = [0.0], []

    class Result:
        def save(self, path):
            wrote.append(now[0])
            now[0] += 3.0

    monkeypatch.setattr(saving, "clock", type("C", (), {"perf_counter": lambda self: now[0]})())
    writer = saving.Saving(tmp_path / "run.nc", every=5.0)
    while now[0] < 2000.0:
        now[0] += 0.01
        writer.look(Result)
    assert wrote[0] == pytest.approx(5.0, abs=0.02)
    assert 3.0 * len(wrote) < 0.1 * now[0]
    assert max(np.diff(wrote)) < 3.0 + 10 * 3.0 + 0.1


def test_what_cannot_be_written_is_told_before_the_run(tmp_path):
    system, start, *_ = machine()
    for path in (tmp_path / "no" / "run.nc", tmp_path, "a\0b", 3):
        with pytest.raises(jd.FormatError, match="cannot save to"):
            jd.simulate(system, 0.5, start=start, save=path)
    for every in (0.0, -1.0, float("nan"), float("inf"), "often"):
        with pytest.raises(jd.ModelError, match="every is"):
            jd.simulate(system, 0.5, start=start, save=tmp_path / "run.nc", every=every)
    with pytest.raises(jd.ModelError, match="without a file"):
        jd.simulate(system, 0.5, start=start, every=1.0)
    assert not os.listdir(tmp_path)


def test_a_disk_that_fills_is_told_and_the_run_goes_on(kept, tmp_path, monkeypatch):
    system, start, *_ = machine()

    def full(self, path):
        raise jd.FormatError("cannot write 'run.nc': No space left on device.")

    monkeypatch.setattr(Solution, "save", full)
    told = pytest.warns(JourdainWarning, match="the run goes on, but cannot write")
    with told, pytest.raises(jd.FormatError) as error:
        jd.simulate(system, 0.5, start=start, save=tmp_path / "run.nc", every=1e-9)
    assert error.value.solution.time[-1] == 0.5


def test_left_overs_of_killed_processes_are_taken_away(tmp_path):
    system, start, *_ = machine()
    (tmp_path / ".run.0123abcd.nc").write_bytes(b"half")
    (tmp_path / ".run.other.nc").write_bytes(b"not ours")
    jd.simulate(system, 0.1, start=start, save=tmp_path / "run.nc")
    assert sorted(os.listdir(tmp_path)) == [".run.other.nc", "run.nc"]
