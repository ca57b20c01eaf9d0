"""Comparisons find other formulations and other ways of running that are wrong."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.proof.bodies import Bodies
from jourdain.analysis.proof.case import Case
from jourdain.analysis.proof.comparisons import OtherExecution, OtherFormulation
from jourdain.testing.states import random_state


def arm(mass):
    model = jd.Model("arm")
    upper = model.add_body("upper", jd.solid.box(1.0, (0.5, 0.1, 0.1)))
    lower = model.add_body("lower", jd.solid.box(mass, (0.5, 0.1, 0.1)))
    model.add_joint("shoulder", model.world, upper, jd.Universal("x", "y"))
    model.add_joint("elbow", upper.at(0.5, 0, 0), lower, jd.Revolute("y"))
    return jd.compile(model, execution=jd.Plain())


class Wrong(jd.Recursive):
    """Formulation for a slightly other machine."""

    def accelerations(self, system, *state, **options):
        return arm(1.001).forward_dynamics(*state, **options)

    def mass_matrix(self, system, q, t=0.0, *, parameters=None):
        return arm(1.001).mass_matrix(q, t)

    def inverse_dynamics(self, system, *state, **options):
        return arm(1.001).inverse_dynamics(*state, **options)

    def loads(self, system, *state, **options):
        return arm(1.001).loads(*state, **options).interaction


@pytest.fixture
def cases():
    system, rng = arm(1.0), np.random.default_rng(1)
    bodies = Bodies(system.model)
    states = [random_state(system, rng) for _ in range(3)]
    return [Case(system, system, bodies, *state, state[1], ("upper", "lower")) for state in states]


@pytest.mark.parametrize("what", ["accelerations", "mass_matrix", "forces", "loads"])
def test_formulations(cases, what):
    right, wrong = (OtherFormulation(f) for f in (jd.Augmented(), Wrong()))
    for case in cases:
        assert max(getattr(right, what)(case).values()) < 1e-12
        assert max(getattr(wrong, what)(case).values()) > 1e-6


@pytest.mark.parametrize("is_batch", [False, True])
@pytest.mark.parametrize("what", ["accelerations", "forces", "motion"])
def test_executions(cases, what, is_batch):
    systems = jd.compile(cases[0].system.model, execution=jd.Unrolled()), arm(1.001)
    right, wrong = (OtherExecution(s, cases, is_batch=is_batch) for s in systems)
    for case in cases:
        assert max(getattr(right, what)(case).values()) < 1e-12
        if what != "motion":
            assert max(getattr(wrong, what)(case).values()) > 1e-6
