"""Pictures of examples that ask for more than `jd.plot`: those of the guides and of the gallery.

``make gallery`` runs an example and gives its variables to the function with its name.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from matplotlib import pyplot as plt

import jourdain as jd


def tensioner(own: SimpleNamespace) -> Any:
    """Force of the oil over the way of the piston, for three speeds of the cam."""
    figure, axis = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    for hertz, (sol, k) in own.runs.items():
        force = 1e-3 * own.AREA * sol.values("oil.tensioner.pressure")[k]
        axis.plot(-1e3 * sol.values("cam")[k], force, label=f"{hertz:.0f} Hz")
    axis.set(xlabel="way into the chamber [mm]", ylabel="force of the oil [kN]")
    axis.set_title("Force of a chain tensioner over a turn of the cam")
    axis.legend(frameon=False)
    axis.spines[["top", "right"]].set_visible(False)
    return figure


def five_speed(own: SimpleNamespace) -> Any:
    """Speeds, torques of the elements, acceleration."""
    figure, axes = plt.subplots(3, 1, sharex=True, figsize=(8, 7), layout="constrained")
    t = own.solution.time
    for name, label in (("crank.speed", "engine"), ("box.input.speed", "turbine")):
        axes[0].plot(t, own.solution.values(name), label=label)
    for name in ("A", "D", "E", "FW"):
        axes[1].plot(t, np.abs(own.solution.values(f"box.{name}.torque")), label=name)
    axes[2].plot(t, own.solution.values("car.acceleration"))
    for axis, label in zip(axes, ("rad/s", "N m", "m/s²"), strict=True):
        axis.set_ylabel(label)
    for axis in axes[:2]:
        axis.legend(loc="upper right")
    axes[2].set_xlabel("time [s]")
    return figure


def optimal_shift(own: SimpleNamespace) -> Any:
    """Speeds, inputs, acceleration."""
    figure, axes = plt.subplots(2, 2, sharex=True, figsize=(10, 6), layout="constrained")
    for name, solution in own.runs.items():
        t = solution.time
        axes[0, 0].plot(t, solution.values("turbine.speed"), label=name)
        axes[0, 1].plot(t, solution.values("second.capacity"))
        axes[1, 0].plot(t, solution.values(own.JERKS))
        axes[1, 1].plot(t, solution.values("torque.force"))
    titles = ("turbine [rad/s]", "capacity [N m]", "wheel [rad/s²]", "engine torque [N m]")
    for axis, title in zip(axes.flat, titles, strict=True):
        axis.set_ylabel(title)
    axes[0, 0].legend()
    for axis in axes[1]:
        axis.set_xlabel("time [s]")
    return figure


def _orders(axis: Any, run: jd.Solution, late: Any, speed: Any, name: str, title: str) -> None:
    """Mesh orders of a quantity over a run-up; the speed is that of the meshes [rad/s]."""
    by = jd.signals.Signal(run.time[late], speed[late], "mesh", "rad/s")
    signal = jd.signals.Signal(run.time[late], run.values(name)[late], name)
    found = jd.order_map(signal, by=by, revolutions=6, highest=5.5, window="hann")
    share = np.asarray(found.amplitudes) / np.max(found.amplitudes)
    middle = np.asarray(found.speeds) / (2.0 * np.pi)
    axis.pcolormesh(found.orders, middle, np.log10(share + 1e-3), shading="nearest")
    axis.set(title=title, xlabel="mesh order", ylabel="mesh frequency [Hz]")


def planet_phasing(own: SimpleNamespace) -> Any:
    """Orders over the run-up."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    run, speed = own.solution, own.PLANET * own.solution.values("pin_0.rate")
    late = run.time >= 0.2
    _orders(axes[0], run, late, speed, "plane.angular_acceleration", "rotation of the ring")
    _orders(axes[1], run, late, speed, "bearing.radial.force.x", "force in its bearing")
    return figure


def ravigneaux(own: SimpleNamespace) -> Any:
    """Force of a mesh, and orders over the run-up."""
    figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
    run, speed = own.solution, own.teeth.small * own.solution.values("gear.small_plane.rate")
    now, late = (run.time > 0.04) & (run.time < 0.05), run.time >= own.STEADY
    for name in ("long_ring_0", "long_ring_1", "short_small_0"):
        axes[0].plot(1e3 * run.time[now], run.values(f"gear.{name}.force")[now], label=name)
    axes[0].set(xlabel="time [ms]", ylabel="tooth force [N]")
    axes[0].legend()
    _orders(axes[1], run, late, speed, own.TURNING, "rotation of the ring")
    _orders(axes[2], run, late, speed, own.SHAKING, "force on the housing")
    return figure


def timing_gears(own: SimpleNamespace) -> Any:
    """Tooth force over the first 30 ms, load spectrum, durations of hits, loads of all."""
    figure, axes = plt.subplots(2, 2, figsize=(11, 7), layout="constrained")
    early = own.solution.time < 0.03
    axes[0, 0].plot(1e3 * own.solution.time[early], own.last[early] / 1e3, lw=0.8)
    axes[0, 0].set(xlabel="time [ms]", ylabel="force of the last mesh [kN]", title="five cylinders")
    peaks = np.sort(own.hits.peak)
    axes[0, 1].step(peaks / 1e3, len(peaks) - np.arange(len(peaks)), label="hits of the run")
    x = np.linspace(50.0, 1.1 * peaks[-1], 300)
    axes[0, 1].plot(x / 1e3, own.spectrum.exceeded(x), label="H₀ exp(−a xⁿ)")
    axes[0, 1].set(xlabel="peak [kN]", ylabel="hits above", yscale="log", ylim=(0.5, None))
    axes[0, 1].legend()
    axes[1, 0].hist(1e3 * own.hits.duration, bins=30, density=True)
    t = np.linspace(1e-6, 1.05 * own.hits.duration.max(), 300)
    axes[1, 0].plot(1e3 * t, 1e-3 * own.spans.density(t), label="Gamma distribution")
    axes[1, 0].set(xlabel="duration of a hit [ms]", ylabel="density [1/ms]")
    axes[1, 0].legend()
    words = [f"{name} {k + 1}" for name, x in own.TRAINS.items() for k in range(len(x.pairs))]
    found = zip(own.static.values(), own.highest.values(), own.loads.values(), strict=True)
    rows = [np.array([mean, quasi, *both]) / 1e3 for mean, quasi, both in found]
    labels = "mean", "quasi-static", "dynamic, no play", "dynamic"
    for k, (label, values) in enumerate(zip(labels, np.concatenate(rows, axis=1), strict=True)):
        axes[1, 1].bar(np.arange(len(words)) + 0.2 * k - 0.3, values, 0.2, label=label)
    axes[1, 1].set_xticks(range(len(words)), words, rotation=90)
    axes[1, 1].set_ylabel("tooth force [kN]")
    axes[1, 1].legend()
    return figure


def twisting_camshaft(own: SimpleNamespace) -> Any:
    """Force of the first mesh over half a turn, without play and with it."""
    figure, axis = plt.subplots(figsize=(8, 3.8), layout="constrained")
    for run, label in ((own.solution, "play 0.05 mm"), (own.tight, "no play")):
        some = (run.time > 0.5 * own.TURN) & (run.time < own.TURN)
        axis.plot(1e3 * run.time[some], run.values("m1.force")[some] / 1e3, lw=0.9, label=label)
    axis.set(xlabel="time [ms]", ylabel="force of the first mesh [kN]")
    axis.legend(frameon=False)
    axis.spines[["top", "right"]].set_visible(False)
    return figure


def tractor(own: SimpleNamespace) -> Any:
    """Modes over the ratio, and Campbell diagram."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
    ratios = [own.tractor(s).part("split").ratio() for s in own.SETTINGS]
    axes[0].semilogy(ratios, own.over_ratio, "o-", color="C0", markersize=3)
    axes[0].set(xlabel="collector over engine speed", ylabel="frequency [Hz]", title="modes")
    engine = np.array([80.0, 250.0])  # [rad/s]
    for mode in own.loaded:
        axes[1].plot(engine, [mode.frequency] * 2, color="C0", lw=0.8)
    for label, order in (("PTO 2", 2.0 / 3.5), ("engine 2", 2.0), ("engine 4", 4.0)):
        axes[1].plot(engine, order * engine / (2.0 * np.pi), "--", label=label)
    axes[1].set(xlabel="engine speed [rad/s]", ylabel="frequency [Hz]", ylim=(0.0, 60.0))
    axes[1].set_title("Campbell diagram, PTO loaded")
    axes[1].legend()
    return figure


def cardan_run_up(own: SimpleNamespace) -> Any:
    """Orders of the torque over the speed of the PTO."""
    figure, axis = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    shown = np.log10(own.orders.amplitudes.T + 1e-3)
    axis.pcolormesh(own.orders.speeds, own.orders.orders, shown, shading="nearest")
    critical = 2.0 * own.CRITICAL / own.orders.speeds
    axis.plot(own.orders.speeds, critical, "w--", label="mode of the machine")
    axis.set(xlabel="PTO speed [rad/s]", ylabel="order of the PTO", ylim=(0.0, 8.0))
    axis.set_title("torque of the Cardan shaft, 22° and 25°")
    axis.legend()
    return figure


DRAWN = (
    cardan_run_up, five_speed, optimal_shift, planet_phasing, ravigneaux, tensioner, timing_gears,
    tractor, twisting_camshaft,
)  # fmt: skip
PICTURES = {draw.__name__: draw for draw in DRAWN}
