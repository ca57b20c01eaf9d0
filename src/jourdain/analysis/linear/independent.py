"""Independent coordinates, and the tangent space of all constraints.

A step of the state is ξ = (η, δv): η are changes of positions, three numbers for a quaternion. The
steps that the constraints allow, to first order, are those of independent ones y:

    H η = 0,   C η + P δv = 0,   ξ = T y,   S T = 1                              (LI-2)

with H the derivatives of position errors, C and P those of velocity errors, and S the selection of
the independent steps. Rows that repeat others are dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import qr

from jourdain.equations.contact.contact_points import MODE, UNSEEN
from jourdain.errors import SingularSystemError, unknown_name
from jourdain.system import System
from jourdain.system.linear.state_graph import Point, Slopes

_GOOD = 0.03  # pivot, as part of its row, with which a coordinate follows well from others
_NONE = 1e-9  # part of a row that is as good as none: it repeats other rows
_DOUBT = 1e-4  # part of a row below which the state equation may drop it: a singular position
_ROUNDING = 1e-14  # part of the largest row: what is smaller is rounding of a row that is zero
_LARGE = 100  # rows beyond which matrices with many zeros are sparse
_XYZ = ("x", "y", "z")


@dataclass(frozen=True)
class Steps:
    """Minimal steps of the positions of a system: quaternions have three, in body axes.

    Parameters
    ----------
    system : System
        The compiled machine.
    """

    system: System

    @cached_property
    def _starts(self) -> list[int]:
        return self.system.names.quaternions

    @cached_property
    def _plain(self) -> list[int]:
        turning = {k + i for k in self._starts for i in range(4)}
        return [k for k in range(len(self.system.names.q)) if k not in turning]

    @cached_property
    def places(self) -> list[int | tuple[int, int]]:
        """Of each step: the place of its coordinate, or of a quaternion and the axis."""
        turns = [(k, i) for k in self._starts for i in range(3)]
        found: list[int | tuple[int, int]] = [*self._plain, *turns]
        return sorted(found, key=lambda at: (at, -1) if isinstance(at, int) else at)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names: of the coordinates, or ``ball.rotation.x`` for a turn of ``ball.orientation``."""
        q = self.system.names.q
        found = []
        for at in self.places:
            if isinstance(at, int):
                found.append(q[at])
            else:
                stem = q[at[0]].removesuffix(".w").rpartition(".")[0]
                found.append(f"{stem}.rotation.{_XYZ[at[1]]}")
        return tuple(found)

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Units of the steps."""
        units = self.system.names.q_units
        return tuple(units[at] if isinstance(at, int) else "rad" for at in self.places)

    def matrix(self, q: Any) -> Any:
        """Changes of the positions by the steps, E (n_q, n_steps); linear in q for quaternions."""
        E = np.zeros((len(q), len(self.places)))
        for column, at in enumerate(self.places):
            if isinstance(at, int):
                E[at, column] = 1.0
            else:
                k, axis = at
                E[k : k + 4, column] = 0.5 * _times_unit(q[k : k + 4], axis)
        return E

    def rate(self, qdot: Any) -> Any:
        """Rate of `matrix`."""
        E = self.matrix(qdot)
        for column, at in enumerate(self.places):
            if isinstance(at, int):
                E[:, column] = 0.0
        return E

    def inverse(self, q: Any) -> Any:
        """Left inverse of `matrix` (n_steps, n_q)."""
        back = self.matrix(q).T
        for row, at in enumerate(self.places):
            if not isinstance(at, int):
                back[row] *= 4.0
        return back

    def moved(self, q: Any, step: Any) -> Any:
        """Positions after a step; quaternions keep unit length."""
        return unit_quaternions(self.system, q + self.matrix(q) @ step)


def slim(matrix: Any) -> Any:
    """Matrix, sparse where it is large: products with many zeros are then fast."""
    return sparse.csr_array(matrix) if matrix.shape[0] > _LARGE else matrix


def unit_quaternions(system: System, q: Any) -> Any:
    """Positions whose quaternions have unit length."""
    for k in system.names.quaternions:
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return q


def _times_unit(q: Any, axis: int) -> Any:
    """Product of a quaternion with the unit vector of an axis."""
    w, x, y, z = q
    return np.array(((-x, w, z, -y), (-y, -z, w, x), (-z, y, -x, w))[axis])


@dataclass(frozen=True)
class Tangent:
    """Tangent space of the constraints in steps, with independent ones chosen.

    Parameters
    ----------
    steps : Steps
        Steps of positions.
    positions, velocities : list of int
        Independent steps of positions (states of laws among them), and velocities.
    T_positions : (n_steps, n_independent)
        All steps of positions by the independent ones.
    T_velocities : (n_v, n_independent positions + n_independent velocities)
        All velocities by both.
    """

    steps: Steps
    positions: list[int]
    velocities: list[int]
    T_positions: Any
    T_velocities: Any

    @property
    def N_v(self) -> Any:  # noqa: N802
        """Velocities that the constraints allow (n_v, n_independent)."""
        return self.T_velocities[:, len(self.positions) :]

    @cached_property
    def T_whole(self) -> Any:  # noqa: N802
        """All steps, positions and velocities, by the independent ones."""
        none = np.zeros((len(self.steps.places), len(self.velocities)))
        return np.vstack([np.hstack([self.T_positions, none]), self.T_velocities])

    @cached_property
    def T_sparse(self) -> Any:  # noqa: N802
        """`T_whole` as a sparse matrix where it is large: of a tree it is nearly a unit matrix."""
        return slim(self.T_whole)

    @property
    def T_positions_whole(self) -> Any:  # noqa: N802
        """All steps of positions by all independent steps."""
        return self.T_whole[: len(self.steps.places)]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the independent steps, positions first."""
        v = self.steps.system.names.v
        own = [self.steps.names[k] for k in self.positions]
        return (*own, *(v[k] for k in self.velocities))

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Units of the independent steps."""
        v = self.steps.system.names.v_units
        own = [self.steps.units[k] for k in self.positions]
        return (*own, *(v[k] for k in self.velocities))


def tangent_space(
    system: System, at: Point, slopes: Slopes, preferred: Iterable[str] = ()
) -> Tangent:
    """Tangent space at a point.

    Parameters
    ----------
    system : System
        The compiled machine.
    at, slopes
        The point, and the derivatives there.
    preferred : iterable of str
        Coordinates that shall be independent, by name.

    Raises
    ------
    SingularSystemError
        If constraints nearly repeat others: a singular position.
    """
    steps = Steps(system)
    E = steps.matrix(at.q)
    H = np.vstack([slopes.by_z["errors"] @ E, sticking_rows(system, at, slopes, steps).on_steps])
    wanted = [step_index(steps, name) for name in preferred]
    n_tree, d = system.description.n_q, system.description
    n_states = len(d.parts.states)
    carried = [k for k, place in enumerate(steps.places) if _first(place) >= n_tree]
    states = carried[len(carried) - n_states :] if n_states else []
    cut = [k for k in carried if k not in states]
    rest = [k for k in range(len(steps.places)) if k not in {*carried, *wanted}]
    where = f"model {system.model.name!r}"
    loose = [k for k in [*_algebraic(system, states), *cut] if k not in wanted]
    own = [k for k in states if k not in loose]
    free, T = _eliminated(H, [loose, rest, [k for k in wanted if k not in own]], own, where)
    P = slopes.by_v["rates"]
    scale = 1.0 / np.sqrt(_mass_diagonal(system, at))
    pairs = velocity_of_step(steps)
    matched = [pairs[k] for k in free if k in pairs]
    others = [k for k in range(len(at.v)) if k not in matched]
    chosen, N = _eliminated(P * scale, [others, matched], [], where)
    N = scale[:, None] * N / scale[chosen]
    C = slopes.by_z["rates"] @ E @ T
    dependent = [k for k in range(len(at.v)) if k not in chosen]
    B = np.zeros((len(at.v), len(free)))
    if np.any(C) and dependent:
        B[dependent] = (
            -scale[dependent, None]
            * np.linalg.lstsq(P[:, dependent] * scale[dependent], C, rcond=_NONE)[0]
        )
    return Tangent(steps, free, chosen, T, np.hstack([B, N]))


def _first(place: int | tuple[int, int]) -> int:
    return place if isinstance(place, int) else place[0]


def step_index(steps: Steps, name: str) -> int:
    """Number of a step by the name of its coordinate."""
    if name not in steps.names:
        short = f"{name}.value"
        if short in steps.names:
            return steps.names.index(short)
        raise unknown_name("coordinate", name, steps.names, "the independent coordinates")
    return steps.names.index(name)


def _algebraic(system: System, states: Sequence[int]) -> list[int]:
    """Those of the states that follow from positions: contact parameters, inner coordinates."""
    parts = system.description.parts
    inner = len(parts.internal)
    found = list(states[len(states) - inner :]) if inner else []
    for c in parts.followed:
        own = parts.state_places[c.name][1]
        found += [states[k] for k in range(own.start, own.stop)]
    return found


def _mass_diagonal(system: System, at: Point) -> Any:
    diagonal = np.diagonal(system.mass_matrix(at.q, at.t, parameters=at.p)).copy()
    diagonal[~(diagonal > 0.0)] = 1.0
    return diagonal


def velocity_of_step(steps: Steps) -> dict[int, int]:
    """Velocity coordinate that is the rate of a step, by the number of the step."""
    system = steps.system
    index = {name: k for k, name in enumerate(system.names.v)}
    found = {}
    for k, (place, name) in enumerate(zip(steps.places, steps.names, strict=True)):
        if isinstance(place, int):
            if name in system.force_indices:
                found[k] = system.force_indices[name]
            elif name.endswith(".value") and name in index:
                found[k] = index[name]
        else:
            stem = name.rpartition(".rotation.")[0]
            turning = f"{stem}.angular_velocity.{_XYZ[place[1]]}"
            if turning in index:
                found[k] = index[turning]
    return found


@dataclass(frozen=True)
class StickingRows:
    """Rows that keep what sticks at rest in its place.

    Parameters
    ----------
    numbers : list of int
        Their numbers among the velocity rows.
    on_steps : (n, n_steps)
        The rows on steps of positions.
    """

    numbers: list[int]
    on_steps: Any


def sticking_rows(system: System, at: Point, slopes: Slopes, steps: Steps) -> StickingRows:
    """Rows of what sticks at rest; none while something moves."""
    modes = at.mode.reshape(-1, MODE)
    rests = (modes[:, 1] > 0.5) | (modes[:, 5] >= UNSEEN)
    if not rests.any() or np.abs(at.v).max(initial=0.0) > 0.0:
        return StickingRows([], np.zeros((0, len(steps.places))))
    moves = steps.inverse(at.q) @ slopes.by_v["zdot"]
    back = np.linalg.pinv(moves)
    numbers = _sticking_rows(system)
    return StickingRows(numbers, slopes.by_v["rates"][numbers] @ back)


def _sticking_rows(system: System) -> list[int]:
    """Numbers of the velocity rows of contact points that stick; those of others are zero."""
    places = system.mode_graph[1]._places
    return [
        k
        for name, own in places.items()
        if name.endswith(" sticking")
        for k in range(own.start, own.stop)
    ]


def _eliminated(
    H: Any, stages: Sequence[Sequence[int]], free: Sequence[int], where: str
) -> tuple[list[int], Any]:
    """Independent columns of H, and all columns by these: H x = 0, x = T x_independent.

    Columns of earlier stages depend first; those of ``free`` never do.
    """
    n = H.shape[1]
    sizes = np.linalg.norm(H, axis=1)
    real = sizes > _ROUNDING * sizes.max(initial=0.0)
    H = H[real] / sizes[real, None]
    dependent: list[int] = []
    left = H
    for is_last in (False, True):
        groups = [[c for stage in stages for c in stage]] if is_last else stages
        for group in groups:
            columns = [c for c in group if c not in dependent]
            if not columns or not len(left):
                continue
            Q, R, order = qr(left[:, columns], pivoting=True)
            pivots = np.abs(np.diagonal(R))
            rank = int(np.sum(pivots > (_NONE if is_last else _GOOD)))
            if is_last and np.any((pivots > _NONE) & (pivots < _DOUBT)):
                raise SingularSystemError(
                    f"{where} is in a singular position: one of its constraints nearly repeats "
                    f"the others (by {pivots[pivots > _NONE].min():.1e} of its size), so the "
                    "linear equations have no meaning here. Next: linearise about another "
                    "position; print(jd.structure(model, at=...)) names the joints."
                )
            dependent += [columns[k] for k in order[:rank]]
            left = Q[:, rank:].T @ left
    chosen = [k for k in range(n) if k not in dependent]
    T = np.zeros((n, len(chosen)))
    T[chosen] = np.eye(len(chosen))
    if dependent and chosen:
        T[dependent] = -np.linalg.lstsq(H[:, dependent], H[:, chosen], rcond=_NONE)[0]
    return chosen, T
