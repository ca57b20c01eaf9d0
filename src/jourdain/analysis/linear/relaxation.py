"""Dynamic relaxation: runs that are stopped whenever they are fastest come to a rest.

The fall-back of the search for rest where contacts jam or part: the runs decide which carry.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.analysis.linear.point import OperatingPoint
from jourdain.analysis.simulate import simulate
from jourdain.errors import AssemblyError, IntegrationError
from jourdain.simulation.methods import MoreauJean

_ROUNDS = 60
_STEPS = 200  # time steps of a run
_QUIET = 1e-9  # part of the largest kinetic energy that counts as rest


def relaxed(point: OperatingPoint, duration: float) -> Any:
    """Positions near a rest, from a state and a time [s] in which it begins to move.

    Parameters
    ----------
    point : OperatingPoint
        Start and inputs.
    duration : float [s]
        Length of the first run; later ones are as long as it takes to become fastest.
    """
    system, at = point.system, point.at
    free = dict(zip(point.graph.free, at.u.tolist(), strict=True))
    parameters = dict(zip(system.names.parameters, at.p.tolist(), strict=True))
    options: Any = {"inputs": {**point.graph.inputs, **free}, "parameters": parameters}
    q, still, largest = at.q, np.zeros_like(at.v), 0.0
    for _ in range(_ROUNDS):
        try:
            dt = duration / _STEPS
            method = MoreauJean(dt=dt)
            sol = simulate(
                system, duration, start=(q, still), method=method, sample=4.0 * dt, **options
            )
        except (AssemblyError, IntegrationError):
            break
        energy = np.asarray(system.energy(sol.q, sol.v, at.t, parameters=at.p)[0])
        k = int(np.argmax(energy))
        largest = max(largest, float(energy[k]))
        q = np.array(sol.q[k])
        if energy[k] <= _QUIET * largest:
            break
        duration *= 2.0 if k == len(energy) - 1 else max(0.5, 2.0 * k / len(energy))
    return q
