"""Wheels and slides that stand for scalar coordinates: a drive train without bodies to look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import reduce
from typing import Any, cast

import numpy as np

from jourdain.model.elements import Frame
from jourdain.model.joints import Prismatic, Revolute
from jourdain.model.measures.coordinate import Coordinate
from jourdain.model.model import Model
from jourdain.results import Solution
from jourdain.spatial import solid
from jourdain.spatial.parameter import nominal
from jourdain.system import compile
from jourdain.viz.pages.keyframes import display_speed
from jourdain.viz.shapes.drawables import GREY, Stretch

_FASTEST, _SWING = 4.0, 0.8  # of what turns, on the screen [rad/s], [rad]
_WAY = 0.5  # of what slides [m]; wheels stand 1 m from each other
_LARGEST, _SMALLEST, _WIDTH = 0.42, 0.16, 0.12  # radii and width of wheels [m]
_LIKE = 0.2  # power of the inertia with which radii grow
_SPOKES = 3


@dataclass(frozen=True)
class Wheels:
    """What stands for a run of scalar coordinates.

    Parameters
    ----------
    solution : Solution
        Wheels that turn and slides that move as the coordinates do, slower or farther.
    links : tuple of Stretch
        Bars between what is connected.
    coordinates : dict of str to str
        Coordinates by the names of what stands for them.
    note : str
        How much slower or larger the motion is drawn.
    """

    solution: Solution
    links: tuple[Stretch, ...]
    coordinates: dict[str, str]
    note: str


def has_wheels(model: Model) -> bool:
    """Whether a model has scalar coordinates alone, and would have nothing to see."""
    return not model.bodies and bool(model.coordinates)


def wheels(run: Solution) -> Wheels:
    """Machine that stands for the scalar coordinates of a run, side by side as they are joined."""
    model = run.model
    linked = dict(_linked(model))
    places = _places(list(model.coordinates), [pair for pairs in linked.values() for pair in pairs])
    names = _short(list(model.coordinates))
    factors = {unit: _factor(run, model, unit) for unit in _units(model)}
    shown = Model(model.name, gravity=(0.0, 0.0, -9.81))
    for name, own in model.coordinates.items():
        turns = own.unit == "rad"
        size = _radius(own, model) if turns else 0.12
        *parts, word = names[name].split(".")
        group = reduce(lambda at, part: at.group(part), parts, cast("Any", shown))
        body = group.add_body(word, _wheel(size) if turns else _slide(size))
        joint = Revolute("x") if turns else Prismatic("x")
        group.add_joint(word, shown.world.at(*places[name], 0.0), body, joint)
    turned = [factors[own.unit] * run.values(name) for name, own in model.coordinates.items()]
    q = np.column_stack(turned)
    copy = Solution(compile(shown), run.time, q, _slopes(run.time, q))
    links = tuple(
        Stretch(name, "rod", _ends(places, pair), 0.025, GREY)
        for name, pairs in linked.items()
        for pair in pairs
    )
    return Wheels(copy, links, {names[n]: n for n in model.coordinates}, _note(factors))


def _linked(model: Model) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Connections with the pairs of coordinates that they join."""
    for name, connection in model.connections.items():
        seen = [own for own in dict.fromkeys(_seen(connection.measure)) if own in model.coordinates]
        if len(seen) > 1:
            yield name, [(seen[0], other) for other in seen[1:]]


def _seen(value: Any) -> Iterator[str]:
    """Names of the coordinates in a measure."""
    if isinstance(value, Coordinate):
        yield value.name
    elif is_dataclass(value) and not isinstance(value, type):
        for own in fields(value):
            yield from _seen(getattr(value, own.name))
    elif isinstance(value, list | tuple):
        for own in value:
            yield from _seen(own)


def _places(names: list[str], pairs: Sequence[tuple[str, str]]) -> dict[str, tuple[float, float]]:
    """Places on the ground: along x by the number of connections on the way, beside each other."""
    ranks: dict[str, int] = {}
    for first in names:
        front, rank = [first] if first not in ranks else [], 0
        while front:
            ranks |= dict.fromkeys(front, rank)
            near = [b if a in front else a for a, b in pairs if (a in front) != (b in front)]
            front, rank = [n for n in dict.fromkeys(near) if n not in ranks], rank + 1
    rows = {rank: [n for n in names if ranks[n] == rank] for rank in set(ranks.values())}
    return {
        name: (1.0 * rank, 1.0 * (k - 0.5 * (len(own) - 1)))
        for rank, own in rows.items()
        for k, name in enumerate(own)
    }


def _short(names: list[str]) -> dict[str, str]:
    """Names of what stands for coordinates: without the quantity, where they stay different."""
    short = {name: name.removesuffix(".angle").removesuffix(".position") for name in names}
    return short if len(set(short.values())) == len(names) else {name: name for name in names}


def _ends(places: Mapping[str, tuple[float, float]], pair: tuple[str, str]) -> tuple[Frame, ...]:
    return tuple(Frame("world", (*places[name], 0.0)) for name in pair)


def _units(model: Model) -> list[str]:
    return list(dict.fromkeys(own.unit for own in model.coordinates.values()))


def _radius(own: Any, model: Model) -> float:
    """Radius of a wheel [m], larger for more inertia."""
    each = [float(nominal(x.inertia)) for x in model.coordinates.values() if x.unit == "rad"]
    part = (float(nominal(own.inertia)) / (max(each) or 1.0)) ** _LIKE
    return float(max(_SMALLEST, _LARGEST * part))


def _wheel(radius: float) -> Any:
    """Rim with spokes: its turning is seen."""
    made = solid.tube(0.0, 0.8 * radius, radius, _WIDTH, "x")
    made = made + solid.cylinder(1.0, 0.25 * radius, 1.5 * _WIDTH, "x")
    for k in range(_SPOKES):
        angle = 2.0 * np.pi * k / _SPOKES
        end = (0.0, 0.85 * radius * np.cos(angle), 0.85 * radius * np.sin(angle))
        made = made + solid.rod(0.0, end=end)
    return made


def _slide(size: float) -> Any:
    return solid.box(1.0, (2.0 * size, 1.5 * size, size))


def _factor(run: Solution, model: Model, unit: str) -> float:
    """How much larger motions of a unit are drawn: a round number, the same for all."""
    each = [run.values(name) for name, own in model.coordinates.items() if own.unit == unit]
    way = max(float(np.ptp(x)) for x in each)
    if not way > 0.0:
        return 1.0
    wanted = (_SWING if unit == "rad" else _WAY) / way
    if unit == "rad":
        speed = display_speed(float(np.ptp(run.time)))
        rate = max(float(np.abs(_slopes(run.time, x[:, np.newaxis])).max()) for x in each)
        wanted = max(wanted, min(1.0, _FASTEST / (rate * speed)))
    power = 10.0 ** np.floor(np.log10(wanted))
    return float(max(k * power for k in (1.0, 2.0, 5.0) if k * power <= 1.001 * wanted))


def _slopes(time: Any, values: Any) -> Any:
    """Rates (n, m) of values; where a time stands twice, from one side."""
    steps = np.diff(time)
    rates = np.diff(values, axis=0) / np.where(steps > 0.0, steps, np.inf)[:, np.newaxis]
    if not len(rates):
        return np.zeros_like(values)
    return 0.5 * (np.concatenate([rates[:1], rates]) + np.concatenate([rates, rates[-1:]]))


def _note(factors: Mapping[str, float]) -> str:
    """How the motion is drawn."""
    told = []
    for unit, factor in factors.items():
        what = "turning" if unit == "rad" else f"ways in {unit}"
        if factor != 1.0:
            size = f"{factor:g} times larger" if factor > 1.0 else f"{1.0 / factor:g} times smaller"
            told.append(f"{what} drawn {size}")
    return ", ".join(told)
