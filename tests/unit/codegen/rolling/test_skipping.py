"""What conditions guard is skipped where none of them holds, and gives the same numbers."""

import casadi as ca
import numpy as np
import pytest

from jourdain.codegen.kernel import Kernel
from jourdain.codegen.lower import Place
from jourdain.codegen.rolling.core import Rolling
from jourdain.codegen.rolling.listing import listed
from jourdain.codegen.rolling.skipping import skipping

N = 13  # instances: no multiple of the lanes


def costly(x, y):
    for _ in range(4):
        x = x - (ca.sin(x) - y) / ca.sqrt(1.0 + x**2)
    return x


def one(x):
    """One guard."""
    return ca.if_else(x[0] < 0.0, costly(x[1], x[2]), 0.0)


def two(x):
    """A sum of two guards, and something that is always needed behind."""
    a = ca.if_else(x[0] < -0.5, costly(x[1], x[2]), 0.0)
    b = ca.if_else(x[1] < -0.5, costly(x[2], x[0]), 0.0)
    return a + 2.0 * b + x[0] * x[1]


def inner(x):
    """A guard within another, and one whose condition needs the first."""
    within = ca.if_else(x[1] < x[2], costly(x[2], x[0]), 0.0)
    first = ca.if_else(x[0] < 0.0, costly(x[1], x[2]) + within, 0.0)
    return ca.vertcat(first, ca.if_else(first < 0.1, costly(x[1] + 1.0, x[0]), 0.0))


def angles(x):
    """The sine of an angle is skipped, its cosine is always needed."""
    far = ca.if_else(x[0] < 0.0, costly(ca.sin(x[1]), x[2]), 0.0)
    return far + ca.cos(x[1]) * far + ca.cos(x[1])


def cases(x):
    """Two cases by turns: nothing can be skipped."""
    return ca.if_else(x[0] < 0.0, costly(x[1], x[2]), costly(x[2], x[1]))


def chained(x):
    """What one guard would skip needs another, directly and through a sum behind it."""
    first = ca.if_else(x[0] < 0.0, costly(x[1], x[2]), 0.0)
    second = ca.if_else(x[1] < 0.0, costly(x[2] + first, x[0]), 0.0)
    third = ca.if_else(x[2] < 0.0, costly(2.0 * second + x[0], x[1]), 0.0)
    return ca.vertcat(first, second + x[0], third)


def handed_on(x):
    """What a guard gives is, as it is or in a sum, what another one lets pass."""
    first = ca.if_else(x[0] < 0.0, costly(x[1], x[2]), 0.0)
    both = first + x[0]
    return ca.vertcat(both, ca.if_else(x[1] < 0.0, both, 0.0), ca.if_else(x[2] < 0.0, first, 0.0))


ALL = [one, two, inner, angles, cases, chained, handed_on]


def listing_of(make):
    x = ca.SX.sym("x", 3)
    return listed(ca.Function("f", [x], [ca.vertcat(make(x))]))


@pytest.mark.parametrize("make", ALL, ids=lambda f: f.__name__)
def test_passes_are_the_listing(make):
    listing = listing_of(make)
    found = skipping(listing)
    assert (found is None) == (make is cases)
    if found is not None:
        require_order(listing, found)


def require_order(listing, found):
    """Every value once, arguments first, and what is always needed needs nothing skipped."""
    order = [*found.before, *found.skipped, *found.guards, *found.behind]
    assert sorted(order) == list(range(len(listing)))
    place = {k: n for n, k in enumerate(order)}
    for k, given in enumerate(listing.arguments):
        if listing.operations[k] not in (ca.OP_INPUT, ca.OP_CONST):
            assert all(place[a] < place[k] for a in given)
    always = {*found.before, *found.guards, *found.behind}
    for k in always - set(found.guards):
        if listing.operations[k] not in (ca.OP_INPUT, ca.OP_CONST):
            assert always.issuperset(listing.arguments[k])


@pytest.mark.parametrize("make", ALL, ids=lambda f: f.__name__)
@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_numbers_are_those_of_the_graph(make, share):
    x = ca.SX.sym("x", 3 * N)
    value = ca.vertcat(*(make(x[3 * k : 3 * k + 3]) for k in range(N)))
    places = [Place("x", k) for k in range(3 * N)]
    targets = [Place("y", k) for k in range(value.numel())]
    groups = [k // 3 for k in range(3 * N)]
    rolled = Rolling(listed(ca.Function("f", [x], [value])), places, targets, groups)
    assert rolled.pays
    sizes, outputs = [("x", 3 * N)], [("y", (value.numel(),))]
    kernel = Kernel(lambda w: rolled.core(["x", "y"], w), 4, sizes, outputs)
    plain = ca.Function("plain", [x], [value])
    rng = np.random.default_rng(5)
    for _ in range(5):
        given = rng.uniform(0.6, 2.0, (N, 3))
        is_near = rng.random((N, 3)) < share
        given = np.where(is_near, -given, given).ravel()
        expected = np.array(plain(given)).ravel()
        np.testing.assert_allclose(kernel(given)[0], expected, rtol=1e-12, atol=1e-13)


def random_graph(x, rng):
    """Values that are made of earlier ones, guards among them; some of all are outputs."""
    known = [x[0], x[1], x[2]]
    for _ in range(60):
        a, b = (known[rng.integers(len(known))] for _ in range(2))
        makes = (a + b, a * b, ca.sin(a), ca.sqrt(1.0 + a * a), ca.if_else(a < b, a * 2.0, 0.0))
        makes += (ca.if_else(a < 0.0, b, 0.0), ca.if_else(a < 0.0, costly(a, b), 0.0))
        known.append(makes[rng.integers(len(makes))])
    return ca.vertcat(*(known[k] for k in rng.integers(3, len(known), size=4)))


@pytest.mark.parametrize("seed", range(15))
def test_random_graphs(seed):
    make = lambda x: random_graph(x, np.random.default_rng(seed))  # noqa: E731
    listing = listing_of(make)
    found = skipping(listing)
    if found is not None:
        require_order(listing, found)
    x = ca.SX.sym("x", 3 * 8)
    value = ca.densify(ca.vertcat(*(make(x[3 * k : 3 * k + 3]) for k in range(8))))
    places = [Place("x", k) for k in range(24)]
    targets = [Place("y", k) for k in range(value.numel())]
    function = ca.Function("f", [x], [value])
    rolled = Rolling(listed(function), places, targets, [k // 3 for k in range(24)])
    kernel = Kernel(lambda w: rolled.core(["x", "y"], w), 1, [("x", 24)], [("y", (value.numel(),))])
    rng = np.random.default_rng(seed)
    for _ in range(3):
        given = rng.normal(size=24)
        expected = np.array(function(given)).ravel()
        size = np.abs(expected[np.isfinite(expected)]).max(initial=1.0)
        np.testing.assert_allclose(kernel(given)[0], expected, rtol=1e-9, atol=1e-9 * size)
