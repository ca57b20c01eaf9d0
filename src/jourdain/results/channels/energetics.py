"""Loads of joints, energies, powers and momenta."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations.mechanism import Mechanism
from jourdain.model.elements import JointElement
from jourdain.model.parts.part import have_quick_power
from jourdain.results.channels.body_motion import FrameMotion
from jourdain.results.channels.channel import XYZ, Channel
from jourdain.results.channels.joint_motion import JointMotion
from jourdain.results.trajectory import Trajectory

DRIVES = "power.contact_drives"
"""Power [W] of drives through contacts and dry friction."""
LASTING = "power.laws"
"""Power [W] whose work is integrated with the run."""


def load_channels(run: Trajectory) -> Iterator[Channel]:
    """Yield force and torque of every joint of the tree."""
    joints = [j.name for j in run.system.topology.tree if not j.automatic]
    for name in joints:
        for quantity, unit, half in (("force", "N", slice(3, 6)), ("torque", "N m", slice(0, 3))):
            yield Channel(
                f"{name}.{quantity}",
                unit,
                f"{quantity} on the child of {name} by its parent",
                _load(run, name, half),
                XYZ,
                axes="parent frame",
                about="origin of the child frame" if quantity == "torque" else "",
            )


def _load(run: Trajectory, joint: str, half: slice) -> Callable[[], Any]:
    return lambda: run.loads[joint][:, half]


def energy_channels(run: Trajectory) -> Iterator[Channel]:
    """Yield energies, powers, momenta and the centre of mass of the whole model."""
    power = Power(run)
    yield Channel("energy.kinetic", "J", "kinetic energy", lambda: run.energy[0])
    yield Channel("energy.potential", "J", "potential energy", lambda: power.potential)
    yield Channel("energy.total", "J", "total energy", lambda: run.energy[0] + power.potential)
    yield Channel("power.applied", "W", "power of applied forces", lambda: power.applied)
    yield Channel("power.drives", "W", "power of drives", lambda: power.drives)
    if run.system.has_connections:
        text = "power of connections beyond what they store"
        yield Channel("power.connections", "W", text, lambda: power.connections)
    if run.system.has_contacts:
        text = "power of contacts and dry friction, without impacts"
        yield Channel("power.contacts", "W", text, lambda: power.contacts)
        text = "part of the power of drives that contacts and dry friction feel, without impacts"
        yield Channel(DRIVES, "W", text, lambda: power.contact_drives)
    if have_quick_power(run.system.model.parts):
        text = "power of laws beyond what they store, inputs and what is held, as in work.laws"
        yield Channel(LASTING, "W", text, lambda: power.lasting)
    for quantity, unit, half in (
        ("linear", "kg m/s", slice(3, 6)),
        ("angular", "kg m^2/s", slice(0, 3)),
    ):
        text = f"{quantity} momentum" + " about the origin" * (quantity == "angular")
        yield Channel(f"momentum.{quantity}", unit, text, _momentum(run, half), XYZ, "world")
    if run.system.model.bodies:
        yield Channel(
            "centre_of_mass.position",
            "m",
            "centre of mass",
            lambda: run.centre_of_mass,
            XYZ,
            "world",
        )


def _momentum(run: Trajectory, half: slice) -> Callable[[], Any]:
    return lambda: run.momentum[:, half]


class Power:
    """Power that enters a system: dE/dt = applied + drives + connections.

    Parameters
    ----------
    run : Trajectory
        The motion.
    """

    def __init__(self, run: Trajectory) -> None:
        self.run = run

    @cached_property
    def potential(self) -> Any:
        """Energy of weight and of connections (n,) [J]."""
        return self.run.energy[1] + (self._of_connections[:, 0] if self._is_connected else 0.0)

    @cached_property
    def applied(self) -> Any:
        """Power of the generalized forces, Σ τ v (n,) [W]."""
        of_tree = np.sum(self.run.tau * self.run.v, axis=-1)
        return of_tree + (self._of_connections[:, 3] if self._is_connected else 0.0)

    @cached_property
    def connections(self) -> Any:
        """Power of the laws of connections, beyond the change of what they store (n,) [W]."""
        return self._of_connections[:, 1]

    @cached_property
    def contacts(self) -> Any:
        """Power of contact and friction forces (n,) [W]."""
        return self._of_connections[:, 4]

    @cached_property
    def contact_drives(self) -> Any:
        """Power that drives give through contacts and friction, a part of theirs (n,) [W]."""
        return self._of_connections[:, 5]

    @property
    def lasting(self) -> Any:
        """Power whose work is integrated with the run, where it is (n,) [W]."""
        return self.run.answers(Mechanism.lasting_power)[:, 0]

    @property
    def _is_connected(self) -> bool:
        return bool(self.run.system.has_connections)

    @cached_property
    def _of_connections(self) -> Any:
        """Energy stored; powers beyond it, of moving constraints, cut joints, contacts, drives."""
        return self.run.answers(Mechanism.powers)

    @cached_property
    def drives(self) -> Any:
        """Power of drives and of joints whose pose depends on time (n,) [W].

        What the interaction of such a joint gives beyond its applied force: A · G − τ v.
        """
        total = np.zeros(len(self.run.time))
        if self._is_connected:
            total += self._of_connections[:, 2]
        description = self.run.system.description
        for index in description.moved_links:
            link, joint = description.links[index], JointMotion(self.run, index)
            motion = link.motion
            if link.joint.joint.child.body in self.run.system.model.coordinates:
                total += joint.forces[:, 0] * joint.velocities[:, 0]
            else:
                own = np.sum(self.run.loads.tau[:, joint.v] * self.run.v[:, joint.v], axis=-1)
                total += self._through(link.joint.joint) + joint.rotor_power - own
                if motion.driven and joint.is_measured:
                    rates = self.run.drives[1][:, joint.e]
                    total -= np.sum(joint.by_connections * rates, axis=-1)
        return total

    def _through(self, element: JointElement) -> Any:
        """Power of a joint's interaction on the motion of the child relative to the parent."""
        parent, child = FrameMotion(self.run, element.parent), FrameMotion(self.run, element.child)
        w = parent.angular_velocity_world()
        arm = child.position() - parent.position()
        turning = child.angular_velocity_world() - w
        moving = child.velocity() - parent.velocity() - np.cross(w, arm)
        load = self.run.loads[element.name].reshape(-1, 2, 3)
        relative = np.stack([turning, moving], axis=1)
        return np.einsum("nij,nki,nkj->n", parent.matrix, relative, load)
