r"""Timing gears of three diesel engines: static, quasi-static and dynamic loads, hammering.

What it shows
-------------
The gear trains that drive the camshafts of a twelve-, a five- and a ten-cylinder diesel engine.
Ideal teeth give ratios and loads under a torque that rests. Elastic teeth with play hammer: the
camshaft, whose torque changes its sign, throws them from flank to flank. Their dynamic load, which
99 of 100 hits stay below, is ten to thirty times the mean, two to six times the quasi-static one.
The long camshaft of the twelve cylinders twists, too: without any play its injection pumps swing
it so that teeth carry two to three times the quasi-static load.

The system
----------
::

    five:       crank 37 == 33 == 37/17 == 35 == 34 camshaft
    ten, left:  crank 37 == 24 == 40 == 37/17 == 35 == 34 camshaft
    ten, right: crank 37 == 32 == 37/17 == 35 == 34 camshaft
    twelve:     crank 39 == 45 == 39/24 == 48 camshaft

==================  =============  ==============  ==========
parameter           five and ten   twelve          unit
==================  =============  ==============  ==========
module              2.85           6               mm
helix               15             0               degrees
stiffness           3e8, ten 1.8e8 3e8             N/m
play                0.15           0.1             mm
camshaft            rigid          2.4e5           N m/rad
camshaft, mean      50             430             N m
camshaft, highest   250, ten 220   2520            N m
==================  =============  ==============  ==========

Equations
---------
Each flank pushes with N = max(0, c max(0, g) + d ġ) and Lehr's damping 0.2 (5.F15). The peaks of
the pulses follow H(x) = H₀ exp(−a xⁿ) (5.F50) while the engine runs up. A camshaft that twists has
two shape functions (5.F3); half waves of injection are as wide as their mean asks. (5.V2, V3, V4,
V8, V9, V16; teeth of the twelve cylinders are ours, with the arms that the published loads imply;
those of the ten are softer by their bearings.)
"""

# %% Trains: pairs of teeth, inertias of the wheels [kg m^2], torque of the camshaft [N m].
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

import jourdain as jd
from jourdain.library import gears
from jourdain.library import powertrain as pt


@dataclass(frozen=True)
class Train:
    """A train between crank and camshaft: its meshes, and the torque of the camshaft."""

    pairs: tuple[tuple[int, int], ...]
    inertias: tuple[float, ...]
    mean: float
    swing: float
    frequency: float = 100.0
    module: float = 2.85e-3
    helix: float = math.radians(15.0)
    stiffness: float = 3e8
    play: float = 1.5e-4
    camshaft: float = 0.0  # stiffness of one that twists [N m/rad]

    def teeth(self, pair: tuple[int, int]) -> gears.Teeth:
        """Teeth of two wheels; the transverse pressure angle is 20 degrees."""
        normal = math.atan(math.tan(math.radians(20.0)) * math.cos(self.helix))
        return gears.Teeth(pair, self.module, pressure_angle=normal, helix=self.helix)

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
            mesh = gears.Mesh(at[-2], at[-1], self.teeth(pair), contact, play or 0.0, zero)
            model.add(f"m{k + 1}", mesh)
        if self.camshaft and play is not None:
            ritz = pt.RitzShaft(0.1, self.camshaft, shapes=2, lehr=0.1, places={"cams": 0.5})
            shaft = model.add("shaft", ritz)
            model.add_connection("hub", at[-1] - shaft.a, jd.Equal())
            at.append(shaft.cams)
        model.add_connection("cam", at[-1], jd.Force(torque))
        return model

    def cams(self, turns: Any) -> Any:
        """Torque of the camshaft: a wave for each turn; injection pumps give half waves [N m]."""
        if not self.camshaft:
            return self.mean + self.swing * jd.sin(2.0 * math.pi * turns)
        highest = self.mean + self.swing
        place = (turns - jd.math.floor(turns + 0.5)) * 2.0 * highest / self.mean
        return highest * jd.where(abs(place) < 0.5 * math.pi, jd.cos(place), 0.0)

    def static(self, torque: float) -> np.ndarray:
        """Tooth forces of all meshes under a torque that rests [N]."""
        run = jd.simulate(self.model(torque), 1e-3)
        return np.array([abs(run.values(f"m{k + 1}.force")[-1]) for k in range(len(self.pairs))])

    def run(self, play: float) -> jd.Solution:
        """20 ms at one speed of the engine, then a run-up to twice of it."""

        def torque(t: Any) -> Any:
            turns = self.frequency * (t + 0.5 * jd.maximum(t - 0.02, 0.0) ** 2 / (END - 0.02))
            return -((-1.0) ** len(self.pairs)) * self.cams(turns)  # even: turns with the crank

        return jd.simulate(self.model(torque, play), END, sample=5e-6)

    def hits(self, run: jd.Solution, k: int) -> jd.signals.Pulses:
        """Hits of the working flanks of a mesh."""
        force = run.values(f"m{k + 1}.force") * (1.0 if k % 2 == 0 else -1.0)
        return jd.signals.pulses(jd.signals.Signal(run.time, force, "tooth force", "N"))


END = 0.15
BEHIND, CAMS = ((17, 35), (35, 34)), (15.5e-4, 11.1e-4, 11.3e-4)
TRAINS = {
    "five": Train(((37, 33), (33, 37), *BEHIND), (22.78e-4, 9.54e-4, 15.48e-4, 12.45e-4, 13.77e-4),
                  50.0, 200.0),
    "ten, left": Train(((37, 24), (24, 40), (40, 37), *BEHIND), (22.3e-4, 4e-4, 16e-4, *CAMS),
                       50.0, 170.0, stiffness=1.8e8),
    "ten, right": Train(((37, 32), (32, 37), *BEHIND), (22.3e-4, 16.7e-4, *CAMS),
                        50.0, 170.0, stiffness=1.8e8),
    "twelve": Train(((39, 45), (45, 39), (24, 48)), (0.1386, 0.2457, 0.1585, 0.3181), 430.0, 2090.0,
                    50.0, 6e-3, 0.0, 3e8, 1e-4, 2.4e5),
}  # fmt: skip

# %% Loads: mean, quasi-static, dynamic without play and with it.
static = {name: x.static(x.mean) for name, x in TRAINS.items()}
highest = {name: x.static(x.mean + x.swing) for name, x in TRAINS.items()}
runs = {name: (x.run(1e-9), x.run(x.play)) for name, x in TRAINS.items()}
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
    """Static loads, forces of the first 20 ms, and the sizes that the statistics have."""
    found = np.array([static["twelve"], highest["twelve"]]) / 1e3
    np.testing.assert_allclose(found, [[1.96, 1.96, 3.17], [11.4, 11.4, 18.5]], rtol=0.01)
    early = last[solution.time <= 0.02]
    np.testing.assert_allclose([early.max(), early.min()], [10336.7, -9916.6], rtol=1e-3)
    for name, (tight, loose) in loads.items():
        swings = 3.7 if TRAINS[name].camshaft else 1.2  # a rigid one: teeth that do not part
        assert np.all(np.array(tight) < swings * highest[name])
        assert np.all(np.array(loose) > 1.8 * highest[name])  # hammering
        assert np.all(np.array(loose) < 35.0 * static[name])
    dynamic = {"ten, left": [11.4, 8.7, 8.9, 15.0, 11.9], "ten, right": [10.6, 8.3, 12.2, 10.8]}
    for name, forces in dynamic.items():
        np.testing.assert_allclose(loads[name][1], 1e3 * np.array(forces), rtol=0.3)
    np.testing.assert_allclose(loads["twelve"][0], [34.5e3, 31.3e3, 37.4e3], rtol=0.1)
    assert len(hits) > 20
    assert spectrum.load(0.99) < 1.2 * hits.peak.max()
    assert 0.5 < spans.shape < 50.0


if __name__ == "__main__":
    check()
    jd.plot(solution, "m4.force")[0].figure.savefig("timing_gears.png")
