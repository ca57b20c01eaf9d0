"""A table on four jacks: a part of one's own, built in four times.

Objective: write a piece of machine once, as a `jd.Part`, and use it again.
The jacks stand on soft oil; the weight is off the middle, so that the table tilts.
"""

import numpy as np

import jourdain as jd

STIFFNESS, MASS, HALF, OFFSET = 4e4, 60.0, 0.5, 0.2


class Jack(jd.Part):
    """A cylinder on oil: a rod in a guide, and a spring and a damper below it."""

    foot: jd.Frame
    stiffness: float

    def build(self, group: jd.Group) -> dict[str, object]:
        """A rod that slides; its end carries the table."""
        rod = group.add_body("rod", jd.solid.cylinder(mass=1.0, radius=0.02, length=0.3))
        stroke = group.add_joint("stroke", self.foot, rod, jd.Prismatic("z"))
        oil = jd.Spring(self.stiffness) + jd.Damper(800.0)
        group.add_connection("oil", jd.Coordinate(stroke), oil)
        return {"top": rod.at(0, 0, 0.15), "stroke": jd.Coordinate(stroke)}


def table() -> jd.Model:
    """Build the machine: a plate that heaves and pitches on four jacks."""
    model = jd.Model("lifting_table")
    plate = model.add_body("plate", jd.solid.box(mass=MASS, size=(1.2, 1.2, 0.04)))
    load = model.add_body("load", jd.solid.ball(mass=MASS, radius=0.1))
    model.add_joint("heave", model.world, plate, jd.Prismatic("z") * jd.Revolute("y"))
    model.add_joint("on_top", plate.at(OFFSET, 0, 0.12), load, jd.Fixed())
    corners = [(x, y) for x in (-HALF, HALF) for y in (-HALF, HALF)]
    feet = [model.world.at(x, y, -0.17) for x, y in corners]
    jacks = model.add("jack", [Jack(foot, STIFFNESS) for foot in feet])
    for jack, (x, y) in zip(jacks, corners, strict=True):
        pad = jd.Relative(plate.at(x, y, -0.02), jack.top, "z")
        model.add_connection(f"pad_{jack.name[-1]}", pad, jd.Spring(1e7) + jd.Damper(2e3))
    return model


solution = jd.simulate(table(), 3.0, sample=0.01)
print(jd.structure(solution.model))
print(solution["jack"][0])


def check() -> None:
    """Assert that the jacks carry the weight at rest, and their moments that of the load."""
    forces = np.array([float(solution["jack"][k]["oil.force"][-1]) for k in range(4)])
    weight = 9.81 * (2 * MASS + 4 * 1.0)
    assert abs(forces.sum() - weight) < 1e-3 * weight
    left, right = forces[:2].sum(), forces[2:].sum()
    assert abs((right - left) * HALF - 9.81 * MASS * OFFSET) < 1e-2 * weight


if __name__ == "__main__":
    check()
