"""A beam of several flexible bodies in a row, for large deflections (F22)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.elements import Frame
from jourdain.model.flexible.beam import beam
from jourdain.model.flexible.damping import Rayleigh, damping_of
from jourdain.model.flexible.plain import plain_number
from jourdain.model.flexible.section import Section
from jourdain.model.joints import Fixed
from jourdain.model.parts.group import Group
from jourdain.model.parts.part import Part
from jourdain.spatial import check

_MOST = 200  # segments


class SegmentedBeam(Part):
    """A beam that may bend as far as it likes, along x of the frame where it begins.

    Each segment bends a little; errors of its deflection fall with the cube of their number.

    Parameters
    ----------
    start : Frame
        Where it is clamped.
    length : float [m]
        Length.
    section : Section
        Cross-section.
    segments : int
        Number of flexible bodies.
    functions : int
        Shape functions of each in each field: two carry all loads at its ends exactly.
    fields : tuple of str
        What each does; see `jourdain.flexible.beam`.
    damping : float [1] or Rayleigh
        Damping ratio of the lowest mode of the whole beam, clamped where it begins and free at its
        end; others are damped in proportion to their frequencies. Or Rayleigh's factors.

    Ports
    -----
    end : Frame
        Its other end.

    Examples
    --------
    >>> import jourdain as jd
    >>> model = jd.Model("fishing rod")
    >>> glass = jd.flexible.circle(jd.flexible.Material(4e10, 1900.0), 0.005)
    >>> rod = model.add("rod", jd.flexible.SegmentedBeam(model.world.at(), 2.0, glass, segments=4))
    >>> list(model.bodies)
    ['rod.s0', 'rod.s1', 'rod.s2', 'rod.s3']
    """

    start: Frame
    length: float
    section: Section
    segments: int = 8
    functions: int = 2
    fields: tuple[str, ...] = ("y", "z")
    damping: float | Rayleigh = 0.0

    def __post_init__(self) -> None:
        plain_number(self.length, "length of SegmentedBeam", positive=True)
        n = self.segments
        if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= _MOST:
            raise ModelError(
                f"segments of SegmentedBeam is {check.shown(n)}: give a whole number from 1 to "
                f"{_MOST}."
            )

    def build(self, group: Group) -> Mapping[str, Any]:
        """Beams one behind the other, clamped to each other."""
        piece = self.length / self.segments
        solid = beam(
            piece, self.section, modes=self.functions * len(self.fields),
            functions=self.functions, fields=self.fields, damping=self._losses(),
        )  # fmt: skip
        end = self.start
        for k in range(self.segments):
            body = group.add_body(f"s{k}", solid)
            group.add_joint(f"j{k}", end, body, Fixed())
            end = body.at(piece, 0.0, 0.0)
        return {"end": end}

    def _losses(self) -> Rayleigh:
        """Damping of the material, which is the same however many segments there are."""
        given = damping_of(self.damping, "SegmentedBeam")
        if isinstance(given, Rayleigh):
            return given
        if isinstance(given, tuple):
            raise ModelError(
                "damping of SegmentedBeam is a list: give the damping ratio of its lowest mode, or "
                "jd.flexible.Rayleigh(mass, stiffness)."
            )
        if not given:
            return Rayleigh()
        whole = beam(self.length, self.section, modes=1, fields=self.fields)
        return Rayleigh(stiffness=float(given / (np.pi * whole.frequencies[0])))
