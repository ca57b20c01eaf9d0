"""Input of meshes, and what they tell."""

import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import gears

X, Y = jd.Coordinate("x"), jd.Coordinate("y")
TEETH = gears.Teeth((20, 30), 3e-3)
MODEL = jd.Model("two")
WHEEL = MODEL.add_body("wheel", jd.solid.ball(mass=1.0, radius=0.1))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"backlash": -1e-4}, "backlash of Mesh is -0.0001 m: it must be zero or positive"),
        ({"teeth": (20, 30)}, "give gears.Teeth"),
        ({"contact": jd.Spring(1e8)}, r"give gears.Ideal\(\), gears.Rigid\(\) or gears.Elastic"),
        ({"contact": gears.Rigid()}, "rigid teeth without backlash"),
        ({"zero": "left"}, "give 'middle', 'front' or 'back'"),
        ({"phase": 30.0}, "it counts base pitches"),
        ({"a": 0.3}, "a of Mesh is 0.3"),
        ({"a": WHEEL}, "give two angles, or two bodies or frames"),
        ({"a": WHEEL, "b": MODEL.world, "zero": "front"}, "they follow from where the bodies are"),
    ],
)
def test_wrong_input(change, text):
    with pytest.raises(ModelError, match=text):
        gears.Mesh(**{"a": X, "b": Y, "teeth": TEETH} | change)
