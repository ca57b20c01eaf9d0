"""Machines with flexible bodies of finite elements, against Exudyn's ObjectFFRFreducedOrder.

Both programs get the same nodes, modes, mass and stiffness matrices. Each takes what is quickest
for it while the end of the chain errs by less than ``WITHIN``: Exudyn implicit steps (generalised
alpha, for its joints are constraints) of several lengths, Jourdain the same, or explicit ones.

Run: python benchmarks/bench_flexible.py
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import exudyn as exu
import numpy as np
from exudyn import FEM, itemInterface
from scipy.sparse import csr_matrix

import jourdain as jd
from jourdain.model.flexible.fem.elements import Elements

LENGTH, SIZE, CELLS = 0.4, (0.4, 0.03, 0.04), (6, 1, 1)
FACES = {"root": "x = 0", "tip": "x = max"}
GOAL, WITHIN = 5.0, 2e-5  # times as fast; error [m]
TURNS = 8  # runs of both programs by turns, of which the quickest count
STEPS = (2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4)


@dataclass
class Machine:
    """A chain of links along x: each turns about an axis at its root; flexible, or a rigid box.

    Parameters
    ----------
    axes : str
        Axis of each joint.
    flexible : tuple of int
        Numbers of the links that bend.
    rates : tuple of float
        Rates [rad/s] of the joints at the start.
    duration : float [s]
        How long it runs.
    slides : bool
        Whether a block on a rail follows, and the first link is a short crank.
    """

    name: str
    axes: str
    flexible: tuple[int, ...]
    rates: tuple[float, ...]
    duration: float = 0.5
    slides: bool = False


MACHINES = (
    Machine("arm of six joints", "zyyzyx", (1, 2), (1.0, 0.3, -0.5, 0.8, 1.0, 2.0)),
    Machine("slider-crank", "zz", (1,), (20.0, -20.0 - 20.0 / 3.0), slides=True),
)
MESH = jd.flexible.box_mesh(SIZE, CELLS)
LINK = jd.flexible.from_fem(MESH, jd.flexible.ALUMINIUM, interfaces=FACES, modes=2)
BOX = jd.solid.box(LINK.inertia.mass, SIZE, at=(LENGTH / 2.0, 0.0, 0.0))
CRANK, BLOCK = LENGTH / 3.0, 0.3


def lengths(machine: Machine) -> list[float]:
    """Length of each link: a crank is shorter."""
    return [CRANK, LENGTH] if machine.slides else [LENGTH] * len(machine.axes)


def rigid(machine: Machine, k: int) -> jd.Inertia:
    """Inertia of a rigid link."""
    if not machine.slides:
        return BOX.inertia
    return jd.solid.box(0.5, (CRANK, 0.03, 0.04), at=(CRANK / 2.0, 0, 0)).inertia


def model(machine: Machine) -> jd.Model:
    """The machine in Jourdain."""
    own = jd.Model(machine.name, gravity=(0.0, 0.0, -9.81))
    place = own.world.at()
    for k, (axis, length) in enumerate(zip(machine.axes, lengths(machine), strict=True)):
        is_flexible = k in machine.flexible
        body = own.add_body(f"link{k}", LINK if is_flexible else rigid(machine, k))
        root = body.at_interface("root") if is_flexible else body.at()
        own.add_joint(f"joint{k}", place, root, jd.Revolute(axis))
        place = body.at_interface("tip") if is_flexible else body.at(length, 0, 0)
    if machine.slides:
        block = own.add_body("block", jd.Inertia(BLOCK, moments=(1e-3, 1e-3, 1e-3)))
        own.add_joint("pin", place, block, jd.Revolute("z"))
        own.add_joint("guide", own.world, block, jd.Prismatic("x"))
    own.add_frame("end", place)
    return own


class Jourdain:
    """The machine in Jourdain, compiled."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.system = machine, jd.compile(model(machine))
        self.start = {f"joint{k}.rate": rate for k, rate in enumerate(machine.rates)}

    def run(self, method: Any) -> tuple[float, Any]:
        """Processor time [s] of a run, and where the end of the chain goes."""
        began, times = time.process_time(), [0.0, self.machine.duration]
        sol = jd.simulate(
            self.system, self.machine.duration, start=self.start, sample=times, method=method
        )
        return time.process_time() - began, np.array(sol["end.position"][-1])


class Exudyn:
    """The machine in Exudyn."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.container = machine, exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.elements = Elements(MESH.oriented(), jd.flexible.ALUMINIUM, 2)
        ground = self.mbs.AddObject(itemInterface.ObjectGround())
        place = self.mbs.AddMarker(itemInterface.MarkerBodyRigid(bodyNumber=ground))
        at, spin, speed = np.zeros(3), np.zeros(3), np.zeros(3)
        for k, (axis, length) in enumerate(zip(machine.axes, lengths(machine), strict=True)):
            spin = spin + machine.rates[k] * np.eye(3)["xyz".index(axis)]
            place = self._link(k, place, axis, length, (at, spin, speed))
            arm = np.array([length, 0.0, 0.0])
            at, speed = at + arm, speed + np.cross(spin, arm)
        if machine.slides:
            block = exu.rigidBodyUtilities.RigidBodyInertia(BLOCK, 1e-3 * np.eye(3))
            made = self.mbs.CreateRigidBody(
                inertia=block, referencePosition=at.tolist(), gravity=[0, 0, -9.81],
                initialVelocity=speed.tolist(), nodeType=exu.NodeType.RotationEulerParameters,
            )  # fmt: skip
            pin = self.mbs.AddMarker(itemInterface.MarkerBodyRigid(bodyNumber=made))
            self._hinge(place, pin, "z")
            guide = self.mbs.AddMarker(
                itemInterface.MarkerBodyRigid(bodyNumber=ground, localPosition=at.tolist())
            )
            self._joint(guide, pin, [0, 1, 1, 1, 1, 1])
        self.end = self.mbs.AddSensor(
            itemInterface.SensorMarker(
                markerNumber=place, outputVariableType=exu.OutputVariableType.Position,
                storeInternal=True,
            )
        )  # fmt: skip
        self.mbs.Assemble()

    def _joint(self, one: int, other: int, held: list[int]) -> None:
        self.mbs.AddObject(
            itemInterface.ObjectJointGeneric(markerNumbers=[one, other], constrainedAxes=held)
        )

    def _hinge(self, one: int, other: int, axis: str) -> None:
        self._joint(one, other, [1, 1, 1, *(int(x != axis) for x in "xyz")])

    def _link(self, k: int, place: int, axis: str, length: float, moving: Any) -> int:
        """Add a link with its joint; return a marker at its tip."""
        at, spin, speed = (x.tolist() for x in moving)
        if k in self.machine.flexible:
            body = self._flexible().AddObjectFFRFreducedOrder(
                self.mbs, positionRef=at, initialVelocity=speed, rotationMatrixRef=np.eye(3),
                initialAngularVelocity=spin, gravity=[0, 0, -9.81],
            )["oFFRFreducedOrder"]  # fmt: skip
            root, tip = (self._face(body, name) for name in FACES)
        else:
            own = rigid(self.machine, k)
            inertia = exu.rigidBodyUtilities.RigidBodyInertia(own.mass, np.array(own.moments))
            inertia = inertia.Translated(list(own.com)) if any(own.com) else inertia
            body = self.mbs.CreateRigidBody(
                inertia=inertia, referencePosition=at, initialVelocity=speed,
                initialAngularVelocity=spin, gravity=[0, 0, -9.81],
                nodeType=exu.NodeType.RotationEulerParameters,
            )  # fmt: skip
            root, tip = (
                self.mbs.AddMarker(
                    itemInterface.MarkerBodyRigid(bodyNumber=body, localPosition=[x, 0, 0])
                )
                for x in (0.0, length)
            )
        self._hinge(place, root, axis)
        return tip

    def _flexible(self) -> Any:
        stiffness, mass = self.elements.matrices
        fem = FEM.FEMinterface()
        fem.nodes = {"Position": LINK.nodes}
        fem.massMatrix = csr_matrix(np.kron(mass.toarray(), np.eye(3)))
        fem.stiffnessMatrix = csr_matrix(stiffness)
        fem.modeBasis = {"matrix": LINK.modes.reshape(-1, LINK.n), "type": "HCBmodes"}
        return FEM.ObjectFFRFreducedOrderInterface(fem)

    def _face(self, body: int, name: str) -> int:
        """Marker in the middle of a rigid face."""
        x = LINK.interfaces[name].x
        nodes = np.flatnonzero(np.abs(LINK.nodes[:, 0] - x[0]) < 1e-9)
        weights = np.full(len(nodes), 1.0 / len(nodes))
        return int(
            self.mbs.AddMarker(
                itemInterface.MarkerSuperElementRigid(
                    bodyNumber=body, meshNodeNumbers=nodes.tolist(), weightingFactors=weights
                )
            )
        )

    def run(self, step: float) -> tuple[float, Any]:
        """Processor time [s] of a run, and where the end of the chain goes."""
        settings = exu.SimulationSettings()
        settings.timeIntegration.numberOfSteps = round(self.machine.duration / step)
        settings.timeIntegration.endTime = self.machine.duration
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
        settings.solution.file.write = False
        began = time.process_time()
        self.mbs.SolveDynamic(settings)
        took = time.process_time() - began
        return took, np.array(self.mbs.GetSensorValues(self.end, exu.ConfigurationType.Current))


def quickest(run: Any, choices: Any, exact: Any) -> Any:
    """The choice whose run errs by less than ``WITHIN`` and takes least time."""
    best, found = np.inf, None
    for choice in choices:
        try:
            took, end = min((run(choice) for _ in range(2)), key=lambda pair: pair[0])
        except jd.IntegrationError:  # too long a step
            continue
        if np.linalg.norm(end - exact) < WITHIN and took < best:
            best, found = took, choice
    return found


def measure(machine: Machine) -> float:
    """Print one row; return the ratio of the times."""
    own = Jourdain(machine)
    exact = own.run(jd.Dop853(rtol=1e-9))[1]
    methods = (jd.RungeKutta4(4e-5), *map(jd.GeneralizedAlpha, STEPS))
    method = quickest(own.run, methods, exact)
    step = quickest(lambda step: Exudyn(machine).run(step), STEPS, exact)
    pairs = [(own.run(method)[0], Exudyn(machine).run(step)[0]) for _ in range(TURNS)]
    ours, other = (min(times) for times in zip(*pairs, strict=True))
    name = f"{type(method).__name__}({method.dt:g})"
    print(
        f"{machine.name:18} {1e3 * ours:7.1f} ms by {name:24} Exudyn {1e3 * other:7.1f} ms, "
        f"steps of {1e3 * step:g} ms   ratio {other / ours:5.1f}   goal {GOAL:g}"
    )
    return other / ours


def main() -> None:
    """Print all rows."""
    print(f"links of {LINK.n} modes, {MACHINES[0].duration:g} s, errors below {1e3 * WITHIN:g} mm")
    for machine in MACHINES:
        measure(machine)


if __name__ == "__main__":
    main()
