"""Robot arm of finite elements: an upper arm that bends swings a rigid forearm.

The upper arm is a block of aluminium, meshed with tetrahedra and reduced to a few modes. Its
shoulder and its elbow are interfaces: rigid faces with a frame each. The load swings and pulls at
the arm; the page shows the arm bent ten times as much as it is, and where it is stressed.

Run: python examples/flexible_arm.py
"""

import numpy as np

import jourdain as jd

LENGTH, HEIGHT, WIDTH = 0.6, 0.03, 0.04


def upper_arm() -> jd.flexible.NodalSolid:
    """Block along x between the faces of shoulder and elbow."""
    mesh = jd.flexible.box_mesh((LENGTH, WIDTH, HEIGHT), (12, 2, 2))
    faces = {"shoulder": "x = min", "elbow": "x = max"}
    return jd.flexible.from_fem(
        mesh, jd.flexible.ALUMINIUM, interfaces=faces, modes=2, damping=0.01, highest=3000.0
    )


def build() -> jd.Model:
    """Shoulder and elbow turn about y; a load hangs at the end of the forearm."""
    model = jd.Model("flexible arm")
    upper = model.add_body("upper", upper_arm())
    fore = model.add_body("fore", jd.solid.rod(mass=1.0, end=(0.5, 0, 0)))
    load = model.add_body("load", jd.solid.ball(mass=4.0, radius=0.05))
    model.add_joint("shoulder", model.world, upper.at_interface("shoulder"), jd.Fixed())
    model.add_joint("elbow", upper.at_interface("elbow"), fore, jd.Revolute("y"))
    model.add_joint("grip", fore.at(0.5, 0, 0), load, jd.Fixed())
    model.add_connection("brake", jd.Coordinate("elbow.angle"), jd.Damper(3.0))
    return model


def sag_by_hand() -> float:
    """Deflection [m] of the elbow under the hanging load at rest, as of a beam: F L^3 / 3 E I."""
    material = jd.flexible.ALUMINIUM
    stiffness = material.youngs_modulus * WIDTH * HEIGHT**3 / 12.0
    own = material.density * WIDTH * HEIGHT * LENGTH
    return 9.81 * LENGTH**3 / stiffness * (5.0 / 3.0 + own / 8.0)


def swing() -> jd.Solution:
    """Let the load swing down."""
    return jd.simulate(build(), 1.0, start={"elbow.angle": 0.3})


def stress(sol: jd.Solution) -> float:
    """Largest stress [Pa] after von Mises in a run, away from the rigid faces."""
    arm = sol.system.model.bodies["upper"].elastic
    assert isinstance(arm, jd.flexible.NodalSolid)
    modes = np.stack([sol[f"upper.elastic.{name}"].values for name in arm.coordinates], axis=-1)
    inside = np.abs(arm.nodes[:, 0] / LENGTH - 0.5) < 0.45
    return float(arm.von_mises(modes[::10])[:, inside].max())


def check() -> None:
    """Sag at rest is that of a beam within 2 %; the load pulls with more than its weight."""
    model, sol = build(), swing()
    rest = jd.equilibrium(model, near={"elbow.angle": 1.5})
    arm = model.bodies["upper"].elastic
    assert isinstance(arm, jd.flexible.NodalSolid)
    elbow = arm.interfaces["elbow"].A[2]
    sag = -sum(elbow[k] * rest[f"upper.elastic.{name}"] for k, name in enumerate(arm.coordinates))
    assert abs(sag / sag_by_hand() - 1.0) < 0.02
    assert abs(sol["elbow.force"].values[:, 2]).max() > 1.3 * 5.0 * 9.81
    assert 5e6 < stress(sol) < 2e7


if __name__ == "__main__":
    check()
    run = swing()
    print(f"largest stress {stress(run) / 1e6:.3g} MPa")
    jd.animate(run, "flexible_arm.html", bend=10.0, traces=["load"])
