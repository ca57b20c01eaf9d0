from __future__ import annotations

import numpy as np

import jourdain as jd
from jourdain.analysis.linear.contact_forces import ContactForces
from jourdain.simulation.contact.rows import Contacts
from jourdain.system.contact.kernels import ContactKernels


def block():
    """A ball on the floor, friction 0.5: one normal row and two tangents."""
    model = jd.Model("ball")
    ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_contact("floor", jd.HalfSpace(model.world), jd.Sphere(ball, 0.1), jd.Coulomb(0.5))
    system = jd.compile(model)
    contacts = Contacts(system, ContactKernels(system, {}, {}, {}), np.zeros(0))
    q, v = system.state({"ball.position": (0, 0, 0.1)})
    return ContactForces(contacts), contacts.rows(q, v, np.zeros(8), 0.0)


def test_forces_go_to_rows_and_back():
    forces_of, _ = block()
    touch = np.array([5.0, 1.0, -2.0])
    rows = forces_of.rows_of(touch)
    np.testing.assert_array_equal(forces_of.touch_of(rows), touch)
    assert not forces_of.rows_of(None).any()


def test_what_holds():
    forces_of, rows = block()
    assert len(forces_of.held(forces_of.rows_of([5.0, 1.0, 1.0]), rows)) == 3
    assert len(forces_of.held(forces_of.rows_of([5.0, 2.5, 0.0]), rows)) == 1  # slides
    assert not forces_of.held(forces_of.rows_of([0.0, 0.0, 0.0]), rows)


def test_friction_beyond_its_limit_stays_there():
    """The exact forces of held rows would need 4 N of friction with 5 N: 2.5 N are left."""
    forces_of, rows = block()
    start = forces_of.rows_of([5.0, 1.0, 0.0])
    wanted = forces_of.rows_of([5.0, 4.0, 0.0])
    found = forces_of.touch_of(forces_of.exact(np.eye(3), -wanted, start, rows))
    np.testing.assert_allclose(found, [5.0, 2.5, 0.0])
    pulled = forces_of.rows_of([-1.0, 1.0, 0.0])
    np.testing.assert_allclose(forces_of.exact(np.eye(3), -pulled, start, rows), 0.0, atol=1e-12)
