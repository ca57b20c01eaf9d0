"""Spheres and boxes dropped in a box with walls, against MuJoCo and, spheres alone, Exudyn.

All take the same time step and start from the same places. Printed are processor times per step,
least and mean of chunks, while the pile settles and when it rests: all rest where ours came to
rest, for two seconds, of which the last is measured. The errors at rest are measured on all alike:
the largest overlap of two bodies, and the speed at which the fastest creeps. MuJoCo runs with its
default contacts and with the firmest that keep still (elliptic cones, answers within two steps).
Who needs more than the budget of processor time is stopped early. Numbers of bodies may be given:
``python bench_pile.py 10 100``. With ``rest`` before them it is told instead how many bodies still
move in piles from several starts, without rolling and drilling friction and with a little of it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from piles import STEP, Exudyn, Jourdain, MuJoCo, Pile, Program

NUMBERS = (10, 100, 500)
SETTLED, WATCHED = 3.0, 1.0  # s until the pile rests, and to watch it then
CHUNK = 10  # steps that are timed together
STARTS, TURNING = range(1, 5), 5e-4  # of piles that are asked for rest; lengths [m]
BUDGET = 15.0  # s of processor time for each of dropping and resting


@dataclass
class Result:
    """Times per step [s] of chunks, contacts at rest, poses, and how long they are apart [s]."""

    name: str
    settling: list[float]
    resting: list[float]
    contacts: int
    before: Any
    after: Any
    watched: float

    def line(self, overlap: float) -> str:
        """What is printed."""
        drift = np.linalg.norm(self.after[:, 9:] - self.before[:, 9:], axis=1).max()
        times = [1e6 * f(x) for x in (self.settling, self.resting) for f in (min, np.mean)]
        numbers = " ".join(f"{x:9.0f}" for x in times)
        each = times[3] / self.contacts if self.contacts else np.nan
        creep = drift / self.watched if self.watched else np.nan
        errors = f"{overlap:10.1e} {creep:10.1e}"
        return f"{self.name:<22} {numbers} {self.contacts:9d} {each:8.2f} {errors}"


def timed(program: Program, span: float, budget: float) -> tuple[list[float], Any, Any, float]:
    """Times per step of chunks over a span, as far as the budget goes; poses at half and end."""
    times: list[float] = []
    places: list[Any] = []
    begin = time.thread_time()
    for _ in range(round(span / STEP / CHUNK)):
        start = time.thread_time()
        places.append(program.advance(CHUNK))
        times.append((time.thread_time() - start) / CHUNK)
        if time.thread_time() - begin > budget:
            break
    half = len(places) // 2
    return times, places[half], places[-1], (len(places) - 1 - half) * CHUNK * STEP


def measure(program: Program, rest: Any = None) -> Result:
    """Drop a pile, then watch one that is at rest: where it came to rest, or a given one."""
    settling, *_ = timed(program, SETTLED, np.inf if rest is None else BUDGET)
    program.restart(program.poses.copy() if rest is None else rest)
    resting, before, after, watched = timed(program, 2.0 * WATCHED, BUDGET)
    return Result(
        program.name, settling, resting[len(resting) // 2 :], program.contacts(), before, after,
        watched,
    )  # fmt: skip


def overlap(pile: Pile, poses: Any) -> float:
    """Largest overlap [m] of bodies, by the contours of this package."""
    from jourdain.model import Frame
    from jourdain.solvers.collision import ContactFinder

    frames = [Frame(f"body_{k}") for k in range(pile.n)]
    contours = pile.contours(frames, lambda point: Frame("world", point))
    walls = [[*np.eye(3).ravel(), *point] for point, _ in pile.walls()]
    found = ContactFinder(contours).find(np.vstack([poses, walls]), 0.0)
    return -min(found.gap, default=0.0)


def contest(pile: Pile) -> Iterator[Result]:
    """Results of all programs, one after the other."""
    own = Jourdain(pile)
    result = measure(own)
    rest = own.poses.copy()
    yield result
    try:
        for firm in (False, True):
            yield measure(MuJoCo(pile, firm), rest)
        if not pile.boxes:
            yield measure(Exudyn(pile), rest)
    except ImportError as missing:
        print(f"A program is not there: {missing}")


def tell_rest(numbers: Sequence[int]) -> None:
    """Print how many bodies still move, second by second."""
    for pile in (
        Pile(n, boxes, start) for boxes in (True, False) for n in numbers for start in STARTS
    ):
        for turning in (0.0, TURNING):
            program = Jourdain(pile, turning)
            moving = []
            for _ in range(round(2.0 * SETTLED)):
                program.advance(round(1.0 / STEP))
                moving.append(program.moving())
            what = "spheres and boxes" if pile.boxes else "spheres"
            print(f"{pile.n} {what}, start {pile.start}, {turning:g} m: {moving}", flush=True)


def main() -> None:
    """Print a table for each number of bodies."""
    if sys.argv[1:2] == ["rest"]:
        return tell_rest([int(x) for x in sys.argv[2:]] or NUMBERS[:2])
    heads = " ".join(f"{x:>9}" for x in ("settling", "mean", "resting", "mean", "contacts"))
    numbers = [int(x) for x in sys.argv[1:]] or NUMBERS
    for pile in (Pile(n, boxes) for boxes in (True, False) for n in numbers):
        what = "spheres and boxes" if pile.boxes else "spheres"
        print(f"{pile.n} {what}, {1e3 * STEP:g} ms; times per step in µs")
        print(f"{'':<22} {heads} {'each':>8} {'overlap/m':>10} {'creep m/s':>10}")
        for result in contest(pile):
            print(result.line(overlap(pile, result.after)), flush=True)


if __name__ == "__main__":
    main()
