"""Groups of contacts as a source of contact points."""

import numpy as np

import jourdain as jd
from jourdain.simulation.contact.steps.group_points import GroupPoints, apart_pairs, joined_bodies
from jourdain.solvers.timestep.groups.search import is_among, law_of_pair


def two_groups():
    model = jd.Model("pairs")
    a, b, c = (model.add_body(n, jd.solid.ball(mass=1.0, radius=0.1)) for n in "abc")
    model.add_joint("hinge", a, b, jd.Revolute("y"))
    kinds = {"soft": [jd.Sphere(a, 0.1), jd.Sphere(b, 0.1)], "hard": [jd.Sphere(c, 0.1)]}
    laws = {("soft", "soft"): jd.Coulomb(0.1), ("soft", "hard"): jd.Coulomb(0.2)}
    model.add_contacts("one", kinds, laws)
    model.add_contacts("two", [jd.HalfSpace(model.world), jd.Sphere(c, 0.1)], jd.Unilateral())
    return model


def test_laws_of_pairs_and_what_does_not_touch():
    points = GroupPoints(two_groups(), {})
    g = points.record
    table = [[law_of_pair(g, i, j) for j in range(5)] for i in range(5)]
    assert table[0][1] == -1  # a hinge connects them
    assert table[0][2] == table[1][2] == 1
    assert table[3][4] == 2
    assert table[0][3] == table[2][4] == -1  # other groups, or one body
    assert points.laws[2].integers[4] == 1
    assert points.bodies == ["a", "b", "c"]
    assert points.n_numbers == 4 * 2 + 6 * 3


def test_pairs_of_joined_bodies():
    model = two_groups()
    joined = joined_bodies(model)
    assert joined == {frozenset("ab")}
    assert list(apart_pairs(model.contact_groups["one"], joined)) == [(0, 1)]


def test_sorted_codes():
    codes = np.array([2, 5, 9])
    assert [k for k in range(12) if is_among(k, codes, 3)] == [2, 5, 9]
    assert not is_among(2, codes, 0)


def test_more_room_keeps_what_is_kept():
    points = GroupPoints(two_groups(), {})
    g = points.record
    g.n_kept, g.kept[:20], g.kept_integers[:7] = 1, np.arange(20.0), np.array([0, 2, 5, 0, 1, 0, 0])
    before = points.memory()
    points.make_room(4 * g.room)
    points.recall(before)
    after = points.memory()
    assert before.keys() == after.keys()
    for name in before:
        np.testing.assert_array_equal(before[name], after[name])
