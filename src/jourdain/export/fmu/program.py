"""A model as the memory and the compiled functions that an FMU is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jourdain.analysis.start import settle_with_inputs, start_state
from jourdain.codegen.jit import Code
from jourdain.errors import ModelError
from jourdain.export.fmu.description import Kind, Variable
from jourdain.export.fmu.model_data import CODE, LOOP, Places, data_module
from jourdain.export.fmu.outputs import OutputRows, wanted_outputs
from jourdain.results import Solution
from jourdain.results.channels.catalogue import column_names
from jourdain.simulation.choice import choose_integrator
from jourdain.solvers import Integrator, Problem, Run
from jourdain.solvers.coupled.image import image_of
from jourdain.solvers.coupled.loops import begin, prepare
from jourdain.solvers.ode import stepping as at
from jourdain.system import System
from jourdain.system.output_graph import OutputGraph
from jourdain.system.state import (
    forces_kernel,
    projection_kernel,
    state_kernel,
    tangent_kernel,
)

_LATER = 0.37  # s after the start, of a second sample with other velocities


@dataclass(frozen=True)
class Wishes:
    """What a user wants to have in an FMU.

    Parameters
    ----------
    given : mapping of str to float
        Start values of inputs that other programs set.
    functions : mapping
        Inputs that are functions, and are part of the FMU.
    outputs : Any
        Names of results, and functions by name.
    parameters : tuple of str
        Parameters that can be set.
    start : Any
        Start values.
    method : Integrator or None
        Method of integration.
    stop : float [s]
        Proposed end.
    """

    given: Mapping[str, float]
    functions: Mapping[str, Any]
    outputs: Any
    parameters: tuple[str, ...]
    start: Any
    method: Integrator | None
    stop: float


class Program:
    """Variables and modules of an FMU.

    Parameters
    ----------
    system : System
        The machine in straight-line code.
    wishes : Wishes
        What it is to have.
    """

    def __init__(self, system: System, wishes: Wishes) -> None:
        self.system, self.wishes = system, wishes
        self._held = {name: k for k, name in enumerate(wishes.given)}
        self._inputs = {**wishes.given, **wishes.functions}
        self._u = np.array(list(wishes.given.values()), dtype=float)
        self._p = system.parameter_array(None)
        self.y = start_state(system, wishes.start)
        settle_with_inputs(system, self.y, 0.0, self._p, self._inputs)
        self.run = self._started()
        self._make()

    @property
    def rtol(self) -> float | None:
        """Relative tolerance of the integrator; None for fixed steps."""
        return float(self.run.dp[at.RTOL]) or None

    def _started(self) -> Run:
        """Memory of an integration from the start."""
        system, inputs, held = self.system, self._inputs, self._held
        system.check_inertia(self.y[: len(system.names.q)], 0.0, self._p)
        problem = Problem(
            state_kernel(system, inputs, held), None, [], [], system.names.quaternions,
            self._u, self._p,
            tangent=lambda: tangent_kernel(system, inputs, held),
            projection=projection_kernel(system, inputs, held) if system.is_corrected else None,
            units=system.names.units,
        )  # fmt: skip
        method = self.wishes.method
        if method is None:
            method, _ = choose_integrator(problem, self.y, (0.0, self.wishes.stop))
        run = method.start(problem, self.y, 0.0, self.wishes.stop, np.zeros(0))
        if run.program is None:
            raise ModelError(
                f"an FMU cannot have {type(method).__name__}, whose steps a library takes: "
                "give jd.Dop853(), jd.Radau5() or another method of this package."
            )
        return run

    def _make(self) -> None:
        run, system = self.run, self.system
        graph = OutputGraph(system, self._inputs, self._held)
        self._solution = self._samples()
        rows = OutputRows(graph, self._solution)
        shown, computed = self._sorted_outputs(rows)
        functions = [(name, graph.function(name, f)) for name, f in self._functions.items()]
        kernel = graph.kernel(
            [*(row for _, own in computed for row in own), *(x for _, x in functions)]
        )
        pointers, (y,) = run.attach(kernel)
        rows.require_same(computed, kernel, self._u, self._p)
        start = np.array([*self.y, 0.0])
        run.record.complete()
        self.image = image_of(run, (start, y))
        self._start_place = self.image.place(start)
        self.variables = [
            *self._given_variables(), *self._states(shown),
            *self._computed_variables(computed, functions, self.image.place(y)),
        ]  # fmt: skip
        records = run.program[1:] if run.program else ()
        self.places = Places(
            tuple(self.image.place(record) for record in records), self._start_place,
            self.image.place(run.dp, at.T), self.image.place(run.dp, at.T_WORK),
            self.image.place(pointers), self.image.kernels.index(kernel),
        )  # fmt: skip
        run.close()

    @cached_property
    def code(self) -> list[tuple[str, Code]]:
        """Texts of the LLVM modules of loops and equations."""
        loop = self.run.program[0] if self.run.program else begin
        loops = ((loop, LOOP), (begin, "jourdain_begin"), (prepare, "jourdain_prepare"))
        kernels = enumerate(self.image.kernels)
        return [
            *((one.source(name), one.code) for one, name in loops),
            *((one.source(CODE.format(k)), Code.STRAIGHT) for k, one in kernels),
        ]

    def data(self, token: str) -> tuple[str, Code]:
        """Text of the LLVM module of constants, with the token that the description has."""
        n = len(self.y)
        return data_module(self.image, self.places, self.variables, n, token), Code.LOOPS

    @property
    def _functions(self) -> dict[str, Any]:
        outputs = wanted_outputs(self.wishes.outputs, ())
        return {name: f for name, f in outputs.items() if f is not None}

    def _samples(self) -> Solution:
        """Solution with the start, and with another state a little later."""
        system, n = self.system, len(self.system.names.q)
        generator = np.random.default_rng(1)
        q = np.array([self.y[:n]] * 2)
        v = np.array([self.y[n:]] * 2)
        v[1] += generator.uniform(-0.3, 0.3, v.shape[1])
        time = np.array([0.0, _LATER])
        u, p = (np.array([x] * 2) for x in (self._u, self._p))
        tau, extra = forces_kernel(system, self._inputs, self._held).run(q, v, u, time, p)
        return Solution(system, time, q, v, tau=tau, extra=extra)

    def _sorted_outputs(self, rows: OutputRows) -> tuple[set[str], list[Any]]:
        """Names of outputs that are states, and expressions of all others."""
        names = self.system.names
        states, shown, computed = {*names.q, *names.v}, set(), {}
        default = (*names.q, *names.v)
        for name, function in wanted_outputs(self.wishes.outputs, default).items():
            if function is not None:
                continue
            channel, own = rows.rows(name)
            for column, row in zip(channel.columns, own, strict=True):
                if column in states:
                    shown.add(column)
                else:
                    single = channel if len(own) == 1 else rows.rows(column)[0]
                    computed[column] = (single, [row])
        return shown, list(computed.values())

    def _given_variables(self) -> list[Variable]:
        """Time, parameters and inputs."""
        system, run = self.system, self.run
        found = [Variable("time", "s", "time", Kind.TIME, self.image.place(run.dp, at.T))]
        for k, name in enumerate(system.names.parameters):
            if name in self.wishes.parameters:
                own, unit = float(self._p[k]), system.model.parameters[name].unit
                place = self.image.place(run.p, k)
                found.append(Variable(name, unit, f"parameter {name}", Kind.PARAMETER, place, own))
        for k, (name, value) in enumerate(self.wishes.given.items()):
            label = input_label(system, name)
            channel, place = self._solution.channel(label), self.image.place(run.u, k)
            found.append(
                Variable(label, channel.unit, channel.text, Kind.INPUT, place, float(value))
            )
        return found

    def _states(self, shown: set[str]) -> list[Variable]:
        names, place = self.system.names, self.image.place(self.run.w)
        return [
            Variable(
                name, unit, f"{name} of the state", Kind.STATE, place + 8 * k, float(self.y[k]),
                self._start_place + 8 * k, name in shown,
            )
            for k, (name, unit) in enumerate(zip((*names.q, *names.v), names.units, strict=True))
        ]  # fmt: skip

    def _computed_variables(self, computed: Any, functions: Any, place: int) -> list[Variable]:
        told = [(x.name, x.unit, x.text) for x, _ in computed]
        told += [(name, "", f"output {name}") for name, _ in functions]
        return [
            Variable(*words, Kind.OUTPUT, place + 8 * k, is_output=True)
            for k, words in enumerate(told)
        ]


def input_label(system: System, name: str) -> str:
    """Name of an input as results have it: ``rail.applied_force`` for ``rail.position``."""
    columns = column_names(system)
    if name in system.extra_indices:
        return columns["extra"][system.extra_indices[name]]
    return columns["tau"][system.force_index(name)]
