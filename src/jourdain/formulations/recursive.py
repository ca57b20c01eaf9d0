"""The compiled recursion as a formulation among others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jourdain.formulations.formulation import Formulation
from jourdain.system.system import System


@dataclass(frozen=True, slots=True)
class Recursive(Formulation):
    """Relative coordinates in O(n), compiled: what the system itself does. The default."""

    def accelerations(
        self,
        system: System,
        q: Any,
        v: Any,
        tau: Any = None,
        t: float = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> Any:
        """Accelerations by articulated or composite bodies."""
        return system.forward_dynamics(q, v, tau, t, wrenches=wrenches, parameters=parameters)

    def mass_matrix(self, system: System, q: Any, t: float = 0.0, *, parameters: Any = None) -> Any:
        """Mass matrix by composite bodies."""
        return system.mass_matrix(q, t, parameters=parameters)

    def inverse_dynamics(
        self,
        system: System,
        q: Any,
        v: Any,
        vdot: Any,
        t: float = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> Any:
        """Forces by recursive Newton–Euler."""
        return system.inverse_dynamics(q, v, vdot, t, wrenches=wrenches, parameters=parameters)

    def loads(
        self,
        system: System,
        q: Any,
        v: Any,
        vdot: Any,
        t: float = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> Any:
        """Interactions by recursive Newton–Euler."""
        loads = system.loads(q, v, vdot, t, wrenches=wrenches, parameters=parameters)
        return loads.interaction
