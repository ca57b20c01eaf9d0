"""Events and inputs see the velocities of cut joints (A32)."""

import numpy as np
import pytest

import jourdain as jd


@pytest.fixture(scope="module")
def system():
    """Four-bar linkage, by the joint that is cut."""
    model = jd.Model("four_bar")
    a, b, c = (
        model.add_body(n, jd.solid.rod(m, (m, 0, 0)))
        for n, m in zip("abc", (1, 3, 2.5), strict=True)
    )
    model.add_joint("main", model.world, a, jd.Revolute("y"))
    model.add_joint("first", a.at(1, 0, 0), b, jd.Revolute("y"))
    model.add_joint("second", b.at(3, 0, 0), c.at(2.5, 0, 0), jd.Revolute("y"))
    model.add_joint("pivot", model.world.at(3, 0, 0), c, jd.Revolute("y"))
    return {cut: jd.compile(model, cut=cut) for cut in ("pivot", "main")}


def start_of(system):
    at = jd.assemble(system, {"main.angle": -1.0})
    return {name: at[name] for name in system.names.q}


def test_events_do_not_depend_on_where_the_loop_is_cut(system):
    method = jd.Dop853(rtol=1e-11, atol=1e-12)
    found = [
        jd.simulate(
            s, 2.0, start=start_of(s), method=method, events={"turn": lambda t, s: s["pivot.rate"]}
        )
        for s in system.values()
    ]
    times = [[event.time for event in sol.events] for sol in found]
    assert len(times[0]) == 3
    np.testing.assert_allclose(*times, atol=1e-8)
    rate = found[0].at(times[0][0])["pivot.rate"]
    assert rate == pytest.approx(0.0, abs=1e-7)


def test_inputs_see_them_too(system):
    damper = {"main.angle": lambda t, s: -2.0 * s["pivot.rate"]}
    ends = [
        jd.simulate(s, 1.0, start=start_of(s), inputs=damper).final["first.angle"]
        for s in system.values()
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)


def test_an_unknown_name_is_still_refused(system):
    with pytest.raises(jd.UnknownNameError, match=r"no coordinate 'pivot\.ratt'"):
        jd.simulate(system["pivot"], 0.1, events={"e": lambda t, s: s["pivot.ratt"]})
