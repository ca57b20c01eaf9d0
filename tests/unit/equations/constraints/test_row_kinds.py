"""Rows on symbols of their own bodies, against plain vectors."""

import casadi as ca
import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.constraints.row_kinds import (
    cut_joint_rows,
    entries_along,
    held_rows,
    mass_entry,
    simple,
)
from jourdain.model.connection import Connection
from jourdain.model.elements import Frame, JointElement

ANY = {"pose": (None,) * 16, "twist": (None,) * 6, "acceleration": (None,) * 6}


def value(reads, expression, **arrays):
    """Number of an expression whose symbols are read from arrays by the names of pointers."""
    symbols = ca.vertcat(*(symbol for symbol, _, _ in reads))
    numbers = [float(arrays[p][k]) if p in arrays else 0.0 for _, p, k in reads]
    return np.array(ca.Function("value", [symbols], [expression])(numbers)).squeeze()


def test_entry_of_a_row(rng):
    """P = a · w + b · (u + w × (p − p_k)), and sizes before terms cancel (CD-6)."""
    J, sizes, column, pose = (rng.normal(size=n) for n in (12, 4, 9, 16))
    reads, entries, squares = entries_along((None,) * 16, (None,) * 9, (None,) * 16)
    given = {"rows": [*J, *sizes], "column": column, "pose": pose}
    w, u, p = np.split(column, 3)
    moved = u + np.cross(w, pose[[3, 7, 11]] - p)
    rows = J.reshape(2, 6)
    wanted = rows[:, :3] @ w + rows[:, 3:] @ moved
    np.testing.assert_allclose(value(reads, entries, **given), wanted, rtol=1e-13)
    wanted = sizes[:2] * (w @ w) + sizes[2:] * (moved @ moved)
    np.testing.assert_allclose(value(reads, squares, **given), wanted, rtol=1e-13)


def test_known_entries_are_not_read():
    """A mode about z in a plane: what rows across the plane would read is not there."""
    derivatives = (0.0, 0.0, None, 0.0, 0.0, 1.0, None, None)
    planar = (0.0, 0.0, 1.0, 0.0, 0.0, 0.0, None, None, 0.0)
    reads, entries, _ = entries_along(derivatives, planar, (None,) * 16)
    assert float(value(reads, entries, rows=[7.0, 2.0, 3.0])) == 7.0
    assert max(k for _, pointer, k in reads if pointer == "rows") == 2


def test_entry_of_the_mass_matrix(rng):
    inner, outer, F = (rng.normal(size=n) for n in (9, 9, 7))
    w, u, p = np.split(inner, 3)
    wanted = w @ F[:3] + (u + np.cross(w, outer[6:] - p)) @ F[3:6]
    for is_diagonal in (False, True):  # the armature follows the momentum
        reads, entry = mass_entry((None,) * 9, (None,) * 9, is_diagonal)
        found = value(reads, entry, inner=inner, outer=outer, momentum=F)
        assert float(found) == pytest.approx(wanted + F[6] * is_diagonal, rel=1e-12)


def test_rows_of_a_cut_joint(rng):
    """A ball joint: three rows that are the distance of its ends, and all rates of the ball."""
    element = JointElement("ball", Frame("a"), Frame("b", (1.0, 0.0, 0.0)), jd.Spherical())
    numbers = [0.0] * 3 + [*np.eye(3).ravel()], [0.3, 0.2, 0.1, *np.eye(3).ravel()]
    kind = cut_joint_rows(element, tuple(map(simple, numbers)), {"a": ANY, "b": ANY}, {})
    assert kind.n == 3
    assert kind.is_holonomic
    poses = [np.eye(4).ravel() for _ in range(2)]
    poses[1][[3, 7, 11]] = 0.5, 0.0, 0.0
    given = {"pose0": poses[0], "pose1": poses[1], "constants": [*numbers[0], *numbers[1]]}
    given["coordinates"] = [1.0, 0.0, 0.0, 0.0]
    gap = value(kind.reads, kind.gap, **given)
    np.testing.assert_allclose(gap, [0, 0, 0, 0.8, 0.2, 0.1], atol=1e-14)
    twists = rng.normal(size=(2, 6))
    rate = value(kind.reads, kind.rate, twist0=twists[0], twist1=twists[1], **given)
    through = [value(kind.reads, J, **given) for J, _, _ in kind.bodies]
    np.testing.assert_allclose(rate, through[0] @ twists[0] + through[1] @ twists[1], atol=1e-13)


def test_rows_of_a_held_coordinate():
    law = jd.Equal(lambda t: 2.0 * t)
    connection = Connection("drive", jd.Coordinate("main.angle"), law)
    kind, bodies, names = held_rows(connection, law, {}, ("main.angle",), {})
    assert (bodies, names) == ([], ["main.angle"])
    given = {"q0": [0.7], "v0": [0.4], "t": [0.1]}
    assert float(value(kind.reads, kind.error, **given)) == pytest.approx(0.5)
    assert float(value(kind.reads, kind.rate, **given)) == pytest.approx(-1.6)
    assert float(kind.coordinates[0]) == 1.0
