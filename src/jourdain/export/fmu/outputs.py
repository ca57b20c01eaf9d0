"""Outputs of an FMU: results by their names, as expressions of its state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jourdain.codegen.kernel import Kernel
from jourdain.errors import ModelError
from jourdain.model.elements import Frame
from jourdain.model.laws import SetValued
from jourdain.results import Solution
from jourdain.results.channels.catalogue import column_names
from jourdain.results.channels.channel import Channel
from jourdain.results.channels.naming import acceleration_names, force_names
from jourdain.system.output_graph import OutputGraph

_SAME = 1e-7  # by which an expression may differ from the result of its name
_ENERGIES = ("energy.kinetic", "energy.potential", "energy.total")
_CAN = (
    "Outputs can be coordinates, velocities and accelerations of joints; positions, velocities and "
    "accelerations of bodies and frames; forces of joints and connections, with their values and "
    "rates; energies; and functions of yours, outputs={'tip': lambda t, s: ...}."
)


class OutputRows:
    """Expressions of results.

    Parameters
    ----------
    graph : OutputGraph
        The system with its inputs.
    solution : Solution
        Samples with arbitrary states, against which expressions are checked.
    """

    def __init__(self, graph: OutputGraph, solution: Solution) -> None:
        self.graph, self.solution, self._system = graph, solution, graph.system
        self._columns = column_names(self._system)

    def rows(self, name: str) -> tuple[Channel, list[Any]]:
        """Description of a result and the expressions of its components.

        Raises
        ------
        UnknownNameError
            If there is no such result.
        ModelError
            If it is none that an FMU can have.
        """
        channel = self.solution.channel(name)
        own = self._found(channel.component_of or channel.name)
        if own is None:
            raise ModelError(f"{channel.name!r} cannot be an output of an FMU. {_CAN}")
        if channel.component_of:
            labels = self.solution.channels[channel.component_of].labels
            own = [own[labels.index(channel.name.rpartition(".")[2])]]
        if len(own) != len(channel.columns):
            raise ModelError(f"{channel.name!r} cannot be an output of an FMU. {_CAN}")
        return channel, own

    def require_same(
        self, columns: Sequence[tuple[Channel, Sequence[Any]]], kernel: Kernel, u: Any, p: Any
    ) -> None:
        """Check expressions, compiled in this order, against the results of their names.

        Raises
        ------
        ModelError
            If one differs, as that of a flexible body may.
        """
        run, start = self.solution, 0
        states = zip(run.q, run.v, run.time.tolist(), strict=True)
        values = np.array([kernel(q, v, u, t, p)[0] for q, v, t in states])
        for channel, own in columns:
            mine = values[:, start : start + len(own)]
            start += len(own)
            wanted = np.asarray(run.channel(channel.name).compute()).reshape(mine.shape)
            size = max(1.0, np.abs(wanted).max(initial=0.0))
            if not np.allclose(mine, wanted, rtol=0.0, atol=_SAME * size):
                raise ModelError(f"{channel.name!r} cannot be an output of an FMU. {_CAN}")

    def _found(self, name: str) -> list[Any] | None:
        """Expressions of all components of a result."""
        if name in _ENERGIES:
            kinetic, potential = self.graph.energy
            return [{"kinetic": kinetic, "potential": potential}.get(name[7:], kinetic + potential)]
        singles = [self._single(c) for c in self.solution.channels[name].columns]
        if all(x is not None for x in singles):
            return singles
        ways = (self._of_connection, self._of_joint, self._of_cut, self._of_frame)
        return next((found for way in ways if (found := way(name)) is not None), None)

    def _single(self, name: str) -> Any:
        """A coordinate, velocity, acceleration or force along one, free or driven; or None."""
        names, columns, graph = self._system.names, self._columns, self.graph
        if name in names.q or name in names.v:
            return graph.coordinate(name)[0]
        if name in columns["vdot"]:
            return graph.acceleration(columns["vdot"].index(name))
        if name in columns["tau"]:
            return graph.tau[columns["tau"].index(name)]
        if name in columns["extra"]:
            return graph.extra[columns["extra"].index(name)]
        return self._of_drive(name)

    def _of_cut(self, name: str) -> list[Any] | None:
        """Motion and loads of a cut joint: what `Mechanism.cut_motion` has, in its order."""
        start = 0
        for cut in self._system.topology.cuts:
            kind = cut.kind
            families = list(kind.coordinates), list(kind.velocities)
            own = [*families[0], *families[1], *acceleration_names(kind.velocities)]
            own += [f"{word}.{axis}" for word in ("torque", "force") for axis in "xyz"]
            own = [f"{cut.name}.{x}" for x in own]
            columns = self.solution.channels[name].columns
            if all(c in own for c in columns):
                return self.graph.cut([start + own.index(c) for c in columns])
            start += len(own)
        return None

    def _of_drive(self, name: str) -> Any:
        """A driven coordinate, its rates, and the force that its drive gives."""
        d = self._system.description
        for i, link in enumerate(d.links):
            kind, motion = link.joint.joint.kind, link.motion
            if not motion.driven or len(motion.driven) != len(motion.driven_columns):
                continue
            positions, velocities = list(kind.coordinates), list(kind.velocities)
            families = (
                [positions[k] for k in motion.driven],
                [velocities[k] for k in motion.driven_columns],
                [acceleration_names(kind.velocities)[k] for k in motion.driven_columns],
            )
            forces = [force_names(kind.velocities)[k] for k in motion.driven_columns]
            for k in range(len(motion.driven)):
                place = d.layout.e_start[i] + k
                for order, words in enumerate(families):
                    if name == f"{link.joint.name}.{words[k]}":
                        return self.graph.driven(place, order)
                if name == f"{link.joint.name}.{forces[k]}":
                    return self.graph.drive(d.layout.body[i], k, place)
        return None

    def _of_connection(self, name: str) -> list[Any] | None:
        element, _, quantity = name.rpartition(".")
        start = 0
        for c in self._system.model.connections.values():
            if isinstance(c.law, SetValued):
                continue
            n = c.measure.size
            if c.name == element and quantity in ("value", "rate", "force"):
                first = start + n * ("value", "rate", "force").index(quantity)
                return self.graph.measured(range(first, first + n))
            if c.name == element and quantity == "energy":
                return self.graph.measured([start + 3 * n])
            start += 3 * n + 2
        return None

    def _of_joint(self, name: str) -> list[Any] | None:
        joint, _, quantity = name.rpartition(".")
        tree = [j.name for j in self._system.topology.tree if not j.automatic]
        if joint not in tree or quantity not in ("force", "torque"):
            return None
        load = self.graph.load(joint)
        return [load[k] for k in (range(3, 6) if quantity == "force" else range(3))]

    def _of_frame(self, name: str) -> list[Any] | None:
        element, _, quantity = name.rpartition(".")
        element = element.removesuffix(".body")
        model = self._system.model
        frame = model.frames.get(element) or (Frame(element) if element in model.bodies else None)
        if frame is None or quantity == "orientation":
            return None
        vector = self.graph.frame_motion(frame).get(quantity)
        return None if vector is None else [vector[k] for k in range(3)]


def wanted_outputs(outputs: Any, default: tuple[str, ...]) -> dict[str, Any]:
    """Outputs by name: None for results, functions of users else."""
    if outputs is None:
        return dict.fromkeys(default)
    if isinstance(outputs, str):
        return {outputs: None}
    if isinstance(outputs, Mapping):
        for name, x in outputs.items():
            if not callable(x):
                raise ModelError(
                    f"output {name!r} is {x!r:.60}; give a function of (t, s), or a list of names."
                )
        return dict(outputs)
    found: dict[str, Any] = {}
    for x in outputs:
        if isinstance(x, Mapping):
            found |= wanted_outputs(x, ())
        elif isinstance(x, str):
            found[x] = None
        else:
            raise ModelError(f"outputs have {x!r:.60}; give names, or functions by name.")
    return found
