"""`eigenmodes`: how a machine vibrates about a state."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from jourdain.analysis.linear.linearization import Linearization
from jourdain.analysis.linear.linearize import linearize
from jourdain.analysis.linear.point import parameters_at, plain_state, system_of
from jourdain.analysis.progress import tells_phases
from jourdain.analysis.start import start_state
from jourdain.analysis.vibration.conservative import (
    Vibrations,
    free_motions,
    is_conservative,
    of_form,
    of_matrices,
)
from jourdain.analysis.vibration.deflation import deflated
from jourdain.analysis.vibration.large_modes import LargeModes, large_modes
from jourdain.analysis.vibration.modes import Mode, Modes, OnDemand
from jourdain.errors import ModelError
from jourdain.system import System
from jourdain.system.linear.connection_blocks import NotSparseError
from jourdain.system.linear.pencil import can_be_sparse
from jourdain.system.linear.rest_form import rest_form

_LARGE = 300  # velocities beyond which some modes are found by sparse matrices
_UPPER = 1e-12  # imaginary part, as part of the size, from which a value stands for its pair


@tells_phases
def eigenmodes(
    model: Any,
    about: Any = None,
    *,
    count: int | None = None,
    damped: bool = True,
    **options: Any,
) -> Modes:
    """Modes of vibration of a machine about a state of rest or steady motion.

    Parameters
    ----------
    model : Model, System or Linearization
        The machine, or its linear equations.
    about : mapping or Equilibrium
        The state, as in `linearize`; not with linear equations, which have theirs.
    count : int
        Number of modes, lowest first; by default all. Where a machine at rest has more than 300
        velocities, these are found by sparse matrices, unless it has contacts, states, inputs,
        drives or nonholonomic joints.
    damped : bool
        Whether damping and gyroscopic forces count. Without: real modes of M and K alone.
    **options
        Passed on to `linearize`: inputs, parameters, t, coordinates.

    Returns
    -------
    Modes or LargeModes
        Free motions first, then by frequency; each pair once.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("two shafts")
    >>> _ = model.add_coordinate("a", 1.0)
    >>> _ = model.add_coordinate("b", 1.0)
    >>> _ = model.add_connection("c", jd.Coordinate("b") - jd.Coordinate("a"), jd.Spring(8.0))
    >>> modes = jd.eigenmodes(model)
    >>> len(modes.free_motions), round(abs(modes[1].eigenvalue), 9)
    (1, 4.0)
    """
    if count is not None and (not isinstance(count, int) or count < 1):
        raise ModelError(f"count is {count!r}; give a number of modes, at least 1.")
    if isinstance(model, Linearization):
        if about is not None or options:
            raise ModelError(
                "linear equations have their own state; give jd.eigenmodes(lin), or a model with "
                "about=..."
            )
        lin = model
    else:
        system = system_of(model)
        some = _at_rest(system, about, count, damped, options)
        if some is not None:
            return some  # type: ignore[no-any-return]
        lin = linearize(system, about, **options)
    return _real_modes(lin, count) if not damped else _complex_modes(lin, count)


def _at_rest(
    system: System, about: Any, count: int | None, damped: bool, options: dict[str, Any]
) -> Any:
    """Modes by the short ways: sparse matrices, or masses and stiffnesses; None without one."""
    point = getattr(about, "point", None)
    has_inputs = point is not None and bool(point.graph.inputs)
    if options.keys() - {"parameters", "t"} or has_inputs:
        return None
    is_large = count is not None and len(system.names.v) > _LARGE
    if is_large and not can_be_sparse(system):
        try:
            return _large(system, about, count, damped, options)
        except NotSparseError:
            return None
    return _plain(system, about, count, damped, options)


def _plain(
    system: System, about: Any, count: int | None, damped: bool, options: dict[str, Any]
) -> Modes | None:
    """Modes of a plain tree at rest without losses; None of other machines."""
    form = rest_form(system)
    if not form.is_plain:
        return None
    p = parameters_at(system, about, options.get("parameters"))
    if about is None:
        form.evaluate(form.reference, p)
    else:
        y = start_state(system, plain_state(about), 0.0, p)
        if y[form.n :].any():
            return None
        form.evaluate(y[: form.n], p)
    found = of_form(form, damped=damped)
    if found is None:
        return None
    return _conservative(found, lambda: linearize(system, about, **options), count, both=damped)


def _conservative(
    found: Vibrations, linearise: Callable[[], Linearization], count: int | None, *, both: bool
) -> Modes:
    values, _ = found.values(both=both)
    values = values if count is None else values[:count]
    n_zeros = 0 if values.all() else 2 * int(np.sum(values == 0.0))
    make = partial(found.modes, both=both)
    return Modes(OnDemand(len(values), linearise, make), values, n_zeros)


def _large(
    system: System, about: Any, count: Any, damped: bool, options: dict[str, Any]
) -> LargeModes | None:
    """Lowest modes by the sparse pencil; None of a machine that moves."""
    given = options.get("t")
    t = float(getattr(about, "t", 0.0) if given is None else given)
    p = parameters_at(system, about, options.get("parameters"))
    n = len(system.names.q)
    y = start_state(system, plain_state(about), t, p)
    return None if y[n:].any() else large_modes(system, y[:n], t, p, count, damped=damped)


def _complex_modes(lin: Linearization, count: int | None) -> Modes:
    if is_conservative(lin):
        real = of_matrices(lin.M.toarray(), lin.K.toarray())
        if real is not None:
            return _conservative(real, lambda: lin, count, both=True)
    found = deflated(lin.A)
    values = found.values
    upper = values.imag >= -_UPPER * np.abs(values)
    order = [k for k in np.argsort(np.abs(values), kind="stable") if upper[k]]
    free = free_motions(found.null, len(lin.tangent.positions))
    modes = [Mode(lin, k, 0.0, x, None) for k, x in enumerate(free)]
    for k in order:
        factor = _largest(lin, found.right[:, k])
        x, y = found.right[:, k] / factor, found.left[:, k] * np.conj(factor)
        modes.append(Mode(lin, len(modes), complex(values[k]), x, y))
    modes = modes[:count]
    own = np.array([mode.eigenvalue for mode in modes])
    return Modes(OnDemand(len(modes), lambda: lin, lambda _: modes), own, found.n_zeros)


def _largest(lin: Linearization, x: Any) -> complex:
    """Factor that makes the largest component of positions 1."""
    n = len(lin.tangent.positions)
    own = x[:n] if np.any(np.abs(x[:n]) > 0.0) else x
    return complex(own[int(np.argmax(np.abs(own)))])


def _real_modes(lin: Linearization, count: int | None) -> Modes:
    K, M = lin.K.toarray(), lin.M.toarray()
    if K.shape[0] != K.shape[1]:
        raise ModelError(
            "modes without damping need as many coordinates as velocities: the machine has "
            "nonholonomic rows or element states. Leave damped=False out."
        )
    found = of_matrices(M, K)
    if found is None:
        raise ModelError(
            "modes without damping need a symmetric stiffness; here forces depend on positions in "
            "a way that has no potential (a controller, friction), or the coordinates are no rates "
            "of each other. Leave damped=False out."
        )
    return _conservative(found, lambda: lin, count, both=False)
