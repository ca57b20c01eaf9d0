"""Results whose contents somebody has forged: loaded, told about, plotted and animated.

Usage: forge_sweep.py [count [seed]].
"""

from __future__ import annotations

import json
import math
import random
import sys
import tempfile
from pathlib import Path

import matplotlib as mpl
from forks import finish, sweep
from model_sweep import fuzz
from resume_sweep import RUNS, results

import jourdain as jd

mpl.use("Agg")
VALUES = [
    None, True, False, 0, -1, 1, 2.5, 1e308, math.nan, math.inf, 10**400, 2**62, "", "x", "\0", "q",
    "a.b.c", "x" * 5000, [], {}, [1], ["x"], [[[[[[[1]]]]]]], {"x": 1}, {"x": {"y": []}},
]  # fmt: skip


def use(path):
    """All that is done with results."""
    sol = jd.load(path)
    str(sol), repr(sol), sol.names(), [repr(e) for e in sol.events], jd.cite(sol)
    for name in sol.names():
        sol[name]
        sol.values(name)
    names = sol.names()
    sol.to_pandas()
    if len(sol.time):
        dict(sol.final)
    jd.plot(sol, names[0])
    if sol.has_model and sol.model.bodies:
        jd.animate(sol)
        jd.report(sol)
    sol.save(path.with_name("again.nc"))


def forged(data, chance):
    """One to three forgeries of a dataset, with a right checksum."""
    data = data.copy(deep=True)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        way = chance.random()
        if way < 0.6:
            contents = json.loads(data.attrs["contents"])
            place = chance.choice(list(fuzz.places(contents)))
            holder, value = fuzz.below(contents, place[:-1]), chance.choice(VALUES)
            if isinstance(holder, dict) and chance.random() < 0.2:
                del holder[place[-1]]
            elif isinstance(holder, list) and chance.random() < 0.2:
                holder.append(value)
            else:
                holder[place[-1]] = value
            data.attrs["contents"] = json.dumps(contents)
        elif way < 0.7:
            key = chance.choice(list(data.attrs))
            data.attrs[key] = chance.choice([1, 2.5, "", "x", "\n", "[" * 5000])
        elif way < 0.8:
            name = chance.choice(list(data.variables))
            key = chance.choice([*data[name].attrs, "units", "long_name"])
            data[name].attrs[key] = chance.choice([1, 2.5, "", "x" * 300, "<b>", "m/s"])
        elif way < 0.9:
            data = data.drop_vars(chance.choice(list(data.variables)))
        else:
            name = chance.choice(list(data.data_vars))
            data[name] = (chance.choice(["time", "other"]), [1.0] * data.sizes.get("time", 3))
    data.attrs["checksum"] = results._checksum(data)
    return data


def cases(folder, count, seed):
    chance, known = random.Random(seed), []
    for name in ("Dop853", "EventDriven", "Pile"):
        make, start, method, options = RUNS[name]
        system = jd.compile(make())
        sol = jd.simulate(system, 0.2, start=start, method=method, sample=0.1, **options)
        sol.save(folder / f"{name}.nc")
        known.append((results._read(folder / f"{name}.nc"), system))
    model = jd.Model("driven")
    model.add_coordinate("x", 1.0)
    model.add_connection("f", jd.Coordinate("x"), jd.Force(lambda t: 1.0 + t))
    jd.simulate(model, 0.2, sample=0.1).save(folder / "without.nc")
    known.append((results._read(folder / "without.nc"), None))
    for data, system in known:
        results.compile = lambda model, cut=(), own=system: own
        results._write(data, folder / "whole.nc")
        use(folder / "whole.nc")
    k = 0
    while k < count:
        data, system = chance.choice(known)
        try:
            other = forged(data, chance)
        except (KeyError, ValueError, TypeError, RecursionError):  # no file can hold that
            continue
        k += 1

        def action(other=other, system=system):
            results.compile = lambda model, cut=(): system
            try:
                results._write(other, folder / "forged.nc")
            except Exception:
                return
            use(folder / "forged.nc")

        yield f"{k}: {str(other.attrs)[:3000]}", action


if __name__ == "__main__":
    given = [int(x) for x in sys.argv[1:]]
    count, seed = [*given, *(500, 1)[len(given) :]]
    with tempfile.TemporaryDirectory() as folder:
        finish(sweep(cases(Path(folder), count, seed), seconds=60, megabytes=8000))
