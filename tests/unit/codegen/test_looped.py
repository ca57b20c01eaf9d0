from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.codegen.looped import looped_core
from jourdain.codegen.tracing import trace
from jourdain.equations.recursion.sweeps import Recursion, Sweep
from jourdain.system.description import Description
from jourdain.system.execution import Looped, Plain

LANES = [1, 4, 8]


def tree(parents, kinds="yzx", mass=1.0, driven=()):
    """Bodies of mass 1, 2, 3 …, body k hinged to body ``parents[k]`` (−1 for the world)."""
    model = jd.Model("tree")
    for k in range(len(parents)):
        model.add_body(f"b{k}", jd.Inertia(mass=mass * (k + 1), moments=(1, 1, 1)))
    for k, parent in enumerate(parents):
        inboard = "world" if parent < 0 else f"b{parent}"
        letter = kinds[k % len(kinds)]
        kind = jd.Prismatic("x") if letter == "p" else jd.Revolute(letter)
        coordinate = {"position" if letter == "p" else "angle": lambda t, k=k: (k + 1) * t}
        model.add_joint(f"j{k}", inboard, f"b{k}", kind, driven=coordinate if k in driven else None)
    return model


def count(link, own, inboard):
    own.depth = inboard.depth + 1.0
    own.result = own.depth


def collect(link, own, inboard):
    inboard.total = inboard.total + own.total
    own.result = own.total


def weigh(link, own, inboard):
    own.total = own.m


def ground(gravity):
    return {"depth": np.zeros(1), "total": np.zeros(1)}


OUTPUT = {"result": ("body", 1)}
DEPTH = Recursion("depth", (Sweep(count),), ("q",), OUTPUT, ground)
SUBTREE = Recursion("subtree", (Sweep(weigh), Sweep(collect, False)), ("q",), OUTPUT, ground)


def run(recursion, model, *arguments, lanes=4):
    function = Looped(lanes).prepare(recursion, Description(model, share=True))
    return function(*arguments, 0.0, np.zeros(0))[0]


PARENTS = [(-1,), (-1, 0, 1, 2), (-1, -1, -1), (-1, 0, 0, 1, 1, 2, 5)]


def depth_of(parents):
    depths = []
    for parent in parents:
        depths.append(1 if parent < 0 else depths[parent] + 1)
    return depths


def subtree_of(parents):
    masses = list(range(1, len(parents) + 1))
    for k in reversed(range(len(parents))):
        if parents[k] >= 0:
            masses[parents[k]] += masses[k]
    return masses


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("parents", PARENTS, ids=str)
def test_outward_and_inward_sweeps(parents, lanes):
    model = tree(parents)
    q = np.zeros((9, len(parents)))
    for recursion, wanted in ((DEPTH, depth_of(parents)), (SUBTREE, subtree_of(parents))):
        np.testing.assert_array_equal(run(recursion, model, q[0], lanes=lanes), wanted)
        got = run(recursion, model, q, lanes=lanes)
        np.testing.assert_array_equal(got, np.tile(wanted, (9, 1)))


def test_results_follow_the_order_of_the_user():
    """Bodies listed leaves first; the tree numbers them root first."""
    model = jd.Model("reversed")
    for name in ("hand", "arm", "base"):
        model.add_body(name, jd.Inertia(mass=1.0, moments=(1, 1, 1)))
    model.add_joint("wrist", "arm", "hand", jd.Revolute("x"))
    model.add_joint("shoulder", "base", "arm", jd.Revolute("x"))
    model.add_joint("foot", "world", "base", jd.Revolute("x"))
    np.testing.assert_array_equal(run(DEPTH, model, np.zeros(3)), [3.0, 2.0, 1.0])


def text_of(recursion, model, lanes=4):
    d = Description(model, share=True)
    firsts = list({link.structure: link for link in d.links}.values())
    return looped_core(trace(recursion, firsts, d.layout.n_e, d.drives), lanes).text


def test_trees_of_equal_structures_share_text():
    whole = text_of(SUBTREE, tree((-1, 0, 1)))
    assert text_of(SUBTREE, tree((-1, -1, 0, 0, 3, 2, 2))) == whole
    assert text_of(SUBTREE, tree((-1, 0, 1), mass=5.0)) == whole
    assert text_of(SUBTREE, tree((-1, 0, 1), kinds="yp")) != whole


def test_kinds_about_coordinate_axes_have_code_of_their_own():
    count = "define internal void @step_0_"
    assert text_of(DEPTH, tree((-1, 0, 1), kinds="yyy")).count(count) == 1
    assert text_of(DEPTH, tree((-1, 0, 1), kinds="xyz")).count(count) == 3
    assert text_of(DEPTH, tree((-1, 0, 1), kinds="yp")).count(count) == 2


# ---- with real recursions


EXECUTIONS = [Looped(lanes) for lanes in LANES]


@pytest.mark.parametrize("execution", EXECUTIONS, ids=str)
def test_drives_reach_their_links(execution):
    model = tree((-1, 0, 1, 1), kinds="yp", driven=(0, 3))
    plain = jd.compile(model, execution=Plain())
    looped = jd.compile(model, execution=execution)
    rng = np.random.default_rng(3)
    q, v, vdot = rng.normal(size=(3, 9, 2))
    t = rng.normal(size=9)
    for got, wanted in zip(
        looped.kinematics(q, v, vdot, t), plain.kinematics(q, v, vdot, t), strict=True
    ):
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)


def test_setup_sweeps_are_left_out_when_nothing_moved():
    """The factorisation is made for the first of many right sides, and for each new position."""
    system = jd.compile(tree((-1, 0, 0, 2)), execution=Looped())
    rng = np.random.default_rng(4)
    for q in rng.normal(size=(3, 4)):
        x = rng.normal(size=(5, 4))
        wanted = np.linalg.solve(system.mass_matrix(q), x.T).T
        np.testing.assert_allclose(system.solve_mass_matrix(q, x), wanted, rtol=1e-11)
        np.testing.assert_allclose(system.solve_mass_matrix(q, x[0]), wanted[0], rtol=1e-11)


def test_other_parameters_get_other_constants():
    mass = jd.Parameter("mass", 2.0, "kg")
    model = jd.Model("pendulum")
    bob = model.add_body("bob", jd.Inertia(mass=mass, com=(0, 0, -1.0)))
    model.add_joint("hinge", "world", bob, jd.Revolute("y"))
    system = jd.compile(model, execution=Looped())
    for value in [*np.linspace(1, 9, 40), 2.0]:  # more than are kept at a time
        M = system.mass_matrix([0.3], parameters={"mass": value})
        np.testing.assert_allclose(M, [[value]], rtol=1e-14)
    np.testing.assert_allclose(system.mass_matrix([0.3]), [[2.0]], rtol=1e-14)
