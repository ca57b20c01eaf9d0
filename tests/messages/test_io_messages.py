"""What users read when a model file is wrong, or cannot be written."""

import os
import re

import pytest

from jourdain import io
from jourdain.errors import FormatError, JourdainError
from jourdain.io import toml
from jourdain.model import Model
from jourdain.model.joints import Revolute
from jourdain.spatial import solid

FILE = """\
format = "jourdain-1"
name = "crank_drive"
[parameters]
length = { value = 0.3, unit = "m" }
[body.crank]
solid = "rod"
mass = 1.0
end = ["=length", 0.0, 0.0]
[body.wheel]
mass = 2.0
moments = [0.1, 0.1, 0.2]
[frame.tip]
body = "crank"
position = ["=length", 0.0, 0.0]
[coordinate.shaft]
inertia = 0.1
[joint.main]
parent = "world"
child = "crank"
kind = "Revolute"
axis = "y"
driven.angle = { function = "Sine", amplitude = 1.0, frequency = 2.0 }
[joint.pin]
parent = "tip"
child = { body = "wheel", rotation = { axis = "x", angle = 0.5 } }
kind = [{ kind = "Prismatic", axis = "x" }, "Spherical"]
[connection.strut]
measure = { kind = "Distance", start = "tip", end = "world" }
law = [{ kind = "Spring", stiffness = 1000.0, free = 0.2 }, { kind = "Damper", damping = 5.0 }]
[connection.gear]
law = "Equal"
measure = [
    { kind = "Coordinate", name = "shaft" },
    { factor = -2.0, kind = "Angle", start = "world", end = "crank" },
]
"""

GIVE_NUMBER = 'give a number without quotes, or an expression such as "=2 * length".'
KINDS = (
    "'ConstantVelocity', 'Cylindrical', 'Euler', 'Fixed', 'Free', 'Gimbal', 'Planar', "
    "'PointOnCurve', 'PointOnSurface', 'Prismatic', 'Revolute', 'RollingDisc', 'Screw', 'Skate', "
    "'Spherical', 'Universal'"
)
JOINT = "A joint has the keys parent, child and kind."

CASES = [
    # the top
    (
        'format = "jourdain-1"\n',
        "",
        "the key 'format' is missing. Begin the file with format = \"jourdain-1\".",
    ),
    (
        '"jourdain-1"',
        '"jourdain-2"',
        "line 1: format is 'jourdain-2', but this version of Jourdain reads \"jourdain-1\". For a "
        "file of a later version, install a later Jourdain.",
    ),
    (
        'name = "crank_drive"\n',
        "",
        "the key 'name' is missing. Allowed: parameters, body, joint, coordinate, connection, "
        "states, contacts, frame, group, order, format, name, gravity.",
    ),
    (
        '"crank_drive"',
        '"crank.drive"',
        "line 2: name: model name 'crank.drive' contains a dot, which separates group, element "
        "and quantity in 'group.element.quantity'. Use 'crank_drive'.",
    ),
    (
        'name = "crank_drive"',
        'name = "crank_drive"\ngravity = 9.81',
        "line 3: gravity is 9.81: give numbers in brackets such as [0.0, 0.0, 0.3].",
    ),
    (
        'name = "crank_drive"',
        'name = "crank_drive"\ngravity = [0, 9.81]',
        "line 3: gravity is (0.0, 9.81): give three numbers such as (0.0, 0.0, 0.3).",
    ),
    (
        "[coordinate.shaft]",
        "[coordinates.shaft]",
        "line 15: unknown key 'coordinates'. Did you mean 'coordinate'? Allowed: parameters, body, "
        "joint, coordinate, connection, states, contacts, frame, group, order, format, name, "
        "gravity.",
    ),
    (
        "[coordinate.shaft]",
        "[[coordinate]]",
        "line 15: coordinate is [a table]: give tables with names, such as [coordinate.shaft].",
    ),
    # parameters and expressions
    (
        'value = 0.3, unit = "m"',
        'val = 0.3, unit = "m"',
        "line 4: parameter 'length': unknown key 'val'. Did you mean 'value'? Allowed: value, "
        "unit.",
    ),
    (
        '{ value = 0.3, unit = "m" }',
        "true",
        "line 4: value of parameter 'length' is true: give a number, or an expression of "
        "parameters "
        'such as "=2 * length".',
    ),
    (
        "length = {",
        '"1st" = 1.0\nlength = {',
        "line 4: parameter '1st': parameter name '1st' is not an identifier. Use letters, digits "
        "and "
        "underscores, for example Parameter('crank_length', 0.1, 'm'); names of groups before it "
        "end with a dot.",
    ),
    (
        'end = ["=length"',
        'end = ["=lenght"',
        "line 8: end[0] of body 'crank' is '=lenght': the expression names 'lenght', which is none "
        "of the parameters (length). Did you mean 'length'?.",
    ),
    (
        'end = ["=length"',
        'end = ["=2 length"',
        "line 8: end[0] of body 'crank' is '=2 length': the expression has 'length' where an "
        "operator such as * is expected.",
    ),
    (
        'end = ["=length"',
        'end = ["length"',
        f"line 8: end[0] of body 'crank' is 'length': {GIVE_NUMBER}",
    ),
    ("mass = 1.0", "mass = inf", "line 7: mass of body 'crank' is inf: give a finite number."),
    # bodies
    (
        "mass = 1.0",
        'mass = "1.0"',
        f"line 7: mass of body 'crank' is '1.0': {GIVE_NUMBER}",
    ),
    (
        "mass = 1.0",
        "mas = 1.0",
        "line 7: body 'crank': unknown key 'mas'. Did you mean 'mass'? Allowed: solid, colour, "
        "opacity, mass, end, start.",
    ),
    (
        "mass = 1.0\n",
        "",
        "line 5: body 'crank': the key 'mass' is missing. Allowed: solid, colour, opacity, mass, "
        "end, start.",
    ),
    (
        '"rod"',
        '"rode"',
        "line 6: solid of body 'crank' is 'rode', which is no solid. Known: 'rod', 'box', 'ball', "
        "'cylinder', 'tube', 'cone', 'ellipsoid', 'point', 'mesh', 'compound'. "
        "Did you mean 'rod'?",
    ),
    (
        "mass = 1.0",
        "mass = -1.0",
        "line 7: body 'crank': mass of the rod is -1 kg: it must be zero or positive.",
    ),
    (
        "moments = [0.1, 0.1, 0.2]",
        "radius = 0.1",
        "line 11: body 'wheel': unknown key 'radius'. Allowed: colour, opacity, mass, com, "
        'moments, shapes. For a solid name it, for example solid = "rod".',
    ),
    (
        "moments = [0.1, 0.1, 0.2]",
        "moments = [0.1, 0.1, 0.9]",
        "line 11: body 'wheel': inertia has principal moments (0.1, 0.1, 0.9) kg m^2, which no "
        "rigid "
        "body can have:\n       the largest exceeds the sum of the other two. Check that the "
        "inertia "
        "is about the centre of mass and in body axes.",
    ),
    (
        "mass = 2.0",
        'mass = 2.0\nshapes = [{ kind = "ball", size = 0.1 }]',
        "line 11: shapes[0].size of body 'wheel' is 0.1: give numbers in brackets such as "
        "[0.0, 0.0, 0.3].",
    ),
    (
        "mass = 2.0",
        "mass = 2.0\nshapes = 1",
        "line 11: shapes of body 'wheel' is 1: give tables in brackets such as "
        '[{ kind = "ball", size = [0.1] }].',
    ),
    (
        "mass = 2.0",
        'mass = 2.0\nshapes = [{ kind = "ball" }]',
        "line 11: shapes[0] of body 'wheel': a shape of kind 'ball' has 1 number as its size.",
    ),
    (
        'solid = "rod"\nmass = 1.0\nend = ["=length", 0.0, 0.0]',
        'solid = "compound"\nparts = [{ mass = 1.0 }]',
        "line 7: parts[0] of body 'crank' is a table: give a solid such as "
        '{ solid = "ball", mass = 1.0, radius = 0.1 }.',
    ),
    (
        'solid = "rod"\nmass = 1.0\nend = ["=length", 0.0, 0.0]',
        'solid = "box"\nmass = 1.0\nsize = [1e200, 1.0, 1.0]',
        "line 5: body 'crank': the box has numbers so large or small that its inertia is not "
        "finite ((34, 'Numerical result out of range')). Give masses in kg and lengths in m.",
    ),
    # frames, coordinates
    (
        'body = "crank"\nposition',
        'body = "tip"\nposition',
        "line 13: body of frame 'tip' is 'tip', which is no body. Known: 'world', 'crank', "
        "'wheel'.",
    ),
    (
        "[coordinate.shaft]\ninertia = 0.1",
        "[coordinate]\nshaft = 0.1",
        "line 16: coordinate 'shaft' is 0.1: give a table such as { key = value }.",
    ),
    (
        "inertia = 0.1",
        'inertia = 0.1\nunit = ""',
        "line 17: coordinate 'shaft' has the unit '': give a text such as 'rad' or 'm'.",
    ),
    (
        "[coordinate.shaft]",
        "[coordinate.crank]",
        "line 15: coordinate 'crank': model 'crank_drive' already has a body 'crank'. "
        "Elements and groups have different names, because results are addressed as "
        "'element.quantity'; only a body and a joint may share one. Call the new coordinate "
        "'crank_coordinate'.",
    ),
    # joints
    (
        "[joint.main]\n",
        "[joint]\nextra = 1\n[joint.main]\n",
        "line 18: joint 'extra' is 1: give a table such as "
        '{ parent = "world", child = "crank", kind = "Fixed" }.',
    ),
    (
        'parent = "world"\n',
        "",
        f"line 17: joint 'main': the key 'parent' is missing. {JOINT}",
    ),
    (
        'kind = "Revolute"\n',
        "",
        f"line 17: joint 'main': the key 'kind' is missing. {JOINT}",
    ),
    (
        'parent = "tip"',
        'parent = "tp"',
        "line 24: parent of joint 'pin' is 'tp', which is no body and no frame. Known: 'world', "
        "'crank', 'wheel', 'tip'. Did you mean 'tip'?",
    ),
    (
        'parent = "tip"',
        "parent = 3",
        "line 24: parent of joint 'pin' is 3: give the name of a body or a frame, or a table such "
        "as "
        '{ body = "crank", position = [0.1, 0.0, 0.0] }.',
    ),
    (
        'child = "crank"',
        'child = "world"',
        "line 17: joint 'main' joins body 'world' to itself. A joint needs two bodies: change its "
        "parent or its child.",
    ),
    (
        '{ axis = "x", angle = 0.5 }',
        "0.5",
        "line 25: child.rotation of joint 'pin' is 0.5: give a 3×3 matrix or a table such as "
        '{ axis = "z", angle = 0.5 }.',
    ),
    (
        '{ axis = "x", angle = 0.5 }',
        '{ axis = "x", angle = "=length" }',
        "line 25: child.rotation.angle of joint 'pin' is '=length': rotations cannot depend on "
        "parameters. Give a number; for a direction that changes, put a driven joint in between.",
    ),
    (
        '{ axis = "x", angle = 0.5 }',
        "{ quaternion = [1, 0, 0] }",
        "line 25: child.rotation.quaternion of joint 'pin' is [1, 0, 0]: give four numbers w, x, "
        "y, z "
        "in brackets.",
    ),
    (
        '{ axis = "x", angle = 0.5 }',
        "{ quaternion = [0, 0, 0, 0] }",
        "line 25: child.rotation.quaternion of joint 'pin' is zero: give a quaternion such as "
        "[1.0, 0.0, 0.0, 0.0].",
    ),
    (
        'kind = "Revolute"',
        'kind = "Revolut"',
        f"line 20: kind of joint 'main' is 'Revolut', which is no joint kind. Known: {KINDS}. Did "
        "you "
        "mean 'Revolute'?",
    ),
    (
        'axis = "y"',
        'axis = "w"',
        "line 21: joint 'main': axis of Revolute is 'w': give one of 'x', 'y', 'z', '-x', '-y', "
        "'-z' "
        "or a unit vector.",
    ),
    (
        'kind = "Revolute"\naxis = "y"',
        'kind = "PointOnSurface"\nsurface = "plane"',
        "line 21: surface of joint 'main' is a function of two parameters, which is Python code "
        "and "
        "cannot stand in a file. Build this joint in Python: jd.PointOnSurface(lambda u, v: ...).",
    ),
    (
        '"Spherical"]',
        "3]",
        "line 26: kind[1] of joint 'pin' is 3: give a joint kind such as "
        '{ kind = "Revolute", axis = "z" }.',
    ),
    (
        '"Spherical"]',
        '"Spherical"]\naxis = "x"',
        "line 27: joint 'pin': unknown key 'axis'. Allowed: parent, child, driven, armature, kind.",
    ),
    # drives
    (
        "driven.angle =",
        "driven.angel =",
        "line 22: driven.angel of joint 'main': no coordinate 'angel' in joint 'main'. "
        "Coordinates: "
        "angle. Did you mean 'angle'?",
    ),
    (
        'driven.angle = { function = "Sine", amplitude = 1.0, frequency = 2.0 }',
        "driven = 0.5",
        "line 22: driven of joint 'main' is 0.5: give a table such as { angle = 0.5 }.",
    ),
    (
        'function = "Sine", ',
        "",
        "line 22: driven.angle of joint 'main': the key 'function' is missing. Write it like "
        '{ function = "Sine", amplitude = 0.1, frequency = 2.0 }.',
    ),
    (
        '"Sine"',
        '"Cosine"',
        "line 22: driven.angle.function of joint 'main' is 'Cosine', which is no built-in "
        "function. "
        "Known: 'Sine', 'Polynomial', 'Ramp', 'Table', 'Signal', 'Map'. Did you mean 'Sine'?",
    ),
    (
        "frequency = 2.0",
        "frequency = nan",
        "line 22: driven.angle.frequency of joint 'main' is nan: give a finite number.",
    ),
    (
        'kind = "Revolute"\naxis = "y"\ndriven.angle',
        'kind = "PointOnCurve"\ncurve = 3\ndriven.parameter',
        "line 21: curve of joint 'main' is 3: give a function such as "
        '{ function = "Sine", amplitude = 0.1, frequency = 2.0 }.',
    ),
    # connections
    (
        'law = "Equal"',
        "",
        "line 30: connection 'gear': the key 'law' is missing. A connection has the keys measure "
        "and law, or member with node or coordinate.",
    ),
    (
        'law = "Equal"',
        'law = "Equal"\nlow = 3',
        "line 32: connection 'gear': unknown key 'low'. Did you mean 'law'? Allowed: measure, law.",
    ),
    (
        'law = "Equal"',
        'law = { kind = "Interval", capacity = 1.0, inputs = 3 }',
        "line 31: law.inputs of connection 'gear' is 3: give names with units such as { "
        'pressure = "Pa" }.',
    ),
    (
        'law = "Equal"',
        'law = "Equl"',
        "line 31: law.kind of connection 'gear' is 'Equl', which is no law. Known: 'Actuator', "
        "'Bar', 'Beam', 'Coulomb', 'Damper', 'Equal', 'Force', 'Hertz', "
        "'Interval', 'Jenkins', 'Locked', 'Maxwell', 'Motor', 'Muscle', "
        "'Servo', 'Spring', 'Unilateral'. Did you mean 'Equal'?",
    ),
    (
        'law = "Equal"',
        "law = 3",
        "line 31: law of connection 'gear' is 3: give a law such as "
        '{ kind = "Spring", stiffness = 1000.0 }.',
    ),
    (
        'law = "Equal"',
        "law = []",
        "line 31: law of connection 'gear' is []: give a law such as "
        '{ kind = "Spring", stiffness = 1000.0 }.',
    ),
    (
        'law = "Equal"',
        'law = { kind = "Equal", value = [1.0, 2.0] }',
        "line 30: connection 'gear': Equal has 2 numbers, but its measure "
        "Coordinate(shaft) - 2 Angle(world, crank) has 1 component: give one for each",
    ),
    (
        'law = "Equal"',
        'law = { kind = "Law" }',
        "line 31: law.kind of connection 'gear' is 'Law', which holds Python code and cannot stand "
        "in a file. Build this connection in Python, or use another law.",
    ),
    (
        '{ kind = "Damper", damping = 5.0 }',
        '"Equal"',
        "line 29: law[1] of connection 'strut' is Equal, which cannot act beside other laws. "
        "Give it a connection of its own.",
    ),
    (
        "stiffness = 1000.0",
        "stifness = 1000.0",
        "line 29: law[0] of connection 'strut': unknown key 'stifness'. Did you mean 'stiffness'? "
        "Allowed: kind, stiffness, free, preload, potential.",
    ),
    (
        "stiffness = 1000.0",
        "stiffness = [[1.0, 2.0]]",
        "line 29: law[0] of connection 'strut': stiffness of Spring is ((1.0, 2.0),): give a "
        "number, one for each component of the measure, or a square matrix.",
    ),
    (
        'kind = "Distance", start',
        'kind = "Distances", start',
        "line 28: measure.kind of connection 'strut' is 'Distances', which is no measure. Known: "
        "'Angle', 'Coordinate', 'DiscHeight', 'Distance', 'Gap', 'OnCurve', 'PathLength', "
        "'Rate', 'Relative', 'Rolling', 'Touch'. Did you mean 'Distance'?",
    ),
    (
        '{ kind = "Distance", start = "tip", end = "world" }',
        '"main.angle"',
        "line 28: measure of connection 'strut' is 'main.angle': give a measure such as "
        '{ kind = "Distance", start = "crank", end = "world" }.',
    ),
    (
        'start = "tip"',
        'start = "top"',
        "line 28: measure.start of connection 'strut' is 'top', which is no body and no frame. "
        "Known: 'world', 'crank', 'wheel', 'tip'. Did you mean 'tip'?",
    ),
    (
        'kind = "Distance", start = "tip", end = "world"',
        'kind = "PathLength", points = "tip"',
        "line 28: measure.points of connection 'strut' is 'tip': give frames in brackets such as "
        '["crank", "world"].',
    ),
    (
        'kind = "Distance", start = "tip", end = "world"',
        'kind = "OnCurve", point = "tip", frame = "world", polar = 1, '
        'curve = { function = "Polynomial", coefficients = [0.0] }',
        "line 28: measure.polar of connection 'strut' is 1: give true or false.",
    ),
    (
        'name = "shaft"',
        'name = "shift"',
        "line 30: connection 'gear': no coordinate 'shift' in connection 'gear'. Coordinates: "
        "main.angle, pin.position, pin.orientation.w, pin.orientation.x, pin.orientation.y, "
        "pin.orientation.z, shaft. Did you mean 'shaft'?",
    ),
    # what only the whole model shows
    (
        'kind = "Revolute"\naxis = "y"\ndriven.angle',
        'kind = "Free"\ndriven.position',
        "line 21: joint 'main': the driven value of 'position' at t = 0 s has the shape (1,) "
        "instead "
        "of (3,)",
    ),
]


@pytest.mark.parametrize(("old", "new", "message"), CASES, ids=[case[2][:70] for case in CASES])
def test_a_mistake_in_a_file(old, new, message):
    assert old in FILE
    with pytest.raises(FormatError) as error:
        io.loads(FILE.replace(old, new, 1), "drive.toml")
    head, *mistakes = re.split(r"\n  \d+\. ", str(error.value))
    assert head == f"'drive.toml' has {len(mistakes)} mistake{'s' * (len(mistakes) > 1)}:"
    assert mistakes[0] == message


def test_the_file_itself_is_right():
    assert isinstance(io.loads(FILE), Model)


def test_several_mistakes_are_numbered_in_the_order_of_the_file():
    text = FILE.replace("mass = 2.0", "mass = true").replace('axis = "y"', 'axes = "y"')
    with pytest.raises(FormatError) as error:
        io.loads(text.replace('"crank_drive"', "3"), "drive.toml")
    assert str(error.value) == (
        "'drive.toml' has 3 mistakes:\n"
        "  1. line 2: name is 3: give a text in quotes.\n"
        "  2. line 10: mass of body 'wheel' is true: give a number, or an expression of parameters "
        'such as "=2 * length".\n'
        "  3. line 21: joint 'main': unknown key 'axes'. Did you mean 'axis'? Allowed: parent, "
        "child, "
        "driven, armature, kind, axis."
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "format = jourdain-1",
            "'drive.toml', line 1, column 10: this is no valid TOML: Invalid value. Texts stand in "
            "quotes, numbers have digits before and after the point, every key stands once.",
        ),
        (
            "a = 1\na = 2\n#",
            "'drive.toml', line 2, column 6: this is no valid TOML: Cannot overwrite",
        ),
        ("a = [", "'drive.toml', end of document: this is no valid TOML: "),
        ("a = 1" + "0" * 5000, "'drive.toml': this is no valid TOML: Exceeds the limit"),
        ("\na = " + "[" * 99, "'drive.toml', line 2: more than 50 brackets are open. Write it fla"),
        ("a." * 99 + "a = 1", "'drive.toml', line 1: more than 50 keys are joined by dots. Write"),
    ],
)
def test_a_text_that_is_no_toml(text, message):
    with pytest.raises(FormatError) as error:
        io.loads(text, "drive.toml")
    assert str(error.value).startswith(message)


def test_an_empty_model():
    with pytest.raises(FormatError, match=r"has 1 mistake:\n  1\. there is no body and no coordin"):
        io.loads('format = "jourdain-1"\nname = "empty"')


def test_more_mistakes_than_anyone_reads():
    joint = 'parent = "world"\nchild = "wheel"\nkind = "Free"\ndriven.position = 1\n'
    model = FILE + "".join(f"[joint.j{k}]\n{joint}" for k in range(60))
    with pytest.raises(FormatError, match=r"has at least 50 mistakes:[\s\S]*\n  50\. [^\n]*$"):
        io.loads(model)


def test_a_file_that_is_not_there(tmp_path):
    io.write(io.loads(FILE), tmp_path / "drive.toml")
    path = tmp_path / "driev.toml"
    with pytest.raises(FormatError) as error:
        io.read(path)
    message = f"cannot read {str(path)!r}: No such file or directory. Did you mean 'drive.toml'?"
    assert str(error.value) == message
    assert isinstance(error.value.__cause__, FileNotFoundError)


def test_a_folder(tmp_path):
    with pytest.raises(FormatError, match=r"is no file\. Give the path of a model file\."):
        io.read(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="devices of POSIX")
def test_a_device_is_not_read():
    with pytest.raises(FormatError, match="'/dev/zero' is no file"):
        io.read("/dev/zero")


@pytest.mark.parametrize("path", ["a\0b.toml", "x" * 5000])
def test_a_path_that_cannot_be(path):
    with pytest.raises(FormatError, match=r"^cannot read"):
        io.read(path)
    with pytest.raises(FormatError, match=r"^cannot write model 'crank_drive'"):
        io.write(io.loads(FILE), path)


def test_a_file_that_is_no_text(tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(b"a = 1\n\xff\xd8")
    with pytest.raises(FormatError) as error:
        io.read(path)
    assert str(error.value) == (
        f"{str(path)!r}, line 2: this is no UTF-8 text. Save the file as UTF-8; "
        "if it is no model file, give the path of one."
    )


def test_a_file_that_is_too_large(tmp_path, monkeypatch):
    monkeypatch.setattr(toml, "LARGEST", 2_000_000)
    path = tmp_path / "huge.toml"
    path.write_bytes(b" " * 2_000_001)
    message = r"is larger than 2 MB, the limit for model files\. Is it a model file\?"
    for attempt in (lambda: io.read(path), lambda: io.loads(" " * 2_000_001)):
        with pytest.raises(FormatError, match=message):
            attempt()


def test_a_folder_that_is_not_there(tmp_path):
    path = tmp_path / "none" / "drive.toml"
    with pytest.raises(FormatError) as error:
        io.write(io.loads(FILE), path)
    assert str(error.value) == (
        f"cannot write model 'crank_drive' to {str(path)!r}: No such file or directory. "
        "Check that the folder exists and may be written to."
    )


def test_a_drive_in_python():
    model = Model("crank_drive")
    model.add_body("crank", solid.rod(1.0, (0.1, 0, 0)))
    model.add_joint("main", "world", "crank", Revolute("y"), driven={"angle": lambda t: 2 * t})
    with pytest.raises(JourdainError) as error:
        io.dumps(model)
    assert str(error.value) == (
        "model 'crank_drive' cannot be written to a file:\n"
        "  1. joint 'main': the drive of 'angle' is the function "
        "test_a_drive_in_python.<locals>.<lambda>, which is Python code and has no form in a file. "
        "Use jd.Sine, jd.Polynomial, jd.Ramp or jd.Table (which can hold samples of any function), "
        "or keep this model as a Python program."
    )


@pytest.mark.parametrize("law", ["[0.0, 0.0, 0.0]", "[[1]]", '["x"]', "[true]"])
def test_a_list_of_laws_that_are_none(law):
    text = f"""format = "jourdain-1"
name = "pile"
body.a = {{ solid = "ball", mass = 1.0, radius = 0.1 }}
[contacts.pile]
contours = [{{ kind = "Sphere", frame = "a", radius = 0.1 }}]
law = {law}
"""
    with pytest.raises(
        FormatError, match=r"line 6: law\[0\] of contacts 'pile' is .*: give a table"
    ):
        io.loads(text)
