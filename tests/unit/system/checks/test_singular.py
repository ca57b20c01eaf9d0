"""Coordinates without inertia; the texts are in tests/messages."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import SingularSystemError
from jourdain.system.checks.singular import PIVOTS, has_doubtful_inertia, require_inertia
from jourdain.system.execution import Plain


def pair(solid, kind):
    model = jd.Model("pair")
    arm = model.add_body("arm", jd.solid.box(2.0, (0.5, 0.1, 0.2)))
    tool = model.add_body("tool", solid)
    model.add_joint("base", model.world, arm, jd.Revolute("z"))
    model.add_joint("wrist", arm.at(0.4, 0.1, 0.0), tool, kind)
    return model


@pytest.mark.parametrize(
    ("solid", "doubtful"),
    [
        (jd.solid.ball(1.0, 0.1), False),
        (jd.Inertia(jd.Parameter("m", 2.0), moments=(0.1, 0.1, 0.15)), False),
        (jd.solid.rod(1.0, (0.3, 0.4, 0)), True),
        (jd.solid.point(1.0), True),
        (jd.Inertia(0.0, moments=(0.1, 0.1, 0.1)), True),
        (jd.Inertia(0.0), True),
    ],
)
def test_doubtful_bodies(solid, doubtful):
    assert has_doubtful_inertia(pair(solid, jd.Revolute("x"))) is doubtful


def test_doubtful_coordinates():
    model = pair(jd.solid.ball(1.0, 0.1), jd.Revolute("x"))
    model.add_coordinate("shaft", 0.0)
    assert has_doubtful_inertia(model)


def pivots(model, q):
    system = jd.compile(model, execution=Plain())
    return Plain().prepare(PIVOTS, system.description)(np.asarray(q), np.array(0.0), np.zeros(0))


def test_pivots_are_shares_of_the_inertia_outboard():
    found, independence = pivots(pair(jd.solid.ball(1.0, 0.1), jd.Revolute("x")), (0.1, 0.2))
    assert found[1] == pytest.approx(1.0)  # a ball has the same moment about all axes
    assert 0.0 < found[0] <= 1.0
    np.testing.assert_array_equal(independence, 1.0)


def test_pivots_of_several_coordinates():
    found, independence = pivots(pair(jd.solid.ball(1.0, 0.1), jd.Gimbal()), (0, 0, np.pi / 2, 0))
    assert sum(found < 1e-13) == 1
    assert independence[1] < 1e-7


def test_other_numbers_are_not_judged():
    system = jd.compile(pair(jd.Inertia(0.0), jd.Revolute("x")), execution=Plain())
    require_inertia(system.description, np.array((0.0, np.nan)), 0.0, np.zeros(0))
    with pytest.raises(SingularSystemError):
        require_inertia(system.description, np.zeros(2), 0.0, np.zeros(0))


@pytest.mark.parametrize("n", [50, 300])
def test_long_chains_of_rods_have_inertia(n):
    model = jd.Model("chain")
    last = model.world.at()
    for k in range(n):
        body = model.add_body(f"rod_{k}", jd.solid.rod(1.0, (0.1, 0, 0)))
        model.add_joint(f"joint_{k}", last, body, jd.Universal("y", "z"))
        last = body.at(0.1, 0, 0)
    found, _ = pivots(model, np.zeros(2 * n))
    assert found.min() > 1e-9


def test_a_mass_is_asked_for_where_a_parameter_takes_it_away():
    """Nominal bodies of which all have inertia are not looked at, but other values are."""
    mass = jd.Parameter("mass", 2.0)
    model = jd.Model("cart")
    cart = model.add_body("cart", jd.Inertia(mass, moments=(0.1, 0.1, 0.1)))
    model.add_joint("slide", model.world, cart, jd.Prismatic("x"))
    system = jd.compile(model)
    zero = np.zeros(1)
    assert system.forward_dynamics(zero, zero, np.ones(1))[0] == pytest.approx(0.5)
    with pytest.raises(SingularSystemError, match="'slide"):
        system.forward_dynamics(zero, zero, np.ones(1), parameters={"mass": 0.0})
