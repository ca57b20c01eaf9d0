"""Contacts of pairs without a loop of their own: by their formulas, or by the library coal."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from jourdain.errors import ModelError
from jourdain.model.contours import Contour
from jourdain.model.contours.pairs import find_pair
from jourdain.system.contact.convex_phase import ConvexPhase
from jourdain.system.contact.narrow_phase import ContactPoints, NarrowPhase, dimensions, form

Phase = Callable[[Any, Any], ContactPoints]  # of poses and pairs


class OtherPairs:
    """Contact points of listed pairs, form by form.

    Parameters
    ----------
    contours : sequence of Contour
        All contours.
    is_other : (n,) of bool
        Those without loops.
    lanes : int
        Pairs at a time.
    """

    def __init__(self, contours: Sequence[Contour], is_other: Any, lanes: int) -> None:
        self._contours, self._lanes = contours, lanes
        known: dict[Hashable, int] = {}
        self._forms = np.array([known.setdefault(form(c), len(known)) for c in contours], int)
        self._sizes = [dimensions(c) if x else () for c, x in zip(contours, is_other, strict=True)]
        self._phases: dict[tuple[int, int], Phase] = {}
        self._refuse(is_other)

    def _refuse(self, is_other: Any) -> None:
        """Raise for two forms on different bodies that nothing can serve."""
        seen = set()
        for a in np.flatnonzero(is_other).tolist():
            for b, contour in enumerate(self._contours):
                key = self._forms[a], self._forms[b]
                if contour.frame.body != self._contours[a].frame.body and key not in seen:
                    seen.add(key)
                    if not _has_formula(self._contours[a], contour):
                        ConvexPhase(self._contours[a], contour)

    def __call__(self, poses: Any, pairs: Any, margin: float) -> list[Any]:
        """Pairs, features, gaps, normals and points of the contacts of pairs (n, 2)."""
        found = []
        forms = self._forms[pairs]
        for key in np.unique(forms, axis=0).tolist():
            own = pairs[(forms == key).all(axis=1)]
            points = self._phase((key[0], key[1]), own[0])(poses, own)
            n, k = points.gaps.shape
            keep = (points.gaps <= margin).ravel()
            parts = points.gaps, points.normals, points.points_a, points.points_b
            rows = [x.reshape(n * k, *x.shape[2:])[keep] for x in parts]
            names = np.tile(np.arange(k), n)[keep]
            found.append([np.repeat(own, k, axis=0)[keep], names, *rows])
        return [np.concatenate(columns) for columns in zip(*found, strict=True)]

    def _phase(self, key: tuple[int, int], pair: Any) -> Phase:
        if key not in self._phases:
            a, b = (self._contours[k] for k in pair)
            make = self._formula if _has_formula(a, b) else self._library
            self._phases[key] = make(a, b)
        return self._phases[key]

    def _formula(self, a: Contour, b: Contour) -> Phase:
        find = NarrowPhase(a, b, self._lanes)

        def phase(poses: Any, pairs: Any) -> ContactPoints:
            sizes = [
                [*dimensions(self._contours[i]), *dimensions(self._contours[j])] for i, j in pairs
            ]
            return find.rows(np.hstack([poses[pairs].reshape(len(pairs), -1), sizes]))

        return phase

    def _library(self, a: Contour, b: Contour) -> Phase:
        known: dict[tuple[int, int], ConvexPhase] = {}

        def phase(poses: Any, pairs: Any) -> ContactPoints:
            found = []
            for i, j in pairs.tolist():
                if (i, j) not in known:
                    known[i, j] = ConvexPhase(self._contours[i], self._contours[j])
                found.append(known[i, j].rows(poses[[i, j]].ravel()))
            names = "gaps", "normals", "points_a", "points_b"
            return ContactPoints(*(np.concatenate([getattr(f, x) for f in found]) for x in names))

        return phase


def _has_formula(a: Contour, b: Contour) -> bool:
    try:
        find_pair(a, b)
    except ModelError:
        return False
    return True
