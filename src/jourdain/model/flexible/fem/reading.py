"""Meshes from files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from jourdain.errors import FormatError, JourdainError, MissingExtraError
from jourdain.model.flexible.nodes.mesh import Mesh
from jourdain.model.flexible.plain import plain_number

_ENDINGS = (".msh", ".vtk", ".vtu", ".inp", ".bdf", ".nas", ".mesh", ".med", ".xdmf")
_LARGEST = 200_000_000  # [bytes]
_MOST_NODES = 2_000_000


def read_mesh(path: str | os.PathLike[str], scale: float = 1.0) -> Mesh:
    """Read tetrahedra from a file that meshio knows, in lengths of ``scale`` [m].

    Tetrahedra of ten nodes are taken by their corners; groups of nodes and of elements keep their
    names. Nodes that belong to no tetrahedron are left out.

    Raises
    ------
    MissingExtraError
        If meshio is not installed.
    FormatError
        If the file is not there, ends in something else or holds no tetrahedra.
    """
    try:
        import meshio  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError(
            "meshes of volumes need meshio, which is not installed. Next: "
            "pip install 'jourdain[fem]'"
        ) from error
    unit = plain_number(scale, "scale of the mesh", positive=True)
    file = Path(path)
    if file.suffix.lower() not in _ENDINGS:
        raise FormatError(
            f"{str(file)!r:.300} ends in {file.suffix!r:.40}, but meshes of volumes are read from "
            f"{', '.join(_ENDINGS)}."
        )
    _require_size(file)
    try:
        found = meshio.read(file)
        return _mesh(found, unit)
    except JourdainError:
        raise
    except (Exception, SystemExit) as error:  # whatever a broken file makes of its reader
        raise FormatError(f"'{file}' holds no mesh that can be read: {error}.") from error


def _require_size(file: Path) -> None:
    try:
        if not file.is_file():
            raise FormatError(f"there is no file '{file}'. Look at the folder and the spelling.")
        size = file.stat().st_size
    except (OSError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"there is no file {str(file)!r:.300} to read: {error}.") from error
    if size > _LARGEST:
        raise FormatError(
            f"'{file}' has {size // 1_000_000} MB, the limit for meshes is "
            f"{_LARGEST // 1_000_000} MB. Take a coarser one."
        )


def _mesh(found: Any, unit: float) -> Mesh:
    cells = [
        np.asarray(block.data)[:, :4] for block in found.cells if block.type.startswith("tetra")
    ]
    points = np.asarray(found.points, dtype=float)
    if not cells or not sum(map(len, cells)):
        kinds = ", ".join(sorted({block.type for block in found.cells})) or "nothing"
        raise FormatError(
            f"the mesh has no tetrahedra, but {kinds}. Mesh the volume, not its surface alone."
        )
    if points.ndim != 2 or points.shape[1] != 3 or len(points) > _MOST_NODES:
        raise FormatError(f"the mesh has points of the shape {points.shape}.")
    members = np.concatenate(cells).astype(int)
    if not 0 <= members.min() <= members.max() < len(points):
        raise FormatError("the mesh has tetrahedra of points that are not there.")
    used = np.unique(members)
    number = np.full(len(points), -1)
    number[used] = np.arange(len(used))
    groups = {name: _kept(number, own) for name, own in _groups(found).items()}
    return Mesh(
        unit * points[used], number[members], (), {k: own for k, own in groups.items() if len(own)}
    )


def _kept(number: Any, nodes: Any) -> Any:
    own = number[np.asarray(nodes, dtype=int)]
    return np.unique(own[own >= 0])


def _groups(found: Any) -> dict[str, Any]:
    """Nodes by the names of sets and physical groups."""
    groups = {str(name): np.asarray(own).ravel() for name, own in found.point_sets.items()}
    for name, blocks in found.cell_sets.items():
        nodes = [
            np.asarray(block.data)[np.asarray(own, dtype=int)].ravel()
            for block, own in zip(found.cells, blocks, strict=False)
            if own is not None and len(own)
        ]
        if nodes and ":" not in str(name):
            groups.setdefault(str(name), np.concatenate(nodes))
    tags = found.cell_data.get("gmsh:physical", [])
    for name, (tag, dimension) in ((k, tuple(v)) for k, v in found.field_data.items()):
        nodes = [
            np.asarray(block.data)[np.asarray(own) == tag].ravel()
            for block, own in zip(found.cells, tags, strict=False)
            if block.dim == dimension
        ]
        if nodes and sum(map(len, nodes)):
            groups.setdefault(str(name), np.concatenate(nodes))
    return groups
