"""`equilibria`: states of rest or steady motion over a parameter, a speed or an input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from jourdain.analysis.linear.equilibrium import Equilibrium, equilibrium
from jourdain.analysis.linear.point import system_of
from jourdain.errors import ModelError, SingularSystemError, unknown_name
from jourdain.system import System

_HALVINGS = 6  # of the way from the last equilibrium, where the next one is not found


@dataclass(frozen=True, repr=False)
class Equilibria(Sequence[Equilibrium]):
    """Equilibria over a parameter. Made by `jd.equilibria`; a sequence of them.

    Parameters
    ----------
    name, unit : str
        What is varied.
    values : (n,)
        Its values.
    states : tuple of Equilibrium
        The equilibria.
    """

    name: str
    unit: str
    values: Any
    states: tuple[Equilibrium, ...]

    @overload
    def __getitem__(self, k: int) -> Equilibrium: ...
    @overload
    def __getitem__(self, k: slice) -> tuple[Equilibrium, ...]: ...
    @overload
    def __getitem__(self, k: str) -> Any: ...
    def __getitem__(self, k: Any) -> Any:
        """An equilibrium by number, or a coordinate (n,) by name."""
        if isinstance(k, str):
            return np.array([float(state[k]) for state in self.states])
        return self.states[k]

    def __len__(self) -> int:
        return len(self.states)

    def __iter__(self) -> Iterator[Equilibrium]:
        return iter(self.states)

    @property
    def names(self) -> tuple[str, ...]:
        """Coordinates and velocities that there are."""
        return tuple(self.states[0]) if self.states else ()

    @property
    def are_stable(self) -> Any:
        """Whether each is stable (n,)."""
        return np.array([state.is_stable for state in self.states])

    @property
    def largest_real_parts(self) -> Any:
        """Largest real part of the eigenvalues (n,) [1/s]; those of free motions are zero."""
        return np.array([state.eigenvalues.real.max(initial=-np.inf) for state in self.states])

    def __repr__(self) -> str:
        return f"<{len(self)} equilibria over {self.name!r}>"

    def __str__(self) -> str:
        lines = [f"equilibria over {self.name!r} [{self.unit}]" if self.unit else repr(self)[1:-1]]
        for value, state in zip(self.values, self.states, strict=True):
            word = "stable" if state.is_stable else "unstable"
            shown = ", ".join(f"{n} {state[n]:.6g}" for n in self._moved[:4])
            lines.append(f"  {value:<12.6g} {word:<9} {shown}")
        return "\n".join(lines)

    @property
    def _moved(self) -> list[str]:
        """Names of what changes, most first."""
        spans = {n: float(np.ptp(self[n])) for n in self.names}
        return sorted((n for n in spans if spans[n] > 0.0), key=lambda n: -spans[n])


def equilibria(
    model: Any,
    name: str,
    values: Iterable[float],
    *,
    near: Mapping[str, Any] | None = None,
    **options: Any,
) -> Equilibria:
    """Equilibria over a parameter, a steady speed or an input, each begun at the one before.

    Where one is not found, the way to it is gone in smaller steps; so branches are followed as far
    as they reach.

    Parameters
    ----------
    model : Model or System
        The machine.
    name : str
        A parameter; a velocity such as ``"rotor.rate"`` that is constant; or a force along a
        coordinate or an input of a law, such as ``"arm.angle"``.
    values : iterable of float
        Its values, in an order in which they follow each other.
    near : mapping or Equilibrium
        Rough positions to begin with.
    **options
        Passed on to `equilibrium`: hold, speeds, inputs, parameters, t.

    Returns
    -------
    Equilibria
        The states; ``found["arm.angle"]`` is a coordinate over the values, `jd.plot` draws them.

    Raises
    ------
    SingularSystemError
        If there is none at a value; the text tells how far the branch was followed.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("scale")
    >>> _ = model.add_coordinate("x", 1.0, unit="m")
    >>> stiffness = jd.Parameter("stiffness", 100.0, unit="N/m")
    >>> _ = model.add_connection("spring", jd.Coordinate("x"), jd.Spring(stiffness))
    >>> found = jd.equilibria(model, "stiffness", [50.0, 100.0], inputs={"x": 10.0})
    >>> found["x.value"].round(9).tolist()
    [0.2, 0.1]
    """
    system = system_of(model)
    try:
        grid = np.asarray(list(values), dtype=float)
    except (TypeError, ValueError) as error:
        raise ModelError(f"values of {name!r} must be numbers, such as [1.0, 2.0].") from error
    key = _kind(system, name)
    if grid.ndim != 1 or not len(grid) or not np.all(np.isfinite(grid)):
        raise ModelError(f"values of {name!r} must be finite numbers, at least one.")
    unit = _unit(system, name, key)
    states: list[Equilibrium] = []
    for value in grid.tolist():
        start = (states[-1], float(grid[len(states) - 1])) if states else (near, None)
        states.append(_next(system, (name, key, unit), start, value, options))
    return Equilibria(name, unit, grid, tuple(states))


def _next(
    system: System, what: tuple[str, str, str], start: Any, value: float, options: Any
) -> Equilibrium:
    """Equilibrium at a value, by smaller steps from the last one if need be."""
    state, last = start
    wanted, halvings, name = value, 0, what[0]
    while True:
        try:
            found = equilibrium(system, state, **_given(options, *what[:2], wanted))
        except SingularSystemError as error:
            halvings += 1
            if last is None or halvings > _HALVINGS:
                far = "" if last is None else f", followed up to {last:.6g} {what[2]}".rstrip()
                raise SingularSystemError(
                    f"no equilibrium at {name} = {wanted:.6g}{far}.\n  {error}"
                ) from error
            wanted = 0.5 * (last + wanted)
            continue
        if wanted == value:
            return found
        state, last, wanted = found, wanted, value


def _kind(system: System, name: str) -> str:
    """Option of `equilibrium` that a name belongs to."""
    if name in system.names.parameters:
        return "parameters"
    if name in system.names.v:
        return "speeds"
    if name in system.extra_indices or name in system.force_indices:
        return "inputs"
    known = (*system.names.parameters, *system.names.v, *system.force_indices)
    what = "parameter, velocity or input"
    raise unknown_name(what, name, known, f"model {system.model.name!r}")


def _unit(system: System, name: str, key: str) -> str:
    if key == "speeds":
        return str(system.names.v_units[system.names.v.index(name)])
    if key == "parameters":
        return str(system.model.parameters[name].unit or "")
    if name in system.force_indices:
        unit = system.names.v_units[system.force_indices[name]]
        return {"m/s": "N", "rad/s": "N m"}.get(unit, "")
    return ""


def _given(options: dict[str, Any], name: str, key: str, value: float) -> dict[str, Any]:
    return {**options, key: {**(options.get(key) or {}), name: value}}
