"""The list of all quantities."""

import numpy as np
import pytest

from jourdain.errors import UnknownNameError
from jourdain.results.channels.catalogue import column_names, find


def test_every_channel_gives_numbers_of_its_shape(mixture):
    for name, channel in mixture.channels.items():
        values = mixture.values(name)
        assert values.shape == (
            len(mixture.time),
            *((len(channel.labels),) if channel.labels else ()),
        )
        assert np.all(np.isfinite(values)), name
        assert channel.name == name
        assert channel.unit
        assert channel.text


def test_every_family_is_listed(mixture):
    wanted = {
        "hinge.angle", "hinge.rate", "hinge.angular_acceleration", "hinge.applied_torque",
        "hinge.force", "hinge.torque", "elbow.orientation", "spin.angle", "spin.applied_torque",
        "ball.position", "rod.orientation", "tip.velocity", "drum.acceleration",
        "arm.angular_velocity_world", "shaft.value", "shaft.rate", "energy.kinetic",
        "energy.potential", "energy.total", "power.applied", "power.drives", "momentum.linear",
        "momentum.angular", "centre_of_mass.position",
    }  # fmt: skip
    assert wanted <= set(mixture.names())


def test_the_automatic_joint_of_a_floating_body_has_no_load(mixture):
    assert "ball.force" not in mixture


def test_components_are_found(mixture):
    found = find(mixture.channels, "elbow.force.z", "here")
    np.testing.assert_array_equal(found.compute(), mixture.values("elbow.force")[:, 2])
    with pytest.raises(UnknownNameError):
        find(mixture.channels, "elbow.force.w", "here")


def test_columns_are_named_like_the_arrays(mixture):
    columns = column_names(mixture.system)
    assert columns["q"] == mixture.system.names.q
    assert [len(columns[key]) for key in ("v", "vdot", "tau")] == [len(mixture.system.names.v)] * 3
