"""What must hold for every built-in law."""

import pickle
from dataclasses import fields, replace

import casadi
import numpy as np
import pytest

from jourdain import math
from jourdain.model import laws
from jourdain.model.checks.snapshot import Snapshot
from jourdain.model.elements import parameters_of, with_values
from jourdain.model.laws import (
    Actuator,
    Force,
    ForceLaw,
    Law,
    Motor,
    Muscle,
    Servo,
    all_laws,
    registry,
)
from jourdain.model.laws.source import source_value
from jourdain.spatial.parameter import Parameter

STEP = 1e-3
LAWS = [
    pytest.param(*pair, id=f"{k}-{type(pair[0]).__name__}") for k, pair in enumerate(all_laws())
]


def idle_force(law, x, v, at):
    """Force of a muscle without activation."""
    return law.force(x, v, replace(at, states={"activation": 0.0}))


POWER = {  # what comes from outside [W]
    Actuator: lambda law, x, v, at: v * law.force(x, v, at),
    Force: lambda law, x, v, at: math.dot(v, law.force(x, v, at)),
    Motor: lambda law, x, v, at: at.state("current") * source_value(law.voltage, "voltage", at),
    Muscle: lambda law, x, v, at: v * (law.force(x, v, at) - idle_force(law, x, v, at)),
    Servo: lambda law, x, v, at: at.state("current") * law.voltage(x, at),
}
each_law = pytest.mark.parametrize(("law", "size"), LAWS)


def sample(law, size, rng):
    """Value, rate and the rest, at random."""
    x, v = rng.normal(size=size), rng.normal(size=size)
    states = {name: rng.normal() for name in law.states}
    inputs = {name: rng.normal() for name in law.inputs}
    at = Snapshot({}, t=rng.uniform(), states=states, inputs=inputs)
    return (x[0], v[0], at) if size == 1 else (x, v, at)


def states_moved(law, at, rates, dt):
    moved = (s + dt * r for s, r in zip(at.states.values(), rates, strict=True))
    return replace(at, states=dict(zip(law.states, moved, strict=True)))


def test_every_exported_law_is_in_the_registry():
    exported = {getattr(laws, name) for name in laws.__all__ if name != "all_laws"}
    smooth = {made for made in exported if issubclass(made, ForceLaw)}
    assert {type(law) for law, _ in all_laws()} == smooth - {ForceLaw}


@each_law
def test_as_many_finite_numbers_as_the_measure_has(law, size, rng):
    x, v, at = sample(law, size, rng)
    force = np.asarray(law.force(x, v, at), dtype=float)
    assert force.shape == np.shape(x)
    assert np.isfinite(force).all()
    assert len(law.rates(x, v, at)) == len(law.start()) == len(law.states)
    assert np.ndim(law.energy(x, at)) == np.ndim(law.dissipation(x, v, at)) == 0


@each_law
def test_power_is_balanced(law, size, rng):
    """Given to the bodies + stored + lost = supplied, and what is lost is positive."""
    if isinstance(law, Law):
        return  # a function may do what it likes
    for _ in range(5):
        x, v, at = sample(law, size, rng)
        rates = law.rates(x, v, at)
        before, behind, ahead, after = (
            law.energy(x + k * STEP * v, states_moved(law, at, rates, k * STEP))
            for k in (-2, -1, 1, 2)
        )
        stored = (8 * (ahead - behind) - (after - before)) / (12 * STEP)
        lost, given = law.dissipation(x, v, at), math.dot(v, law.force(x, v, at))
        supplied = POWER.get(type(law), lambda *_: 0.0)(law, x, v, at)
        size_of_terms = abs(stored) + abs(lost) + abs(given) + abs(before) / STEP
        assert given + stored + lost == pytest.approx(supplied, abs=1e-10 * size_of_terms)
        assert lost >= 0.0


@each_law
def test_symbols_give_the_same_numbers(law, size, rng):
    x, v, at = sample(law, size, rng)
    symbols = [casadi.SX.sym("x", size), casadi.SX.sym("v", size), casadi.SX.sym("t")]
    states = {name: casadi.SX.sym(name) for name in law.states}
    inputs = {name: casadi.SX.sym(name) for name in law.inputs}
    traced = Snapshot({}, t=symbols[2], states=states, inputs=inputs)
    results = [
        law.force(*symbols[:2], traced),
        math.concatenate(0.0, *law.rates(*symbols[:2], traced)),
    ]
    results += [law.energy(symbols[0], traced), law.dissipation(*symbols[:2], traced)]
    everything = [*symbols, *states.values(), *inputs.values()]
    function = casadi.Function("f", everything, [casadi.SX(r) for r in results])
    found = function(x, v, at.t, *at.states.values(), *at.inputs.values())
    expected = law.force(x, v, at), (0.0, *law.rates(x, v, at)), law.energy(x, at)
    for a, b in zip(found, (*expected, law.dissipation(x, v, at)), strict=True):
        np.testing.assert_allclose(
            np.array(a).reshape(-1), np.reshape(b, -1), rtol=1e-12, atol=1e-12
        )


@each_law
def test_laws_are_values(law, size):
    twin = next(other for other, _ in all_laws() if other == law)
    assert twin is not law
    assert hash(twin) == hash(law)
    assert sum(other == law for other, _ in all_laws()) == 1
    assert pickle.loads(pickle.dumps(law)) == law


@each_law
def test_texts(law, size):
    assert eval(repr(law), vars(laws) | vars(registry)) == law
    assert " at 0x" not in repr(law) + str(law)
    assert len(str(law)) < 150


@each_law
def test_numbers_may_be_parameters(law, size, rng):
    x, v, at = sample(law, size, rng)
    p = Parameter("p", 2.0)
    for f in fields(law):
        number = getattr(law, f.name)
        if not isinstance(number, float):
            continue
        varied = replace(law, **{f.name: 0.25 * p})
        assert list(parameters_of(varied)) == [p]
        filled, plain = with_values(varied, {"p": 3.0}), replace(law, **{f.name: 0.75})
        np.testing.assert_array_equal(filled.force(x, v, at), plain.force(x, v, at))
        assert filled.energy(x, at) == plain.energy(x, at)
