"""Records shared by Python and translated loops."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.codegen.translator.loop_records import Floats, Integers, LoopRecord
from jourdain.solvers.native import native


class Contacts(LoopRecord):
    count: int
    gap: Floats
    order: Integers


class Ball(LoopRecord):
    t: float
    hits: int
    contacts: Contacts


def advance(ball, c, h):
    ball.t += h
    for k in range(c.count):
        c.gap[c.order[k]] -= h * (k + 1)
        if c.gap[c.order[k]] < 0.0:
            ball.hits += 1
            ball.contacts.gap[c.order[k]] = 0.0


def run(ball: Ball, n: int, h: float) -> int:
    c = ball.contacts
    for _ in range(n):
        advance(ball, c, h)
    return ball.hits


def made() -> Ball:
    contacts = Contacts(count=3, gap=np.array([0.1, 0.2, 5.0]), order=np.array([2, 0, 1]))
    return Ball(t=1.0, contacts=contacts)


def test_loops_do_the_same_on_records_as_python():
    plain, compiled = made(), made()
    assert native()(run)(compiled, 4, 0.05) == run(plain, 4, 0.05) > 0
    assert compiled.t == plain.t == pytest.approx(1.2)
    np.testing.assert_array_equal(compiled.contacts.gap, plain.contacts.gap)


def test_python_sees_what_loops_write_and_the_other_way_round():
    ball, loop = made(), native()(run)
    loop(ball, 1, 0.0)
    ball.contacts.gap[:] = -1.0
    ball.hits = 10
    assert loop(ball, 1, 0.0) == 13


def test_fields_have_their_types():
    with pytest.raises(TypeError, match="gap takes a contiguous array of float64"):
        Contacts(gap=np.zeros(3, dtype=int))
    with pytest.raises(TypeError, match="contiguous"):
        Contacts(gap=np.zeros((3, 3))[:, 0])
    with pytest.raises(TypeError, match="contacts takes a Contacts"):
        Ball(contacts=made())
    with pytest.raises(AttributeError, match="no field 'speed'"):
        Ball(speed=1.0)
    with pytest.raises(AttributeError, match="no field 'speed'"):
        _ = made().speed


def misspelt(ball: Ball) -> int:
    ball.time = 1.0
    return 0


def rebound(ball: Ball) -> int:
    ball.contacts.gap = ball.contacts.gap
    return 0


def test_what_loops_cannot_do_is_told_with_its_line():
    with pytest.raises(NotImplementedError, match="misspelt, line 2: field 'time' of Ball"):
        native()(misspelt)(made())
    with pytest.raises(NotImplementedError, match="assignment to the array 'gap'"):
        native()(rebound)(made())


def test_a_record_without_one_of_its_arrays_is_not_complete():
    class Ball(LoopRecord):
        height: float
        speeds: Floats

    ball = Ball(height=1.0)
    with pytest.raises(AttributeError, match="Ball has no speeds"):
        ball.complete()
    ball.speeds = np.zeros(2)
    assert ball.complete() is ball


def test_content_is_taken_back():
    """Numbers, arrays and records in a record; arrays that were replaced come back, too."""
    contacts = Contacts(count=2, gap=np.array([1.0, 2.0]), order=np.arange(2))
    ball = Ball(t=0.5, hits=3, contacts=contacts)
    first, content = contacts.gap, ball.content()
    assert not ball.go_back(content)
    ball.t, ball.hits, contacts.count = 9.0, 9, 9
    first[:] = 9.0
    contacts.gap = np.full(5, 7.0)
    assert ball.go_back(content)
    assert (ball.t, ball.hits, contacts.count) == (0.5, 3, 2)
    assert contacts.gap is first
    np.testing.assert_array_equal(first, [1.0, 2.0])
    found = made()
    found.go_back(found.content())
    assert native()(run)(found, 4, 0.05) == run(made(), 4, 0.05)
