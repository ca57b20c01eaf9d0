"""Closed loop: a slider-crank with gas pressure, as bodies and joints alone.

Four joints between three bodies and the ground close a loop. Nothing has to be said about it: the
program cuts one joint, finds a position in which all fit together, and keeps it closed. As all
joints are spatial ones, three constraint rows say what others have said; `jd.structure` names them,
and which loads are therefore not unique.
"""

from typing import Any

import numpy as np

import jourdain as jd
from jourdain.analysis.structure import Structure

CRANK, ROD = 0.1, 0.3  # [m]


def build() -> jd.Model:
    model = jd.Model("slider_crank")
    crank = model.add_body("crank", jd.solid.rod(mass=1.0, end=(CRANK, 0, 0)))
    rod = model.add_body("rod", jd.solid.rod(mass=0.6, end=(ROD, 0, 0)))
    piston = model.add_body(
        "piston", jd.solid.cylinder(mass=0.4, radius=0.04, length=0.05, axis="x")
    )
    model.add_joint("main", model.world, crank, jd.Revolute("y"))
    model.add_joint("big_end", crank.at(CRANK, 0, 0), rod, jd.Revolute("y"))
    model.add_joint("wrist", rod.at(ROD, 0, 0), piston, jd.Revolute("y"))
    model.add_joint("guide", model.world, piston, jd.Prismatic("x"))
    gas = jd.Law(lambda x: -2e3 * jd.exp(-(x - 0.2) / 0.05), potential=_gas_energy)
    model.add_connection("gas", jd.Coordinate("guide.position"), gas)
    return model


def _gas_energy(x: Any) -> Any:
    return -100.0 * jd.exp(-(x - 0.2) / 0.05)


def run() -> tuple[Structure, jd.Solution]:
    model = build()
    report = jd.structure(model)
    sol = jd.simulate(model, 1.0, start={"main.angle": 0.4, "main.rate": 30.0})
    return report, sol


def check() -> None:
    report, sol = run()
    assert "degrees of freedom: 1" in str(report)
    assert "3 rows too many" in str(report)
    angle, position = sol.values("main.angle"), sol.values("guide.position")
    reach = CRANK * np.cos(angle) + np.sqrt(ROD**2 - (CRANK * np.sin(angle)) ** 2)
    np.testing.assert_allclose(position, reach, atol=1e-10)  # the loop stays closed
    energy = sol.values("energy.total")
    assert np.ptp(energy) < 1e-5 * np.ptp(sol.values("energy.kinetic"))


if __name__ == "__main__":
    report, sol = run()
    print(report)
    print(sol)
    jd.animate(sol, "slider_crank.html", plots=["guide.position", "guide.force.z"])
    check()
