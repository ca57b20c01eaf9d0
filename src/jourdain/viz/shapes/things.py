"""Drawables as entries of the page: bodies by number, parameters by value, sizes that suit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jourdain.model.elements import Frame
from jourdain.model.joints import PointOnCurve
from jourdain.results import Solution
from jourdain.spatial.parameter import evaluate
from jourdain.viz.pages import packing
from jourdain.viz.pages.tracks import Tracks
from jourdain.viz.pages.watch import Watch, courses
from jourdain.viz.shapes.bodies import quaternion, reach
from jourdain.viz.shapes.drawables import (
    GREY,
    ORANGE,
    PURPLE,
    Arrow,
    Furniture,
    Hinge,
    Line,
    Mark,
    Marker,
    Moving,
    Place,
    Stretch,
    Trace,
)
from jourdain.viz.shapes.framing import Framing
from jourdain.viz.shapes.glyphs import glyph_size, glyphs, word

_COLOURS = {"force": ORANGE, "torque": PURPLE, "weight": GREY}


class Things:
    """Writer of the drawables of one solution.

    Parameters
    ----------
    solution : Solution
        The run.
    values : mapping of str to float
        Values of all parameters.
    bodies : sequence of dict
        Bodies with their shapes, in the order of their numbers.
    scene : Framing
        Size of the scene.
    tracks : Tracks
        Quantities that the page gets to know.
    """

    def __init__(
        self,
        solution: Solution,
        values: Mapping[str, float],
        bodies: Sequence[Mapping[str, Any]],
        scene: Framing,
        tracks: Tracks,
    ) -> None:
        self.solution, self.values, self.scene, self.tracks = solution, values, scene, tracks
        self.numbers = {body["name"]: k for k, body in enumerate(bodies)}
        self.colours = {body["name"]: body["colour"] for body in bodies}
        self.small = glyph_size(_lengths(bodies), solution.model)
        self._courses: dict[Moving, Any] = {}

    def content(self, own: Furniture) -> dict[str, Any]:
        """Entries of the page."""
        watch = Watch(self.tracks.frames, self.numbers, self.values)
        self._courses = courses(watch, len(self.tracks.frames.times), own.moving())
        arrows = [self._arrow(d) for d in own.of(Arrow)]
        for arrow in arrows:
            arrow["scale"] = self.tracks.scale(arrow["kind"], self.scene)
        return {
            "joints": [self._joint(d) for d in own.of(Hinge)],
            "stretches": [self._stretch(d) for d in own.of(Stretch)],
            "markers": [self._marker(d) for d in own.of(Marker)],
            "arrows": arrows,
            "traces": [self._trace(d) for d in own.of(Trace)],
            "lines": [self._line(d) for d in own.of(Line)],
            "frames": [
                {"name": d.name, "place": self._frame(d.at), "size": 4.0 * self.small}
                for d in own.of(Mark)
            ],
        }

    def _frame(self, frame: Frame) -> dict[str, Any]:
        return {
            "body": self.numbers.get(frame.body, -1),
            "position": [float(x) for x in evaluate(frame.position, self.values)],
            "rotation": quaternion(frame.rotation),
        }

    def _place(self, place: Place) -> dict[str, Any]:
        if isinstance(place, Frame):
            return self._frame(place)
        if isinstance(place, Moving):
            return {"track": self._track(place)}
        self.tracks.require(place)
        return {"track": place}

    def _track(self, moving: Moving) -> str:
        return self.tracks.add(self._courses[moving])

    def _joint(self, own: Hinge) -> dict[str, Any]:
        travel = self._range(f"{own.name}.position")
        made: dict[str, Any] = {
            "name": own.name,
            "word": f"{word(own.kind)} joint",
            "note": f"{own.parent.body} → {own.child.body}",
            "parent": self._frame(own.parent),
            "child": self._frame(own.child),
            "size": self.small,
            "glyphs": [
                {"kind": kind, "axis": axis, "size": self.small}
                | ({"travel": [x / self.small for x in travel]} if kind == "prismatic" else {})
                for kind, axis in glyphs(own.kind)
            ],
            "values": self.tracks.of(own.name),
        }
        if isinstance(own.kind, PointOnCurve):
            made["path"] = packing.plain(self._curve(own), "f32")
        return made

    def _range(self, name: str) -> tuple[float, float]:
        """Least and largest value of a quantity, with zero; zeros where there is none."""
        if name not in self.solution.channels or self.solution.channel(name).labels:
            return 0.0, 0.0
        values = self.solution.values(name)
        return min(0.0, float(values.min())), max(0.0, float(values.max()))

    def _curve(self, own: Hinge) -> Any:
        """Points of the wire of a bead, somewhat beyond where it goes."""
        values = self.solution.values(f"{own.name}.parameter")
        low, high = float(values.min()), float(values.max())
        more = 0.1 * (high - low) or 0.5
        curve = own.kind.curve  # type: ignore[attr-defined]
        points = [curve(s) for s in np.linspace(low - more, high + more, 121)]
        return np.array([[float(x) for x in point] for point in points])

    def _stretch(self, own: Stretch) -> dict[str, Any]:
        usual = {"spring": 0.9, "strut": 0.9, "damper": 0.75, "rod": 0.35}.get(own.kind, 0.22)
        radius = own.radius or usual * self.small
        return {
            "name": own.name,
            "word": "connection" if own.kind == "hidden" else own.kind,
            "kind": own.kind,
            "colour": own.colour,
            "radius": radius,
            "rest": self._length(own) or 4.0 * radius,
            "through": [self._place(place) for place in own.through],
            "values": self.tracks.of(own.name),
        }

    def _length(self, own: Stretch) -> float:
        """Mean distance of the first two places [m]."""
        ends = [self._ways(place) for place in own.through[:2]]
        return float(np.linalg.norm(ends[1] - ends[0], axis=-1).mean())

    def _ways(self, place: Place) -> Any:
        """Positions of a place (n, 3) [m]."""
        frames = self.tracks.frames
        if isinstance(place, str):
            return frames.solution.values(place)
        if isinstance(place, Moving):
            return self._courses[place]
        entry = self._frame(place)
        if entry["body"] < 0:
            return np.array([entry["position"]])
        from scipy.spatial.transform import Rotation  # noqa: PLC0415

        turn = Rotation.from_quat(np.roll(frames.orientations[:, entry["body"]], -1, axis=1))
        return turn.apply(entry["position"]) + frames.positions[:, entry["body"]]

    def _marker(self, own: Marker) -> dict[str, Any]:
        least = 0.0
        if own.active:
            self.tracks.require(own.active)
            least = 1e-3 * float(self.solution.values(own.active).max(initial=0.0))
        return {
            "name": own.name,
            "word": "contact" if own.active else "connection",
            "point": self._place(own.at),
            "active": own.active,
            "least": least,
            "radius": 0.5 * self.small,
            "colour": own.colour,
            "values": self.tracks.of(own.name),
        }

    def _arrow(self, own: Arrow) -> dict[str, Any]:
        vector: list[Any]
        if isinstance(own.vector, str | Moving):
            if isinstance(own.vector, str):
                self.tracks.require(own.vector)
                name, values = own.vector, self.solution.values(own.vector)
            else:
                name, values = self._track(own.vector), self._courses[own.vector]
            vector = [f"{name}.{axis}" for axis in "xyz"]
            largest = float(np.linalg.norm(values, axis=-1).max(initial=0.0))
        else:
            vector = [float(x) for x in own.vector]
            largest = float(np.linalg.norm(vector))
        self.tracks.note_largest(own.kind, largest)
        return {
            "name": own.name,
            "kind": own.kind,
            "colour": _COLOURS[own.kind],
            "point": self._place(own.at),
            "vector": vector,
            "axes": self._frame(own.axes) if own.axes is not None else None,
        }

    def _trace(self, own: Trace) -> dict[str, Any]:
        colour = own.colour or self.colours.get(own.at.body, GREY)
        return {"name": own.name, "point": self._frame(own.at), "colour": colour}

    def _line(self, own: Line) -> dict[str, Any]:
        points = packing.plain(np.asarray(own.points, dtype=float).reshape(-1, 3), "f32")
        return {
            "name": own.name,
            "place": self._frame(own.at),
            "points": points,
            "colour": own.colour,
        }


def _lengths(bodies: Sequence[Mapping[str, Any]]) -> list[float]:
    """Lengths of bodies [m]."""
    lengths = []
    for body in bodies:
        boxes = [reach(shape) for shape in body["shapes"]]
        low, high = np.min([b[0] for b in boxes], axis=0), np.max([b[1] for b in boxes], axis=0)
        lengths.append(float((high - low).max()))
    return lengths
