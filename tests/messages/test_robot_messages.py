"""What a user reads when a robot file is wrong."""

import pytest

import jourdain as jd

MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
TWO = f'<link name="a">{MASS}</link><link name="b">{MASS}</link>'
ENDS = '<parent link="a"/><child link="b"/>'


def joint(more="", kind="revolute", ends=ENDS, name="j"):
    return f'<joint name="{name}" type="{kind}">{ends}{more}</joint>'


URDF = {
    "no valid XML": "<link",
    "names are different": '<link name="a"/><link name="a"/>',
    "has no links": "",
    "which is no link. Did you mean 'arm'": '<link name="arm"/><link name="b"/>'
    + joint(ends='<parent link="arn"/><child link="b"/>'),
    "has the type 'revolut': known are": TWO + joint(kind="revolut"),
    "axis of length zero": TWO + joint('<axis xyz="0 0 0"/>'),
    "give 3 numbers": TWO + joint('<axis xyz="0 1"/>'),
    "give finite numbers": TWO + joint('<axis xyz="0 1 nan"/>'),
    "links and joints make a tree": TWO + joint() + joint(name="k"),
    "a robot has one root": TWO,
    "no root": TWO + joint() + joint(ends='<parent link="b"/><child link="a"/>', name="k"),
    "lacks its <child link=…/>": TWO + joint(ends='<parent link="a"/>'),
    "mimics 'x', which is no joint": TWO + joint('<mimic joint="x"/>'),
    "follows itself: j - j": TWO + joint('<mimic joint="j"/>'),
    "follows itself: j - k - j": TWO
    + f'<link name="c">{MASS}</link>'
    + joint('<mimic joint="k"/>')
    + joint('<mimic joint="j"/>', ends='<parent link="b"/><child link="c"/>', name="k"),
    "none is below 0": TWO + joint('<dynamics damping="-1"/>'),
    "lengths are above 0": '<link name="a"><visual><geometry><sphere radius="0"/></geometry>'
    "</visual></link>",
    "lacks its <geometry>": '<link name="a"><visual/></link>',
    'inertia="repair"': '<link name="a"><inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="3"/></inertial></link>',
    "a mass cannot be negative": '<link name="a"><inertial><mass value="-1"/></inertial></link>',
    "needs <link2": TWO
    + joint()
    + '<loop_joint name="l" type="ball"><link1 link="a"/></loop_joint>',
}


@pytest.mark.parametrize("said", URDF)
def test_urdf(tmp_path, said):
    file = tmp_path / "r.urdf"
    file.write_text(f'<robot name="r">\n{URDF[said]}\n</robot>')
    with pytest.raises(jd.FormatError) as caught:
        jd.read_urdf(file)
    assert said in str(caught.value)
    assert "r.urdf" in str(caught.value)


def body(more="", inside='<geom size="1"/>'):
    return f"<worldbody><body name='b'>{more}{inside}</body></worldbody>"


MJCF = {
    "has no bodies": "<worldbody/>",
    "has the type 'hinje'": body('<joint type="hinje"/>'),
    "axis of length zero": body('<joint axis="0 0 0"/>'),
    "which no <default> describes": body('<joint class="x"/>'),
    "one orientation is enough": body(inside='<geom size="1" quat="1 0 0 0" euler="0 0 0"/>'),
    "is a box and has 1 sizes: give 3": body(inside='<geom type="box" size="1"/>'),
    "not above zero": body(inside='<geom size="0"/>'),
    "which no <mesh> of <asset> describes": body(inside='<geom type="mesh" mesh="m"/>'),
    "is a box that is fitted to a mesh": '<asset><mesh name="m" file="m.stl"/></asset>'
    + body(inside='<geom type="box" mesh="m"/>'),
    "gives its body the mass of mesh 'm', which cannot be read": '<asset><mesh file="m.stl"/>'
    "</asset>" + body(inside='<geom type="mesh" mesh="m"/>'),
    "has inertia='hollow': known are": '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" '
    'inertia="hollow"/></asset>' + body(inside='<geom type="mesh" mesh="m"/>'),
    "is a shell": body(inside='<geom size="1" shellinertia="true"/>'),
    "eulerseq='xyw'": '<compiler eulerseq="xyw"/>' + body(inside='<geom size="1" euler="0 0 9"/>'),
    "is free, which only a body of the world": body(
        inside='<body><freejoint/><geom size="1"/></body>'
    ),
    "names the body 'c', which is not there": body("<joint/>")
    + '<equality><connect body1="c" anchor="0 0 0"/></equality>',
    "but the joints have 1": body("<joint/>") + '<keyframe><key qpos="0 0"/></keyframe>',
    "leads out of the folder": '<include file="../other.xml"/>',
    "is not read: write out": "<worldbody><replicate count='2'/></worldbody>",
    "coordinate='global'": '<compiler coordinate="global"/>' + body(),
}


@pytest.mark.parametrize("said", MJCF)
def test_mjcf(tmp_path, said):
    file = tmp_path / "m.xml"
    file.write_text(f"<mujoco>\n{MJCF[said]}\n</mujoco>")
    with pytest.raises(jd.FormatError) as caught:
        jd.read_mjcf(file)
    assert said in str(caught.value)
    assert "m.xml" in str(caught.value)


def test_the_wrong_format_is_told(tmp_path):
    file = tmp_path / "m.xml"
    file.write_text("<mujoco/>")
    with pytest.raises(jd.FormatError, match=r"jd.read_mjcf\(path\)"):
        jd.read_urdf(file)
    with pytest.raises(jd.FormatError, match=r"Did you mean 'm\.xml'"):
        jd.read_mjcf(tmp_path / "n.xml")


def test_entities_are_not_read(tmp_path):
    file = tmp_path / "m.urdf"
    file.write_text('<!DOCTYPE r [<!ENTITY a "aaaa">]><robot name="&a;"/>')
    with pytest.raises(jd.FormatError, match="declares entities"):
        jd.read_urdf(file)


def test_options_are_one_of_a_few_words(tmp_path):
    with pytest.raises(jd.ModelError, match="base='loose': give 'fixed' or 'free'"):
        jd.read_urdf(tmp_path / "r.urdf", base="loose")


def test_a_mesh_elsewhere_is_left_out_with_a_note(tmp_path):
    folder = tmp_path / "robots" / "urdf"
    folder.mkdir(parents=True)
    mesh = '<visual><geometry><mesh filename="../../secret.stl"/></geometry></visual>'
    (folder / "r.urdf").write_text(f'<robot name="r"><link name="a">{mesh}</link></robot>')
    robot = jd.read_urdf(folder / "r.urdf")
    assert "lies outside of the folder" in robot.notes[0]


def test_a_robot_stands_on_a_place(tmp_path):
    file = tmp_path / "r.urdf"
    file.write_text('<robot name="r"><link name="a"/></robot>')
    with pytest.raises(jd.ModelError, match="cannot stand on 3"):
        jd.read_urdf(file).on(3)


def test_what_urdf_has_no_words_for_is_told_at_once(tmp_path):
    model = jd.Model("m")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("hip", model.world, ball, jd.Spherical(), armature={"angular_velocity.x": 1.0})
    model.add_connection("spring", jd.Distance(ball.at(1, 0, 0), model.world), jd.Spring(1.0))
    with pytest.raises(jd.FormatError) as caught:
        jd.write_urdf(model, tmp_path / "m.urdf")
    for word in ("kind Spherical", "armature", "'spring' has no place", "jd.write_model"):
        assert word in str(caught.value)
    assert not (tmp_path / "m.urdf").exists()
