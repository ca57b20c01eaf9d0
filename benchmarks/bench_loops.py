"""Ten seconds of the N-four-bar mechanism (IFToMM A02), against Pinocchio and MuJoCo.

N parallelograms in a row, 2 N + 1 bars of 1 m and 1 kg, pass their singular positions again and
again. All parallelograms move together, so that an exact motion of one degree of freedom is known;
printed beside the processor time is the largest error of the crank angle in ten seconds.

Ours is a whole call of ``jd.simulate`` on a compiled system, classical Runge-Kutta with 10 ms.
Pinocchio's ``constraintDynamics`` with Baumgarte's gains is called from Python in a Runge-Kutta
loop with the same step; what a call costs in Python (some 2 us) is part of it. MuJoCo's
connections are soft, made as firm as 1 ms allows; it runs in its own loop.

``python benchmarks/bench_loops.py growth`` runs up to 1000 loops instead, in loops of machine code
(`jd.Looped`): time until the first step, without a cache, and time per step and per loop.
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import time
from typing import Any

import numpy as np

SIZES = (2, 10, 40)
END, STEP = 10.0, 1e-2  # [s]
REPEATS = 5
GROWTH = (10, 40, 100, 200, 500, 1000)
GROWN_END = 2.0  # [s]


def exact(n: int, times: Any) -> Any:
    """Angle of the cranks [rad]."""
    from scipy.integrate import solve_ivp

    inertia, weight = (n + 1) / 3 + n, 9.81 * ((n + 1) / 2 + n)
    found = solve_ivp(
        lambda t, y: [y[1], -weight / inertia * np.cos(y[0])],
        (0.0, END), [np.pi / 2, -1.0], "DOP853", times, rtol=1e-12, atol=1e-12,
    )  # fmt: skip
    return found.y[0]


def build(n: int) -> Any:
    """The mechanism, planar, as spatial bodies and joints."""
    import jourdain as jd

    model = jd.Model("n_four_bar", gravity=(0, -9.81, 0))
    bar = jd.Inertia(mass=1.0, com=(0.5, 0, 0), moments=(1e-6, 1 / 12, 1 / 12))
    cranks = [model.add_body(f"crank{k}", bar) for k in range(n + 1)]
    for k, crank in enumerate(cranks):
        model.add_joint(f"ground{k}", model.world.at(k, 0, 0), crank, jd.Revolute("z"))
    for k in range(n):
        coupler = model.add_body(f"coupler{k}", bar)
        model.add_joint(f"left{k}", cranks[k].at(1, 0, 0), coupler, jd.Revolute("z"))
        right = cranks[k + 1].at(1, 0, 0)
        model.add_joint(f"right{k}", coupler.at(1, 0, 0), right, jd.Revolute("z"))
    return model


def ours(n: int) -> tuple[float, float]:
    """Processor time [s] and largest error [rad]."""
    import jourdain as jd

    system = jd.compile(build(n), execution=jd.Unrolled())
    start = {f"ground{k}.angle": np.pi / 2 for k in range(n + 1)}
    start |= {f"left{k}.angle": -np.pi / 2 for k in range(n)}
    at = jd.assemble(system, start | {"ground0.rate": -1.0})
    took = []
    for _ in range(REPEATS):
        begin = time.process_time()
        sol = jd.simulate(system, END, start=(at.q, at.v), method=jd.RungeKutta4(STEP), sample=0.1)
        took.append(time.process_time() - begin)
    return min(took), float(np.abs(sol.values("ground0.angle") - exact(n, sol.time)).max())


def grown(n: int) -> tuple[float, float, float]:
    """Processor time [s] of all before the first step, and of one step; largest error [rad]."""
    import jourdain as jd

    os.environ["JOURDAIN_CACHE"] = tempfile.mkdtemp()
    model, begin = build(n), time.process_time()
    system = jd.compile(model, execution=jd.Looped())
    start = {f"ground{k}.{x}": y for k in range(n + 1) for x, y in _UPRIGHT}
    start |= {f"{w}{k}.{x}": s * y for w, s in _SIDES for k in range(n) for x, y in _UPRIGHT}
    start = {name: x for name, x in start.items() if name in (*system.names.q, *system.names.v)}
    options = {"start": system.state(start), "integrator": jd.RungeKutta4(STEP), "sample": 0.1}
    jd.simulate(system, STEP, **(options | {"sample": None}))
    prepared, took = time.process_time() - begin, []
    for _ in range(REPEATS):
        begin = time.process_time()
        sol = jd.simulate(system, GROWN_END, **options)
        took.append(time.process_time() - begin)
    error = float(np.abs(sol.values("ground0.angle") - exact(n, sol.time)).max())
    return prepared, min(took) / round(GROWN_END / STEP), error


_UPRIGHT = (("angle", np.pi / 2), ("rate", -1.0))
_SIDES = (("left", -1.0), ("right", 1.0))


def growth() -> None:
    """Print how times grow with the number of loops."""
    print(f"N-four-bar in loops; {platform.processor() or platform.machine()}, processor time")
    print(
        f"{'N':>5} {'prepared [s]':>13} {'step [us]':>10} {'per loop':>9} {'ratio':>6} error [rad]"
    )
    first = None
    for n in GROWTH:
        prepared, step, error = grown(n)
        first = first or step / n
        print(
            f"{n:>5} {prepared:>13.2f} {1e6 * step:>10.1f} {1e6 * step / n:>9.2f} "
            f"{step / n / first:>6.2f} {error:>11.1e}"
        )


def pinocchio(n: int) -> tuple[float, float]:
    """Constraint dynamics in a Runge-Kutta loop."""
    import pinocchio as pin

    model, joints = _pinocchio_tree(n)
    contacts, states = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for k in range(n):
        ends = joints[f"coupler{k}"], joints[f"crank{k + 1}"]
        place = pin.SE3(np.eye(3), np.array([1.0, 0.0, 0.0]))
        kind = pin.ContactType.CONTACT_3D
        contact = pin.RigidConstraintModel(kind, model, ends[0], place, ends[1], place)
        contact.m_baumgarte_parameters.Kp = 400.0
        contact.m_baumgarte_parameters.Kd = 40.0
        contacts.append(contact)
        states.append(contact.createData())
    data, tau = model.createData(), np.zeros(model.nv)
    settings = pin.ProximalSettings(1e-9, 1e-12, 10)
    pin.initConstraintDynamics(model, data, contacts, states)

    def rates(q: Any, v: Any) -> Any:
        return pin.constraintDynamics(model, data, q, v, tau, contacts, states, settings).copy()

    best, worst = np.inf, 0.0
    for _ in range(2):
        q = np.zeros(model.nq)
        v = np.zeros(model.nv)
        for name, joint in joints.items():
            at = model.joints[joint].idx_q
            q[at] = np.pi / 2 if name.startswith("crank") else -np.pi / 2
            v[at] = -1.0 if name.startswith("crank") else 1.0
        angles, begin = [q[0]], time.process_time()
        for k in range(round(END / STEP)):
            a1 = rates(q, v)
            v2 = v + 0.5 * STEP * a1
            a2 = rates(q + 0.5 * STEP * v, v2)
            v3 = v + 0.5 * STEP * a2
            a3 = rates(q + 0.5 * STEP * v2, v3)
            v4 = v + STEP * a3
            a4 = rates(q + STEP * v3, v4)
            q = q + STEP / 6 * (v + 2 * v2 + 2 * v3 + v4)
            v = v + STEP / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
            if k % 10 == 9:
                angles.append(q[0])
        best = min(best, time.process_time() - begin)
        worst = float(np.abs(np.array(angles) - exact(n, np.linspace(0, END, 101))).max())
    return best, worst


def _pinocchio_tree(n: int) -> tuple[Any, dict[str, int]]:
    import pinocchio as pin

    model = pin.Model()
    model.gravity.linear = np.array([0.0, -9.81, 0.0])
    bar = pin.Inertia(1.0, np.array([0.5, 0, 0]), np.diag([1e-6, 1 / 12, 1 / 12]))
    joints = {}

    def add(name: str, parent: int, place: Any) -> None:
        pose = pin.SE3(np.eye(3), np.array(place, dtype=float))
        joints[name] = model.addJoint(parent, pin.JointModelRZ(), pose, name)
        model.appendBodyToJoint(joints[name], bar, pin.SE3.Identity())

    for k in range(n + 1):
        add(f"crank{k}", 0, (k, 0, 0))
        if k < n:
            add(f"coupler{k}", joints[f"crank{k}"], (1, 0, 0))
    return model, joints


def mujoco(n: int) -> tuple[float, float]:
    """Soft connections, its own loop."""
    import mujoco as mj
    from mujoco import rollout

    bar = '<inertial pos=".5 0 0" mass="1" diaginertia="1e-6 .0833333333 .0833333333"/>'
    firm = 'solref=".002 1" solimp=".9999 .99999 .001"'
    bodies, ties = [], []
    for k in range(n + 1):
        inner = ""
        if k < n:
            hinge = f'<joint name="left{k}" type="hinge" axis="0 0 1"/>'
            inner = f'<body name="coupler{k}" pos="1 0 0">{hinge}{bar}</body>'
            other = f'body1="coupler{k}" body2="crank{k + 1}"'
            ties.append(f'<connect {other} anchor="1 0 0" {firm}/>')
        hinge = f'<joint name="ground{k}" type="hinge" axis="0 0 1"/>'
        bodies.append(f'<body name="crank{k}" pos="{k} 0 0">{hinge}{bar}{inner}</body>')
    step = 1e-3
    option = f'<option gravity="0 -9.81 0" timestep="{step}" method="RK4"/>'
    model = mj.MjModel.from_xml_string(
        f"<mujoco>{option}<worldbody>{''.join(bodies)}</worldbody>"
        f"<equality>{''.join(ties)}</equality></mujoco>"
    )
    data = mj.MjData(model)
    q, v = np.zeros(model.nq), np.zeros(model.nv)
    for k in range(model.njnt):
        is_ground = model.joint(k).name.startswith("ground")
        q[k], v[k] = (np.pi / 2, -1.0) if is_ground else (-np.pi / 2, 1.0)
    start, best = np.concatenate([[0.0], q, v])[np.newaxis], np.inf
    for _ in range(2):
        begin = time.process_time()
        states, _ = rollout.rollout(model, data, start, nstep=round(END / step))
        best = min(best, time.process_time() - begin)
    angles = np.concatenate([[np.pi / 2], states[0, 99::100, 1]])
    return best, float(np.abs(angles - exact(n, np.linspace(0, END, 101))).max())


def main() -> None:
    print(f"N-four-bar, 10 s; {platform.processor() or platform.machine()}, processor time")
    print(f"{'N':>5} {'program':<12} {'time [s]':>10} {'error [rad]':>12} {'ratio':>7}")
    for n in SIZES:
        own, error = ours(n)
        print(f"{n:>5} {'Jourdain':<12} {own:>10.4f} {error:>12.1e}")
        for name, run in (("Pinocchio", pinocchio), ("MuJoCo", mujoco)):
            try:
                took, error = run(n)
            except ImportError as missing:
                print(f"{n:>5} {name:<12} not there: {missing}")
                continue
            print(f"{n:>5} {name:<12} {took:>10.4f} {error:>12.1e} {took / own:>7.1f}")


if __name__ == "__main__":
    growth() if sys.argv[1:] == ["growth"] else main()
