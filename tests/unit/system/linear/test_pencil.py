"""The sparse pencil against dense linear equations on random trees, loops and constraints."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.vibration.large_modes import large_modes
from jourdain.system.linear.connection_blocks import NotSparseError
from jourdain.system.linear.pencil import PencilMaker, can_be_sparse
from jourdain.testing.random_loops import random_loop_model

KINDS = (jd.Revolute("y"), jd.Prismatic("x"), jd.Universal(), jd.Cylindrical("z"), jd.Planar("z"))


def machine(seed, *, damped):
    rng = np.random.default_rng(seed)
    model = jd.testing.random_model(
        rng, 5, kinds=KINDS[:4], driven=False, floating=False, n_coordinates=1
    )
    names = jd.compile(model).names.q
    places = [jd.Coordinate(name.removesuffix(".value")) for name in names]
    for k, place in enumerate(places):
        model.add_connection(f"spring_{k}", place, jd.Spring(60.0 + 20.0 * rng.random()))
        if damped:
            model.add_connection(f"damper_{k}", place, jd.Damper(rng.random()))
    model.add_connection("across", 0.5 * places[0] - places[-1], jd.Spring(7.0))
    return jd.compile(model)


def hung(model, rng, *, damped):
    """The same model on springs between bodies and the world."""
    for k, body in enumerate(model.bodies.values()):
        for i in range(3):
            away = model.world.at(*(2.0 * rng.normal(size=3)))
            ends = jd.Distance(away, body.at(*rng.uniform(-0.3, 0.3, 3)))
            law = jd.Spring(150.0, free=0.4) + jd.Damper(1.5 if damped else 0.0)
            model.add_connection(f"rope_{k}_{i}", ends, law)
    return model


def same_as_dense(system, rest, *, count):
    """Lowest swinging modes of the pencil are those of the linear equations."""
    assert not can_be_sparse(system)
    dense = jd.eigenmodes(jd.linearize(system, rest))
    swinging = np.array([m.eigenvalue for m in dense if m.is_oscillating])[:count]
    found = large_modes(system, rest.q, rest.t, rest.point.at.p, count + 2)
    for value in swinging:
        assert np.abs(found.eigenvalues - value).min() < 1e-6 * abs(value)
    return found


@pytest.mark.parametrize("damped", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_of_random_trees(seed, damped):
    system = machine(seed, damped=damped)
    same_as_dense(system, jd.equilibrium(system), count=4)


@pytest.mark.parametrize("damped", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_of_laws_on_bodies_and_quaternions(seed, damped):
    rng = np.random.default_rng(seed)
    kinds = (jd.Revolute("y"), jd.Spherical(), jd.Prismatic("x"), jd.Universal())
    model = jd.testing.random_model(rng, 4, kinds=kinds, driven=False, floating=seed > 0)
    system = jd.compile(hung(model, rng, damped=damped))
    same_as_dense(system, jd.equilibrium(system), count=4)


@pytest.mark.parametrize("seed", range(4))
def test_of_random_loops(seed):
    rng = np.random.default_rng(seed)
    kinds = (jd.Revolute("y"), jd.Prismatic("x"), jd.Spherical(), jd.Universal())
    model, start, t = random_loop_model(rng, 4, 1, driven=False, kinds=kinds, closing=kinds)
    system = jd.compile(hung(model, rng, damped=bool(seed % 2)))
    rest = jd.equilibrium(system, jd.assemble(system, start, t=t), t=t)
    same_as_dense(system, rest, count=2)


def ladder(n):
    """Parallelograms in a plane, of which each loop repeats three rows; a rod, a spring, a gear."""
    model, frames = jd.Model("ladder", gravity=(0, 0, -9.81)), []
    model.add_coordinate("wheel", 0.2)
    for k in range(n + 1):
        post = model.add_body(f"post_{k}", jd.solid.rod(mass=1.0 + 0.1 * k, end=(0, 0, -1)))
        model.add_joint(f"top_{k}", model.world.at(k, 0, 0), post, jd.Revolute("y"))
        frames.append(post.at(0, 0, -1))
    for k in range(n):
        bar = model.add_body(f"bar_{k}", jd.solid.rod(mass=0.5, end=(1, 0, 0)))
        model.add_joint(f"left_{k}", frames[k], bar, jd.Revolute("y"))
        model.add_joint(f"right_{k}", frames[k + 1], bar.at(1, 0, 0), jd.Revolute("y"))
    geared = jd.Coordinate("wheel") - 3.0 * jd.Coordinate("top_0.angle")
    model.add_connection("gear", geared, jd.Equal(0.0))
    return model


def test_of_planar_loops_that_repeat_rows():
    system = jd.compile(ladder(3))
    found = large_modes(system, system.state()[0], 0.0, np.zeros(0), 1)
    posts = sum(1.0 + 0.1 * k for k in range(4))
    inertia = posts / 3 + 3 * 0.5 + 0.2 * 9
    square = 9.81 * (posts / 2 + 3 * 0.5) / inertia
    assert abs(found.eigenvalues[0]) ** 2 == pytest.approx(square, rel=1e-8)
    G = found.pencil.G
    assert G.shape[0] == G.shape[1] - 1  # one freedom
    sol = found[0].motion(0.05, frames=8)
    np.testing.assert_allclose(sol["top_3.angle"], sol["top_0.angle"], atol=1e-9)


def test_what_is_not_sparse_is_told():
    model = jd.Model("skate")
    model.add_joint("s", model.world, model.add_body("b", jd.solid.ball(1.0, 0.1)), jd.Skate())
    assert can_be_sparse(jd.compile(model)) == "joint 's'"
    asks = jd.Model("asks")
    asks.add_coordinate("x", 1.0)
    asks.add_coordinate("y", 1.0)

    class Follows(jd.ForceLaw):
        def force(self, x, v, at):
            return -x + at.coordinate("y")

    asks.add_connection("f", jd.Coordinate("x"), Follows())
    system = jd.compile(asks)
    assert can_be_sparse(system) == ""
    with pytest.raises(NotSparseError, match="asks for coordinate"):
        PencilMaker(system, np.zeros(2), 0.0, np.zeros(0)).run()


def test_no_rest():
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    with pytest.raises(jd.ModelError, match=r"no equilibrium: .* act on 'rod'"):
        large_modes(jd.compile(model), np.array([0.5]), 0.0, np.zeros(0), 1)
