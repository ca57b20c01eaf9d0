"""Strategies for property-based tests with Hypothesis.

Hypothesis is imported when a strategy is made, because only tests need it.
"""

from __future__ import annotations

from typing import Any

from jourdain.errors import MissingExtraError
from jourdain.testing.random_model import random_model


def models(min_bodies: int = 1, max_bodies: int = 8, **options: Any) -> Any:
    """Strategy for random machines; it shrinks towards few bodies.

    Parameters
    ----------
    min_bodies, max_bodies : int
        Range of the number of bodies.
    **options
        Passed on to `random_model`.

    Returns
    -------
    hypothesis.strategies.SearchStrategy
        Strategy whose examples are models.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.testing.strategies import models
    >>> from hypothesis import given
    >>> @given(models(max_bodies=4))
    ... def test_bodies(model):
    ...     assert 1 <= len(model.bodies) <= 4
    """
    st = _hypothesis()
    return st.builds(
        lambda seed, n_bodies: random_model(seed, n_bodies, **options),
        seeds(),
        st.integers(min_bodies, max_bodies),
    )


def seeds() -> Any:
    """Strategy for seeds of random generators."""
    return _hypothesis().integers(0, 2**32 - 1)


def _hypothesis() -> Any:
    try:
        import hypothesis.strategies  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError(
            "strategies for property-based tests need the package 'hypothesis', which is not "
            "installed. Install it: pip install hypothesis, or pip install 'jourdain[dev]'."
        ) from error
    return hypothesis.strategies
