"""Andrews' squeezing mechanism, 0.03 s, against Exudyn at equal accuracy.

Seven bodies, three loops, a motor that brings the crank to 1140 rad/s (IVP test set, IFToMM A03).
The reference is that of the test set, the crank angle to 13 digits. Exudyn's implicit solver takes
steps of several sizes, ours is adaptive; printed are processor times and errors of the crank angle,
and for each step how many times longer than ours, at the tolerance that is at least as accurate.
"""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np

END, TORQUE, CRANK = 0.03, 0.033, 15.81077119629904
D, DA, E, EA, RR, RA, SS, SA, SB = (
    0.028,
    0.0115,
    0.02,
    0.01421,
    0.007,
    0.00092,
    0.035,
    0.01874,
    0.01043,
)
SC, SD, TA, TB, U, UA, UB, ZF, ZT, FA = (
    0.018,
    0.02,
    0.02308,
    0.00916,
    0.04,
    0.01228,
    0.00449,
    0.02,
    0.04,
    0.01421,
)
MASSES = 0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498
MOMENTS = 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5
CENTRES = (RA, 0), (-DA, 0), (SB, -SA), (0, EA - E), (TA, TB), (ZF - FA, 0), (-UB, -UA)
PLACES = {"A": (-0.06934, -0.00227), "B": (-0.03635, 0.03273), "C": (0.014, 0.072), "O": (0, 0)}
STIFFNESS, FREE = 4530.0, 0.07785
HINGES = {  # name: body or place and point on it, body and point on it
    "beta": ("O", (0, 0), 0, (0, 0)), "theta": (0, (RR, 0), 1, (0, 0)),
    "gamma": ("B", (0, 0), 2, (0, 0)), "delta": ("A", (0, 0), 4, (0, 0)),
    "phi": (4, (ZT, 0), 3, (0, 0)), "epsilon": ("A", (0, 0), 6, (0, 0)),
    "omega": (6, (0, -U), 5, (0, 0)), "E3": (2, (0, -SS), 1, (-D, 0)),
    "E4": (3, (0, -E), 1, (-D, 0)), "E6": (5, (ZF, 0), 1, (-D, 0)),
}  # fmt: skip
START = {
    "beta": -0.0617138900142764496, "theta": 0.0, "gamma": 0.455279819163070380,
    "phi": 0.222668390165885884, "delta": 0.487364979543842550, "omega": -0.222668390165885884,
    "epsilon": 1.23054744454982119,
}  # fmt: skip
REPEATS = 5


def system() -> Any:
    """Ours: hinges in space, cut at E."""
    import jourdain as jd

    model = jd.Model("squeezer", gravity=(0, 0, 0))
    bodies = [
        model.add_body(f"K{k}", jd.Inertia(m, com=(x, y, 0), moments=(j, j, j)))
        for k, (m, j, (x, y)) in enumerate(zip(MASSES, MOMENTS, CENTRES, strict=True), 1)
    ]
    for name, (one, at, other, on) in HINGES.items():
        where = PLACES[one] if isinstance(one, str) else at
        parent = model.world if isinstance(one, str) else bodies[one]
        model.add_joint(name, parent.at(*where, 0), bodies[other].at(*on, 0), jd.Revolute("z"))
    length = jd.Distance(model.world.at(*PLACES["C"], 0), bodies[2].at(SD, -SC, 0))
    model.add_connection("spring", length, jd.Spring(STIFFNESS, free=FREE))
    return jd.compile(model, cut=("E3", "E4", "E6"))


def ours(compiled: Any, start: Any, rtol: float) -> tuple[float, float]:
    """Processor time [s] and error of the crank angle [rad]."""
    import jourdain as jd

    took, torque = [], {"beta.angle": TORQUE}
    for _ in range(REPEATS):
        begin = time.process_time()
        sol = jd.simulate(
            compiled, END, start=start, inputs=torque, sample=(0.0, END),
            method=jd.Dop853(rtol=rtol, atol=rtol),
        )  # fmt: skip
        took.append(time.process_time() - begin)
    return min(took), abs(float(sol.values("beta.angle")[-1]) - CRANK)


def exudyn_run(poses: Any, step: float) -> tuple[float, float]:
    """Exudyn's planar bodies and joints, generalized-α with Jacobians that are kept."""
    import exudyn as exu
    from exudyn import itemInterface

    warnings.simplefilter("ignore", DeprecationWarning)  # names that older versions know as well
    eii = itemInterface
    mbs = (container := exu.SystemContainer()).AddSystem()
    ground = mbs.AddObject(eii.ObjectGround())
    objects, nodes = [], []
    for pose, mass, inertia, centre in zip(poses, MASSES, MOMENTS, CENTRES, strict=True):
        x, y, _ = pose[:3, 3] + pose[:3, :3] @ (*centre, 0)
        angle = np.arctan2(pose[1, 0], pose[0, 0])
        nodes.append(mbs.AddNode(eii.NodeRigidBody2D(referenceCoordinates=[x, y, angle])))
        body = eii.ObjectRigidBody2D(physicsMass=mass, physicsInertia=inertia, nodeNumber=nodes[-1])
        objects.append(mbs.AddObject(body))

    def marker(body: Any, at: Any) -> int:
        if isinstance(body, str):
            number, where = ground, PLACES[body]
        else:
            number, where = objects[body], np.subtract(at, CENTRES[body])
        place = eii.MarkerBodyPosition(bodyNumber=number, localPosition=[*where, 0])
        return int(mbs.AddMarker(place))

    for one, at, other, on in HINGES.values():
        pair = [marker(one, at), marker(other, on)]
        mbs.AddObject(eii.ObjectJointRevolute2D(markerNumbers=pair))
    ends = [marker("C", (0, 0)), marker(2, (SD, -SC))]
    mbs.AddObject(
        eii.ObjectConnectorSpringDamper(
            markerNumbers=ends, stiffness=STIFFNESS, damping=0.0, referenceLength=FREE
        )
    )
    turned = mbs.AddMarker(eii.MarkerBodyRigid(bodyNumber=objects[0]))
    mbs.AddLoad(eii.LoadTorqueVector(markerNumber=turned, loadVector=[0, 0, TORQUE]))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(END / step)
    settings.timeIntegration.endTime = END
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = END
    begin = time.process_time()
    mbs.SolveDynamic(settings)
    took = time.process_time() - begin
    angle = mbs.GetNodeOutput(nodes[0], exu.OutputVariableType.Coordinates)[2]
    del container
    return took, abs(float(angle) + float(np.arctan2(poses[0][1, 0], poses[0][0, 0])) - CRANK)


def main() -> None:
    import jourdain as jd

    compiled = system()
    at = jd.assemble(compiled, near={f"{name}.angle": x for name, x in START.items()})
    runs = {rtol: ours(compiled, (at.q, at.v), rtol) for rtol in (1e-3, 1e-4, 1e-6, 1e-8, 1e-10)}
    print(f"Andrews' squeezer, {END:g} s, {CRANK / (2 * np.pi):.1f} turns; processor time")
    for rtol, (own, error) in runs.items():
        print(f"{f'Jourdain Dop853 {rtol:g}':<28} {own:9.4f} s   error {error:.1e} rad")
    for step in (2e-5, 5e-6, 1e-6):
        try:
            took, error = exudyn_run(compiled.poses(at.q), step)
        except ImportError as missing:
            print(f"Exudyn is not there: {missing}")
            return
        name = f"Exudyn generalized-α {step:g} s"
        equal = [own for own, other in runs.values() if other <= error]
        ratio = f"{took / min(equal):.0f} times ours" if equal else ""
        print(f"{name:<28} {took:9.4f} s   error {error:.1e} rad   {ratio}")


if __name__ == "__main__":
    main()
