"""What solutions tell of groups of contacts."""

import numpy as np
import pytest

import jourdain as jd

WEIGHT = 9.81


@pytest.fixture(scope="module")
def sol():
    """A lever on a hinge with a ball on it, both above the ground."""
    model = jd.Model("lever")
    lever = model.add_body("lever", jd.solid.box(mass=1.0, size=(1.0, 0.2, 0.1)))
    ball = model.add_body("ball", jd.solid.ball(mass=2.0, radius=0.1))
    model.add_joint("hinge", model.world.at(0, 0, 0.5), lever.at(-0.5, 0, 0), jd.Revolute("y"))
    post = jd.Sphere(model.world.at(0.5, 0, 0.35), 0.1)
    contours = [post, jd.Box(lever, (1.0, 0.2, 0.1)), jd.Sphere(ball, 0.1)]
    model.add_contacts("touch", contours, jd.Coulomb(friction=0.5))
    start = {"ball.position": (0.25, 0, 0.65)}
    return jd.simulate(model, 0.1, start=start, sample=0.02)


def test_forces_balance(sol):
    np.testing.assert_allclose(sol["ball.contact_force"][-1], [0, 0, 2 * WEIGHT], atol=1e-3)
    force, torque = (sol[f"lever.contact_{word}"][-1].values for word in ("force", "torque"))
    about_hinge = torque + np.cross([0.5, 0.0, 0.0], force)  # which friction holds, too
    np.testing.assert_allclose(about_hinge, [0, -0.5 * WEIGHT, 0], atol=1e-9)
    weight = [0.0, 0.0, WEIGHT]
    np.testing.assert_allclose(sol["hinge.force"][-1].values + force, weight, atol=1e-9)
    post = force[2] + 2 * WEIGHT
    assert float(sol["touch.normal_force"][-1]) == pytest.approx(post + 2 * WEIGHT, rel=1e-9)
    np.testing.assert_allclose(sol["ball.acceleration"][-1], 0.0, atol=1e-3)
    assert float(sol["touch.count"][-1]) == 2.0
    assert float(sol["touch.penetration"].max()) < 1e-6
    assert float(sol["touch.residual"].max()) < 1e-5


def test_a_saved_solution_has_the_same_channels(sol, tmp_path):
    sol.save(tmp_path / "run.nc")
    loaded = jd.load(tmp_path / "run.nc")
    assert loaded.names() == sol.names()
    for name in ("touch.count", "lever.contact_torque", "hinge.force"):
        np.testing.assert_array_equal(loaded[name], sol[name])


def test_between_samples_the_loads_lie_between_theirs(sol):
    k = int(np.searchsorted(sol.time, 0.09, side="right")) - 1
    ends = sol["ball.contact_force"].values[k : k + 2]
    force = sol.at(0.09)["ball.contact_force"].values
    assert np.all((ends.min(0) <= force) & (force <= ends.max(0)))
    assert float(sol.at(0.09)["touch.count"]) == float(sol["touch.count"][k])
