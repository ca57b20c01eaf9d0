"""Moments of a run that a page holds: as many as the eye needs, and the jumps of the run."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from jourdain.results import Solution
from jourdain.results.channels.body_motion import quaternions

SPEEDS = (
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0,
)  # fmt: skip
_RATE = 60.0  # frames a second on the screen
_SHORTEST, _LONGEST = 4.0, 90.0  # of a run as it is shown [s]
_MOST_POSES = 400_000  # of all bodies together
_TURN = 0.2  # most that a body may turn between two frames [rad]
_NEAR = 3e-5  # error of interpolation that is never seen, in the size of the scene
_MOST_BREAKS = 500


@dataclass(frozen=True)
class Keyframes:
    """Poses of all bodies at chosen times.

    Parameters
    ----------
    solution : Solution
        The run at these moments.
    times : (n,) [s]
        Times; a discontinuity has its time twice.
    positions : (n, n_bodies, 3) [m]
        Origins of the bodies.
    orientations : (n, n_bodies, 4) [1]
        Quaternions, scalar part first, without jumps of the sign.
    """

    solution: Solution
    times: Any
    positions: Any
    orientations: Any


def display_speed(span: float) -> float:
    """Speed at which a run of a duration [s] is shown, so that it is neither a flash nor a wait."""
    if span <= 0.0:
        return 1.0
    if span < 0.5 * _SHORTEST:
        return max([s for s in SPEEDS if span / s >= _SHORTEST], default=SPEEDS[0])
    return min([s for s in SPEEDS if s >= 1.0 and span / s <= _LONGEST], default=SPEEDS[-1])


def keyframes(solution: Solution, size: float = 0.0) -> Keyframes:
    """Choose moments so that a cubic between them shows what the solution has.

    Parameters
    ----------
    solution : Solution
        The run.
    size : float [m]
        Size of the scene, which small errors are measured with; by default that of the ways.
    """
    time = solution.time
    if len(time) < 2 or time[-1] <= time[0]:
        return _posed(solution, time[:1])
    most = max(_MOST_POSES // max(len(solution.model.bodies), 1), 50)
    span = float(time[-1] - time[0])
    n = int(np.clip(_RATE * span / display_speed(span), 30, most))
    n = int(np.clip(span * _fastest_turn(solution) / _TURN, n, most))
    if len(time) <= min(3 * n, most) and np.diff(time).max() <= 1.5 * span / n:
        found = _posed(solution, time)  # as dense as need be
        if _error(found, size) <= _NEAR:
            return found
    found = _sampled(solution, n)
    while n < most and _error(found, size) > _NEAR:
        n = min(2 * n, most)
        found = _sampled(solution, n)
    return found


def _fastest_turn(solution: Solution) -> float:
    """Largest angular velocity [rad/s] of a body."""
    twists = body_motion(solution)[1]
    return float(np.linalg.norm(twists[..., :3], axis=-1).max(initial=0.0))


def body_motion(solution: Solution) -> tuple[Any, Any]:
    """Poses (n, n_bodies, 4, 4) and twists (n, n_bodies, 6) at all samples.

    They come from the kernel that gives the quantities of bodies too, so it is compiled once.
    """
    poses, twists, _ = solution.trajectory.motion
    return poses, twists


def _sampled(solution: Solution, n: int) -> Keyframes:
    """About n moments, evenly spread between discontinuities."""
    time = solution.time
    breaks = np.unique(time[1:][np.diff(time) <= 0.0])[:_MOST_BREAKS]
    inner = breaks[(breaks > time[0]) & (breaks < time[-1])]
    ends = np.concatenate([time[:1], inner, time[-1:]])
    step = (time[-1] - time[0]) / n
    shown, asked = [], []
    for begin, end in pairwise(ends):
        part = np.linspace(begin, end, max(int(np.ceil((end - begin) / step)), 2) + 1)
        shown.append(part)
        before = part.copy()
        if end < time[-1]:  # just before the jump, where the solution has the left values
            before[-1] -= min(1e-9 * max(abs(end), 1e-3), 0.1 * (end - begin))
        asked.append(before)
    between = solution.at(np.concatenate(asked))
    return _posed(between, np.concatenate(shown))


def _posed(solution: Solution, times: Any) -> Keyframes:
    """All samples of a solution, with other times where they stand for both sides of a jump."""
    poses, _ = body_motion(solution)
    turns = [quaternions(poses[:, k, :3, :3]) for k in range(poses.shape[1])]
    return Keyframes(solution, times, poses[:, :, :3, 3], np.stack(turns, axis=1))


def _error(found: Keyframes, size: float) -> float:
    """Error of a cubic halfway between four neighbours, in the size of the scene.

    It is found with every second one left out, which makes it sixteen times as large.
    """
    t = found.times
    bends, least = np.abs(np.diff(t, 2)), 1e-9 * (t[-1] - t[0])
    if len(bends) < 5:
        return 0.0
    even = np.lib.stride_tricks.sliding_window_view(bends, 5).max(axis=1) < least
    k = np.flatnonzero(even)
    scale = size or float(np.ptp(found.positions, axis=(0, 1)).max(initial=0.0)) or 1.0
    moved, turned = (_left_out(x, k) for x in (found.positions / scale, found.orientations))
    return max(moved, turned) / 16.0


def _left_out(x: Any, k: Any) -> float:
    cubic = (9.0 * (x[k + 2] + x[k + 4]) - x[k] - x[k + 6]) / 16.0
    return float(np.abs(cubic - x[k + 3]).max(initial=0.0))
