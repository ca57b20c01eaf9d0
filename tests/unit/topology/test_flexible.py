"""Flexible bodies in the count of coordinates, and the frame that suits their part."""

import jourdain as jd

_STEEL = jd.flexible.rectangle(jd.flexible.STEEL, 0.01, 0.02)


def test_elastic_coordinates_are_counted():
    model = jd.Model("arm")
    arm = model.add_body("arm", jd.flexible.beam(1.0, _STEEL, modes=2, fields=("y",)))
    model.add_joint("hub", model.world, arm, jd.Revolute("z"))
    found = jd.structure(model)
    assert found.n_freedoms == 3
    assert [c.name for c in found.coordinates] == ["hub.angle", "arm.elastic.y1", "arm.elastic.y2"]
    assert set(jd.compile(model).names.q) == {c.name for c in found.coordinates}
