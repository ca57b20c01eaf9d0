from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.viz.pages import packing
from jourdain.viz.pages.content import Wishes, content
from jourdain.viz.shapes.drawables import Line, Marker, Stretch


def main(solution, **wishes):
    return content({"": solution}, Wishes(**wishes))["solutions"][0]


def test_a_joint_has_glyphs_ends_and_values(solution):
    rail, pivot, hook = main(solution)["joints"]
    assert (rail["word"], rail["note"]) == ("prismatic joint", "world → cart")
    assert rail["parent"]["body"] == -1
    assert rail["parent"]["position"] == [0.0, 0.0, 3.0]
    assert hook["parent"] == {"body": 1, "position": [0, 0, -2], "rotation": [0, 0, 0, 1]}
    assert [glyph["kind"] for glyph in pivot["glyphs"]] == ["universal", "pin", "pin"]


def test_a_rail_is_as_long_as_the_travel(solution):
    rail = main(solution)["joints"][0]
    low, high = (x * rail["size"] for x in rail["glyphs"][0]["travel"])
    travel = solution.values("rail.position")
    assert (low, high) == pytest.approx((min(0, travel.min()), max(0, travel.max())))


def test_springs_ropes_and_contacts_find_their_places(solution, crane):
    cart, load = crane.bodies["cart"], crane.bodies["load"]
    extras = [
        Stretch("spring", "spring", (crane.world.at(0, 0, 3), cart.at())),
        Stretch("rope", "rope", (cart.at(), "load.position"), radius=0.01),
        Marker("spot", load.at(0, 0, -0.2), active="rail.position"),
    ]
    made = main(solution, extras=extras)
    spring, rope = made["stretches"]
    assert [point["body"] for point in spring["through"]] == [-1, 0]
    assert rope["through"][1] == {"track": "load.position"}
    assert rope["radius"] == 0.01
    assert rope["rest"] == pytest.approx(2.0)  # the length of the rod between
    assert made["markers"][0]["active"] == "rail.position"
    assert {"load.position.x", "rail.position"} <= set(made["tracks"]["names"])


def test_arrows_are_in_the_axes_of_the_parent(solution):
    arrows = main(solution)["arrows"]
    hook = next(a for a in arrows if (a["name"], a["kind"]) == ("hook", "force"))
    assert hook["vector"] == [f"hook.force.{axis}" for axis in "xyz"]
    assert (hook["axes"]["body"], hook["point"]["body"]) == (1, 2)
    weights = [a for a in arrows if a["kind"] == "weight"]
    assert weights[0]["vector"] == pytest.approx([0, 0, -9.81 * 50.0])
    assert weights[0]["scale"] == weights[1]["scale"] > 0.0


def test_traces_have_the_colour_of_the_body(solution):
    made = main(solution, traces=["ring"], colours={"load": "#123456"})
    assert made["traces"][0]["colour"] == "#123456"
    assert made["traces"][0]["point"]["position"] == [0.0, 0.0, -0.2]


def test_a_line_is_fixed_in_its_frame(solution, crane):
    points = [(0, 0, 0), (1, 2, 3)]
    edge = Line("edge", points, crane.bodies["cart"].at(0, 0, 0.1))
    (made,) = main(solution, extras=[edge])["lines"]
    assert (made["place"]["body"], made["place"]["position"]) == (0, [0.0, 0.0, 0.1])
    np.testing.assert_array_equal(packing.unplain(made["points"]), np.ravel(points))
    assert Line("edge", points).at.body == "world"


def test_a_bead_has_its_wire():
    model = jd.Model("wire")
    bead = model.add_body("bead", jd.solid.ball(1.0, 0.05))
    curve = jd.PointOnCurve(lambda s: (s, 0.0, s**2), jd.Fixed())
    model.add_joint("wire", model.world, bead, curve)
    sol = jd.simulate(model, 0.5, start={"wire.parameter": 0.5})
    points = packing.unplain(main(sol)["joints"][0]["path"]).reshape(-1, 3)
    np.testing.assert_allclose(points[:, 2], points[:, 0] ** 2, atol=1e-6)
    assert points[:, 0].max() > 0.5
