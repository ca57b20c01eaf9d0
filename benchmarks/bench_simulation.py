"""Ten seconds of chains: fixed steps of classical Runge-Kutta against MuJoCo and Exudyn.

Chains of revolute joints about x, y, z in turn fall from a random state; single thread, processor
time, one run, the contestants in turn. All take 10 000 steps of 1 ms in compiled loops: MuJoCo by
its rollout, ours by the loop behind ``jd.simulate``, both in twenty pieces of which the best of
some repeats are added, so that other work on the machine counts little; Exudyn by its solver, which
cannot be stopped and goes in one piece, start-up subtracted.

The drift is the largest change of energy that the states of a run show, by one measure for all: in
the first second, in which all states agree, and in ten, where chaos has long parted them. The last
rows are adaptive runs to 1e-9, whole calls of ``jd.simulate``.
"""

from __future__ import annotations

import platform
import sys
import time
from typing import Any

import numpy as np
import peers
from contest import Chain

SIZES = (7, 30)
END, STEP = 10.0, 1e-3  # [s]
STEPS, PIECES = round(END / STEP), 20
REPEATS = 7
GOALS = {("MuJoCo", 7): 6.0, ("Exudyn", 7): 15.0, ("MuJoCo", 30): 2.5}


class Ours:
    """Loop of `jourdain.RungeKutta4` around the compiled state equation."""

    def __init__(self, system: Any, q: Any, v: Any) -> None:
        import jourdain as jd
        from jourdain.solvers import Problem
        from jourdain.system.state import state_kernel

        kernel = state_kernel(system, {}, {})
        self._problem = Problem(kernel, None, (), (), (), np.zeros(0), np.zeros(0))
        self._method, self._y = jd.RungeKutta4(STEP), np.concatenate([q, v])

    def __call__(self) -> tuple[Any, Any]:
        """Seconds of the pieces and states, of which a hundred are kept."""
        times, took = np.linspace(0.0, END, 101), np.zeros(PIECES)
        run = self._method.start(self._problem, self._y, 0.0, END, times)
        for k in range(PIECES):
            begin = time.process_time()
            run.advance(STEPS // PIECES)
            took[k] = time.process_time() - begin
        if run.n_samples_done < len(times):
            raise RuntimeError(f"stopped at {run.t} s")
        return took, run.samples


class MuJoCo:
    """Rollout in C with the classical Runge-Kutta method."""

    def __init__(self, chain: Chain, q: Any, v: Any) -> None:
        import mujoco
        from mujoco import rollout

        self._rollout, self.model = rollout, peers.MuJoCo(None, chain).model
        self.model.opt.timestep = STEP
        self.model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
        self._data = mujoco.MjData(self.model)
        self._start = np.concatenate([[0.0], q, v])[np.newaxis]

    def __call__(self) -> tuple[Any, Any]:
        """Seconds of the pieces and states."""
        took, state, kept = np.zeros(PIECES), self._start, [self._start[:, 1:]]
        for k in range(PIECES):
            begin = time.process_time()
            states, _ = self._rollout.rollout(self.model, self._data, state, nstep=STEPS // PIECES)
            took[k] = time.process_time() - begin
            state = states[:, -1]
            kept.append(states[0, STEPS // 100 - 1 :: STEPS // 100, 1:])
        return took, np.vstack(kept)


class Exudyn:
    """Explicit solver RK44 of a kinematic tree."""

    def __init__(self, chain: Chain, q: Any, v: Any) -> None:
        self._peer = peers.Exudyn(chain, q, v, np.zeros(chain.n))
        self._peer.STEP = STEP
        self._y = np.concatenate([q, v])

    def __call__(self) -> tuple[Any, Any]:
        """Seconds, and the states at the start, after one second and at the end."""
        states = [self._y, self._after(1000)[1]]
        took, last = self._after(STEPS)
        return took - self._after(1)[0], np.array([*states, last])

    def _after(self, steps: int) -> tuple[float, Any]:
        begin = time.process_time()
        self._peer._solve(steps, "EXUdense")
        took, data = time.process_time() - begin, self._peer._mbs.systemData
        return took, np.concatenate([data.GetODE2Coordinates(), data.GetODE2Coordinates_t()])


def drifts(system: Any, states: Any) -> str:
    """Largest change of energy [J] in the first second and in all."""
    n = states.shape[1] // 2
    kinetic, potential = system.energy(states[:, :n], states[:, n:])
    changes = np.abs(kinetic + potential - kinetic[0] - potential[0])
    first = 2 if len(states) < 11 else 11
    return f"{changes[:first].max():>12.1e}{changes.max():>12.1e}"


def agree(ours: Any, theirs: Any, name: str) -> None:
    """Compare the state after one second, before chaos sets in."""
    error = np.abs(ours - theirs).max()
    if not error < 1e-3 * np.abs(ours).max():
        raise RuntimeError(f"{name} moves otherwise: states differ by {error:.1e} after 1 s")


def race(n: int) -> None:
    """Print the lines of one chain."""
    import jourdain as jd

    chain, system = Chain(n), jd.compile(Chain(n).model())
    q, v, _ = chain.state()
    runs = {"Jourdain": Ours(system, q, v), "MuJoCo": MuJoCo(chain, q, v)}
    runs["Exudyn"] = Exudyn(chain, q, v)
    pieces, states = {}, {}
    for _ in range(REPEATS):
        for name, run in runs.items():
            took, states[name] = run()
            pieces[name] = np.minimum(pieces.get(name, np.inf), took)
    best = {name: float(np.sum(times)) for name, times in pieces.items()}
    agree(states["Jourdain"][10], states["MuJoCo"][10], "MuJoCo")
    agree(states["Jourdain"][10], states["Exudyn"][1], "Exudyn")
    own = best["Jourdain"]
    for name, took in best.items():
        ratio, goal = took / own, GOALS.get((name, n))
        word = "" if goal is None else f" (goal {goal:g}{'' if ratio >= goal else ', missed'})"
        cells = f"{n:>6}  {name + ' RK4':<22}{1e6 * took / STEPS:>10.3g}{took:>10.3g}"
        print(f"{cells}{drifts(system, states[name])}   {ratio:.2f}{word}", flush=True)
    for method in (jd.Dop853(rtol=1e-9, atol=1e-9), jd.Dopri5(rtol=1e-9, atol=1e-9)):
        adaptive(system, n, q, v, method)


def adaptive(system: Any, n: int, q: Any, v: Any, method: Any) -> None:
    """Print the line of an adaptive run."""
    import jourdain as jd

    took = np.inf
    for _ in range(REPEATS):
        begin = time.process_time()
        sol = jd.simulate(system, END, start=(q, v), method=method, sample=0.1)
        took = min(took, time.process_time() - begin)
    states, run = np.hstack([sol.q, sol.v]), sol.statistics
    name = f"Jourdain {type(method).__name__} 1e-9"
    cells = f"{n:>6}  {name:<22}{1e6 * took / run.steps:>10.3g}{took:>10.3g}"
    print(f"{cells}{drifts(system, states)}   {run.steps} steps", flush=True)


def main() -> None:
    """Run the benchmark."""
    print(f"{END:g} s of revolute chains, {platform.machine()}, single thread")
    print(" links  method                 µs a step   seconds   drift [J]       10 s   times ours")
    for n in tuple(int(x) for x in sys.argv[1:]) or SIZES:
        race(n)


if __name__ == "__main__":
    main()
