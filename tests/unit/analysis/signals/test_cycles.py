from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.signals import Signal
from jourdain.analysis.signals.cycles import reversals


def test_rainflow_of_the_standard():
    """V21."""
    load = Signal(np.arange(9.0), [-2, 1, -3, 5, -1, 3, -4, 4, -2], "load", "N")
    found = jd.signals.rainflow(load)
    assert found.counts() == {3.0: 0.5, 4.0: 1.5, 6.0: 0.5, 8.0: 1.0, 9.0: 0.5}
    assert found.damage(1.0, 1.0) == pytest.approx(1.5 + 6 + 3 + 8 + 4.5)
    assert found.matrix([0, 5, 10], [-5, 0, 5]).sum() == pytest.approx(4.0)
    levels = [0.5, 2.0, 3.5, 4.5, -0.5, -1.5, -2.5, -3.5]
    counts = jd.signals.level_crossings(load, levels=levels)
    assert [counts[x] for x in levels[:4]] == [4, 3, 2, 1]
    assert [counts[x] for x in levels[4:]] == [4, 3, 2, 1]


@pytest.mark.parametrize("seed", range(20))
def test_three_points_and_four_points_agree(seed):
    """Rainflow by another algorithm: four points, the residue as half cycles."""
    rng = np.random.default_rng(seed)
    values = rng.integers(-9, 10, 60).astype(float)
    found = jd.signals.rainflow(Signal(np.arange(60.0), values, "x", "N"))
    assert found.counts() == pytest.approx(four_points(values))


def four_points(values):
    stack, counts = [], {}

    def add(size, count):
        counts[size] = counts.get(size, 0.0) + count

    for point in reversals(values).tolist():
        stack.append(point)
        while len(stack) >= 4:
            a, b, c, d = stack[-4:]
            if not (abs(b - c) <= abs(a - b) and abs(b - c) <= abs(c - d)):
                break
            add(abs(b - c), 1.0)
            del stack[-3:-1]
    for a, b in pairwise(stack):
        add(abs(b - a), 0.5)
    return dict(sorted(counts.items()))
