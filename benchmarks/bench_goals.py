"""What repeats, plain functions and first runs in one table, with goals and peers in one run.

Rows are made of the other benchmarks: rings of links on springs with tooth contacts (and the same
ring in Exudyn), closed loops of any number, derivatives, frame Jacobians, loads and mass matrices
beside Pinocchio and MuJoCo, stiff chains (ten generalised-alpha steps beside Exudyn), and first
runs with an empty cache. Processor time throughout. ``bench_goals.py ring loops`` takes only these.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import bench_functions
import bench_kinds
import bench_start
import numpy as np
from bench_contact import before_first_step
from bench_loops import build
from bench_plan import measured
from bench_tangents import derivatives, mesh

import jourdain as jd
from jourdain.simulation.smooth import SmoothStepper

REPEATS = 5
LOOPS = (2, 5, 10, 20, 40, 100, 200)
UNROLLED_UP_TO = 100  # loops; straight-line code of more takes long to compile
Line = tuple[str, str, str, str]  # case, ours, goal, peer


def exudyn_ring(n: int, steps: int, dt: float) -> float:
    """Seconds of RK44 steps of the ring without contacts, start-up taken off."""
    import exudyn as exu
    from exudyn import itemInterface

    model, start, _, _ = bench_kinds.ring(n)
    system, container = jd.compile(model), exu.SystemContainer()
    mbs = container.AddSystem()
    ends = []
    for k in range(n):
        angle, (x, y) = start[f"plane_{k}.angle"], start[f"plane_{k}.position"]
        middle = 0.025 * np.array([np.cos(angle), np.sin(angle)])
        reference = [x + middle[0], y + middle[1], angle]
        node = mbs.AddNode(itemInterface.NodeRigidBody2D(referenceCoordinates=reference))
        own = itemInterface.ObjectRigidBody2D(mass=0.1, inertia=0.1 * 0.05**2 / 12, nodeNumber=node)
        body = mbs.AddObject(own)
        ends.append(
            [
                mbs.AddMarker(
                    itemInterface.MarkerBodyPosition(bodyNumber=body, localPosition=[s, 0, 0])
                )
                for s in (-0.025, 0.025)
            ]
        )
    for k in range(n):
        pair = [ends[k][1], ends[(k + 1) % n][0]]
        mbs.AddObject(
            itemInterface.ObjectConnectorSpringDamper(
                markerNumbers=pair, stiffness=1e4, damping=1.0, referenceLength=0.01
            )
        )
    mbs.Assemble()
    ours = jd.simulate(system, dt, start=start, method=jd.RungeKutta4(dt))
    settings = exu.SimulationSettings()
    settings.solution.file.write = False
    settings.timeIntegration.explicit.computeEndOfStepAccelerations = False

    def solve(count: int) -> float:
        settings.timeIntegration.numberOfSteps = count
        settings.timeIntegration.endTime = count * dt
        began = time.process_time()
        mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.RK44)
        return time.process_time() - began

    one = solve(1)
    settings.timeIntegration.numberOfSteps, settings.timeIntegration.endTime = 1, dt
    one_step = mbs.systemData.GetODE2Coordinates_t()[2]
    if not abs(one_step / ours.final["plane_0.rate"] - 1.0) < 1e-6:
        raise RuntimeError("the ring moves otherwise in Exudyn")
    return min(solve(steps + 1) for _ in range(REPEATS)) - one


def ring_step(contacts: int) -> float:
    """Processor time [s] of a step: of many steps without those of few."""
    model, start, end, method = bench_kinds.ring(150, contacts)
    system = jd.compile(model)
    few, many = (
        later(system, part * end, start=start, method=method, sample=part * end)
        for part in (0.1, 1.1)
    )
    return (many - few) / bench_kinds.STEPS


def ring() -> Iterator[Line]:
    """Rings with and without tooth contacts."""
    first, _ = bench_kinds.in_new_process("the same with 300 force laws")
    ours = f"{1e6 * ring_step(300):.1f} µs a step, first run {first:.1f} s"
    yield "ring of 150 links, 300 tooth contacts, RK4", ours, "40 µs, 3 s", ""
    own, other = ring_step(0), exudyn_ring(150, 100, 1e-4) / 100
    peer = f"Exudyn RK44 {1e6 * other:.0f} µs, {other / own:.0f} ×"
    yield "the same ring without contacts", f"{1e6 * own:.1f} µs a step", "30 ×", peer


def loops() -> Iterator[Line]:
    """Parallelograms in a row, classical Runge-Kutta."""
    for n in LOOPS:
        model = build(n)
        chosen = jd.compile(model).execution
        first, step = measured(model, chosen)
        text = f"{1e6 * step / n:.2f} µs a step and loop, first run {first:.1f} s"
        best = "" if n > UNROLLED_UP_TO else measured(model, jd.Unrolled())[1]
        peer = f"straight-line {1e6 * best / n:.2f} µs, {step / best:.2f} of it" if best else ""
        yield f"{n} four-bars in a row", text, "1.5 of straight-line", peer


def functions() -> Iterator[Line]:
    """Derivatives, Jacobians and loads of chains, called from Python."""
    goals = {"forward derivatives": "Pinocchio", "frame Jacobian": "3/4/8 µs"}
    goals["loads"] = "-/15/45 µs"
    for n in bench_functions.SIZES:
        for name, one, batch, other in bench_functions.times(n):
            if name in goals:
                peer = "" if np.isnan(other) else f"Pinocchio {1e6 * other:.1f} µs"
                ours = f"{1e6 * one:.1f} µs, of a batch {1e6 * batch:.2f}"
                yield f"{name}, {n} joints", ours, goals[name], peer
    for n in bench_functions.MASS_SIZES:
        own, other = bench_functions.mass_matrices(n)
        peer = f"MuJoCo {1e6 * other:.0f} µs"
        yield f"mass matrix, {n} joints", f"{1e6 * own:.0f} µs", "MuJoCo", peer


def springs() -> Iterator[Line]:
    """Derivatives of forward dynamics with many springs."""
    for n, count in ((30, 50), (100, 50), (100, 300)):
        first, later = derivatives(mesh(n, count))
        ours = f"first {first:.1f} s, later {later / 1e3:.2f} ms"
        yield f"derivatives, {n} joints, {count} springs", ours, "3 s, linear", ""


def exudyn_chain(n: int, steps: int, dt: float) -> float:
    """Seconds of a whole generalised-alpha run of a chain of masses on stiff springs."""
    import exudyn as exu
    from exudyn import itemInterface

    mbs = exu.SystemContainer().AddSystem()
    before = mbs.AddMarker(
        itemInterface.MarkerNodeCoordinate(
            nodeNumber=mbs.AddNode(itemInterface.NodePointGround()), coordinate=0
        )
    )
    for k in range(n):
        own = itemInterface.Node1D(referenceCoordinates=[0.0], initialCoordinates=[0.01 * (k == 0)])
        node = mbs.AddNode(own)
        mbs.AddObject(itemInterface.ObjectMass1D(mass=1.0, nodeNumber=node))
        marker = mbs.AddMarker(itemInterface.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
        spring = itemInterface.ObjectConnectorCoordinateSpringDamper(
            markerNumbers=[before, marker], stiffness=1e6, damping=1e2
        )
        mbs.AddObject(spring)
        before = marker
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.solution.file.write = False
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = steps * dt
    took = []
    for _ in range(REPEATS):
        began = time.process_time()
        mbs.SolveDynamic(settings)
        took.append(time.process_time() - began)
    return min(took)


def later(system: Any, end: float, **options: Any) -> float:
    """Processor time [s] of a second call of `simulate`."""
    took = []
    for _ in range(REPEATS + 1):
        began = time.process_time()
        jd.simulate(system, end, **options)
        took.append(time.process_time() - began)
    return min(took[1:])


def stiff() -> Iterator[Line]:
    """Chains of stiff springs by implicit methods."""
    for n in (20, 200):
        model, start, end, method = bench_kinds.stiff_chain(n)
        system = jd.compile(model)
        options = {"start": start, "method": method}
        setup = before_first_step(partial(jd.simulate, system, end, **options), SmoothStepper)
        none, whole = (later(system, t, **options) for t in (1e-12, end))
        ours = f"{1e3 * setup:.2f} ms before the first step, {1e3 * none:.2f} ms a run of no length"
        ours += f" with 1001 samples, {1e3 * whole:.1f} ms the run"
        yield f"Radau5, {n} stiff springs, 10 ms", ours, "1 ms, linear", ""
        ten = {"start": start, "method": jd.GeneralizedAlpha(1e-3), "sample": 1e-2}
        own = later(system, 1e-2, **ten)
        peer = f"Exudyn {1e3 * exudyn_chain(n, 10, 1e-3):.2f} ms"
        yield f"ten generalised-alpha steps, {n} springs", f"{1e3 * own:.2f} ms", "Exudyn", peer


PENDULUM = """
import json, jourdain as jd
model = jd.Model("pendulum")
arm = model.add_body("arm", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
model.add_joint("pivot", model.world, arm, jd.Revolute("y"))
sol = jd.simulate(model, 1.0, start={"pivot.angle": 1.0})
print(json.dumps([0, 0, 0, 0]))
"""


def starts() -> Iterator[Line]:
    """First runs, whole processes less the start of Python and the imports of a bare `import`."""
    place = str(Path(__file__).parents[1])
    programs = {
        "pendulum": (PENDULUM, "0.5 / 0.25 s"),
        "crane": (bench_start.CRANE.replace("FOLDER", place), "1.0 / 0.5 s"),
        "Stewart platform": (bench_start.STEWART, "1.5 / 0.6 s"),
    }
    bare = "import json, jourdain as jd, numpy, casadi, llvmlite.binding\nprint('[0, 0, 0, 0]')"
    with tempfile.TemporaryDirectory() as folder:
        bench_start.measure(bare, folder)
        empty = min(bench_start.measure(bare, folder)[1] for _ in range(REPEATS))
        for name, (program, goal) in programs.items():
            bench_start.measure(program, f"{folder}/{name}")
            caches = [[f"{folder}/{name}{k}" for k in range(1, 4)], [f"{folder}/{name}"] * 4]
            cold, warm = (
                min(bench_start.measure(program, cache)[1] for cache in own) for own in caches
            )
            ours = f"{cold - empty:.2f} s, warm {warm - empty:.2f} s, beyond imports of {empty:.2f}"
            yield f"first run with an empty cache: {name}", ours, goal, ""


PARTS: dict[str, Callable[[], Iterator[Line]]] = {
    "ring": ring, "loops": loops, "functions": functions, "springs": springs, "stiff": stiff,
    "starts": starts,
}  # fmt: skip


def main() -> None:
    """Print the table."""
    print("| case | Jourdain | goal | peer in the same run |\n|---|---|---|---|")
    for name in sys.argv[1:] or PARTS:
        try:
            for line in PARTS[name]():
                print(f"| {' | '.join(line)} |", flush=True)
        except ImportError as missing:
            print(f"| {name} | not there: {missing} | | |")


if __name__ == "__main__":
    main()
