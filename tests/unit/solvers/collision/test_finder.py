import itertools

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from jourdain.errors import ModelError
from jourdain.math import rotation_quaternion
from jourdain.model.contours import (
    Box,
    Capsule,
    Curve,
    Cylinder,
    Disc,
    HalfSpace,
    Polyhedron,
    Sphere,
)
from jourdain.model.contours.registry import PYRAMID, ellipse
from jourdain.model.elements import Frame
from jourdain.solvers.collision import ContactFinder
from jourdain.system.contact.convex_phase import ConvexPhase

pytest.importorskip("coal")

UNTURNED = np.eye(3)
PRISM = tuple(
    (0.2 * np.cos(a), 0.2 * np.sin(a), z) for z in (-0.3, 0.1) for a in np.arange(5) * 0.4 * np.pi
)
MADE = {
    "sphere": lambda f: Sphere(f, 0.2),
    "capsule": lambda f: Capsule(f, 0.1, 0.5, (0.6, 0.0, 0.8)),
    "box": lambda f: Box(f, (0.3, 0.4, 0.6)),
    "slab": lambda f: Box(f, (0.8, 0.5, 0.1)),
    "tin": lambda f: Cylinder(f, 0.2, 0.5, (0.0, 0.6, 0.8)),
    "coin": lambda f: Cylinder(f, 0.3, 0.1, rim_points=8),
    "pyramid": lambda f: Polyhedron(f, PYRAMID),
    "prism": lambda f: Polyhedron(f, PRISM),
}
PAIRS = list(itertools.combinations_with_replacement(MADE, 2))
SEEDS = st.integers(0, 2**32 - 1)


def two(one, other):
    return MADE[one](Frame("a")), MADE[other](Frame("b"))


def row(R, r):
    return np.array([*R.ravel(), *r])


def turned(rng):
    return rotation_quaternion(rng.normal(size=4))


def at_distance(a, b, gap, rng):
    """Poses at which two contours have a distance, measured by the library; None if it fails.

    They come from a small overlap, so that faces and edges are closest, not corners.
    """
    R_a, R_b, way, start = turned(rng), turned(rng), rng.normal(size=3), rng.normal(size=3)
    offset, measure = way / np.linalg.norm(way), ConvexPhase(a, b)
    for goal in (-1e-3, -1e-4, -1e-5, -1e-5, gap):
        found = measure.rows([*row(R_a, np.zeros(3)), *row(R_b, offset)])
        offset = offset - (found.gaps[0, 0] - goal) * found.normals[0, 0]
        if np.linalg.norm(found.normals[0, 0]) < 0.5 or not np.isfinite(offset).all():
            return None
    end = measure.rows([*row(R_a, np.zeros(3)), *row(R_b, offset)]).gaps[0, 0]
    return np.array([row(R_a, start), row(R_b, offset + start)]) if abs(end - gap) < 1e-7 else None


@given(pair=st.sampled_from(PAIRS), seed=SEEDS)
def test_gap_is_the_distance_where_bodies_almost_touch(pair, seed):
    rng = np.random.default_rng(seed)
    a, b = two(*pair)
    gap = rng.choice([-1e-4, 1e-4])
    poses = at_distance(a, b, gap, rng)
    assume(poses is not None)
    found = ContactFinder([a, b]).find(poses, 2e-4)
    # Where a face serves for crossing edges, gaps grow by the cosine, at most 1/0.95.
    assert min(found.gap) == pytest.approx(gap, abs=0.06 * abs(gap))


@example(pair=("tin", "prism"), seed=33554433)  # an end over a face that reaches beyond it
@example(pair=("tin", "prism"), seed=957)  # a point at rounding over a face of several triangles
@example(pair=("tin", "coin"), seed=46409787)  # a rim that bites into an end beyond its own
@given(pair=st.sampled_from(PAIRS), seed=SEEDS)
def test_contacts_join_points_of_the_surfaces(pair, seed):
    rng = np.random.default_rng(seed)
    a, b = two(*pair)
    poses = at_distance(a, b, rng.uniform(-0.02, 0.02), rng)
    assume(poses is not None)
    found = ContactFinder([a, b]).find(poses, 0.05)
    np.testing.assert_allclose(np.linalg.norm(found.normal, axis=1), 1.0, atol=1e-12)
    apart = found.point_b - found.point_a
    np.testing.assert_allclose(apart, found.gap[:, None] * found.normal, atol=1e-12)
    for contour, x, points in ((a, poses[0], found.point_a), (b, poses[1], found.point_b)):
        for p in points:
            height, _ = contour.surface(x[:9].reshape(3, 3).T @ (p - x[9:]))
            assert height < 3e-6  # faces reach a little beyond their edges
            # Balls at the ends of capsules lie inside, and where cylinders overlap that much.
            assert height > -3e-6 or isinstance(contour, Capsule | Cylinder)


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_order_of_the_contours_does_not_matter(one, other):
    rng = np.random.default_rng(5)
    a, b = two(one, other)
    for _ in range(10):
        poses = at_distance(a, b, 1e-3, rng)
        if poses is None:
            continue
        found, turned_round = (
            ContactFinder(order).find(x, 2e-3)
            for order, x in (((a, b), poses), ((b, a), poses[::-1]))
        )
        assert found.count == turned_round.count
        order = np.lexsort(np.round(found.point_a, 9).T)
        other_order = np.lexsort(np.round(turned_round.point_b, 9).T)
        np.testing.assert_allclose(found.gap[order], turned_round.gap[other_order], atol=1e-12)
        # Normals of cylinders are searched for: half of the digits.
        tolerance = 1e-7 if isinstance(b, Cylinder) or isinstance(a, Cylinder) else 1e-12
        normals = found.normal[order], -turned_round.normal[other_order]
        np.testing.assert_allclose(*normals, atol=tolerance)


def crowd(rng, n, size):
    kinds = [*MADE, "floor"]
    contours, poses = [], []
    for k in range(n):
        kind = kinds[k % len(kinds)]
        frame = Frame(f"body{k % (n // 2)}" if kind != "floor" else "world")
        contours.append(HalfSpace(frame, "z") if kind == "floor" else MADE[kind](frame))
        poses.append(row(turned(rng), rng.uniform(-size, size, 3)))
    return contours, np.array(poses)


@pytest.mark.parametrize("seed", range(3))
def test_crowds_have_the_contacts_of_all_pairs(seed):
    rng = np.random.default_rng(seed)
    contours, poses = crowd(rng, 20, 0.7)
    found = ContactFinder(contours).find(poses, 0.05)
    rows = []
    for i, j in itertools.combinations(range(len(contours)), 2):
        if contours[i].frame.body != contours[j].frame.body:
            one = ContactFinder([contours[i], contours[j]]).find(poses[[i, j]], 0.05)
            rows += [(i, j, *x) for x in zip(one.feature, one.gap, strict=True)]
    told = np.array(rows).reshape(-1, 4)
    np.testing.assert_array_equal(np.column_stack([found.a, found.b, found.feature]), told[:, :3])
    np.testing.assert_array_equal(found.gap, told[:, 3])


def test_contours_that_move_are_followed():
    rng = np.random.default_rng(3)
    contours, poses = crowd(rng, 40, 1.0)
    finder = ContactFinder(contours)
    for _ in range(70):
        poses[:, 9:] += 0.02 * rng.normal(size=(40, 3))
        count = finder.find(poses, 0.02).count
    assert count == ContactFinder(contours).find(poses, 0.02).count > 0


def boxes(*bodies):
    return [Box(Frame(body), (1.0, 1.0, 1.0)) for body in bodies]


def test_equal_boxes_stack_on_their_corners():
    poses = np.array([row(UNTURNED, (0, 0, 0)), row(UNTURNED, (1e-9, 0, 1.0))])
    found = ContactFinder(boxes("a", "b")).find(poses, 1e-6)
    assert found.count == 4
    np.testing.assert_array_equal(found.gap, 0.0)
    np.testing.assert_array_equal(found.normal, [[0, 0, 1.0]] * 4)
    np.testing.assert_allclose(np.abs(found.point_a[:, :2]), 0.5, atol=1e-8)


def test_a_turned_box_stands_on_eight_points():
    c = np.sqrt(0.5)
    R = np.array([[c, -c, 0], [c, c, 0], [0, 0, 1]])
    poses = np.array([row(UNTURNED, (0, 0, 0)), row(R, (0, 0, 1.0))])
    found = ContactFinder(boxes("a", "b")).find(poses, 1e-6)
    assert found.count == 8 == len(set(found.feature))
    np.testing.assert_allclose(found.gap, 0.0, atol=1e-15)
    np.testing.assert_allclose(np.abs(found.point_a[:, :2]).max(axis=1), 0.5, atol=2e-6)


@given(tilt=st.floats(-0.02, 0.02), turn=st.floats(-0.5, 0.5), shift=st.floats(-0.3, 0.3))
def test_a_tilted_box_has_heights_of_its_lower_face(tilt, turn, shift):
    c, s, d, e = np.cos(turn), np.sin(turn), np.cos(tilt), np.sin(tilt)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ [[d, 0, e], [0, 1, 0], [-e, 0, d]]
    poses = np.array([row(UNTURNED, (0, 0, 0)), row(R, (shift, 0.1, 1.0))])
    found = ContactFinder(boxes("a", "b")).find(poses, 0.1)
    assert 4 <= found.count <= 8
    local = (found.point_b - poses[1, 9:]) @ R
    np.testing.assert_allclose(
        found.point_b[:, 2] - 0.5, found.gap / found.normal[:, 2], atol=0.02**2
    )
    assert np.abs(local).max() <= 0.5 + 3e-6


def test_crossing_edges_touch_in_one_point():
    c = np.sqrt(0.5)
    low = np.array([[1, 0, 0], [0, c, -c], [0, c, c]])  # edge along x on top
    high = np.array([[c, 0, c], [0, 1, 0], [-c, 0, c]])  # edge along y below
    poses = np.array([row(low, (0, 0, 0)), row(high, (0.1, 0.2, 2 * c + 1e-3))])
    found = ContactFinder(boxes("a", "b")).find(poses, 1e-2)
    assert found.count == 1
    assert found.gap[0] == pytest.approx(1e-3, abs=1e-12)
    np.testing.assert_allclose(found.normal[0], [0, 0, 1], atol=1e-12)
    np.testing.assert_allclose(found.point_a[0], [0.1, 0.0, c], atol=1e-12)


def test_features_keep_their_names_when_bodies_move_a_little():
    rng = np.random.default_rng(8)
    contours, poses = crowd(rng, 20, 0.6)
    finder = ContactFinder(contours)
    before = finder.find(poses, 0.05)
    names = set(zip(before.a, before.b, before.feature, strict=True))
    poses[:, 9:] += 1e-9 * rng.normal(size=(20, 3))
    after = finder.find(poses, 0.05)
    assert set(zip(after.a, after.b, after.feature, strict=True)) == names


def test_names_differ_within_a_pair():
    contours, poses = crowd(np.random.default_rng(9), 40, 0.8)
    found = ContactFinder(contours).find(poses, 0.05)
    names = set(zip(found.a, found.b, found.feature, strict=True))
    assert len(names) == found.count


def test_contours_of_one_body_never_meet():
    poses = np.array([row(UNTURNED, (0, 0, 0))] * 3)
    assert ContactFinder(boxes("a", "a", "a")).find(poses, 0.1).count == 0
    walls = [HalfSpace(Frame("world")), HalfSpace(Frame("world"), "x"), *boxes("world")]
    assert ContactFinder(walls).find(poses, 0.1).count == 0


def test_nothing_is_found_among_nothing():
    assert ContactFinder([]).find(np.zeros((0, 12)), 0.1).count == 0


def test_arrays_grow_with_the_number_of_contacts():
    contours = boxes(*(f"b{k}" for k in range(40)))
    poses = np.array([row(UNTURNED, (1e-3 * k, 0, 0.4 * (k % 2))) for k in range(40)])
    assert ContactFinder(contours).find(poses, 0.1).count >= 40 * 39 // 2


def upright(z, x=0.0):
    return row(UNTURNED, (x, 0.0, z))


def on_its_side(z, y=0.0):
    return row(np.array([[0, 0, 1.0], [0, 1, 0], [-1, 0, 0]]), (0.0, y, z))


def tins(*bodies):
    return [Cylinder(Frame(body), 0.2, 0.5) for body in bodies]


def test_a_standing_cylinder_is_carried_by_points_of_its_rim():
    slab = Box(Frame("slab"), (1.0, 1.0, 0.2))
    for low, height in ((HalfSpace(Frame("world")), 0.0), (slab, 0.1), (tins("low")[0], 0.25)):
        poses = np.array([upright(0.0), upright(height + 0.25, 0.05)])
        found = ContactFinder([low, *tins("tin")]).find(poses, 1e-9)
        np.testing.assert_allclose(found.gap, 0.0, atol=1e-15)
        np.testing.assert_allclose(found.normal, [[0, 0, 1.0]] * found.count, atol=1e-12)
        (x, y, _), (X, Y, _) = found.point_b.min(axis=0), found.point_b.max(axis=0)
        assert min(-x, -y, X, Y) > 0.09  # the centre lies well inside


def test_a_lying_cylinder_rests_on_a_line():
    slab = Box(Frame("slab"), (0.4, 1.0, 0.2))
    for low, height, half in ((HalfSpace(Frame("world")), 0.0, 0.25), (slab, 0.1, 0.2)):
        poses = np.array([upright(0.0), on_its_side(height + 0.2)])
        contours = [low, Cylinder(Frame("tin"), 0.2, 0.5, rim_points=0)]
        found = ContactFinder(contours).find(poses, 1e-9)
        np.testing.assert_allclose(sorted(found.point_b[:, 0]), [-half, half], atol=1e-6)
        np.testing.assert_allclose(found.gap, 0.0, atol=1e-15)


def test_parallel_cylinders_touch_along_the_length_they_share():
    poses = np.array([on_its_side(0.2), on_its_side(0.2, 0.4)])
    poses[1, 9] = 0.1
    found = ContactFinder(tins("a", "b")).find(poses, 1e-9)
    np.testing.assert_allclose(found.gap, 0.0, atol=1e-15)
    np.testing.assert_allclose(sorted(found.point_a[:, 0]), [-0.15, 0.25], atol=1e-12)
    np.testing.assert_allclose(found.normal, [[0, 1, 0]] * 2, atol=1e-12)


def test_other_pairs_go_by_formula():
    disc = Disc(Frame("disc"), 0.25, "y", rim_points=0)
    contours = [HalfSpace(Frame("world")), disc, Sphere(Frame("ball"), 0.1)]
    poses = np.array([row(UNTURNED, x) for x in ((0, 0, 0), (0, 0, 0.25), (0, 0, 0.601))])
    found = ContactFinder(contours).find(poses, 0.3)
    assert found.pairs.tolist() == [[0, 1], [1, 2]]
    np.testing.assert_allclose(found.gap, [0.0, 0.001], atol=1e-15)


def test_large_polyhedra_go_by_the_library():
    angles = np.arange(70) * 2 * np.pi / 70
    drum = [(np.cos(a), np.sin(a), z) for z in (-0.5, 0.5) for a in angles]
    contours = [Polyhedron(Frame("drum"), drum), Box(Frame("box"), (1.0, 1.0, 0.2))]
    found = ContactFinder(contours).find([upright(0.0), upright(0.601)], 0.01)
    np.testing.assert_allclose(found.gap, [1e-3], atol=1e-9)


def test_pairs_that_nothing_can_serve_are_told():
    curve = Curve(Frame("cam"), ellipse, (0.0, 6.3))
    with pytest.raises(ModelError, match="Curve is no convex body"):
        ContactFinder([curve, Box(Frame("box"), (1, 1, 1))])
