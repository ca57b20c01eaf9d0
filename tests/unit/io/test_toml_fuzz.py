"""Files that are broken in every way: a clear error or a valid model, and nothing is executed."""

import copy
import math
import random
import re
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jourdain import io
from jourdain.errors import FormatError
from jourdain.io.text.layout import blocks
from jourdain.math import Table, rotation_x
from jourdain.model import Model
from jourdain.model.joints import PointOnCurve, Revolute
from jourdain.model.laws import Damper, Spring
from jourdain.model.measures import Distance
from jourdain.spatial import solid

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "model_file.md"
S = np.linspace(0.0, 1.0, 4)


def wire():
    """Model with a curve and a table, in which there are many numbers."""
    model = Model("wire")
    bead = model.add_body("bead", solid.ball(0.1, 0.01, at=(0, 0, 1), rotation=rotation_x(1)))
    curve = Table(S, np.column_stack([S, S**2, S**3]), "cubic")
    drive = Table(S, S, "monotone", "extrapolate")
    kind = PointOnCurve(curve, Revolute("x"), "m")
    model.add_joint("slide", "world", bead.at(1, 2, 3), kind, driven={"parameter": drive})
    pull = Spring(drive, free=0.1) + Damper(3.0)
    model.add_connection("pull", 2.0 * Distance(bead, model.world), pull)
    return model


TEXTS = [re.search(r"```toml\n(.*?)```", GUIDE.read_text("utf-8"), re.S)[1], io.dumps(wire())]
WORDS = sorted({word for text in TEXTS for word in re.findall(r"[\w.\-]+|[^\w\s]", text)})
BANNED = ("exec", "compile", "import", "open", "os.", "subprocess.", "socket.", "ctypes.")

executed: list[str] = []
is_listening = [False]


def _listen(event, _):
    if is_listening[0] and event.startswith(BANNED):
        executed.append(event)


sys.addaudithook(_listen)


def check(text):
    """Read a text: only a model or a clear error may come out."""
    executed.clear()
    is_listening[0] = True
    try:
        model = io.loads(text, "fuzzed")
    except FormatError as error:
        model, message = None, str(error)
    finally:
        is_listening[0] = False
    assert not executed, f"reading did {executed}"
    if model is None:
        assert message.startswith("'fuzzed'")
        assert "Traceback" not in message
        assert len(message) < 50_000
        assert re.search(r"line \d+|end of document|missing|larger|TOML|has \d+ mistake", message)
    else:
        model.validate()
        assert io.loads(io.dumps(model)) == model


NASTY = [
    "inf", "nan", "-0.0", "1e308", "5e-324", "9" * 400, "0x" + "f" * 4000, "1" + "0" * 5000,
    "1979-05-27", "07:32:00", "true", '""', "[]", "{}", "[[[[]]]]", '"=1/0"', '"="', '"=9**9**9"',
    "\"=__import__('os').system('true')\"", '"=radius' + "*radius" * 300 + '"', '"\\ud800"', '"""',
    "'''", "\x00", "\ufeff", "\r", "\u2028", "é", "\U0001f600", "[" * 60, "a." * 60, "{a=" * 60,
    '"' + "x" * 5000 + '"', "[body]", "[[body]]", "[joint.main]", "body = 1", "#", "\\", "=", "\n",
    '"${PATH}"', '"{0.__class__}"', '"%s%n"', '"../../../../etc/passwd"', '"!!python/object"',
]  # fmt: skip

PIECES = st.one_of(st.sampled_from(WORDS), st.sampled_from(NASTY), st.text(max_size=5))
EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 12), PIECES | st.just("")), min_size=1, max_size=5
)


def edited(text, edits):
    for place, cut, piece in edits:
        k = int(place * len(text))
        text = text[:k] + piece + text[k + cut :]
    return text


NUMBERS = [0, 1, -1, 0.5, 2.0, -0.25, 1e-300, 1e308, -1e200, 5e-324, 1e16, 10**30, -0.0, 3.7e-9]
VECTORS = [[0, 0, 0], [1, 0, 0], [0.6, 0.0, 0.8], [0.0, -1.0, 0.0], ["=radius", 0, 1], [1, 2, 3]]
TURNS = [{"axis": "x", "angle": 1}, {"quaternion": [1, 2, 3, 4]}, np.eye(3).tolist()]
EXPRESSIONS = ["=radius", "=2 * speed", "=radius ** 2 + 1", "=1 / speed", "=pi", "=-radius"]
WRONG = [
    None, True, "", "=", "x.y", "heavy", [], {}, [[]], [{}], {"function": 1}, {"kind": "Fixed"},
    Path, "=radius *", "world", "1979-05-27", 16**5000, math.inf, math.nan, "\x00", "a" * 900,
]  # fmt: skip


class Tree:
    """Random files that are almost right: known keys, values of about the right type."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.wrong = self.rng.choice([0.0, 0.02, 0.1, 0.4])
        self.odd = self.rng.choice([0.0, 0.1, 0.5])
        self.names = ["a", "left arm", "crank"][: self.rng.randint(1, 3)]

    def one(self, *makers):
        return (
            self.rng.choice(WRONG) if self.rng.random() < self.wrong else self.rng.choice(makers)()
        )

    def some(self, **entries):
        """Table with most of the entries, some of which are callables."""
        if self.rng.random() < self.wrong:
            entries[self.rng.choice(WORDS)] = self.number
        kept = {k: v for k, v in entries.items() if self.rng.random() > self.wrong / 2}
        return {k: v() if callable(v) else v for k, v in kept.items()}

    def maybe(self, **entries):
        return {k: v for k, v in entries.items() if self.rng.random() < 0.3}

    def word(self, *words):
        return self.one(lambda: self.rng.choice(words))

    def number(self):
        if self.rng.random() < self.odd:
            return self.one(lambda: self.rng.choice(NUMBERS))
        if self.rng.random() < 0.2:
            return self.one(lambda: self.rng.choice(EXPRESSIONS))
        return self.one(lambda: self.rng.uniform(0.5, 2.0))

    def vector(self):
        return self.one(lambda: self.rng.choice(VECTORS), lambda: [self.number() for _ in range(3)])

    def turn(self):
        return self.one(lambda: self.rng.choice(TURNS))

    def axis(self):
        return self.one(lambda: self.rng.choice(["x", "y", "z", "-z", [0.6, 0, 0.8], [1, 1, 1]]))

    def name(self):
        return self.rng.choice(self.names)

    def function(self):
        f = self.rng.choice(["Sine", "Polynomial", "Ramp", "Table"])
        n, m = self.rng.randint(0, 5), self.rng.choice([0, 3, 3])
        fields = {
            "Sine": {"amplitude": self.number, "frequency": self.number}
            | self.maybe(phase=self.number, offset=self.number),
            "Polynomial": {"coefficients": lambda: [self.number() for _ in range(n)]},
            "Ramp": {"start": 0, "end": self.number, "from_value": 0, "to_value": self.number},
            "Table": {
                "x": sorted(self.rng.uniform(0, 1) * self.rng.choice(NUMBERS) for _ in range(n)),
                "y": [[self.rng.random()] * m or self.rng.choice(NUMBERS) for _ in range(n)],
                "kind": lambda: self.word("linear", "cubic", "monotone"),
                "outside": lambda: self.word("hold", "extrapolate", "repeat"),
            },
        }
        return self.some(function=lambda: self.word(f), **fields[f])

    def drive(self):
        return self.one(self.number, self.function, self.function, self.vector)

    def solid(self, depth=0):
        kind = self.rng.choice(
            ["rod", "box", "ball", "cylinder", "tube", "cone", "point", "compound"]
        )
        placed = self.maybe(at=self.vector, rotation=self.turn)
        turned = placed | self.maybe(axis=self.axis)
        fields = {
            "rod": {"end": self.vector} | self.maybe(start=self.vector),
            "box": {"size": self.vector} | placed,
            "ball": {"radius": self.number} | placed,
            "cylinder": {"radius": self.number, "length": self.number} | turned,
            "tube": {"inner_radius": 0.1, "outer_radius": self.number, "length": 1} | turned,
            "cone": {"radius": self.number, "height": self.number} | turned,
            "point": self.maybe(at=self.vector),
        }
        if kind == "compound" and depth < 3:
            parts = [self.solid(depth + 1) for _ in range(self.rng.randint(1, 3))]
            return self.some(solid=kind, parts=lambda: parts, **placed)
        return self.some(solid=kind, mass=self.number, **fields.get(kind, {}))

    def body(self):
        if self.rng.random() < 0.6:
            return self.solid()
        moments = [self.rng.uniform(0.5, 1.0) for _ in range(3)]
        shape = self.some(kind="ball", size=lambda: [self.number()], position=self.vector)
        optional = {"com": self.vector, "moments": lambda: self.one(lambda: moments)}
        optional["shapes"] = lambda: [shape]
        return self.some(mass=self.number, **self.maybe(**optional))

    def end(self, body):
        place = self.maybe(position=self.vector, rotation=self.turn)
        return self.one(lambda: body, lambda: self.some(body=body, **place))

    def kind(self, depth=0):
        plain = ["Fixed", "Spherical", "Free", "Gimbal", "Euler", "Skate", "ConstantVelocity"]
        return self.one(
            lambda: self.rng.choice(plain) if depth else {"kind": self.rng.choice(plain)},
            lambda: self.some(kind="Revolute", axis=self.axis),
            lambda: self.some(kind="Screw", axis=self.axis, pitch=self.number),
            lambda: self.some(kind="Universal", **self.maybe(first=self.axis, second=self.axis)),
            lambda: self.some(kind="Planar", **self.maybe(normal=self.axis)),
            lambda: self.some(kind="RollingDisc", radius=self.number),
            lambda: (
                self.some(
                    kind="PointOnCurve",
                    curve=self.function,
                    **self.maybe(orientation=lambda: self.kind(depth + 1), unit="m"),
                )
                if depth < 3
                else "Fixed"
            ),
            lambda: (
                {"kind": [self.kind(depth + 1) for _ in range(self.rng.randint(0, 3))]}
                if depth < 3
                else "Fixed"
            ),
        )

    def joint(self):
        kind = self.kind()
        keys = ["angle", "position", "angle_1", "position.x", "orientation", "parameter"]
        driven = self.maybe(driven={self.rng.choice(keys): self.drive()})
        fields = kind if isinstance(kind, dict) else {"kind": kind}
        parent, child = self.rng.sample(["world", *self.names], 2)
        ends = {"parent": lambda: self.end(parent), "child": lambda: self.end(child)}
        return fields | self.some(**ends, **driven)

    def measure(self):
        a, b = ((lambda: self.end(self.rng.choice(["world", *self.names]))) for _ in range(2))
        ends = {"start": a, "end": b}
        axis = self.maybe(axis=self.axis)
        frames = self.maybe(axes=lambda: self.word("start", "end", "world"))
        angles = self.maybe(angles=lambda: self.word("bryant", "vector"))
        parts = ["x", "xyz", "x y rz", "pose", "rx"]
        names = ["j0.angle", "j1.position", "s0", "j0.orientation.w"]
        over = self.maybe(over=a, radius=self.number) | axis
        polar = self.maybe(polar=lambda: self.rng.random() < 0.5)
        disc = {"wheel": a, "radius": self.number}
        return self.one(
            lambda: self.some(kind="Distance", **ends),
            lambda: self.some(kind="Coordinate", name=lambda: self.word(*names)),
            lambda: self.some(
                kind="Relative", components=lambda: self.word(*parts), **ends, **frames, **angles
            ),
            lambda: self.some(kind="Angle", **ends, **axis),
            lambda: self.some(kind="PathLength", points=lambda: [a(), b()], **over),
            lambda: self.some(kind="OnCurve", point=a, frame=b, curve=self.function, **polar),
            lambda: self.some(kind="DiscHeight", plane=b, **disc, **axis),
            lambda: self.some(kind="Gap", a=lambda: self.contour(a), b=lambda: self.contour(b)),
            lambda: self.some(
                kind="Touch",
                normal=lambda: self.some(kind="Distance", **ends),
                tangential=lambda: self.some(kind="Relative", components="x", **ends),
            ),
            lambda: self.some(
                kind="Rolling", on=b, **disc, **self.maybe(on_radius=self.number, axis="none")
            ),
        )

    def contour(self, place):
        return self.one(
            lambda: self.some(kind="Point", frame=place),
            lambda: self.some(kind="Sphere", frame=place, radius=self.number),
            lambda: self.some(kind="HalfSpace", frame=place, **self.maybe(normal=self.axis)),
        )

    def impact(self):
        return self.one(
            lambda: self.word("Newton", "Poisson"),
            lambda: self.some(kind="Poisson", tangential=lambda: self.word("coulomb", "glocker")),
        )

    def amount(self):
        """A number, several, or a matrix."""
        n = self.rng.choice([1, 2, 3, 6])
        row = [self.number() for _ in range(n)]
        return self.one(self.number, self.number, lambda: row, lambda: [row] * n, self.function)

    def law(self, depth=0):
        winding = {"constant": self.number, "resistance": self.number, "inductance": self.number}
        rest = self.maybe(free=self.amount, preload=self.amount)
        beam = self.maybe(torsion=self.number, damping=self.number)
        return self.one(
            lambda: self.word("Equal"),
            lambda: self.some(kind="Equal", value=self.drive),
            lambda: self.some(kind="Spring", stiffness=self.amount, **rest),
            lambda: self.some(kind="Damper", damping=self.amount),
            lambda: self.some(kind="Maxwell", stiffness=self.amount, time=self.amount),
            lambda: self.some(kind="Bar", length=self.number, axial=self.number),
            lambda: self.some(
                kind="Beam", length=self.number, axial=self.number, bending=self.amount, **beam
            ),
            lambda: self.some(kind="Force", value=self.drive),
            lambda: self.some(kind="Actuator", area=self.number, **self.maybe(pressure=self.drive)),
            lambda: self.some(kind="Motor", **winding, **self.maybe(voltage=self.drive)),
            lambda: self.some(
                kind="Unilateral",
                **self.maybe(side=lambda: self.word("above", "below"), restitution=self.number),
            ),
            lambda: self.some(kind="Interval", capacity=self.amount),
            lambda: self.some(kind="Coulomb", friction=self.amount, impact=self.impact),
            lambda: self.some(kind="Servo", gain=self.number, **winding, unit="m"),
            lambda: (
                [self.law(depth + 1) for _ in range(self.rng.randint(0, 3))] if depth < 3 else "Law"
            ),
        )

    def connection(self):
        measure = self.measure()
        if self.rng.random() < 0.3 and isinstance(measure, dict):
            factors = self.maybe(factor=self.number)
            measure = [measure | self.some(**factors), self.measure()]
        return self.some(measure=lambda: measure, law=self.law)

    def frame(self):
        return self.some(body=self.name, **self.maybe(position=self.vector, rotation=self.turn))

    def scalar(self):
        return self.some(inertia=self.number, **self.maybe(unit="m", driven=self.drive))

    def tree(self):
        names = [n for n in self.names if self.rng.random() >= self.wrong]
        parameters = {
            "radius": lambda: self.one(lambda: 0.5),
            "speed": lambda: self.some(value=self.rng.choice([1, 2.5]), unit="m"),
        }
        joints = {f"j{k}": self.joint() for k in range(self.rng.randint(0, 3))}
        sections = {
            "parameters": lambda: self.some(**parameters),
            "body": lambda: {name: self.body() for name in names},
            "joint": lambda: joints,
            "frame": lambda: {f"f{k}": self.frame() for k in range(self.rng.randint(0, 2))},
            "connection": lambda: {
                f"c{k}": self.connection() for k in range(self.rng.randint(0, 3))
            },
            "coordinate": lambda: {f"s{k}": self.scalar() for k in range(self.rng.randint(0, 2))},
        }
        top = {"format": "jourdain-1", "name": lambda: "machine"}
        return self.some(**top, **self.maybe(gravity=self.vector), **sections)


class Word:
    """What stands in a file as it is."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def toml(tree):
    """Tree in which everything can be laid out."""
    if isinstance(tree, dict):
        return {k: toml(v) for k, v in tree.items() if v is not None}
    if isinstance(tree, list):
        return [toml(v) for v in tree if v is not None]
    if isinstance(tree, bool):
        return Word(str(tree).lower())
    if isinstance(tree, int) and abs(tree) > 10**300:
        return Word(hex(tree))
    return tree if isinstance(tree, str | int | float) else Word("1979-05-27T07:32:00")


def places(tree, path=()):
    """Places of all values of a tree."""
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for key, value in list(pairs):
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


def below(tree, place):
    for key in place:
        tree = tree[key]
    return tree


def edits_of_text(edits, which):
    """Characters cut out of a valid file, and others put in."""
    check(edited(TEXTS[which], edits))


def any_text(pieces):
    """Words of the format and nasty pieces in any order."""
    check('format = "jourdain-1"\nname = "a"\n' + " ".join(pieces))


def almost_right(seed):
    """Trees with known keys and values of about the right type."""
    check("\n\n".join(blocks(toml(Tree(seed).tree()))))


def exchanged(seed):
    """A valid file in which a few values, or keys, have changed places."""
    rng = random.Random(seed)
    tree = tomllib.loads(TEXTS[rng.randint(0, 1)])
    for _ in range(rng.randint(1, 3)):
        source, target = rng.choice(list(places(tree))), rng.choice(list(places(tree)))
        value = rng.choice([*WRONG, *NUMBERS]) if rng.random() < 0.5 else below(tree, source)
        value = copy.deepcopy(value)  # a table must not come to hold itself
        holder = below(tree, target[:-1])
        if isinstance(holder, dict) and rng.random() < 0.3:
            holder[str(rng.choice(source))] = holder.pop(target[-1])
        else:
            holder[target[-1]] = value
    check("\n\n".join(blocks(toml(tree))))


SEEDS = st.integers(0, 2**64 - 1)
WAYS = {
    edits_of_text: (EDITS, st.integers(0, 1)),
    any_text: (st.lists(PIECES | st.just("\n"), max_size=30),),
    almost_right: (SEEDS,),
    exchanged: (SEEDS,),
}
fast = settings(max_examples=200, suppress_health_check=list(HealthCheck))  # more: tests/fuzz


@pytest.fixture(autouse=True, scope="module")
def _everything_imported():
    for text in TEXTS:
        io.loads(text)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_broken_files(way):
    fast(given(*WAYS[way])(way))()


def test_solids_of_solids_with_parameters_are_read_again():
    """Their moments are long expressions: 20646 operations were written, and refused as many."""
    almost_right(4400)


@pytest.mark.parametrize("text", TEXTS)
def test_the_unbroken_files_are_valid(text):
    assert isinstance(io.loads(text), Model)


def test_the_listener_hears():
    executed.clear()
    is_listening[0] = True
    exec("1")  # what must not happen while reading
    is_listening[0] = False
    assert "exec" in executed


@settings(max_examples=100)
@given(content=st.binary(max_size=60), place=st.floats(0, 1))
def test_files_that_are_no_text(tmp_path_factory, content, place):
    text = TEXTS[0].encode()
    k = int(place * len(text))
    path = tmp_path_factory.getbasetemp() / "fuzzed.toml"
    path.write_bytes(text[:k] + content + text[k:])
    try:
        message = str(io.read(path))
    except FormatError as error:
        message = str(error)
    assert message.startswith(("model '", f"{str(path)!r} has", f"{str(path)!r}, "))
