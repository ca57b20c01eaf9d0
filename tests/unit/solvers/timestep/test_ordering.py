"""Order of elimination."""

import pytest

from jourdain.solvers.timestep.ordering import order


def test_rows_have_the_fill_of_trees_only():
    """A chain that is eliminated from its leaves has no fill; a star neither."""
    chain = order(5, 5, [(i, i + 1) for i in range(4)])
    star = order(5, 5, [(0, i) for i in range(1, 5)])
    assert sum(map(len, chain.columns)) == sum(map(len, star.columns)) == 4
    assert sorted(chain.reach([0])) == chain.reach([0])


@pytest.mark.parametrize("constraint", [[0], [0, 4], [2]])
def test_constraints_come_after_their_coordinates(constraint):
    entries = [(i, i + 1) for i in range(4)] + [(5, k) for k in constraint]
    place = order(5, 6, entries).place
    assert all(place[5] > place[k] for k in constraint)
    assert sorted(place) == list(range(6))
