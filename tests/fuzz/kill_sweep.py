"""Runs that are killed at random moments while they save: every file can be gone on with.

Usage: kill_sweep.py [kills [seed]].
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from resume_sweep import ARM, MACHINE, arm, machine

import jourdain as jd
from jourdain.simulation import saving

RUNS = {
    "Euler": (arm, ARM, jd.SemiImplicitEuler(4e-6), 8.0),
    "Dop853": (arm, ARM, jd.Dop853(max_step=4e-6), 1.5),
    "EventDriven": (machine, MACHINE, jd.EventDriven(jd.Dopri5(max_step=1e-6)), 0.4),
    "MoreauJean": (machine, MACHINE, jd.MoreauJean(2e-5), 0.4),
}


def is_same(one, other):
    names = ("time", "q", "v", "tau", "extra")
    return (
        all(np.array_equal(getattr(one, x), getattr(other, x)) for x in names)
        and [(e.name, e.time) for e in one.events] == [(e.name, e.time) for e in other.events]
        and one.statistics.steps == other.statistics.steps
    )


def killed(system, path, given, end, wait):
    """Start a run in a process of its own; kill it some time after its first file."""
    child = os.fork()
    if child == 0:
        saving._SHARE = 0.0  # files all the time, so that many kills hit a file being written
        try:
            jd.simulate(system, end, save=path, every=1e-3, **given)
        finally:
            os._exit(0)
    patience = time.monotonic() + 60.0
    while not path.exists() and time.monotonic() < patience:
        time.sleep(0.001)
    time.sleep(wait)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def main(kills, seed):
    chance, wrong, n_cut = random.Random(seed), 0, 0
    compiled, whole = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for k in range(kills):
            name = list(RUNS)[k % len(RUNS)]
            make, start, method, end = RUNS[name]
            given = {"start": start, "method": method, "sample": 0.01}
            if name not in whole:
                compiled[name] = jd.compile(make())
                whole[name] = jd.simulate(compiled[name], end, **given)
                whole[name].save(Path(folder) / "whole.nc")  # what it imports is there now
            path = Path(folder) / f"run_{k}.nc"
            wait = chance.uniform(0.0, 0.8)
            killed(compiled[name], path, given, end, wait)
            part = jd.load(path)
            n_cut += part.statistics.status == "interrupted"
            if part.statistics.status == "interrupted":
                part = jd.simulate(compiled[name], end, resume=part, sample=0.01, save=path)
            if not is_same(part, whole[name]) or not is_same(jd.load(path), whole[name]):
                wrong += 1
                print(f"another run: {name} after {wait:.3f} s")  # noqa: T201
    print(f"{kills} kills, {n_cut} within a run, {wrong} wrong")  # noqa: T201
    sys.exit(bool(wrong) or not n_cut)


if __name__ == "__main__":
    given = [int(x) for x in sys.argv[1:]]
    main(*[*given, *(50, 1)[len(given) :]])
