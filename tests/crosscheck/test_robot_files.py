"""Robots from files against the programs that made the formats."""

from pathlib import Path

import numpy as np
import pytest
from oracles.mujoco_twin import MJCF_RTOL, Twin, relative

import jourdain as jd
from jourdain.testing.states import random_state

FOLDER = Path(__file__).parent / "robots"
URDF_RTOL = 1e-12


@pytest.mark.parametrize("name", ["walker.xml"])
@pytest.mark.parametrize("seed", range(5))
def test_an_mjcf_file_moves_as_in_mujoco(name, seed):
    robot = jd.read_mjcf(FOLDER / name, stops=False)
    system = jd.compile(robot.model())
    twin = Twin(FOLDER / name, robot, system)
    q, v, *_ = random_state(system, np.random.default_rng(seed))
    qpos, qvel, P = twin.state(q, v)
    M, vdot = twin.forward(qpos, qvel)
    assert relative(P @ system.mass_matrix(q) @ P.T, M) < MJCF_RTOL
    assert relative(P @ system.forward_dynamics(q, v), vdot) < MJCF_RTOL


def random_robot(rng, n, kinds):
    """Tree of a model, written away from the world or towards it, with visible bodies."""
    model = jd.Model("tree")
    bodies = [model.world]
    for k in range(1, n + 1):
        spread = rng.normal(size=(3, 3)) * 0.2
        mass, second = rng.uniform(0.3, 3.0), spread @ spread.T
        moments = mass * (np.trace(second) * np.eye(3) - second)
        inertia = jd.Inertia(mass, tuple(rng.uniform(-0.2, 0.2, 3)), moments)
        body = model.add_body(f"link {k}", inertia)
        ends = [
            b.at(
                *rng.uniform(-0.4, 0.4, 3), rotation=jd.math.rotation_quaternion(rng.normal(size=4))
            )
            for b in (bodies[rng.integers(len(bodies))], body)
        ]
        kind = kinds[rng.integers(len(kinds))]
        can_turn = not isinstance(kind, jd.Free | jd.Planar)
        ends = ends[::-1] if can_turn and rng.random() < 0.3 else ends
        name = f"joint {k}"
        model.add_joint(name, *ends, kind)
        if len(kind.coordinates) == 1:
            q = jd.Coordinate(f"{name}.{next(iter(kind.coordinates))}")
            model.add_connection(f"low {k}", q, jd.Unilateral(-1.5))
            model.add_connection(f"high {k}", q, jd.Unilateral(1.25, side="below"))
            model.add_connection(f"dry {k}", q, jd.Interval(0.25))
            model.add_connection(f"oil {k}", q, jd.Damper(0.5))
        bodies.append(body)
    return model


AXES = ("x", "-y", (0.36, 0.48, -0.8))
ONE = (*map(jd.Revolute, AXES), *map(jd.Prismatic, AXES))


@pytest.mark.parametrize("seed", range(6))
def test_a_written_robot_is_read_as_it_was(tmp_path, seed):
    rng = np.random.default_rng(seed)
    model = random_robot(rng, 6, (*ONE, jd.Fixed(), jd.Planar("z"), jd.Free()))
    jd.write_urdf(model, tmp_path / "tree.urdf")
    robot = jd.read_urdf(tmp_path / "tree.urdf")
    assert not robot.notes
    again = robot.model()
    systems = [jd.compile(m) for m in (model, again)]
    q, v, *_ = random_state(systems[0], rng)
    names = systems[0].names
    order = [systems[1].names.q.index(n) for n in names.q]
    turn = [systems[1].names.v.index(n) for n in names.v]
    q2, v2 = np.zeros(len(q)), np.zeros(len(v))
    q2[order], v2[turn] = q, v
    M = systems[0].mass_matrix(q)
    assert relative(systems[1].mass_matrix(q2)[np.ix_(turn, turn)], M) < URDF_RTOL
    one, two = (
        s.inverse_dynamics(*x) for s, x in zip(systems, ((q, v, v), (q2, v2, v2)), strict=True)
    )
    assert relative(two[turn], one) < URDF_RTOL
    assert {n.split(".")[0] for n in again.connections} <= {"stops", "friction", "damping"}
    assert len(again.connections) == len(model.connections)


@pytest.mark.parametrize("seed", range(6))
def test_a_written_robot_is_that_of_pinocchio(tmp_path, seed):
    pin = pytest.importorskip("pinocchio")
    rng = np.random.default_rng(seed)
    model = random_robot(rng, 8, (*ONE, jd.Fixed()))
    jd.write_urdf(model, tmp_path / "tree.urdf")
    system = jd.compile(jd.read_urdf(tmp_path / "tree.urdf", stops=False, friction=False).model())
    theirs = pin.buildModelFromUrdf(str(tmp_path / "tree.urdf"))
    q, v, vdot, _ = random_state(system, rng)
    there, to = np.zeros(theirs.nq), []
    for x, name in zip(q, (n.rpartition(".")[0] for n in system.names.q), strict=True):
        joint = theirs.joints[theirs.getJointId(name)]
        there[joint.idx_q : joint.idx_q + joint.nq] = x if joint.nq == 1 else (np.cos(x), np.sin(x))
        to.append(joint.idx_v)
    v_there, vdot_there = np.zeros(theirs.nv), np.zeros(theirs.nv)
    v_there[to], vdot_there[to] = v, vdot
    data = theirs.createData()
    tau = pin.rnea(theirs, data, there, v_there, vdot_there)[to]  # dampers are not in it, as here
    assert relative(system.inverse_dynamics(q, v, vdot), tau) < URDF_RTOL
