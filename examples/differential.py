"""The differential of a car: two wheels turn as they like, and get the same torque.

What it shows
-------------
Bevel gears are two constraints on angles: the sum of the side gears is twice the cage, and the
planets turn with their difference. The left wheel stands on ice, the right one on asphalt: both get
the same torque, the one on ice races, and the car hardly pulls. With a locked differential the
wheel on asphalt gets what it can hold.
"""

import numpy as np

import jourdain as jd

TORQUE, ICE, ASPHALT = 200.0, 20.0, 400.0  # [N m] of the shaft; that wheels can hold


def axle(locked: bool = False) -> jd.Model:
    """Axle with brakes of dry friction in place of the road."""
    model = jd.Model("differential")
    cage = model.add_body("cage", jd.solid.tube(6.0, 0.15, 0.17, 0.1, axis="y"))
    model.add_joint("shaft", model.world.at(0, 0, 0.35), cage, jd.Revolute("y"))
    for side, sign in (("left", 1), ("right", -1)):
        tyre = jd.solid.tube(18.0, 0.2, 0.33, 0.2, axis="y", at=(0, 0.7 * sign, 0))
        half_shaft = jd.solid.cylinder(3.0, 0.02, 0.6, axis="y", at=(0, 0.4 * sign, 0))
        bevel = jd.solid.cylinder(1.0, 0.09, 0.03, axis="y", at=(0, 0.09 * sign, 0))
        wheel = model.add_body(side, tyre + half_shaft + bevel)
        model.add_joint(f"{side}_wheel", model.world.at(0, 0, 0.35), wheel, jd.Revolute("y"))
    for k, sign in enumerate((1, -1)):
        planet = model.add_body(f"planet_{k}", jd.solid.cylinder(0.3, 0.08, 0.03, axis="z"))
        place = cage.at(0, 0, 0.1 * sign)
        model.add_joint(f"pin_{k}", place, planet, jd.Revolute("z"))
    names = ("shaft", "left_wheel", "right_wheel")
    shaft, left, right = (jd.Coordinate(f"{name}.angle") for name in names)
    model.add_connection("sum", 2 * shaft - left - right, jd.Equal())
    for k, sign in enumerate((1, -1)):
        angle = jd.Coordinate(f"pin_{k}.angle")
        model.add_connection(f"mesh_{k}", angle - 0.5 * sign * (left - right), jd.Equal())
    model.add_connection("engine", shaft, jd.Force(TORQUE))
    model.add_connection("ice", left, jd.Interval(ICE))
    model.add_connection("asphalt", right, jd.Interval(ASPHALT))
    if locked:
        model.add_connection("lock", left - right, jd.Equal())
    return model


sol = jd.simulate(axle(), 2.0)


def check() -> None:
    """Assert what the text claims."""
    assert np.abs(sol.values("right_wheel.rate")).max() < 1e-9  # it stands
    left, shaft = sol.values("left_wheel.rate"), sol.values("shaft.rate")
    np.testing.assert_allclose(left, 2 * shaft, atol=1e-9)
    # both get half of what the cage does not keep; the planets take a few ten-thousandths
    J = axle().bodies["left"].inertia.moments[1][1]
    on_ice = ICE + J * sol.values("left_wheel.angular_acceleration")
    np.testing.assert_allclose(-sol.values("asphalt.force"), on_ice, rtol=1e-3)
    both = jd.simulate(axle(locked=True), 0.5)
    assert np.abs(both.values("shaft.rate")).max() < 1e-9


if __name__ == "__main__":
    jd.animate(sol, "differential.html", plots=["left_wheel.rate", "shaft.rate", "asphalt.force"])
    check()
