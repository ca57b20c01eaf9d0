"""Every stored number of a results file, changed, with a right checksum: resumed.

Usage: resume_sweep.py [stride [offset [run …]]]; a stride of 1 takes every case.
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from forks import finish, sweep

import jourdain as jd
from jourdain.results.files import file as results

FLOATS = (0.0, -1.0, math.nan, 1e6)
COUNTS = (*FLOATS, 2**31, -(2**31), 2**62)
END = 0.5


def arm():
    model = jd.Model("arm")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    body = model.add_body("body", jd.Inertia(0.7, com=(0.1, 0.0, -0.2), moments=(0.02, 0.03, 0.01)))
    model.add_joint("upper", model.world, rod, jd.Revolute("y"))
    model.add_joint("ball", rod.at(0, 0, -0.5), body, jd.Spherical())
    return model


def four_bar():
    model = jd.Model("four_bar")
    a, b, c = (
        model.add_body(name, jd.solid.rod(mass=1.0, end=(x, 0, z)))
        for name, x, z in (("a", 0.0, 0.3), ("b", 0.5, 0.1), ("c", 0.0, 0.4))
    )
    model.add_joint("main", model.world, a, jd.Revolute("y"))
    model.add_joint("ab", a.at(0, 0, 0.3), b, jd.Revolute("y"))
    model.add_joint("base", model.world.at(0.5, 0, 0), c, jd.Revolute("y"))
    model.add_joint("bc", b.at(0.5, 0, 0.1), c.at(0, 0, 0.4), jd.Revolute("y"))
    return model


def machine():
    model = jd.Model("machine", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("ball", 1.0, unit="m")
    model.add_coordinate("wheel", 1.0)
    model.add_connection("weight", jd.Coordinate("ball"), jd.Force(-9.81))
    model.add_connection("spring", jd.Coordinate("wheel"), jd.Spring(40.0))
    model.add_connection("floor", jd.Coordinate("ball"), jd.Unilateral(restitution=0.7))
    model.add_connection("brake", jd.Coordinate("wheel"), jd.Interval(1.5))
    return model


def heap():
    model = jd.Model("heap")
    contours = [jd.HalfSpace(model.world)]
    for k in range(2):
        box = model.add_body(f"box_{k}", jd.solid.box(mass=1.0, size=(0.2, 0.2, 0.2)))
        contours.append(jd.Box(box, (0.2, 0.2, 0.2)))
    flap = model.add_body("flap", jd.solid.rod(mass=1.0, end=(0, 0, -0.4)))
    model.add_joint("hinge", model.world.at(0.5, 0, 0.9), flap, jd.Revolute("y"))
    contours.append(jd.Sphere(flap.at(0, 0, -0.4), 0.1))
    model.add_contacts("heap", contours, jd.Coulomb(friction=0.5, restitution=0.1))
    return model


def swing(name):
    """A held input, and an event."""
    held = jd.Sampled(lambda t, s: -0.2 * s[f"{name}.rate"], 0.05)
    coordinate = {"upper": "upper.angle", "wheel": "wheel.value", "hinge": "hinge.angle"}[name]
    return {"inputs": {coordinate: held}, "events": {"e": lambda t, s: s[coordinate] + 0.3}}


ARM = {"upper.angle": 1.2, "ball.angular_velocity": (1.0, 2.0, 3.0)}
MACHINE = {"ball.value": 0.3, "wheel.rate": 3.0, "wheel.value": 0.1}
HEAP = {f"box_{k}.position": (0.03 * k, 0.0, 0.1001 + 0.201 * k) for k in range(2)}
RUNS = {
    "Dop853": (arm, ARM, jd.Dop853(), swing("upper")),
    "Tsit5": (arm, ARM, jd.Tsit5(), {}),
    "Euler": (arm, ARM, jd.SemiImplicitEuler(2e-3), {}),
    "Gauss4": (arm, ARM, jd.Gauss4(1e-2), {}),
    "Radau5": (arm, ARM, jd.Radau5(), {}),
    "GeneralizedAlpha": (arm, ARM, jd.GeneralizedAlpha(1e-2), {}),
    "Partition": (
        four_bar, {"main.rate": 3.0}, jd.Dopri5(rtol=1e-6), {"constraints": jd.Partition()},
    ),
    "EventDriven": (machine, MACHINE, jd.EventDriven(), swing("wheel")),
    "MoreauJean": (machine, MACHINE, jd.MoreauJean(4e-3), swing("wheel")),
    "NonsmoothAlpha": (machine, MACHINE, jd.NonsmoothAlpha(4e-3), swing("wheel")),
    "Pile": (heap, {**HEAP, "hinge.angle": -1.2}, jd.MoreauJean(4e-3), swing("hinge")),
}  # fmt: skip


def numbers_in(tree, path=()):
    """Places of all numbers in lists and tables."""
    if isinstance(tree, dict | list):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from numbers_in(value, (*path, key))
    elif isinstance(tree, int | float):
        yield path, tree


def changes(data):
    """All changed numbers: label, and function that makes the change in a dataset."""
    contents = json.loads(data.attrs["contents"])
    for path, old in numbers_in(contents):
        for value in FLOATS if isinstance(old, float) else COUNTS:
            yield f"{path} = {value}", ("contents", path, value)
    for name in map(str, data.variables):
        values = data.variables[name].values
        if values.dtype.kind == "f":
            whole = name in ("checkpoint_keys", "checkpoint_rest")
            for k in range(values.size):
                for value in COUNTS if whole else FLOATS:
                    yield f"{name}[{k}] = {value}", ("array", name, k, value)


def changed(data, change):
    data = data.copy(deep=True)
    if change[0] == "contents":
        contents = json.loads(data.attrs["contents"])
        place = contents
        for key in change[1][:-1]:
            place = place[key]
        place[change[1][-1]] = change[2]
        data.attrs["contents"] = json.dumps(contents)
    elif change[1] == "time":
        time = data["time"].values.copy()
        time[change[2]] = change[3]
        data = data.assign_coords(time=("time", time, data["time"].attrs))
    else:
        data[change[1]].values.reshape(-1)[change[2]] = change[3]
    data.attrs["checksum"] = results._checksum(data)
    return data


class Patience:
    """Ends a run that goes on and on: a mechanism can be made to turn a million times a second."""

    def __init__(self):
        self.end = time.perf_counter() + 3.0

    def __call__(self, t, step):
        if time.perf_counter() > self.end:
            raise KeyboardInterrupt


def resumed(path, options):
    """Go on from a file; what comes of it must be a run."""
    solution, patience = jd.load(path), Patience()
    given = {"resume": solution, "sample": 0.1, "progress": patience, **options}
    again = jd.simulate(solution.system, END, **given)
    if again.statistics.status == "interrupted":
        assert again.time[-1] > solution.checkpoint.facts["t"], "it does not go on"
    else:
        assert again.statistics.status == "finished", again.statistics.status
        assert again.time[-1] == END
    assert np.isfinite(again.time).all()
    assert np.all(np.diff(again.time) >= 0.0)
    for numbers in (again.q, again.v):
        assert np.isfinite(numbers).all()
    str(again)


def cases(folder, runs, stride, offset):
    count = 0
    for name in runs:
        make, start, method, options = RUNS[name]
        system = jd.compile(make())
        first = jd.simulate(system, 0.27, start=start, method=method, sample=0.1, **options)
        options.pop("constraints", None)
        path = folder / f"{name}.nc"
        first.save(path)
        data = results._read(path)
        results.compile = lambda model, cut=(), own=system: own  # the same for all
        resumed(path, options)
        for label, change in changes(data):
            count += 1
            if (count + offset) % stride:
                continue

            def action(change=change, path=path, data=data, options=options):
                other = path.with_name("other.nc")
                results._write(changed(data, change), other)
                resumed(other, options)

            yield f"{name}: {label}", action


if __name__ == "__main__":
    given = sys.argv[1:]
    stride, offset = (int(x) for x in [*given[:2], *("1", "0")[len(given[:2]) :]])
    with tempfile.TemporaryDirectory() as folder:
        finish(sweep(cases(Path(folder), given[2:] or list(RUNS), stride, offset), megabytes=8000))
