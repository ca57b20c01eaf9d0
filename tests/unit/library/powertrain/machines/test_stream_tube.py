"""Inertia and input of the stream tube."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import ModelError
from jourdain.library import powertrain as pt

X, Y, Z = (jd.Coordinate(n) for n in "xyz")
BLADES = pt.Blades((0.11, 0.06, 0.07), (0.0, -2.0, 1.9), (-1.0, 0.8, -0.2), area=0.012)


def test_mass_matrix():
    """4.F25: ½ vᵀ M v with M of shafts, oil, flow and the coupling ρ S."""
    model = jd.Model("tube", gravity=(0, 0, 0))
    names = ("pump", "turbine", "stator")
    at = [model.add(n, pt.Shaft(0.1)).angle for n in names]
    oil = {"oil": (0.02, 0.03, 0.01), "design": (2e-4, -1e-4, 0.0)}
    model.add("box", pt.StreamTubeConverter(*at, BLADES, length=0.3, **oil))
    v = {"pump": 100.0, "turbine": 60.0, "stator": 10.0, "flow": 0.05}
    start = {f"{n}.speed": v[n] for n in names} | {"box.flow": v["flow"]}
    sol = jd.simulate(model, 1e-6, start=start)
    inertias = np.array([0.12, 0.13, 0.11])
    speeds = np.array([v[n] for n in names])
    energy = 0.5 * np.dot(inertias, speeds**2) + 0.5 * 850.0 * 0.3 / 0.012 * v["flow"] ** 2
    energy += 850.0 * np.dot(oil["design"], speeds) * v["flow"]
    assert sol.values("energy.kinetic")[0] == pytest.approx(energy, rel=1e-12)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"design": (1e-3, 0.0, 0.0)}, "blade constant of its pump, but no oil in it"),
        ({"design": (1.0, 0.0, 0.0), "oil": (0.01, 0.0, 0.0)}, "too large for its oil"),
        ({"blades": 3}, "blades of StreamTubeConverter is 3"),
        ({"length": 0.0}, "length of StreamTubeConverter"),
    ],
)
def test_wrong_input(change, text):
    given = {"pump": X, "turbine": Y, "stator": Z, "blades": BLADES, "length": 0.3}
    with pytest.raises(ModelError, match=text):
        pt.StreamTubeConverter(**given | change)


def test_blades_are_three():
    with pytest.raises(ModelError, match=r"exits of Blades is .*give three numbers"):
        pt.Blades((0.1, 0.1, 0.1), (0.0, 0.0), (0.0, 0.0, 0.0), area=0.01)
