"""Where two smooth outlines are closest: sampling and Newton's method for contact parameters."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from jourdain.equations.contact.contact_parameters import ContactParameters
from jourdain.errors import AssemblyError
from jourdain.model.contours import Contour, Curve, Surface
from jourdain.spatial import check

_ITERATIONS = 30
_TOLERANCE = 1e-12  # last step, in parts of the parameters
_LONGEST = 0.3  # step, in parts of the span
_SAMPLES = 24  # of each parameter


class ContactSearch:
    """Contact parameters at given poses (CP-1, CP-2).

    Parameters
    ----------
    a, b : Contour
        Convex outlines, at least one of them a curve or a surface.

    Examples
    --------
    >>> import numpy as np
    >>> from jourdain import math
    >>> from jourdain.analysis.assembly.contact_search import ContactSearch
    >>> from jourdain.model import Frame
    >>> from jourdain.model.contours import Curve, HalfSpace
    >>> def circle(s):
    ...     return math.vector(0.5 * math.cos(s), 0.5 * math.sin(s), 0.0)
    >>> cam = Curve(Frame("cam"), circle, (0.0, 6.28))
    >>> search = ContactSearch(HalfSpace(Frame("world"), "y"), cam)
    >>> c = search({"cam": (np.eye(3), np.array([0.0, 0.7, 0.0]))})
    >>> round(float(c[0]), 6)  # three quarters of a turn
    4.712389
    """

    def __init__(self, a: Contour, b: Contour) -> None:
        self.contact = found = ContactParameters(a, b)
        self._newton = found.position_function(found.residual, found.residual_jacobian)
        outlines = found.a, found.b
        self._outlines = [found.position_function(o.point, o.normal) for o in outlines]
        self._grids = [_grid(o.contour) for o in outlines]

    def __call__(self, poses: Mapping[str, tuple[Any, Any]], near: Any = None) -> Any:
        """Contact parameters (n,), those of a first.

        Parameters
        ----------
        poses : mapping of str to (R, p)
            Orientation and position [m] of each body that moves.
        near : (n,), optional
            Parameters to begin from, such as those of a moment before; found by sampling if left
            out.

        Raises
        ------
        AssemblyError
            If Newton's method does not get to the closest points.
        """
        given = [x for name in self.contact.scene.moving for x in poses[name]]
        c = self._sampled(given) if near is None else np.array(near, dtype=float)
        longest = _LONGEST * np.concatenate([np.ptp(grid, axis=0) for grid in self._grids])
        for _ in range(_ITERATIONS):
            F, J = (np.array(x) for x in self._newton(c, *given))
            step = -np.linalg.lstsq(J, F[:, 0], rcond=None)[0]
            if np.abs(step).max() <= _TOLERANCE * (1.0 + np.abs(c).max()):
                if self._is_closest(c, J, given):
                    return c + step
                break
            c = c + step * min(1.0, *(longest / np.maximum(np.abs(step), 1e-300)))
        raise AssemblyError(
            f"the contact of {self.contact.title} was not found: Newton's method went to the "
            f"parameters {check.listed(c)}, where its conditions are off by "
            f"{np.abs(F).max():.3g}. Likely causes: a start on the far side, a pole of a surface, "
            "or an outline that is not convex. Leave out near=..., or give parameters nearby."
        )

    def _is_closest(self, c: Any, J: Any, given: list[Any]) -> bool:
        """Tell whether normals are against each other; whether a distance to a point is least."""
        a, b = self.contact.a, self.contact.b
        if a.is_round or b.is_round:
            return bool(np.linalg.eigvalsh(J if a.is_round else -J).min() > 0.0)
        normals = [np.array(f(c, *given)[1])[:, 0] for f in self._outlines]
        return float(normals[0] @ normals[1]) < 0.0

    def _sampled(self, given: list[Any]) -> Any:
        """Parameters at the widest slab between the outlines that has a sampled normal."""
        n = self.contact.a.parameters.numel()
        seen = []
        for k, (f, grid) in enumerate(zip(self._outlines, self._grids, strict=True)):
            c = np.zeros((len(grid), self.contact.parameters.numel()))
            c[:, n * k : n * k + grid.shape[1]] = grid
            found = [[np.array(x)[:, 0] for x in f(row, *given)] for row in c]
            seen.append([np.array(x) for x in zip(*found, strict=True)])
        base = 0 if self.contact.is_led_by_a else 1
        (x, normals), (others, _) = seen[base], seen[1 - base]
        heights = normals @ others.T - np.sum(normals * x, axis=1)[:, None]
        i = int(np.argmax(heights.min(axis=1)))
        k = int(np.argmin(heights[i]))
        chosen = (i, k) if base == 0 else (k, i)
        return np.concatenate([grid[j] for grid, j in zip(self._grids, chosen, strict=True)])


def _grid(contour: Contour) -> Any:
    """Sampled parameters (N, n) of a contour; one empty row for one without parameters."""
    if not isinstance(contour, Curve | Surface):
        return np.zeros((1, 0))
    spans = (contour.span,) if isinstance(contour, Curve) else contour.span
    lines = (np.linspace(start, end, _SAMPLES, endpoint=False) for start, end in spans)
    return np.array(list(product(*lines)))
