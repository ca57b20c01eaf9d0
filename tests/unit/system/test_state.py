"""Kernels of the state equation: which are kept for the next run."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.codegen.kernel import Kernel
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


@pytest.mark.parametrize("make", [state.state_kernel, state.tangent_kernel, state.forces_kernel])
def test_equal_graphs_have_one_kernel(system, make):
    """Which Python function made a graph does not matter; what it refers to does."""

    def spring(gain):
        return {"a.value": lambda t, s: -gain * s["a.value"] * jd.cos(t)}

    one = make(system, spring(3.0), {})
    assert make(system, spring(3.0), {}) is one
    assert make(system, spring(3.0 + 2**-50), {}) is not one
    assert make(system, {"b.value": spring(3.0)["a.value"]}, {}) is not one
    other = {"a.value": lambda t, s: -3.0 * s["b.value"] * jd.cos(t)}
    assert make(system, other, {}) is not one


def test_later_runs_with_functions_lower_nothing(system, monkeypatch):
    """Inputs, events, implicit methods: the code of the first runs serves later ones.

    The audit interprets energies at first, and compiles them where that has begun to pay.
    """
    lowered = []
    plain = Kernel._compile
    monkeypatch.setattr(Kernel, "_compile", lambda *x: lowered.append(x) or plain(*x))

    def run(gain):
        inputs = {"a.value": lambda t, s: -gain * s["a.value"] + jd.where(t > 0.5, 1.0, 0.0)}
        events = {"top": lambda t, s: s["a.value"] - 0.1, "late": lambda t: t - 0.7}
        return jd.simulate(system, 1.0, inputs=inputs, events=events, method=jd.Radau5())

    first = run(2.0)
    assert lowered
    run(2.0)
    lowered.clear()
    assert run(2.0).final == first.final
    assert not lowered
    assert run(3.0).final["a.value"] != first.final["a.value"]
    assert lowered


def test_functions_of_cut_velocities_have_one_kernel():
    """A velocity that is no coordinate of the tree is a symbol of the graph, not all equations."""
    model = jd.Model("four_bar")
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(0, 0, 1)))
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    rocker = model.add_body("rocker", jd.solid.rod(mass=1.0, end=(0, 0, 1)))
    model.add_joint("left", model.world, crank, jd.Revolute("y"))
    model.add_joint("top", crank.at(0, 0, 1), rod, jd.Revolute("y"))
    model.add_joint("right", model.world.at(1, 0, 0), rocker, jd.Revolute("y"))
    model.add_joint("end", rod.at(1, 0, 0), rocker.at(0, 0, 1), jd.Revolute("y"))
    system = jd.compile(model, cut="end")

    def inputs(name, sign):
        return {"left.angle": lambda t, s: sign * s[name]}

    one = state.state_kernel(system, inputs("end.rate", -1.0), {})
    assert state.state_kernel(system, inputs("end.rate", -1.0), {}) is one
    # all angles between bars are opposite in a parallelogram: the end turns as the left bar does
    q, v = system.state({"left.angle": 0.3, "top.angle": -0.3, "right.angle": 0.3})
    v[:] = [2.0, -2.0, 2.0]
    end = float(system.answers("cut_velocities", q, v)[0])
    other = state.state_kernel(system, inputs("left.rate", -end / 2.0), {})
    given = q, v, np.zeros(0), 0.0, np.zeros(0)
    assert one(*given)[1] == pytest.approx(other(*given)[1], rel=1e-12)
