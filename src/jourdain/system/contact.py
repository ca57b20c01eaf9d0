"""Compiled functions of systems with contacts: state equation, indicators and projection by mode.

All take q, v, u, t, p, where ``u`` holds sampled inputs first and then the modes of the touchings.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any

import casadi as ca

from jourdain.codegen.kernel import Kernel
from jourdain.codegen.unrolled import unrolled_core
from jourdain.equations.touching import MODE
from jourdain.system.mechanism import kernel
from jourdain.system.state import force_expressions, state_symbols, traced_function
from jourdain.system.system import System


class ContactKernels:
    """Kernels of one system with given inputs and events.

    Parameters
    ----------
    system : System
        The compiled machine.
    inputs : mapping
        Inputs by name.
    held : mapping of str to int
        Places of sampled inputs in ``u``.
    events : mapping of str to function
        Functions of the user that are looked at for passages through zero.
    """

    def __init__(
        self,
        system: System,
        inputs: Mapping[str, Any],
        held: Mapping[str, int],
        events: Mapping[str, Any],
    ) -> None:
        self.n_held, self.n_touch = len(held), len(system._description.parts.touch_names)
        x = state_symbols(system, self.n_held + MODE * self.n_touch)
        tau, extra = force_expressions(system, x, inputs, held)
        given = {k: x[k] for k in ("q", "v", "t", "p")}
        given |= {"tau": tau, "extra": extra, "mode": x["u"][self.n_held :, :]}
        names = ("zdot", "vdot", "indicators", "touching_forces")
        zdot, vdot, indicators, forces = system.expressions(*names, **given)
        sizes = [(name, symbol.numel()) for name, symbol in x.items()]
        shapes = [("qdot", (zdot.numel(),)), ("vdot", (vdot.numel(),))]
        rates = {"qdot": zdot, "vdot": vdot}
        self.rates = Kernel(partial(unrolled_core, x, rates), 1, sizes, shapes)
        self._x = x
        along = ca.jacobian(zdot, x["v"])
        still = {k: e for k, e in given.items() if k != "mode"}
        (a,) = system.expressions("vdot", **still)
        self._by_v, self._by_q = ca.jacobian(a, x["v"]), ca.jacobian(a, x["q"]) @ along
        functions = [traced_function(system, x, f, f"event {name!r}") for name, f in events.items()]
        self.indicators = kernel(x, {"values": ca.vertcat(indicators, *functions)})
        self.forces = kernel(x, {"touching": forces, "tau": tau, "extra": extra})
        corrections = ("position_correction", "velocity_correction", "largest_errors")
        outputs = dict(zip(corrections, system.expressions(*corrections, **given), strict=True))
        self.projection = kernel(x, outputs)
        rows = ("gaps", "contact_rates", "contact_bias", "capacities", "contact_jacobian",
                "contact_response_jacobian", "vdot")  # fmt: skip
        free = {k: x for k, x in given.items() if k != "mode"}
        values = dict(zip(rows, system.expressions(*rows, **free), strict=True))
        self.rows = kernel(x, values)

    @property
    def has_stiffness(self) -> bool:
        """Whether accelerations without contact depend on the state."""
        return bool(self._by_v.nnz() or self._by_q.nnz())

    @cached_property
    def stiffness(self) -> Kernel:
        """Derivatives of the accelerations by v, and by q along velocities, each (n_v, n_v)."""
        return kernel(self._x, {"by_v_jacobian": self._by_v, "by_q_jacobian": self._by_q})
