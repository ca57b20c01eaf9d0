from __future__ import annotations

from jourdain.model.elements import Frame
from jourdain.viz.shapes.drawables import Arrow, Furniture, Mark, Stretch


def test_furniture_is_sorted_by_kind_and_keeps_the_order():
    frame = Frame("a")
    own = (Mark("a", frame), Stretch("s", "rope", (frame, "b.position")), Mark("b", Frame("b")))
    furniture = Furniture(own)
    assert furniture.of(Mark) == [own[0], own[2]]
    assert furniture.of(Stretch) == [own[1]]
    assert furniture.of(Arrow) == []
