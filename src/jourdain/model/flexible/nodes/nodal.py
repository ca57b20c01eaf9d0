"""Flexible bodies of nodes: their modes are numbers that another computation gave."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.errors import ModelError, unknown_name
from jourdain.model.flexible.integrals import Integrals
from jourdain.model.flexible.place import Place, fixed
from jourdain.model.flexible.plain import plain_number
from jourdain.model.flexible.solid import Elasticity, FlexibleSolid, Position, Skin
from jourdain.spatial import check
from jourdain.spatial.mesh import Triangles

_SAME = 1e-6  # of the size of the body: a position this near to a node is the node
_INSIDE = 1e-4  # barycentric coordinate that may be negative: points on a surface are inside


@dataclass(frozen=True, eq=False)
class NodalSolid(FlexibleSolid):
    """A flexible body of nodes. Made by `from_modes` and `from_fem`.

    Two of them are equal if their numbers are.

    Parameters
    ----------
    nodes : (N, 3) [m]
        Nodes without deformation, in the axes of the body.
    modes : (N, 3, n)
        Displacement of each node by each elastic coordinate.
    turns : (N, 3, n)
        Turn of each node by each elastic coordinate; NaN where it is not known.
    integrals : Integrals
        Integrals over its mass.
    stiffness, damping : (n,)
        Of each elastic coordinate.
    interfaces : mapping of str to Place
        Frames that follow several nodes, by names.
    cells : (E, 4)
        Tetrahedra between nodes; may be empty.
    faces : (F, 3)
        Triangles of the surface, counter-clockwise seen from outside; may be empty.
    stresses : (N, 6, n) [Pa]
        Stress xx, yy, zz, yz, zx, xy of each node by each coordinate; may be empty.
    quadratic : (N, 3, n, n)
        Second derivatives of the positions of the nodes by the coordinates; may be empty.
    is_mean : bool
        Whether deformations are small in a frame that moves with the body in the mean, and not in
        that of the nodes and modes.
    """

    nodes: Any
    modes: Any
    turns: Any
    integrals: Integrals
    stiffness: Any
    damping: Any
    interfaces: Mapping[str, Place] = field(default_factory=dict)
    cells: Any = field(default_factory=lambda: np.zeros((0, 4), dtype=int))
    faces: Any = field(default_factory=lambda: np.zeros((0, 3), dtype=int))
    stresses: Any = field(default_factory=lambda: np.zeros((0, 6, 0)))
    quadratic: Any = field(default_factory=lambda: np.zeros((0, 3, 0, 0)))
    is_mean: bool = False

    def __post_init__(self) -> None:
        n = len(self.stiffness)
        for name, shape in (("stresses", (0, 6, n)), ("quadratic", (0, 3, n, n))):
            if not len(getattr(self, name)):
                object.__setattr__(self, name, np.zeros(shape))

    def __repr__(self) -> str:
        """What it is, in one line."""
        own = self.frequencies
        named = f", interfaces {', '.join(self.interfaces)}" if self.interfaces else ""
        return (
            f"<flexible body of {len(self.nodes)} nodes{named}, {self.integrals.mass:.4g} kg, "
            f"{len(own)} modes from {own[0]:.4g} to {own[-1]:.4g} Hz>"
        )

    @cached_property
    def elasticity(self) -> Elasticity:  # type: ignore[override]
        """Its coordinates, named ``mode1``, ``mode2``, ...: their largest displacements."""
        names = {f"mode{k}": "m" for k in range(1, len(self.stiffness) + 1)}
        own = Elasticity(self.integrals, self._place, self.stiffness, self.damping, names)
        return own.in_mean_axes() if self.is_mean else own

    @property
    def gauges(self) -> list[Position]:
        """Its interfaces, and nodes that turn most in a mode."""
        sizes = np.nan_to_num(np.linalg.norm(self.turns, axis=1))
        nodes = sorted({int(k) for k in sizes.argmax(axis=0) if sizes[k].min() > 0.0})
        return [*map(self.interface, self.interfaces), *map(self.node, nodes)]

    def node(self, number: int) -> Position:
        """Position [m] of a node without deformation."""
        is_number = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not is_number or not 0 <= number < len(self.nodes):
            raise ModelError(
                f"node {check.shown(number)} is not there: the body has the nodes 0 to "
                f"{len(self.nodes) - 1}."
            )
        x, y, z = self.nodes[number].tolist()
        return x, y, z

    def interface(self, name: str) -> Position:
        """Position [m] of an interface without deformation."""
        if name not in self.interfaces:
            raise unknown_name("interface", str(name), self.interfaces, "the flexible body")
        x, y, z = self.interfaces[name].x.tolist()
        return x, y, z

    def stress(self, amplitudes: Any) -> Any:
        """Stresses (..., N, 6) [Pa] xx, yy, zz, yz, zx, xy at all nodes, in the axes of the body.

        Parameters
        ----------
        amplitudes : (..., n) [m]
            Elastic coordinates, for example of all samples of a run.
        """
        if not self.stresses.size:
            raise ModelError(
                "the stresses of this flexible body are not known: its modes came without them. "
                "Take jd.flexible.from_fem, or give stresses= to jd.flexible.from_modes."
            )
        return np.einsum("kai,...i->...ka", self.stresses, np.asarray(amplitudes, dtype=float))

    def von_mises(self, amplitudes: Any) -> Any:
        """Equivalent stresses (..., N) [Pa] after von Mises at all nodes."""
        return von_mises(self.stress(amplitudes))

    @cached_property
    def skin(self) -> Skin | None:
        """Its surface, if it has triangles."""
        if not len(self.faces):
            return None
        used, numbers = np.unique(self.faces, return_inverse=True)
        x, A = self.nodes[used], self.modes[used]
        B = self.quadratic[used] if len(self.quadratic) else self.quadratic
        if self.is_mean:  # modes of the free body, without quadratic displacements
            mean = self.integrals.mean_frame
            x = x - mean.x
            A = A - mean.A - np.cross(mean.T.T[None], x[:, None, :]).transpose(0, 2, 1)
        stresses = self.stresses[used] if len(self.stresses) else self.stresses
        return Skin(Triangles.of(x, numbers.reshape(-1, 3)), A, stresses, B)

    @cached_property
    def _size(self) -> float:
        return float(np.ptp(self.nodes, axis=0).max()) or 1.0

    def _place(self, position: Position) -> Place:
        """Frame at a position: an interface, a node, or a point between nodes."""
        x = np.array([plain_number(value, "a position on the body") for value in position])
        near = _SAME * self._size
        for own in self.interfaces.values():
            if np.abs(own.x - x).max() <= near:
                return own
        distances = np.linalg.norm(self.nodes - x, axis=1)
        k = int(distances.argmin())
        if distances[k] <= near:
            return self._at(x, np.array([k]), np.ones(1), f"node {k}")
        inside = self._between(x)
        if inside is not None:
            return self._at(x, *inside, f"the point {check.listed(position)} m")
        if not x.any():
            return fixed(x, self.modes.shape[2])
        raise ModelError(
            f"a frame at {check.listed(position)} m is not on the flexible body: the nearest node "
            f"is {k}, at {check.listed(self.nodes[k].tolist())} m, {distances[k]:.3g} m away. Take "
            f"body.at_node({k}), or body.at_interface(name)."
        )

    def require_material(self, position: Position) -> None:
        """Raise if a position is not on the body, and the frame of the body not fixed to it."""
        if any(position) or not self.is_mean or self.interfaces:
            return
        if self._place(position).is_still:
            raise ModelError(
                "the origin of the flexible body is not on it, and moves with it in the mean only: "
                "nothing can be fastened there. Take body.at_node(k) or body.at_interface(name)."
            )

    def _at(self, x: Any, nodes: Any, weights: Any, what: str) -> Place:
        n = self.modes.shape[2]
        A, T = (np.tensordot(weights, field[nodes], 1) for field in (self.modes, self.turns))
        if not np.isfinite(T).all():
            raise ModelError(
                f"the turns of {what} of a flexible body are not known: the nodes around it lie on "
                "a line. Give rotations= to jd.flexible.from_modes, or an interface of more nodes."
            )
        zeros = np.zeros((3, n, n))
        B = np.tensordot(weights, self.quadratic[nodes], 1) if len(self.quadratic) else zeros
        return Place(x, A, B, T, zeros)

    def _between(self, x: Any) -> tuple[Any, Any] | None:
        """Nodes around a point inside of a tetrahedron, with their weights."""
        if not len(self.cells):
            return None
        corners = self.nodes[self.cells]
        first = corners[:, 0]
        edges = (corners[:, 1:] - first[:, None]).transpose(0, 2, 1)
        others = np.linalg.solve(edges, (x - first)[:, :, None])[:, :, 0]
        weights = np.column_stack([1.0 - others.sum(axis=1), others])
        k = int(weights.min(axis=1).argmax())
        return (self.cells[k], weights[k]) if weights[k].min() > -_INSIDE else None

    @cached_property
    def _digest(self) -> bytes:
        made = hashlib.sha256()
        for name, array in self.arrays().items():
            made.update(f"{name} {array.dtype} {array.shape} ".encode() + array.tobytes())
        return made.digest()

    def __eq__(self, other: object) -> bool:
        """Whether all numbers are the same."""
        return isinstance(other, NodalSolid) and self._digest == other._digest

    def __hash__(self) -> int:
        """Equal bodies share their code."""
        return hash(self._digest)

    def arrays(self) -> dict[str, Any]:
        """All that it consists of, as arrays by names; `from_arrays` makes the same body of it."""
        found = {name: np.ascontiguousarray(getattr(self, name), dtype="<f8") for name in _FLOATS}
        found |= {name: np.ascontiguousarray(getattr(self, name), dtype="<u4") for name in _WHOLES}
        found |= {
            f"integrals.{f.name}": np.asarray(getattr(self.integrals, f.name), dtype="<f8")
            for f in fields(Integrals)
        }
        for name, place in self.interfaces.items():
            for f in fields(Place):
                found[f"interface.{name}.{f.name}"] = np.asarray(getattr(place, f.name), "<f8")
        return found | {"is_mean": np.array([self.is_mean], dtype="<u4")}


_FLOATS = ("nodes", "modes", "turns", "stiffness", "damping", "stresses", "quadratic")
_WHOLES = ("cells", "faces")


def von_mises(stresses: Any) -> Any:
    """Equivalent stresses (...) of stresses (..., 6) xx, yy, zz, yz, zx, xy."""
    xx, yy, zz, yz, zx, xy = np.moveaxis(np.asarray(stresses), -1, 0)
    apart = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
    return np.sqrt(0.5 * apart + 3.0 * (yz**2 + zx**2 + xy**2))


def from_arrays(arrays: Mapping[str, Any]) -> NodalSolid:
    """Body of its arrays, as `NodalSolid.arrays` gives them; they may come from a file.

    Raises
    ------
    ModelError
        If one is missing, has the wrong shape, or numbers that no body can have.
    """
    n = _checked(arrays, "stiffness", (None,)).shape[0]
    nodes = _checked(arrays, "nodes", (None, 3))
    N = len(nodes)
    if not 1 <= n <= MOST_MODES:
        raise ModelError(f"a flexible body of nodes has {n} modes: give 1 to {MOST_MODES}.")
    integral_shapes = {
        "mass": (), "h0": (3,), "h1": (3, n), "h2": (3, n, n), "Q0": (3, 3), "P0": (n, 3, 3),
        "Q11": (n, n, 3, 3), "Q02": (n, n, 3, 3),
    }  # fmt: skip
    own = {k: _checked(arrays, f"integrals.{k}", shape) for k, shape in integral_shapes.items()}
    place_shapes = {"x": (3,), "A": (3, n), "B": (3, n, n), "T": (3, n), "T2": (3, n, n)}
    names = [
        key.split(".")[1] for key in arrays if key.startswith("interface.") and key[-2:] == ".x"
    ]
    interfaces = {
        name: Place(
            *(_checked(arrays, f"interface.{name}.{k}", s) for k, s in place_shapes.items())
        )
        for name in names
    }
    cells, faces = (_numbers_of_nodes(arrays, name, N) for name in _WHOLES)
    turns = _checked(arrays, "turns", (N, 3, n), finite=False)
    stresses, bent = (
        _checked(arrays, name, (N, *shape)) if np.size(arrays.get(name, ())) else ()
        for name, shape in (("stresses", (6, n)), ("quadratic", (3, n, n)))
    )
    made = NodalSolid(
        nodes,
        _checked(arrays, "modes", (N, 3, n)),
        turns,
        Integrals(float(own.pop("mass")), **own),
        _checked(arrays, "stiffness", (n,)),
        _checked(arrays, "damping", (n,)),
        interfaces,
        cells,
        faces,
        stresses,
        bent,
        bool(np.any(arrays.get("is_mean", False))),
    )
    require_sound(made)
    return made


MOST_MODES = 60
"""Elastic coordinates of a body of nodes: the work of a step grows with their square."""


def require_sound(solid: NodalSolid) -> None:
    """Raise if no body can have these numbers."""
    M = solid.integrals.mass_matrix
    if solid.integrals.mass <= 0.0:
        raise ModelError(
            f"the mass of a flexible body is {solid.integrals.mass:.6g} kg: give masses above zero."
        )
    squares, vectors = np.linalg.eigh(M / np.sqrt(np.outer(*2 * [np.maximum(np.diag(M), 1e-300)])))
    if squares.min() <= 1e-12:
        k = int(np.abs(vectors[:, 0]).argmax())
        raise ModelError(
            f"mode {k + 1} of a flexible body moves no mass that the others do not move as well. "
            "Leave it out: modes have to be independent of each other."
        )
    if solid.stiffness.min() <= 0.0 or solid.damping.min() < 0.0:
        k = int(np.argmin(np.minimum(solid.stiffness, solid.damping + 1e-300)))
        raise ModelError(
            f"mode {k + 1} of a flexible body has the stiffness {solid.stiffness[k]:.4g} and the "
            f"damping {solid.damping[k]:.4g}: stiffness has to be above zero, damping not below."
        )


def _checked(
    arrays: Mapping[str, Any], name: str, shape: tuple[int | None, ...], finite: bool = True
) -> Any:
    if name not in arrays:
        raise ModelError(f"a flexible body of nodes lacks {name!r}.")
    try:
        found = np.asarray(arrays[name], dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"{name} of a flexible body are no numbers.") from None
    fits = len(found.shape) == len(shape)
    if not fits or any(s is not None and s != f for s, f in zip(shape, found.shape, strict=True)):
        wanted = ", ".join("any" if s is None else str(s) for s in shape)
        raise ModelError(
            f"{name} of a flexible body has the shape {found.shape}: ({wanted}) is needed."
        )
    if finite and not np.isfinite(found).all():
        where = np.argwhere(~np.isfinite(found))[0].tolist()
        raise ModelError(f"{name} of a flexible body is not finite at {where}: give numbers there.")
    return found


def _numbers_of_nodes(arrays: Mapping[str, Any], name: str, N: int) -> Any:
    width = {"cells": 4, "faces": 3}[name]
    found = np.asarray(arrays.get(name, np.zeros((0, width))))
    if found.shape[1:] != (width,) or (found.size and not 0 <= found.min() <= found.max() < N):
        raise ModelError(
            f"{name} of a flexible body need {width} numbers of nodes each, from 0 to {N - 1}."
        )
    return found.astype(int)
