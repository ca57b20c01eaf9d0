import numpy as np
import pytest

from jourdain.math import rotation_quaternion
from jourdain.model.contours import Box, Capsule, Cylinder, HalfSpace, Polyhedron, Sphere
from jourdain.model.contours.registry import PYRAMID
from jourdain.model.elements import Frame
from jourdain.solvers.collision import ContactFinder
from jourdain.solvers.collision import layout as at
from jourdain.solvers.collision.search import in_rising_order, search


def contours():
    frames = iter(Frame(f"body{k}") for k in range(100))
    return [
        HalfSpace(Frame("world"), (0.6, 0.0, 0.8)),
        *(Sphere(next(frames), 0.2) for _ in range(2)),
        *(Capsule(next(frames), 0.1, 0.5, "x") for _ in range(2)),
        *(Box(next(frames), (0.3, 0.4, 0.6)) for _ in range(3)),
        *(Polyhedron(next(frames), PYRAMID) for _ in range(2)),
        *(Cylinder(next(frames), 0.2, 0.5) for _ in range(2)),
    ]


@pytest.mark.parametrize("seed", range(2))
def test_the_loop_runs_uncompiled_as_well(seed):
    rng = np.random.default_rng(seed)
    finder = ContactFinder(contours())
    n = len(finder.contours)
    turns = [rotation_quaternion(e).ravel() for e in rng.normal(size=(n, 4))]
    poses = np.column_stack([turns, rng.uniform(-0.3, 0.3, (n, 3))])
    found = finder.find(poses, 0.01)
    told = [np.array(x) for x in (found.pairs, found.feature, found.gap, found.normal)]
    finder.out[:], finder.ids[:], finder.state[at.COUNT] = 0.0, 0, 0
    flat = finder.poses.ravel(), finder.boxes.ravel(), finder.kinds.ravel(), finder.shapes.ravel()
    pairs = finder.pairs.ravel(), finder.ordered.ravel()
    search.function(
        n, *flat, finder.numbers, finder.integers, finder.order, 0.01, len(finder.order),
        finder.planes, len(finder.planes), 0, *pairs, finder.work, finder.marks, finder.heads,
        finder.others.ravel(), finder.out, finder.ids, finder.state,
    )  # fmt: skip
    assert finder.state[at.COUNT] == len(told[0]) > 20
    for own, other in zip((found.pairs, found.feature, found.gap), told, strict=False):
        np.testing.assert_allclose(own, other, atol=1e-9)
    np.testing.assert_allclose(found.normal, told[3], atol=1e-6)


def test_pairs_come_in_rising_order():
    rng = np.random.default_rng(3)
    pairs = np.array([(i, j) for i in range(9) for j in range(i + 1, 9)])[rng.permutation(36)]
    ordered, heads = np.zeros(72, dtype=int), np.zeros(10, dtype=int)
    in_rising_order(9, pairs.ravel(), 36, heads, ordered)
    np.testing.assert_array_equal(ordered.reshape(-1, 2), sorted(map(tuple, pairs)))
