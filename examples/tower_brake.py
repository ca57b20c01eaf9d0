r"""The safety brake of a free-fall tower: modules of four cylinders on one supply.

What it shows
-------------
A part, a module of four cylinders with their throttles and branch lines, built one to seven times.
Valves open at the start, pistons travel against their springs and hit their stops one after the
other; each blow stops columns of oil in the whole net at once. With elastic branch lines the net
has 1000 coordinates, and a time step takes a tenth of a millisecond.

The system
----------
======================  ==============  ==================  =============
supply                  40 bar          piston              4 kg, 20 cm²
branches                0.5 … 2 m       stroke              30 mm
bore of branches        12 mm           spring              20 N/mm, 6 kN
======================  ==============  ==================  =============

Two pistons of a module move up, two down. (4.V11)
"""

# %% A module: what is repeated is a part.
import numpy as np

import jourdain as jd
from jourdain.library import hydraulics as hy

MASS, AREA, STROKE, LENGTHS = 4.0, 2e-3, 0.03, (0.5, 1.0, 1.5, 2.0)
fluid = hy.Fluid(density=850.0, viscosity=0.03, bulk_modulus=1e9, air=0.0)


class Module(jd.Part):
    """Four cylinders; with ``functions`` their branch lines are elastic."""

    supply: jd.BuiltPart
    throttle: float = 1e-6
    lengths: tuple[float, ...] = LENGTHS
    weights: tuple[float, ...] = (1.0, 1.0, -1.0, -1.0)
    functions: int = 0

    def build(self, group: jd.Group) -> dict[str, object]:
        """Throttle, line and cylinder of each piston."""
        for k, (length, side) in enumerate(zip(self.lengths, self.weights, strict=True), 1):
            x = jd.Coordinate(group.add_coordinate(f"piston{k}", inertia=MASS, unit="m"))
            load = jd.Force(-6000.0 - side * MASS * 9.81)
            group.add_connection(f"spring{k}", x, jd.Spring(2e4) + jd.Damper(200.0) + load)
            a, b = (group.add(f"{name}{k}", hy.Junction(fluid)) for name in "ab")
            sizes = {"length": 0.05, "section": 1e-4}
            group.add(f"throttle{k}", hy.Orifice(self.supply, a, area=self.throttle, **sizes))
            rigid = hy.Line(a, b, length=length, diameter=0.012)
            n = self.functions
            group.add(f"branch{k}", hy.ElasticLine(a, b, length, 0.012, n) if n else rigid)
            group.add(f"cylinder{k}", hy.Cylinder(b, None, x, (AREA, 0.0), limits=(0.0, STROKE)))
        return {}


def tower(n: int, **options: object) -> jd.Model:
    """So many modules on a riser."""
    model = jd.Model("tower", gravity=(0, 0, 0))
    oil = model.group("oil")
    below = oil.add("supply", hy.PressureSource(fluid, 65e5))
    for k in range(1, n + 1):
        node = oil.add(f"s{k}", hy.Junction(fluid))
        oil.add(f"riser{k}", hy.Line(below, node, length=2.0, diameter=0.03))
        oil.add(f"m{k}", Module(node, **options))  # type: ignore[arg-type]
        below = node
    return model


def hits(run: jd.Solution) -> dict[str, tuple[float, float]]:
    """Times [s] and speeds [m/s] with which pistons of the first module hit their stops."""
    found = {}
    for event in run.events:
        if event.kind == "contact" and event.name.endswith("stop_high"):
            piston = event.name.split(".")[2].replace("cylinder", "piston")
            k = int(np.searchsorted(run.time, event.time))  # the sample before the blow
            found[piston] = (event.time, float(run.values(f"oil.m1.{piston}.rate")[k]))
    return found


# %% One module from event to event: each blow is found. Larger throttles let pistons hit harder.
one = tower(1)
sizes = (2.6e-6, 4e-6, 8e-6)
runs = [jd.simulate(tower(1, throttle=size), 0.5, sample=1e-3) for size in sizes]
jd.show(one, "tower_brake.svg", run=runs[0], at=0.2)
for size, run in zip(sizes, runs, strict=True):
    told = ", ".join(f"{name} {t:.4f} s {v:.3f} m/s" for name, (t, v) in hits(run).items())
    print(f"{size * 1e6:.1f} mm²: {told}")

# %% Seven modules with waves in the branches: time steps, 1000 coordinates.
waves = jd.compile(tower(7, functions=34))
large = jd.simulate(waves, 0.1, sample=1e-3, method=jd.MoreauJean(1e-4))
print(f"{len(waves.names.v)} coordinates, {large.statistics.steps} steps")


def check() -> None:
    """Volume, throttles, the momentum that the last stop takes, and symmetric modules."""
    for run in runs:
        supplied = run.values("oil.riser1.volume")
        taken = AREA * np.sum([run.values(f"oil.m1.piston{k}") for k in range(1, 5)], axis=0)
        assert np.abs(supplied - taken).max() < 1e-9 * taken.max()
    fast = [max(v for _, v in hits(run).values()) for run in runs]
    assert fast[0] < fast[1] < fast[2]
    x, p = (runs[0].values(f"oil.m1.{name}") for name in ("piston1", "b1.pressure"))
    off = AREA * p / (6000.0 + MASS * 9.81 + 2e4 * x) - 1.0
    assert np.abs(off[(x > 1e-3) & (runs[0].time < 0.37)]).max() < 4e-3
    last = [event for event in runs[0].events if event.kind == "impact"][-1]
    time, speed = hits(runs[0])["piston2"]
    assert abs(time - last.time) < 1e-9
    assert 0.37 < time < 0.38
    bores = (1.0, 0.012), (2.0, 0.03)
    inertia = 850.0 * (0.05 / 1e-4 + sum(length * 4.0 / (np.pi * d**2) for length, d in bores))
    place = last.details["contacts"].index("oil.m1.cylinder2.stop_high")
    impulse = last.details["impulses"][place][0]
    assert abs(impulse - speed * (MASS + AREA**2 * inertia)) < 1e-6 * impulse
    run = jd.simulate(tower(1, lengths=(1.0,) * 4, weights=(1.0,) * 4), 0.2)
    x = np.array([run.values(f"oil.m1.piston{k}") for k in range(1, 5)])
    assert np.abs(x - x[0]).max() < 1e-9 * STROKE
    assert len(waves.names.v) > 1000
    moved = [large.values(f"oil.m{m}.piston{k}")[-1] for m in range(1, 8) for k in range(1, 5)]
    assert min(moved) > 1e-4
    low = min(moved[k] - moved[k + 4] for k in range(24))  # those nearer to the supply are ahead
    assert low > -1e-4
