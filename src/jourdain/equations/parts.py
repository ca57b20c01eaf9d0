"""What a system has besides its tree: cut joints, connections, and what they add to the state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from jourdain.equations.constraints.cut_joints import motion_of
from jourdain.model.composites.composite import CompositeElement
from jourdain.model.connection import Connection
from jourdain.model.elements import JointElement
from jourdain.model.laws import Equal, ForceLaw, Locked, SetValued
from jourdain.model.measures.gap import Gap


def contact_leads(connection: Connection) -> dict[str, str | None]:
    """Names of the contact points of a set-valued connection: each point, and how it turns there.

    Those of rolling and drilling have the name of the point that they belong to.
    """
    law: Any = connection.law
    n = connection.measure.size if isinstance(law, Locked) else int(connection.measure.n_points)
    found: dict[str, str | None] = {}
    for k in range(n):
        name = connection.name if n == 1 else f"{connection.name}.{k + 1}"
        found[name] = None
        found |= {f"{name}.{turn}": name for turn in law.turns}
    return found


def point_names(connection: Connection) -> list[str]:
    """Names of the points of a set-valued connection."""
    return [name for name, lead in contact_leads(connection).items() if lead is None]


def states_of(connection: Connection) -> dict[str, str]:
    """Names and units of the states of a law, then of the contact parameters of its measure."""
    return {**connection.law.states, **connection.measure.parameters}


def friction_word(lead: str | None) -> str:
    """Name of the friction of a contact point: a force, or the moment against turning there."""
    return "friction_force" if lead is None else "moment"


@dataclass(frozen=True)
class Parts:
    """What lies in z behind the coordinates of the tree, and which inputs laws have.

    Parameters
    ----------
    cuts : tuple of JointElement
        Cut joints.
    connections : tuple of Connection
        Connections, members of composites among them.
    composites : tuple of CompositeElement
        Composite connections.
    rated : tuple of str
        Inputs that measures look at, whose rates are given, too (see `rated_inputs`).
    """

    cuts: tuple[JointElement, ...] = ()
    connections: tuple[Connection, ...] = ()
    composites: tuple[CompositeElement, ...] = ()
    rated: tuple[str, ...] = ()

    @cached_property
    def cut_coordinates(self) -> dict[str, str]:
        """Names and units of the free coordinates of cut joints."""
        return {
            f"{cut.name}.{name}": unit
            for cut in self.cuts
            for k, (name, unit) in enumerate(cut.kind.coordinates.items())
            if k in motion_of(cut).free
        }

    @cached_property
    def cut_velocities(self) -> dict[str, str]:
        """Names and units of the free velocities of cut joints."""
        return {
            f"{cut.name}.{name}": unit
            for cut in self.cuts
            for k, (name, unit) in enumerate(cut.kind.velocities.items())
            if k in motion_of(cut).free_columns
        }

    @cached_property
    def states(self) -> dict[str, str]:
        """Names and units of states of laws, contact parameters, then internal coordinates."""
        own = {
            f"{c.name}.{name}": unit
            for c in self.connections
            for name, unit in states_of(c).items()
        }
        return own | self.internal

    @cached_property
    def state_places(self) -> dict[str, tuple[slice, slice]]:
        """Places of the states of each law, and of its contact parameters, among the states."""
        places, start = {}, 0
        for c in self.connections:
            own = start + len(c.law.states)
            end = start + len(states_of(c))
            places[c.name] = slice(start, own), slice(own, end)
            start = end
        return places

    @cached_property
    def followed(self) -> tuple[Connection, ...]:
        """Connections with contact parameters as states."""
        return tuple(c for c in self.connections if c.measure.parameters)

    @cached_property
    def internal(self) -> dict[str, str]:
        """Names and units of the internal coordinates of composites."""
        return {name: unit for c in self.composites for name, unit in c.coordinates.items()}

    @cached_property
    def held(self) -> tuple[Connection, ...]:
        """Connections that constrain bodies; held members that only place nodes do not."""
        inside = {n for c in self.composites if not c.is_kinematic for n in c.member_names}
        equal = (c for c in self.connections if isinstance(c.law, Equal))
        return tuple(c for c in equal if c.name not in inside)

    @cached_property
    def inside(self) -> set[str]:
        """Names of the parts of all composites."""
        return {name for c in self.composites for name in c.member_names}

    @cached_property
    def inputs(self) -> dict[str, str]:
        """Names and units of the inputs of laws."""
        return {
            f"{c.name}.{name}": unit
            for c in self.connections
            for name, unit in c.law.inputs.items()
        }

    @cached_property
    def set_valued(self) -> tuple[Connection, ...]:
        """Connections with contact or dry friction."""
        return tuple(c for c in self.connections if isinstance(c.law, SetValued))

    @cached_property
    def between_contours(self) -> tuple[Connection, ...]:
        """Those among them that are contacts of two contours."""
        return tuple(c for c in self.set_valued if isinstance(c.measure, Gap))

    @cached_property
    def contact_names(self) -> tuple[str, ...]:
        """Names of the contact points of all set-valued connections."""
        return tuple(name for c in self.set_valued for name in contact_leads(c))

    @cached_property
    def extra(self) -> tuple[str, ...]:
        """What ``extra`` holds: forces in cut joints, inputs of laws, forces of contact points.

        Behind the inputs lie the rates of those that measures look at.
        """
        words = {
            name: friction_word(lead)
            for c in self.set_valued
            for name, lead in contact_leads(c).items()
        }
        of_contacts = (
            f"{name}.{force}"
            for name, word in words.items()
            for force in ("normal_force", f"{word}.1", f"{word}.2")
        )
        return (*self.cut_velocities, *self.inputs, *self.rates_of_inputs, *of_contacts)

    @property
    def rates_of_inputs(self) -> tuple[str, ...]:
        """Names of the rates of inputs."""
        return tuple(f"{name}_rate" for name in self.rated)

    @cached_property
    def start(self) -> list[float]:
        """Reference values of the coordinates of cut joints and of the states."""
        of_cuts = [cut.kind.start()[k] for cut in self.cuts for k in motion_of(cut).free]
        states: list[Any] = []
        for c in self.connections:
            states += c.law.start() if isinstance(c.law, ForceLaw) else ()
            states += [0.0] * len(c.measure.parameters)
        states += [x for c in self.composites for x in c.composite.start_values]
        return [float(x) for x in (*of_cuts, *states)]

    @property
    def has_contacts(self) -> bool:
        """Whether there are set-valued laws: contacts, stops, dry friction."""
        return bool(self.set_valued)

    @property
    def has_constraints(self) -> bool:
        """Whether there are cut joints or measures that are held."""
        return bool(self.cuts or self.held)

    @property
    def is_corrected(self) -> bool:
        """Whether states have to satisfy something: constraints, or internal coordinates."""
        return self.has_constraints or bool(self.internal)

    def __bool__(self) -> bool:
        return bool(self.cuts or self.connections)
