"""Quantities of flexible bodies: what they were taken apart into is put together again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from jourdain.model.elements import Body
from jourdain.model.names import joined
from jourdain.results.channels.channel import Channel
from jourdain.results.trajectory import Trajectory


def folded(named: Mapping[str, Channel], run: Trajectory) -> dict[str, Channel]:
    """Channels without those of sections, springs and dampers inside of flexible bodies.

    A flexible body has its elastic coordinates, the motion of its frame, its strain energy, and
    the power that its damping takes.
    """
    bodies = run.system.model.bodies
    wholes = {_whole(body): body.elastic for body in bodies.values() if body.elastic is not None}
    if not wholes:
        return dict(named)
    pieces = [name for name, body in bodies.items() if body.piece_of and name not in wholes]
    words = ("stiffness", "damping")
    hidden = {joined(whole, word, x) for whole, own in wholes.items() for word in words
              for x in own.coordinates}  # fmt: skip
    hidden |= {*pieces, *(joined(piece, "deflection") for piece in pieces)}
    loads = {joined(whole, "elastic", word) for whole in wholes for word in ("force", "torque")}
    kept = {x: c for x, c in named.items() if c.element not in hidden and x not in loads}
    for whole, own in wholes.items():
        springs = [joined(whole, "stiffness", x, "energy") for x in own.coordinates]
        losses = [joined(whole, "damping", x) for x in own.coordinates]
        energy = partial(_total, [named[x] for x in springs if x in named], run)
        name = joined(whole, "strain_energy")
        kept.setdefault(name, Channel(name, "J", f"energy stored in the deformation of {whole}",
                                      energy))  # fmt: skip
        pairs = [(named[f"{x}.force"], named[f"{x}.rate"]) for x in losses if f"{x}.force" in named]
        if pairs:
            name = joined(whole, "damping_power")
            text = f"power that the damping of {whole} takes"
            kept.setdefault(name, Channel(name, "W", text, partial(_taken, pairs)))
    return kept


def _whole(body: Body) -> str:
    return body.piece_of or body.name


def _total(channels: list[Channel], run: Trajectory) -> Any:
    return sum((channel.compute() for channel in channels), 0.0 * run.time)


def _taken(pairs: list[tuple[Channel, Channel]]) -> Any:
    return -sum(force.compute() * rate.compute() for force, rate in pairs)
