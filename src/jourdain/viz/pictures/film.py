"""Pictures and films of solutions."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from itertools import chain
from pathlib import Path
from typing import IO, Any, Literal, cast

import numpy as np

from jourdain.analysis.vibration.large_modes import LargeMode
from jourdain.analysis.vibration.modes import Mode
from jourdain.errors import FormatError, MissingExtraError, ModelError
from jourdain.files import replacing
from jourdain.model.elements import Frame
from jourdain.results import Solution
from jourdain.spatial.parameter import nominal
from jourdain.viz.pages import browser as browsers
from jourdain.viz.pages.content import Wishes
from jourdain.viz.pages.keyframes import body_motion, display_speed
from jourdain.viz.pictures.camera import looking_at
from jourdain.viz.pictures.fittings import Fittings
from jourdain.viz.pictures.png import png
from jourdain.viz.pictures.render import render as shaded
from jourdain.viz.pictures.stamp import stamped
from jourdain.viz.shapes.framing import Framing, eye, upright
from jourdain.viz.shapes.furniture import trace
from jourdain.viz.shapes.scene import Part, corners, floor_height, make_parts
from jourdain.viz.shapes.skins import Bending

_MOVING = (".gif", ".mp4")
_PICTURE, _SMALL = (1280, 720), (640, 360)
_ALONG = 400  # points of a way in a picture


def render(
    solution: Solution | Mode | LargeMode,
    path: str | os.PathLike[str],
    *,
    t: float | None = None,
    size: tuple[int, int] | None = None,
    view: Any = None,
    colours: Mapping[str, str] | None = None,
    traces: Sequence[Any] = (),
    fps: float = 25.0,
    speed: float | None = None,
    browser: str | Literal[False] | None = None,
) -> Path:
    """Draw one moment as a picture, or the whole run as a film; no window is opened.

    Pictures look as the page does: a browser takes them where one is found, in a second or two.
    Elsewhere, and for films, Jourdain draws the same scene itself, with a plainer floor.

    Pictures of a run that has stopped short have a red frame and the word INCOMPLETE.

    ======== =======================================================================
    ending   needs
    ======== =======================================================================
    ``.png`` nothing; Chromium or Chrome, if it is there, takes the picture
    ``.gif`` Pillow, which comes with the extra ``plot``
    ``.mp4`` ffmpeg, as a program or with the extra ``film``
    ======== =======================================================================

    Parameters
    ----------
    solution : Solution or Mode
        The run, or one period of a mode.
    path : str or path
        File to write; its ending tells what.
    t : float [s], optional
        Moment of a picture; by default the end of the run.
    size : (2,), optional
        Width and height in points; by default 1280×720, and 640×360 for films.
    view : (2,) [rad], optional
        Height of the eye above the horizon, and its direction about the vertical from x; in
        degrees ``((25, -60), "deg")``.

    colours : mapping of str to str, optional
        Colours ``"#rrggbb"`` by body; the others take turns.
    traces : sequence of str, Body or Frame
        Points whose ways until then are drawn.
    fps : float [1/s]
        Pictures of a film in a second.
    speed : float [1], optional
        Seconds of the run in a second of the film; by default what suits the run.
    browser : str or False, optional
        Program of Chromium or Chrome, such as ``"chromium"``, to take the picture with; by default
        the first that is found. ``False`` takes none.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ModelError
        If the ending or the moment has no meaning.
    MissingExtraError
        If a program or a package is missing.
    """
    file, end = Path(path), Path(path).suffix.lower()
    if end not in (".png", *_MOVING):
        raise ModelError(
            f"cannot draw '{file}': its ending tells what to draw, one of .png, .gif and .mp4."
        )
    view = eye(view)
    if isinstance(solution, Mode | LargeMode):
        solution = solution.motion()
    if end == ".png":
        moment = _moment(solution, t)
        taker = browsers.installed() if browser is None else browser
        if taker and solution.model.bodies:
            wishes = Wishes([], traces, colours, theme="light", view=view)
            with suppress(FormatError) if browser is None else nullcontext():
                return browsers.photograph(solution, file, moment, size or _PICTURE, taker, wishes)
        times = _until(solution, moment) if traces else np.array([moment])
        film = _Film(solution, times, size or _PICTURE, view, colours, traces, [-1])
        picture = png(film.image(-1))
        return _written(file, lambda other: other.write_bytes(picture))
    if browser:
        raise ModelError(f"a browser takes pictures only, not '{file}'. Leave out browser.")
    if t is not None:
        raise ModelError(f"t = {t:g} s is one moment, but '{file}' is a film. Leave out t.")
    write, need = (_gif, _pillow()) if end == ".gif" else (_mp4, _ffmpeg())
    times = _times(solution, fps, speed)
    rows = np.unique(np.linspace(0, len(times) - 1, 60).astype(int))
    film = _Film(solution, times, size or _SMALL, view, colours, traces, rows)
    return _written(file, lambda other: write(need, film.images(), other, fps))


def _moment(solution: Solution, t: float | None) -> float:
    begin, end = float(solution.time[0]), float(solution.time[-1])
    if t is not None and not begin <= t <= end:
        raise ModelError(
            f"t = {t:g} s lies outside the solution of model {solution.model_name!r}, which covers "
            f"{begin:g} s to {end:g} s."
        )
    return end if t is None else float(t)


def _times(solution: Solution, fps: float, speed: float | None) -> Any:
    if not fps > 0.0 or (speed is not None and not speed > 0.0):
        raise ModelError(f"fps is {fps!r} and speed is {speed!r}: give numbers above zero.")
    span = float(solution.time[-1] - solution.time[0])
    count = max(2, round(fps * span / (speed or display_speed(span))))
    return np.linspace(solution.time[0], solution.time[-1], count)


class _Film:
    """Bodies, ways and camera of some moments; the camera sees those in ``framed``."""

    def __init__(
        self,
        solution: Solution,
        times: Any,
        size: tuple[int, int],
        view: tuple[float, float] | None,
        colours: Mapping[str, str] | None,
        traces: Sequence[Any],
        framed: Any,
    ) -> None:
        self.is_complete = solution.is_complete
        self.parts = make_parts(solution.model, colours)
        source, rows = _source(solution, times)
        poses = body_motion(source)[0][rows]
        moments = source if len(poses) == len(source.time) else cast("Solution", source.at(times))
        self.fittings = Fittings(solution, moments, poses, self.parts)
        self.turn = np.eye(4)
        self.turn[:3, :3] = upright(np.array(nominal(solution.model.gravity), dtype=float))
        self.poses = self.turn @ poses
        self.bending = Bending(source, rows, self.parts)
        ways = (trace(solution.model, place).at for place in traces)
        self.ways = [self._way(solution, place) for place in ways]
        seen = [_corners(part, self.poses[framed, k]) for k, part in enumerate(self.parts)]
        box = corners(self.parts, self.poses[framed])
        self.floor = floor_height(box)
        each = np.array([(x.min(axis=0), x.max(axis=0)) for x in seen])
        direction = view or Framing(np.eye(3), box, 1.0, boxes=each).view
        ends = self.fittings.points @ self.turn[:3, :3].T
        self.camera = looking_at(np.concatenate([*seen, *self.ways, ends]), direction, *size)

    def _way(self, solution: Solution, place: Frame) -> Any:
        body, arm = solution.system.locate(place, solution.parameters)
        return self.poses[:, body, :3, :3] @ arm + self.poses[:, body, :3, 3]

    def image(self, k: int) -> Any:
        """Picture (height, width, 3) of uint8 of one moment."""
        end = k % len(self.poses) + 1
        ways = [way[:end] for way in self.ways] if end > 1 else []
        others = self.fittings.at(k)
        parts = [*self.bending.at(k), *others]
        poses = [*self.poses[k], *(self.turn for _ in others)]
        image = shaded(parts, poses, self.camera, floor=self.floor, paths=ways)
        image = image if self.is_complete else stamped(image)
        return np.round(255.0 * image).astype(np.uint8)

    def images(self) -> Iterator[Any]:
        """Yield the pictures of all moments."""
        return (self.image(k) for k in range(len(self.poses)))


def _until(solution: Solution, t: float) -> Any:
    """Times of samples before a moment [s], and the moment."""
    before = solution.time[solution.time < t]
    return np.append(before[:: max(1, len(before) // _ALONG)], t)


def _source(solution: Solution, times: Any) -> tuple[Solution, Any]:
    """Solution and its rows at times [s]; nothing is interpolated where there are samples."""
    rows = np.searchsorted(solution.time, times, side="right") - 1
    if np.array_equal(solution.time[rows], times):
        return solution, rows
    return cast("Solution", solution.at(times)), slice(None)


def _corners(part: Part, poses: Any) -> Any:
    low, high = part.mesh.points.min(axis=0), part.mesh.points.max(axis=0)
    box = np.stack(np.meshgrid(*zip(low, high, strict=True)), axis=-1).reshape(-1, 3)
    return (box @ np.swapaxes(poses[:, :3, :3], 1, 2) + poses[:, np.newaxis, :3, 3]).reshape(-1, 3)


def _written(file: Path, write: Callable[[Path], Any]) -> Path:
    try:
        with replacing(file) as other:
            write(other)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise FormatError(f"cannot write {str(file)!r:.300}: {why}.") from error
    return file


def _pillow() -> Any:
    try:
        from PIL import Image  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError(
            "GIF films need Pillow, which is not installed. Next: pip install 'jourdain[plot]'"
        ) from error
    return Image


def _gif(image: Any, pictures: Iterator[Any], file: Path, fps: float) -> None:
    first, *others = (
        image.fromarray(picture).quantize(128, dither=image.Dither.NONE) for picture in pictures
    )
    first.save(file, "GIF", save_all=True, append_images=others, duration=1000 / fps, loop=0)


def _ffmpeg() -> str:
    found = shutil.which("ffmpeg")
    if found is not None:
        return found
    try:
        from imageio_ffmpeg import get_ffmpeg_exe  # noqa: PLC0415

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError) as error:
        raise MissingExtraError(
            "MP4 films need ffmpeg, which is neither on the path nor installed with Python. Next: "
            "pip install 'jourdain[film]', or write a film that ends in .gif."
        ) from error


def _mp4(program: str, pictures: Iterator[Any], file: Path, fps: float) -> None:
    first = next(pictures)
    height, width = (n - n % 2 for n in first.shape[:2])  # the usual coding takes even numbers
    command = [
        program, "-y", "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgb24",
        "-video_size", f"{width}x{height}", "-framerate", f"{fps:g}", "-i", "-",
        "-pix_fmt", "yuv420p", "-movflags", "+faststart", os.fspath(file),
    ]  # fmt: skip
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as coder:
        with suppress(BrokenPipeError):  # it tells below why it stopped listening
            for picture in chain((first,), pictures):
                cast("IO[bytes]", coder.stdin).write(picture[:height, :width].tobytes())
        errors = coder.communicate()[1].decode(errors="replace").strip()
    if coder.returncode:
        raise OSError(f"ffmpeg says {errors}")
