"""Terms of the contract of a joint kind that need no mechanics: shapes, names and units."""

from __future__ import annotations

import re

from jourdain.errors import ModelError
from jourdain.model.checks.validation import kind_mistake
from jourdain.model.joints.joint import Joint
from jourdain.model.model import Model
from jourdain.spatial.inertia import Inertia

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*(\.[a-z0-9]+(_[a-z0-9]+)*)?")


def require_terms(kind: Joint) -> None:
    """Raise `ModelError` where a kind breaks a term of its contract."""
    mistake = kind_mistake(kind)
    if mistake:
        raise ModelError(f"check_joint cannot check it: {mistake}")
    _require_shapes(kind)
    for what in ("coordinates", "velocities"):
        for name, unit in getattr(kind, what).items():
            if not _NAME.fullmatch(name):
                raise ModelError(
                    f"joint kind {kind!r} fails the check 'names': {name!r} in {what} is not in "
                    "the form 'word' or 'word.component', small letters, digits and underscores."
                )
            if not unit.strip():
                raise ModelError(
                    f"joint kind {kind!r} fails the check 'names': {name!r} in {what} has no unit. "
                    "Give one; a pure number has '1'."
                )
    both = [name for name in kind.coordinates if name in kind.velocities]
    if both:
        raise ModelError(
            f"joint kind {kind!r} fails the check 'names': {both[0]!r} is a coordinate and a "
            "velocity. Give the velocity another name in velocities = {...}."
        )


def _require_shapes(kind: Joint) -> None:
    """Check lengths and shapes as the model does when it is compiled."""
    model = Model("check_joint")
    child = model.add_body("child", Inertia(0.0))
    model.add_joint("joint", model.world, child, kind)
    try:
        model.validate()
    except ModelError as error:
        found = "\n".join(str(error).splitlines()[1:])
        text = found.replace("joint 'joint': ", "")
        raise ModelError(f"joint kind {kind!r} fails the check 'contract':\n{text}") from error
