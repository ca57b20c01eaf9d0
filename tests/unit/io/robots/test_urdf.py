import numpy as np
import pytest

import jourdain as jd

HEAD = '<robot name="r"><material name="red"><color rgba="1 0 0 0.5"/></material>'
MASS = '<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>'


def link(name, more=MASS):
    return f'<link name="{name}">{more}</link>'


def joint(name, parent, child, kind="revolute", more=""):
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{more}</joint>'


def read(tmp_path, *rows, **options):
    file = tmp_path / "r.urdf"
    file.write_text(f"{HEAD}{''.join(rows)}</robot>")
    return jd.read_urdf(file, **options)


def arm(tmp_path, more="", **options):
    joints = joint("elbow", "base", "arm", more=more)
    return read(tmp_path, link("base"), link("arm"), joints, **options)


def test_what_acts_along_a_joint(tmp_path):
    limits = '<limit lower="-1" upper="2"/><dynamics damping="0.3" friction="0.2"/>'
    model = arm(tmp_path, limits).model()
    assert list(model.connections) == [
        "stops.elbow_lower", "stops.elbow_upper", "friction.elbow", "damping.elbow",
    ]  # fmt: skip
    bare = arm(tmp_path, limits, stops=False, friction=False).model()
    assert list(bare.connections) == ["damping.elbow"]


def test_an_arm_falls_onto_its_stop_and_rests(tmp_path):
    low = '<limit lower="-1" upper="0.5"/>'
    place = '<inertial><origin xyz="0.3 0 0"/><mass value="1"/></inertial>'
    rows = (
        link("base"),
        link("arm", place),
        joint("y", "base", "arm", more=f'<axis xyz="0 1 0"/>{low}'),
    )
    sol = jd.simulate(read(tmp_path, *rows).model(), 2.0)
    assert sol.final["y.angle"] == pytest.approx(0.5, abs=1e-9)
    assert sol["stops.y_upper.force"].values[-1] == pytest.approx(
        -9.81 * 0.3 * np.cos(0.5), rel=1e-9
    )


def test_a_robot_stands_where_it_is_put(tmp_path):
    model = jd.Model("cell")
    table = model.add_body("table", jd.solid.box(mass=20.0, size=(1, 1, 0.1)))
    model.add_joint("legs", model.world.at(0, 0, 1.0), table, jd.Fixed())
    built = model.add("left", arm(tmp_path).on(table.at(0.2, 0, 0.05)))
    twin = model.add("right", arm(tmp_path).on(table.at(-0.2, 0, 0.05)))
    assert built.links["arm"].name == "left.arm"
    assert twin.joints["elbow"].name == "right.elbow"
    sol = jd.simulate(model, 0.01)
    assert np.allclose(sol["left.base.position"].values[0], (0.2, 0, 1.05))
    assert len(jd.compile(model).names.q) == 2


def test_a_free_base(tmp_path):
    robot = arm(tmp_path, base="free")
    sol = jd.simulate(robot.model(), 0.5)
    assert sol["base.position"].sel(axis="z").values[-1] == pytest.approx(-9.81 / 8, rel=1e-8)


def test_mimics_follow_and_bound_what_they_follow(tmp_path):
    more = '<axis xyz="0 0 1"/><limit lower="-1" upper="1"/>'
    mimic = '<axis xyz="0 0 1"/><limit lower="0" upper="1"/>'
    mimic += '<mimic joint="a" multiplier="-2" offset="0.5"/>'
    rows = [link(x) for x in "uvw"]
    robot = read(tmp_path, *rows, joint("a", "u", "v", more=more), joint("b", "u", "w", more=mimic))
    a = next(x for x in robot.joints if x.name == "a")
    assert (a.forces.lower, a.forces.upper) == (-0.25, 0.25)
    sol = jd.simulate(robot.model(), 0.1, start={"a.angle": 0.2, "a.rate": -1.0})
    assert np.allclose(sol["b.angle"], 0.5 - 2.0 * sol["a.angle"], atol=1e-9)


def test_start_values_lie_within_the_limits(tmp_path):
    robot = arm(tmp_path, '<limit lower="0.5" upper="1.5"/>')
    assert robot.start == {"elbow.angle": 1.0}
    model = jd.Model("cell")
    built = model.add("arm", robot)
    assert built.start == {"arm.elbow.angle": 1.0}
    assert jd.simulate(model, 0.1, start=built.start).is_complete


def test_world_is_the_ground(tmp_path):
    robot = read(tmp_path, link("world", ""), link("arm"), joint("j", "world", "arm"))
    assert [x.name for x in robot.links] == ["arm"]
    assert not robot.notes


def test_loops(tmp_path):
    inertia = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    axis = '<axis xyz="0 1 0"/>'
    rows = [link("world", ""), *(link(x, inertia) for x in "abc")]
    rows += [joint("p", "world", "a", "continuous", axis)]
    rows += [joint("q", "a", "b", "continuous", f'<origin xyz="0.1 0 0"/>{axis}')]
    rows += [joint("s", "world", "c", "continuous", f'<origin xyz="0.3 0 0"/>{axis}')]
    ends = '<link1 link="b" xyz="0.3 0 0"/><link2 link="c" xyz="0.2 0 0"/>'
    rows += [f'<loop_joint name="r" type="continuous">{ends}{axis}</loop_joint>']
    model = read(tmp_path, *rows).model()
    sol = jd.simulate(model, 0.3, start={"p.angle": 0.5})
    places = [sol[f"{x}.position"].values for x in "ac"]
    crank, rocker = (sol[f"{x}.angle"].values for x in "ps")
    tip = places[1] + 0.2 * np.c_[np.cos(rocker), 0 * rocker, -np.sin(rocker)]
    pin = places[0] + 0.1 * np.c_[np.cos(crank), 0 * crank, -np.sin(crank)]
    assert np.allclose(np.linalg.norm(tip - pin, axis=1), 0.3, atol=1e-9)


def test_shapes_colours_and_contours(tmp_path):
    def of(shape, material=""):
        return f"<visual><geometry>{shape}</geometry>{material}</visual>"

    shapes = of('<box size="1 2 3"/>', '<material name="red"/>') + of('<sphere radius="0.1"/>')
    shapes += of('<capsule radius="0.1" length="0.4"/>')
    outlines = '<collision><geometry><cylinder radius="0.1" length="0.3"/></geometry></collision>'
    model = jd.Model("cell")
    built = model.add("r", read(tmp_path, link("base", MASS + shapes + outlines)))
    kinds = [shape.kind for shape in model.bodies["r.base"].shapes]
    assert kinds == ["box", "ball", "cylinder", "ball", "ball"]
    assert model.bodies["r.base"].shapes[0].colour == (1.0, 0.0, 0.0, 0.5)
    (contour,) = built.contours["base"]
    assert contour == jd.Cylinder(model.bodies["r.base"], 0.1, 0.3)
    assert built.contours.all == [contour]
    jd.write_model(model, tmp_path / "cell.toml")
    assert jd.read_model(tmp_path / "cell.toml") == model


def test_names_that_models_do_not_take_are_changed_with_a_note(tmp_path):
    robot = read(tmp_path, link("a.b"), link("a_b"), joint("j.1", "a.b", "a_b"))
    assert [x.name for x in robot.links] == ["a_b", "a_b_"]
    assert len(robot.notes) == 3
    robot.model().validate()


def test_impossible_moments_are_refused_or_repaired_with_a_word(tmp_path):
    wrong = '<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.5"/></inertial>'
    with pytest.raises(jd.FormatError, match="no rigid body can have"):
        read(tmp_path, link("base", wrong))
    robot = read(tmp_path, link("base", wrong), inertia="repair")
    assert "base" in robot.notes[0]
    moments = np.array(robot.links[0].inertia.moments)
    assert np.allclose(moments, np.diag((0.25, 0.25, 0.5)))


def test_a_robot_is_kept_in_a_model_file(tmp_path):
    model = jd.Model("cell")
    model.add("arm", arm(tmp_path, '<limit lower="-1" upper="2"/>'))
    jd.write_model(model, tmp_path / "cell.toml")
    assert jd.read_model(tmp_path / "cell.toml") == model


def test_an_inertial_without_a_mass_is_noted(tmp_path):
    lame = '<inertial><inertia ixx="1" iyy="1"/></inertial>'
    robot = read(tmp_path, link("base"), link("arm", lame), joint("y", "base", "arm"))
    assert robot.notes == ("link 'arm': its <inertial> lacks mass, izz: zero",)
