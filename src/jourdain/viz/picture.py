"""Still pictures, as PNG files."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jourdain.system import System
from jourdain.viz.camera import looking_at
from jourdain.viz.render import render
from jourdain.viz.scene import corners, floor_height, make_parts


def picture(
    system: System,
    q: Any,
    path: str | Path | None = None,
    *,
    t: float = 0.0,
    colours: Mapping[str, str] | None = None,
    paths: Sequence[Any] = (),
    view: tuple[float, float] = (24.0, -60.0),
    size: tuple[int, int] = (1280, 720),
) -> Any:
    """Draw the bodies of a system in one position.

    Parameters
    ----------
    system : System
        The compiled machine.
    q : (n_q,) [m, rad, 1]
        Position coordinates.
    path : str or Path, optional
        PNG file to write.
    t : float [s]
        Time.
    colours : mapping of str to str, optional
        Colours ``"#rrggbb"`` by body; the others take turns.
    paths : sequence of (n, 3) [m], optional
        Curves in the world to draw besides, for example the way of a tool.
    view : (2,) [deg]
        Height of the camera above the horizon, and its direction about z from x.
    size : (2,)
        Width and height in points.

    Returns
    -------
    (height, width, 3) of uint8
        Red, green and blue of all points.
    """
    parts, poses = make_parts(system.model, colours), system.poses(np.asarray(q, dtype=float), t)
    box = corners(parts, poses)
    scene = [p.mesh.points @ T[:3, :3].T + T[:3, 3] for p, T in zip(parts, poses, strict=True)]
    wanted = np.concatenate([*scene, *paths])
    camera = looking_at(wanted, view, *size)
    image = render(parts, poses, camera, floor=floor_height(box), paths=paths)
    points = np.round(255.0 * image).astype(np.uint8)
    if path is not None:
        Path(path).write_bytes(png(points))
    return points


def png(image: Any) -> bytes:
    """PNG file of a picture (height, width, 3) of uint8."""
    height, width, _ = image.shape
    rows = np.diff(image, axis=0, prepend=np.zeros_like(image[:1]))  # each less the one above
    lines = np.column_stack([np.full(height, 2, dtype=np.uint8), rows.reshape(height, -1)])
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)
