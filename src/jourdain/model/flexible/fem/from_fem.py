"""A flexible body from a mesh of tetrahedra."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from jourdain.errors import ModelError, unknown_name
from jourdain.model.flexible.fem.elements import Elements
from jourdain.model.flexible.fem.interfaces import Interface, interfaces_of
from jourdain.model.flexible.fem.reading import read_mesh
from jourdain.model.flexible.fem.reduction import Reduction
from jourdain.model.flexible.fem.stiffening import with_second_order
from jourdain.model.flexible.integrals import integrals_of
from jourdain.model.flexible.nodes.mesh import Mesh
from jourdain.model.flexible.nodes.nodal import MOST_MODES, NodalSolid, require_sound
from jourdain.model.flexible.place import Place
from jourdain.model.flexible.plain import plain_number
from jourdain.model.flexible.section import Material
from jourdain.spatial import check

_MOST_NODES = 100_000


def from_fem(
    mesh: Mesh | str | os.PathLike[str],
    material: Material,
    *,
    interfaces: Mapping[str, Any] | None = None,
    modes: int = 8,
    damping: float = 0.0,
    frame: str = "interface",
    order: int = 2,
    highest: float | None = None,
) -> NodalSolid:
    """Flexible body of finite elements, reduced after Craig and Bampton.

    It deforms as its interfaces ask, exactly at rest, and vibrates in its lowest modes. Faces where
    joints and forces act are interfaces: rigid, each with a frame in its middle. Stiffening by
    rotation and loads on interfaces is right to second order.

    Parameters
    ----------
    mesh : Mesh or path
        Tetrahedra: of a file that meshio reads, of `box_mesh`, `cylinder_mesh` or `Mesh`.
    material : Material
        For example ``jd.flexible.STEEL``.
    interfaces : mapping of str
        By names: a plane such as ``"x = 0.5"`` or ``"x = max"``, a group of the mesh, numbers of
        nodes, or a function of arrays x, y, z that tells whether nodes are in it.
    modes : int
        Modes that it vibrates in with its interfaces held, besides six for each interface.
    damping : float [1]
        Damping ratio of each mode of the reduced body.
    frame : {"interface", "mean"}
        Frame in which deformations are small: fixed to the first interface, good for arms and
        brackets; or moving with the body in the mean, good for rods and free bodies.
    order : {1, 2}
        Displacements in each tetrahedron: straight, which is too stiff in bending, or parabolas.
    highest : float, optional [Hz]
        Modes above this frequency are left out. That makes runs faster, and faces of interfaces
        stiffer against each other than they are.

    Returns
    -------
    NodalSolid
        For `Model.add_body`; frames are ``body.at_interface(name)`` and ``body.at_node(k)``.

    Examples
    --------
    >>> import jourdain as jd
    >>> mesh = jd.flexible.box_mesh((0.5, 0.02, 0.04), (10, 1, 1))
    >>> faces = {"root": "x = min", "tip": "x = max"}
    >>> arm = jd.flexible.from_fem(mesh, jd.flexible.STEEL, interfaces=faces, modes=2)
    >>> arm.frequencies[:2].round(-1)
    array([ 70., 130.])
    """
    _check(material, modes, order, frame)
    whole = (mesh if isinstance(mesh, Mesh) else read_mesh(Path(mesh))).oriented()
    elements = Elements(whole, material, order)
    if len(elements.nodes) > _MOST_NODES:
        raise ModelError(
            f"the mesh has {len(elements.nodes)} nodes with those in the middle of edges: more "
            f"than {_MOST_NODES} take too long here. Take a coarser mesh or order=1."
        )
    faces = elements.faces
    own = interfaces_of(interfaces or {}, whole, elements.nodes, faces)
    reduction = Reduction(elements, own)
    is_mean = frame == "mean" or not own
    squares, found = reduction.modes(modes, is_mean)
    kept = _kept(squares, highest)
    squares, Phi = squares[kept], found[:, kept].reshape(len(elements.nodes), 3, -1)
    Phi, sizes = _scaled(Phi)
    G = elements.at_nodes(Phi)
    integrals = integrals_of(reduction.mass, elements.nodes, Phi)
    places = [_place(one, Phi, elements.nodes) for one in own]
    if own:
        integrals, places = with_second_order(reduction, Phi, integrals, places)
    stiffness = squares / sizes**2
    ratio = plain_number(damping, "damping of from_fem", nonnegative=True)
    masses = np.diag(integrals.mass_matrix)
    made = NodalSolid(
        elements.nodes,
        Phi,
        _turns(G, own, Phi, elements.nodes),
        integrals,
        stiffness,
        2.0 * ratio * np.sqrt(stiffness * masses),
        {one.name: place for one, place in zip(own, places, strict=True)},
        elements.pieces,
        faces,
        _stresses(elements, G),
        is_mean=is_mean,
    )
    require_sound(made)
    return made


def _check(material: Any, modes: Any, order: Any, frame: Any) -> None:
    if not isinstance(material, Material):
        raise ModelError(
            f"material of from_fem is {check.shown(material)}: give jd.flexible.STEEL or "
            "jd.flexible.Material(youngs_modulus, density)."
        )
    if not -1.0 < material.poisson_ratio < 0.5:
        raise ModelError(
            f"poisson_ratio of the material is {material.poisson_ratio:g}: finite elements need "
            "less than 0.5 and more than -1."
        )
    if isinstance(modes, bool) or not isinstance(modes, int) or not 0 <= modes <= MOST_MODES:
        raise ModelError(
            f"modes of from_fem is {check.shown(modes)}: give a whole number from 0 to "
            f"{MOST_MODES}."
        )
    if order not in (1, 2):
        raise ModelError(f"order of from_fem is {check.shown(order)}: give 1 or 2.")
    if frame not in ("interface", "mean"):
        raise unknown_name("frame", str(frame), ("interface", "mean"), "from_fem")


def _kept(squares: Any, highest: float | None) -> Any:
    if highest is None:
        if len(squares) > MOST_MODES:
            raise ModelError(
                f"the body has {len(squares)} modes with those of its interfaces: give at most "
                f"{MOST_MODES} by fewer modes= and interfaces, or by highest=."
            )
        return np.arange(len(squares))
    limit = plain_number(highest, "highest frequency of from_fem", positive=True)
    kept = np.flatnonzero(np.sqrt(np.maximum(squares, 0.0)) <= 2.0 * np.pi * limit)[:MOST_MODES]
    if not kept.size:
        raise ModelError(
            f"highest of from_fem is {limit:g} Hz: the lowest mode of the body has "
            f"{np.sqrt(squares[0]) / (2.0 * np.pi):.4g} Hz. Give more, or take a rigid body."
        )
    return kept


def _scaled(Phi: Any) -> tuple[Any, Any]:
    """Modes whose largest displacement is 1 m, its largest component positive; and their sizes."""
    distances = np.linalg.norm(Phi, axis=1)
    where = distances.argmax(axis=0)
    largest = Phi[where, :, np.arange(len(where))]
    signs = np.sign(largest[np.arange(len(where)), np.abs(largest).argmax(axis=1)])
    sizes = distances.max(axis=0)
    return Phi / (sizes * signs), sizes


def _turns(G: Any, interfaces: list[Interface], Phi: Any, x: Any) -> Any:
    """Turns (N, 3, n) of the nodes: half the curl of gradients, and that of their interface."""
    pairs = ((2, 1), (0, 2), (1, 0))
    found = np.stack([0.5 * (G[:, i, :, j] - G[:, j, :, i]) for i, j in pairs], axis=1)
    for own in interfaces:
        found[own.nodes] = _place(own, Phi, x).T
    return found


def _place(own: Interface, Phi: Any, x: Any) -> Place:
    """Frame of an interface, whose nodes move as a rigid face does."""
    n = Phi.shape[2]
    fields = own.fields(x[own.nodes]).reshape(-1, 6)
    moved = np.linalg.lstsq(fields, Phi[own.nodes].reshape(-1, n), rcond=None)[0]
    moved = np.where(np.abs(moved) > 1e-12 * np.abs(moved).max(initial=0.0), moved, 0.0)
    zeros = np.zeros((3, n, n))
    return Place(own.position, moved[3:], zeros, moved[:3], zeros)


def _stresses(elements: Elements, G: Any) -> Any:
    """Stresses (N, 6, n) xx, yy, zz, yz, zx, xy of the nodes, by gradients."""
    S = elements.stress(G.transpose(0, 2, 1, 3))
    pairs = ((0, 0), (1, 1), (2, 2), (1, 2), (2, 0), (0, 1))
    return np.stack([S[:, :, i, j] for i, j in pairs], axis=1)
