"""Contact and friction in one table, with goals and peers in one run.

Rows are made of the other benchmarks: small machines by time steps and from event to event, the
biped, a tree of 60 bodies, boxes that land, rings of links on springs with and without contacts,
many scalar coordinates, and any number of single contacts. MuJoCo has elliptic cones and Newton's
method, by default and with firm contacts. Times are processor times of one thread, the least of
some repeats, in turn with those of MuJoCo. ``bench_contact.py events tree`` takes only these.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from bench_pile import SETTLED
from piles import STEP, Pile
from piles import Jourdain as OurPile
from piles import MuJoCo as TheirPile
from stepped import DT, STEPS, Case, Jourdain, MuJoCo, balls, biped, clutch, pendulum

import jourdain as jd
from jourdain.simulation.contact.simulation import ContactStepper

REPEATS = 7
Line = tuple[str, str, str, str]  # case, ours, goal, peer


def least(*calls: Callable[[], Any], repeats: int = REPEATS) -> list[float]:
    """Least processor time [s] of each call, taken in turn."""
    best = [np.inf] * len(calls)
    for _ in range(repeats):
        for k, call in enumerate(calls):
            began = time.process_time()
            call()
            best[k] = min(best[k], time.process_time() - began)
    return best


def before_first_step(run: Callable[[], Any], stepper: Any = ContactStepper) -> float:
    """Least processor time [s] that a call of `simulate` takes until the first step."""
    plain, begun = stepper.advance_to, list[float]()

    def noted(self: Any, *given: Any) -> Any:
        begun.append(time.process_time())
        return plain(self, *given)

    stepper.advance_to = noted
    took = []
    try:
        for _ in range(3 * REPEATS):
            begun.clear()
            began = time.process_time()
            run()
            took.append(begun[0] - began)  # an audit may compute parts again
    finally:
        stepper.advance_to = plain
    return min(took)


def step_row(case: Case, goal: str, peers: bool = False, **options: Any) -> Line:
    """Line for steps of a machine in µs, beside MuJoCo's."""
    began = time.process_time()
    own = Jourdain(case, **options)
    first = time.process_time() - began
    others = [MuJoCo(case, firm=firm) for firm in (False, True)] if peers else []
    programs = (own, *others)
    short = least(*(lambda x=x: x.run(1) for x in programs))
    whole = least(*(lambda x=x: x.run(STEPS) for x in programs))
    each = [1e6 * (b - a) / (STEPS - 1) for a, b in zip(short, whole, strict=True)]
    setup = before_first_step(lambda: own.run(1))
    ours = (
        f"{each[0]:.2f} µs a step; {1e3 * setup:.2f} ms before the first, "
        f"{1e3 * short[0]:.2f} ms with one; first run {first:.2f} s"
    )
    peer = ", ".join(f"{e:.1f}" for e in each[1:])
    peer = f"MuJoCo {peer} µs (default, firm), ratio {each[0] / each[1]:.2f}" if peers else ""
    return own.name, ours, goal, peer


def small() -> Iterator[Line]:
    """Small machines by time stepping."""
    for case, peers in ((clutch(), False), (pendulum(), False), (balls(1), True)):
        yield step_row(case, "3 µs", peers)
    for case in (clutch(), pendulum(), balls(1)):
        yield step_row(case, "10 µs", kind=jd.NonsmoothAlpha)


def events() -> Iterator[Line]:
    """The same from event to event: whole runs of a second, and what passes before the first."""
    for case in (clutch(), pendulum(), balls(1)):
        system = jd.compile(case.model)
        method = jd.EventDriven(jd.Dop853(rtol=1e-10, atol=1e-10))

        def run(end: float, system=system, case=case, method=method) -> Any:
            return jd.simulate(system, end, start=case.start, method=method, sample=end)

        run(1.0)
        (whole,) = least(lambda run=run: run(1.0), repeats=15)
        setup = before_first_step(lambda run=run: run(1.0))
        ours = f"{1e3 * whole:.2f} ms, {1e3 * setup:.2f} of it before the first step"
        goal = "1 ms + 0.5 ms of setup"
        yield f"{case.name}, from event to event, 1e-10", ours, goal, ""


def walking() -> Iterator[Line]:
    """The biped."""
    for case in (biped(), biped(0.3)):
        yield step_row(case, "MuJoCo", peers=True)


ARMS, LINKS, LENGTH, FOOT = 10, 6, 0.2, 0.05


def tree_case() -> Case:
    """A hub on a rail, ten arms of six links on it, a ball at each end that lands on the floor."""
    model = jd.Model("tree")
    before = model.add_body("hub", jd.solid.ball(mass=5.0, radius=0.1))
    model.add_joint("rail", model.world, before, jd.Prismatic("z"))
    hub = before
    for a in range(ARMS):
        turn, body = 2 * np.pi * a / ARMS, hub
        place = hub.at(0.3 * np.cos(turn), 0.3 * np.sin(turn), 0.0)
        for k in range(LINKS):
            body = model.add_body(f"link_{a}_{k}", jd.solid.rod(mass=0.3, end=(0, 0, -LENGTH)))
            joint = f"joint_{a}_{k}"
            model.add_joint(joint, place, body, jd.Revolute("xy"[k % 2]))
            law = jd.Spring(50.0) + jd.Damper(1.0)
            model.add_connection(f"drive_{a}_{k}", jd.Coordinate(f"{joint}.angle"), law)
            place = body.at(0, 0, -LENGTH)
        foot = jd.Sphere(place, FOOT)
        model.add_contact(f"foot_{a}", jd.HalfSpace(model.world), foot, jd.Coulomb(0.7))
    return Case("tree of 61 bodies, 10 contacts", model, {"rail.position": LINKS * LENGTH + 0.1})


def tree_peer(firm: bool) -> Callable[[int], None]:
    """The same tree in MuJoCo: a function that takes steps from the start."""
    import mujoco

    kinds, look = mujoco.mjtGeom, {"condim": 3, "friction": (0.7, 0, 0)}
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.cone = DT, mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    if firm:
        spec.option.impratio = 100
        look |= {"solref": (2 * DT, 1), "solimp": (0.99, 0.99, 1e-3, 0.5, 2)}
    spec.worldbody.add_geom(type=kinds.mjGEOM_PLANE, size=(0, 0, 1), **look)
    silent = {"contype": 0, "conaffinity": 0}
    hub = spec.worldbody.add_body(pos=(0, 0, LINKS * LENGTH + 0.1))
    hub.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=(0, 0, 1))
    hub.add_geom(type=kinds.mjGEOM_SPHERE, size=(0.1, 0, 0), mass=5.0, **silent)
    inertia = 0.3 * LENGTH**2 / 12
    for a in range(ARMS):
        turn, body = 2 * np.pi * a / ARMS, hub
        place = (0.3 * np.cos(turn), 0.3 * np.sin(turn), 0.0)
        for k in range(LINKS):
            body = body.add_body(pos=place)
            axis = np.eye(3)[k % 2]
            joint = body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
            joint.stiffness, joint.damping = (50.0, 0, 0), (1.0, 0, 0)
            body.mass, body.ipos = 0.3, (0, 0, -LENGTH / 2)
            body.inertia, body.explicitinertial = (inertia, inertia, 1e-9), True
            place = (0, 0, -LENGTH)
        mass = {"mass": 0.0, "contype": 2, "conaffinity": 1}
        body.add_geom(type=kinds.mjGEOM_SPHERE, size=(FOOT, 0, 0), pos=place, **mass, **look)
    model = spec.compile()
    data = mujoco.MjData(model)

    def run(steps: int) -> None:
        mujoco.mj_resetData(model, data)
        mujoco.mj_step(model, data, nstep=steps)

    return run


def tree() -> Iterator[Line]:
    """A tree of 61 bodies."""
    case = tree_case()
    began = time.process_time()
    own = Jourdain(case)
    own.run(STEPS)
    first = time.process_time() - began
    default, firm = tree_peer(firm=False), tree_peer(firm=True)
    runs = [lambda: own.run(STEPS), lambda: own.run(1)]
    later, setup, *peers = least(*runs, lambda: default(STEPS), lambda: firm(STEPS))
    ours = f"first {first:.2f} s, later {later:.3f} s, {1e3 * setup:.1f} ms of it setup"
    peer = f"MuJoCo {', '.join(f'{x:.3f}' for x in peers)} s (default, firm)"
    yield f"{case.name}, {STEPS} steps", ours, "2 s, later 0.1 s", peer


def boxes() -> Iterator[Line]:
    """Boxes and spheres that land in a box with walls: whole runs until they rest."""
    steps = round(SETTLED / STEP)

    def land(program: Any, poses: Any) -> None:
        program.restart(poses.copy())
        program.advance(steps)

    for n in (10, 100):
        pile = Pile(n)
        runs = [partial(land, x, pile.poses) for x in (OurPile(pile), TheirPile(pile, firm=False))]
        runs[0]()  # compiles
        a, b = least(*runs, repeats=3 if n < 100 else 1)
        ours = f"{1e6 * a / steps:.0f} µs a step of {1e3 * STEP:g} ms"
        peer = f"MuJoCo {1e6 * b / steps:.0f} µs, ratio {a / b:.2f}"
        yield f"{n} boxes and spheres, landing for {SETTLED:g} s", ours, "1.5 × MuJoCo", peer


def ring_case(n: int, contacts: int) -> Case:
    """Planar links on stretched springs in a ring that turns; pins of some rest on a drum."""
    model, bodies, start = jd.Model("ring", gravity=(0, 0, 0)), [], {}
    radius = 0.06 * n / (2 * np.pi)
    for k in range(n):
        body = model.add_body(f"link_{k}", jd.solid.rod(mass=0.1, end=(0.05, 0, 0)))
        model.add_joint(f"plane_{k}", model.world, body, jd.Planar("z"))
        bodies.append(body)
        a = 2 * np.pi * k / n
        start[f"plane_{k}.angle"] = a + np.pi / 2
        start[f"plane_{k}.position"] = radius * np.cos(a), radius * np.sin(a)
        start[f"plane_{k}.velocity"] = -0.5 * np.sin(a), 0.5 * np.cos(a)
        start[f"plane_{k}.rate"] = 0.5 / radius
    for k, body in enumerate(bodies):
        ends, law = (body.at(0.05, 0, 0), bodies[(k + 1) % n]), jd.Spring(1e4, free=0.008)
        model.add_connection(f"spring_{k}", jd.Distance(*ends), law + jd.Damper(1.0))
    drum = jd.Circle(model.world, radius - 0.003)
    for k in range(contacts):
        model.add_contact(f"pin_{k}", drum, jd.Circle(bodies[k], 0.003), jd.Coulomb(0.2))
    return Case(f"ring of {n} links, {contacts} contacts", model, start)


def rings() -> Iterator[Line]:
    """Rings of links on springs."""
    for n, contacts, goal in ((60, 0, "100 µs"), (150, 0, "250 µs"), (60, 40, "300 µs")):
        yield step_row(ring_case(n, contacts), goal)


def valves(n: int) -> Case:
    """Scalar coordinates in modules of four, each with two clutches, a check valve and a stop."""
    model, at = jd.Model("valves"), jd.Coordinate
    for k in range(n // 4):
        x = [f"x_{k}_{j}" for j in range(4)]
        for j in range(4):
            model.add_coordinate(x[j], 1.0 + j)
        model.add_connection(f"first_{k}", at(x[0]) - at(x[1]), jd.Interval(1.0))
        model.add_connection(f"second_{k}", at(x[1]) - at(x[2]), jd.Interval(0.5))
        model.add_connection(f"shaft_{k}", at(x[2]) - at(x[3]), jd.Spring(100.0) + jd.Damper(1.0))
        model.add_connection(f"stop_{k}", at(x[3]), jd.Unilateral(-0.1))
        model.add_connection(f"valve_{k}", jd.Rate(at(x[0])), jd.Unilateral(0.0))
        model.add_connection(f"motor_{k}", at(x[0]), jd.Force(lambda t, k=k: 2 * jd.sin(3 * t + k)))
    return Case(f"{n} scalar coordinates, clutches, valves, stops", model)


def scalars() -> Iterator[Line]:
    """Separate modules of scalar coordinates."""
    for n in (100, 300, 1000):
        yield step_row(valves(n), "linear; 1000: 1 ms")


def singles() -> Iterator[Line]:
    """Any number of single contacts."""
    for n in (1, 4, 10, 24, 25, 60, 100, 300):
        case, ours, goal, peer = step_row(balls(n), "falls or stays, first 3 s, setup 0.5 ms")
        each = float(ours.split()[0]) / n
        yield case, f"{ours}; {each:.2f} µs a contact", goal, peer


PARTS: dict[str, Callable[[], Iterator[Line]]] = {
    "small": small, "events": events, "walking": walking, "tree": tree, "boxes": boxes,
    "rings": rings, "scalars": scalars, "singles": singles,
}  # fmt: skip


def main() -> None:
    """Print the table."""
    print("| case | Jourdain | goal | peer in the same run |\n|---|---|---|---|")
    Jourdain(clutch())  # compiles the loop that all share
    for name in sys.argv[1:] or PARTS:
        try:
            for line in PARTS[name]():
                print(f"| {' | '.join(line)} |", flush=True)
        except ImportError as missing:
            print(f"| {name} | not there: {missing} | | |")


if __name__ == "__main__":
    os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["JOURDAIN_CACHE"] = folder
        main()
