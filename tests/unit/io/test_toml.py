"""Round trips of whole models, files, and the guide's example."""

import os
import re
import stat
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jourdain import io, math
from jourdain.errors import FormatError
from jourdain.io.elements.parts import kinds
from jourdain.math import Polynomial, Ramp, Sine, Table
from jourdain.model import Model
from jourdain.model.joints import PointOnCurve, PointOnSurface, Spherical, all_joint_kinds
from jourdain.model.laws import Bar, Damper, Equal, Maxwell, Servo, Spring
from jourdain.model.measures import (
    Coordinate,
    DiscHeight,
    Distance,
    OnCurve,
    PathLength,
    Relative,
)
from jourdain.spatial import solid
from jourdain.spatial.inertia import Inertia
from jourdain.spatial.parameter import Parameter
from jourdain.spatial.solid import Solid
from jourdain.testing import random_model

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "model_file.md"
S = np.linspace(0.0, 1.0, 7)
WIRE = Table(S, np.column_stack([np.cos(S), np.sin(S), S]), "cubic", "extrapolate")
WAVE = Table(S, S * (1.0 - S), outside="repeat")
KINDS = tuple(
    replace(k, curve=WIRE) if isinstance(k, PointOnCurve) else k
    for k in all_joint_kinds()
    if not isinstance(k, PointOnSurface)
)


def pendulum(name="pendulum"):
    model = Model(name)
    rod = model.add_body("rod", solid.rod(1.0, (0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, Spherical())
    return model


def random_solid(rng, number):
    """Solid of random kind, size and place."""
    m, a, b, c = (number(x) for x in rng.uniform(0.1, 1.0, 4))
    axis = ("x", "y", "z", "-x", (0.6, 0.0, -0.8))[rng.integers(5)]
    place = {"at": tuple(number(x) for x in rng.normal(size=3))}
    if rng.random() < 0.5:
        place["rotation"] = math.rotation_quaternion(rng.normal(size=4))
    solids = (
        lambda: solid.rod(m, (a, b, c), start=place["at"]),
        lambda: solid.point(m, (a, b, c)),
        lambda: solid.box(m, (a, b, c), **place),
        lambda: solid.ball(m, a, **place),
        lambda: solid.ellipsoid(m, (a, b, c), **place),
        lambda: solid.cylinder(m, a, b, axis, **place),
        lambda: solid.tube(m, 0.1, 1.5, c, axis, **place),
        lambda: solid.cone(m, a, b, axis, **place),
    )
    chosen = [solids[k]() for k in rng.integers(len(solids), size=rng.integers(1, 4))]
    return chosen[0] if len(chosen) == 1 else solid.compound(*chosen)


def random_function(rng, number):
    """Built-in function of time with random numbers."""
    a, b, c, d = (number(x) for x in rng.normal(size=4))
    x = np.cumsum(rng.uniform(0.1, 1.0, 6))
    kind = ("linear", "cubic", "monotone")[rng.integers(3)]
    functions = (
        lambda: a,
        lambda: Sine(a, b, c, d),
        lambda: Polynomial((a, b, c)[: rng.integers(1, 4)]),
        lambda: Ramp(-1.0, number(2.0), a, b),
        lambda: Table(x, rng.normal(size=6), kind, "extrapolate"),
    )
    return functions[rng.integers(len(functions))]()


def machine(seed, n_bodies):
    """Random machine of everything that a file can hold."""
    rng = np.random.default_rng(seed)
    plain = random_model(rng, n_bodies, kinds=KINDS, driven=False, parameters=True)
    names = iter(range(10**6))

    def number(value):
        if rng.random() < 0.85:
            return float(value)
        p = Parameter(f"q{next(names)}", float(value), ("1", "m", "°/µs")[rng.integers(3)])
        return p if rng.random() < 0.5 else (2 * (p + 1) - 2 - p) ** 1 / 1.0 - (p - p)

    model = Model('a "random" machine', tuple(number(x) for x in rng.normal(size=3)))
    for body in plain.bodies.values():
        made = Solid(body.inertia) if rng.random() < 0.3 else random_solid(rng, number)
        model.add_body(body.name, made)
    for joint in plain.joints.values():
        keys = [k for k in joint.kind.coordinates if rng.random() < 0.3]
        driven = {key: random_function(rng, number) for key in keys}
        model.add_joint(joint.name, joint.parent, joint.child, joint.kind, driven=driven)
    for k, body in enumerate(model.bodies.values()):
        place = body.at(*(number(x) for x in rng.normal(size=3)))
        model.add_frame(f"frame [{k}]\\", place)
    for k in range(rng.integers(3)):
        driven = random_function(rng, number) if rng.random() < 0.5 else None
        model.add_coordinate(f"shaft {k}", number(1.0), unit="m/°\t", driven=driven)
    for k in range(rng.integers(4)):
        model.add_connection(f"force {k}", *random_connection(rng, number, model))
    return model


def random_connection(rng, number, model):
    """Measure and law with random numbers."""
    places = [model.world, *model.bodies.values(), *model.frames.values()]
    a, b, c = (places[i] for i in rng.integers(len(places), size=3))
    names = [f"{j.name}.{name}" for j in model.joints.values() for name in j.kind.coordinates]
    names += list(model.coordinates)
    k, m = number(rng.uniform(0.5, 2.0)), number(rng.uniform(0.5, 2.0))
    measures = [
        lambda: Relative(a, b, "z", "world"),
        lambda: number(3.0) * Distance(a, b) - Relative(c, a, "rx", angles="vector"),
        lambda: PathLength((a, b, c)),
        lambda: PathLength((a, b), over=c, radius=k, axis="-x"),
        lambda: DiscHeight(a, b, k, None),
        lambda: OnCurve(a, b, WAVE, polar=True),
        lambda: Coordinate(names[0]) + m * Coordinate(names[-1]),
    ]
    laws = (
        lambda: Equal(random_function(rng, number)),
        lambda: Spring(k, number(0.1), number(2.0)) + Damper(WAVE) + Maxwell((k, m), (m, k)),
        lambda: Servo(k, m, k, m, target=random_function(rng, number), unit="°"),
        lambda: Bar(k, m),
    )
    measure = measures[rng.integers(len(measures) - (not names))]()
    return measure, laws[rng.integers(len(laws))]()


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_random_machines_come_back(seed, n_bodies):
    model = machine(seed, n_bodies)
    text = io.dumps(model)
    back = io.loads(text)
    assert back == model
    assert dict(back.parameters) == dict(model.parameters)
    assert io.dumps(back) == text


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: str(k)[:60])
def test_joints_of_every_kind_come_back(kind):
    model = pendulum()
    ball = model.add_body("ball", solid.ball(1.0, 0.1))
    driven = {name: 0.25 * (k + 1) for k, name in enumerate(kind.coordinates)}
    model.add_joint("j", "rod", ball.at(1, 2, 3), kind, driven=driven)
    assert io.loads(io.dumps(model)) == model


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3))
def test_numbers_come_back_to_the_last_digit(values):
    model = pendulum()
    model.add_frame("place", model.world.at(*values))
    back = io.loads(io.dumps(model)).frames["place"].position
    assert repr(back) == repr(tuple(values))


@given(st.text(min_size=1, max_size=20))
def test_names_come_back(name):
    model = pendulum()
    try:
        model.add_body(name, Inertia(1.0))
    except ValueError:
        return
    assert io.loads(io.dumps(model)) == model


@pytest.mark.parametrize("text", re.findall(r"```toml\n(.*?)```", GUIDE.read_text("utf-8"), re.S))
def test_the_example_of_the_guide(text):
    model = io.loads(text, "guide")
    assert list(model.joints) == ["main", "big_end", "wrist", "guide", "bearing"]
    assert list(model.connections) == ["gas", "return_spring", "governor_drive"]
    assert list(model.parameters) == ["density", "radius", "speed", "area"]
    assert model.joints["main"].driven["angle"].coefficients[1] == Parameter("speed", 100, "rad/s")
    assert io.loads(io.dumps(model)) == model


def test_the_guide_names_everything():
    text = GUIDE.read_text("utf-8")
    assert text.count("```toml") == 1
    for word in (*kinds("measure"), *kinds("law")):
        assert f"`{word}`" in text
    for word in ("Sine", "Polynomial", "Ramp", "Table", "quaternion", "orientation", "shapes"):
        assert f"`{word}" in text or f'`"{word}' in text or f"{{ {word}" in text


def test_files(tmp_path):
    path = tmp_path / "größe.toml"
    model = pendulum("Pendel µ")
    io.write(model, path)
    assert io.read(path) == io.read(str(path)) == model
    assert path.read_text("utf-8") == io.dumps(model)
    io.write(pendulum("other"), path)
    assert io.read(path).name == "other"
    assert os.listdir(tmp_path) == ["größe.toml"]
    assert (io.read_model, io.write_model) == (io.read, io.write)


def test_files_of_other_systems(tmp_path):
    path = tmp_path / "model.toml"
    text = "\ufeff" + io.dumps(pendulum()).replace("\n", "\r\n")
    path.write_bytes(text.encode())
    assert io.read(path) == pendulum()


def test_a_model_that_cannot_be_written_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "model.toml"
    io.write(pendulum(), path)
    wrong = pendulum()
    wrong.add_coordinate("shaft", 1.0, driven=lambda t: t)
    with pytest.raises(FormatError):
        io.write(wrong, path)
    assert io.read(path) == pendulum()


def test_a_disk_that_fails_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "model.toml"
    io.write(pendulum(), path)

    def fail(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(
        FormatError, match=r"cannot write model 'new' to .*: No space left on device"
    ):
        io.write(pendulum("new"), path)
    assert io.read(path) == pendulum()
    assert os.listdir(tmp_path) == ["model.toml"]


@pytest.mark.skipif(os.name == "nt", reason="rights and links of POSIX")
def test_rights_and_links_are_kept(tmp_path):
    path, link = tmp_path / "model.toml", tmp_path / "link.toml"
    io.write(pendulum(), path)
    path.chmod(0o640)
    link.symlink_to(path)
    io.write(pendulum("new"), link)
    assert link.is_symlink()
    assert io.read(path).name == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_nothing_heavy_is_imported():
    import subprocess
    import sys

    code = "import sys, jourdain.io; sys.stdout.write(' '.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"casadi", "llvmlite", "scipy", "xarray"} & set(run.stdout.split())
