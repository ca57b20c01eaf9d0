"""Machine code and memory that several threads share: nothing is used after it is freed."""

import os
import subprocess
import sys
import textwrap

import pytest

SCRIPT = """
import gc, threading
import jourdain as jd
from jourdain.codegen import kernel

kernel._LINKED = 2  # modules are unloaded as soon as nothing uses them


def system(k):
    model = jd.Model(f"m{k}", gravity=(0.0, 0.0, 0.0))
    for name in "ab":
        model.add_coordinate(name, 1.0 + 0.1 * k, unit="m")
    a, b = jd.Coordinate("a"), jd.Coordinate("b")
    capacity = lambda x, v, at: 0.5 + 0.2 * jd.where(at.t > 0.3, 1.0, 0.0)
    model.add_connection("clutch", a - b, jd.Interval(capacity))
    model.add_connection("stop", b, jd.Unilateral(-0.05, restitution=0.5))
    model.add_connection("pull", a, jd.Force(lambda t: 3.0 * jd.math.sin(20.0 * t)))
    return jd.compile(model)


def work(system, ends, n):
    for i in range(n):
        try:
            method = jd.EventDriven(jd.Radau5() if i % 3 == 2 else jd.Dop853())
            given = {"method": method, "sample": 0.05, "start": {"a.rate": 0.3}}
            sol = jd.simulate(system, 0.6, **given)
            ends.append((i % 3 == 2, sol.q[-1].tobytes()))
            if i % 3 == 0:
                jd.simulate(system, 0.6, resume=jd.simulate(system, 0.31, **given), sample=0.05)
                gc.collect()
            if i % 3 == 1:
                try:
                    jd.simulate(system, 0.6, inputs={"a": lambda t: jd.math.sqrt(0.2 - t)})
                except jd.IntegrationError:
                    pass
        except BaseException as error:
            ends.append(("error", repr(error)))


for _ in range(2):
    systems, ends = [system(0), system(1)], [[], []]
    threads = [
        threading.Thread(target=work, args=(systems[k % 2], ends[k % 2], 4)) for k in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for own in ends:
        assert {kind for kind, _ in own} == {True, False}, own
        assert len(set(own)) == 2, own
    del systems, threads
    gc.collect()
print("ok")
"""


@pytest.mark.slow
def test_runs_of_one_system_in_several_threads():
    """Freed memory is overwritten; equal runs have equal results, to the last bit."""
    overwritten = {"PYTHONMALLOC": "malloc", "MALLOC_PERTURB_": "165"}
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(SCRIPT)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **overwritten},
        capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr[-3000:]
