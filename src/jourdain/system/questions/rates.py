"""Exact rates of quantities of the equations along rates of what they depend on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import casadi as ca
import numpy as np

from jourdain.equations.quantities import MechanismQuantity
from jourdain.errors import unknown_name
from jourdain.system.compiled import CompiledModel
from jourdain.system.mechanism import kernel, quantity_of
from jourdain.system.questions.answers import Answers
from jourdain.system.questions.forces import Forces

_GIVEN = ("q", "v", "tau", "wrench", "extra", "mode", "t", "p")
_NO_RATE = ("mode",)


class Rates:
    """Questions about rates of multipliers, loads, capacities and all other quantities.

    Parameters
    ----------
    compiled : CompiledModel
        The machine.
    forces, answers : Forces, Answers
        Give arrays of forces, and the equations.
    """

    def __init__(self, compiled: CompiledModel, forces: Forces, answers: Answers) -> None:
        self._compiled, self._forces, self._answers = compiled, forces, answers
        self._kernels: dict[Any, Any] = {}

    def answer_rates(
        self,
        quantity: MechanismQuantity | str,
        q: Any,
        v: Any,
        tau: Any = None,
        t: Any = 0.0,
        *,
        along: Mapping[str, Any],
        extra: Any = None,
        mode: Any = None,
        parameters: Any = None,
    ) -> Any:
        """Rate of a quantity of connections, cut joints and contacts (`answers`) along a direction.

        One evaluation costs some two of the quantity, whatever its size. Directions that are rows
        of a unit matrix give its Jacobian, row by row.

        Parameters
        ----------
        quantity, q, v, tau, t, extra, mode, parameters
            As in `answers`. With ``mode`` what its modes hold stays held, for any number of rows.
        along : mapping of str to array
            Rates (..., n) of ``"q"``, ``"v"``, ``"tau"``, ``"wrench"``, ``"extra"``, ``"t"`` and
            ``"p"``; those left out rest.

        Examples
        --------
        >>> import numpy as np
        >>> import jourdain as jd
        >>> model = jd.Model("tied")
        >>> one, other = (model.add_coordinate(name, inertia=1.0) for name in "ab")
        >>> tie = jd.Coordinate("a") - jd.Coordinate("b")
        >>> held = model.add_connection("tie", tie, jd.Equal())
        >>> system = jd.compile(model)
        >>> still = np.zeros(2)
        >>> system.answer_rates("multipliers", still, still, along={"tau": np.eye(2)}) + 0.0
        array([[-0.5],
               [ 0.5]])
        """
        quantity = quantity_of(quantity)
        allowed = [name for name in _GIVEN if name not in _NO_RATE]
        for name in along:
            if name not in allowed:
                raise unknown_name("rate", str(name), allowed, "along")
        key = quantity, mode is None, tuple(sorted(along))
        x, graph = self._answers.graph if mode is None else self._answers.mode_graph
        if key not in self._kernels:
            value = quantity.of(graph)
            rates = {f"{n}_dot": ca.SX.sym(f"{n}_dot", x[n].numel()) for n in sorted(along)}
            base, rate = (
                ca.vertcat(ca.SX(0, 1), *(s[n] for n in names))
                for s, names in ((x, sorted(along)), (rates, rates))
            )
            slope = ca.reshape(ca.jtimes(ca.vec(value), base, rate), value.shape)
            matrices = ("rate",) if quantity.is_matrix else ()
            groups = self._compiled.description.groups
            self._kernels[key] = kernel(x | rates, {"rate": slope}, 4, matrices=matrices,
                                        groups=groups)  # fmt: skip
        sizes = {name: x[name].numel() for name in _GIVEN}
        given = {"q": q, "v": v, "tau": self._forces.forces(tau), "t": t, "extra": extra}
        given |= {"p": self._answers.parameter_array(parameters), "mode": mode}
        columns = [np.zeros(sizes[n]) if given.get(n) is None else given[n] for n in x]
        ways = {n: np.asarray(x, dtype=float) for n, x in along.items()}
        if "t" in ways:
            ways["t"] = ways["t"][..., np.newaxis]
        directions = [ways[n] for n in sorted(ways)]
        return self._kernels[key](*columns, *directions)[0]
