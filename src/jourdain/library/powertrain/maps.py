"""Maps of parts that a run has left: engines, converters, loads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from jourdain import math

LEFT = 1e-3
"""Part of the width of a map by which it may be left without a word."""
BEYOND = {"hold": "keeps the value at its end", "extrapolate": "goes on straight"}


class Course(NamedTuple):
    """What a map was asked for in a run: a word, its unit, numbers and their times; or unknown."""

    word: str
    unit: str
    numbers: Any
    time: Any


def left(what: str, curve: Any, *courses: Course | None) -> Iterator[str]:
    """Text about each axis of a `Table` or `Map` that a run has left; no other function is known.

    Parameters
    ----------
    what : str
        What the map is, as "torque of the engine 'box.engine'".
    curve : object
        The map.
    courses : Course or None
        One for each axis.
    """
    for axis, outside, course in zip(*_axes(curve), courses, strict=False):
        if outside == "repeat" or course is None or not len(course.time):
            continue
        low, high, x = axis[0], axis[-1], np.asarray(course.numbers)
        over = np.nan_to_num(np.maximum(low - x, x - high), nan=0.0)
        last, first = int(np.argmax(over)), int(np.argmax(over > LEFT * (high - low)))
        if over[last] <= LEFT * (high - low):
            continue
        unit = f" {course.unit}" if course.unit else ""
        begin, then = float(course.time[first]), float(course.time[last])
        yield (
            f"the {what} was asked for outside of its map from t = {begin:.4g} s on: its "
            f"{course.word} reaches {x[last]:.4g}{unit} at t = {then:.4g} s, but the points go "
            f"from {low:g} to {high:g}{unit}. The map {BEYOND[outside]} there, which nobody has "
            f"measured. Give it points up to {x[last]:.4g}{unit}, or keep the machine inside."
        )


def _axes(curve: Any) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Points along the axes of a map, and what holds beyond them."""
    if isinstance(curve, math.Map):
        words = curve.outside
        return (curve.x, curve.y), (words, words) if isinstance(words, str) else tuple(words)
    return ((curve.x,), (curve.outside,)) if isinstance(curve, math.Table) else ((), ())
