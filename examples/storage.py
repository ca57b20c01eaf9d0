r"""Storage, line and piston, with elastic oil and without.

What it shows
-------------
The same machine twice: with a rigid junction at the cylinder, and with a volume of elastic oil.
The motion of the piston is the same to 0.3 %; only the pressure shows a small ripple, which is fast
and costs steps. `hydraulic_frequencies` tells so beforehand.

The system
----------
===================  ===========  ===================  ============
storage              15 bar       piston               1 kg, 10 cm²
line                 1 m, 10 mm   spring               30 N/mm
viscosity            30 mPa s     damper               50 N s/m
dead volume          50 cm³       bulk modulus         1 GPa
===================  ===========  ===================  ============

Equations
---------
Without elasticity the line moves with the piston, and both are one oscillator with the mass
m + ρ L A²/A_L and the damping d + 8 π μ L (A/A_L)² (4.V1).
"""

# %% One function for both machines: the node at the cylinder is all that differs.
import numpy as np

import jourdain as jd
from jourdain.library import hydraulics as hy

fluid = hy.Fluid(density=850.0, viscosity=0.03, bulk_modulus=1e9, air=0.0)


def machine(node: hy.Node) -> jd.Model:
    """Storage - line - cylinder with a spring."""
    model = jd.Model("storage", gravity=(0, 0, 0))
    piston = jd.Coordinate(model.add_coordinate("piston", inertia=1.0, unit="m"))
    model.add_connection("spring", piston, jd.Spring(3e4) + jd.Damper(50.0))
    oil = model.group("oil")
    storage = oil.add("storage", hy.PressureSource(fluid, 15e5))
    a = oil.add("a", node)
    oil.add("line", hy.Line(storage, a, length=1.0, diameter=0.01, turbulent=False))
    oil.add("ram", hy.Cylinder(a, None, piston, areas=(1e-3, 0.0)))
    return model


rigid = jd.simulate(machine(hy.Junction(fluid)), 0.5, sample=1e-4)
elastic = jd.simulate(machine(hy.Volume(fluid, 5e-5)), 0.5, sample=1e-4)
jd.show(machine(hy.Volume(fluid, 5e-5)), "storage.svg", run=elastic)

# %% What to notice: 744 Hz of oil against 8 Hz of the machine. Take a junction.
advice = hy.hydraulic_frequencies(machine(hy.Volume(fluid, 5e-5)), band=20.0)
print(advice)
print(f"steps: rigid {rigid.statistics.steps}, elastic {elastic.statistics.steps}")


def check() -> None:
    """The rigid machine is a damped oscillator; the elastic one is hardly another."""
    area = np.pi * 0.01**2 / 4.0
    m = 1.0 + 850.0 * 1e-6 / area
    d = 50.0 + 8.0 * np.pi * 0.03 * (1e-3 / area) ** 2
    decay, w = d / (2.0 * m), np.sqrt(3e4 / m - (d / (2.0 * m)) ** 2)
    t = rigid.time
    exact = 0.05 * (1.0 - np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t)))
    assert np.abs(rigid.values("piston") - exact).max() < 1e-6 * exact.max()
    off = np.abs(elastic.values("piston") - rigid.values("piston")).max()
    assert 1.5e-4 < off < 1.7e-4
    assert abs(float(elastic["oil.a.pressure", "bar"].max()) - 23.9) < 0.05
    assert advice.rigid == ["oil.a"]
    assert 10 * rigid.statistics.steps < elastic.statistics.steps
