"""Chains of revolute joints, and one way of timing whatever evaluates them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

REPEATS = 300
SPAN = 3e-4  # seconds per repeat: shorter than the turns that other processes get
CALLS = 20  # of a call, at least, per repeat
LONGEST, FEWEST = 4.0, 5  # seconds for all repeats, and how many there are at least

Run = Callable[[int], float]  # seconds per call, measured over that many calls


@dataclass(frozen=True)
class Chain:
    """Bodies in a row on revolute joints about x, y, z in turn.

    Parameters
    ----------
    n : int
        Number of joints.
    offset : (3,) [m]
        From one joint to the next.
    com : (3,) [m]
        Centre of mass of every body, from its joint.
    moments : (3,) [kg m^2]
        Principal moments of inertia about the centre of mass, in body axes.
    growth : float
        Body k has the mass 1 + growth k [kg].
    """

    n: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.3)
    com: tuple[float, float, float] = (0.01, 0.02, 0.15)
    moments: tuple[float, float, float] = (0.01, 0.011, 0.002)
    growth: float = 0.1

    def place(self, k: int) -> tuple[float, float, float]:
        """Position of joint k in the body before it [m]."""
        return self.offset if k else (0.0, 0.0, 0.0)

    def mass(self, k: int) -> float:
        """Mass of body k [kg]."""
        return 1.0 + self.growth * k

    def model(self) -> Any:
        """Model of this package."""
        import jourdain as jd

        model = jd.Model("chain")
        place = model.world.at()
        for k in range(self.n):
            inertia = jd.Inertia(self.mass(k), self.com, self.moments)
            body = model.add_body(f"body_{k}", inertia)
            model.add_joint(f"joint_{k}", place, body, jd.Revolute("xyz"[k % 3]))
            place = body.at(*self.offset)
        return model

    def state(self, count: int | None = None) -> tuple[Any, Any, Any]:
        """Angles [rad], rates [rad/s] and forces [N m] of one chain or of ``count``."""
        rng = np.random.default_rng(7)
        shape = (self.n,) if count is None else (count, self.n)
        return tuple(rng.uniform(-1, 1, shape) for _ in range(3))  # type: ignore[return-value]


def race(contestants: Mapping[str, Run], repeats: int = REPEATS, span: float = SPAN) -> Any:
    """Smallest time per call [s] of each; they take turns, so that noise hits all alike."""
    calls = {}
    for name, run in contestants.items():
        count, seconds = 1, run(1)
        while count * seconds < span / 4:
            count *= 4
            seconds = run(count)
        calls[name] = max(1, int(span / seconds))
    best = dict.fromkeys(contestants, float("inf"))
    end = time.perf_counter() + LONGEST
    for k in range(repeats):
        if k >= FEWEST and time.perf_counter() > end:
            break
        for name, run in contestants.items():
            best[name] = min(best[name], run(calls[name]))
    return best


def python_loop(call: Callable[[], Any], clock: Callable[[], float] = time.thread_time) -> Run:
    """Time calls from Python, by default in the time of this thread alone."""

    def run(calls: int) -> float:
        repeat = range(calls)
        start = clock()
        for _ in repeat:
            call()
        return (clock() - start) / calls

    return run


def call_adds(run: Run, kernel: Any, call: Callable[[], Any]) -> tuple[float, float]:
    """Time [s] that a call from Python takes over the compiled code, and that any call would take.

    Code and call work in the same memory, many times in a row, so that both find what caches can
    hold. The second time is that of another call, for a pendulum, made after each evaluation of
    the code: a large system leaves nothing of the interpreter in the nearer caches, and what
    fetching it back takes is in the time of every call.
    """
    import jourdain as jd

    pendulum, (q, v, _) = jd.compile(Chain(1).model()), Chain(1).state()
    buffers = kernel.take_buffers()
    kernel._pool.append(buffers)

    def code() -> None:
        kernel._single(buffers.address)

    def code_and_pendulum() -> None:
        kernel._single(buffers.address)
        pendulum.forward_dynamics(q, v)

    code_and_pendulum()  # compiles
    calls = {"call": call, "alone": code, "followed": code_and_pendulum}
    contestants = {"code": run} | {name: python_loop(f) for name, f in calls.items()}
    times = race(contestants, span=max(4 * SPAN, CALLS * run(1)))
    return times["call"] - times["code"], times["followed"] - times["alone"]


def single(harness: Any, kernel: Any, values: Mapping[str, Any]) -> tuple[Run, list[Any]]:
    """Loop around the compiled code of one system, and the arrays it writes to.

    It works in the memory in which calls of the kernel work, too.
    """
    buffers = kernel.take_buffers()
    kernel._pool.append(buffers)
    for array, (name, _) in zip(buffers.inputs, kernel.inputs, strict=True):
        array[:] = values.get(name, 0.0)
    run = harness.kernel(kernel.library.addresses["single"], buffers.address)
    return (lambda calls, _kept=buffers: run(calls)), buffers.outputs


def batch(kernel: Any, values: Mapping[str, Any], count: int) -> Run:
    """Time per system of one call for many, results written to kept arrays."""
    given = [values.get(name, np.zeros(size)) for name, size in kernel.inputs]
    flat = [np.atleast_2d(x).copy() for x in given]
    strides = [x.shape[1] if len(x) > 1 else 0 for x in flat]
    results = [np.zeros((count, int(np.prod(shape)))) for _, shape in kernel.outputs]
    run = python_loop(lambda: kernel.batch_into(flat, strides, results, count))
    return lambda calls: run(max(1, calls // count)) / count


def compile_times(script: str, n: int, repeats: int = 3) -> tuple[Any, Any]:
    """Times [s] to the first result in fresh processes: with an empty and with a filled cache."""
    runs = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "JOURDAIN_CACHE": folder}
            command = [sys.executable, script, "compile", str(n)]
            runs.append(
                [json.loads(subprocess.check_output(command, env=environment)) for _ in range(2)]
            )
    cold, warm = (min((run[k] for run in runs), key=lambda r: r["compile"]) for k in range(2))
    return cold, warm


def compile_once(chain: Chain, call: Callable[[Any, Any, Any], Any]) -> dict[str, float]:
    """Time [s] from a model to its first result, and how much of it LLVM takes."""
    start = time.perf_counter()
    import jourdain as jd
    from jourdain.codegen import jit
    from jourdain.system import system as _system  # casadi and llvmlite come with it  # noqa: F401

    loaded = time.perf_counter()
    model, (q, v, _) = chain.model(), chain.state()
    plain, llvm = jit.object_code, 0.0

    def timed(*arguments: Any) -> bytes:
        nonlocal llvm
        begin = time.perf_counter()
        code = plain(*arguments)
        llvm += time.perf_counter() - begin
        return code

    jit.object_code = timed
    ready = time.perf_counter()
    call(jd.compile(model), q, v)
    return {"load": loaded - start, "compile": time.perf_counter() - ready, "llvm": llvm}


def micro(seconds: float) -> str:
    """Time in microseconds, to three digits."""
    return "-" if np.isnan(seconds) else f"{1e6 * seconds:.3g}"
