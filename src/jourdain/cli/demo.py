"""The demonstration: a walking machine from description to picture."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from jourdain import __version__
from jourdain.analysis.structure import structure
from jourdain.cli import walker
from jourdain.results import Solution
from jourdain.system import System, compile
from jourdain.viz import animate, render

N_CONFIGURATIONS = 20_000
_FRAMES_PER_SECOND = 60
_SIZE = 960, 540  # of the picture
PLOTS = (
    "left_1_knee.angle",
    "right_1_knee.angle",
    "left_1_foot.position.z",
    "right_1_foot.position.z",
)
_SPIN = 2.0 * np.pi * 4.0 / walker.ROUND  # of the scanner [rad/s]: four turns in a round
_END = 1.2 * walker.ROUND  # the moment of the picture [s]
_TRAIL = 0.3 * walker.ROUND  # length of the feet's trail in the picture [s]


class Stopwatch:
    """Named durations [s], in the order of measuring."""

    def __init__(self) -> None:
        self.durations: dict[str, float] = {}

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Measure what happens inside."""
        start = time.perf_counter()
        yield
        self.durations[name] = time.perf_counter() - start


def run(out: Path, console: Console | None = None) -> tuple[Path, Path]:
    """Build, compile and move the machine; write a picture and a page.

    Parameters
    ----------
    out : Path
        Folder for both; made if it is not there.
    console : rich.console.Console, optional
        Where to tell about it.

    Returns
    -------
    (Path, Path)
        The picture and the page.
    """
    say = console or Console(highlight=False)
    out.mkdir(parents=True, exist_ok=True)
    files = out / "walker.png", out / "walker.html"
    watch = Stopwatch()
    say.print(f"[bold]Jourdain {__version__}[/]  a machine with six driven legs\n")
    with watch("describe the machine"):
        model = walker.make_walker()
    head, tree, *_, freedoms = str(structure(model)).split("\n\n")
    report = "\n\n".join((head, tree, freedoms, ""))
    say.print(report, markup=False, no_wrap=True, overflow="ellipsis")
    with watch("derive its motion and compile it"):
        system = compile(model)
        for t in (0.0, np.zeros(8)):  # one position, and many at a time
            motion(system, t)
    times = np.linspace(0.0, _END, N_CONFIGURATIONS)
    with watch(f"move it to {N_CONFIGURATIONS:,} positions, in one call"):
        poses, twists = motion(system, times)
    velocities = feet_motion(system, poses, twists)[1]
    with watch("draw the picture and write the page"):
        _look(system, files)
    say.print(_timings(watch))
    say.print(
        f"\nFeet on the ground slip by at most [bold]{slip(times, velocities):.1e} m/s[/]: the"
    )
    say.print("velocities come from differentiating the drives, and nobody typed them.\n")
    for file in files:
        say.print(f"  {file}", style="bold", soft_wrap=True)
    return files


def motion(system: System, t: Any) -> tuple[Any, Any]:
    """Poses and twists of all bodies at times t [s], the scanner turning evenly."""
    angle = _SPIN * np.asarray(t)[..., np.newaxis]
    poses, twists, _ = system.kinematics(angle, np.full_like(angle, _SPIN), None, t)
    return poses, twists


def feet_motion(system: System, poses: Any, twists: Any) -> tuple[Any, Any]:
    """Positions [m] and velocities [m/s] of the feet, (6, n, 3) each, in the order of the legs."""
    shins = [system.names.bodies.index(f"{leg.name}_shin") for leg in walker.legs()]
    arms = poses[:, shins, :3, :3] @ (walker.SHIN, 0.0, 0.0)
    velocities = twists[:, shins, 3:] + np.cross(twists[:, shins, :3], arms)
    positions = poses[:, shins][..., :3, 3] + arms
    return np.swapaxes(positions, 0, 1), np.swapaxes(velocities, 0, 1)


def slip(times: Any, velocities: Any) -> float:
    """Largest speed [m/s] of a foot in the first half of its cycle, when it stands."""
    stands = np.array([(times / walker.CYCLE - leg.phase) % 1.0 < 0.5 for leg in walker.legs()])
    return float(np.linalg.norm(velocities, axis=-1)[stands].max())


def _look(system: System, files: tuple[Path, Path]) -> None:
    wishes: dict[str, Any] = {"colours": walker.colours(), "view": ((24.0, -46.0), "deg")}
    feet = [f"{leg.name}_foot" for leg in walker.legs()]
    render(_walk(system, _END - _TRAIL, _END), files[0], traces=feet, size=_SIZE, **wishes)
    animate(_walk(system, 0.0, walker.ROUND), files[1], traces=feet, plots=PLOTS, **wishes)


def _walk(system: System, begin: float, end: float) -> Solution:
    """Motion between two times [s], with the scanner at an even pace."""
    times = np.linspace(begin, end, 1 + round(_FRAMES_PER_SECOND * (end - begin)))
    angles = _SPIN * times[:, np.newaxis]
    return Solution(system, times, angles, np.full_like(angles, _SPIN), np.zeros_like(angles))


def _timings(watch: Stopwatch) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(justify="right")
    for name, seconds in watch.durations.items():
        table.add_row(name, f"[bold]{1e3 * seconds:,.0f} ms[/]")
    return table
