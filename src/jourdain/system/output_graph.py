"""Results as expressions of state, inputs, time and parameters, for programs that run elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.kernel import Kernel
from jourdain.equations.mechanism import Mechanism
from jourdain.equations.recursion import balance, kinematics, newton_euler
from jourdain.model.elements import Frame
from jourdain.spatial.parameter import evaluate
from jourdain.system.execution import symbolic
from jourdain.system.held_inputs import Places
from jourdain.system.mechanism import drive_columns, kernel, mechanism
from jourdain.system.state import force_expressions, state_symbols
from jourdain.system.system import System
from jourdain.system.user_functions import traced_function, traced_inputs


class OutputGraph:
    """Expressions of what a system does, with inputs that are held while they are evaluated.

    Parameters
    ----------
    system : System
        The compiled machine, in straight-line code and without contacts.
    inputs : mapping
        Inputs by name: numbers, or functions of (t, s).
    held : mapping of str to int
        Places of those that another program gives.
    """

    def __init__(self, system: System, inputs: Mapping[str, Any], held: Places) -> None:
        self.system, self.x = system, state_symbols(system, len(held))
        given = traced_inputs(system, inputs, held)
        self.tau, self.extra = force_expressions(system, self.x, given, held)

    def kernel(self, rows: Sequence[Any]) -> Kernel:
        """Compiled function of q, v, u, t and p that gives some of the expressions."""
        return kernel(self.x, {"y": ca.vertcat(ca.SX(0, 1), *rows)})

    def coordinate(self, name: str) -> list[Any]:
        """A position or velocity coordinate, or the components of a group of them."""
        names = self.system.names
        places = np.atleast_1d(names.index(name, "the outputs"))
        column = self.x["q"] if names.is_position(name) else self.x["v"]
        return [column[int(k)] for k in places]

    def function(self, name: str, function: Any) -> Any:
        """A user's function of (t, s)."""
        return traced_function(self.system, self.x, function, f"output {name!r}")

    def acceleration(self, k: int) -> Any:
        """Rate of a velocity coordinate."""
        return self._graph.vdot[k]

    def driven(self, k: int, order: int) -> Any:
        """Driven coordinate (order 0), its first or its second rate."""
        return drive_columns(self.system.description, self.x, None)[order][k]

    def measured(self, places: Sequence[int]) -> list[Any]:
        """Values, rates, forces and energies of connections, as `Mechanism.measured` has them."""
        return [self._graph.measured[k] for k in places]

    def cut(self, places: Sequence[int]) -> list[Any]:
        """Motion and loads of cut joints, as `Mechanism.cut_motion` has them."""
        return [self._graph.cut_motion[k] for k in places]

    def drive(self, body: int, k: int, place: int) -> Any:
        """Force that a drive gives along its coordinate, beside that of connections."""
        found = self._loads["drive"][6 * body + k]
        return found - self._graph.driven_forces[place] if self.system.has_connections else found

    def load(self, joint: str) -> Any:
        """Torque and force on the child of a joint of the tree, in the axes of its parent frame."""
        d = self.system.description
        index = next(i for i, link in enumerate(d.links) if link.joint.name == joint)
        start = 6 * d.layout.body[index]
        return self._loads["interaction"][start : start + 6]

    @cached_property
    def energy(self) -> tuple[Any, Any]:
        """Kinetic and potential energy [J]."""
        both = self._of_tree(balance.BALANCE)["energy"]
        stored = self._graph.powers[0] if self.system.has_connections else 0.0
        return ca.sum1(both[0::2]), ca.sum1(both[1::2]) + stored

    def frame_motion(self, frame: Frame) -> dict[str, Any]:
        """Position, velocities and accelerations of a frame by the names of results."""
        body, place = self.system.locate(frame)
        R, p, twist, rate = self._body_motion(body)
        values = self._values
        if not self.system.is_flexible:  # where it lies may be a matter of parameters
            place = evaluate(frame.position, values)
        arm = R @ ca.vertcat(*place)
        w, alpha = twist[:3], rate[:3]
        own = (R @ _matrix(evaluate(frame.rotation, values))).T
        return {
            "position": p + arm,
            "velocity": twist[3:] + ca.cross(w, arm),
            "acceleration": rate[3:] + ca.cross(alpha, arm) + ca.cross(w, ca.cross(w, arm)),
            "angular_velocity_world": w,
            "angular_acceleration_world": alpha,
            "angular_velocity": own @ w,
            "angular_acceleration": own @ alpha,
        }

    @cached_property
    def _values(self) -> dict[str, Any]:
        names = self.system.names.parameters
        return dict(zip(names, ca.vertsplit(self.x["p"]), strict=True)) if names else {}

    @cached_property
    def _graph(self) -> Mechanism:
        n = 6 * self.system.description.layout.n_bodies
        given = {name: self.x[name] for name in ("q", "v", "t", "p")}
        zeros = {name: ca.SX.zeros(x.numel()) for name, x in self.system.graph[0].items()}
        forces = {"tau": self.tau, "extra": self.extra, "wrench": ca.SX.zeros(n)}
        return mechanism(self.system.description, zeros | given | forces)

    def _of_tree(self, recursion: Any, **more: Any) -> dict[str, Any]:
        """Outputs of a recursion over the tree."""
        d = self.system.description
        inputs, outputs = symbolic(recursion, d)
        given = {"q": self.x["q"][: d.n_q, :], "v": self.x["v"], "t": self.x["t"]}
        given |= {"p": self.x["p"]} | more
        f = ca.Function(recursion.name, list(inputs.values()), list(outputs.values()))
        return dict(zip(outputs, f.call([given[name] for name in inputs]), strict=True))

    @cached_property
    def _motion(self) -> dict[str, Any]:
        return self._of_tree(kinematics.KINEMATICS, vdot=self._graph.vdot)

    @cached_property
    def _loads(self) -> dict[str, Any]:
        loads = self._graph.wrenches if self.system.has_connections else None
        n = 6 * self.system.description.layout.n_bodies
        wrench = ca.SX.zeros(n) if loads is None else loads
        return self._of_tree(newton_euler.LOADS, vdot=self._graph.vdot, wrench=wrench)

    def _body_motion(self, body: int) -> tuple[Any, Any, Any, Any]:
        """Orientation, origin, twist and acceleration of a body; the world rests."""
        if body < 0:
            return ca.SX.eye(3), ca.SX.zeros(3), ca.SX.zeros(6), ca.SX.zeros(6)
        pose, *rates = self._motion.values()
        own = ca.reshape(pose[16 * body : 16 * body + 16], 4, 4).T
        twist, rate = (x[6 * body : 6 * body + 6] for x in rates)
        return own[:3, :3], own[:3, 3], twist, rate


def _matrix(rows: Any) -> Any:
    return ca.vertcat(*(ca.horzcat(*row) for row in rows))
