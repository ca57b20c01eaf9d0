"""Pages of machines without bodies: wheels and slides move, numbers and curves are the run's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from jourdain.results import Solution
from jourdain.viz.pages.content import Wishes, charts, content, marked
from jourdain.viz.pages.keyframes import keyframes
from jourdain.viz.pages.tracks import Tracks
from jourdain.viz.pages.wheels import wheels

_MOST_CURVES = 6
_OF = {"rad": "kg m²", "m": "kg"}  # units of inertias


def stand_in_content(runs: Mapping[str, Solution], wishes: Wishes) -> dict[str, Any]:
    """Describe a page of runs of scalar coordinates; the first is seen, curves show all."""
    run = next(iter(runs.values()))
    shown = wheels(run)
    note = ", ".join(filter(None, (wishes.note, shown.note)))
    bare = replace(wishes, plots=(), extras=(*wishes.extras, *shown.links), note=note)
    data = content({"": shown.solution}, bare)
    main, frames = data["solutions"][0], keyframes(shown.solution)
    at = cast("Solution", run.at(frames.times)) if len(run.time) > 1 else run
    tracks = Tracks(run, replace(frames, solution=at))
    for body in main["bodies"]:
        name = shown.coordinates[body["name"]]
        body["values"] = tracks.of(name) or tracks.of(_element(name))
        inertia = run.model.coordinates[name]
        body["note"] = f"inertia {inertia.inertia} {_OF.get(inertia.unit, '')}".strip()
    for link in main["stretches"]:
        link["values"] = tracks.of(link["name"])
        link["word"] = "connection"
    main |= {"tracks": tracks.content(), "joints": []}
    plots = _speeds(run) if wishes.plots is None else wishes.plots
    drawn = charts(runs, plots) if data["autoplay"] else []
    return data | marked(run) | {"standsIn": True, "charts": drawn}


def _speeds(run: Solution) -> list[str]:
    """Rates of the first coordinates, by the names that their parts give them."""
    found = []
    for name in run.model.coordinates:
        own = f"{_element(name)}.speed"
        found.append(own if own in run else f"{name}.rate")
    return found[:_MOST_CURVES]


def _element(name: str) -> str:
    """Name of the part that a coordinate belongs to, or its own."""
    return name.removesuffix(".angle").removesuffix(".position")
