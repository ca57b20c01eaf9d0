"""Everything a joint contributes to the equations, derived from its pose.

With G = [Ω; V] the velocity of the outboard frame relative to the inboard one, in components of
the *outboard* frame (so that a hinge has constant mode vectors), the recursion needs

    R, r        relative pose                                            (RK-1)
    G  = S v + S_x          S free modes, S_x excited by time and drives  (RK-2)
    dG/dt = S dv/dt + c     c = (dS/dt) v + dS_x/dt                       (RK-3)
    dq/dt = Y₁ v + Y₂       Y₂ of coordinates that drives carry along     (RK-4)

A joint traversed against the user's direction uses the inverse pose; coordinates keep their sign.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from jourdain import math
from jourdain.equations.tracing.on_symbols import on_symbols
from jourdain.equations.tracing.simplify import simplify
from jourdain.errors import ModelError
from jourdain.model.joints.joint import Joint
from jourdain.spatial.parameter import Expression


@dataclass(frozen=True)
class Motion:
    """A joint kind traced in one direction with some of its coordinates driven.

    Parameters
    ----------
    kind : Joint
        The kind; numbers that vary between joints may be symbols.
    slots : list of casadi.SX
        Those symbols.
    driven : tuple of int
        Indices of the driven position coordinates.
    is_reversed : bool
        True when the tree runs from the user's child to the user's parent.
    """

    kind: Joint
    slots: list[Any]
    driven: tuple[int, ...] = ()
    is_reversed: bool = False

    @cached_property
    def free(self) -> tuple[int, ...]:
        """Indices of the position coordinates that are not driven."""
        return tuple(i for i in range(len(self.kind.coordinates)) if i not in self.driven)

    @cached_property
    def q(self) -> Any:
        """Free position coordinates."""
        return ca.SX.sym("q", len(self.free))

    @cached_property
    def v(self) -> Any:
        """Free velocity coordinates."""
        return ca.SX.sym("v", len(self.free_columns))

    @cached_property
    def t(self) -> Any:
        """Time."""
        return ca.SX.sym("t")

    @cached_property
    def drives(self) -> tuple[Any, Any, Any]:
        """Driven position coordinates with their first and second rates."""
        e, e1, e2 = (ca.SX.sym(f"e{k}", len(self.driven)) for k in range(3))
        return e, e1, e2

    @cached_property
    def full(self) -> Any:
        """All position coordinates, driven ones too."""
        full = [None] * len(self.kind.coordinates)
        for k, i in enumerate(self.free):
            full[i] = self.q[k]
        for k, i in enumerate(self.driven):
            full[i] = self.drives[0][k]
        return ca.vertcat(*full) if full else ca.SX(0, 1)

    @cached_property
    def pose(self) -> tuple[Any, Any]:
        """Pose of the child frame in the parent frame, as the user wrote it."""
        R, r = self._on_symbols("pose", self.full, self.t)
        return ca.SX(math.matrix(R)), ca.SX(math.vector(r))

    def _on_symbols(self, name: str, *arguments: Any) -> Any:
        """Call a method of the kind, which may be a user's, with symbols."""
        what = f"{name}() of joint kind {type(self.kind).__name__}"
        with on_symbols(what):
            result = getattr(self.kind, name)(*arguments)
        if _has_nan(result):
            raise ModelError(f"{what} gives no number on symbols.")
        return result

    @cached_property
    def rates(self) -> Any:
        """Matrix Y₁ (n_q × n_v) of all coordinates, driven ones too."""
        Y = self._on_symbols("rates", self.full)
        return ca.SX.eye(len(self.kind.coordinates)) if Y is None else ca.SX(math.matrix(Y))

    @cached_property
    def driven_columns(self) -> tuple[int, ...]:
        """Indices of the velocity coordinates that the drives determine."""
        Y = self.rates
        touched = {
            j for i in self.driven for j in range(Y.shape[1]) if not ca.SX(Y[i, j]).is_zero()
        }
        columns = tuple(sorted(touched))
        if columns and not _is_identity(Y[list(self.driven), list(columns)]):
            self._require_drives_to_fit(columns)
        return columns

    def _require_drives_to_fit(self, columns: tuple[int, ...]) -> None:
        """Check at the reference position that the drives fix these velocities, and no more."""
        phi = self._columns(lambda dR: dR @ self.pose[0].T, ca.SX.eye(3))[:, list(self.driven)]
        symbols = [self.full, self.t, *self.slots]
        f = ca.Function("drives", symbols, [self.rates[list(self.driven), list(columns)], phi])
        numbers = [0.7 + 0.1 * k for k in range(len(self.slots))]
        Y, phi = (np.array(x) for x in f(self.kind.start(), 0.0, *numbers))
        word, names = type(self.kind).__name__, list(self.kind.coordinates)
        driven = ", ".join(repr(names[i]) for i in self.driven)
        if np.linalg.matrix_rank(Y) < len(columns):
            velocities = [list(self.kind.velocities)[j] for j in columns]
            raise ModelError(
                f"the drives of {driven} of {word} do not determine the velocities "
                f"{', '.join(map(repr, velocities))} at the reference position. Drive all the "
                "coordinates that change with them, such as the whole 'orientation', or others."
            )
        unreachable = np.eye(len(self.driven)) - Y @ np.linalg.pinv(Y)
        if np.abs(phi @ unreachable).max() > 1e-9:
            raise ModelError(
                f"{word} cannot follow drives of {driven} at once: they share {len(columns)} "
                f"velocit{'y' if len(columns) == 1 else 'ies'}. Leave some of them free."
            )

    @cached_property
    def free_columns(self) -> tuple[int, ...]:
        """Indices of the velocity coordinates that are free."""
        return tuple(j for j in range(self.rates.shape[1]) if j not in self.driven_columns)

    @cached_property
    def _given_modes(self) -> Any:
        return self._on_symbols("modes", self.full, self.t)

    @cached_property
    def parent_modes(self) -> tuple[Any, Any]:
        """Modes of all velocity coordinates and of time, in the parent frame (6 × n_v, 6)."""
        R, _ = self.pose
        given = self._given_modes
        if given is None:
            phi = self._columns(lambda dR: dR @ R.T, ca.SX.eye(3)) @ self.rates
        else:
            phi = ca.SX(math.matrix(given))
        phi_t = self._derivative(self.t, lambda dR: dR @ R.T, ca.SX.eye(3))
        return simplify(phi), simplify(phi_t)

    @cached_property
    def modes(self) -> tuple[Any, Any]:
        """Modes S of all velocity coordinates and of time, in the outboard frame (RK-2)."""
        R, r = self.pose
        if self.is_reversed:  # the parent moves: Ω' = −Ω, V' = Ω × r − V in parent components
            S, S_t = (simplify(_seen_back(phi, r)) for phi in self.parent_modes)
            return S, S_t
        if self._given_modes is None:
            S = self._columns(lambda dR: R.T @ dR, R.T) @ self.rates
        else:
            S = ca.diagcat(R.T, R.T) @ self.parent_modes[0]
        S_t = self._derivative(self.t, lambda dR: R.T @ dR, R.T)
        return simplify(S), simplify(S_t)

    def _columns(self, spin: Callable[[Any], Any], turn: Any) -> Any:
        n_q = self.full.numel()
        both = [(self.q, self.free), (self.drives[0], self.driven)]
        column = {}
        for symbol, indices in both:
            for k, i in enumerate(indices):
                column[i] = self._derivative(symbol[k], spin, turn)
        return ca.horzcat(*(column[i] for i in range(n_q))) if n_q else ca.SX(6, 0)

    def _derivative(self, symbol: Any, spin: Callable[[Any], Any], turn: Any) -> Any:
        R, r = self.pose
        dR = ca.reshape(ca.jacobian(ca.vec(R), symbol), 3, 3)
        return ca.vertcat(math.axial(spin(dR)), turn @ ca.jacobian(r, symbol))

    @cached_property
    def excited(self) -> Any:
        """Velocity S_x caused by drives and explicit time."""
        S, S_t = self.modes
        if not self.driven:
            return S_t
        return S_t + S[:, list(self.driven_columns)] @ self.driven_velocity

    @cached_property
    def driven_velocity(self) -> Any:
        """Velocities that the drives determine."""
        Y = self.rates[list(self.driven), list(self.driven_columns)]
        if _is_identity(Y):
            return self.drives[1]
        gram = ca.sparsify(simplify(Y.T @ Y))
        return ca.inv(gram) @ (Y.T @ self.drives[1])

    @cached_property
    def function(self) -> Any:
        """Function (slots, q, v, t, e, e1, e2) → (R, r, S, S_x, c, dq/dt, S_d)."""
        q, v, t, (e, e1, e2) = self.q, self.v, self.t, self.drives
        R, r = self.pose
        if self.is_reversed:
            R, r = R.T, -R.T @ r
        S = self.modes[0][:, list(self.free_columns)]
        qdot = self.rates[list(self.free), list(self.free_columns)] @ v
        if self.driven_columns:
            carried = self.rates[list(self.free), list(self.driven_columns)]
            qdot = qdot if carried.is_zero() else qdot + carried @ self.driven_velocity
        G = S @ v + self.excited
        c = ca.jtimes(G, ca.vertcat(q, e, e1, t), ca.vertcat(qdot, e1, e2, 1))
        S_d = self.modes[0][:, list(self.driven_columns)]
        outputs = [R, r, S, self.excited, simplify(c), qdot, S_d]
        return ca.Function("motion", self._inputs, outputs)

    @cached_property
    def slopes(self) -> Any:
        """Function (slots, q, v, t, e, e1, e2, dv/dt, F) → derivatives of the joint (RD-10).

        Twists of the pose by q, derivatives of G and of S dv/dt + c by q, of c by v, and of the
        forces SᵀF by q.
        """
        vdot, F = ca.SX.sym("vdot", self.v.numel()), ca.SX.sym("F", 6)
        R, r, S, S_x, c, _, _ = self.function(*self._inputs)
        columns = []
        for k in range(self.q.numel()):
            dR = ca.reshape(ca.jacobian(ca.vec(R), self.q[k]), 3, 3)
            columns.append(ca.vertcat(math.axial(R.T @ dR), R.T @ ca.jacobian(r, self.q[k])))
        T = simplify(ca.horzcat(*columns)) if columns else ca.SX(6, 0)
        by_q = [ca.jacobian(x, self.q) for x in (S @ self.v + S_x, S @ vdot + c, S.T @ F)]
        outputs = [T, *by_q[:2], ca.jacobian(c, self.v), by_q[2]]
        return ca.Function("slopes", [*self._inputs, vdot, F], outputs)

    @cached_property
    def driven_function(self) -> Any:
        """Function (slots, q, v, t, e, e1, e2) → velocities that drives determine, their rates."""
        q, t, (e, e1, e2) = self.q, self.t, self.drives
        qdot = self.function(*self._inputs)[5]
        along = ca.vertcat(q, e, e1, t), ca.vertcat(qdot, e1, e2, 1)
        outputs = [self.driven_velocity, ca.jtimes(self.driven_velocity, *along)]
        return ca.Function("driven", self._inputs, outputs)

    @property
    def _inputs(self) -> list[Any]:
        return [ca.vertcat(*self.slots), self.q, self.v, self.t, *self.drives]


def _is_identity(Y: Any) -> bool:
    return bool(Y.shape[0] == Y.shape[1] and (Y - ca.SX.eye(Y.shape[0])).is_zero())


def _has_nan(value: Any) -> bool:
    """Tell whether numbers or graphs hold something that is no number."""
    if isinstance(value, tuple | list | np.ndarray):
        return any(_has_nan(part) for part in value)
    if not isinstance(value, ca.SX):
        return isinstance(value, float) and value != value  # noqa: PLR0124
    graph = ca.Function("graph", ca.symvar(value), [value])
    constants = [k for k in range(graph.n_instructions()) if graph.instruction_id(k) == ca.OP_CONST]
    return any(np.isnan(graph.instruction_constant(k)) for k in constants)


def _seen_back(phi: Any, r: Any) -> Any:
    turned = [
        ca.vertcat(-phi[:3, k], ca.cross(phi[:3, k], r) - phi[3:, k]) for k in range(phi.shape[1])
    ]
    return ca.horzcat(*turned) if turned else ca.SX(6, 0)


def split(value: Any, numbers: bool) -> tuple[Hashable, list[Any]]:
    """Separate the numbers of a joint kind from its structure.

    Returns a key that is equal for kinds of the same structure, and the list of numbers.
    Parameters always count as numbers; plain floats only if ``numbers`` is true, and then
    0 and ±1 belong to the structure (they are what axes and signs are made of).
    """
    if isinstance(value, Expression):
        return "slot", [value]
    if isinstance(value, float | int) and not isinstance(value, bool):
        is_slot = numbers and value not in (0, 1, -1)
        return ("slot", [float(value)]) if is_slot else (value, [])
    if isinstance(value, tuple):
        parts = [split(v, numbers) for v in value]
    elif isinstance(value, Joint) and is_dataclass(value):
        parts = [split(getattr(value, f.name), numbers) for f in fields(value)]
    else:
        try:
            hash(value)
        except TypeError:
            return id(value), []
        return value, []
    return (type(value), *(key for key, _ in parts)), [n for _, own in parts for n in own]


def fill(value: Any, numbers: bool, slots: Iterator[Any]) -> Any:
    """Put symbols or values back in the place of the numbers that `split` found."""
    key, own = split(value, numbers)
    if not own:
        return value
    if key == "slot":
        return next(slots)
    if isinstance(value, tuple):
        return tuple(fill(v, numbers, slots) for v in value)
    copy = object.__new__(type(value))
    for f in fields(value):
        object.__setattr__(copy, f.name, fill(getattr(value, f.name), numbers, slots))
    return copy


_TRACED: dict[Hashable, tuple[Joint, Motion]] = {}


def traced(kind: Joint, driven: tuple[int, ...], is_reversed: bool, numbers: bool) -> Motion:
    """Motion of a kind with symbols for its numbers; equal structures share one."""
    structure, values = split(kind, numbers)
    key = (structure, driven, is_reversed)
    if key not in _TRACED:
        slots = [ca.SX.sym(f"slot_{k}") for k in range(len(values))]
        motion = Motion(fill(kind, numbers, iter(slots)), slots, driven, is_reversed)
        _TRACED[key] = kind, motion  # the kind keeps objects alive whose id is in the key
    return _TRACED[key][1]


def accepts_symbols(kind: Joint) -> bool:
    """Tell whether the numbers in the fields of a kind may be symbols.

    They may not where its ``pose`` decides or counts with them: ``if self.side > 0``.
    """
    try:
        motion = traced(kind, (), False, True)
        return bool(motion.pose and motion.rates.numel() >= 0 and motion.parent_modes)
    except ModelError:
        return False


def evaluate_motion(motion: Motion, values: Any, q: Any, t: float) -> tuple[Any, Any]:
    """Numerical modes in the parent frame of all coordinates and of time."""
    phi, phi_t = motion.parent_modes
    f = ca.Function("modes", [ca.vertcat(*motion.slots), motion.full, motion.t], [phi, phi_t])
    return tuple(np.array(x) for x in f(values, q, t))  # type: ignore[return-value]
