"""Armature: the inertia of rotors that turn with joint coordinates.

An armature n² J on a hinge is a rotor of inertia J that an ideal gear turns n times as fast, as
long as the axis of the rotor rests: then its own motion has no other part.
"""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.formulations import all_formulations
from jourdain.testing.states import random_state

RATIO, ROTOR = 12.0, 3e-3


def arm(*, armature=None, gear=False):
    """Double pendulum whose shoulder has a rotor behind a gear."""
    model = jd.Model("arm")
    upper = model.add_body("upper", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
    lower = model.add_body("lower", jd.solid.rod(mass=0.7, end=(0, 0, -0.4)))
    model.add_joint("shoulder", model.world, upper, jd.Revolute("y"), armature=armature)
    model.add_joint("elbow", upper.at(0, 0, -0.5), lower, jd.Revolute("y"))
    if gear:
        model.add_coordinate("rotor", ROTOR)
        ties = jd.Coordinate("rotor") - RATIO * jd.Coordinate("shoulder.angle")
        model.add_connection("gear", ties, jd.Equal())
    return model


START = {"shoulder.angle": 1.0, "elbow.angle": -0.4, "shoulder.rate": 0.7}


def test_rotor_behind_an_ideal_gear():
    n2j = RATIO**2 * ROTOR
    reflected = jd.simulate(arm(armature=n2j), 1.0, start=START)
    geared = jd.simulate(
        arm(gear=True), 1.0, start=START | {"rotor": RATIO * 1.0, "rotor.rate": RATIO * 0.7}
    )
    for name in ("shoulder.angle", "elbow.rate", "shoulder.force", "energy.kinetic"):
        one, other = reflected[name].to_numpy()[-1], geared[name].to_numpy()[-1]
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-7, err_msg=name)
    energy = reflected["energy.total"].to_numpy()
    assert np.ptp(energy) < 1e-7 * np.abs(energy).max()
    without = jd.simulate(arm(), 1.0, start=START)
    assert abs(without.final["shoulder.angle"] - reflected.final["shoulder.angle"]) > 0.05


def test_mass_matrix_and_accelerations_of_a_hinge():
    """θ'' = τ / (J + a), and the body is left τ J / (J + a)."""
    model = jd.Model("disc", gravity=(0, 0, 0))
    disc = model.add_body("disc", jd.Inertia(1.0, moments=(0.1, 0.1, 0.2)))
    model.add_joint("axle", model.world, disc, jd.Revolute("z"), armature=0.3)
    system = jd.compile(model)
    assert system.mass_matrix([0.4]) == pytest.approx(np.array([[0.5]]), rel=1e-15)
    vdot = system.forward_dynamics([0.4], [2.0], {"axle.rate": 3.0})
    assert vdot == pytest.approx([6.0], rel=1e-15)
    loads = system.loads([0.4], [2.0], vdot)
    assert loads.tau == pytest.approx([3.0], rel=1e-15)
    assert loads["axle"][2] == pytest.approx(1.2, rel=1e-15)
    assert system.energy([0.4], [2.0])[0] == pytest.approx(1.0, rel=1e-15)
    assert system.momentum([0.4], [2.0])[2] == pytest.approx(0.4, rel=1e-15)


def test_a_drive_turns_the_armature_too():
    """Torque (J + a) φ'' and kinetic energy ½ (J + a) φ'² of a driven disc."""
    model = jd.Model("disc", gravity=(0, 0, 0))
    disc = model.add_body("disc", jd.Inertia(1.0, moments=(0.1, 0.1, 0.2)))
    wave = {"angle": jd.Sine(0.5, 2.0)}
    model.add_joint("axle", model.world, disc, jd.Revolute("z"), driven=wave, armature=0.3)
    sol = jd.simulate(model, 0.4)
    t, w = sol.time, 4.0 * np.pi
    np.testing.assert_allclose(
        sol["axle.applied_torque"], -0.5 * 0.5 * w**2 * np.sin(w * t), atol=1e-9
    )
    np.testing.assert_allclose(
        sol["energy.kinetic"], 0.25 * (0.5 * w * np.cos(w * t)) ** 2, atol=1e-9
    )
    np.testing.assert_allclose(
        sol["power.drives"], -0.25 * 0.5 * w**3 * np.sin(2 * w * t) * 0.5, atol=1e-8
    )
    np.testing.assert_allclose(sol["axle.torque.z"], -0.2 * 0.5 * w**2 * np.sin(w * t), atol=1e-9)


def four_bar(**armature):
    model = jd.Model("four_bar")
    sides = {"crank": (0.2, 0, 0), "coupler": (0.5, 0, 0), "rocker": (0.4, 0, 0)}
    crank, coupler, rocker = (
        model.add_body(name, jd.solid.rod(mass=1.0, end=end)) for name, end in sides.items()
    )
    ends = {
        "a": (model.world, crank),
        "b": (crank.at(0.2, 0, 0), coupler),
        "c": (coupler.at(0.5, 0, 0), rocker.at(0.4, 0, 0)),
        "d": (model.world.at(0.45, 0, 0), rocker),
    }
    for name, pair in ends.items():
        model.add_joint(name, *pair, jd.Revolute("y"), armature=armature.get(name))
    return model


@pytest.mark.parametrize("rotors", [{"d": 0.2}, {"a": 0.1, "b": 0.3, "d": 0.2}])
def test_joints_with_armature_stay_in_the_tree(rotors):
    """A closed loop cut elsewhere moves as with rotors tied to the joints by constraints."""
    system = jd.compile(four_bar(**rotors))
    assert not {cut.name for cut in system.topology.cuts} & {*rotors}
    start = jd.assemble(system, {"a.angle": -0.6}, near={"d.angle": -1.5})
    tied = four_bar()
    for name, inertia in rotors.items():
        tied.add_coordinate(f"{name}_rotor", inertia)
        ties = jd.Coordinate(f"{name}_rotor") - jd.Coordinate(f"{name}.angle")
        tied.add_connection(f"{name}_shaft", ties, jd.Equal())
    angles = {f"{n}.angle": float(start[f"{n}.angle"]) for n in "abcd"}
    one = jd.simulate(system, 0.3, start={**angles})
    other = jd.simulate(
        tied, 0.3, start=angles | {f"{n}_rotor": angles[f"{n}.angle"] for n in rotors}
    )
    for name in ("a.angle", "c.angle", "d.rate"):
        end = float(one[name][-1])
        assert end == pytest.approx(float(other[name][-1]), abs=1e-6)
        assert abs(end - float(one[name][0])) > 1e-2


@pytest.mark.parametrize("seed", range(4))
def test_loads_and_derivatives(seed):
    """Loads of all formulations agree; tangents are the differences; power is that of energy."""
    model = jd.testing.random_model(40 + seed, 5, parameters=True)
    for name, joint in model.joints.items():
        names = list(joint.kind.velocities)
        if names:
            object.__setattr__(joint, "armature", {names[-1]: 0.4})
            model._joints[name] = joint
    system = jd.compile(model)
    q, v, vdot, t = random_state(system, seed)
    loads = system.loads(q, v, vdot, t)
    for formulation in all_formulations():
        found = formulation.loads(system, q, v, vdot, t)
        np.testing.assert_allclose(
            found, loads.interaction, rtol=1e-9, atol=1e-9 * np.abs(loads.interaction).max()
        )
    J = system.forward_dynamics_derivatives(q, v, loads.tau, t).force
    np.testing.assert_allclose(J @ system.mass_matrix(q, t), np.eye(len(v)), atol=1e-8)


def test_contact_of_a_mechanism_with_armature():
    """A flap with a rotor takes a ball's impulse with the inertia of both."""

    def run(**more):
        model = jd.Model("flap", gravity=(0, 0, 0))
        flap = model.add_body("flap", jd.Inertia(1.0, moments=(0.1, 0.1, 0.1)))
        ball = model.add_body("ball", jd.solid.ball(1.0, 0.05))
        model.add_joint("hinge", model.world, flap, jd.Revolute("y"), **more)
        model.add_joint("fly", model.world, ball, jd.Free())
        law = jd.Unilateral(restitution=0.0)
        gap = jd.Gap(jd.Sphere(flap.at(0.5, 0, 0), 0.05), jd.Sphere(ball, 0.05))
        model.add_connection("touch", gap, law)
        start = {"fly.position": (0.5, 0, 0.12), "fly.velocity": (0, 0, -1.0)}
        return float(
            jd.simulate(model, 0.05, start=start, method=jd.MoreauJean(1e-4)).final["hinge.rate"]
        )

    # impulse P: r P / (J + a) = v' on the flap and 1 - P on the ball, equal speeds 0.5 ω = v'
    for inertia, more in ((0.1, {}), (0.5, {"armature": 0.4})):
        omega = 0.5 / (inertia + 0.25)
        assert run(**more) == pytest.approx(omega, rel=1e-2)
