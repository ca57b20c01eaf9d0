"""Two seconds of a slider-crank against Exudyn, at equal accuracy.

Crank 0.1 m and 1 kg, rod 0.3 m and 0.6 kg (uniform), slider 0.4 kg, gravity across; the crank
starts with 30 rad/s. The reference is a run of ours to 1e-12. Exudyn's implicit solver takes steps
that reach 1e-3 rad, ours is adaptive to better than that; printed are processor times and errors of
the crank angle after two seconds.
"""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np

CRANK, ROD, END, SPEED = 0.1, 0.3, 2.0, 30.0
REPEATS = 5


def system() -> Any:
    """Ours, in the plane x, y."""
    import jourdain as jd

    model = jd.Model("slider_crank", gravity=(0, -9.81, 0))
    parts = {"crank": (1.0, CRANK), "rod": (0.6, ROD)}
    crank, rod = (model.add_body(name, _bar(*numbers)) for name, numbers in parts.items())
    slider = model.add_body("slider", jd.Inertia(mass=0.4, moments=(1e-4, 1e-4, 1e-4)))
    model.add_joint("main", model.world, crank, jd.Revolute("z"))
    model.add_joint("big_end", crank.at(CRANK, 0, 0), rod, jd.Revolute("z"))
    model.add_joint("wrist", rod.at(ROD, 0, 0), slider, jd.Revolute("z"))
    model.add_joint("guide", model.world, slider, jd.Prismatic("x"))
    return jd.compile(model)


def _bar(mass: float, length: float) -> Any:
    import jourdain as jd

    J = mass * length**2 / 12
    return jd.Inertia(mass=mass, com=(0.5 * length, 0, 0), moments=(1e-6, J, J))


def ours(compiled: Any, start: Any, rtol: float) -> tuple[float, float]:
    """Processor time [s] and final angle [rad]."""
    import jourdain as jd

    took = []
    for _ in range(REPEATS):
        begin = time.process_time()
        sol = jd.simulate(
            compiled, END, start=start, method=jd.Dop853(rtol=rtol, atol=rtol), sample=0.1
        )
        took.append(time.process_time() - begin)
    return min(took), float(sol.values("main.angle")[-1])


def exudyn_run(step: float) -> tuple[float, float]:
    """Exudyn's planar bodies and joints, generalized-α."""
    import exudyn as exu
    from exudyn import itemInterface

    warnings.simplefilter("ignore", DeprecationWarning)  # names that older versions know as well
    eii = itemInterface

    mbs = (container := exu.SystemContainer()).AddSystem()
    ground = mbs.AddObject(eii.ObjectGround())
    rod_speed = -SPEED * CRANK / ROD
    bodies = []
    for mass, length, origin, rate in (
        (1.0, CRANK, 0.0, SPEED), (0.6, ROD, CRANK, rod_speed),
    ):  # fmt: skip
        middle = origin + 0.5 * length
        velocity = SPEED * 0.5 * CRANK if origin == 0.0 else SPEED * CRANK + rate * 0.5 * ROD
        node = mbs.AddNode(
            eii.NodeRigidBody2D(
                referenceCoordinates=[middle, 0, 0], initialVelocities=[0, velocity, rate]
            )
        )
        inertia = mass * length**2 / 12
        body = eii.ObjectRigidBody2D(physicsMass=mass, physicsInertia=inertia, nodeNumber=node)
        bodies.append((mbs.AddObject(body), node, length))
        marker = mbs.AddMarker(eii.MarkerBodyMass(bodyNumber=bodies[-1][0]))
        mbs.AddLoad(eii.LoadMassProportional(markerNumber=marker, loadVector=[0, -9.81, 0]))
    node = mbs.AddNode(eii.NodePoint2D(referenceCoordinates=[CRANK + ROD, 0]))
    slider = mbs.AddObject(eii.ObjectMassPoint2D(physicsMass=0.4, nodeNumber=node))

    def at(body: int, x: float) -> int:
        return mbs.AddMarker(eii.MarkerBodyPosition(bodyNumber=body, localPosition=[x, 0, 0]))

    (crank, crank_node, _), (rod, _, _) = bodies
    pairs = (at(ground, 0.0), at(crank, -CRANK / 2)), (at(crank, CRANK / 2), at(rod, -ROD / 2))
    for pair in (*pairs, (at(rod, ROD / 2), at(slider, 0.0))):
        mbs.AddObject(eii.ObjectJointRevolute2D(markerNumbers=list(pair)))
    own = mbs.AddMarker(eii.MarkerNodeCoordinate(nodeNumber=node, coordinate=1))
    fixed = mbs.AddNode(eii.NodePointGround())
    zero = mbs.AddMarker(eii.MarkerNodeCoordinate(nodeNumber=fixed, coordinate=0))
    mbs.AddObject(eii.CoordinateConstraint(markerNumbers=[zero, own]))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(END / step)
    settings.timeIntegration.endTime = END
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = END
    begin = time.process_time()
    mbs.SolveDynamic(settings)
    took = time.process_time() - begin
    angle = mbs.GetNodeOutput(crank_node, exu.OutputVariableType.Coordinates)[2]
    del container
    return took, float(angle)


def main() -> None:
    import jourdain as jd

    compiled = system()
    at = jd.assemble(compiled, {"main.angle": 0.0, "main.rate": SPEED})
    start = at.q, at.v
    exact = ours(compiled, start, 1e-12)[1]
    own, angle = ours(compiled, start, 1e-6)
    print(f"slider-crank, {END:g} s, {exact / (2 * np.pi):.1f} turns; processor time")
    print(f"{'Jourdain Dop853 1e-6':<28} {own:9.4f} s   error {abs(angle - exact):.1e} rad")
    for step in (1e-3, 2.5e-4, 1e-4):
        try:
            took, angle = exudyn_run(step)
        except ImportError as missing:
            print(f"Exudyn is not there: {missing}")
            return
        name = f"Exudyn generalized-α {step:g} s"
        error = abs(angle - exact)
        print(f"{name:<28} {took:9.4f} s   error {error:.1e} rad   {took / own:.0f} times ours")


if __name__ == "__main__":
    main()
