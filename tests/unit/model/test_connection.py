"""Connections: parts checked, units looked up."""

from jourdain.model import Model
from jourdain.model.joints import Revolute
from jourdain.model.laws import Equal, Law, Spring
from jourdain.model.measures import Coordinate, Distance
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter


def machine():
    model = Model("machine")
    model.add_joint("pin", "world", model.add_body("rod", Inertia(1.0)), Revolute("z"))
    model.add_coordinate("flow", 1.0, unit="m^3")
    return model


def test_units_of_coordinates_are_looked_up():
    model = machine()
    angle = model.add_connection("a", Coordinate("pin.angle"), Spring(1.0))
    assert angle.measure.unit == "rad"
    assert angle.measure.force_unit == "N m"
    mixed = 2.0 * Coordinate("flow") + Coordinate("pin.angle")
    added = model.add_connection("b", mixed, Equal())
    assert [m.unit for _, m in added.measure.terms] == ["m^3", "rad"]
    assert added.measure.force_unit == "Pa"


def test_functions_become_laws():
    model = machine()
    assert model.add_connection("a", Coordinate("pin.angle"), abs).law == Law(abs)


def test_parameters_of_connections_are_those_of_the_model():
    model, p = machine(), Parameter("length", 0.3, "m")
    rod = model.body("rod")
    model.add_connection("a", Distance(rod.at(p, 0, 0), model.world), Spring(2.0 * p, free=p))
    assert dict(model.parameters) == {"length": p}
    assert model.copy() == model
    assert model.connection("a").law == Spring(2.0 * p, free=p)
