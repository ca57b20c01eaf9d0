"""Machines with contact and dry friction for time stepping; two of them in MuJoCo as well."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import jourdain as jd

DT, STEPS = 1e-3, 1000  # s; steps that are timed
RADIUS, SLIDING, STANDING = 0.1, 0.3, 0.7  # m; friction of balls and of feet
STIFFNESS, DAMPING = 800.0, 20.0  # N m/rad, N m s/rad; in the joints of the biped
HEIGHT = 0.25 + 0.8 + 0.06  # m, of the torso's centre over the soles
FOOT = (0.2, 0.1, 0.04)  # m
CORNERS = [(x, y, -0.02) for x in (0.1, -0.1) for y in (0.05, -0.05)]


@dataclass(frozen=True)
class Link:
    """A body of the biped: its parent, place and axis of the joint there, mass, end of a rod."""

    name: str
    parent: str
    place: tuple[float, float, float]
    axis: str
    mass: float
    end: float = 0.0  # z of the end of a rod; 0: a ball
    radius: float = 0.05


def _leg(side: str, y: float) -> list[Link]:
    return [
        Link(f"{side}_hip", "torso", (0, y, -0.25), "z", 1.0),
        Link(f"{side}_hip_2", f"{side}_hip", (0, 0, 0), "x", 1.0),
        Link(f"{side}_thigh", f"{side}_hip_2", (0, 0, 0), "y", 4.0, -0.4),
        Link(f"{side}_shank", f"{side}_thigh", (0, 0, -0.4), "y", 3.0, -0.4),
        Link(f"{side}_ankle", f"{side}_shank", (0, 0, -0.4), "y", 0.5, radius=0.04),
        Link(f"{side}_foot", f"{side}_ankle", (0, 0, 0), "x", 1.0),
    ]


def _arm(side: str, y: float) -> list[Link]:
    return [
        Link(f"{side}_upper", "torso", (0, y, 0.2), "y", 1.5, -0.3),
        Link(f"{side}_lower", f"{side}_upper", (0, 0, -0.3), "y", 1.0, -0.25),
    ]


LINKS = [
    *_leg("left", 0.1), *_leg("right", -0.1), *_arm("left", 0.2), *_arm("right", -0.2),
    Link("head", "torso", (0, 0, 0.35), "y", 4.0, radius=0.1),
]  # fmt: skip


def _solid(link: Link) -> Any:
    if link.name.endswith("foot"):
        return jd.solid.box(mass=link.mass, size=FOOT)
    if link.end:
        return jd.solid.rod(mass=link.mass, end=(0, 0, link.end))
    return jd.solid.ball(mass=link.mass, radius=link.radius)


@dataclass
class Case:
    """A model, where it starts, and how long it settles [s] before its steps are timed."""

    name: str
    model: jd.Model
    start: Mapping[str, Any] = field(default_factory=dict)
    settles: float = 0.0

    @property
    def base(self) -> str:
        """Name of the torso or of the first ball."""
        return "torso" if self.model.name == "biped" else "ball_0"

    @property
    def contacts(self) -> list[str]:
        """Names of contacts of two contours."""
        found = self.model.connections.values()
        return [c.name for c in found if isinstance(c.law, jd.Coulomb)]


def clutch() -> Case:
    """Two inertias and a clutch between them, which slips and then sticks."""
    model = jd.Model("clutch")
    model.add_coordinate("a", 1.0)
    model.add_coordinate("b", 3.0)
    slip = jd.Coordinate("a") - jd.Coordinate("b")
    model.add_connection("clutch", slip, jd.Interval(2.0))
    model.add_connection("motor", jd.Coordinate("a"), jd.Force(1.0))
    return Case("clutch", model, {"a.rate": 4.0})


def pendulum() -> Case:
    """A pendulum that falls on a stop."""
    model = jd.Model("pendulum")
    rod = model.add_body("rod", jd.solid.rod(mass=1.0, end=(1, 0, 0)))
    model.add_joint("hinge", model.world, rod, jd.Revolute("y"))
    law = jd.Unilateral(-0.2, restitution=0.3)
    model.add_connection("stop", jd.Coordinate("hinge.angle"), law)
    return Case("pendulum on a stop", model, {"hinge.angle": 0.5})


def balls(n: int) -> Case:
    """Balls that fall on a floor, slide and roll: n single contacts."""
    model, start = jd.Model("balls"), {}
    for k in range(n):
        ball = model.add_body(f"ball_{k}", jd.solid.ball(mass=1.0, radius=RADIUS))
        floor = jd.HalfSpace(model.world)
        model.add_contact(f"floor_{k}", floor, jd.Sphere(ball, RADIUS), jd.Coulomb(SLIDING))
        start |= {f"ball_{k}.position": (k, 0, 0.2), f"ball_{k}.velocity": (1, 0, 0)}
    return Case(f"{n} ball{'s' * (n > 1)} with friction", model, start)


def modules(n: int) -> Case:
    """Scalar coordinates in modules of four, each with two clutches, a spring and a stop."""
    model, at = jd.Model("modules"), jd.Coordinate
    for k in range(n // 4):
        x = [f"x_{k}_{j}" for j in range(4)]
        for j in range(4):
            model.add_coordinate(x[j], 1.0 + j)
        model.add_connection(f"first_{k}", at(x[0]) - at(x[1]), jd.Interval(1.0))
        model.add_connection(f"second_{k}", at(x[1]) - at(x[2]), jd.Interval(0.5))
        model.add_connection(f"shaft_{k}", at(x[2]) - at(x[3]), jd.Spring(100.0) + jd.Damper(1.0))
        model.add_connection(f"stop_{k}", at(x[3]), jd.Unilateral(-0.1))
        model.add_connection(f"motor_{k}", at(x[0]), jd.Force(lambda t, k=k: 2 * jd.sin(3 * t + k)))
    return Case(f"{n} coordinates, clutches and stops", model)


def biped(speed: float = 0.0) -> Case:
    """A biped that stands, or whose torso is pushed to a speed [m/s] after it has settled."""
    model = jd.Model("biped")
    bodies = {"torso": model.add_body("torso", jd.solid.box(mass=20.0, size=(0.2, 0.3, 0.5)))}
    for link in LINKS:
        bodies[link.name] = body = model.add_body(link.name, _solid(link))
        child = body.at(0, 0, 0.04) if link.name.endswith("foot") else body
        name, parent = f"at_{link.name}", bodies[link.parent].at(*link.place)
        model.add_joint(name, parent, child, jd.Revolute(link.axis))
        law = jd.Spring(STIFFNESS) + jd.Damper(DAMPING)
        model.add_connection(f"drive_{link.name}", jd.Coordinate(f"{name}.angle"), law)
    for side in ("left", "right"):
        for k, corner in enumerate(CORNERS):
            point = jd.Point(bodies[f"{side}_foot"].at(*corner))
            model.add_contact(f"{side}_{k}", jd.HalfSpace(model.world), point, jd.Coulomb(STANDING))
    start = {"torso.position": (0, 0, HEIGHT + 1e-4), "torso.velocity": (speed, 0, 0)}
    name = f"biped, pushed to {speed:g} m/s" if speed else "biped, standing"
    return Case(name, model, start, settles=0.0 if speed else 4.0)


class Jourdain:
    """A machine in this package; ``first`` [s] is what compiling and the first run took."""

    def __init__(self, case: Case, kind: Any = jd.MoreauJean) -> None:
        self._case, self._start, self._kind = case, case.start, kind
        begin = time.process_time()
        self._system = jd.compile(case.model)
        self.run(1)
        self.first, self.name = time.process_time() - begin, case.name
        self.name += "" if kind is jd.MoreauJean else f", {kind.__name__}"
        if case.settles:
            self.run(round(case.settles / DT))
            self._start = self._solution.q[-1], self._solution.v[-1]

    def run(self, steps: int, parts: int = 1) -> None:
        """Take steps, or parts of them, from the start or from where the machine has settled."""
        end, method = steps * DT, self._kind(DT / parts)
        self._solution = jd.simulate(
            self._system, end, start=self._start, method=method, sample=[0.0, end]
        )

    def place(self) -> Any:
        """Position of the torso or ball [m] at the end."""
        return self._solution.values(f"{self._case.base}.position")[-1]

    def errors(self) -> tuple[float, float]:
        """Overlap [m] and creep [m/s] at the end of a timed run."""
        sol, contacts = self._solution, self._case.contacts
        overlap = max(0.0, -min(float(sol.values(f"{name}.gap")[-1]) for name in contacts))
        if self._case.model.name != "biped":
            found = [sol.values(f"ball_0.{name}")[-1] for name in ("velocity", "angular_velocity")]
            return overlap, slip(*found)
        feet = np.array([sol.values(f"{side}_foot.position") for side in ("left", "right")])
        moved = np.linalg.norm(feet[:, -1] - feet[:, 0], axis=1).max()
        return overlap, float(moved / (STEPS * DT))


class MuJoCo:
    """A ball on a floor or the biped in MuJoCo: elliptic cones, Newton; firm or by default."""

    def __init__(self, case: Case, *, firm: bool) -> None:
        import mujoco

        self._mujoco, self._case = mujoco, case
        self._look: dict[str, Any] = {"condim": 3}
        spec = mujoco.MjSpec()
        spec.option.timestep, spec.option.cone = DT, mujoco.mjtCone.mjCONE_ELLIPTIC
        spec.option.solver = mujoco.mjtSolver.mjSOL_NEWTON
        if firm:
            spec.option.impratio = 100
            self._look |= {"solref": (2 * DT, 1), "solimp": (0.99, 0.99, 1e-3, 0.5, 2)}
        is_biped = case.model.name == "biped"
        self._look["friction"] = (STANDING if is_biped else SLIDING, 0, 0)
        self._kinds = mujoco.mjtGeom
        spec.worldbody.add_geom(type=self._kinds.mjGEOM_PLANE, size=(0, 0, 1), **self._look)
        (self._add_biped if is_biped else self._add_ball)(spec.worldbody)
        self._model, self._is_biped = spec.compile(), is_biped
        self._data = data = mujoco.MjData(self._model)
        data.qvel[:3] = case.start[f"{case.base}.velocity"]
        self._start = data.qpos.copy(), data.qvel.copy()
        if case.settles:
            self.run(round(case.settles / DT))
            self._start = data.qpos.copy(), data.qvel.copy()
        option = self._model.opt
        self.settings = f"tolerance {option.tolerance:g}, at most {option.iterations} iterations"
        self.name = f"  MuJoCo, {'firm' if firm else 'default'} contacts"

    def _add_ball(self, world: Any) -> None:
        ball = world.add_body(pos=self._case.start["ball_0.position"], name="ball_0")
        ball.add_freejoint()
        size = (RADIUS, 0, 0)
        ball.add_geom(type=self._kinds.mjGEOM_SPHERE, size=size, mass=1.0, **self._look)

    def _add_biped(self, world: Any) -> None:
        kinds, silent = self._kinds, {"contype": 0, "conaffinity": 0}
        torso = world.add_body(pos=self._case.start["torso.position"], name="torso")
        torso.add_freejoint()
        torso.add_geom(type=kinds.mjGEOM_BOX, size=(0.1, 0.15, 0.25), mass=20.0, **silent)
        bodies = {"torso": torso}
        for link in LINKS:
            body = bodies[link.parent].add_body(pos=link.place, name=link.name)
            bodies[link.name] = body
            axis = np.eye(3)["xyz".index(link.axis)]
            joint = body.add_joint(type=self._mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
            joint.stiffness, joint.damping = (STIFFNESS, 0, 0), (DAMPING, 0, 0)  # linear
            if link.name.endswith("foot"):
                size = [x / 2 for x in FOOT]
                mass = {"mass": link.mass, "contype": 2, "conaffinity": 1, **self._look}
                body.add_geom(type=kinds.mjGEOM_BOX, size=size, pos=(0, 0, -0.04), **mass)
            elif link.end:
                inertia = link.mass * link.end**2 / 12
                body.mass, body.ipos = link.mass, (0, 0, link.end / 2)
                body.inertia, body.explicitinertial = (inertia, inertia, 1e-9), True
            else:
                size = (link.radius, 0, 0)
                body.add_geom(type=kinds.mjGEOM_SPHERE, size=size, mass=link.mass, **silent)

    def run(self, steps: int) -> None:
        """Take steps from the start, or from where the machine has settled."""
        self._mujoco.mj_resetData(self._model, self._data)
        self._data.qpos[:], self._data.qvel[:] = self._start
        self._mujoco.mj_step(self._model, self._data, nstep=steps)

    def place(self) -> Any:
        """Position of the torso or ball [m] at the end."""
        return self._data.qpos[:3].copy()

    def errors(self) -> tuple[float, float]:
        """Overlap [m] and creep [m/s] at the end of a timed run."""
        data = self._data
        overlap = max((-float(c.dist) for c in data.contact), default=0.0)
        if not self._is_biped:
            turning = data.xmat[1].reshape(3, 3) @ data.qvel[3:6]
            return overlap, slip(data.qvel[:3], turning)
        after = self._feet()
        data.qpos[:] = self._start[0]
        moved = np.linalg.norm(after - self._feet(), axis=1).max()
        return overlap, float(moved / (STEPS * DT))

    def _feet(self) -> Any:
        """Positions of the feet [m]."""
        self._mujoco.mj_kinematics(self._model, self._data)
        return np.array([self._data.body(f"{side}_foot").xpos for side in ("left", "right")])


def slip(velocity: Any, turning: Any) -> float:
    """Speed of the lowest point of a ball [m/s]."""
    return float(np.linalg.norm((velocity + np.cross(turning, (0, 0, -RADIUS)))[:2]))
