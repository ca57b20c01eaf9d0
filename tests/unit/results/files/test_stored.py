"""Channels read from labelled arrays."""

import numpy as np

from jourdain.results.files.stored import stored_channels


def test_channels_come_back_from_a_dataset(mixture):
    names = ["hinge.angle", "elbow.orientation", "elbow.force"]
    data = mixture[names]
    for name in names:
        data[name].attrs["is_base"] = int(mixture.channels[name].is_base)
    stored = stored_channels(data, names)
    for name in names:
        old, new = mixture.channels[name], stored[name]
        assert (new.unit, new.text, new.labels, new.axes) == (
            old.unit,
            old.text,
            old.labels,
            old.axes,
        )
        assert new.is_base is old.is_base
        np.testing.assert_array_equal(new.compute(), mixture.values(name))
