"""Putting a machine together: from rough positions to exact ones, and velocities that fit.

With r the errors of all rows (CL-3 and those of held measures) and A their derivatives by the
velocities that may move, each step is the weighted least-norm one of Levenberg and Marquardt,

    δ = −B Aᵀ (A B Aᵀ + μ)⁻¹ r,   B = diag(1/weights),                        (AS-1)

so that rows that repeat others do no harm. Velocities solve A v + b = 0 the same way, once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.analysis.assembly.closure_search import Search
from jourdain.analysis.assembly.settle import settled
from jourdain.equations.mechanism import Mechanism
from jourdain.errors import AssemblyError, ModelError
from jourdain.model.model import Model
from jourdain.model.names import components
from jourdain.spatial.check import by_name, shown
from jourdain.spatial.units import in_si, is_pair
from jourdain.system import System, compile


class Assembly(Mapping[str, float]):
    """A state that satisfies all constraints. Made by `assemble`; a start for `simulate`.

    Parameters
    ----------
    system : System
        The compiled machine.
    q, v : arrays
        The state.
    t : float [s]
        Time it belongs to.
    """

    def __init__(self, system: System, q: Any, v: Any, t: float) -> None:
        self.system, self.q, self.v, self.t = system, q, v, t

    def __getitem__(self, name: str) -> Any:
        names = self.system.names
        if name in self._of_cuts:
            return self._of_cuts[name]
        own = components(name, self._of_cuts, names.elements)
        if own:
            return np.array([self._of_cuts[n] for n in own])
        index = self.system.index(name)
        column = self.q if names.is_position(name) else self.v
        return float(column[index]) if np.ndim(index) == 0 else column[index]

    @cached_property
    def _of_cuts(self) -> dict[str, float]:
        names = self.system.description.parts.cut_velocities
        if not names:
            return {}
        values = self.system.answers(Mechanism.cut_velocities, self.q, self.v, t=self.t)
        return dict(zip(names, values.tolist(), strict=True))

    def __iter__(self) -> Iterator[str]:
        return iter((*self.system.names.q, *self.system.names.v))

    def __len__(self) -> int:
        return len(self.q) + len(self.v)

    def __repr__(self) -> str:
        return f"<assembly of {self.system.model.name!r} at {self.t:g} s>"

    def __str__(self) -> str:
        rows = [f"  {name:<24} {self[name]: .10g}" for name in (*self, *self._of_cuts)]
        return "\n".join([f"assembly of {self.system.model.name!r} at t = {self.t:g} s", *rows])


def assemble(
    model: Model | System,
    start: Mapping[str, Any] | None = None,
    *,
    near: Mapping[str, Any] | None = None,
    weights: Mapping[str, float] | None = None,
    t: float = 0.0,
    parameters: Mapping[str, float] | None = None,
) -> Assembly:
    """Find positions and velocities that satisfy all constraints.

    Parameters
    ----------
    model : Model or System
        The machine.
    start : mapping
        Coordinates and velocities that are held, by name: ``{"main.angle": 0.4, "main.rate": 10}``.
        They stay exactly as given, or it is an error; the others follow. Where all are given, as
        by ``sol.final``, they must satisfy the constraints to 1e-9 m or rad, as runs do.
    near : mapping
        Rough positions of others, from which the search starts: this chooses between the ways in
        which a machine can be assembled.
    weights : mapping of str to float
        How unwilling coordinates are to move, by name; default 1.
    t : float [s]
        Time.
    parameters : mapping
        Values of parameters that differ from the nominal ones.

    Returns
    -------
    Assembly
        The state by name, and as arrays ``q`` and ``v``.

    Raises
    ------
    AssemblyError
        If there is no such state near; the text names the loops that stay open, and by how much.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("two bars")
    >>> a = model.add_body("a", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    >>> b = model.add_body("b", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    >>> _ = model.add_joint("left", model.world, a, jd.Revolute("z"))
    >>> _ = model.add_joint("top", a.at(1, 0, 0), b, jd.Revolute("z"))
    >>> _ = model.add_joint("right", model.world.at(1, 0, 0), b.at(1, 0, 0), jd.Revolute("z"))
    >>> found = jd.assemble(model, near={"left.angle": 1.0, "top.angle": -2.0})
    >>> round(found["left.angle"], 9)
    1.047197551
    """
    system = model if isinstance(model, System) else compile(model)
    held = _spread(system, by_name(start, "start", '"main.angle": 0.4'))
    rough = _spread(system, by_name(near, "near", '"main.angle": 0.4')) | held
    search = Search(system, held, dict(weights or {}), t, parameters)
    q, v = system.state({k: x for k, x in rough.items() if k not in search.cut_velocities})
    for k in system.names.quaternions:
        length = np.linalg.norm(q[k : k + 4])
        q[k : k + 4] /= length if length > 0.0 else 1.0
    q = settled(system, q, t, parameters)
    if system.has_constraints:
        q, v = _closed(_undeformed(search, rough), search, q, v)
    return Assembly(system, q, v, t)


def _undeformed(search: Search, given: Mapping[str, Any]) -> Search:
    """The same search in which flexible bodies keep their shape, where nothing else is given."""
    links = [link for link in search.system.description.links if link.block is not None]
    kinds = [(link.joint.name, link.joint.joint.kind) for link in links]
    names = [f"{name}.{own}" for name, k in kinds for own in (*k.coordinates, *k.velocities)]
    kept = {name: 0.0 for name in names if name not in given}
    return replace(search, held=kept | search.held) if kept else search


def _closed(stiff: Search, search: Search, q: Any, v: Any) -> tuple[Any, Any]:
    """State that satisfies the constraints; bodies deform only where it cannot be otherwise."""
    if stiff is not search:
        try:
            found = stiff.positions(q)
            return found, stiff.velocities(found, v)
        except AssemblyError:
            pass
    q = search.positions(q)
    return q, search.velocities(q, v)


def _spread(system: System, given: dict[str, Any]) -> dict[str, Any]:
    """Values by name, with vectors of cut joints taken apart: their components are held."""
    parts = system.description.parts
    known = (*parts.cut_coordinates, *parts.cut_velocities)
    spread: dict[str, Any] = {}
    units = {**parts.cut_coordinates, **parts.cut_velocities}
    for name, value in given.items():
        own = components(str(name), known, system.names.elements)
        if is_pair(value):
            first = own[0] if own else name
            unit = units[first] if first in units else system.names.unit(name)
            value = in_si(value, unit, f"start value of {name!r}")  # noqa: PLW2901
        if own and np.shape(value) not in ((), (len(own),)):
            raise ModelError(
                f"start value {shown(value)} of {name!r} should be {len(own)} finite numbers."
            )
        column = np.broadcast_to(value, len(own)) if own else ()
        spread |= dict(zip(own, column, strict=True)) if own else {name: value}
    return spread
