"""Forward kinematics against Pinocchio: poses, twists and bias accelerations of all bodies.

Chains of revolute joints about x, y, z in turn; single thread, one run, best of many repeats.
Both sides are called from a loop in C++, compiled here against the headers of the wheel ``pin``.
Without a compiler they are called from Python, and the cost of an empty call is subtracted.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SIZES = (7, 30, 100, 1000)
WHOLE_DATA_UP_TO = 300  # joints; Pinocchio's Data grows with their third power
SYSTEMS = 4096
REPEATS = 25
SPAN = 2e-3  # seconds per repeat
MEMORY = 2**25  # bytes of results of a batch
LIMITS = {7: 0.3, 1000: 1.0}  # seconds to compile

DEFINITIONS = (
    "NDEBUG", "BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "BOOST_MPL_LIMIT_LIST_SIZE=30",
    "BOOST_MPL_LIMIT_VECTOR_SIZE=30", "BOOST_FUSION_INVOKE_MAX_ARITY=10",
)  # fmt: skip


def chain(n: int) -> Any:
    """Model of n rods of 0.3 m, joined end to end."""
    import jourdain as jd

    model = jd.Model("chain")
    place = model.world.at()
    for k in range(n):
        body = model.add_body(f"rod_{k}", jd.solid.rod(mass=1.0, end=(0.3, 0, 0)))
        model.add_joint(f"joint_{k}", place, body, jd.Revolute("xyz"[k % 3]))
        place = body.at(0.3, 0, 0)
    return model


def state(n: int) -> tuple[Any, Any]:
    """Angles [rad] and rates [rad/s] of a chain."""
    import numpy as np

    rng = np.random.default_rng(7)
    return rng.uniform(-2, 2, n), rng.uniform(-2, 2, n)


def best(run: Callable[[int], float], guess: float) -> float:
    """Smallest time per call [s] that ``run(calls)`` returns, with repeats of equal length."""
    calls = max(1, int(SPAN / guess))
    return min(run(calls) for _ in range(REPEATS))


def python_loop(call: Callable[[], Any]) -> Callable[[int], float]:
    """Function of the number of calls that gives the time per call [s]."""

    def run(calls: int) -> float:
        repeat = range(calls)
        start = time.perf_counter()
        for _ in repeat:
            call()
        return (time.perf_counter() - start) / calls

    return run


class CompiledLoops:
    """Both sides called from C++."""

    def __init__(self, folder: Path) -> None:
        self.compiler = os.environ.get("CXX") or shutil.which("clang++") or shutil.which("g++")
        if not self.compiler:
            raise FileNotFoundError("no C++ compiler")
        library = folder / "loops.so"
        packages = {n: Path(importlib.util.find_spec(n).origin).parent for n in ("casadi", "cmeel")}
        include = [
            packages["cmeel"].parent / "cmeel.prefix" / "include",
            packages["casadi"] / "include" / "eigen3",
        ]
        source = Path(__file__).with_name("pinocchio_loop.cpp")
        flags = ["-std=c++17", "-O3", "-march=native", "-shared", "-fPIC", "-w"]
        flags += [f"-D{d}" for d in DEFINITIONS] + [f"-I{folder}" for folder in include]
        subprocess.run([self.compiler, *flags, str(source), "-o", str(library)], check=True)
        self.library = ctypes.CDLL(str(library))
        self.library.make_chain.restype = ctypes.c_void_p
        self.library.time_chain.restype = ctypes.c_double
        self.library.time_kernel.restype = ctypes.c_double

    def __str__(self) -> str:
        version = subprocess.run([self.compiler, "--version"], capture_output=True, text=True)
        return f"both called from C++ ({version.stdout.splitlines()[0]}, -O3 -march=native)"

    def pinocchio(self, n: int) -> tuple[float, Any]:
        """Time per call [s] and the pose of the last body (3, 4)."""
        import numpy as np

        (q, v), pose = state(n), np.zeros((3, 4))
        handle = ctypes.c_void_p(self.library.make_chain(n, int(n <= WHOLE_DATA_UP_TO)))
        pointers = [ctypes.c_void_p(a.ctypes.data) for a in (q, v, pose)]
        seconds = best(
            lambda calls: self.library.time_chain(
                handle, *pointers[:2], ctypes.c_long(calls), pointers[2]
            ),
            1e-7 * n,
        )
        self.library.free_chain(handle)
        return seconds, pose

    def kernel(self, function: int, arguments: int, guess: float) -> float:
        """Time per call [s] of a compiled function."""
        f, a = ctypes.c_void_p(function), ctypes.c_void_p(arguments)
        return best(lambda calls: self.library.time_kernel(f, a, ctypes.c_long(calls)), guess)


class PythonLoops:
    """Both sides called from Python, less the cost of an empty call."""

    def __str__(self) -> str:
        return "both called from Python, cost of an empty call subtracted (no C++ compiler found)"

    def pinocchio(self, n: int) -> tuple[float, Any]:
        """Time per call [s] and the pose of the last body (3, 4)."""
        import numpy as np
        import pinocchio as pin

        def timed(count: int) -> tuple[float, Any]:
            model = pin.Model()
            kinds, last = (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ), 0
            for k in range(count):
                place = pin.SE3(np.eye(3), np.array([0.3 * (k > 0), 0.0, 0.0]))
                last = model.addJoint(last, kinds[k % 3](), place, f"joint_{k}")
            data, (q, v) = model.createData(), state(count)
            a = np.zeros(count)
            run = python_loop(lambda: pin.forwardKinematics(model, data, q, v, a))
            seconds = best(run, 1e-6 + 1e-7 * count)
            return seconds, data.oMi[last].homogeneous[:3]

        if n > WHOLE_DATA_UP_TO:
            return float("nan"), None
        seconds, pose = timed(n)
        return seconds - timed(0)[0], pose

    def kernel(self, function: int, arguments: int, guess: float) -> float:
        """Time per call [s] of a compiled function."""
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
        call, empty = kind(function), kind(("free", ctypes.CDLL(None)))
        whole = best(python_loop(lambda: call(arguments)), 1e-6 + guess)
        return whole - best(python_loop(lambda: empty(0)), 1e-6)


def own_times(loops: CompiledLoops | PythonLoops, n: int) -> dict[str, Any]:
    """Times [s] of one evaluation, of one in a batch and of a call through `System`."""
    import numpy as np

    import jourdain as jd
    from jourdain.codegen.kernel import address, aligned
    from jourdain.equations.kinematics import KINEMATICS

    system = jd.compile(chain(n))
    q, v = state(n)
    poses, _, _ = system.kinematics(q, v)
    function = system._function(KINEMATICS)  # the kernel itself has no public name
    kernel = getattr(function, "_kernel", function)
    values = {"q": q, "v": v}
    inputs = [aligned(size) for _, size in kernel.inputs]
    for array, (name, _) in zip(inputs, kernel.inputs, strict=True):
        array[:] = values.get(name, 0.0)
    outputs = [aligned(int(np.prod(shape))) for _, shape in kernel.outputs]
    work = [aligned(kernel.work_size)] if kernel.work_size else []
    arrays = [*inputs, *outputs, *kernel.extras, *work]
    pointers = np.array([address(a) for a in arrays], dtype=np.int64)
    single = loops.kernel(kernel.library.addresses["single"], address(pointers), 1e-7 * n)
    if not np.array_equal(outputs[0].reshape(poses.shape), poses):
        raise RuntimeError("the timed kernel gave other poses than System.kinematics")
    return {
        "single": single,
        "batch": batch_time(kernel, values),
        "call": best(python_loop(lambda: system.kinematics(q, v)), 1e-5) - single,
        "pose": poses[-1, :3],
        "way": type(system.execution).__name__.lower(),
    }


def batch_time(kernel: Any, values: dict[str, Any]) -> float:
    """Time per system [s] of one call for many systems, results written to kept arrays."""
    import numpy as np

    sizes = [int(np.prod(shape)) for _, shape in kernel.outputs]
    count = min(SYSTEMS, MEMORY // (8 * sum(sizes)))
    given = [values.get(name, np.zeros(size)) for name, size in kernel.inputs]
    flat = [np.tile(x, (count, 1)) for x in given]
    results = [np.zeros((count, size)) for size in sizes]
    strides = [x.shape[1] for x in flat]
    run = python_loop(lambda: kernel.batch_into(flat, strides, results, count))
    return best(run, SPAN) / count


def compile_times(n: int) -> tuple[dict[str, float], dict[str, float]]:
    """Times [s] until the first result in fresh processes: empty cache, then filled cache."""
    command = [sys.executable, __file__, "compile", str(n)]
    runs = []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "JOURDAIN_CACHE": folder}
            pair = [
                json.loads(subprocess.check_output(command, env=environment)) for _ in range(2)
            ]
            runs.append(pair)
    cold, warm = (min((run[k] for run in runs), key=lambda r: r["compile"]) for k in range(2))
    return cold, warm


def compile_once(n: int) -> dict[str, float]:
    """Time [s] from a model to its first result, and how much of it LLVM takes."""
    start = time.perf_counter()
    import jourdain as jd
    from jourdain.codegen import jit

    model, imported = chain(n), time.perf_counter()
    plain, llvm = jit._object_code, 0.0

    def timed(text: str) -> bytes:
        nonlocal llvm
        begin = time.perf_counter()
        code = plain(text)
        llvm += time.perf_counter() - begin
        return code

    jit._object_code = timed
    q, v = state(n)
    ready = time.perf_counter()
    jd.compile(model).kinematics(q, v)
    return {"load": imported - start, "compile": time.perf_counter() - ready, "llvm": llvm}


def report(loops: CompiledLoops | PythonLoops) -> None:
    """Print one line per chain."""
    print(f"Forward kinematics of revolute chains, {platform.machine()}, single thread")
    print(f"{loops}; best of {REPEATS}; times per evaluation\n")
    head = ("joints", "Jourdain", "Pinocchio", "ratio", "in a batch", "ratio", "API call adds")
    print("".join(f"{x:>14}" for x in head), "  compile, cold (LLVM)   from cache")
    for n in SIZES:
        own, (pinocchio, pose) = own_times(loops, n), loops.pinocchio(n)
        if pose is not None and abs(pose - own["pose"]).max() > 1e-12 * n:
            raise RuntimeError(f"the poses of {n} joints differ from Pinocchio's")
        cold, warm = compile_times(n)
        cells = [
            f"{n}", micro(own["single"]), micro(pinocchio), f"{pinocchio / own['single']:.1f}",
            micro(own["batch"]), f"{pinocchio / own['batch']:.1f}", micro(own["call"]),
        ]  # fmt: skip
        compiled = f"{cold['compile']:.2f} s ({cold['llvm']:.2f} s)"
        late = " (goal: %.1f s)" % LIMITS[n] if cold["compile"] > LIMITS.get(n, 1e9) else ""
        print("".join(f"{x:>14}" for x in cells), f"{compiled:>22} {warm['compile']:>10.3f} s{late}")
    print(f"\nPinocchio's Data needs n³ numbers: above {WHOLE_DATA_UP_TO} joints it has only the")
    print("fields that forwardKinematics uses. Compile times include the first result, and in the")
    print("first line nothing of the import of casadi and llvmlite.")


def micro(seconds: float) -> str:
    """Time in microseconds."""
    return f"{1e6 * seconds:.3g} µs"


def main() -> None:
    """Run the benchmark, or one compilation for it."""
    if sys.argv[1:2] == ["compile"]:
        print(json.dumps(compile_once(int(sys.argv[2]))))
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            loops: CompiledLoops | PythonLoops = CompiledLoops(Path(folder))
        except (FileNotFoundError, subprocess.CalledProcessError) as error:
            print(f"C++ loops could not be built: {error}")
            loops = PythonLoops()
        report(loops)


if __name__ == "__main__":
    main()
