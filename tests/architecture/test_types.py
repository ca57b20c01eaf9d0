"""What type checkers and editors know about the package: real types, and mistakes that they see."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
TEACHING = "# mypy: allow-untyped-defs, allow-untyped-calls, check-untyped-defs"

MISTAKES = """
import jourdain as jd

model = jd.Model("m")
ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
jd.simulte(model, 1.0)                            # error: attr-defined
jd.simulate(model, 1.0, strat={})                 # error: call-arg
jd.simulate(model, 1.0, method=jd.Coulomb(0.3))   # error: arg-type
jd.Sphere(ball, "0.1")                            # error: arg-type
jd.Distance(ball, "world")                        # error: arg-type
jd.Spring("stiff")                                # error: arg-type
jd.Unilateral(limit="left")                       # error: arg-type
jd.Revolute(3)                                    # error: arg-type
jd.solid.rod(mass=1.0, end=0.3)                   # error: arg-type
jd.solid.rodd(mass=1.0, end=(0.3, 0, 0))          # error: attr-defined
jd.math.sinn(0.3)                                 # error: attr-defined
jd.testing.check_jont(jd.Revolute("z"))           # error: attr-defined
jd.library.woodpeker()                            # error: attr-defined
jd.Equal(0.0).value = 1.0                         # error: misc
"""

ACCEPTED = """
from typing import assert_type

import numpy as np
import xarray as xr

import jourdain as jd

model = jd.Model("m", gravity=np.array([0.0, 0.0, -9.81]))
size = jd.Parameter("size", 0.1, "m")
ball = model.add_body("ball", jd.solid.ball(mass=1, radius=2 * size, at=[0, 0, size]))
sphere = jd.Sphere(ball, 0.1)
assert_type(sphere.frame, jd.Frame)
assert_type(jd.Sphere(ball.at(0, 0, size), size).frame, jd.Frame)
knot = jd.Node("knot", start=(0.0, 0.0, 1.0), on=ball)
assert_type(jd.Distance(ball, knot).end, jd.Frame)
assert_type(jd.PathLength([ball, model.world]).points, tuple[jd.Frame, ...])
model.add_joint("slide", model.world, "ball", jd.Prismatic((0, 0, 1)), driven={"position": 0.3})
model.add_connection("gas", jd.Coordinate("slide.position"), lambda x, v: -1e3 * x - v)
model.add_connection("spring", jd.Distance(ball, model.world), jd.Spring(np.eye(3), free=(0, 1)))
model.add_contact("floor", jd.HalfSpace(model.world), sphere, jd.Coulomb((0.1, 0.2), rolling=size))
model.add_contact("wall", jd.HalfSpace(model.world), sphere, jd.Unilateral(restitution=abs))
jd.Inertia(1.0, com=[0, 0, 0.1], moments=np.eye(3)).moved((0, 0, 1), jd.rotation_x(0.1))
sol = jd.simulate(model, (0, 1), method=jd.MoreauJean(1e-3), sample=np.linspace(0, 1, 11))
assert_type(sol["ball.position"], xr.DataArray)
assert_type(sol[["ball.position", "ball.velocity"]], xr.Dataset)
assert_type(sol.at(0.5)["ball.position"], xr.DataArray)
assert_type(sol.at([0.1, 0.2]), jd.Solution)
methods: list[jd.Method] = [jd.Dop853(), jd.EventDriven(), jd.NonsmoothAlpha(1e-3)]
jd.simulate(model, 1.0, method=methods[0], start=sol.final, events={"low": lambda t, s: t})
jd.simulate(model, 1.0, inputs={"slide.position": lambda t: jd.sin(t)}, parameters={"size": 0.2})
jd.structure(model, at=False, driven="slide.position")
jd.assemble(model, {"slide.position": 3.0}, near={"ball.position": (0, 0, 1)})
jd.inverse_dynamics(model, {"slide.position": lambda t: jd.sin(t)}, actuated="slide.position")
jd.kinematics(model, 1.0, driven={"slide.position": lambda t: 2 * t})
jd.animate({"a": sol}, traces=[ball, ball.at(0, 0, 1), "ball"], plots=["a", ["b", "c"]])
jd.in_series(jd.Distance(ball, model.world), a=jd.Spring(size), b=jd.Damper(lambda v: v))
jd.mode_vectors(jd.Revolute("z") * jd.Screw("x", size), [0.1, 0.2])
jd.Maxwell((1, 2), (0.1, 0.2))
jd.Beam(1.0, size, (1, 2))
jd.Motor(1, 2, 3, lambda t: t)
jd.Servo(1, 2, 3, 4, target=0.4)
jd.Curve(ball, lambda s: (jd.cos(s), jd.sin(s)), (0, 6.28))
jd.Surface(ball, lambda u, v: (u, v, 0), ((0, 1), (0, 1)))
jd.Polygon(ball, [(0, 0), (1, 0), (0, 1)])
jd.Polyhedron(ball, np.eye(3), faces=[(0, 1, 2)])
jd.Rolling(ball, model.world, 0.3, axis=None)
jd.Table([0, 1, 2], np.array([0, 1, 2.0]), "cubic")
jd.simulate(model, 1, method=jd.Radau5(), constraints=jd.Partition(), progress=lambda t, h: None)
"""


def checked(*arguments: str | Path) -> str:
    """What mypy says."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *arguments]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stdout + run.stderr


def test_the_types_are_those_of_the_table_of_names():
    spec = importlib.util.spec_from_file_location("stubs", ROOT / "tools" / "stubs.py")
    stubs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(stubs)
    if os.environ.get("JOURDAIN_UPDATE") == "1":
        stubs.STUB.write_text(stubs.stub(), encoding="utf-8")
    assert stubs.STUB.read_text(encoding="utf-8") == stubs.stub(), "run make stubs"


def programs(folder: Path, pages: list[Path], comment: str = "") -> list[Path]:
    """Programs of pages, a file for each page, with a comment on top."""
    written = []
    for page in pages:
        blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        if page.stem == "model_file":  # goes on with a model of another page
            blocks.insert(0, 'import jourdain as jd\nmodel = jd.Model("m")\n')
        if blocks:
            written.append(folder / f"{page.stem.lower()}_page.py")
            written[-1].write_text("\n".join([comment, *blocks]), encoding="utf-8")
    return written


@pytest.mark.slow
def test_right_programs_pass_and_mistakes_are_seen(tmp_path):
    """One run of mypy for all: it takes longer to begin than to check another file."""
    given = tmp_path / "accepted.py"
    given.write_text(ACCEPTED, encoding="utf-8")
    wrong = tmp_path / "mistakes.py"
    wrong.write_text(MISTAKES, encoding="utf-8")
    readme = programs(tmp_path, [ROOT / "README.md"])
    guides = programs(tmp_path, GUIDES, comment=TEACHING)
    assert len(readme) == 1
    assert len(guides) > 10
    told = checked(given, wrong, *readme, *guides).splitlines()
    assert [line for line in told if "mistakes.py:" not in line] == []
    found = re.findall(r"mistakes\.py:(\d+): error: .*\[([a-z-]+)\]", "\n".join(told))
    lines = MISTAKES.splitlines()
    wanted = [(str(k), x.split("# error: ")[1]) for k, x in enumerate(lines, 1) if "# error" in x]
    assert found == wanted
