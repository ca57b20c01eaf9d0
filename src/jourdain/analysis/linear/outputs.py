"""Outputs of linear equations: any result of a solution, or functions of the user.

Coordinates, velocities, accelerations and functions have exact rows. Other results are differences
of sixth order along the allowed steps, good to about ten digits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.analysis.linear.drives import DriveTwin
from jourdain.analysis.linear.independent import Tangent
from jourdain.analysis.linear.point import OperatingPoint
from jourdain.errors import ModelError
from jourdain.results import Solution
from jourdain.results.channels.catalogue import column_names
from jourdain.spatial.check import shown
from jourdain.system.linear.state_graph import Point, StateGraph, output_slopes

_STEP = 1e-3  # of positions and velocities, for differences of sixth order
_PLACES = np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])
_WEIGHTS = np.array([-1.0, 9.0, -45.0, 45.0, -9.0, 1.0]) / 60.0


@dataclass(frozen=True)
class Outputs:
    """Output equations y = C x + D u.

    Parameters
    ----------
    names, units : tuple of str
        What the rows are.
    C, D : arrays
        Derivatives by states and inputs.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    C: Any
    D: Any


@dataclass(frozen=True)
class Inputs:
    """What inputs do.

    Parameters
    ----------
    driven : tuple of str
        Driven coordinates; the last columns are theirs, three for each.
    rates, steps : (n_steps + n_v, n_inputs)
        Rates of all steps by the inputs, and the steps that these force upon the machine.
    """

    driven: tuple[str, ...]
    rates: Any
    steps: Any


def output_matrices(
    point: OperatingPoint, tangent: Tangent, rates: Any, inputs: Inputs, wanted: Any
) -> Outputs:
    """Output equations of some results, or of all states where none are named.

    Parameters
    ----------
    point, tangent
        The operating point and the allowed steps there.
    rates : (n_steps + n_v, n_states)
        Rates of all steps by the independent ones.
    inputs : Inputs
        What inputs do.
    wanted : iterable of str, mapping or None
        Names, or functions of (t, s) by name.
    """
    n_x, n_u = rates.shape[1], inputs.rates.shape[1]
    if wanted is None:
        return Outputs(tangent.names, tangent.units, np.eye(n_x), np.zeros((n_x, n_u)))
    maker = _OutputRows(point, tangent, rates, inputs)
    rows: list[tuple[str, str, Any, Any]] = []
    for name, function in _functions(wanted).items():
        rows += maker.rows(name, function)
    names, units, C, D = zip(*rows, strict=True) if rows else ((), (), (), ())
    shaped = np.reshape(C, (len(rows), n_x)), np.reshape(D, (len(rows), n_u))
    return Outputs(tuple(names), tuple(units), *shaped)


def _functions(wanted: Any) -> dict[str, Any]:
    if isinstance(wanted, str):
        return {wanted: None}
    if isinstance(wanted, Mapping):
        return {str(k): x for k, x in wanted.items()}
    try:
        return {str(name): None for name in wanted}
    except TypeError as error:
        raise ModelError(
            f"outputs is {shown(wanted)}; give names of results, such as ['main.angle'], or "
            "functions by name, {'tip': lambda t, s: ...}."
        ) from error


_Row = tuple[str, str, Any, Any]


@dataclass(frozen=True)
class _OutputRows:
    """Rows of results: name, unit, derivatives by states and by inputs."""

    point: OperatingPoint
    tangent: Tangent
    rates: Any
    inputs: Inputs

    def rows(self, name: str, function: Any) -> list[_Row]:
        steps, system = self.tangent.steps, self.point.system
        n = len(steps.places)
        if callable(function):
            return [(name, "", *self._of_function(function, name))]
        if name in steps.names:
            k = steps.names.index(name)
            own = self.tangent.T_positions_whole[k]
            return [(name, steps.units[k], own, self.inputs.steps[k])]
        if name in system.names.v:
            k = system.names.v.index(name)
            own = self.tangent.T_velocities[k]
            return [(name, system.names.v_units[k], own, self.inputs.steps[n + k])]
        accelerations = column_names(system)["vdot"]
        if name in accelerations:
            k = accelerations.index(name)
            unit = f"{system.names.v_units[k]}/s"
            return [(name, unit, self.rates[n + k], self.inputs.rates[n + k])]
        return self._by_differences(name)

    def _of_function(self, function: Any, name: str) -> tuple[Any, Any]:
        """Exact derivatives of a user's function."""
        n, at = len(self.tangent.steps.places), self.point.at
        by_z, by_v = output_slopes(self.point.graph, at, function, name)
        E = self.tangent.steps.matrix(at.q)
        by_y = by_z @ (E @ self.tangent.T_positions_whole) + by_v @ self.tangent.T_velocities
        moved = self.inputs.steps
        return by_y, by_z @ (E @ moved[:n]) + by_v @ moved[n:]

    def _by_differences(self, name: str) -> list[_Row]:
        """Rows of any result, by differences along the independent steps and the inputs."""
        at, n_x = self.point.at, self.rates.shape[1]
        n_ways = n_x + len(at.u)
        points = [self._moved(k, place * _STEP) for k in range(n_ways) for place in _PLACES]
        solution = _solution(self.point.graph, [*points, at], None)
        channel = solution.channel(name)
        values = np.asarray(solution.values(name)).reshape(len(points) + 1, -1)[:-1]
        slopes = _slopes(values.reshape(n_ways, len(_PLACES), -1))
        if self.inputs.driven:
            slopes = np.hstack([slopes, self._by_drives(name)])
        names = channel.columns if len(slopes) > 1 else (channel.name,)
        units = channel.units or (channel.unit,) * len(slopes)
        return [
            (label, unit, row[:n_x], row[n_x:])
            for label, unit, row in zip(names, units, slopes, strict=True)
        ]

    def _moved(self, k: int, h: float) -> Point:
        """Point after a step of an independent state, or of a force behind these."""
        at, tangent, n_x = self.point.at, self.tangent, self.rates.shape[1]
        if k < n_x:
            q = tangent.steps.moved(at.q, h * tangent.T_positions_whole[:, k])
            return at.moved(q=q, v=at.v + h * tangent.T_velocities[:, k])
        u = at.u.copy()
        u[k - n_x] += h
        return at.moved(u=u)

    def _by_drives(self, name: str) -> Any:
        """Derivatives (n_components, n_columns) by driven inputs, of a twin with other drives."""
        twin = DriveTwin(self.point, self.inputs.driven)
        first = len(self.point.at.u)
        blocks = []
        for column in range(3 * len(self.inputs.driven)):
            step, samples = self.inputs.steps[:, first + column], []
            for place in _PLACES:
                moved, values = twin.moved(column, place * _STEP, step, self.tangent.steps)
                found = _solution(twin.graph, [moved], values).values(name)
                samples.append(np.asarray(found).reshape(-1))
            blocks.append(samples)
        return _slopes(np.array(blocks))


def _slopes(blocks: Any) -> Any:
    """Slopes (n_components, n_ways) of samples (n_ways, n_places, n_components)."""
    return np.einsum("p,wpc->cw", _WEIGHTS, blocks) / _STEP


def _solution(graph: StateGraph, points: list[Point], parameters: Any) -> Solution:
    """Solution whose samples are points of the state space."""
    loads = [graph.loads(x) for x in points]
    names = graph.system.names.parameters
    if parameters is None:
        parameters = dict(zip(names, points[0].p.tolist(), strict=True))
    return Solution(
        graph.system,
        np.full(len(points), points[0].t),
        [x.q for x in points],
        [x.v for x in points],
        [vdot for *_, vdot in loads],
        [tau for tau, *_ in loads],
        [extra for _, extra, _ in loads],
        parameters=parameters,
    )
