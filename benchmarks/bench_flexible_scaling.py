"""Forward dynamics of chains of flexible links: linear in links, at most cubic in modes.

Run: python benchmarks/bench_flexible_scaling.py
"""

import time

import numpy as np

import jourdain as jd

SECTION = jd.flexible.Section(50.0, 50.0, 30.0, 1e4, 1.0, (1e-3, 5e-4, 5e-4))
STATES, TURNS = 512, 15  # so many states that the code is compiled, in lanes; quickest of the turns


def chain(n: int, modes: int) -> jd.Model:
    """Chain of equal beams on hinges."""
    model = jd.Model("chain", gravity=(0.0, 0.0, -9.81))
    beam = jd.flexible.beam(
        0.5, SECTION, modes=modes, fields=("y", "z"), functions=max(6, modes), damping=0.02
    )
    carrier = model.world
    for k in range(n):
        body = model.add_body(f"link{k}", beam)
        model.add_joint(f"joint{k}", carrier, body, jd.Revolute("y" if k % 2 else "z"))
        carrier = body.at(0.5, 0, 0)
    return model


def measure(n: int, modes: int) -> float:
    """Processor time [s] of one evaluation of forward dynamics, springs of the bodies included."""
    system = jd.compile(chain(n, modes), execution=jd.Looped())
    q, v = (np.zeros((STATES, len(system.names.q))) for _ in range(2))
    tau = np.zeros_like(v)
    system.forward_dynamics(q, v, tau)
    best = np.inf
    for _ in range(TURNS):
        start = time.process_time()
        system.forward_dynamics(q, v, tau)
        best = min(best, (time.process_time() - start) / STATES)
    return best


def main() -> None:
    """Print both series."""
    print("links (4 modes each)")
    for n in (2, 4, 8, 16):
        print(f"  {n:3d}  {1e6 * measure(n, 4):8.2f} us")
    print("modes (4 links)")
    for modes in (2, 4, 8, 12):
        print(f"  {modes:3d}  {1e6 * measure(4, modes):8.2f} us")


if __name__ == "__main__":
    main()
