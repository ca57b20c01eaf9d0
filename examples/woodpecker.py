"""The woodpecker toy: it pecks its way down a pole by jamming, sliding and hitting.

Pfeiffer's example of impact with friction (Mechanical System Dynamics, 3.4.5): a sleeve with play
on a pole, a woodpecker on a spring. After a few pecks the motion repeats itself: 146 ms and 19.4 mm
down each time. Every event of a period is in `sol.events`.
"""

from itertools import pairwise

import numpy as np

import jourdain as jd
from jourdain.library import woodpecker

WEIGHT = (0.0003 + 0.0045) * 9.81  # of sleeve and bird [N]
LAWS: dict[str, jd.Newton | jd.Poisson] = {
    "Poisson, plain friction": jd.Poisson(),
    "Newton": jd.Newton(),
    "Poisson, Beitelschmidt": jd.Poisson("beitelschmidt"),
}
JAMMED = {  # the sleeve starts to slip
    "height.value": 0.0,
    "height.rate": 0.0,
    "sleeve.rate": 0.0,
    "sleeve.value": -0.0006 / 0.0058,
    "bird.value": -0.2051353492,
    "bird.rate": 17.5746662,
}


def run(impact: jd.Newton | jd.Poisson | None = None, end: float = 0.3) -> jd.Solution:
    """Simulate the toy from the moment at which its sleeve slips."""
    return jd.simulate(woodpecker(impact=impact), end, start=JAMMED)


def periods(sol: jd.Solution) -> tuple[list[float], list[float]]:
    """Times [s] and heights [m] at which the jammed sleeve slips again."""
    slips = [b for a, b in pairwise(sol.events) if (a.kind, b.kind) == ("stick", "slip")]
    return [0.0, *(e.time for e in slips)], [0.0, *(float(e.q[0]) for e in slips)]


def check() -> None:
    sol = run()
    times, heights = periods(sol)
    np.testing.assert_allclose(np.diff(times), 0.14597607, atol=2e-7)
    np.testing.assert_allclose(np.diff(heights), -0.01944538, atol=2e-7)
    lost = sum(event.details.get("energy", 0.0) for event in sol.events if event.time < times[1])
    assert 0.13 < -lost / (WEIGHT * -heights[1]) < 0.14  # impacts; sliding takes the rest
    other = run(jd.Newton(), end=0.15)  # the same motion: beak and sleeve never hit together
    np.testing.assert_allclose(periods(other)[0][1], times[1], rtol=1e-6)


if __name__ == "__main__":
    sol = run(end=0.15)
    print(sol)
    print("  time [ms]  event       of         height [mm]  energy [µJ]")
    for event in sol.events:
        energy = event.details.get("energy")
        cost = "" if energy is None else f"{1e6 * energy:12.3f}"
        place = f"{1e3 * event.time:11.4f}  {event.kind:11} {event.name:9} {1e3 * event.q[0]:12.4f}"
        print(place, cost)
    for name, law in LAWS.items():
        times, heights = periods(run(law, end=0.6))
        shown = [f"{1e3 * t:.2f} ms, {1e3 * y:.2f} mm" for t, y in zip(times, heights, strict=True)]
        print(f"  {name}: {'; '.join(shown[1:])}")
    check()
