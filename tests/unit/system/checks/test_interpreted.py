from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.mechanism import Mechanism
from jourdain.system.questions import answers

NAMES = (
    "jacobian", "squares_jacobian", "body_jacobian", "cut_jacobian", "assembly_jacobian",
    "velocity_errors", "row_biases", "row_errors", "zdot", "vdot", "multipliers", "driven_forces",
)  # fmt: skip


@pytest.fixture(scope="module")
def system():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "COMPILED_FROM", 0)
        yield jd.compile(slider())  # what answers give is machine code here


def slider():
    model = jd.Model("slider")
    length = jd.Parameter("length", 2.0, "m")
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    rod = model.add_body("rod", jd.Inertia(mass=1.0, moments=(0.1, 0.1, 0.1)))
    model.add_joint("main", model.world, crank, jd.Revolute("y"))
    model.add_joint("pin", crank.at(1, 0, 0), rod, jd.Revolute("y"))
    guide = jd.Prismatic("x") * jd.Revolute("y")
    model.add_joint("guide", model.world, rod.at(length, 0, 0), guide)
    return model


def test_machine_code_is_made_when_it_pays(monkeypatch):
    monkeypatch.setattr(answers, "COMPILED_FROM", 10)
    system, q, v = jd.compile(slider()), np.array([0.3, -0.4, 2.9, 0.1]), np.array([1.0, -2.0])
    one = system.answers("vdot", q, v)
    some = system.answers("vdot", np.stack([q] * 9), v)
    assert not system.mechanism._kernels
    more = system.answers("vdot", q, v)
    assert system.mechanism._kernels
    assert one == pytest.approx(more, rel=1e-12)
    assert np.array_equal(some, [one] * 9)


@pytest.mark.parametrize("name", ["vdot", "cut_jacobian"])
def test_no_states_at_all(name):
    system = jd.compile(slider())
    found = system.answers(name, np.zeros((0, 4)), np.zeros(2))
    assert found.shape == (0, *system.answers(name, np.zeros(4), np.zeros(2)).shape)


@pytest.mark.parametrize("name", NAMES)
def test_quantities_are_those_of_machine_code(system, name):
    q, v = jd.math.vector(0.3, -0.4, 2.9, 0.1), np.array([1.0, -2.0])
    tau = np.array([0.5, 0.7])
    compiled = system.answers(name, q, v, tau, 0.2, parameters={"length": 1.9})
    p = system.parameter_array({"length": 1.9})
    found = system.interpreted(name, q=q, v=v, tau=tau, t=0.2, p=p)
    assert found.shape == compiled.shape
    assert found == pytest.approx(compiled, rel=1e-12, abs=1e-12)
    again = system.interpreted(name, q=q, v=v, tau=tau, t=0.2, p=p)
    assert again is not found
    assert np.array_equal(again, found)


def test_slopes_are_those_of_differences(system):
    """By columns of several colours: the coordinates of the crank and of the guide share no row."""
    q, p = np.array([0.3, -0.4, 2.9, 0.1]), system.parameter_array(None)
    found = system.interpreted_slopes("position_errors", "q", q=q, p=p)
    errors = [
        [system.interpreted("position_errors", q=q + s * d, p=p) for s in (-2, -1, 1, 2)]
        for d in 1e-3 * np.eye(4)
    ]
    expected = np.array([(a - 8 * b + 8 * c - d) / 12e-3 for a, b, c, d in errors]).T
    assert found == pytest.approx(expected, abs=1e-10)
    assert not system.interpreted_slopes("position_errors", "p", q=q, p=p)[0].any()
    assert system.interpreted_slopes("position_errors", "p", q=q, p=p).any()
    assert system.interpreted_slopes("position_errors", "extra", q=q, p=p).shape == (6, 2)


def test_what_is_not_given_is_zero(system):
    q = np.array([0.3, -0.4, 2.9, 0.1])
    p = system.parameter_array(None)
    one = system.interpreted("vdot", q=q, v=np.ones(2), p=p)
    two = system.interpreted("vdot", q=q, p=p)
    assert two == pytest.approx(system.answers("vdot", q, np.zeros(2)))
    assert not np.allclose(one, two)


@pytest.mark.parametrize("quantity", [Mechanism.vdot, Mechanism.cut_jacobian])
def test_many_states_one_by_one(system, quantity):
    """Large systems with loops are not compiled for results: the same rows, interpreted."""
    q = np.array([0.3, -0.4, 2.9, 0.1]) + np.array([[[0.0]], [[0.1]]])
    v, t = np.array([1.0, -2.0]), np.array([[0.2], [0.3]])
    compiled = system.answers(quantity, q, v, t=t)
    columns = q, v, np.zeros(2), np.zeros(12), np.zeros(2), np.zeros(0), t, [1.9]
    found = system.mechanism._interpreted.rows(quantity, columns)
    assert found.shape == compiled.shape
    columns = (*columns[:-1], system.parameter_array(None))
    found = system.mechanism._interpreted.rows(quantity, columns)
    assert found == pytest.approx(compiled, rel=1e-12, abs=1e-12)
