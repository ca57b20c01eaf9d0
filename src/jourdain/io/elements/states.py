"""States of their own in files: lags, dead times and sums of signals."""

from __future__ import annotations

from typing import Any

from jourdain.io.elements.time_functions import forms, function_tree
from jourdain.io.text.form import Form
from jourdain.io.text.readers import chosen, number, numbers, table, text
from jourdain.io.text.section import Notebook, Value
from jourdain.io.text.values import UnwritableError, number_tree, numbers_tree, text_tree
from jourdain.model.connection import Connection
from jourdain.model.state_rates import Lag, PadeDelay, SignalRates

_SIGNAL = '{ kind = "rate", name = "orifice.volume", factor = -1e12 }'
_RATES = f'[[{_SIGNAL}]], or {{ function = "Lag", signal = {_SIGNAL}, time = 0.1 }}'


def states(value: Value) -> dict[str, Any]:
    """Read what `Model.add_states` takes besides the name."""
    readers = {"states": _units, "rates": _rates, "start": _start, "inputs": _units}
    return Form(dict, readers, ("states", "rates")).read(value)  # type: ignore[no-any-return]


def states_tree(given: Connection) -> dict[str, Any]:
    """Form of states of their own."""
    law: Any = given.law
    words = {name: text_tree(unit, "a unit") for name, unit in law.states.items()}
    tree: dict[str, Any] = {"states": words, "rates": _rates_tree(law.function)}
    if any(x != 0.0 for x in law.begin):
        tree["start"] = numbers_tree(law.begin, "the start")
    if law.inputs:
        tree["inputs"] = {name: text_tree(unit, "a unit") for name, unit in law.inputs.items()}
    return tree


def _rates_tree(rates: Any) -> Any:
    if isinstance(rates, SignalRates):
        return [[_signal_tree(term) for term in terms] for terms in rates.sums]
    if not isinstance(rates, Lag | PadeDelay):
        raise UnwritableError(
            "the rates of its states are Python code and have no form in a file. Use jd.Signal, "
            "sums of them in lists, model.add_lag or model.add_pade_delay, or keep this model as a "
            "Python program."
        )
    tree = {"function": type(rates).__name__, "signal": _signal_tree(rates.signal)}
    tree["time"] = number_tree(rates.time, "the time")
    return tree | ({"order": rates.order} if isinstance(rates, PadeDelay) else {})


def _signal_tree(signal: Any) -> dict[str, Any]:
    tree = function_tree(signal, "the signal")
    if tree.pop("function") != "Signal":
        raise UnwritableError("the signal is a function of time. Give a jd.Signal or a law.")
    return tree


def _rates(value: Value) -> Any:
    if isinstance(value.data, dict):
        made = chosen(value.at("function"), _KINDS, "rate") if "function" in value.data else None
        if made is None:
            raise value.says(f"the key 'function' is missing. Write it like {_RATES}.")
        return made.read(value, ("function",))
    if not isinstance(value.data, list):
        raise value.is_not(f"rates such as {_RATES}")
    notes, found = Notebook(), []
    for item in value.items():
        with notes.noting():
            if not isinstance(item.data, list):
                raise item.is_not(f"the terms of a rate in brackets, such as [{_SIGNAL}]")
            found.append(tuple(_signal(term) for term in item.items()))
    notes.close()
    return SignalRates(tuple(found))


def _signal(value: Value) -> Any:
    table(value, _SIGNAL)
    return forms()["Signal"].read(value)


def _start(value: Value) -> Any:
    return tuple(numbers(value)) if isinstance(value.data, list) else number(value)


def _units(value: Value) -> dict[str, str]:
    table(value, '{ pressure = "Pa" }')
    return {name: text(value.at(name)) for name in value.data}


def _whole(value: Value) -> int:
    if isinstance(value.data, bool) or not isinstance(value.data, int) or not 1 <= value.data <= 10:
        raise value.is_not("1 to 10 states")
    return value.data


_KINDS = {
    "Lag": Form(Lag, {"signal": _signal, "time": number}, ("signal", "time")),
    "PadeDelay": Form(
        PadeDelay, {"signal": _signal, "time": number, "order": _whole}, ("signal", "time", "order")
    ),
}
