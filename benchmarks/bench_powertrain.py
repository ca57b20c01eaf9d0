"""Speed of power trains: clutch, five-speed gearbox, timing gears, modes of a tractor train.

Processor times of compiled systems, the least of some repeats; a step is the slope between two
lengths of run with one sample, timing gears have 200. Goals stand beside the times. Exudyn has the
clutch with a stiffness while it sticks, in implicit steps of the same length; its time is that of
the steps alone.
"""

from __future__ import annotations

import runpy
import tempfile
import time
from collections.abc import Callable
from contextlib import chdir, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

import jourdain as jd
from jourdain.library import powertrain as pt

EXAMPLES = Path(__file__).parents[1] / "examples"
REPEATS, DT = 40, 1e-4
SPEEDS = {"one.speed": 300.0, "two.speed": 100.0}


def engagement() -> Any:
    """Two inertias and a clutch (4.V18)."""
    model = jd.Model("engagement", gravity=(0, 0, 0))
    one, two = (model.add(n, pt.Shaft(J)).angle for n, J in (("one", 0.2), ("two", 1.0)))
    model.add("clutch", pt.Clutch(one, two, 150.0))
    return jd.compile(model)


def timed(run: Callable[[], Any]) -> float:
    """Least processor time of some runs [s]."""
    run()
    spent = []
    for _ in range(REPEATS):
        begin = time.process_time()
        run()
        spent.append(time.process_time() - begin)
    return min(spent)


def step(system: Any, start: dict[str, float]) -> float:
    """Time of one step [s]."""
    counts = (200, 5200)

    def run(count: int) -> Any:
        end = count * DT
        return jd.simulate(system, end, sample=end, start=start, method=jd.MoreauJean(DT))

    short, long = (timed(lambda n=n: run(n)) for n in counts)
    return (long - short) / (counts[1] - counts[0])


def exudyn_step() -> float:
    """Time of one implicit step of the same clutch in Exudyn [s]; NaN where it is not installed."""
    try:
        import exudyn as exu
        from exudyn import itemInterface
    except ImportError:
        return float("nan")
    spent = []
    for count in (200, 5200):
        best = np.inf
        for _ in range(5):
            container = exu.SystemContainer()
            mbs = container.AddSystem()
            ends = []
            for J, speed in ((0.2, 300.0), (1.0, 100.0)):
                node = mbs.AddNode(
                    itemInterface.Node1D(referenceCoordinates=[0], initialVelocities=[speed])
                )
                mbs.AddObject(itemInterface.Mass1D(mass=J, nodeNumber=node))
                ends.append(
                    mbs.AddMarker(itemInterface.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
                )
            mbs.AddObject(
                itemInterface.ObjectConnectorCoordinateSpringDamperExt(
                    markerNumbers=ends, dynamicFrictionForce=150.0, frictionProportionalZone=1e-3,
                    stickingStiffness=1e6, stickingDamping=1e2,
                )
            )  # fmt: skip
            mbs.Assemble()
            settings = exu.SimulationSettings()
            settings.timeIntegration.numberOfSteps = count
            settings.timeIntegration.endTime = count * DT
            settings.solution.file.write = False
            settings.timeIntegration.verboseMode = 0
            settings.timeIntegration.newton.useModifiedNewton = True
            begin = time.process_time()
            mbs.SolveDynamic(settings)
            best = min(best, time.process_time() - begin)
        spent.append(best)
    return (spent[1] - spent[0]) / 5000


def timing_gears() -> Any:
    """The main train of five cylinders, of the example: 20 ms of hammering (5.V16)."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(StringIO()):
        own = runpy.run_path(str(EXAMPLES / "timing_gears.py"))
    train = own["TRAINS"]["five"]
    return jd.compile(train.model(lambda t: -50.0 - 200.0 * jd.sin(200.0 * jd.math.pi * t), 1.5e-4))


def gearbox() -> Any:
    """The machine of the example."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(StringIO()):
        return jd.compile(runpy.run_path(str(EXAMPLES / "five_speed.py"))["model"])


def tractor() -> Any:
    """Twenty bodies of the example on its springs, without oil."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(StringIO()):
        own = runpy.run_path(str(EXAMPLES / "tractor.py"))
    model = jd.Model("train", gravity=(0, 0, 0))
    at = {name: model.add(name, pt.Shaft(J)).angle for name, J in own["INERTIAS"].items()}
    more = [(f"{side}_pto", f"{side}_machine", own["CARDAN"], 1.0) for side in ("rear", "front")]
    joined = [("carrier", "collector", 1e5, 1.0), *more, *own["SPRINGS"]]
    for a, b, stiffness, ratio in joined:
        model.add(f"{a}_{b}", pt.Coupling(at[a], ratio * at[b], stiffness))
    return jd.compile(model)


def main() -> None:
    """Print all times, with what was to be reached."""
    clutch = engagement()
    events = timed(lambda: jd.simulate(clutch, 0.5, sample=0.5, start=SPEEDS))
    print(f"clutch of 4.V18, event-driven     {1e3 * events:8.2f} ms (goal 1)")
    slip = step(clutch, SPEEDS)
    print(f"clutch of 4.V18, in steps         {1e6 * slip:8.2f} µs a step (goal 3)")
    print(f"  Exudyn, stiff while it sticks   {1e6 * exudyn_step():8.2f} µs a step")
    box = step(gearbox(), {"crank.speed": 80.0})
    print(f"five-speed automatic, in steps    {1e6 * box:8.2f} µs a step (goal 8)")
    gears = timing_gears()
    for name, method in (("1e-8", None), ("1e-4", jd.Tsit5(1e-4))):
        hits = timed(partial(jd.simulate, gears, 0.02, sample=1e-4, method=method))
        print(f"timing gears, 20 ms, to {name}      {1e3 * hits:8.2f} ms (goal 3)")
    train = tractor()
    modes = timed(lambda: jd.eigenmodes(train))
    print(f"20 modes of a tractor train       {1e3 * modes:8.2f} ms (goal 5)")


if __name__ == "__main__":
    main()
