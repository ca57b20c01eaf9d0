"""Motion of bodies with contours: twists are the Jacobians times velocities."""

import numpy as np

import jourdain as jd
from jourdain.system.contact.group_kernels import BodyMotion
from jourdain.system.contact.step_kernels import step_kernels


def test_twists_are_jacobians_times_velocities():
    model = jd.Model("arm")
    rods = [model.add_body(f"rod{k}", jd.solid.rod(mass=1.0, end=(0, 0, -0.5))) for k in (1, 2)]
    model.add_joint("top", model.world, rods[0], jd.Revolute("y"))
    model.add_joint("middle", rods[0].at(0, 0, -0.5), rods[1], jd.Spherical())
    ball = model.add_body("ball", jd.solid.ball(mass=0.4, radius=0.08))
    system = jd.compile(model)
    names = ["rod2", "ball"]
    motion, rng = BodyMotion(step_kernels(system, {}, {}), names), np.random.default_rng(1)
    q, v = rng.normal(size=len(system.names.q)), rng.normal(size=len(system.names.v))
    for start in (1, 8):
        q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
    given = [q, v, np.zeros(0), 0.0, np.zeros(0), np.zeros(motion.motion.inputs[-1][1])]
    frames, twists = motion.motion(*given)
    J = motion.jacobians(*given)[0].reshape(-1, 6)
    at = 0
    for k, (name, columns) in enumerate(zip(names, motion.columns, strict=True)):
        twist = sum(J[at + i] * v[j] for i, j in enumerate(columns))
        at += len(columns)
        np.testing.assert_allclose(twists[6 * k : 6 * k + 6], twist, atol=1e-13)
        pose = system.poses(q)[system.names.bodies.index(name)]
        np.testing.assert_allclose(frames[12 * k : 12 * k + 9], pose[:3, :3].ravel(), atol=1e-14)
        np.testing.assert_allclose(frames[12 * k + 9 : 12 * k + 12], pose[:3, 3], atol=1e-14)
    assert ball.name == "ball"
