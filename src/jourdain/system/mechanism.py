"""Compiled functions of systems with connections and closed loops."""

from __future__ import annotations

from functools import partial
from typing import Any

import casadi as ca

from jourdain.codegen.kernel import Kernel
from jourdain.codegen.unrolled import unrolled_core
from jourdain.equations.mechanism import Mechanism
from jourdain.system.description import Description

INPUTS = ("q", "v", "tau", "wrench", "extra", "t", "p")


def symbols(d: Description) -> dict[str, Any]:
    """Symbols of all that a mechanism depends on."""
    sizes = {
        "q": len(d.names.q),
        "v": d.n_v,
        "tau": d.n_v,
        "wrench": 6 * d.layout.n_bodies,
        "extra": len(d.parts.closing_velocities) + len(d.parts.inputs),
        "t": 1,
        "p": len(d.names.parameters),
    }
    return {name: ca.SX.sym(name, size) for name, size in sizes.items()}


def mechanism(d: Description, x: dict[str, Any]) -> Mechanism:
    """Expressions of a mechanism on given symbols or expressions."""
    names = d.names.parameters
    values = dict(zip(names, ca.vertsplit(x["p"]), strict=True)) if names else {}
    columns = d.drives(x["t"], x["p"]) if d.drives else (ca.SX(0, 1),) * 3
    inputs = x | {f"e{k or ''}": e for k, e in enumerate(columns)}
    links = d.links_for(values)
    return Mechanism(links, d.layout, d.parts, inputs, values, d.gravity(values))


def kernel(inputs: dict[str, Any], outputs: dict[str, Any], lanes: int = 1) -> Kernel:
    """Compile expressions to a function of arrays; what is called a Jacobian is a matrix."""
    columns = {name: ca.vec(ca.densify(value.T)) for name, value in outputs.items()}
    wanted = [
        (name, value.shape if name.endswith("jacobian") else (value.numel(),))
        for name, value in outputs.items()
    ]
    sizes = [(name, symbol.numel()) for name, symbol in inputs.items()]
    return Kernel(partial(unrolled_core, inputs, columns), lanes, sizes, wanted)


def projection_kernel(d: Description, n_u: int = 0) -> Kernel:
    """Compile the corrections that take constraint errors away, to first order.

    Pointers: q, v, u, t, p → changes of q and v, largest errors of positions and of velocities.
    """
    x = symbols(d)
    none = {k: ca.SX.zeros(x[k].numel()) for k in ("tau", "wrench", "extra")}
    found = mechanism(d, x | none)
    dz, dv = found.corrections
    errors = [
        ca.norm_inf(e) if e.numel() else ca.SX(0)
        for e in (found.position_errors, found.velocity_errors)
    ]
    inputs = {k: (x | {"u": ca.SX.sym("u", n_u)})[k] for k in ("q", "v", "u", "t", "p")}
    return kernel(inputs, {"dq": dz, "dv": dv, "errors": ca.vertcat(*errors)})
