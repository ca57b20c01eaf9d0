"""Chains of revolute joints in other programs, and one way of timing them and ours.

Pinocchio (C++), MuJoCo (C) and the kernels of this package are called from loops in C++, compiled
here once against the headers of the wheel ``pin``. Exudyn has no entry for a single evaluation:
its Runge-Kutta steps are timed and divided by four.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from contest import Chain, Run, python_loop

WHOLE_DATA_UP_TO = 300  # joints; Pinocchio's Data grows with their third power
DEFINITIONS = (
    "NDEBUG", "BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "BOOST_MPL_LIMIT_LIST_SIZE=30",
    "BOOST_MPL_LIMIT_VECTOR_SIZE=30", "BOOST_FUSION_INVOKE_MAX_ARITY=10",
)  # fmt: skip


def _pointer(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


class Harness:
    """The compiled loops."""

    def __init__(self) -> None:
        compiler = os.environ.get("CXX") or shutil.which("clang++") or shutil.which("g++")
        if not compiler:
            raise FileNotFoundError("no C++ compiler found; install clang, or set CXX")
        asked = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
        self.compiler = asked.stdout.splitlines()[0]
        self._library = ctypes.CDLL(str(self._build(compiler)))
        self._library.make_chain.restype = ctypes.c_void_p
        for name in ("time_chain", "time_kernel", "time_passes", "time_rollout"):
            getattr(self._library, name).restype = ctypes.c_double

    def __str__(self) -> str:
        return f"all called from C++ ({self.compiler}, -O3 -march=native)"

    def _build(self, compiler: str) -> Path:
        """Compile once per source, compiler and machine: it takes two minutes."""
        source = Path(__file__).with_name("harness.cpp")
        packages = {n: Path(importlib.util.find_spec(n).origin).parent for n in ("casadi", "cmeel")}
        include = [
            packages["cmeel"].parent / "cmeel.prefix" / "include",
            packages["casadi"] / "include" / "eigen3",
        ]
        flags = ["-std=c++17", "-O3", "-march=native", "-shared", "-fPIC", "-pthread", "-w"]
        flags += [f"-D{d}" for d in DEFINITIONS] + [f"-I{folder}" for folder in include]
        target = subprocess.run(
            [compiler, "-march=native", "-E", "-v", "-x", "c++", os.devnull],
            capture_output=True, text=True, check=True, cwd=tempfile.gettempdir(),
        ).stderr  # fmt: skip
        key = hashlib.sha256("\n".join([source.read_text(), *flags, target]).encode()).hexdigest()
        library = Path(tempfile.gettempdir()) / f"jourdain_benchmarks_{key[:16]}.so"
        if not library.exists():
            print("Compiling the loops around Pinocchio: takes some minutes, once.", flush=True)
            part = library.with_suffix(f".{os.getpid()}")
            subprocess.run([compiler, *flags, str(source), "-o", str(part)], check=True)
            part.replace(library)
        return library

    def kernel(self, function: int, arguments: int) -> Run:
        """A compiled function of this package with the address of its arguments."""
        f, a = ctypes.c_void_p(function), ctypes.c_void_p(arguments)
        return lambda calls: self._library.time_kernel(f, a, ctypes.c_long(calls))

    def pinocchio(self, chain: Chain) -> Pinocchio:
        """The chain in Pinocchio."""
        return Pinocchio(self._library, chain)

    def mujoco(self, chain: Chain) -> MuJoCo:
        """The chain in MuJoCo."""
        return MuJoCo(self._library, chain)


class PythonHarness:
    """Loops in Python for want of a compiler: the cost of an empty call is subtracted."""

    def __str__(self) -> str:
        return "called from Python, cost of an empty call subtracted (no C++ compiler)"

    def kernel(self, function: int, arguments: int) -> Run:
        """A compiled function of this package with the address of its arguments."""
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
        call, empty = kind(function), kind(("free", ctypes.CDLL(None)))
        runs = python_loop(lambda: call(arguments)), python_loop(lambda: empty(0))
        return lambda calls: max(runs[0](calls) - runs[1](calls), 1e-9)

    def pinocchio(self, chain: Chain) -> PythonPinocchio:
        """The chain in Pinocchio."""
        return PythonPinocchio(chain)

    def mujoco(self, chain: Chain) -> None:
        """Nothing: several calls of Python would be in the time."""


def harness() -> Harness | PythonHarness:
    """Compiled loops, or loops in Python where they cannot be built."""
    try:
        return Harness()
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        print(f"The loops around Pinocchio could not be compiled: {error}")
        return PythonHarness()


class Pinocchio:
    """Chain in Pinocchio, with loops in C++ around its algorithms."""

    def __init__(self, library: Any, chain: Chain) -> None:
        self._library, self.chain, n = library, chain, chain.n
        columns = [np.arange(n, dtype=np.int64) % 3, np.array([chain.place(k) for k in range(n)])]
        columns += [np.array([chain.mass(k) for k in range(n)])]
        columns += [np.tile(x, (n, 1)) for x in (chain.com, chain.moments)]
        whole = int(n <= WHOLE_DATA_UP_TO)
        handle = library.make_chain(n, *(_pointer(x) for x in columns), whole)
        self._handle = ctypes.c_void_p(handle)

    def __del__(self) -> None:
        self._library.free_chain(self._handle)

    def run(self, what: str, q: Any, v: Any, x: Any) -> tuple[Run, Any]:
        """Loop around ``kinematics``, ``aba_local``, ``rnea``, … and the array it writes to."""
        n = self.chain.n
        sizes = {"kinematics": (4, 4), "crba_local": (n, n), "crba_world": (n, n)}
        result = np.zeros(sizes.get(what, (n,)))
        kept = (q, v, x, result)

        def run(calls: int) -> float:
            pointers = [_pointer(a) for a in kept]
            return self._library.time_chain(
                self._handle, what.encode(), *pointers[:3], ctypes.c_long(calls), pointers[3]
            )

        return run, result

    def rollout(self, q: Any, v: Any, steps: int, dt: float, threads: int) -> float:
        """Seconds of semi-implicit Euler steps of the rows of q and v, advanced in place."""
        return self._library.time_rollout(
            self._handle, ctypes.c_long(len(q)), ctypes.c_long(steps), ctypes.c_double(dt),
            threads, _pointer(q), _pointer(v),
        )  # fmt: skip


class PythonPinocchio:
    """Chain in Pinocchio, called from Python."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain

    def run(self, what: str, q: Any, v: Any, x: Any) -> tuple[Run, Any]:
        """Loop around an algorithm, less the same loop for no joints, and the result."""
        (call, result), (empty, _) = (self._call(what, n, q, v, x) for n in (self.chain.n, 0))
        runs = python_loop(call), python_loop(empty)
        return (lambda calls: max(runs[0](calls) - runs[1](calls), 1e-9)), result()

    def _call(self, what: str, n: int, *state: Any) -> tuple[Any, Any]:
        import pinocchio as pin

        model, last = pin.Model(), 0
        kinds = (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ)
        for k in range(n):
            place = pin.SE3(np.eye(3), np.array(self.chain.place(k)))
            last = model.addJoint(last, kinds[k % 3](), place, f"joint_{k}")
            moments = np.diag(self.chain.moments)
            inertia = pin.Inertia(self.chain.mass(k), np.array(self.chain.com), moments)
            model.appendBodyToJoint(last, inertia, pin.SE3.Identity())
        data, (q, v, x) = model.createData(), (a[:n] for a in state)
        convention = pin.Convention.WORLD if "world" in what else pin.Convention.LOCAL
        calls = {
            "kinematics": lambda: pin.forwardKinematics(model, data, q, v, x),
            "aba": lambda: pin.aba(model, data, q, v, x, convention),
            "rnea": lambda: pin.rnea(model, data, q, v, x),
            "crba": lambda: pin.crba(model, data, q, convention),
        }
        call = calls[what.split("_", maxsplit=1)[0]]
        if what != "kinematics":
            return call, lambda: np.array(call())
        return call, lambda: (call(), data.oMi[last].homogeneous)[1]


class MuJoCo:
    """Chain in MuJoCo without contacts and constraints."""

    # What mj_forward does for a chain without geometry, sensors and actuators.
    FORWARD = (
        "mj_kinematics", "mj_comPos", "mj_makeM", "mj_factorM", "mj_fwdVelocity",
        "mj_fwdAcceleration",
    )  # fmt: skip
    MASS_MATRIX = ("mj_kinematics", "mj_comPos", "mj_makeM")

    def __init__(self, library: Any, chain: Chain) -> None:
        import mujoco

        self._library, self._mujoco = library, mujoco
        spec = mujoco.MjSpec()
        body = spec.worldbody
        for k in range(chain.n):
            body = body.add_body(
                pos=chain.place(k), mass=chain.mass(k), ipos=chain.com, inertia=chain.moments,
                explicitinertial=True,
            )  # fmt: skip
            body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=np.eye(3)[k % 3])
        self.model = spec.compile()
        bit = mujoco.mjtDisableBit
        self.model.opt.disableflags |= bit.mjDSBL_CONSTRAINT | bit.mjDSBL_CONTACT
        self.data = mujoco.MjData(self.model)

    @cached_property
    def _symbols(self) -> Any:
        folder = Path(self._mujoco.__file__).parent
        return ctypes.CDLL(str(next(folder.glob("libmujoco*"))))

    def run(self, passes: Sequence[str], q: Any, v: Any, tau: Any, vdot: Any = 0.0) -> Run:
        """Loop around functions of MuJoCo, at a state."""
        self.data.qpos[:], self.data.qvel[:], self.data.qfrc_applied[:] = q, v, tau
        self.data.qacc[:] = vdot
        functions = (ctypes.c_void_p * len(passes))()
        for k, name in enumerate(passes):
            functions[k] = ctypes.cast(getattr(self._symbols, name), ctypes.c_void_p)
        pair = ctypes.c_void_p(self.model._address), ctypes.c_void_p(self.data._address)
        return lambda calls: self._library.time_passes(
            functions, len(passes), *pair, ctypes.c_long(calls)
        )

    def mass_matrix(self) -> Any:
        """Mass matrix of the last evaluation, filled."""
        M = np.zeros((self.model.nv, self.model.nv))
        self._mujoco.mj_fullM(self.model, self.data, M)
        return M

    def rollout(self, q: Any, v: Any, steps: int, dt: float, threads: int) -> float:
        """Seconds of semi-implicit Euler steps of the rows of q and v."""
        from mujoco import rollout

        self.model.opt.timestep = dt
        start = np.concatenate([np.zeros((len(q), 1)), q, v], axis=1)
        data = [self._mujoco.MjData(self.model) for _ in range(threads)]
        with rollout.Rollout(nthread=threads) as pool:
            begin = time.perf_counter()
            pool.rollout([self.model] * len(q), data, start, nstep=steps)
            return time.perf_counter() - begin


class Exudyn:
    """Chain in Exudyn: a kinematic tree with minimal coordinates."""

    STEP = 1e-4  # seconds

    def __init__(self, chain: Chain, q: Any, v: Any, tau: Any) -> None:
        import exudyn as exu
        from exudyn.itemInterface import NodeGenericODE2, ObjectKinematicTree

        self._exu, n = exu, chain.n
        self._container = exu.SystemContainer()
        self._mbs = self._container.AddSystem()
        node = self._mbs.AddNode(
            NodeGenericODE2(
                referenceCoordinates=[0.0] * n, initialCoordinates=q.tolist(),
                initialCoordinates_t=v.tolist(), numberOfODE2Coordinates=n,
            )
        )  # fmt: skip
        turns, places, moments, coms = (kind() for kind in (exu.Matrix3DList, exu.Vector3DList) * 2)
        for k in range(n):
            turns.Append(np.eye(3))
            places.Append(np.array(chain.place(k)))
            moments.Append(np.diag(chain.moments))
            coms.Append(np.array(chain.com))
        kinds = [exu.JointType.RevoluteX, exu.JointType.RevoluteY, exu.JointType.RevoluteZ]
        self._mbs.AddObject(
            ObjectKinematicTree(
                nodeNumber=node, jointTypes=[kinds[k % 3] for k in range(n)],
                linkParents=np.arange(n) - 1, jointTransformations=turns, jointOffsets=places,
                linkInertiasCOM=moments, linkCOMs=coms,
                linkMasses=[chain.mass(k) for k in range(n)], baseOffset=[0, 0, 0],
                gravity=[0, 0, -9.81], jointForceVector=tau.tolist(),
            )
        )  # fmt: skip
        self._mbs.Assemble()

    def _solve(self, steps: int, solver: str) -> float:
        settings = self._exu.SimulationSettings()
        settings.solution.file.write = False
        settings.timeIntegration.numberOfSteps = steps
        settings.timeIntegration.endTime = steps * self.STEP
        settings.timeIntegration.explicit.computeEndOfStepAccelerations = False
        settings.linearSolverType = getattr(self._exu.LinearSolverType, solver)
        start = time.process_time()
        self._mbs.SolveDynamic(settings, solverType=self._exu.DynamicSolverType.RK44)
        return time.process_time() - start

    def after_one_step(self) -> Any:
        """Angles and rates after one Runge-Kutta step of `STEP`."""
        self._solve(1, "EXUdense")
        data = self._mbs.systemData
        return np.concatenate([data.GetODE2Coordinates(), data.GetODE2Coordinates_t()])

    def run(self, solver: str) -> Run:
        """A quarter of a Runge-Kutta step, start-up subtracted."""
        return lambda calls: (
            (self._solve(calls + 1, solver) - self._solve(1, solver)) / (4 * max(calls, 1))
        )
