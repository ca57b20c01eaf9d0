"""Random machines of nested parts, with states, inputs, locks, dry friction, arrays and contacts.

They equal the same elements written one by one, bit by bit, and themselves read from a file.
"""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.grouped import rng_of

import jourdain as jd
from jourdain import io

SEEDS = st.integers(0, 2**32 - 1)
ODD = (
    "a b", "é", "group", "part", "order", "rate", "value", "x", "0", "1e5", "true", "]", "[x]",
    '"', "'", "\\", "#", "=", "{", "ß-", "名", "law", "member", "measure", "-", "body", "time",
    "energy", "\\n", "'''", '"""', "element", "force", "states", "%s", "<b>", "&amp;",
)  # fmt: skip


class Flat:
    """A group that writes flat names into a model: what parts build is added one by one."""

    def __init__(self, model, before=""):
        self.model, self.before = model, before

    def __getattr__(self, word):
        return lambda name, *a, **k: getattr(self.model, word)(f"{self.before}{name}", *a, **k)

    @property
    def world(self):
        return self.model.world

    def group(self, name):
        return Flat(self.model, f"{self.before}{name}_")

    def add(self, name, part):
        if isinstance(part, list):
            return [self.add(f"{name}_{k}", each) for k, each in enumerate(part)]
        return SimpleNamespace(**part.build(self.group(name)))

    def add_connections(self, name, measures, law):
        for k, measure in enumerate(measures):
            self.add_connection(f"{name}_{k}", measure, law)


class Train(jd.Part):
    """Shafts in a row with all that can be between them, and smaller trains; all of it at random.

    The names are drawn from a list, in an order of their own.
    """

    seed: int
    depth: int
    words: tuple[str, ...]
    has_dry: bool

    def build(self, group):
        rng, names = rng_of(self.seed), iter(self.words)
        n = int(rng.integers(2, 4))
        home = group.group(next(names)) if rng.integers(2) else group
        shafts = [home.add_coordinate(next(names), 0.5 + rng.random()) for _ in range(n)]
        angles = [jd.Coordinate(shaft) for shaft in shafts]
        spans = [a - b for a, b in pairwise(angles)]
        group.add_connections(next(names), spans, jd.Spring(40.0 * rng.random()) + jd.Damper(0.2))
        group.add_connection(next(names), angles[0], jd.Actuator(0.1 + rng.random()))
        lag = next(names)
        signal = jd.Signal("coordinate", shafts[0].name, 2.0 * rng.random())
        group.add_lag(lag, signal, time=0.1 + rng.random())
        if rng.integers(2):
            series = jd.in_series(angles[-1], coil=jd.Spring(5.0), oil=jd.Damper(0.4))
            group.add_connection(next(names), series)
        if self.has_dry:
            capacity = jd.Signal("state", group.path(f"{lag}.value"), 0.3, 0.05)
            group.add_connection(next(names), angles[-1], jd.Interval(capacity))
            if rng.integers(2):
                group.add_connection(next(names), spans[0], jd.Locked("go"))
            if rng.integers(2):
                ball = group.add_body(next(names), jd.solid.ball(mass=0.2, radius=0.05))
                hinge = group.world.at(0, 0, 0.05 + 0.01 * rng.random())
                group.add_joint(next(names), hinge, ball, jd.Prismatic("z"))
                floor = jd.HalfSpace(group.world), jd.Sphere(ball, 0.05)
                group.add_contact(next(names), *floor, jd.Coulomb(0.3, restitution=0.4))
        if self.depth:
            seeds, words = [int(x) for x in rng.integers(0, 2**32, size=2)], self.words[::-1]
            own = [Train(seed, self.depth - 1, words, self.has_dry) for seed in seeds]
            two = group.add(next(names), own)
            group.add_connection(next(names), two[0].last - two[1].last, jd.Spring(3.0))
        return {"last": angles[-1]}


def machines(seed, words=None, *, has_dry):
    own = tuple(f"e{k}" for k in range(24)) if words is None else words
    part = Train(seed, 1, own, has_dry)
    nested, flat = jd.Model("nested"), jd.Model("flat")
    nested.add("train", part)
    Flat(flat).add("train", part)
    return nested, flat


def given_to(system, rng):
    start = dict(zip(system.names.v, rng.normal(size=len(system.names.v)), strict=True))
    inputs = {n: 0.3 for n in system.description.parts.inputs if n.endswith("pressure")}
    locks = [n for n in system.description.parts.inputs if not n.endswith("pressure")]
    return {"start": start, "inputs": inputs | {n: lambda t: t - 0.02 for n in locks}}


@given(SEEDS)
@settings(max_examples=6, deadline=None)
def test_smooth_machines_equal_flat_ones(seed):
    nested, flat = machines(seed, has_dry=False)
    again = io.loads(io.dumps(nested))
    assert again == nested
    runs = []
    for model in (nested, flat, again):
        system = jd.compile(model)
        runs.append(jd.simulate(system, 0.05, sample=0.01, **given_to(system, rng_of(seed))))
    for other in runs[1:]:
        np.testing.assert_array_equal(runs[0].q, other.q)
        np.testing.assert_array_equal(runs[0].v, other.v)


@pytest.mark.parametrize("seed", [1, 2, 3, 5])
@pytest.mark.parametrize("method", [None, jd.MoreauJean(1e-3)], ids=["default", "steps"])
def test_machines_with_friction_locks_and_contacts_equal_flat_ones(seed, method):
    nested, flat = machines(seed, has_dry=True)
    again = io.loads(io.dumps(nested))
    assert again == nested
    runs = []
    for model in (nested, flat, again):
        system = jd.compile(model)
        given = given_to(system, rng_of(seed))
        runs.append(jd.simulate(system, 0.05, sample=0.01, method=method, **given))
    for other in runs[1:]:
        np.testing.assert_array_equal(runs[0].q, other.q)
        np.testing.assert_array_equal(runs[0].v, other.v)
    names = [name.replace(".", "_") for name in runs[0].names()]
    assert len(set(names)) == len(names)


@given(SEEDS, st.permutations(ODD))
@settings(max_examples=15, deadline=None)
def test_odd_names_go_to_files_and_back(seed, words):
    nested, _ = machines(seed, tuple(words), has_dry=True)
    text = io.dumps(nested)
    again = io.loads(text)
    assert again == nested
    assert io.dumps(again) == text
    assert jd.compile(again).names.q == jd.compile(nested).names.q


def test_odd_names_in_results(tmp_path):
    nested, _ = machines(5, tuple(ODD), has_dry=True)
    system = jd.compile(nested)
    sol = jd.simulate(system, 0.02, sample=0.01, **given_to(system, rng_of(5)))
    sol.save(tmp_path / "run.nc")
    again = jd.load(tmp_path / "run.nc")
    assert again.names() == sol.names()
    for name in sol.names():
        np.testing.assert_array_equal(again.values(name), sol.values(name))
    own = [n.removeprefix("train.") for n in sol.names() if n.startswith("train.")]
    assert sol["train"].names() == own


class Detailed(jd.Part):
    """A pump with a rotor, a lag, an array and dry friction."""

    def build(self, group):
        shaft, rotor = (group.add_coordinate(name, 0.1) for name in ("shaft", "rotor"))
        span = jd.Coordinate(shaft) - jd.Coordinate(rotor)
        group.add_connections("mesh", [span, span], jd.Spring(100.0) + jd.Damper(1.0))
        group.add_lag("heat", jd.Signal("velocity", shaft.name), time=0.1)
        group.add_connection("brake", jd.Coordinate(rotor), jd.Interval(0.1))
        return {"shaft": jd.Coordinate(shaft)}


class Simple(jd.Part):
    """The same port."""

    def build(self, group):
        return {"shaft": jd.Coordinate(group.add_coordinate("axle", 0.2))}


@pytest.mark.parametrize("name", ["plant.pump", "plant.other.0", "plant.other.1"])
def test_parts_are_replaced_and_back(name):
    """A simple pump in the place of a detailed one, and back: the machine is as it was."""
    model = jd.Model("m")
    plant = model.group("plant")
    pumps = [plant.add("pump", Detailed()), *plant.add("other", [Detailed(), Detailed()])]
    model.add_coordinate("motor", 1.0)
    belts = [jd.Coordinate("motor") - 2.0 * pump.shaft for pump in pumps]
    model.add_connections("belts", belts, jd.Spring(50.0))
    text, whole = io.dumps(model), jd.simulate(model, 0.1, start={"motor.rate": 1.0})
    model.replace(name, Simple())
    assert "axle" in io.dumps(model)
    assert f"{name}.axle" in model.coordinates
    assert f"{name}.rotor" not in model.coordinates
    assert len(jd.simulate(model, 0.1)["belts.force"].element) == 3
    model.replace(name, Detailed())
    assert io.dumps(model) == text
    again = jd.simulate(model, 0.1, start={"motor.rate": 1.0})
    np.testing.assert_array_equal(again.q, whole.q)
