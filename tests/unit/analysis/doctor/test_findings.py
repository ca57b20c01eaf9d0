from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.laws import Equal
from jourdain.model.measures import Distance, Formula

Y = jd.Revolute("y")


def four_bar(lengths=(1.0, 3.0, 2.5), span=3.0, **driven):
    model = jd.Model("four_bar")
    a, b, c = (
        model.add_body(name, jd.solid.rod(mass=1.0, end=(l, 0, 0)))
        for name, l in zip(("crank", "coupler", "rocker"), lengths, strict=True)
    )
    ends = {
        "main": (model.world, a),
        "first": (a.at(lengths[0], 0, 0), b),
        "second": (b.at(lengths[1], 0, 0), c.at(lengths[2], 0, 0)),
        "pivot": (model.world.at(span, 0, 0), c),
    }
    for name, (parent, child) in ends.items():
        drives = {"angle": driven[name]} if name in driven else None
        model.add_joint(name, parent, child, Y, driven=drives)
    return model


def test_report():
    text = str(jd.structure(four_bar(), at={"main.angle": -1.0}, driven="main.angle").findings)
    assert (
        text
        == """\
degrees of freedom: 1, in the given position
  redundant rows: 3 of 5
    main, first, second, pivot: 3 rows too many
  loads that are not unique: torque.x/z, force.y of main, first, second, pivot
  still unique: torque.y, force.x/z of main, first, second, pivot
  driving main.angle: suitable (condition 1.62)
  good to drive: first.angle (condition 1.34)"""
    )


def test_findings_are_part_of_the_structure():
    text = str(jd.structure(four_bar()))
    assert "\ndegrees of freedom: 1, near the reference position\n  Grübler: 3 of the tree" in text
    assert jd.structure(four_bar(), at=False).findings is None
    assembly = jd.assemble(four_bar(), {"main.angle": 0.3})
    found = jd.structure(four_bar(), at=assembly).findings
    assert found.where == "in the given position"


def test_a_tree_is_examined_when_asked_for():
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, Y)
    assert jd.structure(model).findings is None
    found = jd.structure(model, driven="hinge.angle").findings
    assert (found.n_dof, found.n_rows, found.proposal) == (1, 0, ("hinge.angle",))


def test_bars_that_do_not_reach():
    report = jd.structure(four_bar((1.0, 1.0, 1.0), 3.5))
    assert not report.findings.is_assembled
    text = str(report.findings)
    assert text.startswith("degrees of freedom: not known\n  model 'four_bar' cannot be assembled")
    assert "stays open at joint 'pivot' by 0.5 m and" in text
    assert "conflict: main, first, second, pivot cannot all hold" in text
    assert "redundant" not in text


def test_drives_that_contradict_each_other():
    at = jd.assemble(four_bar(), {"main.angle": -1.0})
    held = at["pivot.angle"]
    model = four_bar(main=lambda t: -1.0 + 2.0 * t, pivot=lambda t: held)
    near = {k: at[k] for k in ("first.angle", "second.angle")}
    found = jd.structure(model, at=near).findings
    assert found.is_assembled
    (conflict,) = found.problems
    assert conflict.startswith("conflict: what main, first, second, pivot prescribe differs by")
    # the same motion of both is no conflict, only one row too many
    still = four_bar(main=lambda t: -1.0, pivot=lambda t: held)
    found = jd.structure(still, at=jd.assemble(still, near=near)).findings
    assert (found.problems, found.n_dof, found.n_redundant) == ((), 0, 4)
    assert "main.torque.y" in found.not_unique


def test_a_dead_point_of_the_models_own_drive():
    straight = jd.assemble(
        four_bar(), near=dict(zip(("main.angle", "first.angle"), (-0.674, 0.0), strict=True))
    )
    # crank and coupler in one line: cosine law with sides 4, 3 and 2.5
    main = -np.arccos((16 + 9 - 6.25) / 24)
    straight = jd.assemble(four_bar(), {"main.angle": main, "first.angle": 0.0}, near=straight)
    held = straight["pivot.angle"]
    model = four_bar(pivot=lambda t: held)
    at = jd.assemble(model, {k: straight[k] for k in ("main.angle", "first.angle")})
    found = jd.structure(model, at=at).findings
    assert found.problems[0].startswith("dead point: the drives do not determine the motion here")


def test_a_shaky_structure():
    """Two bars in one line between fixed points: only infinitesimal motion is left."""
    model = jd.Model("shaky")
    a = model.add_body("a", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    b = model.add_body("b", jd.solid.rod(mass=1.0, end=(2, 0, 0)))
    model.add_joint("left", model.world, a, Y)
    model.add_joint("middle", a.at(1, 0, 0), b, Y)
    model.add_joint("right", b.at(2, 0, 0), model.world.at(3, 0, 0), Y)
    found = jd.structure(model).findings
    assert found.n_dof == 1
    assert found.problems[0].startswith("shaky: the freedoms are infinitesimal")


def test_near_singular_positions_are_told():
    found = jd.structure(four_bar((1.0, 3.0, 1.0), 3.0), at={"main.angle": 1e-3}).findings
    assert found.n_dof == 1
    assert 0 < found.ratio < 1e-2
    assert "near-singular: the smallest singular value" in str(found)


@pytest.mark.parametrize("way", ["connection", "cut joint"])
def test_nonholonomic_conditions_do_not_lower_the_freedoms_of_positions(way):
    model = jd.Model("ice")
    sled = model.add_body("sled", jd.solid.box(mass=1.0, size=(1, 1, 0.1)))
    model.add_joint("plane", model.world, sled, jd.Planar("z"))
    if way == "connection":

        def sideways(at):
            R, _ = at.pose(sled.at())
            return jd.dot(R[:, 1], at.twist(sled.at())[1])

        model.add_connection("blade", Formula(speed=sideways), Equal())
    else:
        model.add_joint("blade", model.world, sled, jd.Skate())
    found = jd.structure(model).findings
    assert (found.n_dof, found.n_positions) == (2, 3)
    assert "degrees of freedom: 2 of velocities, 3 of positions (nonholonomic)" in str(found)
    model.add_connection("leash", Distance(sled.at(0.5, 0, 0), model.world.at(3, 4, 0)), Equal(4.5))
    found = jd.structure(model).findings
    assert (found.n_dof, found.n_positions) == (1, 2)


def test_many_loops_are_summed_up():
    model = jd.Model("row")
    for k in range(8):
        a, b = (
            model.add_body(f"{name}_{k}", jd.solid.rod(mass=1.0, end=(1, 0, 0))) for name in "ab"
        )
        model.add_joint(f"left_{k}", model.world.at(0, 0, k), a, Y)
        model.add_joint(f"top_{k}", a.at(1, 0, 0), b, Y)
        model.add_joint(f"right_{k}", b.at(1, 0, 0), model.world.at(1, 0, k), Y)
    found = jd.structure(model).findings
    assert len(found.repeated) == 8
    assert all(names == tuple(f"{w}_{k}" for w in ("left", "top", "right"))
               for k, (names, _) in enumerate(found.repeated))  # fmt: skip
    assert "and 2 more sets" in str(found)
