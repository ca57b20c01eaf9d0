"""Adding first-order states that belong to no force."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jourdain.errors import ModelError
from jourdain.model.connection import Connection
from jourdain.model.grouped import Grouped
from jourdain.model.states import Nothing, States
from jourdain.spatial.annotations import Number


class AddingStates(Grouped):
    """What a model and its groups do with states."""

    def add_states(
        self,
        name: str,
        states: Mapping[str, str],
        rates: Callable[[Any], Any],
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
            each other in a circle are refused by name.
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
            law = States(states, rates, start, inputs or {})  # type: ignore[arg-type]
        except ModelError as error:
            raise ModelError(f"states of {full!r}: {error}") from None
        self._elements._states[full] = added = Connection(full, Nothing(), law)
        return added
