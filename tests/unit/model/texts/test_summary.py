"""Text of a model."""

from xml.etree import ElementTree

from jourdain import math
from jourdain.model import Model
from jourdain.model.joints.joint import Joint
from jourdain.model.laws import Damper, Equal, Spring
from jourdain.model.measures import Coordinate, Distance
from jourdain.spatial import solid
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter


class Hinge(Joint):
    """Turns about z."""

    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        return math.rotation_z(q[0]), (0, 0, 0)


def test_small_model_is_listed_in_full():
    model = Model("crank_drive")
    crank = model.add_body("crank", solid.rod(1.5, (0.1, 0, 0)))
    model.add_body("rod", Inertia(2 * Parameter("m", 0.25, "kg")))
    model.add_joint("main", model.world, crank, Hinge(), driven={"angle": abs})
    model.add_joint("pin", crank.at(0.1, 0, 0), "rod", Hinge())
    model.add_coordinate("shaft", 0.2, driven=0.0)
    model.add_frame("tip", "rod")
    kind = str(Hinge())
    assert str(model).splitlines() == [
        "model 'crank_drive': 2 bodies, 2 joints, 1 coordinate, 1 frame",
        "  mass 2 kg, gravity (0, 0, -9.81) m/s^2",
        "  body  crank  1.5 kg",
        "  body  rod    2 * m = 0.5 kg",
        f"  joint main  world → crank, {kind}, driven: angle",
        f"  joint pin   crank(0.1, 0, 0) → rod, {kind}",
        "  coordinate shaft  [rad], inertia 0.2, driven",
        "  frame tip  rod",
    ]
    assert repr(model) == "<model 'crank_drive': 2 bodies, 2 joints, 1 coordinate, 1 frame>"


def test_connections_are_listed_shortly():
    model = Model("press")
    ram = model.add_body("ram", solid.rod(1.5, (0.1, 0, 0)))
    model.add_joint("main", model.world, ram, Hinge())
    model.add_coordinate("shaft", 0.2)
    strut = Distance(ram.at(0.1, 0, 0), model.world)
    model.add_connection("strut", strut, Spring(1e3, free=0.2) + Damper(5.0))
    gear = 20 * Coordinate("main.angle") - 60 * Coordinate("shaft")
    model.add_connection("gear", gear, Equal())
    model.add_connection("gas", Coordinate("main.angle"), abs)
    assert str(model).splitlines()[-3:] == [
        "  connection strut  Distance(ram(0.1, 0, 0), world), Spring(1000, free=0.2) + Damper(5)",
        "  connection gear   20 Coordinate(main.angle) - 60 Coordinate(shaft), Equal()",
        "  connection gas    Coordinate(main.angle), Law(abs)",
    ]


def test_large_model_is_cut_short():
    model = Model("chain")
    for k in range(100):
        model.add_body(f"link_{k}", Inertia(1.0))
    lines = str(model).splitlines()
    assert lines[0] == "model 'chain': 100 bodies, 0 joints"
    assert lines[-1] == "  … 80 more bodies"
    assert len(lines) == 23


def test_a_notebook_shows_a_table():
    model = Model("<chain> & co")
    for k in range(22):
        body = model.add_body(f"link_{k}", Inertia(1.5))
    model.add_joint("pin", model.world, body, Hinge())
    page = ElementTree.fromstring(model._repr_html_())
    rows = [[cell.text or "" for cell in row] for row in page.iter("tr")]
    assert page[0].text == "model '<chain> & co': 22 bodies, 1 joint"
    assert rows[:2] == [["body", "link_0", "1.5 kg"], ["", "link_1", "1.5 kg"]]
    assert rows[20:] == [["", "… 2 more bodies", ""], ["joint", "pin", "world → link_21, Hinge()"]]
    ElementTree.fromstring(Model("empty")._repr_html_())
