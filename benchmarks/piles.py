"""Piles of spheres and boxes, and the programs that run them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

STEP = 2e-3  # s, MuJoCo's default
FRICTION, DENSITY, GRAVITY = 0.4, 1000.0, 9.81
RADIUS, EDGE, PITCH = 0.05, 0.08, 0.15  # m; of spheres, boxes and the grid they start on


@dataclass(frozen=True)
class Pile:
    """Where n bodies start: on a grid over a square floor, every second one a box."""

    n: int
    boxes: bool = True
    start: int = 0
    poses: Any = field(init=False)

    def __post_init__(self) -> None:
        rng = np.random.default_rng([self.n, self.start] if self.start else self.n)
        k, side = np.arange(self.n), self.columns
        grid = np.column_stack([k % side, k // side % side, k // side**2])
        x = PITCH * (grid + 0.5) + 0.005 * rng.uniform(-1, 1, (self.n, 3))
        quaternions = rng.normal(size=(self.n, 4))
        quaternions /= np.linalg.norm(quaternions, axis=1)[:, None]
        object.__setattr__(self, "poses", np.column_stack([x, quaternions]))

    @property
    def columns(self) -> int:
        """Bodies along a wall: few enough that spheres are caged and come to rest."""
        return max(2, round((self.n / 3) ** (1 / 3)))

    @property
    def width(self) -> float:
        """Distance of the walls [m]."""
        return PITCH * self.columns

    def is_box(self, k: int) -> bool:
        """Whether body k is a box."""
        return self.boxes and k % 2 == 1

    def walls(self) -> Iterator[tuple[tuple[float, float, float], tuple[float, float, float]]]:
        """Points and normals of floor and walls."""
        yield (0, 0, 0), (0, 0, 1)
        for axis in range(2):
            for place, side in ((0.0, 1.0), (self.width, -1.0)):
                point, normal = [0.0] * 3, [0.0] * 3
                point[axis], normal[axis] = place, side
                yield tuple(point), tuple(normal)  # type: ignore[misc]

    def contours(self, frames: Any, ground: Any) -> list[Any]:
        """Outlines of this package on the frames of the bodies and of the ground."""
        import jourdain as jd

        found: list[Any] = []
        for k, frame in enumerate(frames):
            is_box = self.is_box(k)
            found.append(jd.Box(frame, (EDGE,) * 3) if is_box else jd.Sphere(frame, RADIUS))
        return found + [jd.HalfSpace(ground(point), normal) for point, normal in self.walls()]


class Program(Protocol):
    """What runs a pile: steps from where it is, and from a state of positions and quaternions."""

    name: str

    def advance(self, steps: int) -> Any:
        """Take steps; return rotations row by row and positions (n, 12)."""

    def restart(self, poses: Any) -> None:
        """Put all bodies to rest at positions and quaternions (n, 7)."""

    def contacts(self) -> int:
        """Number of contacts now."""

    @property
    def poses(self) -> Any:
        """Positions and quaternions (n, 7)."""


class Jourdain:
    """Ours: steps of Moreau and Jean, positions corrected; ``turning`` [m] resists turning."""

    name = "Jourdain"

    def __init__(self, pile: Pile, turning: float = 0.0) -> None:
        import jourdain as jd

        model = jd.Model("pile", gravity=(0, 0, -GRAVITY))
        bodies = []
        for k in range(pile.n):
            is_box = pile.is_box(k)
            mass = DENSITY * (EDGE**3 if is_box else 4 / 3 * np.pi * RADIUS**3)
            moment = mass * (EDGE**2 / 6 if is_box else 0.4 * RADIUS**2)
            bodies.append(model.add_body(f"body_{k}", jd.Inertia(mass, (0, 0, 0), (moment,) * 3)))
            model.add_joint(f"free_{k}", model.world, bodies[-1], jd.Free())
        contours = pile.contours(bodies, lambda point: model.world.at(*point))
        law = jd.Coulomb(friction=FRICTION, rolling=turning, drilling=turning)
        model.add_contacts("pile", contours, law)
        self._system = jd.compile(model)
        self.restart(pile.poses)

    def advance(self, steps: int) -> Any:
        """Take steps."""
        end = self._run.t + steps * STEP
        self._run.advance_to(end, np.array([np.inf]), None, is_end=False)
        return np.column_stack([_rotations(self.poses[:, 3:]), self.poses[:, :3]])

    def restart(self, poses: Any) -> None:
        """Put all bodies to rest."""
        from jourdain.simulation.contact.rows import Contacts
        from jourdain.simulation.contact.steps.time_stepping import TimeSteppingRun
        from jourdain.simulation.contact.steps.watch import Watch
        from jourdain.simulation.methods import MoreauJean
        from jourdain.system.contact.modal import contact_kernels
        from jourdain.system.contact.step_kernels import step_kernels

        system = self._system
        y = np.concatenate([poses.ravel(), np.zeros(len(system.names.v))])
        kernels = contact_kernels(system, {}, {}, {}, with_modes=False)
        self._run = TimeSteppingRun(
            Contacts(system, kernels, np.zeros(0)), kernels, MoreauJean(STEP),
            system.names.quaternions, Watch(system, {}, {}), step_kernels(system, {}, {}),
        )  # fmt: skip
        self._run.begin(y, 0.0, np.zeros(0))

    def contacts(self) -> int:
        """Number of contacts."""
        return int(self._run.groups.record.n_found)

    def moving(self) -> int:
        """Number of bodies that do not rest to the last bit."""
        return int(np.any(self._run.y[self._run.n_q :].reshape(-1, 6) != 0.0, axis=1).sum())

    @property
    def poses(self) -> Any:
        """Positions and quaternions (n, 7)."""
        return self._run.y[: self._run.n_q].reshape(-1, 7)


def _rotations(quaternions: Any) -> Any:
    """Rotations (n, 9) row by row of quaternions (n, 4)."""
    w, x, y, z = quaternions.T
    rows = (
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    )  # fmt: skip
    return np.stack(rows, axis=1)


class MuJoCo:
    """MuJoCo, Newton's method; firm contacts answer within two steps."""

    def __init__(self, pile: Pile, firm: bool) -> None:
        import mujoco

        self._mujoco, self.name = mujoco, "MuJoCo firm" if firm else "MuJoCo"
        spec = mujoco.MjSpec()
        spec.option.timestep, spec.option.gravity = STEP, (0, 0, -GRAVITY)
        look = {"friction": (FRICTION, 0, 0), "condim": 3}
        if firm:
            spec.option.cone, spec.option.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, 100
            look |= {"solref": (2 * STEP, 1), "solimp": (0.99, 0.99, 1e-3, 0.5, 2)}
        kinds = mujoco.mjtGeom
        for point, normal in pile.walls():
            turn = _quaternion_to(normal)
            spec.worldbody.add_geom(
                type=kinds.mjGEOM_PLANE, pos=point, quat=turn, size=(0, 0, 1), **look
            )
        for k, row in enumerate(pile.poses):
            body = spec.worldbody.add_body(pos=row[:3], quat=row[3:])
            body.add_freejoint()
            kind = kinds.mjGEOM_BOX if pile.is_box(k) else kinds.mjGEOM_SPHERE
            size = (EDGE / 2,) * 3 if pile.is_box(k) else (RADIUS, 0, 0)
            body.add_geom(type=kind, size=size, density=DENSITY, **look)
        self._model = spec.compile()
        self._data = mujoco.MjData(self._model)

    def advance(self, steps: int) -> Any:
        """Take steps."""
        self._mujoco.mj_step(self._model, self._data, nstep=steps)
        return np.column_stack([self._data.xmat[1:], self._data.xpos[1:]])

    def restart(self, poses: Any) -> None:
        """Put all bodies to rest."""
        self._mujoco.mj_resetData(self._model, self._data)
        self._data.qpos[:] = poses.ravel()

    @property
    def poses(self) -> Any:
        """Positions and quaternions (n, 7)."""
        return self._data.qpos.reshape(-1, 7)

    def contacts(self) -> int:
        """Number of contacts."""
        return int(self._data.ncon)


def _quaternion_to(normal: Any) -> Any:
    """Turn that carries z to a normal."""
    x, y, z = normal
    quaternion = np.array([1.0 + z, -y, x, 0.0])
    return quaternion / np.linalg.norm(quaternion)


class Exudyn:
    """Exudyn, spheres alone: springs and dampers in the contacts, ten explicit steps for one."""

    STIFFNESS, DAMPING, STEPS, HEIGHT = 2e5, 0.3, 10, 5.0  # N/m, of critical, per step, m

    def __init__(self, pile: Pile) -> None:
        import exudyn as exu
        from exudyn import itemInterface
        from exudyn.utilities import InertiaSphere

        warnings.simplefilter("ignore", DeprecationWarning)  # names that older versions know too
        self._exu, self.name = exu, f"Exudyn {1e3 * STEP / self.STEPS:g} ms"
        self._container = exu.SystemContainer()
        self._mbs = mbs = self._container.AddSystem()
        self._contact = contact = mbs.AddGeneralContact()
        contact.verboseMode = 0
        contact.SetFrictionPairings(np.array([[FRICTION]]))
        mass = DENSITY * 4 / 3 * np.pi * RADIUS**3
        damping = 2 * self.DAMPING * np.sqrt(self.STIFFNESS * mass)
        look = {
            "contactStiffness": self.STIFFNESS, "contactDamping": damping,
            "frictionMaterialIndex": 0,
        }  # fmt: skip
        ground = mbs.AddObject(itemInterface.ObjectGround())
        marker = mbs.AddMarker(itemInterface.MarkerBodyRigid(bodyNumber=ground))
        for points in self._walls(pile.width):
            contact.AddTrianglesRigidBodyBased(
                rigidBodyMarkerIndex=marker, pointList=points,
                triangleList=[[0, 1, 2], [0, 2, 3]], **look,
            )  # fmt: skip
        self._nodes, self._start = [], pile.poses[:, :3]
        for place in self._start:
            body = mbs.CreateRigidBody(
                referencePosition=place.tolist(), inertia=InertiaSphere(mass, RADIUS),
                gravity=[0, 0, -GRAVITY], nodeType=exu.NodeType.RotationRotationVector,
                returnDict=True,
            )  # fmt: skip
            self._nodes.append(body["nodeNumber"])
            own = mbs.AddMarker(itemInterface.MarkerNodeRigid(nodeNumber=self._nodes[-1]))
            contact.AddSphereWithMarker(own, radius=RADIUS, **look)
        cells = max(3, int(pile.width / (2 * RADIUS)))
        contact.SetSearchTreeCellSize(numberOfCells=[cells, cells, 20])
        ends = [-0.1] * 3, [pile.width + 0.1, pile.width + 0.1, self.HEIGHT]
        contact.SetSearchTreeBox(pMin=np.array(ends[0]), pMax=np.array(ends[1]))
        mbs.Assemble()

    def _walls(self, w: float) -> Iterator[list[list[float]]]:
        """Corners of floor and walls, to the left seen from inside."""
        h = self.HEIGHT
        yield [[0, 0, 0], [w, 0, 0], [w, w, 0], [0, w, 0]]
        yield [[0, 0, 0], [0, w, 0], [0, w, h], [0, 0, h]]
        yield [[w, 0, 0], [w, 0, h], [w, w, h], [w, w, 0]]
        yield [[0, 0, 0], [0, 0, h], [w, 0, h], [w, 0, 0]]
        yield [[0, w, 0], [w, w, 0], [w, w, h], [0, w, h]]

    def advance(self, steps: int) -> Any:
        """Take steps."""
        exu, mbs = self._exu, self._mbs
        settings = exu.SimulationSettings()
        settings.solutionSettings.writeSolutionToFile = False
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.numberOfSteps = steps * self.STEPS
        settings.timeIntegration.endTime = steps * STEP
        settings.timeIntegration.explicitIntegration.computeEndOfStepAccelerations = False
        settings.timeIntegration.explicitIntegration.computeMassMatrixInversePerBody = True
        mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.ExplicitEuler)
        data, kinds = mbs.systemData, exu.ConfigurationType
        data.SetSystemState(data.GetSystemState(configuration=kinds.Current), kinds.Initial)
        place = exu.OutputVariableType.Position
        places = np.array([mbs.GetNodeOutput(k, place) for k in self._nodes])
        return np.column_stack([np.tile(np.eye(3).ravel(), (len(places), 1)), places])

    def restart(self, poses: Any) -> None:
        """Put all bodies to rest."""
        kinds, data = self._exu.ConfigurationType, self._mbs.systemData
        shifts = np.column_stack([poses[:, :3] - self._start, np.zeros((len(poses), 3))])
        data.SetODE2Coordinates(shifts.ravel(), kinds.Initial)
        data.SetODE2Coordinates_t(np.zeros(shifts.size), kinds.Initial)

    def contacts(self) -> int:
        """Nothing is told."""
        return 0
