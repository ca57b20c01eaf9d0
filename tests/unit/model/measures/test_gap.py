import numpy as np
import pytest

import jourdain as jd
from jourdain.model import Model
from jourdain.model.contours import HalfSpace, Sphere
from jourdain.model.laws import Law, Spring
from jourdain.model.measures import Gap
from jourdain.spatial import solid


def drop(law, radius=0.1):
    model = Model("drop")
    ball = model.add_body("ball", solid.ball(1.0, 0.1))
    model.add_joint("fall", model.world, ball, jd.Free())
    model.add_contact("floor", HalfSpace(model.world), Sphere(ball, radius), law)
    return model


def test_frames_of_both_contours_belong_to_the_measure():
    gap = drop(Spring(1.0)).connection("floor").measure
    assert [f.body for f in gap.frames] == ["world", "ball"]
    assert (gap.size, gap.unit, gap.force_unit) == (1, "m", "N")


def test_parameters_of_contours_belong_to_the_model():
    radius = jd.Parameter("radius", 0.2, "m")
    model = drop(Spring(1.0), radius)
    assert model.parameters["radius"] is radius
    assert (2.0 * Gap(*(vars(model.connection("floor").measure).values()))).frames


@pytest.mark.parametrize("height", [0.05, 0.3])
def test_a_smooth_law_pushes_the_ball_off_the_floor(height):
    model = drop(Law(lambda x, v: jd.where(x < 0.0, -1e3 * x, 0.0 * x)))
    q, v = jd.compile(model).state({"fall.position.z": height})
    vdot = jd.compile(model).forward_dynamics(q, v)
    np.testing.assert_allclose(vdot[2], 1e3 * max(0.1 - height, 0.0) - 9.81, atol=1e-12)


def test_set_valued_laws_are_taken():
    law = jd.Coulomb(friction=0.3, restitution=0.5)
    assert drop(law).connection("floor").law is law
