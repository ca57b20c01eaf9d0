"""The same machine in groups gives the same numbers, bit by bit."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.grouped import in_groups, new_name, new_names, rng_of

import jourdain as jd
from jourdain import io

SEEDS = st.integers(0, 2**32 - 1)


def pair(seed, loops=0):
    rng = rng_of(seed)
    if loops:
        flat = jd.testing.random_loop_model(int(rng.integers(1000)))[0]
    else:
        flat = jd.testing.random_model(int(rng.integers(1000)), int(rng.integers(2, 7)))
    names = new_names(flat, rng)
    return flat, in_groups(flat, names), names


@given(SEEDS)
def test_equations_in_groups(seed):
    flat, grouped, names = pair(seed)
    systems = [jd.compile(m, execution=jd.Plain()) for m in (flat, grouped)]
    assert tuple(new_name(n, names) for n in systems[0].names.q) == systems[1].names.q
    q, v, vdot, t = jd.testing.random_state(systems[0], 1)
    again = jd.testing.random_state(systems[1], 1)
    for one, other in zip((q, v, vdot, t), again, strict=True):
        np.testing.assert_array_equal(one, other)
    one, other = (s.inverse_dynamics(q, v, vdot, t) for s in systems)
    np.testing.assert_array_equal(one, other)
    for name, other in zip(systems[0].names.v, systems[1].names.v, strict=True):
        assert systems[0].index(name) == systems[1].index(other)


@pytest.mark.parametrize("seed", [3, 10])
def test_loops_in_groups(seed):
    flat, start, t = jd.testing.random_loop_model(seed)
    names = new_names(flat, rng_of(seed))
    grouped = in_groups(flat, names)
    found = []
    for model in (flat, grouped):
        given = {new_name(k, names) if model is grouped else k: x for k, x in start.items()}
        system = jd.compile(model)
        own = {k: x for k, x in given.items() if k in system.names.q}
        state = jd.assemble(system, own, t=t)
        found.append((state.q, system.forward_dynamics(state.q, state.v, t=t)))
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)
    one, other = (str(jd.structure(m, at=False)) for m in (flat, grouped))
    assert one.splitlines()[-1] == other.splitlines()[-1]


def machine():
    """Loop, springs, composite, contact, dry friction, a law with a state, one with an input."""
    model = jd.Model("machine")
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(0.1, 0, 0)))
    rod = model.add_body("rod", jd.solid.rod(mass=0.6, end=(0.3, 0, 0)))
    piston = model.add_body("piston", jd.solid.ball(mass=0.4, radius=0.04))
    ball = model.add_body("ball", jd.solid.ball(mass=0.2, radius=0.05))
    model.add_frame("eye", crank.at(0.05, 0, 0.01))
    model.add_joint("main", model.world, crank, jd.Revolute("y"))
    model.add_joint("big_end", crank.at(0.1, 0, 0), rod, jd.Revolute("y"))
    model.add_joint("wrist", rod.at(0.3, 0, 0), piston, jd.Revolute("y"))
    model.add_joint("guide", model.world, piston, jd.Prismatic("x"))
    model.add_coordinate("shaft", 0.02)
    model.add_connection("gear", jd.Coordinate("shaft") - 3.0 * jd.Coordinate("main.angle"),
                         jd.Spring(50.0) + jd.Damper(0.5))  # fmt: skip
    model.add_connection("drive", jd.Coordinate("shaft"), jd.Actuator(1.0))
    rubber = jd.Maxwell(stiffness=200.0, time=0.02)
    model.add_connection("rubber", jd.Distance(rod.at(0.15, 0, 0), model.world.at(0, 0, 1)), rubber)
    springs = {"coil": jd.Spring(500.0, free=0.2), "pad": jd.Spring(3e3, free=0.05)}
    strut = jd.in_series(jd.Distance(model.world.at(0.5, 0, 0.2), piston), **springs)
    model.add_connection("strut", strut)
    model.add_connection("seal", jd.Coordinate("guide.position"), jd.Interval(0.5))
    floor = jd.Coulomb(friction=0.4, restitution=0.3, rolling=1e-3)
    model.add_contact(
        "floor", jd.HalfSpace(model.world.at(0, 0, -0.5)), jd.Sphere(ball, 0.05), floor
    )
    return model


def test_a_whole_run_in_groups(tmp_path):
    flat = machine()
    names = new_names(flat, rng_of(4)) | {"floor": "x.rolling", "seal": "x.angle.drilling"}
    grouped = in_groups(flat, names)
    found = []
    for model, name in ((flat, str), (grouped, lambda n: new_name(n, names))):
        start = {name("main.angle"): 0.4, name("ball.velocity"): (0.5, 0.0, 0.0)}
        start[name("ball.position")] = (1.0, 0.0, -0.4)
        angle, high = name("main.angle"), name("ball.position")
        events = {"up": lambda t, s, angle=angle: s[angle] - 0.5,
                  "high": lambda t, s, high=high: s[high][2] + 0.43}  # fmt: skip
        found.append(
            jd.simulate(model, 0.3, start=start, sample=0.01, events=events,
                        inputs={name("drive.pressure"): lambda t: 2.0 * jd.sin(9.0 * t)})
        )  # fmt: skip
    one, other = found
    np.testing.assert_array_equal(one.q, other.q)
    np.testing.assert_array_equal(one.v, other.v)
    assert [(e.name, e.kind, e.time) for e in one.events if e.kind == "event"] == [
        (e.name, e.kind, e.time) for e in other.events if e.kind == "event"
    ]
    new = {n: n if n.split(".")[0] in SUMS else new_name(n, names) for n in one.names()}
    assert sorted(new.values()) == sorted(other.names())
    for mine, theirs in new.items():
        np.testing.assert_array_equal(one.values(mine), other.values(theirs))
        assert one.channel(mine).unit == other.channel(theirs).unit
    other.save(tmp_path / "run.nc")
    loaded = jd.load(tmp_path / "run.nc")
    assert loaded.names() == other.names()
    for name in other.final:
        np.testing.assert_allclose(loaded.final[name], other.final[name], rtol=1e-12)
    np.testing.assert_array_equal(
        loaded.final[new_name("ball.position", names)], one.final["ball.position"]
    )


SUMS = ("energy", "power", "momentum", "centre_of_mass")


@given(SEEDS)
def test_files_hold_groups(seed):
    rng = rng_of(seed)
    flat = machine()
    grouped = in_groups(flat, new_names(flat, rng))
    text = io.dumps(grouped)
    assert io.loads(text) == grouped
    assert io.dumps(io.loads(text)) == text


class Flat:
    """A group that writes flat names into a model: what parts build is added one by one."""

    def __init__(self, model, before=""):
        self.model, self.before = model, before

    def __getattr__(self, word):
        return lambda name, *a, **k: getattr(self.model, word)(f"{self.before}{name}", *a, **k)

    def group(self, name):
        return Flat(self.model, f"{self.before}{name}_")

    def add(self, name, part):
        if isinstance(part, list):
            return [self.add(f"{name}_{k}", each) for k, each in enumerate(part)]
        return SimpleNamespace(**part.build(self.group(name)))

    def add_connections(self, name, measures, law):
        for k, measure in enumerate(measures):
            self.add_connection(f"{name}_{k}", measure, law)


class Nest(jd.Part):
    """Links, smaller nests and arrays of springs, at random."""

    base: object
    seed: int
    depth: int

    def build(self, group):
        rng = rng_of(self.seed)
        tip, joints = self.base, []
        for k in range(rng.integers(1, 4)):
            home = group.group("links") if rng.integers(2) else group
            end = (0.1 + 0.1 * rng.random(), 0, -0.2)
            solid = jd.solid.box(mass=1.0 + rng.random(), size=(0.1, 0.2, 0.3))
            link = home.add_body(f"link{k}", solid)
            joints.append(
                home.add_joint(f"hinge{k}", tip, link, jd.Revolute("xyz"[rng.integers(3)]))
            )
            tip = link.at(*end)
        angles = [jd.Coordinate(joint) for joint in joints]
        group.add_connections("springs", angles, jd.Spring(5.0 + rng.random()) + jd.Damper(0.1))
        if self.depth:
            seeds = [int(x) for x in rng.integers(0, 2**32, size=3)]
            inner = group.add("inner", Nest(tip, seeds[0], self.depth - 1))
            two = group.add("two", [Nest(inner.tip, s, self.depth - 1) for s in seeds[1:]])
            span = [jd.Distance(each.tip, self.base) for each in two]
            group.add_connections("span", span, jd.Maxwell(stiffness=3.0, time=0.1))
        return {"tip": tip}


@given(SEEDS)
@settings(max_examples=5)
def test_nested_parts_and_arrays_are_what_they_would_be_written_flat(seed):
    models = jd.Model("nested"), jd.Model("flat")
    base = models[0].world.at(0, 0, 1)
    models[0].add("machine", Nest(base, seed, 1))
    Flat(models[1]).add("machine", Nest(base, seed, 1))
    systems = [jd.compile(model) for model in models]
    names = systems[0].names
    assert [n.replace(".", "_") for n in names.q] == [
        n.replace(".", "_") for n in systems[1].names.q
    ]
    rng = rng_of(seed)
    q, v = rng.uniform(-1, 1, len(names.q)), rng.uniform(-1, 1, len(names.v))
    one, other = (s.forward_dynamics(q, v) for s in systems)
    np.testing.assert_array_equal(one, other)
    runs = [jd.simulate(s, 0.05, start=dict(zip(s.names.v, v, strict=True))) for s in systems]
    np.testing.assert_array_equal(runs[0].q, runs[1].q)
    assert io.loads(io.dumps(models[0])) == models[0]
