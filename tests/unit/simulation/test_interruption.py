"""Ctrl-C: one ends a run, two end the loop around it."""

import pytest

import jourdain as jd
from jourdain.errors import IncompleteWarning
from jourdain.simulation import interruption

LOOP = """
import os, signal, sys, threading, time
import jourdain as jd
model = jd.Model("pendulum")
rod = model.add_body("rod", jd.solid.ball(1.0, 0.1, at=(0, 0, -1)))
model.add_joint("j", model.world, rod, jd.Revolute("y"))
system = jd.compile(model)
jd.simulate(system, 0.1)
def press():
    for _ in range(int(sys.argv[1])):
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)
try:
    print("ready", file=sys.stderr, flush=True)
    time.sleep(10.0)  # the first Ctrl-C of the test ends the wait
except KeyboardInterrupt:
    threading.Thread(target=press, daemon=True).start()
kept = []
for k in range(2):
    end = 1e7 if k < int(sys.argv[1]) else 0.1
    kept.append(jd.simulate(system, end, start={"j.angle": 1.0}, method=jd.RungeKutta4(1e-3)))
print([sol.is_complete for sol in kept], repr(kept[0]))
"""


def test_one_ends_a_run_and_the_loop_goes_on(interrupted):
    code, out, told = interrupted(LOOP, "1")
    assert code == 0, told
    assert out.startswith("[False, True] <INCOMPLETE (interrupted) solution of 'pendulum'")
    assert "IncompleteWarning: the run of 'pendulum' was interrupted at" in told
    assert "Press Ctrl-C twice" in told


def test_two_within_a_second_end_the_loop(interrupted):
    code, out, told = interrupted(LOOP, "2")
    assert code != 0
    assert not out
    assert told.rstrip().endswith("KeyboardInterrupt")


def test_the_second_raises(monkeypatch):
    model = jd.Model("m")
    model.add_coordinate("a", 1.0)
    sol = jd.simulate(model, 1.0)
    monkeypatch.setattr(interruption, "SOON", 1.0)
    monkeypatch.setitem(interruption._last, "time", -10.0 + interruption.clock.monotonic())
    with pytest.warns(IncompleteWarning, match=r"interrupted at 1 s of 1 s: sol\.is_complete"):
        interruption.note_interruption(sol)
    with pytest.raises(KeyboardInterrupt):
        interruption.note_interruption(sol)


def test_a_progress_function_may_end_every_run():
    model = jd.Model("m")
    model.add_coordinate("a", 1.0)

    def stop(t, step):
        raise KeyboardInterrupt

    for _ in range(3):
        sol = jd.simulate(model, 1.0, method=jd.RungeKutta4(1e-5), progress=stop)
        assert not sol.is_complete
        assert "INCOMPLETE" in repr(sol)
        assert "INCOMPLETE" in str(sol)
