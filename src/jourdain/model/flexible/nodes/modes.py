"""Flexible bodies from modes that other programs computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.flexible.integrals import Integrals, integrals_of
from jourdain.model.flexible.nodes.following import fields_of_turns, interface_of, turns_of
from jourdain.model.flexible.nodes.mesh import Mesh
from jourdain.model.flexible.nodes.nodal import MOST_MODES, NodalSolid, require_sound
from jourdain.spatial import check

_RIGID = 1e-4  # part of a mode that is no rigid motion, below which it is one
_ORTHOGONAL = 1e-3  # coupling of two modes by their masses that counts as none
_SPREAD = 1e-6  # of a mass matrix: what differs between directions


def from_modes(  # noqa: PLR0913
    mesh: Any,
    masses: Any,
    modes: Any,
    *,
    stiffness: Any = None,
    frequencies: Any = None,
    damping: Any = 0.0,
    rotations: Any = None,
    inertias: Any = None,
    quadratic: Any = None,
    interfaces: Mapping[str, Sequence[int]] | None = None,
    stresses: Any = None,
) -> NodalSolid:
    """Flexible body of nodes and modes, as programs for finite elements give them.

    The frame of the body is that of the nodes and modes. Modes may be those of the clamped or of
    the free body, or any other shapes; rigid motions among them are left out, as joints give those.
    Deformations are small: a rotating body stiffens, and a pressed one buckles, only where
    ``quadratic`` or `Integrals` tell the second order. Without them stiffening is left out.

    Parameters
    ----------
    mesh : (N, 3) [m] or Mesh
        Positions of the nodes without deformation; or a mesh, which is drawn, and takes frames
        between nodes, too.
    masses : (N,), (N, N) or (3N, 3N) [kg], or Integrals
        Mass of each node, or the mass matrix of the nodes: for one direction, or for all with
        x, y, z of each node one after the other. Matrices may be sparse. Or the integrals over the
        mass, where another program gives those.
    modes : (N, 3, n) or (3N, n)
        Displacement of the nodes in each mode.
    stiffness : (n,) or (n, n)
        Stiffness matrix of the modes, or its diagonal.
    frequencies : (n,) [Hz]
        Instead of the stiffness: frequencies of eigenmodes, which are orthogonal.
    damping : float, (n,) or (n, n)
        Damping ratio of all modes, or of each; or a damping matrix that couples no eigenmodes.
    rotations : (N, 3, n), optional
        Turn of the nodes in each mode [rad]. By default it is found from nodes around.
    inertias : (N, 3), optional [kg m^2]
        Rotational inertia of each node about x, y, z, beside its mass; needs ``rotations``.
    quadratic : (N, 3, n, n), optional
        Second derivatives of the positions by the amplitudes of the modes.
    interfaces : mapping of str to sequence of int, optional
        Nodes that carry a frame, by its name: it is in their middle, and follows them in the mean.
    stresses : (N, 6, n), optional [Pa]
        Stresses xx, yy, zz, yz, zx, xy of the nodes in each mode.

    Returns
    -------
    NodalSolid
        For `Model.add_body`. Its coordinates ``mode1``, ... are largest displacements [m].

    Examples
    --------
    A massless strip that carries a weight at its end, in its first shape of bending:

    >>> import jourdain as jd
    >>> nodes = [[0.0, 0, 0], [0.5, 0, 0], [1.0, 0, 0]]
    >>> shape = [[[0.0], [0], [0]], [[0], [0.3125], [0]], [[0], [1.0], [0]]]
    >>> turns = [[[0.0], [0], [0]], [[0], [0], [1.125]], [[0], [0], [1.5]]]
    >>> strip = jd.flexible.from_modes(
    ...     nodes, [0.0, 0.0, 2.0], shape, stiffness=[800.0], rotations=turns
    ... )
    >>> strip.frequencies.round(4)
    array([3.1831])
    """
    mesh = mesh if isinstance(mesh, Mesh) else Mesh(_array(mesh, "nodes", (None, 3)))
    x = mesh.nodes
    N = len(x)
    A = _modes(modes, N)
    n = A.shape[2]
    T = turns_of(x, A) if rotations is None else _array(rotations, "rotations", (N, 3, n))
    B = None if quadratic is None else _array(quadratic, "quadratic", (N, 3, n, n))
    if isinstance(masses, Integrals):
        own = _given(masses, n)
    else:
        own = integrals_of(_masses(masses, N), x, A, B)
    if inertias is not None:
        if rotations is None:
            raise ModelError("inertias of nodes need rotations=, which tell how the nodes turn.")
        own = _with_inertias(own, _array(inertias, "inertias", (N, 3)), T)
    K, is_diagonal = _stiffness(stiffness, frequencies, own.mass_matrix)
    kept = _elastic(x, A, np.diag(K))
    if frequencies is not None:
        _require_orthogonal(own.mass_matrix, kept)
    Z = _own_modes(K, own.mass_matrix, A, kept, is_diagonal)
    A, T, own = A @ Z, T @ Z, own.in_terms_of(Z)
    B = None if B is None else np.einsum("kaij,ir,js->kars", B, Z, Z)
    k = np.einsum("ir,ij,jr->r", Z, K, Z)
    stress = None if stresses is None else _array(stresses, "stresses", (N, 6, n)) @ Z
    made = NodalSolid(
        x,
        A,
        T,
        own,
        k,
        _damping(damping, k, own.mass_matrix, Z, kept),
        {
            str(name): interface_of(str(name), members, x, A, T, B)
            for name, members in (interfaces or {}).items()
        },
        mesh.cells,
        mesh.faces,
        np.zeros((0, 6, len(k))) if stress is None else stress,
        np.zeros((0, 3, len(k), len(k))) if B is None else B,
    )
    require_sound(made)
    return made


def _array(given: Any, name: str, shape: tuple[int | None, ...]) -> Any:
    """Array of a shape, all of whose numbers are finite."""
    try:
        found = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"{name} of from_modes are no numbers: {check.shown(given)}.") from None
    fits = found.ndim == len(shape)
    if not fits or any(s not in (None, f) for s, f in zip(shape, found.shape, strict=True)):
        wanted = ", ".join("any" if s is None else str(s) for s in shape)
        raise ModelError(
            f"{name} of from_modes has the shape {found.shape}: ({wanted}) is needed, for as many "
            "nodes and modes as there are."
        )
    if not np.isfinite(found).all():
        where = np.argwhere(~np.isfinite(found))[0].tolist()
        raise ModelError(
            f"{name} of from_modes is {found[tuple(where)]} at {where}. Give finite numbers."
        )
    return found


def _given(own: Integrals, n: int) -> Integrals:
    """Integrals of another program, of the right shapes."""
    shapes = {
        "h0": (3,), "h1": (3, n), "h2": (3, n, n), "Q0": (3, 3), "P0": (n, 3, 3),
        "Q11": (n, n, 3, 3), "Q02": (n, n, 3, 3),
    }  # fmt: skip
    arrays = {
        name: _array(getattr(own, name), f"{name} of the integrals", shape)
        for name, shape in shapes.items()
    }
    return Integrals(
        float(check.number(own.mass, "mass of the integrals", positive=True)), **arrays
    )


def _modes(given: Any, N: int) -> Any:
    """Modes (N, 3, n), also from (3N, n)."""
    shape = np.shape(given)
    if len(shape) == 2 and shape[0] == 3 * N:
        given = np.reshape(given, (N, 3, shape[1]))
    found = _array(given, "modes", (N, 3, None))
    if not 1 <= found.shape[2] <= MOST_MODES:
        raise ModelError(
            f"from_modes has {found.shape[2]} modes: give 1 to {MOST_MODES}, the lowest ones."
        )
    return found


def _masses(given: Any, N: int) -> Any:
    """Masses (N,), or their matrix (N, N) for one direction."""
    from scipy.sparse import csr_array, issparse  # noqa: PLC0415

    if issparse(given):
        found = csr_array(given)
        finite = np.isfinite(found.data).all()
    else:
        found = np.asarray(given, dtype=float)
        finite = np.isfinite(found).all()
    if not finite:
        raise ModelError("masses of from_modes are not finite everywhere. Give finite numbers.")
    if found.shape not in ((N,), (N, N), (3 * N, 3 * N)):
        raise ModelError(
            f"masses of from_modes has the shape {found.shape}: with {N} nodes ({N},), ({N}, {N}) "
            f"or ({3 * N}, {3 * N}) is needed."
        )
    if found.ndim == 1:
        if found.min() < 0.0:
            k = int(found.argmin())
            raise ModelError(f"node {k} of from_modes has the mass {found[k]:.6g} kg, below zero.")
        return found
    if found.shape == (N, N):
        return found
    x, y, z = (found[k::3, k::3] for k in range(3))
    apart = abs(x - y).max() + abs(x - z).max() + abs(found[0::3, 1::3]).max()
    if apart > _SPREAD * abs(x).max():
        raise ModelError(
            "masses of from_modes differ between the directions x, y and z, or couple them: such a "
            "mass moves with no body that turns. Give those of solid elements, masses of the nodes "
            "with inertias=, or Integrals."
        )
    return x


def _with_inertias(own: Integrals, inertias: Any, T: Any) -> Integrals:
    """Add rotational inertias of nodes: points on the axes around each (F5)."""
    if (inertias < 0.0).any():
        raise ModelError("inertias of from_modes are below zero somewhere.")
    second = 0.5 * inertias.sum(axis=1)[:, None] - inertias  # of the points on each axis
    E = np.eye(3)
    by = np.cross(T.transpose(0, 2, 1)[:, :, None, :], E)  # node, mode, axis: T × e
    twice = np.cross(T.transpose(0, 2, 1)[:, :, None, None, :], by[:, None])  # T_i × (T_j × e)
    P0 = np.einsum("ka,ab,kiac->ibc", second, E, by)
    Q11 = np.einsum("ka,kiab,kjac->ijbc", second, by, by, optimize=True)
    Q02 = np.einsum("ka,ab,kijac->ijbc", second, E, twice, optimize=True)
    Q02 = 0.5 * (Q02 + Q02.transpose(1, 0, 2, 3))
    Q0 = own.Q0 + np.diag(second.sum(axis=0))
    return replace(own, Q0=Q0, P0=own.P0 + P0, Q11=own.Q11 + Q11, Q02=own.Q02 + Q02)


def _stiffness(stiffness: Any, frequencies: Any, M: Any) -> tuple[Any, bool]:
    """Stiffness matrix, and whether the modes are to stay apart as they are."""
    n = len(M)
    if (stiffness is None) == (frequencies is None):
        raise ModelError("from_modes needs one of stiffness= and frequencies=.")
    if stiffness is None:
        rates = 2.0 * np.pi * _array(frequencies, "frequencies", (n,))
        return np.diag(rates**2 * np.diag(M)), True
    if np.ndim(stiffness) == 1:
        return np.diag(_array(stiffness, "stiffness", (n,))), True
    K = _array(stiffness, "stiffness", (n, n))
    if np.abs(K - K.T).max() > 1e-6 * np.abs(K).max():
        raise ModelError("stiffness of from_modes is not symmetric: take K of the reduced model.")
    return 0.5 * (K + K.T), False


def _elastic(x: Any, A: Any, stiffness: Any) -> Any:
    """Numbers of the modes that are no rigid motions without stiffness."""
    kept, largest = [], np.abs(stiffness).max()
    r = x - x.mean(axis=0)
    fields = np.concatenate([np.tile(np.eye(3), (len(x), 1, 1)), fields_of_turns(r)], axis=2)
    fields = fields.reshape(-1, 6)
    flat = A.reshape(len(fields), -1)
    rest = flat - fields @ np.linalg.lstsq(fields, flat, rcond=None)[0]
    for k, size in enumerate(np.linalg.norm(flat, axis=0)):
        if size == 0.0:
            raise ModelError(f"mode {k + 1} of from_modes moves no node. Leave it out.")
        if stiffness[k] > _RIGID * largest or np.linalg.norm(rest[:, k]) > _RIGID * size:
            kept.append(k)
        if kept[-1:] == [k] and stiffness[k] <= 0.0:
            raise ModelError(
                f"mode {k + 1} of from_modes has the stiffness {stiffness[k]:.4g} and is no rigid "
                "motion: the body would come apart. Check the stiffness, or leave the mode out."
            )
    if not kept:
        raise ModelError(
            "all modes of from_modes are rigid motions, which joints give. Give modes of "
            "deformation too."
        )
    return np.array(kept)


def _require_orthogonal(M: Any, kept: Any) -> None:
    own = M[np.ix_(kept, kept)]
    size = np.sqrt(np.maximum(np.diag(own), 1e-300))
    coupling = np.abs(own / np.outer(size, size)) - np.eye(len(own))
    i, j = np.unravel_index(coupling.argmax(), coupling.shape)
    if coupling[i, j] > _ORTHOGONAL:
        raise ModelError(
            f"modes {kept[i] + 1} and {kept[j] + 1} of from_modes are not orthogonal: masses "
            f"couple them by {coupling[i, j]:.3g} of their own. Frequencies belong to eigenmodes "
            "of the same masses; for other shapes give the stiffness matrix."
        )


def _own_modes(K: Any, M: Any, A: Any, kept: Any, is_diagonal: bool) -> Any:
    """Columns Z of the coordinates: d = Z d', with one largest displacement of 1 m in each."""
    Z = np.eye(len(K))[:, kept]
    if not is_diagonal:
        from scipy.linalg import LinAlgError, eigh  # noqa: PLC0415

        try:
            vectors = eigh(*(X[np.ix_(kept, kept)] for X in (K, M)))[1]
        except LinAlgError:
            raise ModelError(
                "the modes of from_modes are not independent of each other: some of them move no "
                "mass that the others do not move as well. Leave those out."
            ) from None
        Z = Z @ vectors
    moved = np.tensordot(A, Z, 1)
    distances = np.linalg.norm(moved, axis=1)
    where = distances.argmax(axis=0)
    sizes = distances.max(axis=0)
    if not is_diagonal:  # the largest component is positive
        columns = moved[where, :, np.arange(len(where))]
        signs = np.sign(columns[np.arange(len(where)), np.abs(columns).argmax(axis=1)])
        sizes = sizes * signs
    return Z / sizes


def _damping(given: Any, k: Any, M: Any, Z: Any, kept: Any) -> Any:
    """Damping coefficient of each coordinate."""
    n = len(Z)
    if np.ndim(given) == 2:
        D = Z.T @ _array(given, "damping", (n, n)) @ Z
        c = np.diag(D).copy()
        size = np.sqrt(np.outer(np.maximum(c, 1e-300), np.maximum(c, 1e-300)))
        coupling = np.abs(D - np.diag(c)) / np.maximum(size, 1e-9 * np.abs(D).max(initial=1e-300))
        if coupling.max(initial=0.0) > _ORTHOGONAL:
            raise ModelError(
                "damping of from_modes couples eigenmodes: take a damping ratio for each mode."
            )
        return c
    ratios = _array(np.broadcast_to(given, n) if np.ndim(given) == 0 else given, "damping", (n,))
    if (ratios < 0.0).any():
        raise ModelError(
            f"damping of from_modes is {ratios.min():.4g}: give ratios not below zero."
        )
    own = ratios[kept] if len(set(ratios.tolist())) > 1 else np.full(len(k), ratios[0])
    return 2.0 * own * np.sqrt(k * np.diag(M))
