"""Everything that a page shows, as what JSON can hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jourdain.model.elements import WORLD, Body
from jourdain.results import Solution
from jourdain.results.ledger import markers
from jourdain.results.report import shortfall
from jourdain.spatial.parameter import evaluate
from jourdain.viz.pages import packing
from jourdain.viz.pages.keyframes import Keyframes, display_speed, keyframes
from jourdain.viz.pages.tracks import Tracks
from jourdain.viz.panels import COLOURS, Panel, numbers_in, thinned, wished, with_unit
from jourdain.viz.shapes.bodies import Meshes, entry, reach, shapes, thicken_rods
from jourdain.viz.shapes.connections import ground_height
from jourdain.viz.shapes.drawables import GREY, ORANGE, PURPLE, Arrow, Drawable, Furniture
from jourdain.viz.shapes.framing import Framing, frame_scene
from jourdain.viz.shapes.furniture import fixed_points, furniture
from jourdain.viz.shapes.outlines import outlines
from jourdain.viz.shapes.scene import chosen_colours
from jourdain.viz.shapes.skins import skin_entry
from jourdain.viz.shapes.things import Things

_FINE = 2e-5  # of the size of the machine: rounding of positions; of one: of quaternions
_MOST_EVENTS = 400
_STEPS = 300  # of the keys ← and → in a run that has fewer frames on the screen
_MOST_POINTS = 6000  # of a curve
_UNLIKE = 30.0  # ratio of ranges from which on components have panels of their own
_LINE = 1e-6  # of the largest range: a line in any panel
_ARROWS = {"force": ORANGE, "torque": PURPLE, "weight": GREY}
_WORDS = {"force": "force", "torque": "torque", "weight": "weight"}


@dataclass(frozen=True)
class Wishes:
    """What a user can choose about a page; see `jourdain.animate`."""

    plots: Sequence[Any] | None = None
    traces: Sequence[Any] = ()
    colours: Mapping[str, str] | None = None
    extras: Sequence[Drawable] = ()
    show: Sequence[str] = ()
    title: str = ""
    theme: str = "auto"
    view: tuple[float, float] | None = None
    speed: float | None = None
    note: str = ""
    bend: float = 1.0


@dataclass(frozen=True)
class _Run:
    """One solution on its way to the page."""

    label: str
    solution: Solution
    frames: Keyframes
    values: Mapping[str, float]
    bodies: list[dict[str, Any]]


def content(solutions: Mapping[str, Solution], wishes: Wishes) -> dict[str, Any]:
    """Describe a page of one or more solutions by their labels; the first is the one in colour."""
    meshes = Meshes()
    runs = [_run(label, own, wishes, meshes) for label, own in solutions.items()]
    first = runs[0]
    model = first.solution.model
    both = [(run.frames, run.bodies) for run in runs]
    ground = [entry(s, first.values, meshes) for s in outlines(model, WORLD, first.values)]
    scene = frame_scene(both, model.gravity)
    own = furniture(model, first.values, wishes.traces, wishes.extras, scene.size)
    fixed = [*fixed_points(own, first.values), *(corner for s in ground for corner in reach(s))]
    scene = scene.around(fixed)
    tracks = Tracks(first.solution, first.frames)
    for body in first.bodies:
        for name in body.get("skin", {}).get("names", ()):
            tracks.require(name)
    is_still = bool(first.frames.times[-1] <= first.frames.times[0])
    main = _main(first, own, scene, tracks, is_still) | {"ground": ground}
    begin = float(min(run.frames.times[0] for run in runs))
    end = float(max(run.frames.times[-1] for run in runs))
    speed = wishes.speed or display_speed(end - begin)
    return {
        "title": wishes.title or first.solution.model_name,
        "subtitle": _subtitle(runs, end - begin, wishes.note),
        "theme": wishes.theme,
        "span": [begin, end],
        "speed": speed,
        "step": speed / 60.0 if end - begin > 5.0 * speed else (end - begin) / _STEPS,
        "autoplay": not is_still,
        "layers": dict.fromkeys(wishes.show, True),
        **scene.content(wishes.view, ground_height(model, first.values, scene.turn)),
        "meshes": meshes.content(),
        "solutions": [
            main,
            *(_ghost(run, scene) for run in runs[1:]),
        ],
        "scales": [] if is_still else _scales(own, tracks, scene),
        **marked(first.solution),
        "charts": [] if is_still else charts(solutions, wishes.plots),
    }


def marked(solution: Solution) -> dict[str, Any]:
    """Events of a run, and whether it stopped short."""
    events = markers(solution)
    return {
        "incomplete": not solution.is_complete,
        "events": [{"name": name, "time": time} for name, time in events[:_MOST_EVENTS]],
        "more_events": max(0, len(events) - _MOST_EVENTS),
    }


def _run(label: str, solution: Solution, wishes: Wishes, meshes: Meshes) -> _Run:
    model = solution.model
    paint = chosen_colours(model, wishes.colours)
    names, p = (
        solution.system.names.parameters,
        solution.system.parameter_array(solution.parameters),
    )
    values = dict(zip(names, p.tolist(), strict=True))
    frames = keyframes(solution)
    small = 0.03 * float(np.ptp(frames.positions, axis=(0, 1)).max(initial=0.0)) or 0.05
    bodies = [
        {
            "name": name,
            "colour": paint[name],
            "shapes": shapes(model, body, values, small, meshes),
            **({"opacity": body.opacity} if body.opacity < 1.0 else {}),
            **({"within": True} if _is_frame_only(body) else {}),
            **({"label": body.piece_of} if body.elastic and body.piece_of else {}),
            "note": f"mass {_number(body.inertia.mass, values)} kg",
        }
        | skin_entry(solution, body, wishes.bend)
        for name, body in model.bodies.items()
    ]
    thicken_rods(bodies)
    return _Run(label, solution, frames, values, bodies)


def _is_frame_only(body: Body) -> bool:
    """Whether a body is a frame of a flexible body, with nothing on it to be seen."""
    return bool(body.piece_of) and body.elastic is None and not body.shapes


def _number(value: Any, values: Mapping[str, float]) -> str:
    return f"{float(evaluate(value, values)):.4g}"


def _subtitle(runs: Sequence[_Run], span: float, note: str) -> str:
    run = runs[0].solution
    if span <= 0.0:
        counts = f"{len(run.model.bodies)} bodies, {len(run.model.joints)} joints"
        return " · ".join(filter(None, (counts, note)))
    method = run.statistics.method.partition("(")[0] if run.statistics.steps else ""
    labels = [own.label for own in runs if own.label]
    others = f"{labels[0]}, with {' and '.join(labels[1:])} as ghost" if len(labels) > 1 else ""
    short = (
        f"INCOMPLETE{f' {own.label}' * bool(own.label)}: {shortfall(own.solution)}"
        for own in runs if not own.solution.is_complete
    )  # fmt: skip
    return " · ".join(filter(None, (f"{span:.4g} s", method, others, *short, note)))


def _motion(run: _Run, scene: Framing) -> dict[str, Any]:
    n = len(run.frames.times)
    both = np.concatenate([run.frames.positions, run.frames.orientations], axis=2)
    steps = np.tile([_FINE * scene.machine] * 3 + [_FINE] * 4, len(run.bodies))
    return {
        "label": run.label,
        "times": packing.plain(run.frames.times),
        "motion": packing.table(both.reshape(n, -1), steps),
    }


def _ghost(run: _Run, scene: Framing) -> dict[str, Any]:
    return _motion(run, scene) | {"bodies": run.bodies}


def _main(
    run: _Run, own: Furniture, scene: Framing, tracks: Tracks, is_still: bool
) -> dict[str, Any]:
    things = Things(run.solution, run.values, run.bodies, scene, tracks)
    made = things.content(own if not is_still else _without_arrows(own))
    return _motion(run, scene) | made | {"bodies": run.bodies, "tracks": tracks.content()}


def _without_arrows(own: Furniture) -> Furniture:
    return Furniture(tuple(d for d in own.drawables if not isinstance(d, Arrow)))


def _scales(own: Furniture, tracks: Tracks, scene: Framing) -> list[dict[str, str]]:
    """What a square of the floor stands for, for each kind of arrow."""
    made = []
    for kind in dict.fromkeys(arrow.kind for arrow in own.of(Arrow)):
        scale = tracks.scale(kind, scene)
        unit = "N m" if kind == "torque" else "N"
        text = f"{_WORDS[kind]}: {scene.grid:g} m (a square) = {scene.grid / scale:g} {unit}"
        made.append({"layer": f"{kind}s", "colour": _ARROWS[kind], "text": text})
    return made


def charts(runs: Mapping[str, Solution], plots: Sequence[Any] | None) -> list[dict[str, Any]]:
    """Charts of runs by their labels, those of the first one's quantities."""
    made, first = [], next(iter(runs.values()))
    for panel in wished(first, plots):
        for part, label in _by_size(panel, first):
            curves = [
                _curve(run, name, panel.unit)
                | {
                    "label": ", ".join(filter(None, (short, word))),
                    "colour": _ink(COLOURS[i % len(COLOURS)]),
                    "dashed": k > 0,
                }
                for k, (word, run) in enumerate(runs.items())
                for i, (name, short) in part
                if not k or name in run
            ]
            made.append({"label": label, "unit": panel.unit, "curves": curves})
    return made


def _curve(run: Solution, name: str, unit: str) -> dict[str, Any]:
    """Times and values of a curve, as many as a page needs."""
    time, values = thinned(run.time, numbers_in(run, name, unit), _MOST_POINTS)
    return {"name": name, "times": packing.plain(time), "values": packing.plain(values, "f32")}


def _by_size(panel: Panel, solution: Solution) -> Iterator[tuple[list[Any], str]]:
    """Curves of a panel with their numbers, and its label.

    Components of one vector whose ranges differ much have panels of their own: in the range of the
    others they would be lines.
    """
    left, label = list(enumerate(panel.curves)), panel.label
    if len(panel.channels) > 1:
        yield left, label
        return
    spans = {k: float(np.ptp(numbers_in(solution, name, panel.unit))) for k, (name, _) in left}
    largest = max(spans.values(), default=0.0)
    while left:
        most = max(spans[k] for k, _ in left)
        own = [x for x in left if spans[x[0]] >= most / _UNLIKE or spans[x[0]] <= _LINE * largest]
        if most <= _LINE * largest:
            own = left
        left = [x for x in left if x not in own]
        names = ", ".join(short for _, (_, short) in own)
        part = with_unit(f"{panel.channels[0].name} {names}", panel.unit)
        yield own, label if len(own) == len(spans) else part


def _ink(colour: str) -> str:
    """Black curves follow the theme of the page."""
    return "currentColor" if colour == "#000000" else colour
