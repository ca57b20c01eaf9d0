"""Groups of contacts and single contacts have steps of their own: both tend to one motion."""

import numpy as np


def assert_same_limit(run, step, bound):
    """Positions of both differ by bound × step [m, rad] at most, at a step and at a quarter of it.

    Parameters
    ----------
    run : function
        Solution for (whether contacts are a group, step [s]); samples at the same times.
    step : float [s]
        Larger step.
    bound : float [m/s]
        Largest difference for a step of one second.

    Returns
    -------
    group, single : Solution
        Those of the smaller step.
    """
    for h in (step, 0.25 * step):
        group, single = run(True, h), run(False, h)
        order = [group.columns["q"].index(name) for name in single.columns["q"]]
        off = np.abs(group.q[:, order] - single.q).max()
        assert off <= bound * h, (h, off / h)
    return group, single
