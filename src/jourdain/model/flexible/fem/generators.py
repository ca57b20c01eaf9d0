"""Meshes of simple bodies, to start without a mesh."""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.flexible.nodes.mesh import Mesh, volumes
from jourdain.model.flexible.plain import plain_number
from jourdain.spatial import check

_MOST_CELLS = 2_000_000
_CORNERS = (  # six tetrahedra around the diagonal of a cube, by its corners 4 x + 2 y + z
    (0, 4, 6, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 3, 1, 7), (0, 1, 5, 7), (0, 5, 4, 7),
)  # fmt: skip


def box_mesh(size: tuple[float, float, float], divisions: tuple[int, int, int]) -> Mesh:
    """Block from x = 0 to its length, with y and z centred, as a beam lies.

    Parameters
    ----------
    size : (3,) [m]
        Edges along x, y and z.
    divisions : (3,) of int
        Cubes along them; each is six tetrahedra.

    Examples
    --------
    >>> import jourdain as jd
    >>> mesh = jd.flexible.box_mesh((1.0, 0.1, 0.1), (10, 1, 1))
    >>> len(mesh.nodes), len(mesh.cells)
    (44, 60)
    """
    x, y, z = (
        plain_number(value, f"component {axis} of size of the box", positive=True)
        for axis, value in zip("xyz", _triple(size, "size of the box"), strict=True)
    )
    counts = _counts(divisions, "box")
    nodes, cells = _grid(counts)
    return Mesh((nodes - (0.0, 0.5, 0.5)) * (x, y, z), cells)


def cylinder_mesh(radius: float, length: float, divisions: tuple[int, int] = (4, 10)) -> Mesh:
    """Round bar along x, from x = 0 to its length.

    Parameters
    ----------
    radius, length : float [m]
        Its size.
    divisions : (2,) of int
        Cubes across and along.
    """
    r = plain_number(radius, "radius of the cylinder", positive=True)
    l = plain_number(length, "length of the cylinder", positive=True)  # noqa: E741
    across, along = _counts((*tuple(divisions)[:1], *divisions), "cylinder")[1:]
    nodes, cells = _grid((along, across, across))
    square = 2.0 * nodes[:, 1:] - 1.0
    largest, norm = np.abs(square).max(axis=1), np.linalg.norm(square, axis=1)
    scale = r * np.where(norm > 0.0, largest / np.where(norm > 0.0, norm, 1.0), 0.0)
    nodes = np.column_stack([l * nodes[:, 0], square * scale[:, None]])
    return Mesh(nodes, _upright(nodes, cells))


def _upright(nodes: Any, cells: Any) -> Any:
    turned = volumes(nodes, cells) < 0.0
    cells[turned] = cells[turned][:, [0, 2, 1, 3]]
    return cells


def _triple(given: Any, what: str) -> Any:
    if np.shape(given) != (3,):
        raise ModelError(f"{what} is {check.shown(given)}: give three numbers, along x, y, z.")
    return given


def _counts(given: Any, what: str) -> tuple[int, ...]:
    counts = tuple(np.ravel(np.asarray(given, dtype=object)).tolist())
    if len(counts) != 3 or any(
        isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1 for n in counts
    ):
        raise ModelError(
            f"divisions of the {what} is {check.shown(given)}: give whole numbers from 1."
        )
    if 6 * np.prod(np.array(counts, dtype=float)) > _MOST_CELLS:
        raise ModelError(
            f"divisions of the {what} make more than {_MOST_CELLS} tetrahedra. Give fewer."
        )
    return counts


def _grid(counts: tuple[int, ...]) -> tuple[Any, Any]:
    """Nodes of a unit cube, and six tetrahedra in each of its cells."""
    steps = [np.linspace(0.0, 1.0, n + 1) for n in counts]
    nodes = np.stack(np.meshgrid(*steps, indexing="ij"), axis=-1).reshape(-1, 3)
    number = np.arange(len(nodes)).reshape([n + 1 for n in counts])
    corners = [
        number[i : i + counts[0], j : j + counts[1], k : k + counts[2]].ravel()
        for i in (0, 1)
        for j in (0, 1)
        for k in (0, 1)
    ]
    cells = np.concatenate([np.stack([corners[k] for k in own], axis=1) for own in _CORNERS])
    return nodes, _upright(nodes, cells)
