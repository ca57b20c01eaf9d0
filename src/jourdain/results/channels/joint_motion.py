"""Coordinates of one joint over time, the driven ones included."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations.mechanism import Mechanism
from jourdain.model.elements import with_values
from jourdain.model.joints import Free, Planar, Spherical
from jourdain.results.channels.channel import Channel, grouped, words
from jourdain.results.channels.driven import driven_rates
from jourdain.results.channels.naming import acceleration_names, force_names, force_unit, rate_unit
from jourdain.results.trajectory import Trajectory
from jourdain.spatial.parameter import evaluate


class JointMotion:
    """Positions, velocities, accelerations and forces of all coordinates of a joint.

    Parameters
    ----------
    run : Trajectory
        The motion.
    index : int
        Number of the link that the joint carries.
    """

    def __init__(self, run: Trajectory, index: int) -> None:
        description = run.system.description
        self.run, self.link = run, description.links[index]
        layout, link = description.layout, self.link
        self.q = slice(layout.q_start[index], layout.q_start[index] + link.n_q)
        self.v = slice(layout.v_start[index], layout.v_start[index] + link.n_v)
        start = layout.e_start[index]
        self.e = slice(start, start + len(link.motion.driven))

    @property
    def name(self) -> str:
        """Name of the joint, or of the body it carries for an automatic one."""
        return self.link.joint.name

    @property
    def kind(self) -> Any:
        """Kind of the joint."""
        return self.link.joint.joint.kind

    def _spread(self, free: Any, driven: Any, places: tuple[Any, Any]) -> Any:
        """Columns of free and driven coordinates in the order of the kind."""
        full = np.empty((len(self.run.time), len(places[0]) + len(places[1])))
        full[:, list(places[0])], full[:, list(places[1])] = free, driven
        return full

    @cached_property
    def positions(self) -> Any:
        """Position coordinates (n, n_q)."""
        motion = self.link.motion
        driven = (
            self.run.drives[0][:, self.e] if motion.driven else np.zeros((len(self.run.time), 0))
        )
        return self._spread(self.run.q[:, self.q], driven, (motion.free, motion.driven))

    @cached_property
    def _driven(self) -> tuple[Any, Any]:
        """Velocities and accelerations that the drives determine."""
        motion = self.link.motion
        if not motion.driven:
            return (np.zeros((len(self.run.time), 0)),) * 2
        _, first, second = (x[:, self.e] for x in self.run.drives)
        places = motion.free, motion.driven
        rates = self._spread(self.run.rates[:, self.q], first, places)
        kind = with_values(self.kind, self.run.values)
        columns = list(motion.driven_columns)
        return driven_rates(kind, list(motion.driven), columns, self.positions, rates, second)

    @cached_property
    def velocities(self) -> Any:
        """Velocity coordinates (n, n_v)."""
        motion = self.link.motion
        places = motion.free_columns, motion.driven_columns
        return self._spread(self.run.v[:, self.v], self._driven[0], places)

    @cached_property
    def accelerations(self) -> Any:
        """Rates of the velocity coordinates (n, n_v)."""
        motion = self.link.motion
        places = motion.free_columns, motion.driven_columns
        return self._spread(self.run.vdot[:, self.v], self._driven[1], places)

    @property
    def rotor_power(self) -> Any:
        """Power that the armatures take up, those of driven velocities too (n,) [W]."""
        given = self.link.joint.joint.armature
        inertias = [evaluate(given.get(x, 0.0), self.run.values) for x in self.kind.velocities]
        return (self.velocities * self.accelerations) @ np.array(inertias, dtype=float)

    @property
    def is_measured(self) -> bool:
        """Whether connections can act along the driven coordinates."""
        same = len(self.link.motion.driven_columns) == len(self.link.motion.driven)
        return bool(self.run.system.has_connections and same)

    @property
    def by_connections(self) -> Any:
        """Forces of connections along the driven coordinates, beside the drives (n, n_driven)."""
        return self.run.answers(Mechanism.driven_forces)[:, self.e]

    @cached_property
    def forces(self) -> Any:
        """Forces along the velocity coordinates: of inputs, and of drives (n, n_v)."""
        motion = self.link.motion
        names = list(self.kind.velocities)
        loads = [self.run.loads.drive[f"{self.name}.{names[k]}"] for k in motion.driven_columns]
        driven = np.stack(loads, axis=-1) if loads else np.zeros((len(self.run.time), 0))
        if loads and self.is_measured:
            driven = driven - self.by_connections
        places = motion.free_columns, motion.driven_columns
        return self._spread(self.run.tau[:, self.v], driven, places)

    def channels(self) -> Iterator[Channel]:
        """Yield the channels of all coordinates."""
        positions, velocities = self.kind.coordinates, self.kind.velocities
        units = list(velocities.values())
        yield from self._family("positions", list(positions), list(positions.values()))
        yield from self._family("velocities", list(velocities), units)
        names = acceleration_names(velocities)
        yield from self._family("accelerations", names, [rate_unit(u) for u in units])
        yield from self._family("forces", force_names(velocities), [force_unit(u) for u in units])

    def _family(self, attribute: str, names: list[str], units: list[str]) -> Iterator[Channel]:
        for stem, labels, places in grouped(names):
            yield Channel(
                f"{self.name}.{stem}",
                units[places[0]],
                f"{words(stem)} of {self.name}",
                self._columns(attribute, places if labels else places[0]),
                labels,
                axes=self._axes(stem) if labels else "",
                is_base=True,
            )

    def _columns(self, attribute: str, places: Any) -> Any:
        return lambda: getattr(self, attribute)[:, places]

    def _axes(self, stem: str) -> str:
        """Axes of a vector of coordinates, where the kind lays them down."""
        if stem == "orientation" or not isinstance(self.kind, Free | Spherical | Planar):
            return ""
        turned = stem.startswith(("angular", "applied_torque"))
        if self.link.joint.automatic:
            return "body" if turned else "world"
        return "child frame" if turned else "parent frame"
