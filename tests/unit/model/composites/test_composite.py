"""Composites: parts, names, and laws in series."""

import pytest

from jourdain.model import Model
from jourdain.model.composites.composite import Composite, CompositeElement, in_series
from jourdain.model.composites.node import Node
from jourdain.model.joints import Revolute
from jourdain.model.laws import Damper, Equal, Law, Spring
from jourdain.model.measures import Coordinate, Distance, Relative
from jourdain.spatial.inertia import Inertia


@pytest.fixture
def model():
    model = Model("machine")
    body = model.add_body("rod", Inertia(1.0))
    model.add_joint("pin", model.world, body, Revolute("z"))
    return model


def star(model, *laws):
    knot = Node("knot", (1.0, 2.0, 3.0))
    places = (model.world, model.body("rod"), model.world.at(1, 0, 0))
    legs = {
        f"leg_{k}": (Distance(place, knot), law)
        for k, (place, law) in enumerate(zip(places, laws, strict=False))
    }
    return Composite(legs, nodes=[knot], coordinates={"x": "rad"}, start={"x": 0.5})


def test_internal_coordinates(model):
    composite = star(model, Spring(1.0))
    names = ("knot.position.x", "knot.position.y", "knot.position.z", "x")
    assert tuple(composite.units) == names
    assert composite.start_values == (1.0, 2.0, 3.0, 0.5)
    element = CompositeElement("star", composite)
    assert tuple(element.coordinates) == tuple(f"star.{name}" for name in names)
    assert element.member_names == ("star.leg_0",)


def test_functions_are_laws(model):
    law = star(model, lambda x, v: -x).members["leg_0"][1]
    assert isinstance(law, Law)


def test_held_parts_that_place_all_nodes_make_it_kinematic(model):
    knot = Node("knot", kind=Revolute("z"))
    held = {"a": (Relative(knot, model.world, "pose"), Equal())}
    element = CompositeElement("weld", Composite(held, nodes=[knot]))
    assert (element.n_held, element.is_kinematic) == (6, True)
    element = CompositeElement("star", star(model, Equal(1.0), Spring(1.0)))
    assert (element.n_held, element.is_kinematic) == (1, False)


def test_a_model_has_the_parts_as_connections(model):
    element = model.add_connection("star", star(model, Spring(1.0), Equal(0.3)))
    assert model.composites == {"star": element}
    assert tuple(model.connections) == element.member_names
    assert "star.leg_1  Distance(rod, knot), Equal(0.3)" in str(model)
    assert model.connections["star.leg_0"].measure.unit == "m"
    twin = model.copy()
    assert twin == model
    twin.add_connection("more", Coordinate("pin.angle"), Spring(1.0))
    assert twin != model


def test_laws_in_series(model):
    line = Coordinate("pin.angle")
    composite = in_series(line, first=Spring(1.0), second=Damper(2.0), third=Spring(3.0))
    names = ["second_elongation", "third_elongation"]
    assert list(composite.coordinates) == names
    first = composite.members["first"][0]
    assert [k for k, _ in first.terms] == [1.0, -1.0, -1.0]
    assert composite.members["third"] == (Coordinate("third_elongation"), Spring(3.0))
    model.add_connection("series", composite)
    assert model.connections["series.third"].measure.measure.unit == "rad"


def test_text(model):
    assert str(star(model, Spring(1.0))) == "Composite of leg_0 with knot, x inside"
