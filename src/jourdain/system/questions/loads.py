"""Loads in the joints: what the two sides of a joint exert on each other.

    A = [torque; force] on the user's child by the parent, at the child frame, in the parent frame
    λ = φᵀ A (generalized applied force),  λ̄ = φ̄ᵀ A          (Schwertassek & Senger 3.28–3.34)
    A_e = ψ λ (applied),  A_z = A − A_e (constraint part, φᵀ A_z = 0)

For a driven coordinate λ̄ is the load of the drive. An armature J along a velocity takes J dv/dt of
the force that motors and drives give; A is what is left and acts on the bodies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.equations.joints.modes import mode_vectors
from jourdain.equations.mechanism import Mechanism
from jourdain.equations.recursion import newton_euler
from jourdain.equations.recursion.links import shared_kind
from jourdain.errors import ModelError, unknown_name
from jourdain.model.elements import Body, Frame
from jourdain.spatial.parameter import evaluate
from jourdain.system.compiled import CompiledModel
from jourdain.system.coordinates import Coordinates
from jourdain.system.execution import Looped
from jourdain.system.parameters import numbers
from jourdain.system.questions.answers import Answers
from jourdain.system.questions.dynamics import Dynamics
from jourdain.system.questions.forces import Forces
from jourdain.system.questions.kinematics import Kinematics


@dataclass(frozen=True)
class JointLoad:
    """Load of one joint at one state, split into its parts.

    Parameters
    ----------
    interaction : (6,) [N m, N]
        A: torque and force on the child by the parent, at the child frame, parent components.
    free : (n_f,) [N m, N]
        λ: along the free modes, what motors and springs of the joint give.
    constrained : (6 - n_f,) [N m, N]
        λ̄: along excited and locked modes.
    applied, constraint : (6,) [N m, N]
        A_e and A_z with A = A_e + A_z.
    """

    interaction: Any
    free: Any
    constrained: Any
    applied: Any
    constraint: Any


@dataclass(frozen=True)
class Loads:
    """Loads of all tree joints.

    Parameters
    ----------
    joints : tuple of str
        Names of the joints.
    interaction : (..., n_joints, 6) [N m, N]
        A of every joint: torque and force on the child by the parent, at the child frame, in
        the axes of the parent frame.
    tau : (..., n_v) [N m, N]
        Generalized forces along the free coordinates, armatures included.
    drive : mapping of str to (...) [N m, N]
        Load of every driven velocity coordinate: force along it that the drive must give, to the
        bodies and to an armature.
    power : (...) [W]
        Power of all joints together, of the forces ``tau`` and the drives: Σ A · (relative twist)
        and what armatures take up.
    """

    joints: tuple[str, ...]
    interaction: Any
    tau: Any
    drive: Mapping[str, Any]
    power: Any

    def __getitem__(self, joint: str) -> Any:
        """Interaction (..., 6) of one joint."""
        if joint not in self.joints:
            raise unknown_name("joint", joint, self.joints, "these loads")
        return self.interaction[..., self.joints.index(joint), :]

    def __str__(self) -> str:
        if self.interaction.ndim > 2:
            return f"loads of {len(self.joints)} joints at {self.interaction.shape[:-2]} states"
        titles = ("Mx [N m]", "My", "Mz", "Fx [N]", "Fy", "Fz")
        width = max([len("joint"), *(len(name) for name in self.joints)])
        lines = [f"{'joint':<{width}}" + "".join(f"{x:>12}" for x in titles)]
        for name, row in zip(self.joints, self.interaction, strict=True):
            lines.append(f"{name:<{width}}" + "".join(f"{x + 0.0:>12.5g}" for x in row))
        lines += [f"drive {name}: {float(x):.6g}" for name, x in self.drive.items()]
        return "\n".join(lines)


@dataclass(frozen=True)
class _LoadPlaces:
    """Where the loads of joints lie in the results of the recursion.

    Parameters
    ----------
    joints : tuple of str
        Names of the joints.
    bodies : (n_joints,) or None
        Rows of their bodies; None where these are all rows in order.
    drives : tuple of (str, int, int)
        Name, row and column of every drive.
    turned, turns : (n,), (n, 3, 3)
        Joints that share code with a plainer kind, and the turns of their frames.
    """

    joints: tuple[str, ...]
    bodies: Any
    drives: tuple[tuple[str, int, int], ...]
    turned: Any
    turns: Any


def _in_parent_axes(interaction: Any, places: _LoadPlaces) -> Any:
    """Undo the turn of the frames of joints that share code with a plainer kind."""
    found = interaction[..., places.turned, :]
    halves = found.reshape(*found.shape[:-1], 2, 3) @ np.swapaxes(places.turns, -1, -2)
    interaction[..., places.turned, :] = halves.reshape(found.shape)
    return interaction


class JointLoads:
    """Questions about loads of joints and drives, and their power.

    Parameters
    ----------
    compiled : CompiledModel
        The machine.
    coordinates, kinematics, dynamics : Coordinates, Kinematics, Dynamics
        Give places of frames, motion and accelerations.
    forces, answers : Forces, Answers
        Give arrays of loads, and loads of connections.
    """

    def __init__(
        self,
        compiled: CompiledModel,
        coordinates: Coordinates,
        kinematics: Kinematics,
        dynamics: Dynamics,
        *,
        forces: Forces,
        answers: Answers,
    ) -> None:
        self._compiled, self._d, self._n_bodies = compiled, compiled.description, compiled.n_bodies
        self._coordinates, self._kinematics, self._dynamics = coordinates, kinematics, dynamics
        self._forces, self._answers = forces, answers

    def loads(
        self,
        q: Any,
        v: Any,
        vdot: Any,
        t: Any = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> Loads:
        """Loads in all tree joints and in all drives for a given motion.

        Parameters
        ----------
        q, v, vdot
            State and accelerations, for example those of `forward_dynamics`.
        t : (...) [s]
            Time.
        wrenches : (..., n_bodies, 6) [N m, N]
            All loads on the bodies besides those of tree joints. By default those of connections
            and cut joints where no other forces act; with forces ``tau``, give
            ``system.answers(Mechanism.wrenches, q, v, tau, t)`` in the shape named here.
        parameters : mapping or (..., n_p)
            Values of parameters that differ from the nominal ones.

        Returns
        -------
        Loads
            Interactions, generalized forces and drive loads.
        """
        given = self._given_wrenches(wrenches, q, v, t, parameters)
        found = self._compiled.run(newton_euler.LOADS, q, v, vdot, given, t, parameters=parameters)
        return self._arranged(*found)

    def load_rates(
        self,
        q: Any,
        v: Any,
        vdot: Any,
        t: Any = 0.0,
        *,
        along: Mapping[str, Any],
        wrenches: Any = None,
        parameters: Any = None,
    ) -> Loads:
        """Exact rates of `loads` along a direction, in the places of the loads.

        Parameters
        ----------
        q, v, vdot, t, wrenches, parameters
            As in `loads`.
        along : mapping of str to array
            Rates (..., n) of ``"q"``, ``"v"``, ``"vdot"`` and ``"wrenches"`` (..., n_bodies, 6);
            those left out rest. Rates of ``wrenches`` that are not given here are zero: those of
            connections are ``system.answer_rates("wrenches", ...)``.
        """
        d, own = self._d, self._given_wrenches(wrenches, q, v, t, parameters)
        sizes = {"q": d.n_q, "v": d.n_v, "vdot": d.n_v, "wrenches": 6 * d.layout.n_bodies}
        for name in along:
            if name not in sizes:
                raise unknown_name("rate", str(name), sizes, "along")
        ways = {n: np.asarray(along.get(n, np.zeros(k)), dtype=float) for n, k in sizes.items()}
        if "wrenches" in along:
            ways["wrenches"] = self._forces.padded(along["wrenches"])
        ways["q"] = self._compiled.of_tree(ways["q"])
        state = self._compiled.of_tree(q), v, vdot, own
        p = self._compiled.parameters.array(parameters)
        held = () if isinstance(self._compiled.execution, Looped) else (np.zeros(p.shape[-1]),)
        given = [numbers(x) for x in (*state, *ways.values(), *held)]
        return self._arranged(*self._tangent(*given, np.asarray(t, dtype=float), p))

    @cached_property
    def _tangent(self) -> Any:
        return self._compiled.execution.prepare_tangent(newton_euler.LOADS, self._d)

    def _arranged(self, tau: Any, interaction: Any, drive: Any, power: Any) -> Loads:
        """Loads by joints, in the axes that users know."""
        places = self._load_places
        if places.bodies is not None:
            interaction = interaction[..., places.bodies, :]
        if len(places.turned):
            interaction = _in_parent_axes(interaction, places)
        drives = {name: drive[..., body, k] for name, body, k in places.drives}
        return Loads(places.joints, interaction, tau, drives, power.sum(axis=-1))

    @cached_property
    def _no_wrenches(self) -> Any:
        return np.zeros(6 * self._d.layout.n_bodies)

    @cached_property
    def _load_places(self) -> _LoadPlaces:
        d = self._d
        links = [i for i in d.order if d.layout.body[i] < self._n_bodies]
        bodies = [d.layout.body[i] for i in links]
        drives = []
        for i, link in enumerate(d.links):
            velocities = list(link.joint.joint.kind.velocities)
            for k, column in enumerate(link.motion.driven_columns):
                drives.append((f"{link.joint.name}.{velocities[column]}", d.layout.body[i], k))
        kinds = [d.links[i].joint.joint.kind for i in links]
        turns = [shared_kind(kind)[1] if d.share else None for kind in kinds]
        turned = [k for k, turn in enumerate(turns) if turn is not None]
        in_order = bodies == list(range(d.layout.n_bodies))
        return _LoadPlaces(
            tuple(d.links[i].joint.name for i in links),
            None if in_order else np.array(bodies, dtype=int),
            tuple(drives),
            np.array(turned, dtype=int),
            np.array([turns[k] for k in turned]),
        )

    def _given_wrenches(self, wrenches: Any, q: Any, v: Any, t: Any, parameters: Any) -> Any:
        """Loads on the bodies as rows: those given, else those of connections and cut joints."""
        if wrenches is None and not self._compiled.has_connections:
            return self._no_wrenches
        own = self._own_wrenches(q, v, t, parameters) if wrenches is None else wrenches
        return self._forces.padded(own)

    def _own_wrenches(self, q: Any, v: Any, t: Any, parameters: Any) -> Any:
        """Loads of connections and cut joints on the bodies where no other forces act."""
        found = self._answers.answers(Mechanism.wrenches, q, v, t=t, parameters=parameters)
        return found.reshape(*found.shape[:-1], -1, 6)[..., : self._n_bodies, :]

    def power(
        self,
        q: Any,
        v: Any,
        tau: Any = None,
        t: Any = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> Any:
        """Power (...) [W] of forces, drives and external loads: the rate of the total energy.

        The arguments are those of `forward_dynamics`.
        """
        options = {"wrenches": wrenches, "parameters": parameters}
        vdot = self._dynamics.forward_dynamics(q, v, tau, t, **options)
        inside = self.loads(q, v, vdot, t, **options).power
        if wrenches is None:
            return inside
        return inside + np.sum(
            self._kinematics.twists(q, v, t, parameters=parameters) * wrenches, axis=(-2, -1)
        )

    def joint_load(
        self,
        joint: str,
        q: Any,
        v: Any,
        vdot: Any,
        t: float = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> JointLoad:
        """Load of one joint at one state, split into applied and constraint parts."""
        loads = self.loads(q, v, vdot, t, wrenches=wrenches, parameters=parameters)
        A = loads[joint]
        if A.ndim > 1:
            raise ModelError("joint_load takes one state; use loads for batches.")
        d = self._d
        i = next(i for i, link in enumerate(d.links) if link.joint.name == joint)
        element, own = d.links[i].joint.joint, d.layout.q_start[i]
        p = self._compiled.parameters.array(parameters)
        full = np.zeros(len(element.kind.coordinates))
        full[list(d.links[i].motion.free)] = np.asarray(q)[own : own + d.links[i].n_q]
        if d.links[i].motion.driven:
            start = d.layout.e_start[i]
            e = np.array(d.drives(t, p)[0]).reshape(-1)
            full[list(d.links[i].motion.driven)] = e[start : start + len(d.links[i].motion.driven)]
        values = dict(zip(self._d.names.parameters, p.tolist(), strict=True))
        modes = mode_vectors(element.kind, full, t, driven=tuple(element.driven), parameters=values)
        free = modes.free.T @ A
        applied = modes.free_dual @ free
        constrained = np.hstack([modes.excited, modes.locked]).T @ A
        return JointLoad(A, free, constrained, applied, A - applied)

    def reaction(
        self,
        joint: str,
        frame: Frame | Body | str,
        q: Any,
        v: Any,
        vdot: Any,
        t: Any = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> Any:
        """Interaction of a joint reduced to the origin of a frame, world components (..., 6).

        Torque and force on the joint's child by its parent, as if acting at the frame.
        """
        A = self.loads(q, v, vdot, t, wrenches=wrenches, parameters=parameters)[joint]
        d = self._d
        element = next(link.joint.joint for link in d.links if link.joint.name == joint)
        poses = self._kinematics.poses(q, t, parameters=parameters)
        p = np.moveaxis(self._compiled.parameters.array(parameters), -1, 0)
        values = dict(zip(self._d.names.parameters, p, strict=True))
        body, _ = self._coordinates.locate(element.parent, parameters)
        R_parent = self._pose_of(poses, body)[..., :3, :3] @ np.array(
            evaluate(element.parent.rotation, values)
        )
        torque = np.einsum("...ij,...j", R_parent, A[..., :3])
        force = np.einsum("...ij,...j", R_parent, A[..., 3:])
        arm = self.point_of(poses, element.child, parameters) - self.point_of(
            poses, frame, parameters
        )
        return np.concatenate([torque + np.cross(arm, force), force], axis=-1)

    def _pose_of(self, poses: Any, body: int) -> Any:
        if body < 0:
            return np.broadcast_to(np.eye(4), (*poses.shape[:-3], 4, 4))
        return poses[..., body, :, :]

    def point_of(self, poses: Any, frame: Frame | Body | str, parameters: Any) -> Any:
        """Position (..., 3) [m] in the world of the origin of a frame, at poses of all bodies."""
        body, place = self._coordinates.locate(frame, parameters)
        pose = self._pose_of(poses, body)
        return pose[..., :3, 3] + np.einsum("...ij,...j", pose[..., :3, :3], place)
