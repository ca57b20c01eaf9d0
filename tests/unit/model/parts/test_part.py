"""Parts: reusable pieces of machine with ports."""

import copy
import pickle

import numpy as np
import pytest
from oracles import machine_parts
from oracles.machine_parts import Chain, Coupling, Pendulum, factory

import jourdain as jd
from jourdain import io
from jourdain.errors import ModelError
from jourdain.model.parts import registry
from jourdain.model.parts.part import UnknownPortError


class Wrong(jd.Part):
    ports_of: object = None

    def build(self, group):
        group.add_coordinate("inside", 1.0)
        return self.ports_of(group) if callable(self.ports_of) else self.ports_of


@pytest.fixture
def model():
    return jd.Model("machine")


@pytest.fixture
def in_files(monkeypatch):
    for name in machine_parts.NAMES:
        monkeypatch.setitem(registry.PARTS, f"machine_parts.{name}", machine_parts.__name__)


def test_ports_are_attributes(model):
    one = model.add("one", Pendulum(model.world))
    assert one.tip == model.body("one.rod").at(0, 0, -0.3)
    assert (one.name, one.length, list(one.ports)) == ("one", 0.3, ["tip", "angle", "rod"])
    assert {"tip", "length", "name"} <= set(dir(one))
    assert model.part("one") is one
    assert repr(one) == "<part 'one': Pendulum, ports: tip, angle, rod>"
    for twin in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert twin == one
        assert hash(twin) == hash(one)


def test_parts_nest_and_make_arrays(model):
    chain, other = model.add("chain", [Chain(model.world), Chain(model.world.at(1, 0, 0), (0.1,))])
    assert chain.tip == model.frame("chain.0.end")
    assert other.name == "chain.1"
    assert list(model.joints) == [f"chain.{x}.hinge" for x in ("0.link.0", "0.link.1", "1.link.0")]
    assert list(model.parts) == [
        "chain.0", "chain.0.link.0", "chain.0.link.1", "chain.1", "chain.1.link.0",
    ]  # fmt: skip
    sol = jd.simulate(model, 0.05, start={"chain.1.link.0.hinge.angle": 0.1})
    assert sol["chain"][1]["link.0.hinge.angle"].name == "chain.1.link.0.hinge.angle"


FAILURES = {
    "class": (Pendulum, "part 'box' is the class Pendulum. Write Pendulum(...)."),
    "no part": (3.0, "part 'box' is 3.0. Give a part, whose class derives from jd.Part"),
    "no part in an array": ([Wrong(), None], "part 'box.1' is None. Give a part"),
    "ports of no names": (Wrong(5), "part 'box': build returned 5. Return its ports by name"),
    "port with a dot": (Wrong({"a.b": 1}), "part 'box' has a port 'a.b': ports are attributes."),
    "port of a taken name": (Wrong({"name": 1}), "part 'box' has a port 'name'"),
    "element elsewhere": (
        Wrong(lambda g: g._elements.add_coordinate("spy", 1.0) and {}),
        "part 'box' has added the coordinate 'spy', which does not lie in it.",
    ),
    "failure inside": (Pendulum("cran"), "no body 'cran' in model 'machine'"),
    "failure in an array": ([Wrong(), Pendulum("cran")], "no body 'cran' in model 'machine'"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_what_fails_leaves_nothing(model, failure):
    before = model.copy()
    part, text = FAILURES[failure]
    with pytest.raises((ModelError, LookupError)) as error:
        model.add("box", part)
    assert str(error.value).startswith(text)
    assert model == before
    model.add("box", Wrong())


def test_a_built_part_is_closed(model):
    model.add("one", Pendulum(model.world))
    with pytest.raises(ModelError, match=r"coordinate 'one.x' cannot be added: 'one' is a part"):
        model.group("one").add_coordinate("x", 1.0)
    with pytest.raises(ModelError, match="already has a group 'one'"):
        model.add("one", Pendulum(model.world))
    with pytest.raises(UnknownPortError, match=r"has no port 'tipp'. .*Did you mean 'tip'\?"):
        model.part("one").tipp  # noqa: B018
    assert not hasattr(model.part("one"), "tipp")
    with pytest.raises(ModelError, match="is built: its 'tip' cannot be changed"):
        model.part("one").tip = 3


def test_a_part_is_what_it_would_be_written_flat(model):
    model.add("one", Pendulum(model.world))
    flat = jd.Model("machine")
    rod = flat.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.3)))
    flat.add_joint("hinge", flat.world, rod, jd.Revolute("y"))
    flat.add_connection("paste", jd.Coordinate("hinge.angle"), jd.Damper(0.1))
    one = jd.simulate(model, 0.5, start={"one.hinge.angle": 1.0})
    other = jd.simulate(flat, 0.5, start={"hinge.angle": 1.0})
    np.testing.assert_array_equal(one.q, other.q)


@pytest.mark.parametrize("is_registered", [True, False])
def test_files_hold_parts(request, is_registered):
    if is_registered:
        request.getfixturevalue("in_files")
    model = factory(Chain("crane", (0.1, 0.2), {1: frozenset({"A"}), 2: ("A", True, 1.5)}))
    text = io.dumps(model)
    again = io.loads(text)
    assert again == model
    assert ("machine_parts.Chain" in text) == is_registered
    assert list(again.parts) == (list(model.parts) if is_registered else [])
    if is_registered:
        assert again.part("one") == model.part("one")
        assert again.part("zig").part == model.part("zig").part
    assert io.dumps(again) == text


def test_a_part_with_code_is_written_by_its_elements(in_files):
    model = factory(Chain("crane", colours=lambda x: x))
    text = io.dumps(model)
    assert io.loads(text) == model
    assert "machine_parts.Chain" not in text
    assert 'part = "machine_parts.Pendulum"' in text


MISTAKES = {
    ('"machine_parts.Coupling"', '"os.system"'): "part of group 'oil.tie' is 'os.system', which is "
    "no part of a library that files can hold. Known: hydraulics.Accumulator, ",
    ('"machine_parts.Coupling"', '"machine_parts.Paste"'): "machine_parts.Paste has no field 'a'.",
    ('{ part = "one" }', '{ part = "on" }'): "fields.a.part of group 'oil.tie' is 'on', which is "
    "not there before it. Did you mean 'one'?",
}


@pytest.mark.parametrize(("old", "new"), list(MISTAKES))
def test_mistakes_in_files(in_files, old, new):
    text = io.dumps(factory(Chain("crane")))
    assert old in text
    with pytest.raises(jd.FormatError) as error:
        io.loads(text.replace(old, new))
    assert MISTAKES[old, new] in str(error.value)


class Simple(jd.Part):
    """What a pendulum is without its paste, hung elsewhere: a point mass on another body."""

    pivot: object
    turned: bool = False

    def build(self, group):
        stick = group.add_body("stick", jd.solid.ball(mass=1.0, radius=0.1))
        group.add_coordinate("more", 0.1)
        joint = group.add_joint("axle", self.pivot, stick, jd.Revolute("y"))
        turn = jd.rotation_z(0.5) if self.turned else jd.rotation_z(0.0)
        tip = stick.at(0, 0, -0.5, rotation=turn)
        return {"tip": tip, "angle": jd.Coordinate(joint), "rod": stick}


def rig(part, *, more=True):
    model = jd.Model("rig")
    cart = model.add_body("cart", jd.solid.ball(mass=3.0, radius=0.1))
    model.add_joint("rail", model.world, cart, jd.Prismatic("x"))
    one = model.add("one", part(cart))
    hook = model.add_body("hook", jd.solid.ball(mass=0.5, radius=0.05))
    model.add_joint("hook", one.tip, hook, jd.Spherical())
    tie = model.add("tie", Pendulum(one.tip))
    model.add_connection("spring", one.angle - tie.angle, jd.Spring(4.0))
    if more:
        model.add("pair", Coupling(one, tie, jd.Distance(hook, one.rod)))
    return model


@pytest.mark.parametrize("turned", [False, True])
def test_a_part_takes_the_place_of_another(in_files, turned):
    model = rig(Pendulum)
    old = model.part("one")
    new = model.replace("one", Simple(model.body("cart"), turned))
    wanted = rig(lambda cart: Simple(cart, turned))
    assert model == wanted
    assert new == wanted.part("one") == model.part("one")
    assert model.part("pair").angle == wanted.part("pair").angle
    assert model.part("tie").part == wanted.part("tie").part
    assert {n: g.begin for n, g in model.groups.items()} == {
        n: g.begin for n, g in wanted.groups.items()
    }
    assert io.loads(io.dumps(model)) == wanted
    back = model.replace("one", old.part)
    assert back == old
    assert model == rig(Pendulum)


def test_what_cannot_be_replaced(model):
    machine = rig(Pendulum, more=False)
    machine.add("chain", Chain(machine.world))
    before = machine.copy()
    with pytest.raises(ModelError, match=r"ports tip \(frame\), angle \(coordinate\), rod .*none"):
        machine.replace("one", Wrong())
    with pytest.raises(ModelError, match=r"part 'chain.link.0' is built by part 'chain'"):
        machine.replace("chain.link.0", Wrong())
    with pytest.raises(LookupError, match="no part 'two'"):
        machine.replace("two", Wrong())
    assert machine == before
    machine.add_connection("spy", jd.Coordinate("chain.rotor"), jd.Spring(1.0))
    machine.add_body("probe", jd.solid.ball(mass=1.0, radius=0.1))
    machine.add_joint("probe", "chain.link.0.rod", "probe", jd.Fixed())

    class Other(jd.Part):
        def build(self, group):
            return {"tip": group.add_body("bar", jd.solid.ball(mass=1.0, radius=0.1))}

    with pytest.raises(ModelError, match=r"joint 'probe' is connected to chain.link.0.rod of part"):
        machine.replace("chain", Other())
