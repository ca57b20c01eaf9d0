from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

import jourdain as jd
from jourdain.codegen.tracing import tangent, trace
from jourdain.equations.recursion.sweeps import Recursion, Sweep
from jourdain.system.description import Description


def links(kind):
    model = jd.Model("one")
    body = model.add_body("b", jd.Inertia(mass=2.0, moments=(1, 1, 1)))
    model.add_joint("j", model.world, body, kind)
    return Description(model, share=True).links


def ground(gravity):
    return {"a": np.zeros(2), "B": np.eye(3)}


def first(link, own, inboard):
    own.kept = ca.vertcat(own.q[0] * own.m, 5.0)
    own.a = inboard.a + own.t


def second(link, own, inboard):
    own.result = own.kept[0] + own.kept[1] + own.a[0]
    inboard.a = inboard.a + own.a


RECURSION = Recursion(
    "test", (Sweep(first), Sweep(second, False)), ("q",), {"result": ("body", 1)}, ground
)


@pytest.fixture
def program():
    return trace(RECURSION, links(jd.Revolute("y")), 0, None)


def places(pairs):
    return sorted({(place.pointer, place.offset) for _, place in pairs})


def test_exchanged_quantities_lie_at_fixed_offsets(program):
    (t,) = program.traces
    assert dict(t.shared) == {"a": (0, (2, 1)), "B": (2, (3, 3))}
    assert program.shared_size == 11
    assert places(t.reads[0]) == [
        ("constants", 24), ("inboard", 0), ("inboard", 1), ("q", 0), ("t", 0),
    ]  # fmt: skip


def test_only_what_changes_is_stored_for_later_sweeps(program):
    (t,) = program.traces
    assert program.slot_size == 12  # one entry of ``kept``; the other is a constant
    assert ("own", 11) in places(t.writes[0])
    assert ("own", 11) in places(t.reads[1])
    assert ("own", 12) not in places(t.writes[0])


def test_sweeps_write_to_their_own_inboard_and_outputs(program):
    (t,) = program.traces
    assert places(t.writes[0]) == [("own", 0), ("own", 1), ("own", 11)]
    assert places(t.writes[1]) == [("inboard", 0), ("inboard", 1), ("result", 0)]


def test_work_memory_holds_drives_and_slots(program):
    assert program.work_size(5) == 6 * 12
    assert trace(RECURSION, links(jd.Revolute("y")), 4, None).work_size(5) == 12 + 6 * 12


def test_slot_fits_the_largest_structure():
    def keep(link, own, inboard):
        own.kept = own.q * 2.0

    def use(link, own, inboard):
        own.result = ca.sum1(own.kept)

    recursion = Recursion("r", (Sweep(keep), Sweep(use)), ("q",), {"result": ("body", 1)}, ground)
    both = [*links(jd.Revolute("y")), *links(jd.Planar("z"))]
    assert trace(recursion, both, 0, None).slot_size == 11 + 3


def test_unknown_quantity_is_an_attribute_error():
    def wrong(link, own, inboard):
        own.result = own.nothing

    recursion = Recursion("r", (Sweep(wrong),), ("q",), {"result": ("body", 1)}, ground)
    with pytest.raises(AttributeError, match="nothing"):
        trace(recursion, links(jd.Revolute("y")), 0, None)


def test_tangent_doubles_the_slot_and_names_the_rates(program):
    rate = tangent(program)
    assert rate.slot_size == 2 * program.slot_size
    assert rate.recursion.inputs == ("q", "q_dot")
    assert list(rate.recursion.outputs) == ["result_dot"]
    (t,) = rate.traces
    assert ("q_dot", 0) in places(t.reads[0])
    assert places(t.writes[1]) == [
        ("inboard", 0), ("inboard", 1), ("inboard", 12), ("inboard", 13), ("result_dot", 0),
    ]  # fmt: skip
