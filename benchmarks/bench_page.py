"""The page in Chromium without a window and without a graphics card: start, frames, size.

For pendulums, each a rod with a ball, and for boxes that tumble: the time in which Python writes
the page, of a new system and of one that has answered before (best of several), the time until the
first picture is drawn, the frames a second that the browser itself counts while the motion plays,
and the processor time of a frame in all processes of the browser. A page that only clears a canvas
shows how many frames there can be. Other work on the machine lowers the frames: the best of several
short measurements is shown.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

import jourdain as jd

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--disable-background-networking", "--no-first-run",
]  # fmt: skip
COUNT = """(seconds) => new Promise((done) => {
  let n = 0, begin; const frame = (now) => { begin ??= now; n++;
    if (now - begin > 1000 * seconds) done(1000 * (n - 1) / (now - begin));
    else requestAnimationFrame(frame); }; requestAnimationFrame(frame); })"""
EMPTY = """<!DOCTYPE html><canvas width="1008" height="445"></canvas><script>
  window.viewer = { ready: true };
  const pen = document.querySelector("canvas").getContext("2d"); let n = 0;
  const frame = () => { pen.fillStyle = `rgb(0, 0, ${n++ % 256})`; pen.fillRect(0, 0, 1008, 445);
    requestAnimationFrame(frame); }; frame();</script>"""
REPEATS, SECONDS = 4, 1.0


def swarm(n: int, end: float, sample: float | None, folder: Path, traced: bool = False) -> Path:
    model = jd.Model(f"swarm_{n}")
    for k in range(n):
        length = 0.2 + 0.01 * (k % 40)
        bob = jd.solid.rod(1.0, (0, 0, -length)) + jd.solid.ball(1.0, 0.03, at=(0, 0, -length))
        place = model.world.at(0.2 * (k % 10), 0.2 * (k // 10), 1.0)
        model.add_joint(
            f"pivot_{k}", place, model.add_body(f"bob_{k}", bob), jd.Universal("x", "y")
        )
    start = {f"pivot_{k}.angle_{i}": 0.3 + 0.01 * k for k in range(n) for i in (1, 2)}
    system = jd.compile(model)
    name = f"pendulums_{n}_traced" if traced else f"pendulums_{n}"
    traces, times = ([f"bob_{k}" for k in range(n)] if traced else []), []
    for _ in range(1 if traced else REPEATS):
        sol = jd.simulate(system, end, start=start, sample=sample)
        begin = time.process_time()
        made = jd.animate(sol, folder / f"{name}.html", traces=traces).path
        times.append(time.process_time() - begin)
    if len(times) > 1:
        first, again = times[0], min(times[1:])
        print(f"{name:19} {end:g} s: written in {again:.2f} s, the first time in {first:.2f} s")
    return made


def boxes(n: int, folder: Path) -> Path:
    model = jd.Model(f"boxes_{n}")
    start: dict[str, object] = {}
    for k in range(n):
        model.add_body(f"box_{k}", jd.solid.box(1.0, (0.12, 0.08, 0.1)))
        start[f"box_{k}.position"] = (0.2 * (k % 10), 0.2 * (k // 10), 0.1)
        start[f"box_{k}.velocity"] = (0.0, 0.0, 3.0 + 0.05 * k)
        start[f"box_{k}.angular_velocity"] = (1.0 + 0.1 * k, 2.0, 0.5)
    sol = jd.simulate(model, 1.0, start=start)
    return jd.animate(sol, folder / f"boxes_{n}.html").path


def opened(browser, file: Path, wishes: str):
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{file.as_uri()}#{wishes}")
    while not page.evaluate("Boolean(window.viewer?.ready)"):
        page.wait_for_timeout(20)
    return page


def measured(browser, session, file: Path, step: str) -> tuple[float, float]:
    """Frames a second and processor time of a frame [ms], of the best measurement."""

    def spent() -> float:
        found = session.send("SystemInfo.getProcessInfo")["processInfo"]
        return sum(process["cpuTime"] for process in found)

    page, best = opened(browser, file, f"play=1&quality={step}"), (0.0, 0.0)
    page.wait_for_timeout(500)
    for _ in range(REPEATS):
        before, begin = spent(), time.perf_counter()
        rate = page.evaluate(COUNT, SECONDS)
        frames = rate * (time.perf_counter() - begin)
        best = max(best, (rate, 1e3 * (spent() - before) / frames))
    page.close()
    return best


def main() -> None:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("left out: playwright is not installed")
        return
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        print("left out: Chromium is not installed")
        return
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        session, folder = browser.new_browser_cdp_session(), Path(name)
        small, large = swarm(50, 10.0, None, folder), swarm(100, 60.0, 0.05, folder)
        for file in (small, large):
            pages = [opened(browser, file, "play=0") for _ in range(REPEATS)]
            first = min(page.evaluate("viewer.timing.started") for page in pages)
            size = file.stat().st_size / 1e6
            print(f"{file.stem:19} {size:5.2f} MB, first picture after {1e-3 * first:.2f} s")
            for page in pages:
                page.close()
        empty = folder / "empty_canvas.html"
        empty.write_text(EMPTY, encoding="utf-8")
        traced = swarm(50, 10.0, None, folder, traced=True)
        cases = [(file, "auto") for file in (empty, small, boxes(50, folder), large, traced)]
        cases += [(small, step) for step in ("full", "good", "plain", "quick", "least")]
        for file, step in cases:
            rate, spent = measured(browser, session, file, step)
            print(f"{file.stem:19} {step:6} {rate:5.1f} frames/s, {spent:6.1f} ms each")
        browser.close()


if __name__ == "__main__":
    main()
