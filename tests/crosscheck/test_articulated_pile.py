"""Trees and loops among loose bodies against the engine for single contacts."""

from __future__ import annotations

import pytest
from oracles.tending import assert_same_limit

import jourdain as jd

EXACT = {"tolerance": 1e-14, "iterations": 4000}


def _double_pendulum(model):
    """Double pendulum with balls at its joints; contours of the balls."""
    rods = [model.add_body(f"rod{k}", jd.solid.rod(mass=1.0, end=(0, 0, -0.5))) for k in (1, 2)]
    model.add_joint("top", model.world.at(0, 0, 1.2), rods[0], jd.Revolute("y"))
    model.add_joint("middle", rods[0].at(0, 0, -0.5), rods[1], jd.Revolute("y"))
    return [jd.Sphere(rod.at(0, 0, -0.5), 0.05) for rod in rods]


def _parallelogram(model):
    """Four-bar linkage whose coupler carries a ball."""
    down = {"mass": 1.0, "end": (0, 0, -0.5)}
    left, right = (model.add_body(name, jd.solid.rod(**down)) for name in ("left", "right"))
    coupler = model.add_body("coupler", jd.solid.rod(mass=1.0, end=(0.4, 0, 0)))
    model.add_joint("a", model.world.at(0, 0, 1.0), left, jd.Revolute("y"))
    model.add_joint("b", model.world.at(0.4, 0, 1.0), right, jd.Revolute("y"))
    model.add_joint("c", left.at(0, 0, -0.5), coupler, jd.Revolute("y"))
    model.add_joint("d", right.at(0, 0, -0.5), coupler.at(0.4, 0, 0), jd.Revolute("y"))
    return [jd.Sphere(coupler.at(0.2, 0, 0), 0.05)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "start"),
    [(_double_pendulum, {"top.angle": 0.7}), (_parallelogram, {"a.angle": 0.7})],
)
def test_a_mechanism_among_loose_balls(make, start):
    def run(is_group, h):
        model = jd.Model("mixed")
        own = make(model)
        balls = [model.add_body(f"ball{k}", jd.solid.ball(mass=0.4, radius=0.08)) for k in (1, 2)]
        spheres = [jd.Sphere(ball, 0.08) for ball in balls]
        wall = jd.HalfSpace(model.world.at(0.5, 0, 0), normal=(-1.0, 0.0, 0.0))
        law = jd.Coulomb(friction=0.3, restitution=0.4)
        contours = [wall, jd.HalfSpace(model.world), *own, *spheres]
        if is_group:
            model.add_contacts("pile", contours, law)
        else:
            apart = [(a, b) for k, a in enumerate(contours) for b in contours[k + 1 :]]
            for k, (a, b) in enumerate(apart):
                if a.frame.body != b.frame.body:
                    model.add_contact(f"c{k}", a, b, law)
        places = {"ball1.position": (0.2, 0.01, 0.3), "ball2.position": (0.1, 0.0, 0.7)}
        method = jd.MoreauJean(h, **(EXACT if is_group else {}))
        return jd.simulate(model, 0.5, start=start | places, method=method, sample=0.02)

    _, single = assert_same_limit(run, 1e-3, 4.0)  # small rebounds of groups are held at once
    assert len(single.events) > 1
