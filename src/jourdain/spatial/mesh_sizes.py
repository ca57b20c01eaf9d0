"""Sizes that files of surfaces claim, looked at before memory is taken for them."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any

LARGEST = 500_000_000
"""Size [bytes] of a file with a surface, and of the numbers it holds."""
_HEAD, _TRIANGLE = 84, 50  # bytes of a binary STL file
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_BYTES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}  # of the kinds of numbers of glTF
_MOST_PLACES = 10_000  # of surfaces in a scene


def require_sizes(content: bytes, ending: str) -> None:
    """Check that a file does not claim more than it holds.

    Raises
    ------
    ValueError
        With what is wrong.
    """
    if ending == ".stl":
        _check_stl(content)
    elif ending == ".glb":
        _check_glb(content)


def _check_stl(content: bytes) -> None:
    """Binary files tell the number of their triangles; others are text."""
    if len(content) >= _HEAD:
        count = int.from_bytes(content[80:_HEAD], "little")
        if len(content) == _HEAD + _TRIANGLE * count:
            return
    if b"\0" in content or not content.lstrip()[:5].lower() == b"solid":
        raise ValueError("it is neither a text that begins with 'solid' nor as long as it says")
    content.decode("utf-8")


def _check_glb(content: bytes) -> None:
    """The numbers that a scene refers to lie in the file, and it is no scene without end."""
    if len(content) < 20 or content[:4] != b"glTF":
        raise ValueError("it does not begin as a GLB file does")
    length, kind = struct.unpack("<I4s", content[12:20])
    if kind != b"JSON" or 20 + length > len(content):
        raise ValueError("its description is not as long as it says")
    try:
        tree = json.loads(content[20 : 20 + length])
        sizes = [_accessor_size(x, len(content)) for x in tree.get("accessors", ())]
        if sum(sizes) > LARGEST:
            raise ValueError("it claims more numbers than a file may hold")
        total = sum(_mesh_size(tree, mesh, sizes) for mesh in _placed(tree))
    except (AttributeError, LookupError, TypeError, RecursionError) as error:
        raise ValueError(f"its description is wrong ({error})") from error
    if total > LARGEST:
        raise ValueError("its scene holds more numbers than a file may")


def _accessor_size(accessor: Any, largest: int) -> int:
    """Bytes that a row of numbers takes."""
    count = accessor["count"]
    if not isinstance(count, int) or count < 0:
        raise ValueError(f"it claims {count!r:.40} numbers")
    size = count * _WIDTHS[accessor["type"]] * _BYTES[accessor["componentType"]]
    if size > largest:
        raise ValueError(f"it claims {size} bytes of numbers, and has {largest}")
    return size


def _mesh_size(tree: Any, mesh: int, sizes: list[int]) -> int:
    """Bytes of all numbers of a surface."""
    total = 0
    for part in tree["meshes"][mesh]["primitives"]:
        used = [*part.get("attributes", {}).values()]
        used += [part["indices"]] if "indices" in part else []
        total += sum(sizes[k] for k in used)
    return total


def _placed(tree: Any) -> Iterator[int]:
    """Numbers of the surfaces of all scenes, as often as they are placed."""
    nodes, left = tree.get("nodes", []), _MOST_PLACES
    below = {k for node in nodes for k in node.get("children", ())}
    if nodes and len(below) >= len(nodes):
        raise ValueError("its scene has no beginning")
    waiting = [k for k in range(len(nodes)) if k not in below]
    while waiting:
        left -= 1
        if left < 0:
            raise ValueError(f"its scene has more than {_MOST_PLACES} places, or no end")
        node = nodes[waiting.pop()]
        waiting += node.get("children", [])
        if "mesh" in node:
            yield node["mesh"]
