r"""A load on knotted ropes: a connection made of parts, with a massless knot inside.

What it shows
-------------
A composite connection has parts that meet in nodes without mass. Where the knot is follows from the
balance of the ropes, so it needs no mass that would make the equations stiff. A function that
returns a composite is an entry of a library of your own.

The system
----------
Three ropes run from posts to a knot, and a fourth one from there to a load that swings::

    o post 0           o post 1
      \               /
        \           /         knot: no mass
          \       /   __o post 2
            \   / __/
              *
              |  hanger
             [ ] load

=========  =====  ======
parameter  value  unit
=========  =====  ======
stiffness  4000   N/m
load       20     kg
=========  =====  ======
"""

# %% An entry of a library: ropes from any points to a knot.
import numpy as np

import jourdain as jd

STIFFNESS, LENGTH = 4000.0, 1.2
SPACE = jd.Prismatic("x") * jd.Prismatic("y") * jd.Prismatic("z")


def bridle(
    posts: list[jd.Frame], load: jd.Frame, start: tuple[float, float, float]
) -> jd.Composite:
    """Ropes from posts to a knot above a load."""
    knot = jd.Node("knot", start)
    rope = jd.Spring(STIFFNESS, free=LENGTH)
    parts = {f"rope_{k}": (jd.Distance(post, knot), rope) for k, post in enumerate(posts)}
    parts["hanger"] = (jd.Distance(knot, load), jd.Spring(STIFFNESS, free=0.5))
    return jd.Composite(parts, nodes=[knot])


# %% The machine.
def machine(mass_of_knot: float = 0.0) -> jd.Model:
    """Load on ropes; with a mass in the place of the node if one is given."""
    model = jd.Model("ropes")
    load = model.add_body("load", jd.solid.box(20.0, size=(0.3, 0.3, 0.2)))
    model.add_joint("swing", model.world.at(0.1, 0, -1.4), load, jd.Free())
    posts = [model.world.at(*r) for r in ((-1, -0.6, 0), (1, -0.6, 0), (0, 1, 0))]
    if not mass_of_knot:
        model.add_connection("bridle", bridle(posts, load.at(0, 0, 0.1), (0, 0, -0.8)))
        return model
    knot = model.add_body("knot", jd.solid.ball(mass_of_knot, 0.01))
    model.add_joint("flight", model.world, knot, SPACE)
    for k, post in enumerate(posts):
        rope = jd.Spring(STIFFNESS, free=LENGTH)
        model.add_connection(f"rope_{k}", jd.Distance(post, knot), rope)
    hanger = jd.Spring(STIFFNESS, free=0.5)
    model.add_connection("hanger", jd.Distance(knot, load.at(0, 0, 0.1)), hanger)
    return model


# %% It swings.
start = {"swing.velocity": (0.5, 0.2, 0.0)}
method = jd.Dop853(rtol=1e-9, atol=1e-10)
sol = jd.simulate(machine(), 2.0, start=start, method=method)
print(sol)
print("largest pull [N]", {k: round(-float(sol[f"bridle.rope_{k}.force"].min())) for k in range(3)})

# %% The same with a knot of 20 g, which begins where the ropes balance.
first = sol["bridle.knot.position"].values[0]
at = {f"flight.position_{k}": float(x) for k, x in enumerate(first, 1)}
heavy = jd.simulate(machine(0.02), 2.0, start=start | at, method=method)
print(f"{sol.statistics.steps} steps without a mass, {heavy.statistics.steps} with 20 g")


def check() -> None:
    """Assert what the text claims."""
    knot, load = sol["bridle.knot.position"].values, sol["load.position"].values
    posts = np.array(((-1, -0.6, 0), (1, -0.6, 0), (0, 1, 0)))
    pulls = np.zeros_like(knot)
    for k, post in enumerate(posts):
        line = knot - post
        along = sol[f"bridle.rope_{k}.force"].values / np.linalg.norm(line, axis=1)
        pulls += along[:, None] * line
    hanger = sol["bridle.hanger.force"].values
    np.testing.assert_allclose(np.linalg.norm(pulls, axis=1), np.abs(hanger), rtol=1e-9)
    energy = sol["energy.total"].values
    np.testing.assert_allclose(energy, energy[0], atol=1e-5)
    off = np.abs(load - heavy["load.position"].values).max()
    assert off < 0.01, off  # 20 g of 20 kg
    assert heavy.statistics.steps > 3 * sol.statistics.steps


if __name__ == "__main__":
    check()
