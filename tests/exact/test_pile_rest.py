"""What rests does not move by one bit, and what moves slowly is not taken for rest."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

G = 9.81


def _box(model, name, size=(0.2, 0.1, 0.1)):
    return jd.Box(model.add_body(name, jd.solid.box(mass=1.0, size=size)), size)


def _assert_rests(sol, last=3):
    """Nothing has moved over the last samples, and bodies carry each other's weight."""
    assert np.all(sol.v[-last:] == 0.0)
    assert np.all(sol.q[-last:] == sol.q[-1])
    name = next(iter(sol.model.contact_groups))
    assert float(sol[f"{name}.residual"][-1]) <= 1e-6
    assert float(sol[f"{name}.penetration"][-last:].max()) <= 1e-6


@pytest.mark.parametrize("excess", [-1e-9, 5e-6, 1e-4])
def test_the_angle_of_friction_is_sharp(excess):
    """A box creeps at 2e-5 m/s² where friction lacks five millionths, and rests where it does."""
    friction = 0.4
    slope = np.arctan(friction * (1.0 + excess))
    model = jd.Model("slope", gravity=G * np.array([np.sin(slope), 0.0, -np.cos(slope)]))
    contours = [jd.HalfSpace(model.world), _box(model, "box")]
    model.add_contacts("slope", contours, jd.Coulomb(friction=friction))
    sol = jd.simulate(model, 0.5, start={"box.position": (0, 0, 0.05)}, sample=0.1)
    if excess < 0.0:
        _assert_rests(sol)
    else:
        wanted = 0.5 * G * (np.sin(slope) - friction * np.cos(slope))
        assert float(sol["box.velocity.x"][-1]) == pytest.approx(wanted, abs=2e-7)


def test_a_tower_rests():
    model = jd.Model("tower")
    boxes = [_box(model, f"box{k}") for k in range(12)]
    model.add_contacts("tower", [jd.HalfSpace(model.world), *boxes], jd.Coulomb(friction=0.5))
    start = {f"box{k}.position": (0.02 * (-1) ** k, 0, 0.05 + 0.1 * k) for k in range(12)}
    sol = jd.simulate(model, 0.2, start=start, sample=0.04)
    _assert_rests(sol)
    total = sum(sol[f"box{k}.contact_force.z"][-1].item() for k in range(12))
    assert total == pytest.approx(12 * G, rel=1e-9)


def test_a_wall_of_bricks_rests():
    model = jd.Model("wall")
    places = [(0.2 * (i + 0.5 * (row % 2)), 0, 0.05 + 0.1 * row) for row in range(4)
              for i in range(4 - row % 2)]  # fmt: skip
    bricks = [_box(model, f"brick{k}") for k in range(len(places))]
    model.add_contacts("wall", [jd.HalfSpace(model.world), *bricks], jd.Coulomb(friction=0.5))
    start = {f"brick{k}.position": place for k, place in enumerate(places)}
    _assert_rests(jd.simulate(model, 0.2, start=start, sample=0.04))


@pytest.mark.parametrize("friction", [0.2, 0.3])
def test_balls_in_a_box_carry_a_ball(friction):
    """Four balls between walls and one in the middle on top."""
    r, model = 0.1, jd.Model("balls")
    balls = [
        jd.Sphere(model.add_body(f"ball{k}", jd.solid.ball(mass=1.0, radius=r)), r)
        for k in range(5)
    ]
    walls = [jd.HalfSpace(model.world)]
    for axis in ((1, 0, 0), (0, 1, 0)):
        walls += [
            jd.HalfSpace(model.world.at(*(-s * 2 * r * np.array(axis))), tuple(s * a for a in axis))
            for s in (1, -1)
        ]
    model.add_contacts("balls", [*walls, *balls], jd.Coulomb(friction=friction))
    start = {f"ball{k}.position": (r * (-1) ** k, r * (-1) ** (k // 2), r) for k in range(4)}
    start["ball4.position"] = (0, 0, r * (1 + np.sqrt(2)))
    sol = jd.simulate(model, 0.3, start=start, sample=0.05)
    _assert_rests(sol)
    assert float(sol["ball4.contact_force.z"][-1]) == pytest.approx(G, rel=1e-9)


def _arch(thickness, n=9):
    """Semicircular arch of stones between two springings, mean radius 1 m."""
    model = jd.Model("arch")
    inner, outer = 1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness
    contours = [jd.HalfSpace(model.world)]
    for k in range(n):
        corners = [
            (rho * np.cos(angle), y, rho * np.sin(angle))
            for angle in np.pi * np.array([k, k + 1]) / n for rho in (inner, outer)
            for y in (-0.2, 0.2)
        ]  # fmt: skip
        half = 0.5 * np.pi / n
        centre = np.sin(half) / half * (1.0 + thickness**2 / 12)
        at = centre * np.array([np.cos((2 * k + 1) * half), 0.0, np.sin((2 * k + 1) * half)])
        shape = jd.solid.box(mass=thickness, size=(thickness, 0.4, np.pi / n))
        stone = model.add_body(f"stone{k}", shape)
        contours.append(jd.Polyhedron(stone, np.array(corners) - at))
        yield f"stone{k}.position", at
    model.add_contacts("arch", contours, jd.Coulomb(friction=0.8))
    yield "model", model


@pytest.mark.parametrize(("thickness", "stands"), [(0.14, True), (0.08, False)])
def test_an_arch_stands_if_it_is_thick_enough(thickness, stands):
    """A semicircular arch needs a thickness of 0.1075 of its radius (Milankovitch 1907)."""
    start = dict(_arch(thickness))
    model = start.pop("model")
    sol = jd.simulate(model, 0.2, start=start, sample=0.04)
    if stands:
        _assert_rests(sol)
    else:
        assert float(sol["stone4.position.z"][-1] - start["stone4.position"][2]) < -1e-4


def test_a_ball_that_rolls_slowly_goes_on():
    model = jd.Model("ball")
    ball = jd.Sphere(model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1)), 0.1)
    other = _box(model, "box")
    model.add_contacts("floor", [jd.HalfSpace(model.world), ball, other], jd.Coulomb(friction=0.5))
    speed = 3e-6  # [m/s], three times the tolerance
    start = {
        "ball.position": (0, 0, 0.1), "ball.velocity": (speed, 0, 0),
        "ball.angular_velocity": (0, speed / 0.1, 0), "box.position": (-0.3, 0, 0.05),
    }  # fmt: skip
    sol = jd.simulate(model, 0.5, start=start, sample=0.1)
    assert float(sol["ball.position.x"][-1]) == pytest.approx(0.5 * speed, rel=1e-6)
    assert np.all(sol["box.velocity"][-3:] == 0.0)


def test_rest_beside_what_moves():
    """A box that slides by on a tower's foot does not make the tower creep."""
    model = jd.Model("sliding")
    plate = _box(model, "plate", (1.0, 0.2, 0.1))
    boxes = [_box(model, f"box{k}") for k in range(4)]
    model.add_contacts(
        "sliding", [jd.HalfSpace(model.world), plate, *boxes], jd.Coulomb(friction=0.3)
    )
    start = {"plate.position": (0, 0, 0.05), "box3.position": (-0.1, 0, 0.15)}
    start |= {f"box{k}.position": (0.35, 0, 0.15 + 0.1 * k) for k in range(3)}
    start["box3.velocity"] = (0.5, 0, 0)
    sol = jd.simulate(model, 0.12, start=start, sample=0.02)
    assert float(sol["box3.velocity.x"][-1]) == pytest.approx(0.5 - 0.12 * 0.3 * G, rel=1e-5)
    for name in ("plate", "box0", "box1", "box2"):
        assert np.all(sol[f"{name}.velocity"][-3:] == 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_dropped_boxes_come_to_rest(seed):
    rng = np.random.default_rng(seed)
    model, n, edge = jd.Model("heap"), 30, 0.08
    contours = [jd.HalfSpace(model.world)]
    for axis in ((1, 0, 0), (0, 1, 0)):
        for s in (1, -1):
            at = model.world.at(*(-s * 0.2 * np.array(axis)))
            contours.append(jd.HalfSpace(at, tuple(s * a for a in axis)))
    contours += [_box(model, f"box{k}", (edge,) * 3) for k in range(n)]
    model.add_contacts("heap", contours, jd.Coulomb(friction=0.4))
    start = {}
    for k in range(n):
        place = 0.15 * (np.array([k % 2, k // 2 % 2, k // 4]) + np.array([-0.5, -0.5, 0.5]))
        start[f"box{k}.position"] = place + rng.uniform(-0.005, 0.005, 3)
        quaternion = rng.normal(size=4)
        start[f"box{k}.orientation"] = quaternion / np.linalg.norm(quaternion)
    method = jd.MoreauJean(2e-3)
    sol = jd.simulate(model, 4.0, start=start, method=method, sample=0.1)
    assert np.all(sol.v[-2:] == 0.0)
    assert np.all(sol.q[-1] == sol.q[-2])
    assert float(sol["heap.penetration"][-2:].max()) <= 1e-6
