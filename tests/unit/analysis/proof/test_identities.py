"""Each identity holds for a right system, and fails where its own answer is tampered with."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.analysis.proof import identities
from jourdain.analysis.proof.bodies import Bodies
from jourdain.analysis.proof.case import Case
from jourdain.testing.states import random_state

RIGHT, WRONG = 1e-8, 1e-6


class Tampered:
    """A system with one answer changed."""

    def __init__(self, system, **changes):
        self._system, self._changes = system, changes

    def __getattr__(self, name):
        answer = getattr(self._system, name)
        change = self._changes.get(name)
        return answer if change is None else lambda *a, **k: change(answer(*a, **k))


@pytest.fixture(scope="module")
def system():
    model = jd.Model("satellite", gravity=(1.0, -2.0, -9.0))
    hull = model.add_body("hull", jd.solid.box(5.0, (1, 0.7, 0.5), at=(0.1, 0.2, 0)))
    boom = model.add_body("boom", jd.solid.box(1.0, (1, 0.1, 0.2)))
    dish = model.add_body("dish", jd.solid.ball(0.5, 0.2, at=(0, 0, 0.1)))
    model.add_joint("hinge", hull.at(0.5, 0, 0), boom, jd.Revolute("z"), driven={"angle": jd.sin})
    model.add_joint("neck", boom.at(0.5, 0, 0), dish, jd.Universal("x", "y"))
    model.add_coordinate("wheel", 0.2)
    return jd.compile(model, execution=jd.Plain())


@pytest.fixture
def case(system):
    """Maker of a case with tampered answers."""
    q, v, vdot, t = random_state(system, 4)
    other = np.random.default_rng(5).normal(size=len(v))

    def make(**changes):
        own = Tampered(system, **changes)
        bodies = Bodies(system.model)
        return Case(own, own, bodies, q, v, vdot, t, other, ("hull", "boom", "dish"))

    return make


def raised(array, k):
    """Array with its entry number k larger by a thousandth of the largest."""
    array = np.array(array)
    array.flat[k] += 1e-3 * np.abs(array).max()
    return array


def motion(which):
    """Poses, twists or accelerations changed."""
    return lambda found: tuple(raised(x, 5) if k == which else x for k, x in enumerate(found))


FAULTS = {
    "inverse_of_forward": {"forward_dynamics": lambda x: raised(x, 1)},
    "inverse_of_forward_loaded": {"forward_dynamics": lambda x: raised(x, 1)},
    "columns": {"mass_matrix": lambda M: raised(M, 0)},
    "symmetry": {"inverse_dynamics": lambda x: raised(x, 12) if x.ndim > 1 else x},
    "kinetic_energy": {"mass_matrix": lambda M: raised(M, 0)},
    "energy_of_bodies": {"energy": lambda x: (1.001 * x[0], x[1])},
    "momentum_of_bodies": {"centre_of_mass_jacobian": lambda J: 1.001 * J},
    "virtual_power": {"inverse_dynamics": lambda x: 1.001 * x},
    "power_balance": {"inverse_dynamics": lambda x: 1.001 * x},
    "momentum_rate": {"kinematics": motion(2)},
    "conservation": {"forward_dynamics": lambda x: raised(x, 1)},
    "twists_of_poses": {"kinematics": motion(1)},
    "accelerations_of_twists": {"kinematics": motion(2)},
}


@pytest.mark.parametrize("name", FAULTS)
def test_identity(case, name):
    identity = getattr(identities, name)
    found = identity(case())
    assert found
    assert max(found.values()) < RIGHT
    assert max(identity(case(**FAULTS[name])).values()) > WRONG


def test_other_faults_of_energy_and_momentum(case):
    fallen = {"energy": lambda x: (x[0], 1.001 * x[1])}
    assert identities.energy_of_bodies(case(**fallen))["potential"] > WRONG
    turned = {"momentum": lambda x: 1.001 * x}
    assert identities.momentum_of_bodies(case(**turned))["sum"] > WRONG


def test_definiteness(case):
    assert max(identities.definiteness(case()).values()) < 1e-10

    def indefinite(M):
        M = np.array(M)
        M[0, 1] = M[1, 0] = 2.0 * np.sqrt(M[0, 0] * M[1, 1])
        return M

    found = identities.definiteness(case(mass_matrix=indefinite))
    assert list(found.values()) == [np.inf]


def test_every_identity_is_tested_here():
    names = {
        name
        for name, value in vars(identities).items()
        if callable(value) and getattr(value, "__module__", "") == identities.__name__
    }
    public = {name for name in names if not name.startswith("_")}
    assert public == {*FAULTS, "definiteness", "is_floating"}


def test_floating_machines():
    model = jd.Model("pair")
    first, second = (model.add_body(name, jd.solid.ball(1.0, 0.1)) for name in ("first", "second"))
    model.add_joint("link", first, second, jd.Revolute("x"))
    assert identities.is_floating(model)
    model.add_joint("base", model.world, first, jd.Free())
    assert identities.is_floating(model)
    held = model.copy()
    held.add_joint("rope", held.world, "second", jd.Spherical())
    assert not identities.is_floating(held)
