r"""Timing gears of two diesel engines: static, quasi-static and dynamic loads, hammering.

What it shows
-------------
The gear trains that drive the camshafts of a five- and a ten-cylinder diesel engine.
Ideal teeth give ratios and loads under a torque that rests. Elastic teeth with play hammer: the
camshaft, whose torque changes its sign, throws them from flank to flank. Their dynamic load, which
99 of 100 hits stay below, is ten to thirty times the mean, two to six times the quasi-static one.

The system
----------
::

    five:       crank 37 == 33 == 37/17 == 35 == 34 camshaft
    ten, left:  crank 37 == 24 == 40 == 37/17 == 35 == 34 camshaft
    ten, right: crank 37 == 32 == 37/17 == 35 == 34 camshaft

================  =============  =====
parameter         value          unit
================  =============  =====
module, helix     2.85, 15       mm, °
stiffness         3e8, ten 1.8e8 N/m
play              0.15           mm
camshaft, mean    50             N m
camshaft, highest 250, ten 220   N m
================  =============  =====

Equations
---------
Each flank pushes with N = max(0, c max(0, g) + d ġ) and Lehr's damping 0.2 (5.F15). The peaks of
the pulses follow H(x) = H₀ exp(−a xⁿ) (5.F50) while the engine runs up. (5.V4, V8, V9, V16; teeth
of the ten cylinders are softer by their bearings.)
"""

# %% Trains: pairs of teeth, inertias of the wheels [kg m^2], torque of the camshaft [N m].
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

import jourdain as jd
from jourdain.library import gears
from jourdain.library import powertrain as pt

MEAN, PLAY, HELIX, END = 50.0, 1.5e-4, math.radians(15.0), 0.15  # [N m], [m], [rad], [s]
NORMAL = math.atan(math.tan(math.radians(20.0)) * math.cos(HELIX))  # 20 degrees across the wheel


@dataclass(frozen=True)
class Train:
    """A train between crank and camshaft: its meshes, and the torque of the camshaft."""

    swing: float
    pairs: tuple[tuple[int, int], ...]
    inertias: tuple[float, ...]
    stiffness: float = 3e8

    def model(self, torque: Any, play: float | None = None) -> jd.Model:
        """Wheels on shafts; the crank turns as told. Without play the teeth are ideal."""
        model = jd.Model("timing gears", gravity=(0, 0, 0))
        crank = model.add_coordinate("w1", self.inertias[0], driven=lambda t: 0.0 * t)
        at: list[Any] = [jd.Coordinate(crank)]
        for k, pair in enumerate(self.pairs):
            both = self.inertias[k], self.inertias[k + 1]
            at.append(model.add(f"w{k + 2}", pt.Shaft(both[1])).angle)
            soft = gears.Elastic(self.stiffness, gears.Lehr(0.2, both))
            contact = gears.Ideal() if play is None else soft
            zero: Any = "front" if k % 2 == 0 else "back"
            teeth = gears.Teeth(pair, 2.85e-3, pressure_angle=NORMAL, helix=HELIX)
            model.add(f"m{k + 1}", gears.Mesh(at[-2], at[-1], teeth, contact, play or 0.0, zero))
        model.add_connection("cam", at[-1], jd.Force(torque))
        return model

    def static(self, torque: float) -> np.ndarray:
        """Tooth forces of all meshes under a torque that rests [N]."""
        run = jd.simulate(self.model(torque), 1e-3)
        return np.array([abs(run.values(f"m{k + 1}.force")[-1]) for k in range(len(self.pairs))])

    def run(self, play: float) -> jd.Solution:
        """20 ms at one speed of the engine, then a run-up to twice of it."""

        def torque(t: Any) -> Any:
            turns = 100.0 * (t + 0.5 * jd.maximum(t - 0.02, 0.0) ** 2 / (END - 0.02))
            wave = MEAN + self.swing * jd.sin(2.0 * math.pi * turns)
            return -((-1.0) ** len(self.pairs)) * wave  # even: turns with the crank

        return jd.simulate(self.model(torque, play), END, sample=5e-6)

    def hits(self, run: jd.Solution, k: int) -> jd.signals.Pulses:
        """Hits of the working flanks of a mesh."""
        force = run.values(f"m{k + 1}.force") * (1.0 if k % 2 == 0 else -1.0)
        return jd.signals.pulses(jd.signals.Signal(run.time, force, "tooth force", "N"))


BEHIND, CAMS = ((17, 35), (35, 34)), (15.5e-4, 11.1e-4, 11.3e-4)
TRAINS = {
    "five": Train(200.0, ((37, 33), (33, 37), *BEHIND),
                  (22.78e-4, 9.54e-4, 15.48e-4, 12.45e-4, 13.77e-4)),
    "ten, left": Train(170.0, ((37, 24), (24, 40), (40, 37), *BEHIND),
                       (22.3e-4, 4e-4, 16e-4, *CAMS), 1.8e8),
    "ten, right": Train(170.0, ((37, 32), (32, 37), *BEHIND), (22.3e-4, 16.7e-4, *CAMS), 1.8e8),
}  # fmt: skip

# %% Loads: mean, quasi-static, dynamic without play and with it.
static = {name: x.static(MEAN) for name, x in TRAINS.items()}
highest = {name: x.static(MEAN + x.swing) for name, x in TRAINS.items()}
runs = {name: (x.run(1e-9), x.run(PLAY)) for name, x in TRAINS.items()}
loads: dict[str, Any] = {}
for name, x in TRAINS.items():
    loads[name] = [[x.hits(run, k).load(0.99) for k in range(len(x.pairs))] for run in runs[name]]
    print(f"{name}: tooth forces [kN] mean, quasi-static, dynamic without play, and with it")
    print(np.round(np.array([static[name], highest[name], *loads[name]]) / 1e3, 2))

# %% The last mesh of the five cylinders: its hits, and how they are spread.
solution = runs["five"][1]
last = -solution.values("m4.force")  # positive on the working flank
hits = TRAINS["five"].hits(solution, 3)
spectrum = hits.spectrum()
spans = jd.signals.Gamma.of(hits.duration)
print(f"{len(hits)} hits of the working flank, the highest {hits.peak.max() / 1e3:.1f} kN")


# %% What is claimed.
def check() -> None:
    """Forces of the first 20 ms, loads, and the sizes that the statistics have."""
    early = last[solution.time <= 0.02]
    np.testing.assert_allclose([early.max(), early.min()], [10336.7, -9916.6], rtol=1e-3)
    for name, (tight, loose) in loads.items():
        assert np.all(np.array(tight) < 1.2 * highest[name])  # teeth that do not part
        assert np.all(np.array(loose) > 1.8 * highest[name])  # hammering
        assert np.all(np.array(loose) < 35.0 * static[name])
    dynamic = {"ten, left": [11.4, 8.7, 8.9, 15.0, 11.9], "ten, right": [10.6, 8.3, 12.2, 10.8]}
    for name, forces in dynamic.items():
        np.testing.assert_allclose(loads[name][1], 1e3 * np.array(forces), rtol=0.3)
    assert len(hits) > 20
    assert spectrum.load(0.99) < 1.2 * hits.peak.max()
    assert 0.5 < spans.shape < 50.0


if __name__ == "__main__":
    check()
    jd.plot(solution, "m4.force")[0].figure.savefig("timing_gears.png")
