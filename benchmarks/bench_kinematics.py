"""Forward kinematics against Pinocchio: poses, twists and bias accelerations of all bodies.

Chains of revolute joints about x, y, z in turn; single thread, one run, the contestants in turn,
best of many repeats.
"""

from __future__ import annotations

import json
import platform
import sys
from typing import Any

import contest
import numpy as np
import peers
from contest import Chain, micro, race

SIZES = (7, 30, 100, 1000)
SYSTEMS = 4096
MEMORY = 2**25  # bytes of results of a batch
LIMITS = {7: 0.3, 1000: 1.0}  # seconds to compile


def times(loops: Any, n: int) -> dict[str, float]:
    """Times [s] of one evaluation, of one in a batch and of a call through `System`."""
    import jourdain as jd
    from jourdain.equations.recursion.kinematics import KINEMATICS

    chain, system = Chain(n), jd.compile(Chain(n).model())
    q, v, _ = chain.state()
    poses, _, _ = system.kinematics(q, v)
    function = system._function(KINEMATICS)  # the kernel itself has no public name
    kernel = getattr(function, "kernel", function)
    single, results = contest.single(loops, kernel, {"q": q, "v": v})
    pinocchio, pose = loops.pinocchio(chain).run("kinematics", q, v, np.zeros(n))
    single(1), pinocchio(1)
    if not np.array_equal(results[0].reshape(poses.shape), poses):
        raise RuntimeError("the timed kernel gave other poses than System.kinematics")
    if not abs(pose - poses[-1]).max() <= 1e-12 * n:
        raise RuntimeError(f"the poses of {n} joints differ from Pinocchio's")
    count = min(SYSTEMS, MEMORY // (8 * sum(int(np.prod(s)) for _, s in kernel.outputs)))
    many = dict(zip(("q", "v"), chain.state(count)[:2], strict=True))
    batch = contest.batch(kernel, many, count)
    found = race({"single": single, "pinocchio": pinocchio, "batch": batch})
    return {**found, "call": contest.call_adds(single, lambda: system.kinematics(q, v))}


def report(loops: Any) -> None:
    """Print one line per chain."""
    print(f"Forward kinematics of revolute chains, {platform.machine()}, single thread")
    print(f"{loops}; best of up to {contest.REPEATS}; times per evaluation in µs\n")
    head = ("joints", "Jourdain", "Pinocchio", "ratio", "in a batch", "ratio", "call adds")
    print("".join(f"{x:>12}" for x in head), "  compile, empty cache (LLVM)   from cache")
    for n in SIZES:
        t = times(loops, n)
        single, batch, pinocchio = t["single"], t["batch"], t["pinocchio"]
        cold, warm = contest.compile_times(__file__, n)
        cells = [
            f"{n}", micro(single), micro(pinocchio), f"{pinocchio / single:.2f}", micro(batch),
            f"{pinocchio / batch:.2f}", micro(t["call"]),
        ]  # fmt: skip
        compiled = f"{cold['compile']:.2f} s ({cold['llvm']:.2f} s)"
        late = f" (goal: {LIMITS[n]:.1f} s)" if cold["compile"] > LIMITS.get(n, 1e9) else ""
        print(
            "".join(f"{x:>12}" for x in cells), f"{compiled:>28} {warm['compile']:>10.3f} s{late}"
        )
    print(
        f"\nAbove {peers.WHOLE_DATA_UP_TO} joints Pinocchio gets a Data with only the fields that"
    )
    print("forwardKinematics uses: the whole one holds 4 n³ numbers. Compile times run from the")
    print("model to the first result; imports are not in them.")


def main() -> None:
    """Run the benchmark, or one compilation for it."""
    if sys.argv[1:2] == ["compile"]:
        chain = Chain(int(sys.argv[2]))
        print(json.dumps(contest.compile_once(chain, lambda s, q, v: s.kinematics(q, v))))
        return
    report(peers.harness())


if __name__ == "__main__":
    main()
