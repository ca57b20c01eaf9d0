"""What a tangent costs: derivative of the state equation along a direction, in evaluations.

Times are processor times of calls from Python, the call of an empty function taken off. Then the
derivatives of forward dynamics by all arguments: first call without a cache, and later calls.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from bench_kinds import arms, ring, stiff_chain
from bench_plan import four_bars, tree, upright

import jourdain as jd
from jourdain.system.state import state_kernel, tangent_kernel

CALLS, REPEATS = 200, 9
MACHINES: dict[str, Callable[[], jd.Model]] = {
    "chain of 10": lambda: tree(10, 1),
    "chain of 100": lambda: tree(100, 1),
    "bush of 100": lambda: tree(100, 2),
    "10 arms of six links": lambda: arms(10)[0],
    "ring of 150 on springs": lambda: ring(150)[0],
    "the same, 300 force laws": lambda: ring(150, 300)[0],
    "200 stiff springs": lambda: stiff_chain(200)[0],
    "four-bars, 20 links": lambda: four_bars(20),
    "four-bars, 100 links": lambda: four_bars(100),
}


def mesh(n: int, springs: int) -> jd.Model:
    """Chain with springs between its links and the world."""
    model = tree(n, 1)
    for k in range(springs):
        ends = (
            model.body(f"link_{k % n}").at(0.02, 0.01 * (1 + k // n), 0),
            model.world.at(1, 1, 0.01 * k),
        )
        model.add_connection(f"spring_{k}", jd.Distance(*ends), jd.Spring(10.0) + jd.Damper(1.0))
    return model


def fastest(call: Callable[[], Any]) -> float:
    """Processor time of a call [us]."""
    call()
    found = []
    for _ in range(REPEATS):
        began = time.process_time()
        for _ in range(CALLS):
            call()
        found.append((time.process_time() - began) / CALLS)
    return 1e6 * min(found)


def evaluations(model: jd.Model) -> tuple[float, float]:
    """Times of the state equation and of its tangent [us]."""
    system = jd.compile(model)
    q, v = upright(system)
    q = q + 0.01 * np.random.default_rng(1).normal(size=len(q))
    state, tangent, z = state_kernel(system, {}, {}), tangent_kernel(system, {}, {}), np.zeros(0)
    empty = jd.compile(tree(1, 1))
    small, x = state_kernel(empty, {}, {}), np.zeros(1)
    call = fastest(lambda: small(x, x, z, 0.0, z))
    one = fastest(lambda: state(q, v, z, 0.0, z)) - call
    return one, fastest(lambda: tangent(q, v, z, 0.0, z, q, v)) - call


def derivatives(model: jd.Model) -> tuple[float, float]:
    """Processor times of the first call [s] and of later ones [us]."""
    os.environ["JOURDAIN_CACHE"] = tempfile.mkdtemp()
    began = time.process_time()
    system = jd.compile(model)
    q, v = upright(system)
    tau = np.zeros(len(v))
    system.forward_dynamics_derivatives(q, v, tau)
    first, later = time.process_time() - began, []
    for _ in range(REPEATS):
        began = time.process_time()
        system.forward_dynamics_derivatives(q, v, tau)
        later.append(time.process_time() - began)
    return first, 1e6 * min(later)


def of_answers(model: jd.Model) -> tuple[float, float]:
    """Times of multipliers, and of their rates along a direction [us]."""
    system = jd.compile(model)
    q, v = upright(system)
    tau = np.zeros(len(v))
    many = [np.tile(x, (2000, 1)) for x in (q, v, tau)]
    system.answers("multipliers", *many)  # compiled from now on
    call = fastest(lambda: system.answers("multipliers", q, v, tau))
    along = {"q": q, "v": v}
    return call, fastest(lambda: system.answer_rates("multipliers", q, v, tau, along=along))


def of_loads(n: int) -> tuple[float, float]:
    """Times of the loads of a chain, and of their rates along a direction [us]."""
    system = jd.compile(tree(n, 1))
    q, v = upright(system)
    along = {"q": v, "v": q, "vdot": q}
    call = fastest(lambda: system.loads(q, v, v))
    return call, fastest(lambda: system.load_rates(q, v, v, along=along))


def main() -> None:
    print(f"{'':<28} state [us]  tangent [us]  ratio")
    for name, make in MACHINES.items():
        one, along = evaluations(make())
        print(f"  {name:<26} {one:10.2f} {along:13.2f} {along / one:6.2f}")
    others = {f"multipliers of {n} four-bar links": of_answers(four_bars(n)) for n in (9, 41)}
    others |= {f"loads of {n} joints": of_loads(n) for n in (10, 100)}
    print(f"{'called from Python':<32} value [us]   rate [us]  ratio")
    for name, (one, along) in others.items():
        print(f"  {name:<30} {one:10.2f} {along:11.2f} {along / one:6.2f}")
    print("derivatives of forward dynamics           first [s]  later [us]")
    cases = {"30 links, 50 springs": mesh(30, 50), "100 links, 300 springs": mesh(100, 300)}
    cases |= {f"four-bars, {n} links": four_bars(n) for n in (10, 40, 100)}
    for name, model in cases.items():
        first, later = derivatives(model)
        print(f"  {name:<38} {first:10.2f} {later:11.0f}")


if __name__ == "__main__":
    main()
