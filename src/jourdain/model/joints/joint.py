"""The joint: one function, ``pose(q, t)``; everything else is derived from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from inspect import isroutine
from typing import TYPE_CHECKING, Any, dataclass_transform

from jourdain.spatial.annotations import preset

if TYPE_CHECKING:
    from jourdain.model.joints.product import Product

_VELOCITY_WORDS = {"angle": "rate", "position": "velocity"}


def velocity_name(coordinate: str) -> str:
    """Name of the velocity that belongs to a coordinate: ``angle_2`` gives ``rate_2``."""
    match = re.fullmatch(r"(angle|position)((?:_\d+)?(?:\.\w+)?)", coordinate)
    return _VELOCITY_WORDS[match[1]] + match[2] if match else coordinate + "_rate"


@dataclass_transform(frozen_default=True, field_specifiers=(field, preset))
class Joint:
    """A joint kind. Subclass it to make your own; the built-in kinds are written the same way.

    The contract:

    1. Fields are annotated like those of a dataclass; subclasses become frozen dataclasses by
       themselves. A field may be a number, a `Parameter`, a string, a tuple or a function.
    2. ``coordinates`` maps the names of the position coordinates to units, in the order of ``q``.
    3. ``pose(q, t)`` returns ``(R, r)``: orientation (3×3) and position [m] of the child frame in
       the parent frame. Write it with the functions of `jourdain.math`; ``q`` holds numbers or
       symbols, ``t`` is the time [s]. No Python ``if`` on ``q`` or ``t``: use `where`.
    4. Optional: ``rates(q)`` returns the matrix Y₁ of ``dq/dt = Y₁ v`` when the velocity
       coordinates ``v`` are not ``dq/dt`` (quaternions, rolling); name them in ``velocities``.
    5. Optional: ``modes(q, t)`` returns the free mode vectors φ (6 × n_v, angular part first,
       components in the parent frame) when you know them in a cheaper form than differentiation
       finds. A wrong one is found by `jourdain.testing.check_joint`.
    6. Optional: ``start()`` returns the coordinates of the reference position (default: zeros).

    `jourdain.testing.check_joint` proves a kind.

    Examples
    --------
    >>> import jourdain as jd
    >>> class Rocker(jd.Joint):
    ...     radius: float
    ...     coordinates = {"angle": "rad"}
    ...     def pose(self, q, t):
    ...         return jd.rotation_y(q[0]), (self.radius * q[0], 0, self.radius)
    >>> Rocker(0.2).velocities
    {'rate': 'rad/s'}
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Make every subclass a frozen dataclass."""
        super().__init_subclass__(**kwargs)
        dataclass(frozen=True, repr=False)(cls)

    if TYPE_CHECKING:  # a mapping of str to str: attribute or property, as a kind likes
        coordinates: Any
        velocities: Any
    else:

        @property
        def coordinates(self) -> Mapping[str, str]:
            """Names and units of the position coordinates, in the order of ``q``.

            Kinds say ``coordinates = {"angle": "rad"}``; a kind whose coordinates depend on its
            fields makes it a property.
            """
            return {}

        @property
        def velocities(self) -> Mapping[str, str]:
            """Names and units of the velocity coordinates, in the order of ``v``."""
            return {
                velocity_name(name): "1/s" if unit == "1" else f"{unit}/s"
                for name, unit in self.coordinates.items()
            }

    def pose(self, q: Any, t: Any) -> tuple[Any, Any]:
        """Orientation and position of the child frame in the parent frame."""
        raise NotImplementedError(f"joint kind {type(self).__name__} has no pose(q, t)")

    def rates(self, q: Any) -> Any:
        """Matrix Y₁ of ``dq/dt = Y₁ v``; None where ``v`` is ``dq/dt``."""
        return None

    def modes(self, q: Any, t: Any) -> Any:
        """Free mode vectors (6 × n_v) in the parent frame; None to have them derived."""
        return None

    def start(self) -> tuple[float, ...]:
        """Position coordinates of the reference position."""
        return (0.0,) * len(self.coordinates)

    def canonical(self) -> tuple[Joint, Any]:
        """Return the same motion as a plainer kind seen from frames turned by a matrix.

        ``pose(q, t) = (A R Aᵀ, A r)`` with ``(R, r)`` the pose of the plainer kind. Kinds with an
        axis return the kind about z, so that large systems need one compiled step, not many.
        """
        return self, None

    def __repr__(self) -> str:
        """Show functions by name, so that a kind reads the same in every process."""
        names: list[str] = [f.name for f in fields(self)] if is_dataclass(self) else []
        own = {name: getattr(self, name) for name in names}
        shown = (f"{k}={x.__name__ if isroutine(x) else repr(x)}" for k, x in own.items())
        return f"{type(self).__name__}({', '.join(shown)})"

    def __mul__(self, other: Joint) -> Product:
        """Join two kinds in series: first this one, then ``other``."""
        from jourdain.model.joints.product import Product  # noqa: PLC0415

        return Product((self, other))
