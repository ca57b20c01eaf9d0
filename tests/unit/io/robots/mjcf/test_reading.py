import numpy as np
import pytest

import jourdain as jd

BODY = '<body name="b"><joint name="j"{}/><geom size="0.1"/>{}</body>'


def read(tmp_path, inside, head="", tail=""):
    file = tmp_path / "m.xml"
    file.write_text(f"<mujoco>{head}<worldbody>{inside}</worldbody>{tail}</mujoco>")
    return jd.read_mjcf(file)


def forces(robot, name="j"):
    return next(joint for joint in robot.joints if joint.name == name).forces


@pytest.mark.parametrize(
    ("compiler", "row", "limits"),
    [
        ("", ' range="-90 45"', (-np.pi / 2, np.pi / 4)),
        ('<compiler angle="radian"/>', ' range="-1 1"', (-1.0, 1.0)),
        ('<compiler autolimits="false"/>', ' range="-1 1"', (None, None)),
        ("", ' range="-90 45" limited="false"', (None, None)),
        ("", ' type="slide" range="-1 2"', (-1.0, 2.0)),
    ],
)
def test_ranges(tmp_path, compiler, row, limits):
    found = forces(read(tmp_path, BODY.format(row, ""), compiler))
    assert (found.lower, found.upper) == pytest.approx(limits)


def test_classes_of_defaults(tmp_path):
    default = (
        '<default><joint damping="1"/><default class="x"><joint armature="2"/></default></default>'
    )
    robot = read(tmp_path, '<body childclass="x"><joint name="j"/><geom size="1"/></body>', default)
    assert forces(robot).damping == 1.0
    assert forces(robot).armature == 2.0


def test_several_joints_of_a_body_act_one_after_the_other(tmp_path):
    joints = '<joint name="x" axis="1 0 0"/><joint name="y" axis="0 1 0"/>'
    inside = f'<body name="b">{joints}<geom size="0.1" mass="1"/></body>'
    model = read(tmp_path, inside).model()
    assert list(model.joints) == ["x", "y"]
    assert model.bodies["b after x"].inertia.mass == 0.0
    jd.verify(model)


def test_equalities(tmp_path):
    bodies = "".join(
        f'<body name="{x}"><joint name="j{x}" axis="0 0 1"/><geom size="0.1"/></body>' for x in "ab"
    )
    tail = '<equality><joint joint1="ja" joint2="jb" polycoef="0.25 -2 0 0 0"/></equality>'
    sol = jd.simulate(read(tmp_path, bodies, tail=tail).model(), 0.2, start={"jb.rate": 1.0})
    assert np.allclose(sol["ja.angle"], 0.25 - 2.0 * sol["jb.angle"], atol=1e-9)


def test_a_key_gives_start_values(tmp_path):
    inside = (
        '<body name="f" pos="0 0 1" euler="0 0 90"><freejoint name="f"/><geom size="0.1"/></body>'
    )
    key = '<keyframe><key name="home" qpos="0 1 3 1 0 0 0"/></keyframe>'
    robot = read(tmp_path, inside, tail=key)
    sol = jd.simulate(robot.model(gravity=(0, 0, 0)), 0.1, start=robot.start)
    assert np.allclose(sol["f.body.position"].values[-1], (0, 1, 3))


def test_a_box_lands_on_the_plane(tmp_path):
    inside = '<geom type="plane" size="0 0 1"/><body name="box" pos="0 0 0.5"><freejoint name="f"/>'
    inside += '<geom type="box" size="0.1 0.1 0.1"/></body>'
    model = jd.Model("floor")
    built = model.add("m", read(tmp_path, inside))
    model.add_contacts("floor", built.contours.all, jd.Coulomb(0.5))
    sol = jd.simulate(model, 1.0)
    assert sol["m.box.position"].sel(axis="z").values[-1] == pytest.approx(0.1, abs=1e-7)


def test_what_changes_the_motion_and_is_not_read_is_noted(tmp_path):
    tail = '<actuator><motor joint="j"/></actuator>'
    robot = read(tmp_path, BODY.format("", ""), tail=tail)
    assert any("actuator" in note for note in robot.notes)


def test_an_included_file(tmp_path):
    (tmp_path / "part.xml").write_text(f"<mujocoinclude>{BODY.format('', '')}</mujocoinclude>")
    robot = read(tmp_path, '<include file="part.xml"/>')
    assert [joint.name for joint in robot.joints] == ["j"]
