"""What `import jourdain` loads, and what it offers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import jourdain

HEAVY = {"casadi", "llvmlite", "matplotlib", "networkx", "numba", "pandas", "scipy", "xarray"}
SNAPSHOT = Path(__file__).with_name("public_names.txt")
MOST_NAMES = 200  # measures, laws and contours have names of their own: users type them


@pytest.mark.parametrize(
    "statement",
    ["import jourdain", "import jourdain.cli", "import jourdain.math", "import jourdain.model"],
)
def test_imports_stay_light(statement):
    code = f"import sys; {statement}; sys.stdout.write('\\n'.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {line.split(".")[0] for line in run.stdout.splitlines()}
    assert not loaded & HEAVY


def test_runs_without_contacts_load_nothing_of_contacts():
    """Half of the time of a pendulum's first run were modules of contacts, and SciPy with them."""
    code = """
import sys, jourdain as jd
model = jd.Model("pendulum")
arm = model.add_body("arm", jd.solid.rod(mass=1.0, end=(0, 0, -0.5)))
model.add_joint("pivot", model.world, arm, jd.Revolute("y"))
jd.simulate(model, 1.0, start={"pivot.angle": 1.0})
sys.stdout.write('\\n'.join(sys.modules))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.splitlines())
    heavy = {"scipy", "numpy.ma", "xarray", "matplotlib", "jourdain.simulation.contact"}
    assert not loaded & heavy
    assert "jourdain.simulation.smooth" in loaded


def test_public_names_change_by_decision_only():
    names = "".join(f"{n}\n" for n in sorted(jourdain.__all__))
    if os.environ.get("JOURDAIN_UPDATE") == "1":
        SNAPSHOT.write_text(names, encoding="utf-8")
    stored = SNAPSHOT.read_text(encoding="utf-8")
    assert names == stored, "run this test with JOURDAIN_UPDATE=1 if the change is meant"


def test_public_names_are_there_and_few():
    assert len(jourdain.__all__) <= MOST_NAMES
    for name in jourdain.__all__:
        assert getattr(jourdain, name) is not None
    assert set(jourdain.__all__) <= set(dir(jourdain))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tanh", " It is jd.math.tanh."),
        ("Sphear", " Did you mean 'Sphere'?"),
        ("linearise", " Did you mean 'linearize'?"),
        ("Hinge", ""),
    ],
)
def test_names_that_are_not_there(name, text):
    with pytest.raises(AttributeError) as caught:
        getattr(jourdain, name)
    assert str(caught.value) == f"jourdain has no {name!r}.{text}"
