"""Impacts of groups by Poisson's law: without Python, and as those of single contacts."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.contact.steps.time_stepping import TimeSteppingRun

R = 0.1


def cluster(law, n, h=1e-3):
    """A ball falls onto a row of balls that lie on a floor and touch each other."""
    model = jd.Model("cluster")
    floor, start = jd.HalfSpace(model.world), {}
    balls = [
        jd.Sphere(model.add_body(f"b{k}", jd.solid.ball(mass=1.0 + 0.3 * k, radius=R)), R)
        for k in range(n + 1)
    ]
    model.add_contacts("cluster", [floor, *balls], law)
    start = {f"b{k}.position": (2.0 * R * k, 0, R) for k in range(n)}
    top = (1.0 + np.sqrt(3.0)) * R + 1e-4
    start |= {f"b{n}.position": (R, 0, top), f"b{n}.velocity": (0.3, 0.1, -2.0)}
    return jd.simulate(model, 0.02, start=start, method=jd.MoreauJean(h), sample=1e-3)


LAWS = {
    "disc": jd.Coulomb(0.3, restitution=0.5, impact=jd.Poisson()),
    "ellipse": jd.Coulomb((0.2, 0.5), restitution=0.5, impact=jd.Poisson()),
    "turning": jd.Coulomb(0.3, restitution=0.8, rolling=0.002, drilling=0.01, impact=jd.Poisson()),
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("n", [2, 12])
def test_impacts_are_machine_code_and_create_no_energy(monkeypatch, law, n):
    monkeypatch.setattr(TimeSteppingRun, "_hit", None)
    monkeypatch.setattr(TimeSteppingRun, "_solve_island", None)
    sol = cluster(LAWS[law], n)
    total = sol["energy.total"].values
    assert any(event.kind == "impact" for event in sol.events)
    assert (np.diff(total) <= 1e-9).all()
    assert total[-1] < total[0] - 0.01
    assert sol.statistics.residual <= 1e-5
