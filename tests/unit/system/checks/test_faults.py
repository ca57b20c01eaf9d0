import numpy as np

import jourdain as jd
from jourdain.errors import ModelError, SingularSystemError
from jourdain.model.laws import Equal, Law, Spring
from jourdain.model.measures import Coordinate, Distance
from jourdain.system.checks.faults import connection_fault


def machine(law):
    model = jd.Model("machine")
    ball = model.add_body("ball", jd.solid.ball(1.0, 0.1))
    model.add_joint("slide", model.world, ball, jd.Prismatic("x") * jd.Prismatic("y"))
    model.add_connection("rope", Distance(model.world, ball), law)
    model.add_connection("odd", Coordinate("slide.position_1"), Law(lambda x: 1.0 / (x - 1.0)))
    return jd.compile(model)


def test_no_fault():
    assert connection_fault(machine(Spring(1.0)), [0.5, 0.0], [0.0, 0.0], 0.0) is None


def test_a_measure_without_a_derivative():
    for law in (Spring(1.0), Equal(1.0)):
        fault = connection_fault(machine(law), [0.0, 0.0], [0.0, 0.0], 2.0)
        assert isinstance(fault, SingularSystemError)
        assert "'rope'" in str(fault)
        assert "t = 2 s" in str(fault)


def test_a_law_without_a_number():
    fault = connection_fault(machine(Spring(1.0)), [1.0, 0.0], [0.5, 0.0], 0.0)
    assert isinstance(fault, ModelError)
    assert "connection 'odd': its law Law gives the force inf" in str(fault)
    assert "the rate 0.5 m/s" in str(fault)


def test_a_batch_keeps_its_other_rows():
    system = machine(Spring(1.0, free=0.1))
    found = system.forward_dynamics(np.array([[0.0, 0.0], [0.5, 0.0]]), np.zeros((2, 2)))
    assert np.isnan(found[0]).any()
    assert np.isfinite(found[1]).all()


def test_stops_before_the_odd_law_do_not_shift_the_blame():
    model = jd.Model("stops")
    model.add_coordinate("a", 1.0)
    model.add_connection("stop", Coordinate("a"), jd.Unilateral(-5.0))
    model.add_connection("lock", Coordinate("a"), jd.Locked("locked"))
    model.add_connection("odd", Coordinate("a"), Law(lambda x: 1.0 / (x - 1.0)))
    fault = connection_fault(jd.compile(model), [1.0], [0.0], 0.0)
    assert "'odd'" in str(fault)
