"""Connections of one form are traced once, and each gets its own numbers and names."""

from functools import partial

import casadi as ca
import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.connections.forms import form_of, twins_of
from jourdain.model.measures.registry import all_measures


def two():
    model = jd.Model("two")
    return model, [model.add_body(name, jd.solid.ball(mass=1.0, radius=0.1)) for name in "ab"]


def test_numbers_and_names_are_taken_out():
    model, (a, b) = two()
    first = form_of(jd.Distance(a.at(0.1, 0, 0), b), jd.Spring(20.0, free=0.3))
    second = form_of(jd.Distance(b.at(0.2, 0, 0), a), jd.Spring(30.0, free=0.4))
    assert first.key == second.key
    assert first.names == ("a", "b")
    assert second.names == ("b", "a")
    assert first.numbers == (0.1, 20.0, 0.3)


def test_another_pattern_of_bodies_or_zeros_is_another_form():
    model, (a, b) = two()
    apart = form_of(jd.Distance(a.at(0.1, 0, 0), b))
    assert apart.key != form_of(jd.Distance(a.at(0.1, 0, 0), a)).key
    assert apart.key != form_of(jd.Distance(a.at(0.1, 0.2, 0), b)).key
    assert apart.key != form_of(jd.Distance(a.at(0.1, 0, 0), model.world)).key


def test_a_measure_of_the_user_is_left_whole():
    class Height(jd.Measure):
        frame: jd.Frame

        def value(self, at):
            return at.pose(self.frame)[1][2]

    _, (a, b) = two()
    form = form_of(Height(a.at(0.1, 0, 0)))
    assert form.names == form.numbers == ()
    assert form.key != form_of(Height(b.at(0.1, 0, 0))).key


def test_twins_have_a_symbol_for_each_number():
    _, (a, b) = two()
    elements = jd.Distance(a.at(0.1, 0.7, 0), b), jd.Spring(20.0) + jd.Damper(3.0)
    (measure, law), symbols = twins_of(*elements)
    assert len(symbols) == len(form_of(*elements).numbers) == 4
    assert measure.start.body == "#0"
    assert isinstance(law.parts[0].stiffness, ca.SX)


def rates(model, seed=0):
    system = jd.compile(model, execution=jd.Unrolled())
    rng = np.random.default_rng(seed)
    q, v = system.state()
    q, v = q + 0.1 * rng.normal(size=q.shape), rng.normal(size=v.shape)
    return system.forward_dynamics(q, v, t=0.2)


def _height(at):
    """Height of a point of body a, whichever connection asks."""
    return at.pose(jd.Frame("a", (0, 0.3, 0)))[1][2]


def _start(body):
    return jd.Frame("world", ("_ab".index(body.name), 0, 0))


def _whole(body, at):
    d = at.pose(body.at(0.1, 0.2, 0))[1] - at.pose(_start(body))[1]
    return jd.math.norm(d) + 2.0 * _height(at)


def test_a_body_seen_by_a_frame_and_by_name_counts_twice():
    """A sum of a measure with frames and of a function that names a body by itself."""
    parts, whole = two(), two()
    for model, bodies in (parts, whole):
        for body in bodies:
            measure = jd.Distance(_start(body), body.at(0.1, 0.2, 0)) + 2.0 * jd.Formula(_height)
            if model is whole[0]:
                measure = jd.Formula(partial(_whole, body))
            model.add_connection(f"c_{body.name}", measure, jd.Spring(5.0))
    np.testing.assert_allclose(rates(parts[0]), rates(whole[0]), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("measure", all_measures(), ids=str)
def test_every_measure_has_a_form(measure):
    form = form_of(measure)
    _, symbols = twins_of(measure)
    assert len(symbols) == len(form.numbers)
    assert form.key == form_of(measure).key
