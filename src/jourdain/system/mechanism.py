"""Compiled functions of systems with connections and closed loops."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.kernel import Kernel, Pattern
from jourdain.codegen.rolling.core import Groups
from jourdain.codegen.unrolled import unrolled_core
from jourdain.equations.connections.connected import Connected
from jourdain.equations.contact.contact_points import MODE
from jourdain.equations.mechanism import Mechanism
from jourdain.equations.parts import Parts
from jourdain.equations.quantities import MechanismQuantity, declared
from jourdain.equations.tracing.kinks import Kinks
from jourdain.errors import unknown_name
from jourdain.system.checks.singular import leans_on_constraints
from jourdain.system.checks.wide import has_wide_inertias
from jourdain.system.description import Description

_QUANTITIES = declared(Mechanism)


def quantity_of(asked: MechanismQuantity | str) -> MechanismQuantity:
    """Quantity of a mechanism; users may give its name.

    Raises
    ------
    UnknownNameError
        If no quantity has the name.
    """
    if isinstance(asked, MechanismQuantity):
        return asked
    if asked not in _QUANTITIES:
        raise unknown_name("quantity", asked, _QUANTITIES, "the equations of a mechanism")
    return _QUANTITIES[asked]


def symbols(d: Description) -> dict[str, Any]:
    """Symbols of all that a mechanism depends on."""
    sizes = {
        "q": len(d.names.q),
        "v": d.n_v,
        "tau": d.n_v,
        "wrench": 6 * d.layout.n_bodies,
        "extra": len(d.parts.extra),
        "mode": MODE * len(d.parts.contact_names),
        "t": 1,
        "p": len(d.names.parameters),
    }
    return {name: ca.SX.sym(name, size) for name, size in sizes.items()}


def mechanism(d: Description, x: dict[str, Any]) -> Mechanism:
    """Expressions of a mechanism on given symbols or expressions."""
    graph = Mechanism(*_arguments(d, x))
    graph.leans_on_constraints = leans_on_constraints(d)
    graph.has_wide_inertias = has_wide_inertias(d)
    return graph


def _arguments(d: Description, x: dict[str, Any], parts: Parts | None = None) -> tuple[Any, ...]:
    names = d.names.parameters
    values = dict(zip(names, ca.vertsplit(x["p"]), strict=True)) if names else {}
    columns = drive_columns(d, x, x.get("kinks"))
    inputs = x | {f"e{k or ''}": e for k, e in enumerate(columns)}
    return d.links_for(values), d.layout, parts or d.parts, inputs, values, d.gravity(values)


def drive_columns(d: Description, x: dict[str, Any], kinks: Kinks | None) -> Any:
    """Driven coordinates of the tree and their first and second rates.

    ``x["drive_steps"]``, where given, is added to them: all values, then first and second rates.
    """
    columns = d.drives(x["t"], x["p"]) if d.drives else (ca.SX(0, 1),) * 3
    if d.drives and "drive_steps" in x:
        steps = ca.vertsplit(x["drive_steps"], d.layout.n_e)
        columns = tuple(c + s for c, s in zip(columns, steps, strict=True))
    if kinks is None or not kinks.sees_drives:
        return columns
    return kinks.take(columns, [x["t"]])


def connected(d: Description, x: dict[str, Any]) -> Connected:
    """Connections of a mechanism on symbols of the motion of its bodies, for forces alone.

    Cut joints are left out: ``x`` has what is given for all coordinates and all extra inputs.
    """
    zeros = {"wrench": 6 * d.layout.n_bodies, "mode": MODE * len(d.parts.contact_names)}
    none = {name: ca.SX.zeros(n) for name, n in zeros.items()}
    n, m = len(d.parts.cut_coordinates), len(d.parts.cut_velocities)
    q = ca.vertcat(x["q"][: d.n_q, :], x["q"][d.n_q + n :, :])
    given = none | x | {"q": q, "extra": x["extra"][m:, :]}
    return Connected(*_arguments(d, given, Parts((), d.parts.connections, (), d.parts.rated)))


def kernel(
    inputs: dict[str, Any],
    outputs: Mapping[str, Any],
    lanes: int = 1,
    *,
    matrices: Collection[str] = (),
    groups: Groups | None = None,
) -> Kernel:
    """Compile expressions to a function of arrays: of columns, but for those in ``matrices``.

    ``groups`` tell which inputs belong together (see `Description.groups`).
    """
    columns = {name: ca.vec(ca.densify(value.T)) for name, value in outputs.items()}
    wanted = [
        (name, value.shape if name in matrices else (value.numel(),))
        for name, value in outputs.items()
    ]
    sizes = [(name, symbol.numel()) for name, symbol in inputs.items()]
    make = partial(unrolled_core, inputs, columns, groups=groups)
    return Kernel(make, lanes, sizes, wanted)


def quantity_kernel(
    inputs: dict[str, Any],
    quantities: Sequence[MechanismQuantity],
    found: Sequence[Any],
    lanes: int = 1,
) -> Kernel:
    """Compile expressions of quantities to a function of arrays with their shapes."""
    outputs = {q.name: value for q, value in zip(quantities, found, strict=True)}
    matrices = {q.name for q in quantities if q.is_matrix}
    return kernel(inputs, outputs, lanes, matrices=matrices)


def pattern_of(rates: Any, y: Any) -> Pattern:
    """Which derivatives of a column by another one as long are not zero by structure."""
    entries = ca.jacobian_sparsity(rates, y).get_triplet()
    return Pattern(y.numel(), *(np.array(k, dtype=np.int64) for k in entries))
