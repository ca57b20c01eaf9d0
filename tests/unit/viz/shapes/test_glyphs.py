from __future__ import annotations

import pytest

import jourdain as jd
from jourdain.model.joints import all_joint_kinds
from jourdain.viz.shapes.glyphs import glyphs, word


class Rocker(jd.Joint):
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        return jd.rotation_y(q[0]), (q[0], 0, 1)


def test_every_kind_of_the_library_has_a_glyph_of_its_own():
    assert all(name != "other" for kind in all_joint_kinds() for name, _ in glyphs(kind))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (jd.Revolute("-y"), [("revolute", (0, -1, 0))]),
        (jd.Prismatic((0.6, 0.0, 0.8)), [("prismatic", (0.6, 0, 0.8))]),
        (jd.Planar("x"), [("planar", (1, 0, 0))]),
        (jd.Prismatic("x") * jd.Revolute("z"), [("prismatic", (1, 0, 0)), ("revolute", (0, 0, 1))]),
        (Rocker(), [("other", (0, 0, 1))]),
    ],
)
def test_glyphs_point_along_the_axes(kind, expected):
    found = glyphs(kind)
    assert [name for name, _ in found] == [name for name, _ in expected]
    for (_, axis), (_, wanted) in zip(found, expected, strict=True):
        assert axis == pytest.approx(wanted)


def test_a_universal_joint_has_a_pin_for_each_axis():
    assert glyphs(jd.Universal("z", "x"))[1:] == [("pin", (0, 0, 1)), ("pin", (1, 0, 0))]


def test_kinds_in_words():
    assert word(jd.ConstantVelocity()) == "constant velocity"
    assert word(jd.Prismatic("x") * jd.Revolute("z")) == "prismatic, revolute"
