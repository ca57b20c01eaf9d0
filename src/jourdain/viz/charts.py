"""Charts of linear analyses and of signals: Bode, spectrum, orders, Campbell, modes, cycles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jourdain.analysis.linear.sweep import Equilibria
from jourdain.analysis.signals import OrderMap, Rainflow, Signal, Spectrum
from jourdain.analysis.vibration.large_modes import LargeMode, LargeModes
from jourdain.analysis.vibration.modes import Mode, Modes
from jourdain.analysis.vibration.over_parameter import Campbell
from jourdain.analysis.vibration.response import Response
from jourdain.errors import unknown_name
from jourdain.viz.mode_picture import mode_picture
from jourdain.viz.panels import COLOURS

Axes = Callable[[int], list[Any]]
_ORDERS = (1.0, 2.0, 3.0)
_MOST_LEGENDS = 10
_NONE = 1e-12  # part of the largest answer that counts as none
_HEADROOM = 1.5  # times the highest order line that is drawn of a Campbell diagram
_SEEN = 2e-3  # part of the largest amplitude up to which frequencies are drawn
_LEAST_RATIO = 0.1  # [%] damping ratios are drawn at least this far up and down


def chart(subject: Any, names: Sequence[Any], axes: Axes, title: str) -> list[Any] | None:
    """Draw a result of a linear analysis or a signal; None if it is none.

    Parameters
    ----------
    subject : Response, Spectrum, OrderMap, Campbell, Modes, Rainflow or Signal
        What to draw.
    names : sequence of str
        Outputs of a response, or orders of a Campbell diagram; by default all.
    axes : function of int
        Gives as many axes.
    title : str
        Title.
    """
    for kind, draw in _CHARTS.items():
        if isinstance(subject, kind):
            drawn = draw(subject, names, axes)
            for own in drawn:
                own.grid(alpha=0.3)
            if title:
                drawn[0].set_title(title)
            return drawn
    return None


def _bode(response: Response, names: Sequence[str], axes: Axes) -> list[Any]:
    """Size and phase of answers over frequency."""
    size, phase = axes(2)
    for name in names:
        if name not in response.outputs:
            raise unknown_name("output", name, response.outputs, "this response")
    k = 0
    for i, output in enumerate(response.outputs):
        if names and output not in names:
            continue
        for j, source in enumerate(response.inputs):
            values = response.values[:, i, j]
            if np.abs(values).max(initial=0.0) <= _NONE * np.abs(response.values).max(initial=0.0):
                continue  # no answer at all
            label = output if len(response.inputs) == 1 else f"{output} by {source}"
            style = {"color": COLOURS[k % len(COLOURS)], "label": label, "linewidth": 1.4}
            size.plot(response.frequencies, np.abs(values), **style)
            angle = np.degrees(np.unwrap(np.angle(np.where(np.isfinite(values), values, 1.0))))
            phase.plot(response.frequencies, angle, **style)
            k += 1
    size.set(xscale="log", yscale="log", ylabel=_size_label(response, names))
    phase.set(xscale="log", xlabel="frequency [Hz]", ylabel="phase [deg]")
    low, high = phase.get_ylim()
    phase.set_yticks(np.arange(90.0 * np.floor(low / 90.0), 90.0 * np.ceil(high / 90.0) + 1, 90.0))
    if 1 < k <= _MOST_LEGENDS:
        size.legend(fontsize=8)
    elif k == 1:
        size.set_title(f"{(names or response.outputs)[0]} by {response.inputs[0]}", fontsize=10)
    return [size, phase]


def _size_label(response: Response, names: Sequence[str]) -> str:
    pairs = zip(response.outputs, response.lin.output_units, strict=True)
    units = {unit for name, unit in pairs if not names or name in names}
    return (
        f"size [{units.pop()} per unit of input]" if len(units) == 1 else "size per unit of input"
    )


def _spectrum(spectrum: Spectrum, _: Sequence[str], axes: Axes) -> list[Any]:
    (own,) = axes(1)
    own.plot(spectrum.frequencies, spectrum.values, color=COLOURS[0], linewidth=1.2)
    own.set(xlabel="frequency [Hz]", ylabel=f"{spectrum.name} [{spectrum.unit}]", ylim=(0, None))
    seen = np.flatnonzero(spectrum.values > _SEEN * spectrum.values.max())
    last = 1.3 * spectrum.frequencies[seen[-1]] if len(seen) else spectrum.frequencies[-1]
    own.set_xlim(0.0, min(max(last, spectrum.frequencies[3]), spectrum.frequencies[-1]))
    if spectrum.kind == "density":
        own.set(yscale="log", ylim=(max(spectrum.values.max() * 1e-8, 1e-300), None))
    return [own]


def _orders(orders: OrderMap, _: Sequence[str], axes: Axes) -> list[Any]:
    (own,) = axes(1)
    speeds = orders.speeds * 30.0 / np.pi
    mesh = own.pcolormesh(
        orders.orders, speeds, orders.amplitudes, shading="nearest", cmap="viridis"
    )
    own.figure.colorbar(mesh, ax=own, label=f"{orders.name} [{orders.unit}]")
    own.set(xlabel=f"order of {orders.by}", ylabel="speed [rev/min]")
    return [own]


def _campbell(diagram: Campbell, names: Sequence[Any], axes: Axes) -> list[Any]:
    frequency, ratio = axes(2)
    for k, branch in enumerate(diagram.frequencies.T):
        colour = COLOURS[k % len(COLOURS)]
        frequency.plot(diagram.values, branch, color=colour, linewidth=1.4)
        swings = branch > 0.0
        ratio.plot(diagram.values[swings], 100.0 * diagram.damping_ratios[swings, k], color=colour)
    if diagram.unit == "rad/s":
        highest = max(float(order) for order in names or _ORDERS)
        lines = _HEADROOM * highest * np.abs(diagram.values).max() / (2.0 * np.pi)
        top = min(1.05 * np.nanmax(diagram.frequencies), lines) or 1.0
        for order in names or _ORDERS:
            line = float(order) * np.abs(diagram.values) / (2.0 * np.pi)
            frequency.plot(diagram.values, line, color="#7f7f7f", linewidth=0.8, linestyle="--")
            inside = np.flatnonzero(line <= top)
            if len(inside):
                at = inside[-1]
                place = diagram.values[at], line[at]
                frequency.annotate(f"order {float(order):g}", place, fontsize=8, ha="right")
        frequency.set_ylim(0.0, top)
    unit = f" [{diagram.unit}]" if diagram.unit else ""
    low, high = ratio.get_ylim()
    ratio.set_ylim(min(low, -_LEAST_RATIO), max(high, _LEAST_RATIO))
    frequency.set(ylabel="frequency [Hz]")
    ratio.set(xlabel=f"{diagram.name}{unit}", ylabel="damping ratio [%]")
    return [frequency, ratio]


def _equilibria(found: Equilibria, names: Sequence[str], axes: Axes) -> list[Any]:
    """Coordinates over what is varied; unstable ones dashed."""
    (own,) = axes(1)
    for name in names:
        if name not in found.names:
            raise unknown_name("coordinate", name, found.names, "these equilibria")
    stable = found.are_stable
    moving = [n for n in found.names if float(np.ptp(found[n])) > 0.0] or list(found.names)
    shown = list(names) or moving[:_MOST_LEGENDS]
    for k, name in enumerate(shown):
        colour, values = COLOURS[k % len(COLOURS)], found[name]
        own.plot(found.values, values, color=colour, linewidth=1.2, linestyle=":")
        own.plot(found.values, np.where(stable, values, np.nan), color=colour, label=name)
    unit = f" [{found.unit}]" if found.unit else ""
    units = dict(zip(found[0].system.names.q, found[0].system.names.q_units, strict=True))
    kinds = {units.get(name, "") for name in shown}
    word = f" [{kinds.pop()}]" if len(kinds) == 1 else ""
    label = f"{shown[0]}{word}" if len(shown) == 1 else f"coordinates{word}"
    own.set(xlabel=f"{found.name}{unit}", ylabel=label)
    if len(shown) > 1:
        own.legend(fontsize=8)
    return [own]


def _modes(modes: Any, _: Sequence[str], axes: Axes) -> list[Any]:
    """Eigenvalues in the plane."""
    (own,) = axes(1)
    values = modes.eigenvalues
    own.plot(values.real, values.imag, "o", color=COLOURS[0], markersize=5)
    for mode in modes:
        place = mode.eigenvalue.real, mode.eigenvalue.imag
        own.annotate(f" {mode.number}", place, fontsize=8)
    own.axvline(0.0, color="#7f7f7f", linewidth=0.8)
    own.set(xlabel="real part [1/s]", ylabel="imaginary part [rad/s]")
    return [own]


def _rainflow(cycles: Rainflow, _: Sequence[str], axes: Axes) -> list[Any]:
    """Ranges over the number of cycles that exceed them."""
    (own,) = axes(1)
    order = np.argsort(-cycles.cycles[:, 0], kind="stable")
    total = np.cumsum(cycles.cycles[order, 2])
    own.step(total, cycles.cycles[order, 0], where="post", color=COLOURS[0])
    own.set(xscale="log", xlabel="cycles", ylabel=f"range of {cycles.name} [{cycles.unit}]")
    return [own]


def _signal(signal: Signal, _: Sequence[str], axes: Axes) -> list[Any]:
    (own,) = axes(1)
    own.plot(signal.time, signal.values, color=COLOURS[0], linewidth=1.4)
    own.set(xlabel="time [s]", ylabel=f"{signal.name} [{signal.unit}]")
    return [own]


_CHARTS: dict[type, Callable[[Any, Sequence[Any], Axes], list[Any]]] = {
    Response: _bode,
    Spectrum: _spectrum,
    OrderMap: _orders,
    Campbell: _campbell,
    Modes: _modes,
    LargeModes: _modes,
    Mode: mode_picture,
    LargeMode: mode_picture,
    Equilibria: _equilibria,
    Rainflow: _rainflow,
    Signal: _signal,
}
