"""Models for topology: bodies of no interest, joints as (name, parent, child, kind)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import pytest

from jourdain.model.joints import Joint
from jourdain.model.model import Model
from jourdain.spatial.inertia import Inertia

Maker = Callable[[Sequence[str], Iterable[tuple[str, str, str, Joint]]], Model]


@pytest.fixture(scope="session")
def make() -> Maker:
    """Build a model from names of bodies and rows of joints."""

    def build_model(bodies: Sequence[str], joints: Iterable[tuple[str, str, str, Joint]]) -> Model:
        model = Model("machine")
        for body in bodies:
            model.add_body(body, Inertia(mass=1.0))
        for name, parent, child, kind in joints:
            model.add_joint(name, parent, child, kind)
        return model

    return build_model
