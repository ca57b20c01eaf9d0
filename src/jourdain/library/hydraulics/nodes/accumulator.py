"""The accumulator: oil against gas behind a bladder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jourdain import math
from jourdain.library.hydraulics.fluid import ATMOSPHERE
from jourdain.library.hydraulics.nodes.node import Node, add_node
from jourdain.library.hydraulics.nodes.volume import Compressible, stored, torn_without_air
from jourdain.library.hydraulics.symbols import accumulator
from jourdain.model.parts.result import Result
from jourdain.model.parts.symbol import Place
from jourdain.spatial import check
from jourdain.spatial.annotations import NumberField, preset
from jourdain.spatial.parameter import nominal

if TYPE_CHECKING:
    from jourdain.model.parts.group import Group
    from jourdain.model.parts.part import Samples

LOST = 1e-3
"""Part of the oil that has come in beyond which a difference is told."""


class GasCharged(Compressible):
    """Pressure of oil beside gas as a state, dp/dt = Σ Q/C(p).

        C = V/E(p) + V_g/(κ P),   V_g = V₀ (P₀/P)^(1/κ) where P > P₀

    with the absolute pressures P of now and P₀ of the precharge. Below the precharge the bladder
    fills its shell and only the oil in the neck, of the volume V, gives way.
    """

    gas: NumberField = preset(default=1.0)
    precharge: NumberField = preset(default=0.0)
    exponent: NumberField = preset(default=1.4)

    def _gas_volume(self, p: Any) -> Any:
        ratio = (self.precharge + ATMOSPHERE) / (p + ATMOSPHERE)
        return self.gas * math.minimum(ratio, 1.0) ** (1.0 / self.exponent)

    def rates(self, x: Any, v: Any, at: Any) -> Any:
        """Rate of the pressure."""
        p = at.state("pressure")
        soft = self._gas_volume(p) / (self.exponent * (p + ATMOSPHERE))
        C = self.size(at) / self.fluid.stiffness(p) + math.where(p > self.precharge, soft, 0.0)
        return (self.inflow(v, at) / C,)

    def energy(self, x: Any, at: Any) -> Any:
        """Energy of oil and gas [J]: ∫ p dV of the oil that has come in."""
        p = math.maximum(at.state("pressure"), self.precharge)
        k, begin, now = self.exponent, self.precharge + ATMOSPHERE, p + ATMOSPHERE
        V = self._gas_volume(p)
        if isinstance(k, float | int) and k == 1.0:
            work = begin * self.gas * math.log(now / begin)
        else:
            work = (now * V - begin * self.gas) / (k - 1.0)
        return super().energy(x, at) + work - ATMOSPHERE * (self.gas - V)

    def doubts(self, name: str, unit: str, values: Samples) -> Iterable[str]:
        """Oil that has been lost, or made, where steps pass the precharge."""
        if self.chambers:
            return
        p, out = values(f"{name}.force"), values(f"{name}.value")
        time = values.time(f"{name}.force")
        come = -out - sum(k * np.interp(time, values.time(f), values(f)) for k, f in self.flows)
        held = self._held(p)
        off = (held - held[:1]) - (come - come[:1])
        worst, most = float(np.abs(off).max(initial=0.0)), float(np.ptp([*come, come[0]]))
        if worst > LOST * max(most, nominal(self.volume)):
            yield (
                f"accumulator {self.node!r} holds {worst:.2g} m^3 of oil more or less than what "
                f"has come in and gone, which was up to {most:.2g} m^3: steps have passed its "
                f"precharge of {nominal(self.precharge) / 1e5:g} bar, where stiff oil turns to "
                "soft gas. Its pressures are wrong by as much. Take jd.EventDriven() or "
                "jd.Radau5(), which step onto that, or shorter steps."
            )

    def _held(self, p: Any) -> Any:
        """Volume of oil that was needed to come to a pressure (n,), from samples."""
        own = self.volume, self.gas, self.precharge, self.exponent
        V, gas, precharge, exponent = map(nominal, own)
        ratio = np.minimum((precharge + ATMOSPHERE) / (p + ATMOSPHERE), 1.0)
        return -V * np.log(self.fluid.share(p)) - gas * ratio ** (1.0 / exponent)


class Accumulator(Node):
    """An accumulator with a bladder or a piston: a node whose oil stands against gas.

    Join it with a `Line`, an `Orifice` or directly with anything else that ends at a node.

    Where the pressure passes the precharge the stiffness jumps, as only the oil in the neck gives
    way below. Event-driven runs step onto that. Time steps do not: one that passes it from below
    may leave all later pressures too high, until steps are so short that the flow Q fills the neck
    V by little pressure in each, Δt E Q/V. Runs compare the oil that an accumulator holds with what
    has come in, and warn. Those that begin at the precharge, as by default, have no such error.

    Parameters
    ----------
    fluid : Fluid
        The oil.
    gas : float [m^3]
        Volume of the gas at the precharge: the size of the accumulator.
    precharge : float [Pa]
        Pressure of the gas without oil, above the atmosphere.
    exponent : float
        Polytropic exponent of the gas: 1 (slow) to 1.4 (fast).
    neck : float [m^3]
        Volume of the oil in the neck, which is there always; by default 1 % of the gas.
    start : float [Pa], optional
        Pressure at the start; by default the precharge.

    Examples
    --------
    >>> import jourdain as jd
    >>> from jourdain.library import hydraulics as hy
    >>> model, fluid = jd.Model("storage"), hy.Fluid(bulk_modulus=1e15, air=0.0)
    >>> oil = model.group("oil")
    >>> T = oil.add("T", hy.Tank(fluid))
    >>> S = oil.add("S", hy.Accumulator(fluid, gas=1e-3, precharge=50e5, exponent=1.0))
    >>> pump = oil.add("pump", hy.FlowSource(T, S, 5e-4))
    >>> float(jd.simulate(model, 1.0)["oil.S.pressure", "bar"][-1].round(2))  # half the gas
    101.01
    """

    gas: NumberField
    precharge: NumberField
    exponent: NumberField = preset(default=1.4)
    neck: NumberField = preset(default=None)
    start: NumberField = preset(default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, otherwise in (("neck", 0.01 * self.gas), ("start", self.precharge)):
            if getattr(self, name) is None:
                object.__setattr__(self, name, otherwise)
        for name in ("gas", "exponent", "neck"):
            check.number(getattr(self, name), f"{name} of Accumulator", positive=True)
        check.number(self.precharge, "precharge of Accumulator", nonnegative=True, unit="Pa")
        check.number(self.start, "start of Accumulator", unit="Pa")

    def symbol(self, name: str) -> Place:
        """Look in the drawing of a circuit."""
        return accumulator(name)

    def results(self, name: str) -> Mapping[str, Result]:
        """Pressure, and energy of gas and oil."""
        return {**super().results(name), "energy": stored(name)}

    def doubts(self, name: str, values: Callable[[str], Any]) -> Iterable[str]:
        """Oil without air that is torn in the neck."""
        return torn_without_air(self, name, values)

    def build(self, group: Group) -> Mapping[str, Any]:
        """A pressure state."""
        law = GasCharged(
            self.fluid, self.neck, self.start, group.name,
            gas=self.gas, precharge=self.precharge, exponent=self.exponent,
        )  # fmt: skip
        return add_node(group, law)
