"""All formulations and all ways of running them on two hundred trees of 1 to 60 bodies.

The recursion in plain Python, its straight-line code and its loops, one system at a time and in
lanes, and the three other formulations give the same accelerations to 1e-10. Accelerations are
compared as forces, M (a − b), relative to the size of the terms of the equation of motion: small
inertias do not make them less right.

Hypothesis draws the trees (`jourdain.testing.strategies.trees`) and shrinks what fails. Most of
the time goes to making code, so

* LLVM does not optimise it: what is compared is the code that this package makes;
* small trees are more frequent than large ones, and a tree has at most three kinds of joints and
  some about random axes; the parts of the test take all kinds in turn;
* above 20 bodies straight-line code is not compiled: its expression graph is interpreted. The
  default execution is a loop there;
* a part with each kind runs by default, all two hundred trees in ``make thorough``.
"""

from __future__ import annotations

from functools import cache as once

import casadi as ca
import numpy as np
import pytest
from hypothesis import Phase, given, seed, settings

import jourdain as jd
from jourdain import math
from jourdain.codegen import jit
from jourdain.formulations import all_formulations
from jourdain.model.joints import all_joint_kinds
from jourdain.system.description import Description
from jourdain.system.execution import symbolic
from jourdain.system.questions.dynamics import FORWARD
from jourdain.testing import all_user_kinds, random_state
from jourdain.testing.strategies import seeds, trees

RTOL = 1e-10
N_TREES, N_PARTS = 200, 20
ALL_KINDS = (*all_joint_kinds(), *all_user_kinds())
# With a density like n^(−5/4), in order; each part has ten of them.
SIZES = ((1.0 - np.linspace(0, 1 - 61**-0.25, N_TREES, endpoint=False)) ** -4).astype(int)
COMPILED_UP_TO = 20  # bodies, straight-line code
# Six parts have all kinds between them, on up to thirty bodies; the others take minutes.
PARTS = [
    pytest.param(part, marks=() if part in (2, 6, 9, 11, 13, 16) else pytest.mark.thorough)
    for part in range(N_PARTS)
]


@pytest.fixture(autouse=True)
def _quick_code(monkeypatch, tmp_path):
    """Compile without optimisation, into a cache of its own."""
    monkeypatch.setenv("JOURDAIN_CACHE", str(tmp_path))
    monkeypatch.setattr(jit, "_LEVEL", 0)
    monkeypatch.setattr(jit, "_machine", once(jit._machine.__wrapped__))


def interpreted(model, q, v, tau, t):
    """Accelerations by the graph of the straight-line code, without compiling it."""
    description = Description(model, share=False)
    inputs, outputs = symbolic(FORWARD, description)
    graph = ca.Function("graph", list(inputs.values()), list(outputs.values()))
    rows = zip(q, v, tau, t, strict=True)
    return np.array([np.array(graph(*row, description.nominal)).reshape(-1) for row in rows])


def ways_of_running(model, q, v, tau, t):
    """Name and accelerations of each way but plain Python, for all rows."""
    is_small = len(model.bodies) <= COMPILED_UP_TO
    for way in (jd.Looped(lanes=4), jd.Unrolled(lanes=4))[: 1 + is_small]:
        system = jd.compile(model, execution=way)
        yield f"{way} in lanes", system.forward_dynamics(q, v, tau, t)
        rows = zip(q[:2], v[:2], tau[:2], t[:2], strict=True)
        yield f"{way} one by one", np.array([system.forward_dynamics(*row) for row in rows])
    if not is_small:
        yield "graph", interpreted(model, q[:2], v[:2], tau[:2], t[:2])


def require_agreement(model, number):
    """Compare everything on one tree, at two states that take turns in the lanes."""
    plain, rng = jd.compile(model, execution=jd.Plain()), np.random.default_rng(number)
    states = [random_state(plain, rng) for _ in range(2)]
    q, v, _, t = (np.array(x) for x in zip(*states, strict=True))
    tau = rng.normal(size=v.shape)
    wanted = plain.forward_dynamics(q, v, tau, t)
    M, bias = plain.mass_matrix(q, t), plain.bias(q, v, t)
    size = np.einsum("kij,kj->ki", np.abs(M), np.abs(wanted)) + np.abs(bias) + np.abs(tau)

    def require(found, what):
        turns = np.arange(len(found)) % 2
        apart = np.einsum("kij,kj->ki", M[turns], found - wanted[turns]) / size[turns]
        error = np.abs(apart).max(initial=0.0)
        assert error < RTOL, f"{what}: {error:.1e}"

    for formulation in all_formulations()[1:]:
        found = formulation.accelerations(plain, q[0], v[0], tau[0], float(t[0]))
        require(found[np.newaxis], formulation)
    turns = np.arange(5) % 2  # four lanes and one more
    for what, found in ways_of_running(model, q[turns], v[turns], tau[turns], t[turns]):
        require(found, what)


def sweep(part, kinds, compare):
    """Draw the trees of one part, and shrink to less than them if one of them fails."""
    sizes = SIZES[part * N_TREES // N_PARTS :][: N_TREES // N_PARTS].tolist()
    to_shrink = list(range(1, sizes[0]))

    @seed(part)
    @settings(
        max_examples=N_TREES // N_PARTS + 1,  # the first is always the simplest tree
        database=None,
        phases=(Phase.generate, Phase.shrink),
    )
    @given(model=trees(to_shrink + 40 * sizes, kinds), number=seeds())
    def run(model, number):
        compare(model, number)

    run()


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_two_hundred_trees(part):
    sweep(part, ALL_KINDS[part % 6 :: 6], require_agreement)


class MirroredCrank(jd.Joint):
    """Crank whose given mode vector has a wrong sign."""

    arm: float
    coordinates = {"angle": "rad"}

    def pose(self, q, t):
        R = math.rotation_z(q[0])
        return R, R @ math.vector(self.arm, 0, 0)

    def modes(self, q, t):
        tangent = self.arm * math.sin(q[0]), self.arm * math.cos(q[0])
        return math.matrix(((0,), (0,), (1,), (tangent[0],), (tangent[1],), (0,)))


@pytest.mark.slow
def test_a_wrong_mode_vector_is_caught_and_shrunk(rng):
    """A wrong kind among others fails the sweep, which leaves it alone on one body."""
    failed = []

    def compare(model, number):
        try:
            require_agreement(model, number)
        except AssertionError:
            failed.append(model)
            raise

    with pytest.raises(AssertionError, match="VelocityTransformation"):
        sweep(6, (jd.Revolute("x"), jd.Prismatic("z"), MirroredCrank(0.4)), compare)
    (joint,) = failed[-1].joints.values()
    assert isinstance(joint.kind, MirroredCrank)
    assert len(failed[-1].bodies) == 1
    plain = jd.compile(failed[-1], execution=jd.Plain())
    q, v, _, t = random_state(plain, rng)
    wanted, *others = (f.accelerations(plain, q, v, None, t) for f in all_formulations())
    assert all(np.abs(found - wanted).max() > 1e-3 * np.abs(wanted).max() for found in others)
