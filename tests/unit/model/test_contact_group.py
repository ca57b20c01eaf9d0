"""Groups of contacts in a model."""

import pytest

import jourdain as jd
from jourdain import io


@pytest.fixture
def model():
    model = jd.Model("pile")
    size = jd.Parameter("size", 0.2, "m")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    die = model.add_body("die", jd.solid.box(mass=1.0, size=(size, size, size)))
    contours = [jd.HalfSpace(model.world), jd.Sphere(ball, 0.1), jd.Box(die, (size, size, size))]
    model.add_contacts("pile", contours, jd.Coulomb(friction=0.4, restitution=0.1))
    return model


def test_a_group_is_an_element(model):
    group = model.contacts["pile"]
    assert (group.name, len(group.contours), group.laws[0][2].friction) == ("pile", 3, 0.4)
    assert "1 contact group" in repr(model)
    assert "contact group pile  3 contours, Coulomb(0.4, restitution=0.1)" in str(model)
    assert list(model.parameters) == ["size"]
    assert model.copy() == model
    model.validate()


def test_contacts_are_single_ones_and_groups(model):
    floor = jd.HalfSpace(model.world, "x")
    single = model.add_contact("wall", floor, jd.Sphere(model.body("ball"), 0.1), jd.Unilateral())
    model.add_connection("spring", jd.Distance(model.body("ball"), model.world), jd.Spring(1.0))
    assert model.contacts == {"wall": single, "pile": model.contact_groups["pile"]}
    assert list(model.contact_groups) == ["pile"]
    assert list(model.connections) == ["wall", "spring"]


def test_a_group_with_laws_of_pairs(model):
    ball, die = (model.body(name) for name in ("ball", "die"))
    contours = {"steel": [jd.Sphere(ball, 0.1)], "wood": [jd.Box(die, (0.1, 0.1, 0.1))]}
    laws = {("steel", "wood"): jd.Coulomb(friction=0.3), ("wood", "wood"): jd.Unilateral()}
    group = model.add_contacts("kinds", contours, laws, with_joined=True)
    assert group.kinds == ("steel", "wood")
    assert "kinds  2 contours, steel - wood: Coulomb(0.3), wood - wood: Unilateral" in str(model)
    assert io.loads(io.dumps(model)) == model


def test_a_group_goes_to_a_file_and_back(model):
    assert io.loads(io.dumps(model)) == model


def test_planes_of_a_group_are_drawn(model):
    from jourdain.viz.shapes.connections import ground_height
    from jourdain.viz.shapes.outlines import outlines

    assert ground_height(model, {"size": 0.2}, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]) == 0.0
    (shape,) = outlines(model, "die", {"size": 0.3})
    assert shape.size == (0.3, 0.3, 0.3)
