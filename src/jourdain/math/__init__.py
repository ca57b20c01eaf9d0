"""Mathematics vocabulary for joints, measures and laws: works on floats, arrays and symbols.

Element mathematics is written with these functions. It is traced once to an expression graph
and compiled; called with floats it computes numbers, so a formula can be debugged with a print.
"""

from typing import TYPE_CHECKING, NoReturn

from jourdain.errors import did_you_mean
from jourdain.math.derivatives import derivatives
from jourdain.math.functions import Polynomial, Ramp, Sine
from jourdain.math.map import Map
from jourdain.math.scalar import (
    absolute,
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    both,
    ceil,
    clip,
    copysign,
    cos,
    cosh,
    exp,
    expm1,
    floor,
    hypot,
    is_symbolic,
    log,
    log1p,
    maximum,
    minimum,
    pi,
    remainder,
    sign,
    sin,
    sinh,
    smooth_step,
    sqrt,
    tan,
    tanh,
    where,
)
from jourdain.math.table import Table
from jourdain.math.vector import (
    axial,
    axis_vector,
    block_diagonal,
    columns,
    concatenate,
    cross,
    dot,
    matrix,
    norm,
    outer,
    quaternion_product,
    rotation,
    rotation_quaternion,
    rotation_x,
    rotation_y,
    rotation_z,
    skew,
    stack,
    vector,
)

__all__ = [
    "Map",
    "Polynomial",
    "Ramp",
    "Sine",
    "Table",
    "absolute",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "axial",
    "axis_vector",
    "block_diagonal",
    "both",
    "ceil",
    "clip",
    "columns",
    "concatenate",
    "copysign",
    "cos",
    "cosh",
    "cross",
    "derivatives",
    "dot",
    "exp",
    "expm1",
    "floor",
    "hypot",
    "is_symbolic",
    "log",
    "log1p",
    "matrix",
    "maximum",
    "minimum",
    "norm",
    "outer",
    "pi",
    "quaternion_product",
    "remainder",
    "rotation",
    "rotation_quaternion",
    "rotation_x",
    "rotation_y",
    "rotation_z",
    "sign",
    "sin",
    "sinh",
    "skew",
    "smooth_step",
    "sqrt",
    "stack",
    "tan",
    "tanh",
    "vector",
    "where",
]

_OF_NUMPY = {
    "abs": "absolute", "fabs": "absolute", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin",
    "arcsinh": "asinh", "arctan": "atan", "arctan2": "atan2", "arctanh": "atanh", "array": "vector",
    "fmax": "maximum", "fmin": "minimum", "logical_and": "both", "max": "maximum",
    "min": "minimum", "mod": "remainder",
}  # fmt: skip


if not TYPE_CHECKING:  # checkers see unknown names themselves

    def __getattr__(name: str) -> NoReturn:
        here = f" Did you mean {_OF_NUMPY[name]!r}?" if name in _OF_NUMPY else ""
        raise AttributeError(f"jourdain.math has no {name!r}.{here or did_you_mean(name, __all__)}")
