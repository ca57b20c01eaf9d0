"""State at the start of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jourdain.analysis.assemble import assemble
from jourdain.analysis.assembly.open_loops import open_loops
from jourdain.analysis.assembly.settle import settled
from jourdain.analysis.doctor.shaky import require_firm
from jourdain.equations.mechanism import Mechanism
from jourdain.errors import ModelError
from jourdain.results.moment import Moment
from jourdain.simulation.sampled import Held
from jourdain.system import System
from jourdain.system.state import forces_kernel

_CLOSED = 1e-9  # error of a position [m, rad] that a run may start with
_UNIT = 1e-6  # by which the length of a given quaternion may differ from one


def start_state(system: System, start: Any, t: float = 0.0, parameters: Any = None) -> Any:
    """State at the start from names or arrays; quaternions get unit length.

    Raises
    ------
    ModelError
        If the numbers are too many, too few, not finite, or no orientation.
    """
    names = system.names
    start = start.state if isinstance(start, Moment) else start
    given: Any = start
    if not (start is None or isinstance(start, Mapping | tuple)):
        raise ModelError(
            f"start is {start!r:.60}; give a dictionary of names and values, such as "
            '{"main.angle": 0.5}, sol.at(0.3) to go on from a time of a run, or sol.final to go on '
            "from its end."
        )
    if isinstance(start, tuple) and len(start) == 2:
        q, v = start
    elif system.has_constraints:
        found = assemble(system, given, t=t, parameters=parameters)
        q, v = found.q, found.v
    else:
        q, v = system.state(given)
    try:
        q, v = np.array(q, dtype=float), np.array(v, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"start is {start!r:.60}, which is no pair of arrays (q, v).") from error
    if q.shape != (len(names.q),) or v.shape != (len(names.v),):
        raise ModelError(
            f"start has arrays of shapes {q.shape} and {v.shape}; model {system.model.name!r} "
            f"needs q ({len(names.q)},): {', '.join(names.q)}; and v ({len(names.v)},): "
            f"{', '.join(names.v)}."
        )
    if not np.all(np.isfinite(np.concatenate([q, v]))):
        raise ModelError("the start values are not all finite numbers.")
    places = np.array(names.quaternions, dtype=int)[:, None] + np.arange(4)
    lengths = np.linalg.norm(q[places], axis=1)
    for k in np.flatnonzero(np.abs(lengths - 1.0) > _UNIT):
        name = names.q[places[k, 0]].removesuffix(".w")
        raise ModelError(
            f"start value of {name!r} is a quaternion of length {lengths[k]:.6g}; give one of unit "
            "length, scalar first, such as (1, 0, 0, 0)."
        )
    q[places] /= lengths[:, None]
    q = settled(system, q, t, parameters)
    is_assembled = not isinstance(start, tuple)  # what is held stays as it is, to the bit
    if system.has_constraints and not (is_assembled and _is_closed(system, q, v, t, parameters)):
        q, v = _on_constraints(system, q, v, t, parameters)
    require_firm(system, q, t, system.parameter_array(parameters))
    return np.concatenate([q, v])


def settle_with_inputs(system: System, y: Any, t: float, p: Any, inputs: Mapping[str, Any]) -> None:
    """Move massless nodes of a state to where the inputs have them; sampled inputs are zero yet."""
    if not inputs or not system.model.composites:
        return
    n, sampled = len(system.names.q), Held(inputs, t)
    q, v = y[:n], y[n:]
    kernel = forces_kernel(system, inputs, sampled.places)
    y[:n] = settled(system, q, t, p, kernel.run(q, v, sampled.u, t, p)[1])


def _is_closed(system: System, q: Any, v: Any, t: float, parameters: Any) -> bool:
    return bool(system.largest_error(q, v, t, parameters=parameters) < _CLOSED)


def _on_constraints(system: System, q: Any, v: Any, t: float, parameters: Any) -> tuple[Any, Any]:
    """State moved onto the constraints; it must be near."""
    q, v = system.project(q, v, t, parameters=parameters)
    if _is_closed(system, q, v, t, parameters):
        return q, v
    errors = system.answers(Mechanism.position_errors, q, v, t=t, parameters=parameters)
    raise open_loops(system, errors, t, ())
