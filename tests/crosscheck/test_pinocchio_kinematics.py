"""Kinematics against Pinocchio, for the joints that both programs have.

Pinocchio orders quaternions x, y, z, w and twists (linear, angular). The velocities of its free
and planar joints are components in the axes of the child; ours are rates of the position.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import jourdain as jd

pin = pytest.importorskip("pinocchio")

AXIS = (0.6, 0.0, 0.8)
OTHER = (-0.48, 0.6, 0.64)
WORLD_AXES = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
TOLERANCE = 1e-11
PITCH = 0.3


def same(q, v, vdot):
    """Coordinates that mean the same in both programs."""
    return q, v, vdot


def quaternion(q, v, vdot):
    return q[[1, 2, 3, 0]], v, vdot


def free(q, v, vdot):
    R = jd.rotation_quaternion(q[3:])
    w, linear = v[3:], R.T @ v[:3]
    rate = R.T @ vdot[:3] - np.cross(w, linear)
    return (
        np.concatenate((q[:3], quaternion(q[3:], v, vdot)[0])),
        np.concatenate((linear, w)),
        np.concatenate((rate, vdot[3:])),
    )


def planar(q, v, vdot):
    c, s = np.cos(q[2]), np.sin(q[2])
    R = np.array(((c, -s), (s, c)))
    linear = R.T @ v[:2]
    rate = R.T @ vdot[:2] - v[2] * np.array((-linear[1], linear[0]))
    return np.array((*q[:2], c, s)), np.array((*linear, v[2])), np.array((*rate, vdot[2]))


def composite(*joints):
    model = pin.JointModelComposite()
    for joint in joints:
        model.addJoint(joint, pin.SE3.Identity())
    return model


@dataclass(frozen=True)
class Pair:
    """A kind of joint in both programs, and how its coordinates translate."""

    ours: Any
    theirs: Any
    translate: Any = same


def unaligned(make, axis=AXIS):
    return make(np.array(axis))


PAIRS = [
    Pair(jd.Revolute("x"), pin.JointModelRX),
    Pair(jd.Revolute("y"), pin.JointModelRY),
    Pair(jd.Revolute("z"), pin.JointModelRZ),
    Pair(jd.Revolute(AXIS), lambda: unaligned(pin.JointModelRevoluteUnaligned)),
    Pair(jd.Prismatic("x"), pin.JointModelPX),
    Pair(jd.Prismatic("y"), pin.JointModelPY),
    Pair(jd.Prismatic("z"), pin.JointModelPZ),
    Pair(jd.Prismatic(OTHER), lambda: unaligned(pin.JointModelPrismaticUnaligned, OTHER)),
    Pair(jd.Screw("y", 2 * np.pi * PITCH), lambda: pin.JointModelHY(PITCH)),
    Pair(
        jd.Screw(OTHER, 2 * np.pi * PITCH),
        lambda: pin.JointModelHelicalUnaligned(np.array(OTHER), PITCH),
    ),
    Pair(jd.Spherical(), pin.JointModelSpherical, quaternion),
    Pair(jd.Free(), pin.JointModelFreeFlyer, free),
    Pair(jd.Planar("z"), pin.JointModelPlanar, planar),
    Pair(
        jd.Universal("x", "y"),
        lambda: pin.JointModelUniversal(np.eye(3)[0], np.eye(3)[1]),
    ),
    Pair(
        jd.Revolute("z") * jd.Revolute("y") * jd.Revolute("x"),
        pin.JointModelSphericalZYX,
    ),
    Pair(
        jd.Prismatic("x") * jd.Prismatic("y") * jd.Prismatic("z"),
        pin.JointModelTranslation,
    ),
    Pair(
        jd.Gimbal(),
        lambda: composite(*(j() for j in (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ))),
    ),
    Pair(
        jd.Euler(),
        lambda: composite(*(j() for j in (pin.JointModelRZ, pin.JointModelRX, pin.JointModelRZ))),
    ),
    Pair(jd.Cylindrical("y"), lambda: composite(pin.JointModelPY(), pin.JointModelRY())),
    Pair(
        jd.Prismatic("x") * jd.Revolute(AXIS),
        lambda: composite(pin.JointModelPX(), unaligned(pin.JointModelRevoluteUnaligned)),
    ),
    Pair(
        jd.Universal("z", "x") * jd.Prismatic("y"),
        lambda: composite(pin.JointModelRZ(), pin.JointModelRX(), pin.JointModelPY()),
    ),
]
IDS = [f"{k}-{type(pair.ours).__name__}" for k, pair in enumerate(PAIRS)]


def random_place(rng):
    return rng.uniform(-0.5, 0.5, 3), jd.rotation_quaternion(rng.normal(size=4))


class Twin:
    """One tree in both programs; body frames lie anywhere on the bodies."""

    def __init__(self, pairs, rng):
        self.model, self.theirs = jd.Model("twin"), pin.Model()
        self.pairs, self.frames = pairs, []
        bodies, numbers, in_joint = [self.model.world], [0], [pin.SE3.Identity()]
        for k, pair in enumerate(pairs):
            at = int(rng.integers(len(bodies)))
            (p, R), (p_child, R_child) = random_place(rng), random_place(rng)
            body = self.model.add_body(f"body_{k}", jd.Inertia(1.0))
            ends = bodies[at].at(*p, rotation=R), body.at(*p_child, rotation=R_child)
            self.model.add_joint(f"joint_{k}", *ends, pair.ours)
            placement = in_joint[at] * pin.SE3(R, p)
            number = self.theirs.addJoint(numbers[at], pair.theirs(), placement, f"joint_{k}")
            bodies.append(body)
            numbers.append(number)
            in_joint.append(pin.SE3(R_child, p_child).inverse())
            self.frames.append(self._add_frame(f"body_{k}", number, in_joint[-1]))
        self.data = self.theirs.createData()

    def _add_frame(self, name, number, placement):
        frame = pin.Frame(name, number, 0, placement, pin.FrameType.OP_FRAME)
        return self.theirs.addFrame(frame)

    def translate(self, system, state):
        """State of their model: joint by joint, because the orders may differ."""
        q, v, vdot = np.zeros(self.theirs.nq), np.zeros(self.theirs.nv), np.zeros(self.theirs.nv)
        for k, pair in enumerate(self.pairs):
            of_joint = [
                [values[i] for i, name in enumerate(names) if name.startswith(f"joint_{k}.")]
                for values, names in zip(
                    state, (system.names.q, system.names.v, system.names.v), strict=True
                )
            ]
            joint = self.theirs.joints[self.theirs.getJointId(f"joint_{k}")]
            parts = pair.translate(*(np.array(values) for values in of_joint))
            at_q, at_v = (
                slice(joint.idx_q, joint.idx_q + joint.nq),
                slice(joint.idx_v, joint.idx_v + joint.nv),
            )
            q[at_q], v[at_v], vdot[at_v] = parts
        return q, v, vdot

    def expected(self, q, v, vdot):
        """Poses, twists and accelerations of the frames, ours in order."""
        pin.forwardKinematics(self.theirs, self.data, q, v, vdot)
        pin.updateFramePlacements(self.theirs, self.data)
        poses = [self.data.oMf[f].homogeneous for f in self.frames]
        velocities = [
            pin.getFrameVelocity(self.theirs, self.data, f, WORLD_AXES) for f in self.frames
        ]
        accelerations = [
            pin.getFrameClassicalAcceleration(self.theirs, self.data, f, WORLD_AXES)
            for f in self.frames
        ]
        listed = [
            [(*m.angular, *m.linear) for m in motions] for motions in (velocities, accelerations)
        ]
        return np.array(poses), np.array(listed[0]), np.array(listed[1])

    def jacobian(self, q, frame):
        """Jacobian of a frame, angular rows first."""
        J = pin.computeFrameJacobian(self.theirs, self.data, q, self.frames[frame], WORLD_AXES)
        return np.vstack((J[3:], J[:3]))


def require(found, expected, what):
    scale = max(1.0, np.abs(expected).max())
    deviation = np.abs(found - expected).max() / scale
    assert deviation <= TOLERANCE, f"{what}: {deviation:.3g}"


def require_equal_motion(twin, execution, rng):
    system = jd.compile(twin.model, execution=execution)
    q, v, vdot, _ = jd.testing.random_state(system, rng)
    theirs = twin.translate(system, (q, v, vdot))
    found = system.kinematics(q, v, vdot)
    for what, a, b in zip(
        ("poses", "twists", "accelerations"), found, twin.expected(*theirs), strict=True
    ):
        require(a, b, what)
    directions = translated_velocities(twin, system, q)
    for k in range(0, len(twin.pairs), max(1, len(twin.pairs) // 5)):
        J = twin.jacobian(theirs[0], k) @ directions
        require(system.jacobian(f"body_{k}", q), J, f"Jacobian of body_{k}")


def translated_velocities(twin, system, q):
    """Matrix T of their velocities = T times ours."""
    n = len(system.names.v)
    return np.array([twin.translate(system, (q, unit, np.zeros(n)))[1] for unit in np.eye(n)]).T


@pytest.mark.parametrize("pair", PAIRS, ids=IDS)
def test_each_joint(pair, rng):
    """Two of a kind in series, so that nothing is at rest."""
    require_equal_motion(Twin([pair, pair], rng), jd.Plain(), rng)


@pytest.mark.parametrize("execution", [jd.Unrolled(), jd.Looped()], ids=repr)
def test_trees_of_all_joints(execution, rng):
    pairs = [PAIRS[i] for i in rng.permutation(len(PAIRS))]
    require_equal_motion(Twin(pairs, rng), execution, rng)


def test_long_chain(rng):
    pairs = [PAIRS[i] for i in rng.integers(4, size=60)]
    require_equal_motion(Twin(pairs, rng), jd.Looped(), rng)


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [pytest.param(k, marks=pytest.mark.thorough if k % 4 else ()) for k in range(20)]
)
def test_random_trees(seed):
    rng = np.random.default_rng(seed)
    pairs = [PAIRS[i] for i in rng.integers(len(PAIRS), size=rng.integers(1, 61))]
    require_equal_motion(Twin(pairs, rng), jd.Plain(), rng)
