"""Lowest modes of large machines: shift and inversion on the sparse pencil (LI-9)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, eigs, splu

from jourdain.analysis.linear.independent import Steps
from jourdain.analysis.vibration.mode_list import ModeList
from jourdain.errors import ModelError
from jourdain.results import Solution
from jourdain.system import System
from jourdain.system.linear.pencil import Pencil, PencilMaker

_SHIFT = 1e-7  # of free motions, as part of the largest stiffness by mass
_FREE = 1e-3  # square of a frequency, as part of the shift, that counts as none
_BLOCK = 4  # vectors of a block: eigenvalues may come as often
_MOST = 6  # times the number of modes that the space may grow to
_EXACT = 1e-10  # residual of a mode, as part of its eigenvalue of the inverse
_NONE = 1e-13  # part of the size of a block that is rounding
_SKEW = 1e-9  # part of the stiffness that may be skew
_SINGULAR = 1e-13  # pivot, as part of the largest, that counts as none


@dataclass(frozen=True, repr=False)
class LargeMode:
    """One mode of a large machine.

    Parameters
    ----------
    system : System
        The compiled machine.
    number : int
        Place among the modes, from 0.
    eigenvalue : complex [1/s]
        Eigenvalue with imaginary part ≥ 0; zero for a free motion.
    names : tuple of str
        Coordinates of joints and scalar coordinates.
    vector : (n,) complex
        Their components, the largest 1.
    state : (q, t, p)
        Rest about which it is.
    """

    system: System
    number: int
    eigenvalue: complex
    names: tuple[str, ...]
    vector: Any
    state: tuple[Any, float, Any]

    @property
    def is_free_motion(self) -> bool:
        """Whether nothing drives it back."""
        return self.eigenvalue == 0.0

    @property
    def frequency(self) -> float:
        """Undamped frequency |λ|/2π [Hz]."""
        return abs(self.eigenvalue) / (2.0 * np.pi)

    @property
    def damping_ratio(self) -> float:
        """Damping ratio −Re λ/|λ|; NaN for free motions."""
        size = abs(self.eigenvalue)
        return 0.0 - self.eigenvalue.real / size if size else float("nan")

    @cached_property
    def shape(self) -> dict[str, complex]:
        """Components by name."""
        return dict(zip(self.names, self.vector.tolist(), strict=True))

    def motion(self, amplitude: float = 0.1, *, frames: int = 60) -> Solution:
        """One period of the mode as a solution.

        Parameters
        ----------
        amplitude : float [rad, m]
            Largest component.
        frames : int
            Samples.
        """
        rest, t, p = self.state
        steps = Steps(self.system)
        index = [steps.names.index(name) for name in self.names]
        phases = np.exp(2j * np.pi * np.linspace(0.0, 1.0, frames + 1))
        q, none = [], np.zeros(len(self.system.names.v))
        for phase in phases:
            eta = np.zeros(len(steps.places))
            eta[index] = amplitude * np.real(phase * self.vector)
            moved = steps.moved(rest, eta)
            q.append(self.system.project(moved, none, t, parameters=p)[0])
        still = np.zeros((len(q), len(self.system.names.v)))
        turn = 1.0 / self.frequency if self.frequency else 1.0
        parameters = dict(zip(self.system.names.parameters, p.tolist(), strict=True))
        time = t + np.linspace(0.0, turn, len(q))
        return Solution(self.system, time, q, still, still, parameters=parameters)

    def __repr__(self) -> str:
        if self.is_free_motion:
            return f"<mode {self.number}: free motion>"
        ratio = self.damping_ratio
        return f"<mode {self.number}: {self.frequency:.6g} Hz, damping ratio {ratio:.4g}>"


@dataclass(frozen=True, repr=False)
class LargeModes(ModeList[LargeMode]):
    """Lowest modes of a large machine. Made by ``jd.eigenmodes(model, count=20)``.

    Parameters
    ----------
    modes : tuple of LargeMode
        Free motions first, then by frequency.
    pencil : Pencil
        Sparse matrices.
    """

    modes: tuple[LargeMode, ...]
    pencil: Pencil

    @cached_property
    def eigenvalues(self) -> Any:
        """Eigenvalues (n,) [1/s]."""
        return np.array([mode.eigenvalue for mode in self.modes])

    def __repr__(self) -> str:
        return f"<{len(self)} modes, {self.pencil.M.shape[0]} unknowns>"

    def __str__(self) -> str:
        return "\n".join(repr(mode).strip("<>") for mode in self.modes)


def large_modes(
    system: System, q: Any, t: float, p: Any, count: int, *, damped: bool = True
) -> LargeModes:
    """Lowest modes of a machine at rest, by its sparse pencil."""
    pencil = PencilMaker(system, q, t, p).run()
    skew = abs(pencil.K - pencil.K.T).max() if pencil.K.nnz else 0.0
    is_skew = skew > _SKEW * abs(pencil.K).max() if skew else False
    if is_skew and not damped:
        raise ModelError(
            "modes without damping need a symmetric stiffness; here forces depend on positions in "
            "a way that has no potential. Leave damped=False out."
        )
    if is_skew or (damped and pencil.D.nnz):
        values, vectors = _damped(pencil, count)
    else:
        values, vectors = _conservative(pencil, count)
    first, modes = pencil.first, list[LargeMode]()
    for value, x in zip(values, vectors.T, strict=True):
        own = x[first : first + len(pencil.names)]
        own = own / own[int(np.argmax(np.abs(own)))]
        modes.append(LargeMode(system, len(modes), complex(value), pencil.names, own, (q, t, p)))
    return LargeModes(tuple(modes), pencil)


def _saddle(pencil: Pencil, shift: float) -> Any:
    """Factors of [K − σM, Gᵀ; G, 0], rows scaled as stiffness; None if there are none."""
    size = float(np.abs(pencil.K.diagonal()).max(initial=0.0)) or 1.0
    whole = (pencil.K - shift * pencil.M).tocsc()
    if pencil.G.shape[0]:
        whole = sparse.block_array(
            [[whole, size * pencil.G.T], [size * pencil.G, None]], format="csc"
        )
    try:
        factors = splu(whole)
    except RuntimeError:  # exactly singular
        return None
    pivots = np.abs(factors.U.diagonal())
    is_singular = pivots.min(initial=np.inf) <= _SINGULAR * pivots.max(initial=0.0)
    return None if is_singular else factors


def _conservative(pencil: Pencil, count: int) -> tuple[Any, Any]:
    """Symmetric problem K x = ω² M x on the rows, by Lanczos' method."""
    n, m = pencil.M.shape[0], pencil.G.shape[0]
    stiff, mass = (float(np.abs(x.diagonal()).max(initial=0.0)) for x in (pencil.K, pencil.M))
    shift, factors = 0.0, _saddle(pencil, 0.0)
    if factors is None:
        shift = -_SHIFT * (stiff or 1.0) / (mass or 1.0)
        factors = _saddle(pencil, shift)
    empty = np.zeros((m, _BLOCK))

    def inverse(x: Any) -> Any:
        right = np.vstack([pencil.M @ x, empty[:, : x.shape[1]]])
        return factors.solve(right)[:n]

    found, vectors = lowest(inverse, pencil.M, min(count, n - m))
    found = shift + 1.0 / found
    order = np.argsort(found)
    squares, vectors = found[order], vectors[:, order]
    zero = _FREE * abs(shift)
    sizes = np.sqrt(np.abs(squares))
    values = np.where(squares > 0.0, 1j * sizes, sizes)
    values = np.where(np.abs(squares) <= zero, 0.0, values)
    return values, vectors


def lowest(inverse: Any, M: Any, count: int) -> tuple[Any, Any]:
    """Largest eigenvalues of an operator that is symmetric in the measure of M, with vectors.

    Block Lanczos with full orthogonalisation; blocks find eigenvalues that come several times.
    """
    n, most = M.shape[0], _MOST * count + 100
    basis, weighted = np.zeros((n, most + _BLOCK)), np.zeros((n, most + _BLOCK))
    H = np.zeros((most + _BLOCK, most + _BLOCK))
    block = np.random.default_rng(0).normal(size=(n, _BLOCK))
    block, m = _unit(inverse(inverse(block)), M), 0
    while True:
        first, m = m, m + block.shape[1]
        basis[:, first:m], weighted[:, first:m] = block, M @ block
        image = inverse(block)
        H[:m, first:m] = weighted[:, :m].T @ image
        rest = image - basis[:, :m] @ H[:m, first:m]
        rest -= basis[:, :m] @ (weighted[:, :m].T @ rest)
        H[first:m, :first] = H[:first, first:m].T
        values, vectors = np.linalg.eigh(0.5 * (H[:m, :m] + H[:m, :m].T))
        order = np.argsort(-np.abs(values))[:count]
        values, last = values[order], vectors[first:, order]
        left = np.sqrt(np.maximum(np.einsum("ik,ik->k", last, (rest.T @ (M @ rest)) @ last), 0.0))
        is_found = m >= count and np.all(left <= _EXACT * np.abs(values))
        block = rest[:, :0] if is_found else _unit(rest, M)
        if not block.shape[1] or m >= most:
            return values, basis[:, :m] @ vectors[:, order]


def _unit(block: Any, M: Any) -> Any:
    """Block with orthogonal columns of length one; columns of length zero are left out."""
    sizes = np.sqrt(np.maximum(np.einsum("ik,ik->k", block, M @ block), 0.0))
    largest = float(sizes.max(initial=0.0))
    block = block[:, sizes > _NONE * largest] / sizes[sizes > _NONE * largest]
    gram = block.T @ (M @ block)
    squares, turns = np.linalg.eigh(0.5 * (gram + gram.T))
    kept = squares > _NONE
    return block @ (turns[:, kept] / np.sqrt(squares[kept]))


def _damped(pencil: Pencil, count: int) -> tuple[Any, Any]:
    """Quadratic problem (λ²M + λD + K) x = 0 on the rows, as one of first order, by Arnoldi's."""
    n, m = pencil.M.shape[0], pencil.G.shape[0]
    size = float(np.abs(pencil.K.diagonal()).max(initial=0.0)) or 1.0
    mass = float(np.abs(pencil.M.diagonal()).max(initial=0.0)) or 1.0
    shift = 1e-3 * np.sqrt(_SHIFT * size / mass)
    eye = sparse.identity(n, format="csc")
    G = size * pencil.G
    A = sparse.block_array(
        [[None, eye, None], [-pencil.K, -pencil.D, -G.T], [G, None, sparse.csc_array((m, m))]],
        format="csc",
    )
    E = sparse.block_diag([eye, pencil.M, sparse.csc_array((m, m))], format="csc")
    factors = splu((A - shift * E).tocsc())
    N = 2 * n + m
    operator = LinearOperator((N, N), matvec=lambda x: factors.solve(E @ x), dtype=float)
    start = np.random.default_rng(0).normal(size=N)
    for _ in range(3):
        start = factors.solve(E @ start)
    wanted = min(2 * count + 2, N - 2)
    nu, vectors = eigs(operator, k=wanted, v0=start)
    values = shift + 1.0 / nu
    free = np.abs(values) <= 10.0 * shift
    values = np.where(free, 0.0, values)
    kept = values.imag >= 0.0
    kept[np.flatnonzero(free)[1::2]] = False  # a free motion has two zeros
    order = [k for k in np.argsort(np.abs(values), kind="stable") if kept[k]][:count]
    return values[order], vectors[:, order]
