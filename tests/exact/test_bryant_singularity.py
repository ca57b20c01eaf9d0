"""Bryant angles at a right angle: three rates, two directions (V16 of Sol's thesis)."""

import numpy as np
import pytest

import jourdain as jd


@pytest.mark.parametrize("side", [-1, 1])
def test_singular_position_is_reported(side):
    with pytest.raises(
        jd.SingularSystemError, match=r"Gimbal is singular .* span only 2 dimensions"
    ):
        jd.mode_vectors(jd.Gimbal(), (0.4, side * np.pi / 2, -0.3))


def test_regular_position_has_three_directions():
    free = jd.mode_vectors(jd.Gimbal(), (0.4, 1.5, -0.3)).free
    assert np.linalg.svd(free, compute_uv=False)[-1] == pytest.approx(np.sqrt(1 - np.sin(1.5)))


def test_mass_matrix_loses_rank():
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_joint("rings", model.world, ball, jd.Gimbal())
    system = jd.compile(model, execution=jd.Plain())
    values = np.linalg.eigvalsh(system.mass_matrix(np.array((0.4, np.pi / 2, -0.3))))
    assert abs(values[0]) < 1e-15
    assert values[1] > 1e-3
