"""Outputs of linear equations: any result of a solution, or functions of the user.

Coordinates, velocities, accelerations and functions have exact rows. Other results are differences
of sixth order along the allowed steps, good to about ten digits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.analysis.linear.independent import Tangent
from jourdain.analysis.linear.point import OperatingPoint
from jourdain.errors import ModelError
from jourdain.results import Solution
from jourdain.results.channels.catalogue import column_names
from jourdain.spatial.check import shown
from jourdain.system.linear.state_graph import output_slopes

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


def output_matrices(
    point: OperatingPoint, tangent: Tangent, columns: tuple[Any, Any], wanted: Any
) -> Outputs:
    """Output equations of some results, or of all states where none are named.

    Parameters
    ----------
    point, tangent
        The operating point and the allowed steps there.
    columns : pair of arrays
        Rates of all steps by independent ones, and by inputs.
    wanted : iterable of str, mapping or None
        Names, or functions of (t, s) by name.
    """
    n_x, n_u = (x.shape[1] for x in columns)
    if wanted is None:
        return Outputs(tangent.names, tangent.units, np.eye(n_x), np.zeros((n_x, n_u)))
    rows: list[tuple[str, str, Any, Any]] = []
    for name, function in _functions(wanted).items():
        rows += _rows(point, tangent, columns, name, function)
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


def _rows(
    point: OperatingPoint, tangent: Tangent, columns: Any, name: str, function: Any
) -> list[tuple[str, str, Any, Any]]:
    n_u = columns[1].shape[1]
    steps, system, none = tangent.steps, point.system, np.zeros(n_u)
    if callable(function):
        return [(name, "", _function_row(point, tangent, function, name), none)]
    if name in steps.names:
        k = steps.names.index(name)
        return [(name, steps.units[k], tangent.T_positions_whole[k], none)]
    if name in system.names.v:
        k = system.names.v.index(name)
        return [(name, system.names.v_units[k], tangent.T_velocities[k], none)]
    accelerations = column_names(system)["vdot"]
    if name in accelerations:
        k = accelerations.index(name)
        row = len(steps.places) + k
        return [(name, f"{system.names.v_units[k]}/s", columns[0][row], columns[1][row])]
    return _differences(point, tangent, columns, name)


def _function_row(point: OperatingPoint, tangent: Tangent, function: Any, name: str) -> Any:
    """Exact derivative of a user's function by the independent steps."""
    by_z, by_v = output_slopes(point.graph, point.at, function, name)
    moves = tangent.steps.matrix(point.at.q) @ tangent.T_positions_whole
    return by_z @ moves + by_v @ tangent.T_velocities


def _differences(
    point: OperatingPoint, tangent: Tangent, columns: Any, name: str
) -> list[tuple[str, str, Any, Any]]:
    """Rows of any result, by differences along the independent steps and the inputs."""
    at, n_x, n_u = point.at, columns[0].shape[1], columns[1].shape[1]
    n_forces = len(at.u)
    ways = [(k, None) for k in range(n_x)] + [(None, k) for k in range(n_forces)]
    samples = []
    for state, force in ways:
        for place in _PLACES:
            h = place * _STEP
            moved = at
            if state is not None:
                eta = h * tangent.T_positions_whole[:, state]
                q = tangent.steps.moved(at.q, eta)
                moved = at.moved(q=q, v=at.v + h * tangent.T_velocities[:, state])
            else:
                u = at.u.copy()
                u[force] += h
                moved = at.moved(u=u)
            samples.append((moved, *point.graph.loads(moved)))
    samples.append((at, *point.graph.loads(at)))
    solution = Solution(
        point.system,
        np.full(len(samples), at.t),
        [x.q for x, *_ in samples],
        [x.v for x, *_ in samples],
        [vdot for *_, vdot in samples],
        [tau for _, tau, _, _ in samples],
        [extra for _, _, extra, _ in samples],
        parameters=dict(zip(point.system.names.parameters, at.p.tolist(), strict=True)),
    )
    channel = solution.channel(name)
    values = np.asarray(solution.values(name)).reshape(len(samples), -1)[:-1]
    blocks = values.reshape(len(ways), len(_PLACES), -1)
    slopes = np.einsum("p,wpc->cw", _WEIGHTS, blocks) / _STEP
    driven = np.zeros((len(slopes), n_u - n_forces))
    if n_u > n_forces and not _is_relative(name, point):
        raise ModelError(
            f"output {name!r} may depend on driven inputs in a way that is not known. Ask for "
            "coordinates, velocities or accelerations, or give a function of (t, s)."
        )
    names = channel.columns if len(slopes) > 1 else (channel.name,)
    units = channel.units or (channel.unit,) * len(slopes)
    return [
        (label, unit, row[:n_x], np.concatenate([row[n_x:], more]))
        for label, unit, row, more in zip(names, units, slopes, driven, strict=True)
    ]


def _is_relative(name: str, point: OperatingPoint) -> bool:
    """Whether a result belongs to a joint, whose own motion drives of others do not change."""
    element = name.partition(".")[0]
    return element in point.system.model.joints
