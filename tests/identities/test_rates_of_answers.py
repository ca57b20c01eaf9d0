"""Rates of multipliers, loads, capacities and forces of contacts against differences."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.contact.contact_points import MODE
from jourdain.equations.mechanism import Mechanism

QUANTITIES = (
    "multipliers", "wrenches", "cut_motion", "vdot", "zdot", "measured", "powers", "capacities",
    "jacobian", "position_errors", "row_biases",
)  # fmt: skip
STEP = 1e-4


def linkage():
    """A four-bar with a spring, dry friction that leans on a constraint, and a state."""
    model = jd.Model("linkage")
    bar = jd.solid.box(mass=1.0, size=(1.0, 0.05, 0.05))
    crank, coupler, rocker = (model.add_body(name, bar) for name in ("crank", "coupler", "rocker"))
    model.add_joint("main", model.world, crank.at(-0.5, 0, 0), jd.Revolute("y"))
    model.add_joint("pin", crank.at(0.5, 0, 0), coupler.at(-0.5, 0, 0), jd.Revolute("y"))
    model.add_joint("pivot", model.world.at(1, 0, 0), rocker.at(-0.5, 0, 0), jd.Revolute("y"))
    model.add_joint("last", coupler.at(0.5, 0, 0), rocker.at(0.5, 0, 0), jd.Revolute("y"))
    length = model.parameter("length", 0.3)
    law = jd.Spring(50.0, free=length) + jd.Damper(0.5)
    model.add_connection("spring", jd.Distance(crank.at(0.1, 0, 0.1), rocker), law)
    model.add_coordinate("x", 2.0)
    model.add_connection("tie", jd.Coordinate("x") - 0.5 * jd.Coordinate("main.angle"), jd.Equal())
    grip = jd.Interval(lambda x, v, at: 0.3 * at.multiplier("tie") ** 2 + at.state("tank.level"))
    model.add_connection("grip", jd.Coordinate("pivot.angle"), grip)
    model.add_states("tank", {"level": "m"}, lambda at: at.velocity("x") - at.state("tank.level"))
    return model


def row_of_blocks(n):
    """Blocks that press on the ground and rub on it: two rows of contact each."""
    model = jd.Model("blocks")
    for k in range(n):
        for word in ("x", "z"):
            model.add_coordinate(f"{word}_{k}", 1.0 + 0.1 * k, unit="m")
        model.add_connection(f"floor_{k}", jd.Coordinate(f"z_{k}"), jd.Unilateral())
        model.add_connection(f"rub_{k}", jd.Coordinate(f"x_{k}"), jd.Interval(1.0 + k))
        if k:
            for word in ("x", "z"):
                slip = jd.Coordinate(f"{word}_{k}") - jd.Coordinate(f"{word}_{k - 1}")
                law = jd.Spring(30.0) + jd.Law(lambda x, v: -5.0 * x**3)
                model.add_connection(f"tie_{word}_{k}", slip, law)
    return model


def differences(value, given, along):
    """Sixth-order difference of a function of a mapping along rates."""
    places, weights = (-3, -2, -1, 1, 2, 3), np.array([-1, 9, -45, 45, -9, 1]) / 60.0
    at = [value(**{n: x + k * STEP * along.get(n, 0.0) for n, x in given.items()}) for k in places]
    return np.tensordot(weights, np.array(at), 1) / STEP


@pytest.fixture(scope="module")
def linked():
    model = linkage()
    system, rng = jd.compile(model), np.random.default_rng(4)
    at = jd.assemble(system, {"main.angle": -0.8, "main.rate": 0.7, "tank.level": 0.4})
    tau = rng.normal(size=len(at.v))
    given = {"q": at.q, "v": at.v, "tau": tau, "t": np.array(0.3), "p": np.array([0.3])}
    along = {n: rng.normal(size=np.shape(x)) for n, x in given.items()}
    return system, given, along


@pytest.mark.parametrize("name", QUANTITIES)
def test_quantities(linked, name):
    system, given, along = linked

    def value(q, v, tau, t, p):
        return system.answers(name, q, v, tau, t, parameters=p)

    own = system.answer_rates(
        name, *(given[n] for n in ("q", "v", "tau", "t")), parameters=given["p"],
        along={n: along[n] for n in ("q", "v", "tau", "t", "p")},
    )  # fmt: skip
    wanted = differences(value, given, along)
    assert np.shape(own) == np.shape(wanted)
    assert np.abs(wanted).max() > 1e-3
    np.testing.assert_allclose(own, wanted, rtol=1e-8, atol=1e-8 * (1 + np.abs(wanted).max()))


def test_unit_directions_give_a_jacobian(linked):
    system, given, _ = linked
    q, v, tau, t = (given[n] for n in ("q", "v", "tau", "t"))
    rows = system.answer_rates("vdot", q, v, tau, t, along={"tau": np.eye(len(v))})
    wanted = system.forward_dynamics_derivatives(q, v, tau, t).force
    np.testing.assert_allclose(rows.T, wanted, atol=1e-12)


@pytest.mark.parametrize("n", [2, 10])
def test_forces_and_reserves_of_contacts_for_any_number_of_rows(n):
    system, rng = jd.compile(row_of_blocks(n)), np.random.default_rng(n)
    q, v, tau = (rng.normal(size=2 * n) for _ in range(3))
    mode = np.zeros((2 * n, MODE))
    mode[0::2, 0] = 1.0  # closed
    mode[1::2, 1:3] = 1.0  # sticking
    mode, along = mode.reshape(-1), {"q": rng.normal(size=2 * n), "tau": rng.normal(size=2 * n)}
    for name in (Mechanism.contact_forces, Mechanism.indicators, Mechanism.multipliers):

        def value(q, tau, name=name):
            return system.answers(name, q, v, tau, mode=mode)

        own = system.answer_rates(name, q, v, tau, mode=mode, along=along)
        wanted = differences(value, {"q": q, "tau": tau}, along)
        assert np.abs(wanted).max() > 0.1
        np.testing.assert_allclose(own, wanted, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("n", [4, 40])
def test_loads(n):
    model = jd.Model("arm")
    before = model.world
    for k in range(n):
        link = model.add_body(f"link_{k}", jd.solid.box(mass=1.0, size=(0.1, 0.05, 0.03)))
        model.add_joint(f"joint_{k}", before, link, jd.Revolute("xyz"[k % 3]))
        before = link.at(0.1, 0, 0)
    system, rng = jd.compile(model), np.random.default_rng(n)
    given = {word: rng.normal(size=n) for word in ("q", "v", "vdot")}
    given["wrenches"] = rng.normal(size=(n, 6))
    along = {name: rng.normal(size=x.shape) for name, x in given.items()}

    def value(q, v, vdot, wrenches):
        found = system.loads(q, v, vdot, wrenches=wrenches)
        return np.concatenate([found.interaction.ravel(), found.tau, [found.power]])

    rates = system.load_rates(
        given["q"], given["v"], given["vdot"], wrenches=given["wrenches"], along=along
    )
    own = np.concatenate([rates.interaction.ravel(), rates.tau, [rates.power]])
    wanted = differences(value, given, along)
    np.testing.assert_allclose(own, wanted, rtol=1e-8, atol=1e-8 * np.abs(wanted).max())
    assert rates["joint_1"].shape == (6,)


def test_wrong_names(linked):
    system, given, _ = linked
    with pytest.raises(jd.UnknownNameError, match=r"rate.*'x'.*along"):
        system.answer_rates("vdot", given["q"], given["v"], along={"x": 1.0})
    with pytest.raises(jd.UnknownNameError, match=r"rate.*'tau'.*along"):
        system.load_rates(given["q"], given["v"], given["v"], along={"tau": given["v"]})
