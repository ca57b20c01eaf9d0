"""A12: trees whose mass matrix is singular by itself but regular with their constraints."""

import numpy as np
import pytest

import jourdain as jd

RATIO, ROTOR, K = 100.0, 2e-4, 5.0
METHODS = [
    None, jd.Radau5(), jd.RungeKutta4(1e-3), jd.GeneralizedAlpha(1e-3), jd.Gauss4(1e-2),
    jd.EventDriven(), jd.MoreauJean(1e-3), jd.NonsmoothAlpha(1e-3),
]  # fmt: skip


def massless(model, name):
    return model.add_body(name, jd.Inertia(mass=0.0, moments=(0.0, 0.0, 0.0)))


def geared():
    """A rotor drives an arm without inertia through an ideal gear, against a spring."""
    model = jd.Model("geared", gravity=(0, 0, 0))
    model.add_joint("hinge", model.world, massless(model, "arm"), jd.Revolute("z"))
    rotor = model.add_body("rotor", jd.Inertia(mass=1.0, moments=(1e-4, 1e-4, ROTOR)))
    model.add_joint("motor", model.world, rotor, jd.Revolute("z"))
    teeth = jd.Coordinate("motor.angle") - RATIO * jd.Coordinate("hinge.angle")
    model.add_connection("gear", teeth, jd.Equal())
    model.add_connection("spring", jd.Coordinate("hinge.angle"), jd.Spring(K))
    return model


@pytest.mark.parametrize("method", METHODS, ids=lambda x: type(x).__name__)
def test_a_rotor_behind_a_gear(method):
    start = {"hinge.angle": 0.3, "motor.angle": 0.3 * RATIO}
    sol = jd.simulate(geared(), 1.0, start=start, method=method, sample=0.1)
    swing = 0.3 * np.cos(np.sqrt(K / (ROTOR * RATIO**2)) * sol.time)
    np.testing.assert_allclose(sol.values("hinge.angle"), swing, rtol=0, atol=2e-7)
    skip = 1 if isinstance(method, jd.MoreauJean | jd.NonsmoothAlpha) else 0
    force = sol.values("gear.force").ravel()[skip:]
    np.testing.assert_allclose(force, -K / RATIO * swing[skip:], rtol=0, atol=2e-8)
    assert sol.values("energy.total") == pytest.approx(0.5 * K * 0.09, rel=1e-5)


@pytest.mark.parametrize(
    ("method", "error"), [(jd.EventDriven(), 1e-8), (jd.NonsmoothAlpha(1e-4), 2e-5),
                          (jd.MoreauJean(1e-4), 2e-3)], ids=["events", "alpha", "steps"],
)  # fmt: skip
def test_a_stop_and_dry_friction_on_the_arm(method, error):
    """The same machine in one coordinate: all of the rotor's inertia at the arm."""
    model = geared()
    arm, law = jd.Coordinate("hinge.angle"), jd.Unilateral(-0.1, restitution=0.5)
    model.add_connection("stop", arm, law)
    model.add_connection("rub", arm, jd.Interval(0.2))
    other = jd.Model("one", gravity=(0, 0, 0))
    other.add_coordinate("x", ROTOR * RATIO**2, unit="rad")
    for name, own in (("spring", jd.Spring(K)), ("stop", law), ("rub", jd.Interval(0.2))):
        other.add_connection(name, jd.Coordinate("x"), own)
    end, sample = 2.0, np.linspace(0.0, 2.0, 21)
    exact = jd.simulate(other, end, start={"x.value": 0.3}, sample=sample)
    start = {"hinge.angle": 0.3, "motor.angle": 0.3 * RATIO}
    sol = jd.simulate(model, end, start=start, method=method, sample=sample)
    np.testing.assert_allclose(
        sol.values("hinge.angle"), exact.values("x.value"), rtol=0, atol=error
    )


def test_a_massless_link_in_a_loop():
    """A coupler without inertia between two cranks: the forces are those of a rod."""

    def four_bar(is_rod):
        model = jd.Model("four_bar")
        left, right = (
            model.add_body(name, jd.solid.box(mass=2.0, size=(0.05, 0.05, 0.3)))
            for name in ("left", "right")
        )
        for body, x in ((left, 0.0), (right, 0.5)):
            foot = model.world.at(x, 0, 0)
            model.add_joint(f"{body.name}_foot", foot, body.at(0, 0, -0.15), jd.Revolute("y"))
        if is_rod:
            length = jd.Distance(left.at(0, 0, 0.15), right.at(0, 0, 0.15))
            model.add_connection("rod", length, jd.Equal(0.5))
        else:
            coupler = massless(model, "coupler")
            model.add_joint("a", left.at(0, 0, 0.15), coupler, jd.Revolute("y"))
            model.add_joint("b", coupler.at(0.5, 0, 0), right.at(0, 0, 0.15), jd.Revolute("y"))
        return model

    start = {"left_foot.angle": 0.2, "right_foot.angle": 0.2}
    one = jd.simulate(four_bar(True), 0.5, start=start, sample=0.05)
    two = jd.simulate(four_bar(False), 0.5, start=start, sample=0.05)
    for name in ("left_foot.angle", "right_foot.rate"):
        np.testing.assert_allclose(two.values(name), one.values(name), rtol=0, atol=1e-7)


def test_what_constraints_leave_without_inertia_is_refused():
    model = geared()
    free = massless(model, "free")
    model.add_joint("idle", model.world, free, jd.Revolute("z"))
    with pytest.raises(jd.SingularSystemError, match=r"no inertia is moved by 'idle\.rate'"):
        jd.simulate(model, 0.1)


def test_a_point_mass_behind_a_flexible_rod():
    """Rows of which only rounding is left hold nothing: a point slides as a box of no size does."""

    def slider(moment):
        model = jd.Model("slider")
        section = jd.flexible.rectangle(jd.flexible.STEEL, 0.02, 0.01)
        rod = model.add_body("rod", jd.flexible.beam(1.0, section, modes=2, fields=("z",)))
        point = model.add_body("point", jd.Inertia(1e-3, moments=(moment,) * 3))
        model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
        model.add_joint("pin", rod.at(1.0, 0, 0), point, jd.Revolute("y"))
        model.add_joint("guide", model.world.at(1.0, 0, 0), point, jd.Prismatic("x"))
        return jd.compile(model)

    found, point = [], slider(0.0)
    for system in (point, slider(1e-10)):
        q, v = system.project(np.array([1.6e-3, 1.6e-3, 3.5e-4, 0.0, -7.5e-7]), np.zeros(4))
        found.append(system.forward_dynamics(q, v))
    np.testing.assert_allclose(found[0], found[1], rtol=0, atol=1e-6 * np.abs(found[1]).max())
    modes = jd.eigenmodes(point, jd.equilibrium(point))
    assert modes.frequencies[0] == pytest.approx(23.4533, rel=0.015)
