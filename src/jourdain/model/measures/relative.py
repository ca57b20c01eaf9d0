"""Position and rotation of one frame relative to another, component by component."""

from __future__ import annotations

import re
from typing import Any, Literal, get_args

from jourdain import math
from jourdain.errors import ModelError, did_you_mean
from jourdain.model.measures.measure import (
    FrameField,
    Measure,
    require_frame,
    unit_of_force,
    unit_of_rate,
)
from jourdain.spatial import check

Axes = Literal["start", "end", "world"]
Angles = Literal["bryant", "vector"]

_WORDS = {"position": "xyz", "rotation": "rx ry rz", "pose": "xyz rx ry rz"}
_SERIES = (1.0, 1 / 3, 2 / 15, 2 / 35, 8 / 315, 8 / 693)  # of θ/sin θ in powers of 1 − cos θ
_SMALL = 1e-3


class Relative(Measure):
    """Components of the position and the rotation of a frame as seen from another one.

    Parameters
    ----------
    start, end : Frame or Body
        The end is seen from the start; to see a body in the world, start at ``model.world``.
    components : str
        Which: ``x``, ``y``, ``z`` of the position [m] and ``rx``, ``ry``, ``rz`` of the rotation
        [rad], such as ``"x"``, ``"xy"``, ``"x y rz"``; or ``"position"``, ``"rotation"``,
        ``"pose"`` for three or six of them.
    axes : {"start", "end", "world"}
        In which axes the position is taken, and the rotation vector.
    angles : {"bryant", "vector"}
        The rotation as turns about x, then the new y, then the newest z (singular where ry is a
        quarter turn, rx and rz from -π to π); or as the rotation vector, angle times axis
        (singular at half a turn). Small ones are equal.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("one")
    >>> ball = model.add_body("ball", jd.solid.ball(mass=1.0, radius=0.1))
    >>> attitude = jd.Relative(model.world, ball, "rotation")
    >>> attitude.components, attitude.unit
    ('rx ry rz', 'rad')
    """

    start: FrameField
    end: FrameField
    components: str = "x y z"
    axes: Axes = "start"
    angles: Angles = "bryant"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_frame(self.start, "Relative: start")
        require_frame(self.end, "Relative: end")
        object.__setattr__(self, "components", _tokens(self.components))
        for name, known in (("axes", get_args(Axes)), ("angles", get_args(Angles))):
            word = getattr(self, name)
            if word not in known:
                raise ModelError(
                    f"{name} of Relative is {check.shown(word)}. Use one of "
                    f"{', '.join(map(repr, known))}.{did_you_mean(str(word)[:80], known)}"
                )

    @property
    def unit(self) -> str:  # type: ignore[override]
        """Unit of the components; both where there are positions and rotations."""
        return ", ".join(self._kinds)

    @property
    def rate_unit(self) -> str:
        """Unit of the rates."""
        return ", ".join(map(unit_of_rate, self._kinds))

    @property
    def force_unit(self) -> str:
        """Unit of the forces."""
        return ", ".join(map(unit_of_force, self._kinds))

    @property
    def size(self) -> int:  # type: ignore[override]
        """Number of components."""
        return len(self.components.split())

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the components as they were chosen; x, y, z of a rotation vector alone."""
        names = tuple(self.components.split())
        if names == ("rx", "ry", "rz"):
            return "x", "y", "z"
        return names if len(names) > 1 else ()

    @property
    def component_units(self) -> tuple[str, ...]:
        """Metres of positions, radians of rotations."""
        return tuple("rad" if word.startswith("r") else "m" for word in self.components.split())

    @property
    def _kinds(self) -> dict[str, None]:
        return dict.fromkeys(self.component_units)

    def value(self, at: Any) -> Any:
        """The chosen components."""
        names = self.components.split()
        found: dict[str, Any] = {}
        if "m" in self._kinds:
            found |= zip("xyz", _entries(self._position(at)), strict=True)
        if "rad" in self._kinds:
            found |= zip(("rx", "ry", "rz"), _entries(self._rotation(at)), strict=True)
        chosen = [found[name] for name in names]
        return chosen[0] if len(chosen) == 1 else math.vector(chosen)

    def _position(self, at: Any) -> Any:
        if self.axes == "start":
            return at.relative(self.end, self.start)[1]
        R, r = at.pose(self.end)
        step = r - at.pose(self.start)[1]
        return R.T @ step if self.axes == "end" else step

    def _rotation(self, at: Any) -> Any:
        R = at.relative(self.end, self.start)[0]
        if self.angles == "bryant":
            return bryant_angles(R)
        turned = rotation_vector(R)  # has the same components in the axes of start and end
        return at.pose(self.start)[0] @ turned if self.axes == "world" else turned


def bryant_angles(R: Any) -> Any:
    """Angles [rad] of the turns that make a rotation, ``R = Rx(φ₁) Ry(φ₂) Rz(φ₃)``."""
    cosine = math.sqrt(R[0, 0] * R[0, 0] + R[0, 1] * R[0, 1])
    return math.vector(
        math.atan2(-R[1, 2], R[2, 2]), math.atan2(R[0, 2], cosine), math.atan2(-R[0, 1], R[0, 0])
    )


def rotation_vector(R: Any) -> Any:
    """Angle [rad] times axis of a rotation below half a turn."""
    sine = math.axial(R)  # sine of the angle times axis
    lack = 1.5 - 0.5 * (R[0, 0] + R[1, 1] + R[2, 2])  # 1 − cosine of the angle
    near = _SERIES[-1]
    for c in _SERIES[-2::-1]:
        near = near * lack + c
    large = math.maximum(lack, _SMALL)
    size = math.sqrt(large * (2.0 - large))
    return math.where(lack < _SMALL, near, math.atan2(size, 1.0 - large) / size) * sine


def _entries(vector: Any) -> list[Any]:
    return [vector[k] for k in range(3)]


def _tokens(components: Any) -> str:
    """Names of components with blanks between."""
    if isinstance(components, str):
        text = re.sub(r"[\s,]", "", _WORDS.get(components.strip(), components))
        names = re.findall(r"r?[xyz]", text)
        if names and "".join(names) == text and len(set(names)) == len(names):
            return " ".join(names)
    raise ModelError(
        f"components of Relative are {check.shown(components)}: give each once, such as 'x', "
        "'xyz', 'x y rz', or 'position', 'rotation', 'pose'."
    )
