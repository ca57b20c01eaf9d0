"""Groups: views of a model that put their names before what is added through them."""

import pytest

import jourdain as jd
from jourdain.errors import ModelError, UnknownNameError


@pytest.fixture
def model():
    made = jd.Model("press")
    oil = made.group("oil")
    pump = oil.add_body("pump", jd.solid.ball(mass=1.0, radius=0.1))
    oil.add_joint("drive", made.world, pump, jd.Revolute("z"))
    oil.group("tank").add_coordinate("level", 1.0)
    oil.add_frame("port", pump.at(0.1, 0, 0))
    oil.add_connection("spring", jd.Coordinate("oil.drive.angle"), jd.Spring(2.0))
    return made


def test_names_begin_with_those_of_the_groups(model):
    assert list(model.bodies) == ["oil.pump"]
    assert list(model.joints) == ["oil.drive"]
    assert list(model.coordinates) == ["oil.tank.level"]
    assert list(model.groups) == ["oil", "oil.tank"]
    assert model.group("oil").path("hose") == "oil.hose"
    assert model.group("oil").parameter("bore", 0.1, "m").name == "oil.bore"


def test_look_ups_are_relative(model):
    oil = model.group("oil")
    assert oil.body("pump") is model.body("oil.pump")
    assert oil.body("world") is model.world
    assert oil.group("tank").coordinate("level").name == "oil.tank.level"
    assert sorted(oil.names()) == [
        "oil.drive",
        "oil.port",
        "oil.pump",
        "oil.spring",
        "oil.tank.level",
    ]
    with pytest.raises(UnknownNameError, match=r"no body 'oil.pmp'.*Did you mean 'oil.pump'\?"):
        oil.body("pmp")


def test_groups_count_in_equality(model):
    other = model.copy()
    assert other == model
    other.group("gas")
    assert other != model


def test_a_body_and_a_joint_may_share_a_name():
    model = jd.Model("arm")
    link = model.add_body("hip", jd.solid.rod(mass=1.0, end=(0.3, 0, 0)))
    model.add_joint("hip", model.world, link, jd.Revolute("y"))
    sol = jd.simulate(model, 0.1, start={"hip.rate": 2.0})
    assert sol["hip.angular_acceleration"].dims == ("time",)
    body = sol["hip.body.angular_acceleration"]
    assert body.dims == ("time", "axis")
    assert float(abs(body.sel(axis="y") - sol["hip.angular_acceleration"]).max()) < 1e-12
    assert sol["hip.position"].dims == ("time", "axis")  # a hinge has none
    with pytest.raises(ModelError, match="already has a body 'hip'"):
        model.add_coordinate("hip", 1.0)


def test_a_free_body_takes_no_name_of_a_joint():
    model = jd.Model("two")
    link = model.add_body("link", jd.solid.rod(mass=1.0, end=(0.3, 0, 0)))
    model.add_body("hip", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("hip", model.world, link, jd.Revolute("y"))
    with pytest.raises(jd.TopologyError, match="body 'hip' has no joint that leads to the world"):
        jd.structure(model)


def test_a_listing_of_what_a_group_has(model):
    sol = jd.simulate(model, 0.1, start={"oil.drive.angle": 0.1})
    oil = sol["oil"]
    assert [name in oil for name in ("drive.angle", "tank", "hose")] == [True, True, False]
    assert oil["drive.angle"].name == "oil.drive.angle"
    assert oil["tank"].names()[:2] == ["level.value", "level.rate"]
    assert oil["tank"]["level"].name == "oil.tank.level.value"
    assert len(oil) == len(oil.names()) == len(list(oil))
    assert str(oil).startswith("'oil' of the solution of 'press': ")
    assert "drive.angle" in str(oil)
    assert "<table" in oil._repr_html_()
    with pytest.raises(UnknownNameError, match=r"'oil.drive' has: angle.*Did you mean"):
        oil["drive.angel"]
