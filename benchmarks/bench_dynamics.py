"""Forward dynamics, inverse dynamics and mass matrix against Pinocchio, MuJoCo and Exudyn.

Chains of revolute joints about x, y, z in turn; single thread, one run, the contestants in turn,
best of many repeats. Results are compared before anything is timed. ``bench_dynamics.py 7 30``
takes only these numbers of joints. All but rollouts is time of the thread, so that other work on
the machine counts little.

"call adds" is what ``system.forward_dynamics(q, v)`` takes over the compiled code, both in the
same memory. It takes no copies, so it should not grow with the system; yet it does where the code
goes through more memory than the nearer caches hold (0.5 MB at 1000 joints, 5 MB at 10 000), for
then Python itself comes from afar. "any call" shows that: it is what the call for a pendulum takes
after such code, the same for all sizes but for the caches.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from typing import Any

import contest
import numpy as np
import peers
from contest import Chain, micro, race

SIZES = (7, 30, 100, 500, 1000, 10_000)
OTHER_SIZES = (7, 30)  # of inverse dynamics and mass matrix
MUJOCO_UP_TO, EXUDYN_UP_TO = 1000, 100  # joints; their times grow with the square or the cube
GOALS = {7: 4.0, 30: 1.8, 100: 2.0, 500: 2.0}
BATCH_GOALS = {7: 15.0, 30: 8.0}
NUMBERS = 2**19  # of coordinates in a batch
TOLERANCE = 1e-9
WELL_CONDITIONED = 100  # joints; beyond, rounding grows with the condition of the mass matrix
ROLLOUT = {"systems": 4096, "steps": 100, "dt": 1e-3, "threads": 2}


def agree(what: str, ours: Any, theirs: Any) -> None:
    """Compare with the largest number of the result as the scale."""
    error = np.abs(ours - theirs).max() / np.abs(ours).max()
    if not error <= TOLERANCE * max(1.0, len(ours) / WELL_CONDITIONED) ** 4:
        raise RuntimeError(f"{what}: results differ by {error:.1e} of the largest number")


def kernel_of(system: Any, recursion: Any) -> Any:
    """Compiled function behind a method of a system; it has no public name."""
    function = system._function(recursion)
    return getattr(function, "kernel", function)


def count_of(n: int) -> int:
    """Systems of a batch."""
    return max(8, min(4096, NUMBERS // n // 8 * 8))


def runge_kutta(system: Any, q: Any, v: Any, tau: Any, h: float) -> Any:
    """State after one step of the classical method, to compare with Exudyn's."""
    y, n = np.concatenate([q, v]), len(q)

    def rate(y: Any) -> Any:
        return np.concatenate([y[n:], system.forward_dynamics(y[:n], y[n:], tau)])

    k1 = rate(y)
    k2 = rate(y + h / 2 * k1)
    k3 = rate(y + h / 2 * k2)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(y + h * k3))


def forward(loops: Any, n: int) -> dict[str, float]:
    """Times [s] of forward dynamics of all contestants."""
    import jourdain as jd
    from jourdain.system.questions.dynamics import FORWARD

    chain, system = Chain(n), jd.compile(Chain(n).model())
    q, v, tau = chain.state()
    ours = system.forward_dynamics(q, v, tau)
    kernel = kernel_of(system, FORWARD)
    run, results = contest.single(loops, kernel, {"q": q, "v": v, "tau": tau})
    run(1)
    agree("compiled code", ours, results[0])
    contestants = {"single": run}
    pinocchio = loops.pinocchio(chain)
    for name in ("aba_local", "aba_world"):
        contestants[name], result = pinocchio.run(name, q, v, tau)
        contestants[name](1)
        agree(f"Pinocchio's {name}", ours, result)
    mujoco = loops.mujoco(chain) if n <= MUJOCO_UP_TO else None
    if mujoco:
        contestants["mujoco"] = mujoco.run(mujoco.FORWARD, q, v, tau)
        contestants["mujoco"](1)
        agree("MuJoCo", ours, mujoco.data.qacc_smooth)
    times = race(contestants)
    call = contest.call_adds(run, kernel, lambda: system.forward_dynamics(q, v))
    times["call"], times["any_call"] = call
    if n <= EXUDYN_UP_TO:
        times["exudyn"] = exudyn(system, chain, q, v, tau)
    times |= batches(system, kernel, chain)
    times["pinocchio"] = min(times["aba_local"], times["aba_world"])
    return times


def batches(system: Any, kernel: Any, chain: Chain) -> dict[str, float]:
    """Times per system [s] in a batch: of the compiled code, and of a call through `System`."""
    count = count_of(chain.n)
    q, v, tau = chain.state(count)
    results = system.forward_dynamics(q, v, tau)
    agree("batch", system.forward_dynamics(q[-1], v[-1], tau[-1]), results[-1])
    call = contest.python_loop(lambda: system.forward_dynamics(q, v, tau))
    return race(
        {
            "batch": contest.batch(kernel, {"q": q, "v": v, "tau": tau}, count),
            "batch_call": lambda calls: call(max(1, calls // count)) / count,
        }
    )


def exudyn(system: Any, chain: Chain, q: Any, v: Any, tau: Any) -> float:
    """Time [s] of a quarter of a Runge-Kutta step of Exudyn."""
    peer = peers.Exudyn(chain, q, v, tau)
    agree("Exudyn", runge_kutta(system, q, v, tau, peer.STEP), peer.after_one_step())
    solvers = ("EXUdense", "EigenDense")
    return min(race({s: peer.run(s) for s in solvers}, repeats=3, span=0.05).values())


def others(loops: Any, n: int) -> dict[str, dict[str, float]]:
    """Times [s] of inverse dynamics and of the mass matrix."""
    import jourdain as jd
    from jourdain.equations.recursion.composite_body import MASS_MATRIX
    from jourdain.equations.recursion.newton_euler import INVERSE

    chain, system = Chain(n), jd.compile(Chain(n).model())
    q, v, vdot = chain.state()
    count = count_of(n)
    many = dict(zip(("q", "v", "vdot"), chain.state(count), strict=True))
    pinocchio, mujoco = loops.pinocchio(chain), loops.mujoco(chain)
    tables = {}
    for title, recursion, ours, algorithms in (
        ("inverse dynamics", INVERSE, system.inverse_dynamics(q, v, vdot), ("rnea",)),
        ("mass matrix", MASS_MATRIX, system.mass_matrix(q), ("crba_local", "crba_world")),
    ):
        kernel = kernel_of(system, recursion)
        run, results = contest.single(loops, kernel, {"q": q, "v": v, "vdot": vdot})
        run(1)
        agree("compiled code", ours, results[0].reshape(ours.shape))
        contestants = {"single": run}
        for name in algorithms:
            contestants[name], result = pinocchio.run(name, q, v, vdot)
            contestants[name](1)
            agree(f"Pinocchio's {name}", ours, result)
        if mujoco:
            inverse = recursion is INVERSE
            passes = ("mj_inverse",) if inverse else mujoco.MASS_MATRIX
            contestants["mujoco"] = mujoco.run(passes, q, v, 0.0, vdot)
            contestants["mujoco"](1)
            agree("MuJoCo", ours, mujoco.data.qfrc_inverse if inverse else mujoco.mass_matrix())
        times = race({**contestants, "batch": contest.batch(kernel, many, count)})
        times["pinocchio"] = min(times[name] for name in algorithms)
        tables[title] = times
    return tables


def rollouts(loops: Any) -> None:
    """Print steps per second of many seven-link arms."""
    import jourdain as jd
    from jourdain.analysis.rollout import rollout

    chain, count, steps = Chain(7), ROLLOUT["systems"], ROLLOUT["steps"]
    options = {k: ROLLOUT[k] for k in ("steps", "dt", "threads")}
    rates = {}
    for name in ("pinocchio", "mujoco"):
        peer = getattr(loops, name)(chain)
        if not hasattr(peer, "rollout"):
            continue
        best = min(peer.rollout(*chain.state(count)[:2], **options) for _ in range(30))
        rates[name] = count * steps / best
    system, (q, v, _) = jd.compile(chain.model()), chain.state(count)
    rollout(system, q, v, **options)
    run = contest.python_loop(lambda: rollout(system, q, v, **options), time.perf_counter)
    rates["jourdain"] = count * steps / min(run(1) for _ in range(60))
    alone = contest.python_loop(lambda: rollout(system, q, v, **(options | {"threads": 1})))
    own = count * steps / min(alone(1) for _ in range(15))
    title = f"\nRollouts: {count} arms of 7 links, {steps} semi-implicit steps, "
    print(f"{title}{ROLLOUT['threads']} threads; million steps per second (goal: 25)")
    print("   ".join(f"{name}: {rate / 1e6:.3g}" for name, rate in rates.items()))
    print(f"jourdain per second of one thread: {own / 1e6:.3g}")


def ratio(own: float, other: float, goal: float | None = None) -> str:
    """How many times faster ours is, and the goal where it is missed."""
    text = "-" if np.isnan(other) else f"{other / own:.2f}"
    return text if goal is None or other >= goal * own else f"{text} < {goal:g}"


def show(cells: list[str]) -> None:
    """Print one line of a table."""
    print("".join(f"{x:>13}" for x in cells), flush=True)


def report(loops: Any, sizes: tuple[int, ...]) -> None:
    """Print the tables."""
    print(f"Dynamics of revolute chains, {platform.machine()}, single thread")
    print(f"Pinocchio, MuJoCo and ours {loops}; best of up to {contest.REPEATS}; times in µs\n")
    print("Forward dynamics ('vs' is the ratio to Pinocchio, with the goal where it is missed)")
    head = ["joints", "Jourdain", "per body", "Pinocchio", "vs", "in a batch", "vs", "MuJoCo"]
    show([*head, "Exudyn", "call adds", "any call", "in batch"])
    nan = float("nan")
    for n in sizes:
        t = forward(loops, n)
        single, pinocchio, batch = t["single"], t["pinocchio"], t["batch"]
        show(
            [
                f"{n}", micro(single), micro(single / n), micro(pinocchio),
                ratio(single, pinocchio, GOALS.get(n)), micro(batch),
                ratio(batch, pinocchio, BATCH_GOALS.get(n)), micro(t.get("mujoco", nan)),
                micro(t.get("exudyn", nan)), micro(t["call"]), micro(t["any_call"]),
                micro(t["batch_call"] - batch),
            ]
        )  # fmt: skip
    for title in ("inverse dynamics", "mass matrix"):
        print(f"\n{title.capitalize()}")
        show([*head, "vs"])
        for n in (n for n in OTHER_SIZES if n in sizes):
            t = others(loops, n)[title]
            single, pinocchio, batch = t["single"], t["pinocchio"], t["batch"]
            cells = [f"{n}", micro(single), micro(single / n), micro(pinocchio)]
            cells += [ratio(single, pinocchio), micro(batch), ratio(batch, pinocchio)]
            mujoco = t.get("mujoco", nan)
            show([*cells, micro(mujoco), ratio(single, mujoco)])
    rollouts(loops)
    print("\nSeconds from a model to its first accelerations, imports (load) not counted")
    show(["joints", "load", "empty cache", "of it LLVM", "from cache"])
    for n in sizes:
        cold, warm = contest.compile_times(__file__, n, 3 if n <= 1000 else 1)
        times = cold["load"], cold["compile"], cold["llvm"], warm["compile"]
        show([f"{n}", *(f"{x:.3f}" for x in times)])
    print(
        f"\nAbove {peers.WHOLE_DATA_UP_TO} joints Pinocchio gets a Data with only the fields that"
    )
    print("aba uses: the whole one holds 4 n³ numbers (32 GB for 1000 joints).")


def main() -> None:
    """Run the benchmark, or one compilation for it."""
    if sys.argv[1:2] == ["compile"]:
        chain = Chain(int(sys.argv[2]))
        print(json.dumps(contest.compile_once(chain, lambda s, q, v: s.forward_dynamics(q, v))))
        return
    start = time.perf_counter()
    report(peers.harness(), tuple(int(x) for x in sys.argv[1:]) or SIZES)
    print(f"took {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
