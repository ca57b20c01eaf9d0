"""Animations as one HTML file that opens in any browser, without a network."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.system import System
from jourdain.viz.mesh import Mesh
from jourdain.viz.scene import corners, floor_height, grid_step, make_parts, rgb


def page(
    system: System,
    times: Any,
    q: Any,
    path: str | Path,
    *,
    title: str = "",
    colours: Mapping[str, str] | None = None,
    paths: Sequence[Any] = (),
) -> Path:
    """Write a page that shows the bodies of a system in motion.

    Drag to turn, drag with shift or the right button to shift, roll to come nearer; space stops
    and starts. Between the given times positions are interpolated.

    Parameters
    ----------
    system : System
        The compiled machine.
    times : (n,) [s]
        Times, ascending; 30 to 60 a second make a smooth motion.
    q : (n, n_q) or (n_q,) [m, rad, 1]
        Position coordinates at these times.
    path : str or Path
        HTML file to write.
    title : str
        Title of the page; by default the name of the model.
    colours : mapping of str to str, optional
        Colours ``"#rrggbb"`` by body; the others take turns.
    paths : sequence of (n, 3) [m], optional
        Curves in the world to draw besides, for example the way of a tool.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ModelError
        If the times do not ascend or are none.
    """
    t = np.asarray(times, dtype=float).reshape(-1)
    if not t.size or np.any(np.diff(t) <= 0.0):
        raise ModelError(
            f"the times of the page of model {system.model.name!r} must ascend and be at least "
            f"one, but there are {t.size}. Give for example numpy.linspace(0.0, 2.0, 121)."
        )
    poses = np.broadcast_to(
        system.poses(np.asarray(q, dtype=float), t), (t.size, len(system.model.bodies), 4, 4)
    )
    data = _content(system, t, poses, title or system.model.name, colours, paths)
    file = Path(path)
    file.write_text(_filled(data), encoding="utf-8")
    return file


def _filled(data: dict[str, Any]) -> str:
    """Text of the page. No name in the data can end the script, for each < is written as code."""
    text = resources.files("jourdain.viz").joinpath("assets/player.html").read_text("utf-8")
    before, rest = text.split("__TITLE__")
    between, after = rest.split("__DATA__")
    content = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return "".join((before, html.escape(data["title"]), between, content, after))


def _content(
    system: System,
    t: Any,
    poses: Any,
    title: str,
    colours: Mapping[str, str] | None,
    paths: Sequence[Any],
) -> dict[str, Any]:
    parts = make_parts(system.model, colours)
    box = corners(parts, poses)
    size = float((box[1] - box[0]).max())
    meshes: dict[tuple[str, ...], int] = {}  # equal meshes are stored once
    bodies = []
    for part in parts:
        number = meshes.setdefault(_packed(part.mesh), len(meshes))
        bodies.append({"name": part.name, "colour": rgb(part.colour).tolist(), "mesh": number})
    return {
        "title": title,
        "bodies": bodies,
        "meshes": [dict(zip(("points", "normals", "triangles"), m, strict=True)) for m in meshes],
        "times": _text(t, np.float32),
        "poses": _text(poses[:, :, :3, :], np.float32),
        "paths": [_text(curve, np.float32) for curve in paths],
        "centre": box.mean(axis=0).tolist(),
        "size": size,
        "distance": _distance(box),
        "step": grid_step(size),
        "floor": floor_height(box),
    }


def _distance(box: Any) -> float:
    """Distance of the camera [m] from which a box fills most of a window."""
    x, y, z = box[1] - box[0]
    return float(max((0.9 * z + 0.4 * np.hypot(x, y)) / 0.45, np.hypot(x, y) / 0.7))


def _packed(mesh: Mesh) -> tuple[str, str, str]:
    return (
        _text(mesh.points, np.float32),
        _text(mesh.normals, np.float32),
        _text(mesh.triangles, np.uint32),
    )


def _text(array: Any, kind: Any) -> str:
    """Numbers as text: little-endian, base 64."""
    numbers = np.ascontiguousarray(array, dtype=np.dtype(kind).newbyteorder("<"))
    return base64.b64encode(numbers.tobytes()).decode("ascii")
