"""Measures that are held at a value: errors on position, velocity and acceleration level."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import casadi as ca

from jourdain import math
from jourdain.equations.connections.scene import Quantity
from jourdain.equations.tracing.kinks import Kinks, has_kinks
from jourdain.equations.tracing.on_symbols import on_symbols
from jourdain.equations.tracing.open_function import open_function
from jourdain.errors import ModelError
from jourdain.model.laws.equal import Equal
from jourdain.spatial.parameter import evaluate


def hold(
    quantity: Quantity,
    law: Equal,
    values: Mapping[str, Any],
    t: Any,
    where: str,
    kinks: Kinks | None = None,
) -> Quantity:
    """Measure less the value it is held at, with rates; with modes if ``kinks`` are collected.

    Raises
    ------
    ModelError
        If the value cannot be traced, or has the wrong number of components.
    """
    n, time = quantity.rate.numel(), ca.SX.sym("t")
    with on_symbols(f"{where}: the value of Equal"):
        given = ca.SX(math.vector(evaluate(law.at(time), values)))
    if given.numel() not in (1, n):
        raise ModelError(
            f"{where}: Equal gives {given.numel()} values, but the measure has {n} components."
        )
    value = ca.repmat(given, n // given.numel(), 1)
    first = ca.jacobian(value, time)
    second = ca.jacobian(first, time)
    f = open_function("held", [time], [value, first, second])
    value, first, second = f(t)
    if kinks is not None and kinks.sees_drives:
        value, first, second = kinks.take([value, first, second], [t])
    if quantity.value is None:  # the rate itself is held
        return dataclasses.replace(quantity, rate=quantity.rate - value, bias=quantity.bias - first)
    return dataclasses.replace(
        quantity,
        value=quantity.value - value,
        rate=quantity.rate - first,
        bias=quantity.bias - second,
    )


def is_kinked(law: Equal, values: Mapping[str, Any]) -> bool:
    """Tell whether the value that a measure is held at has kinks or jumps."""
    return has_kinks([ca.SX(math.vector(evaluate(law.at(ca.SX.sym("t")), values)))])
