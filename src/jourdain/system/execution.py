"""Ways of running a recursion: plain Python, straight-line code, or compiled loops.

Each strategy turns a `Recursion` and a `Description` into a function of arrays
``(inputs…, t, p) -> list of outputs``, with leading axes for batches.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.kernel import Kernel, as_columns
from jourdain.codegen.looped import looped_core
from jourdain.codegen.tracing import Program, tangent, trace
from jourdain.codegen.unrolled import unrolled_core
from jourdain.equations.recursion.links import flat
from jourdain.equations.recursion.sweeps import INPUTS, Recursion, run
from jourdain.errors import ModelError
from jourdain.system.description import Description

Evaluate = Callable[..., list[Any]]
_PATTERNS = 8  # different placements that may have code of their own
_SMALL = 12  # velocity coordinates up to which the shorter way of a recursion is faster


class Execution(ABC):
    """A way of running recursions.

    The contract: ``share_code`` tells whether joints of one kind are to share code, and
    ``prepare`` returns the function described in this module.
    """

    @property
    @abstractmethod
    def share_code(self) -> bool:
        """Whether numbers of joints are data (True) or folded into the code (False)."""

    @abstractmethod
    def prepare(self, recursion: Recursion, description: Description) -> Evaluate:
        """Function of arrays for one recursion."""

    def prepare_tangent(self, recursion: Recursion, description: Description) -> Evaluate:
        """Directional derivative ``(inputs…, input rates…, t, p) -> output rates``.

        By default from the whole expression graph, as straight-line code.
        """
        inputs, outputs = tangent_graph(recursion, description)
        sizes = [(name, symbol.numel()) for name, symbol in inputs.items()]
        make_core = partial(unrolled_core, inputs, outputs)
        return Kernel(make_core, 4, sizes, output_shapes(recursion, description))


def input_sizes(recursion: Recursion, d: Description) -> list[tuple[str, int]]:
    """Names and sizes of the arguments of a recursion."""
    counts = {name: d.layout.total(listed) * width for name, (listed, width) in INPUTS.items()}
    named = [(name, counts[name.removesuffix("_dot")]) for name in recursion.inputs]
    fresh = [("fresh", 1)] if recursion.n_setup else []
    return [*named, *fresh, ("t", 1), ("p", len(d.nominal))]


def output_shapes(recursion: Recursion, d: Description) -> list[tuple[str, tuple[int, ...]]]:
    """Names and shapes of the results of a recursion."""
    return [
        (name, (d.layout.total(listed), d.layout.width(width))[: 1 if width == 1 else 2])
        for name, (listed, width) in recursion.outputs.items()
    ]


def _assemble(recursion: Recursion, d: Description, results: Mapping[str, list[Any]]) -> Any:
    """Put the outputs of the links at their places; yields (name, start, values)."""
    for name, (listed, width) in recursion.outputs.items():
        for start, value in zip(d.layout.start(listed), results[name], strict=True):
            yield name, start * d.layout.width(width), value


def _method(recursion: Recursion, d: Description) -> Any:
    """The sweeps of a recursion, or its shorter way for small systems."""
    if recursion.small is not None and (not recursion.sweeps or d.n_v <= _SMALL):
        return recursion.small
    return partial(run, recursion)


@dataclass(frozen=True)
class Plain(Execution):
    """Plain Python on floats: slow, for debugging and for checking the others."""

    @property
    def share_code(self) -> bool:
        """Numbers stay in the joints."""
        return False

    def prepare(self, recursion: Recursion, description: Description) -> Evaluate:
        """Function that interprets the steps."""
        d = description
        shapes, method = output_shapes(recursion, d), _method(recursion, d)

        def one(*rows: Any) -> list[Any]:
            named = dict(zip((*recursion.inputs, "t", "p"), rows, strict=True))
            values = dict(zip(d.names.parameters, named.pop("p").tolist(), strict=True))
            t = float(named.pop("t")[0])
            drives = d.drives(t, list(values.values())) if d.drives else (np.zeros(0),) * 3
            named |= {f"e{k or ''}": np.array(x).reshape(-1) for k, x in enumerate(drives)}
            links, gravity = d.links_for(values), d.gravity(values)
            results = method(links, d.layout, {**named, "t": t}, gravity)
            out = {name: np.zeros(int(np.prod(shape))) for name, shape in shapes}
            for name, start, value in _assemble(recursion, d, results):
                column = np.asarray(value, dtype=float).reshape(-1)
                out[name][start : start + column.size] = column
            return [out[name].reshape(shape) for name, shape in shapes]

        def evaluate(*arguments: Any) -> list[Any]:
            arrays, lead = as_columns(arguments, input_sizes(recursion, d))
            wide = [np.broadcast_to(a, (*lead, a.shape[-1])) for a in arrays]
            rows = [one(*(w[i] for w in wide)) for i in np.ndindex(*lead)]
            return [
                np.array([row[k] for row in rows]).reshape(*lead, *shape)
                for k, (_, shape) in enumerate(shapes)
            ]

        return evaluate


@dataclass(frozen=True)
class Unrolled(Execution):
    """The whole recursion as straight-line code with constants folded in: for small systems.

    Parameters
    ----------
    lanes : int
        Systems at a time in batches (1, 2, 4 or 8).
    """

    lanes: int = 4

    @property
    def share_code(self) -> bool:
        """Numbers are folded into the code."""
        return False

    def prepare(self, recursion: Recursion, description: Description) -> Evaluate:
        """Compiled function."""
        d = description
        inputs, outputs = symbolic(recursion, d)
        make_core = partial(unrolled_core, inputs, outputs)
        return Kernel(make_core, self.lanes, input_sizes(recursion, d), output_shapes(recursion, d))


def symbolic(
    recursion: Recursion, d: Description, columns: Sequence[Any] | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Inputs and outputs of a recursion as columns of symbols and expressions.

    Driven coordinates and their rates may be given as ``columns``.
    """
    inputs = {name: ca.SX.sym(name, size) for name, size in input_sizes(recursion, d)}
    names = d.names.parameters
    values = dict(zip(names, ca.vertsplit(inputs["p"]), strict=True)) if names else {}
    named = {k: x for k, x in inputs.items() if k != "p"}
    if columns is None:
        columns = d.drives(inputs["t"], inputs["p"]) if d.drives else (ca.SX(0, 1),) * 3
    named |= {f"e{k or ''}": x for k, x in enumerate(columns)}
    results = _method(recursion, d)(d.links_for(values), d.layout, named, d.gravity(values))
    outputs = {
        name: ca.SX.zeros(int(np.prod(shape))) for name, shape in output_shapes(recursion, d)
    }
    for name, start, value in _assemble(recursion, d, results):
        column = ca.vec(ca.densify(ca.SX(value)))
        outputs[name][start : start + column.numel()] = column
    return inputs, outputs


def tangent_graph(recursion: Recursion, d: Description) -> tuple[dict[str, Any], dict[str, Any]]:
    """Derivative of a recursion along rates of its inputs and parameters, as expressions."""
    inputs, outputs = symbolic(recursion, d)
    moving = [*recursion.inputs, "p"]
    rates = {f"{name}_dot": ca.SX.sym(f"{name}_dot", inputs[name].numel()) for name in moving}
    along = [ca.vertcat(*columns) for columns in ((inputs[n] for n in moving), rates.values())]
    outputs_dot = {f"{name}_dot": ca.jtimes(x, *along) for name, x in outputs.items()}
    p_dot = {"p_dot": rates.pop("p_dot")}
    t_and_p = {name: inputs.pop(name) for name in ("t", "p")}
    return inputs | rates | p_dot | t_and_p, outputs_dot


@dataclass(frozen=True)
class Looped(Execution):
    """One compiled step per joint kind, driven over the links: for large systems.

    Parameters
    ----------
    lanes : int
        Systems at a time in batches (1, 2, 4 or 8).
    loops_constraints : bool
        Whether closed loops and held measures run in loops too. Their straight-line code is three
        times as fast, but takes a minute to compile for 200 of them.
    """

    lanes: int = 4
    loops_constraints: bool = True

    @property
    def share_code(self) -> bool:
        """Numbers are data."""
        return True

    def prepare(self, recursion: Recursion, description: Description) -> Evaluate:
        """Compiled function; what has no sweeps is straight-line code here too."""
        if not recursion.sweeps:
            plain = Description(description.model, share=False, cut=description.cut)
            return Unrolled(self.lanes).prepare(recursion, plain)
        return LoopedFunction(recursion, description, self.lanes)

    def prepare_tangent(self, recursion: Recursion, description: Description) -> Evaluate:
        """Directional derivative by differentiating every step; parameters are held."""
        return LoopedFunction(recursion, description, self.lanes, is_tangent=True)


def _structures(d: Description) -> tuple[list[int], list[Any], bool]:
    """Number of the structure of every link, a representative of each, and whether it is folded.

    Placements are folded in as long as that makes few patterns.
    """
    for is_folded in (True, False):
        keys = [(k.structure, k.pattern if is_folded else None) for k in d.links]
        distinct = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        kinds = len({key[0] for key in keys})
        if not is_folded or len(distinct) <= max(_PATTERNS, kinds):
            break
    first = {key: link for key, link in zip(reversed(keys), reversed(d.links), strict=True)}
    return [distinct[key] for key in keys], [first[key] for key in distinct], is_folded


def numbers_of(columns: Sequence[Any], d: Description, p: Any) -> Any:
    """One array of all columns with the parameters set."""
    if not any(isinstance(c, ca.SX) for c in columns):
        return np.concatenate(columns) if columns else np.zeros(1)
    f = ca.Function("numbers", [d.p], [ca.vertcat(*(ca.SX(c) for c in columns))])
    return np.array(f(p)).reshape(-1)


def require_one_set(p: Any) -> None:
    """Refuse parameters that differ within a batch: in loops they are constants.

    Raises
    ------
    ModelError
        If there is more than one set of parameters.
    """
    if p.ndim > 1:
        raise ModelError(
            "parameters that differ within a batch need straight-line code. "
            "Compile with jd.compile(model, execution=jd.Unrolled())."
        )


class LoopedFunction:
    """Compiled loop with the constants of one model; other parameters get other constants."""

    def __init__(
        self, recursion: Recursion, d: Description, lanes: int, is_tangent: bool = False
    ) -> None:
        self._d = d
        structures, representatives, is_folded = _structures(d)
        self.program: Program = trace(
            recursion, representatives, d.layout.n_e, d.drives, is_folded=is_folded
        )
        if is_tangent:
            self.program = tangent(self.program)
        recursion = self._recursion = self.program.recursion
        self._columns = [flat(link.constants) for link in d.links]
        starts = np.cumsum([0, *(c.shape[0] for c in self._columns)])
        self._table = self._make_table(structures, starts)
        self._lanes, self.work_size = lanes, self.program.work_size(len(d.links))

    @cached_property
    def kernel(self) -> Kernel:
        """The loop by itself, with the nominal constants."""
        d, recursion = self._d, self._recursion
        core, sizes = partial(looped_core, self.program), input_sizes(recursion, d)
        extras = self.extras(d.nominal)
        return Kernel(core, self._lanes, sizes, output_shapes(recursion, d), extras, self.work_size)

    @cached_property
    def _bound(self) -> dict[bytes, Kernel]:
        return {self._d.nominal.tobytes(): self.kernel}

    def _make_table(self, structures: list[int], starts: Any) -> Any:
        layout = self._d.layout
        rows = [len(self._d.links)]
        for i, link in enumerate(self._d.links):
            k = link.inboard - 1 if link.is_section else i  # whose coordinates move it
            rows += [structures[i], link.inboard, layout.q_start[k]]
            rows += [layout.v_start[k], layout.e_start[k], starts[i], layout.body[i]]
        return np.array(rows, dtype=np.int64)

    def extras(self, p: Any) -> list[Any]:
        """Constants of the links and of the world for given parameters, and the table of links."""
        world = self._recursion.ground(self._d.gravity(self._d.symbols)).values()
        ground = [ca.vec(x) if isinstance(x, ca.SX) else np.ravel(x, order="F") for x in world]
        both = [self._columns, ground]
        return [*(numbers_of(columns, self._d, p) for columns in both), self._table]

    @property
    def nominal_call(self) -> Any:
        """Call without a look at the parameters, which must be the nominal ones."""
        return self.kernel.nominal_call

    def __call__(self, *arguments: Any) -> list[Any]:
        """Evaluate with the constants that belong to the last argument, the parameters."""
        p = np.asarray(arguments[-1], dtype=float)
        require_one_set(p)
        kernel = self._bound.get(p.tobytes())
        if kernel is None:
            if len(self._bound) > 16:
                self._bound.clear()
            kernel = self._bound[p.tobytes()] = self.kernel.bound_to(self.extras(p))
        return kernel(*arguments)
