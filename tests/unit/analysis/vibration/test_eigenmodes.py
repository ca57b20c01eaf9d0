from __future__ import annotations

import pytest

import jourdain as jd


def test_bad_requests():
    model = jd.Model("mass")
    model.add_coordinate("x", 1.0)
    lin = jd.linearize(model)
    with pytest.raises(jd.ModelError, match="have their own state"):
        jd.eigenmodes(lin, {"x": 1.0})
    with pytest.raises(jd.ModelError, match="count is 0"):
        jd.eigenmodes(model, count=0)


def test_a_page_of_a_mode(tmp_path):
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    page = jd.animate(jd.eigenmodes(model)[0], tmp_path / "mode.html")
    assert "0.863406 Hz" in page.path.read_text(encoding="utf-8")


def test_friction_has_no_real_modes():
    """V13: friction of a contact spring couples the two directions one way only."""
    model = jd.Model("flutter")
    model.add_coordinate("x", 1.0, unit="m")
    model.add_coordinate("y", 1.0, unit="m")
    model.add_connection("s", jd.Coordinate("x"), jd.Spring(50.0))
    model.add_connection("t", jd.Coordinate("y"), jd.Spring(80.0))
    push = {"x": lambda t, s: -0.3 * 80.0 * s["y.value"]}
    with pytest.raises(jd.ModelError, match="symmetric stiffness"):
        jd.eigenmodes(model, damped=False, inputs=push)
