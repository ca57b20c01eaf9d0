"""Which of many boxes along the axes overlap: sort and sweep, in machine code."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.solvers.native import native


def sort_by_start(boxes, n, axis, order):
    """Insertion sort of the boxes by their lower end: quick for an order that is almost right."""
    for k in range(1, n):
        i = order[k]
        x = boxes[6 * i + axis]
        j = k
        while j > 0 and boxes[6 * order[j - 1] + axis] > x:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i


def overlaps(boxes, n, axis, order, pairs, capacity):
    """Write the overlapping pairs, as far as there is room; return how many there are."""
    sort_by_start(boxes, n, axis, order)
    b, c = (axis + 1) % 3, (axis + 2) % 3
    count = 0
    for k in range(n):
        i = 6 * order[k]
        end = boxes[i + 3 + axis]
        for m in range(k + 1, n):
            j = 6 * order[m]
            if boxes[j + axis] > end:
                break
            if (
                boxes[j + b] <= boxes[i + 3 + b]
                and boxes[i + b] <= boxes[j + 3 + b]
                and boxes[j + c] <= boxes[i + 3 + c]
                and boxes[i + c] <= boxes[j + 3 + c]
            ):
                if count < capacity:
                    pairs[2 * count] = min(order[k], order[m])
                    pairs[2 * count + 1] = max(order[k], order[m])
                count += 1
    return count


@native("piiaai")
def sweep(boxes, n, axis, order, pairs, capacity):
    """Overlapping pairs of boxes."""
    return overlaps(boxes, n, axis, order, pairs, capacity)


class BroadPhase:
    """Overlapping pairs of boxes along the axes, from step to step.

    It keeps the order of the boxes, so that a step in which they move little costs little more
    than to look at each box and each pair.

    Parameters
    ----------
    n : int
        Number of boxes.
    """

    def __init__(self, n: int) -> None:
        self._order: Any = None
        self._axis = 0
        self._pairs = np.empty((max(4 * n, 16), 2), dtype=np.int64)

    def __call__(self, boxes: Any) -> Any:
        """Pairs (k, 2) of numbers of boxes that overlap or touch, the smaller number first.

        Parameters
        ----------
        boxes : (n, 2, 3) [m]
            Lower and upper ends along x, y, z; infinite for a half-space.
        """
        array = np.ascontiguousarray(boxes, dtype=float).reshape(-1, 6)
        n = len(array)
        if self._order is None or len(self._order) != n:
            bounded = array[np.isfinite(array).all(axis=1), :3]
            self._axis = int(np.argmax(bounded.var(axis=0))) if len(bounded) else 0
            self._order = np.argsort(array[:, self._axis], kind="stable")
        while True:
            count = sweep(
                array.ctypes.data, n, self._axis, self._order.ctypes.data,
                self._pairs.ctypes.data, len(self._pairs),
            )  # fmt: skip
            if count <= len(self._pairs):
                return self._pairs[:count].copy()
            self._pairs = np.empty((2 * count, 2), dtype=np.int64)


def candidate_pairs(boxes: Any) -> Any:
    """Pairs (k, 2) of boxes along the axes that overlap or touch, in rising order.

    Parameters
    ----------
    boxes : (n, 2, 3) [m]
        Lower and upper ends along x, y, z.

    Examples
    --------
    >>> from jourdain.solvers.collision.broad_phase import candidate_pairs
    >>> unit = [[0, 0, 0], [1, 1, 1]]
    >>> candidate_pairs([unit, [[2, 0, 0], [3, 1, 1]], [[0.5, 0.5, 0.5], [2, 2, 2]]]).tolist()
    [[0, 2], [1, 2]]
    """
    pairs = BroadPhase(len(boxes))(boxes)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
