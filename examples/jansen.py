"""Jansen's leg: eleven bars turn a crank into a step.

What it shows
-------------
Two loops share the crank, and one joint of bars hangs on another. Lengths are Jansen's own. The
crank is driven, so that all else follows: `jd.kinematics` closes the loops at every instant. The
foot draws a flat line on the ground and comes back through the air.
"""

from typing import Any

import numpy as np

import jourdain as jd

UNIT = 0.01  # [m]
A, B, C, D, E, F, G, H, I, J, K, L, M = (  # noqa: E741
    38.0, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49.0, 50.0, 61.9, 7.8, 15.0,
)  # fmt: skip


def circle(p: tuple[float, float], r: float, q: tuple[float, float], s: float, side: int) -> Any:
    """Point at distances r from p and s from q, left (1) or right (-1) of the way from p to q."""
    d = np.hypot(q[0] - p[0], q[1] - p[1])
    along = (r**2 - s**2 + d**2) / (2 * d)
    across = side * np.sqrt(r**2 - along**2)
    x, z = (q[0] - p[0]) / d, (q[1] - p[1]) / d
    return p[0] + along * x - across * z, p[1] + along * z + across * x


pivot, crank_pin = (-A, -L), (M, 0.0)
top = circle(crank_pin, J, pivot, B, -1)
low = circle(crank_pin, K, pivot, C, 1)
left = circle(pivot, D, top, E, 1)
knee = circle(left, F, low, G, -1)
foot = circle(knee, H, low, I, -1)

model = jd.Model("jansen", gravity=(0, 0, -9.81))


def bar(name: str, *points: tuple[float, float]) -> list[jd.Frame]:
    """Body along points of the plane, its frame at the first; frames at all of them."""
    x0, z0 = points[0]
    places = [(UNIT * (x - x0), 0.0, UNIT * (z - z0)) for x, z in points]
    solid = jd.solid.rod(0.1, end=places[1])
    for a, b in zip(places[1:], [*places[2:], places[0]], strict=True):
        solid = solid + jd.solid.rod(0.1, start=a, end=b) if len(places) > 2 else solid
    body = model.add_body(name, solid)
    return [body.at(*p) for p in places]


y = jd.Revolute("y")
crank = bar("crank", (0.0, 0.0), crank_pin)
upper = bar("upper", crank_pin, top)
lower = bar("lower", crank_pin, low)
rocker = bar("rocker", pivot, top, left)
link = bar("link", pivot, low)
down = bar("down", left, knee)
shin = bar("shin", low, knee, foot)
stand = model.world.at(UNIT * pivot[0], 0, UNIT * pivot[1])
model.add_joint("motor", model.world, crank[0], y, driven={"angle": lambda t: 2 * np.pi * t})
joints = {
    "hip": (stand, rocker[0]), "swing": (stand, link[0]), "pin_1": (crank[1], upper[0]),
    "pin_2": (crank[1], lower[0]), "top": (upper[1], rocker[1]), "low": (lower[1], link[1]),
    "left": (rocker[2], down[0]), "ankle": (link[1], shin[0]), "knee": (down[1], shin[1]),
}  # fmt: skip
for name, ends in joints.items():
    model.add_joint(name, *ends, y)
model.add_frame("foot", shin[2])

sol = jd.kinematics(model, 1.0)
path = sol["foot.position"].values


def check() -> None:
    """Assert what the text claims."""
    x, z = path[:, 0], path[:, 2]
    np.testing.assert_allclose(path[0], path[-1], atol=1e-9)  # it closes
    stride = np.ptp(x)
    ground = z < z.min() + 0.05 * np.ptp(z)  # what lies on the lowest twentieth
    assert np.ptp(x[ground]) > 0.5 * stride
    assert jd.structure(model).n_loops == 3


if __name__ == "__main__":
    jd.animate(sol, "jansen.html", traces=["foot"], plots=["foot.position"])
    check()
