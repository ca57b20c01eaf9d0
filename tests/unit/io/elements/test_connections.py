"""Composite connections in files."""

import pytest

import jourdain as jd
from jourdain import io
from jourdain.errors import FormatError


@pytest.fixture
def model():
    model = jd.Model("machine")
    rod = model.add_body("rod", jd.Inertia(1.0, moments=(1.0, 1.0, 1.0)))
    model.add_joint("pin", model.world, rod, jd.Revolute("z"))
    model.add_connection("first", jd.Coordinate("pin.angle"), jd.Spring(3.0))
    arm = jd.Node("arm", 0.3, on=rod.at(0.1, 0, 0), kind=jd.Revolute("x"))
    tip = jd.Node("tip", (0.1, 0.2, 0.3), on=arm)
    parts = {
        "a": (jd.Distance(tip.at(0, 0, 1), model.world), jd.Spring(jd.Parameter("k", 10.0), 0.2)),
        "b": (jd.Relative(model.world, tip, "xyz"), jd.Spring(3.0) + jd.Damper(1.0)),
        "c": (jd.Coordinate("arm.angle") - jd.Coordinate("x"), jd.Spring(2.0)),
        "d": (jd.Coordinate("x"), jd.Equal(0.1)),
    }
    inner = {"coordinates": {"x": "rad"}, "start": {"x": 0.2}}
    model.add_connection("chain", jd.Composite(parts, nodes=[arm, tip], **inner))
    line = jd.Distance(model.world.at(0, 0, 1), rod)
    series = jd.in_series(line, coil=jd.Spring(1.0), oil=jd.Damper(2.0))
    model.add_connection("series", series)
    model.add_connection("last", jd.Coordinate("pin.angle"), jd.Damper(0.1))
    return model


def test_composites_come_back_as_they_were(model):
    again = io.loads(io.dumps(model))
    assert again == model
    assert list(again.connections) == list(model.connections)


def test_form_in_a_file(model):
    text = io.dumps(model)
    assert '[connection.chain.node.arm]\non = { body = "rod", position = [0.1, 0.0, 0.0] }' in text
    assert "[connection.chain.member.c]\nmeasure = [" in text
    assert '[connection.chain.coordinate]\nx = { unit = "rad", start = 0.2 }' in text


def test_parts_that_are_python_code_are_named(model):
    parts = {"own": (jd.Coordinate("x"), lambda x, v: -x)}
    model.add_connection("code", jd.Composite(parts, coordinates={"x": "m"}))
    with pytest.raises(
        FormatError, match="connection 'code': its law is Law, which is Python code"
    ):
        io.dumps(model)


def test_mistakes_are_told_with_their_place(model):
    wrong = io.dumps(model).replace(
        'axis = "x" }\nstart = [0.3]', 'axis = "x" }\nstart = [0.3, 1.0]'
    )
    wrong = wrong.replace("[connection.chain.member.b]", "[connection.chain.membr.b]")
    wrong = wrong.replace('start = "world", end = "tip"', 'start = "world", end = "tp"')
    with pytest.raises(FormatError) as caught:
        io.loads(wrong)
    told = str(caught.value)
    assert "node.arm of connection 'chain': node 'arm' has 2 start values" in told
    assert "connection 'chain': unknown key 'membr'. Did you mean 'member'?" in told
    assert "3 mistakes" not in told  # the frames of a wrong node are no mistakes


def test_frames_on_nodes_that_are_not_there(model):
    wrong = io.dumps(model).replace('start = "world", end = "tip"', 'start = "world", end = "tp"')
    text = "member.b.measure.end of connection 'chain' is 'tp', which is no body and no frame"
    with pytest.raises(FormatError, match=text):
        io.loads(wrong)


def test_problems_of_parts_are_told_at_the_part(model):
    text = io.dumps(model)
    wrong = text.replace('"Spring", stiffness = 3.0 }, {', '"Spring", stiffness = [3.0, 1.0] }, {')
    assert wrong != text
    line = 1 + wrong.splitlines().index("[connection.chain.member.b]")
    with pytest.raises(FormatError, match=rf"line {line}.*connection 'chain\.b': "):
        io.loads(wrong)
