"""Where curves and surfaces touch: contact parameters, their rates and the rates of the gap.

Let x(c) be the points of two outlines with tangents T = ∂x/∂c, n the outward normal of the first,
d = x_b − x_a. The contact parameters solve (Pfeiffer 2.102, 2.120)

    F = [n_a·T_b ; d·T_b] = 0   for two outlines with parameters               (CP-1)
    F = n_b·T_a or d·T_a   against a plane or the middle of a sphere              (CP-2)

and follow the motion by the implicit function theorem (Pfeiffer 2.109; 2.130 corrected):

    ∂F/∂c ċ = −Ḟ at constant c                                                   (CP-3)
    g = n_a·d,   ġ = n_a·Δv,   ġ_T = T·Δv,   Δv of the points of the bodies         (CP-4)
    g̈ = W dv/dt + bias,   W = ∂ġ/∂twist,   bias with ċ from CP-3                  (CP-5)

For curves the second row of F is d·T_a, as Pfeiffer has it. Tangents T are orthonormal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca

from jourdain import math
from jourdain.equations.connections.scene import Scene
from jourdain.errors import ModelError
from jourdain.model.contours import Contour, Curve, HalfSpace, Point, Sphere, Surface
from jourdain.model.contours.circle import Circle


@dataclass(frozen=True)
class Outline:
    """A contour in the world at its contact parameters.

    Parameters
    ----------
    contour : Contour
        The contour.
    parameters : (n,)
        Symbols, none for a plane or a sphere.
    point : (3,) [m]
        Point of the outline; any of a plane, the middle of a sphere.
    tangents : (3, n) [m]
        Derivatives of the point by the parameters.
    normal : (3,) [1]
        Outward normal; zero for a sphere.
    radius : float [m]
        Radius of a sphere, else zero.
    """

    contour: Contour
    parameters: Any
    point: Any
    tangents: Any
    normal: Any
    radius: Any = 0.0

    @property
    def is_round(self) -> bool:
        """Tell whether it is a point or a sphere, which has every normal."""
        return isinstance(self.contour, Point | Sphere | Circle)


def outline(contour: Contour, scene: Scene) -> Outline:
    """Contour at new symbols for its parameters.

    Raises
    ------
    ModelError
        If it takes no part in contacts with parameters.
    """
    R, r = scene.pose(contour.frame)
    none = ca.SX(3, 0)
    if isinstance(contour, HalfSpace):
        return Outline(contour, ca.SX(0, 1), r, none, R @ math.axis_vector(contour.normal))
    if isinstance(contour, Point | Sphere | Circle):
        radius = 0.0 if isinstance(contour, Point) else contour.radius
        return Outline(contour, ca.SX(0, 1), r, none, ca.SX.zeros(3), radius)
    if not isinstance(contour, Curve | Surface):
        raise ModelError(
            f"{type(contour).__name__} has no contact with curves and surfaces. Use Curve, "
            "Surface, HalfSpace, Point, Sphere or Circle."
        )
    c = ca.SX.sym("c", 1 if isinstance(contour, Curve) else 2)
    x = ca.SX(math.vector(contour.function(*ca.vertsplit(c))))
    T = ca.jacobian(x, c)
    second = math.axis_vector(contour.axis) if isinstance(contour, Curve) else T[:, 1]
    across = math.cross(T[:, 0], second)
    return Outline(contour, c, r + R @ x, R @ T, R @ (across / math.norm(across)))


class ContactParameters:
    """Contact of two outlines as expressions of poses, twists and contact parameters.

    Parameters
    ----------
    a, b : Contour
        The outlines; at least one is a curve or a surface. The normal points from a to b.

    Attributes
    ----------
    scene : Scene
        Symbols of the bodies.
    parameters : (n,)
        Symbols of the contact parameters, those of a first.
    """

    def __init__(self, a: Contour, b: Contour) -> None:
        self.scene = Scene((), "contact")
        self.a, self.b = outline(a, self.scene), outline(b, self.scene)
        self.parameters = ca.vertcat(self.a.parameters, self.b.parameters)
        if not self.parameters.numel():
            raise ModelError(
                f"neither {type(a).__name__} nor {type(b).__name__} is a curve or a surface: use "
                "Gap, which knows their closest points."
            )

    @cached_property
    def _offset(self) -> Any:
        return self.b.point - self.a.point

    @cached_property
    def residual(self) -> Any:
        """Conditions of the contact parameters (CP-1, CP-2), as many as parameters."""
        a, b = self.a, self.b
        if not a.parameters.numel() or not b.parameters.numel():
            own, other = (a, b) if a.parameters.numel() else (b, a)
            return own.tangents.T @ (self._offset if other.is_round else other.normal)
        closest = a if isinstance(a.contour, Curve) else b
        return ca.vertcat(b.tangents.T @ a.normal, closest.tangents.T @ self._offset)

    @cached_property
    def residual_jacobian(self) -> Any:
        """Derivatives of the conditions by the parameters."""
        return ca.jacobian(self.residual, self.parameters)

    @property
    def title(self) -> str:
        """Kinds of the two contours."""
        return " and ".join(type(o.contour).__name__ for o in (self.a, self.b))

    @property
    def is_led_by_a(self) -> bool:
        """Tell whether the normal is that of a: not for a sphere, nor against a plane."""
        return not self.a.is_round and not isinstance(self.b.contour, HalfSpace)

    @cached_property
    def normal(self) -> Any:
        """Unit vector from a to b."""
        return self.a.normal if self.is_led_by_a else -self.b.normal

    @cached_property
    def gap(self) -> Any:
        """Distance (CP-4); negative for overlap."""
        return math.dot(self.normal, self._offset) - self.a.radius - self.b.radius

    @cached_property
    def points(self) -> tuple[Any, Any]:
        """Points of the two bodies that are closest."""
        a = self.a.point + self.a.radius * self.normal
        b = self.b.point - self.b.radius * self.normal
        if isinstance(self.a.contour, HalfSpace):
            a = b - self.gap * self.normal
        if isinstance(self.b.contour, HalfSpace):
            b = a + self.gap * self.normal
        return a, b

    @cached_property
    def tangents(self) -> Any:
        """Orthonormal directions across the normal (3, 1 or 2): along the first parameter."""
        own = self.a if self.a.parameters.numel() else self.b
        first = own.tangents[:, 0] / math.norm(own.tangents[:, 0])
        if isinstance(own.contour, Curve):
            return first
        return ca.horzcat(first, math.cross(self.normal, first))

    @cached_property
    def parameter_rates(self) -> Any:
        """Rates of the contact parameters (CP-3)."""
        return -ca.solve(
            ca.jacobian(self.residual, self.parameters), self.scene.rate(self.residual)
        )

    @cached_property
    def speeds(self) -> Any:
        """Rate of the gap and sliding velocities of b against a along the tangents (CP-4)."""
        v = [
            self._velocity(o.contour, x) for o, x in zip((self.a, self.b), self.points, strict=True)
        ]
        return ca.horzcat(self.normal, self.tangents).T @ (v[1] - v[0])

    def _velocity(self, contour: Contour, point: Any) -> Any:
        w, u = self.scene.twist(contour.frame)
        return u + math.cross(w, point - self.scene.pose(contour.frame)[1])

    @cached_property
    def accelerations(self) -> Any:
        """Rates of the speeds, linear in the rates of the twists (CP-5)."""
        own = ca.jacobian(self.speeds, self.parameters) @ self.parameter_rates
        return self.scene.second_rate(self.speeds) + own

    @cached_property
    def directions(self) -> dict[str, Any]:
        """For each body that moves, derivatives of the speeds by its twist: [W_N, W_T]ᵀ (CP-5)."""
        moving = self.scene.moving.items()
        return {name: ca.jacobian(self.speeds, body.twist) for name, body in moving}

    def position_function(self, *results: Any) -> Any:
        """Numerical function of the parameters and of the pose R, p of each body that moves."""
        poses = [x for body in self.scene.moving.values() for x in (body.R, body.p)]
        return ca.Function("contact", [self.parameters, *poses], list(results))

    def function(self, *results: Any) -> Any:
        """Numerical function of the parameters and of pose, twist and its rate of each body."""
        moving = self.scene.moving.values()
        symbols = [x for body in moving for x in (body.R, body.p, body.twist, body.acceleration)]
        return ca.Function("contact", [self.parameters, *symbols], list(results))
