"""Identities that the equations of motion of every machine satisfy.

Each returns discrepancies by name, relative to the size of the terms that are compared.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jourdain.analysis.proof.case import TINY, Case, Discrepancies
from jourdain.model.elements import WORLD
from jourdain.model.joints.free import Free
from jourdain.model.model import Model
from jourdain.model.names import owned

_EPS = float(np.finfo(float).eps)


def inverse_of_forward(case: Case) -> Discrepancies:
    """Inverse dynamics of forward dynamics give the forces back."""
    back = case.system.inverse_dynamics(case.q, case.v, case.accelerations, case.t)
    return case.by_velocity((back - case.tau) / case.sizes)


def inverse_of_forward_loaded(case: Case) -> Discrepancies:
    """The same with external loads on the bodies: half of what their motion takes."""
    s, half = case.system, {"wrenches": 0.5 * case.loads}
    vdot = s.forward_dynamics(case.q, case.v, case.tau, case.t, **half)
    back = s.inverse_dynamics(case.q, case.v, vdot, case.t, **half)
    size = case.sizes + np.abs(case.M) @ np.abs(vdot)
    return case.by_velocity((back - case.tau) / size)


def columns(case: Case) -> Discrepancies:
    """Columns of M are the forces of unit accelerations."""
    size = np.outer(case.roots, case.roots) + np.abs(case.bias)
    return case.by_velocity((case.columns - case.M) / size)


def symmetry(case: Case) -> Discrepancies:
    """Forces of unit accelerations are symmetric."""
    size = np.outer(case.roots, case.roots) + np.abs(case.bias)
    return case.by_velocity((case.columns - case.columns.T) / np.maximum(size, size.T))


def definiteness(case: Case) -> Discrepancies:
    """Rounding that the condition number of M, of unit diagonal, makes of accelerations."""
    values, vectors = np.linalg.eigh(case.M / np.outer(case.roots, case.roots))
    name = case.names[int(np.argmax(np.abs(vectors[:, 0])))]
    return {name: _EPS * values[-1] / values[0] if values[0] > 0.0 else float("inf")}


def kinetic_energy(case: Case) -> Discrepancies:
    """The part of the kinetic energy that is quadratic in v is ½ vᵀ M v."""
    energies = (case.system.energy(case.q, k * case.v, case.t)[0] for k in (1.0, -1.0, 0.0))
    plus, minus, rest = map(float, energies)
    twice = float(case.v @ case.M @ case.v)
    size = plus + minus + 2.0 * rest + twice + TINY
    return {"": abs(plus + minus - 2.0 * rest - twice) / size}


def energy_of_bodies(case: Case) -> Discrepancies:
    """Energies are those of the bodies one by one, and of the scalar coordinates."""
    poses, twists, _ = case.motion
    kinetic, potential = case.system.energy(case.q, case.v, case.t)
    rest = case.system.energy(case.q, 0.0 * case.v, case.t)[0]
    own, heights = case.bodies.energy(poses, twists, case.shape)
    still = case.shapes(case.q, 0.0 * case.v, case.t)
    own_rest, _ = case.bodies.energy(poses, case.excited, still)
    gain = np.sum(own) - np.sum(own_rest) + 0.5 * case.rotors @ case.v**2
    size = kinetic + rest + TINY
    fall = np.abs(heights).sum() + TINY
    return {
        "kinetic": abs(float((kinetic - rest - gain) / size)),
        "potential": abs(float((potential - heights.sum()) / fall)),
    }


def momentum_of_bodies(case: Case) -> Discrepancies:
    """Momentum is that of the bodies; its linear part is mass times that of the centre of mass."""
    poses, twists, _ = case.motion
    own = case.bodies.momentum(poses, twists, case.shape)
    size = np.abs(own).sum(axis=0)
    size = np.repeat((size[:3].sum(), size[3:].sum()), 3) + TINY
    errors = (case.system.momentum(case.q, case.v, case.t) - own.sum(axis=0)) / size
    found = {"sum": float(np.abs(errors).max())}
    if np.sum(case.bodies.mass) > 0.0:
        still = case.shapes(case.q, 0.0 * case.v, case.t)
        rest = case.bodies.momentum(poses, case.excited, still).sum(axis=0)
        J = case.system.centre_of_mass_jacobian(case.q, case.t)
        P = np.sum(case.bodies.mass) * (J @ case.v)
        errors = (own.sum(axis=0)[3:] - rest[3:] - P) / size[3:]
        found["centre of mass"] = float(np.abs(errors).max())
    return found


def virtual_power(case: Case) -> Discrepancies:
    """Jourdain: forces have the power of the bodies' loads in any motion the joints allow."""
    found = {}
    for k, virtual in enumerate((case.other, case.other[::-1])):
        moved = case.twists(case.v + virtual) - case.motion[1]
        power = np.sum(moved * case.loads) + (case.rotors * case.vdot + case.along) @ virtual
        size = np.sum(np.abs(moved * case.loads)) + case.sizes @ np.abs(virtual)
        found[f"motion {k + 1}"] = abs(float((power - case.tau @ virtual) / size))
    return found


def power_balance(case: Case) -> Discrepancies:
    """Energy of the bodies grows by the power of forces and of drives."""
    excited = np.sum(case.excited * case.loads) + case.driven_power
    scalar = case.rotors * case.vdot
    power = (case.tau - scalar) @ case.v + excited
    size = np.sum(np.abs(case.motion[1] * case.loads)) + case.sizes @ np.abs(case.v) + TINY

    def energy(*motion: Any) -> Any:
        return sum(part.sum() for part in case.bodies.energy(*motion))

    return {"": float(case.slope_error(energy, power, size))}


def momentum_rate(case: Case) -> Discrepancies:
    """Momentum of the bodies grows by their loads and weights."""
    poses = case.motion[0]
    total = case.loads.copy()
    total[:, :3] += np.cross(poses[:, :3, 3], total[:, 3:])
    weight = case.bodies.mass[:, np.newaxis] * case.bodies.gravity
    total += np.concatenate((case.bodies.weight_torques(poses, case.shape), weight), axis=-1)
    size = np.abs(total).sum(axis=0)
    size = np.repeat((size[:3].sum(), size[3:].sum()), 3) + TINY

    def momentum(*motion: Any) -> Any:
        return case.bodies.momentum(*motion).sum(axis=0)

    errors = case.slope_error(momentum, total.sum(axis=0), size)
    return {"": float(np.max(errors))}


def is_floating(model: Model) -> bool:
    """Tell whether nothing but weight acts on a machine from outside."""
    joints = (model.joints[name] for name in _based(model))
    return bool(model.bodies) and all(j.kind == Free() and not j.driven for j in joints)


def _based(model: Model) -> list[str]:
    """Joints that hold on to the world."""
    return [j.name for j in model.joints.values() if WORLD in (j.parent.body, j.child.body)]


def conservation(case: Case) -> Discrepancies:
    """Without forces at the base, inner forces and drives leave the whole to its weight."""
    model, tau = case.system.model, case.tau.copy()
    base = {*_based(model), *model.bodies}  # automatic free joints have the names of their bodies
    tau[[bool(owned(name, base)[0]) for name in case.names]] = 0.0
    vdot = case.system.forward_dynamics(case.q, case.v, tau, case.t)
    poses, twists, accelerations = case.system.kinematics(case.q, case.v, vdot, case.t)
    loads = case.bodies.loads(poses, twists, accelerations, case.shape, vdot)
    loads[:, :3] += np.cross(poses[:, :3, 3], loads[:, 3:])
    still = case.bodies.loads(poses, twists, 0.0 * accelerations)  # weight: a free body has no more
    errors = np.abs(loads.sum(axis=0)) / (np.abs(loads).sum() + np.abs(still).sum() + TINY)
    return {"": float(errors.max())}


def twists_of_poses(case: Case) -> Discrepancies:
    """Twists are the rates of the poses."""
    poses, twists, _ = case.motion
    R, n = poses[:, :3, :3], len(poses)

    def places(moved: Any, *_: Any) -> Any:
        spin = moved[:, :3, :3] @ np.swapaxes(R, -1, -2)
        axial = np.stack((spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]), axis=-1)
        other = np.stack((spin[:, 1, 2], spin[:, 2, 0], spin[:, 0, 1]), axis=-1)
        return np.concatenate((0.5 * (axial - other), moved[:, :3, 3]), axis=-1)

    size = np.repeat([np.abs(twists[:, k : k + 3]).max(initial=TINY) for k in (0, 3)], 3)
    return case.by_body(case.slope_error(places, twists, np.tile(size, (n, 1))))


def accelerations_of_twists(case: Case) -> Discrepancies:
    """Accelerations are the rates of the twists."""
    rates = case.motion[2]
    halves = [np.abs(rates[:, k : k + 3]).max(initial=TINY) for k in (0, 3)]
    size = np.tile(np.repeat(halves, 3), (len(rates), 1))
    return case.by_body(case.slope_error(lambda _, twists, __: twists, rates, size))
