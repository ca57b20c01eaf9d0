"""Time steps of machines with single contacts and dry friction, against MuJoCo.

Steps are those of Moreau and Jean, small machines also by NonsmoothAlpha.

All take steps of 1 ms on one thread. Printed are µs of processor time a step, of runs of 1000 steps
less a run of one step; that run by itself (setup, ms); and the time of compiling and of the first
run with an empty cache (s). The loop that takes the steps is compiled once for all machines and
told by itself. Times are medians of repeats, in turn with those of MuJoCo where both have the
machine. MuJoCo has elliptic cones and Newton's method, with default contacts and with firm ones.

Measured at the end of all are overlap; creep, which is how fast the feet of the biped drift within
the timed second, and how fast the ball slides where it should roll; and the error, the distance of
ball or torso from where our steps of 0.1 ms take them. With such steps and firm contacts MuJoCo
takes the pushed biped to the same place within 0.05 mm. The biped has 17 joints, a free base and 8
points of contact; standing, it settles for 4 s before it is timed; pushed, it starts with 0.3 m/s.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from typing import Any

REPEATS = 11
HEADS = {
    "µs a step": 9,
    "ratio": 7,
    "setup ms": 9,
    "first s": 9,
    "overlap m": 10,
    "creep m/s": 10,
    "error m": 10,
}


def seconds(program: Any, steps: int) -> float:
    """Processor time of a run."""
    begin = time.process_time()
    program.run(steps)
    return time.process_time() - begin


def compare(case: Any, *, with_peers: bool = False, is_known: bool = False, **options: Any) -> None:
    """Time a machine and print a line for each program."""
    from stepped import STEPS, Jourdain, MuJoCo

    ours = Jourdain(case, **options)
    peers = [MuJoCo(case, firm=firm) for firm in (False, True)] if with_peers else []
    programs = (ours, *peers)
    short = [statistics.median(seconds(x, 1) for _ in range(REPEATS)) for x in programs]
    times = [[seconds(x, STEPS) for x in programs] for _ in range(REPEATS)]
    whole = [statistics.median(column) for column in zip(*times, strict=True)]
    each = [1e6 * (b - a) / (STEPS - 1) for a, b in zip(short, whole, strict=True)]
    errors = [(x.place(), *x.errors()) for x in programs] if peers else []
    ours.run(STEPS, parts=10)
    first = "" if is_known else f"{ours.first:.2f}"
    for k, program in enumerate(programs):
        ratio = f"{each[k] / each[0]:.2f}" if k else ""
        text = f"{program.name:<36} {each[k]:9.2f} {ratio:>7} {1e3 * short[k]:9.2f}"
        told = ""
        if peers:
            place, overlap, creep = errors[k]
            error = max(abs(place - ours.place()))
            told = f" {overlap:10.0e} {creep:10.0e} {error:10.0e}"
        settings = f"  {program.settings}" if k else ""
        print(f"{text} {'' if k else first:>9}{told}{settings}", flush=True)


def main() -> None:
    """Run all cases."""
    from stepped import Jourdain, balls, biped, clutch, modules, pendulum

    import jourdain as jd

    print(f"first machine of all, with the loop over steps: {Jourdain(clutch()).first:.2f} s")
    print(f"{'':<36}", *(f"{name:>{width}}" for name, width in HEADS.items()))
    compare(clutch(), is_known=True)
    compare(pendulum())
    compare(balls(1), with_peers=True)
    for case in (clutch(), pendulum(), balls(1)):
        compare(case, kind=jd.NonsmoothAlpha, is_known=True)
    for n in (4, 10, 24):
        compare(balls(n))
    for n in (40, 200):
        compare(modules(n))
    compare(biped(), with_peers=True)
    compare(biped(0.3), with_peers=True, is_known=True)


if __name__ == "__main__":
    os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["JOURDAIN_CACHE"] = folder
        main()
