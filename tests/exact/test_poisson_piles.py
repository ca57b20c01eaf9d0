"""Poisson's law of impact in groups of contacts: compression, then expansion."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.tending import assert_same_limit

import jourdain as jd

R, EXACT = 0.1, {"tolerance": 1e-12, "iterations": 2000}


def row_of_balls(impact, *, is_group):
    """Three balls that touch; the first pair gives nothing back, the second everything."""
    model = jd.Model("row", gravity=(0, 0, 0))
    names = ("a", "b", "c")
    balls = [jd.Sphere(model.add_body(n, jd.solid.ball(mass=1.0, radius=R)), R) for n in names]
    soft, hard = (jd.Coulomb(0.3, restitution=e, impact=impact) for e in (0.0, 1.0))
    if is_group:
        kinds = {name: [ball] for name, ball in zip(names, balls, strict=True)}
        model.add_contacts("row", kinds, {("a", "b"): soft, ("b", "c"): hard})
    else:
        model.add_contact("ab", balls[0], balls[1], soft)
        model.add_contact("bc", balls[1], balls[2], hard)
    start = {f"{name}.position": (2 * R * k, 0, 0) for k, name in enumerate(names)}
    start |= {"a.position": (-0.01, 0, 0), "a.velocity": (1.0, 0, 0)}
    return jd.simulate(model, 0.03, start=start, method=jd.MoreauJean(2e-3, **EXACT))


@pytest.mark.parametrize(
    ("impact", "speeds"),
    [(jd.Newton(), (1 / 3, 1 / 3, 1 / 3)), (jd.Poisson(), (1 / 6, 1 / 6, 2 / 3))],
)
def test_contacts_that_rest_rebound_by_poissons_law_only(impact, speeds):
    """Compression: Λ = (2/3, 1/3), all at 1/3. Expansion: 1/3 back between b and c; a follows b."""
    for is_group in (True, False):
        sol = row_of_balls(impact, is_group=is_group)
        found = [float(sol[f"{name}.velocity.x"][-1]) for name in "abc"]
        np.testing.assert_allclose(found, speeds, atol=1e-10)
        impact_noted = next(event for event in sol.events if event.kind == "impact")
        assert float(impact_noted.details["energy"]) == pytest.approx(
            0.5 * np.square(speeds).sum() - 0.5, abs=1e-10
        )


def cluster(law, seed, h=1e-3, *, is_group):
    """A ball falls onto two that lie on the floor and touch each other."""
    model, rng = jd.Model("cluster"), np.random.default_rng(seed)
    floor = jd.HalfSpace(model.world)
    balls = [
        jd.Sphere(model.add_body(f"b{k}", jd.solid.ball(mass=1.0 + 0.3 * k, radius=R)), R)
        for k in range(3)
    ]
    if is_group:
        model.add_contacts("cluster", [floor, *balls], law)
    else:
        every = [floor, *balls]
        for i, a in enumerate(every):
            for j, b in enumerate(every[:i]):
                model.add_contact(f"c{j}{i}", b, a, law)
    start = {"b0.position": (-R, 0, R), "b1.position": (R, 0, R)}
    top = (1.0 + np.sqrt(3.0)) * R + 1e-4
    start |= {"b2.position": (0, 0, top), "b2.velocity": (*rng.normal(size=2), -2.0)}
    start["b2.angular_velocity"] = tuple(5.0 * rng.normal(size=3))
    method = jd.MoreauJean(h, **EXACT, corrects_positions=False)
    return jd.simulate(model, 0.01, start=start, method=method, sample=1e-3)


@pytest.mark.parametrize(
    "law",
    [
        jd.Coulomb((0.2, 0.5), restitution=0.5, rolling=0.002, drilling=0.01, impact=jd.Poisson()),
        jd.Unilateral(restitution=lambda v: 0.8 / (1.0 + v), impact=jd.Poisson()),
    ],
)
def test_simultaneous_impacts_are_those_of_single_contacts(law):
    _, single = assert_same_limit(lambda x, h: cluster(law, 0, h, is_group=x), 1e-3, 2.0)
    assert len(single.events) > 0


@pytest.mark.parametrize("seed", range(4))
def test_no_energy_is_created(seed):
    law = jd.Coulomb(0.6, restitution=0.9, impact=jd.Poisson())
    sol = cluster(law, seed, is_group=True)
    total = sol["energy.total"].values
    assert (np.diff(total) <= 1e-9).all()
    assert total[-1] < total[0] - 0.01


def test_a_ball_bounces_and_comes_to_rest():
    model = jd.Model("bounce")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=R))
    law = jd.Coulomb(0.3, restitution=0.5, rolling=0.002, drilling=0.001, impact=jd.Poisson())
    model.add_contacts("floor", [jd.HalfSpace(model.world), jd.Sphere(ball, R)], law)
    start = {"ball.position": (0, 0, 0.3), "ball.velocity": (0.1, 0, 0)}
    sol = jd.simulate(
        model, 2.0, start=start, method=jd.MoreauJean(5e-3, corrects_positions=False), sample=0.05
    )
    for event in sol.events[:3]:
        before, after = (event.details[word][0][0] for word in ("before", "after"))
        assert after == pytest.approx(-0.5 * before, rel=1e-9)
    assert not sol.v[-1].any()
    assert (np.diff(sol["energy.total"].values) <= 1e-9).all()
