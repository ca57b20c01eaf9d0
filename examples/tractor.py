r"""A tractor: hydrostatic power split, PTO shafts with Cardan joints, and how it all vibrates.

What it shows
-------------
A drive train of twenty bodies. Engine power goes through a planetary set to gears and to oil
(`pt.PowerSplit`): with the pump's swivel angle the tractor speeds up at constant engine speed. A
machine on a power take-off (PTO) brings a mode below 10 Hz that was not there before, and that is
all its own. What its bent Cardan shaft does to that mode: ``cardan_run_up.py``.

The system
----------
::

    front machine = Cardan = front PTO -+- crank - flywheel -/\- carrier =[split]= collector
                                        |  + auxiliaries          |                   |
                                        '- damper                 |               range gear
    rear machine = Cardan = rear PTO ---- gear 3.5 : 1 -----------'               |        |
                                                            front axle - wheels --'   pinion - axle
                                                                      tractor ~ tyres ~ wheels (2)

(4.F65, 4.F67, 4.V34, 4.V35. Numbers of our own: the book gives none.)
"""

# %% Bodies [kg m^2] and springs between them [N m/rad].
from typing import Any

import numpy as np

import jourdain as jd
from jourdain.library import hydraulics as hy
from jourdain.library import powertrain as pt

INERTIAS = {
    "damper": 0.08, "crank": 0.25, "auxiliaries": 0.05, "flywheel": 1.2, "carrier": 0.15,
    "collector": 0.12, "range": 0.08, "pinion": 0.05, "axle": 0.9, "left": 28.0, "right": 28.0,
    "front_shaft": 0.04, "front_axle": 0.3, "front_wheels": 14.0, "tractor": 900.0,
    "rear_gear": 0.06, "rear_pto": 0.05, "rear_machine": 0.08, "front_pto": 0.03,
    "front_machine": 0.06,
}  # fmt: skip
SPRINGS = [  # a, b, stiffness, ratio of a to b
    ("damper", "crank", 9e4, 1.0), ("crank", "flywheel", 1.5e6, 1.0),
    ("auxiliaries", "crank", 4e4, 1.0), ("flywheel", "carrier", 2.5e4, 1.0),
    ("collector", "range", 3e5, 1.0), ("range", "pinion", 2e5, 2.0),
    ("pinion", "axle", 1.5e5, 15.0), ("axle", "left", 4e5, 1.0), ("axle", "right", 4e5, 1.0),
    ("range", "front_shaft", 6e4, 2.0), ("front_shaft", "front_axle", 8e4, 12.0),
    ("front_axle", "front_wheels", 1e5, 1.0), ("left", "tractor", 9e4, 1.0),
    ("right", "tractor", 9e4, 1.0), ("front_wheels", "tractor", 7e4, 1.0),
    ("carrier", "rear_gear", 3e5, 1.0), ("rear_gear", "rear_pto", 4e4, 3.5),
    ("crank", "front_pto", 5e4, 2.0),
]  # fmt: skip
CARDAN = 2.0e3  # stiffness of both PTO shafts
TEETH, PUMP, MOTORS, VOLUME, BULK = (30, 90), 1e-4, 1e-4, 2e-3, 1.4e9


def tractor(setting: float = 0.5, rear: float = 0.0, *, damped: bool = True) -> jd.Model:
    """The whole train, with a machine of further inertia at the rear PTO."""
    model = jd.Model("tractor", gravity=(0, 0, 0))
    added, part = {"rear_machine": rear}, 2e-5 * damped
    at = {n: model.add(n, pt.Shaft(J + added.get(n, 0.0))).angle for n, J in INERTIAS.items()}
    for a, b, stiffness, ratio in SPRINGS:
        name = f"{a}_{b}"
        model.add(name, pt.Coupling(at[a], ratio * at[b], stiffness, damping=part * stiffness))
    for side in ("rear", "front"):
        ends = at[f"{side}_pto"], at[f"{side}_machine"]
        model.add(f"{side}_cardan", pt.CardanShaft(*ends, (0.2, 0.2), CARDAN, damping=0.4 * damped))
    oil = pt.Circuit(hy.Fluid(air=0.0, bulk_modulus=BULK), VOLUME)
    split = at["carrier"], at["collector"], TEETH, (PUMP, MOTORS), setting, 1.0
    model.add("split", pt.PowerSplit(*split, ring_inertia=0.1, circuit=oil))
    return model


FREE = 0.1  # frequencies below this are free turning [Hz]


# %% Frequencies: of the program, and of matrices written by hand.
def by_hand(setting: float, rear: float = 0.0) -> Any:
    """Frequencies from M and K with the oil as a spring between pump and motors [Hz]."""
    unit = dict(zip(INERTIAS, np.eye(len(INERTIAS)), strict=True))
    M = np.diag(list(INERTIAS.values())) + rear * np.diag(unit["rear_machine"])
    rows = [(unit[a] - ratio * unit[b], c) for a, b, c, ratio in SPRINGS]
    for side in ("rear", "front"):  # at rest at angle zero: κ = 1/cos α
        rows.append((unit[f"{side}_pto"] - unit[f"{side}_machine"], CARDAN / np.cos(0.2) ** 2))
    ring = (sum(TEETH) * unit["carrier"] - TEETH[0] * unit["collector"]) / TEETH[1]
    M += 0.1 * np.outer(ring, ring)
    swept = (PUMP * setting * ring - 2.0 * MOTORS * unit["collector"]) / (2.0 * np.pi)
    rows.append((swept, 2.0 * BULK / VOLUME))
    K = sum(c * np.outer(w, w) for w, c in rows)
    squares = np.linalg.eigvals(np.linalg.solve(M, K)).real
    return np.sort(np.sqrt(np.maximum(squares, 0.0))) / (2.0 * np.pi)


def modes(model: jd.Model) -> list[Any]:
    """Oscillating modes, the lowest first."""
    found = jd.eigenmodes(jd.linearize(model))
    return [mode for mode in found if mode.is_oscillating and mode.frequency > FREE]


plain, loaded = modes(tractor()), modes(tractor(rear=2.0))
print(f"{len(plain)} modes from {plain[0].frequency:.1f} to {plain[-1].frequency:.0f} Hz")
print("first four, PTO free   ", [round(mode.frequency, 2) for mode in plain[:4]])
print("first four, PTO loaded ", [round(mode.frequency, 2) for mode in loaded[:4]])

# %% Over the ratio: modes of pump and motors move, others hardly do.
SETTINGS = (0.05, 0.3, 0.6, 1.0)
over_ratio = np.array([by_hand(s)[-19:] for s in SETTINGS])


# %% What is claimed.
def check() -> None:
    """Frequencies, modes of the PTO, and the split."""
    exact, heavy = by_hand(0.5), by_hand(0.5, rear=2.0)
    for rear, by_matrices in ((0.0, exact), (2.0, heavy)):
        found = [mode.frequency for mode in modes(tractor(rear=rear, damped=False))]
        assert np.allclose(found, by_matrices[by_matrices > FREE], rtol=1e-8), found
    # the machine brings a mode below 10 Hz, local to it, in the place of one far above
    below = [np.sum((found > FREE) & (found < 10.0)) for found in (exact, heavy)]
    assert below[1] == below[0] + 1
    own = max(loaded, key=lambda mode: mode.kinetic_energy_by_part["rear_machine"])
    assert own.frequency < 10.0
    assert own.kinetic_energy_by_part["rear_machine"] > 0.8
    # of 19 frequencies few depend on the ratio: those of pump and motors
    moves = np.ptp(over_ratio, axis=0) / over_ratio.mean(axis=0)
    assert 1 <= np.sum(moves > 0.03) <= 4, moves
    ratio = tractor(1.0).part("split").ratio
    np.testing.assert_allclose([ratio(0.0, 1.0), ratio(1.0, 0.0)], [0.0, 4.0], rtol=1e-12)


if __name__ == "__main__":
    check()
