"""Every pair of contours in a motion: pushed along their common normal they meet in time.

Along that normal the closest points stay the same, so the gap falls as fast as the body moves.
"""

import numpy as np
import pytest

import jourdain as jd
from jourdain.math import rotation_quaternion, rotation_z
from jourdain.model.contours import all_contours
from jourdain.model.contours.pairs import all_pairs
from jourdain.model.elements import Frame

SPEED, BOUNCE = 0.7, 0.5
PLANAR = {"Circle", "Curve", "Polygon"}


def kinds_of(pair):
    return "-".join(kind.__name__ for kind in pair)


def contour(kind, frame):
    return next(c for c in all_contours(frame) if type(c) is kind)


def placed(pair, seed):
    """Frames of two contours that are apart, and the gap of the closest points."""
    rng = np.random.default_rng(seed)
    names = {kind.__name__ for kind in pair}
    is_planar = bool(names & PLANAR) and "HalfSpace" not in names
    while True:
        way, turns = rng.normal(size=3), []
        for _ in pair:
            e = rng.normal(size=4)
            angle = rng.uniform(-3, 3)
            turns.append(
                rotation_z(angle) if is_planar else rotation_quaternion(e / np.sqrt(e @ e))
            )
        way[2] *= not is_planar
        place = rng.uniform(0.6, 1.0) * way / np.linalg.norm(way)
        frames = Frame("world", rotation=turns[0]), Frame("body", tuple(place), turns[1])
        gap = jd.Gap(*(contour(k, f) for k, f in zip(pair, frames, strict=True)))
        best = closest(gap)
        # A point that meets a corner has nothing to hold on to: it must be inside beyond it.
        if 0.02 < best.gap < 0.8 and closest(gap, -1.02 * best.gap * best.normal).gap < 0.0:
            return gap, best


def closest(gap, shift=(0.0, 0.0, 0.0)):
    return min(gap.points(Moved(shift)), key=lambda point: point.gap)


class Moved:
    """The second body away from the origin, as ``at`` gives it."""

    def __init__(self, shift):
        self.shift = np.array(shift)

    def pose(self, frame):
        return np.array(frame.rotation), np.array(frame.position) + self.shift * (
            frame.body == "body"
        )


# The 32 candidates of two boxes take minutes to compile; their gaps are tested by themselves.
PAIRS = sorted((p for p in all_pairs() if kinds_of(p) != "Box-Box"), key=kinds_of)


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS, ids=kinds_of)
def test_contours_meet_in_time_and_bounce(pair):
    gap, best = placed(pair, 5)
    model = jd.Model("meet", gravity=(0.0, 0.0, 0.0))
    body = model.add_body("body", jd.solid.ball(mass=2.0, radius=0.1))
    way = tuple(-x for x in best.normal)
    model.add_joint("guide", model.world, body, jd.Prismatic(way))
    model.add_connection("touch", gap, jd.Unilateral(restitution=BOUNCE))
    meets = best.gap / SPEED
    sol = jd.simulate(
        model, 1.2 * meets, start={"guide.velocity": SPEED}, sample=[0.0, 0.5 * meets, 1.2 * meets],
        method=jd.EventDriven(jd.Dopri5(rtol=1e-9)),
    )  # fmt: skip
    hit = sol.events[0]
    assert hit.kind == "impact"
    assert hit.time == pytest.approx(meets, rel=1e-8)
    np.testing.assert_allclose(hit.details["v_after"], -BOUNCE * SPEED, rtol=1e-8)
    assert hit.details["energy"] == pytest.approx((BOUNCE**2 - 1.0) * SPEED**2, rel=1e-8)
    assert sol.values("guide.position")[1] == pytest.approx(0.5 * best.gap, rel=1e-9)
