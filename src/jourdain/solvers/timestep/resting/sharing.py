"""Cones that share a normal impulse: sliding, rolling and drilling friction of one contact.

Impulses z_N ≥ |z_T|, z_N ≥ |z_R|, z_N ≥ |z_D| are three cones with a normal impulse each, which
are equal. The velocities that belong to that are two numbers s for each contact,

    y_T = (S_N x − s_R − s_D, S_T x),   y_R = (s_R, S_R x),   y_D = (s_D, S_D x, 0)       (CT-20)

since the dual cone is S_N x ≥ |S_T x| + |S_R x| + |S_D x|. They have no mass, and are eliminated
contact by contact before the velocities of the units are found.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_E = np.zeros((9, 2))
_E[0], _E[3, 0], _E[6, 1] = -1.0, 1.0, 1.0
_LIVE = [0, 1, 2, 4, 5, 7]  # rows with velocities of units


class Sharing:
    """Cones (m, 3) of contacts, behind which those of rolling and then of drilling follow.

    Parameters
    ----------
    m : int
        Number of contacts.
    lead : (t,) of int
        Contacts that also resist turning.
    """

    def __init__(self, m: int, lead: Any) -> None:
        t = len(lead)
        self._lead, self._m, self._t = lead, m, t
        self._cones = np.stack([lead, m + np.arange(t), m + t + np.arange(t)], axis=1)
        self._W, self._D = np.zeros((t, 9, 2)), np.zeros((t, 2, 2))

    @property
    def size(self) -> int:
        """Numbers s."""
        return 2 * self._t

    def of_contacts(self, x: Any) -> Any:
        """Numbers of all cones, for those of turning the ones of their contacts."""
        return np.concatenate([x[: self._m], np.tile(x[self._lead], 2)])

    def largest(self, x: Any) -> Any:
        """Numbers of all cones, the largest of all cones of a contact."""
        most = x[: self._m].copy()
        most[self._lead] = x[self._cones].max(axis=1)
        return self.of_contacts(most)

    def add_rates(self, s: Any, y: Any) -> None:
        """Add ``E s`` to velocities of the cones."""
        rolling, drilling = s.reshape(2, self._t)
        y[self._lead, 0] -= rolling + drilling
        y[self._m :, 0] += s

    def differences(self, z: Any) -> Any:
        """Differences ``Eᵀ z`` of the normal impulses that are to be equal."""
        return z[self._m :, 0] - np.tile(z[self._lead, 0], 2)

    def make_equal(self, z: Any) -> None:
        """Give all cones of a contact its normal impulse; the units do not feel that."""
        z[self._m :, 0] = np.tile(z[self._lead, 0], 2)

    def reduced(self, S: Any, H: Any) -> tuple[Any, Any]:
        """Rows and weights without s: ``Sᵀ(H − H E (EᵀHE)⁻¹ EᵀH) S`` as rows ``LᵀS``, weights 1.

        Raises
        ------
        LinAlgError
            If the weights are not positive definite.
        """
        if not self._t:
            return S, H
        t, m = self._t, self._m
        full = np.zeros((t, 9, 9))
        for i in range(3):
            full[:, 3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = H[self._cones[:, i]]
        self._W = full @ _E
        self._D = _E.T @ self._W
        left = full - self._W @ np.linalg.solve(self._D, self._W.transpose(0, 2, 1))
        root = np.linalg.cholesky(left[:, _LIVE][:, :, _LIVE])
        rows = S[self._cones].transpose(0, 2, 1, 3, 4).reshape(t, 2, 9, 6)[:, :, _LIVE]
        new = np.einsum("tij,tsik->tsjk", root, rows)
        S, H = S.copy(), H.copy()
        S[self._lead], S[m : m + t], S[m + t :] = new[:, :, :3], new[:, :, 3:], 0.0
        H[self._lead] = H[m : m + t] = np.eye(3)
        return S, np.ascontiguousarray(H)

    def moved(self, b: Any) -> Any:
        """Impulses ``H E (EᵀHE)⁻¹ b`` (n, 3) by which right sides b of s act on the units."""
        z = np.zeros((self._m + 2 * self._t, 3))
        if self._t:
            s = np.linalg.solve(self._D, b.reshape(2, self._t).T[:, :, None])
            z[self._cones] = (self._W @ s).reshape(-1, 3, 3)
        return z

    def found(self, b: Any, y: Any) -> Any:
        """Numbers s for right sides b, with velocities y of the units in the cones."""
        if not self._t:
            return b
        lag = b.reshape(2, self._t).T - np.einsum(
            "tij,ti->tj", self._W, y[self._cones].reshape(-1, 9)
        )
        return np.linalg.solve(self._D, lag[:, :, None])[:, :, 0].T.ravel()
