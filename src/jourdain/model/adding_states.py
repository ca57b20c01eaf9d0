"""Adding first-order states that belong to no force, lags and delays among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jourdain.errors import ModelError
from jourdain.model.connection import Connection
from jourdain.model.laws.signal import Signal
from jourdain.model.parts.grouped import Grouped
from jourdain.model.state_rates import Lag, PadeDelay, pade, rates_of
from jourdain.model.states import Nothing, States
from jourdain.spatial import check
from jourdain.spatial.annotations import Number


class AddingStates(Grouped):
    """What a model and its groups do with states."""

    def add_states(
        self,
        name: str,
        states: Mapping[str, str],
        rates: Callable[[Any], Any] | Signal | Sequence[Signal | Sequence[Signal]],
        *,
        start: Sequence[Number] | Number = (),
        inputs: Mapping[str, str] | None = None,
    ) -> Connection:
        """Add first-order states that belong to no force, with rates that see the whole machine.

        For what has no inertia: the pressure of a volume, a temperature, a filter, a controller;
        and for *flow coordinates*, whose rate is a function of pressures: an orifice has the volume
        that has passed as its state, its flow is the rate of that state, and the volumes at both
        ends ask for it by ``at.rate("orifice.volume")``. A flow through an orifice is no
        coordinate of mechanics: constraints and measures do not see it.

        Parameters
        ----------
        name : str
            Name of the element; its states are ``name.state``.
        states : mapping of str to str
            Names and units of the states.
        rates : function of ``at``
            Rates of the states in their order, from everything that laws see (`ForceLaw`), and from
            ``at.rate("orifice.volume")``, the rate of another state. Rates and forces that need
            each other in a circle are refused by name. Or, for each state, a `Signal` or several
            that add up, which files can hold: ``[jd.Signal("rate", "orifice.volume", 1e12)]``.
        start : numbers
            Start values; zero by default. A run may give others, ``start={"tank.pressure": 2e5}``.
        inputs : mapping of str to str
            Names and units of inputs; they are zero unless a run gives them.

        Examples
        --------
        >>> import jourdain as jd
        >>> model = jd.Model("oil")
        >>> def flow(at):
        ...     dp = at.state("left.pressure") - at.state("right.pressure")
        ...     return 1e-9 * dp
        >>> for side, sign in (("left", -1.0), ("right", 1.0)):
        ...     _ = model.add_states(side, {"pressure": "Pa"},
        ...         lambda at, sign=sign: sign * 1e12 * at.rate("orifice.volume"))
        >>> orifice = model.add_states("orifice", {"volume": "m^3"}, flow)
        >>> list(model.states)
        ['left', 'right', 'orifice']
        """
        full = self._take(name, "state element")
        try:
            law = States(states, rates_of(rates), start, inputs or {})  # type: ignore[arg-type]
        except ModelError as error:
            raise ModelError(f"states of {full!r}: {error}") from None
        self._elements._states[full] = added = Connection(full, Nothing(), law)
        return added

    def add_lag(
        self,
        name: str,
        signal: Callable[[Any], Any],
        time: Number,
        *,
        unit: str = "1",
        start: Number = 0.0,
    ) -> Connection:
        """Add a first-order lag: the state ``name.value`` follows a signal, ẏ = (u − y)/T.

        Parameters
        ----------
        name : str
            Name of the element.
        signal : function of ``at``, or Signal
            What it follows, u: anything that laws see. Model files hold signals.
        time : float [s]
            Time constant T.
        unit : str
            Unit of the signal.
        start : float
            Value at the start.

        Examples
        --------
        >>> import jourdain as jd
        >>> model = jd.Model("engine")
        >>> lag = model.add_lag("torque", lambda at: 100.0 * at.t, time=0.2, unit="N m")
        >>> f"{jd.simulate(model, 2.0).final['torque.value']:.6f}"
        '180.000908'
        """
        T = check.number(time, f"time of the lag {name!r}", positive=True)
        return self.add_states(name, {"value": unit}, Lag(signal, T), start=start)

    def add_pade_delay(
        self,
        name: str,
        signal: Callable[[Any], Any],
        time: Number,
        *,
        order: int = 4,
        unit: str = "1",
        start: float = 0.0,
    ) -> Connection:
        """Add a dead time by Padé's approximation: ``name.value`` is nearly the signal before T.

        exp(−s T) is replaced by the quotient of polynomials of the degrees n − 1 and n that agrees
        with it best at s = 0. Signals that are slow against T/n pass as they are, T later; of steps
        the delayed value rings for about T. It has linear equations. The dead time of an input is
        exact by `jourdain.Delayed`.

        Parameters
        ----------
        name : str
            Name of the element.
        signal : function of ``at``, or Signal
            What is delayed: anything that laws see. Model files hold signals.
        time : float [s]
            Dead time T.
        order : int
            Number n of states, 1 to 10.
        unit : str
            Unit of the signal.
        start : float
            Value of the signal before the start.

        Examples
        --------
        >>> import jourdain as jd
        >>> model = jd.Model("controller")
        >>> delay = model.add_pade_delay("sensor", lambda at: jd.sin(at.t), time=0.1)
        >>> f"{jd.simulate(model, 2.0).final['sensor.value']:.6f} {jd.sin(1.9):.6f}"
        '0.946300 0.946300'
        """
        T = check.number(time, f"time of the delay {name!r}", positive=True)
        if isinstance(order, bool) or not isinstance(order, int) or not 1 <= order <= 10:
            raise ModelError(f"delay {name!r} has order={order!r}: give 1 to 10 states.")
        (a, b), rates = pade(order), PadeDelay(signal, T, order)
        begin = [start, *((a[k] - b[k]) * start for k in range(order - 1))]  # at rest
        units = dict.fromkeys(rates.names, unit)
        return self.add_states(name, units, rates, start=tuple(begin))
