"""Centre lines of an inextensible cantilever under a force and a moment at its tip (7.V11).

The table of closed forms has ten places along the beam, L = 2π and EI = 2, and ten loads up to
10 EI/L² with a moment of 2.5 times the force.
"""

from pathlib import Path

import numpy as np
import pytest

import jourdain as jd

_TABLE = Path(__file__).parent / "data" / "cantilever_centre_lines.csv"


@pytest.mark.slow
def test_a_cantilever_bends_along_its_centre_lines():
    lines = np.genfromtxt(_TABLE, delimiter=",", skip_header=1)[:, 1:].reshape(10, 10, 2)
    length, stiffness, n = 2.0 * np.pi, 2.0, 18
    load, share = 10.0 * stiffness / length**2, jd.Parameter("share", 0.0)
    model = jd.Model("cantilever", gravity=(0.0, 0.0, 0.0))
    section = jd.flexible.Section(stiffness, stiffness, 1.0, 1.0, 1.0)
    beam = jd.flexible.SegmentedBeam(model.world.at(), length, section, n, fields=("y",))
    end = model.add("beam", beam).end
    pull = jd.Relative(model.world, end, "y")
    model.add_connection("pull", pull, jd.Force(-load * share))
    turn = jd.Relative(model.world, end, "rz", axes="world")
    model.add_connection("turn", turn, jd.Force(2.5 * load * share))
    for k in range(1, 9):
        model.add_frame(f"place_{k}", model.bodies[f"beam.s{2 * k}"].at())
    model.add_frame("place_9", end)
    system, rest = jd.compile(model), None
    for step in range(1, 10):
        rest = jd.equilibrium(system, near=rest, parameters={"share": step / 9.0})
        poses = system.poses(np.array([rest[name] for name in system.names.q]))
        found = [system.point_of(poses, f"place_{k}", None)[:2] for k in range(1, 10)]
        assert np.abs(np.array(found) - lines[1:, step]).max() < 2e-3, step
