"""Settings and comparisons of the identity tests."""

import numpy as np
import pytest

import jourdain as jd

EPS = np.finfo(float).eps


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    """Keep the code of random models out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JOURDAIN_CACHE", str(tmp_path_factory.getbasetemp() / "code"))
        yield


@pytest.fixture(scope="session")
def agree():
    """Compare arrays relative to the largest number of the expected one, or to one."""

    def compare(found, expected, tolerance, what=""):
        found, expected = np.asarray(found), np.asarray(expected)
        assert found.shape == expected.shape, what
        scale = max(1.0, np.abs(expected).max(initial=0.0))
        deviation = np.abs(found - expected).max(initial=0.0) / scale
        assert deviation <= tolerance, f"{what}: {deviation:.3g} apart, limit {tolerance:.3g}"

    return compare


@pytest.fixture(scope="session")
def rounding_of():
    """Tolerance for a recursion over all bodies of a model: 500 roundings a body, at most 1e-11."""
    return lambda model: min(1e-11, 500 * EPS * (len(model.bodies) + 1))


@pytest.fixture(scope="session")
def states_of():
    """Random states of a system, stacked: q, v, vdot, t."""

    def states(system, rng, n):
        rng = np.random.default_rng(rng)
        listed = [jd.testing.random_state(system, rng) for _ in range(n)]
        return tuple(np.array(parts) for parts in zip(*listed, strict=True))

    return states


@pytest.fixture(scope="session")
def velocity_of():
    """Twists [ω; v] in world components by central differences of poses given over time."""
    step = 6e-6  # cube root of the rounding unit

    def twists(poses):
        there, back, here = poses(step), poses(-step), poses(0.0)
        slope = (there - back) / (2 * step)
        spin = slope[..., :3, :3] @ np.swapaxes(here[..., :3, :3], -1, -2)
        w = np.stack((spin[..., 2, 1], spin[..., 0, 2], spin[..., 1, 0]), axis=-1)
        return np.concatenate((w, slope[..., :3, 3]), axis=-1)

    return twists


@pytest.fixture(scope="session")
def slope_of():
    """Derivative at zero of an array given as a function of one number."""
    step = 6e-6

    def slope(function):
        return (function(step) - function(-step)) / (2 * step)

    return slope
