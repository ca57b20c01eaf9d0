"""Files of surfaces with changed bytes, read under a limit of memory.

Usage: mesh_sweep.py [count [seed]].
"""

from __future__ import annotations

import json
import random
import struct
import sys
import tempfile
from pathlib import Path

import numpy as np
import trimesh
from forks import finish, sweep
from model_sweep import fuzz

from jourdain.spatial.mesh import read_triangles

NUMBERS = [0, -1, 1, 3, 2**16, 2**31 - 1, 2**32 - 1, 10**9, 2**62, 1e300, None, "x", [], {}]
WORDS = [b"1000000000", b"-1", b"nan", b"1e999", b"solid", b"element vertex", b"list", b"\0", b"f "]


def known():
    """A box in every form."""
    box = trimesh.creation.box(extents=(1.0, 2.0, 3.0))
    made = {end: box.export(file_type=end) for end in ("stl", "obj", "ply", "glb", "off")}
    made["stl_ascii"] = box.export(file_type="stl_ascii")
    made["ply_ascii"] = box.export(file_type="ply", encoding="ascii")
    return {k: x.encode() if isinstance(x, str) else bytes(x) for k, x in made.items()}


def changed_scene(content, chance):
    """GLB file with a changed description."""
    (length,) = struct.unpack("<I", content[12:16])
    tree = json.loads(content[20 : 20 + length])
    for _ in range(chance.randint(1, 3)):
        place = chance.choice(list(fuzz.places(tree)))
        holder = fuzz.below(tree, place[:-1])
        if isinstance(holder, dict) and chance.random() < 0.2:
            del holder[place[-1]]
        else:
            holder[place[-1]] = chance.choice(NUMBERS)
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    rest = content[20 + length :]
    head = struct.pack("<4sII", b"glTF", 2, 20 + len(text) + len(rest))
    return head + struct.pack("<I4s", len(text), b"JSON") + text + rest


def changed_bytes(content, chance):
    data = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        k, way = chance.randrange(len(data)), chance.random()
        if way < 0.3:
            data[k] = chance.randrange(256)
        elif way < 0.5:
            data[k : k + 4] = chance.choice([b"\xff" * 4, bytes(4), b"\xff\xff\xff\x7f"])
        elif way < 0.6:
            del data[k:]
        elif way < 0.8:
            data[k : k + chance.randint(0, 4)] = chance.choice(WORDS)
        else:
            data[k:k] = data[: chance.randrange(len(data))]
        if not data:
            break
    return bytes(data)


def cases(folder, count, seed):
    chance, files = random.Random(seed), known()
    for name, content in files.items():
        path = folder / f"whole.{name[:3]}"
        path.write_bytes(content)
        assert abs(read_triangles(path).enclosed()[0] - 6.0) < 1e-6, name
    for k in range(count):
        name = chance.choice(list(files))
        is_scene = name == "glb" and chance.random() < 0.7
        content = (changed_scene if is_scene else changed_bytes)(files[name], chance)

        def action(name=name, content=content):
            path = folder / f"changed.{name[:3]}"
            path.write_bytes(content)
            made = read_triangles(path)
            assert made.triangles.max() < len(made.points)
            assert np.isfinite(made.points).all()

        yield f"{k}: {name} {content[:2000]!r}", action


if __name__ == "__main__":
    given = [int(x) for x in sys.argv[1:]]
    count, seed = [*given, *(1000, 1)[len(given) :]]
    with tempfile.TemporaryDirectory() as folder:
        finish(sweep(cases(Path(folder), count, seed), seconds=20, megabytes=1500))
