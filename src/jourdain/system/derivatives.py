"""Exact derivatives of forward and inverse dynamics."""

from __future__ import annotations

from typing import Any, NamedTuple

import casadi as ca
import numpy as np

from jourdain.equations import articulated_body, newton_euler
from jourdain.equations.recursion import Recursion
from jourdain.system import dense
from jourdain.system.description import Description
from jourdain.system.dynamics import FORWARD
from jourdain.system.evaluator import numbers
from jourdain.system.execution import Unrolled
from jourdain.system.loads import Loaded
from jourdain.system.mechanism import kernel

_FORWARD = dense.forward(FORWARD)


class Derivatives(NamedTuple):
    """Jacobians (..., n_v, n) of a result with respect to the arguments.

    ``q`` [per m, rad or 1], ``v``, ``force`` (tau or dv/dt) and ``parameters``.
    """

    q: Any
    v: Any
    force: Any
    parameters: Any


class Differentiable(Loaded):
    """Questions about sensitivities."""

    def forward_dynamics_derivatives(
        self, q: Any, v: Any, tau: Any = None, t: Any = 0.0, *, parameters: Any = None
    ) -> Derivatives:
        """Derivatives of `forward_dynamics` by q, v, tau and the parameters.

        Derivatives by quaternion components are those of the formula with free components. With
        connections and closed loops, at one state.
        """
        third = tau if type(tau) is np.ndarray else self.forces(tau)
        if self.has_connections:
            return self._connected_derivatives(q, v, third, t, parameters)
        return self._derivatives(_FORWARD, articulated_body.FORWARD, (q, v, third), t, parameters)

    def inverse_dynamics_derivatives(
        self, q: Any, v: Any, vdot: Any, t: Any = 0.0, *, parameters: Any = None
    ) -> Derivatives:
        """Derivatives of `inverse_dynamics` by q, v, dv/dt and the parameters."""
        return self._derivatives(dense.INVERSE, newton_euler.INVERSE, (q, v, vdot), t, parameters)

    def _derivatives(
        self, matrices: dense.Dense, recursion: Recursion, arguments: Any, t: Any, parameters: Any
    ) -> Derivatives:
        (D,) = self._run(matrices, *arguments, t, parameters=parameters)
        n_q, n_v = self._description.n_q, self._description.n_v
        by_q, by_v, by_force = D[..., :n_q], D[..., n_q : n_q + n_v], D[..., n_q + n_v :]
        if not self.names.parameters:
            return Derivatives(by_q, by_v, by_force, D[..., :0])
        p = self.parameter_array(parameters)
        return Derivatives(by_q, by_v, by_force, self._by_parameter(recursion, arguments, t, p))

    def _connected_derivatives(
        self, q: Any, v: Any, tau: Any, t: float, parameters: Any
    ) -> Derivatives:
        """Derivatives with connections and loops, whose multipliers change with the state."""
        p, found = self.parameter_array(parameters), []
        for name in ("q", "v", "tau", "p"):
            key = f"vdot_by_{name}_jacobian"
            x, graph = self._graph
            if not x[name].numel():
                found.append(np.zeros((self._description.n_v, 0)))
                continue
            if key not in self.kernels:
                slope = ca.densify(ca.jacobian(graph.vdot, x[name]))
                self.kernels[key] = kernel(x, {key: slope}, 1)
            still = [np.zeros(x[word].numel()) for word in ("wrench", "extra", "mode")]
            found.append(self.kernels[key](q, v, tau, *still, t, p)[0])
        return Derivatives(*found)

    def _by_parameter(self, recursion: Recursion, arguments: Any, t: Any, p: Any) -> Any:
        """Derivatives (..., n_v, n_p), as rates along unit changes of the parameters."""
        key = recursion.name + "_by_parameter"
        if key not in self._functions:
            unrolled = Description(self.model, share=False, cut=self._description.cut)
            self._functions[key] = Unrolled().prepare_tangent(recursion, unrolled)
        q, *others = arguments
        given = [numbers(x)[..., np.newaxis, :] for x in (self.of_tree(q), *others, p)]
        still = [np.zeros(x.shape[-1]) for x in given[:-1]]
        t = np.asarray(t, dtype=float)[..., np.newaxis]
        unit = np.eye(p.shape[-1])
        rates = self._functions[key](*given[:-1], *still, unit, t, given[-1])[0]
        return np.swapaxes(rates, -1, -2)
