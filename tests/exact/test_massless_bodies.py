"""Joints in series through massless bodies move as the joint that is all of them at once."""

import numpy as np
import pytest

import jourdain as jd

PAIRS = {
    "universal": (jd.Universal("x", "y"), (jd.Revolute("x"), jd.Revolute("y"))),
    "cylindrical": (jd.Cylindrical("z"), (jd.Prismatic("z"), jd.Revolute("z"))),
    "planar": (jd.Planar("z"), (jd.Prismatic("x"), jd.Prismatic("y"), jd.Revolute("z"))),
    "gimbal": (jd.Gimbal(), (jd.Revolute("x"), jd.Revolute("y"), jd.Revolute("z"))),
}
SOLID = jd.Inertia(1.3, (0.2, 0.1, -0.3), ((0.3, 0.02, 0.0), (0.02, 0.25, 0.01), (0.0, 0.01, 0.2)))
TURN = jd.rotation_x(0.4) @ jd.rotation_z(-1.1)


def machine(kinds):
    """Arm with a tool, the last kinds between them in series."""
    model = jd.Model("machine")
    arm = model.add_body("arm", jd.solid.box(2.0, (0.5, 0.1, 0.2)))
    model.add_joint("base", model.world, arm, jd.Revolute("z"))
    place = arm.at(0.5, 0.1, 0.0, rotation=TURN)
    for k, kind in enumerate(kinds, 1):
        last = k == len(kinds)
        body = model.add_body(f"part_{k}", SOLID if last else jd.Inertia(0.0))
        model.add_joint(f"joint_{k}", place, body.at(0.1, 0, 0) if last else body, kind)
        place = body
    return model


@pytest.mark.parametrize("execution", [jd.Unrolled(), jd.Looped(), jd.Plain()], ids=str)
@pytest.mark.parametrize("name", PAIRS)
def test_series(name, execution, rng):
    whole, parts = PAIRS[name]
    systems = [jd.compile(machine(kinds), execution=execution) for kinds in ((whole,), parts)]
    n = len(systems[0].names.v)
    for _ in range(5):
        q, v, tau = rng.uniform(-1, 1, n), rng.uniform(-2, 2, n), rng.uniform(-3, 3, n)
        one, many = (s.forward_dynamics(q, v, tau) for s in systems)
        np.testing.assert_allclose(many, one, rtol=1e-11, atol=1e-11)
        one, many = (s.mass_matrix(q) for s in systems)
        np.testing.assert_allclose(many, one, atol=1e-13)
        ends = [s.poses(q)[-1] for s in systems]
        np.testing.assert_allclose(ends[1], ends[0], atol=1e-14)
