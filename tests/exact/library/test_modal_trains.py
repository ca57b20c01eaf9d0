"""Shafts by Ritz and trains by modes against closed forms and each other (5.F3, 5.V17, 4.F68)."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.library import powertrain as pt


def frequencies(model, count):
    return [2.0 * np.pi * m.frequency for m in jd.eigenmodes(model)][1 : count + 1]


@pytest.mark.parametrize(
    ("hub", "exact", "ritz"),
    [
        (0.5, (2.2889297, 5.0869851), {1: 2.3169692, 2: 2.2924721, 4: 2.2893817}),
        (1.0, (2.0287578, 4.9131804), {1: 2.0368795, 2: 2.0298680, 4: 2.0289017}),
        (5.0, (1.6886827, 4.7544302), {1: 1.6890233, 2: 1.6887323, 4: 1.6886892}),
    ],
)
def test_shaft_with_a_hub(hub, exact, ritz):
    """5.V17: the sines of the book; polynomials, which need few to be exact."""

    def first(shapes):
        model = jd.Model("hub", gravity=(0, 0, 0))
        wheel = model.add("wheel", pt.Shaft(hub))
        shaft = model.add("shaft", pt.RitzShaft(1.0, 1.0, shapes))
        model.add("key", pt.Gear(wheel.angle, shaft.a, 1.0))
        return frequencies(model, 2)

    for n, wanted in ritz.items():
        sines = [lambda s, k=k: np.sin((k - 0.5) * np.pi * s) for k in range(1, n + 1)]
        assert first(sines)[0] == pytest.approx(wanted, abs=2e-7)
    np.testing.assert_allclose(first(9), exact, atol=2e-7)


def test_stepped_shaft_equals_a_chain():
    """A tapered shaft, and 1600 discs on 1599 springs of the same taper."""
    n, taper = 1600, lambda s: (1.0 - 0.5 * s) ** 4
    edges = np.linspace(0.0, 1.0, n + 1)
    middles = 0.5 * (edges[1:] + edges[:-1])
    J = taper(middles) / taper(middles).sum()
    soft = 1.0 / taper(edges[1:-1]) / n
    soft *= 1.0 / np.mean(1.0 / taper(middles))
    k = 1.0 / soft
    K = np.diag(np.r_[k, 0.0] + np.r_[0.0, k]) - np.diag(k, 1) - np.diag(k, -1)
    scaled = K / np.sqrt(np.outer(J, J))
    wanted = np.sqrt(np.linalg.eigvalsh(scaled)[1:4])
    model = jd.Model("taper", gravity=(0, 0, 0))
    model.add("shaft", pt.RitzShaft(1.0, 1.0, 12, section=taper))
    np.testing.assert_allclose(frequencies(model, 3), wanted, rtol=2e-5)


def test_static_twist_and_torque_at_a_place():
    """Torque in at the middle, out at b: half the shaft is twisted by M/2c, the rest not at all."""
    model = jd.Model("shaft", gravity=(0, 0, 0))
    shaft = model.add("shaft", pt.RitzShaft(0.1, 400.0, 30, lehr=0.7, places={"cam": 0.5}))
    model.add_connection("hold", shaft.b, jd.Equal())
    model.add_connection("push", shaft.cam, jd.Force(20.0))
    sol = jd.simulate(model, 0.5)
    assert sol.values("shaft.angle_cam")[-1] == pytest.approx(0.025, rel=0.02)
    assert sol.values("shaft.angle_a")[-1] == pytest.approx(0.025, rel=1e-3)
    assert sol.values("shaft.twist")[-1] == pytest.approx(0.025, rel=1e-3)
    assert sol.values("shaft.angle_b")[-1] == pytest.approx(0.0, abs=1e-12)


def pushed(build):
    model = jd.Model("pushed", gravity=(0, 0, 0))
    a, b = build(model)
    load = model.add("load", pt.Shaft(0.7))
    model.add("joint", pt.Coupling(b, load.angle, 900.0, damping=1.0))
    law = jd.Law(lambda x, v, at: at.input("push.torque"), inputs={"torque": "N m"})
    model.add_connection("push", a, law)
    return model


def chain(model):
    shaft = model.add("shaft", pt.ElasticShaft(0.5, 400.0, discs=20))
    first = model.add("first", pt.Shaft(0.2))
    model.add("key", pt.Gear(first.angle, shaft.a, 2.0))
    return first.angle, shaft.b


def test_modes_of_a_train_take_its_place():
    """All modes: the same motion; a few of them: the same for what is slow."""
    whole = jd.Model("whole", gravity=(0, 0, 0))
    chain(whole)
    ports = {"a": "first.angle", "b": "shaft.disc_20"}
    runs, ends = {}, {}
    for n in (0, 20, 5):
        build = chain if n == 0 else _modal(whole, ports, n)
        sol = jd.simulate(pushed(build), 1.0, inputs={"push.torque": lambda t: 3.0}, sample=0.01)
        runs[n] = sol.values("load.speed")
        names = ("first.angle", "first.speed") if n == 0 else ("train.angle_a", "train.speed_a")
        ends[n] = [sol.values(name) for name in names]
    np.testing.assert_allclose(runs[20], runs[0], atol=1e-6)
    np.testing.assert_allclose(ends[20], ends[0], atol=1e-6)
    np.testing.assert_allclose(runs[5], runs[0], atol=0.02 * np.abs(runs[0]).max())
    few = pt.modal_train(whole, ports, 5)
    wanted = [m.frequency for m in jd.eigenmodes(whole)][:5]
    np.testing.assert_allclose(few.frequencies, wanted, atol=1e-6)


def _modal(whole, ports, n):
    def build(model):
        train = model.add("train", pt.modal_train(whole, ports, n))
        return train.a, train.b

    return build
