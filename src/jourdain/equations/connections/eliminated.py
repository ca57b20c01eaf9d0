"""Composite connections with their internal coordinates eliminated.

γ is carried in the state. Where held members alone place it (kinematic), or where no damper acts on
it (elastic), it is refined to the solution of

    kinematic:  δγ = −A⁺ g,   γ̇ = −A⁺ ġ|₀,   μ = −A⁺ᵀ f + (1 − A A⁺) λ             (CN-9)
    elastic:    [∂(f + Aᵀμ)/∂γ  Aᵀ; A  0] [δγ; δμ] = −[f + Aᵀμ; g]                 (CN-10)

whose first step from a carried value is nearly exact, and whose derivative gives γ̇. Internal
coordinates that dampers act on are states: f(γ̇) + Aᵀμ = 0, A γ̇ + ġ|₀ = 0 gives γ̇ and μ  (CN-11).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np

from jourdain.equations.connections.answer import Answer
from jourdain.equations.connections.inner import Inner
from jourdain.equations.tracing.gauss import solve_definite
from jourdain.equations.tracing.open_function import open_function
from jourdain.errors import ModelError, SingularSystemError

_REFINE = 3  # steps from a carried value; the error is squared by each
_NEWTON = 10  # steps for rates that dampers answer to nonlinearly
_STIFFNESS = "no stiffness"
_DAMPING = "no damping, or damping along some directions only,"
_HOLD = "no held member that places it"
_SETTLED = 1e-9  # step beside the size of what is sought, after which it counts as found


@dataclass(frozen=True)
class Rule:
    """How γ follows from what is outside, on the symbols of the parts.

    Parameters
    ----------
    step : casadi.SX
        Change of γ towards the solution.
    rates : casadi.SX
        Rates γ̇ at the solution.
    forces : casadi.SX
        Forces μ of held members, without multipliers.
    matrix : casadi.SX
        What has to be regular.
    residual : casadi.SX
        What the search takes to zero.
    lack : str
        What γ lacks where the matrix is singular.
    """

    step: Any
    rates: Any
    forces: Any
    matrix: Any
    residual: Any
    lack: str


@dataclass(frozen=True)
class Eliminated:
    """A composite as expressions of the state.

    Parameters
    ----------
    gamma, rates : casadi.SX
        Internal coordinates as refined, and their rates.
    answers : mapping of str to Answer
        The parts.
    has_inputs : bool
        Whether inputs have a part in the equilibrium.
    step, matrix, residual : casadi.SX
        As in `Rule`, at the carried values.
    lack : str
        As in `Rule`.
    held : dict
        Of kinematic composites: projector, its size, rows of each held member.
    """

    gamma: Any
    rates: Any
    answers: Mapping[str, Answer]
    has_inputs: bool
    step: Any
    matrix: Any
    residual: Any
    lack: str
    held: dict[str, Any] = field(default_factory=dict)


def eliminate(
    inner: Inner,
    where: str,
    gamma: Any,
    arguments: Sequence[Any],
    multipliers: Mapping[str, Any] | None,
) -> Eliminated:
    """Eliminate the internal coordinates of a composite.

    Parameters
    ----------
    inner : Inner
        The parts.
    where : str
        Name for errors.
    gamma : casadi.SX
        Carried values.
    arguments : sequence
        What belongs in the place of the symbols of the parts.
    multipliers : mapping or None
        Symbols of the multipliers of held members if the composite is kinematic; else None.
    """
    if multipliers is not None:
        rule = _kinematic(inner, where)
    elif inner.gamma_dot.numel() and not _is_free(inner.f, inner.gamma_dot):
        rule = _damped_held(inner, where) if inner.g.numel() else _damped(inner, where)
    else:
        rule = _elastic(inner, where)
    step = inner.function("step", [inner.gamma], [rule.step])
    is_affine = _is_free(ca.jacobian(rule.step, inner.gamma), inner.gamma)
    refined = gamma
    for _ in range(1 if is_affine else _REFINE):
        refined = refined + step(refined, *arguments)
    outputs = [rule.rates, rule.forces]
    rates, forces = inner.function("rates", [inner.gamma], outputs)(refined, *arguments)
    answers = inner.answered(refined, rates, arguments)
    own = inner.function("rule", [inner.gamma], [rule.step, rule.matrix, rule.residual])
    held: dict[str, Any] = {}
    if multipliers is not None:
        answers, held = _with_multipliers(inner, answers, refined, arguments, multipliers)
    else:
        answers = _with_forces(inner, answers, forces)
        if not is_affine:
            left = step(refined, *arguments)
            answers = _guarded(answers, left, refined)
    step_now, matrix, residual = own(gamma, *arguments)
    return Eliminated(
        refined, rates, answers, inner.has_inputs, step_now, matrix, residual, rule.lack, held
    )


def _elastic(inner: Inner, where: str) -> Rule:
    """Positions of equilibrium (CN-10)."""
    m = inner.g.numel()
    mu = ca.SX.sym("mu", m)
    E = ca.vertcat(inner.f + inner.A.T @ mu, inner.g)
    M = ca.jacobian(E, ca.vertcat(inner.gamma, mu))
    _require_regular(M, inner, where, _STIFFNESS)
    _require_rates(inner.f, inner, where)
    guess = -ca.solve(inner.A @ inner.A.T, inner.A @ inner.f) if m else mu
    mu_dot = ca.SX.sym("mu_dot", m)
    E_dot = inner.time_derivative(E) + ca.vertcat(inner.A.T @ mu_dot, ca.SX.zeros(m))
    rates = _solved(E_dot, ca.vertcat(inner.gamma_dot, mu_dot), is_bordered=m > 0)[: inner.n]
    step = -(ca.solve if m else solve_definite)(M, E)[: inner.n]
    put = open_function("forces", [mu], [step, rates, M, E])
    step, rates, M, E = put(guess)
    return Rule(step, rates, guess, M, E, _STIFFNESS)


def _damped(inner: Inner, where: str) -> Rule:
    """Rates from dampers, and positions of equilibrium of coordinates without one (CN-11)."""
    D = ca.jacobian(inner.f, inner.gamma_dot)
    pattern = np.array(ca.DM(D.sparsity()).full()) != 0.0
    creeping = [k for k in range(inner.n) if pattern[k].any() or pattern[:, k].any()]
    at_once = [k for k in range(inner.n) if k not in creeping]
    rates, still = ca.SX.zeros(inner.n), _at_rest(inner, D)
    moved = _solved(inner.f[creeping], inner.gamma_dot[creeping])
    M, step = ca.SX(inner.n, inner.n), ca.SX.zeros(inner.n)
    M[creeping, creeping] = still[creeping, creeping]
    rates[creeping] = moved
    if at_once:
        f = inner.f[at_once]
        K = ca.jacobian(f, inner.gamma[at_once])
        M[at_once, at_once] = K
        _require_regular(M, inner, where, _STIFFNESS)
        step[at_once] = -solve_definite(K, f)
        _require_rates(f, inner, where)
        f_dot = open_function("creep", [inner.gamma_dot[creeping]], [inner.time_derivative(f)])
        rates[at_once] = _solved(f_dot(moved), inner.gamma_dot[at_once])
    residual = ca.SX.zeros(inner.n)
    for k in at_once:
        residual[k] = inner.f[k]
    return Rule(step, rates, ca.SX(0, 1), M, residual, _DAMPING)


def _damped_held(inner: Inner, where: str) -> Rule:
    """Rates from dampers along what held members leave free (CN-11)."""
    mu = ca.SX.sym("mu", inner.g.numel())
    u = ca.vertcat(inner.gamma_dot, mu)
    E = ca.vertcat(inner.f + inner.A.T @ mu, inner.g_rate)
    M = ca.jacobian(E, u)
    _require_regular(M, inner, where, _DAMPING)
    found = _solved(E, u, is_bordered=True)
    step = -inner.A.T @ ca.solve(inner.A @ inner.A.T, inner.g)
    residual = ca.vertcat(ca.SX.zeros(inner.n), inner.g)
    rates, forces = found[: inner.n], found[inner.n :]
    return Rule(step, rates, forces, _at_rest(inner, M), residual, _DAMPING)


def _kinematic(inner: Inner, where: str) -> Rule:
    """Positions and rates from held members alone (CN-9)."""
    A = inner.A
    normal = A.T @ A
    _require_regular(normal, inner, where, _HOLD)
    A_plus = ca.solve(normal, A.T)
    still = _at_rest(inner, inner.g_rate)
    none = ca.SX(0, 1)
    return Rule(-A_plus @ inner.g, -A_plus @ still, none, normal, A.T @ inner.g, _HOLD)


def _with_multipliers(
    inner: Inner,
    answers: dict[str, Answer],
    gamma: Any,
    arguments: Sequence[Any],
    multipliers: Mapping[str, Any],
) -> tuple[dict[str, Answer], dict[str, Any]]:
    """Forces of held members as functions of their multipliers, and the projector (CN-9)."""
    A = inner.function("A", [inner.gamma], [inner.A])(gamma, *arguments)
    laws = [a for name, a in answers.items() if name not in multipliers]
    along = inner.function(
        "along", [inner.gamma],
        [inner.along(a.quantity) for name, a in inner.answers.items() if name not in multipliers],
    )(gamma, *arguments) if laws else ()  # fmt: skip
    J = list(along) if isinstance(along, tuple | list) else [along]
    f = sum((j.T @ a.force for j, a in zip(J, laws, strict=True)), ca.SX.zeros(inner.n))
    A_plus = ca.solve(A.T @ A, A.T)
    P = ca.SX.eye(A.shape[0]) - A @ A_plus
    size = ca.SX.eye(A.shape[0]) + (A**2) @ (A_plus**2)
    given = -A_plus.T @ f
    force = given + P @ ca.vertcat(*multipliers.values())
    rows, start = {}, 0
    for name in multipliers:
        rows[name] = slice(start, start + multipliers[name].numel())
        start = rows[name].stop
        own = {"force": force[rows[name]], "given": given[rows[name]]}
        answers[name] = dataclasses.replace(answers[name], **own)
    return answers, {"P": P, "size": size, "rows": rows}


def _with_forces(inner: Inner, answers: dict[str, Answer], mu: Any) -> dict[str, Answer]:
    """Answers of held members with the forces that equilibrium asks of them."""
    found, start = {}, 0
    for name, a in answers.items():
        is_held = any(own is inner.answers[name] for own in inner.held)
        n = a.force.numel()
        found[name] = dataclasses.replace(a, force=mu[start : start + n]) if is_held else a
        start += n if is_held else 0
    return found


def _guarded(answers: dict[str, Answer], left: Any, gamma: Any) -> dict[str, Answer]:
    """Answers that are no numbers where no equilibrium has been found."""
    none = _nothing_if_found(left, gamma)
    return {name: dataclasses.replace(a, force=a.force + none) for name, a in answers.items()}


def _nothing_if_found(left: Any, x: Any) -> Any:
    """Zero where the step that is left is small beside x; no number elsewhere."""
    is_found = ca.mmax(ca.fabs(left)) < _SETTLED * (1.0 + ca.mmax(ca.fabs(x)))
    return ca.log(ca.if_else(is_found, 1.0, -1.0))


def _solved(E: Any, u: Any, *, is_bordered: bool = False) -> Any:
    """Zero of an expression by Newton's method from u = 0; one step where it is affine."""
    M = ca.jacobian(E, u)
    step = open_function("newton", [u], [(ca.solve if is_bordered else solve_definite)(M, E)])
    x = -step(ca.SX.zeros(u.numel()))
    if _is_free(M, u):
        return x
    for _ in range(_NEWTON):
        left = step(x)
        x = x - left
    return x + _nothing_if_found(left, x)


def _at_rest(inner: Inner, expression: Any) -> Any:
    """Expression without the internal rates."""
    return open_function("still", [inner.gamma_dot], [expression])(ca.SX.zeros(inner.n))


def _is_free(expression: Any, symbols: Any) -> bool:
    return not ca.depends_on(expression, symbols)


def _require_regular(M: Any, inner: Inner, where: str, what: str) -> None:
    """Refuse equations that some internal coordinate does not enter at all."""
    if ca.sprank(M) == M.shape[0]:
        return
    empty = [n for k, n in enumerate(inner.names) if M[:, k].nnz() == 0 or M[k, :].nnz() == 0]
    raise singular(where, empty or inner.names, what)


def _require_rates(f: Any, inner: Inner, where: str) -> None:
    """Refuse positions of equilibrium that depend on something whose rate is not known."""
    velocities = [c[1] for c in inner.coordinates.values()]
    velocities += [b.twist for b in inner.bodies.values()]
    unknown = ca.symvar(ca.veccat(ca.SX(0, 1), *velocities, *inner.known.found_later))
    hashes = {s.element_hash() for s in unknown}
    if left := [s for s in ca.symvar(f) if s.element_hash() in hashes]:
        raise ModelError(
            f"{where}: springs place its internal coordinates, and a law among them depends on "
            f"{left[0].name()!r}, a velocity or a force, whose rate is not known. Put a damper "
            "beside every member, or make that member a connection of its own."
        )


def singular(where: str, names: Sequence[str], what: str) -> SingularSystemError:
    """Error for internal coordinates that follow from nothing."""
    several = len(names) > 1
    return SingularSystemError(
        f"{where}: its internal coordinate{'s' * several} {', '.join(map(repr, names))} "
        f"{'have' if several else 'has'} {what}, so nothing says where "
        f"{'they are' if several else 'it is'}.\n"
        "  Likely causes: a node that can move without changing any measure of the parts, parts "
        "that all pull along one line, or dampers on some parts of a node only. Next: add a part "
        "that holds it, put a damper beside every part or none, or give the node a kind with fewer "
        'coordinates, such as kind=jd.Prismatic("x").'
    )
