"""Parts for tests: nested ones, arrays, all kinds of fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jourdain as jd

NAMES = ("Pendulum", "Chain", "Paste", "Coupling")


@dataclass(frozen=True)
class Paste:
    """A record that fields hold."""

    damping: Any = 0.1


class Pendulum(jd.Part):
    """A rod that hangs on a pivot."""

    pivot: Any
    length: Any = 0.3
    paste: Paste = Paste()

    def build(self, group: jd.Group) -> Mapping[str, Any]:
        rod = group.add_body("rod", jd.solid.rod(mass=1.0, end=(0, 0, -1.0 * self.length)))
        hinge = group.add_joint("hinge", self.pivot, rod, jd.Revolute("y"))
        group.add_connection("paste", jd.Coordinate(hinge), jd.Damper(self.paste.damping))
        return {"tip": rod.at(0, 0, -1.0 * self.length), "angle": jd.Coordinate(hinge), "rod": rod}


class Chain(jd.Part):
    """Pendulums one below the other, with a rotor on a frame."""

    pivot: Any
    lengths: tuple[Any, ...] = (0.3, 0.2)
    colours: Mapping[Any, Any] = None  # type: ignore[assignment]
    rotor: jd.Part | None = None

    def build(self, group: jd.Group) -> Mapping[str, Any]:
        tip = self.pivot
        for k, length in enumerate(self.lengths):
            tip = group.group("link").add(str(k), Pendulum(tip, length)).tip
        group.add_frame("end", tip)
        group.add_coordinate("rotor", 0.2)
        return {"tip": tip}


class Coupling(jd.Part):
    """A spring between two parts, and a contact of law and measure that are given."""

    a: Any
    b: Any
    measure: jd.Measure
    law: Any = None

    def build(self, group: jd.Group) -> Mapping[str, Any]:
        group.add_connection("spring", self.a.angle - self.b.angle, jd.Spring(5.0))
        group.add_connection("more", self.measure, self.law or jd.Spring(1.0))
        return {"angle": self.a.angle - self.b.angle}


def factory(part: jd.Part) -> jd.Model:
    """Parts and plain elements that need each other in turn."""
    model = jd.Model("factory")
    length = jd.Parameter("length", 0.25, "m")
    crane = model.add_body("crane", jd.solid.ball(mass=3.0, radius=0.1))
    model.add_joint("rail", model.world, crane, jd.Prismatic("x"))
    one = model.add("one", Pendulum(crane, length, Paste(0.5)))
    hook = model.add_body("hook", jd.solid.ball(mass=0.5, radius=0.05))
    model.add_joint("hook", one.tip, hook, jd.Spherical())
    oil = model.group("oil")
    two = oil.add("two", Pendulum(hook.at(0, 0, -0.1)))
    model.add("zig", part)
    oil.add("tie", Coupling(one, two, jd.Distance(hook, crane), jd.Spring(3.0) + jd.Damper(0.1)))
    row = model.add("row", [Pendulum(model.world.at(0.2 * k, 1, 0)) for k in range(3)])
    model.add_connection("between", row[2].angle - one.angle, jd.Spring(2.0))
    oil.add_coordinate("shaft", 0.1)
    return model
