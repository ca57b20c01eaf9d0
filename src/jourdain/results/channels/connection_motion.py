"""Connections and cut joints over time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from jourdain.equations.constraints.cut_joints import motion_of
from jourdain.equations.mechanism import Mechanism
from jourdain.equations.parts import friction_word, point_names
from jourdain.equations.quantities import MechanismQuantity
from jourdain.model.connection import Connection
from jourdain.model.elements import JointElement
from jourdain.model.laws import Dry, Locked, SetValued
from jourdain.model.measures import Gap, Touch
from jourdain.model.measures.measure import Measure, unit_of_force, unit_of_rate
from jourdain.results.channels.channel import XYZ, Channel, grouped, words
from jourdain.results.channels.naming import acceleration_names, force_names, force_unit, rate_unit
from jourdain.results.trajectory import Trajectory
from jourdain.system import System

_RESTS = 1e-10  # part of the largest rate of a measure, at which it is none


def cut_channels(run: Trajectory) -> Iterator[Channel]:
    """Yield coordinates, velocities, accelerations, forces and loads of cut joints."""
    start, force = 0, 0
    for cut in run.system.topology.cuts:
        kind, motion = cut.kind, motion_of(cut)
        positions, velocities = kind.coordinates, kind.velocities
        units = list(velocities.values())
        families = (
            (list(positions), list(positions.values())),
            (list(velocities), units),
            (acceleration_names(velocities), [rate_unit(u) for u in units]),
        )
        for names, family_units in families:
            yield from _family(cut, names, family_units, _columns(run, Mechanism.cut_motion, start))
            start += len(names)
        names = [force_names(velocities)[k] for k in motion.free_columns]
        own = [force_unit(units[k]) for k in motion.free_columns]
        yield from _family(cut, names, own, _extra(run, force))
        force += len(names)
        for quantity, unit, place in (("torque", "N m", start), ("force", "N", start + 3)):
            yield Channel(
                f"{cut.name}.{quantity}",
                unit,
                f"{quantity} on the child of {cut.name} by its parent",
                _part(run, Mechanism.cut_motion, list(range(place, place + 3))),
                XYZ,
                axes="parent frame",
                about="origin of the child frame" if quantity == "torque" else "",
            )
        start += 6


def _family(
    cut: JointElement, names: list[str], units: list[str], columns: Callable[[Any], Any]
) -> Iterator[Channel]:
    for stem, labels, places in grouped(names):
        yield Channel(
            f"{cut.name}.{stem}",
            units[places[0]],
            f"{words(stem)} of {cut.name}",
            columns(places if labels else places[0]),
            labels,
            is_base=True,
        )


def _columns(run: Trajectory, quantity: MechanismQuantity, start: int) -> Callable[[Any], Any]:
    def of(places: Any) -> Any:
        if isinstance(places, int):
            return _part(run, quantity, start + places)
        return _part(run, quantity, [start + k for k in places])

    return of


def _extra(run: Trajectory, start: int) -> Callable[[Any], Any]:
    def of(places: Any) -> Any:
        columns = start + places if isinstance(places, int) else [start + k for k in places]
        return lambda: run.extra[:, columns]

    return of


def _part(run: Trajectory, quantity: MechanismQuantity, places: Any) -> Callable[[], Any]:
    return lambda: run.answers(quantity)[:, places]


def connection_channels(run: Trajectory) -> Iterator[Channel]:
    """Yield value, rate, force and stored energy of connections, states and inputs of laws."""
    names, start = run.system.names, 0
    for c in run.system.model.connections.values():
        if isinstance(c.law, SetValued):
            continue
        n, labels = c.measure.size, c.measure.labels
        for k, quantity in enumerate(("value", "rate", "force")):
            places = start + k * n if n == 1 else list(range(start + k * n, start + (k + 1) * n))
            text = f"{quantity} of {c.name}"
            compute = _part(run, Mechanism.measured, places)
            unit, units = _units(c.measure, quantity)
            yield Channel(f"{c.name}.{quantity}", unit, text, compute, labels, units=units)
        text = f"energy stored in {c.name}"
        yield Channel(f"{c.name}.energy", "J", text, _part(run, Mechanism.measured, start + 3 * n))
        start += 3 * n + 2
    parts = run.system.description.parts
    laws = {name: unit for name, unit in parts.states.items() if name not in parts.internal}
    yield from _internal_channels(run)
    for name, unit in laws.items():
        place = names.q.index(name)
        yield Channel(name, unit, words(name), _state(run, place), is_base=True)
        if name.rpartition(".")[0] in run.system.model.states:
            rate = unit_of_rate(unit)
            yield Channel(
                f"{name}_rate", rate, words(f"{name}_rate"), _part(run, Mechanism.zdot, place)
            )
    yield from _resultant_channels(run)
    yield from _touch_channels(run)
    for name, unit in parts.inputs.items():
        place = run.system.extra_names.index(name)
        yield Channel(name, unit, words(name), _extra(run, 0)(place), is_base=True)


def _internal_channels(run: Trajectory) -> Iterator[Channel]:
    """Yield internal coordinates of composites, their rates, and the energy of all parts."""
    parts, start = run.system.description.parts, 0
    n = len(parts.internal)
    energies = dict(_energy_places(run))
    for element in parts.composites:
        for stem, labels, places in _groups(element.coordinates):
            unit = element.coordinates[f"{stem}.{labels[0]}" if labels else stem]
            for name, first, own in ((stem, start, unit), (f"{stem}_rate", start + n, f"{unit}/s")):
                at = [first + k for k in places] if labels else first + places[0]
                compute = _part(run, Mechanism.internal, at)
                yield Channel(name, own, words(name), compute, labels, is_base=name == stem)
        start += len(element.coordinates)
        at = [energies[name] for name in element.inner_names]
        text = f"energy stored in {element.name}"
        yield Channel(f"{element.name}.energy", "J", text, _total(run, at))


def _groups(names: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...], list[int]]]:
    """Collect ``a.p.position.x, a.p.position.y`` to (``a.p.position``, (x, y), places)."""
    groups: dict[str, list[tuple[str, int]]] = {}
    for k, name in enumerate(names):
        stem, _, label = name.rpartition(".")
        is_component = label in XYZ
        groups.setdefault(stem if is_component else name, []).append((label * is_component, k))
    for stem, members in groups.items():
        yield stem, tuple(label for label, _ in members if label), [k for _, k in members]


def _energy_places(run: Trajectory) -> Iterator[tuple[str, int]]:
    """Yield where the stored energy of each connection lies among what is measured."""
    start = 0
    for c in run.system.model.connections.values():
        if not isinstance(c.law, SetValued):
            yield c.name, start + 3 * c.measure.size
            start += 3 * c.measure.size + 2


def _total(run: Trajectory, places: list[int]) -> Callable[[], Any]:
    return lambda: run.answers(Mechanism.measured)[:, places].sum(axis=1)


def _touch_channels(run: Trajectory) -> Iterator[Channel]:
    """Yield gaps, sliding velocities and forces of contacts and dry friction."""
    if not run.system.has_contacts:
        return
    row = 0
    graph = run.system.graph[1]
    names = run.system.extra_names
    for k, x in enumerate(graph.contact_points):
        measure, lead = x.connection.measure, x.lead
        first = row
        rate_unit, force_unit = (
            ("rad/s", "N m") if lead else (measure.rate_unit, measure.force_unit)
        )
        if x.normal is not None:
            if x.normal.value is not None:
                compute = _part(run, Mechanism.gaps, k)
                yield Channel(f"{x.name}.gap", measure.unit, f"gap of {x.name}", compute)
            compute = _part(run, Mechanism.contact_rates, row)
            text = f"rate of the gap of {x.name}"
            yield Channel(f"{x.name}.gap_rate", rate_unit, text, compute)
            row += 1
        if x.tangential is not None:
            labels = ("1", "2")[: x.n_tangents] if x.n_tangents == 2 else ()
            places = [row, row + 1] if labels else row
            compute = _part(run, Mechanism.contact_rates, places)
            text = f"{'angular' if lead else 'sliding'} velocity of {x.name}"
            yield Channel(f"{x.name}.slip", rate_unit, text, compute, labels)
            row += x.n_tangents
        start, word = names.index(f"{x.name}.normal_force"), friction_word(lead)
        text = f"normal force of {lead or x.name}"
        of = _extra(run, start)
        yield Channel(f"{x.name}.normal_force", measure.force_unit, text, of(0), is_base=True)
        text = f"{words(word)} of {x.name}"
        of = _extra(run, start + 1)
        yield Channel(f"{x.name}.{word}", force_unit, text, of([0, 1]), ("1", "2"), is_base=True)
        places = [start] * (x.normal is not None) + [start + 1, start + 2][: x.n_tangents]
        compute = _contact_power(run, list(range(first, row)), places)
        yield Channel(f"{x.name}.power", "W", f"power of {x.name}, without impacts", compute)


def _resultant_channels(run: Trajectory) -> Iterator[Channel]:
    """Yield forces of contacts in world axes; of several points, their sum and the least gap."""
    parts = run.system.description.parts
    for c in parts.set_valued:
        if isinstance(c.law, Dry) or not isinstance(c.measure, Gap | Touch):
            text, labels = f"force of {c.name}", c.measure.labels
            unit, units = _units(c.measure, "force")
            compute = _on_measure(run, c)
            yield Channel(f"{c.name}.force", unit, text, compute, labels, units=units)
        if isinstance(c.law, Locked):
            compute = _locked(run, [parts.contact_names.index(name) for name in point_names(c)])
            yield Channel(f"{c.name}.locked", "1", f"whether {c.name} is locked", compute)
    for k, c in enumerate(parts.between_contours):
        compute = _part(run, Mechanism.contact_loads, list(range(3 * k, 3 * k + 3)))
        text = f"force of {c.name} on its second contour"
        yield Channel(f"{c.name}.force", "N", text, compute, XYZ, "world")
        points = point_names(c)
        if len(points) == 1:
            continue
        places = [parts.contact_names.index(name) for name in points]
        text = f"least gap of {c.name}"
        yield Channel(f"{c.name}.gap", "m", text, _least(run, Mechanism.gaps, places))
        columns = [run.system.extra_names.index(f"{name}.normal_force") for name in points]
        text = f"sum of the normal forces of {c.name}"
        yield Channel(f"{c.name}.normal_force", "N", text, _sum_of_extra(run, columns))


def _on_measure(run: Trajectory, c: Connection) -> Callable[[], Any]:
    """Force that belongs to the measure of a stop, or of dry friction."""
    names = run.system.extra_names
    if isinstance(c.law, Dry):
        first = [names.index(f"{name}.friction_force.1") for name in point_names(c)]
        places = first if isinstance(c.law, Locked) else [first[0], first[0] + 1]
        places = places[: c.measure.size]
        return lambda: run.extra[:, places if len(places) > 1 else places[0]]
    law: Any = c.law
    sign = 1.0 if law.side == "above" else -1.0
    place = names.index(f"{c.name}.normal_force")
    return lambda: sign * run.extra[:, place]


def _locked(run: Trajectory, own: list[int]) -> Callable[[], Any]:
    """1 while a lock holds, else 0; where rounding hides it, what has a force or rests is held."""

    def compute() -> Any:
        points = run.system.graph[1].contact_points
        ends = np.cumsum([(x.normal is not None) + x.n_tangents for x in points])
        rates = np.abs(run.answers(Mechanism.contact_rates)[:, ends[own] - 1])
        forces = run.extra[:, run.extra.shape[1] - 3 * (len(points) - np.array(own)) + 1]
        rests = np.all(rates <= _RESTS * rates.max(axis=0, initial=0.0), axis=1)
        holds = run.answers(Mechanism.capacities)[:, 2 * own[0]] > 0.0
        is_held = np.any(forces != 0.0, axis=1) | rests
        return np.where(run.doubtful_locks[:, own[0]], is_held, holds).astype(float)

    return compute


def _contact_power(run: Trajectory, rows: list[int], places: list[int]) -> Callable[[], Any]:
    """Power of the forces of one contact or place of friction: negative where it takes energy."""
    return lambda: np.sum(
        run.answers(Mechanism.contact_rates)[:, rows] * run.extra[:, places], axis=1
    )


def _least(run: Trajectory, quantity: MechanismQuantity, places: list[int]) -> Callable[[], Any]:
    return lambda: run.answers(quantity)[:, places].min(axis=1)


def _sum_of_extra(run: Trajectory, columns: list[int]) -> Callable[[], Any]:
    return lambda: run.extra[:, columns].sum(axis=1)


def _state(run: Trajectory, place: int) -> Callable[[], Any]:
    return lambda: run.q[:, place]


def _units(measure: Measure, quantity: str) -> tuple[str, tuple[str, ...]]:
    """Unit of a measure's value, rate or force; those of the components where they differ."""
    word = {"value": "unit", "rate": "rate_unit", "force": "force_unit"}[quantity]
    own = {
        "value": measure.component_units,
        "rate": tuple(map(unit_of_rate, measure.component_units)),
        "force": tuple(map(unit_of_force, measure.component_units)),
    }[quantity]
    return getattr(measure, word), own if len(set(own)) > 1 else ()


def extra_columns(system: System) -> tuple[str, ...]:
    """Names of the columns of ``extra`` as the channels have them."""
    names: list[str] = []
    for cut in system.topology.cuts:
        forces = force_names(cut.kind.velocities)
        names += [f"{cut.name}.{forces[k]}" for k in motion_of(cut).free_columns]
    parts = system.description.parts
    return (*names, *parts.extra[len(parts.cut_velocities) :])
