"""Joints and springs against MSC ADAMS.

The results are those of Project Chrono's unit tests of joints (see the head of the data file).
Spherical_01, Universal_01 and Revolute_01 are one and the same plane swing, but the first two were
run with a looser tolerance and are 7e-4 m away from it after 5 s: they are compared to that, and
with the file of the hinge to 2e-5 m. TranSpringCB_01 is TranSpring_01 with the spring as a function
of the user: the two files are the same to the last digit.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.laws import Damper, Equal, Law, Spring
from jourdain.model.measures import Coordinate, Distance, Formula

RIGHT = np.pi / 2
PENDULUM, ACROSS, UPRIGHT = (0.04, 0.1, 0.1), (0.1, 0.04, 0.1), (0.1, 0.1, 0.04)


def reference():
    cases: dict[str, list[list[float]]] = {}
    with (Path(__file__).parent / "data" / "adams_joints.csv").open() as file:
        for row in csv.reader(line for line in file if not line.startswith("#")):
            cases.setdefault(row[0], []).append([float(x) for x in row[1:]])
    return {name: np.array(rows) for name, rows in cases.items()}


REFERENCE = reference()
LOOSE = {"Spherical_01": [0, 1, 2], "Universal_01": [1, 0, 2]}  # axes of the hinge's swing


def tilted(x, y, z, about_x):
    """World frame of a joint."""
    return dict(position=(x, y, z), rotation=jd.rotation_x(about_x))


def on_joint(kind, place, com, moments, *, law=None, floating=False):
    """A body whose frame is that of its joint; floating, the joint closes a loop."""
    model = jd.Model("case", gravity=(0, 0, -9.80665))
    body = model.add_body("body", jd.Inertia(1.0, com=com, moments=moments))
    at = model.world.at(*place["position"], rotation=place["rotation"])
    model.add_joint("joint", at, body, kind)
    if law is not None:
        model.add_connection("law", Coordinate("joint.angle"), law)
    if floating:
        model.add_joint("free", model.world, body, jd.Free())
    return model


def on_rod(place, com, turn, moments):
    """A free body with a point at a constant distance from the ground's origin."""
    model = jd.Model("case", gravity=(0, 0, -9.80665))
    body = model.add_body("body", jd.Inertia(1.0, moments=moments))
    arm = turn.T @ (np.array(place) - np.array(com))
    model.add_connection("rod", Distance(model.world, body.at(*arm)), Equal(2.0))
    return model, {"body.position": com}


def on_link():
    """A massless link that turns about z carries a body on a ball joint."""
    model = jd.Model("case", gravity=(0, 0, -9.80665))
    link = model.add_body("link", jd.Inertia(0.0))
    body = model.add_body("body", jd.Inertia(1.0, com=(0, 2, 0), moments=ACROSS))
    model.add_joint("joint", model.world, link, jd.Revolute("z"))
    model.add_joint("ball", link.at(2, 0, 0), body, jd.Spherical())
    return model


def on_spring(com, law, ground=(0, 0, 0), end=(0, 0, 0), moments=PENDULUM):
    model = jd.Model("case", gravity=(0, 0, -9.80665))
    body = model.add_body("body", jd.Inertia(1.0, moments=moments))
    length = Distance(model.world.at(*ground), body.at(*end))
    model.add_connection("law", length, law)
    return model, {"body.position": com}


def on_spring_of_no_length(law, *, is_user=False):
    """Slack where its ends meet: a vector, as a distance has no direction there."""
    model = jd.Model("case", gravity=(0, 0, -9.80665))
    body = model.add_body("body", jd.Inertia(1.0, moments=PENDULUM))
    between = jd.Relative(model.world, body, "position")
    if is_user:
        between = Formula(lambda at: at.pose(body.at())[1], size=3)
    model.add_connection("law", between, law)
    return model


def actuated():
    model = on_joint(jd.Prismatic("z"), tilted(0, 0, 0, 0), (0, 0, 0), (1, 1, 1))
    model.add_connection("law", Coordinate("joint.position"), Equal(lambda t: t))
    return model


CRANK = tilted(0, 0, 0, -RIGHT)
SIDE = tilted(1, 2, 3, -RIGHT / 2)
OUT = (2, 0, 0)
TURN = np.array(jd.rotation_z(-RIGHT), dtype=float)
CASES = {
    "Revolute_01": lambda: on_joint(jd.Revolute("z"), CRANK, OUT, PENDULUM),
    "Revolute_02": lambda: on_joint(jd.Revolute("z"), SIDE, OUT, PENDULUM),
    "Revolute_02 cut": lambda: on_joint(jd.Revolute("z"), SIDE, OUT, PENDULUM, floating=True),
    "Spherical_01": lambda: on_joint(jd.Spherical(), tilted(0, 0, 0, 0), OUT, PENDULUM),
    "Spherical_02": lambda: on_joint(jd.Spherical(), SIDE, OUT, PENDULUM),
    "Spherical_02 cut": lambda: on_joint(jd.Spherical(), SIDE, OUT, PENDULUM, floating=True),
    "Cylindrical_01": lambda: on_joint(jd.Cylindrical("z"), tilted(0, 0, 0, 0), OUT, PENDULUM),
    "Cylindrical_02": lambda: on_joint(jd.Cylindrical("z"), CRANK, OUT, PENDULUM),
    "Prismatic_01": lambda: on_joint(jd.Prismatic("z"), tilted(0, 0, 0, 0), OUT, PENDULUM),
    "Prismatic_02": lambda: on_joint(jd.Prismatic("z"), SIDE, OUT, PENDULUM),
    "Prismatic_02 cut": lambda: on_joint(jd.Prismatic("z"), SIDE, OUT, PENDULUM, floating=True),
    "Prismatic_03": lambda: on_joint(jd.Prismatic("z"), tilted(1, 2, 3, -RIGHT), OUT, PENDULUM),
    "Universal_01": lambda: on_joint(
        jd.Universal("x", "y"), tilted(0, 0, 0, RIGHT), (0, 0, -2), UPRIGHT
    ),
    "Distance_01": lambda: on_rod((0, 2, 0), (0, 2, 0), np.eye(3), PENDULUM),
    "Distance_03": lambda: on_rod((0, 2, 0), (0, 4, 0), TURN, PENDULUM),
    "RevSpherical_01": on_link,
    "RotSpring_01": lambda: on_joint(
        jd.Revolute("z"), CRANK, OUT, PENDULUM, law=Spring(200.0) + Damper(10.0)
    ),
    "RotSpring_02": lambda: on_joint(
        jd.Revolute("z"), CRANK, OUT, PENDULUM,
        law=Law(lambda x, v: -(50.0 + 10.0 * jd.sqrt(x * x)) * x - 10.0 * v),
    ),
    "TranSpring_01": lambda: on_spring_of_no_length(Spring(10.0) + Damper(0.5)),
    "TranSpringCB_01": lambda: on_spring_of_no_length(
        Law(lambda x, v: -10.0 * x - 0.5 * v), is_user=True
    ),
    "TranSpring_02": lambda: on_spring((0, 2, 0), Spring(100.0, free=2.0) + Damper(5.0)),
    "TranSpringCB_02": lambda: on_spring((0, 2, 0), Spring(100.0, free=2.0) + Damper(5.0)),
    "TranSpringCB_03": lambda: on_spring(
        (-1, 4, 3),
        Law(lambda x, v: -50.0 * (x - 2) - 10.0 * jd.sqrt((x - 2) ** 2) * (x - 2) - 5.0 * v),
        ground=(1, 2, 3), end=(2, 0, 0),
    ),
    "LinActuator_01": actuated,
}  # fmt: skip


@pytest.fixture(scope="module", params=CASES)
def run(request):
    made = CASES[request.param]()
    model, start = made if isinstance(made, tuple) else (made, {})
    system = jd.compile(model, cut="joint" if "free" in model.joints else ())
    if "free" in model.joints:
        frame = model.joints["joint"].parent
        start = {"free.position": frame.position, "free.orientation": _quaternion(frame.rotation)}
    if request.param == "Distance_03":
        start["body.orientation"] = _quaternion(TURN)
    name = request.param.split()[0]
    rows = REFERENCE[name]
    times = [0.0, *rows[:, 0]]
    tight = jd.Dop853(rtol=1e-10, atol=1e-11)
    sol = jd.simulate(system, 5.0, start=start, method=tight, sample=times)
    return name, sol, rows


def _quaternion(R):
    from scipy.spatial.transform import Rotation

    return Rotation.from_matrix(np.array(R, dtype=float)).as_quat(scalar_first=True)


def test_positions(run):
    name, sol, rows = run
    com = np.array(sol.model.body("body").inertia.com, dtype=float)
    poses = sol.system.poses(sol.q, sol.time)[1:, sol.system.names.bodies.index("body")]
    found = poses[:, :3, 3] + poses[:, :3, :3] @ com
    size = max(1.0, np.abs(rows[:, 1:4]).max() / 10.0)  # the files print six digits
    np.testing.assert_allclose(found, rows[:, 1:4], atol=(1e-3 if name in LOOSE else 2e-5) * size)
    if name in LOOSE:
        swing = REFERENCE["Revolute_01"][:, 1:4]
        np.testing.assert_allclose(found[:, LOOSE[name]], swing, atol=2e-5)


def test_reactions(run):
    """Force and torque on the ground; of springs their force."""
    name, sol, rows = run
    if "joint" in sol.model.joints and name != "LinActuator_01":
        R = np.array(sol.model.joints["joint"].parent.rotation, dtype=float)
        force, torque = (-sol.values(f"joint.{x}")[1:] @ R.T for x in ("force", "torque"))
        moved = sol.values("body.position")[1:] - sol.model.joints["joint"].parent.position
        if name.startswith("Prismatic"):
            torque += np.cross(moved, force)  # given at the frame on the ground
        size = (1e-3 if name in LOOSE else 1e-4) * (np.abs(rows[:, 4:]).max() + 1.0)
        np.testing.assert_allclose(force, rows[:, 4:7], atol=size)
        np.testing.assert_allclose(torque, rows[:, 7:10], atol=size)
        return
    found = sol.values("rod.force" if "rod" in sol.model.connections else "law.force")[1:]
    size = np.linalg.norm(rows[:, 4:7], axis=1)
    if name == "LinActuator_01":
        np.testing.assert_allclose(found, rows[:, 6], rtol=1e-6)
    elif found.ndim == 2:
        np.testing.assert_allclose(-found, rows[:, 4:7], atol=1e-4 * size.max())
    else:
        np.testing.assert_allclose(np.abs(found), size, atol=1e-4 * size.max())


def test_every_case_of_the_files_is_there():
    assert {name.split()[0] for name in CASES} == set(REFERENCE)
    assert len(REFERENCE) == 21
