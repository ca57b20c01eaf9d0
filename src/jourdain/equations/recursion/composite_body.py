"""Mass matrix by composite bodies, and forward dynamics of small systems with it.

    I_c = I + Σ Xᵀ I_c,out X,   F = I_c S_j,   M_ij = S_iᵀ X…X F + a_i δ_ij  (RD-6)
    M = Lᵀ D L, eliminated from the leaves, so that branches cause no fill-in   (RD-7)

Below some ten coordinates this is cheaper than articulated bodies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from jourdain import math
from jourdain.equations.recursion.kinematics import RATES, attach
from jourdain.equations.recursion.links import Link
from jourdain.equations.recursion.newton_euler import INVERSE, forces_along, pass_force
from jourdain.equations.recursion.spatial_algebra import (
    momentum,
    symmetric,
    to_inboard,
    to_outboard,
    turned,
    with_armature,
)
from jourdain.equations.recursion.sweeps import Layout, Recursion, Sweep, run, sweep

Entries = dict[tuple[int, int], Any]  # (velocity coordinate, same or nearer to the world)


def _attach(link: Link, own: Any, inboard: Any) -> None:
    attach(link, own)
    begin_composite(link, own)


def begin_composite(link: Link, own: Any) -> None:
    """Let the composite inertia of a link be that of its body."""
    own.m_c, own.h_c, own.J_c = own.m, own.h, own.J
    if link.block is not None:
        own.C_c, own.M_c = own.C, link.block.M


def gather(link: Link, own: Any, inboard: Any) -> None:
    """Add the composite inertia of this link to its inboard neighbour (RD-6, F13)."""
    if link.is_section and own.S.shape[1]:
        F = math.columns(*(momentum(composite(own), own.S[:, k]) for k in range(own.S.shape[1])))
        carried = [to_inboard(own, F[:, k]) for k in range(own.S.shape[1])]
        inboard.C_c = inboard.C_c + math.columns(*carried)
        inboard.M_c = inboard.M_c + symmetric(own.S.T @ F)
    p, h = own.p_in, own.R_in @ own.h_c
    inboard.m_c = inboard.m_c + own.m_c
    inboard.h_c = inboard.h_c + h + own.m_c * p
    across = math.dot(p, h) + 0.5 * own.m_c * math.dot(p, p)
    mixed = math.outer(h + 0.5 * own.m_c * p, p)
    J = turned(own.R_in, own.J_c) + 2.0 * across * np.eye(3) - mixed - mixed.T
    inboard.J_c = symmetric(inboard.J_c + J)


def composite(own: Any) -> Any:
    """Inertia of a link and all that it carries."""
    return SimpleNamespace(m=own.m_c, h=own.h_c, J=own.J_c)


def weightless() -> dict[str, Any]:
    """Composite inertia of the world, which nobody asks for."""
    return {"m_c": np.zeros(1), "h_c": np.zeros(3), "J_c": np.zeros((3, 3))}


def _block(link: Link, own: Any, inboard: Any) -> None:
    """Momenta of the modes of a link, and its own block of the mass matrix (RD-6)."""
    if link.n_v:
        modes = (own.S[:, c] for c in range(link.n_v))
        own.momenta = math.columns(*(momentum(composite(own), mode) for mode in modes))
        own.block = with_armature(own.S.T @ own.momenta, own)
    if link.block is not None:
        across = own.S.T @ own.C_c
        own.momenta = own.momenta + own.C_c
        own.block = own.block + across + across.T + own.M_c


_COMPOSITE = Recursion(
    "composite",
    (Sweep(_attach), Sweep(gather, is_outward=False), Sweep(_block)),
    ("q",),
    {},
    lambda _: weightless(),
)


def entries(
    links: Sequence[Link], layout: Layout, inputs: Mapping[str, Any], gravity: Any
) -> Entries:
    """Lower triangle of M in tree order (RD-6); what is not there is zero."""
    slots = sweep(_COMPOSITE, links, layout, inputs, gravity)
    M: Entries = {}
    for j in range(len(links), 0, -1):
        own, start = slots[j], layout.v_start[j - 1]
        for c in range(links[j - 1].n_v):
            F, k = own.momenta[:, c], j
            for r in range(c + 1):
                M[start + c, start + r] = own.block[c, r]
            while links[k - 1].inboard:
                section = slots[k].S if links[k - 1].is_section else None
                along = F if section is None else section.T @ F
                F = to_inboard(slots[k], F)
                k = links[k - 1].inboard
                for r in range(links[k - 1].n_v):
                    entry = math.dot(slots[k].S[:, r], F)
                    entry = entry if section is None else entry + along[r]
                    M[start + c, layout.v_start[k - 1] + r] = entry
    return M


def mass_matrix(
    links: Sequence[Link], layout: Layout, inputs: Mapping[str, Any], gravity: Any
) -> Any:
    """Whole matrix M (n_v × n_v)."""
    n = layout.n_v
    rows: list[list[Any]] = [[0.0] * n for _ in range(n)]
    for (i, j), value in entries(links, layout, inputs, gravity).items():
        rows[i][j] = rows[j][i] = value
    return math.matrix(rows)


def supports(links: Sequence[Link], layout: Layout) -> tuple[list[int], dict[int, list[int]]]:
    """Velocity coordinates in tree order; for each, those between it and the world."""
    order: list[int] = []
    below: list[list[int]] = [[]]
    supports: dict[int, list[int]] = {}
    for link, start in zip(links, layout.v_start, strict=True):
        chain = list(below[link.inboard])
        for k in range(start, start + link.n_v):
            supports[k] = list(chain)
            chain.append(k)
            order.append(k)
        below.append(chain)
    return order, supports


def solve(M: Entries, x: dict[int, Any], order: list[int], supports: dict[int, list[int]]) -> None:
    """Replace x by M⁻¹ x, and M by its factors (RD-7)."""
    for k in reversed(order):
        for i in reversed(supports[k]):
            ratio = M[k, i] / M[k, k]
            for j in [*supports[i], i]:
                M[i, j] = M[i, j] - ratio * M[k, j]
            M[k, i] = ratio
    for k in reversed(order):
        for i in supports[k]:
            x[i] = x[i] - M[k, i] * x[k]
    for k in order:
        x[k] = x[k] / M[k, k]
        for i in supports[k]:
            x[k] = x[k] - M[k, i] * x[i]


def forward(
    links: Sequence[Link], layout: Layout, inputs: Mapping[str, Any], gravity: Any
) -> dict[str, list[Any]]:
    """Accelerations from M dv/dt = τ − h."""
    n, tau = layout.n_v, inputs["tau"]
    at_rest = {**inputs, "vdot": np.zeros(n)}
    bias = run(INVERSE, links, layout, at_rest, gravity)["tau"]
    x: dict[int, Any] = {}
    for link, start, h in zip(links, layout.v_start, bias, strict=True):
        x |= {start + k: tau[start + k] - h[k] for k in range(link.n_v)}
    solve(entries(links, layout, inputs, gravity), x, *supports(links, layout))
    return {
        "vdot": [
            math.concatenate(*(x[start + k] for k in range(link.n_v))) if link.n_v else np.zeros(0)
            for link, start in zip(links, layout.v_start, strict=True)
        ]
    }


def state(
    links: Sequence[Link], layout: Layout, inputs: Mapping[str, Any], gravity: Any
) -> dict[str, list[Any]]:
    """Rates of positions and velocities."""
    rates = run(RATES, links, layout, inputs, gravity)
    return rates | forward(links, layout, inputs, gravity)


def _push(link: Link, own: Any, inboard: Any) -> None:
    attach(link, own)
    own.A = to_outboard(own, inboard.A) + own.S @ own.vdot
    own.F = momentum(own, own.A)
    if link.block is not None:
        own.F = own.F + own.C @ own.vdot
        own.Q = own.C.T @ own.A + link.block.M @ own.vdot


def _pull(link: Link, own: Any, inboard: Any) -> None:
    own.tau = forces_along(link, own)
    pass_force(link, own, inboard)


MULTIPLY = Recursion(
    "multiply_mass_matrix",
    (Sweep(_push), Sweep(_pull, is_outward=False)),
    ("q", "vdot"),
    {"tau": ("v", 1)},
    lambda _: {"A": np.zeros(6), "F": np.zeros(6)},
    exchanged=("Q",),
)


def _rows(
    links: Sequence[Link], layout: Layout, inputs: Mapping[str, Any], gravity: Any
) -> dict[str, list[Any]]:
    M = mass_matrix(links, layout, inputs, gravity)
    rows = []
    for link, start in zip(links, layout.v_start, strict=True):
        own = [math.vector(M[k, :]) for k in range(start, start + link.n_v)]
        rows.append(math.concatenate(*own) if own else np.zeros(0))
    return {"M": rows}


MASS_MATRIX = Recursion("mass_matrix", (), ("q",), {"M": ("v", "v")}, lambda _: {}, small=_rows)
