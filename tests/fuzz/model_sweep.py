"""Model files that are broken in many ways: read, or compiled and simulated for 10 ms.

Usage: model_sweep.py read|run [count [seed]].
"""

from __future__ import annotations

import copy
import importlib.util
import os
import random
import sys
import tempfile
import tomllib
from pathlib import Path

import numpy as np
from forks import finish, sweep
from resume_sweep import HEAP, MACHINE, Patience, arm, four_bar, heap, machine

import jourdain as jd
from jourdain import io
from jourdain.io.text.layout import blocks

_PATH = Path(__file__).parents[1] / "unit" / "io" / "test_toml_fuzz.py"
_SPEC = importlib.util.spec_from_file_location("toml_fuzz", _PATH)
fuzz = importlib.util.module_from_spec(_SPEC)
sys.modules["toml_fuzz"] = fuzz
_SPEC.loader.exec_module(fuzz)
FACTORS = [0.0, -1.0, 1e-6, 1e-3, 0.9, 1.1, 3.0, 1e3, 1e6, 1e100]
VALUES = [0, 1, -1, 0.5, 2, 1e-9, 1e6, 1e30, 1e-300, 1e300, -0.0, 10**30, True, "", "x", "=pi", []]


def memory():
    """Memory of this process [bytes]."""
    with open("/proc/self/statm", encoding="ascii") as stream:
        return int(stream.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def read_many(count, seed):
    """Read so many texts; no error but ours, and no memory that grows."""
    chance, marks = random.Random(seed), []
    pieces = [*fuzz.WORDS, *fuzz.NASTY]
    for k in range(count):
        way = k % 4
        if way == 0:
            edits = [
                (chance.random(), chance.randint(0, 12), chance.choice([*pieces, ""]))
                for _ in range(chance.randint(1, 5))
            ]
            fuzz.edits_of_text(edits, chance.randint(0, 1))
        elif way == 1:
            fuzz.any_text([chance.choice([*pieces, "\n"]) for _ in range(chance.randint(0, 30))])
        elif way == 2:
            fuzz.almost_right(chance.getrandbits(64))
        else:
            fuzz.exchanged(chance.getrandbits(64))
        if k % max(1, count // 10) == 0:
            marks.append(memory())
    growth = (memory() - marks[len(marks) // 2]) / 2**20
    print(f"{count} texts, {growth:.1f} MB more in the second half")  # noqa: T201
    sys.exit(growth > 20.0)


def composite():
    model = jd.Model("strut")
    box = model.add_body("box", jd.solid.box(mass=2.0, size=(0.2, 0.1, 0.3)))
    model.add_joint("rail", model.world, box, jd.Prismatic("z"))
    along = jd.Coordinate("rail.position")
    model.add_connection("strut", jd.in_series(along, coil=jd.Spring(1e3), oil=jd.Damper(20.0)))
    return model


def bumper():
    model = jd.Model("bumper")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    law = jd.Coulomb(friction=0.3, restitution=0.5)
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(ball, 0.1), law)
    return model


def texts(folder):
    """Texts of valid models, with contacts, composites and the path of a mesh."""
    corners = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype="<f4")
    faces = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    rows = np.zeros(4, dtype=[("n", "<f4", 3), ("p", "<f4", (3, 3)), ("a", "<u2")])
    rows["p"] = corners[faces]
    (folder / "part.stl").write_bytes(bytes(80) + (4).to_bytes(4, "little") + rows.tobytes())
    mesh = """format = "jourdain-1"
name = "mesh"
[body.part]
solid = "mesh"
path = "part.stl"
density = 1000.0
scale = 0.1
[joint.hinge]
parent = "world"
child = "part"
kind = "Revolute"
axis = "y"
"""
    high = {"ball.position": (0.0, 0.0, 0.1001), "ball.velocity": (1.0, 0.0, -1.0)}
    models = {machine: MACHINE, heap: HEAP, composite: {}, bumper: high, arm: {}, four_bar: {}}
    return [(mesh, {}), *((io.dumps(make()), start) for make, start in models.items())]


def changed(text, chance):
    """A valid file with a few values changed or exchanged."""
    tree = tomllib.loads(text)
    for _ in range(chance.randint(1, 2)):
        places = [p for p in fuzz.places(tree) if p[0] != "format"]
        numbers = [p for p in places if type(fuzz.below(tree, p)) in (int, float)]
        if numbers and chance.random() < 0.7:
            target = chance.choice(numbers)
            value = chance.choice(FACTORS) * fuzz.below(tree, target)
            value = chance.choice(VALUES) if chance.random() < 0.2 else value
        else:
            target = chance.choice(places)
            value = copy.deepcopy(fuzz.below(tree, chance.choice(places)))
        fuzz.below(tree, target[:-1])[target[-1]] = value
    return "\n\n".join(blocks(fuzz.toml(tree)))


def run_cases(count, seed, folder):
    """Files that are read, compiled and simulated for 10 ms."""
    chance, known = random.Random(seed), texts(folder)

    def action(text, start):
        path = folder / "model.toml"
        path.write_text(text, encoding="utf-8")
        model = jd.read_model(path)
        given = {"start": start or None, "sample": 0.005, "progress": Patience()}
        sol = jd.simulate(model, 0.01, **given)
        assert sol.time[-1] == 0.01 or sol.statistics.status == "interrupted"
        assert np.isfinite(sol.q).all()

    for text, start in known:
        action(text, start)  # valid, and in the cache now
    for k in range(count):
        text, start = chance.choice(known)
        text = changed(text, chance)
        yield f"{k}: {text}", lambda text=text, start=start: action(text, start)


if __name__ == "__main__":
    what, *given = sys.argv[1:]
    count, seed = [*(int(x) for x in given), *(1000, 1)[len(given) :]]
    if what == "read":
        read_many(count, seed)
    with tempfile.TemporaryDirectory() as folder:
        cases = run_cases(count, seed, Path(folder))
        finish(sweep(cases, seconds=120, megabytes=4000))
