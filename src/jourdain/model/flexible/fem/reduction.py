"""Craig-Bampton: static modes of the interfaces and eigenmodes with the interfaces held (F19)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.flexible.fem.elements import Elements
from jourdain.model.flexible.fem.interfaces import Interface

_RIGID = 1e-6  # of the lowest frequency squared: what counts as none
_NO_LOAD = 1e-8  # of the stiffness: load by which a rigid motion may fail


class Reduction:
    """A mesh of finite elements in terms of the motions of its interfaces and a few modes.

    Parameters
    ----------
    elements : Elements
        The mesh.
    interfaces : sequence of Interface
        Rigid faces.
    """

    def __init__(self, elements: Elements, interfaces: Sequence[Interface]) -> None:
        self.elements, self.interfaces = elements, list(interfaces)
        from scipy.sparse import kron  # noqa: PLC0415

        self.K, self.mass = elements.matrices
        self.M = kron(self.mass, np.eye(3), format="csc")
        self.x, self.N = elements.nodes, len(elements.nodes)
        held = np.zeros(self.N, dtype=bool)
        for own in self.interfaces:
            held[own.nodes] = True
        if held.all():
            raise ModelError("all nodes of the mesh are in interfaces: nothing is left to deform.")
        self.free = np.flatnonzero(np.repeat(~held, 3))

    @cached_property
    def _solve(self) -> Any:
        """Solution of K u = f with all interfaces held; of a free body with a small shift."""
        from scipy.sparse.linalg import splu  # noqa: PLC0415

        K = self.K[self.free][:, self.free]
        if not self.interfaces:
            K = K - self._shift * self.M
        return splu(
            K.tocsc(),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        ).solve

    @cached_property
    def _shift(self) -> float:
        """Shift below zero, of the size of the lowest frequency squared [1/s^2]."""
        r = self.x - self.x.mean(axis=0)
        powers = np.column_stack([np.ones(self.N), r, *(r * r[:, [k]] for k in range(3))])
        fields = np.kron(powers, np.eye(3)).reshape(3 * self.N, -1)
        Q = np.linalg.qr(fields / np.linalg.norm(fields, axis=0).max())[0]
        Q = Q[:, np.abs(Q).max(axis=0) > 0.0]
        from scipy.linalg import eigh  # noqa: PLC0415

        values = eigh(Q.T @ (self.K @ Q), Q.T @ (self.M @ Q), eigvals_only=True)
        return -0.1 * float(values[6:].min())

    @cached_property
    def static(self) -> Any:
        """Displacements (3N, 6 m) of all nodes by unit motions of the interfaces."""
        found = np.zeros((3 * self.N, 6 * len(self.interfaces)))
        for k, own in enumerate(self.interfaces):
            rows = (3 * own.nodes[:, None] + np.arange(3)).ravel()
            found[rows, 6 * k : 6 * k + 6] = own.fields(self.x[own.nodes]).reshape(-1, 6)
        if self.interfaces:
            found[self.free] = -self._solve((self.K @ found)[self.free])
        return found

    def vibrating(self, count: int) -> Any:
        """Lowest modes (3N, count) with all interfaces held; of a free body with the rigid ones."""
        from scipy.sparse.linalg import LinearOperator, eigsh  # noqa: PLC0415

        more = 0 if self.interfaces else 6
        n, wanted = len(self.free), count + more
        found = np.zeros((3 * self.N, wanted))
        if not wanted:
            return found
        if wanted >= n - 1:
            raise ModelError(
                f"modes is {count}: the mesh has {n} displacements that are free. Give fewer modes "
                "or a finer mesh."
            )
        K, M = (X[self.free][:, self.free] for X in (self.K, self.M))
        inverse = LinearOperator((n, n), self._solve, dtype=float)
        sigma = 0.0 if self.interfaces else self._shift
        start = np.random.default_rng(1).normal(size=n)
        found[self.free] = eigsh(K, wanted, M, sigma=sigma, OPinv=inverse, v0=start)[1]
        return found

    def rigid(self) -> Any:
        """Displacements (3N, 6) of the whole mesh as a rigid body, about the first interface."""
        frame = self.interfaces[0] if self.interfaces else Interface("", (), np.zeros(3))
        return frame.fields(self.x).reshape(-1, 6)

    def require_rigid_modes(self) -> None:
        """Raise if the stiffness resists motions of the rigid body."""
        rigid = self.rigid()
        size = abs(self.K).sum(axis=0).max() * np.abs(rigid).max(axis=0)
        loads = np.abs(self.K @ rigid).max(axis=0) / size
        if loads.max() > _NO_LOAD:
            raise ModelError(
                f"the stiffness of the mesh resists rigid motions by {loads.max():.2g} of its "
                "size. Look for elements that are almost flat."
            )

    def modes(self, count: int, is_mean: bool) -> tuple[Any, Any]:
        """Squares of frequencies [1/s^2] and modes (3N, n) of the reduced body.

        Its first interface is held, or with ``is_mean`` it is free; then modes are relative to the
        first interface all the same.
        """
        self.require_rigid_modes()
        basis = np.hstack([self.static, self.vibrating(count)])
        if self.interfaces and not is_mean:
            basis = basis[:, 6:]
        if not basis.shape[1]:
            raise ModelError("modes is 0 with one interface: nothing deforms. Give more modes.")
        squares, Y = self._small(basis)
        modes = basis @ Y
        if not is_mean:
            return squares, modes
        limit = _RIGID * squares[6]
        if np.abs(squares[:6]).max() > limit or squares[6] <= 0.0:
            raise ModelError(
                "the mesh lacks six rigid motions: the lowest squares of its frequencies are "
                f"{', '.join(f'{x:.3g}' for x in squares[:7])} 1/s^2."
            )
        squares, modes = squares[6:], modes[:, 6:]
        if self.interfaces:
            modes = modes - self.rigid() @ Y[:6, 6:]
        else:
            rigid = self.rigid()
            MR = self.M @ rigid
            modes = modes - rigid @ np.linalg.solve(rigid.T @ MR, MR.T @ modes)
        return squares, modes

    def _small(self, basis: Any) -> tuple[Any, Any]:
        from scipy.linalg import eigh  # noqa: PLC0415

        k, m = (basis.T @ (X @ basis) for X in (self.K, self.M))
        size = 1.0 / np.sqrt(np.diag(m))
        squares, Y = eigh(*((0.5 * (X + X.T)) * np.outer(size, size) for X in (k, m)))
        return squares, size[:, None] * Y

    def at_rest(self, loads: Any) -> Any:
        """Displacements (3N, k) by nodal loads (3N, k), the first interface held."""
        B = self.static[:, 6:]
        found = np.zeros_like(loads)
        found[self.free] = self._solve(np.ascontiguousarray(loads[self.free]))
        if B.shape[1]:
            found += B @ np.linalg.solve(B.T @ (self.K @ B), B.T @ loads)
        return found
