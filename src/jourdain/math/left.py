"""Maps and tables that a run has left: of engines, loads, springs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from jourdain.math.map import Map
from jourdain.math.table import Table

LEFT = 1e-3
"""Part of the width of a map by which it may be left without a word."""
BEYOND = {"hold": "keeps the value at its end", "extrapolate": "goes on straight"}


class Course(NamedTuple):
    """What a map was asked for in a run: a word, its unit, numbers and their times; or unknown."""

    word: str
    unit: str
    numbers: Any
    time: Any


def left(
    what: str, curve: Any, *courses: Course | None, otherwise: str = "keep the machine inside"
) -> Iterator[str]:
    """Text about each axis of a `Table` or `Map` that a run has left; no other function is known.

    Parameters
    ----------
    what : str
        What the map is, as "torque of the engine 'box.engine'".
    curve : object
        The map.
    courses : Course or None
        One for each axis.
    otherwise : str
        What to do where more points are not to be had.
    """
    for axis, outside, course in zip(*axes_of(curve), courses, strict=False):
        if outside == "repeat" or course is None or not len(course.time):
            continue
        low, high, x = axis[0], axis[-1], np.asarray(course.numbers)
        over = np.nan_to_num(np.maximum(low - x, x - high), nan=0.0)
        last, first = int(np.argmax(over)), int(np.argmax(over > LEFT * (high - low)))
        if over[last] <= LEFT * (high - low):
            continue
        unit = f" {course.unit}" if course.unit else ""
        way = "up" if x[last] > high else "down"
        begin, then = float(course.time[first]), float(course.time[last])
        yield (
            f"the {what} was asked for outside of its map from t = {begin:.4g} s on: its "
            f"{course.word} reaches {x[last]:.4g}{unit} at t = {then:.4g} s, but the points go "
            f"from {low:g} to {high:g}{unit}. The map {BEYOND[outside]} there, which nobody has "
            f"measured. Give it points {way} to {x[last]:.4g}{unit}, or {otherwise}."
        )


def end_left(what: str, table: Table, course: Course) -> Iterator[str]:
    """Text about a table that a run has left where its end does not tell what it means.

    A table that is flat at an end, or zero there, keeps that value on purpose; one that goes on
    straight was told to.
    """
    x, y, goes_on = table.x, table.y, table.outside != "hold"
    low = x[0] if goes_on or y[0] in (0.0, y[1]) else -np.inf
    high = x[-1] if goes_on or y[-1] in (0.0, y[-2]) else np.inf
    doubtful = course._replace(numbers=np.clip(course.numbers, low, high))
    return left(what, table, doubtful, otherwise="let it end flat if that is meant")


def axes_of(curve: Any) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Points along the axes of a map, and what holds beyond them."""
    if isinstance(curve, Map):
        words = curve.outside
        return (curve.x, curve.y), (words, words) if isinstance(words, str) else tuple(words)
    return ((curve.x,), (curve.outside,)) if isinstance(curve, Table) else ((), ())
