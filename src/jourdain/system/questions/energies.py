"""Energy, momentum and centre of mass of a system."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from jourdain.equations.recursion import balance
from jourdain.errors import SingularSystemError
from jourdain.system.checks.interpreted import InterpretedFunction
from jourdain.system.compiled import CompiledModel
from jourdain.system.execution import Unrolled, symbolic
from jourdain.system.plan import COMPILED_FROM


class Energies:
    """Questions about energy, momentum and mass.

    Parameters
    ----------
    compiled : CompiledModel
        The machine.
    """

    def __init__(self, compiled: CompiledModel) -> None:
        self._compiled = compiled
        self._asked = 0  # states whose energies were asked for

    def energy(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> tuple[Any, Any]:
        """Kinetic and potential energy [J]; the potential is zero at the world's origin."""
        energy = self.energies(q, v, t, parameters=parameters)
        return energy[..., 0].sum(axis=-1), energy[..., 1].sum(axis=-1)

    def energies(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Kinetic and potential energy (..., n_links, 2) [J] of each body and scalar coordinate."""
        return self._compiled.run(balance.BALANCE, q, v, t, parameters=parameters)[0]

    def energy_of_few(self, q: Any, v: Any, t: Any, p: Any) -> tuple[Any, Any]:
        """As `energy`, for a few states: straight-line code is interpreted until that pays."""
        self._asked += len(q)
        is_straight = isinstance(self._compiled.execution, Unrolled)
        if not is_straight or self._asked > COMPILED_FROM:
            return self.energy(q, v, t, parameters=p)
        both = self._few_energies.rows((self._compiled.of_tree(q), v, t, p))
        return both[..., 0, 0], both[..., 1, 0]

    @cached_property
    def _few_energies(self) -> InterpretedFunction:
        """Kinetic and potential energy of all together."""
        inputs, outputs = symbolic(balance.BALANCE, self._compiled.description)
        each = ca.reshape(outputs["energy"], 2, -1)
        return InterpretedFunction(inputs, ca.sum2(each))

    def momentum(self, q: Any, v: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Momentum [L; P] (..., 6) [kg m^2/s, kg m/s] of all bodies about the world's origin."""
        momenta = self._compiled.run(balance.BALANCE, q, v, t, parameters=parameters)[1]
        return momenta[..., : self._compiled.n_bodies, :].sum(axis=-2)

    def centre_of_mass(self, q: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Centre of mass of all bodies (..., 3) [m]."""
        moment = self._moment(q, t, parameters)
        return moment[..., 1:] / self._mass(moment[..., :1])

    def centre_of_mass_jacobian(self, q: Any, t: Any = 0.0, *, parameters: Any = None) -> Any:
        """Jacobian (..., 3, n_v) of the centre of mass."""
        (columns,) = self._compiled.run(balance.MOMENT_COLUMNS, q, t, parameters=parameters)
        moment = self._moment(q, t, parameters)
        return np.swapaxes(columns, -1, -2) / self._mass(moment[..., :1])[..., np.newaxis]

    def _moment(self, q: Any, t: Any, parameters: Any) -> Any:
        """Mass, and mass times position, of all bodies (..., 4) [kg, kg m]."""
        zero = np.zeros(self._compiled.description.n_v)
        moments = self._compiled.run(balance.BALANCE, q, zero, t, parameters=parameters)[2]
        return moments.sum(axis=-2)

    def _mass(self, total: Any) -> Any:
        if not np.all(total > 0.0):
            raise SingularSystemError(
                f"model {self._compiled.model.name!r} has no mass, so it has no centre of mass. "
                "Give a body a mass."
            )
        return total
