"""The search for steady motion: constant speeds, no other accelerations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.analysis.linear.contact_state import touched
from jourdain.analysis.linear.independent import (
    Steps,
    Tangent,
    tangent_space,
    unit_quaternions,
    velocity_of_step,
)
from jourdain.analysis.linear.point import OperatingPoint
from jourdain.errors import ModelError, SingularSystemError, unknown_name
from jourdain.spatial.check import number
from jourdain.system.linear.state_graph import Point, Slopes

_STEPS = 100
_EXACT = 1e-11
_HALVINGS = 25
_REST = 1e-7
_FREE = 1e-9  # part of the largest stiffness that counts as none


@dataclass
class StationarySearch:
    """Positions, unknown speeds and element states at which nothing accelerates (LI-6).

    Parameters
    ----------
    point : OperatingPoint
        State equation and start.
    hold : tuple of str
        Coordinates that stay where they are.
    speeds : mapping of str to float or None
        Velocities that are constant; None: to be found.
    together : (n_velocities, n_speeds)
        Independent velocities of the free motions that belong to the speeds: shafts that are joined
        by springs turn together. Given ones first.
    """

    point: OperatingPoint
    hold: tuple[str, ...]
    speeds: Mapping[str, Any]
    together: Any = None

    def __post_init__(self) -> None:
        names = self.point.system.names.v
        for name, value in self.speeds.items():
            if name not in names:
                raise unknown_name("velocity", name, names, "speeds")
            if value is not None:
                number(value, f"speed {name!r}")

    def run(self) -> tuple[OperatingPoint, int, dict[str, float]]:
        """Operating point, number of steps, and forces that given speeds need."""
        at = self._with_speeds(self.point.at)
        values = self._values(at)
        contacts = touched(self.point.system, values, at.q, at.v, at.t, at.p)
        at = at.moved(mode=contacts.mode)
        steps, is_better = 0, True
        while is_better and steps < _STEPS:
            residual, jacobian, ways = self._system(at)
            step = np.linalg.lstsq(jacobian, -residual, rcond=1e-10)[0]
            at, is_better = self._line(at, ways, step, residual)
            is_better = is_better and np.abs(step).max(initial=0.0) > _EXACT
            steps += 1
        residual, jacobian, _ = self._system(at)
        worst = int(np.argmax(np.abs(residual))) if len(residual) else 0
        if len(residual) and abs(residual[worst]) > _REST * (
            1.0 + np.abs(jacobian).max(initial=0.0)
        ):
            raise self._none(at, residual, worst)
        contacts = touched(self.point.system, values, at.q, at.v, at.t, at.p)
        found = OperatingPoint(self.point.graph, at.moved(mode=contacts.mode), contacts)
        return found, steps, {}

    def _values(self, at: Point) -> dict[str, Any]:
        graph = self.point.graph
        return {**graph.inputs, **dict(zip(graph.free, at.u.tolist(), strict=True))}

    def _with_speeds(self, at: Point) -> Point:
        """Start with the given speeds; others follow from constraints."""
        names = self.point.system.names.v
        slopes = self.point.graph.slopes(at)
        known = {names.index(n): float(x) for n, x in self.speeds.items() if x is not None}
        unknown = [names.index(n) for n, x in self.speeds.items() if x is None]
        tangent = self._tangent(at, slopes)
        missing = [names[k] for k in known if k not in tangent.velocities]
        if missing:
            raise ModelError(
                f"speeds {', '.join(missing)} follow from other speeds that are given, or from "
                "constraints; give independent ones only."
            )
        self.together = _together(at, slopes, tangent, [*known, *unknown])
        values = np.array([*known.values(), *(1.0 for _ in unknown)])
        return at.moved(v=self._consistent(at, tangent.N_v @ self.together @ values))

    def _consistent(self, at: Point, v: Any) -> Any:
        return self.point.system.project(at.q, v, at.t, parameters=at.p)[1]

    def _tangent(self, at: Point, slopes: Slopes) -> Tangent:
        names, steps = self.point.system.names.v, []
        own = Steps(self.point.system)
        back = {v: k for k, v in velocity_of_step(own).items()}
        for name in self.speeds:
            k = back.get(names.index(name))
            if k is not None:
                steps.append(own.names[k])
        return tangent_space(self.point.system, at, slopes, (*self.hold, *steps))

    def _system(self, at: Point) -> tuple[Any, Any, tuple[Any, Any]]:
        """Accelerations and rates of states, their derivatives, and the ways of the unknowns."""
        system, slopes = self.point.system, self.point.graph.slopes(at)
        tangent = self._tangent(at, slopes)
        names = system.names.v
        steady = {names.index(n) for n in self.speeds}
        unknown = {names.index(n) for n, x in self.speeds.items() if x is None}
        held = {tangent.steps.names.index(n) for n in self.hold}
        rates = velocity_of_step(tangent.steps)
        E = tangent.steps.matrix(at.q)
        free = [
            k
            for k, own in enumerate(tangent.positions)
            if own not in held and rates.get(own) not in steady
        ]
        n = len(tangent.positions)
        turning = self.together[:, self.together.shape[1] - len(unknown) :]
        none = np.zeros((len(at.q), len(unknown)))
        ways_z = np.hstack([(E @ tangent.T_positions_whole)[:, free], none])
        ways_v = np.hstack([tangent.T_velocities[:, free], tangent.T_velocities[:, n:] @ turning])
        first = len(at.q) - len(system.description.parts.states)
        own = [p for k in tangent.positions if isinstance(p := tangent.steps.places[k], int)]
        states = [p for p in own if p >= first]
        by_z = np.vstack([slopes.by_z["vdot"][tangent.velocities], slopes.by_z["zdot"][states]])
        by_v = np.vstack([slopes.by_v["vdot"][tangent.velocities], slopes.by_v["zdot"][states]])
        residual = np.r_[slopes.vdot[tangent.velocities], slopes.zdot[states]]
        return residual, by_z @ ways_z + by_v @ ways_v, (ways_z, ways_v)

    def _line(self, at: Point, ways: Any, step: Any, before: Any) -> tuple[Point, bool]:
        """Point after a step, halved until it leads on."""
        system = self.point.system
        size = np.abs(step).max(initial=0.0)
        part = min(1.0, 0.5 / size) if size > 0.0 else 1.0
        for _ in range(_HALVINGS):
            q = unit_quaternions(system, at.q + part * ways[0] @ step)
            q, v = system.project(q, at.v + part * ways[1] @ step, at.t, parameters=at.p)
            moved = at.moved(q=q, v=v)
            residual = self._system(moved)[0]
            if np.linalg.norm(residual) <= np.linalg.norm(before) * (1.0 + 1e-9):
                return moved, True
            part *= 0.5
        return at, False

    def _none(self, at: Point, residual: Any, worst: int) -> SingularSystemError:
        system = self.point.system
        slopes = self.point.graph.slopes(at)
        tangent = self._tangent(at, slopes)
        names = [system.names.v[k] for k in tangent.velocities]
        name = names[worst] if worst < len(names) else "a state"
        return SingularSystemError(
            f"model {system.model.name!r} finds no steady motion with speeds "
            f"{', '.join(self.speeds)}: {name!r} would still accelerate by {residual[worst]:.4g}.\n"
            "  Likely causes: a speed that no force keeps, or too few that may adjust. Next: leave "
            'a speed open, speeds={"main.rate": None}, or give the force that keeps it.'
        )


def _together(at: Point, slopes: Slopes, tangent: Tangent, speeds: list[int]) -> Any:
    """Independent velocities of the smallest free motions in which each speed is one."""
    E, back = tangent.steps.matrix(at.q), tangent.steps.inverse(at.q)
    moves = (back @ slopes.by_v["zdot"] @ tangent.N_v)[tangent.positions]
    pull = slopes.by_z["vdot"][tangent.velocities] @ E @ tangent.T_positions @ moves
    own = [tangent.velocities.index(k) for k in speeds]
    alone = np.eye(len(tangent.velocities))[:, own]
    _, sizes, rows = np.linalg.svd(pull)
    free = rows[sizes <= _FREE * max(float(sizes.max(initial=0.0)), 1e-300)].T
    if not free.shape[1]:
        return alone
    found = free @ np.linalg.lstsq(free[own], np.eye(len(own)), rcond=1e-9)[0]
    return found if np.allclose(found[own], np.eye(len(own)), atol=1e-8) else alone
