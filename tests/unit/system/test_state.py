"""Kernels of the state equation: which are kept for the next run."""

from __future__ import annotations

import pytest

import jourdain as jd
from jourdain.system import state


@pytest.fixture
def system():
    model = jd.Model("shafts")
    for name in ("a", "b"):
        model.add_coordinate(name, 2.0)
    return jd.compile(model)


@pytest.mark.parametrize("make", [state.state_kernel, state.tangent_kernel, state.forces_kernel])
def test_numbers_give_the_kernel_of_an_earlier_run(system, make):
    one = make(system, {"a.value": 3.0}, {})
    assert make(system, {"a.value": 3}, {}) is one
    assert make(system, {}, {}) is make(system, {}, {})
    others = [{"a.value": 4.0}, {"b.value": 3.0}, {"a.value": 3.0, "b.value": 1.0}, {}]
    assert all(make(system, inputs, {}) is not one for inputs in others)


def test_held_inputs_give_the_kernel_of_an_earlier_run(system):
    def control(t):
        return t

    one = state.state_kernel(system, {"a.value": control}, {"a.value": 0})
    assert state.state_kernel(system, {"a.value": control}, {"a.value": 0}) is one
    assert state.state_kernel(system, {"a.value": 0.0}, {}) is not one


def test_functions_are_traced_for_every_run(system):
    """What a function refers to may have changed."""
    gain = 1.0

    def torque(t):
        return gain

    first = float(jd.simulate(system, 1.0, inputs={"a.value": torque}).final["a.rate"])
    gain = 2.0
    second = float(jd.simulate(system, 1.0, inputs={"a.value": torque}).final["a.rate"])
    assert (first, second) == pytest.approx((0.5, 1.0))


def test_not_all_numbers_are_kept(system, monkeypatch):
    monkeypatch.setattr(state, "_KEPT", 3)
    first = state.state_kernel(system, {"a.value": 0.0}, {})
    for k in range(1, 4):
        state.state_kernel(system, {"a.value": float(k)}, {})
    assert len(system.kernels) == 3
    assert state.state_kernel(system, {"a.value": 0.0}, {}) is not first
