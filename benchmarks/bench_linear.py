"""Linear equations and modes beside Drake and Exudyn, in one run.

Hinged chains: Drake's ``Linearize`` of a `MultibodyPlant` against `jd.linearize`. Masses and
springs: Exudyn's ``ComputeODE2Eigenvalues`` against `jd.eigenmodes`. Systems are built and compiled
before; later calls are timed, on one thread. At the end the large cases: 20 lowest modes of 10 000
masses and of 3000 hinged rods.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

for _library in ("OPENBLAS", "OMP", "MKL"):  # one thread for all, before they are loaded
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

import numpy as np  # noqa: E402

import jourdain as jd  # noqa: E402

LENGTH = 1.0


def chain(n: int) -> jd.Model:
    """Rods that hang on each other, one metre in all."""
    model, carrier = jd.Model("chain"), None
    for k in range(n):
        rod = model.add_body(f"rod_{k}", jd.solid.rod(mass=1.0, end=(0, 0, -LENGTH / n)))
        model.add_joint(f"pin_{k}", carrier or model.world, rod, jd.Revolute("y"))
        carrier = rod.at(0, 0, -LENGTH / n)
    return model


def masses(n: int) -> jd.Model:
    """Masses in a row with springs between them, the first on a wall."""
    model = jd.Model("masses")
    places = []
    for k in range(n):
        model.add_coordinate(f"x{k}", 1.0, unit="m")
        places.append(jd.Coordinate(f"x{k}"))
        apart = places[k] if k == 0 else places[k] - places[k - 1]
        model.add_connection(f"spring_{k}", apart, jd.Spring(1.0))
    return model


def drake(n: int) -> Callable[[], Any]:
    """Linearize of the same chain in Drake."""
    from pydrake.math import RigidTransform
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import FixedOffsetFrame, RevoluteJoint, SpatialInertia
    from pydrake.systems.primitives import Linearize

    plant, inboard, length = MultibodyPlant(0.0), None, LENGTH / n
    for k in range(n):
        unit = np.array([0.0, 0.0, -1.0])
        inertia = SpatialInertia.ThinRodWithMassAboutEnd(1.0, length, unit)
        body = plant.AddRigidBody(f"rod{k}", inertia)
        place = RigidTransform(np.array([0.0, 0.0, 0.0 if inboard is None else -length]))
        parent = plant.world_frame() if inboard is None else inboard.body_frame()
        frame = plant.AddFrame(FixedOffsetFrame(f"frame{k}", parent, place))
        axis = np.array([0.0, 1.0, 0.0])
        joint = plant.AddJoint(RevoluteJoint(f"pin{k}", frame, body.body_frame(), axis))
        if k == 0:
            plant.AddJointActuator("motor", joint)
        inboard = body
    plant.Finalize()
    context = plant.CreateDefaultContext()
    port = plant.get_actuation_input_port()
    port.FixValue(context, np.zeros(1))
    output = plant.get_state_output_port().get_index()
    return lambda: Linearize(plant, context, port.get_index(), output).A()


def exudyn(n: int) -> Callable[[], Any]:
    """Eigenvalues of the same masses in Exudyn."""
    import exudyn as exu
    from exudyn.itemInterface import (
        CoordinateSpringDamper,
        MarkerNodeCoordinate,
        Mass1D,
        Node1D,
        NodePointGround,
    )

    container = exu.SystemContainer()
    system = container.AddSystem()
    ground = system.AddNode(NodePointGround(referenceCoordinates=[0, 0, 0]))
    last = system.AddMarker(MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
    for k in range(n):
        node = system.AddNode(Node1D(referenceCoordinates=[float(k)]))
        system.AddObject(Mass1D(mass=1.0, nodeNumber=node))
        own = system.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
        system.AddObject(
            CoordinateSpringDamper(markerNumbers=[last, own], stiffness=1.0, damping=0.0)
        )
        last = own
    system.Assemble()
    return lambda: system.ComputeODE2Eigenvalues()[0]


def best(function: Callable[[], Any], repeats: int = 3) -> tuple[float, Any]:
    """Least time [s] of some calls after the first, and what it gives."""
    found = function()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        found = function()
        times.append(time.perf_counter() - start)
    return min(times), found


def main() -> None:
    """Print all rows."""
    print("linear equations of hinged chains [ms]      jourdain       Drake  difference")
    for n in (10, 100, 1000):
        system = jd.compile(chain(n))
        own, lin = best(lambda s=system: jd.linearize(s, inputs=["pin_0.angle"]))
        other, A = best(drake(n), 1 if n == 1000 else 3)
        apart = np.abs(np.asarray(A) - lin.A).max() / np.abs(lin.A).max()
        print(f"{n:8d} {1e3 * own:43.2f} {1e3 * other:11.2f} {apart:11.1e}")
    print("all frequencies of masses and springs [ms]  jourdain      Exudyn  difference")
    for n in (10, 100, 1000):
        system = jd.compile(masses(n))
        own, modes = best(lambda s=system: jd.eigenmodes(s, damped=False))
        other, values = best(exudyn(n), 1 if n == 1000 else 3)
        squares = np.sort(np.abs(np.asarray(values)))
        apart = np.abs(np.sqrt(squares) - 2 * np.pi * np.sort(modes.frequencies)).max()
        print(f"{n:8d} {1e3 * own:43.2f} {1e3 * other:11.2f} {apart:11.1e}")
    for name, model in (("10 000 masses", masses(10_000)), ("3000 hinged rods", chain(3000))):
        system = jd.compile(model)
        own, _ = best(lambda s=system: jd.eigenmodes(s, count=20), 2)
        print(f"20 lowest modes of {name}: {own:.2f} s")


if __name__ == "__main__":
    main()
