"""Chains, bushes and closed loops of 5 to 200 links: straight-line code against loops over tables.

Printed for each way: processor time of the first call of `simulate` without a cache, and of a step
of classical Runge-Kutta; then which of them the default takes, and how far it is from the better
one. ``python benchmarks/bench_plan.py loops 400 1000`` runs other sizes of one shape.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from typing import Any

import numpy as np
from bench_loops import build

import jourdain as jd

SIZES = (5, 10, 20, 21, 30, 40, 60, 61, 80, 100, 101, 200)
STEP, REPEATS = 1e-3, 5
WAYS = {
    "straight": jd.Unrolled(),
    "rows straight": jd.Looped(loops_constraints=False),
    "loops": jd.Looped(),
}


def tree(n: int, branches: int) -> jd.Model:
    """Tree with so many branches at each link; a chain has one."""
    model = jd.Model("tree")
    links = []
    for k in range(n):
        body = model.add_body(f"link_{k}", jd.solid.box(mass=1.0, size=(0.1, 0.05, 0.03)))
        before = links[(k - 1) // branches].at(0.1, 0, 0) if k else model.world
        model.add_joint(f"joint_{k}", before, body, jd.Revolute("xyz"[k % 3]))
        links.append(body)
    return model


def four_bars(n: int) -> jd.Model:
    """Parallelograms in a row with n links."""
    return build(max(1, (n - 1) // 2))  # type: ignore[no-any-return]


SHAPES = {"chain": lambda n: tree(n, 1), "bush": lambda n: tree(n, 2), "loops": four_bars}


def upright(system: Any) -> Any:
    """Parallelograms that stand and fall, all else at rest."""
    signs = {"ground": 1.0, "left": -1.0, "right": 1.0}
    start = {}
    for name in (*system.names.q, *system.names.v):
        word = name.partition(".")[0].rstrip("0123456789")
        if word in signs:
            start[name] = signs[word] * (np.pi / 2 if name.endswith("angle") else -1.0)
    return system.state(start)


def measured(model: jd.Model, execution: Any) -> tuple[float, float]:
    """Processor time [s] of the first call, and of a step: of many steps without those of few."""
    os.environ["JOURDAIN_CACHE"] = tempfile.mkdtemp()
    began = time.process_time()
    system = jd.compile(model, execution=execution)
    start = upright(system)

    def run(steps: int) -> float:
        began, end = time.process_time(), steps * STEP
        jd.simulate(system, end, start=start, method=jd.RungeKutta4(STEP), sample=end)
        return time.process_time() - began

    run(1)
    first = time.process_time() - began
    few, many = (min(run(n) for _ in range(REPEATS)) for n in (10, 410))
    return first, max(many - few, 1e-9) / 400


def main(shapes: Any, sizes: Any) -> None:
    measured(SHAPES["chain"](3), jd.Unrolled())  # code that serves all models
    for shape in shapes:
        print(f"{shape}: first call [s] and step [us]")
        for n in sizes:
            model = SHAPES[shape](n)
            chosen = jd.compile(model).execution
            ways = {k: x for k, x in WAYS.items() if shape == "loops" or k != "rows straight"}
            found = {name: measured(model, way) for name, way in ways.items()}
            best = min(step for _, step in found.values())
            (own,) = [n for n, x in ways.items() if x == chosen] or ["loops"]
            text = "".join(f"{k:>14} {a:6.2f} {1e6 * b:8.2f}" for k, (a, b) in found.items())
            print(f"{n:>5} {text}   default: {own}, {found[own][1] / best:.2f} of the best")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        main([sys.argv[1]], [int(x) for x in sys.argv[2:]])
    else:
        main(SHAPES, SIZES)
