"""What every formulation of the equations of motion answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from jourdain.system.system import System


class Formulation(ABC):
    """A way to the equations of motion of a tree, ``M(q) dv/dt + h(q, v) = tau``.

    The contract:

    1. A formulation is a frozen dataclass without state; it takes a compiled `System`, whose
       order of coordinates, bodies and joints it keeps, and arrays of one state.
    2. ``accelerations``, ``mass_matrix`` and ``inverse_dynamics`` belong to one equation:
       ``inverse_dynamics(q, v, accelerations(q, v, tau)) == tau``.
    3. ``loads`` gives what the recursion's ``system.loads(...).interaction`` gives: [torque;
       force] on the user's child by the parent, at the child frame, in parent components, one
       row per tree joint in that order.
    4. Driven coordinates and explicit time act through the motion they cause; they have no
       column in M. Cut joints are left out, as in the tree functions of the system.
    5. To be worth comparing, all but `Recursive` use ``pose`` and ``rates`` of the joint kinds
       alone: no given mode vectors, links or recursions. See `Skeleton`.
    6. A coordinate without inertia raises `SingularSystemError` in ``accelerations``; the other
       answers exist without inertia too. See `require_definite`.
    7. It joins `all_formulations` by one line; the comparison of all formulations on random
       trees is its test.
    """

    @abstractmethod
    def accelerations(
        self,
        system: System,
        q: Any,
        v: Any,
        tau: Any = None,
        t: float = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> Any:
        """Accelerations dv/dt (n_v,) [m/s^2, rad/s^2] caused by forces.

        Parameters
        ----------
        system : System
            The compiled system.
        q : (n_q,) [m, rad, 1]
            Position coordinates.
        v : (n_v,) [m/s, rad/s]
            Velocity coordinates.
        tau : (n_v,) [N, N m] or mapping
            Generalized forces, or ``{"main.angle": 3.0}``; default zero.
        t : float [s]
            Time.
        wrenches : (n_bodies, 6) [N m, N]
            External loads [torque; force] on the bodies at their frames, world components.
        parameters : mapping or (n_p,)
            Values of parameters that differ from the nominal ones.
        """

    @abstractmethod
    def mass_matrix(self, system: System, q: Any, t: float = 0.0, *, parameters: Any = None) -> Any:
        """Mass matrix M (n_v, n_v) [kg, kg m, kg m^2]."""

    @abstractmethod
    def inverse_dynamics(
        self,
        system: System,
        q: Any,
        v: Any,
        vdot: Any,
        t: float = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> Any:
        """Generalized forces tau (n_v,) [N, N m] that cause given accelerations."""

    @abstractmethod
    def loads(
        self,
        system: System,
        q: Any,
        v: Any,
        vdot: Any,
        t: float = 0.0,
        *,
        wrenches: Any = None,
        parameters: Any = None,
    ) -> Any:
        """Interactions (n_joints, 6) [N m, N] in the tree joints for a given motion."""
