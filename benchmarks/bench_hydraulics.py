"""Speed of circuits: 4.V1 beside rumoca (Modelica), the press, and the tower brake by modules.

Storage, line and piston with elastic oil (4.V1), 0.5 s in 501 samples. Each program runs with the
loosest relative tolerance, in powers of ten, with which the piston is off by less than 1e-6 of its
stroke; equations are compiled before. The reference is a run of ours with ``rtol=1e-13``. Without
``rumoca`` (pip) ours is told alone.
"""

from __future__ import annotations

import runpy
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

import jourdain as jd
from jourdain.library import hydraulics as hy

EXAMPLES = Path(__file__).parents[1] / "examples"
TIMES = np.linspace(0.0, 0.5, 501)
STROKE, WANTED, REPEATS = 0.08, 1e-6, 15
MODELICA = """
model Storage
  parameter Real rho = 850, L = 1, mu = 0.03, A = 1e-3, m = 1, c = 3e4, d = 50;
  parameter Real V0 = 5e-5, E = 1e9, pS = 15e5, AL = 7.853981633974483e-5;
  parameter Real R = 8 * 3.141592653589793 * mu * L / (AL * AL);
  Real x(start = 0), v(start = 0), p(start = 0), Q(start = 0);
equation
  der(x) = v;
  m * der(v) = A * p - c * x - d * v;
  rho * L / AL * der(Q) = pS - p - R * Q;
  der(p) = E / (V0 + A * x) * (Q - A * v);
end Storage;
"""


def storage() -> Any:
    """4.V1 with a volume of elastic oil at the cylinder."""
    fluid = hy.Fluid(density=850.0, viscosity=0.03, bulk_modulus=1e9, air=0.0)
    model = jd.Model("storage", gravity=(0, 0, 0))
    piston = jd.Coordinate(model.add_coordinate("piston", 1.0, unit="m"))
    model.add_connection("spring", piston, jd.Spring(3e4) + jd.Damper(50.0))
    oil = model.group("oil")
    S, a = oil.add("S", hy.PressureSource(fluid, 15e5)), oil.add("a", hy.Volume(fluid, 5e-5))
    oil.add("line", hy.Line(S, a, length=1.0, diameter=0.01, turbulent=False))
    oil.add("ram", hy.Cylinder(a, None, piston, (1e-3, 0.0)))
    return jd.compile(model)


def ours(system: Any, kind: Any) -> Callable[[float], Any]:
    """Run of this package: way of the piston at the samples for a tolerance."""

    def run(rtol: float) -> Any:
        return jd.simulate(system, 0.5, sample=TIMES, method=kind(rtol)).values("piston")

    return run


def theirs(solver: str) -> Callable[[float], Any] | None:
    """Run of rumoca; None where it is not installed."""
    try:
        import rumoca
    except ImportError:
        return None
    model = rumoca.Session().loads(MODELICA, model="Storage")

    def run(rtol: float) -> Any:
        config = rumoca.SimConfig(solver=solver, rtol=rtol, atol=1e-3 * rtol, dt=1e-3)
        found = model.simulate(t=(0.0, 0.5), config=config)
        return np.interp(TIMES, np.asarray(found.time), np.asarray(found["x"]))

    return run


def timed(run: Callable[[], Any]) -> float:
    """Median of the processor times of some runs [s]."""
    run()
    spent = []
    for _ in range(REPEATS):
        begin = time.process_time()
        run()
        spent.append(time.process_time() - begin)
    return float(np.median(spent))


def contest(name: str, run: Callable[[float], Any], exact: Any, rtols: Iterable[float]) -> float:
    """Time [s] with the loosest tolerance that is exact enough; infinite if none is."""
    for rtol in rtols:
        try:
            off = float(np.abs(run(rtol) - exact).max()) / STROKE
        except Exception as error:  # of another program
            print(f"  {name:34} rtol {rtol:.0e}: {str(error)[:70]}")
            continue
        if off <= WANTED:
            spent = timed(lambda rtol=rtol: run(rtol))
            print(f"  {name:34} {1e3 * spent:8.2f} ms   rtol {rtol:.0e}, off by {off:.0e}")
            return spent
    print(f"  {name:34} is not exact to {WANTED:g} with any tolerance")
    return float("inf")


def example(name: str) -> dict[str, Any]:
    """Variables of an example."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(StringIO()):
        return runpy.run_path(str(EXAMPLES / f"{name}.py"))


def modules() -> None:
    """Steps of the tower brake over its modules: slope between two lengths of run."""
    tower = example("tower_brake")["tower"]
    for n in (1, 2, 4, 7):
        system, dt, spent = jd.compile(tower(n, functions=34)), 1e-4, []
        for count in (2, 200, 1200):
            begin = time.process_time()
            jd.simulate(system, count * dt, sample=count * dt, method=jd.MoreauJean(dt))
            spent.append(time.process_time() - begin)
        step = (spent[2] - spent[1]) / 1000
        print(f"  {n} modules, {len(system.names.v):5} coordinates   {1e3 * step:.3f} ms a step")


def main() -> None:
    """Print all times, with what was to be reached."""
    rtols = [10.0**-k for k in range(3, 13)]
    system = storage()
    exact = ours(system, jd.Dop853)(1e-13)
    print("storage, line and piston with elastic oil (4.V1), 0.5 s, exact to 1e-6")
    kinds = {"jourdain Dop853": jd.Dop853, "jourdain Radau5": jd.Radau5, "jourdain Tsit5": jd.Tsit5}
    best = min(contest(name, ours(system, kind), exact, rtols) for name, kind in kinds.items())
    others = {f"rumoca {solver}": theirs(solver) for solver in ("auto", "rk-like", "bdf")}
    found = [contest(n, run, exact, rtols) for n, run in others.items() if run is not None]
    ratio = min(found) / best if found else float("nan")
    print(f"  ratio {ratio:.1f} (goal 3)" if found else "  no rumoca: pip install rumoca")
    print("press, 20 s")
    press = jd.compile(example("press")["model"])
    spent = timed(lambda: jd.simulate(press, 20.0, sample=0.02))
    print(f"  {spent:.3f} s (goal 0.2)")
    print("tower brake with elastic branches, time steps of 0.1 ms")
    modules()


if __name__ == "__main__":
    main()
