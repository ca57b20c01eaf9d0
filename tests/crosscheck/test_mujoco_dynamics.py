"""Dynamics against MuJoCo on random trees of hinges, slides, balls and free bodies.

A MuJoCo body carries its joints at its own frame; ball and free joints have quaternions scalar
first and angular velocities in the axes of the body, as here.
"""

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.joints import Product
from jourdain.testing.states import random_state

mujoco = pytest.importorskip("mujoco")

RTOL = 1e-9
AXES = ("x", "y", "z", (0.36, 0.48, -0.8))
KINDS = (
    *(jd.Revolute(axis) for axis in AXES),
    *(jd.Prismatic(axis) for axis in AXES),
    jd.Spherical(),
    jd.Universal("x", "y"),
    jd.Gimbal(),
    jd.Prismatic("y") * jd.Revolute("z"),
    jd.Fixed(),
)


def text(values):
    return " ".join(f"{float(x):.17g}" for x in np.ravel(values))


def joints_of(kind, name):
    """Lines of a kind; several joints of one body act one after the other."""
    if isinstance(kind, jd.Free):
        return [f'<freejoint name="{name}"/>']
    if isinstance(kind, jd.Spherical):
        return [f'<joint name="{name}" type="ball"/>']
    parts = {
        jd.Universal: lambda: [("hinge", kind.first), ("hinge", kind.second)],
        jd.Gimbal: lambda: [("hinge", axis) for axis in "xyz"],
        jd.Revolute: lambda: [("hinge", kind.axis)],
        jd.Prismatic: lambda: [("slide", kind.axis)],
        jd.Fixed: list,
    }
    if isinstance(kind, Product):
        found = [joints_of(f, f"{name}_{k}") for k, f in enumerate(kind.factors)]
        return [line for lines in found for line in lines]
    return [
        f'<joint name="{name}_{k}" type="{word}" axis="{text(jd.math.axis_vector(axis))}"/>'
        for k, (word, axis) in enumerate(parts[type(kind)]())
    ]


class Tree:
    """Random tree, written for both programs; joints sit at the frames of their child bodies."""

    def __init__(self, rng, n_bodies, floating):
        self.model = jd.Model("tree", gravity=tuple(rng.uniform(-9, 9, 3)))
        self.children = {k: [] for k in range(n_bodies + 1)}
        self.lines = {}
        bodies = [self.model.world]
        for k in range(1, n_bodies + 1):
            inboard = int(rng.integers(k)) if k > 1 else 0
            kind = jd.Free() if floating and inboard == 0 else KINDS[rng.integers(len(KINDS))]
            self.children[inboard].append(k)
            bodies.append(self._add(rng, k, bodies[inboard], kind))

    def _add(self, rng, k, inboard, kind):
        spread = rng.normal(size=(3, 3)) * 0.2
        mass, second = rng.uniform(0.3, 3.0), spread @ spread.T
        J = mass * (np.trace(second) * np.eye(3) - second)
        com, place = rng.uniform(-0.2, 0.2, 3), rng.uniform(-0.4, 0.4, 3)
        turn = rng.normal(size=4)
        if isinstance(kind, jd.Free):  # MuJoCo counts them from the world's own frame
            place, turn = np.zeros(3), np.array((1.0, 0, 0, 0))
        turn /= np.linalg.norm(turn)
        body = self.model.add_body(f"body_{k}", jd.Inertia(mass, tuple(com), J))
        frame = inboard.at(*place, rotation=jd.math.rotation_quaternion(turn))
        self.model.add_joint(f"joint_{k}", frame, body, kind)
        full = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
        self.lines[k] = [
            f'<body name="body_{k}" pos="{text(place)}" quat="{text(turn)}">',
            f'<inertial pos="{text(com)}" mass="{mass:.17g}" fullinertia="{text(full)}"/>',
            *joints_of(kind, f"joint_{k}"),
        ]
        return body

    def _body(self, k):
        inner = [line for child in self.children[k] for line in self._body(child)]
        return [*self.lines[k], *inner, "</body>"]

    @property
    def mjcf(self):
        lines = [line for k in self.children[0] for line in self._body(k)]
        return "\n".join(
            (
                '<mujoco><compiler angle="radian"/>',
                f'<option gravity="{text(self.model.gravity)}">',
                '<flag contact="disable" constraint="disable"/></option>',
                "<worldbody>",
                *lines,
                "</worldbody></mujoco>",
            )
        )


def order(tree, system, model):
    """Indices that bring the coordinates of Jourdain into the order of MuJoCo."""
    q, v = [], []
    for number in range(1, model.nbody):
        prefix = f"joint_{model.body(number).name.removeprefix('body_')}."
        q += [k for k, n in enumerate(system.names.q) if n.startswith(prefix)]
        v += [k for k, n in enumerate(system.names.v) if n.startswith(prefix)]
    return q, v


def mass_matrix(model, data):
    columns = [np.zeros(model.nv) for _ in range(model.nv)]
    for column, unit in zip(columns, np.eye(model.nv), strict=True):
        mujoco.mj_mulM(model, data, column, unit)
    return np.array(columns)


def close(found, expected):
    scale = np.abs(expected).max(initial=1e-300)
    np.testing.assert_allclose(found, expected, rtol=RTOL, atol=RTOL * scale)


@pytest.mark.parametrize("seed", range(12))
def test_dynamics(seed):
    rng = np.random.default_rng(2000 + seed)
    tree = Tree(rng, int(rng.integers(1, 16)), floating=seed % 2 == 0)
    execution = (jd.Unrolled(), jd.Looped(), jd.Plain())[seed % 3]
    system = jd.compile(tree.model, execution=execution)
    model = mujoco.MjModel.from_xml_string(tree.mjcf)
    data = mujoco.MjData(model)
    iq, iv = order(tree, system, model)
    assert len(iq) == model.nq
    assert len(iv) == model.nv
    for _ in range(3):
        q, v, vdot, _ = random_state(system, rng)
        tau = rng.uniform(-5, 5, len(v))
        data.qpos, data.qvel, data.qfrc_applied = q[iq], v[iv], tau[iv]
        mujoco.mj_forward(model, data)
        close(system.forward_dynamics(q, v, tau)[iv], data.qacc)
        close(system.bias(q, v)[iv], data.qfrc_bias)
        close(system.mass_matrix(q)[np.ix_(iv, iv)], mass_matrix(model, data))
        data.qfrc_applied = 0.0
        data.qacc = vdot[iv]
        mujoco.mj_inverse(model, data)
        close(system.inverse_dynamics(q, v, vdot)[iv], data.qfrc_inverse)
        data.qvel = 0.0
        mujoco.mj_forward(model, data)
        close(system.gravity_forces(q)[iv], data.qfrc_bias)
        poses = system.poses(q)
        for k, name in enumerate(system.names.bodies):
            close(poses[k, :3, 3], data.body(name).xpos)
            close(poses[k, :3, :3], data.body(name).xmat.reshape(3, 3))


@pytest.mark.parametrize("seed", range(4))
def test_energy(seed):
    rng = np.random.default_rng(3000 + seed)
    tree = Tree(rng, 6, floating=True)
    system = jd.compile(tree.model, execution=jd.Plain())
    source = tree.mjcf.replace("<flag ", '<flag energy="enable" ')
    model = mujoco.MjModel.from_xml_string(source)
    data = mujoco.MjData(model)
    iq, iv = order(tree, system, model)
    q, v, _, _ = random_state(system, rng)
    data.qpos, data.qvel = q[iq], v[iv]
    mujoco.mj_forward(model, data)
    kinetic, potential = system.energy(q, v)
    close((potential, kinetic), data.energy)
