"""Names and units of accelerations and of forces along coordinates."""

import pytest

import jourdain as jd
from jourdain.model.joints import all_joint_kinds
from jourdain.results.channels.naming import acceleration_names, force_names, force_unit, rate_unit


@pytest.mark.parametrize(
    ("kind", "accelerations", "forces"),
    [
        (jd.Revolute("x"), ["angular_acceleration"], ["applied_torque"]),
        (jd.Prismatic("x"), ["acceleration"], ["applied_force"]),
        (
            jd.Cylindrical("x"),
            ["acceleration", "angular_acceleration"],
            ["applied_force", "applied_torque"],
        ),
        (
            jd.Spherical(),
            [f"angular_acceleration.{k}" for k in "xyz"],
            [f"applied_torque.{k}" for k in "xyz"],
        ),
        (
            jd.RollingDisc(0.3),
            ["heading_acceleration", "lean_acceleration", "spin_acceleration"],
            ["heading_torque", "lean_torque", "spin_torque"],
        ),
        (
            jd.Revolute("x") * jd.Revolute("y"),
            ["angular_acceleration_1", "angular_acceleration_2"],
            ["applied_torque_1", "applied_torque_2"],
        ),
        (
            jd.Revolute("x") * jd.Spherical(),
            ["angular_acceleration", *(f"angular_velocity_derivative.{k}" for k in "xyz")],
            ["applied_torque", *(f"angular_velocity_force.{k}" for k in "xyz")],
        ),
    ],
    ids=lambda x: type(x).__name__ if isinstance(x, jd.Joint) else "",
)
def test_names(kind, accelerations, forces):
    assert acceleration_names(kind.velocities) == accelerations
    assert force_names(kind.velocities) == forces


def test_words_of_other_units():
    assert acceleration_names({"rate": "m^3/s"}) == ["acceleration"]
    assert force_names({"rate": "m^3/s"}) == ["applied_force"]
    assert acceleration_names({"flow": "kg/s"}) == ["flow_derivative"]


@pytest.mark.parametrize("kind", all_joint_kinds(), ids=repr)
def test_all_names_of_a_kind_differ(kind):
    names = [
        *kind.coordinates,
        *kind.velocities,
        *acceleration_names(kind.velocities),
        *force_names(kind.velocities),
    ]
    assert len(set(names)) == len(names)
    stems = [
        {name.partition(".")[0] for name in family}
        for family in (kind.velocities, acceleration_names(kind.velocities))
    ]
    assert len(stems[0]) == len(stems[1])


def test_units():
    assert [rate_unit(u) for u in ("m/s", "rad/s", "m")] == ["m/s^2", "rad/s^2", "m/s"]
    assert [force_unit(u) for u in ("m/s", "rad/s", "1/s")] == ["N", "N m", "J"]
    assert force_unit("m^3/s") == "J/(m^3)"
