"""Dense matrices of a tree: kernels of joint vectors followed by loops over pairs of joints."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import casadi as ca
import numpy as np

from jourdain.codegen.jit import Code, Library, library_of, once
from jourdain.codegen.kernel import Kernel, as_columns
from jourdain.codegen.module import Core
from jourdain.codegen.translator.loops import loop_text
from jourdain.equations.recursion.joint_vectors import (
    COLUMN,
    FORWARD_VECTORS,
    INVERSE_VECTORS,
    MASS_ROWS,
)
from jourdain.equations.recursion.sweeps import Recursion
from jourdain.system.description import Description
from jourdain.system.execution import (
    Evaluate,
    Execution,
    Looped,
    LoopedFunction,
    Plain,
    input_sizes,
    output_shapes,
    require_one_set,
    symbolic,
)
from jourdain.system.looped import dense_loops as loops
from jourdain.system.looped.state_equation import Stage, chained, loop_stage, straight_stage

_ENTRY = "jourdain_dense"


@dataclass(frozen=True)
class Dense:
    """Matrices of a tree.

    Parameters
    ----------
    name : str
        Name among the functions of a system.
    inputs : tuple of str
        Arguments besides time and parameters.
    vectors : Recursion
        What gives the vectors of the joints.
    loop : function
        Loop from the vectors to the matrices (see `dense_loops`).
    output : str
        Name of the matrix.
    columns : str
        What its columns are listed by, one after the other; rows are velocities.
    first : Recursion, optional
        What gives inputs of the vectors that are no arguments.
    """

    name: str
    inputs: tuple[str, ...]
    vectors: Recursion
    loop: Callable[..., int]
    output: str
    columns: str
    first: Recursion | None = None

    def shape(self, d: Description) -> tuple[int, int]:
        """Shape of the matrix."""
        return d.n_v, sum(d.layout.total(by) for by in self.columns)

    def prepare(self, d: Description, execution: Execution) -> Evaluate:
        """Function of arrays ``(inputs…, t, p) -> matrices``, with leading axes for batches."""
        if isinstance(execution, Plain):
            return partial(_plain, self, d)
        is_looped = isinstance(execution, Looped)
        kernel = _kernel(self, d, is_looped)
        return BoundKernel(kernel, d.nominal) if is_looped else kernel


MASS_MATRIX = Dense("dense_mass_matrix", ("q",), MASS_ROWS, loops.mass_matrix_loop, "M", "v")
INVERSE = Dense(
    "inverse_derivatives", ("q", "v", "vdot"), INVERSE_VECTORS, loops.inverse_loop, "D", "qvv"
)


def forward(first: Recursion) -> Dense:
    """Derivatives of forward dynamics, whose accelerations come from a recursion."""
    given, name = ("q", "v", "tau"), "forward_derivatives"
    return Dense(name, given, FORWARD_VECTORS, loops.forward_loop, "D", "qvv", first)


class BoundKernel:
    """Kernel with the constants of one model; other parameters get other constants."""

    def __init__(self, kernel: Kernel, nominal: Any) -> None:
        self.kernel, self.nominal_call = kernel, kernel.nominal_call
        self._bound = {nominal.tobytes(): kernel}

    def of(self, p: Any) -> Kernel:
        """Kernel with the constants of some parameters."""
        p = np.asarray(p, dtype=float)
        require_one_set(p)
        key = p.tobytes()
        if key not in self._bound:
            if len(self._bound) > 16:
                self._bound.clear()
            self._bound[key] = self.kernel.with_parameters(p)
        return self._bound[key]

    def __call__(self, *arguments: Any) -> list[Any]:
        """Evaluate with the constants that belong to the last argument, the parameters."""
        return self.of(arguments[-1])(*arguments)


def _plain(dense: Dense, d: Description, *arguments: Any) -> list[Any]:
    """Matrices by plain Python, for one state or a batch."""
    names, table = (*dense.inputs, "t", "p"), _table(d)
    arrays, lead = as_columns(arguments, [(n, s) for n, s in _sizes(dense, d) if n in names])
    wide = [np.broadcast_to(a, (*lead, a.shape[-1])) for a in arrays]
    result = np.zeros((*lead, *dense.shape(d)))
    for i in np.ndindex(*lead):
        given = dict(zip(names, (w[i] for w in wide), strict=True))
        for recursion in filter(None, (dense.first, dense.vectors)):
            evaluate = Plain().prepare(recursion, d)
            rows = (given[n] for n in recursion.inputs)
            found = evaluate(*rows, given["t"][0], given["p"])
            given |= dict(zip(recursion.outputs, found, strict=True))
        vectors = [given[name].ravel() for name in dense.vectors.outputs]
        dense.loop(*vectors, result[i].reshape(-1), table, np.zeros(_work_size(d)))
    return [result]


def _sizes(dense: Dense, d: Description) -> list[tuple[str, int]]:
    sizes = dict(input_sizes(dense.vectors, d))
    if dense.first is not None:
        sizes |= dict(input_sizes(dense.first, d))
    return [(name, sizes[name]) for name in (*dense.inputs, "t", "p")]


def _kernel(dense: Dense, d: Description, is_looped: bool) -> Kernel:
    stages = []
    for k, recursion in enumerate(filter(None, (dense.first, dense.vectors))):
        if is_looped:
            stage = loop_stage(LoopedFunction(recursion, d, 1), f"s{k}")
            sizes = {name: math.prod(shape) for name, shape in output_shapes(recursion, d)}
            stages.append(replace(stage, blocks=dict(stage.blocks) | sizes))
        else:
            stages.append(straight_stage(*symbolic(recursion, d)))
    stages.append(_loop_stage(dense, d))
    given = {name: ca.SX.sym(name, size) for name, size in _sizes(dense, d)}
    return chained(given, [(dense.output, dense.shape(d))], stages, {}, d.nominal)


def _loop_stage(dense: Dense, d: Description) -> Stage:
    """Call of the loop, whose code is the same for all systems, by its address."""
    code = _code(dense.loop)
    arrays = (*dense.vectors.outputs, dense.output, "table")
    extras = {"table": _table(d), "code": np.array([code.addresses[_ENTRY]], dtype=np.int64)}
    work = {"room": _work_size(d)}
    return Stage(partial(_call, len(arrays) + 1), (*arrays, "room", "code"), lambda _: extras, work)


def _call(n: int, lanes: int) -> Core:
    header = ", ".join(f"ptr %a{k}" for k in range(n))
    lines = ["%entry = load ptr, ptr %code, align 8", f"%r = call i64 %entry({header})", "ret void"]
    body = "\n".join(lines)
    text = f"define internal void @core({header}, ptr %code) #0 {{\n{body}\n}}\n"
    return Core(text, frozenset(), lanes)


@once
def _code(loop: Callable[..., int]) -> Library:
    """Machine code of a loop, made once and kept."""
    signature = "p" * (len(inspect.signature(loop).parameters) - 2) + "ap"
    text = loop_text(loop, signature, _ENTRY)
    return library_of(text, lambda: text, [_ENTRY], Code.UNROLLED)


def _work_size(d: Description) -> int:
    """Numbers of work memory: turned columns, or a block of right sides with their forces."""
    turned = COLUMN * max(d.n_v, d.n_q)
    return max(turned, loops.BLOCK * (d.n_v + 6 * (d.n_v + 1)))


def _table(d: Description) -> Any:
    """Table of integers that the loops read (see `dense_loops`)."""
    layout, links = d.layout, d.links
    paths: list[list[int]] = [[]]  # links from the world to each, itself included
    for k, link in enumerate(links, 1):
        paths.append([*paths[link.inboard], k])
    carried: list[list[int]] = [[] for _ in paths]
    for k, path in enumerate(paths):
        for nearer in path[:-1]:
            carried[nearer].append(k)
    places = {
        by: [range(0), *(range(s, s + k.count(by)) for s, k in zip(starts, links, strict=True))]
        for by, starts in (("v", layout.v_start), ("q", layout.q_start))
    }
    runs: list[tuple[int, int, int]] = []
    index: dict[str, list[int]] = {"v": [], "q": []}
    owner = {a: k for k in range(len(paths)) for a in places["v"][k]}
    for by, found in index.items():
        for a in range(d.n_v):
            found.append(len(runs))
            inboard = [c for k in paths[owner[a]][:-1] for c in places[by][k]]
            outboard = [c for k in carried[owner[a]] for c in places[by][k]]
            runs += [(loops.INBOARD, *run) for run in _runs(inboard)]
            runs += [(loops.OUTBOARD, *run) for run in _runs(outboard)]
        found.append(len(runs))
    order, last = [], [-1] * len(paths)
    for k in range(1, len(paths)):
        before = last[links[k - 1].inboard]
        for a in places["v"][k]:
            order += [a, before]
            before = a
        last[k] = before
    own = [
        x for a in range(d.n_v) for by in ("v", "q")
        for x in (places[by][owner[a]].start, len(places[by][owner[a]]))
    ]  # fmt: skip
    parts = [[x for run in runs for x in run], index["v"], index["q"], order, own]
    starts = np.cumsum([loops.HEAD, *(len(x) for x in parts[:-1])])
    head = [d.n_v, d.n_q, *starts]
    return np.array([*head, *(x for part in parts for x in part)], dtype=np.int64)


def _runs(columns: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and end of each row of consecutive numbers."""
    ordered = sorted(columns)
    start = 0
    for k in range(1, len(ordered) + 1):
        if k == len(ordered) or ordered[k] != ordered[k - 1] + 1:
            yield ordered[start], ordered[k - 1] + 1
            start = k
