"""All channels of a solution, and finding one of them by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from jourdain.errors import UnknownNameError, did_you_mean
from jourdain.model.names import groups_of, is_inside, joined, meant
from jourdain.model.parts.result import Result
from jourdain.results.channels.arrays import of_member, stacked
from jourdain.results.channels.body_motion import motion_channels
from jourdain.results.channels.channel import Channel
from jourdain.results.channels.connection_motion import (
    connection_channels,
    cut_channels,
    extra_columns,
)
from jourdain.results.channels.contact_groups import contact_channels, contact_columns
from jourdain.results.channels.energetics import energy_channels, load_channels
from jourdain.results.channels.flexible import folded
from jourdain.results.channels.joint_motion import JointMotion
from jourdain.results.channels.naming import acceleration_names, force_names
from jourdain.results.trajectory import Trajectory
from jourdain.spatial.parameter import evaluate
from jourdain.system import System
from jourdain.system.state import kept_under


def computed_channels(run: Trajectory) -> dict[str, Channel]:
    """Channels that a system can compute; coordinates come before what has the same name.

    Where a joint and a body share their name and both have a quantity, the body's is called
    ``name.body.quantity``.
    """
    joints = (JointMotion(run, index) for index in run.system.description.order)
    channels = [channel for joint in joints for channel in joint.channels()]
    if run.system.has_connections:
        channels += [*cut_channels(run), *connection_channels(run)]
    channels += contact_channels(run)
    named: dict[str, Channel] = {}
    for channel in (*channels, *load_channels(run)):
        named.setdefault(channel.name, channel)
    shared = run.system.model.joints.keys() & run.system.model.bodies.keys()
    for channel in motion_channels(run):
        element, quantity = channel.element, channel.quantity
        is_hidden = element in shared and channel.name in named
        name = joined(element, "body", quantity) if is_hidden else channel.name
        named.setdefault(name, replace(channel, name=name))
    for channel in energy_channels(run):
        named.setdefault(channel.name, channel)
    named = folded(named, run)
    for name, built in run.system.model.parts.items():
        for own, result in built.part.results(name).items():
            full = joined(name, own)
            compute = _computed(named, result, run, f"the results of part {name!r}")
            named.setdefault(full, Channel(full, result.unit, result.text, compute))
    for array in run.system.model.arrays.values():
        named = stacked(named, array.name, len(array))
    return named


def _computed(
    named: Mapping[str, Channel], result: Result, run: Trajectory, where: str
) -> Callable[[], Any]:
    def compute() -> Any:
        columns = (find(named, name, where).compute() for name in result.names)
        return result.function(*columns, *evaluate(result.numbers, run.values))

    return compute


def column_names(system: System) -> dict[str, tuple[str, ...]]:
    """Names of the columns of q, v, vdot, tau and extra as the channels have them."""
    found: dict[str, tuple[str, ...]] = kept_under(system, "columns", lambda: _columns_of(system))
    return found


def _columns_of(system: System) -> dict[str, tuple[str, ...]]:
    vdot: list[str] = []
    tau: list[str] = []
    links = system.description.links
    for link in (links[index] for index in system.description.order):
        velocities = link.joint.joint.kind.velocities
        both = acceleration_names(velocities), force_names(velocities)
        for columns, names in zip((vdot, tau), both, strict=True):
            columns += [f"{link.joint.name}.{names[k]}" for k in link.motion.free_columns]
    extra = extra_columns(system) if system.has_connections else ()
    named = {"q": system.names.q, "v": system.names.v, "vdot": tuple(vdot), "tau": tuple(tau)}
    return named | {"extra": extra, "contacts": contact_columns(system.model)}


def find(channels: Mapping[str, Channel], name: str, where: str, more: str = "") -> Channel:
    """Channel of a name, of ``element.quantity.component``, or of a scalar coordinate.

    Raises
    ------
    UnknownNameError
        If there is none; the text tells what there is, and ``more``.
    """
    if name in channels:
        return channels[name]
    scalar = channels.get(f"{name}.value")
    if scalar is not None and scalar.is_base:
        return scalar
    stem, _, label = str(name).rpartition(".")
    if stem in channels and label in channels[stem].labels:
        return channels[stem].component(label)
    member = of_member(channels, str(name))
    if member is not None:
        return member
    several = meant(str(name), channels, {channel.element for channel in channels.values()})
    if len(several) == 1:
        return channels[several[0]]
    if several:
        more = f" It may be {' or '.join(several[:4])}: name one of them in full.{more}"
    if name == "time":
        more = f" The times are sol.time, and the axis of every quantity.{more}"
    around = [stem for stem in (*groups_of(str(name)), str(name)) if inside(channels, stem)]
    have = f"Elements: {_shortened(first_words(channels))}."
    if around:
        have = f"{around[-1]!r} has: {_shortened(inside(channels, around[-1]))}."
    every = [column for channel in channels.values() for column in (channel.name, *channel.columns)]
    raise UnknownNameError(
        f"no quantity {name!r} in {where}. {have}{did_you_mean(str(name), every)}{more}"
    )


def inside(names: Iterable[str], stem: str) -> list[str]:
    """Names in a group or of an element, without its own name before them."""
    return [name.removeprefix(f"{stem}.") for name in names if is_inside(name, stem)]


def first_words(names: Iterable[str]) -> list[str]:
    """Elements and outermost groups, each once."""
    return list(dict.fromkeys(name.partition(".")[0] for name in names))


def _shortened(names: list[str], most: int = 20) -> str:
    return ", ".join(names[:most]) + (f", … ({len(names)} in all)" if len(names) > most else "")
