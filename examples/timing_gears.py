r"""Timing gears of three diesel engines: static loads, hammering, load spectrum.

What it shows
-------------
The gear trains that drive the camshafts of a twelve-, a five- and a ten-cylinder diesel engine, at
two of the three levels of a mesh. Ideal teeth give ratios and static loads. Elastic teeth with play
hammer: the camshaft, whose torque changes its sign, throws them from flank to flank, and the forces
are a multiple of the static ones.

The system
----------
::

    five cylinders:  crank 37 == 33 == 37/17 == 35 == 34 camshaft
    ten cylinders:   crank 37 == 24 == 40 == 37/17 == 35 == 34 camshaft on the left,
                     crank 37 == 32 == 37/17 == 35 == 34 on the right
    twelve cylinders: crank == 2 == 3/4 == 5 camshaft, with the arms that its published loads imply

==================  ==========  =======================  ===========
module              2.85 mm     stiffness of a mesh      3e8 N/m
helix               15 degrees  Lehr's damping           0.2
play                0.15 mm     torque of the camshaft   50 + 200 sin(φ) N m
==================  ==========  =======================  ===========

Equations
---------
Each flank pushes with N = max(0, c max(0, g) + d ġ) (5.F15). The peaks of the pulses follow
H(x) = H₀ exp(−a xⁿ) (5.F50) while the engine runs up; the load at 99 % is the dynamic maximum load.
The hits are of two kinds, first ones and rebounds, so that the fit lies above the largest. (5.V2,
V4, V8, V16.)
"""

# %% Teeth: the transverse pressure angle is 20 degrees.
import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd
from jourdain.library import gears
from jourdain.library import powertrain as pt

HELIX = math.radians(15.0)
NORMAL = math.atan(math.tan(math.radians(20.0)) * math.cos(HELIX))
FIVE = ((37, 33), (33, 37), (17, 35), (35, 34))
LEFT = ((37, 24), (24, 40), (40, 37), (17, 35), (35, 34))
RIGHT = ((37, 32), (32, 37), (17, 35), (35, 34))
INERTIAS = (22.78e-4, 9.54e-4, 15.48e-4, 12.45e-4, 13.77e-4)  # of the five-cylinder train [kg m^2]
END = 0.3


def teeth(a: int, b: int) -> gears.Teeth:
    """Teeth of two wheels of these engines."""
    return gears.Teeth((a, b), 2.85e-3, pressure_angle=NORMAL, helix=HELIX)


def train(pairs: Any, contact: Any = None, backlash: float = 0.0) -> tuple[jd.Model, list[Any]]:
    """Wheels on shafts and their meshes; the crank is wheel 1, whose motion is given."""
    model = jd.Model("timing gears", gravity=(0, 0, 0))
    crank = model.add_coordinate("w1", INERTIAS[0], driven=lambda t: 0.0 * t)
    at: list[Any] = [jd.Coordinate(crank)]
    for k, pair in enumerate(pairs):
        inertia = INERTIAS[k + 1] if len(pairs) == 4 else 1e-3
        at.append(model.add(f"w{k + 2}", pt.Shaft(inertia)).angle)
        chosen = gears.Ideal() if contact is None else contact(INERTIAS[k], inertia)
        zero: Any = "front" if k % 2 == 0 else "back"
        model.add(f"m{k}", gears.Mesh(at[-2], at[-1], teeth(*pair), chosen, backlash, zero))
    return model, at


# %% Static loads under 100 N m on each camshaft.
def static(pairs: Any, torque: float) -> np.ndarray:
    """Tooth forces of ideal meshes [N]."""
    model, at = train(pairs)
    model.add_connection("cam", at[-1], jd.Force(torque))
    run = jd.simulate(model, 1e-3)
    return np.array([abs(run.values(f"m{k}.force")[-1]) for k in range(len(pairs))])


loads = {"five": static(FIVE, -100.0), "left": static(LEFT, 100.0), "right": static(RIGHT, -100.0)}
for name, force in loads.items():
    print(f"{name:>6}: {', '.join(f'{f:.1f}' for f in force)} N for 100 N m")

# %% Twelve cylinders: mean and highest torque of the camshaft, through the arms of the train.
ARM, DOUBLE = 430.0 / 3170.0, 1.96 / 3.17  # [m], and the ratio of the double wheel
twelve = {
    torque: tuple(torque / ARM * x for x in (DOUBLE, DOUBLE, 1.0)) for torque in (430.0, 2520.0)
}
for torque, found in twelve.items():
    print(f"twelve: {', '.join(f'{f / 1e3:.2f}' for f in found)} kN for {torque:g} N m")

# %% Five cylinders: the camshaft throws the teeth across their play.
soft = lambda a, b: gears.Elastic(3e8, gears.Lehr(0.2, (a, b)))  # noqa: E731
model, angles = train(FIVE, soft, backlash=1.5e-4)


def cam(t: Any) -> Any:
    """Torque of the camshaft: 100 Hz for 20 ms, then a run-up."""
    turns = 100.0 * t + 150.0 * jd.maximum(t - 0.02, 0.0) ** 2
    return -50.0 - 200.0 * jd.sin(2.0 * math.pi * turns)


model.add_connection("cam", angles[-1], jd.Force(cam))
solution = jd.simulate(model, END, sample=5e-6)
last = -solution.values("m3.force")  # positive on the working flank
hits = jd.signals.pulses(jd.signals.Signal(solution.time, last, "tooth force", "N"))
spectrum = hits.spectrum()
spans = jd.signals.Gamma.of(hits.duration)
print(f"{len(hits)} hits of the working flank, the highest {hits.peak.max() / 1e3:.1f} kN")
print(f"load that 99 % stay below: {spectrum.load(0.99) / 1e3:.1f} kN, static 5.3 kN")


def picture() -> Any:
    """Tooth force over the first 30 ms, load spectrum, durations of the hits."""
    figure, axes = plt.subplots(3, 1, figsize=(8, 8), layout="constrained")
    early = solution.time < 0.03
    axes[0].plot(1e3 * solution.time[early], last[early] / 1e3, lw=0.8)
    axes[0].set(xlabel="time [ms]", ylabel="force of the last mesh [kN]")
    peaks = np.sort(hits.peak)
    above = len(peaks) - np.arange(len(peaks))
    axes[1].step(peaks / 1e3, above, label="hits of the run")
    x = np.linspace(50.0, 1.1 * peaks[-1], 300)
    axes[1].plot(x / 1e3, spectrum.exceeded(x), label="H₀ exp(−a xⁿ)")
    axes[1].set(xlabel="peak [kN]", ylabel="hits above", yscale="log", ylim=(0.5, None))
    axes[1].legend()
    axes[2].hist(1e6 * hits.duration, bins=30, density=True)
    t = np.linspace(1e-6, 1.05 * hits.duration.max(), 300)
    axes[2].plot(1e6 * t, 1e-6 * spans.density(t), label="Gamma distribution")
    axes[2].set(xlabel="duration of a hit [µs]", ylabel="density [1/µs]")
    axes[2].legend()
    return figure


picture().savefig("timing_gears.png", dpi=110)


# %% What is claimed.
def check() -> None:
    """Static loads, forces of the first 20 ms, and the sizes that the statistics have."""
    np.testing.assert_allclose(loads["five"], [974.79, 974.79, 2121.60, 2121.60], rtol=1e-5)
    for side in ("left", "right"):
        assert abs(loads[side][-1] / 2121.60 - 1.0) < 1e-5
    for torque, wanted in ((430.0, (1.96, 1.96, 3.17)), (2520.0, (11.4, 11.4, 18.5))):
        np.testing.assert_allclose(np.array(twelve[torque]) / 1e3, wanted, rtol=0.01)
    early = solution.time <= 0.02
    assert abs(last[early].max() / 10336.7 - 1.0) < 1e-3
    assert abs(last[early].min() / -9916.6 - 1.0) < 1e-3
    assert len(hits) > 30
    assert 5304.0 < spectrum.load(0.99) < 3.7 * 5304.0  # dynamic over quasi-static as published
    assert 0.5 < spans.shape < 50.0


if __name__ == "__main__":
    check()
