"""The compiled system, and how a model becomes one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jourdain.model.model import Model
from jourdain.system.compiled import CompiledModel
from jourdain.system.coordinates import Coordinates
from jourdain.system.delegation import AnsweredBy
from jourdain.system.execution import Execution
from jourdain.system.names import Names
from jourdain.system.parameters import ParameterSets
from jourdain.system.plan import execution_for, size_of
from jourdain.system.questions.answers import Answers
from jourdain.system.questions.constraints import Constraints
from jourdain.system.questions.derivatives import Slopes
from jourdain.system.questions.dynamics import Dynamics
from jourdain.system.questions.energies import Energies
from jourdain.system.questions.forces import Forces
from jourdain.system.questions.kinematics import Kinematics
from jourdain.system.questions.loads import JointLoads
from jourdain.system.questions.rates import Rates
from jourdain.topology.tree import Topology


class System:
    """A model compiled to machine code. Made by `jourdain.compile`; immutable.

    All arrays are in SI units and in the order of ``system.names``. Every method takes leading
    axes for batches: ``q`` of shape (1000, n_q) gives poses of 1000 configurations.

    Parameters
    ----------
    model : Model
        The machine; it is copied.
    execution : Execution
        How to run: `Unrolled`, `Looped` or `Plain`.
    cut : tuple of str
        Joints that must be cut.
    """

    def __init__(self, model: Model, execution: Execution, cut: tuple[str, ...] = ()) -> None:
        compiled = CompiledModel(model, execution, cut)
        coordinates, forces = Coordinates(compiled), Forces(compiled)
        answers = Answers(compiled, forces)
        kinematics = Kinematics(compiled, coordinates, answers)
        dynamics = Dynamics(compiled, forces, answers)
        loads = JointLoads(
            compiled, coordinates, kinematics, dynamics, forces=forces, answers=answers
        )
        self.mechanism, self._forces = answers, forces
        self._constraints = Constraints(compiled, answers)
        questions = (
            compiled, compiled.parameters, coordinates, forces, answers, kinematics, dynamics,
            loads, Energies(compiled), self._constraints,
            Slopes(compiled, forces, answers, dynamics), Rates(compiled, forces, answers),
        )  # fmt: skip
        self.questions: dict[type, Any] = {type(one): one for one in questions}
        self.model, self.execution = compiled.model, compiled.execution
        self.description, self.has_connections = compiled.description, compiled.has_connections
        self.kernels: dict[Any, Any] = {}  # compiled once, used in many runs

    def __reduce__(self) -> Any:
        """Pickle as the model; the code is found in the cache again."""
        compiled: CompiledModel = self.questions[CompiledModel]
        model, cut = compiled.source
        return type(self), (model, self.execution, cut)

    def __str__(self) -> str:
        way = type(self.execution).__name__.lower()
        return f"system {self.model.name!r} ({way})\n{self.names}"

    @property
    def names(self) -> Names:
        """Names and units of coordinates, bodies and parameters."""
        return self.description.names

    @property
    def topology(self) -> Topology:
        """Tree and cut joints."""
        return self.description.topology

    @property
    def source(self) -> Model:
        """Model that it was made of; in `model` flexible bodies have been taken apart."""
        compiled: CompiledModel = self.questions[CompiledModel]
        return compiled.source[0]

    @property
    def is_flexible(self) -> bool:
        """Whether some of its bodies deform."""
        compiled: CompiledModel = self.questions[CompiledModel]
        return compiled.is_flexible

    @property
    def has_contacts(self) -> bool:
        """Whether there are set-valued laws: contacts, stops, dry friction."""
        return self.description.parts.has_contacts

    @property
    def has_constraints(self) -> bool:
        """Whether there are cut joints or measures that are held."""
        return self.description.parts.has_constraints

    @property
    def is_corrected(self) -> bool:
        """Whether states have to satisfy something: constraints, or internal coordinates."""
        return self.description.parts.is_corrected

    @property
    def loops_constraints(self) -> bool:
        """Whether constraints are worked out in loops, if their kinds allow."""
        compiled: CompiledModel = self.questions[CompiledModel]
        return compiled.loops_constraints

    @property
    def graph(self) -> Any:
        """Symbols and expressions of the mechanism with all contacts open."""
        return self.mechanism.graph

    @property
    def mode_graph(self) -> Any:
        """Symbols and expressions of the mechanism with contacts that modes open and close."""
        return self.mechanism.mode_graph

    @property
    def constraint_rows(self) -> dict[str, slice]:
        """Rows of each cut joint and held measure in the constraint Jacobian, by name."""
        return self._constraints.constraint_rows

    @property
    def held_positions(self) -> dict[str, slice]:
        """Places of held measures in the position errors, which begin with six per cut joint."""
        return self._constraints.held_positions

    @property
    def force_indices(self) -> dict[str, int]:
        """Velocity index by the name of a velocity, or of the coordinate whose rate it is."""
        return self._forces.force_indices

    @property
    def extra_names(self) -> tuple[str, ...]:
        """Names of what ``extra`` holds: forces in cut joints, inputs of laws, contact forces."""
        return self._forces.extra_names

    @property
    def input_rate_indices(self) -> dict[str, int]:
        """Places in ``extra`` of the rates of inputs that measures look at."""
        return self._forces.input_rate_indices

    @property
    def extra_indices(self) -> dict[str, int]:
        """Index in ``extra`` of a force along a cut joint, or of an input of a law, by name."""
        return self._forces.extra_indices

    # Coordinates and frames by name
    index = AnsweredBy(Coordinates, Coordinates.index)
    state = AnsweredBy(Coordinates, Coordinates.state)
    start_value = AnsweredBy(Coordinates, Coordinates.start_value)
    locate = AnsweredBy(Coordinates, Coordinates.locate)

    # Parameters
    parameter_array = AnsweredBy(ParameterSets, ParameterSets.array)
    parameters_in_si = AnsweredBy(ParameterSets, ParameterSets.si_values)
    one_parameter_set = AnsweredBy(ParameterSets, ParameterSets.one_set)

    # Motion
    of_tree = AnsweredBy(CompiledModel, CompiledModel.of_tree)
    poses = AnsweredBy(Kinematics, Kinematics.poses)
    twists = AnsweredBy(Kinematics, Kinematics.twists)
    spatial_accelerations = AnsweredBy(Kinematics, Kinematics.spatial_accelerations)
    kinematics = AnsweredBy(Kinematics, Kinematics.kinematics)
    coordinate_rates = AnsweredBy(Kinematics, Kinematics.coordinate_rates)
    tree_rates = AnsweredBy(Kinematics, Kinematics.tree_rates)
    jacobian = AnsweredBy(Kinematics, Kinematics.jacobian)
    jacobian_rate = AnsweredBy(Kinematics, Kinematics.jacobian_rate)

    # Forces, accelerations, energy
    forces = AnsweredBy(Forces, Forces.forces)
    force_index = AnsweredBy(Forces, Forces.force_index)
    input_name = AnsweredBy(Forces, Forces.input_name)
    forward_dynamics = AnsweredBy(Dynamics, Dynamics.forward_dynamics)
    inverse_dynamics = AnsweredBy(Dynamics, Dynamics.inverse_dynamics)
    bias = AnsweredBy(Dynamics, Dynamics.bias)
    gravity_forces = AnsweredBy(Dynamics, Dynamics.gravity_forces)
    velocity_forces = AnsweredBy(Dynamics, Dynamics.velocity_forces)
    mass_matrix = AnsweredBy(Dynamics, Dynamics.mass_matrix)
    multiply_mass_matrix = AnsweredBy(Dynamics, Dynamics.multiply_mass_matrix)
    solve_mass_matrix = AnsweredBy(Dynamics, Dynamics.solve_mass_matrix)
    check_inertia = AnsweredBy(Dynamics, Dynamics.check_inertia)
    energy = AnsweredBy(Energies, Energies.energy)
    energies = AnsweredBy(Energies, Energies.energies)
    energy_of_few = AnsweredBy(Energies, Energies.energy_of_few)
    momentum = AnsweredBy(Energies, Energies.momentum)
    centre_of_mass = AnsweredBy(Energies, Energies.centre_of_mass)
    centre_of_mass_jacobian = AnsweredBy(Energies, Energies.centre_of_mass_jacobian)
    forward_dynamics_derivatives = AnsweredBy(Slopes, Slopes.forward_dynamics_derivatives)
    inverse_dynamics_derivatives = AnsweredBy(Slopes, Slopes.inverse_dynamics_derivatives)

    # Loads
    loads = AnsweredBy(JointLoads, JointLoads.loads)
    load_rates = AnsweredBy(JointLoads, JointLoads.load_rates)
    power = AnsweredBy(JointLoads, JointLoads.power)
    joint_load = AnsweredBy(JointLoads, JointLoads.joint_load)
    reaction = AnsweredBy(JointLoads, JointLoads.reaction)
    point_of = AnsweredBy(JointLoads, JointLoads.point_of)

    # Connections, cut joints, contacts
    answers = AnsweredBy(Answers, Answers.answers)
    answer_rates = AnsweredBy(Rates, Rates.answer_rates)
    interpreted = AnsweredBy(Answers, Answers.interpreted)
    interpreted_slopes = AnsweredBy(Answers, Answers.interpreted_slopes)
    expressions = AnsweredBy(Answers, Answers.expressions)
    project = AnsweredBy(Constraints, Constraints.project)
    largest_error = AnsweredBy(Constraints, Constraints.largest_error)
    projection_kernel = AnsweredBy(Constraints, Constraints.projection_kernel)
    partition_kernel = AnsweredBy(Constraints, Constraints.partition_kernel)


def compile(
    model: Model, *, execution: Execution | None = None, cut: str | Iterable[str] = ()
) -> System:
    """Compile a model.

    Parameters
    ----------
    model : Model
        The machine. It is validated and copied; later changes do not reach the system.
    execution : Execution, optional
        `Unrolled` or `Looped` machine code, or `Plain` Python. By default straight-line code for
        small systems and for many small trees, and loops for large trees.
    cut : str or iterable of str
        Joints that must be cut where loops are opened; the others are chosen by the program, those
        with the most freedoms first. The motion and all unique loads are the same.

    Returns
    -------
    System
        Functions on arrays.
    """
    model.validate()
    if execution is None:
        execution = execution_for(size_of(model))
    return System(model, execution, (cut,) if isinstance(cut, str) else tuple(cut))
