"""Time stepping against the tutorials of Siconos at the same step (theta = 1/2): step by step.

The numbers are results of Siconos (Apache-2.0).
"""

import numpy as np
import pytest

import jourdain as jd

BALL = [
    (0.5, 0.1744884999999991, 3.531600000000007),
    (0.9, 0.8023285, -0.3923999999999992),
    (1.3, 0.1074984625, 3.281445),
    (1.7, 0.6352764625000004, -0.6425549999999985),
    (2.1, 0.2624609012500011, 2.295049499999998),
    (2.5, 0.3956807012500005, -1.628950500000001),
]  # time [s], height [m], velocity [m/s]
OSCILLATOR = [
    (1.0, 11.38901295126014, -6.617952262720126),
    (11.0, -3.639701716384263, 5.74003174176248),
    (22.45, 0.6820441351954105, 0.0),
]
BEADS = [
    0.2047446374978044,
    0.4136717691181335,
    0.6196018354791276,
    0.8243530016075516,
    1.030436432120269,
    1.231983660200892,
    1.434091093516323,
    1.634257330225047,
    1.835399104311962,
    2.037095888146139,
]  # heights [m] at 0.6 s


def falling(model, name):
    model.add_coordinate(name, 1.0, unit="m")
    model.add_connection(f"weight_{name}", jd.Coordinate(name), jd.Force(-9.81))
    return jd.Coordinate(name)


def test_bouncing_ball():
    model = jd.Model("ball", gravity=(0.0, 0.0, 0.0))
    model.add_connection("floor", falling(model, "z"), jd.Unilateral(restitution=0.9))
    method = jd.MoreauJean(5e-3)
    sol = jd.simulate(model, 2.6, start={"z.value": 1.0}, method=method, sample=5e-3)
    for t, z, v in BALL:
        k = round(t / 5e-3)
        np.testing.assert_allclose([sol.time[k], sol.q[k, 0], sol.v[k, 0]], [t, z, v], atol=1e-12)


@pytest.mark.slow
def test_oscillator_with_dry_friction():
    model = jd.Model("oscillator", gravity=(0.0, 0.0, 0.0))
    model.add_coordinate("x", 1.0, unit="m")
    model.add_connection("spring", jd.Coordinate("x"), jd.Spring(1.0))
    model.add_connection("brake", jd.Coordinate("x"), jd.Interval(1.0))
    method, start = jd.MoreauJean(1e-2), {"x.value": 12.0, "x.rate": 6.0}
    sol = jd.simulate(model, 22.5, start=start, method=method, sample=1e-2)
    for t, x, v in OSCILLATOR:
        k = round(t / 1e-2)
        np.testing.assert_allclose([sol.time[k], sol.q[k, 0], sol.v[k, 0]], [t, x, v], atol=1e-11)


def test_column_of_beads():
    model = jd.Model("beads", gravity=(0.0, 0.0, 0.0))
    beads = [falling(model, f"z{k}") for k in range(10)]
    model.add_connection("floor", beads[0], jd.Unilateral(0.1, restitution=0.9))
    for k in range(9):
        between = jd.Unilateral(0.2, restitution=0.9)
        model.add_connection(f"pair_{k}", beads[k + 1] - beads[k], between)
    start = {f"z{k}.value": 1.0 + 0.25 * k for k in range(10)}
    sol = jd.simulate(
        model, 0.6, start=start, method=jd.MoreauJean(5e-4, corrects_positions=False), sample=0.1
    )
    np.testing.assert_allclose(sol.q[-1], BEADS, atol=1e-12)
