"""Closed loops of the IFToMM library: N-four-bar mechanism (A02), Andrews' squeezer (A03).

Hinges are spatial: every planar loop has three constraint rows that repeat others.
"""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.laws import Spring
from jourdain.model.measures import Distance

HINGE = jd.Revolute("z")

# A02, exact values of the equation of one degree of freedom that all parallelograms share:
# [(N + 1)/3 + N] d²φ/dt² = -[(N + 1)/2 + N] g cos φ. Time [s]: x, y [m] of the first crank's end.
FOUR_BARS = {
    2: {
        1.0: (-0.195020301949, -0.980799205662),
        2.0: (0.057815795768, 0.998327267863),
        5.0: (-0.811310461000, -0.584615545356),
        10.0: (0.328458111534, 0.944518538181),
        15.0: (-0.773840452906, 0.633380575520),
        20.0: (0.839746574278, 0.542978536397),
    },
    40: {
        1.0: (-0.115356880632, -0.993324111300),
        2.0: (0.034466307300, 0.999405860330),
        5.0: (-0.540190050668, -0.841543052469),
        10.0: (0.180512226681, 0.983572740583),
        15.0: (-0.999878177150, -0.015608678981),
        20.0: (0.410901153739, 0.911679900983),
    },
}


def four_bars(n):
    """Model of N + 1 cranks and N couplers, and a start: cranks upright, moving to the right."""
    model = jd.Model("four bars", gravity=(0, -9.81, 0))
    rod = jd.solid.rod(mass=1.0, end=(1, 0, 0))
    cranks = [model.add_body(f"crank_{k}", rod) for k in range(n + 1)]
    start = {}
    for k, crank in enumerate(cranks):
        model.add_joint(f"ground_{k}", model.world.at(k, 0, 0), crank, HINGE)
        start |= {f"ground_{k}.angle": np.pi / 2, f"ground_{k}.rate": -1.0}
    for k in range(n):
        coupler = model.add_body(f"coupler_{k}", rod)
        model.add_joint(f"left_{k}", cranks[k].at(1, 0, 0), coupler, HINGE)
        model.add_joint(f"right_{k}", coupler.at(1, 0, 0), cranks[k + 1].at(1, 0, 0), HINGE)
        start |= {f"left_{k}.angle": -np.pi / 2, f"left_{k}.rate": 1.0}
    return model, start


@pytest.mark.parametrize("n", [2, pytest.param(40, marks=pytest.mark.slow)])
def test_four_bars_pass_their_singular_positions(n):
    """20 s, 1e-6 m; the cranks pass the horizontal, where N freedoms more appear, many times."""
    model, start = four_bars(n)
    integrator = jd.RungeKutta4(1e-3) if n == 2 else jd.Dop853(rtol=1e-9, atol=1e-10)
    times = [0.0, *FOUR_BARS[n]]
    sol = jd.simulate(model, 20.0, start=start, method=integrator, sample=times)
    wanted = np.array(list(FOUR_BARS[n].values()))
    for crank in (0, n // 2, n):
        angle = sol.values(f"ground_{crank}.angle")[1:]
        found = np.column_stack([np.cos(angle), np.sin(angle)])
        np.testing.assert_allclose(found, wanted, atol=1e-6)
    energy = sol.values("energy.total")
    assert np.abs(energy - energy[0]).max() < 1e-5 * (n + 1)  # [J]; the library asks for 0.1
    for name in ("position_errors", "velocity_errors"):
        assert np.abs(sol.system.answers(name, sol.q, sol.v, t=sol.time)).max() < 1e-10


@pytest.mark.parametrize("way", [jd.Projection(), jd.Partition()], ids=str)
def test_tighter_tolerances_pass_singular_positions_more_exactly(way):
    """Errors after 20 s fall with the tolerance, down to 1e-9: rounding is not amplified there."""
    model, start = four_bars(2)
    system, errors = jd.compile(model), []
    for rtol in (1e-8, 1e-10, 1e-12):
        integrator = jd.Dop853(rtol=rtol, atol=0.1 * rtol)
        options = {"method": integrator, "constraints": way, "sample": [0.0, 20.0]}
        sol = jd.simulate(system, 20.0, start=start, **options)
        assert sol.statistics.steps < 5000
        errors.append(abs(np.cos(sol.values("ground_0.angle")[-1]) - FOUR_BARS[2][20.0][0]))
    assert errors[0] < 1e-5
    assert errors[1] < 2e-7
    assert errors[2] < 5e-9


@pytest.mark.parametrize("way", [jd.Projection(), jd.Partition()], ids=str)
def test_samples_within_long_steps_stay_near_singular_positions(way):
    """A7: dense output of a step over 0.5 s was moved off by 0.1 m where it was to be closed."""
    model, start = four_bars(10)
    angles = {name: np.pi / 3 * np.sign(x) for name, x in start.items() if name.endswith("angle")}
    method = jd.Dop853(rtol=9e-7, atol=9e-7)
    system = jd.compile(model)
    sol = jd.simulate(system, 20.0, start=angles, method=method, constraints=way)
    inertia, weight = 11 / 3 + 10, (11 / 2 + 10) * 9.81
    angle = sol.values("ground_0.angle")
    energy = 0.5 * inertia * sol.values("ground_0.rate") ** 2 + weight * np.sin(angle)
    np.testing.assert_allclose(energy, weight * np.sin(np.pi / 3), atol=0.01 * weight)
    for k in range(11):
        np.testing.assert_allclose(sol.values(f"ground_{k}.angle"), angle, atol=2e-3)
    assert np.abs(system.answers("position_errors", sol.q, sol.v, t=sol.time)).max() < 1e-6


def andrews():
    """Andrews' squeezing mechanism: seven bodies, hinges at O, B, A, A; three loops close at E."""
    model = jd.Model("squeezer", gravity=(0, 0, 0))
    d, da, e, ea, rr, ra, ss, sa, sb = (
        0.028,
        0.0115,
        0.02,
        0.01421,
        0.007,
        0.00092,
        0.035,
        0.01874,
        0.01043,
    )
    sc, sd, ta, tb, u, ua, ub, zf, zt, fa = (
        0.018,
        0.02,
        0.02308,
        0.00916,
        0.04,
        0.01228,
        0.00449,
        0.02,
        0.04,
        0.01421,
    )
    masses = 0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498
    moments = 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5
    places = (ra, 0), (-da, 0), (sb, -sa), (0, ea - e), (ta, tb), (zf - fa, 0), (-ub, -ua)
    K = [
        model.add_body(f"K{k}", jd.Inertia(m, com=(x, y, 0), moments=(j, j, j)))
        for k, (m, j, (x, y)) in enumerate(zip(masses, moments, places, strict=True), 1)
    ]
    A, B, C = ((-0.06934, -0.00227, 0), (-0.03635, 0.03273, 0), (0.014, 0.072, 0))
    for name, parent, child in (
        ("beta", model.world, K[0]), ("theta", K[0].at(rr, 0, 0), K[1]),
        ("gamma", model.world.at(*B), K[2]), ("delta", model.world.at(*A), K[4]),
        ("phi", K[4].at(zt, 0, 0), K[3]), ("epsilon", model.world.at(*A), K[6]),
        ("omega", K[6].at(0, -u, 0), K[5]),
        ("E3", K[2].at(0, -ss, 0), K[1].at(-d, 0, 0)),
        ("E4", K[3].at(0, -e, 0), K[1].at(-d, 0, 0)), ("E6", K[5].at(zf, 0, 0), K[1].at(-d, 0, 0)),
    ):  # fmt: skip
        model.add_joint(name, parent, child, HINGE)
    length = Distance(model.world.at(*C), K[2].at(sd, -sc, 0))
    model.add_connection("spring", length, Spring(4530.0, free=0.07785))
    return model


START = {
    "beta": -0.0617138900142764496, "theta": 0.0, "gamma": 0.455279819163070380,
    "phi": 0.222668390165885884, "delta": 0.487364979543842550, "omega": -0.222668390165885884,
    "epsilon": 1.23054744454982119,
}  # fmt: skip
# At 0.03 s, IVP test set (PSIDE at 1e-14): angles [rad], rates [rad/s], multipliers [N].
ANGLES = {
    "beta": 15.81077119629904, "theta": -15.75637105984298, "gamma": 0.04082224013073101,
    "phi": -0.5347301163226948, "delta": 0.5244099658805304, "omega": 0.5347301163226948,
    "epsilon": 1.048080741042263,
}  # fmt: skip
RATES = {
    "beta": 1139.920302151208, "theta": -1424.379294994111, "gamma": 11.03291221937134,
    "phi": 19.29337464421385, "delta": 0.5735699284790808, "omega": -19.29337464421385,
    "epsilon": 0.3231791658026955,
}  # fmt: skip
MULTIPLIERS = {
    "E3": (199.1753333731910, -29.75531228015052), "E4": (23.06654119098399, 31.45271365475927),
    "E6": (22.64249232082739, 11.61740700019673),
}  # fmt: skip
CRANK = {  # time [s]: β [rad]
    0.01: 2.1601131315, 0.02: 8.1849058897, 0.03: 15.8107711952, 0.04: 24.3753049720,
    0.05: 33.8258677670,
}  # fmt: skip


@pytest.fixture(scope="module", params=[jd.Projection(), jd.Partition()], ids=str)
def squeezed(request):
    system = jd.compile(andrews(), cut=("E3", "E4", "E6"))
    start = {f"{name}.angle": value for name, value in START.items()}
    tight = jd.Dop853(rtol=1e-12, atol=1e-13)
    return jd.simulate(
        system, 0.05, start=start, inputs={"beta.angle": 0.033}, method=tight,
        sample=[0.0, *CRANK], constraints=request.param,
    )  # fmt: skip


def test_squeezer_at_thirty_milliseconds(squeezed):
    k = list(CRANK).index(0.03) + 1
    for name, angle in ANGLES.items():
        assert squeezed.values(f"{name}.angle")[k] == pytest.approx(angle, abs=1e-7)
        # The rates of the reference are right to nine digits of the crank's.
        assert squeezed.values(f"{name}.rate")[k] == pytest.approx(RATES[name], abs=2e-5)


def test_forces_in_the_loops_of_the_squeezer(squeezed):
    """In the plane they are unique though rows repeat others; M d²q/dt² = f − Gᵀλ."""
    k = list(CRANK).index(0.03) + 1
    carriers = {"E3": "K3", "E4": "K4", "E6": "K6"}
    for name, multipliers in MULTIPLIERS.items():
        place = squeezed.system.names.bodies.index(carriers[name])
        R = squeezed.system.poses(squeezed.q[k])[place, :3, :3]
        force = R @ squeezed.values(f"{name}.force")[k]
        np.testing.assert_allclose(-force[:2], multipliers, rtol=1e-6, atol=1e-4)


def test_squeezer_to_fifty_milliseconds(squeezed):
    np.testing.assert_allclose(squeezed.values("beta.angle")[1:], [*CRANK.values()], atol=1e-7)
    energy, angle = squeezed.values("energy.total"), squeezed.values("beta.angle")
    work = 0.033 * (angle - angle[0])
    np.testing.assert_allclose(energy - energy[0], work, atol=1e-9)


def test_start_of_the_squeezer(squeezed):
    """Accelerations at rest: d²β/dt² = 14222.4439199541 rad/s²; all others but Θ vanish."""
    system = squeezed.system
    q = squeezed.q[0]
    tau = system.forces({"beta.angle": 0.033})
    found = dict(
        zip(system.names.v, system.answers("vdot", q, 0 * squeezed.v[0], tau), strict=True)
    )
    assert found["beta.rate"] == pytest.approx(14222.4439199541, rel=1e-9)
    assert found["theta.rate"] == pytest.approx(-10666.8329399655854, rel=1e-9)
    rest = [found[f"{name}.rate"] for name in ("gamma", "phi", "delta", "omega", "epsilon")]
    np.testing.assert_allclose(rest, 0.0, atol=1e-6)
