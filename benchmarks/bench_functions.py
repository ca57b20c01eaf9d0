"""Plain functions of a compiled system against Pinocchio and MuJoCo, all called from Python.

Derivatives of forward and inverse dynamics, frame Jacobians and dJ/dt v, loads of all joints, mass
matrices, and batches of them; chains of revolute joints about x, y, z in turn, time of the thread,
contestants in turn in one run. Results are compared before anything is timed. Then the second run
of a compiled system with function inputs: time until the first step. ``bench_functions.py 7 30``
takes only these numbers of joints.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
import peers
from contest import Chain, micro, python_loop, race

SIZES = (7, 30, 100)
MASS_SIZES = (100, 500)
BATCH = 64
SPAN = 2e-3  # seconds per repeat


def pinocchio_chain(chain: Chain) -> Any:
    """Pinocchio's module, and its model and data of the chain."""
    import pinocchio as pin

    kinds = [pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ]
    model, joint = pin.Model(), 0
    for k in range(chain.n):
        place = pin.SE3(np.eye(3), np.array(chain.place(k)))
        joint = model.addJoint(joint, kinds[k % 3](), place, f"joint_{k}")
        inertia = pin.Inertia(chain.mass(k), np.array(chain.com), np.diag(chain.moments))
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    tip = pin.SE3(np.eye(3), np.array(chain.offset))
    model.addFrame(pin.Frame("tip", joint, 0, tip, pin.FrameType.OP_FRAME))
    return pin, model, model.createData()


def agree(what: str, ours: Any, theirs: Any, n: int) -> None:
    """Compare with the largest number of the result as the scale."""
    error = np.abs(np.asarray(ours) - theirs).max() / np.abs(ours).max()
    if not error <= 1e-9 * max(1.0, n / 30) ** 4:
        raise RuntimeError(f"{what} of {n} joints differs by {error:.1e} of the largest number")


def times(n: int) -> list[tuple[str, float, float, float]]:
    """Times [s] of a function, of one of a batch, and of Pinocchio's."""
    import jourdain as jd

    chain = Chain(n)
    system, (q, v, tau) = jd.compile(chain.model()), chain.state()
    vdot, frame = (
        system.forward_dynamics(q, v, tau),
        system.model.body(f"body_{n - 1}").at(*chain.offset),
    )
    pin, model, data = pinocchio_chain(chain)
    theirs = pin.computeABADerivatives(model, data, q, v, tau)
    found = system.forward_dynamics_derivatives(q, v, tau)
    for name, ours, other in zip(("q", "v"), found[:2], theirs[:2], strict=True):
        agree(f"derivative of forward dynamics by {name}", ours, other, n)
    theirs = pin.computeRNEADerivatives(model, data, q, v, vdot)
    for name, ours, other in zip(
        ("q", "v"), system.inverse_dynamics_derivatives(q, v, vdot)[:2], theirs[:2], strict=True
    ):
        agree(f"derivative of inverse dynamics by {name}", ours, other, n)
    world = pin.LOCAL_WORLD_ALIGNED
    J = pin.computeFrameJacobian(model, data, q, model.nframes - 1, world)
    agree("Jacobian", system.jacobian(frame, q), np.vstack([J[3:], J[:3]]), n)
    many = chain.state(BATCH)
    calls = {
        "forward derivatives": (
            system.forward_dynamics_derivatives, (q, v, tau), many,
            lambda: pin.computeABADerivatives(model, data, q, v, tau),
        ),
        "inverse derivatives": (
            system.inverse_dynamics_derivatives, (q, v, vdot), many,
            lambda: pin.computeRNEADerivatives(model, data, q, v, vdot),
        ),
        "frame Jacobian": (
            lambda q: system.jacobian(frame, q), (q,), many[:1],
            lambda: pin.computeFrameJacobian(model, data, q, model.nframes - 1, world),
        ),
        "dJ/dt v": (lambda q, v: system.jacobian_rate(frame, q, v), (q, v), many[:2], None),
        "loads": (system.loads, (q, v, vdot), many, None),
    }  # fmt: skip
    rows = []
    for name, (ours, one, batch, other) in calls.items():
        runs = {"one": python_loop(lambda ours=ours, x=one: ours(*x))}
        runs["batch"] = python_loop(lambda ours=ours, x=batch: ours(*x))
        if other is not None:
            runs["pinocchio"] = python_loop(other)
        best = race(runs, span=SPAN)
        rows.append((name, best["one"], best["batch"] / BATCH, best.get("pinocchio", np.nan)))
    return rows


def mass_matrices(n: int) -> tuple[float, float]:
    """Times [s] of whole mass matrices: ours, and MuJoCo's passes with the filled matrix."""
    import jourdain as jd

    chain = Chain(n)
    system, (q, *_) = jd.compile(chain.model()), chain.state()
    import mujoco

    peer = peers.MuJoCo(None, chain)
    model, data = peer.model, peer.data
    data.qpos[:], M = q, np.zeros((n, n))

    def theirs() -> None:
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_crb(model, data)
        mujoco.mj_fullM(model, data, M)

    theirs()
    agree("mass matrix", system.mass_matrix(q), M, n)
    runs = {"ours": python_loop(lambda: system.mass_matrix(q)), "mujoco": python_loop(theirs)}
    best = race(runs, span=SPAN)
    return best["ours"], best["mujoco"]


def second_run(n: int) -> float:
    """Time [s] from the call of `simulate` to the first step, with a function and an event."""
    import jourdain as jd
    from jourdain.solvers.run import Run

    system, began = jd.compile(Chain(n).model()), []
    plain = Run.advance

    def advance(run: Any, steps: int) -> Any:
        began.append(time.thread_time())
        return plain(run, steps)

    Run.advance = advance  # type: ignore[method-assign]
    spans = []
    for _ in range(8):
        began.clear()
        start = time.thread_time()
        jd.simulate(
            system, 1e-3, method=jd.RungeKutta4(1e-3), sample=1e-3,
            inputs={"joint_0.angle": lambda t, s: -3.0 * s["joint_0.rate"]},
            events={"top": lambda t, s: s["joint_0.angle"] - 5.0},
        )  # fmt: skip
        spans.append(began[0] - start)
    Run.advance = plain  # type: ignore[method-assign]
    return min(spans[1:])


def main() -> None:
    """Print the tables."""
    sizes = tuple(int(x) for x in sys.argv[1:]) or SIZES
    print("Functions of revolute chains, called from Python; µs")
    print(
        "".join(f"{x:>22}" for x in ("", "joints", "Jourdain", "in a batch", "Pinocchio", "ratio"))
    )
    for n in sizes:
        for name, one, batch, other in times(n):
            ratio = "-" if np.isnan(other) else f"{other / one:.2f}"
            cells = (name, f"{n}", micro(one), micro(batch), micro(other), ratio)
            print("".join(f"{x:>22}" for x in cells), flush=True)
    print("\nMass matrix, both triangles; µs")
    print("".join(f"{x:>12}" for x in ("joints", "Jourdain", "MuJoCo", "ratio")))
    for n in MASS_SIZES:
        ours, other = mass_matrices(n)
        cells = (f"{n}", micro(ours), micro(other), f"{other / ours:.2f}")
        print("".join(f"{x:>12}" for x in cells), flush=True)
    print("\nSecond run with a function and an event: ms until the first step")
    print("   ".join(f"{n} joints: {1e3 * second_run(n):.2f}" for n in sizes))


if __name__ == "__main__":
    main()
