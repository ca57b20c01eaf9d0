"""What repeats: springs, force laws, contacts, stiff chains; first runs with an empty cache.

Every first run is a process of its own with an empty cache; its time is processor time from the
model to the end of `simulate`, so code that serves all models is compiled too. Steps are those of a
second run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from stepped import balls, modules

import jourdain as jd

STEPS = 1000
Case = tuple[jd.Model, Mapping[str, Any], float, Any]  # model, start, time, method


def ring(n: int, contacts: int = 0) -> Case:
    """Planar links on springs in a ring, and force laws between them and a hub."""
    model, bodies, start = jd.Model("ring", gravity=(0, 0, 0)), [], {}
    radius = 0.05 * n / (2 * np.pi)
    for k in range(n):
        body = model.add_body(f"link_{k}", jd.solid.rod(mass=0.1, end=(0.05, 0, 0)))
        model.add_joint(f"plane_{k}", model.world, body, jd.Planar("z"))
        bodies.append(body)
        a = 2 * np.pi * k / n
        start |= {f"plane_{k}.angle": a + np.pi / 2}
        start[f"plane_{k}.position"] = radius * np.cos(a), radius * np.sin(a)
    for k, body in enumerate(bodies):
        ends = body.at(0.05, 0, 0), bodies[(k + 1) % n]
        law = jd.Spring(1e4, free=0.01) + jd.Damper(1.0)
        model.add_connection(f"spring_{k}", jd.Distance(*ends), law)
    if contacts:
        reach, hub = 0.5 * radius, model.world.at(0.1 * radius, 0, 0)
        law = jd.Law(lambda x, v: jd.where(x < reach, 1e3 * (reach - x) - 0.1 * v, 0.0))
        places = [bodies[k % n].at(0.01 * (1 + k // n), 0.003, 0) for k in range(contacts)]
        model.add_connections("teeth", [jd.Distance(place, hub) for place in places], law)
    return model, start, STEPS * 1e-4, jd.RungeKutta4(1e-4)


def stiff_chain(n: int) -> Case:
    """Masses in a row on stiff springs."""
    model, before = jd.Model("chain"), None
    for k in range(n):
        own = jd.Coordinate(model.add_coordinate(f"x_{k}", 1.0))
        law = jd.Spring(1e6) + jd.Damper(1e2)
        model.add_connection(f"s_{k}", own if before is None else own - before, law)
        before = own
    return model, {"x_0": 0.01}, 0.01, jd.Radau5()


def four_bars(n: int, method: Any) -> Case:
    """Separate parallelograms on stiff springs."""
    model, start = jd.Model("four_bars"), {}
    bar = jd.solid.box(mass=1.0, size=(1.0, 0.05, 0.05))
    for a in range(n):
        crank, coupler, rocker = (model.add_body(f"{x}_{a}", bar) for x in "abc")
        base, other = model.world.at(3.0 * a, 0, 0), model.world.at(3.0 * a + 1.0, 0, 0)
        model.add_joint(f"main_{a}", base, crank.at(-0.5, 0, 0), jd.Revolute("y"))
        model.add_joint(f"pin_{a}", crank.at(0.5, 0, 0), coupler.at(-0.5, 0, 0), jd.Revolute("y"))
        model.add_joint(f"pivot_{a}", other, rocker.at(-0.5, 0, 0), jd.Revolute("y"))
        ends = coupler.at(0.5, 0, 0), rocker.at(0.5, 0, 0)
        model.add_joint(f"last_{a}", *ends, jd.Revolute("y"))
        law = jd.Spring(1e4 + 10.0 * a, free=0.85) + jd.Damper(30.0)
        model.add_connection(f"spring_{a}", jd.Coordinate(f"pin_{a}.angle"), law)
        start |= {f"main_{a}.angle": -0.9, f"pin_{a}.angle": 0.9, f"pivot_{a}.angle": -0.9}
    return model, start, 0.05, method


def stepping(case: Any) -> Case:
    """Time steps of a case of `stepped`."""
    return case.model, case.start, 1.0, jd.MoreauJean(1e-3)


def arms(n: int) -> Case:
    """Equal arms of six links with springs in their joints."""
    model = jd.Model("arms")
    for a in range(n):
        before = model.world.at(a, 0, 0)
        for k in range(6):
            body = model.add_body(f"link_{a}_{k}", jd.solid.box(mass=1.0, size=(0.3, 0.1, 0.1)))
            model.add_joint(f"joint_{a}_{k}", before, body, jd.Revolute("xyz"[k % 3]))
            angle = jd.Coordinate(f"joint_{a}_{k}.angle")
            model.add_connection(f"drive_{a}_{k}", angle, jd.Spring(50.0) + jd.Damper(1.0))
            before = body.at(0.3, 0, 0)
    return model, {}, 0.1, jd.RungeKutta4(1e-4)


CASES: dict[str, tuple[Callable[[], Case], int]] = {  # with the number of steps
    "ring of 150 links on springs, RK4": (lambda: ring(150), STEPS),
    "the same with 300 force laws": (lambda: ring(150, 300), STEPS),
    "200 scalars, clutches and stops": (lambda: stepping(modules(200)), STEPS),
    "1000 scalars, clutches and stops": (lambda: stepping(modules(1000)), STEPS),
    "10 balls with friction": (lambda: stepping(balls(10)), STEPS),
    "100 balls with friction": (lambda: stepping(balls(100)), STEPS),
    "300 balls with friction": (lambda: stepping(balls(300)), STEPS),
    "20 stiff springs, Radau5": (lambda: stiff_chain(20), 1),
    "200 stiff springs, Radau5": (lambda: stiff_chain(200), 1),
    "100 stiff four-bars, Radau5": (lambda: four_bars(100, jd.Radau5()), 1),
    "100 stiff four-bars, alpha": (lambda: four_bars(100, jd.GeneralizedAlpha(1e-3)), 50),
    "100 stiff four-bars, Ida": (lambda: four_bars(100, jd.Ida()), 1),
    "2 arms of six links": (lambda: arms(2), STEPS),
    "10 arms of six links": (lambda: arms(10), STEPS),
}


def timed(case: Case) -> tuple[float, float]:
    """Processor time [s] of a first run and of the best of three later ones."""
    began = time.process_time()
    model, start, t, method = case
    system = jd.compile(model)
    jd.simulate(system, t, start=start, method=method)
    first, later = time.process_time() - began, []
    for _ in range(3):
        began = time.process_time()
        jd.simulate(system, t, start=start, method=method)
        later.append(time.process_time() - began)
    return first, min(later)


def in_new_process(name: str) -> tuple[float, float]:
    """The same in a process with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "JOURDAIN_CACHE": cache}
        command = [sys.executable, __file__, name]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    first, later = json.loads(ran.stdout.splitlines()[-1])
    return first, later


def main() -> None:
    print(f"{'':<36} first run     later run    a step")
    for name, (_, steps) in CASES.items():
        first, later = in_new_process(name)
        print(f"  {name:<34} {first:8.2f} s {1e3 * later:9.1f} ms {1e6 * later / steps:9.1f} µs")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(timed(CASES[sys.argv[1]][0]())))
    else:
        main()
