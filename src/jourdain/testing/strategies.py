"""Strategies for property-based tests with Hypothesis.

Hypothesis is imported when a strategy is made, because only tests need it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.errors import MissingExtraError
from jourdain.model.joints.joint import Joint
from jourdain.model.model import Model
from jourdain.testing.random_model import Maker, random_model


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


def trees(
    sizes: Sequence[int] = range(1, 9), kinds: Sequence[Joint] | None = None, max_kinds: int = 3
) -> Any:
    """Strategy for machines without loops, drawn joint by joint.

    Hypothesis chooses the number of bodies, a few kinds of joints, and of each body what carries
    it, by which of these kinds or by none, in which direction, about which axis, and whether it
    is driven; besides the scalar coordinates and whether numbers are parameters. So it shrinks to
    few bodies on plain joints. Places, inertias and drives come from a seed, those of one body not
    from those of others.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of bodies to choose from; it shrinks towards the first.
    kinds : sequence of Joint
        Kinds to choose from. Default: all built-in kinds and `all_user_kinds`.
    max_kinds : int
        How many of them one machine has at most, besides some about random axes. Few kinds
        compile fast.

    Returns
    -------
    hypothesis.strategies.SearchStrategy
        Strategy whose examples are models.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.testing.strategies import trees
    >>> from hypothesis import given
    >>> @given(trees(sizes=(1, 2, 3), kinds=[jd.Revolute("z"), jd.Spherical()]))
    ... def test_bodies(model):
    ...     assert 1 <= len(model.bodies) <= 3
    """
    st = _hypothesis()
    known = Maker(None, False, kinds).kinds

    def drawn(draw: Any) -> Model:
        few = draw(st.lists(st.sampled_from(known), min_size=1, max_size=max_kinds))
        joints = [
            _Carried(
                draw(st.integers(0, k)),
                draw(st.sampled_from((*few, *few, None))),
                draw(st.booleans()),
                draw(st.integers(0, 4)) == 4,
                draw(st.integers(0, 2)) == 2,
            )
            for k in range(draw(st.sampled_from(sizes)))
        ]
        n_coordinates, parameters = draw(st.integers(0, 2)), draw(st.booleans())
        return _tree(joints, n_coordinates, parameters, draw(seeds()))

    return st.composite(drawn)()


@dataclass(frozen=True)
class _Carried:
    """How a body is carried: by which body, by a joint of which kind, written in which way."""

    inboard: int
    kind: Joint | None
    is_reversed: bool
    is_turned: bool
    is_driven: bool


def _tree(joints: list[_Carried], n_coordinates: int, parameters: bool, seed: int) -> Model:
    maker = Maker(np.random.default_rng(seed), parameters, None)
    model = Model("tree", gravity=tuple(maker.rng.uniform(-5.0, 5.0, 3).tolist()))
    bodies = [model.world]
    for k, joint in enumerate(joints, 1):
        maker.rng = np.random.default_rng([seed, k])
        bodies.append(model.add_body(f"body_{k}", maker.inertia()))
        if joint.kind is None:
            continue
        ends = maker.frame(bodies[joint.inboard]), maker.frame(bodies[k])
        parent, child = ends[::-1] if joint.is_reversed else ends
        kind = maker.about_random_axis() if joint.is_turned else joint.kind
        kind = maker.with_parameters(kind)
        drives = maker.drives(kind) if joint.is_driven else None
        model.add_joint(f"joint_{k}", parent, child, kind, driven=drives)
    for k in range(n_coordinates):
        model.add_coordinate(f"coordinate_{k + 1}", maker.number(maker.rng.uniform(0.1, 1.0)))
    return model


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
