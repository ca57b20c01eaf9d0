"""Exact derivatives of forward and inverse dynamics."""

from __future__ import annotations

from typing import Any, NamedTuple

import casadi as ca
import numpy as np

from jourdain.equations.recursion import articulated_body, newton_euler
from jourdain.equations.recursion.sweeps import Recursion
from jourdain.errors import ModelError
from jourdain.system.compiled import CompiledModel
from jourdain.system.description import Description
from jourdain.system.execution import Unrolled
from jourdain.system.looped import dense
from jourdain.system.looped.state_loops import looped_kernel
from jourdain.system.mechanism import kernel
from jourdain.system.parameters import numbers
from jourdain.system.plan import LANES_UP_TO, UNROLLED_UP_TO
from jourdain.system.questions.answers import Answers
from jourdain.system.questions.dynamics import FORWARD, Dynamics
from jourdain.system.questions.forces import Forces

_FORWARD = dense.forward(FORWARD)
_BY = ("q", "v", "tau", "p")  # what accelerations are differentiated by


class Derivatives(NamedTuple):
    """Jacobians (..., n_v, n) of a result with respect to the arguments.

    ``q`` [per m, rad or 1], ``v``, ``force`` (tau or dv/dt) and ``parameters``.
    """

    q: Any
    v: Any
    force: Any
    parameters: Any


class Slopes:
    """Questions about derivatives of the dynamics.

    Parameters
    ----------
    compiled : CompiledModel
        The machine.
    forces, answers, dynamics : Forces, Answers, Dynamics
        Give arrays of forces, equations with connections, and the mass matrix.
    """

    def __init__(
        self, compiled: CompiledModel, forces: Forces, answers: Answers, dynamics: Dynamics
    ) -> None:
        self._compiled, self._d = compiled, compiled.description
        self._forces, self._answers, self._dynamics = forces, answers, dynamics
        self._functions: dict[str, Any] = {}

    def forward_dynamics_derivatives(
        self, q: Any, v: Any, tau: Any = None, t: Any = 0.0, *, parameters: Any = None
    ) -> Derivatives:
        """Derivatives of `forward_dynamics` by q, v, tau and the parameters.

        Derivatives by quaternion components are those of the formula with free components. With
        connections and closed loops, at one state.
        """
        third = tau if type(tau) is np.ndarray else self._forces.forces(tau)
        if self._compiled.has_connections:
            return self._connected_derivatives(q, v, third, t, parameters)
        return self._derivatives(_FORWARD, articulated_body.FORWARD, (q, v, third), t, parameters)

    def inverse_dynamics_derivatives(
        self, q: Any, v: Any, vdot: Any, t: Any = 0.0, *, parameters: Any = None
    ) -> Derivatives:
        """Derivatives of `inverse_dynamics` by q, v, dv/dt and the parameters.

        Raises
        ------
        ModelError
            If the model has flexible bodies.
        """
        if self._compiled.is_flexible:
            raise ModelError(
                f"model {self._compiled.model.name!r} has flexible bodies: derivatives of inverse "
                "dynamics are there for rigid ones only; those of forward dynamics for both."
            )
        return self._derivatives(dense.INVERSE, newton_euler.INVERSE, (q, v, vdot), t, parameters)

    def _derivatives(
        self, matrices: dense.Dense, recursion: Recursion, arguments: Any, t: Any, parameters: Any
    ) -> Derivatives:
        if self._compiled.is_flexible:
            raise ModelError(
                f"model {self._compiled.model.name!r} has flexible bodies without springs: "
                "derivatives of its dynamics are not there. Compile the model they belong to."
            )
        (D,) = self._compiled.run(matrices, *arguments, t, parameters=parameters)
        n_q, n_v = self._d.n_q, self._d.n_v
        by_q, by_v, by_force = D[..., :n_q], D[..., n_q : n_q + n_v], D[..., n_q + n_v :]
        if not self._d.names.parameters:
            return Derivatives(by_q, by_v, by_force, D[..., :0])
        p = self._compiled.parameters.array(parameters)
        return Derivatives(by_q, by_v, by_force, self._by_parameter(recursion, arguments, t, p))

    def _connected_derivatives(
        self, q: Any, v: Any, tau: Any, t: float, parameters: Any
    ) -> Derivatives:
        """Derivatives with connections and loops, whose multipliers change with the state."""
        p = self._compiled.parameters.array(parameters)
        d = self._d
        is_small = len(d.links) + len(d.parts.connections) <= UNROLLED_UP_TO
        if is_small:
            return Derivatives(*(self._of_graph(name, q, v, tau, t, p) for name in _BY))
        if d.parts.is_corrected or d.parts.has_contacts or self._compiled.is_flexible:
            return Derivatives(*self._along_graph(_BY, q, v, tau, t, p))
        slopes = self._along_units(q, v, tau, t, p)
        by_tau = self._dynamics.solve_mass_matrix(q, np.eye(len(tau)), t, parameters=p)
        return Derivatives(*slopes, by_tau, *self._along_graph(("p",), q, v, tau, t, p))

    def _along_units(self, q: Any, v: Any, tau: Any, t: float, p: Any) -> tuple[Any, Any]:
        """Derivatives by q and v of a system with forces: rates along unit changes of both."""
        if "slopes" not in self._functions:
            self._functions["slopes"] = self._tangent_of_forces()
        n_q, n_v = len(self._d.names.q), len(self._d.names.v)
        units = np.eye(n_q + n_v)
        given = [numbers(x) for x in (q, v)]
        rates = self._functions["slopes"](
            *given, tau, np.asarray(t, dtype=float), units[:, :n_q], units[:, n_q:], p
        )
        return rates[1][:n_q].T, rates[1][n_q:].T

    def _tangent_of_forces(self) -> Any:
        """Kernel of the derivative of accelerations along rates of q and v, in loops."""
        own = self._d
        d = own if own.share else Description(self._compiled.model, share=True, cut=own.cut)
        sizes = {"q": len(d.names.q), "v": d.n_v, "force": d.n_v, "t": 1, "p": len(d.nominal)}
        x = {name: ca.SX.sym(name, n) for name, n in sizes.items()}
        along = {f"{n}_dot": ca.SX.sym(f"{n}_dot", sizes[n]) for n in ("q", "v")}
        extra = ca.SX.zeros(len(d.parts.extra))
        lanes = 4 if len(d.parts.connections) <= LANES_UP_TO else 1
        kernel = looped_kernel(d, x, x["force"], extra, along, lanes=lanes)
        bound = dense.BoundKernel(kernel, d.nominal)
        return lambda q, v, tau, t, q_dot, v_dot, p: bound.of(p)(q, v, tau, t, p, q_dot, v_dot)

    def _of_graph(self, name: str, *state: Any) -> Any:
        """Derivative of the accelerations of a small system by one argument, unrolled."""
        x, graph = self._answers.graph
        if not x[name].numel():
            return np.zeros((self._d.n_v, 0))
        key = f"vdot_by_{name}"
        if key not in self._functions:
            slope = ca.densify(ca.jacobian(graph.vdot, x[name]))
            self._functions[key] = kernel(x, {key: slope}, matrices=(key,))
        q, v, tau, t, p = state
        still = [np.zeros(x[word].numel()) for word in ("wrench", "extra", "mode")]
        return self._functions[key](q, v, tau, *still, t, p)[0]

    def _along_graph(self, names: tuple[str, ...], *state: Any) -> list[Any]:
        """Derivatives of the accelerations by some arguments: rates along unit changes of them.

        The tangent of the expression graph is compiled once; a Jacobian of a large system would be
        as many graphs as it has columns.
        """
        x, graph = self._answers.graph
        sizes = [x[name].numel() if name in names else 0 for name in _BY]
        if not sum(sizes):
            return [np.zeros((self._d.n_v, 0)) for _ in names]
        if "along" not in self._functions:
            along = {f"{n}_dot": ca.SX.sym(f"{n}_dot", x[n].numel()) for n in _BY}
            base = ca.vertcat(*(x[name] for name in _BY))
            rate = ca.jtimes(graph.vdot, base, ca.vertcat(*along.values()))
            self._functions["along"] = kernel(
                x | along, {"vdot_dot": rate}, 4, groups=self._d.groups
            )
        q, v, tau, t, p = state
        still = [np.zeros(x[word].numel()) for word in ("wrench", "extra", "mode")]
        ends = np.cumsum(sizes)
        units = [
            np.eye(ends[-1])[:, end - n : end] if n else np.zeros(x[name].numel())
            for name, n, end in zip(_BY, sizes, ends, strict=True)
        ]
        rates = self._functions["along"](q, v, tau, *still, t, p, *units)[0]
        found = dict(zip(_BY, np.split(rates.T, ends[:-1], axis=1), strict=True))
        return [found[name] for name in names]

    def _by_parameter(self, recursion: Recursion, arguments: Any, t: Any, p: Any) -> Any:
        """Derivatives (..., n_v, n_p), as rates along unit changes of the parameters."""
        key = recursion.name + "_by_parameter"
        if key not in self._functions:
            unrolled = Description(self._compiled.model, share=False, cut=self._d.cut)
            self._functions[key] = Unrolled().prepare_tangent(recursion, unrolled)
        q, *others = arguments
        given = [numbers(x)[..., np.newaxis, :] for x in (self._compiled.of_tree(q), *others, p)]
        still = [np.zeros(x.shape[-1]) for x in given[:-1]]
        t = np.asarray(t, dtype=float)[..., np.newaxis]
        unit = np.eye(p.shape[-1])
        rates = self._functions[key](*given[:-1], *still, unit, t, given[-1])[0]
        return np.swapaxes(rates, -1, -2)
