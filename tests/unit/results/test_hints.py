import numpy as np
import pytest

import jourdain as jd
from jourdain.results import Solution
from jourdain.results.hints import hints
from jourdain.results.statistics import Statistics

TIMES = np.linspace(0, 10, 101)


def cart(law=None, drive=None):
    model = jd.Model("cart")
    box = model.add_body("box", jd.solid.box(mass=1.0, size=(1, 1, 1)))
    driven = {} if drive is None else {"position": drive}
    model.add_joint("rail", model.world, box, jd.Prismatic("x"), driven=driven)
    model.add_joint(
        "arm", box, model.add_body("arm", jd.solid.rod(1.0, (0, 0, -1))), jd.Revolute("y")
    )
    if law is not None:
        model.add_connection("force", jd.Coordinate("rail.position"), law)
    return model


@pytest.mark.parametrize("kind", ["linear", "monotone"])
def test_corners_of_a_table_in_an_input(kind):
    table = jd.Table(TIMES, np.sin(TIMES), kind=kind)
    sol = jd.simulate(cart(), 10.0, inputs={"rail.position": table})
    assert ("corners" in str(sol)) == (kind == "linear")
    assert ("The table of 'rail.position'" in hints(sol)) == (kind == "linear")


def test_corners_of_a_table_in_a_law():
    sol = jd.simulate(cart(jd.Force(jd.Table(TIMES, np.sin(TIMES)))), 10.0)
    assert "The table of 'force' has corners" in hints(sol)


def test_few_corners_are_no_harm():
    sol = jd.simulate(cart(jd.Force(jd.Table((0, 1, 2), (0, 1, 0)))), 10.0)
    assert hints(sol) == ""


@pytest.mark.parametrize(
    ("steps", "rejected", "is_told"), [(30, 70, True), (70, 30, False), (3, 7, False)]
)
def test_most_steps_rejected(steps, rejected, is_told):
    system = jd.compile(cart())
    q, v = system.state()
    statistics = Statistics(method="Dop853()", steps=steps, rejected=rejected, evaluations=1000)
    sol = Solution(system, [0.0], [q], [v], statistics=statistics)
    assert ("70% of the steps were rejected" in str(sol)) == is_told
