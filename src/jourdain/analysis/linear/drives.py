"""Driven coordinates as inputs: what moves with them, and results that depend on them.

A driven coordinate e has three columns: its value, its rate and its second rate. In closed loops
it moves dependent coordinates by itself,

    H η + g_e δe = 0,   C η + P δv + b_e δe + b_ė δė = 0,   S ξ = 0               (LI-16)

so that all steps are ξ = T y + X₀ δe + X₁ δė, and B = S E⁺(DF X + F_e).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.analysis.linear.independent import Tangent, sticking_rows
from jourdain.analysis.linear.point import OperatingPoint
from jourdain.errors import ModelError
from jourdain.model.model import Model
from jourdain.model.names import owned
from jourdain.spatial.parameter import Parameter
from jourdain.system import System, compile
from jourdain.system.linear.state_graph import Point, Slopes, StateGraph

_NONE = 1e-9  # part of a row that is as good as none


def driven_names(system: System) -> tuple[str, ...]:
    """Names of the driven coordinates of the tree, in the order of their columns."""
    d = system.description
    named: dict[int, str] = {}
    for link, start in zip(d.links, d.layout.e_start, strict=True):
        words = list(link.joint.joint.kind.coordinates)
        for k, place in enumerate(link.motion.driven):
            named[start + k] = f"{link.joint.name}.{words[place]}"
    return tuple(named[k] for k in sorted(named))


def split_inputs(system: System, inputs: Any) -> tuple[Any, tuple[str, ...]]:
    """Inputs that are forces, and the names of driven coordinates among them."""
    if inputs is None:
        return None, ()
    if isinstance(inputs, str):
        inputs = (inputs,)
    drives = {name.removesuffix(".value"): name for name in driven_names(system)}
    drives |= {name: name for name in driven_names(system)}
    if isinstance(inputs, Mapping):
        found = tuple(drives[name] for name in inputs if name in drives)
        return {k: x for k, x in inputs.items() if k not in drives}, found
    listed = list(inputs)
    found = tuple(drives[x] for x in listed if x in drives)
    return [x for x in listed if x not in drives], found


def drive_columns(point: OperatingPoint, driven: tuple[str, ...]) -> list[int]:
    """Columns of value, first and second rate of each driven input, in those of all drives."""
    names, n = driven_names(point.system), point.graph.n_drives
    return [names.index(name) + k * n for name in driven for k in range(3)]


def moved_along(point: OperatingPoint, slopes: Slopes, tangent: Tangent, columns: list[int]) -> Any:
    """All steps (n_steps + n_v, n_columns) by driven columns, X of (LI-16)."""
    system, at, steps = point.system, point.at, tangent.steps
    n, n_e = len(steps.places), point.graph.n_drives
    E = steps.matrix(at.q)
    X = np.zeros((n + len(at.v), len(columns)))
    rows = sticking_rows(system, at, slopes, steps)
    H = np.vstack([slopes.by_z["errors"] @ E, rows.on_steps])
    values = [k < n_e for k in columns]
    shifted = [k + n_e if own else k for k, own in zip(columns, values, strict=True)]
    held = slopes.by_e["rates"][rows.numbers][:, shifted] * np.array(values, dtype=float)
    right = np.vstack([slopes.by_e["errors"][:, columns], held])
    dependent = [k for k in range(n) if k not in tangent.positions]
    names = ", ".join(dict.fromkeys(driven_names(system)[k % n_e] for k in columns))
    X[dependent] = -_solved(H[:, dependent], right, names)
    more = slopes.by_z["rates"] @ E @ X[:n] + slopes.by_e["rates"][:, columns]
    followers = [k for k in range(len(at.v)) if k not in tangent.velocities]
    X[[n + k for k in followers]] = -_solved(slopes.by_v["rates"][:, followers], more, names)
    return X


def _solved(matrix: Any, right: Any, names: str) -> Any:
    """Least solution; the rows must be solvable."""
    if not np.any(right):
        return np.zeros((matrix.shape[1], right.shape[1]))
    found = np.linalg.lstsq(matrix, right, rcond=_NONE)[0]
    left = np.abs(matrix @ found - right).max(initial=0.0)
    if left > 1e-6 * np.abs(right).max(initial=0.0):
        raise ModelError(
            f"driven input {names} cannot vary: constraints would be open by {left:.2g} of a unit "
            "step. Likely cause: two drives in one loop that hold each other. Next: let one of "
            "them free."
        )
    return found


@dataclass(frozen=True)
class DriveTwin:
    """The same machine with parameters that are added to its drives and their rates.

    Parameters
    ----------
    point : OperatingPoint
        State of the machine.
    driven : tuple of str
        Driven inputs.
    """

    point: OperatingPoint
    driven: tuple[str, ...]

    @cached_property
    def system(self) -> System:
        """The twin, compiled."""
        model, t = self.point.system.model.copy(), self.point.at.t
        for k, name in enumerate(self.driven):
            own = [Parameter(f"drive_{k}_{i}", 0.0) for i in range(3)]
            _add(model, name, t, own)
        return compile(model, cut=[cut.name for cut in self.point.system.topology.cuts])

    @cached_property
    def graph(self) -> StateGraph:
        """Its state equation."""
        own = self.point.graph
        return StateGraph(self.system, own.inputs, own.free)

    def moved(self, column: int, h: float, step: Any, steps: Any) -> tuple[Point, dict[str, float]]:
        """Point and parameters after a driven column has changed by h, and all steps with it."""
        at, names = self.point.at, self.system.names.parameters
        values = dict(zip(self.point.system.names.parameters, at.p.tolist(), strict=True))
        values |= dict.fromkeys((n for n in names if n not in values), 0.0)
        values[f"drive_{column // 3}_{column % 3}"] = h
        p = np.array([values[name] for name in names])
        n = len(steps.places)
        q, v = steps.moved(at.q, h * step[:n]), at.v + h * step[n:]
        q, v = self.system.project(q, v, at.t, parameters=p)
        return at.moved(q=q, v=v, p=p), values


def _add(model: Model, name: str, t: float, own: Sequence[Any]) -> None:
    """Add a parabola about t to the drive of a coordinate."""
    tables = model.tables()
    element, key = owned(name, (*tables["coordinate"], *tables["joint"]))
    if element in tables["coordinate"]:
        scalar = tables["coordinate"][element]
        tables["coordinate"][element] = replace(scalar, driven=_Parabola(scalar.driven, t, own))
        return
    joint = tables["joint"][element]
    if key not in joint.driven:
        raise ModelError(
            f"input {name!r} is one of a group that is driven together. Ask for coordinates, "
            "velocities or accelerations as outputs."
        )
    driven = {**joint.driven, key: _Parabola(joint.driven[key], t, own)}
    tables["joint"][element] = replace(joint, driven=driven)


@dataclass(frozen=True)
class _Parabola:
    """A drive with a parabola added."""

    drive: Any
    t: float
    own: Sequence[Any]

    def __call__(self, t: Any) -> Any:
        a, b, c = self.own
        later = t - self.t
        return self.drive(t) + a + b * later + c * (0.5 * later * later)
