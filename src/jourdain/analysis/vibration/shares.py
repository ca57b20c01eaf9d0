"""Who takes part in a mode: kinetic energy by body, potential energy and damping by connection."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.analysis.linear.linearization import Linearization
from jourdain.equations.mechanism import Mechanism

_STEP = 1e-4
_PLACES = ((-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0))


def kinetic(lin: Linearization, x: Any) -> dict[str, float]:
    """Share of the kinetic energy by body and scalar coordinate."""
    at, system = lin.point.at, lin.system
    w = lin.tangent.T_velocities @ x
    if not np.any(w):  # a free motion at rest: that of moving along it
        w = lin.tangent.N_v @ _rates(lin, x)
    base = _energies(lin, at.v * 0.0)
    whole = sum(_energies(lin, part) - base for part in (w.real, w.imag))
    total = float(whole.sum())
    names = [*system.model.bodies, *system.model.coordinates]
    share = whole / total if total else whole
    return dict(zip(names, share.tolist(), strict=True))


def _rates(lin: Linearization, x: Any) -> Any:
    """Independent velocities of a motion along positions."""
    eta = lin.tangent.steps.matrix(lin.point.at.q) @ (lin.tangent.T_positions_whole @ x)
    slopes = lin.point.graph.slopes(lin.point.at)
    moves = slopes.by_v["zdot"] @ lin.tangent.N_v
    return np.linalg.lstsq(moves, eta, rcond=None)[0]


def _energies(lin: Linearization, v: Any) -> Any:
    at = lin.point.at
    found = lin.system.energies(at.q, v, at.t, parameters=at.p)
    return np.asarray(found)[..., 0].reshape(-1)


def potential(lin: Linearization, x: Any) -> dict[str, float]:
    """Share of the potential energy by connection and flexible body."""
    works = {name: max(-float((g.conj() @ f).real), 0.0) for name, (g, f) in _parts(lin, x, 0)}
    total = sum(works.values())
    return _folded(lin, {name: work / total if total else 0.0 for name, work in works.items()})


def damping(lin: Linearization, x: Any, value: complex) -> dict[str, float]:
    """Part of −Re λ that each connection and flexible body causes (LI-8)."""
    M, n = lin.M.toarray(), len(lin.tangent.positions)
    w = x[n:]
    inertia = float((w.conj() @ M @ w).real)
    whole = lin.K.toarray() @ x[:n]
    velocities = _rates(lin, np.concatenate([x[:n], np.zeros(len(w))]))
    stiff = float((velocities.conj() @ whole).real)
    found = {}
    for (name, (rate, by_rate)), (_, (g, f)) in zip(
        _parts(lin, x, 1), _parts(lin, x, 0), strict=True
    ):
        skew = -complex(g.conj() @ f).imag
        own = -float((rate.conj() @ by_rate).real) + value.imag * skew
        found[name] = own / (inertia + stiff)
    return _folded(lin, found)


def _folded(lin: Linearization, shares: dict[str, float]) -> dict[str, float]:
    """Shares in which springs and dampers inside of a flexible body count for the body."""
    bodies = lin.system.model.bodies.values()
    wholes = {b.piece_of or b.name: b.elastic for b in bodies if b.elastic is not None}
    inner = {
        f"{whole}.{word}.{name}": whole
        for whole, solid in wholes.items() if solid is not None
        for word in ("stiffness", "damping") for name in solid.coordinates
    }  # fmt: skip
    found = dict[str, float]()
    for name, share in shares.items():
        whole = inner.get(name, name)
        found[whole] = found.get(whole, 0.0) + share
    return found


def _parts(lin: Linearization, x: Any, level: int) -> Any:
    """Changes of the measure (level 0) or its rate (1), and of the force, by connection."""
    system = lin.system
    if not system.has_connections:
        return []
    n = lin.tangent.T_whole.shape[0] - len(lin.point.at.v)
    whole = lin.tangent.T_whole @ x
    way = (
        np.where(np.arange(len(whole)) < n, whole, 0.0)
        if level == 0
        else whole * (np.arange(len(whole)) >= n)
    )
    slope = _directional(lin, way.real) + 1j * _directional(lin, way.imag)
    found, start = [], 0
    for name, answer in system.graph[1].answers.items():
        size = int(answer.quantity.rate.numel())
        value = slope[start : start + size]
        rate, force = slope[start + size : start + 2 * size], slope[start + 2 * size :][:size]
        found.append((name, (value if level == 0 else rate, force)))
        start += 3 * size + int(answer.energy.numel()) + int(answer.energy_rate.numel())
    return found


def _directional(lin: Linearization, way: Any) -> Any:
    """Derivative of what connections measure and do along a step, by differences."""
    at, steps, system = lin.point.at, lin.tangent.steps, lin.system
    size = np.abs(way).max(initial=0.0)
    n = len(steps.places)
    tau, extra, _ = lin.point.graph.loads(at)
    total: Any = 0.0
    for place, weight in _PLACES:
        h = place * _STEP / size if size else 0.0
        q, v = steps.moved(at.q, h * way[:n]), at.v + h * way[n:]
        total = total + weight * system.answers(
            Mechanism.measured, q, v, tau, at.t, extra=extra, parameters=at.p
        )
    return total * (size / (12.0 * _STEP)) if size else 0.0 * total
