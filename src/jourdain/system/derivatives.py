"""Exact derivatives of forward and inverse dynamics.

A compiled tangent gives the rate of the result along a direction of the inputs; the columns of a
Jacobian are such rates along the unit directions, evaluated as one batch in SIMD lanes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from jourdain.equations import articulated_body, newton_euler
from jourdain.equations.recursion import Recursion
from jourdain.system.description import Description
from jourdain.system.execution import Evaluate, Looped, Unrolled
from jourdain.system.loads import Loaded
from jourdain.system.mechanism import kernel


@dataclass(frozen=True)
class Derivatives:
    """Jacobians (n_v, n) of a result with respect to the arguments.

    ``q`` [per m, rad or 1], ``v``, ``force`` (tau or dv/dt) and ``parameters``.
    """

    q: Any
    v: Any
    force: Any
    parameters: Any


class Differentiable(Loaded):
    """Questions about sensitivities."""

    def forward_dynamics_derivatives(
        self, q: Any, v: Any, tau: Any = None, t: float = 0.0, *, parameters: Any = None
    ) -> Derivatives:
        """Derivatives of `forward_dynamics` by q, v, tau and the parameters, at one state.

        Derivatives by quaternion components are those of the formula with free components.
        """
        third = self.forces(tau)
        if self.has_connections:
            return self._connected_derivatives(q, v, third, t, parameters)
        return self._derivatives(articulated_body.FORWARD, (q, v, third), t, parameters)

    def inverse_dynamics_derivatives(
        self, q: Any, v: Any, vdot: Any, t: float = 0.0, *, parameters: Any = None
    ) -> Derivatives:
        """Derivatives of `inverse_dynamics` by q, v, dv/dt and the parameters, at one state."""
        return self._derivatives(newton_euler.INVERSE, (q, v, vdot), t, parameters)

    def _derivatives(
        self, recursion: Recursion, arguments: tuple[Any, ...], t: float, parameters: Any
    ) -> Derivatives:
        p = self.parameter_array(parameters)
        columns = [np.asarray(x, dtype=float) for x in arguments]
        columns[0] = self.of_tree(columns[0])
        sizes = [len(x) for x in columns]
        seeds = np.split(np.eye(sum(sizes)), np.cumsum(sizes)[:-1], axis=1)
        if isinstance(self.execution, Looped):
            (by_state,) = self._tangent(recursion)(*columns, *seeds, t, p)
            by_parameter = self._by_parameter(recursion, columns, t, p)
        else:
            still = [np.zeros((len(p), n)) for n in sizes]
            both = [np.vstack(pair) for pair in zip(seeds, still, strict=True)]
            p_dot = np.vstack([np.zeros((sum(sizes), len(p))), np.eye(len(p))])
            (rates,) = self._tangent(recursion)(*columns, *both, p_dot, t, p)
            by_state, by_parameter = rates[: sum(sizes)], rates[sum(sizes) :]
        by_q, by_v, by_force = np.split(by_state, np.cumsum(sizes)[:-1], axis=0)
        return Derivatives(by_q.T, by_v.T, by_force.T, by_parameter.T)

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

    def _by_parameter(self, recursion: Recursion, columns: list[Any], t: float, p: Any) -> Any:
        if not len(p):
            return np.zeros((0, self._description.n_v))
        key = recursion.name + "_by_parameter"
        if key not in self._functions:
            unrolled = Description(self.model, share=False, cut=self._description.cut)
            self._functions[key] = Unrolled().prepare_tangent(recursion, unrolled)
        still = [np.zeros(len(x)) for x in columns]
        return self._functions[key](*columns, *still, np.eye(len(p)), t, p)[0]

    def _tangent(self, recursion: Recursion) -> Evaluate:
        key = recursion.name + "_tangent"
        if key not in self._functions:
            self._functions[key] = self.execution.prepare_tangent(recursion, self._description)
        return self._functions[key]
