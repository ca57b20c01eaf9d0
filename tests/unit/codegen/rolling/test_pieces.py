"""Pieces of a graph are the same in every process, which takes code of others from the disk."""

import os
import subprocess
import sys

PROGRAM = """
import jourdain as jd
from jourdain.system.contact.step_kernels import step_kernels
model = jd.Model("balls")
for k in range(10):
    ball = model.add_body(f"b{k}", jd.solid.ball(mass=1.0, radius=0.1))
    model.add_contact(f"c{k}", jd.HalfSpace(model.world), jd.Sphere(ball, 0.1), jd.Coulomb(0.3))
step_kernels(jd.compile(model), {}, {}).all_terms.library
"""


def test_code_does_not_depend_on_the_process(tmp_path):
    entries = []
    for seed in ("1", "2", "15"):
        own = {"PYTHONHASHSEED": seed, "JOURDAIN_CACHE": str(tmp_path)}
        subprocess.run([sys.executable, "-c", PROGRAM], env=os.environ | own, check=True)
        entries.append({x.name for x in tmp_path.rglob("*") if x.is_file()})
    assert len(entries[0]) > 0
    assert entries[0] == entries[-1]
