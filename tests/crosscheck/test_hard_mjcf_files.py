"""Rows of MJCF files that are easily misread, against MuJoCo."""

import numpy as np
import pytest
from oracles.mujoco_twin import MJCF_RTOL, Twin, relative

import jourdain as jd
from jourdain.testing.states import random_state

mujoco = pytest.importorskip("mujoco")
BOX = '<geom type="box" size=".1 .2 .3" pos=".2 .1 .05"/>'
ELL = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
FILES = {
    "nested defaults": (
        '<default><joint armature=".02" damping=".1"/><geom density="500"/><default class="a">'
        '<joint axis="0 1 0" stiffness="2" springref="10"/><geom mass="1.5"/><default class="b">'
        '<joint damping=".7"/><geom type="capsule" size=".04"/></default></default></default>',
        '<body childclass="a" pos="0 0 1"><joint name="j1" axis="1 0 0"/><geom size=".1 .2 .3" '
        'type="box"/><body pos=".3 .1 0" euler="10 20 30"><joint name="j2" class="b"/><geom '
        'class="b" fromto="0 0 0 .1 .2 .5"/></body></body>',
    ),
    "two trees of defaults": (
        '<default><geom type="box" size=".1 .2 .3"/></default><default class="main">'
        '<joint axis="0 1 0" armature=".5"/></default>',
        '<body><joint name="a"/><geom pos=".2 0 0"/></body>',
    ),
    "angles about axes that stand": (
        '<compiler angle="radian" eulerseq="ZYX"/>',
        f'<body euler=".3 .5 -.7"><joint name="a" axis="0 1 0"/>{BOX}</body>',
    ),
    "angles about axes of both kinds": (
        '<compiler eulerseq="xYz"/>',
        f'<body euler="30 50 -70"><joint name="a" axis="0 1 0" pos=".1 .2 .3"/>{BOX}</body>',
    ),
    "orientations": (
        "",
        f'<body xyaxes="0 1 0.1 -1 .2 0"><joint name="a" axis="0 1 0"/>{BOX}<body zaxis="0 0 -1">'
        '<joint name="b"/><geom type="cylinder" size=".1 .2" zaxis="1 0 0" pos=".3 0 0"/><body '
        f'axisangle="1 1 0 60"><joint name="c" type="ball"/>{BOX}</body></body></body>',
    ),
    "from a point to another": (
        "",
        '<body><joint name="a" axis="0 1 0"/><geom type="box" size=".05 .03" fromto="0 0 0 .3 .2 '
        '.1"/><geom type="ellipsoid" size=".05" fromto="0 0 0 -.3 .2 .1"/><geom type="cylinder" '
        'size=".02" fromto="0 0 0 0 0 -1"/></body>',
    ),
    "references and several joints": (
        "",
        '<body pos=".3 0 0" euler="0 0 45"><joint name="a" axis="0 0 1" ref="90" pos=".1 .1 0"/>'
        f'<joint name="s" type="slide" axis="0 1 1" ref=".4"/>{BOX}</body>',
    ),
    "frames": (
        "",
        '<frame pos="0 0 1" euler="0 90 0"><body pos=".1 0 0"><joint name="a" axis="0 1 0"/>'
        f'<frame pos=".2 0 0" euler="0 0 30">{BOX}<body pos="0 .3 0"><joint name="b"/>{BOX}</body>'
        "</frame></body></frame>",
    ),
    "groups of geoms that count": (
        '<compiler inertiafromgeom="true" inertiagrouprange="0 2"/>',
        '<body><joint name="a" axis="1 1 1"/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>'
        f'{BOX}<geom type="box" size=".1 .1 .1" mass="0.3" group="3"/></body>',
    ),
    "no gravity": (
        '<option><flag gravity="disable"/></option>',
        f'<body><joint name="a" axis="0 1 0" stiffness="3"/>{BOX}</body>',
    ),
    "a free body with a ball on it": (
        "",
        f'<body pos="1 2 3" quat="1 2 3 4"><freejoint name="f"/>{BOX}<body pos=".2 0 0"><joint '
        f'name="b" type="ball" pos="0 0 .1"/>{BOX}</body></body>',
    ),
    "a mesh moved, turned, mirrored": (
        '<asset><mesh name="m" file="ell.obj" refpos=".5 .25 0" refquat=".5 .5 .5 -.5" '
        'scale="-1 2 .5"/></asset>',
        '<body><joint name="a" axis="1 1 0"/><geom type="mesh" mesh="m" mass="2"/></body>',
    ),
    "the hull of a mesh": (
        '<default><mesh scale="2 1 1"/></default><asset><mesh file="ell.obj" inertia="convex"/>'
        "</asset>",
        '<body><joint name="a" axis="1 1 0"/><geom type="mesh" mesh="ell" pos=".5 0 0"/></body>',
    ),
    "a mesh as a shell": (
        '<asset><mesh file="ell.obj" inertia="shell"/></asset>',
        '<body><joint name="a" axis="1 1 0"/><geom type="mesh" mesh="ell" density="3"/></body>',
    ),
}


def write_ell(folder):
    """A prism over an L; its numbers are exact in single precision, which MuJoCo has."""
    points = [(x, y, z) for z in (0, 1) for x, y in ELL]
    bottom = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    faces = [t[::-1] for t in bottom] + [tuple(k + 6 for k in t) for t in bottom]
    for k in range(6):
        n = (k + 1) % 6
        faces += [(k, n, n + 6), (k, n + 6, k + 6)]
    rows = [f"v {x} {y} {z}" for x, y, z in points]
    rows += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    (folder / "ell.obj").write_text("\n".join(rows))


@pytest.mark.parametrize("name", FILES)
def test_masses_and_accelerations(tmp_path, name):
    if "mesh" in name:
        pytest.importorskip("trimesh")
        write_ell(tmp_path)
    head, bodies = FILES[name]
    file = tmp_path / "m.xml"
    file.write_text(f"<mujoco>{head}<worldbody>{bodies}</worldbody></mujoco>")
    robot = jd.read_mjcf(file, stops=False)
    assert not robot.notes
    system = jd.compile(robot.model())
    twin = Twin(file, robot, system)
    for seed in range(2):
        q, v, *_ = random_state(system, np.random.default_rng(seed))
        qpos, qvel, P = twin.state(q, v)
        M, vdot = twin.forward(qpos, qvel)
        assert relative(P @ system.mass_matrix(q) @ P.T, M) < MJCF_RTOL
        assert relative(P @ system.forward_dynamics(q, v), vdot) < MJCF_RTOL


@pytest.mark.parametrize(
    ("row", "left_out"),
    [
        ('<body gravcomp="1"><joint name="j"/>{}</body>', "compensation of gravity"),
        ('<body><joint name="j" springdamper="0.2 1"/>{}</body>', "springdamper"),
        (
            '<body><joint name="j" type="free" damping="1"/>{}</body>',
            "friction and armature of free",
        ),
        ('<body><joint name="j" damping="1 2"/>{}</body>', "the first number"),
    ],
)
def test_what_changes_the_motion_is_noted(tmp_path, row, left_out):
    file = tmp_path / "m.xml"
    file.write_text(f"<mujoco><worldbody>{row.format(BOX)}</worldbody></mujoco>")
    mujoco.MjModel.from_xml_path(str(file))
    assert left_out in " ".join(jd.read_mjcf(file).notes)


def test_a_flag_that_is_passed_over_is_noted(tmp_path):
    file = tmp_path / "m.xml"
    flag = '<option><flag damper="disable"/></option>'
    file.write_text(f"<mujoco>{flag}<worldbody><body><joint/>{BOX}</body></worldbody></mujoco>")
    assert "damper='disable'" in " ".join(jd.read_mjcf(file).notes)


FREE = '<body name="{0}" pos="{1} 0 0"><freejoint name="j{0}"/>' + BOX + "</body>"
TWO = FREE.format("a", 0) + FREE.format("b", 1)


@pytest.mark.parametrize(
    "equality",
    [
        '<weld body1="a" body2="b" anchor=".1 .2 .3" relpose=".1 .2 .4 .5 .5 .1 .2"/>',
        '<weld body1="a" body2="b" anchor=".1 .2 .3"/>',
        '<connect body1="a" body2="b" anchor=".1 .2 .3"/>',
    ],
)
def test_loops_close_where_those_of_mujoco_do(tmp_path, equality):
    file = tmp_path / "m.xml"
    file.write_text(f"<mujoco><worldbody>{TWO}</worldbody><equality>{equality}</equality></mujoco>")
    system = jd.compile(jd.read_mjcf(file).model())
    poses = system.poses(jd.assemble(system, {}).q)
    model = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(model)
    for k, pose in enumerate(poses):
        data.qpos[7 * k : 7 * k + 3] = pose[:3, 3]
        mujoco.mju_mat2Quat(data.qpos[7 * k + 3 : 7 * k + 7], pose[:3, :3].ravel())
    mujoco.mj_forward(model, data)
    assert data.nefc >= 3
    assert np.abs(data.efc_pos[: 6 if "weld" in equality else 3]).max() < 1e-12


def test_followers_that_lie_elsewhere_in_the_file_are_left_free(tmp_path):
    inside = "".join(
        f'<body pos="{k} 0 0"><joint name="j{k}" axis="0 1 0" ref="{30 * k}"/>{BOX}</body>'
        for k in (1, 2)
    )
    tail = '<equality><joint joint1="j1" joint2="j2" polycoef=".1 -2 0 0 0"/></equality>'
    file = tmp_path / "m.xml"
    file.write_text(f"<mujoco><worldbody>{inside}</worldbody>{tail}</mujoco>")
    robot = jd.read_mjcf(file)
    sol = jd.simulate(robot.model(), 0.1, start=robot.start)
    a, b = np.radians(30), np.radians(60)
    assert np.allclose(sol["j1.angle"] - a, 0.1 - 2.0 * (sol["j2.angle"] - b), atol=1e-9)
