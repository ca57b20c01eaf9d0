r"""A washing machine runs up to its spin cycle, through the resonances of its tub.

What it shows
-------------
Modes and frequency response tell beforehand what the run-up then does: the tub shakes most where
the speed of the drum meets the frequency of a mode.

The system
----------
A tub on springs and dampers moves in a plane; a drum turns in it, with an unbalance::

        |/\/\|  .------.
        |    |-(  (o) . )   drum with unbalance
        |/\/\|  '------'
         springs and dampers along y and z

==================  ========  ======
parameter           value     unit
==================  ========  ======
tub, drum           40, 8     kg
unbalance           0.5       kg
at radius           0.2       m
stiffness y, z      6, 9      kN/m
damping y, z        60, 80    N s/m
==================  ========  ======
"""

# %% The machine; the drum turns as a function of time.
from typing import Any

import numpy as np

import jourdain as jd

UNBALANCE, RADIUS = 0.5, 0.2
STIFFNESS, DAMPING = {"y": 6e3, "z": 9e3}, {"y": 60.0, "z": 80.0}
PLACE = {"y": "tub.position_1", "z": "tub.position_2"}


def washing_machine(angle: Any = 0.0) -> jd.Model:
    """Tub and drum, whose angle [rad] is a number or a function of time."""
    model = jd.Model("washing machine")
    body = model.add_body("tub", jd.solid.cylinder(40.0, radius=0.3, length=0.4, axis="x"))
    clothes = jd.solid.point(UNBALANCE, at=(0.0, 0.0, RADIUS))
    drum = model.add_body("drum", jd.solid.cylinder(8.0, 0.25, 0.35, axis="x") + clothes)
    model.add_joint("tub", model.world, body, jd.Prismatic("y") * jd.Prismatic("z"))
    model.add_joint("bearing", body, drum, jd.Revolute("x"), driven={"angle": angle})
    for axis, name in PLACE.items():
        place = jd.Coordinate(name)
        model.add_connection(f"spring_{axis}", place, jd.Spring(STIFFNESS[axis]))
        model.add_connection(f"damper_{axis}", place, jd.Damper(DAMPING[axis]))
    return model


# %% Where it rests, how it vibrates, and how it answers to forces.
rest = jd.equilibrium(washing_machine())
modes = jd.eigenmodes(washing_machine(), rest)
print(rest, modes, sep="\n")
response = jd.frequency_response(
    washing_machine(), np.linspace(0.3, 6.0, 400), about=rest, inputs=[*PLACE.values()]
)


def steady_amplitude(axis: str, speed: float) -> float:
    """Amplitude [m] of the tub at a constant speed [rad/s] of the drum, by the response."""
    force = UNBALANCE * RADIUS * speed**2
    at = jd.frequency_response(response.lin, [speed / (2 * np.pi)])
    return float(force * np.abs(at[PLACE[axis], PLACE[axis]])[0])


# %% The run-up: from 0.5 to 5 turns in a second within 60 s.
LOW, HIGH, DURATION = 0.5 * 2 * np.pi, 5.0 * 2 * np.pi, 60.0


def run_up() -> jd.Solution:
    growth = (HIGH - LOW) / DURATION
    model = washing_machine(lambda t: LOW * t + 0.5 * growth * t**2)
    return jd.simulate(model, DURATION, start={PLACE["z"]: rest[PLACE["z"]]}, sample=0.02)


def largest(sol: jd.Solution, axis: str) -> tuple[float, float]:
    """Speed [1/s] at which the tub shakes most, and by how much [m]."""
    time = sol.time
    speed = jd.signals.Signal(time, LOW + (HIGH - LOW) * time / DURATION, "drum", "rad/s")
    x = np.asarray(sol[PLACE[axis]]) - rest[PLACE[axis]]
    orders = jd.order_map(
        jd.signals.Signal(time, x, f"tub {axis}", "m"), by=speed, revolutions=4, overlap=0.9
    )
    first = orders.order(1.0)
    k = int(np.argmax(first))
    return float(orders.speeds[k] / (2 * np.pi)), float(first[k])


# %% What is claimed.
def check() -> None:
    for mode, axis in zip(modes, "yz", strict=True):
        assert np.isclose(mode.frequency, np.sqrt(STIFFNESS[axis] / 48.5) / (2 * np.pi))
    sol = run_up()
    for mode, axis in zip(modes, "yz", strict=True):
        speed, size = largest(sol, axis)
        assert abs(speed / mode.frequency - 1.0) < 0.1  # the peak comes a little late
        exact = steady_amplitude(axis, 2 * np.pi * mode.frequency)
        assert 0.5 * exact < size < exact  # there is no time to build up all of it
    turning = 20.0
    sol = jd.simulate(washing_machine(lambda t: turning * t), 30.0, sample=0.01)
    late = jd.spectrum(sol, PLACE["y"], t=(30.0 - 16 * np.pi / turning, 30.0 - 1e-9), window="none")
    assert np.isclose(late.values.max(), steady_amplitude("y", turning), rtol=0.02)


if __name__ == "__main__":
    run = run_up()
    for axis in "yz":
        print(axis, "shakes most at", largest(run, axis))
    jd.plot(response, *PLACE.values(), title="tub by forces on it")[0].figure.savefig("tub.png")
    jd.plot(run, *PLACE.values())[0].figure.savefig("run_up.png")
    jd.animate(modes[0], "mode.html")
    check()
